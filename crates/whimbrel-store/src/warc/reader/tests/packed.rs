//! The same records in every packing.

use super::*;

fn zstd_frame(plain: &str, dictionary: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
    encoder.write_all(plain.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn lz4_frame(plain: &str) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(plain.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn skippable(number: u8, content: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x50 | number, 0x2a, 0x4d, 0x18];
    frame.extend_from_slice(&(content.len() as u32).to_le_bytes());
    frame.extend_from_slice(content);
    frame
}

fn blocks(bytes: &[u8]) -> (Vec<String>, Vec<u64>, usize) {
    let items: Vec<_> = WarcReader::new(Cursor::new(bytes.to_vec())).unwrap().collect();
    let records: Vec<&WarcRecord> = items.iter().filter_map(|item| item.as_ref().ok()).collect();
    let text = records.iter().map(|r| String::from_utf8_lossy(&r.block).into_owned()).collect();
    let problems = records.iter().map(|r| r.problems.len()).sum::<usize>() + items.len() - records.len();
    (text, records.iter().map(|r| r.offset).collect(), problems)
}

#[test]
fn every_packing_gives_the_same_records() {
    let long = "a long block ".repeat(20_000);
    let plain = [record("request", "one"), record("response", &long), record("metadata", "three")];
    let dictionary = record("response", "a long block a long block");
    let pack = |pack: &dyn Fn(&str) -> Vec<u8>| plain.iter().map(|p| pack(p)).collect::<Vec<_>>();
    let with_dictionary = pack(&|p| zstd_frame(p, dictionary.as_bytes()));
    let files = [
        (Packing::Gzip, pack(&|p| member(p)).concat()),
        (Packing::Zstd, pack(&|p| zstd_frame(p, b"")).concat()),
        (Packing::Lz4, pack(&|p| lz4_frame(p)).concat()),
        (Packing::Plain, plain.concat().into_bytes()),
        (Packing::Zstd, [skippable(0xd, dictionary.as_bytes()), with_dictionary.concat()].concat()),
        (Packing::Zstd, [skippable(0xd, &zstd_frame(&dictionary, b"")), with_dictionary.concat()].concat()),
        (
            Packing::Lz4,
            [lz4_frame(&plain[0]), skippable(3, b"nothing"), lz4_frame(&plain[1..].concat())].concat(),
        ),
    ];
    for (place, (packing, file)) in files.iter().enumerate() {
        assert_eq!(WarcReader::new(Cursor::new(file.clone())).unwrap().packing(), *packing);
        let (texts, offsets, problems) = blocks(file);
        assert!(texts == ["one", long.as_str(), "three"], "file {place}");
        // The last file has two records in its second frame, which is told.
        assert_eq!(problems, usize::from(place == 6), "file {place}");
        if place < 6 {
            for (offset, text) in offsets.iter().zip(&texts) {
                let mut reader = WarcReader::at(Cursor::new(file.clone()), *offset).unwrap();
                assert_eq!(reader.next().unwrap().unwrap().block, text.as_bytes());
            }
        }
    }
}

#[test]
fn a_whole_archive_in_one_member_is_read_and_told() {
    let plain = [record("request", "one"), record("response", "two"), record("metadata", "three")].concat();
    for file in [member(&plain), zstd_frame(&plain, b""), lz4_frame(&plain)] {
        assert_eq!(blocks(&file), (vec!["one".into(), "two".into(), "three".into()], vec![0; 3], 1));
    }
}

#[test]
fn members_that_do_not_end_with_records_are_read_as_one() {
    let plain = [record("request", "one"), record("response", &"two ".repeat(50))].concat();
    let (front, back) = plain.split_at(plain.len() - 100);
    let file = [member(front), member(back)].concat();
    assert_eq!(blocks(&file).0, ["one".to_owned(), "two ".repeat(50)]);
}

#[test]
fn members_may_have_names_and_extra_fields() {
    let mut encoder = flate2::GzBuilder::new()
        .extra(vec![b's', b'l', 8, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        .filename("x.warc")
        .comment("made by hand")
        .write(Vec::new(), flate2::Compression::fast());
    encoder.write_all(record("response", "two").as_bytes()).unwrap();
    let file = [member(&record("request", "one")), encoder.finish().unwrap()].concat();
    assert_eq!(
        blocks(&file),
        (vec!["one".into(), "two".into()], vec![0, member(&record("request", "one")).len() as u64], 0)
    );
}

#[test]
fn a_bomb_stops_at_the_limit_and_the_next_record_is_read() {
    let bomb = record("response", &"0".repeat(3 << 20));
    let limits = ReadLimits { member_bytes_max: 1 << 20, block_bytes_max: 1 << 16, ..ReadLimits::default() };
    for pack in [member, lz4_frame, |p: &str| zstd_frame(p, b"")] {
        let file = [pack(&bomb), pack(&record("metadata", "good"))].concat();
        let items: Vec<_> = WarcReader::with_limits(Cursor::new(file), 0, limits).unwrap().collect();
        let records: Vec<&WarcRecord> = items.iter().filter_map(|item| item.as_ref().ok()).collect();
        assert_eq!(records.iter().map(|r| r.kind()).collect::<Vec<_>>(), ["response", "metadata"]);
        assert!(records[0].cut_short && records[0].block.len() == 1 << 16);
        assert!(
            records[0].problems.iter().any(|p| p.contains("more than the limit")),
            "{:?}",
            records[0].problems
        );
    }
    let plain = [bomb, record("metadata", "good")].concat();
    let records: Vec<WarcRecord> =
        WarcReader::with_limits(Cursor::new(plain), 0, limits).unwrap().map(Result::unwrap).collect();
    assert_eq!(
        (records[0].block.len(), records[0].cut_short, records[0].problems.len()),
        (1 << 16, false, 1)
    );
    assert_eq!(records[1].kind(), "metadata");
}

#[test]
fn a_block_without_a_length_is_kept_up_to_the_limit_and_no_further() {
    let file = format!("WARC/1.0\r\nWARC-Type: response\r\n\r\n{}", "x".repeat(200));
    for block_bytes_max in [0, 1, 150, 190, 199, 200, 300] {
        let limits = ReadLimits { block_bytes_max, ..ReadLimits::default() };
        for bytes in [file.clone().into_bytes(), member(&file)] {
            let record =
                WarcReader::with_limits(Cursor::new(bytes), 0, limits).unwrap().next().unwrap().unwrap();
            assert_eq!(record.block.len() as u64, block_bytes_max.min(200));
        }
    }
}
