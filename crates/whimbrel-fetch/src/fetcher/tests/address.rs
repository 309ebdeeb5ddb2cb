//! The address policy where it matters: before a socket is opened.

use super::server::Server;
use super::*;
use std::net::IpAddr;

fn guarded(overrides: Vec<(String, u16, IpAddr)>, policy: AddressPolicy) -> Fetcher {
    Fetcher::new(FetchConfig { address_policy: policy, resolve_overrides: overrides, ..config() }).unwrap()
}

async fn refused(fetcher: &Fetcher, url: &str) -> bool {
    let url = CanonicalUrl::from_canonical(url).unwrap();
    let request = FetchRequest { total_timeout_ms: 2_000, ..FetchRequest::new(url) };
    matches!(fetcher.fetch(request).await.result, Err((FailureKind::AddressRefused, _)))
}

#[tokio::test]
async fn literals_in_private_ranges_are_refused() {
    let fetcher = guarded(vec![], AddressPolicy::default());
    for host in [
        "127.0.0.1",
        "10.0.0.1",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[::ffff:7f00:1]",
        "[::7f00:1]",
        "[64:ff9b::7f00:1]",
        "[fd00::1]",
        "[fe80::1]",
        "[ff02::1]",
        "[2001:db8::1]",
        "localhost",
        "sub.localhost",
    ] {
        assert!(refused(&fetcher, &format!("http://{host}/")).await, "{host}");
        assert!(refused(&fetcher, &format!("https://{host}:8443/")).await, "{host}");
    }
}

#[tokio::test]
async fn a_name_with_a_private_address_is_refused_before_a_connection() {
    let server = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let port = server.address.port();
    let overrides = vec![("inside.example".to_owned(), port, server.address.ip())];
    let fetcher = guarded(overrides.clone(), AddressPolicy::default());
    assert!(refused(&fetcher, &format!("http://inside.example:{port}/")).await);
    assert_eq!(fetcher.resolve("inside.example", port).await.unwrap_err().kind, FailureKind::AddressRefused);
    assert!(server.heads().is_empty());

    let allowed = guarded(overrides, config().address_policy);
    assert!(!refused(&allowed, &format!("http://inside.example:{port}/")).await);
    assert_eq!(allowed.resolve("inside.example", port).await, Ok(vec![server.address.ip()]));
    assert!(server.heads()[0].1.contains(&format!("Host: inside.example:{port}\r\n")));
}

#[tokio::test]
async fn of_a_mixed_name_only_the_public_address_is_left() {
    let ips: [IpAddr; 3] =
        ["10.0.0.1".parse().unwrap(), "93.184.216.34".parse().unwrap(), "::1".parse().unwrap()];
    let overrides = ips.iter().map(|ip| ("mixed.example".to_owned(), 80, *ip)).collect();
    assert_eq!(
        guarded(overrides, AddressPolicy::default()).resolve("mixed.example", 80).await,
        Ok(vec![ips[1]])
    );
}

#[tokio::test]
async fn the_next_address_is_tried_when_one_does_not_answer() {
    let server = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let port = server.address.port();
    // Nobody listens on the other loopback address.
    let overrides = vec![
        ("two.example".to_owned(), port, "127.0.0.9".parse().unwrap()),
        ("two.example".to_owned(), port, server.address.ip()),
    ];
    let fetcher = guarded(overrides, config().address_policy);
    let url = CanonicalUrl::from_canonical(&format!("http://two.example:{port}/")).unwrap();
    let fetched = fetcher.fetch(FetchRequest::new(url)).await;
    assert_eq!(fetched.result.unwrap().status, 200);
    assert_eq!(fetched.ip, Some(server.address.ip()));
}

#[tokio::test]
async fn a_loopback_seed_opens_its_own_endpoint_only() {
    let seed = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let other = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let port = seed.address.port();
    let alias = ("alias.example".to_owned(), port, seed.address.ip());
    let fetcher = guarded(vec![alias], AddressPolicy::default());
    assert!(refused(&fetcher, seed.url("/").as_str()).await, "closed at first");
    assert_eq!(fetcher.open_loopback_seed("127.0.0.1", port).await, Ok(true));
    assert!(!refused(&fetcher, seed.url("/").as_str()).await);
    assert!(refused(&fetcher, other.url("/").as_str()).await, "another port");
    assert!(refused(&fetcher, &format!("http://alias.example:{port}/")).await, "another name");
    assert!(other.heads().is_empty());
    assert_eq!(fetcher.open_loopback_seed("10.0.0.1", 80).await, Ok(false));
    assert!(refused(&fetcher, "http://10.0.0.1/").await);
}

#[tokio::test]
async fn a_robots_redirect_into_a_private_network_is_refused() {
    let inside = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let to = inside.url("/secret");
    let server =
        Server::saying(format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")).await;
    let mut policy = AddressPolicy::default();
    policy.open_loopback("127.0.0.1", server.address.port());
    let fetched = guarded(vec![], policy).fetch(FetchRequest::robots(server.url("/robots.txt"))).await;
    assert_eq!(fetched.result.unwrap_err().0, FailureKind::AddressRefused);
    assert!(inside.heads().is_empty());
}
