//! Measures what a visit costs: pages per second and CPU per page, for gzip pages over kept-alive connections on
//! loopback. The server is a process of its own, so that its CPU time is not counted.
//! Run: `cargo run --release -p whimbrel-fetch --example fetch_speed -- [PAGES] [CONNECTIONS] [BODY_BYTES]`

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;
use whimbrel_fetch::{AddressPolicy, FetchConfig, FetchRequest, Fetcher};
use whimbrel_types::CanonicalUrl;

/// Clock ticks of `/proc/self/stat` per second, the same on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    if words.first().is_some_and(|word| word == "serve") {
        let body_bytes = words.get(1).map_or(Ok(20_000), |word| word.parse())?;
        return runtime.block_on(serve(body_bytes));
    }
    let number = |index: usize, default: usize| words.get(index).map_or(Ok(default), |word| word.parse());
    let (pages, connections, body_bytes) = (number(0, 40_000)?, number(1, 8)?.max(1), number(2, 20_000)?);

    let mut server = Command::new(std::env::current_exe()?)
        .args(["serve", &body_bytes.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("the server has no output")?).read_line(&mut line)?;
    let result = runtime.block_on(measure(line.trim().parse()?, pages, connections));
    server.kill()?;
    server.wait()?;
    result
}

async fn measure(port: u16, pages: usize, connections: usize) -> Result<(), Box<dyn Error>> {
    let policy = AddressPolicy { allow: vec!["127.0.0.0/8".parse()?], ..AddressPolicy::default() };
    let fetcher = Fetcher::new(FetchConfig { address_policy: policy, ..FetchConfig::default() })?;
    let url = CanonicalUrl::from_canonical(&format!("http://127.0.0.1:{port}/page")).ok_or("no URL")?;
    visit(&fetcher, &url, 100).await?;
    let (started, cpu_before) = (Instant::now(), cpu_seconds()?);
    let mut tasks = Vec::new();
    for _ in 0..connections {
        let (fetcher, url) = (fetcher.clone(), url.clone());
        tasks.push(tokio::spawn(async move {
            visit(&fetcher, &url, pages / connections).await.map_err(|e| e.to_string())
        }));
    }
    let (mut wire, mut decoded) = (0, 0);
    for task in tasks {
        let (w, d) = task.await??;
        wire += w;
        decoded += d;
    }
    let (seconds, cpu) = (started.elapsed().as_secs_f64(), cpu_seconds()? - cpu_before);
    let done = (pages / connections * connections) as f64;
    println!(
        "{done} pages, {connections} connections, {:.1} kB wire, {:.1} kB decoded each",
        wire as f64 / done / 1e3,
        decoded as f64 / done / 1e3
    );
    println!("{:.0} pages/s, {:.3} ms CPU per page (client process alone)", done / seconds, cpu * 1e3 / done);
    Ok(())
}

async fn visit(fetcher: &Fetcher, url: &CanonicalUrl, times: usize) -> Result<(u64, u64), Box<dyn Error>> {
    let (mut wire, mut decoded) = (0, 0);
    for _ in 0..times {
        let fetched = fetcher.fetch(FetchRequest::new(url.clone())).await;
        let response = fetched.result.map_err(|(kind, detail)| format!("{kind}: {detail}"))?;
        wire += fetched.wire_bytes;
        decoded += response.body.len() as u64;
    }
    Ok((wire, decoded))
}

/// Answers everything with one gzip body of about `body_bytes` on the wire.
async fn serve(body_bytes: usize) -> Result<(), Box<dyn Error>> {
    let body = Bytes::from(gzip_page(body_bytes)?);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    std::io::stdout().flush()?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let body = body.clone();
        let service = service_fn(move |_| {
            let response = http::Response::builder()
                .header("Content-Type", "text/html; charset=utf-8")
                .header("Content-Encoding", "gzip")
                .header("ETag", "\"speed\"")
                .body(Full::new(body.clone()));
            async move { Ok::<_, Infallible>(response.expect("constant header fields are valid")) }
        });
        tokio::spawn(
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
        );
    }
}

/// Text-like bytes that compress about five to one, as pages do, to about `body_bytes`.
fn gzip_page(body_bytes: usize) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut seed = 1u64;
    let mut plain = Vec::new();
    loop {
        for _ in 0..(body_bytes / 100).max(1) {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, b, c) = (seed >> 50, (seed >> 20) % 997, (seed >> 33) % 7919);
            writeln!(plain, "<p class=\"paragraph\">word{a} and word{b} of {c}</p>")?;
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&plain)?;
        let packed = encoder.finish()?;
        if packed.len() >= body_bytes {
            return Ok(packed);
        }
    }
}

/// User and system time of this process.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(')').ok_or("no process name")?.1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: f64 = fields.get(11).ok_or("no user time")?.parse::<f64>()?
        + fields.get(12).ok_or("no system time")?.parse::<f64>()?;
    Ok(ticks / TICKS_PER_SECOND)
}
