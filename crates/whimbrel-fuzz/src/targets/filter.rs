//! Filter expressions. Laws: what was parsed, written and parsed again judges the same; an error points into the text.

use crate::target::{Target, answer, arguments, size, text, texts};
use whimbrel_types::CanonicalUrl;
use whimbrel_url::{FilterExpression, FilterInput};

pub(super) const TARGET: Target = Target {
    name: "filter",
    run,
    seeds: || {
        texts(&[
            "http://a.test/x.html\x1fhost=a.test && (path=/x* || !type=text/html)",
            "http://a.test/\x1furl~\"^http\" and depth<3",
            "http://a.test/a?b=c\x1fnot (ext=html or ext=\"pdf\")",
        ])
    },
    tokens: &[
        "(", ")", "!", "&&", "||", "and ", "or ", "not ", "host", "path", "url", "query", "depth", "type",
        "ext", "scheme", "=", "!=", "<", ">", "<=", "~", "*", "\"", "'", "/", "in ", ",",
    ],
    shared: &[],
    bytes_max: 2048,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let [url, expression] = arguments::<2>(data);
    let (url, expression) = (text(url), text(expression));
    let fallback = || CanonicalUrl::from_canonical("http://a.test/x/y.html?q=1");
    let url = CanonicalUrl::from_canonical(&url).or_else(fallback).expect("the fallback is canonical");
    match FilterExpression::parse(&expression) {
        Ok(parsed) => {
            let again = FilterExpression::parse(&parsed.to_string()).expect("a written expression is one");
            let mut seen = Vec::new();
            for content_type in [None, Some("text/html; charset=utf-8"), Some("")] {
                let input = FilterInput { url: &url, depth: 3, content_type };
                assert_eq!(parsed.judge(&input), again.judge(&input), "written and read again");
                assert_eq!(parsed.accepts(&input), again.accepts(&input));
                seen.push(parsed.judge(&input));
            }
            answer((seen, size(expression.len())))
        }
        Err(error) => {
            assert!(error.position <= expression.len(), "{} of {}", error.position, expression.len());
            assert!(!error.message.is_empty() && error.show(&expression).len() >= error.message.len());
            answer((error.message, size(error.position)))
        }
    }
}
