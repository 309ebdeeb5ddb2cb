//! Dates as pages write them: ISO 8601 and its W3C profile, RFC 2822 and RFC 850, C's asctime, and English dates
//! in words. A date without a zone is taken as UTC, one without a time as midnight, a year alone as 1 January.
//! Never guesses which of two numbers is the month: `03/04/2024` is no date.

use whimbrel_types::Timestamp;

/// The instant that `text` names, if it names one after 1970.
#[must_use]
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 64 || !text.is_ascii() {
        return None;
    }
    iso(text).or_else(|| words(text))
}

/// Fields of a date while they are found.
#[derive(Clone, Copy, Default)]
struct Fields {
    year: Option<i64>,
    month: Option<u32>,
    day: Option<u32>,
    /// Milliseconds into the day.
    time_ms: Option<u32>,
    zone_minutes: i64,
    /// Said as am or pm.
    afternoon: Option<bool>,
}

impl Fields {
    fn instant(self) -> Option<Timestamp> {
        let midnight = Timestamp::from_utc(self.year?, self.month.unwrap_or(1), self.day.unwrap_or(1), 0)?;
        let local = midnight.0.checked_add(u64::from(self.time_ms.unwrap_or(0)))?;
        local.checked_add_signed(-self.zone_minutes * 60_000).map(Timestamp)
    }
}

fn iso(text: &str) -> Option<Timestamp> {
    let mut cursor = Cursor { rest: text };
    let mut fields = Fields { year: Some(cursor.digits(4)?), ..Fields::default() };
    let separator = cursor.one_of(b"-/.");
    if separator.is_some() || cursor.starts_with_digits(4) {
        fields.month = Some(u32::try_from(cursor.digits(2)?).ok()?);
        let day_follows = separator.is_none_or(|byte| cursor.one_of(&[byte]).is_some());
        if day_follows && cursor.starts_with_digits(2) {
            fields.day = Some(u32::try_from(cursor.digits(2)?).ok()?);
        }
    }
    if cursor.rest.is_empty() {
        return fields.instant();
    }
    fields.day?;
    cursor.one_of(b"Tt ")?;
    cursor.rest = cursor.rest.trim_start();
    fields.time_ms = Some(cursor.time()?);
    fields.zone_minutes = zone(cursor.rest.trim())?;
    fields.instant()
}

/// Dates with the month in words: every part says by its form what it is.
fn words(text: &str) -> Option<Timestamp> {
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
    fields.instant()
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
            None => fields.zone_minutes = zone(cursor.rest)?,
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
                fields.zone_minutes = zone(word)?;
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

/// Minutes east of Greenwich; nothing means UTC.
fn zone(text: &str) -> Option<i64> {
    let named = match text.to_ascii_uppercase().as_str() {
        "" | "Z" | "UTC" | "GMT" | "UT" => Some(0),
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
    let hours = cursor.digits(2)?;
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
