//! Inputs to begin with: the target's own, and those of public suites when `WHIMBREL_SHARED` names their directory.

use crate::target::{SEPARATOR, Shared, Target};
use serde_json::Value;
use std::path::Path;

/// Inputs taken of one suite.
const INPUTS_MAX: usize = 400;

/// All inputs to begin with.
#[must_use]
pub fn gather(target: &Target) -> Vec<Vec<u8>> {
    let mut inputs = (target.seeds)();
    if let Some(shared) = std::env::var_os("WHIMBREL_SHARED") {
        let directory = Path::new(&shared).join("vectors/open");
        for file in target.shared {
            inputs.extend(read(&directory, file));
        }
    }
    inputs
}

fn read(directory: &Path, shared: &Shared) -> Vec<Vec<u8>> {
    let path = directory.join(shared.file);
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(&path) else { return Vec::new() };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        return paths.iter().take(INPUTS_MAX).filter_map(|path| std::fs::read(path).ok()).collect();
    }
    let Ok(lines) = std::fs::read_to_string(path) else { return Vec::new() };
    // Every so many lines, so that all of the suite is seen.
    let step = lines.lines().count().div_ceil(INPUTS_MAX).max(1);
    lines
        .lines()
        .step_by(step)
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .map(|case| {
            let parts: Vec<Vec<u8>> = shared.fields.iter().map(|field| part(&case, field)).collect();
            parts.join(&SEPARATOR)
        })
        .collect()
}

fn part(case: &Value, fields: &str) -> Vec<u8> {
    let found = fields.split('|').find_map(|field| Some((field, case.get(field)?.as_str()?)));
    match found {
        Some((field, text)) if field.ends_with("_b64") => base64(text),
        Some((_, text)) => text.as_bytes().to_vec(),
        None => Vec::new(),
    }
}

fn base64(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut bits, mut have) = (0u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_undone() {
        assert_eq!(base64("aGVsbG8gd29ybGQ="), b"hello world");
        assert_eq!(base64("/+8="), [0xff, 0xef]);
    }
}
