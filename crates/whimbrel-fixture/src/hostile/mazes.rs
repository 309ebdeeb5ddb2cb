//! Sites without an end: every page is small, polite and new, and leads to more of its kind.

use super::behavior::{Act, Behavior};
use super::request::Ask;
use super::script::{Script, small_page};

const HELD_BY: &str = "crawl.depth, crawl.site_limit, traps.pattern_budget";

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "calendar-endless",
        does: "shows a calendar whose months go on for ever, both ways",
        held_by: HELD_BY,
        seen_as: "rejected.too_deep or rejected.trap",
        act: Act::Pages(|ask| {
            let month = field(ask, "month").unwrap_or(24_000);
            let links = [month + 1, month.saturating_sub(1)]
                .map(|month| format!("/calendar?year={}&amp;month={month}", month / 12));
            let sentence = format!("Nothing happens in month {month} of the calendar.");
            Script::page(small_page(&format!("Month {month}"), &sentence, &links))
        }),
    },
    Behavior {
        name: "path-growing",
        does: "links to relative paths that grow by a segment each time",
        held_by: "crawl.depth, limits.url_bytes_max, traps.repeated_segments_max",
        seen_as: "rejected.too_deep or rejected.trap",
        act: Act::Pages(|ask| {
            let next = format!("{}/more/", ask.bare_path().trim_end_matches('/'));
            Script::page(small_page("Growing", &format!("The path is {} long.", ask.path.len()), &[next]))
        }),
    },
    Behavior {
        name: "query-growing",
        does: "adds a parameter to the query of every link",
        held_by: "crawl.depth, limits.url_bytes_max, traps.parameters_max",
        seen_as: "rejected.too_deep or rejected.trap",
        act: Act::Pages(|ask| {
            let count = ask.path.matches('=').count();
            let joint = if ask.path.contains('?') { "&amp;" } else { "?" };
            let next = format!("{}{joint}p{count}={count}", ask.path.replace('&', "&amp;"));
            Script::page(small_page("Filters", &format!("There are {count} filters in force."), &[next]))
        }),
    },
    Behavior {
        name: "session-in-path",
        does: "puts a fresh session id into the path of every link",
        held_by: HELD_BY,
        seen_as: "rejected.too_deep or rejected.trap",
        act: Act::Pages(|ask| {
            let links = [0, 1].map(|n| format!("/s/{:016x}/page{n}.html", mix(&ask.path, n)));
            Script::page(small_page("Session", &format!("Your session is {:x}.", mix(&ask.path, 9)), &links))
        }),
    },
    Behavior {
        name: "session-in-query",
        does: "puts a fresh session id into the query of every link",
        held_by: HELD_BY,
        seen_as: "rejected.too_deep, duplicates or rejected.trap",
        act: Act::Pages(|ask| {
            let links = [0, 1].map(|n| format!("/page{n}.html?PHPSESSID={:032x}", mix(&ask.path, n)));
            Script::page(small_page("Session", &format!("Your basket is {:x}.", mix(&ask.path, 9)), &links))
        }),
    },
    Behavior {
        name: "pages-random",
        does: "links to names that nobody could ever run out of",
        held_by: HELD_BY,
        seen_as: "rejected.too_deep or rejected.trap",
        act: Act::Pages(|ask| {
            let links = [0, 1].map(|n| format!("/{:x}", mix(&ask.path, n)));
            Script::page(small_page("Anything", &format!("All about {:x}.", mix(&ask.path, 9)), &links))
        }),
    },
    Behavior {
        name: "mirror-of-one-page",
        does: "serves the same page with the same relative links under every path",
        held_by: "equal pages are copies, and links of copies are not followed",
        seen_as: "duplicates",
        act: Act::Pages(|_| {
            Script::page(small_page("Mirror", "always the same page", &["deeper/".into(), "a/b/".into()]))
        }),
    },
    Behavior {
        name: "fragments-and-case",
        does: "links to one page under a thousand spellings",
        held_by: "normalization",
        seen_as: "nothing: one page is visited",
        act: Act::Pages(|ask| {
            let here = ask.origin.replace("http://", "HTTP://");
            let links: Vec<String> = (0..1000).map(|n| format!("{here}/./x/../%61#part{n}")).collect();
            let links = if ask.path == "/" { links } else { Vec::new() };
            Script::page(small_page("Spellings", &format!("this is {}", ask.path), &links))
        }),
    },
];

/// A number in the query.
fn field(ask: &Ask, name: &str) -> Option<u64> {
    let query = ask.path.split_once('?')?.1;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

/// A number that looks random and is the same for the same path.
fn mix(path: &str, salt: u64) -> u64 {
    path.bytes().fold(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
