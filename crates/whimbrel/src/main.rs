//! The program: reads the command line, runs one verb, ends with its exit code.

mod allocator;
mod answer;
mod ask;
mod background;
mod cli;
mod clock;
mod collection;
mod config;
mod control;
mod crawl;
mod engine;
mod event_log;
mod indexer;
mod link_scores;
mod progress;
mod render;
mod rules;
mod station;
mod summary;
mod tool;

use clap::Parser;
use cli::{Cli, ExitCode, Stop, Verb};
use std::io::IsTerminal;
use std::process::ExitCode as ProcessExit;

fn main() -> ProcessExit {
    allocator::settle();
    let cli = Cli::parse();
    end_with_the_pipe(&cli.verb);
    start_log(&cli.global);
    let result = match &cli.verb {
        Verb::Crawl(args) => cli::crawl::verb(&cli.global, args),
        Verb::Search(args) => cli::search::verb(&cli.global, args),
        Verb::Status(args) => cli::status::verb(&cli.global, args),
        Verb::Explain(args) => cli::explain::verb(&cli.global, args),
        Verb::Links(args) => cli::links::verb(&cli.global, args),
        Verb::Traps(args) => cli::traps::verb(&cli.global, args),
        Verb::Export(args) => cli::export::verb(&cli.global, args),
        Verb::Check(args) => cli::check::verb(&cli.global, args),
        Verb::Tool(args) => cli::tool::verb(&cli.global, args),
        Verb::Demo(args) => cli::demo::verb(&cli.global, args),
    };
    let code = match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("whimbrel: {error:#}");
            error.chain().find_map(code_of).unwrap_or(ExitCode::Failed)
        }
    };
    ProcessExit::from(code as u8)
}

/// The exit code that an error on the way decides.
fn code_of(cause: &(dyn std::error::Error + 'static)) -> Option<ExitCode> {
    if let Some(stop) = cause.downcast_ref::<Stop>() {
        return Some(stop.code);
    }
    let store = cause.downcast_ref::<whimbrel_store::Error>()?;
    store.is_disk_full().then_some(ExitCode::DiskFull)
}

/// A verb that only prints ends quietly when nobody reads on (`whimbrel links … | head`); a crawl goes on.
#[expect(unsafe_code, reason = "the default of a signal can only be restored through libc")]
fn end_with_the_pipe(verb: &Verb) {
    if !matches!(verb, Verb::Crawl(_) | Verb::Demo(_)) {
        // SAFETY: no other thread runs yet, and the default action needs no handler.
        unsafe {
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        }
    }
}

fn start_log(global: &cli::Global) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("WHIMBREL_LOG")
        .or_else(|_| tracing_subscriber::EnvFilter::try_new(&global.log_level))
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    // The HTML parser warns of odd markup, which is no news: one page could fill the log with it.
    let filter = ["html5ever=off", "markup5ever=off"]
        .into_iter()
        .filter_map(|quiet| quiet.parse().ok())
        .fold(filter, tracing_subscriber::EnvFilter::add_directive);
    let color = !global.no_color && std::io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(color)
        .with_target(false)
        .with_writer(std::io::stderr)
        .init();
}
