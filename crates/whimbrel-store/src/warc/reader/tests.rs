mod damage;
mod packed;
mod samples;

use super::*;
use std::io::{Cursor, Write};

fn record(kind: &str, block: &str) -> String {
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <http://a.test/>\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn member(plain: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: &[u8]) -> Vec<Result<String, u64>> {
    let reader = WarcReader::new(Cursor::new(bytes.to_vec())).unwrap();
    reader.map(|record| record.map(|r| r.kind().to_owned()).map_err(|bad| bad.offset)).collect()
}

#[test]
fn records_are_read_plain_and_by_member_with_their_places() {
    let plain = record("request", "one") + &record("response", "two");
    let first = member(&record("request", "one"));
    let gzip = [first.clone(), member(&record("response", "two"))].concat();
    for (bytes, second_offset) in [(plain.as_bytes(), record("request", "one").len()), (&gzip, first.len())] {
        let records: Vec<WarcRecord> =
            WarcReader::new(Cursor::new(bytes.to_vec())).unwrap().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        assert_eq!((records[1].kind(), records[1].block.as_slice()), ("response", b"two".as_slice()));
        assert_eq!(records[1].target(), Some("http://a.test/"));
        assert_eq!(records[1].offset, second_offset as u64);
        let again =
            WarcReader::at(Cursor::new(bytes.to_vec()), records[1].offset).unwrap().next().unwrap().unwrap();
        assert_eq!(again, records[1]);
    }
}

#[test]
fn reading_goes_on_after_damage() {
    let plain = [
        record("a", "1"),
        "garbage\r\nmore\r\n".into(),
        record("b", "2"),
        "WARC/1.1\r\nno: length\r\n\r\n".into(),
        record("c", "3"),
    ];
    let kinds = read(plain.concat().as_bytes());
    assert_eq!(kinds.iter().filter_map(|r| r.as_ref().ok()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(kinds.iter().filter(|r| r.is_err()).count(), 2);

    let mut broken = member(&record("b", &"unlucky ".repeat(100)));
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    let gzip =
        [member(&record("a", "1")), broken, member("not a record"), member(&record("c", "3"))].concat();
    let records: Vec<_> = WarcReader::new(Cursor::new(gzip)).unwrap().collect();
    let whole = |r: &&WarcRecord| !r.cut_short;
    let kinds: Vec<&str> =
        records.iter().filter_map(|r| r.as_ref().ok()).filter(whole).map(|r| r.kind()).collect();
    assert_eq!(kinds, ["a", "c"]);
    assert!(records.iter().any(|r| r.as_ref().is_err_and(|bad| bad.what.contains("not a record"))));
}

#[test]
fn a_cut_file_gives_what_it_has_and_marks_it() {
    let whole = member(&record("response", &"abc def ".repeat(5000)));
    let reader = WarcReader::new(Cursor::new(whole[..whole.len() - 30].to_vec())).unwrap();
    let records: Vec<WarcRecord> = reader.filter_map(Result::ok).collect();
    assert_eq!((records.len(), records[0].cut_short), (1, true));

    let plain = record("response", "0123456789");
    let reader = WarcReader::new(Cursor::new(plain.as_bytes()[..plain.len() - 8].to_vec())).unwrap();
    let records: Vec<WarcRecord> = reader.map(Result::unwrap).collect();
    assert_eq!((records[0].block.as_slice(), records[0].cut_short), (b"012345".as_slice(), true));
}

#[test]
fn old_arc_files_are_read_as_records() {
    let version_1 = "filedesc://x.arc 0.0.0.0 20140216050221 text/plain 5\n1 0 x\nhttp://a.test/ 1.2.3.4 20140216050221 text/html 4\nbody\n";
    let version_2 = "filedesc://x.arc 0.0.0.0 20140216050221 text/plain 200 - - 0 x.arc 6\n2 0 x\n\nhttp://a.test/ 1.2.3.4 20140216050221 text/html 200 abc - 99 x.arc 4\nbody\n";
    for arc in [version_1, version_2] {
        for bytes in [arc.as_bytes().to_vec(), member(arc)] {
            let records: Vec<WarcRecord> =
                WarcReader::new(Cursor::new(bytes)).unwrap().filter_map(Result::ok).collect();
            assert_eq!(records.iter().map(|r| r.kind()).collect::<Vec<_>>(), ["arc_header", "response"]);
            assert_eq!(
                (records[1].target(), records[1].block.as_slice()),
                (Some("http://a.test/"), b"body".as_slice())
            );
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_the_reader_panic_or_run_for_ever(mut bytes in proptest::collection::vec(0u8.., 0..400), at in 0usize..400, flip in 0u8..) {
        let count = WarcReader::new(Cursor::new(bytes.clone())).unwrap().take(10_000).count();
        proptest::prop_assert!(count < 10_000);
        bytes = [member(&record("a", "1")), member(&record("b", "22"))].concat();
        let place = at % bytes.len();
        bytes[place] ^= flip;
        let count = WarcReader::new(Cursor::new(bytes)).unwrap().take(10_000).count();
        proptest::prop_assert!(count < 10_000);
    }
}
