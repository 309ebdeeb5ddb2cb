//! What one hostile host costs its neighbours: for every behavior, a crawl of good pages alone and one with that host
//! beside them, one after the other. Prints the time to the last good page and the peak memory, both as differences.
//!
//! `cargo run --release -p whimbrel --example hostile_cost -- [--program FILE] [--pages N] [--sites N]
//! [--rounds N] [--delay S] [NAME...]`
//!
//! The ratio is that of the middle runs; `best`, that of the quickest ones, says what is left when the machine does
//! nothing else.
//!
//! Without a delay the crawl takes all the CPU there is, and a page that is dear to read shows in the time of the others on
//! a machine with few cores; with a delay as people use it, it does not.
//!
//! The program is that of `--program`, of `WHIMBREL_BIN`, or the `whimbrel` beside this example. Run it on a quiet
//! machine: the crawls are short and the ratio is of times. Good pages are served by this process.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::runtime::Runtime;
use whimbrel_fixture::{
    Addresses, Behavior, GraphOptions, HostileServer, Server, ServerOptions, behavior, behaviors, graph_web,
};

/// The default body limit; a hostile host may cost twice this in memory.
const BODY_MIB: f64 = 16.0;
/// A run that takes longer has been held up for good.
const PATIENCE: Duration = Duration::from_secs(300);

struct Arguments {
    program: PathBuf,
    pages: usize,
    /// Sites that the good pages are spread over.
    sites: usize,
    rounds: usize,
    delay: String,
    names: Vec<String>,
}

/// One crawl as seen from outside.
#[derive(Clone, Copy)]
struct Cost {
    /// From the first request to the end of the last good page's answer.
    last_page_ms: f64,
    peak_mib: f64,
    pages: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = parse(std::env::args().skip(1))?;
    let runtime = Runtime::new()?;
    let chosen: Vec<&'static Behavior> = if arguments.names.is_empty() {
        behaviors()
    } else {
        let found = |name: &String| behavior(name).ok_or_else(|| format!("there is no behaviour {name:?}"));
        arguments.names.iter().map(found).collect::<Result<_, _>>()?
    };
    let options = GraphOptions {
        sites: arguments.sites,
        pages_per_site: arguments.pages / arguments.sites,
        redirects_share: 0.0,
        not_found_share: 0.0,
        copies_share: 0.0,
        cross_site_links: 0.0,
        ..GraphOptions::default()
    };
    println!(
        "{} good pages on {} sites, {} rounds, {}",
        arguments.pages,
        arguments.sites,
        arguments.rounds,
        arguments.program.display()
    );
    println!(
        "{:<34} {:>9} {:>9} {:>6} {:>6} {:>8} {:>8}",
        "behaviour", "alone ms", "beside ms", "ratio", "best", "peak MiB", "more MiB"
    );
    let (mut worst_ratio, mut worst_memory) = ((0.0, ""), (0.0, ""));
    for chosen in chosen {
        let (mut alone, mut beside) = (Vec::new(), Vec::new());
        for _ in 0..arguments.rounds {
            alone.push(measure(&runtime, &arguments, &options, None)?);
            beside.push(measure(&runtime, &arguments, &options, Some(chosen))?);
        }
        let best = least_ms(&beside) / least_ms(&alone);
        let (alone, beside) = (middle(alone), middle(beside));
        let ratio = beside.last_page_ms / alone.last_page_ms;
        let more = beside.peak_mib - alone.peak_mib;
        println!(
            "{:<34} {:>9.0} {:>9.0} {:>6.3} {:>6.3} {:>8.1} {:>+8.1}{}",
            chosen.name,
            alone.last_page_ms,
            beside.last_page_ms,
            ratio,
            best,
            beside.peak_mib,
            more,
            if beside.pages == alone.pages { "" } else { "  GOOD PAGES ARE MISSING" },
        );
        if ratio > worst_ratio.0 {
            worst_ratio = (ratio, chosen.name);
        }
        if more > worst_memory.0 {
            worst_memory = (more, chosen.name);
        }
    }
    println!(
        "worst time: {:.3} of the time alone ({}); at most 1.100 is wanted",
        worst_ratio.0, worst_ratio.1
    );
    println!(
        "worst memory: {:+.1} MiB ({}); at most {:.0} MiB is wanted",
        worst_memory.0,
        worst_memory.1,
        2.0 * BODY_MIB
    );
    Ok(())
}

/// One crawl in a data directory of its own.
fn measure(
    runtime: &Runtime,
    arguments: &Arguments,
    options: &GraphOptions,
    hostile: Option<&'static Behavior>,
) -> Result<Cost, Box<dyn Error>> {
    let server_options =
        ServerOptions { addresses: Addresses::OneAddressEach(0), ..ServerOptions::default() };
    let good = runtime.block_on(Server::start(graph_web(options), server_options))?;
    let behaviors: Vec<&'static Behavior> = hostile.into_iter().collect();
    let bad = runtime.block_on(HostileServer::start(&behaviors))?;
    let folder = tempfile::tempdir()?;
    let mut seeds: Vec<String> = good.origins().iter().map(|origin| format!("{origin}/")).collect();
    seeds.extend(bad.named_origins().into_iter().map(|(_, origin)| format!("{origin}/")));
    let site_limit = options.pages_per_site.to_string();
    let peak_mib = crawl(arguments, folder.path(), &seeds, &site_limit)?;
    let log = runtime.block_on(good.stop());
    runtime.block_on(bad.stop());
    let pages: Vec<_> =
        log.iter().filter(|entry| entry.status == 200 && entry.path != "/robots.txt").collect();
    let first = log.iter().map(|entry| entry.start_ms).fold(f64::INFINITY, f64::min);
    let last = pages.iter().map(|entry| entry.end_ms).fold(0.0, f64::max);
    Ok(Cost { last_page_ms: last - first, peak_mib, pages: pages.len() })
}

/// Runs the program; gives its peak memory. No site brings more pages than a good one has, so that a maze is measured by
/// what it does and not by how large it is.
fn crawl(
    arguments: &Arguments,
    folder: &Path,
    seeds: &[String],
    site_limit: &str,
) -> Result<f64, Box<dyn Error>> {
    // One try per page: what is measured is over with the first, and waiting for a second takes its time.
    let config = folder.join("whimbrel.toml");
    std::fs::write(&config, "[fetch]\ntries = 1\n")?;
    let mut child = Command::new(&arguments.program)
        .arg("crawl")
        .args(seeds)
        .arg("--config")
        .arg(&config)
        .args(["--json", "--delay", &arguments.delay, "--timeout", "3", "--site-limit", site_limit, "--data"])
        .arg(folder.join("data"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status_file = format!("/proc/{}/status", child.id());
    let begun = std::time::Instant::now();
    let mut peak_kb = 0_u64;
    loop {
        let text = std::fs::read_to_string(&status_file).unwrap_or_default();
        let field = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak_kb = peak_kb.max(field.and_then(|kb| kb.parse().ok()).unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            if !status.success() {
                return Err(format!("the crawl of {seeds:?} ended with {status}").into());
            }
            return Ok(peak_kb as f64 / 1024.0);
        }
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err(format!("the crawl of {seeds:?} did not end in {PATIENCE:?}").into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The quickest run: what else the machine does only ever adds to it.
fn least_ms(costs: &[Cost]) -> f64 {
    costs.iter().map(|cost| cost.last_page_ms).fold(f64::INFINITY, f64::min)
}

/// The run in the middle by time; with it, the least memory of all, since a peak that comes by chance is no cost.
fn middle(mut costs: Vec<Cost>) -> Cost {
    let least = costs.iter().map(|cost| cost.peak_mib).fold(f64::INFINITY, f64::min);
    costs.sort_by(|a, b| a.last_page_ms.total_cmp(&b.last_page_ms));
    let mut cost = costs[costs.len() / 2];
    cost.peak_mib = least;
    cost
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, Box<dyn Error>> {
    let beside =
        std::env::current_exe()?.parent().and_then(Path::parent).map(|folder| folder.join("whimbrel"));
    let program = std::env::var_os("WHIMBREL_BIN").map(PathBuf::from).or(beside).ok_or("no program given")?;
    let mut arguments =
        Arguments { program, pages: 1000, sites: 4, rounds: 3, delay: "0".into(), names: Vec::new() };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--program" => arguments.program = value()?.into(),
            "--pages" => arguments.pages = value()?.parse()?,
            "--sites" => arguments.sites = value()?.parse::<usize>()?.max(1),
            "--delay" => arguments.delay = value()?,
            "--rounds" => arguments.rounds = value()?.parse::<usize>()?.max(1),
            _ => arguments.names.push(word),
        }
    }
    Ok(arguments)
}
