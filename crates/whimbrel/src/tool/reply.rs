//! A reply under construction: fields in the order in which they are set, `id` always first.

use serde_json::Value;

/// The fields of one reply, without its `id`.
#[derive(Debug, Default)]
pub struct Reply {
    fields: Vec<(&'static str, Value)>,
}

impl Reply {
    /// A reply without fields.
    pub fn new() -> Reply {
        Reply::default()
    }

    /// With one field more.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Reply {
        self.fields.push((name, value.into()));
        self
    }

    /// What is said about a request that cannot be answered.
    pub fn error(text: String) -> Reply {
        Reply::new().with("error", text)
    }

    /// The reply as one line, with its end.
    pub fn to_line(&self, id: &Value) -> String {
        let mut line = format!("{{\"id\":{id}");
        for (name, value) in &self.fields {
            line.push_str(&format!(",\"{name}\":{value}"));
        }
        line.push_str("}\n");
        line
    }
}
