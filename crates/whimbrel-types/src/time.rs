//! Wall-clock instants as milliseconds since 1970. Never reads a clock: the shells do, once per event.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One hour in milliseconds.
pub const HOUR_MS: u64 = 3_600_000;
/// One day in milliseconds.
pub const DAY_MS: u64 = 24 * HOUR_MS;

/// Milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The far future: "never".
    pub const NEVER: Timestamp = Timestamp(u64::MAX);

    /// This instant plus `ms`, never wrapping past [`Timestamp::NEVER`].
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Timestamp {
        Timestamp(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to here, 0 when `earlier` is later.
    #[must_use]
    pub fn since_ms(self, earlier: Timestamp) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Days since the epoch and milliseconds into the day (UTC).
    #[must_use]
    pub fn day_and_ms(self) -> (u64, u64) {
        (self.0 / DAY_MS, self.0 % DAY_MS)
    }

    /// From a UTC date and time of day; `None` when a field is out of range or before 1970.
    #[must_use]
    pub fn from_utc(year: i64, month: u32, day: u32, seconds_of_day: u32) -> Option<Timestamp> {
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || day == 0 || seconds_of_day > 86_400
        {
            return None;
        }
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let month_days = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        if day > month_days[month as usize - 1] {
            return None;
        }
        let days = days_from_civil(year, month, day);
        u64::try_from(days).ok().map(|d| Timestamp(d * DAY_MS + u64::from(seconds_of_day) * 1000))
    }

    /// Year, month, day, hour, minute, second, millisecond (UTC).
    #[must_use]
    pub fn to_utc(self) -> (i64, u32, u32, u32, u32, u32, u32) {
        let (days, ms) = self.day_and_ms();
        let (y, m, d) = civil_from_days(days.min(2_932_896) as i64);
        let s = (ms / 1000) as u32;
        (y, m, d, s / 3600, s / 60 % 60, s % 60, (ms % 1000) as u32)
    }

    /// 14 digits `YYYYMMDDhhmmss`, the form of CDX files.
    #[must_use]
    pub fn to_cdx(self) -> String {
        let (y, mo, d, h, mi, s, _) = self.to_utc();
        format!("{y:04}{mo:02}{d:02}{h:02}{mi:02}{s:02}")
    }
}

/// RFC 3339 in UTC with seconds; milliseconds only when there are any.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (y, mo, d, h, mi, s, ms) = self.to_utc();
        write!(f, "{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:{s:02}")?;
        if ms > 0 {
            write!(f, ".{ms:03}")?;
        }
        f.write_str("Z")
    }
}

/// Days since 1970-01-01 of a proleptic Gregorian date (Hinnant's algorithm).
fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let shifted_month = i64::from((month + 9) % 12);
    let day_of_year = (153 * shifted_month + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests;
