use super::pattern::{Pattern, normal_path};
use super::*;
use proptest::prelude::*;

fn allowed(robots_txt: &str, agent: &str, path: &str) -> bool {
    RobotsRules::parse(robots_txt.as_bytes()).verdict(agent, path).allowed
}

#[test]
fn longest_match_decides_and_allow_wins_ties() {
    let text = "user-agent: *\nallow: /p\ndisallow: /\nallow: /folder\ndisallow: /folder/\ndisallow: /page\nallow: /page\n";
    for (path, expected) in
        [("/page", true), ("/folder/page", false), ("/p", true), ("/x", false), ("", false)]
    {
        assert_eq!(allowed(text, "whimbrel", path), expected, "{path}");
    }
    let wild = "user-agent: *\nallow: /$\ndisallow: /\nallow: /page\ndisallow: /*.htm\n";
    for (path, expected) in [("/", true), ("/page.htm", false), ("/page.html", false), ("/page", true)] {
        assert_eq!(allowed(wild, "whimbrel", path), expected, "{path}");
    }
}

#[test]
fn verdict_names_the_line_that_decided() {
    let text = "# top\r\n\r\nUser-agent: whimbrel/2.0\rDisallow: /private/ # keep out\nAllow: /private/open";
    let rules = RobotsRules::parse(text.as_bytes());
    let verdict = rules.verdict("Whimbrel", "/private/x?y=1");
    assert!(!verdict.allowed);
    assert_eq!(verdict.rule, Some(MatchedRule { line: 4, text: "Disallow: /private/".to_owned() }));
    assert_eq!(rules.verdict("Whimbrel", "/private/open").rule.unwrap().line, 5);
    assert_eq!(rules.verdict("Whimbrel", "/").rule, None);
}

#[test]
fn own_groups_are_merged_and_hide_the_star_group() {
    let text = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Whimbrel\nDisallow: /a\n\nuser-agent: WHIMBREL\ndisallow: /b\n";
    for (agent, path, expected) in [
        ("whimbrel", "/a", false),
        ("whimbrel", "/b", false),
        ("whimbrel", "/c", true),
        ("other", "/b", true),
        ("whimbrel2", "/c", false),
        ("whim", "/c", false),
        ("*", "/c", false),
    ] {
        assert_eq!(allowed(text, agent, path), expected, "{agent} {path}");
    }
}

#[test]
fn unknown_lines_and_delays_do_not_end_a_group() {
    let text = "User-agent: a\nNoindex: /x\nCrawl-delay: 2.5\nSitemap: http://h/s.xml\nUser-agent: b\nDisallow: /x\nCrawl-delay: 7\n";
    assert!(!allowed(text, "a", "/x"));
    assert!(!allowed(text, "b", "/x"));
    let rules = RobotsRules::parse(text.as_bytes());
    assert_eq!(rules.crawl_delay_ms("a"), Some(2500));
    assert_eq!(rules.crawl_delay_ms("b"), Some(7000));
    assert_eq!(rules.crawl_delay_ms("c"), None);
    assert_eq!(rules.sitemaps(), ["http://h/s.xml"]);
}

#[test]
fn an_agent_line_without_a_name_begins_a_group_of_nobody() {
    let text = "User-agent: a\nDisallow: /x\nUser-agent:\nDisallow: /y\nUser-agent: b\nDisallow: /z\n";
    for (agent, path, expected) in
        [("a", "/x", false), ("a", "/y", true), ("b", "/z", false), ("c", "/y", true)]
    {
        assert_eq!(allowed(text, agent, path), expected, "{agent} {path}");
    }
    assert!(!allowed("User-agent:\nUser-agent: a\nDisallow: /x\n", "a", "/x"));
}

#[test]
fn crawl_delay_is_read_with_fractions_and_never_shortened() {
    for (value, expected) in [
        ("1", Some(1000)),
        ("0", Some(0)),
        ("0.2", Some(200)),
        (".5", Some(500)),
        ("1,5", Some(1500)),
        ("0.0001", Some(1)),
        ("10<BR>", Some(10_000)),
        ("99999999999999999999999999", Some(u64::MAX)),
        ("-1", None),
        ("soon", None),
        ("", None),
    ] {
        let rules = RobotsRules::parse(format!("User-agent: *\nCrawl-delay: {value}\n").as_bytes());
        assert_eq!(rules.crawl_delay_ms("whimbrel"), expected, "{value}");
    }
    let twice = RobotsRules::parse(b"User-agent: w\nCrawl-delay: 9\n\nUser-agent: w\nCrawl-delay: 3\n");
    assert_eq!(twice.for_agent("w").crawl_delay_ms(), Some(9000));
}

#[test]
fn percent_encoding_is_equal_on_both_sides() {
    for (pattern, path, matched) in [
        ("/%7ejoe", "/~joe", true),
        ("/~joe", "/%7Ejoe", true),
        ("/a%3cd", "/a%3Cd", true),
        ("/a%3cd", "/a<d", true),
        ("/a%2fb", "/a/b", false),
        ("/bar/\u{30c4}", "/bar/%E3%83%84", true),
        ("/bar/%E3%83%84", "/bar/\u{30c4}", true),
        ("/file-with-a-%2A.html", "/file-with-a-*.html", true),
        ("/file-with-a-%2A.html", "/file-with-a-b.html", false),
        ("/foo-%24", "/foo-$", true),
        ("/foo$/", "/foo$/x", true),
        ("/foo$", "/foo$", false),
        ("/100%", "/100%25", true),
    ] {
        assert_eq!(Pattern::new(pattern.as_bytes()).matches(&normal_path(path)), matched, "{pattern} {path}");
    }
}

#[test]
fn the_robots_file_itself_is_always_allowed() {
    assert!(allowed("User-agent: *\nDisallow: /", "whimbrel", "/robots.txt"));
    assert!(!allowed("User-agent: *\nDisallow: /", "whimbrel", "/robots.txt.bak"));
}

#[test]
fn odd_files_are_read_as_far_as_they_make_sense() {
    assert!(!allowed("\u{feff}User-agent: *\nDisallow: /x", "w", "/x"));
    assert!(!allowed("user-agent w\ndisallow /x\n", "w", "/x"));
    assert!(!allowed("User-agent: *\n\0\0Disallow: /x\0\n", "w", "/x"));
    assert!(!allowed("User-agent: *\nDissalow: /x", "w", "/x"));
    assert!(allowed("Disallow: /x\nUser-agent: *\nDisallow:\n", "w", "/x"));
    assert!(allowed("User-agent: *\nDisallow: /\nAllow: /x/index.html", "w", "/x/"));
    assert!(!allowed("User-agent: *\nDisallow: /\nAllow: /x/index.html", "w", "/x/y"));
    assert!(allowed("<html>\n<body>User-agent: *<br>\nDisallow: /<br>", "w", "/x"));
    assert!(allowed("", "w", "/x"));
}

#[test]
fn the_line_that_the_size_limit_cuts_is_dropped() {
    let mut text = "User-agent: *\nDisallow: /early\n".to_owned();
    let comment = "# filler filler filler\n";
    while text.len() + comment.len() < ROBOTS_BYTES_MAX - 12 {
        text.push_str(comment);
    }
    while text.len() < ROBOTS_BYTES_MAX - 11 {
        text.push('\n');
    }
    text.push_str("Disallow: /late\nDisallow: /later\n");
    let rules = RobotsRules::parse(text.as_bytes());
    assert!(!rules.verdict("w", "/early").allowed);
    assert!(rules.verdict("w", "/x").allowed, "the cut line must not read `Disallow: /`");
    assert!(rules.verdict("w", "/later").allowed);
}

#[test]
fn marks_of_any_kind_at_the_beginning_spoil_no_group() {
    let text = "User-agent: *\r\nDisallow: /x\u{e9}\n";
    let utf16 = |mark: [u8; 2], to_bytes: fn(u16) -> [u8; 2]| {
        mark.into_iter().chain(text.encode_utf16().flat_map(to_bytes)).collect::<Vec<u8>>()
    };
    let with_mark = |mark: &[u8]| [mark, text.as_bytes()].concat();
    for bytes in [
        text.as_bytes().to_vec(),
        with_mark(b"\xEF\xBB\xBF"),
        with_mark(b"\xEF\xBB"),
        with_mark(b"\xEF"),
        utf16([0xFF, 0xFE], u16::to_le_bytes),
        utf16([0xFE, 0xFF], u16::to_be_bytes),
    ] {
        let verdict = RobotsRules::parse(&bytes).verdict("w", "/x%C3%A9");
        assert_eq!(
            verdict.rule,
            Some(MatchedRule { line: 2, text: "Disallow: /x\u{e9}".to_owned() }),
            "{bytes:?}"
        );
    }
    let latin = RobotsRules::parse(b"User-agent: *\nDisallow: /caf\xE9\n");
    assert!(!latin.verdict("w", "/caf%E9").allowed);
    assert!(latin.verdict("w", "/caf%C3%A9").allowed);
}

#[test]
fn a_long_utf16_file_is_cut_at_a_line() {
    let mut bytes = vec![0xFF, 0xFE];
    let text = format!(
        "User-agent: *\nDisallow: /early\nDisallow: /{}\nDisallow: /late\n",
        "a".repeat(ROBOTS_BYTES_MAX)
    );
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let rules = RobotsRules::parse(&bytes);
    assert!(!rules.verdict("w", "/early").allowed);
    assert!(rules.verdict("w", "/late").allowed && rules.verdict("w", "/a").allowed);
}

#[test]
fn one_call_tells_verdict_rule_delay_and_sitemaps() {
    let text = b"Sitemap: /map.xml\nUser-agent: whimbrel\nCrawl-delay: 1.5\nDisallow: /a*z$ # no\nSitemap: https://o.example/s.xml\nSitemap: tel:1\n";
    let told = check(text, "Whimbrel/1.0 (+https://example.org)", "https://h.example/a/b/z#top");
    assert_eq!(
        told,
        RobotsCheck {
            allowed: false,
            rule: Some(MatchedRule { line: 4, text: "Disallow: /a*z$".to_owned() }),
            crawl_delay_ms: Some(1500),
            sitemaps: ["/map.xml", "https://o.example/s.xml", "tel:1"].map(str::to_owned).to_vec(),
        }
    );
    assert!(check(text, "other", "https://h.example/a/b/z").allowed);
    let urls = RobotsRules::parse(text).sitemap_urls("https://h.example/robots.txt");
    assert_eq!(urls, ["https://h.example/map.xml", "https://o.example/s.xml"]);
    assert_eq!(RobotsRules::parse(text).sitemap_urls("nowhere"), ["https://o.example/s.xml"]);
}

#[test]
fn a_star_before_markup_still_speaks_to_everyone() {
    let rules = RobotsRules::parse(b"User-agent: *<BR>\nCrawl-delay: 30<BR>\n");
    assert_eq!(rules.crawl_delay_ms("whimbrel"), Some(30_000));
    assert!(allowed("User-agent: *bot\nDisallow: /", "whimbrel", "/"));
}

#[test]
fn statuses_decide_before_the_body_is_read() {
    for (status, expected) in [
        (Some(200), "parse"),
        (Some(204), "parse"),
        (Some(301), "allow_all"),
        (Some(401), "allow_all"),
        (Some(410), "allow_all"),
        (Some(429), "disallow_all_retry"),
        (Some(500), "disallow_all_retry"),
        (Some(599), "disallow_all_retry"),
        (Some(0), "disallow_all_retry"),
        (None, "disallow_all_retry"),
    ] {
        assert_eq!(RobotsPolicy::of_status(status).as_str(), expected, "{status:?}");
    }
}

#[test]
fn five_redirects_are_followed_and_longer_chains_mean_no_rules() {
    for (redirects, status, expected) in [
        (0, Some(200), "parse"),
        (5, Some(200), "parse"),
        (5, Some(404), "allow_all"),
        (5, Some(503), "disallow_all_retry"),
        (5, None, "disallow_all_retry"),
        (6, Some(200), "allow_all"),
        (6, None, "allow_all"),
    ] {
        assert_eq!(RobotsPolicy::of_fetch(redirects, status).as_str(), expected, "{redirects} {status:?}");
    }
}

#[test]
fn each_scheme_host_and_port_has_rules_of_its_own() {
    let site = |url: &str| crate::normalize(url).unwrap().site().clone();
    let sites = ["http://h/a", "https://h/a", "http://h:8080/a", "http://w.h/a"].map(site);
    for (index, one) in sites.iter().enumerate() {
        assert!(sites[index + 1..].iter().all(|other| other != one), "{one}");
    }
    assert_eq!(site("http://h:80/b"), sites[0]);
}

#[test]
fn paths_are_taken_from_urls_as_they_stand() {
    for (url, expected) in [
        ("http://h", "/"),
        ("http://h?q", "/?q"),
        ("http://h/a?b#c", "/a?b"),
        ("http://h/a?u=http://x//y", "/a?u=http://x//y"),
        ("h/a//b", "/a//b"),
        ("//h/a", "/a"),
        ("/a//b", "/a//b"),
        ("", "/"),
    ] {
        assert_eq!(path_of(url), expected, "{url}");
    }
}

#[test]
fn stars_that_say_nothing_still_count_as_octets() {
    for (rules, path, expected) in [
        ("Disallow: /ab\nAllow: /*", "/ab", false),
        ("Disallow: /ab\nAllow: /*******", "/ab", true),
        ("Disallow: /ab\nAllow: /a**", "/abc", true),
        ("Disallow: /ab*\nAllow: /ab", "/abc", false),
        ("Disallow: /a***b", "/ab", false),
        ("Disallow: *", "/", false),
        ("Disallow: /a*$", "/abc", false),
    ] {
        assert_eq!(allowed(&format!("User-agent: *\n{rules}\n"), "w", path), expected, "{rules} {path}");
    }
}

/// Work is bounded by path bytes times rules; a matcher that tried every split, or a file that was read by looking
/// back, would take hours for these.
#[test]
fn hostile_files_cost_no_more_than_their_size() {
    let all = |lines: String| format!("User-agent: *\n{lines}");
    let many = |line: &dyn Fn(usize) -> String| all((0..20_000).map(line).collect());
    let files = [
        all(format!("Disallow: /{}b$\n", "a*".repeat(60))),
        all(format!("Disallow: /{}b\n", "*".repeat(ROBOTS_BYTES_MAX - 40))),
        all(format!("Disallow: /{}b\n", "a*".repeat(ROBOTS_BYTES_MAX / 2 - 40))),
        all(format!("Disallow: /{}b\n", "a".repeat(ROBOTS_BYTES_MAX - 40))),
        all((1..1000).map(|i| format!("Disallow: /{}b\n", "a".repeat(i))).collect()),
        many(&|i| format!("Disallow: /d{i}/\n")),
        many(&|i| format!("Disallow: /*a{i}b$\n")),
        "User-agent: a\n".repeat(15_000) + &"Disallow: /x*y\n".repeat(15_000),
        "User-agent: a\nDisallow: /x*y\n".repeat(15_000),
        (0..60)
            .map(|i| format!("{}Disallow: /{i}*x\n", "User-agent: b\nUser-agent: a\n".repeat(250)))
            .collect(),
        "\0".repeat(ROBOTS_BYTES_MAX),
        "\r".repeat(ROBOTS_BYTES_MAX),
        ":".repeat(ROBOTS_BYTES_MAX),
        format!("Crawl-delay: {}", "9".repeat(ROBOTS_BYTES_MAX)),
    ];
    let path = format!("/{}c", "a".repeat(2000));
    let started = std::time::Instant::now();
    for text in &files {
        let rules = RobotsRules::parse(text.as_bytes()).for_agent("a");
        assert!(rules.verdict(&path).allowed, "{}", &text[..60]);
    }
    assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
    let plain = RobotsRules::parse(files[5].as_bytes()).for_agent("a");
    assert!((0..20_000).all(|i| !plain.verdict(&format!("/d{i}/page")).allowed));
}

/// Every way to place the stars, as the definition reads; exponential, for short inputs only.
fn slow_matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skip| slow_matches(rest, &path[skip..])),
        [byte, rest @ ..] => path.first() == Some(byte) && slow_matches(rest, &path[1..]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_read_and_answered(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        lines in "((User-agent|Allow|Disallow|Crawl-delay|Sitemap|x)[: ]{1,2}[a*/$%2. ]{0,6}[\r\n]{1,2}){0,12}",
        path in "\\PC{0,12}",
    ) {
        for text in [bytes, lines.into_bytes()] {
            let rules = RobotsRules::parse(&text);
            let _ = (rules.verdict("a", &path), rules.crawl_delay_ms("a"));
        }
    }

    #[test]
    fn matcher_agrees_with_the_definition(pattern in "/[ab*]{0,8}\\$?", path in "/[ab]{0,10}") {
        prop_assert_eq!(
            Pattern::new(pattern.as_bytes()).matches(&normal_path(&path)),
            slow_matches(pattern.as_bytes(), path.as_bytes())
        );
    }

    #[test]
    fn verdict_agrees_with_trying_every_rule(
        rules in proptest::collection::vec((any::<bool>(), "/[ab*]{0,5}\\$?"), 0..12),
        path in "/[ab]{0,6}",
    ) {
        let mut text = "User-agent: *\n".to_owned();
        for (allow, pattern) in &rules {
            text.push_str(&format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" }));
        }
        let best = rules
            .iter()
            .filter(|(_, pattern)| slow_matches(pattern.as_bytes(), path.as_bytes()))
            .max_by_key(|(allow, pattern)| (pattern.len(), *allow));
        let verdict = RobotsRules::parse(text.as_bytes()).verdict("w", &path);
        prop_assert_eq!(verdict.allowed, best.is_none_or(|(allow, _)| *allow));
        prop_assert_eq!(verdict.rule.is_some(), best.is_some());
    }
}
