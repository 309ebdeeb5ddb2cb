//! Made-up sites, pages and batches for the tests.

use crate::options::StoreOptions;
use crate::store::Store;
use crate::warc::{CaptureInput, encode_capture};
use std::io::Write as _;
use std::path::Path;
use whimbrel_types::*;

pub(crate) fn url(path: &str) -> CanonicalUrl {
    CanonicalUrl::from_canonical(&format!("http://a.test{path}")).unwrap()
}

pub(crate) fn at(second: u64) -> Timestamp {
    Timestamp(1_790_000_000_000 + second * 1000)
}

pub(crate) fn options() -> StoreOptions {
    StoreOptions {
        disk_free_bytes_min: 0,
        database_threads: 1,
        cache_bytes: 1 << 20,
        warc_info: vec![("software".into(), "whimbrel/test".into()), ("operator".into(), "somebody".into())],
        ..StoreOptions::default()
    }
}

pub(crate) fn open(dir: &Path) -> Store {
    Store::open(dir, options()).unwrap().0
}

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn capture(
    url: &CanonicalUrl,
    second: u64,
    wire_body: &[u8],
    content_encoding: Option<&str>,
) -> Capture {
    let mut head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n", wire_body.len());
    if let Some(coding) = content_encoding {
        head.push_str(&format!("Content-Encoding: {coding}\r\n"));
    }
    head.push_str("\r\n");
    let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", url.path_and_query(), url.host());
    encode_capture(&CaptureInput {
        url,
        at: at(second),
        ip: Some([127, 0, 0, 1].into()),
        request_head: request.as_bytes(),
        response_head: head.as_bytes(),
        wire_body,
        content_encoding,
        truncated: None,
    })
}

pub(crate) fn record(url: &CanonicalUrl, body: &[u8]) -> UrlRecord {
    let mut record = UrlRecord::admitted(url.clone(), UrlState::Known, 1, at(0));
    record.content_hash = Some(ContentHash::of(body));
    record.outcome = Some(FetchOutcome::Fetched);
    record.versions = 1;
    record
}

pub(crate) fn link(target: &CanonicalUrl, text: &str) -> Link {
    Link {
        target: target.clone(),
        text: text.into(),
        kind: LinkKind::Anchor,
        rel: LinkRel::default(),
        visibility: 1,
        position: 1,
        distance: 1,
        in_navigation: false,
    }
}

pub(crate) fn new_page(url: &CanonicalUrl, second: u64, body: &[u8], capture: Capture) -> NewPage {
    let content = PageContent {
        title: format!("page {}", url.path()),
        text: String::from_utf8_lossy(body).into_owned(),
        links: vec![link(&self::url("/next"), "next page")],
        word_count: 3,
        ..PageContent::default()
    };
    let version = PageVersion {
        url: url.clone(),
        sequence: 0,
        fetched_at: at(second),
        status: 200,
        content_type: "text/html".into(),
        content_hash: ContentHash::of(body),
        body_bytes: body.len() as u64,
        wire_bytes: body.len() as u64,
        truncated: false,
        response: WarcPointer { file: 0, offset: 0, length: 0 },
        last_modified: None,
    };
    NewPage { version, content, capture }
}

/// A visit that stores a page: its version, its URL row, its digest, an index task, a counter.
pub(crate) fn page_batch(url: &CanonicalUrl, second: u64, body: &[u8]) -> Batch {
    let page = new_page(url, second, body, capture(url, second, body, None));
    let writes = vec![
        Write::PutUrl(Box::new(record(url, body))),
        Write::PutPage(Box::new(page)),
        Write::ClaimDigest { hash: ContentHash::of(body), owner: url.key() },
        Write::Index { key: url.key(), op: IndexOp::Update },
        Write::Count { name: "pages".into(), by: 1 },
    ];
    Batch { report: None, writes }
}

pub(crate) fn revisit_batch(
    url: &CanonicalUrl,
    second: u64,
    body: &[u8],
    original: &CanonicalUrl,
    not_modified: bool,
) -> Batch {
    let revisit = RevisitCapture {
        url: url.clone(),
        capture: capture(url, second, body, None),
        refers_to: original.key(),
        not_modified,
    };
    let writes = vec![
        Write::PutUrl(Box::new(UrlRecord { versions: 0, ..record(url, body) })),
        Write::PutRevisit(Box::new(revisit)),
        Write::AddAlias { representative: original.key(), alias: url.key() },
    ];
    Batch { report: None, writes }
}

/// A copy of a directory as it was at one moment: a crash never mixes two states, so neither may a copy that is made
/// while the database tidies up in the background.
pub(crate) fn copy_directory(from: &Path, to: &Path) {
    for _ in 0..200 {
        let before = listing(from);
        let whole = copy_once(from, to).is_ok();
        if whole && listing(from) == before {
            return;
        }
        std::fs::remove_dir_all(to).unwrap();
    }
    panic!("{} never stands still", from.display());
}

/// Names, sizes and times of all files.
fn listing(dir: &Path) -> Vec<(std::path::PathBuf, u64, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(data) if data.is_dir() => found.extend(listing(&entry.path())),
            Ok(data) => found.push((entry.path(), data.len(), data.modified().unwrap())),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

fn copy_once(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy_once(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Records of all WARC files, all of them readable.
pub(crate) fn warc_records(store: &Store) -> Vec<crate::warc::WarcRecord> {
    let files = store.warc_files();
    let open = |path| crate::warc::WarcReader::new(std::fs::File::open(path).unwrap()).unwrap();
    files.into_iter().flat_map(|(_, path)| open(path).map(|record| record.unwrap())).collect()
}
