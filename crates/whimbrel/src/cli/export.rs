//! `whimbrel export`.

use super::{ExitCode, Global, stop};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::count;
use anyhow::{Context, Result};
use clap::{ArgGroup, Args};
use std::path::PathBuf;

/// Flags of `export`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("format").required(true).args(["warc", "jsonl", "cdxj", "sitemap"])))]
pub struct ExportArgs {
    /// The WARC files; the output is a directory
    #[arg(long, short = 'W')]
    pub warc: bool,
    /// One JSON object per page
    #[arg(long, short = 'j')]
    pub jsonl: bool,
    /// An index of the WARC files for replay tools
    #[arg(long)]
    pub cdxj: bool,
    /// A sitemap of the stored pages
    #[arg(long)]
    pub sitemap: bool,
    /// Where to write
    #[arg(long, short = 'o', value_name = "PATH")]
    pub output: PathBuf,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &ExportArgs) -> Result<ExitCode> {
    let format = if args.warc {
        "warc"
    } else if args.jsonl {
        "jsonl"
    } else if args.cdxj {
        "cdxj"
    } else {
        "sitemap"
    };
    let output = std::path::absolute(&args.output).context("making the output path absolute")?;
    if format != "warc" && output.is_dir() {
        return Err(stop(
            ExitCode::Usage,
            format!("{} is a directory; --{format} writes a file", output.display()),
        ));
    }
    if let Some(parent) = output.parent().filter(|parent| !parent.is_dir()) {
        return Err(stop(ExitCode::Usage, format!("{} does not exist; create it first", parent.display())));
    }
    let question = Question::new("export").with("format", format).with("output", output.display());
    let answer = ask(global, &question)?;
    for problem in answer["problems"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str) {
        eprintln!("whimbrel: {problem}");
    }
    if global.json {
        println!("{answer}");
    } else if !global.quiet {
        let unit = if format == "warc" { "files" } else { "rows" };
        println!("{} {unit} written to {}", count(answer["rows"].as_u64().unwrap_or(0)), output.display());
    }
    Ok(ExitCode::Done)
}
