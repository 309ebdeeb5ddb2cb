//! Runs public conformance cases (WPT, html5lib, Nutch, Scrapy and others as JSON lines) when `WHIMBREL_SHARED` names
//! the directory that holds them. Each test demands at least the share of undisputed cases that holds today.

use serde_json::Value;
use whimbrel_page::duplicate::digest::{DigestKind, hex};
use whimbrel_page::media_type::MediaType;
use whimbrel_page::{ParseInput, ParseLimits, Parsed, charset, parse, parse_refresh, srcset, visible_text};
use whimbrel_types::LinkKind;

/// The cases of a file that nobody disputes; none, with a word about it, without the directory.
fn cases(file: &str) -> Vec<Value> {
    let Ok(shared) = std::env::var("WHIMBREL_SHARED") else {
        println!("skipped {file}: set WHIMBREL_SHARED to the directory with vectors/open");
        return Vec::new();
    };
    let path = format!("{shared}/vectors/open/{file}");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a JSON line"));
    all.filter(|case| case["contested"] != true && case["tier"].as_str().is_none_or(|tier| tier == "must"))
        .collect()
}

/// Asserts that at least `least` of the cases pass, and lists those that do not.
fn judge(file: &str, least: usize, passes: impl Fn(&Value) -> bool) {
    let cases = cases(file);
    let failed: Vec<&str> =
        cases.iter().filter(|case| !passes(case)).filter_map(|case| case["id"].as_str()).collect();
    let passed = cases.len() - failed.len();
    println!("{file}: {passed} of {}; failing: {failed:?}", cases.len());
    assert!(cases.is_empty() || passed >= least, "{file}: {passed} pass, {least} did before: {failed:?}");
}

fn parsed(case: &Value, html: &[u8], url: &str, headers: &[&str]) -> Parsed {
    let url = whimbrel_url::normalize(url).expect("a good URL");
    let input = ParseInput {
        url: &url,
        content_type: case["content_type"].as_str().or(Some("text/html; charset=utf-8")),
        body: html,
        x_robots_tag: headers,
        agent: case["user_agent"].as_str().unwrap_or("whimbrel"),
    };
    parse(&input, &ParseLimits { embedded_links: true, ..ParseLimits::default() })
}

fn bytes(case: &Value, field: &str) -> Vec<u8> {
    match case[field].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => base64(case[format!("{field}_b64")].as_str().expect("a body")),
    }
}

fn base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    let (mut buffer, mut bits) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        buffer = (buffer << 6) | u32::from(value(byte));
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((buffer >> bits) as u8);
        }
    }
    out
}

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn links_of_pages() {
    judge("html/links.jsonl", LINKS, |case| {
        let base = case["base_url"].as_str().expect("a URL");
        let page = parsed(case, &bytes(case, "html"), base, &[]);
        let frames = page.embedded_links.iter().filter(|link| link.kind == LinkKind::Frame);
        let followed = !page.content.robots.nofollow;
        let found = page
            .content
            .links
            .iter()
            .chain(frames)
            .filter(|_| followed)
            .map(|link| link.target.as_str().to_owned());
        let own = whimbrel_url::normalize(base).expect("a good URL").as_str().to_owned();
        let list = |field: &str| -> Vec<String> {
            let urls = case[field].as_array().into_iter().flatten().filter_map(Value::as_str);
            urls.filter_map(|url| whimbrel_url::normalize(url).ok())
                .map(|url| url.as_str().to_owned())
                .collect()
        };
        let (expected, optional) = (list("expected_links"), list("optional_links"));
        let mut found: Vec<String> = found.filter(|url| !optional.contains(url) && *url != own).collect();
        let mut expected: Vec<String> = expected.into_iter().filter(|url| *url != own).collect();
        found.sort();
        found.dedup();
        expected.sort();
        expected.dedup();
        let canonical = case["canonical"].as_str();
        found == expected
            && (canonical.is_none() || page.content.canonical.as_ref().map(|url| url.as_str()) == canonical)
    });
}

#[test]
fn robots_directives_of_pages() {
    judge("html/robots_meta.jsonl", ROBOTS, |case| {
        let headers: Vec<&str> = case["headers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|header| header[1].as_str())
            .collect();
        let robots = parsed(case, &bytes(case, "html"), "http://example.org/", &headers).content.robots;
        let expected = |field: &str| case["expected"][field].as_bool().unwrap_or(false);
        robots.noindex == expected("noindex") && robots.nofollow == expected("nofollow")
    });
}

#[test]
fn visible_text_of_pages() {
    judge("html/tree.jsonl", TREE, |case| {
        let text = visible_text(&String::from_utf8_lossy(&bytes(case, "html")));
        without_space(&text) == without_space(case["text"].as_str().unwrap_or_default())
    });
}

#[test]
fn declared_charsets() {
    judge("charset/declared.jsonl", DECLARED, |case| {
        let body = bytes(case, "body");
        let (text, encoding, _) = charset::decode(&body, case["content_type"].as_str(), None);
        let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(wrong) = case["expected_text_not_contains"].as_str() {
            return !collapsed.contains(wrong);
        }
        if let Some(right) = case["expected_text_contains"].as_str() {
            return collapsed.contains(right);
        }
        case["expected_encoding"].as_str().is_some_and(|name| encoding.name().eq_ignore_ascii_case(name))
    });
}

#[test]
fn undeclared_charsets() {
    judge("charset/undeclared.jsonl", UNDECLARED, |case| {
        let body = bytes(case, "body");
        let encoding = charset::guess(&body, None);
        // Another charset that gives the same characters is as good.
        let (text, _) = encoding.decode_without_bom_handling(&body);
        let named = case["expected_encoding"]
            .as_str()
            .is_some_and(|expected| encoding.name().eq_ignore_ascii_case(expected));
        named || case["decoded_sha256"].as_str() == Some(hex(DigestKind::Sha256, text.as_bytes()).as_str())
    });
}

#[test]
fn charsets_of_headers() {
    judge("charset/content_type.jsonl", CONTENT_TYPE, |case| {
        let found = charset::charset_of(case["input"].as_str().unwrap_or_default())
            .map(|encoding| encoding.name().to_ascii_lowercase());
        let written =
            MediaType::parse(case["input"].as_str().unwrap_or_default()).map(|found| found.to_string());
        found == case["encoding"].as_str().map(str::to_ascii_lowercase)
            && written.as_deref() == case["serialized"].as_str()
    });
}

#[test]
fn refreshes() {
    judge("html/meta_refresh.jsonl", REFRESH, |case| {
        let content = case["content"].as_str().unwrap_or_default();
        let found = parse_refresh(content)
            .map(|refresh| (u64::from(refresh.seconds), refresh.url.map(str::to_owned)));
        let expected = case["expected"].as_object();
        found == expected.map(|e| (e["seconds"].as_u64().unwrap_or(0), e["url"].as_str().map(str::to_owned)))
    });
}

#[test]
fn image_candidates() {
    judge("html/srcset.jsonl", SRCSET, |case| {
        let expected: Vec<&str> =
            case["candidates"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        srcset::candidates(case["srcset"].as_str().unwrap_or_default()) == expected
    });
}

// Undisputed cases that hold: all of them, unless the test's output lists one.
const LINKS: usize = 24;
const ROBOTS: usize = 13;
const TREE: usize = 859;
const DECLARED: usize = 56;
const UNDECLARED: usize = 59;
const CONTENT_TYPE: usize = 72;
const REFRESH: usize = 36;
const SRCSET: usize = 116;
