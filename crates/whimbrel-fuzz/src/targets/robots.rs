//! robots.txt (RFC 9309). Laws: every question has an answer, the same by every way of asking; a rule that is named is a
//! line of the file; nothing that is told is longer than the file.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_url::RobotsRules;
use whimbrel_url::robots::{check, path_of};

pub(super) const TARGET: Target = Target {
    name: "robots",
    run,
    seeds: || {
        texts(&[
            "whimbrel\x1fhttp://a.test/x/y.html?q=1\x1fUser-agent: *\nDisallow: /x\nAllow: /x/y*.html$\nCrawl-delay: 1.5\nSitemap: http://a.test/s.xml\n",
            "Whimbrel/1.0\x1f/%7euser/\x1f\u{feff}user-agent: whimbrel\r\nuser-agent: other\r\ndisallow:\r\n\r\nuser-agent: *\r\ndisallow: /%7Euser\r\n",
            "a\x1fhttps://a.test/\x1fDisallow: /\n",
        ])
    },
    tokens: &[
        "User-agent:",
        "user-agent: *\n",
        "Disallow: ",
        "Allow: ",
        "Crawl-delay: ",
        "Sitemap: ",
        "*",
        "$",
        "/",
        "%2F",
        "%",
        "#",
        "\r",
        "\n",
        "whimbrel",
        "\u{feff}",
        "Disalow: /",
        "Noindex: /",
        "**",
        "*$",
    ],
    shared: &[
        Shared { file: "robots/rules.jsonl", fields: &["user_agent", "url", "robots_txt|robots_txt_b64"] },
        Shared {
            file: "robots/real_world.jsonl",
            fields: &["user_agent", "url", "robots_txt|robots_txt_b64"],
        },
    ],
    bytes_max: 4096,
    smoke_runs: 1500,
};

fn run(data: &[u8]) -> u64 {
    let [agent, url, file] = arguments::<3>(data);
    let (agent, url) = (text(agent), text(url));
    let rules = RobotsRules::parse(file);
    let path = path_of(&url);
    let verdict = rules.verdict(&agent, &path);
    assert_eq!(verdict, rules.for_agent(&agent).verdict(&path), "two ways of asking");
    assert_eq!(rules.crawl_delay_ms(&agent), rules.for_agent(&agent).crawl_delay_ms());
    let checked = check(file, &agent, &url);
    assert_eq!(checked.allowed, verdict.allowed, "two ways of asking");
    // Every line end there is: LF, CR, CRLF.
    let lines = file.iter().filter(|b| matches!(b, b'\n' | b'\r')).count() + 1;
    if let Some(rule) = &verdict.rule {
        assert!(rule.line >= 1 && rule.line <= lines, "line {} of {lines}", rule.line);
    }
    assert!(verdict.allowed || verdict.rule.is_some(), "forbidden by no rule");
    let told: usize = rules.sitemaps().iter().map(String::len).sum();
    // A byte that is no UTF-8 becomes three.
    assert!(told <= file.len() * 3);
    answer((
        verdict.allowed,
        verdict.rule.map(|rule| size(rule.line)),
        rules.crawl_delay_ms(&agent).is_some(),
        size(rules.sitemaps().len()),
        size(lines),
    ))
}
