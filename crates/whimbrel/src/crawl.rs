//! A crawl, put together: store, fetcher, station, engine, index, control socket, signals. One function that reads in the
//! order in which things happen.

use crate::answer::Answerer;
use crate::background::Background;
use crate::clock::now;
use crate::collection;
use crate::config::CheckedConfig;
use crate::config::checked::AGENT_TOKEN;
use crate::control;
use crate::engine::view::EngineView;
use crate::engine::{EngineEvent, EngineShell, RunEnd, StopCause};
use crate::event_log::EventLog;
use crate::indexer::Indexer;
use crate::link_scores;
use crate::progress::Progress;
use crate::rules;
use crate::station::{self, Readers, StationParts, StationView, VisitRules};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;
use whimbrel_cluster::{EngineLink, StationLink};
use whimbrel_fetch::{AddressPolicy, FetchConfig, Fetcher};
use whimbrel_page::ParseLimits;
use whimbrel_plan::engine::{Engine, EngineConfig, TrapBudget};
use whimbrel_plan::station::StationConfig;
use whimbrel_plan::{BackOff, HostGate, RevisitRule};
use whimbrel_store::{OpenReport, Store};
use whimbrel_types::{CanonicalUrl, RobotsState, Timestamp};
use whimbrel_url::UrlRules;

/// Name of the note that says a crawl is under way; it is still there when the last one was killed.
const RUNNING: &str = "running";
/// Name of the number of runs so far.
const RUNS: &str = "runs";
/// How often a station is replaced before the crawl gives up.
const STATION_LIVES: usize = 10;
/// Queue places are given out in blocks per run, far apart.
const PLACES_PER_RUN: u64 = 1 << 40;

/// What to crawl.
pub struct CrawlPlan {
    pub data: PathBuf,
    pub config: Arc<CheckedConfig>,
    pub seeds: Vec<CanonicalUrl>,
    pub recrawl: bool,
    pub event_log: Option<PathBuf>,
}

/// A crawl that ended.
#[derive(Debug)]
pub struct Ended {
    pub end: RunEnd,
    pub seconds: f64,
    pub indexed: u64,
    pub data: PathBuf,
}

/// Runs a crawl to its end.
pub fn run(plan: CrawlPlan, progress: Progress) -> Result<Ended> {
    let started = now();
    let (store, report) = collection::open_to_crawl(&plan.data, &plan.config)?;
    for warning in report.warnings() {
        eprintln!("whimbrel: warning: {warning}");
    }
    if report.warc_cut_bytes > 0 {
        progress.note(&format!(
            "the last run ended abruptly; {} uncommitted bytes were cut",
            report.warc_cut_bytes
        ));
    }
    let seeds = rules::add_seeds(&store, &plan.seeds)?;
    if seeds.is_empty() {
        let why = "there is nothing to crawl: give a URL, or a data directory with an earlier crawl";
        return Err(crate::cli::stop(crate::cli::ExitCode::Usage, why));
    }
    // Also for seeds of earlier runs: going on is crawling too.
    crate::cli::crawl::check_manners(&plan.config, &seeds)?;
    rules::keep_crawl_section(&store, &plan.config)?;
    let unclean = store.meta_get(RUNNING).context("reading the store")?.is_some();
    let run_number = next_run(&store)?;
    store.meta_put(RUNNING, started.to_string().as_bytes()).context("marking the store as in use")?;
    let url_rules = Arc::new(rules::url_rules(&plan.config, &seeds)?);
    let ended =
        assemble(&plan, &store, &report, &seeds, url_rules, progress, (started, run_number, unclean))?;
    store.meta_remove(RUNNING).context("marking the store as closed")?;
    control::remove(&plan.data);
    store.close().context("closing the store")?;
    Ok(ended)
}

fn next_run(store: &Store) -> Result<u64> {
    let last = store.meta_get(RUNS).context("reading the store")?;
    let last = last.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes);
    store.meta_put(RUNS, &(last + 1).to_be_bytes()).context("counting the run")?;
    Ok(last + 1)
}

fn assemble(
    plan: &CrawlPlan,
    store: &Store,
    report: &OpenReport,
    seeds: &[CanonicalUrl],
    url_rules: Arc<UrlRules>,
    progress: Progress,
    (started, run_number, unclean): (Timestamp, u64, bool),
) -> Result<Ended> {
    let config = &plan.config;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting the runtime")?;
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let background = Background::new(cores)?;
    let readers = Readers::new(cores, background.handle());
    let fetcher = runtime.block_on(fetcher(config, seeds))?;
    let uncommitted = Arc::new(Semaphore::new(config.raw.store.uncommitted_pages_max));
    let engine_view = Arc::new(Mutex::new(EngineView::new(started)));
    let station_view = Arc::new(Mutex::new(StationView::default()));
    let (events, inbox) = channel();
    let (engine_link, station_link) = link(&events);
    let parts = StationParts {
        config: station_config(config, unclean.then_some(started)),
        gates: gates(store, config, started, unclean)?,
        fetcher,
        rules: Arc::new(visit_rules(config, Arc::clone(&url_rules), readers)),
        uncommitted: Arc::clone(&uncommitted),
        view: Arc::clone(&station_view),
    };
    let station =
        runtime.spawn(keep_station(station_link, parts, events.clone(), store.clone(), Arc::clone(config)));
    let answerer = Answerer::new(
        store.clone(),
        plan.data.clone(),
        Arc::clone(config),
        Arc::clone(&url_rules),
        Some(Arc::clone(&engine_view)),
    )
    .with_engine(events.clone());
    let listener = {
        let _context = runtime.enter();
        control::listen(&plan.data)?
    };
    let control_task = runtime.spawn(control::serve(listener, Arc::new(answerer)));
    let signals = runtime.spawn(watch_signals(events.clone(), progress.clone()));
    let indexer = start_indexer(plan, store)?;
    let shown = runtime.spawn(progress.clone().follow(
        Arc::clone(&engine_view),
        Arc::clone(&station_view),
        Some(config.raw.crawl.limit).filter(|limit| *limit > 0),
    ));

    let mut engine =
        Engine::new(engine_config(plan, url_rules), run_number, run_number * PLACES_PER_RUN, started);
    load_sites(&mut engine, store, config)?;
    load_traps(&mut engine, store)?;
    engine.seed(started, &plan_seeds(plan, seeds, report));
    let shell = EngineShell {
        engine,
        store: store.clone(),
        link: engine_link,
        events: inbox,
        replies: events,
        uncommitted,
        view: engine_view,
        event_log: plan
            .event_log
            .as_deref()
            .map(EventLog::create)
            .transpose()
            .context("creating the event log")?,
        time_limit_ms: config.time_limit_ms,
        size_limit_bytes: config.size_limit_bytes,
        started,
        answers: Vec::new(),
    };
    let end = std::thread::Builder::new()
        .name("engine".into())
        .spawn(move || shell.run())
        .context("starting the engine")?
        .join()
        .unwrap_or_else(|_| {
            Err(anyhow::anyhow!("the engine panicked; everything committed is safe, run again to go on"))
        })?;
    shown.abort();
    let _ = runtime.block_on(station);
    progress.finish();
    let indexed = finish_index(indexer, &progress)?;
    if end.summary.pages > 0 {
        link_scores::renew(store, &plan.data).context("computing link scores")?;
    }
    signals.abort();
    control_task.abort();
    runtime.shutdown_timeout(Duration::from_secs(5));
    let seconds = now().since_ms(started) as f64 / 1000.0;
    Ok(Ended { end, seconds, indexed, data: plan.data.clone() })
}

/// A link between engine and station; reports go to the engine's thread.
fn link(events: &Sender<EngineEvent>) -> (EngineLink, StationLink) {
    let reports = events.clone();
    whimbrel_cluster::in_memory(move |report| {
        let _ = reports.send(EngineEvent::Report(Box::new(report)));
    })
}

/// Runs the station; a bug that ends it costs what it had under way, not the crawl.
async fn keep_station(
    mut link_end: StationLink,
    parts: StationParts,
    events: Sender<EngineEvent>,
    store: Store,
    config: Arc<CheckedConfig>,
) {
    let mut next = parts.clone();
    for _ in 0..STATION_LIVES {
        let Err(error) = tokio::spawn(station::run(link_end, next)).await else { return };
        tracing::error!(%error, "the station ended; another one takes over");
        let Ok(restored) = gates(&store, &config, now(), true) else { break };
        next = StationParts { gates: restored, ..parts.clone() };
        next.config.unclean_start = Some(now());
        let (engine_end, station_end) = link(&events);
        link_end = station_end;
        if events.send(EngineEvent::NewStation(engine_end)).is_err() {
            return;
        }
    }
    let _ = events.send(EngineEvent::NoStation);
}

/// Seeds named now; those of earlier runs are in the frontier already.
fn plan_seeds(plan: &CrawlPlan, all: &[CanonicalUrl], report: &OpenReport) -> Vec<CanonicalUrl> {
    if report.created { all.to_vec() } else { plan.seeds.clone() }
}

/// A loopback seed opens its own host and port; other private addresses only on request.
async fn fetcher(config: &CheckedConfig, seeds: &[CanonicalUrl]) -> Result<Fetcher> {
    let policy = AddressPolicy { allow: config.allow_private.clone(), ..AddressPolicy::default() };
    let secrets =
        config.http.secrets(|name| std::env::var(name).ok()).map_err(crate::rules::configuration_error)?;
    let (fetch, http) = (&config.raw.fetch, &config.http);
    let fetcher = Fetcher::new(FetchConfig {
        user_agent: config.user_agent(),
        connect_timeout_ms: config.connect_timeout_ms,
        idle_timeout_ms: config.idle_timeout_ms,
        header_bytes_max: usize::try_from(config.header_bytes_max).unwrap_or(usize::MAX),
        address_policy: policy,
        resolve_overrides: config.resolve.clone(),
        connections_idle_max: config.raw.crawl.concurrency.max(256),
        connections_idle_per_site_max: config.raw.politeness.connections_per_site.max(2),
        extra_headers: config.headers.clone(),
        headers_max: fetch.header_fields_max,
        interim_max: fetch.interim_max,
        http2: fetch.http2,
        codings_max: fetch.codings_max,
        decoded_ratio_max: fetch.ratio_max,
        decoded_ratio_from_bytes: http.ratio_from_bytes,
        connection_idle_ms: http.connection_idle_ms,
        dns_ttl_ms_max: http.dns_ttl_ms_max,
        name_servers: http.name_servers.clone(),
        dns_timeout_ms: http.dns_timeout_ms,
        dns_cache_hosts_max: fetch.dns_hosts_max,
        sites: secrets.sites,
        cookies_max: fetch.cookies_max,
        cookie_bytes_max: http.cookie_bytes_max,
        proxy: secrets.proxy,
        extra_roots: http.extra_roots.clone(),
    })
    .map_err(|error| crate::rules::configuration_error(anyhow::Error::new(error)))?;
    for seed in seeds {
        if crate::cli::crawl::is_loopback(seed.host(), config) {
            // A seed whose name has no address yet is reported when it is visited.
            let _ = fetcher.open_loopback_seed(seed.host(), seed.port()).await;
        }
    }
    Ok(fetcher)
}

fn gates(store: &Store, config: &CheckedConfig, at: Timestamp, unclean: bool) -> Result<Vec<HostGate>> {
    let mut delays: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for site in store.sites() {
        let site = site.context("reading the site table")?;
        let own = config.site_delays_ms.get(&site.site.origin()).copied().unwrap_or(config.delay_ms);
        let delay = delays.entry(site.site.host.clone()).or_default();
        *delay = (*delay).max(own).max(site.crawl_delay_ms.unwrap_or(0));
    }
    let mut gates = Vec::new();
    for state in store.gates() {
        let state = state.context("reading the gates")?;
        let delay = delays.get(&state.host).copied().unwrap_or(config.delay_ms);
        gates.push(HostGate::restored(&state, at, unclean, delay));
    }
    Ok(gates)
}

fn station_config(config: &CheckedConfig, unclean_start: Option<Timestamp>) -> StationConfig {
    StationConfig {
        concurrency: config.raw.crawl.concurrency,
        connections_per_host: config.raw.politeness.connections_per_site,
        ip_delay_ms: config.ip_delay_ms,
        reading_pause: config.raw.politeness.reading_pause,
        back_off: BackOff { base_ms: config.back_off_ms, longest_ms: config.back_off_ms_max },
        retry_after_ms_max: config.retry_after_ms_max,
        gate_per_domain: config.raw.politeness.gate == "domain",
        unclean_start,
        visits_per_report: 1,
        agent: AGENT_TOKEN.into(),
        seed: config.raw.crawl.seed,
    }
}

fn visit_rules(config: &CheckedConfig, urls: Arc<UrlRules>, readers: Readers) -> VisitRules {
    VisitRules {
        urls,
        timeout_ms: config.timeout_ms,
        body_bytes_max: config.body_bytes_max,
        robots_bytes_max: config.robots_bytes_max,
        parsed_bytes_max: config.parsed_bytes_max,
        parse_limits: parse_limits(config),
        embedded: config.embedded.clone(),
        skip_low_value: config.raw.index.low_value == "skip",
        agent: AGENT_TOKEN.into(),
        warc_revisits: config.raw.store.warc_revisits,
        readers,
    }
}

fn parse_limits(config: &CheckedConfig) -> ParseLimits {
    let limits = &config.raw.limits;
    ParseLimits {
        nodes_max: limits.nodes_max,
        depth_max: limits.nesting_max,
        attributes_max: limits.attributes_max,
        links_max: limits.links_max,
        rejected_links_max: limits.refused_links_max,
        text_bytes_max: config.text_bytes_max,
        headings_max: limits.headings_max,
        attribute_bytes_max: limits.attribute_bytes_max,
        anchor_text_bytes_max: limits.anchor_bytes_max,
        field_bytes_max: limits.field_bytes_max,
        statements_max: limits.statements_max,
        json_ld_scripts_max: limits.structured_max,
        json_ld_bytes_max: limits.structured_bytes_max,
        embedded_links: !config.embedded.is_empty(),
    }
}

fn engine_config(plan: &CrawlPlan, rules: Arc<UrlRules>) -> EngineConfig {
    let config = &plan.config;
    let raw = &config.raw;
    let some = |limit: u64| (limit > 0).then_some(limit);
    EngineConfig {
        rules,
        agent: AGENT_TOKEN.into(),
        delay_ms: config.delay_ms,
        site_delays_ms: config.site_delays_ms.clone(),
        site_limits: config.site_limits.clone(),
        crawl_delay_ms_max: config.crawl_delay_ms_max,
        strategy: config.strategy,
        revisit: RevisitRule {
            interval_ms: config.revisit_ms,
            shortest_ms: config.revisit_ms_min,
            window_start_ms: config.window_start_ms,
            window_ms: config.window_ms,
            seed: raw.crawl.seed,
        },
        recrawl: plan.recrawl,
        limit: some(raw.crawl.limit),
        site_limit: some(raw.crawl.site_limit),
        tries_max: raw.fetch.tries,
        retry: BackOff { base_ms: config.retry_delay_ms, longest_ms: config.back_off_ms_max },
        robots_ttl_ms: config.robots_ttl_ms,
        robots_give_up_ms: config.robots_give_up_ms,
        horizon_ms: 60_000,
        connections_per_site: raw.politeness.connections_per_site,
        stops_max: raw.limits.stops_max,
        migrants_max: raw.limits.migrants_max,
        heads_max: raw.limits.heads_max,
        pending_max: raw.limits.pending_max,
        pending_wait_ms: config.pending_wait_ms,
        seen_rows_max: raw.limits.seen_rows_max,
        anchors_max: raw.limits.anchors_max,
        targets_max: raw.limits.targets_max,
        redirects_max: raw.fetch.redirects_max,
        traps: TrapBudget {
            pattern_budget: raw.traps.pattern_budget,
            calendar_budget: raw.traps.calendar_budget,
            calendar_years: raw.traps.calendar_years,
            site_report: raw.traps.site_report,
            patterns_max: raw.traps.patterns_max,
        },
        warc_revisits: raw.store.warc_revisits,
        signals: plan.event_log.is_some(),
        seed: raw.crawl.seed,
    }
}

/// Sites of earlier runs, with their rules and waiting links.
fn load_sites(engine: &mut Engine, store: &Store, config: &CheckedConfig) -> Result<()> {
    for record in store.sites() {
        let record = record.context("reading the site table")?;
        let robots = match record.robots {
            RobotsState::Rules(hash) => store.robots(&hash).context("reading robots.txt")?,
            _ => None,
        };
        let pending =
            store.pending(&record.key(), config.raw.limits.pending_max).context("reading waiting links")?;
        engine.load_site(now(), record, robots.as_deref(), pending);
    }
    Ok(())
}

/// Patterns of earlier runs, and what the operator said about them.
fn load_traps(engine: &mut Engine, store: &Store) -> Result<()> {
    let records = store.traps().collect::<Result<Vec<_>, _>>().context("reading the patterns")?;
    let rules = store.trap_rules().context("reading the orders about patterns")?;
    engine.load_traps(records, rules);
    engine.load_long_pages(store.long_pages().context("reading which links are left")?);
    Ok(())
}

fn start_indexer(plan: &CrawlPlan, store: &Store) -> Result<Option<Indexer>> {
    let config = &plan.config;
    if !config.raw.index.enabled {
        return Ok(None);
    }
    let every = Duration::from_millis(config.index_commit_ms);
    Indexer::start(store.clone(), &collection::index_dir(&plan.data), config.index_memory_bytes, every)
        .map(Some)
}

fn finish_index(indexer: Option<Indexer>, progress: &Progress) -> Result<u64> {
    let Some(indexer) = indexer else { return Ok(0) };
    let counter = indexer.counter();
    progress.note("indexing the last pages");
    indexer.finish()?;
    Ok(counter.load(std::sync::atomic::Ordering::Relaxed))
}

/// The first signal drains, the second forces.
async fn watch_signals(events: Sender<EngineEvent>, progress: Progress) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    for count in 1.. {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if count > 1 {
            eprintln!("whimbrel: forced to end; what was not committed is fetched again next time");
            std::process::exit(crate::cli::ExitCode::Forced as i32);
        }
        progress.note("stopping: waiting for the visits under way (again to force)");
        let _ = events.send(EngineEvent::Drain(StopCause::Signal));
    }
}
