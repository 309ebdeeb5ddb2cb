//! When a reply passes a case of the public suites, tool by tool: which fields count, and what is as good.

use serde_json::Value;
use std::collections::BTreeSet;
use whimbrel_page::duplicate::digest::{DigestKind, hex};

/// One tool's cases.
pub struct Suite {
    pub tool: &'static str,
    pub files: &'static [&'static str],
    /// What is handed to the tool; the rest of a case is its expectation.
    pub fields: &'static [&'static str],
    /// Whether a reply passes; `None` where a case is not judged.
    pub judge: fn(&Value, &Value) -> Option<bool>,
    /// Least share of the undisputed cases.
    pub least: f64,
}

/// All suites.
pub const SUITES: &[Suite] = &[
    suite(
        "robots",
        &["robots/rules.jsonl", "robots/real_world.jsonl"],
        &["robots_txt", "robots_txt_b64", "user_agent", "url", "robots_url"],
        robots,
        1.0,
    ),
    suite("url-parse", &["url/parse.jsonl"], &["input", "base"], url_parse, 1.0),
    suite("url-resolve", &["url/resolve.jsonl"], &["reference", "base"], url_resolve, 1.0),
    suite("url-normalize", &["url/normalize_pairs.jsonl"], &["a", "b"], url_normalize, 1.0),
    suite(
        "url-query-encoding",
        &["url/query_encoding.jsonl"],
        &["query_input", "document_encoding"],
        query_encoding,
        1.0,
    ),
    suite("sitemap", &["sitemap/parse.jsonl"], &["url", "content_type", "body", "body_b64"], sitemap, 1.0),
    suite("sitemap-date", &["sitemap/dates.jsonl"], &["text"], sitemap_date, 1.0),
    suite(
        "sitemap-scope",
        &["sitemap/scope_limits.jsonl"],
        &["sitemap_url", "loc", "announced_in"],
        sitemap_scope,
        1.0,
    ),
    suite("charset", &["charset/declared.jsonl"], &["content_type", "body_b64"], charset, 1.0),
    suite(
        "charset-detect",
        &["charset/undeclared.jsonl"],
        &["content_type", "body_b64"],
        charset_detect,
        0.9,
    ),
    suite("charset-label", &["charset/labels.jsonl"], &["label"], charset_label, 1.0),
    suite("content-type", &["charset/content_type.jsonl"], &["input"], content_type, 1.0),
    suite(
        "html-links",
        &["html/links.jsonl"],
        &["base_url", "html", "html_b64", "content_type", "nofollow_obeyed"],
        html_links,
        1.0,
    ),
    suite("html-text", &["html/tree.jsonl"], &["html", "html_b64"], html_text, 0.99),
    suite("meta-refresh", &["html/meta_refresh.jsonl"], &["content"], meta_refresh, 1.0),
    suite("srcset", &["html/srcset.jsonl"], &["srcset"], srcset, 1.0),
    suite("robots-meta", &["html/robots_meta.jsonl"], &["html", "headers", "user_agent"], robots_meta, 1.0),
    suite(
        "content-encoding",
        &["http/content_encoding.jsonl"],
        &["content_encoding", "body_b64"],
        content_encoding,
        1.0,
    ),
    suite("warc-read", &["warc/read.jsonl"], &["path", "format", "compression"], warc_read, 1.0),
];

type Judge = fn(&Value, &Value) -> Option<bool>;

const fn suite(
    tool: &'static str,
    files: &'static [&'static str],
    fields: &'static [&'static str],
    judge: Judge,
    least: f64,
) -> Suite {
    Suite { tool, files, fields, judge, least }
}

/// How much a case binds.
pub fn tier(case: &Value) -> &str {
    let contested = if case["contested"] == true { "contested" } else { "must" };
    case["tier"].as_str().unwrap_or(contested)
}

fn robots(case: &Value, reply: &Value) -> Option<bool> {
    if let Some(allowed) = case.get("allowed") {
        return Some(&reply["allowed"] == allowed);
    }
    if let Some(delay) = case.get("crawl_delay") {
        let found = reply["crawl_delay"].as_f64();
        return Some(match (delay.as_f64(), found) {
            (Some(expected), Some(found)) => (expected - found).abs() < 1e-3,
            (expected, found) => expected == found,
        });
    }
    Some(set(&reply["sitemaps"]) == set(&case["sitemaps"]))
}

fn url_parse(case: &Value, reply: &Value) -> Option<bool> {
    if case["failure"] == true {
        return Some(reply.get("href") == Some(&Value::Null));
    }
    // Beyond the URL itself, the parts that a case lists must be those of the reply.
    let parts =
        ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
    let parts_agree = parts.iter().all(|part| case.get(part).is_none_or(|expected| &reply[part] == expected));
    Some(reply["href"] == case["href"] && parts_agree)
}

fn url_resolve(case: &Value, reply: &Value) -> Option<bool> {
    let found = reply["url"].as_str();
    let others = case["also_accept"].as_array().into_iter().flatten();
    let accepted = [&case["expected"], &case["whatwg"]].into_iter().chain(others);
    Some(found.is_some() && accepted.filter_map(Value::as_str).any(|url| Some(url) == found))
}

fn url_normalize(case: &Value, reply: &Value) -> Option<bool> {
    let relation = case["relation"].as_str().filter(|relation| *relation != "policy")?;
    let both = reply["a"].is_string() && reply["b"].is_string();
    Some(both && (reply["a"] == reply["b"]) == (relation == "same"))
}

fn query_encoding(case: &Value, reply: &Value) -> Option<bool> {
    Some(reply["query"] == case["expected_query"])
}

fn sitemap(case: &Value, reply: &Value) -> Option<bool> {
    let items = |value: &Value| value["items"].as_array().cloned().unwrap_or_default();
    let (found, expected) = (items(reply), items(&case["expected"]));
    if case["expected"]["type"] == "invalid" {
        return Some(found.is_empty());
    }
    let locations = |items: &[Value]| -> BTreeSet<String> {
        items.iter().filter_map(|item| item["loc"].as_str()).map(str::to_owned).collect()
    };
    let dated = found.iter().all(|item| {
        let twin = expected.iter().rev().find(|other| other["loc"] == item["loc"]);
        let Some(wanted) = twin.and_then(|twin| seconds(twin["lastmod"].as_str()?)) else { return true };
        item["lastmod"].as_str().and_then(seconds).is_some_and(|found| (found - wanted).abs() <= 1.0)
    });
    Some(locations(&found) == locations(&expected) && dated)
}

fn sitemap_date(case: &Value, reply: &Value) -> Option<bool> {
    let slack = if case["compare"] == "day" { 86_400.0 } else { 0.01 };
    let expected = case["expected_utc"].as_str().map(|text| seconds(text).unwrap());
    let found = reply["utc"].as_str().map(|text| seconds(text).unwrap_or(f64::NAN));
    Some(match (expected, found) {
        (Some(expected), Some(found)) => (expected - found).abs() < slack,
        (expected, found) => expected.is_none() && found.is_none(),
    })
}

fn sitemap_scope(case: &Value, reply: &Value) -> Option<bool> {
    case.get("in_scope").map(|expected| &reply["in_scope"] == expected)
}

fn charset(case: &Value, reply: &Value) -> Option<bool> {
    let text = collapsed(reply["text"].as_str().unwrap_or_default());
    if let Some(wrong) = filled(&case["expected_text_not_contains"]) {
        return Some(!text.contains(wrong));
    }
    if let Some(right) = filled(&case["expected_text_contains"]) {
        return Some(text.contains(right));
    }
    Some(lower(&reply["encoding"]) == lower(&case["expected_encoding"]))
}

fn charset_detect(case: &Value, reply: &Value) -> Option<bool> {
    let digest = hex(DigestKind::Sha256, reply["text"].as_str().unwrap_or_default().as_bytes());
    let named = lower(&reply["encoding"]) == lower(&case["expected_encoding"]);
    Some(named || case["decoded_sha256"] == *digest)
}

fn charset_label(case: &Value, reply: &Value) -> Option<bool> {
    Some(lower(&reply["encoding"]) == lower(&case["encoding"]))
}

fn content_type(case: &Value, reply: &Value) -> Option<bool> {
    let serialized = case.get("serialized").is_none_or(|expected| &reply["serialized"] == expected);
    Some(lower(&reply["encoding"]) == lower(&case["encoding"]) && serialized)
}

fn html_links(case: &Value, reply: &Value) -> Option<bool> {
    let bare =
        |list: &Value| -> BTreeSet<String> { set(list).iter().map(|url| without_fragment(url)).collect() };
    let page = without_fragment(case["base_url"].as_str().unwrap());
    let optional = bare(&case["optional_links"]);
    let found: BTreeSet<String> =
        bare(&reply["links"]).into_iter().filter(|url| *url != page && !optional.contains(url)).collect();
    let expected: BTreeSet<String> =
        set(&case["expected_links"]).into_iter().filter(|url| *url != page).collect();
    let title = match (filled(&case["expected_title"]), reply["title"].as_str()) {
        (Some(expected), Some(found)) => collapsed(found) == collapsed(expected),
        _ => true,
    };
    let canonical = filled(&case["canonical"]).is_none_or(|expected| reply["canonical"] == expected);
    Some(found == expected && title && canonical)
}

fn html_text(case: &Value, reply: &Value) -> Option<bool> {
    let bare = |value: &Value| value.as_str().unwrap_or_default().split_whitespace().collect::<String>();
    Some(bare(&reply["text"]) == bare(&case["text"]))
}

fn meta_refresh(case: &Value, reply: &Value) -> Option<bool> {
    Some(reply["refresh"] == case["expected"])
}

fn srcset(case: &Value, reply: &Value) -> Option<bool> {
    Some(reply["candidates"] == case["candidates"])
}

fn robots_meta(case: &Value, reply: &Value) -> Option<bool> {
    Some(case["expected"].as_object().unwrap().iter().all(|(name, expected)| &reply[name] == expected))
}

fn content_encoding(case: &Value, reply: &Value) -> Option<bool> {
    let expected = &case["expected"];
    let (cut, failed) = (reply["truncated"] == true, reply["error"].is_string());
    if expected["bomb"] == true {
        return Some(cut || failed);
    }
    if expected["undecodable"] == true {
        return Some(failed);
    }
    if expected["partial_ok"] == true {
        let least = expected["recoverable_length"].as_f64().unwrap() * 0.9;
        return Some(reply["length"].as_f64().is_some_and(|length| length >= least));
    }
    Some(reply["sha256"] == expected["sha256"])
}

fn warc_read(case: &Value, reply: &Value) -> Option<bool> {
    if filled(&case["warcio_error"]).is_some() {
        return Some(reply["records"].is_array());
    }
    let found = reply["records"].as_array()?;
    if case["records_truncated"] == true {
        return Some(case["warcio_records"] == found.len());
    }
    if matches!(case["compression"].as_str(), Some("lz4" | "zstd")) {
        return None;
    }
    let names = |records: &[Value]| -> Vec<(Value, Value)> {
        records.iter().map(|record| (record["type"].clone(), record["uri"].clone())).collect()
    };
    Some(names(found) == names(case["records"].as_array()?))
}

/// Seconds since 1970 of `YYYY-MM-DD`, with or without `THH:MM:SS`, a fraction and a zone; UTC without one.
fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let years = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * years + years / 4 - years / 100 + years / 400 + day_of_year - 719_468;
    let mut at = (days * 86_400) as f64;
    let Some(time) = text.get(11..) else { return Some(at) };
    let zone_at = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    for (part, unit) in clock.split(':').zip([3600.0, 60.0, 1.0]) {
        at += part.parse::<f64>().ok()? * unit;
    }
    if let Some((hours, minutes)) = zone.get(1..).and_then(|zone| zone.split_once(':')) {
        let offset = (hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?) as f64 * 60.0;
        at -= if zone.starts_with('-') { -offset } else { offset };
    }
    Some(at)
}

fn set(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn without_fragment(url: &str) -> String {
    url.split('#').next().unwrap_or_default().to_owned()
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lower(value: &Value) -> Option<String> {
    value.as_str().map(str::to_ascii_lowercase)
}

/// A text that is there and not empty.
fn filled(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

#[test]
fn times_are_compared_as_instants() {
    for (text, expected) in [
        ("1970-01-01", 0.0),
        ("2000-02-29T12:00:00Z", 951_825_600.0),
        ("2000-02-29T14:00:00.500+02:00", 951_825_600.5),
        ("2000-02-29T10:30:00-01:30", 951_825_600.0),
    ] {
        assert_eq!(seconds(text), Some(expected), "{text}");
    }
}
