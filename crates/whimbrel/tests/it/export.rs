//! What others read: JSON lines, WARC, CDXJ. Checked against the bytes that were served.

use crate::support::{Collection, Served, linking, on_hosts};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::process::Command;
use whimbrel_fixture::{Answer, ServerOptions, SiteSpec, Web};

/// Bodies by path: text, markup, and bytes that are no UTF-8.
fn bodies() -> BTreeMap<&'static str, (&'static str, Vec<u8>)> {
    let page =
        |title: &str, links: &[&str]| match linking(title, &format!("body of {title} ").repeat(40), links) {
            Answer::Page { body, .. } => body.to_vec(),
            _ => unreachable!("a page is a page"),
        };
    let latin = b"<title>Caf\xe9</title><p>cr\xe8me br\xfbl\xe9e \r\n\r\n\x00 end".to_vec();
    BTreeMap::from([
        (
            "/",
            ("text/html; charset=utf-8", page("Home", &["/text", "/latin", "/empty-ish", "/copy", "/away"])),
        ),
        ("/text", ("text/plain", "plain words\r\n\r\nHTTP/1.1 200 OK\r\n".repeat(30).into_bytes())),
        ("/latin", ("text/html; charset=iso-8859-1", latin.clone())),
        ("/copy", ("text/html; charset=iso-8859-1", latin)),
        ("/empty-ish", ("text/html", b" ".to_vec())),
    ])
}

fn crawled(gzip: bool) -> (Served, Collection) {
    let mut site = SiteSpec::new("s");
    for (path, (kind, body)) in bodies() {
        site.put(path, Answer::bytes(kind, body));
    }
    site.put("/away", Answer::moved("/text"));
    let served = Served::start(Web::new([site]), ServerOptions { gzip, ..on_hosts() });
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    (served, collection)
}

#[test]
fn rows_have_every_promised_field() {
    let (served, collection) = crawled(false);
    let pages = collection.pages();
    assert_eq!(pages.len(), 4, "four bodies, one of them under two URLs");
    for (url, row) in &pages {
        for field in ["url", "final_url", "status", "fetched_at", "content_type", "digest", "title", "text"] {
            assert!(!row[field].is_null(), "{url} lacks {field}");
        }
        for field in ["language", "links", "aliases", "versions"] {
            assert!(row.get(field).is_some(), "{url} lacks {field}");
        }
        let body = &bodies()[served.server.place(url).unwrap().path.as_str()].1;
        assert_eq!(row["digest"], format!("blake3:{}", blake3::hash(body).to_hex()), "{url}");
        assert_eq!(row["bytes"].as_u64().unwrap() as usize, body.len());
        assert_eq!((&row["status"], &row["versions"]), (&200.into(), &1.into()));
        let at = row["fetched_at"].as_str().unwrap();
        assert!(at.len() >= 20 && at.as_bytes()[10] == b'T' && at.ends_with('Z'), "{at} is no RFC 3339 time");
    }
    let home = &pages[&served.url("s", "/")];
    assert_eq!(home["links"].as_array().unwrap().len(), 5);
    let text = &pages[&served.url("s", "/text")];
    assert_eq!(text["aliases"], serde_json::json!([served.url("s", "/away")]), "a redirect is an alias");
}

#[test]
fn archived_payloads_are_what_the_server_sent() {
    for gzip in [false, true] {
        let (served, collection) = crawled(gzip);
        let (warc, cdxj) = (collection.path("warc"), collection.path("index.cdxj"));
        for (format, output) in [("--warc", &warc), ("--cdxj", &cdxj)] {
            let ran = collection.verb(&["export", format, "--output", output.to_str().unwrap()]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert_eq!(ran.stderr, "");
        }
        let index = std::fs::read_to_string(&cdxj).unwrap();
        let lines: Vec<&str> = index.lines().collect();
        assert!(lines.is_sorted(), "the index is not sorted");
        let mut met = 0;
        for line in lines {
            let mut parts = line.splitn(3, ' ');
            let (key, time) = (parts.next().unwrap(), parts.next().unwrap());
            assert!(key.contains(")/") && time.len() == 14, "{line}");
            let fields: Value = serde_json::from_str(parts.next().unwrap()).unwrap();
            let number = |name: &str| fields[name].as_str().unwrap().parse::<usize>().unwrap();
            let file = std::fs::read(warc.join(fields["filename"].as_str().unwrap())).unwrap();
            let member = &file[number("offset")..number("offset") + number("length")];
            let mut record = Vec::new();
            GzDecoder::new(member).read_to_end(&mut record).unwrap();
            let (head, block) = split(&record);
            assert!(head.starts_with("WARC/1.1\r\n"), "{head}");
            assert!(
                head.contains(&format!("WARC-Target-URI: {}", fields["url"].as_str().unwrap())),
                "{head}"
            );
            if !head.contains("WARC-Type: response") {
                continue;
            }
            let (response, payload) = split(block);
            let payload = payload.strip_suffix(b"\r\n\r\n").unwrap();
            let place = served.server.place(fields["url"].as_str().unwrap()).unwrap();
            let (_, body) = &bodies()[place.path.as_str()];
            let is_packed = response.to_lowercase().contains("content-encoding: gzip");
            assert_eq!(is_packed, gzip && body.len() >= 256, "{response}");
            let mut received = payload.to_vec();
            if is_packed {
                received.clear();
                GzDecoder::new(payload).read_to_end(&mut received).unwrap();
            }
            assert!(received == *body, "{} is not what was sent", place.path);
            let sent = served.log().into_iter().find(|entry| entry.path == place.path).unwrap();
            assert_eq!(payload.len() as u64, sent.bytes, "kept as it came over the wire");
            met += 1;
        }
        assert_eq!(met, 4, "a response for every distinct body");
        check_with_warcio(&warc);
    }
}

/// Header lines and the rest.
fn split(message: &[u8]) -> (String, &[u8]) {
    let end = message.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    (String::from_utf8_lossy(&message[..end]).into_owned(), &message[end..])
}

/// Another program's opinion, where it is installed.
fn check_with_warcio(folder: &std::path::Path) {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    for program in [&["warcio"][..], &["python3", "-m", "warcio.cli"]] {
        let mut version = Command::new(program[0]);
        if !version.args(&program[1..]).arg("--version").output().is_ok_and(|output| output.status.success())
        {
            continue;
        }
        let output = Command::new(program[0])
            .args(&program[1..])
            .arg("check")
            .arg("-v")
            .args(&files)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && !said.contains("fail"), "{said}");
        return;
    }
    println!("skipped: warcio is not installed, so no other program checked the WARC files");
}

#[test]
fn a_sitemap_names_every_page() {
    let (_served, collection) = crawled(false);
    let output = collection.path("sitemap.xml");
    assert_eq!(collection.verb(&["export", "--sitemap", "--output", output.to_str().unwrap()]).code, Some(0));
    let text = std::fs::read_to_string(output).unwrap();
    for url in collection.pages().keys() {
        assert!(text.contains(&format!("<loc>{url}</loc>")), "{url} is missing");
    }
}
