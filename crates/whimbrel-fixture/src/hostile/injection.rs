//! Text that wants to be something else: WARC and HTTP header lines, terminal commands, markup, file names.

use super::behavior::{Act, Behavior};
use super::script::{HTML, Script, small_page};

/// What every place is tried with: line ends, WARC and HTTP headers, terminal commands, markup, a right-to-left
/// override.
const NASTY: &str = "evil\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n\x1b]0;owned\x07\x1b[2J\x1b[31m\u{9b}5n\
                     <script>alert(1)</script>\"'`&\u{202e}\u{2028}\0 end";

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "injection-in-title",
        does: "puts line ends, WARC headers, terminal commands and scripts into title, text, author and language",
        held_by: "outputs are escaped where they are made",
        seen_as: "the page is stored; its words are words",
        act: Act::Pages(|_| {
            let escaped = NASTY.replace('<', "&lt;").replace('"', "&quot;");
            Script::page(format!(
                "<!DOCTYPE html><html lang=\"{escaped}\"><head><title>{escaped}</title>\
                 <meta name=author content=\"{escaped}\"><meta name=description content=\"{escaped}\">\
                 <meta property=\"article:published_time\" content=\"{escaped}\"></head>\
                 <body><main><h1>{escaped}</h1><p>harpsichord {escaped}</p><a href=\"/next\">{escaped}</a></main>"
            ))
        }),
    },
    Behavior {
        name: "injection-in-headers",
        does: "puts terminal commands and markup into the reason phrase and every field that is kept",
        held_by: "the HTTP parser, and escaping where outputs are made",
        seen_as: "the page is stored, or errors.protocol",
        act: Act::Pages(|_| {
            let odd = "\u{9b}31m\u{9d}0;owned\u{9c}<script>alert(1)</script>\"'";
            let fields = format!(
                "Content-Type: text/html; charset=utf-8; x={odd}\r\nServer: {odd}\r\nETag: \"{odd}\"\r\n\
                 Last-Modified: {odd}\r\nX-Robots-Tag: {odd}\r\nContent-Language: {odd}\r\n"
            );
            let status = format!("200 {odd}");
            Script::answer(&status, &fields, small_page("Fields", "harpsichord in the head", &[]))
        }),
    },
    Behavior {
        name: "injection-by-bare-cr",
        does: "hides header lines behind bare carriage returns",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| {
            let fields = format!("{HTML}X-Split: a\rWARC/1.1\rSet-Cookie: b=c\r\n");
            Script::answer("200 OK", &fields, small_page("Split", "harpsichord", &[]))
        }),
    },
    Behavior {
        name: "injection-in-urls",
        does: "links to URLs with line ends, terminal commands, quotes and scripts in them",
        held_by: "normalization percent-encodes them",
        seen_as: "the pages are stored under encoded URLs",
        act: Act::Pages(|ask| match ask.path.as_str() {
            "/" => {
                let links = [
                    "/a%0d%0aSet-Cookie:%20x=y",
                    "/b\r\n\r\nWARC/1.1\r\n",
                    "/c\x1b[2J\x1b]0;owned\x07",
                    "/d<script>alert(1)</script>",
                    "/e'%22%3E%3Cimg%20src=x%3E",
                    "/f?q=&quot;&gt;&lt;script&gt;&amp;x='",
                    "/g\u{202e}lmth.gpj",
                    "/h\u{9b}31m",
                    "/i%1b%5b2J",
                    "/j%00%01%7f",
                    "/k]]&gt;&lt;/urlset&gt;",
                    "/l/%2e%2e/%2e%2e/etc",
                ];
                Script::page(small_page("Odd URLs", "harpsichord", &links.map(str::to_owned)))
            }
            path => {
                let number = path.len();
                Script::page(small_page(
                    &format!("Odd {number}"),
                    &format!("harpsichord under {}", path.escape_debug()),
                    &[],
                ))
            }
        }),
    },
    Behavior {
        name: "injection-in-redirect",
        does: "redirects to a target with encoded and raw control characters",
        held_by: "the HTTP parser, normalization",
        seen_as: "the target is visited under its encoded URL",
        act: Act::Pages(|ask| match ask.path.as_str() {
            "/" => Script::redirect("/x%0d%0aSet-Cookie:%20a=b%0d%0a\u{9b}31m<script>\"'"),
            _ => Script::page(small_page("Target", "harpsichord", &[])),
        }),
    },
    Behavior {
        name: "injection-of-warc-records",
        does: "sends a body that is a whole WARC file with records of its own",
        held_by: "records are framed by their length",
        seen_as: "one page is stored; the archive reads cleanly",
        act: Act::Pages(|_| {
            let record = "\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://bank.example/\r\n\
                          WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n\
                          WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n\
                          Content-Length: 38\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>forged harpsichord\r\n\r\n";
            let page = small_page("Forger", "harpsichord", &[]);
            Script::page(format!("{page}{}", record.repeat(50)))
        }),
    },
    Behavior {
        name: "names-of-files",
        does: "links to paths that would be dangerous as file names",
        held_by: "no file is ever named after a URL",
        seen_as: "the pages are stored",
        act: Act::Pages(|ask| match ask.path.as_str() {
            "/" => {
                let long = format!("/{}", "n".repeat(1900));
                let links = [
                    "/../../../../etc/passwd",
                    "/..%2f..%2f..%2fetc%2fpasswd",
                    "//etc/passwd",
                    "/%2e%2e/%2e%2e/root/.ssh/authorized_keys",
                    "/..\\..\\windows\\system32",
                    "/C:/windows/win.ini",
                    "/CON",
                    "/aux.html",
                    "/nul%00.html",
                    "/~/.bashrc",
                    "/-rf",
                    "/$(reboot)",
                    "/;reboot",
                    "/.%0a",
                    long.as_str(),
                ];
                let links: Vec<String> = links.iter().map(|link| (*link).to_owned()).collect();
                Script::page(small_page("Names", "harpsichord", &links))
            }
            path => Script::page(small_page("A name", &format!("harpsichord {}", path.len()), &[])),
        }),
    },
];
