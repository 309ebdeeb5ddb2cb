//! Questions about a collection and their answers as JSON. The owner of the data directory answers them: a running crawl
//! through its socket, else the verb that asks. One code path, whoever asks.

mod explain;
mod export;
mod limits;
mod links;
mod robots;
mod search;
mod status;
mod traps;

use crate::config::CheckedConfig;
use crate::engine::EngineEvent;
use crate::engine::view::EngineView;
use anyhow::{Result, bail};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock};
use whimbrel_index::Searcher;
use whimbrel_store::Store;
use whimbrel_url::UrlRules;

/// What questions are answered from.
pub struct Answerer {
    pub store: Store,
    pub data: PathBuf,
    pub config: Arc<CheckedConfig>,
    /// Scope and filters of the collection.
    pub rules: Arc<UrlRules>,
    /// The running crawl, if this process runs one.
    pub running: Option<Arc<Mutex<EngineView>>>,
    /// Where a running crawl takes orders.
    pub engine: Option<Sender<EngineEvent>>,
    searcher: OnceLock<Searcher>,
}

/// A question: its name and arguments, as they stand in a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub name: String,
    pub arguments: Vec<(String, String)>,
    /// It is an order: answering it changes the collection.
    pub change: bool,
}

impl Question {
    pub fn new(name: &str) -> Question {
        Question { name: name.into(), arguments: Vec::new(), change: false }
    }

    pub fn with(mut self, name: &str, value: impl ToString) -> Question {
        self.arguments.push((name.into(), value.to_string()));
        self
    }

    /// Makes an order of it.
    pub fn changing(mut self) -> Question {
        self.change = true;
        self
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// An argument that must be there.
    pub fn need(&self, name: &str) -> Result<&str> {
        match self.get(name) {
            Some(value) => Ok(value),
            None => bail!("the argument {name:?} is missing"),
        }
    }

    /// A number, or what it is when it is not given.
    pub fn number(&self, name: &str, default: usize) -> Result<usize> {
        match self.get(name).map(str::parse) {
            None => Ok(default),
            Some(Ok(number)) => Ok(number),
            Some(Err(_)) => bail!("the argument {name:?} must be a number"),
        }
    }
}

impl Answerer {
    pub fn new(
        store: Store,
        data: PathBuf,
        config: Arc<CheckedConfig>,
        rules: Arc<UrlRules>,
        running: Option<Arc<Mutex<EngineView>>>,
    ) -> Answerer {
        Answerer { store, data, config, rules, running, engine: None, searcher: OnceLock::new() }
    }

    /// Orders go to this engine.
    pub fn with_engine(mut self, engine: Sender<EngineEvent>) -> Answerer {
        self.engine = Some(engine);
        self
    }

    /// Answers, or says why not.
    pub fn answer(&self, question: &Question) -> Result<Value> {
        match question.name.as_str() {
            "status" => status::status(self),
            "search" => search::search(self, question),
            "explain" => explain::explain(self, question),
            "links" => links::links(self, question),
            "export" => export::export(self, question),
            "traps" => traps::traps(self, question),
            other => {
                bail!(
                    "there is no question {other:?}; there are status, search, explain, links, export, traps"
                )
            }
        }
    }
}
