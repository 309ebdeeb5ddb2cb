//! How a reading verb gets its answer: from the process that owns the directory, else by opening the store itself.

use crate::answer::{Answerer, Question};
use crate::cli::{ExitCode, Global, Stop};
use crate::collection;
use crate::config::{CheckedConfig, checked};
use crate::control;
use crate::rules;
use anyhow::{Context, Result};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an owner that does not answer is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The configuration of the file and nothing else.
pub fn configuration(global: &Global) -> Result<CheckedConfig> {
    let (raw, origin) = checked::load(global.config.as_deref()).map_err(rules::configuration_error)?;
    checked::check(raw, origin).map_err(rules::configuration_error)
}

/// Asks. A crawl that is just starting owns the directory before it answers, so both ways are tried for a while.
pub fn ask(global: &Global, question: &Question) -> Result<Value> {
    let begun = Instant::now();
    loop {
        if let Some(answer) = control::ask(&global.data, question)? {
            return Ok(answer);
        }
        match ask_store(global, question) {
            Err(error) if is_in_use(&error) && begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(50));
            }
            other => return other,
        }
    }
}

fn is_in_use(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Stop>().is_some_and(|stop| stop.code == ExitCode::InUse)
}

fn ask_store(global: &Global, question: &Question) -> Result<Value> {
    let config = configuration(global)?;
    let store = collection::open_to_read(&global.data, &config)?;
    let config = rules::with_crawl_section(&store, config)?;
    let seeds = rules::stored_seeds(&store)?;
    let url_rules = Arc::new(rules::url_rules(&config, &seeds)?);
    let answerer = Answerer::new(store.clone(), global.data.clone(), Arc::new(config), url_rules, None);
    let answer = answerer.answer(question);
    drop(answerer);
    store.close().context("closing the store")?;
    answer
}
