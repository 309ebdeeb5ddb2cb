//! Dates as pages, feeds and sitemaps write them: ISO 8601 and its W3C profile (NOTE-datetime), RFC 2822 and RFC 850,
//! C's asctime, English dates in words, and numbers with the year last where only one reading is possible. A date
//! without a zone is taken as UTC, one without a time as midnight, a year alone as 1 January; how much was said is
//! told by [`DatePrecision`]. Never guesses which of two numbers is the month: `03/04/2024` is no date.

use whimbrel_types::Timestamp;

/// How much of an instant a date names; the rest was filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DatePrecision {
    /// `1997`
    Year,
    /// `1997-07`
    Month,
    /// `1997-07-16`
    Day,
    /// `1997-07-16T19:20:30`, in a zone that is not told.
    Local,
    /// `1997-07-16T19:20:30+01:00`
    Exact,
}

/// The instant that `text` names, if it names one after 1970.
#[must_use]
pub fn parse_date(text: &str) -> Option<Timestamp> {
    sitemap_date(text).map(|(at, _)| at)
}

/// As [`parse_date`], with how much of the instant was said.
#[must_use]
pub fn sitemap_date(text: &str) -> Option<(Timestamp, DatePrecision)> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if text.len() > 64 || !text.is_ascii() {
        return None;
    }
    let fields = iso(text).or_else(|| year_last(text)).or_else(|| words(text))?;
    Some((fields.moment()?, fields.precision()))
}

/// Fields of a date while they are found.
#[derive(Clone, Copy, Default)]
struct Fields {
    year: Option<i64>,
    month: Option<u32>,
    day: Option<u32>,
    /// Milliseconds into the day.
    time_ms: Option<u32>,
    zone_minutes: Option<i64>,
    /// Said as am or pm.
    afternoon: Option<bool>,
}

impl Fields {
    fn moment(self) -> Option<Timestamp> {
        let midnight = Timestamp::from_utc(self.year?, self.month.unwrap_or(1), self.day.unwrap_or(1), 0)?;
        let local = midnight.0.checked_add(u64::from(self.time_ms.unwrap_or(0)))?;
        local.checked_add_signed(-self.zone_minutes.unwrap_or(0) * 60_000).map(Timestamp)
    }

    fn precision(self) -> DatePrecision {
        match self {
            Fields { zone_minutes: Some(_), time_ms: Some(_), .. } => DatePrecision::Exact,
            Fields { time_ms: Some(_), .. } => DatePrecision::Local,
            Fields { day: Some(_), .. } => DatePrecision::Day,
            Fields { month: Some(_), .. } => DatePrecision::Month,
            _ => DatePrecision::Year,
        }
    }
}

fn iso(text: &str) -> Option<Fields> {
    let mut cursor = Cursor { rest: text };
    let mut fields = Fields { year: Some(cursor.digits(4)?), ..Fields::default() };
    let separator = cursor.one_of(b"-/.");
    match separator {
        Some(separator) => {
            fields.month = Some(cursor.one_or_two_digits()?);
            if cursor.one_of(&[separator]).is_some() {
                fields.day = Some(cursor.one_or_two_digits()?);
            }
        }
        None if cursor.starts_with_digits(4) => {
            fields.month = Some(cursor.one_or_two_digits()?);
            fields.day = Some(cursor.one_or_two_digits()?);
        }
        None => {}
    }
    with_time(fields, cursor)
}

/// `17.05.2024`, the day first wherever dots are written; `17/05/2024` and `05/17/2024`, where one number is no month.
fn year_last(text: &str) -> Option<Fields> {
    let mut cursor = Cursor { rest: text };
    let first = cursor.one_or_two_digits()?;
    let separator = cursor.one_of(b"./-")?;
    let second = cursor.one_or_two_digits()?;
    cursor.one_of(&[separator])?;
    let year = cursor.digits(4)?;
    let (day, month) = match separator {
        b'.' => (first, second),
        _ if first > 12 || first == second => (first, second),
        _ if second > 12 => (second, first),
        _ => return None,
    };
    with_time(Fields { year: Some(year), month: Some(month), day: Some(day), ..Fields::default() }, cursor)
}

/// Completes a date by the time that follows it, if one does.
fn with_time(mut fields: Fields, mut cursor: Cursor<'_>) -> Option<Fields> {
    if cursor.rest.is_empty() {
        return Some(fields);
    }
    fields.day?;
    cursor.one_of(b"Tt ")?;
    cursor.rest = cursor.rest.trim_start();
    fields.time_ms = Some(cursor.time()?);
    let rest = cursor.rest.trim();
    if !rest.is_empty() {
        fields.zone_minutes = Some(zone(rest)?);
    }
    Some(fields)
}

/// Dates with the month in words: every part says by its form what it is.
fn words(text: &str) -> Option<Fields> {
    let mut fields = Fields::default();
    for word in text.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()) {
        // 01-May-24, but not a zone such as -0700.
        let dashed = word.contains('-') && word.starts_with(|c: char| c.is_ascii_digit());
        let parts = word.split(move |c| dashed && c == '-');
        for part in parts {
            if let Some(half) = half_of_day(part) {
                fields.afternoon = Some(half);
            } else {
                take_word(part, &mut fields)?;
            }
        }
    }
    if let (Some(afternoon), Some(time)) = (fields.afternoon, fields.time_ms) {
        let hour = time / 3_600_000;
        if hour > 12 || hour == 0 {
            return None;
        }
        let shift = hour % 12 + if afternoon { 12 } else { 0 };
        fields.time_ms = Some(time % 3_600_000 + shift * 3_600_000);
    }
    fields.month?;
    fields.day?;
    Some(fields)
}

fn half_of_day(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "am" | "a.m." => Some(false),
        "pm" | "p.m." => Some(true),
        _ => None,
    }
}

/// Puts one word where it belongs; `None` when it belongs nowhere.
fn take_word(word: &str, fields: &mut Fields) -> Option<()> {
    if word.contains(':') {
        let mut cursor = Cursor { rest: word };
        fields.time_ms = Some(cursor.time()?);
        match half_of_day(cursor.rest) {
            Some(half) => fields.afternoon = Some(half),
            None if cursor.rest.is_empty() => {}
            None => fields.zone_minutes = Some(zone(cursor.rest)?),
        }
        return Some(());
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let ordinal = matches!(word.get(digits..), Some("st" | "nd" | "rd" | "th"));
    match digits {
        1 | 2 if fields.day.is_none() && (word.len() == digits || ordinal) => {
            fields.day = word[..digits].parse().ok();
        }
        2 if word.len() == 2 && fields.year.is_none() => {
            let short: i64 = word.parse().ok()?;
            fields.year = Some(if short < 70 { 2000 + short } else { 1900 + short });
        }
        4 if word.len() == 4 && fields.year.is_none() => fields.year = word.parse().ok(),
        0 => {
            if let Some(month) = month(word).filter(|_| fields.month.is_none()) {
                fields.month = Some(month);
            } else if !is_filler(word) {
                fields.zone_minutes = Some(zone(word)?);
            }
        }
        _ => return None,
    }
    Some(())
}

fn month(word: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    if word.len() < 3 {
        return None;
    }
    let found =
        MONTHS.iter().position(|month| month.starts_with(&word) || (word == "sept" && *month == "september"));
    found.map(|index| index as u32 + 1)
}

fn is_filler(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    word == "at"
        || word == "on"
        || word == "of"
        || (word.len() >= 3 && DAYS.iter().any(|day| day.starts_with(&word)))
}

/// Minutes east of Greenwich.
fn zone(text: &str) -> Option<i64> {
    let named = match text.to_ascii_uppercase().as_str() {
        "Z" | "UTC" | "GMT" | "UT" => Some(0),
        "EST" => Some(-5),
        "EDT" => Some(-4),
        "CST" => Some(-6),
        "CDT" => Some(-5),
        "MST" => Some(-7),
        "MDT" => Some(-6),
        "PST" => Some(-8),
        "PDT" => Some(-7),
        "BST" | "CET" => Some(1),
        "CEST" => Some(2),
        _ => None,
    };
    if let Some(hours) = named {
        return Some(hours * 60);
    }
    let text = text.strip_prefix("GMT").or_else(|| text.strip_prefix("UTC")).unwrap_or(text);
    let mut cursor = Cursor { rest: text };
    let sign = if cursor.one_of(b"+-")? == b'-' { -1 } else { 1 };
    let hours = i64::from(cursor.one_or_two_digits()?);
    cursor.one_of(b":");
    let minutes = if cursor.rest.is_empty() { 0 } else { cursor.digits(2)? };
    (cursor.rest.is_empty() && hours <= 14 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Takes fields off the front of ASCII text.
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    fn starts_with_digits(&self, count: usize) -> bool {
        self.rest.len() >= count && self.rest.as_bytes()[..count].iter().all(u8::is_ascii_digit)
    }

    fn digits(&mut self, count: usize) -> Option<i64> {
        if !self.starts_with_digits(count) {
            return None;
        }
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        digits.parse().ok()
    }

    fn one_or_two_digits(&mut self) -> Option<u32> {
        let count = if self.starts_with_digits(2) { 2 } else { 1 };
        self.digits(count).and_then(|value| u32::try_from(value).ok())
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let first = *self.rest.as_bytes().first().filter(|byte| bytes.contains(byte))?;
        self.rest = &self.rest[1..];
        Some(first)
    }

    /// `h:mm`, `hh:mm:ss`, `hhmmss`, with a fraction; in milliseconds.
    fn time(&mut self) -> Option<u32> {
        let hours = if self.starts_with_digits(2) { self.digits(2)? } else { self.digits(1)? };
        let colon = self.one_of(b":").is_some();
        let minutes = self.digits(2)?;
        let seconds_follow = if colon { self.one_of(b":").is_some() } else { self.starts_with_digits(2) };
        let seconds = if seconds_follow { self.digits(2)? } else { 0 };
        let mut fraction_ms = 0;
        if seconds_follow && self.one_of(b".,").is_some() {
            let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let mut scale = 100;
            for digit in self.rest.bytes().take(count) {
                fraction_ms += u32::from(digit - b'0') * scale;
                scale /= 10;
            }
            self.rest = &self.rest[count..];
        }
        // 24:00:00 and leap seconds are legal; they run over into the next minute.
        let in_range = hours <= 24 && minutes < 60 && seconds <= 60 && (hours < 24 || minutes + seconds == 0);
        let total = u32::try_from((hours * 60 + minutes) * 60 + seconds).ok()?;
        in_range.then_some(total * 1000 + fraction_ms)
    }
}

#[cfg(test)]
mod tests;
