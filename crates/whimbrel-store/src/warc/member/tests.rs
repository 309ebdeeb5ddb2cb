use super::*;
use std::io::Read;

fn unpack(member: &[u8]) -> Vec<u8> {
    let mut input = member;
    let mut out = Vec::new();
    flate2::bufread::GzDecoder::new(&mut input).read_to_end(&mut out).unwrap();
    assert!(input.is_empty(), "bytes behind the member");
    out
}

#[test]
fn stored_members_unpack_to_their_parts_at_every_block_boundary() {
    for length in [0, 1, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000] {
        let body: Vec<u8> = (0..length).map(|i| (i * 31 % 251) as u8).collect();
        let member = stored_member(&[b"head", &[], &body]);
        assert_eq!(unpack(&member), [b"head".as_slice(), &body].concat(), "{length}");
    }
    assert_eq!(unpack(&stored_member(&[])), b"");
}

#[test]
fn compressed_members_unpack_to_what_was_packed() {
    for plain in [b"".to_vec(), b"x".to_vec(), b"abc ".repeat(10_000)] {
        assert_eq!(unpack(&compressed_member(&plain)), plain);
    }
    assert!(compressed_member(&b"abc ".repeat(10_000)).len() < 1000);
}
