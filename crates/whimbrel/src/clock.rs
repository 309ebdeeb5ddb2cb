//! The one place where the wall clock is read.

use std::time::{SystemTime, UNIX_EPOCH};
use whimbrel_types::Timestamp;

/// Now.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
