//! Reads JSON lines {id, url, html} on standard input and prints {id, text, navigation, links}: the main
//! text of each page, the rest of its text, and where its links lead, for scoring.

use std::io::{BufRead, Write};
use whimbrel_page::{ParseInput, ParseLimits, parse};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let Ok(page) = serde_json::from_str::<serde_json::Value>(&line?) else { continue };
        let field = |name: &str| page[name].as_str().unwrap_or_default();
        let Ok(url) = whimbrel_url::normalize(field("url")) else { continue };
        let input = ParseInput {
            url: &url,
            content_type: Some("text/html; charset=utf-8"),
            body: field("html").as_bytes(),
            x_robots_tag: &[],
            agent: "whimbrel",
        };
        let parsed = parse(&input, &ParseLimits::default());
        let content = parsed.content;
        let links: Vec<&str> = content.links.iter().map(|link| link.target.as_str()).collect();
        let answer = serde_json::json!({
            "id": page["id"], "text": content.text, "navigation": content.navigation_text, "links": links,
        });
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
