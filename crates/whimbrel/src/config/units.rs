//! Durations and sizes as people write them: `10s`, `500ms`, `1.5h`, `7d`; `16MiB`, `1GB`, `500000`.

/// Milliseconds of a duration; a bare number is seconds.
pub fn duration_ms(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor = match unit {
        "ms" => 1.0,
        "" | "s" => 1_000.0,
        "m" | "min" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return Err(format!("{text:?} is no duration; write for example 10s, 500ms, 1h or 7d")),
    };
    scaled(number, factor)
        .ok_or_else(|| format!("{text:?} is no duration; write for example 10s, 500ms, 1h or 7d"))
}

/// Bytes of a size; a bare number is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "k" | "ki" | "kib" => 1024.0,
        "m" | "mi" | "mib" => 1024.0 * 1024.0,
        "g" | "gi" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "ti" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("{text:?} is no size; write for example 16MiB, 1GB or 500000")),
    };
    scaled(number, factor)
        .ok_or_else(|| format!("{text:?} is no size; write for example 16MiB, 1GB or 500000"))
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn scaled(number: &str, factor: f64) -> Option<u64> {
    let value: f64 = number.replace('_', "").parse().ok()?;
    let scaled = (value * factor).round();
    (scaled.is_finite() && (0.0..1e18).contains(&scaled)).then_some(scaled as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_are_read_as_people_write_them() {
        for (text, ms) in
            [("10", 10_000), ("0.25", 250), ("500ms", 500), ("1.5h", 5_400_000), ("7d", 604_800_000)]
        {
            assert_eq!(duration_ms(text), Ok(ms), "{text}");
        }
        for (text, size) in
            [("16MiB", 16 << 20), ("1GB", 1_000_000_000), ("500_000", 500_000), ("500KiB", 512_000)]
        {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for bad in ["", "s", "-1s", "10 parsecs", "1e99d"] {
            assert!(duration_ms(bad).unwrap_err().contains("duration"), "{bad}");
        }
        assert!(bytes("ten").unwrap_err().contains("size"));
    }
}
