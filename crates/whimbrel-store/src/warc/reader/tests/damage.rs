//! Records of our own writer, damaged in many ways: what was not hit is read, and what was hit is named.

use super::*;
use crate::sample::{capture, url};

/// Six members: request and response of three visits.
fn members() -> Vec<Vec<u8>> {
    (0..3u64)
        .flat_map(|second| {
            let body = format!("<p>page {second} {}", "lorem ipsum ".repeat(40 * second as usize));
            let capture = capture(&url(&format!("/{second}")), second, body.as_bytes(), None);
            [capture.request, capture.response]
        })
        .collect()
}

fn unpacked(members: &[Vec<u8>]) -> Vec<String> {
    let unpack = |member: &Vec<u8>| {
        let mut plain = String::new();
        flate2::read::GzDecoder::new(&member[..]).read_to_string(&mut plain).unwrap();
        plain
    };
    members.iter().map(unpack).collect()
}

/// Ids of the records that are whole, and all that was said about the others with its place.
fn read_ids(bytes: Vec<u8>) -> (Vec<String>, Vec<(u64, String)>) {
    let limits = ReadLimits { check_digests: true, ..ReadLimits::default() };
    let mut ids = Vec::new();
    let mut problems = Vec::new();
    for item in WarcReader::with_limits(Cursor::new(bytes), 0, limits).unwrap().take(10_000) {
        match item {
            Ok(record) if record.problems.is_empty() => {
                ids.push(record.header("WARC-Record-ID").unwrap_or("").to_owned());
            }
            Ok(record) => problems.extend(record.problems.iter().map(|what| (record.offset, what.clone()))),
            Err(bad) => problems.push((bad.offset, bad.what)),
        }
    }
    (ids, problems)
}

#[test]
fn one_damaged_byte_costs_one_member() {
    let members = members();
    let file = members.concat();
    let (all, problems) = read_ids(file.clone());
    assert_eq!((all.len(), problems), (6, vec![]));
    for (step, place) in (0..file.len()).step_by(7).enumerate() {
        let mut broken = file.clone();
        broken[place] ^= 1 << (step % 8);
        let mut end = 0;
        let hit = members.iter().position(|member| {
            end += member.len();
            place < end
        });
        let (ids, problems) = read_ids(broken);
        let others: Vec<&String> =
            all.iter().enumerate().filter(|(number, _)| Some(*number) != hit).map(|(_, id)| id).collect();
        assert!(others.iter().all(|id| ids.contains(id)), "byte {place}: {ids:?} {problems:?}");
        // Some bits of gzip say nothing about the record, whose digests are right then.
        assert!(ids == all || !problems.is_empty(), "byte {place} was not noticed");
    }
}

#[test]
fn a_file_cut_anywhere_gives_the_records_before_the_cut() {
    let members = members();
    let plain = unpacked(&members);
    for (pieces, step) in [(members.clone(), 11), (plain.into_iter().map(String::into_bytes).collect(), 37)] {
        let file = pieces.concat();
        let (all, _) = read_ids(file.clone());
        for cut in (0..file.len()).step_by(step) {
            let mut end = 0;
            let whole = pieces
                .iter()
                .take_while(|piece| {
                    end += piece.len();
                    end <= cut
                })
                .count();
            let (ids, problems) = read_ids(file[..cut].to_vec());
            assert!(ids.len() >= whole && ids[..whole] == all[..whole], "cut at {cut}");
            assert!(ids.len() <= whole + 1);
            let at = pieces[..whole].concat().len();
            let missing_only_newlines = ids.len() > whole;
            assert!(
                cut == at || missing_only_newlines || !problems.is_empty(),
                "cut at {cut} was not noticed"
            );
        }
    }
}

#[test]
fn wrong_lengths_lose_no_other_record() {
    let plain = unpacked(&members());
    for (number, text) in plain.iter().enumerate() {
        let (front, rest) = text.split_once("Content-Length: ").unwrap();
        let (length, back) = rest.split_once("\r\n").unwrap();
        let length: i64 = length.parse().unwrap();
        for wrong in [-length, -20, -1, 1, 3, 30, 500, 1_000_000, i64::MAX - length] {
            let mut pieces = plain.clone();
            pieces[number] = format!("{front}Content-Length: {}\r\n{back}", length + wrong);
            let (all, _) = read_ids(plain.concat().into_bytes());
            let (ids, problems) = read_ids(pieces.concat().into_bytes());
            let others: Vec<&String> =
                all.iter().enumerate().filter(|(place, _)| *place != number).map(|(_, id)| id).collect();
            // Four bytes more are only the empty lines behind the block.
            let missing: Vec<_> = others.iter().filter(|id| !ids.contains(id)).collect();
            assert!(missing.is_empty(), "record {number}, length {wrong:+}: {missing:?} {problems:?}");
            assert!(!problems.is_empty(), "record {number}, length {wrong:+} was not noticed");
        }
    }
}

#[test]
fn wrong_digests_are_named() {
    let plain = unpacked(&members()).concat();
    let (_, problems) = read_ids(plain.replace("page 1", "cage 1").into_bytes());
    let what: Vec<&str> = problems.iter().map(|(_, what)| what.as_str()).collect();
    assert_eq!(
        what,
        ["WARC-Block-Digest is not that of the block", "WARC-Payload-Digest is not that of the payload"]
    );
    let offset = plain.find("page 1").unwrap() as u64;
    assert!(problems[0].0 < offset && problems[0].0 + 2000 > offset);
}

#[test]
fn payload_digests_are_of_the_body_or_of_what_its_chunks_hold() {
    let raw = "sha1:NY3QYLJZLCZG7LDBFKPYBNMQ2JUQFVDS"; // of nothing here
    for (body, label, right) in [
        ("hello", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", true),
        ("hello", "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", true),
        ("hello", "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", true),
        ("hello", "md5:whatever", true),
        ("hello", raw, false),
        ("5\r\nhello\r\n0\r\n\r\n", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", true),
    ] {
        let block = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
        let file = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n\
             WARC-Payload-Digest: {label}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        assert_eq!(read_ids(file.into_bytes()).1.is_empty(), right, "{label}");
    }
}

#[test]
fn hostile_files_cost_linear_time() {
    // Each record says that it reaches to the end of the file, each member that another one begins within it.
    let mut nested = String::new();
    for number in 0..5000 {
        nested.push_str(&format!("WARC/1.0\r\nWARC-Type: {number}\r\nContent-Length: 200000\r\n\r\n"));
    }
    let magic = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 0, 0xff, 0xff, 0, 0].repeat(5000);
    let feeds = [
        b"\n".repeat(1 << 18),
        b"WARC/1.0\n".repeat(10_000),
        b"WARC/1.0\nx: ".to_vec(),
        b"y".repeat(1 << 20),
    ];
    let arc = "http://a.test/ 1.2.3.4 20140216050221 text/html 99999\n".repeat(5000);
    for bytes in [nested.into_bytes(), magic, feeds.concat(), arc.into_bytes()] {
        let bytes_max = bytes.len();
        let mut kept = 0;
        for item in WarcReader::new(Cursor::new(bytes)).unwrap().take(300_000) {
            kept += item.map_or(0, |record| record.block.len());
        }
        assert!(kept <= bytes_max * 8, "{kept} of {bytes_max}");
    }
}
