//! The command line: one file per verb. Global flags come first or last, as people type them.

pub mod check;
pub mod crawl;
pub mod demo;
pub mod explain;
pub mod export;
pub mod links;
pub mod search;
pub mod status;
pub mod tool;
pub mod traps;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// Done.
    Done = 0,
    /// Failed: no seed could be fetched, or the error printed.
    Failed = 1,
    /// Wrong usage, or no contact.
    Usage = 2,
    /// The disk is full.
    DiskFull = 3,
    /// The configuration is wrong.
    Configuration = 4,
    /// Another process owns the data directory.
    InUse = 5,
    /// Ended after a signal, everything written.
    Drained = 11,
    /// Ended at once after a second signal.
    Forced = 13,
    /// The size limit was reached.
    SizeLimit = 14,
    /// The time limit was reached.
    TimeLimit = 15,
}

/// An error that decides the exit code.
#[derive(Debug)]
pub struct Stop {
    /// The code.
    pub code: ExitCode,
    /// What to tell the user.
    pub message: String,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Stop {}

/// An error with an exit code.
pub fn stop(code: ExitCode, message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Stop { code, message: message.into() })
}

/// Keeps a searchable copy of the web sites you choose.
#[derive(Debug, Parser)]
#[command(name = "whimbrel", version, about, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Verb,
    #[command(flatten)]
    pub global: Global,
}

const AFTER_HELP: &str = "Exit codes: 0 done, 1 failed, 2 usage or no contact, 3 disk full, 4 configuration, \
5 directory in use, 11 drained after a signal, 13 forced, 14 size limit, 15 time limit.\n\
Try it without the internet: whimbrel demo";

/// Flags of every verb.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// Directory of the collection
    #[arg(long, global = true, env = "WHIMBREL_DATA", default_value = "./whimbrel-data", value_name = "DIR")]
    pub data: PathBuf,
    /// Configuration file [default: ./whimbrel.toml when there is one]
    #[arg(long, short = 'c', global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress, only results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// No colours
    #[arg(long, global = true)]
    pub no_color: bool,
    /// What to log on standard error: error, warn, info, debug or trace
    #[arg(long, global = true, default_value = "warn", value_name = "LEVEL")]
    pub log_level: String,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Fetch sites into the collection, politely; run again to go on
    Crawl(Box<crawl::CrawlArgs>),
    /// Find pages
    Search(search::SearchArgs),
    /// Show what the collection holds and what a running crawl does
    Status(status::StatusArgs),
    /// Show every decision about a URL
    Explain(explain::ExplainArgs),
    /// Show patterns of URLs that have no end; exclude, allow or reset one
    Traps(traps::TrapsArgs),
    /// List the links of a page
    Links(links::LinksArgs),
    /// Write the collection to files others can read
    Export(export::ExportArgs),
    /// Check the configuration, and URLs against it
    Check(check::CheckArgs),
    /// Reach the format handlers from scripts: JSON lines in, JSON lines out
    #[command(disable_help_flag = true)]
    Tool(tool::ToolArgs),
    /// Serve a small made-up web on loopback, crawl it and search it
    Demo(demo::DemoArgs),
}
