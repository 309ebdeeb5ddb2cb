//! Bodies come back byte for byte, and the WARC files say only what is true.

use crate::sample::{
    self, at, capture, gzip, new_page, open, page_batch, record, revisit_batch, url, warc_records,
};
use crate::warc::{CaptureInput, PROFILE_IDENTICAL, PROFILE_NOT_MODIFIED, encode_capture};
use crate::{Store, StoreOptions};
use whimbrel_types::*;

/// "whimbrel whimbrel whimbrel", compressed by a brotli encoder.
const BROTLI: [u8; 22] = [
    0x1b, 0x19, 0x00, 0xf8, 0xc5, 0x6d, 0x6c, 0x5d, 0xf7, 0x16, 0x04, 0x05, 0x3d, 0x9d, 0x42, 0x9f, 0x60,
    0xe0, 0xef, 0x8c, 0xa7, 0x02,
];

fn store_body(store: &Store, path: &str, wire: &[u8], coding: Option<&str>) -> crate::StoredResponse {
    let page = url(path);
    let new = new_page(&page, 1, b"text", capture(&page, 1, wire, coding));
    let writes = vec![Write::PutUrl(Box::new(record(&page, b"text"))), Write::PutPage(Box::new(new))];
    store.commit(Batch { report: None, writes }).unwrap();
    let version = store.page(&page.key()).unwrap().unwrap();
    store.response(&version.response).unwrap()
}

#[test]
fn bodies_come_back_byte_for_byte_in_every_coding() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let html = b"<p>some html</p>".repeat(9000);
    let binary: Vec<u8> = (0..=255u8).cycle().take(70_000).collect();
    let zstd = zstd::bulk::compress(&html, 1).unwrap();
    type Case<'a> = (&'a str, Vec<u8>, Option<&'a str>, &'a [u8]);
    let table: [Case; 7] = [
        ("/plain", html.clone(), None, &html),
        ("/gzip", gzip(&html), Some("gzip"), &html),
        ("/zstd", zstd, Some("zstd"), &html),
        ("/br", BROTLI.to_vec(), Some("br"), b"whimbrel whimbrel whimbrel"),
        ("/empty", Vec::new(), None, b""),
        ("/empty-gzip", Vec::new(), Some("gzip"), b""),
        ("/binary", binary.clone(), None, &binary),
    ];
    for (path, wire, coding, decoded) in table {
        let response = store_body(&store, path, &wire, coding);
        assert_eq!(response.body_wire, wire, "{path}");
        assert_eq!(response.body_decoded(usize::MAX).unwrap(), decoded, "{path}");
        assert_eq!(response.body_decoded(5).unwrap(), &decoded[..decoded.len().min(5)], "{path}");
    }
    let records = warc_records(&store);
    assert_eq!(records.iter().filter(|record| record.kind() == "response").count(), 7);
}

#[test]
fn a_cut_body_is_marked_and_what_there_is_of_it_decodes() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let html = b"<p>a long page</p>".repeat(5000);
    let wire = gzip(&html);
    let cut = &wire[..wire.len() / 2];
    let page = url("/cut");
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
    let capture = encode_capture(&CaptureInput {
        url: &page,
        at: at(1),
        ip: None,
        request_head: b"GET /cut HTTP/1.1\r\n\r\n",
        response_head: head,
        wire_body: cut,
        content_encoding: Some("gzip"),
        truncated: Some("length"),
    });
    assert!(capture.truncated);
    let new = new_page(&page, 1, b"text", capture);
    store.commit(Batch { report: None, writes: vec![Write::PutPage(Box::new(new))] }).unwrap();
    let response = store.response(&store.page(&page.key()).unwrap().unwrap().response).unwrap();
    assert_eq!((response.body_wire.as_slice(), response.truncated.as_deref()), (cut, Some("length")));
    assert!(html.starts_with(&response.body_decoded(usize::MAX).unwrap()));
    let head = String::from_utf8(response.head).unwrap();
    assert!(head.contains("\r\nX-Whimbrel-Transfer-Encoding: chunked\r\n"), "{head}");
}

#[test]
fn every_visit_has_request_response_and_metadata_that_know_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.commit(page_batch(&url("/a"), 1, b"a")).unwrap();
    let sequence = store.commit(page_batch(&url("/b"), 2, b"b")).unwrap().sequence;
    let records = warc_records(&store);
    let kinds: Vec<&str> = records.iter().map(|record| record.kind()).collect();
    assert_eq!(kinds, ["warcinfo", "request", "response", "metadata", "request", "response", "metadata"]);
    let response = records[5].header("WARC-Record-ID");
    assert_eq!(records[4].header("WARC-Concurrent-To"), response);
    assert_eq!(records[6].header("WARC-Concurrent-To"), response);
    let number = |name| records[6].block_field(name).and_then(|value| value.parse::<u64>().ok());
    assert_eq!((number("sequence"), number("committed")), (Some(sequence), Some(sequence - 1)));
    assert_eq!(records[6].block_field("outcome"), Some("fetched"));
    assert_eq!(records[0].block_field("operator"), Some("somebody"));
    assert!(records.iter().all(|record| record.version == "WARC/1.1" && !record.cut_short));
}

#[test]
fn copies_become_revisits_that_name_the_original() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.commit(page_batch(&url("/original"), 1, b"same")).unwrap();
    store.commit(revisit_batch(&url("/copy"), 2, b"same", &url("/original"), false)).unwrap();
    store.commit(revisit_batch(&url("/original"), 3, b"", &url("/original"), true)).unwrap();
    assert_eq!(store.aliases(&url("/original").key()).unwrap().len(), 2);
    let records = warc_records(&store);
    let revisits: Vec<_> = records.iter().filter(|record| record.kind() == "revisit").collect();
    assert_eq!(revisits.len(), 2);
    assert_eq!(revisits[0].target(), Some("http://a.test/copy"));
    assert_eq!(revisits[0].header("WARC-Profile"), Some(PROFILE_IDENTICAL));
    assert_eq!(revisits[0].header("WARC-Refers-To-Target-URI"), Some("http://a.test/original"));
    assert_eq!(revisits[0].header("WARC-Refers-To-Date"), Some(at(1).to_string().as_str()));
    assert!(revisits[0].block.ends_with(b"\r\n\r\n"), "the head and no body");
    assert_eq!(revisits[1].header("WARC-Profile"), Some(PROFILE_NOT_MODIFIED));
    assert_eq!(records.iter().filter(|record| record.kind() == "response").count(), 1);
}

#[test]
fn a_copy_that_came_in_another_coding_keeps_its_own_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.commit(page_batch(&url("/original"), 1, b"same")).unwrap();
    let copy = url("/copy");
    let capture = capture(&copy, 2, &gzip(b"same"), Some("gzip"));
    let revisit =
        RevisitCapture { url: copy.clone(), capture, refers_to: url("/original").key(), not_modified: false };
    store.commit(Batch { report: None, writes: vec![Write::PutRevisit(Box::new(revisit))] }).unwrap();
    let records = warc_records(&store);
    assert_eq!(records.iter().filter(|record| record.kind() == "revisit").count(), 0);
    assert_eq!(records.iter().filter(|record| record.kind() == "response").count(), 2);
}

#[test]
fn a_full_file_is_followed_by_the_next_and_all_pointers_hold() {
    let dir = tempfile::tempdir().unwrap();
    let options = || StoreOptions { warc_file_bytes_max: 4000, ..sample::options() };
    let body = |n: u64| -> Vec<u8> { (0..1500u64).map(|i| (i * i * (n + 7) % 251) as u8).collect() };
    let (store, _) = Store::open(dir.path(), options()).unwrap();
    for n in 0..8 {
        store.submit(
            page_batch(&url(&format!("/{n}")), n, &body(n)),
            Box::new(|result| assert!(result.is_ok())),
        );
    }
    store.close().unwrap();
    let (store, report) = Store::open(dir.path(), options()).unwrap();
    assert_eq!((report.warc_cut_bytes, report.warnings().len()), (0, 0));
    store.commit(page_batch(&url("/8"), 8, &body(8))).unwrap();
    assert!(store.warc_files().len() >= 3, "{:?}", store.warc_files());
    for n in 0..9 {
        let version = store.page(&url(&format!("/{n}")).key()).unwrap().unwrap();
        assert_eq!(store.response(&version.response).unwrap().body_wire, body(n));
    }
    for (_, path) in store.warc_files() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(name.starts_with("whimbrel-2") && name.ends_with(".warc.gz"), "{name}");
        let mut reader = crate::warc::WarcReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let first = reader.next().unwrap().unwrap();
        assert_eq!((first.kind(), first.header("WARC-Filename")), ("warcinfo", Some(name.as_str())));
    }
}

#[test]
fn a_pointer_to_nothing_is_an_error_that_names_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.commit(page_batch(&url("/a"), 1, b"a")).unwrap();
    for pointer in [
        WarcPointer { file: 9, offset: 0, length: 10 },
        WarcPointer { file: 1, offset: 1 << 40, length: 10 },
        WarcPointer { file: 1, offset: 3, length: 20 },
    ] {
        let message = store.response(&pointer).unwrap_err().to_string();
        assert!(message.contains(&format!("file {}", pointer.file)), "{message}");
    }
}
