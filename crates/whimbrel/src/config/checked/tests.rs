use super::*;

fn shipped() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../whimbrel.toml")).unwrap()
}

#[test]
fn shipped_file_shows_every_key_with_its_default() {
    let raw: RawConfig = toml::from_str(&shipped()).unwrap();
    let expected = RawConfig { site: raw.site.clone(), ..RawConfig::default() };
    assert_eq!(raw, expected, "whimbrel.toml and the defaults differ");
    let defaults = toml::Table::try_from(RawConfig::default()).unwrap();
    let file: toml::Table = shipped().parse().unwrap();
    for (section, keys) in &defaults {
        for key in keys.as_table().unwrap().keys() {
            assert!(
                file.get(section).and_then(|s| s.get(key)).is_some(),
                "whimbrel.toml lacks {section}.{key}"
            );
        }
    }
    check(raw, "whimbrel.toml".into()).unwrap();
}

#[test]
fn unknown_keys_and_wrong_values_are_named() {
    let unknown = toml::from_str::<RawConfig>("[crawl]\ndry_run = true\n").unwrap_err().to_string();
    assert!(unknown.contains("dry_run"), "{unknown}");
    for (text, key) in [
        ("[politeness]\ndelay = \"soon\"\n", "politeness.delay"),
        ("[crawl]\nscope = \"galaxy\"\n", "crawl.scope"),
        ("[crawl]\ndepth = \"-1\"\n", "crawl.depth"),
        ("[crawl]\ninclude = [\"(\"]\n", "crawl.include"),
        ("[crawl.filters]\nmine = \"and(domain(\"\n", "crawl.filters.mine"),
        ("[crawl]\nconcurrency = 0\n", "crawl.concurrency"),
        ("[fetch]\nallow_private = [\"ten\"]\n", "fetch.allow_private"),
        ("[index]\nrank = \"magic\"\n", "index.rank"),
        ("[traps]\ncgi = \"maybe\"\n", "traps.cgi"),
        ("[index]\nlow_value = \"maybe\"\n", "index.low_value"),
        ("[crawl]\nembedded = [\"script\"]\n", "crawl.embedded"),
        ("[politeness]\nrobots_give_up = \"soon\"\n", "politeness.robots_give_up"),
        ("[site.\"nonsense\"]\ndelay = \"1s\"\n", "site"),
    ] {
        let raw: RawConfig = toml::from_str(text).unwrap();
        let error = check(raw, "test.toml".into()).unwrap_err().to_string();
        assert!(error.contains(key), "{text}: {error}");
    }
}

#[test]
fn contact_goes_into_the_user_agent() {
    let mut raw = RawConfig::default();
    raw.agent.contact = "https://example.org/bot".into();
    let checked = check(raw, "test".into()).unwrap();
    assert!(
        checked.user_agent().starts_with("whimbrel/")
            && checked.user_agent().contains("(+https://example.org/bot)")
    );
}
