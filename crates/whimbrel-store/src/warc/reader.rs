//! Reading WARC files (also ARC) of any maker: gzip member by member, or plain. A damaged record is reported and the
//! next one is looked for; nothing read here can make it panic or use more memory than its limits.

use super::arc::parse_arc_line;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// A header line longer than this is no header line.
const LINE_BYTES_MAX: usize = 1 << 20;
/// No record has more header lines.
const HEADER_LINES_MAX: usize = 1000;
/// What one gzip member may unpack to.
const MEMBER_BYTES_MAX: u64 = 1 << 30;
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarcRecord {
    /// First byte of the record (of its gzip member, where it has one) in the file.
    pub offset: u64,
    /// Bytes up to the end of its member; for plain files up to the end of its block.
    pub length: u64,
    /// `WARC/1.1`, or `ARC/1.0`.
    pub version: String,
    /// Header fields in order.
    pub headers: Vec<(String, String)>,
    /// The block.
    pub block: Vec<u8>,
    /// The file or member ended before the block did.
    pub cut_short: bool,
}

impl WarcRecord {
    /// First value of a header field.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(field, _)| field.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// `WARC-Type`.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.header("WARC-Type").unwrap_or("")
    }

    /// `WARC-Target-URI`, without the angle brackets that some writers put around it.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.header("WARC-Target-URI")
            .map(|uri| uri.strip_prefix('<').and_then(|u| u.strip_suffix('>')).unwrap_or(uri))
    }

    /// A field of a block of type `application/warc-fields`.
    #[must_use]
    pub fn block_field(&self, name: &str) -> Option<&str> {
        let text = str::from_utf8(&self.block).ok()?;
        text.lines().find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.trim().eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// A place where no record could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Where in the file.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
}

/// Iterates over the records of a file.
pub struct WarcReader<R> {
    input: Counted<BufReader<R>>,
    gzip: bool,
    /// What the current member unpacked to, and how much of it was read.
    member: Vec<u8>,
    member_position: usize,
    member_span: (u64, u64),
    member_cut: bool,
    ended: bool,
}

impl<R: Read + Seek> WarcReader<R> {
    /// Starts at the beginning of `input`.
    pub fn new(input: R) -> io::Result<WarcReader<R>> {
        WarcReader::at(input, 0)
    }

    /// Starts at `offset`, where a record or member begins.
    pub fn at(mut input: R, offset: u64) -> io::Result<WarcReader<R>> {
        input.seek(SeekFrom::Start(offset))?;
        let mut input = Counted { inner: BufReader::with_capacity(1 << 16, input), position: offset };
        let gzip = input.fill_buf()?.starts_with(&GZIP_MAGIC[..2]);
        Ok(WarcReader {
            input,
            gzip,
            member: Vec::new(),
            member_position: 0,
            member_span: (offset, 0),
            member_cut: false,
            ended: false,
        })
    }

    fn next_plain(&mut self) -> Option<Result<WarcRecord, BadRecord>> {
        let offset = self.input.position;
        match parse_record(&mut self.input) {
            Ok(None) => None,
            Ok(Some(mut record)) => {
                record.offset += offset;
                record.length = self.input.position - record.offset;
                Some(Ok(record))
            }
            Err(what) => {
                let from = self.input.position;
                let next = skip_to_record(&mut self.input).map(|skipped| from + skipped);
                self.ended = next.is_none_or(|next| self.seek(next).is_err());
                Some(Err(BadRecord { offset, what }))
            }
        }
    }

    fn next_gzip(&mut self) -> Option<Result<WarcRecord, BadRecord>> {
        loop {
            let mut rest = &self.member[self.member_position..];
            let before = rest.len();
            let parsed = parse_record(&mut rest);
            self.member_position += before - rest.len();
            let (offset, length) = self.member_span;
            match parsed {
                Ok(Some(mut record)) => {
                    record.offset = offset;
                    record.length = length;
                    record.cut_short |= self.member_cut && self.member_position == self.member.len();
                    return Some(Ok(record));
                }
                Ok(None) => {}
                Err(what) => {
                    let left = self.member.len() - self.member_position;
                    let skipped = skip_to_record(&mut rest).map_or(left, |skipped| skipped as usize);
                    self.member_position += skipped.min(left);
                    return Some(Err(BadRecord { offset, what }));
                }
            }
            match self.unpack_member() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(bad) => return Some(Err(bad)),
            }
        }
    }

    /// Unpacks the next member; `false` at the end of the file.
    fn unpack_member(&mut self) -> Result<bool, BadRecord> {
        self.member.clear();
        self.member_position = 0;
        self.member_cut = false;
        let offset = self.input.position;
        let bad = |what: String| BadRecord { offset, what };
        if self.input.fill_buf().map_err(|e| bad(e.to_string()))?.is_empty() {
            return Ok(false);
        }
        let decoder = flate2::bufread::GzDecoder::new(&mut self.input);
        let result = decoder.take(MEMBER_BYTES_MAX + 1).read_to_end(&mut self.member);
        let too_large = self.member.len() as u64 > MEMBER_BYTES_MAX;
        self.member_span = (offset, self.input.position - offset);
        match result {
            Ok(_) if !too_large => Ok(true),
            // The end of the file inside a member: what there is may still hold a record.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !self.member.is_empty() => {
                self.member_cut = true;
                self.ended = !self.seek_member(offset + 1).unwrap_or(false);
                Ok(true)
            }
            Ok(_) => Err(self.resume_after(offset, "a gzip member unpacks to more than the limit".into())),
            Err(error) => Err(self.resume_after(offset, format!("damaged gzip member: {error}"))),
        }
    }

    fn resume_after(&mut self, offset: u64, what: String) -> BadRecord {
        self.member.clear();
        self.ended = !self.seek_member(offset + 1).unwrap_or(false);
        BadRecord { offset, what }
    }

    /// Moves to the next place at or after `from` that looks like the start of a member.
    fn seek_member(&mut self, from: u64) -> io::Result<bool> {
        self.seek(from)?;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.len() < GZIP_MAGIC.len() {
                return Ok(false);
            }
            let found = buffer.windows(GZIP_MAGIC.len()).position(|window| window == GZIP_MAGIC);
            let skip = found.unwrap_or(buffer.len() - 2);
            if found.is_some() {
                self.input.consume(skip);
                return Ok(true);
            }
            // The last two bytes may begin a magic that the next buffer ends: read them again.
            self.seek(self.input.position + skip as u64)?;
            if self.input.fill_buf()?.len() <= 2 {
                return Ok(false);
            }
        }
    }

    fn seek(&mut self, to: u64) -> io::Result<()> {
        self.input.inner.seek(SeekFrom::Start(to))?;
        self.input.position = to;
        Ok(())
    }
}

impl<R: Read + Seek> Iterator for WarcReader<R> {
    type Item = Result<WarcRecord, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        let member_left = self.member_position < self.member.len();
        if self.ended && !member_left {
            return None;
        }
        if self.gzip { self.next_gzip() } else { self.next_plain() }
    }
}

/// Counts what is consumed, so that a member's length is known.
struct Counted<B> {
    inner: B,
    position: u64,
}

impl<B: BufRead> Read for Counted<B> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(out)?;
        self.position += got as u64;
        Ok(got)
    }
}

impl<B: BufRead> BufRead for Counted<B> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.position += amount as u64;
    }
}

/// Reads one record; `offset` is set to the bytes skipped before it.
fn parse_record(input: &mut impl BufRead) -> Result<Option<WarcRecord>, String> {
    let mut skipped = 0;
    let first = loop {
        let line = read_line(input)?;
        match line {
            None => return Ok(None),
            Some(line) if line.trim_ascii().is_empty() => skipped += line.len() as u64,
            Some(line) => break line,
        }
    };
    let text = String::from_utf8_lossy(&first).into_owned();
    let mut record = if first.starts_with(b"WARC/") {
        warc_header(input, text.trim())?
    } else {
        arc_header(&text).ok_or_else(|| format!("no record begins with {:?}", shorten(text.trim_end())))?
    };
    record.offset = skipped;
    let length: u64 = match record.header("Content-Length").map(str::parse) {
        Some(Ok(length)) => length,
        _ => return Err(format!("a record without a valid Content-Length ({})", shorten(record.kind()))),
    };
    if length > MEMBER_BYTES_MAX {
        return Err(format!("a record of {length} bytes is longer than the limit"));
    }
    input.take(length).read_to_end(&mut record.block).map_err(|e| e.to_string())?;
    record.cut_short = (record.block.len() as u64) < length;
    Ok(Some(record))
}

fn warc_header(input: &mut impl BufRead, version: &str) -> Result<WarcRecord, String> {
    let mut headers: Vec<(String, String)> = Vec::new();
    while let Some(line) = read_line(input)? {
        let text = String::from_utf8_lossy(&line).into_owned();
        let text = text.trim_end_matches(['\r', '\n']);
        if text.is_empty() {
            break;
        }
        if headers.len() >= HEADER_LINES_MAX {
            return Err("a record with too many header lines".into());
        }
        match text.split_once(':') {
            _ if text.starts_with([' ', '\t']) => {
                if let Some((_, value)) = headers.last_mut() {
                    value.push(' ');
                    value.push_str(text.trim());
                }
            }
            Some((name, value)) => headers.push((name.trim().to_owned(), value.trim().to_owned())),
            None => {}
        }
    }
    Ok(empty_record(version, headers))
}

fn arc_header(line: &str) -> Option<WarcRecord> {
    let arc = parse_arc_line(line)?;
    let kind = if arc.url.starts_with("filedesc:") { "arc_header" } else { "response" };
    let headers = [
        ("WARC-Type", kind.to_owned()),
        ("WARC-Target-URI", arc.url),
        ("WARC-IP-Address", arc.address),
        ("WARC-Date", arc.date),
        ("Content-Type", arc.media_type),
        ("Content-Length", arc.length.to_string()),
    ];
    Some(empty_record("ARC/1.0", headers.map(|(name, value)| (name.to_owned(), value)).to_vec()))
}

fn empty_record(version: &str, headers: Vec<(String, String)>) -> WarcRecord {
    WarcRecord {
        offset: 0,
        length: 0,
        version: version.to_owned(),
        headers,
        block: Vec::new(),
        cut_short: false,
    }
}

/// Looks for the next line that begins a record: how many bytes before it, or `None` when there is none.
fn skip_to_record(input: &mut impl BufRead) -> Option<u64> {
    let mut skipped = 0;
    while let Ok(Some(line)) = read_line(input) {
        if line.starts_with(b"WARC/") {
            return Some(skipped);
        }
        skipped += line.len() as u64;
    }
    None
}

/// A line with its end; over-long lines are returned in pieces.
fn read_line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut line = Vec::new();
    input.take(LINE_BYTES_MAX as u64).read_until(b'\n', &mut line).map_err(|e| e.to_string())?;
    Ok((!line.is_empty()).then_some(line))
}

fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests;
