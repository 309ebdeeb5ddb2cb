//! Serves a made-up web in a process of its own, so that a crawler can be killed without its judge.
//! Prints one JSON line when ready; ends when standard input closes or on SIGTERM or SIGINT.

use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use whimbrel_fixture::{
    Addresses, Behavior, GraphOptions, HostileServer, Place, Server, ServerOptions, behavior, behaviors,
    demo_web, graph_truth, graph_web,
};

const HELP: &str = "Serves a made-up web on loopback, with an access log

Usage: whimbrel-fixture [OPTIONS]
       whimbrel-fixture hostile [--list] [--behaviour NAME]... [--ignore-stdin]

  --web demo|graph     which web (graph)
  --seed N             everything random comes from this (1)
  --sites N            graph: number of sites (3)
  --pages N            graph: distinct pages of each site (50)
  --links N            graph: further links on each page (6)
  --redirects SHARE    graph: redirecting URLs per page (0.1)
  --not-found SHARE    graph: dead URLs per page (0.05)
  --copies SHARE       graph: copies per page (0.1)
  --cross-links RATE   graph: links to other sites per page (0.5)
  --crawl-delay S      graph: Crawl-delay in robots.txt
  --sitemaps           graph: robots.txt and sitemap.xml
  --truth FILE         graph: write what there is to find, as JSON
  --addresses HOW      ports: 127.0.0.1, a free port each (default)
                       hosts: 127.0.0.2, 127.0.0.3, ... on one free port
                       hosts:PORT: the same on this port
  --ports-file FILE    written when ready (the line that is printed); where it is there already,
                       the sites come back to the addresses it names
  --log FILE           append the access log, one JSON object per line
  --delay-ms N         wait before every answer (0)
  --gzip               compress for clients that accept it
  --no-validators      no ETag, no 304
  --ignore-stdin       do not end when standard input closes
  --help               this text

  hostile              serves servers that mean harm, each under a host of its own, and prints their URLs
  --list               only says which there are and what holds them
  --behaviour NAME     this one (may be repeated; all without it)
";

/// `whimbrel-fixture hostile`, as typed.
#[derive(Default)]
struct HostileArguments {
    list: bool,
    names: Vec<String>,
    ignore_stdin: bool,
}

struct Arguments {
    web: String,
    graph: GraphOptions,
    server: ServerOptions,
    ports_file: Option<PathBuf>,
    truth_file: Option<PathBuf>,
    ignore_stdin: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).peekable();
    if words.next_if(|word| word == "hostile").is_some() {
        return match hostile(words).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                eprintln!("whimbrel-fixture: {problem}; see --help");
                ExitCode::from(2)
            }
        };
    }
    let arguments = match parse(words) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("whimbrel-fixture: {problem}; see --help");
            return ExitCode::from(2);
        }
    };
    match serve(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("whimbrel-fixture: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut arguments = Arguments {
        web: "graph".to_owned(),
        graph: GraphOptions::default(),
        server: ServerOptions::default(),
        ports_file: None,
        truth_file: None,
        ignore_stdin: false,
    };
    let Arguments { web, graph, server, ports_file, truth_file, ignore_stdin } = &mut arguments;
    while let Some(word) = words.next() {
        let (name, given) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word, None),
        };
        let mut value =
            || given.clone().or_else(|| words.next()).ok_or_else(|| format!("{name} needs a value"));
        match name.as_str() {
            "--help" | "-h" => return Ok(None),
            "--web" => *web = value()?,
            "--seed" => graph.seed = number(&name, &value()?)?,
            "--sites" => graph.sites = number(&name, &value()?)?,
            "--pages" => graph.pages_per_site = number(&name, &value()?)?,
            "--links" => graph.links_per_page = number(&name, &value()?)?,
            "--redirects" => graph.redirects_share = number(&name, &value()?)?,
            "--not-found" => graph.not_found_share = number(&name, &value()?)?,
            "--copies" => graph.copies_share = number(&name, &value()?)?,
            "--cross-links" => graph.cross_site_links = number(&name, &value()?)?,
            "--crawl-delay" => graph.crawl_delay_s = Some(number(&name, &value()?)?),
            "--sitemaps" => graph.sitemaps = true,
            "--truth" => *truth_file = Some(value()?.into()),
            "--addresses" => server.addresses = addresses(&value()?)?,
            "--ports-file" => *ports_file = Some(value()?.into()),
            "--log" => server.log_file = Some(value()?.into()),
            "--delay-ms" => server.delay = Duration::from_millis(number(&name, &value()?)?),
            "--gzip" => server.gzip = true,
            "--no-validators" => server.validators = false,
            "--ignore-stdin" => *ignore_stdin = true,
            _ => return Err(format!("unknown option {name}")),
        }
    }
    match arguments.web.as_str() {
        "demo" | "graph" => Ok(Some(arguments)),
        other => Err(format!("there is no web {other:?}")),
    }
}

async fn hostile(words: impl Iterator<Item = String>) -> Result<(), String> {
    let arguments = parse_hostile(words)?;
    let mut chosen = behaviors();
    if !arguments.names.is_empty() {
        let found = arguments.names.iter().map(|name| {
            behavior(name).ok_or_else(|| format!("there is no behaviour {name:?}; --list names all"))
        });
        chosen = found.collect::<Result<_, _>>()?;
    }
    let said = |problem: io::Error| problem.to_string();
    let mut out = io::stdout();
    if arguments.list {
        for Behavior { name, does, held_by, seen_as, .. } in chosen {
            writeln!(out, "{name}\n    {does}\n    held by: {held_by}\n    seen as: {seen_as}")
                .map_err(said)?;
        }
        return Ok(());
    }
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate()).map_err(said)?, signal(SignalKind::interrupt()).map_err(said)?);
    let server = HostileServer::start(&chosen).await.map_err(said)?;
    for (name, origin) in server.named_origins() {
        writeln!(out, "{origin}/ {name}").map_err(said)?;
    }
    out.flush().map_err(said)?;
    tokio::select! {
        () = stdin_closes(), if !arguments.ignore_stdin => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    server.stop().await;
    Ok(())
}

fn parse_hostile(mut words: impl Iterator<Item = String>) -> Result<HostileArguments, String> {
    let mut arguments = HostileArguments::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => arguments.list = true,
            "--ignore-stdin" => arguments.ignore_stdin = true,
            "--behaviour" | "--behavior" => {
                arguments.names.push(words.next().ok_or_else(|| format!("{word} needs a value"))?);
            }
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(arguments)
}

fn number<N: std::str::FromStr>(name: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{name} cannot be {text:?}"))
}

fn addresses(text: &str) -> Result<Addresses, String> {
    match text.split_once(':') {
        None if text == "ports" => Ok(Addresses::OnePortEach),
        None if text == "hosts" => Ok(Addresses::OneAddressEach(0)),
        Some(("hosts", port)) => Ok(Addresses::OneAddressEach(number("--addresses", port)?)),
        _ => Err(format!("--addresses cannot be {text:?}")),
    }
}

async fn serve(mut arguments: Arguments) -> io::Result<()> {
    // Before anything is said: a signal that comes right after the line must already be ours.
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let web =
        if arguments.web == "demo" { demo_web(arguments.graph.seed) } else { graph_web(&arguments.graph) };
    if let Some(file) = &arguments.ports_file
        && file.exists()
    {
        arguments.server.addresses = Addresses::Fixed(read_addresses(file)?);
    }
    if let Some(file) = &arguments.truth_file {
        write_whole(file, &format!("{}\n", truth(&arguments.graph)))?;
    }
    let server = Server::start(web, arguments.server).await?;
    let line = format!("{}\n", description(&server));
    if let Some(file) = &arguments.ports_file {
        write_whole(file, &line)?;
    }
    io::stdout().write_all(line.as_bytes())?;
    io::stdout().flush()?;
    tokio::select! {
        () = stdin_closes(), if !arguments.ignore_stdin => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    server.stop().await;
    Ok(())
}

fn description(server: &Server) -> Value {
    let named = server.named_origins();
    let sites: Vec<Value> = named
        .iter()
        .zip(server.addresses())
        .map(|((name, origin), address)| json!({"name": name, "origin": origin, "address": address.to_string()}))
        .collect();
    json!({"origins": server.origins(), "sites": sites, "pid": std::process::id()})
}

fn read_addresses(file: &Path) -> io::Result<Vec<SocketAddr>> {
    let described: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let addresses = described["sites"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let parsed = addresses.map(|site| site["address"].as_str().and_then(|text| text.parse().ok()));
    let problem = || {
        io::Error::new(io::ErrorKind::InvalidData, format!("cannot read addresses from {}", file.display()))
    };
    parsed.collect::<Option<Vec<SocketAddr>>>().ok_or_else(problem)
}

fn truth(options: &GraphOptions) -> Value {
    let truth = graph_truth(options);
    let place = |place: &Place| json!([place.site, place.path]);
    json!({
        "pages": truth.pages.iter().map(place).collect::<Vec<_>>(),
        "copies": truth.copies.iter().map(|(page, copies)| {
            json!({"page": place(page), "copies": copies.iter().map(place).collect::<Vec<_>>()})
        }).collect::<Vec<_>>(),
        "redirects": truth.redirects.iter().map(|(from, to)| json!([place(from), place(to)])).collect::<Vec<_>>(),
        "dead": truth.dead.iter().map(place).collect::<Vec<_>>(),
        "words": truth.words.iter().map(|(word, page)| (word.clone(), place(page))).collect::<serde_json::Map<_, _>>(),
    })
}

/// Whoever waits for the file never sees half of it.
fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    std::fs::write(&part, text)?;
    std::fs::rename(&part, file)
}

/// Waits on a thread of its own, which does not keep the process from ending.
async fn stdin_closes() {
    let (closed, waiting) = oneshot::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 256];
        while matches!(io::stdin().read(&mut buffer), Ok(count) if count > 0) {}
        // The receiver is gone only when the process is ending anyway.
        let _ = closed.send(());
    });
    let _ = waiting.await;
}
