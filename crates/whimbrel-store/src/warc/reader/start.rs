//! Where a record begins: `WARC/` and a version on a line of its own. Used at every record, and to find the next one
//! after damage.

/// Bytes that are enough to tell: line feed, `WARC/10.10`, CR LF, and the first letter of a field.
pub(super) const START_BYTES_MAX: usize = 16;

/// A record's first line: `WARC/` and a number. What version it is does not matter to reading it.
pub(super) fn is_version_line(line: &[u8]) -> bool {
    line.len() > 5 && line[..5].eq_ignore_ascii_case(b"WARC/") && line[5].is_ascii_digit()
}

/// Whether `bytes` begin with a version line and, as far as can be seen, a field's name.
pub(super) fn begins_record(bytes: &[u8]) -> bool {
    if !is_version_line(bytes) {
        return false;
    }
    let version = bytes[5..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let mut rest = &bytes[5 + version..];
    if version > 5 {
        return false;
    }
    rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    match rest {
        [b'\n', first, ..] => first.is_ascii_alphabetic(),
        _ => false,
    }
}

/// The first place in `bytes` where a record begins. The first byte is taken for the start of a line where
/// `at_line_start` says so.
pub(super) fn find_record(bytes: &[u8], at_line_start: bool) -> Option<usize> {
    if at_line_start && begins_record(bytes) {
        return Some(0);
    }
    let mut from = 0;
    while let Some(feed) = bytes[from..].iter().position(|b| *b == b'\n') {
        from += feed + 1;
        if begins_record(&bytes[from..]) {
            return Some(from);
        }
    }
    None
}
