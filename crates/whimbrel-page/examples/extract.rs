//! Reads JSON lines {id, url, html} on standard input and prints {id, text, navigation}: the main text of each
//! page and the rest, for scoring.

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
        let (text, navigation) = (parsed.content.text, parsed.content.navigation_text);
        writeln!(out, "{}", serde_json::json!({ "id": page["id"], "text": text, "navigation": navigation }))?;
    }
    Ok(())
}
