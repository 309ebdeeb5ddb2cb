//! `sitemap`, `sitemap-date`, `sitemap-scope`, `sitemap-tree`: what a site says about its pages.

use super::{Reply, Request, Tool};
use serde_json::{Map, Value, json};
use whimbrel_url::date::{DatePrecision, sitemap_date};
use whimbrel_url::sitemap::{
    Answer, ChangeFrequency, Probe, Sitemap, SitemapEntry, SitemapLimits, SitemapTree, TreeRules, in_scope,
};

pub const SITEMAP: Tool = Tool {
    name: "sitemap",
    summary: "URLs and dates of a sitemap, index, text list or feed, packed or not",
    input: &[
        ("url", "where the file is"),
        ("body", "the file; as body_b64 when it is not UTF-8"),
        ("content_type", "the Content-Type header"),
    ],
    output: &[
        ("type", "urlset, index, text, rss, atom or unknown"),
        ("items", "each with loc, lastmod or null, changefreq, priority; in an index loc is a sitemap"),
        ("truncated", "true when a limit was reached"),
        ("problems", "what is wrong with the file, in words with the line"),
    ],
    example: r#"{"id":1,"url":"http://example.org/sitemap.xml","body":"<urlset><url><loc>http://example.org/a?b&amp;c</loc><lastmod>2024-02-29</lastmod></url></urlset>"}"#,
    example_reply: r#"{"id":1,"type":"urlset","items":[{"changefreq":null,"lastmod":"2024-02-29T00:00:00Z","loc":"http://example.org/a?b&c","priority":null}],"truncated":false,"problems":[]}"#,
    answer: sitemap,
};

fn sitemap(request: &Request) -> Result<Reply, String> {
    let url = request.text("url")?;
    let body = request.bytes("body")?;
    let read = Sitemap::parse(&url, request.plain_text("content_type")?, &body, SitemapLimits::default());
    let problems: Vec<Value> = read.problems.iter().map(|problem| problem.to_string().into()).collect();
    Ok(Reply::new()
        .with("type", read.kind.as_str())
        .with("items", read.entries.iter().map(item).collect::<Vec<_>>())
        .with("truncated", read.truncated)
        .with("problems", problems))
}

fn item(entry: &SitemapEntry) -> Value {
    json!({
        "loc": entry.loc,
        "lastmod": entry.lastmod.map(|lastmod| lastmod.at.to_string()),
        "changefreq": entry.changefreq.map(often),
        "priority": entry.priority,
    })
}

fn often(frequency: ChangeFrequency) -> &'static str {
    match frequency {
        ChangeFrequency::Always => "always",
        ChangeFrequency::Hourly => "hourly",
        ChangeFrequency::Daily => "daily",
        ChangeFrequency::Weekly => "weekly",
        ChangeFrequency::Monthly => "monthly",
        ChangeFrequency::Yearly => "yearly",
        ChangeFrequency::Never => "never",
    }
}

pub const DATE: Tool = Tool {
    name: "sitemap-date",
    summary: "A date as sitemaps and feeds write it, right or wrong",
    input: &[("text", "the date")],
    output: &[
        ("utc", "the instant in UTC, or null when it is no date; what was not said is filled in"),
        ("precision", "year, month, day, local (no zone was named) or exact; null when it is no date"),
    ],
    example: r#"{"id":1,"text":"2024-02-29T10:00+02:00"}"#,
    example_reply: r#"{"id":1,"utc":"2024-02-29T08:00:00Z","precision":"exact"}"#,
    answer: date,
};

fn date(request: &Request) -> Result<Reply, String> {
    let found = sitemap_date(&request.text("text")?);
    let precision = found.map(|(_, precision)| match precision {
        DatePrecision::Year => "year",
        DatePrecision::Month => "month",
        DatePrecision::Day => "day",
        DatePrecision::Local => "local",
        DatePrecision::Exact => "exact",
    });
    Ok(Reply::new().with("utc", found.map(|(at, _)| at.to_string())).with("precision", precision))
}

pub const SCOPE: Tool = Tool {
    name: "sitemap-scope",
    summary: "May a sitemap speak for a page? (sitemaps.org, location and cross submits)",
    input: &[
        ("sitemap_url", "where the sitemap is"),
        ("loc", "a page it names"),
        ("announced_in", "the robots.txt that names the sitemap, or null"),
    ],
    output: &[("in_scope", "true or false")],
    example: r#"{"id":1,"sitemap_url":"http://example.org/shop/sitemap.xml","loc":"http://example.org/news/","announced_in":null}"#,
    example_reply: r#"{"id":1,"in_scope":false}"#,
    answer: scope,
};

fn scope(request: &Request) -> Result<Reply, String> {
    let announced = request.optional_text("announced_in")?;
    let found = in_scope(&request.text("sitemap_url")?, &request.text("loc")?, announced.as_deref());
    Ok(Reply::new().with("in_scope", found))
}

pub const TREE: Tool = Tool {
    name: "sitemap-tree",
    summary: "All pages that a site's sitemaps name, over answers that are given",
    input: &[
        ("home", "a URL of the site"),
        ("responses", "answers by URL, each {status, headers, body or body_b64}"),
        ("default_status", "the status of every other URL; 404 when left out"),
    ],
    output: &[
        ("pages", "URLs of pages in order, each once"),
        ("sitemaps", "what was asked for, each with url, status, type, problems"),
    ],
    example: r#"{"id":1,"home":"http://example.org/","responses":{"http://example.org/robots.txt":{"status":200,"body":"Sitemap: http://example.org/s.txt"},"http://example.org/s.txt":{"status":200,"headers":{"Content-Type":"text/plain"},"body":"http://example.org/a\n"}}}"#,
    example_reply: r#"{"id":1,"pages":["http://example.org/a"],"sitemaps":[{"problems":[],"status":200,"type":"unknown","url":"http://example.org/robots.txt"},{"problems":[],"status":200,"type":"text","url":"http://example.org/s.txt"}]}"#,
    answer: tree,
};

fn tree(request: &Request) -> Result<Reply, String> {
    let home = request.text("home")?;
    let responses = request.object("responses")?;
    let default_status = request.optional_number("default_status")?.unwrap_or(404);
    // Nobody is bothered by asking for more here, and the answers were given to be looked at.
    let rules = TreeRules { probe: Probe::All, ..TreeRules::default() };
    let mut tree =
        SitemapTree::new(&home, rules).ok_or_else(|| "the field home is no http or https URL".to_owned())?;
    let (mut pages, mut sitemaps) = (Vec::new(), Vec::new());
    while let Some(url) = tree.poll() {
        let given = response(responses, url.as_str(), default_status)?;
        let header = |name: &str| {
            given
                .headers
                .iter()
                .find(|(field, _)| field.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
        };
        let answer = Answer {
            status: given.status,
            location: header("location"),
            content_type: header("content-type"),
            body: &given.body,
        };
        let handled = tree.handle(&url, &answer);
        pages.extend(handled.pages.into_iter().map(|page| Value::from(page.entry.loc)));
        if given.known {
            let problems: Vec<String> = handled.problems.iter().map(ToString::to_string).collect();
            sitemaps.push(json!({
                "url": url.as_str(), "status": given.status, "type": handled.kind.as_str(), "problems": problems,
            }));
        }
    }
    Ok(Reply::new().with("pages", pages).with("sitemaps", sitemaps))
}

/// An answer that was given for a URL, or the default one.
struct Given {
    known: bool,
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

fn response(responses: &Map<String, Value>, url: &str, default_status: u64) -> Result<Given, String> {
    // Keys are spelled as people write URLs.
    let found = responses.get(url).or_else(|| {
        let same = |key: &String| whimbrel_url::normalize(key).is_ok_and(|key| key.as_str() == url);
        responses.iter().find(|(key, _)| same(key)).map(|(_, answer)| answer)
    });
    let status = |status: u64| u16::try_from(status).map_err(|_| format!("{status} is no HTTP status"));
    let Some(found) = found else {
        return Ok(Given {
            known: false,
            status: status(default_status)?,
            headers: Vec::new(),
            body: Vec::new(),
        });
    };
    let found = found.as_object().ok_or_else(|| format!("the response of {url} must be an object"))?;
    let answer = Request::inner(found);
    let in_response = |what: String| format!("in the response of {url}: {what}");
    let has_body = answer.has("body");
    Ok(Given {
        known: true,
        status: status(answer.optional_number("status").map_err(in_response)?.unwrap_or(200))?,
        headers: answer.headers("headers").map_err(in_response)?,
        body: if has_body { answer.bytes("body").map_err(in_response)?.into_owned() } else { Vec::new() },
    })
}
