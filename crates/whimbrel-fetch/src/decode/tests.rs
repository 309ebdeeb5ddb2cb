use super::stage::Coding::{Brotli, Deflate, Gzip, Zstd};
use super::*;
use compression_codecs::brotli::params::EncoderParams;
use compression_codecs::core::Level;
use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::flate::params::FlateEncoderParams;
use compression_codecs::{BrotliEncoder, DeflateEncoder, EncodeV2, GzipEncoder, ZlibEncoder, ZstdEncoder};
use proptest::prelude::*;

const LIMITS: DecodeLimits =
    DecodeLimits { decoded_bytes_max: 4 << 20, ratio_max: 200, ratio_from_bytes: 1 << 20 };

fn encode_with(mut encoder: impl EncodeV2, plain: &[u8]) -> Vec<u8> {
    let mut scratch = vec![0; 64 << 10];
    let mut out = Vec::new();
    let mut source = PartialBuffer::new(plain);
    loop {
        let mut target = WriteBuffer::new_initialized(&mut scratch);
        let ended = if source.unwritten().is_empty() {
            encoder.finish(&mut target).unwrap()
        } else {
            encoder.encode(&mut source, &mut target).unwrap();
            false
        };
        out.extend_from_slice(target.written());
        if ended {
            return out;
        }
    }
}

/// `plain` in a coding, for the tests of other modules too.
pub(crate) fn encode(coding: Coding, plain: &[u8]) -> Vec<u8> {
    match coding {
        Gzip => encode_with(GzipEncoder::new(FlateEncoderParams::from(Level::Default)), plain),
        Deflate => encode_with(ZlibEncoder::new(FlateEncoderParams::from(Level::Default)), plain),
        Brotli => encode_with(BrotliEncoder::new(EncoderParams::default().quality(Level::Precise(4))), plain),
        Zstd => encode_with(ZstdEncoder::new(3), plain),
    }
}

fn decode(codings: &[Coding], wire: &[u8], piece: usize) -> Decoded {
    let mut decoder = Decoder::new(codings, LIMITS, 0);
    for bytes in wire.chunks(piece) {
        decoder.push(bytes);
    }
    decoder.finish()
}

fn page() -> Vec<u8> {
    (0..4000)
        .flat_map(|n| format!("<p>paragraph number {n} of {}</p>\n", n * 7919 % 4001).into_bytes())
        .collect()
}

#[test]
fn every_coding_is_undone_in_pieces_of_any_size() {
    let plain = page();
    for coding in [Gzip, Deflate, Brotli, Zstd] {
        let wire = encode(coding, &plain);
        for piece in [1, 2, 3, 7, 1000, usize::MAX] {
            assert_eq!(
                decode(&[coding], &wire, piece),
                Decoded::Bytes(plain.clone(), None),
                "{coding:?} by {piece}"
            );
        }
    }
}

#[test]
fn chained_codings_are_undone_from_the_last_to_the_first() {
    let plain = page();
    let wire = encode(Zstd, &encode(Brotli, &encode(Gzip, &plain)));
    for piece in [1, 13, usize::MAX] {
        assert_eq!(decode(&[Gzip, Brotli, Zstd], &wire, piece), Decoded::Bytes(plain.clone(), None));
    }
}

#[test]
fn coding_names_are_read_from_lists_and_repeated_fields() {
    let read = |values: &[&str]| codings(values.iter().map(|v| v.as_bytes()), 3);
    assert_eq!(read(&["gzip"]), Ok(vec![Gzip]));
    assert_eq!(read(&["X-GZIP , br", "zstd"]), Ok(vec![Gzip, Brotli, Zstd]));
    assert_eq!(read(&["identity", "utf-8", "", "ISO-8859-1, text/html"]), Ok(vec![]));
    for unknown in ["compress", "gzip, foo, deflate", "\u{1b}[2J"] {
        assert!(matches!(read(&[unknown]), Err(DecodeFault::Unknown(_))), "{unknown}");
    }
    assert_eq!(read(&["gzip, gzip", "gzip, gzip"]), Err(DecodeFault::TooMany(3)), "four are one too many");
}

#[test]
fn deflate_may_be_raw() {
    let plain = page();
    let wire = encode_with(DeflateEncoder::new(FlateEncoderParams::from(Level::Default)), &plain);
    for piece in [1, usize::MAX] {
        assert_eq!(decode(&[Deflate], &wire, piece), Decoded::Bytes(plain.clone(), None));
    }
}

#[test]
fn members_and_frames_follow_each_other_and_junk_is_ignored() {
    for coding in [Gzip, Zstd] {
        let mut wire = encode(coding, b"one ");
        wire.extend(encode(coding, b"two"));
        for piece in [1, 5, usize::MAX] {
            assert_eq!(decode(&[coding], &wire, piece), Decoded::Bytes(b"one two".to_vec(), None));
        }
        for junk in [&b"\0\0\0\0\0\0"[..], b"\n", b"<!-- served by -->"] {
            let wire = [&wire, junk].concat();
            assert_eq!(
                decode(&[coding], &wire, 3),
                Decoded::Bytes(b"one two".to_vec(), None),
                "{coding:?} {junk:?}"
            );
        }
    }
    let wire = [&encode(Brotli, b"alone")[..], b"junk"].concat();
    assert_eq!(decode(&[Brotli], &wire, 2), Decoded::Bytes(b"alone".to_vec(), None));
}

#[test]
fn members_without_end_that_bring_nothing_are_a_fault_and_small_ones_are_not() {
    for coding in [Gzip, Zstd] {
        let head = encode(coding, b"head");
        let empty = [&head[..], &encode(coding, b"").repeat(1500)].concat();
        assert_eq!(decode(&[coding], &empty, 4096), Decoded::Bytes(b"head".to_vec(), Some(Stop::Broken)));
        let lines = encode(coding, &[b'x'; 80]).repeat(1500);
        assert_eq!(decode(&[coding], &lines, 4096), Decoded::Bytes(vec![b'x'; 80 * 1500], None));
    }
}

#[test]
fn a_body_that_is_not_of_its_coding_is_taken_as_it_is() {
    let html = b"<!doctype html><title>not compressed at all</title><p>\xc3\xa4".as_slice();
    for coding in [Gzip, Deflate, Brotli, Zstd] {
        for piece in [1, usize::MAX] {
            assert_eq!(decode(&[coding], html, piece), Decoded::AsOnWire, "{coding:?} by {piece}");
        }
    }
    assert_eq!(decode(&[Gzip], b"x", 1), Decoded::AsOnWire, "too short to be gzip");
    assert_eq!(decode(&[Gzip], b"", 1), Decoded::AsOnWire);
    assert_eq!(decode(&[], b"abc", 1), Decoded::AsOnWire);
}

#[test]
fn one_wrong_label_of_two_is_passed_over() {
    let plain = page();
    assert_eq!(decode(&[Gzip, Zstd], &encode(Gzip, &plain), 9), Decoded::Bytes(plain.clone(), None));
    assert_eq!(decode(&[Gzip, Zstd], &encode(Zstd, &plain), 9), Decoded::Bytes(plain, None));
}

#[test]
fn what_was_decoded_before_a_fault_is_kept_and_marked() {
    let plain = page();
    for coding in [Gzip, Deflate, Brotli, Zstd] {
        let mut wire = encode(coding, &plain);
        wire.truncate(wire.len() * 3 / 4);
        match decode(&[coding], &wire, 100) {
            Decoded::Bytes(bytes, Some(Stop::Broken)) => {
                assert!(!bytes.is_empty() || coding == Zstd, "{coding:?}");
                assert!(plain.starts_with(&bytes));
            }
            Decoded::Failed => assert_eq!(coding, Zstd, "a zstd block is all or nothing"),
            other => panic!("{coding:?}: {other:?}"),
        }
    }
    let mut wire = encode(Gzip, &plain);
    let end = wire.len();
    wire[end - 6] ^= 0xff;
    assert_eq!(decode(&[Gzip], &wire, 64), Decoded::Bytes(plain, Some(Stop::Broken)), "wrong checksum");
}

#[test]
fn broken_binary_with_nothing_decoded_fails() {
    assert_eq!(
        decode(&[Gzip], b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff\xff\xff", 4),
        Decoded::Failed
    );
    assert_eq!(decode(&[Zstd], b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff", 4), Decoded::Failed);
}

#[test]
fn bombs_stop_at_the_ratio_or_at_the_limit() {
    let zeros = vec![0; 16 << 20];
    for coding in [Gzip, Brotli, Zstd] {
        let wire = encode(coding, &zeros);
        let mut decoder = Decoder::new(&[coding], LIMITS, 0);
        let mut used = 0;
        for piece in wire.chunks(1024) {
            used += piece.len() as u64;
            decoder.push(piece);
            if decoder.is_full() {
                break;
            }
        }
        assert!(decoder.is_full(), "{coding:?}");
        let Decoded::Bytes(bytes, stop) = decoder.finish() else { panic!("{coding:?} gave nothing") };
        assert_eq!(stop, Some(Stop::Ratio), "{coding:?}");
        assert!(bytes.len() as u64 <= LIMITS.ratio_from_bytes.max(used * LIMITS.ratio_max));
    }
    let plain: Vec<u8> = (0..6u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 27) as u8).collect();
    let Decoded::Bytes(bytes, stop) = decode(&[Zstd], &encode(Zstd, &plain), 4096) else {
        panic!("nothing decoded")
    };
    assert_eq!((bytes.len() as u64, stop), (LIMITS.decoded_bytes_max, Some(Stop::Limit)));
    assert!(plain.starts_with(&bytes));
}

#[test]
fn a_bomb_inside_a_coding_stops_too() {
    let wire = encode(Gzip, &encode(Gzip, &vec![0; 16 << 20]));
    let Decoded::Bytes(bytes, stop) = decode(&[Gzip, Gzip], &wire, 512) else { panic!("nothing decoded") };
    assert_eq!(stop, Some(Stop::Ratio));
    assert!(bytes.len() <= 1 << 20);
}

#[test]
fn a_zstd_window_beyond_the_limit_is_refused() {
    // Frame header: no single segment, window descriptor of 2^31 bytes, then an empty last block.
    let wire = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00];
    assert_eq!(decode(&[Zstd], &wire, 9), Decoded::Failed);
}

#[test]
fn a_body_is_decoded_at_once_as_it_is_in_pieces() {
    let plain = page();
    let run = |label: &str, body: &[u8]| decode_body(label, body, 3, LIMITS);
    let whole = |bytes: &[u8]| DecodedBody { bytes: bytes.to_vec(), cut: None, fault: None };
    assert_eq!(run("", &plain), whole(&plain));
    assert_eq!(run("gzip, br", &encode(Brotli, &encode(Gzip, &plain))), whole(&plain));
    assert_eq!(run("gzip", &plain), whole(&plain), "a wrong label");
    assert_eq!(run("foo", &plain).fault, Some(DecodeFault::Unknown("foo".into())));
    assert_eq!(run("foo", b""), whole(b""), "of nothing there is nothing to decode");
    assert_eq!(run("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff").fault, Some(DecodeFault::Broken));
    let long = vec![b'x'; 5 << 20];
    let cut = run("identity", &long);
    assert_eq!((cut.bytes.len(), cut.cut), (4 << 20, Some(Cut::BodyLimit)));
    for coding in [("gzip", Gzip), ("deflate", Deflate), ("br", Brotli), ("zstd", Zstd)] {
        let bomb = run(coding.0, &encode(coding.1, &vec![0; 16 << 20]));
        assert!(bomb.cut == Some(Cut::Ratio) && bomb.bytes.len() <= 4 << 20, "{coding:?} {:?}", bomb.cut);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn hostile_bytes_are_survived(
        mut wire in prop::collection::vec(any::<u8>(), 0..600),
        magic in 0usize..5,
        piece in 1usize..64,
    ) {
        let first: [&[u8]; 5] = [b"", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", b"\x78\x9c", b"\x28\xb5\x2f\xfd", b"\x1b"];
        wire.splice(0..0, first[magic].iter().copied());
        for codings in [&[Gzip][..], &[Deflate], &[Brotli], &[Zstd], &[Gzip, Deflate, Zstd]] {
            if let Decoded::Bytes(bytes, _) = decode(codings, &wire, piece) {
                prop_assert!(bytes.len() as u64 <= LIMITS.decoded_bytes_max);
            }
        }
    }
}
