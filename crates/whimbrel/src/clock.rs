//! The one place where the clock is read. Wall time at the start plus what a steady clock has counted since: when the
//! machine's time is set while a crawl runs, no pause gets shorter.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use whimbrel_types::Timestamp;

/// Now.
pub fn now() -> Timestamp {
    Timestamp(u64::try_from(since_epoch().as_millis()).unwrap_or(u64::MAX))
}

/// The first whole millisecond that is not before now. The end of a visit is noted with it, so that a pause counted from
/// there is never short by a part of a millisecond.
pub fn at_or_after_now() -> Timestamp {
    Timestamp(u64::try_from(since_epoch().as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX))
}

fn since_epoch() -> Duration {
    static START: OnceLock<(Duration, Instant)> = OnceLock::new();
    let (wall, steady) = START.get_or_init(|| {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (wall, Instant::now())
    });
    *wall + steady.elapsed()
}
