//! `robots`, `robots-meta`: what a site and a page ask of robots.

use super::{Reply, Request, Tool};
use serde_json::{Value, json};
use whimbrel_page::{ParseInput, ParseLimits};
use whimbrel_url::RobotsRules;

/// The agent that is meant when a request names none.
const AGENT: &str = crate::config::checked::AGENT_TOKEN;

pub const ROBOTS: Tool = Tool {
    name: "robots",
    summary: "What a robots.txt says to an agent: verdict, rule and line, delay (RFC 9309)",
    input: &[
        ("robots_txt", "the file; as robots_txt_b64 when it is not UTF-8"),
        ("user_agent", "product token or whole User-Agent value; whimbrel when left out"),
        ("url", "what would be requested; without it there is no verdict"),
        ("robots_url", "where the file is, for sitemaps that are named without a host"),
    ],
    output: &[
        ("allowed", "true or false; null without a url"),
        ("rule", "the rule that decided, as {line, text}; null when none matches"),
        ("group", "whose group of rules holds: the agent's own token or *; null when none does"),
        ("crawl_delay", "seconds between requests that the agent is asked for, or null"),
        ("sitemaps", "the Sitemap lines in order; with a robots_url they are absolute URLs"),
    ],
    example: r#"{"id":1,"robots_txt":"User-agent: *\nDisallow: /private/\nAllow: /private/open\n","user_agent":"whimbrel","url":"https://example.org/private/x"}"#,
    example_reply: r#"{"id":1,"allowed":false,"rule":{"line":2,"text":"Disallow: /private/"},"group":"*","crawl_delay":null,"sitemaps":[]}"#,
    answer: robots,
};

fn robots(request: &Request) -> Result<Reply, String> {
    let rules = RobotsRules::parse(&request.bytes("robots_txt")?);
    let agent = request.optional_text("user_agent")?;
    let agent = agent.as_deref().unwrap_or(AGENT);
    let verdict =
        request.optional_text("url")?.map(|url| rules.verdict(agent, &whimbrel_url::robots::path_of(&url)));
    let sitemaps = match request.optional_text("robots_url")? {
        Some(url) => rules.sitemap_urls(&url),
        None => rules.sitemaps().to_vec(),
    };
    let rule = verdict.as_ref().and_then(|verdict| verdict.rule.as_ref());
    Ok(Reply::new()
        .with("allowed", verdict.as_ref().map(|verdict| verdict.allowed))
        .with("rule", rule.map(|rule| json!({ "line": rule.line, "text": rule.text })))
        .with("group", rules.group_token(agent))
        .with("crawl_delay", rules.crawl_delay_ms(agent).map(|ms| ms as f64 / 1000.0))
        .with("sitemaps", sitemaps))
}

pub const ROBOTS_META: Tool = Tool {
    name: "robots-meta",
    summary: "What a page and its X-Robots-Tag headers ask of an agent",
    input: &[
        ("html", "the page; as html_b64 when it is not UTF-8"),
        ("headers", "the response's headers, as [[name, value], …]"),
        ("user_agent", "product token; whimbrel when left out"),
    ],
    output: &[
        ("noindex", "keep the page out of the index"),
        ("nofollow", "do not follow its links"),
        ("noarchive", "show no copy of it"),
        ("nosnippet", "show no text of it"),
        ("unavailable_after", "out of the index from this time on, or null"),
    ],
    example: r#"{"id":1,"html":"<meta name=robots content=noarchive>","headers":[["X-Robots-Tag","otherbot: nofollow"],["X-Robots-Tag","noindex"]]}"#,
    example_reply: r#"{"id":1,"noindex":true,"nofollow":false,"noarchive":true,"nosnippet":false,"unavailable_after":null}"#,
    answer: robots_meta,
};

fn robots_meta(request: &Request) -> Result<Reply, String> {
    let html = request.bytes("html")?;
    let headers = request.headers("headers")?;
    let agent = request.optional_text("user_agent")?;
    let tags: Vec<&str> = headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("x-robots-tag"))
        .map(|(_, value)| value.as_str())
        .collect();
    let url = super::page::nowhere();
    let input = ParseInput {
        url: &url,
        content_type: super::page::content_type(request, "html")?,
        body: &html,
        x_robots_tag: &tags,
        agent: agent.as_deref().unwrap_or(AGENT),
    };
    let robots = whimbrel_page::parse(&input, &ParseLimits::default()).content.robots;
    Ok(Reply::new()
        .with("noindex", robots.noindex)
        .with("nofollow", robots.nofollow)
        .with("noarchive", robots.noarchive)
        .with("nosnippet", robots.nosnippet)
        .with("unavailable_after", robots.unavailable_after.map(|at| Value::from(at.to_string()))))
}
