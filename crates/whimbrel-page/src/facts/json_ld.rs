//! Author and dates from a JSON-LD script (schema.org). What describes an article counts before what describes the
//! page or the site. The JSON parser refuses nesting deeper than 128, so a hostile script costs nothing; our own
//! search below it is bounded by the same depth, and by the number of authors.

use serde_json::{Map, Value};

/// Further authors are not read.
const AUTHORS_MAX: usize = 20;

/// Further objects are not asked: each may refer to all others.
const OBJECTS_MAX: usize = 100;

/// What a script says, unparsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) author: Option<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
}

/// Reads one script.
pub(super) fn read(script: &str) -> Found {
    // Some sites wrap it in a comment or CDATA.
    let json = script.trim().trim_start_matches("<!--").trim_end_matches("-->");
    let json = json.trim().trim_start_matches("//").trim_start_matches("<![CDATA[");
    let json =
        json.trim_end().trim_end_matches("]]>").trim_end_matches("//").trim_end().trim_end_matches(';');
    let value = serde_json::from_str::<Value>(json).or_else(|_| {
        // Line ends inside strings are no JSON, but common; between tokens they may as well be spaces.
        serde_json::from_str(&json.replace(|c: char| c.is_control(), " "))
    });
    let mut found = Found::default();
    if let Ok(value) = value {
        let mut articles = Vec::new();
        let mut others = Vec::new();
        collect(&value, &mut articles, &mut others);
        for object in articles.iter().chain(&others).take(OBJECTS_MAX) {
            read_object(object, &others, &mut found);
        }
    }
    found
}

/// Sorts the objects of a script into articles and others.
fn collect<'a>(
    value: &'a Value,
    articles: &mut Vec<&'a Map<String, Value>>,
    others: &mut Vec<&'a Map<String, Value>>,
) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| collect(item, articles, others)),
        Value::Object(map) => {
            if map.get("@type").is_some_and(is_article) {
                articles.push(map);
            } else {
                others.push(map);
            }
            for key in ["@graph", "mainEntity", "mainEntityOfPage", "hasPart"] {
                if let Some(inner) = map.get(key) {
                    collect(inner, articles, others);
                }
            }
        }
        _ => {}
    }
}

fn is_article(kind: &Value) -> bool {
    match kind {
        Value::String(name) => {
            ["Article", "Posting", "Report", "Review", "Recipe"].iter().any(|end| name.ends_with(end))
        }
        Value::Array(list) => list.iter().any(|kind| kind.is_string() && is_article(kind)),
        _ => false,
    }
}

fn read_object(map: &Map<String, Value>, others: &[&Map<String, Value>], found: &mut Found) {
    let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    found.published =
        found.published.take().or_else(|| text("datePublished")).or_else(|| text("dateCreated"));
    found.modified = found.modified.take().or_else(|| text("dateModified"));
    if found.author.is_none() {
        found.author = ["author", "creator"].iter().find_map(|key| names(map.get(*key)?, others));
    }
}

/// The names of one or several authors; `{"@id": …}` stands for another object of the script.
fn names(author: &Value, others: &[&Map<String, Value>]) -> Option<String> {
    match author {
        Value::String(name) if !name.starts_with("http") => Some(name.clone()),
        Value::Object(map) => match (map.get("name"), map.get("@id").and_then(Value::as_str)) {
            (Some(name), _) => names(name, &[]),
            (None, Some(id)) => {
                let meant = others.iter().find(|other| other.get("@id").and_then(Value::as_str) == Some(id));
                meant.and_then(|other| names(other.get("name")?, &[]))
            }
            _ => None,
        },
        Value::Array(list) => {
            let all: Vec<String> =
                list.iter().take(AUTHORS_MAX).filter_map(|one| names(one, others)).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        _ => None,
    }
    .filter(|name| !name.trim().is_empty())
}
