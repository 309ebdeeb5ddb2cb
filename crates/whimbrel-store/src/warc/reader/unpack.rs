//! The plain bytes of a file, member after member, through a window that the parser looks into.
//!
//! A damaged member ends where the damage is, with a fault; the next one is then looked for behind the place where the
//! damaged one began. Memory is the window (what the parser asked to see) and one decoder. How often bytes may be read
//! again when looking for members is bounded, so hostile files cost linear time.

use super::limits::ReadLimits;
use super::packing::{MAGIC_BYTES, Packing, read_dictionary};
use super::record::BadRecord;
use super::source::Source;
use flate2::bufread::GzDecoder;
use lz4_flex::frame::FrameDecoder;
use std::io::{self, Read, Seek};
use zstd::stream::read::Decoder as ZstdDecoder;

/// Plain bytes that are unpacked at a time.
const STEP_BYTES: usize = 1 << 16;
/// A frame may ask for a window of two to this power, 128 MiB; larger ones need an option in other programs too.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;
/// Bytes that looking for members may read twice: so many times the file, and some.
const REREAD_TIMES: u64 = 4;
const REREAD_BYTES: u64 = 1 << 24;

/// What came after a member.
pub(super) enum NextMember {
    /// Another one, which is open now.
    Opened,
    /// The end of the file.
    End,
    /// Something that is no member.
    Bad(BadRecord),
}

/// A file being unpacked.
pub(super) struct Unpacked<R: Read + Seek> {
    decoder: Option<Decoder<R>>,
    packing: Packing,
    dictionary: Option<Vec<u8>>,
    window: Vec<u8>,
    start: usize,
    member_offset: u64,
    member_plain_bytes: u64,
    member_bytes_max: u64,
    reread_bytes_left: u64,
    /// Why the current member ended early.
    fault: Option<String>,
    /// The last member was no good: look for the next one.
    lost: bool,
}

enum Decoder<R: Read + Seek> {
    Idle(Source<R>),
    Plain(Source<R>),
    Gzip(Box<GzDecoder<Source<R>>>),
    Zstd(Box<ZstdDecoder<'static, Source<R>>>),
    Lz4(Box<FrameDecoder<Source<R>>>),
}

impl<R: Read + Seek> Unpacked<R> {
    /// Starts at `offset`, where a member or, in a plain file, a record begins.
    pub(super) fn open(input: R, offset: u64, limits: &ReadLimits) -> io::Result<Unpacked<R>> {
        let mut source = Source::open(input, offset)?;
        let mut packing = Packing::of(source.peek::<MAGIC_BYTES>()?.0);
        let mut fault = None;
        let mut lost = false;
        if packing == Packing::Plain {
            let mut head = Vec::new();
            source.by_ref().take(STEP_BYTES as u64).read_to_end(&mut head)?;
            source.seek(offset)?;
            if let Some(behind_damage) = Packing::within(&head) {
                packing = behind_damage;
                fault = Some(format!("no {} begins here", packing.member()));
                lost = true;
            }
        }
        let mut dictionary = None;
        if packing == Packing::Zstd {
            match read_dictionary(&mut source) {
                Ok(found) => dictionary = found,
                Err(error) => fault = Some(format!("the dictionary cannot be read: {error}")),
            }
            source.seek(offset)?;
        }
        let reread_bytes_left = source.length().saturating_mul(REREAD_TIMES).saturating_add(REREAD_BYTES);
        let decoder = match packing {
            Packing::Plain => Decoder::Plain(source),
            _ => Decoder::Idle(source),
        };
        Ok(Unpacked {
            decoder: Some(decoder),
            packing,
            dictionary,
            window: Vec::new(),
            start: 0,
            member_offset: offset,
            member_plain_bytes: 0,
            member_bytes_max: limits.member_bytes_max,
            reread_bytes_left,
            fault,
            lost,
        })
    }

    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// What is unpacked of the current member and not consumed.
    pub(super) fn window(&self) -> &[u8] {
        &self.window[self.start..]
    }

    pub(super) fn consume(&mut self, amount: usize) {
        self.start = (self.start + amount).min(self.window.len());
    }

    /// Takes bytes back that were consumed last; `false` when that was done too often.
    pub(super) fn unread(&mut self, bytes: &[u8]) -> bool {
        let Some(left) = self.reread_bytes_left.checked_sub(bytes.len() as u64) else { return false };
        self.reread_bytes_left = left;
        self.window.splice(..self.start, bytes.iter().copied());
        self.start = 0;
        true
    }

    /// Makes the window longer by something; `false` at the end of the member.
    pub(super) fn fill(&mut self) -> bool {
        if self.start > 0 {
            self.window.drain(..self.start);
            self.start = 0;
        }
        let before = self.window.len();
        self.window.resize(before + STEP_BYTES, 0);
        let result = match &mut self.decoder {
            Some(Decoder::Plain(source)) => source.read(&mut self.window[before..]),
            Some(Decoder::Gzip(decoder)) => decoder.read(&mut self.window[before..]),
            Some(Decoder::Zstd(decoder)) => decoder.read(&mut self.window[before..]),
            Some(Decoder::Lz4(decoder)) => decoder.read(&mut self.window[before..]),
            Some(Decoder::Idle(_)) | None => Ok(0),
        };
        self.window.truncate(before + result.as_ref().map_or(0, |got| *got));
        match result {
            Ok(0) => {
                self.end_member(None);
                false
            }
            Ok(got) => {
                self.member_plain_bytes += got as u64;
                if self.packing != Packing::Plain && self.member_plain_bytes > self.member_bytes_max {
                    self.window.truncate(before);
                    let what = format!("a {} unpacks to more than the limit", self.packing.member());
                    self.end_member(Some(what));
                    return false;
                }
                true
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Err(error) => {
                self.end_member(Some(format!("damaged {}: {error}", self.packing.member())));
                false
            }
        }
    }

    /// Fills the window up to `amount` bytes, or to the end of the member.
    pub(super) fn peek(&mut self, amount: usize) -> &[u8] {
        while self.window().len() < amount && self.fill() {}
        let window = self.window();
        &window[..window.len().min(amount)]
    }

    /// Where the next byte lies: its own place in a plain file, its member's in a packed one.
    pub(super) fn offset(&self) -> u64 {
        match self.packing {
            Packing::Plain => self.position() - self.window().len() as u64,
            _ => self.member_offset,
        }
    }

    /// End of what was taken of the file.
    pub(super) fn position(&self) -> u64 {
        match &self.decoder {
            Some(Decoder::Idle(source) | Decoder::Plain(source)) => source.position(),
            Some(Decoder::Gzip(decoder)) => decoder.get_ref().position(),
            Some(Decoder::Zstd(decoder)) => decoder.get_ref().position(),
            Some(Decoder::Lz4(decoder)) => decoder.get_ref().position(),
            None => self.member_offset,
        }
    }

    /// Plain bytes that the file can still have, where that is known.
    pub(super) fn left(&self) -> Option<u64> {
        match &self.decoder {
            Some(Decoder::Plain(source) | Decoder::Idle(source)) if self.packing == Packing::Plain => {
                Some(source.length().saturating_sub(source.position()) + self.window().len() as u64)
            }
            _ => None,
        }
    }

    /// The member ended early, and why has not been told.
    pub(super) fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// Why the member ended early, where it did. Told once.
    pub(super) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// Goes on to the next member; what is left of this one is dropped.
    pub(super) fn next_member(&mut self) -> NextMember {
        self.end_member(None);
        self.window.clear();
        self.start = 0;
        let Some(Decoder::Idle(mut source)) = self.decoder.take() else { return NextMember::End };
        let step =
            if self.packing == Packing::Plain { Ok(NextMember::End) } else { self.open_next(&mut source) };
        let at = source.position();
        self.decoder = Some(Decoder::Idle(source));
        match step {
            Ok(NextMember::Opened) => self.begin_member(),
            Ok(other) => other,
            Err(error) => {
                // A file that cannot be read does not become readable by asking again.
                self.decoder = None;
                NextMember::Bad(BadRecord { offset: at, what: format!("the file cannot be read: {error}") })
            }
        }
    }

    /// Puts `source` where a member begins.
    fn open_next(&mut self, source: &mut Source<R>) -> io::Result<NextMember> {
        source.starved = false;
        if std::mem::take(&mut self.lost) && !self.find_member(source)? {
            return Ok(NextMember::End);
        }
        loop {
            let (head, got) = source.peek::<8>()?;
            let magic = [head[0], head[1], head[2], head[3]];
            let offset = source.position();
            if got == 0 {
                return Ok(NextMember::End);
            }
            if got == head.len() && self.packing.skips(magic) {
                let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
                source.seek((offset + 8 + length).min(source.length()))?;
                continue;
            }
            self.member_offset = offset;
            if self.packing.begins(magic) {
                return Ok(NextMember::Opened);
            }
            self.lost = true;
            let what = format!("no {} begins here", self.packing.member());
            return Ok(NextMember::Bad(BadRecord { offset, what }));
        }
    }

    fn begin_member(&mut self) -> NextMember {
        let Some(Decoder::Idle(source)) = self.decoder.take() else { return NextMember::End };
        self.member_plain_bytes = 0;
        self.member_offset = source.position();
        let decoder = match self.packing {
            Packing::Gzip => Decoder::Gzip(Box::new(GzDecoder::new(source))),
            Packing::Lz4 => Decoder::Lz4(Box::new(FrameDecoder::new(source))),
            Packing::Zstd => match self.zstd_decoder(source) {
                Ok(decoder) => Decoder::Zstd(Box::new(decoder)),
                Err((source, error)) => {
                    self.decoder = Some(Decoder::Idle(source));
                    self.lost = true;
                    let what = format!("cannot begin a zstd frame: {error}");
                    return NextMember::Bad(BadRecord { offset: self.member_offset, what });
                }
            },
            Packing::Plain => Decoder::Plain(source),
        };
        self.decoder = Some(decoder);
        NextMember::Opened
    }

    fn zstd_decoder(
        &self,
        source: Source<R>,
    ) -> Result<ZstdDecoder<'static, Source<R>>, (Source<R>, io::Error)> {
        let dictionary = self.dictionary.as_deref().unwrap_or_default();
        let mut decoder = ZstdDecoder::try_with_dictionary(source, dictionary)?.single_frame();
        // Cannot fail for a number that the format knows; if it does, the library's own bound (the same) holds.
        let _ = decoder.window_log_max(ZSTD_WINDOW_LOG_MAX);
        Ok(decoder)
    }

    fn end_member(&mut self, fault: Option<String>) {
        let (mut source, told) = match self.decoder.take() {
            Some(Decoder::Idle(source)) => (source, true),
            Some(Decoder::Plain(source)) => (source, true),
            Some(Decoder::Gzip(decoder)) => (decoder.into_inner(), true),
            Some(Decoder::Zstd(decoder)) => (decoder.into_inner(), true),
            // Ends quietly when the file does.
            Some(Decoder::Lz4(decoder)) => (decoder.into_inner(), false),
            None => return,
        };
        let cut = (!told && source.starved).then(|| "damaged lz4 frame: the file ends within it".to_owned());
        source.starved = false;
        if let Some(fault) = fault.or(cut) {
            self.fault = Some(fault);
            self.lost = true;
        }
        self.decoder = Some(Decoder::Idle(source));
    }

    /// Moves to the next place that looks like the start of a member: right here, or behind the start of the last one.
    fn find_member(&mut self, source: &mut Source<R>) -> io::Result<bool> {
        let here = source.position();
        if here > self.member_offset && self.packing.begins(source.peek::<MAGIC_BYTES>()?.0) {
            return Ok(true);
        }
        let again = here.saturating_sub(self.member_offset);
        let mut from = match self.reread_bytes_left.checked_sub(again) {
            Some(left) => {
                self.reread_bytes_left = left;
                self.member_offset + 1
            }
            None => here,
        };
        let mut bytes = Vec::with_capacity(STEP_BYTES);
        loop {
            source.seek(from)?;
            bytes.clear();
            source.by_ref().take(STEP_BYTES as u64).read_to_end(&mut bytes)?;
            let found = bytes
                .windows(MAGIC_BYTES)
                .position(|window| self.packing.begins([window[0], window[1], window[2], window[3]]));
            if let Some(found) = found {
                source.seek(from + found as u64)?;
                return Ok(true);
            }
            if bytes.len() < STEP_BYTES {
                return Ok(false);
            }
            from += (bytes.len() - (MAGIC_BYTES - 1)) as u64;
        }
    }
}
