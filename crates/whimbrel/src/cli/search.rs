//! `whimbrel search`.

use super::{ExitCode, Global};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::{Style, clean, count};
use anyhow::Result;
use clap::Args;
use serde_json::Value;

/// Flags of `search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Words, "phrases", -without (inside quotes: "birds -osprey"), OR, site:, intitle:, inurl:, lang:, author:, filetype:, before:, after:
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// Results to show
    #[arg(long, short = 'n', default_value_t = 10, value_name = "N")]
    pub limit: usize,
    /// Results to pass over
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub offset: usize,
    /// Order: bm25, pagerank or blend [default: blend]
    #[arg(long, value_name = "NAME")]
    pub rank: Option<String>,
    /// Only the words as typed, no other forms of them
    #[arg(long)]
    pub exact: bool,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &SearchArgs) -> Result<ExitCode> {
    let mut question = Question::new("search")
        .with("q", args.query.join(" "))
        .with("limit", args.limit)
        .with("offset", args.offset)
        .with("exact", args.exact);
    if let Some(rank) = &args.rank {
        question = question.with("rank", rank);
    }
    let answer = ask(global, &question)?;
    if global.json {
        println!("{answer}");
    } else {
        print!("{}", to_text(&answer, Style::stdout(global.no_color)));
    }
    Ok(ExitCode::Done)
}

/// Results as people read them.
pub fn to_text(answer: &Value, style: Style) -> String {
    let mut out = String::new();
    let results = answer["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let offset = answer["offset"].as_u64().unwrap_or(0);
    for (number, hit) in (offset + 1..).zip(results) {
        let url = clean(hit["url"].as_str().unwrap_or(""));
        let title =
            hit["title"].as_str().filter(|title| !title.is_empty()).map_or_else(|| url.clone(), clean);
        out.push_str(&format!("{number:>3}. {}\n     {}\n", style.title(&title), style.url(&url)));
        let facts: Vec<String> = [&hit["author"], &hit["date"]]
            .iter()
            .filter_map(|fact| fact.as_str())
            .map(|fact| clean(fact.split('T').next().unwrap_or(fact)))
            .collect();
        if !facts.is_empty() {
            out.push_str(&format!("     {}\n", style.dim(&facts.join(", "))));
        }
        let snippet = highlighted(hit, style);
        if !snippet.is_empty() {
            out.push_str(&format!("     {snippet}\n"));
        }
        out.push('\n');
    }
    let total = answer["total"].as_u64().unwrap_or(0);
    for note in answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        out.push_str(&format!("{}\n", clean(note)));
    }
    if total == 0 {
        out.push_str("nothing found\n");
    } else {
        let shown = results.len() as u64;
        let more = if offset + shown < total {
            format!("; next: --offset {}", offset + shown)
        } else {
            String::new()
        };
        let range = if shown == 0 { "none".into() } else { format!("{}–{}", offset + 1, offset + shown) };
        out.push_str(&format!("{range} of {} pages{more}\n", count(total)));
    }
    out
}

fn highlighted(hit: &Value, style: Style) -> String {
    let text = hit["snippet"].as_str().unwrap_or("");
    let mut out = String::new();
    let mut at = 0;
    for range in hit["highlights"].as_array().into_iter().flatten() {
        let bound = |i: usize| range[i].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let (start, end) = (bound(0), bound(1));
        if start >= at
            && end >= start
            && text.is_char_boundary(start)
            && text.is_char_boundary(end)
            && end <= text.len()
        {
            out.push_str(&clean(&text[at..start]));
            out.push_str(&style.bold(&clean(&text[start..end])));
            at = end;
        }
    }
    out.push_str(&clean(&text[at..]));
    out
}
