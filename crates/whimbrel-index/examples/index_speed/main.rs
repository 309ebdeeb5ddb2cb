//! Measures the index on real pages: `cargo run --release -p whimbrel-index --example index_speed -- DIR [QUERIES]`.
//! DIR holds HTML files (tags are stripped crudely). Prints pages per second, CPU per page, index bytes per text byte
//! and query times; and, as a bound, tantivy alone with exact words, and with stems in the same or in a second field.

mod bare;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use whimbrel_index::{INDEX_MEMORY_BYTES_DEFAULT, IndexDocument, IndexWriter, Rank, SearchRequest, Searcher};
use whimbrel_types::{CanonicalUrl, PageContent, Timestamp, UrlKey};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let dir = PathBuf::from(arguments.next().expect("usage: index_speed DIR [QUERIES]"));
    let queries: usize = arguments.next().map_or(200, |text| text.parse().expect("a number of queries"));
    let mut files = Vec::new();
    collect_files(&dir, &mut files);
    files.sort();
    let pages: Vec<(CanonicalUrl, PageContent)> =
        files.iter().filter_map(|file| read_page(&dir, file)).collect();
    let text_bytes: usize = pages.iter().map(|(_, page)| page.text.len()).sum();
    println!("{} pages, {:.1} MB of text", pages.len(), text_bytes as f64 / 1e6);

    let temp = tempfile::tempdir().expect("a temporary directory");
    for variant in bare::Variant::ALL {
        let texts: Vec<&str> = pages.iter().map(|(_, page)| page.text.as_str()).collect();
        let at = temp.path().join(format!("{variant:?}"));
        std::fs::create_dir(&at).expect("a directory");
        let (wall, cpu) = timed(|| bare::index(&at, variant, &texts));
        report(&format!("tantivy, body only, {variant:?}"), pages.len(), wall, cpu, size_of(&at), text_bytes);
    }
    let at = temp.path().join("whimbrel");
    let (wall, cpu) = timed(|| index_pages(&at, &pages));
    report("whimbrel, all fields", pages.len(), wall, cpu, size_of(&at), text_bytes);
    query_times(&at, &pages, queries);
}

fn index_pages(at: &Path, pages: &[(CanonicalUrl, PageContent)]) {
    let mut writer = IndexWriter::open(at, INDEX_MEMORY_BYTES_DEFAULT).expect("a writer");
    for (sequence, (url, content)) in pages.iter().enumerate() {
        let document = IndexDocument {
            key: url.key(),
            url: url.as_str(),
            content,
            anchors: &[],
            fetched_at: Timestamp(1),
            modified: None,
        };
        writer.update(sequence as u64 + 1, &document).expect("an update");
    }
    writer.commit(pages.len() as u64).expect("a commit");
    writer.close().expect("a close");
}

/// Makes a query of two words.
type MakeQuery = fn(&str, &str) -> String;

fn query_times(at: &Path, pages: &[(CanonicalUrl, PageContent)], queries: usize) {
    let searcher = Searcher::open(at).expect("a searcher");
    let contents: std::collections::BTreeMap<UrlKey, &PageContent> =
        pages.iter().map(|(url, content)| (url.key(), content)).collect();
    let words: Vec<&str> = pages
        .iter()
        .flat_map(|(_, page)| page.text.split_whitespace().step_by(97))
        .filter(|word| word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic()))
        .collect();
    let pick = |index: usize| words[(index * 7919) % words.len()];
    let kinds: [(&str, MakeQuery); 4] = [
        ("two words", |a, b| format!("{a} {b}")),
        ("AND", |a, b| format!("{a} AND {b}")),
        ("phrase", |a, b| format!("\"{a} {b}\"")),
        ("one word", |a, _| a.to_owned()),
    ];
    for (name, make) in kinds {
        for with_snippets in [false, true] {
            let mut times = Vec::new();
            let (mut hits, mut marked) = (0, 0);
            for round in 0..2 {
                times.clear();
                for index in 0..queries {
                    let request = SearchRequest {
                        rank: Rank::Blend,
                        ..SearchRequest::new(make(pick(index), pick(index + 1)), Timestamp(2))
                    };
                    let content = |key: &UrlKey| {
                        with_snippets.then(|| contents.get(key).map(|content| (*content).clone())).flatten()
                    };
                    let start = Instant::now();
                    let response = searcher.search(&request, &|_| 1.0, &content).expect("a search");
                    times.push(start.elapsed());
                    if round == 1 {
                        hits += response.hits.len();
                        marked +=
                            response.hits.iter().filter(|hit| !hit.snippet.highlights.is_empty()).count();
                    }
                }
            }
            times.sort();
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_micros();
            println!(
                "{name}, snippets {with_snippets}: p50 {} µs, p95 {} µs, p99 {} µs; {marked} of {hits} hits marked",
                at(0.5),
                at(0.95),
                at(0.99)
            );
        }
    }
}

fn report(name: &str, pages: usize, wall: Duration, cpu: Duration, bytes: u64, text_bytes: usize) {
    println!(
        "{name}: {:.0} pages/s, {:.3} CPU ms/page, {:.1} MB text/CPU s, index {:.1} MB = {:.1} % of the text",
        pages as f64 / wall.as_secs_f64(),
        cpu.as_secs_f64() * 1e3 / pages as f64,
        text_bytes as f64 / 1e6 / cpu.as_secs_f64(),
        bytes as f64 / 1e6,
        bytes as f64 * 100.0 / text_bytes as f64,
    );
}

fn timed(work: impl FnOnce()) -> (Duration, Duration) {
    let (start, cpu) = (Instant::now(), cpu_time());
    work();
    (start.elapsed(), cpu_time() - cpu)
}

/// User and system time of the process, from `/proc` (ticks of 10 ms).
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 =
        after_name.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn size_of(dir: &Path) -> u64 {
    std::fs::read_dir(dir)
        .map_or(0, |files| files.flatten().filter_map(|file| file.metadata().ok()).map(|m| m.len()).sum())
}

fn collect_files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect_files(&path, out),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|extension| extension == "html") => {
                out.push(path)
            }
            _ => {}
        }
    }
}

fn read_page(root: &Path, file: &Path) -> Option<(CanonicalUrl, PageContent)> {
    let html = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
    let path = file.strip_prefix(root).ok()?.to_str()?.to_owned();
    let url = CanonicalUrl::from_canonical(&format!("https://docs.example.org/{path}"))?;
    let title = html.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let content = PageContent {
        title: title.map(|(title, _)| title.trim().to_owned()).unwrap_or_default(),
        language: Some("en".to_owned()),
        text: strip_tags(&html),
        ..PageContent::default()
    };
    Some((url, content))
}

fn strip_tags(html: &str) -> String {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let mut out = String::with_capacity(body.len() / 3);
    let mut rest = body.split_once('>').map_or("", |(_, rest)| rest);
    while let Some((text, tail)) = rest.split_once('<') {
        out.push_str(text);
        let skipped = if tail.starts_with("script") {
            "</script>"
        } else if tail.starts_with("style") {
            "</style>"
        } else {
            ">"
        };
        rest = tail.split_once(skipped).map_or("", |(_, rest)| rest);
        out.push(' ');
    }
    out.push_str(rest);
    out.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
