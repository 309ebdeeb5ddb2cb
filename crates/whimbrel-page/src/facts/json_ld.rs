//! Author and dates from a JSON-LD script (schema.org). The parser refuses nesting deeper than 128, so a hostile
//! script costs nothing; our own search below it is bounded by the same depth.

use serde_json::Value;

/// Longer scripts are not read.
const SCRIPT_BYTES_MAX: usize = 256 * 1024;

/// What a script says, unparsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) author: Option<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
}

/// Reads one script.
pub(super) fn read(script: &str) -> Found {
    let mut found = Found::default();
    if script.len() > SCRIPT_BYTES_MAX {
        return found;
    }
    // Some sites wrap it in a comment or CDATA.
    let json = script.trim().trim_start_matches("<!--").trim_end_matches("-->");
    let json = json.trim().trim_start_matches("//<![CDATA[").trim_end_matches("//]]>");
    if let Ok(value) = serde_json::from_str(json) {
        search(&value, &mut found);
    }
    found
}

fn search(value: &Value, found: &mut Found) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| search(item, found)),
        Value::Object(map) => {
            let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
            found.published = found.published.take().or_else(|| text("datePublished"));
            found.modified = found.modified.take().or_else(|| text("dateModified"));
            if found.author.is_none() {
                found.author = map.get("author").and_then(names);
            }
            for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                if let Some(inner) = map.get(key) {
                    search(inner, found);
                }
            }
        }
        _ => {}
    }
}

/// The names of one or several authors.
fn names(author: &Value) -> Option<String> {
    match author {
        Value::String(name) if !name.starts_with("http") => Some(name.clone()),
        Value::Object(map) => map.get("name").and_then(names),
        Value::Array(list) => {
            let all: Vec<String> = list.iter().filter_map(names).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        _ => None,
    }
    .filter(|name| !name.trim().is_empty())
}
