//! `whimbrel tool`.

use super::{ExitCode, Global};
use crate::tool;
use anyhow::{Context, Result};
use clap::Args;
use std::io::{stdin, stdout};

/// Flags of `tool`.
#[derive(Debug, Args)]
pub struct ToolArgs {
    /// Which one; all are listed when none is named
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// List the tools, or show the fields of one and an example
    #[arg(long, short)]
    pub help: bool,
}

/// Runs the verb.
pub fn verb(_: &Global, args: &ToolArgs) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        print!("{}", tool::list());
        return Ok(ExitCode::Done);
    };
    let Some(found) = tool::find(name) else {
        let names: Vec<&str> = tool::TOOLS.iter().map(|tool| tool.name).collect();
        let message = format!("there is no tool {name:?}; known are {}", names.join(", "));
        return Err(super::stop(ExitCode::Usage, message));
    };
    if args.help {
        print!("{}", tool::manual(found));
        return Ok(ExitCode::Done);
    }
    // A panic is told in the reply to its line.
    std::panic::set_hook(Box::new(|_| {}));
    let tally = tool::run(found, stdin().lock(), stdout().lock())
        .with_context(|| format!("running the tool {name}"))?;
    Ok(if tally.refused == 0 { ExitCode::Done } else { ExitCode::Failed })
}
