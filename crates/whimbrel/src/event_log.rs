//! `--event-log FILE`: the signals as JSON lines, one object per line: `at`, `signal`, `from`, `to`, `site`, `url`, and
//! further fields by signal. Two runs with one seed are equal per site once `at` is removed.

use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use whimbrel_types::SignalRecord;

/// The open file.
pub struct EventLog(BufWriter<File>);

impl EventLog {
    /// Begins a new log; an old one is replaced.
    pub fn create(path: &Path) -> io::Result<EventLog> {
        Ok(EventLog(BufWriter::new(File::create(path)?)))
    }

    /// Appends one signal.
    pub fn write(&mut self, record: &SignalRecord) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, &to_json(record))?;
        self.0.write_all(b"\n")
    }

    /// Writes out what is buffered.
    pub fn close(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn to_json(record: &SignalRecord) -> Value {
    let mut line = Map::new();
    line.insert("at".into(), record.at.to_string().into());
    line.insert("signal".into(), json!(record.signal));
    line.insert("from".into(), json!(record.from));
    line.insert("to".into(), json!(record.to));
    line.insert("site".into(), record.site.origin().into());
    if let Some(url) = &record.url {
        line.insert("url".into(), url.as_str().into());
    }
    for (name, value) in &record.fields {
        let value = value.parse::<u64>().map_or_else(|_| Value::from(value.as_str()), Value::from);
        line.insert(name.clone(), value);
    }
    Value::Object(line)
}
