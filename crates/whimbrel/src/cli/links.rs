//! `whimbrel links`.

use super::{ExitCode, Global};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::clean;
use anyhow::Result;
use clap::Args;
use serde_json::Value;

/// Flags of `links`.
#[derive(Debug, Args)]
pub struct LinksArgs {
    /// A stored page
    #[arg(value_name = "URL")]
    pub url: String,
    /// Links that share a URL under different texts, and the list without them
    #[arg(long)]
    pub duplicates: bool,
    /// One view of the organizer: extracted, normalized, duplicates or ordered
    #[arg(long, value_name = "VIEW", conflicts_with = "duplicates")]
    pub view: Option<String>,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &LinksArgs) -> Result<ExitCode> {
    let mut question = Question::new("links").with("url", &args.url);
    let view = if args.duplicates { Some("duplicates".to_owned()) } else { args.view.clone() };
    if let Some(view) = &view {
        question = question.with("view", view);
    }
    let answer = ask(global, &question)?;
    if global.json {
        println!("{answer}");
        return Ok(ExitCode::Done);
    }
    match view.as_deref() {
        None => print_links(&answer),
        Some("duplicates") => print_duplicates(&answer["report"]),
        Some(_) => {
            for link in answer["links"].as_array().into_iter().flatten() {
                println!("{}", clean(&link.to_string()));
            }
        }
    }
    Ok(ExitCode::Done)
}

fn print_links(answer: &Value) {
    println!("{:<32}  visibility  position  distance  target (text)", "id");
    for link in answer["links"].as_array().into_iter().flatten() {
        let text = clean(link["text"].as_str().unwrap_or(""));
        let target = clean(link["target"].as_str().unwrap_or(""));
        let note = if link["nofollow"] == Value::Bool(true) { " [nofollow]" } else { "" };
        println!(
            "{}  {:>10}  {:>8}  {:>8}  {target} ({text}){note}",
            link["id"].as_str().unwrap_or(""),
            link["visibility"].as_u64().unwrap_or(0),
            link["position"].as_u64().unwrap_or(0),
            link["distance"].as_u64().unwrap_or(0),
        );
    }
}

fn print_duplicates(report: &Value) {
    let groups = report["groups"].as_array().map(Vec::as_slice).unwrap_or_default();
    for group in groups {
        println!("{} × {}", group["count"], clean(group["url"].as_str().unwrap_or("")));
        for text in group["texts"].as_array().into_iter().flatten() {
            println!("      {:?}", clean(text.as_str().unwrap_or("")));
        }
    }
    let unique = report["unique"].as_array().map(Vec::as_slice).unwrap_or_default();
    println!("{} URLs linked more than once; {} unique:", groups.len(), unique.len());
    for url in unique {
        println!("  {}", clean(url.as_str().unwrap_or("")));
    }
}
