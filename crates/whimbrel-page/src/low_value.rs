//! Tells pages that a machine makes without end and that say nothing: a grid of days, a column of numbers, a counter
//! with a link to its next value ("automatic calendars, raw data series"). Judges only what is unmistakable: a page
//! with sentences is never of low value, whatever else is on it. Decides nothing about following links.

use whimbrel_types::{CanonicalUrl, Link, LowValue};

/// A month has at least so many days.
const CALENDAR_DAYS_MIN: u32 = 28;
/// So many words between two days are a note in the grid; more are a text.
const CALENDAR_GAP_MAX: u32 = 6;
/// A calendar has at most so many other words: months, days of the week, a few notes.
const CALENDAR_WORDS_MAX: u32 = 150;
/// Fewer values are a table, not a series.
const SERIES_VALUES_MIN: u32 = 200;
/// One word in so many may be something other than a number.
const SERIES_PARTS_MIN: u32 = 8;
/// One value in so many may be a link.
const SERIES_LINK_PARTS_MIN: usize = 8;
/// A counter has at most so many words.
const COUNTER_WORDS_MAX: u32 = 40;
/// … and bytes, and its next value is among its first links.
const COUNTER_BYTES_MAX: usize = 1000;
const COUNTER_LINKS_MAX: usize = 100;
/// Longer numbers are ids.
const COUNTER_DIGITS_MAX: usize = 9;
/// A sentence has at least so many words without a number.
const SENTENCE_WORDS_MIN: u32 = 12;

/// What of a page is looked at.
pub(crate) struct PageFacts<'a> {
    pub(crate) url: &'a CanonicalUrl,
    pub(crate) title: &'a str,
    /// Main text, blocks on lines of their own.
    pub(crate) text: &'a str,
    pub(crate) navigation_text: &'a str,
    pub(crate) links: &'a [Link],
}

/// The kind of low value, if the page is of one.
pub(crate) fn classify(page: &PageFacts<'_>) -> Option<LowValue> {
    if is_data_series(page.text, page.links.len()) {
        return Some(LowValue::DataSeries);
    }
    if has_sentence(page.text) {
        return None;
    }
    if is_calendar(page.text)
        || (!has_sentence(page.navigation_text) && is_calendar(page.navigation_text) && page.text.len() < 400)
    {
        return Some(LowValue::Calendar);
    }
    is_counter(page).then_some(LowValue::Counter)
}

/// A line of a dozen words or more with a mark of punctuation.
fn has_sentence(text: &str) -> bool {
    text.lines().any(|line| {
        let words = line.split_whitespace().filter(|word| !is_number(word)).count() as u32;
        words >= SENTENCE_WORDS_MIN && line.contains([',', '.', ';', '!', '?', '\u{3002}', '\u{3001}'])
    })
}

/// Days in a row, each one more than the last, with hardly anything between them.
fn is_calendar(text: &str) -> bool {
    let (mut expected, mut gap, mut longest) = (1_u32, 0_u32, 0_u32);
    let mut others = 0;
    for word in text.split_whitespace() {
        let day = word.parse::<u32>().ok().filter(|day| (1..=31).contains(day));
        match day {
            Some(day) if day == expected => {
                longest = longest.max(day);
                expected += 1;
                gap = 0;
            }
            Some(1) => {
                expected = 2;
                gap = 0;
            }
            _ => {
                others += u32::from(!is_number(word));
                gap += 1;
                if gap > CALENDAR_GAP_MAX {
                    expected = 1;
                }
            }
        }
    }
    longest >= CALENDAR_DAYS_MIN && others <= CALENDAR_WORDS_MAX
}

/// Numbers, times and dates almost without words. With a link for every few of them it is an index of other pages.
fn is_data_series(text: &str, links: usize) -> bool {
    let (mut values, mut words) = (0_u32, 0_u32);
    for part in text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|'))
        .filter(|part| !part.is_empty())
    {
        if is_number(part) {
            values += 1;
        } else if part.chars().any(char::is_alphanumeric) {
            words += 1;
        }
    }
    values >= SERIES_VALUES_MIN
        && words * SERIES_PARTS_MIN <= values
        && links * SERIES_LINK_PARTS_MIN <= values as usize
}

/// Digits with the signs of numbers, dates and times around them.
fn is_number(word: &str) -> bool {
    let word = word.trim_matches(|c: char| {
        matches!(c, '(' | ')' | '[' | ']' | '"' | '\'' | '%' | '$' | '€' | '£' | '°')
    });
    let mut digits = 0;
    let only = word.chars().all(|c| {
        digits += usize::from(c.is_ascii_digit());
        c.is_ascii_digit()
            || matches!(c, '.' | ',' | ':' | '/' | '+' | '-' | '\u{2212}' | 'e' | 'E' | 'T' | 'Z')
    });
    only && digits > 0
}

/// A few words with the number of its URL, and a link to the URL with the number after it.
fn is_counter(page: &PageFacts<'_>) -> bool {
    if page.text.len() + page.navigation_text.len() > COUNTER_BYTES_MAX {
        return false;
    }
    let words = page.text.split_whitespace().count() + page.navigation_text.split_whitespace().count();
    if words as u32 > COUNTER_WORDS_MAX {
        return false;
    }
    numbers(page.url.as_str()).take(COUNTER_LINKS_MAX).any(|(start, end)| {
        let url = page.url.as_str();
        let digits = &url[start..end];
        let Some(next) = digits.parse::<u64>().ok().map(|value| value + 1) else { return false };
        let shown = |text: &str| {
            numbers(text)
                .any(|(from, to)| text[from..to].trim_start_matches('0') == digits.trim_start_matches('0'))
        };
        if !(shown(page.text) || shown(page.title) || shown(page.navigation_text)) {
            return false;
        }
        let width = digits.len();
        let successors = [
            format!("{}{next}{}", &url[..start], &url[end..]),
            format!("{}{next:0width$}{}", &url[..start], &url[end..]),
        ];
        page.links
            .iter()
            .take(COUNTER_LINKS_MAX)
            .any(|link| successors.iter().any(|successor| successor == link.target.as_str()))
    })
}

/// Where the numbers of a text are, those of a sensible length.
fn numbers(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().position(u8::is_ascii_digit)?;
            let end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            at = end;
            if end - start <= COUNTER_DIGITS_MAX {
                return Some((start, end));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests;
