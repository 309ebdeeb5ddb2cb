use std::fs::File;
use whimbrel_store::warc::*;
use whimbrel_store::*;
use whimbrel_types::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let mode = a.next().unwrap();
    if mode == "list" {
        for p in a {
            let r = WarcReader::new(File::open(&p).unwrap()).unwrap();
            let mut bad = 0;
            let recs: Vec<(String, Option<String>)> = r
                .filter_map(|x| match x {
                    Ok(x) => Some((x.kind().to_owned(), x.target().map(str::to_owned))),
                    Err(b) => {
                        bad += 1;
                        eprintln!("{p}: {b:?}");
                        None
                    }
                })
                .collect();
            println!("{}\t{:?}", p, recs);
            let _ = bad;
        }
        return;
    }
    let dir = std::path::PathBuf::from(mode);
    let (store, _) = Store::open(
        &dir,
        StoreOptions {
            warc_file_bytes_max: 40_000,
            warc_info: vec![
                ("software".into(), "whimbrel/0.1".into()),
                ("operator".into(), "me\r\nevil: x".into()),
            ],
            ..Default::default()
        },
    )
    .unwrap();
    let html = b"<html><body><p>hello w\xc3\xb6rld</p></body></html>".repeat(300);
    let gz = {
        use std::io::Write;
        let mut e = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
        e.write_all(&html).unwrap();
        e.finish().unwrap()
    };
    let zs = zstd::bulk::compress(&html, 3).unwrap();
    let br = std::fs::read("/tmp/body.br").unwrap();
    let mut rng = 1u64;
    let bin: Vec<u8> = (0..70000)
        .map(|_| {
            rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1);
            (rng >> 40) as u8
        })
        .collect();
    let cases: Vec<(&str, &[u8], Option<&str>, &str, Option<&str>)> = vec![
        (
            "/plain",
            &html,
            None,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: LEN\r\n\r\n",
            None,
        ),
        (
            "/gzip",
            &gz,
            Some("gzip"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
            None,
        ),
        (
            "/zstd",
            &zs,
            Some("zstd"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: zstd\r\nContent-Length: LEN\r\n\r\n",
            None,
        ),
        (
            "/br",
            &br,
            Some("br"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\nContent-Length: LEN\r\n\r\n",
            None,
        ),
        (
            "/empty",
            b"",
            None,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
            None,
        ),
        (
            "/bin",
            &bin,
            None,
            "HTTP/1.1 200\r\nContent-Type: application/octet-stream\r\nX-Odd: ä\x01\r\n\r\n",
            None,
        ),
        (
            "/trunc",
            &gz[..gz.len() / 2],
            Some("gzip"),
            "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: gzip\nContent-Length: 99999\n\n",
            Some("length"),
        ),
        ("/q?a=b&c=%20", b"short", None, "HTTP/1.0 200 OK\r\nServer: x\r\n folded\r\n\r\n", None),
    ];
    let mut n = 0u64;
    for (path, body, coding, head, truncated) in &cases {
        for copy in [false, true] {
            n += 1;
            let url = CanonicalUrl::from_canonical(&format!(
                "http://a.test{path}{}",
                if copy { "&copy" } else { "" }
            ))
            .unwrap();
            let at = Timestamp(1_790_000_000_000 + n * 1234);
            let head = head.replace("LEN", &body.len().to_string());
            let capture = encode_capture(&CaptureInput {
                url: &url,
                at,
                ip: Some(if copy { "::1".parse().unwrap() } else { "127.0.0.1".parse().unwrap() }),
                request_head: format!("GET {} HTTP/1.1\r\nHost: a.test\r\n\r\n", url.path_and_query())
                    .as_bytes(),
                response_head: head.as_bytes(),
                wire_body: body,
                content_encoding: *coding,
                truncated: *truncated,
            });
            let write = if copy {
                Write::PutRevisit(Box::new(RevisitCapture {
                    url: url.clone(),
                    capture,
                    refers_to: CanonicalUrl::from_canonical(&format!("http://a.test{path}")).unwrap().key(),
                    not_modified: false,
                }))
            } else {
                let version = PageVersion {
                    url: url.clone(),
                    sequence: 0,
                    fetched_at: at,
                    status: 200,
                    content_type: String::new(),
                    content_hash: ContentHash::of(body),
                    body_bytes: 0,
                    wire_bytes: 0,
                    truncated: false,
                    response: WarcPointer { file: 0, offset: 0, length: 0 },
                    last_modified: None,
                };
                Write::PutPage(Box::new(NewPage { version, content: PageContent::default(), capture }))
            };
            store
                .commit(Batch {
                    report: None,
                    writes: vec![
                        Write::PutUrl(Box::new(UrlRecord::admitted(url, UrlState::Known, 0, at))),
                        write,
                    ],
                })
                .unwrap();
        }
    }
    store.close().unwrap();
}
