//! A small made-up web around one estuary, readable by people and full of what crawlers meet.
//!
//! | site | what it is | what is in it |
//! |---|---|---|
//! | `observatory` | Sandmere Bird Observatory | species, daily logs, hides, research; `/index.html` and `/about/` as second URLs; **calendar trap** `/calendar/2026/11`; `/volunteers/rota` noindex; `/camera/` says nothing about itself; image, zip, text file with `X-Robots-Tag: noindex`; redirects, a 404, a 410 |
//! | `library` | Thornby Town Library | 60 books, each with `?sid=` and a print version; lists under `?sort=`; welcome pages in German, French, Chinese, Japanese, Arabic, Thai; two pages in ISO-8859-1 (one says so in the header, one in the page); **redirect loop** `/renew` |
//! | `manual` | manual of a made-up program | the same pages under `/latest/` and `/2.4/` (canonical), near copies under `/2.3/`; code; one page of 400 kB (`/2.4/all`); sitemap; plain text |
//! | `shop` | museum shop | 42 products under `?sid=` with canonical links; lists under `?sort=`; `?colour=` and `/cart` denied; **self-extending path** `/gallery/more/more/…`; a 410 |
//! | `news` | The Estuary Courier | dated articles with authors, print versions, `?utm_source=`; sitemap index with lastmod; robots groups: `/drafts/` denied to `whimbrel`, `/archive/` only to others; a nofollow link |
//! | `garden` | a private notebook | `Crawl-delay: 1`; plain text, an empty page, a page that refreshes to another; copies of a page of `news` and of a file of `manual` |
//!
//! The demonstration ends with [`DEMO_QUERY`], whose best answer is the hand-written page [`DEMO_ANSWER`].
//! [`DEMO_ANCHOR_QUERY`] finds [`DEMO_ANCHOR_ANSWER`] by the words of links to it alone.
//! Everything is a function of the seed; hand-written pages and paths do not depend on it.

pub(crate) mod date;
mod garden;
mod library;
mod manual;
mod news;
mod observatory;
mod shop;

use crate::web::Web;

/// Names of the sites, in order.
pub const DEMO_SITES: [&str; 6] = ["observatory", "library", "manual", "shop", "news", "garden"];

/// A search to end the demonstration with.
pub const DEMO_QUERY: &str = "whimbrel migration tracking tag";

/// Site and path of its best answer.
pub const DEMO_ANSWER: (&str, &str) = ("observatory", "/research/whimbrel-tracking");

/// Words that stand in links to a page and not in the page.
pub const DEMO_ANCHOR_QUERY: &str = "osprey nest camera";

/// Site and path of that page.
pub const DEMO_ANCHOR_ANSWER: (&str, &str) = ("observatory", "/camera/");

/// Site and path of everything linked that answers 404 or 410, and nothing else does.
pub const DEMO_DEAD: [(&str, &str); 8] = [
    ("observatory", "/leaflet-2019"),
    ("observatory", "/appeal-2024"),
    ("library", "/catalogue/item/1999"),
    ("manual", "/1.9/"),
    ("shop", "/p/lucky-anchor"),
    ("shop", "/p/glass-float"),
    ("news", "/2025/12/24/corrected-and-withdrawn"),
    ("garden", "/webring/next"),
];

/// Site and path prefix of what robots.txt denies to `whimbrel`; some of it is linked, and all that is
/// linked answers 200, so a visit shows in the log.
pub const DEMO_FORBIDDEN: [(&str, &str); 7] = [
    ("observatory", "/staff/"),
    ("library", "/account/"),
    ("library", "/search"),
    ("shop", "/cart"),
    ("shop", "/checkout"),
    ("news", "/drafts/"),
    ("garden", "/private/"),
];

/// What robots.txt allows again below [`DEMO_FORBIDDEN`].
pub const DEMO_ALLOWED_AGAIN: [(&str, &str); 2] =
    [("library", "/account/help"), ("news", "/drafts/style-guide")];

/// Site and path prefix of the traps: below each there is no end of URLs that answer 200.
pub const DEMO_TRAPS: [(&str, &str); 2] = [("observatory", "/calendar/"), ("shop", "/gallery/more/")];

/// The two paths of `library` that redirect to each other for ever.
pub const DEMO_LOOP: [(&str, &str); 2] = [("library", "/renew"), ("library", "/renew/login")];

/// Pages that ask to be left out of the index: by a meta element, by a header.
pub const DEMO_NOINDEX: [(&str, &str); 2] =
    [("observatory", "/volunteers/rota"), ("observatory", "/data/readme.txt")];

/// The made-up web.
#[must_use]
pub fn demo_web(seed: u64) -> Web {
    Web::new([
        observatory::site(seed),
        library::site(seed),
        manual::site(seed),
        shop::site(seed),
        news::site(seed),
        garden::site(seed),
    ])
}

/// The page that stands on three sites with the same bytes; its links are absolute for that reason.
fn press_release() -> crate::answer::Answer {
    let document = crate::markup::Document::parse(include_str!("demo/prose/press-release.md"));
    crate::answer::Answer::html(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{}</title>\n\
         <meta name=\"description\" content=\"{}\"></head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        document.title,
        document.field("description"),
        document.html
    ))
}

/// Items as links in a list: `(href, words)`.
fn link_list<H: AsRef<str>, W: AsRef<str>>(links: impl IntoIterator<Item = (H, W)>) -> String {
    let items: String = links
        .into_iter()
        .map(|(href, words)| {
            format!("<li><a href=\"{}\">{}</a></li>\n", href.as_ref(), crate::markup::escape(words.as_ref()))
        })
        .collect();
    format!("<ul>\n{items}</ul>\n")
}

#[cfg(test)]
mod tests;
