use super::*;
use crate::client::{Client, Reply, get, get_with};
use crate::log::{read_log, requests_at_once_max};
use crate::web::SiteSpec;
use bytes::Bytes;
use http::Method;
use std::io::Read;

const LONG: &str = "The tide tables hang in the porch, and they are right more often than the clock. ";

fn small_web() -> Web {
    let mut docs = SiteSpec::new("docs");
    docs.put("/", Answer::html("<a href=\"{{origin:shop}}/cup\">cup</a> at {{origin:shop}}"));
    docs.put(
        "/long",
        Answer::html(LONG.repeat(40)).with_header("Last-Modified", "Tue, 05 May 2026 08:00:00 GMT"),
    );
    docs.put("/old", Answer::moved("{{origin:shop}}/cup"));
    docs.put("/gone", Answer::Status(410, vec![("X-Reason".to_owned(), "sold".to_owned())]));
    docs.put("/empty", Answer::html(""));
    docs.ignored_parameters.insert("sid".to_owned());
    let shop = SiteSpec::new("shop")
        .with("/cup", Answer::text("a cup"))
        .with("/docs", Answer::moved("{{origin:docs}}/"));
    Web::new([docs, shop])
}

async fn start(web: Web) -> Server {
    Server::start(web, ServerOptions::default()).await.unwrap()
}

async fn serve_one(answer: Answer) -> Server {
    start(Web::new([SiteSpec::new("one").with("/", answer)])).await
}

#[tokio::test]
async fn links_between_sites_name_the_port_the_other_site_got() {
    let server = start(small_web()).await;
    let shop = server.origin("shop");
    let reply = get(&server.origin("docs")).await;
    assert_eq!((reply.status, reply.text()), (200, format!("<a href=\"{shop}/cup\">cup</a> at {shop}")));
    let moved = get(&format!("{}/old", server.origin("docs"))).await;
    assert_eq!((moved.status, moved.header("location")), (301, Some(format!("{shop}/cup").as_str())));
    assert_eq!(server.origins(), [server.origin("docs"), shop]);
}

#[tokio::test]
async fn a_link_to_a_site_that_is_not_there_is_refused_at_the_start() {
    let web = Web::new([SiteSpec::new("a").with("/p", Answer::html("{{origin:b}}/"))]);
    let error = Server::start(web, ServerOptions::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot serve /p of site a: a page names the unknown site \"b\"");
    let twice = Web::new([SiteSpec::new("a"), SiteSpec::new("a")]);
    assert!(Server::start(twice, ServerOptions::default()).await.is_err());
}

#[tokio::test]
async fn what_the_client_has_already_is_answered_304_without_a_body() {
    let server = start(small_web()).await;
    let url = format!("{}/long", server.origin("docs"));
    let first = get(&url).await;
    let tag = first.header("etag").unwrap().to_owned();
    let cases: [(&[(&str, &str)], u16); 7] = [
        (&[("if-none-match", &tag)], 304),
        (&[("if-none-match", &format!("\"x\", W/{tag}"))], 304),
        (&[("if-none-match", "*")], 304),
        (&[("if-none-match", "\"x\"")], 200),
        (&[("if-modified-since", "Tue, 05 May 2026 08:00:00 GMT")], 304),
        (&[("if-modified-since", "Tue, 05 May 2026 07:59:59 GMT")], 200),
        (&[("if-none-match", "\"x\""), ("if-modified-since", "Tue, 05 May 2026 08:00:00 GMT")], 200),
    ];
    for (headers, status) in cases {
        let reply = get_with(&url, headers).await;
        assert_eq!(reply.status, status, "{headers:?}");
        assert_eq!(reply.body.is_empty(), status == 304, "{headers:?}");
        assert_eq!(reply.header("etag"), Some(tag.as_str()));
    }
    let plain = ServerOptions { validators: false, ..ServerOptions::default() };
    let server = Server::start(small_web(), plain).await.unwrap();
    let reply = get_with(&format!("{}/long", server.origin("docs")), &[("if-none-match", &tag)]).await;
    assert_eq!((reply.status, reply.header("etag")), (200, None));
}

#[tokio::test]
async fn text_is_compressed_only_for_clients_that_accept_it() {
    let server =
        Server::start(small_web(), ServerOptions { gzip: true, ..ServerOptions::default() }).await.unwrap();
    let url = format!("{}/long", server.origin("docs"));
    let packed = get_with(&url, &[("accept-encoding", "br, gzip;q=0.5")]).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.header("vary"), Some("Accept-Encoding"));
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&packed.body[..]).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, LONG.repeat(40));
    for accepted in ["identity", "gzip;q=0", ""] {
        let plain = get_with(&url, &[("accept-encoding", accepted)]).await;
        assert_eq!((plain.header("content-encoding"), plain.text()), (None, LONG.repeat(40)));
        assert_ne!(plain.header("etag"), packed.header("etag"));
    }
    let again = [("accept-encoding", "gzip"), ("if-none-match", packed.header("etag").unwrap())];
    assert_eq!(get_with(&url, &again).await.status, 304);
    let bytes: Vec<u64> = server.log().iter().map(|entry| entry.bytes).collect();
    let plain_bytes = 40 * LONG.len() as u64;
    assert_eq!(bytes, [packed.body.len() as u64, plain_bytes, plain_bytes, plain_bytes, 0]);
}

#[tokio::test]
async fn the_log_says_exactly_what_was_asked_and_sent_and_the_file_says_the_same() {
    let file = std::env::temp_dir().join(format!("whimbrel-fixture-server-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let options = ServerOptions { log_file: Some(file.clone()), ..ServerOptions::default() };
    let server = Server::start(small_web(), options).await.unwrap();
    let address = server.addresses()[0].to_string();
    let mut client = Client::connect(&address, &address).await;
    let agent = [("user-agent", "judge/1"), ("if-none-match", "\"a\""), ("if-modified-since", "yesterday")];
    for (method, path, headers) in [
        (Method::GET, "/?sid=1", &agent[..]),
        (Method::HEAD, "/long", &[]),
        (Method::GET, "/nowhere?x=1", &[]),
        (Method::GET, "/gone", &[]),
        (Method::GET, "/empty", &[]),
    ] {
        let reply = client.send(method, path, headers).await.unwrap();
        // The entry is there as soon as the answer is.
        let log = server.log();
        let entry = log.last().unwrap();
        assert_eq!((entry.path.as_str(), entry.status, entry.complete), (path, reply.status, true));
        assert_eq!(entry.bytes, reply.body.len() as u64);
    }
    let log = server.log();
    let told: Vec<_> =
        log.iter().map(|entry| (entry.sequence, entry.method.as_str(), entry.status)).collect();
    assert_eq!(told, [(0, "GET", 200), (1, "HEAD", 200), (2, "GET", 404), (3, "GET", 410), (4, "GET", 200)]);
    assert_eq!(log[0].user_agent.as_deref(), Some("judge/1"));
    assert_eq!(log[0].if_none_match.as_deref(), Some("\"a\""));
    assert_eq!(log[0].if_modified_since.as_deref(), Some("yesterday"));
    assert_eq!((log[0].site.as_str(), log[0].host.as_str()), ("docs", address.as_str()));
    assert!(log.iter().all(|entry| entry.connection == 0), "keep-alive: all came by one connection");
    assert!(log.windows(2).all(|pair| pair[0].end_ms <= pair[1].start_ms && pair[0].at_ms <= pair[1].at_ms));
    assert_eq!(requests_at_once_max(&log, |_| true), 1);
    assert_eq!(read_log(&file).unwrap(), log);
    server.clear_log();
    assert_eq!((server.log(), read_log(&file).unwrap()), (vec![], log));
    std::fs::remove_file(&file).unwrap();
}

#[tokio::test]
async fn head_tells_the_length_and_sends_nothing() {
    let server = start(small_web()).await;
    let address = server.addresses()[0].to_string();
    let reply = Client::connect(&address, &address).await.send(Method::HEAD, "/long", &[]).await.unwrap();
    assert_eq!(reply.header("content-length"), Some((40 * LONG.len()).to_string().as_str()));
    assert_eq!((reply.body.len(), server.log()[0].bytes), (0, 0));
}

#[tokio::test]
async fn ignored_parameters_lead_to_the_same_page_and_others_do_not() {
    let server = start(small_web()).await;
    let docs = server.origin("docs");
    let plain = get(&format!("{docs}/long")).await;
    assert_eq!(get(&format!("{docs}/long?sid=77")).await.body, plain.body);
    assert_eq!(get(&format!("{docs}/long?sid=77&page=2")).await.status, 404);
    assert_eq!(get(&format!("{docs}/long?page=2")).await.status, 404);
}

#[tokio::test]
async fn a_handler_learns_how_often_it_was_asked() {
    let server = serve_one(Answer::custom(|request| {
        assert_eq!((request.path_only(), request.query()), ("/", None));
        Answer::text(format!(
            "visit {} by {}",
            request.visits_before,
            request.header("user-agent").unwrap_or("?")
        ))
    }))
    .await;
    assert_eq!(get(&server.origin("one")).await.text(), "visit 0 by ?");
    assert_eq!(get_with(&server.origin("one"), &[("user-agent", "me")]).await.text(), "visit 1 by me");
}

#[tokio::test]
async fn a_page_changes_when_it_is_set_anew() {
    let server = start(small_web()).await;
    let place = Place::new("shop", "/cup");
    let url = server.url(&place);
    let tag = get(&url).await.header("etag").unwrap().to_owned();
    server.set(&place, Answer::text("a better cup, from {{origin:docs}}")).unwrap();
    let reply = get_with(&url, &[("if-none-match", &tag)]).await;
    assert_eq!((reply.status, reply.text()), (200, format!("a better cup, from {}", server.origin("docs"))));
    server.set(&place, Answer::NotFound).unwrap();
    assert_eq!(get(&url).await.status, 404);
    assert!(server.set(&Place::new("nowhere", "/"), Answer::NotFound).is_err());
    assert_eq!(server.place(&url), Some(place));
    assert_eq!(server.place("http://example.test/"), None);
}

#[tokio::test]
async fn misbehaviour_is_acted_out_and_logged_as_incomplete() {
    let cut =
        serve_one(Answer::Cut { after_bytes: 100, answer: Box::new(Answer::html(LONG.repeat(40))) }).await;
    let reply = get(&cut.origin("one")).await;
    assert_eq!((reply.complete, reply.body.len()), (false, 100));
    let log = cut.stop().await;
    assert_eq!((log[0].complete, log[0].bytes, log[0].status), (false, 100, 200));

    let close = serve_one(Answer::Close).await;
    let address = close.addresses()[0].to_string();
    assert!(Client::connect(&address, "one").await.send(Method::GET, "/", &[]).await.is_err());
    assert_eq!(close.stop().await[0].status, 0);

    let endless =
        serve_one(Answer::Endless { content_type: "text/html".into(), piece: Bytes::from(LONG.repeat(900)) })
            .await;
    let reply: Reply = get(&endless.origin("one")).await;
    assert!(reply.body.len() > 4_000_000 && reply.header("content-length").is_none());
    let log = endless.stop().await;
    assert!(!log[0].complete && log[0].bytes > 4_000_000);
}

#[tokio::test]
async fn waits_are_kept_and_a_client_that_gives_up_on_a_hang_is_logged() {
    let short = Duration::from_millis(30);
    let drip = Answer::Drip { piece_bytes: 2, pause: short / 3, answer: Box::new(Answer::text("a cup")) };
    let server = serve_one(drip.after(short)).await;
    assert_eq!(get(&server.origin("one")).await.text(), "a cup");
    let entry = &server.log()[0];
    assert!(entry.end_ms - entry.start_ms >= 60.0, "{entry:?}");

    let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let server = serve_one(Answer::custom(move |_| {
        arrived.send(()).unwrap();
        Answer::Hang
    }))
    .await;
    let url = server.origin("one");
    let waiting = tokio::spawn(async move { get(&url).await });
    arrivals.recv().await.unwrap();
    waiting.abort();
    let log = server.stop().await;
    assert_eq!((log.len(), log[0].status, log[0].complete), (1, 0, false));
}

#[tokio::test]
async fn sites_can_have_an_address_each_and_come_back_to_the_same() {
    let options = ServerOptions { addresses: Addresses::OneAddressEach(0), ..ServerOptions::default() };
    let server = Server::start(small_web(), options).await.unwrap();
    let addresses = server.addresses().to_vec();
    assert_eq!(
        addresses.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>(),
        ["127.0.0.2", "127.0.0.3"]
    );
    assert_eq!(addresses[0].port(), addresses[1].port());
    assert_eq!(get(&format!("{}/cup", server.origin("shop"))).await.text(), "a cup");
    server.stop().await;
    let options =
        ServerOptions { addresses: Addresses::Fixed(addresses.clone()), ..ServerOptions::default() };
    let again = Server::start(small_web(), options.clone()).await.unwrap();
    assert_eq!(again.addresses(), addresses);
    assert!(Server::start(Web::new([SiteSpec::new("one")]), options).await.is_err());
}

#[tokio::test]
async fn sites_can_share_a_port_under_names() {
    let addresses = Addresses::NamesEndingWith(".example.test".to_owned());
    let server =
        Server::start(small_web(), ServerOptions { addresses, ..ServerOptions::default() }).await.unwrap();
    let address = server.addresses()[0];
    assert_eq!(server.origin("shop"), format!("http://shop.example.test:{}", address.port()));
    assert_eq!(server.resolve_rules()[1], format!("shop.example.test:{}:127.0.0.1", address.port()));
    for (host, status) in [("SHOP.example.test", 200), ("docs.example.test:80", 404), ("other.test", 421)] {
        let mut client = Client::connect(&address.to_string(), host).await;
        assert_eq!(client.send(Method::GET, "/cup", &[]).await.unwrap().status, status, "{host}");
    }
}
