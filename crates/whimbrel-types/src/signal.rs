//! The signals between components (the papers' catalogue) as one enum; `--event-log` writes them.

use crate::site::Site;
use crate::time::Timestamp;
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};

/// Who sends or receives a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// The queue of raw URLs.
    UrlQueue,
    /// Reads robots.txt (and later sitemaps) of a site.
    MappingManager,
    /// Normalises, filters, orders.
    UrlOrganizer,
    /// Chooses what is next.
    UrlScheduler,
    /// Dispatches migrants and takes their reports in.
    CrawlManager,
    /// Carries an itinerary to a station.
    Migrant,
    /// Content-seen test.
    DuplicateEliminator,
    /// Writes what was brought.
    UpdateDatabase,
}

/// What is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// A site is new: its robots.txt must be read.
    SomethingToMap,
    /// A site's rules are known: its waiting URLs can be classified.
    SomethingToClassify,
    /// Admitted URLs are in order.
    UrlsReady,
    /// An itinerary was packed for a migrant.
    MigrantSelected,
    /// The migrant starts.
    Crawl,
    /// The migrant has a page: has it been seen?
    Check,
    /// There is something to write.
    SomethingToUpdate,
    /// One URL of an itinerary is done.
    RequestProcessed,
    /// The whole itinerary is done.
    Done,
    /// A pattern of URLs used its budget up, or a site has unusually many URLs.
    TrapReported,
}

/// One line of the event log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalRecord {
    /// When.
    pub at: Timestamp,
    /// What.
    pub signal: Signal,
    /// Who says it.
    pub from: Component,
    /// To whom.
    pub to: Component,
    /// About which site.
    pub site: Site,
    /// About which URL.
    pub url: Option<CanonicalUrl>,
    /// Further fields, by signal, in a fixed order.
    pub fields: Vec<(String, String)>,
}
