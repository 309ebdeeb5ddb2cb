//! The small portion of a page that shows why it was found: the window that covers most of the query, with the
//! matches marked. Works on the page's own text with the index's own analysis, so it lights up what matched.
//! Invariant: the text holds no control or direction characters, and every range lies on character boundaries.

mod clean;
mod scan;
mod window;

pub(crate) use clean::clean_line;

use crate::analysis::{Profile, WordCache};
use crate::query::Highlights;
use scan::scan;
use std::ops::Range;
use whimbrel_types::PageContent;

/// A portion of text with marked words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// One line of text.
    pub text: String,
    /// Byte ranges of the matches, in order, apart from each other.
    pub highlights: Vec<Range<usize>>,
}

impl Snippet {
    /// Cuts the best portion out of a page; empty when the page asks for no snippet.
    pub(crate) fn of(content: &PageContent, highlights: &Highlights, cache: &mut WordCache) -> Snippet {
        if content.robots.nosnippet {
            return Snippet::default();
        }
        let profile = Profile::of(content.language.as_deref().unwrap_or_default());
        let sources = [&content.text, &content.description, &content.navigation_text];
        for source in sources {
            let matches = scan(source, highlights, profile, cache);
            if let Some(best) = window::best(source, &matches) {
                return clean::cut(source, best.range, &best.matches);
            }
        }
        let shown = if content.description.trim().is_empty() { &content.text } else { &content.description };
        clean::cut(shown, window::opening(shown), &[])
    }
}

#[cfg(test)]
mod tests;
