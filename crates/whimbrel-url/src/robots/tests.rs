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

/// Steps are counted through time only loosely: a matcher that tried every split would not return at all.
#[test]
fn many_stars_and_many_rules_stay_cheap() {
    let stars = format!("User-agent: *\nDisallow: /{}b$\n", "a*".repeat(60));
    let path = format!("/{}c", "a".repeat(2000));
    assert!(allowed(&stars, "w", &path));
    let mut many = "User-agent: *\n".to_owned();
    for i in 0..20_000 {
        many.push_str(&format!("Disallow: /d{i}/\n"));
    }
    let agent = RobotsRules::parse(many.as_bytes()).for_agent("w");
    for i in 0..20_000 {
        assert!(!agent.verdict(&format!("/d{i}/page")).allowed);
    }
    let mut crossed = "User-agent: a\n".repeat(15_000);
    crossed.push_str(&"Disallow: /x*y\n".repeat(15_000));
    assert!(!allowed(&crossed, "a", "/x1y"));
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
