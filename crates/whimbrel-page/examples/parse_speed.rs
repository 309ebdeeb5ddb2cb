//! Measures parsing in MB of HTML per CPU second over files or directories named on the command line:
//! everything (`parse`), decode and tree only, and html5ever's own tokenizer into a sink that drops everything.
//! Build with --release. Prints one line per measurement and the memory that the trees take.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use std::fs;
use std::path::{Path, PathBuf};
use whimbrel_page::{ParseInput, ParseLimits, Parsed, parse, parse_tree};

const ROUNDS: usize = 3;

fn main() -> std::io::Result<()> {
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        collect(Path::new(&argument), &mut files)?;
    }
    let pages: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<Result<_, _>>()?;
    let megabytes = pages.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB", pages.len());
    if pages.is_empty() {
        return Ok(());
    }
    let Ok(url) = whimbrel_url::normalize("http://docs.example.org/guide/page.html") else { return Ok(()) };
    let limits = ParseLimits::default();
    let whole = |body: &[u8]| -> Parsed {
        let input = ParseInput {
            url: &url,
            content_type: Some("text/html"),
            body,
            x_robots_tag: &[],
            agent: "whimbrel",
        };
        parse(&input, &limits)
    };
    measure("tree and full extraction", megabytes, &pages, |body| whole(body).content.links.len());
    measure("tree only", megabytes, &pages, |body| {
        parse_tree(&String::from_utf8_lossy(body), &limits).node_count()
    });
    measure("html5ever tokenizer, tokens dropped", megabytes, &pages, tokenize);
    let mut tree_bytes = 0;
    let (mut links, mut text) = (0, 0);
    for page in &pages {
        let parsed = whole(page);
        tree_bytes += parsed.tree.bytes();
        links += parsed.content.links.len();
        text += parsed.content.text.len();
    }
    let per_page = |sum: usize| sum / pages.len();
    println!("trees take {:.2} bytes per byte of HTML", tree_bytes as f64 / 1e6 / megabytes);
    println!("{} links and {} bytes of main text per page", per_page(links), per_page(text));
    Ok(())
}

/// The best of some rounds, by CPU time of this thread.
fn measure(name: &str, megabytes: f64, pages: &[Vec<u8>], work: impl Fn(&[u8]) -> usize) {
    let mut best = f64::MAX;
    let mut sum = 0;
    for _ in 0..ROUNDS {
        let start = cpu_seconds();
        sum = pages.iter().map(|page| work(page)).sum();
        best = best.min(cpu_seconds() - start);
    }
    println!("{name}: {:.1} MB per CPU second ({sum})", megabytes / best);
}

/// Time this process has spent on a CPU, from the kernel's scheduler.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = stat.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or_default();
    nanoseconds / 1e9
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path)?.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries.iter().filter(|entry| !entry.is_symlink()) {
            collect(entry, out)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "html" || extension == "htm") {
        out.push(path.to_owned());
    }
    Ok(())
}

struct Dropped;

impl TokenSink for Dropped {
    type Handle = ();

    fn process_token(&self, _token: Token, _line: u64) -> TokenSinkResult<()> {
        TokenSinkResult::Continue
    }
}

fn tokenize(body: &[u8]) -> usize {
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(&String::from_utf8_lossy(body)));
    let tokenizer = Tokenizer::new(Dropped, TokenizerOpts::default());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    1
}
