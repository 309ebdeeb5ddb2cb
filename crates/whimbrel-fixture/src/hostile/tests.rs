//! The catalogue is whole, and the server is as bad as it says while it stays harmless to its own machine.

use super::*;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[test]
fn names_are_unique_and_everything_is_described() {
    let all = behaviors();
    assert!(all.len() >= 100, "{}", all.len());
    let names: BTreeSet<&str> = all.iter().map(|behavior| behavior.name).collect();
    assert_eq!(names.len(), all.len());
    for behavior in all {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        assert!(behavior.name.chars().all(plain), "{}", behavior.name);
        for text in [behavior.does, behavior.held_by, behavior.seen_as] {
            assert!(!text.is_empty() && !text.contains('|'), "{}: {text:?}", behavior.name);
        }
    }
    assert!(behavior("body-endless").is_some() && behavior("kind").is_none());
}

/// Takes up to `most` bytes of what a path answers, for a second at the most, then goes away.
async fn taste(server: &HostileServer, name: &str, path: &str, most: usize) -> Vec<u8> {
    let origins = server.named_origins();
    let (_, origin) = origins.iter().find(|(named, _)| *named == name).unwrap();
    let mut stream = TcpStream::connect(origin.trim_start_matches("http://")).await.unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await.unwrap();
    let mut taken = Vec::new();
    let mut buffer = [0; 4096];
    let reading = async {
        while taken.len() < most {
            match stream.read(&mut buffer).await {
                Ok(count) if count > 0 => taken.extend_from_slice(&buffer[..count]),
                _ => break,
            }
        }
    };
    // Some never end: what came until then is the answer.
    let _ = tokio::time::timeout(Duration::from_secs(1), reading).await;
    taken
}

#[tokio::test]
async fn every_behavior_plays_and_ends_with_its_client() {
    let all = behaviors();
    let server = HostileServer::start(&all).await.unwrap();
    for behavior in &all {
        let robots = taste(&server, behavior.name, "/robots.txt", 4096).await;
        let is_robots_trick = behavior.name.starts_with("robots-");
        assert!(is_robots_trick || robots.starts_with(b"HTTP/1.1 404"), "{}", behavior.name);
    }
    let whole = taste(&server, "length-too-short", "/", 4096).await;
    assert!(String::from_utf8_lossy(&whole).contains("Content-Length: 60\r\n"));
    let endless = taste(&server, "body-endless", "/", 3 << 20).await;
    assert!(endless.len() >= 3 << 20);
    assert!(taste(&server, "silence-after-accept", "/", 1).await.is_empty());
    let log = tokio::time::timeout(Duration::from_secs(20), server.stop()).await.unwrap();
    let sent = log.iter().find(|entry| entry.site == "body-endless" && entry.path == "/").unwrap().bytes;
    assert!(sent < 16 << 20, "{sent} bytes were sent to a client that took 3 MiB");
}

#[tokio::test]
async fn bombs_are_small_on_the_wire_and_large_behind_it() {
    use std::io::Read;
    let server = HostileServer::start(&[behavior("bomb-gzip").unwrap()]).await.unwrap();
    taste(&server, "bomb-gzip", "/robots.txt", 64).await;
    let wire = taste(&server, "bomb-gzip", "/", 64 << 10).await;
    let body = wire.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let mut decoded = vec![0; 20 << 20];
    let mut decoder = flate2::read::GzDecoder::new(&wire[body..]);
    decoder.read_exact(&mut decoded).unwrap();
    assert!(decoded.iter().all(|byte| *byte == b'a'));
}

#[test]
fn the_documentation_lists_every_behavior_as_it_is() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hostile.md");
    let text = std::fs::read_to_string(file).unwrap();
    let documented: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let row =
        |one: &Behavior| format!("| `{}` | {} | {} | {} |", one.name, one.does, one.held_by, one.seen_as);
    assert_eq!(documented, behaviors().into_iter().map(row).collect::<Vec<_>>());
}
