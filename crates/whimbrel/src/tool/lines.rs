//! Lines of any input, each bounded. A line that is longer than the limit is read to its end and dropped, so that one
//! endless line can take no more memory than the limit, and the next line is read as if nothing had been.

use std::io::{self, BufRead};

/// Bytes of one line: a page of the largest body that is fetched, in base64, with room to spare.
pub const LINE_BYTES_MAX: usize = 256 << 20;

/// Bytes that are kept of a line that is too long, to find its `id`.
const HEAD_BYTES: usize = 64 << 10;

/// What a read gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// The beginning of a line that was longer than the limit.
    TooLong(Vec<u8>),
}

/// The next line that is not empty; `None` at the end of the input. A byte order mark before the first line, and
/// white space around any, are dropped.
pub fn next_line(input: &mut impl BufRead, bytes_max: usize) -> io::Result<Option<Line>> {
    loop {
        let Some(line) = read_line(input, bytes_max)? else { return Ok(None) };
        match line {
            Line::Whole(line) => {
                let bare = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line).trim_ascii();
                if bare.len() == line.len() && !bare.is_empty() {
                    return Ok(Some(Line::Whole(line)));
                }
                if !bare.is_empty() {
                    return Ok(Some(Line::Whole(bare.to_vec())));
                }
            }
            cut @ Line::TooLong(_) => return Ok(Some(cut)),
        }
    }
}

fn read_line(input: &mut impl BufRead, bytes_max: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut begun = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            break;
        }
        begun = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        if !too_long && line.len() + piece.len() > bytes_max {
            too_long = true;
            line.extend_from_slice(&piece[..piece.len().min(HEAD_BYTES)]);
            line.truncate(HEAD_BYTES);
            line.shrink_to_fit();
        } else if !too_long {
            line.extend_from_slice(piece);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    let line = if too_long { Line::TooLong(line) } else { Line::Whole(line) };
    Ok(begun.then_some(line))
}
