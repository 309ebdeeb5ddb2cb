//! What a file is packed with, told by the first bytes of its members: gzip (RFC 1952), Zstandard (RFC 8878), LZ4
//! frames, or nothing. Also the dictionary that a `.warc.zst` file may carry in a skippable frame at its beginning.

use super::super::arc::parse_arc_line;
use super::source::Source;
use super::start::find_record;
use std::io::{self, Read, Seek};

/// How the records of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip members.
    Gzip,
    /// Zstandard frames.
    Zstd,
    /// LZ4 frames.
    Lz4,
}

/// Bytes that tell whether a member begins.
pub(super) const MAGIC_BYTES: usize = 4;
/// First number of the sixteen skippable frames that Zstandard and LZ4 share.
const SKIPPABLE: u32 = 0x184d_2a50;
/// The skippable frame that a dictionary lies in.
const DICTIONARY_FRAME: u32 = 0x184d_2a5d;
const ZSTD_FRAME: u32 = 0xfd2f_b528;
const LZ4_FRAME: u32 = 0x184d_2204;
const LZ4_LEGACY_FRAME: u32 = 0x184c_2102;
/// No dictionary is longer, packed or not.
const DICTIONARY_BYTES_MAX: u64 = 1 << 26;

impl Packing {
    /// The packing of a file that begins with `bytes`.
    pub(super) fn of(bytes: [u8; MAGIC_BYTES]) -> Packing {
        match u32::from_le_bytes(bytes) {
            _ if bytes[..2] == [0x1f, 0x8b] => Packing::Gzip,
            ZSTD_FRAME => Packing::Zstd,
            LZ4_FRAME | LZ4_LEGACY_FRAME => Packing::Lz4,
            // Only `.warc.zst` files are known to begin with one.
            number if is_skippable(number) => Packing::Zstd,
            _ => Packing::Plain,
        }
    }

    /// The packing of a file whose first member is damaged at its very start: `bytes` are not the text that records
    /// are made of, and another member begins within them.
    pub(super) fn within(bytes: &[u8]) -> Option<Packing> {
        let text = bytes.trim_ascii_start();
        let line = text.iter().position(|b| *b == b'\n').map_or(text, |feed| &text[..feed]);
        let is_arc = parse_arc_line(&String::from_utf8_lossy(line)).is_some();
        let is_text = !bytes.iter().any(|b| matches!(b, 0..8 | 0x0e..0x20));
        if is_text || is_arc || find_record(bytes, true).is_some() {
            return None;
        }
        bytes.windows(MAGIC_BYTES).find_map(|window| {
            let magic = [window[0], window[1], window[2], window[3]];
            [Packing::Gzip, Packing::Zstd, Packing::Lz4].into_iter().find(|packing| packing.begins(magic))
        })
    }

    /// A member of this packing begins with `bytes`.
    pub(super) fn begins(self, bytes: [u8; MAGIC_BYTES]) -> bool {
        let number = u32::from_le_bytes(bytes);
        match self {
            Packing::Plain => false,
            // Method deflate, and none of the flags that RFC 1952 reserves.
            Packing::Gzip => bytes[..3] == [0x1f, 0x8b, 8] && bytes[3] & 0xe0 == 0,
            Packing::Zstd => number == ZSTD_FRAME,
            Packing::Lz4 => matches!(number, LZ4_FRAME | LZ4_LEGACY_FRAME),
        }
    }

    /// What one piece is called.
    pub(super) fn member(self) -> &'static str {
        match self {
            Packing::Plain => "file",
            Packing::Gzip => "gzip member",
            Packing::Zstd => "zstd frame",
            Packing::Lz4 => "lz4 frame",
        }
    }

    /// The bytes `bytes` begin a frame that has nothing for us.
    pub(super) fn skips(self, bytes: [u8; MAGIC_BYTES]) -> bool {
        matches!(self, Packing::Zstd | Packing::Lz4) && is_skippable(u32::from_le_bytes(bytes))
    }
}

/// The dictionary of a `.warc.zst` file: raw, or a Zstandard frame itself. `None` where there is none.
pub(super) fn read_dictionary<R: Read + Seek>(source: &mut Source<R>) -> io::Result<Option<Vec<u8>>> {
    source.seek(0)?;
    let (head, got) = source.peek::<8>()?;
    let [number, length] = [[head[0], head[1], head[2], head[3]], [head[4], head[5], head[6], head[7]]];
    let length = u64::from(u32::from_le_bytes(length));
    if got < head.len() || u32::from_le_bytes(number) != DICTIONARY_FRAME {
        return Ok(None);
    }
    if length > DICTIONARY_BYTES_MAX {
        return Err(io::Error::other(format!("a dictionary of {length} bytes is longer than the limit")));
    }
    source.seek(8)?;
    let mut dictionary = Vec::new();
    source.take(length).read_to_end(&mut dictionary)?;
    if dictionary.starts_with(&ZSTD_FRAME.to_le_bytes()) {
        let packed = std::mem::take(&mut dictionary);
        let decoder = zstd::stream::read::Decoder::with_buffer(&packed[..])?;
        decoder.take(DICTIONARY_BYTES_MAX).read_to_end(&mut dictionary)?;
    }
    Ok(Some(dictionary))
}

fn is_skippable(number: u32) -> bool {
    number & 0xffff_fff0 == SKIPPABLE
}
