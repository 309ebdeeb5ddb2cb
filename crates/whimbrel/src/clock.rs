//! The one place where the wall clock is read.

use std::time::{SystemTime, UNIX_EPOCH};
use whimbrel_types::Timestamp;

/// The first whole millisecond that is not before now. The end of a visit is noted with it, so that a pause counted from
/// there is never short by a part of a millisecond.
pub fn at_or_after_now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX))
}

/// Now.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
