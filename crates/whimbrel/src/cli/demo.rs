//! `whimbrel demo`: the whole way on one machine, without the internet: a made-up web on loopback, a crawl, a search.

use super::search::to_text;
use super::{ExitCode, Global};
use crate::answer::{Answerer, Question};
use crate::collection;
use crate::config::{RawConfig, checked};
use crate::crawl::{CrawlPlan, run};
use crate::progress::Progress;
use crate::render::Style;
use crate::{rules, summary};
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whimbrel_fixture::{Addresses, DEMO_ANSWER, DEMO_QUERY, Place, Server, ServerOptions, demo_web};

/// Flags of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Keep serving the made-up web after the search, until Ctrl-C
    #[arg(long)]
    pub serve: bool,
    /// What to search for
    #[arg(long, default_value = DEMO_QUERY, value_name = "WORDS")]
    pub query: String,
    /// Pages to store at the most
    #[arg(long, default_value_t = 600, value_name = "N")]
    pub limit: u64,
    /// Where the collection goes [default: ./whimbrel-demo, made anew]
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &DemoArgs) -> Result<ExitCode> {
    let data = args.into.clone().unwrap_or_else(|| PathBuf::from("whimbrel-demo"));
    prepare(&data)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let options = ServerOptions { addresses: Addresses::OneAddressEach(0), ..ServerOptions::default() };
    let server = runtime
        .block_on(Server::start(demo_web(1), options))
        .context("serving the made-up web on loopback")?;
    let seeds = server.origins().iter().map(|origin| rules::seed_url(origin)).collect::<Result<Vec<_>>>()?;
    let talk = !global.json && !global.quiet;
    if talk {
        println!("a made-up web of {} sites on this machine:", seeds.len());
        for (name, origin) in server.named_origins() {
            println!("  {name:<12} {origin}");
        }
        println!("crawling it into {} (one visit at a time per site, robots.txt obeyed)", data.display());
    }
    let mut raw = RawConfig::default();
    raw.politeness.delay = "50ms".into();
    raw.crawl.limit = args.limit;
    raw.crawl.exclude = vec!["/calendar/".into()];
    let config =
        Arc::new(checked::check(raw, "the demo's settings".into()).map_err(rules::configuration_error)?);
    let plan = CrawlPlan {
        data: data.clone(),
        config: Arc::clone(&config),
        seeds: seeds.clone(),
        recrawl: false,
        event_log: None,
    };
    let ended = run(plan, Progress::new(!talk))?;
    if talk {
        print!("{}", summary::to_text(&ended));
        println!("\n$ whimbrel search {:?} --data {}\n", args.query, data.display());
    }
    let answer = search(&data, &config, &seeds, &args.query)?;
    let expected = server.url(&Place::new(DEMO_ANSWER.0, DEMO_ANSWER.1));
    if global.json {
        println!("{}", json!({ "crawl": summary::to_json(&ended), "search": answer, "expected": expected }));
    } else {
        print!("{}", to_text(&answer, Style::stdout(global.no_color)));
    }
    if args.query == DEMO_QUERY && answer["results"][0]["url"].as_str() != Some(&expected) {
        bail!("the demo's search should have found {expected} first; please report this");
    }
    if args.serve {
        println!("the made-up web is still served; Ctrl-C ends it");
        runtime.block_on(tokio::signal::ctrl_c()).context("waiting for Ctrl-C")?;
    }
    let code = summary::exit_code(&ended);
    runtime.block_on(server.stop());
    Ok(if code == ExitCode::Done { ExitCode::Done } else { code })
}

/// An earlier demo is replaced; anything else in the way is left alone.
fn prepare(data: &Path) -> Result<()> {
    let marker = data.join("demo");
    if data.exists() {
        let empty = data.read_dir().with_context(|| format!("reading {}", data.display()))?.next().is_none();
        if !marker.is_file() && !empty {
            let why =
                format!("{} exists and is no earlier demo; name another place with --into", data.display());
            return Err(super::stop(ExitCode::Usage, why));
        }
        std::fs::remove_dir_all(data)
            .with_context(|| format!("removing the earlier demo in {}", data.display()))?;
    }
    std::fs::create_dir_all(data).with_context(|| format!("creating {}", data.display()))?;
    std::fs::write(&marker, "made by `whimbrel demo`; replaced by the next one\n")
        .context("marking the demo's directory")
}

fn search(
    data: &Path,
    config: &Arc<crate::config::CheckedConfig>,
    seeds: &[whimbrel_types::CanonicalUrl],
    query: &str,
) -> Result<serde_json::Value> {
    let store = collection::open_to_read(data, config)?;
    let url_rules = Arc::new(rules::url_rules(config, seeds)?);
    let answerer = Answerer::new(store.clone(), data.to_owned(), Arc::clone(config), url_rules, None);
    let answer = answerer.answer(&Question::new("search").with("q", query).with("limit", 5));
    drop(answerer);
    store.close().context("closing the store")?;
    answer
}
