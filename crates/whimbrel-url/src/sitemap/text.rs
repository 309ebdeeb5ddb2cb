//! Lists of URLs, one per line (sitemaps.org, "Text file"). Lines that are no whole http or https URL are named as
//! problems; a file in which no line is one is no sitemap.

use super::location::{Relative, is_absolute, locate};
use super::problem::{ProblemKind, Problems};
use super::{Sitemap, SitemapEntry, SitemapKind};

pub(super) fn read(document: &str, entries_max: usize, problems: &mut Problems) -> Sitemap {
    let mut found = Sitemap::default();
    let mut offset = 0;
    for line in document.split(['\n', '\r']) {
        let at = offset;
        offset += line.len() + 1;
        let text = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        if text.is_empty() {
            continue;
        }
        if found.entries.len() == entries_max && is_absolute(text) {
            found.truncated = true;
            problems.at(at, ProblemKind::TooManyEntries, "");
            break;
        }
        // Behind a tab stands something else.
        let text = text.split('\t').next().unwrap_or_default();
        match locate(text, None, Relative::Never) {
            Ok(located) => found.entries.push(SitemapEntry {
                loc: located.loc,
                url: located.url,
                lastmod: None,
                changefreq: None,
                priority: None,
            }),
            Err(kind) if is_absolute(text) => problems.at(at, kind, text),
            Err(_) => problems.at(at, ProblemKind::RelativeLocation, text),
        }
    }
    if found.entries.is_empty() {
        problems.of_file(ProblemKind::NotASitemap, "");
    } else {
        found.kind = SitemapKind::Text;
    }
    found
}
