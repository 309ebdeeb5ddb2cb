//! What is set for one site stays with it: header fields, authentication, cookies.

use super::server::Server;
use super::*;
use crate::{Authorization, Secret, SiteSettings};
use whimbrel_types::Site;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

fn for_site(server: &Server, settings: SiteSettings) -> FetchConfig {
    FetchConfig { sites: vec![(Site::of(&server.url("/")), settings)], ..config() }
}

fn login() -> SiteSettings {
    let authorization = Some(Authorization::Basic(Secret::new("user:hunter2")));
    SiteSettings { authorization, ..SiteSettings::default() }
}

#[tokio::test]
async fn a_login_goes_to_its_site_only_and_is_not_kept() {
    let (own, other) = (Server::saying(OK).await, Server::saying(OK).await);
    let fetcher = Fetcher::new(for_site(&own, login())).unwrap();
    let fetched = fetcher.fetch(FetchRequest::new(own.url("/"))).await;
    fetcher.fetch(FetchRequest::new(other.url("/"))).await.result.unwrap();
    assert!(own.heads()[0].1.contains("\r\nAuthorization: Basic dXNlcjpodW50ZXIy\r\n"), "{:?}", own.heads());
    assert!(!other.heads()[0].1.to_lowercase().contains("authorization"));
    let shown = format!("{fetched:?}");
    let kept = String::from_utf8(fetched.result.unwrap().request_head).unwrap();
    assert!(
        kept.starts_with("GET / HTTP/1.1\r\n") && kept.contains("User-Agent") && kept.ends_with("\r\n\r\n")
    );
    for text in [kept, shown] {
        assert!(
            !text.to_lowercase().contains("authorization") && !text.contains("dXNlcjpodW50ZXIy"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_login_does_not_follow_a_redirect_to_or_from_another_site() {
    let target = Server::saying(OK).await;
    let to = target.url("/robots.txt").to_string();
    let own = Server::answering(move |_, _, head| {
        let to = if head.starts_with("GET /robots.txt ") { "/again" } else { &to };
        format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into()
    })
    .await;
    let settings = SiteSettings { cookies: true, headers: vec![("X-Key".into(), "k".into())], ..login() };
    // The target has a login of its own: it belongs to visits that begin there.
    let sites = vec![(Site::of(&own.url("/")), settings.clone()), (Site::of(&target.url("/")), settings)];
    let fetcher = Fetcher::new(FetchConfig { sites, ..config() }).unwrap();
    let fetched = fetcher.fetch(FetchRequest::robots(own.url("/robots.txt"))).await;
    assert_eq!((fetched.hops.len(), fetched.result.unwrap().status), (2, 200));
    assert_eq!(own.heads().iter().filter(|(_, head)| head.contains("Authorization: ")).count(), 2);
    let head = target.heads()[0].1.to_lowercase();
    assert!(!head.contains("authorization") && !head.contains("cookie") && !head.contains("x-key"), "{head}");
}

#[tokio::test]
async fn fields_of_a_site_replace_those_of_all() {
    let (own, other) = (Server::saying(OK).await, Server::saying(OK).await);
    let fields = |value: &str| vec![("X-Kind".to_owned(), value.to_owned())];
    let settings = SiteSettings { headers: fields("own"), ..SiteSettings::default() };
    let fetcher =
        Fetcher::new(FetchConfig { extra_headers: fields("all"), ..for_site(&own, settings) }).unwrap();
    for server in [&own, &other] {
        fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
    }
    assert!(own.heads()[0].1.contains("X-Kind: own\r\n") && !own.heads()[0].1.contains("all\r\n"));
    assert!(other.heads()[0].1.contains("X-Kind: all\r\n"));
}

#[tokio::test]
async fn cookies_go_back_to_the_site_that_has_a_jar() {
    let answer = |_: usize, number: usize, _: &str| -> Vec<u8> {
        format!(
            "HTTP/1.1 200 OK\r\nSet-Cookie: n={number}; Path=/\r\nSet-Cookie: deep=1; Path=/deep\r\nContent-Length: 0\r\n\r\n"
        )
        .into()
    };
    let (own, other) = (Server::answering(answer).await, Server::answering(answer).await);
    let settings = SiteSettings { cookies: true, ..SiteSettings::default() };
    let fetcher = Fetcher::new(for_site(&own, settings)).unwrap();
    for path in ["/", "/", "/deep/page"] {
        for server in [&own, &other] {
            let response = fetcher.fetch(FetchRequest::new(server.url(path))).await.result.unwrap();
            assert!(
                !String::from_utf8_lossy(&response.request_head).contains("Cookie"),
                "cookies are not kept"
            );
            assert_eq!(response.header_values("set-cookie").count(), 2, "what was received is");
        }
    }
    let sent: Vec<Option<String>> = own
        .heads()
        .iter()
        .map(|(_, head)| head.lines().find_map(|line| line.strip_prefix("Cookie: ").map(str::to_owned)))
        .collect();
    assert_eq!(sent, [None, Some("n=0".into()), Some("deep=1; n=1".into())]);
    assert!(other.heads().iter().all(|(_, head)| !head.contains("Cookie")));
}

#[tokio::test]
async fn a_flood_of_cookies_does_not_grow_requests() {
    let flood: String = (0..200).map(|n| format!("Set-Cookie: c{n}={}\r\n", "x".repeat(200))).collect();
    let server = Server::saying(format!("HTTP/1.1 200 OK\r\n{flood}Content-Length: 0\r\n\r\n")).await;
    let settings = SiteSettings { cookies: true, ..SiteSettings::default() };
    let fetcher =
        Fetcher::new(FetchConfig { cookies_max: 10, cookie_bytes_max: 256, ..for_site(&server, settings) })
            .unwrap();
    for _ in 0..3 {
        let fetched = fetcher.fetch(FetchRequest::new(server.url("/"))).await;
        assert_eq!(
            (fetched.result.unwrap().status, fetched.limits),
            (200, vec![whimbrel_types::Limit::Cookies])
        );
    }
    assert!(server.heads().iter().all(|(_, head)| head.len() < 4000));
    assert!(server.heads()[2].1.contains("c199=x") && !server.heads()[2].1.contains("c189=x"));
}

#[test]
fn fields_that_are_not_the_operators_are_refused_with_a_hint() {
    for (name, value, hint) in [
        ("Authorization", "Bearer hunter2", "auth_env"),
        ("Proxy-Authorization", "Basic hunter2", "WHIMBREL_PROXY_AUTH"),
        ("Cookie", "a=hunter2", "cookies = true"),
        ("Content-Length", "1", "set by the fetcher"),
        ("Transfer-Encoding", "chunked", "set by the fetcher"),
        ("Connection", "close", "set by the fetcher"),
        ("TE", "trailers", "set by the fetcher"),
        ("Upgrade", "h2c", "set by the fetcher"),
        ("Range", "bytes=0-", "set by the fetcher"),
        ("X-A", "b\r\nX-C: hunter2", "line breaks"),
        ("X\r\nY", "b", "token"),
    ] {
        let settings = SiteSettings { headers: vec![(name.into(), value.into())], ..SiteSettings::default() };
        let site = Site::of(&CanonicalUrl::from_canonical("https://a.example/").unwrap());
        for config in [
            FetchConfig { extra_headers: settings.headers.clone(), ..config() },
            FetchConfig { sites: vec![(site.clone(), settings)], ..config() },
        ] {
            let error = Fetcher::new(config).err().unwrap().to_string();
            assert!(error.contains(hint) && !error.contains("hunter2"), "{name}: {error}");
        }
    }
}
