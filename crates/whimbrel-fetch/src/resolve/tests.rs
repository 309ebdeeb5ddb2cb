use super::*;

fn resolver(overrides: &[(&str, u16, &str)]) -> Resolver {
    let resolve_overrides =
        overrides.iter().map(|(h, p, ip)| ((*h).to_owned(), *p, ip.parse().unwrap())).collect();
    Resolver::new(&FetchConfig { resolve_overrides, ..FetchConfig::default() })
}

#[tokio::test]
async fn an_override_answers_for_its_host_and_port_only() {
    let resolver = resolver(&[("Site.Example", 8080, "192.0.2.7"), ("10.0.0.1", 80, "192.0.2.8")]);
    assert_eq!(
        resolver.addresses("site.example", 8080).await.unwrap(),
        ["192.0.2.7".parse::<IpAddr>().unwrap()]
    );
    assert_eq!(resolver.addresses("10.0.0.1", 80).await.unwrap(), ["192.0.2.8".parse::<IpAddr>().unwrap()]);
    assert_eq!(resolver.addresses("10.0.0.1", 81).await.unwrap(), ["10.0.0.1".parse::<IpAddr>().unwrap()]);
}

#[tokio::test]
async fn literals_and_localhost_are_never_asked_of_a_server() {
    let resolver = resolver(&[]);
    assert_eq!(resolver.addresses("[::1]", 80).await.unwrap(), ["::1".parse::<IpAddr>().unwrap()]);
    assert!(resolver.addresses("localhost", 80).await.unwrap().iter().all(IpAddr::is_loopback));
    assert!(resolver.addresses("a.b.localhost.", 80).await.unwrap().iter().all(IpAddr::is_loopback));
}

#[tokio::test]
async fn a_name_that_cannot_be_has_no_address() {
    // Reserved by RFC 6761: answered without asking anyone.
    assert!(resolver(&[]).addresses("nothing.invalid", 80).await.is_err());
}

#[test]
fn the_hosts_file_is_read_with_its_comments_and_aliases() {
    let hosts = parse_hosts(
        "# head\n127.0.0.1 localhost Alias\n::1 localhost # six\nbroken line\n10.0.0.5\tdb db.lan\n10.0.0.5 db\n",
    );
    let list = |name: &str| hosts.get(name).map(|v| v.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(list("localhost"), Some(vec!["127.0.0.1".into(), "::1".into()]));
    assert_eq!(list("alias"), Some(vec!["127.0.0.1".into()]));
    assert_eq!(list("db"), Some(vec!["10.0.0.5".into()]));
    assert_eq!(list("db.lan"), Some(vec!["10.0.0.5".into()]));
    assert_eq!(list("line"), None);
}

#[test]
fn the_cache_keeps_its_size_and_its_times() {
    let resolver = Resolver { cache_hosts_max: 2, ..resolver(&[]) };
    let answer = |ms| Answer {
        addresses: vec!["192.0.2.1".parse().unwrap()],
        valid_until: Instant::now() + Duration::from_millis(ms),
    };
    resolver.remember("stale.example".into(), &answer(0));
    resolver.remember("a.example".into(), &answer(60_000));
    assert!(resolver.cached("stale.example").is_none());
    assert!(resolver.cached("a.example").is_some());
    resolver.remember("b.example".into(), &answer(60_000));
    assert!(resolver.cached("a.example").is_some(), "the stale one made room");
    resolver.remember("c.example".into(), &answer(60_000));
    assert!(resolver.cache.lock().unwrap().len() <= 2);
    assert!(resolver.cached("c.example").is_some());
}
