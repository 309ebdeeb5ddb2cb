//! Hosts whose robots.txt is the weapon. Their pages are harmless, so what happens to them shows what was made
//! of the file (RFC 9309).

use super::behavior::{Act, Behavior};
use super::codings;
use super::script::{Script, fill};

const PIECE_BYTES: usize = 16 << 10;
const PIECES_OF_A_GIGABYTE: u64 = (1 << 30) / PIECE_BYTES as u64;
const TEXT: &str = "Content-Type: text/plain\r\n";

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "robots-1gb",
        does: "sends a gigabyte of rules",
        held_by: "fetch.max_robots",
        seen_as: "the host is crawled by the rules of the first 500 KiB",
        act: Act::Robots(|_| {
            open()
                .then("User-agent: *\nDisallow: /private\n")
                .times(PIECES_OF_A_GIGABYTE, fill("Disallow: /never\n", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "robots-503",
        does: "is unavailable for robots.txt",
        held_by: "5xx forbids everything until it is back",
        seen_as: "errors.robots_http_503; the host is not crawled",
        act: Act::Robots(|_| Script::answer("503 Service Unavailable", "Retry-After: 31556952000\r\n", "no")),
    },
    Behavior {
        name: "robots-silent",
        does: "never answers robots.txt",
        held_by: "fetch.timeout",
        seen_as: "errors.robots_timeout; the host is not crawled",
        act: Act::Robots(|_| Script::default().silence()),
    },
    Behavior {
        name: "robots-drip",
        does: "sends robots.txt a byte at a time, for ever",
        held_by: "fetch.timeout",
        seen_as: "errors.robots_timeout; the host is not crawled",
        act: Act::Robots(|_| open().then("User-agent: *\n#").drip(100, "x")),
    },
    Behavior {
        name: "robots-redirect-loop",
        does: "redirects robots.txt in a circle",
        held_by: "five redirects (RFC 9309, 2.3.1.2)",
        seen_as: "taken as not there; the host is crawled",
        act: Act::Robots(|ask| {
            Script::redirect(if ask.path == "/robots.txt" { "/robots-again.txt" } else { "/robots.txt" })
        }),
    },
    Behavior {
        name: "robots-redirect-to-private",
        does: "redirects robots.txt to another service of this machine",
        held_by: "the address check before every connection",
        seen_as: "errors.robots_address_refused; the host is not crawled",
        act: Act::Robots(|ask| Script::redirect(&format!("{}/robots.txt", ask.stranger))),
    },
    Behavior {
        name: "robots-html",
        does: "answers robots.txt with a page",
        held_by: "lines that are no rules are passed over",
        seen_as: "the host is crawled",
        act: Act::Robots(|_| {
            Script::page("<!DOCTYPE html><title>Welcome</title><p>User-agent: nobody<p>Disallow: /")
        }),
    },
    Behavior {
        name: "robots-binary",
        does: "answers robots.txt with noise",
        held_by: "lines that are no rules are passed over",
        seen_as: "the host is crawled",
        act: Act::Robots(|_| {
            let noise: Vec<u8> =
                (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            Script::answer("200 OK", TEXT, noise)
        }),
    },
    Behavior {
        name: "robots-sitemaps-100k",
        does: "names 100,000 sitemaps, one of them at a private address",
        held_by: "fetch.max_robots",
        seen_as: "the host is crawled",
        act: Act::Robots(|ask| {
            open()
                .then(format!("Sitemap: {}/sitemap.xml\n", ask.stranger))
                .times(100_000, format!("Sitemap: {}/sitemap.xml\n", ask.origin))
        }),
    },
    Behavior {
        name: "robots-patterns",
        does: "sends 5,000 patterns of sixty stars that match slowly in a careless matcher",
        held_by: "matching without backtracking, fetch.max_robots",
        seen_as: "the host is crawled",
        act: Act::Robots(|_| {
            open().then("User-agent: *\n").times(5000, format!("Disallow: /{}b$\n", "*a".repeat(60)))
        }),
    },
    Behavior {
        name: "robots-line-endless",
        does: "sends a rule of a gigabyte on one line",
        held_by: "fetch.max_robots",
        seen_as: "the host is crawled",
        act: Act::Robots(|_| {
            open().then("User-agent: *\nDisallow: /").times(PIECES_OF_A_GIGABYTE, fill("n", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "robots-crawl-delay-endless",
        does: "asks for a crawl delay of 10^300 seconds",
        held_by: "politeness.crawl_delay_max",
        seen_as: "skipped_sites names the delay",
        act: Act::Robots(|_| {
            let text = format!("User-agent: *\nCrawl-delay: 1{}\nAllow: /\n", "0".repeat(300));
            Script::answer("200 OK", TEXT, text)
        }),
    },
    Behavior {
        name: "robots-bomb",
        does: "sends robots.txt as a gzip bomb",
        held_by: "fetch.max_robots on what is decoded",
        seen_as: "the host is crawled",
        act: Act::Robots(|_| codings::robots_bomb()),
    },
    Behavior {
        name: "robots-forbidden",
        does: "answers 403 to robots.txt and to nothing else",
        held_by: "4xx allows everything (RFC 9309, 2.3.1.3)",
        seen_as: "the host is crawled",
        act: Act::Robots(|_| Script::answer("403 Forbidden", TEXT, "go away")),
    },
];

fn open() -> Script {
    Script::say(format!("HTTP/1.1 200 OK\r\n{TEXT}Connection: close\r\n\r\n"))
}
