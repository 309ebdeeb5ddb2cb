//! One entry of a sitemap or feed, from the texts that were found in it to a URL, a date, a frequency and a priority.
//! What cannot be read is named and left out; only without a location there is no entry. Never asks other entries.

use super::location::{Relative, locate};
use super::problem::{ProblemKind, Problems};
use super::{ChangeFrequency, LastModified, SitemapEntry, SitemapKind};
use crate::date::sitemap_date;
use crate::parse_url::ParsedUrl;

/// An entry while it is read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) at: usize,
    pub(super) location: Option<String>,
    /// In feeds, taken when there is no location.
    pub(super) identifier: Option<String>,
    /// Text of the entry itself; in sitemaps, taken when there is no location.
    pub(super) stray: String,
    /// A location in a foreign element; taken when that element was never closed, so that it may be none.
    pub(super) torn: Option<String>,
    /// Rank, text and place.
    pub(super) date: Option<(u8, String, usize)>,
    pub(super) change_frequency: Option<String>,
    pub(super) priority: Option<String>,
}

impl Draft {
    /// The entry, if it names a page.
    pub(super) fn complete(
        &self,
        kind: SitemapKind,
        base: Option<&ParsedUrl>,
        problems: &mut Problems,
    ) -> Option<SitemapEntry> {
        let feed = matches!(kind, SitemapKind::Rss | SitemapKind::Atom);
        let stray = (!feed && !self.stray.is_empty()).then_some(&self.stray);
        let identifier = self.identifier.as_ref().filter(|_| feed);
        if self.location.is_none()
            && let Some(stray) = stray
        {
            problems.at(self.at, ProblemKind::MisplacedLocation, stray);
        }
        let Some(text) = self.location.as_ref().or(identifier).or(stray).or(self.torn.as_ref()) else {
            problems.at(self.at, ProblemKind::NoLocation, "");
            return None;
        };
        let relative = match (feed, &self.location) {
            (false, _) => Relative::FromRoot,
            (true, Some(_)) => Relative::Any,
            // An identifier that is no URL says nothing about where the page is.
            (true, None) => Relative::Never,
        };
        let located = match locate(text, base, relative) {
            Ok(located) => located,
            Err(kind) => {
                let kind = if relative == Relative::Never { ProblemKind::NoLocation } else { kind };
                problems.at(self.at, kind, text);
                return None;
            }
        };
        if located.relative && !feed {
            problems.at(self.at, ProblemKind::RelativeLocation, text);
        }
        Some(SitemapEntry {
            loc: located.loc,
            url: located.url,
            lastmod: self.last_modified(problems),
            changefreq: self.frequency(problems),
            priority: self.weight(problems),
        })
    }

    fn last_modified(&self, problems: &mut Problems) -> Option<LastModified> {
        let (_, text, at) = self.date.as_ref()?;
        let date = sitemap_date(text);
        if date.is_none() {
            problems.at(*at, ProblemKind::BadDate, text);
        }
        date.map(|(at, precision)| LastModified { at, precision })
    }

    fn frequency(&self, problems: &mut Problems) -> Option<ChangeFrequency> {
        let text = self.change_frequency.as_ref()?;
        match text.trim().to_ascii_lowercase().as_str() {
            "always" => Some(ChangeFrequency::Always),
            "hourly" => Some(ChangeFrequency::Hourly),
            "daily" => Some(ChangeFrequency::Daily),
            "weekly" => Some(ChangeFrequency::Weekly),
            "monthly" => Some(ChangeFrequency::Monthly),
            "yearly" | "annually" => Some(ChangeFrequency::Yearly),
            "never" => Some(ChangeFrequency::Never),
            _ => {
                problems.at(self.at, ProblemKind::BadChangeFrequency, text);
                None
            }
        }
    }

    fn weight(&self, problems: &mut Problems) -> Option<f32> {
        let text = self.priority.as_ref()?;
        let priority = text.trim().replace(',', ".").parse().ok().filter(|value| (0.0..=1.0).contains(value));
        if priority.is_none() {
            problems.at(self.at, ProblemKind::BadPriority, text);
        }
        priority
    }
}
