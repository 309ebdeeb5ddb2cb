//! Days of the calendar for a web whose dates are part of its text. Reads no clock.
//! Civil dates and day numbers: the usual arithmetic on eras of 400 years.

use std::time::{Duration, UNIX_EPOCH};

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    /// Days since 1 January 1970.
    number: u64,
}

impl Day {
    /// A day after 1970 by year, month and day of the month.
    pub(crate) fn new(year: u64, month: u64, day: u64) -> Day {
        let year = if month <= 2 { year - 1 } else { year };
        let (era, year_of_era) = (year / 400, year % 400);
        let shifted_month = (month + 9) % 12;
        let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Day { number: era * 146_097 + day_of_era - 719_468 }
    }

    /// Reads `2026-05-12`.
    pub(crate) fn parse(text: &str) -> Option<Day> {
        let mut parts = text.split('-').map(|part| part.parse::<u64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        (year > 1970 && (1..=12).contains(&month) && (1..=31).contains(&day))
            .then(|| Day::new(year, month, day))
    }

    /// So many days later.
    pub(crate) fn plus(self, days: u64) -> Day {
        Day { number: self.number + days }
    }

    /// Year, month and day of the month.
    pub(crate) fn civil(self) -> (u64, u64, u64) {
        let shifted = self.number + 719_468;
        let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        (year_of_era + era * 400 + u64::from(month <= 2), month, day)
    }

    /// `2026-05-12`
    pub(crate) fn iso(self) -> String {
        let (year, month, day) = self.civil();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `12 May 2026`
    pub(crate) fn long(self) -> String {
        let (year, month, day) = self.civil();
        format!("{day} {} {year}", month_name(month))
    }

    /// The morning of that day, as headers have it.
    pub(crate) fn http(self) -> String {
        httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(self.number * 86_400 + 6 * 3600))
    }
}

/// English name of a month from 1 to 12.
pub(crate) fn month_name(month: u64) -> &'static str {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    NAMES[(month.max(1) as usize - 1) % 12]
}
