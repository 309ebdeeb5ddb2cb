//! Reading archives of any maker: WARC 0.17 to 1.1 (ISO 28500) and ARC, plain or in gzip members, Zstandard or LZ4
//! frames, one record per member or all in one. What is wrong is named with its place, and the next record is looked
//! for; nothing read here can make it panic, or use more memory than its limits or more than linear time.
//!
//! Invariant: each call of `next` consumes bytes of the file, or is among the last ones.

mod digests;
mod header;
mod limits;
mod packing;
mod record;
mod source;
mod start;
mod unpack;

pub use limits::ReadLimits;
pub use packing::Packing;
pub use record::{BadRecord, WarcRecord};

use super::arc::parse_arc_line;
use header::{add_field, arc_record, decode, finish, shorten, warc_record};
use start::{START_BYTES_MAX, begins_record, find_record, is_version_line};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use unpack::{NextMember, Unpacked};

/// How far behind a block the next record is looked for before its length is doubted.
const LOOK_AHEAD_BYTES: usize = 8192;

/// Iterates over the records of a file. A record with problems is a record; an error is a place without one.
pub struct WarcReader<R: Read + Seek> {
    plain: Unpacked<R>,
    limits: ReadLimits,
    /// Records of ARC have been met, so their lines are looked for after damage.
    arc: bool,
    /// Several records in one member have been met and told.
    shared_member_told: bool,
    pending: VecDeque<BadRecord>,
    ended: bool,
}

/// Opens an archive for reading.
pub fn read_file(path: &Path, limits: ReadLimits) -> io::Result<WarcReader<File>> {
    WarcReader::with_limits(File::open(path)?, 0, limits)
}

impl<R: Read + Seek> WarcReader<R> {
    /// Starts at the beginning of `input`.
    pub fn new(input: R) -> io::Result<WarcReader<R>> {
        WarcReader::at(input, 0)
    }

    /// Starts at `offset`, where a record or member begins.
    pub fn at(input: R, offset: u64) -> io::Result<WarcReader<R>> {
        WarcReader::with_limits(input, offset, ReadLimits::default())
    }

    /// Starts at `offset`, with limits of one's own.
    pub fn with_limits(input: R, offset: u64, limits: ReadLimits) -> io::Result<WarcReader<R>> {
        let plain = Unpacked::open(input, offset, &limits)?;
        Ok(WarcReader {
            plain,
            limits,
            arc: false,
            shared_member_told: false,
            pending: VecDeque::new(),
            ended: false,
        })
    }

    /// What the file is packed with.
    #[must_use]
    pub fn packing(&self) -> Packing {
        self.plain.packing()
    }

    /// Reads a record, or says why there is none. The window is not empty.
    fn read_record(&mut self) -> Result<WarcRecord, BadRecord> {
        let offset = self.plain.offset();
        let line = self.line(self.limits.header_bytes_max.max(1));
        let mut record = if is_version_line(&line) {
            self.read_header(warc_record(&line))
        } else if let Some(arc) = parse_arc_line(&decode(&line)) {
            self.arc = true;
            arc_record(arc)
        } else {
            self.skip_to_record(None);
            let what = format!("no record begins with {:?}", shorten(decode(&line).trim_end()));
            return Err(BadRecord { offset, what });
        };
        record.offset = offset;
        let length = record.header("Content-Length").and_then(|length| length.trim().parse::<u64>().ok());
        if length.is_none() && record.header("WARC-Type").is_none() {
            self.skip_to_record(None);
            return Err(BadRecord { offset, what: "a header without a type and a valid length".into() });
        }
        self.read_block(&mut record, length);
        if let Some(what) = self.plain.take_fault() {
            record.cut_short = true;
            record.problems.push(what);
        }
        let whole = length.is_none_or(|length| length <= self.limits.block_bytes_max);
        if self.limits.check_digests && whole {
            digests::check(&mut record);
        }
        Ok(record)
    }

    fn read_header(&mut self, mut record: WarcRecord) -> WarcRecord {
        let mut bytes_left = self.limits.header_bytes_max;
        let mut lines_left = self.limits.header_lines_max;
        loop {
            // Another record in the place of a field: this one's header was cut off.
            if begins_record(self.plain.peek(START_BYTES_MAX)) {
                record.problems.push("another record begins within the header".into());
                record.cut_short = true;
                finish(&mut record);
                return record;
            }
            let line = self.line(bytes_left);
            bytes_left -= line.len();
            if line.is_empty() || bytes_left == 0 {
                record.cut_short = true;
                let what = if bytes_left == 0 { "longer than the limit" } else { "not ended" };
                record.problems.push(format!("the header is {what}"));
                break;
            }
            if line.trim_ascii().is_empty() {
                break;
            }
            if lines_left == 0 {
                record.problems.push("the header has more lines than the limit".into());
                record.cut_short = true;
                break;
            }
            lines_left -= 1;
            add_field(&mut record, &line);
        }
        finish(&mut record);
        record
    }

    /// Reads the block and goes behind it.
    fn read_block(&mut self, record: &mut WarcRecord, length: Option<u64>) {
        let cut_header = record.cut_short;
        match length {
            _ if cut_header => {
                self.skip_to_record(Some(&mut record.block));
            }
            Some(length) if self.plain.left().is_none_or(|left| length <= left) => {
                self.take_block(record, length);
                self.check_end(record, length);
            }
            Some(length) => {
                record.problems.push(format!("Content-Length is {length}, which is more than there is"));
                record.cut_short = true;
                self.skip_to_record(Some(&mut record.block));
            }
            None => {
                let found = shorten(record.header("Content-Length").unwrap_or("missing"));
                record.problems.push(format!("no valid Content-Length: {found}"));
                self.skip_to_record(Some(&mut record.block));
            }
        }
        // Where nothing of the member is left, the record ends with it.
        let plain = self.plain.packing() == Packing::Plain;
        let block_end = self.plain.offset();
        let more = self.skip_blanks();
        let end = if plain { block_end } else { self.plain.position() };
        if record.length == 0 {
            record.length = end.saturating_sub(record.offset);
        }
        if more && !plain && self.plain.offset() == record.offset && !self.shared_member_told {
            self.shared_member_told = true;
            let what = "several records in one member, so none of them can be read alone".into();
            self.pending.push_back(BadRecord { offset: record.offset, what });
        }
    }

    fn take_block(&mut self, record: &mut WarcRecord, length: u64) {
        let mut left = length;
        while left > 0 {
            if self.plain.window().is_empty() && !self.plain.fill() {
                let end = self.plain.position();
                if !self.goes_on_in_next_member() {
                    record.length = end.saturating_sub(record.offset);
                    break;
                }
            }
            let window = self.plain.window();
            let now = window.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let room = self.limits.block_bytes_max.saturating_sub(record.block.len() as u64);
            let kept = now.min(usize::try_from(room).unwrap_or(usize::MAX));
            record.block.extend_from_slice(&window[..kept]);
            self.plain.consume(now);
            left -= now as u64;
        }
        if left > 0 {
            record.cut_short = true;
            record.problems.push(format!("the block ends {left} bytes before its length"));
        }
        if length > self.limits.block_bytes_max {
            record.problems.push(format!("a block of {length} bytes is longer than the limit"));
        }
        if record.length == 0 && self.plain.packing() == Packing::Plain {
            record.length = self.plain.offset().saturating_sub(record.offset);
        }
    }

    /// A record that goes on in the next member is against the rules and easily read: the member ended well, and the
    /// next one does not begin a record.
    fn goes_on_in_next_member(&mut self) -> bool {
        if self.plain.packing() == Packing::Plain || self.plain.has_fault() {
            return false;
        }
        match self.plain.next_member() {
            NextMember::Opened => {
                let is_arc = self.arc;
                let ahead = self.plain.peek(LOOK_AHEAD_BYTES);
                !ahead.is_empty() && !is_record_start(ahead, is_arc)
            }
            NextMember::End => false,
            NextMember::Bad(bad) => {
                self.pending.push_back(bad);
                false
            }
        }
    }

    /// Compares the end of the block with what follows: an empty line and a record, or the end. Otherwise the length
    /// is wrong: a line too much is passed over; a record that was swallowed is given back.
    fn check_end(&mut self, record: &mut WarcRecord, length: u64) {
        let arc = self.arc;
        let ahead = self.plain.peek(LOOK_AHEAD_BYTES);
        if record.cut_short || ahead.is_empty() || matches!(ahead[0], b'\r' | b'\n') {
            return;
        }
        if is_record_start(ahead, arc) {
            // ARC has no rule about it.
            if !arc {
                record.problems.push("no empty line behind the block".into());
            }
            return;
        }
        record.problems.push("the block does not end where its length says".into());
        let line = ahead.iter().position(|b| *b == b'\n').map_or(ahead.len(), |feed| feed + 1);
        let behind = ahead[line..].trim_ascii_start();
        let line_too_much = is_record_start(behind, arc) || behind.is_empty();
        if record.block.len() as u64 == length
            && let Some(place) = find_record(&record.block, false)
            && self.plain.unread(&record.block[place..])
        {
            record.block.truncate(place);
            record.cut_short = true;
            record.length = 0;
        } else if line_too_much {
            self.plain.consume(line);
        }
    }

    /// Goes to the next place in the member where a record begins, or to the member's end. What is passed over goes
    /// into `passed`, as far as the limit allows.
    fn skip_to_record(&mut self, mut passed: Option<&mut Vec<u8>>) {
        let mut at_line_start = true;
        let mut ended = false;
        loop {
            let found = match self.arc {
                false => find_record(self.plain.window(), at_line_start),
                true => self.find_arc_line(),
            };
            let window = self.plain.window();
            // What may be the beginning of a version line is looked at again with what follows it.
            let keep = if self.arc || ended { 0 } else { START_BYTES_MAX };
            let take = found.unwrap_or(window.len().saturating_sub(keep));
            if let Some(passed) = passed.as_deref_mut() {
                let room = self.limits.block_bytes_max.saturating_sub(passed.len() as u64);
                let kept = take.min(usize::try_from(room).unwrap_or(usize::MAX));
                passed.extend_from_slice(&window[..kept]);
            }
            self.plain.consume(take);
            at_line_start &= take == 0;
            if found.is_some() || ended {
                return;
            }
            ended = !self.plain.fill();
        }
    }

    /// Looks at the lines in the window. A line that goes on behind it is completed first.
    fn find_arc_line(&mut self) -> Option<usize> {
        let mut from = 0;
        loop {
            let window = self.plain.window();
            let end = window[from..].iter().position(|b| *b == b'\n').map(|feed| from + feed + 1);
            match end {
                Some(end) if is_arc_line(&window[from..end]) => return Some(from),
                Some(end) => from = end,
                None if window.len() - from < LOOK_AHEAD_BYTES && self.plain.fill() => {}
                None => {
                    let window = self.plain.window();
                    let last = &window[from.min(window.len())..];
                    return is_arc_line(last).then_some(from);
                }
            }
        }
    }

    /// Passes over empty lines; `false` at the end of the member.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let window = self.plain.window();
            let blank = window.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let more = blank < window.len();
            self.plain.consume(blank);
            if more || !self.plain.fill() {
                return more;
            }
        }
    }

    /// A line with its end, or as much of it as `bytes_max`; empty at the end of the member.
    fn line(&mut self, bytes_max: usize) -> Vec<u8> {
        let mut line = Vec::new();
        loop {
            let window = self.plain.window();
            let room = bytes_max - line.len();
            let end = window.iter().take(room).position(|b| *b == b'\n').map(|feed| feed + 1);
            let take = end.unwrap_or(window.len().min(room));
            line.extend_from_slice(&window[..take]);
            self.plain.consume(take);
            if end.is_some() || line.len() == bytes_max || !self.plain.fill() {
                return line;
            }
        }
    }
}

impl<R: Read + Seek> Iterator for WarcReader<R> {
    type Item = Result<WarcRecord, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(bad) = self.pending.pop_front() {
                return Some(Err(bad));
            }
            if self.ended {
                return None;
            }
            if self.skip_blanks() {
                return Some(self.read_record());
            }
            if let Some(what) = self.plain.take_fault() {
                return Some(Err(BadRecord { offset: self.plain.offset(), what }));
            }
            match self.plain.next_member() {
                NextMember::Opened => {}
                NextMember::End => self.ended = true,
                NextMember::Bad(bad) => return Some(Err(bad)),
            }
        }
    }
}

/// A record begins with `bytes`, by the rules of the format at hand.
fn is_record_start(bytes: &[u8], arc: bool) -> bool {
    if !arc {
        return is_version_line(bytes);
    }
    let line = bytes.iter().position(|b| *b == b'\n').map_or(bytes, |feed| &bytes[..feed]);
    is_arc_line(line)
}

fn is_arc_line(line: &[u8]) -> bool {
    // Most lines that are none are seen to be none by their ends.
    line.len() >= 20 && line.len() <= LOOK_AHEAD_BYTES && parse_arc_line(&decode(line)).is_some()
}

#[cfg(test)]
mod tests;
