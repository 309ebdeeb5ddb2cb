//! HTTP heads as they go into records. The block of a record is parsed by readers that know nothing of how it came:
//! so no header may say something about the body that is not true of the body as stored.

/// Prefix of headers that were true on the wire and would be false in the record.
const RENAMED_PREFIX: &[u8] = b"X-Whimbrel-";

/// A response head fit for a record with a body of `body_bytes`, transfer coding undone: lines end with CRLF, the head
/// ends with an empty line and has none before, `Transfer-Encoding` is renamed, and so is a wrong `Content-Length`.
pub(crate) fn response_head(raw: &[u8], body_bytes: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + 32);
    for (number, line) in lines(raw).enumerate() {
        if number > 0 && must_be_renamed(line, body_bytes) {
            out.extend_from_slice(RENAMED_PREFIX);
        }
        push_line(&mut out, line);
    }
    out.extend_from_slice(b"\r\n");
    out
}

/// A request head fit for a record: lines end with CRLF, and one empty line ends it.
pub(crate) fn request_head(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + 4);
    for line in lines(raw) {
        push_line(&mut out, line);
    }
    out.extend_from_slice(b"\r\n");
    out
}

/// Splits an HTTP message into its head (with the empty line) and its body.
#[must_use]
pub fn split_message(block: &[u8]) -> (&[u8], &[u8]) {
    let end = block.windows(4).position(|window| window == b"\r\n\r\n");
    block.split_at(end.map_or(block.len(), |position| position + 4))
}

/// The first value of a header in an HTTP head, white space around it removed.
#[must_use]
pub fn header_value<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    lines(head).skip(1).find_map(|line| {
        let colon = line.iter().position(|b| *b == b':')?;
        line[..colon]
            .trim_ascii()
            .eq_ignore_ascii_case(name.as_bytes())
            .then(|| line[colon + 1..].trim_ascii())
    })
}

fn lines(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    raw.split(|b| *b == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty())
}

fn push_line(out: &mut Vec<u8>, line: &[u8]) {
    // A bare CR or NUL inside a line would be read differently by different readers.
    out.extend(line.iter().map(|b| if matches!(b, b'\r' | 0) { b' ' } else { *b }));
    out.extend_from_slice(b"\r\n");
}

fn must_be_renamed(line: &[u8], body_bytes: usize) -> bool {
    let Some(colon) = line.iter().position(|b| *b == b':') else { return false };
    let name = line[..colon].trim_ascii();
    if name.eq_ignore_ascii_case(b"transfer-encoding") {
        return true;
    }
    let value = str::from_utf8(line[colon + 1..].trim_ascii()).ok().and_then(|v| v.parse().ok());
    name.eq_ignore_ascii_case(b"content-length") && value != Some(body_bytes)
}

#[cfg(test)]
mod tests;
