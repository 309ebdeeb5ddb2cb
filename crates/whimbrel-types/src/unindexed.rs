//! Why a stored page is kept out of the index, for `explain`.

use serde::{Deserialize, Serialize};

/// Pages that are made by a machine without end and say nothing ("Effective Web Page Crawler", §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LowValue {
    /// A grid of days.
    Calendar,
    /// Hardly anything but numbers.
    DataSeries,
    /// A few words, a number and a way to the next of its kind.
    Counter,
}

/// Why a page is not in the index though it was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unindexed {
    /// The page asks for it.
    NoIndex,
    /// The page named a time, and it has come.
    Expired,
    /// It says nothing.
    LowValue(LowValue),
}

impl Unindexed {
    /// Name in `explain`, exports and counters.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Unindexed::NoIndex => "noindex",
            Unindexed::Expired => "unavailable_after",
            Unindexed::LowValue(LowValue::Calendar) => "calendar",
            Unindexed::LowValue(LowValue::DataSeries) => "data_series",
            Unindexed::LowValue(LowValue::Counter) => "counter",
        }
    }
}
