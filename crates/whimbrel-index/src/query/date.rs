//! Days as people type them after `before:` and `after:`: `2024`, `2024-05`, `2024-05-17`. UTC.

use whimbrel_types::Timestamp;

/// First instant of the day, month or year named.
pub(crate) fn start_of(text: &str) -> Option<Timestamp> {
    let mut parts = text.split(['-', '/']);
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |part| digits(part, 2))?;
    let day = parts.next().map_or(Some(1), |part| digits(part, 2))?;
    if parts.next().is_some() {
        return None;
    }
    Timestamp::from_utc(i64::from(year), month, day, 0)
}

fn digits(part: &str, length_max: usize) -> Option<u32> {
    let plain = !part.is_empty() && part.len() <= length_max && part.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| part.parse().ok()).flatten()
}
