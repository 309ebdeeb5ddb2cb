//! Redirects that lead in circles, nowhere, or out of HTTP.

use super::behavior::{Act, Behavior};
use super::request::Ask;
use super::script::{HTML, Script, small_page};

/// Where redirects to other schemes point.
const SCHEMES: &[&str] = &[
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "gopher://127.0.0.1:70/1",
    "ftp://127.0.0.1/pub",
    "mailto:root@localhost",
    "chrome://settings",
    "view-source:http://127.0.0.1/",
];

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "redirect-self",
        does: "redirects a page to itself",
        held_by: "a URL is visited once; fetch.redirects_max",
        seen_as: "errors.redirect_to_itself",
        act: Act::Pages(|ask| Script::redirect(&ask.path)),
    },
    Behavior {
        name: "redirect-loop",
        does: "redirects in a circle of three",
        held_by: "a URL is visited once; fetch.redirects_max",
        seen_as: "redirects",
        act: Act::Pages(|ask| {
            Script::redirect(match ask.path.as_str() {
                "/" => "/second",
                "/second" => "/third",
                _ => "/",
            })
        }),
    },
    Behavior {
        name: "redirect-maze",
        does: "redirects every URL to a fresh one",
        held_by: "fetch.redirects_max",
        seen_as: "limits: fetch.redirects_max",
        act: Act::Pages(|ask| Script::redirect(&format!("/maze/{}", number(ask) + 1))),
    },
    Behavior {
        name: "redirect-permanent-maze",
        does: "moves every URL permanently to a fresh one on a page full of links into the maze",
        held_by: "fetch.redirects_max on every chain",
        seen_as: "limits: fetch.redirects_max",
        act: Act::Pages(|ask| match ask.path.as_str() {
            "/" => {
                let links: Vec<String> = (0..20).map(|n| format!("/maze/{}", n * 1000)).collect();
                Script::page(small_page("Entrances", "twenty ways in", &links))
            }
            _ => {
                let target = format!("Location: /maze/{}\r\n", number(ask) + 1);
                Script::answer("301 Moved Permanently", &target, "")
            }
        }),
    },
    Behavior {
        name: "redirect-without-target",
        does: "redirects without saying where to",
        held_by: "a redirect needs a target",
        seen_as: "errors.bad_redirect",
        act: Act::Pages(|_| Script::answer("302 Found", "", "")),
    },
    Behavior {
        name: "redirect-to-other-schemes",
        does: "redirects to file:, javascript:, data:, gopher:, ftp: and more",
        held_by: "http and https only",
        seen_as: "errors.bad_redirect",
        act: Act::Pages(|ask| one_of(ask, SCHEMES)),
    },
    Behavior {
        name: "redirect-location-1mb",
        does: "redirects to a URL of a megabyte",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 302 Found\r\nLocation: /").times(1024, "a".repeat(1024)).then("\r\n\r\n")
        }),
    },
    Behavior {
        name: "redirect-location-long",
        does: "redirects to a URL of 60 KB, within the limit of the head",
        held_by: "limits.url_bytes_max",
        seen_as: "errors.bad_redirect",
        act: Act::Pages(|_| Script::redirect(&format!("/{}", "a".repeat(60_000)))),
    },
    Behavior {
        name: "redirect-growing",
        does: "redirects to a path that grows with every step",
        held_by: "fetch.redirects_max, traps.repeated_segments_max",
        seen_as: "limits: fetch.redirects_max, or rejected.trap",
        act: Act::Pages(|ask| Script::redirect(&format!("{}{}/", ask.path, "grow".repeat(50)))),
    },
    Behavior {
        name: "refresh-header-loop",
        does: "sends Refresh: 0 to a fresh URL with every page",
        held_by: "a refresh is a link, and depth counts",
        seen_as: "nothing, or rejected.too_deep",
        act: Act::Pages(|ask| {
            let next = number(ask) + 1;
            let fields = format!("{HTML}Refresh: 0; url=/maze/{next}\r\n");
            Script::answer(
                "200 OK",
                &fields,
                small_page("Refresh", &format!("page {next} of the refreshing"), &[]),
            )
        }),
    },
    Behavior {
        name: "meta-refresh-chain",
        does: "sends every page on to a fresh one by meta refresh",
        held_by: "a refresh is a link, and depth counts",
        seen_as: "nothing, or rejected.too_deep",
        act: Act::Pages(|ask| {
            let next = number(ask) + 1;
            Script::page(format!(
                "<!DOCTYPE html><title>Chain {next}</title><meta http-equiv=refresh content=\"0;url=/maze/{next}\">\
                 <p>link {next} of the chain</p>"
            ))
        }),
    },
];

/// The front page links to one redirect per target; each is answered with its target.
pub(super) fn one_of(ask: &Ask, targets: &[&str]) -> Script {
    match ask.path.strip_prefix("/to/").and_then(|n| n.parse::<usize>().ok()).and_then(|n| targets.get(n)) {
        Some(target) => Script::redirect(target),
        None => {
            let links: Vec<String> = (0..targets.len()).map(|n| format!("/to/{n}")).collect();
            Script::page(small_page("Ways out", "each of these redirects elsewhere", &links))
        }
    }
}

/// The number at the end of a path; 0 when there is none.
fn number(ask: &Ask) -> u64 {
    ask.bare_path().rsplit('/').next().and_then(|text| text.parse().ok()).unwrap_or(0)
}
