//! L0: the nouns that two or more crates share: keys, times, URLs, links, outcomes, page content, signals.
//! No logic beyond constructors and encodings; no IO, no clock.

mod content;
mod digest;
mod key;
mod limit;
mod link;
mod outcome;
mod reason;
mod record;
mod signal;
mod site;
mod time;
mod trap;
mod unindexed;
mod url;
mod write;

pub use content::{Heading, MetaRobots, PageContent, PageFormat};
pub use digest::{ContentHash, hex};
pub use key::{HostId, Partition, SiteId, SiteKey, UrlId, UrlKey};
pub use limit::{Limit, NOTE_BYTES_MAX, VisitNote};
pub use link::{Link, LinkKind, LinkRel};
pub use outcome::{FailureKind, FetchOutcome, Redirect, Unresolved, Validators};
pub use reason::RejectReason;
pub use record::{
    Anchor, Capture, GateState, HISTORY_MAX, PageVersion, PastVisit, PendingLink, QueuePlace, RobotsState,
    SiteRecord, UrlRecord, UrlState, WarcPointer,
};
pub use signal::{Component, Signal, SignalRecord};
pub use site::{Scheme, Site};
pub use time::{DAY_MS, HOUR_MS, Timestamp};
pub use trap::{TRAP_EXAMPLES_MAX, TrapRecord, TrapRule, TrapState, TrapVerdict, WHOLE_SITE};
pub use unindexed::{LowValue, Unindexed};
pub use url::CanonicalUrl;
pub use write::{Batch, IndexOp, NewPage, QueueEntry, RevisitCapture, Write};
