//! How fast pages are committed: `cargo run --release -p whimbrel-store --example commit_speed [PAGES] [DIRECTORY]`.
//! Synthetic pages of 30 kB with 86 links, each with the writes a crawl makes for it. Prints pages per second, CPU time
//! per page of the worker part (making WARC records) and of the whole process, and the sizes on disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use whimbrel_store::warc::{CaptureInput, encode_capture};
use whimbrel_store::{Store, StoreOptions};
use whimbrel_types::*;

const LINKS: u64 = 86;
const BODY_BYTES: usize = 30_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let pages: u64 = arguments.next().map_or(Ok(5_000), |text| text.parse())?;
    let scratch = tempfile_directory(arguments.next())?;
    let (store, _) = Store::open(&scratch, StoreOptions::default())?;

    let started = Instant::now();
    let cpu_before = cpu_time();
    let (mut making, mut submitting) = (Duration::ZERO, Duration::ZERO);
    let committed = Arc::new(AtomicU64::new(0));
    for n in 0..pages {
        let before = thread_cpu_time();
        let batch = page_batch(n, pages);
        making += thread_cpu_time() - before;
        let before = thread_cpu_time();
        // As intake does: one look-up of all link targets per report.
        let keys: Vec<UrlKey> = (0..LINKS).map(|link| target(n, link, pages).key()).collect();
        let known = store.urls(&keys)?;
        assert_eq!(known.len(), keys.len());
        let committed = committed.clone();
        store.submit(
            batch,
            Box::new(move |result| {
                result.expect("the disk has room");
                committed.fetch_add(1, Ordering::Relaxed);
            }),
        );
        submitting += thread_cpu_time() - before;
    }
    store.flush()?;
    let wall = started.elapsed();
    let cpu = cpu_time() - cpu_before;
    assert_eq!(committed.load(Ordering::Relaxed), pages);
    let stats = store.stats();
    let closing = Instant::now();
    store.close()?;
    let closing = closing.elapsed();
    let opening = Instant::now();
    drop(Store::open(&scratch, StoreOptions::default())?);
    let per_page = |time: Duration| time.as_secs_f64() * 1000.0 / pages as f64;
    println!("pages/s            {:.0}", pages as f64 / wall.as_secs_f64());
    println!("CPU ms/page        {:.3} in all", per_page(cpu));
    println!(
        "  making           {:.3} (body, keys, hashes, WARC records: a worker's part)",
        per_page(making)
    );
    println!("  submitting       {:.3} (look-up of the links, overlay: intake's part)", per_page(submitting));
    println!("  committing       {:.3} (writer, flushes, compaction)", per_page(cpu - making - submitting));
    println!("WARC bytes/page    {} (body {BODY_BYTES})", stats.warc_bytes / pages);
    println!("close, open and close again: {closing:.2?}, {:.2?}", opening.elapsed());
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}

fn page_url(n: u64) -> CanonicalUrl {
    CanonicalUrl::from_canonical(&format!("http://site{}.test/docs/page-{n}.html", n % 5))
        .expect("it is canonical")
}

/// Most links are the same on every page, some are near, a few are new.
fn target(n: u64, link: u64, pages: u64) -> CanonicalUrl {
    match link {
        0..60 => page_url(link),
        60..80 => page_url((n + link) % pages),
        _ => page_url(pages + n * 6 + link),
    }
}

fn page_batch(n: u64, pages: u64) -> Batch {
    let url = page_url(n);
    let body = body(n);
    let at = Timestamp(1_790_000_000_000 + n * 10);
    let request =
        format!("GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: whimbrel\r\n\r\n", url.path(), url.host());
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let capture = encode_capture(&CaptureInput {
        url: &url,
        at,
        ip: Some([127, 0, 0, 1].into()),
        request_head: request.as_bytes(),
        response_head: head.as_bytes(),
        wire_body: &body,
        content_encoding: None,
        truncated: None,
    });
    let hash = ContentHash::of(&body);
    let version = PageVersion {
        url: url.clone(),
        sequence: 0,
        fetched_at: at,
        status: 200,
        content_type: "text/html; charset=utf-8".into(),
        content_hash: hash,
        body_bytes: body.len() as u64,
        wire_bytes: body.len() as u64,
        truncated: false,
        response: WarcPointer { file: 0, offset: 0, length: 0 },
        last_modified: None,
    };
    let links: Vec<Link> = (0..LINKS).map(|link| link_to(target(n, link, pages))).collect();
    let mut writes = vec![
        Write::Dequeue { site: url.site().key(), place: QueuePlace { class: 0, sequence: n } },
        Write::SetDue { key: url.key(), at: at.plus_ms(HOUR_MS) },
        Write::ClaimDigest { hash, owner: url.key() },
        Write::Index { key: url.key(), op: IndexOp::Update },
        Write::Count { name: "pages".into(), by: 1 },
    ];
    for (place, link) in links.iter().enumerate() {
        let anchor = Anchor { text: link.text.clone(), from: url.key(), weight: link.weight() };
        writes.push(Write::PutAnchor { target: link.target.key(), anchor });
        let record = UrlRecord::admitted(link.target.clone(), UrlState::Known, 2, at);
        writes.push(Write::PutUrl(Box::new(record)));
        if place as u64 >= 80 {
            let place = QueuePlace { class: 1, sequence: pages + n * 6 + place as u64 };
            writes.push(Write::Enqueue { place, key: link.target.key() });
        }
    }
    let mut record = UrlRecord::admitted(url.clone(), UrlState::Known, 1, at);
    record.content_hash = Some(hash);
    record.outcome = Some(FetchOutcome::Fetched);
    record.versions = 1;
    writes.push(Write::PutUrl(Box::new(record)));
    let text: String = String::from_utf8_lossy(&body[..9_000]).into_owned();
    let content =
        PageContent { title: format!("Page {n}"), text, links, word_count: 1_500, ..PageContent::default() };
    writes.push(Write::PutPage(Box::new(NewPage { version, content, capture })));
    Batch { report: Some(u128::from(n + 1).to_be_bytes()), writes }
}

fn link_to(target: CanonicalUrl) -> Link {
    let text = format!("The page at {}", target.path());
    Link {
        target,
        text,
        kind: LinkKind::Anchor,
        rel: LinkRel::default(),
        visibility: 1,
        position: 2,
        distance: 1,
        in_navigation: false,
    }
}

/// Words of a made-up language, so that it packs about as well as text does.
fn body(n: u64) -> Vec<u8> {
    const SYLLABLES: [&str; 16] = [
        "ka", "lo", "mi", "ren", "sta", "vo", "per", "ti", "gu", "ne", "shi", "ra", "dol", "fe", "ban", "ou",
    ];
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut out = Vec::with_capacity(BODY_BYTES + 64);
    while out.len() < BODY_BYTES {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = (state >> 33) % 1_500;
        out.extend_from_slice(b"<span class=\"word\">");
        for place in [word % 16, word / 16 % 16, word / 256] {
            out.extend_from_slice(SYLLABLES[place as usize % 16].as_bytes());
        }
        out.extend_from_slice(b"</span> ");
    }
    out.truncate(BODY_BYTES);
    out
}

fn tempfile_directory(given: Option<String>) -> std::io::Result<std::path::PathBuf> {
    let parent = given.map_or_else(std::env::temp_dir, Into::into);
    let dir = parent.join(format!("whimbrel-commit-speed-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    Ok(dir)
}

/// CPU time of all threads of this process.
fn cpu_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    threads.map(|task| time_on_cpu(&task.path().join("schedstat"))).sum()
}

/// CPU time of this thread.
fn thread_cpu_time() -> Duration {
    time_on_cpu(std::path::Path::new("/proc/thread-self/schedstat"))
}

fn time_on_cpu(schedstat: &std::path::Path) -> Duration {
    let stat = std::fs::read_to_string(schedstat).unwrap_or_default();
    Duration::from_nanos(stat.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0))
}
