//! URLs (WHATWG URL, RFC 3986). Laws: what was parsed parses to itself; what was normalised is canonical and its own
//! normal form, and so is what a reference resolves to; nothing is longer than the limit.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_types::CanonicalUrl;
use whimbrel_url::standard::{components, full_rfc3986, six_steps};
use whimbrel_url::{ParsedUrl, URL_BYTES_MAX, normalize, parse_url, resolve};

pub(super) const TARGET: Target = Target {
    name: "url",
    run,
    seeds: || {
        texts(&[
            "http://user:pw@Example.COM:80/a/./b/../c%7e?q=1&b=%20#frag\x1f",
            "../x//y?z\x1fhttps://a.test/dir/file?q",
            "///host/path\x1fhttp://b.test/",
            "http://[2001:DB8::1]:8080/\x1f",
            "http://xn--mnchen-3ya.de/ü?ü\x1f",
            "http://0x7f.1/\x1f",
            "javascript:alert(1)\x1f",
            "file:///C|/x/../y\x1f",
            "http://faß.de。/\x1f",
            "?only=query\x1fhttp://a.test/p",
            "\\\\host\\share\x1fhttp://a.test/",
        ])
    },
    tokens: &[
        "http://", "https:", "//", "/../", "/./", "%2e%2e/", "@", ":", "?", "#", "[::1]", "[v1.x]", "%00",
        "%zz", "xn--", "127.1", "0x", "\\", "file:", "mailto:", "data:,", "ws://", ":80/", ":443/", ":65536",
        "a.test", "ü", "\t", "&amp;", "%C3%BC", "\u{ad}",
    ],
    shared: &[
        Shared { file: "url/parse.jsonl", fields: &["input", "base"] },
        Shared { file: "url/resolve.jsonl", fields: &["reference", "base"] },
        Shared { file: "url/normalize_pairs.jsonl", fields: &["a", "b"] },
    ],
    bytes_max: 1024,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let [input, base] = arguments::<2>(data);
    let (input, base) = (text(input), text(base));
    let parsed = parse_url(&input, (!base.is_empty()).then_some(&*base));
    if let Some(parsed) = &parsed {
        parses_to_itself(parsed);
    }
    let canonical = normalize(&input);
    if let Ok(canonical) = &canonical {
        is_normal(canonical);
    }
    let base = ParsedUrl::parse(&base);
    let resolved = base.as_ref().map(|base| resolve(base, &input));
    if let Some(Ok(resolved)) = &resolved {
        is_normal(resolved);
        let by_parser = base.and_then(|base| base.join(&input));
        assert!(by_parser.is_some(), "resolved to {resolved} what the standard refuses");
    }
    let full = full_rfc3986(&input);
    let steps = six_steps(&input);
    let parts = components(&input);
    assert_eq!(parts.to_string(), &*input, "components put together again");
    answer((
        parsed.map(|url| {
            (
                url.protocol().to_owned(),
                size(url.host().len()),
                size(url.pathname().len()),
                url.query().is_some(),
            )
        }),
        canonical.map(|url| size(url.as_str().len())).map_err(|reason| format!("{reason:?}")),
        resolved.map(|url| url.map(|url| size(url.as_str().len())).map_err(|reason| format!("{reason:?}"))),
        size(full.len()),
        steps.iter().filter(|step| **step != *input).count(),
    ))
}

fn parses_to_itself(parsed: &ParsedUrl) {
    let again = ParsedUrl::parse(parsed.href());
    let again = again.unwrap_or_else(|| panic!("{:?} does not parse again", parsed.href()));
    assert_eq!(again.href(), parsed.href(), "parsed again");
    assert_eq!(
        (again.host(), again.pathname(), again.query()),
        (parsed.host(), parsed.pathname(), parsed.query())
    );
}

fn is_normal(url: &CanonicalUrl) {
    assert!(url.as_str().len() <= URL_BYTES_MAX, "longer than the limit");
    assert!(CanonicalUrl::from_canonical(url.as_str()).is_some(), "{url} is not canonical");
    match normalize(url.as_str()) {
        Ok(again) => assert_eq!(&again, url, "normalised again"),
        Err(reason) => panic!("{url} cannot be normalised again: {reason:?}"),
    }
    // The accessors agree with the whole.
    let whole = format!("{}://{}{}", url.scheme().as_str(), url.authority(), url.path_and_query());
    assert_eq!(whole, url.as_str());
    assert!(!url.host().is_empty() && url.path().starts_with('/'));
}
