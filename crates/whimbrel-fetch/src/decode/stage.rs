//! One content coding: recognises its stream, decodes it piece by piece, goes on with further members (gzip) and
//! frames (zstd), and ignores what follows the end.
//! Never trusts the label: a stream without the magic number of its coding is passed on as it is.

use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::zstd::params::DParameter;
use compression_codecs::{BrotliDecoder, DecodeV2, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};

/// Decoded bytes that are handed on at once.
const SCRATCH_BYTES: usize = 32 << 10;
/// Largest zstd window, 2^23 = 8 MiB, as RFC 8878 recommends; a frame may ask for far more.
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// So many members may hold what they like …
const MEMBERS_FREE: u64 = 1000;
/// … then they must bring so many bytes each, on average: to begin one costs more than to decode a page.
const MEMBER_BYTES_MIN: u64 = 64;

/// A coding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    /// zlib by the RFC, raw deflate by some servers.
    Deflate,
    Brotli,
    Zstd,
}

/// What a content-coding token means.
pub(crate) enum Named {
    Known(Coding),
    /// No coding: `identity`, or a word that is none but is met on the web (`utf-8`, `none`, `text/html`).
    Nothing,
    /// A coding that is not known here.
    Unsupported,
}

impl Coding {
    pub(crate) fn named(token: &[u8]) -> Named {
        let token = token.to_ascii_lowercase();
        match token.as_slice() {
            b"gzip" | b"x-gzip" => Named::Known(Coding::Gzip),
            b"deflate" => Named::Known(Coding::Deflate),
            b"br" => Named::Known(Coding::Brotli),
            b"zstd" => Named::Known(Coding::Zstd),
            b"" | b"identity" | b"none" | b"null" | b"plain" | b"text" | b"binary" | b"7bit" | b"8bit"
            | b"ascii" | b"us-ascii" | b"latin1" | b"chunked" | b"aws-chunked" | b"utf8" | b"ansi" => {
                Named::Nothing
            }
            // Names of charsets and media types, put into the wrong field.
            other
                if [&b"utf-"[..], b"iso-", b"windows-", b"cp12", b"koi8"]
                    .iter()
                    .any(|p| other.starts_with(p)) =>
            {
                Named::Nothing
            }
            other if other.contains(&b'/') => Named::Nothing,
            _ => Named::Unsupported,
        }
    }

    /// Bytes needed to recognise a stream.
    fn magic_bytes(self) -> usize {
        match self {
            Coding::Gzip | Coding::Deflate => 2,
            Coding::Zstd => 4,
            Coding::Brotli => 0,
        }
    }

    /// Whether a stream of this coding can begin like this.
    fn recognises(self, first: &[u8]) -> bool {
        match (self, first) {
            (Coding::Gzip, [0x1f, 0x8b, ..]) => true,
            // A frame, or a skippable frame.
            (Coding::Zstd, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) => true,
            (Coding::Gzip | Coding::Zstd, _) => false,
            (Coding::Deflate | Coding::Brotli, _) => true,
        }
    }

    fn decoder(self, first: &[u8]) -> Box<dyn DecodeV2 + Send> {
        match self {
            Coding::Gzip => Box::new(GzipDecoder::new()),
            Coding::Brotli => Box::new(BrotliDecoder::new()),
            Coding::Zstd => {
                Box::new(ZstdDecoder::new_with_params(&[DParameter::window_log_max(ZSTD_WINDOW_LOG_MAX)]))
            }
            Coding::Deflate if is_zlib(first) => Box::new(ZlibDecoder::new()),
            Coding::Deflate => Box::new(DeflateDecoder::new()),
        }
    }

    fn has_members(self) -> bool {
        matches!(self, Coding::Gzip | Coding::Zstd)
    }
}

/// RFC 1950: method 8, a window of at most 32 KiB, and the two bytes as a number divisible by 31.
fn is_zlib(first: &[u8]) -> bool {
    matches!(first, [cmf, flags, ..]
        if cmf & 0x0f == 8 && cmf >> 4 <= 7 && (u16::from(*cmf) << 8 | u16::from(*flags)) % 31 == 0)
}

/// The stream breaks the rules of its coding, or ends too early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageFault;

/// Takes decoded bytes and how many came before them; `false` when no more are wanted.
pub(crate) type Output<'a> = &'a mut dyn FnMut(&[u8], u64) -> bool;

/// One coding at work.
pub(crate) struct Stage {
    coding: Coding,
    state: State,
    out_bytes: u64,
    /// Members or frames begun so far.
    members: u64,
}

enum State {
    /// Not enough bytes yet to recognise the first stream, or the next member.
    Recognising {
        held: Vec<u8>,
        first: bool,
    },
    Decoding {
        decoder: Box<dyn DecodeV2 + Send>,
        scratch: Box<[u8]>,
    },
    PassingThrough,
    /// The stream has ended; what follows is junk.
    Ended,
}

impl Stage {
    pub(crate) fn new(coding: Coding) -> Stage {
        Stage {
            coding,
            state: State::Recognising { held: Vec::new(), first: true },
            out_bytes: 0,
            members: 0,
        }
    }

    /// Whether the bytes turned out not to be of this coding.
    pub(crate) fn passes_through(&self) -> bool {
        matches!(self.state, State::PassingThrough)
    }

    /// Decodes `input`; `None` says that there is no more.
    pub(crate) fn push(&mut self, input: Option<&[u8]>, output: Output<'_>) -> Result<(), StageFault> {
        let Some(mut rest) = input else { return self.finish(output) };
        while !rest.is_empty() {
            match &mut self.state {
                State::Ended => return Ok(()),
                State::PassingThrough => {
                    hand_on(rest, &mut self.out_bytes, output);
                    return Ok(());
                }
                State::Recognising { held, first } => {
                    let missing = self.coding.magic_bytes().saturating_sub(held.len()).min(rest.len());
                    held.extend_from_slice(&rest[..missing]);
                    rest = &rest[missing..];
                    if held.len() < self.coding.magic_bytes() {
                        return Ok(());
                    }
                    let (held, first) = (std::mem::take(held), *first);
                    if !self.begin(&held, first, output)? {
                        return Ok(());
                    }
                }
                State::Decoding { .. } => match self.decode(rest, output)? {
                    Some(used) => rest = &rest[used..],
                    None => return Ok(()),
                },
            }
        }
        Ok(())
    }

    /// Enough bytes are held to tell what this is. `false` when the output wants no more.
    fn begin(&mut self, held: &[u8], first: bool, output: Output<'_>) -> Result<bool, StageFault> {
        if self.coding.recognises(held) {
            self.members += 1;
            if self.members > MEMBERS_FREE && self.out_bytes < self.members * MEMBER_BYTES_MIN {
                return Err(StageFault);
            }
            let decoder = self.coding.decoder(held);
            self.state = State::Decoding { decoder, scratch: vec![0; SCRATCH_BYTES].into_boxed_slice() };
            return Ok(held.is_empty() || self.decode(held, output)?.is_some());
        }
        if first {
            self.state = State::PassingThrough;
            return Ok(hand_on(held, &mut self.out_bytes, output));
        }
        self.state = State::Ended;
        Ok(true)
    }

    /// Decodes what it can of `input` and says how much it used; `None` when the output wants no more.
    fn decode(&mut self, input: &[u8], output: Output<'_>) -> Result<Option<usize>, StageFault> {
        let State::Decoding { decoder, scratch } = &mut self.state else { return Ok(Some(0)) };
        let mut source = PartialBuffer::new(input);
        loop {
            let used_before = source.written_len();
            let mut target = WriteBuffer::new_initialized(scratch);
            let result = decoder.decode(&mut source, &mut target);
            let filled = target.has_no_spare_space();
            let wanted = target.written_len() == 0 || hand_on(target.written(), &mut self.out_bytes, output);
            let stuck = target.written_len() == 0 && source.written_len() == used_before;
            if !wanted {
                return Ok(None);
            }
            match result {
                Ok(true) => {
                    self.state = if self.coding.has_members() {
                        State::Recognising { held: Vec::new(), first: false }
                    } else {
                        State::Ended
                    };
                    return Ok(Some(source.written_len()));
                }
                // Asking for more output after a full buffer, when there is none, is answered by an error or by nothing.
                Ok(false) | Err(_) if source.unwritten().is_empty() && stuck => return Ok(Some(input.len())),
                Err(_) => return Err(StageFault),
                Ok(false) if stuck => return Err(StageFault),
                Ok(false) if source.unwritten().is_empty() && !filled => return Ok(Some(input.len())),
                Ok(false) => {}
            }
        }
    }

    fn finish(&mut self, output: Output<'_>) -> Result<(), StageFault> {
        match &mut self.state {
            State::Ended | State::PassingThrough | State::Recognising { first: false, .. } => Ok(()),
            State::Recognising { held, first: true } if held.is_empty() => Ok(()),
            State::Recognising { held, .. } => {
                // Too short to be a stream of any coding.
                let held = std::mem::take(held);
                self.state = State::PassingThrough;
                hand_on(&held, &mut self.out_bytes, output);
                Ok(())
            }
            // All output was taken while there was input, so a stream that is not at its end was cut off.
            State::Decoding { .. } => Err(StageFault),
        }
    }
}

fn hand_on(bytes: &[u8], out_bytes: &mut u64, output: Output<'_>) -> bool {
    let wanted = output(bytes, *out_bytes);
    *out_bytes += bytes.len() as u64;
    wanted
}
