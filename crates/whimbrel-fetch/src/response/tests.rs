use super::*;

fn with(headers: &[(&str, &str)]) -> Response {
    Response {
        status: 200,
        request_head: Vec::new(),
        response_head: Vec::new(),
        headers: headers.iter().map(|(n, v)| ((*n).to_owned(), v.as_bytes().to_vec())).collect(),
        wire_body: Bytes::new(),
        body: Bytes::new(),
        cut: None,
        content_type: headers.iter().find(|(n, _)| *n == "content-type").map(|(_, v)| (*v).to_owned()),
    }
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = Timestamp::from_utc(2026, 11, 15, 0).unwrap();
    let table: &[(&str, Option<u64>)] = &[
        ("120", Some(120_000)),
        ("0", Some(0)),
        ("99999999999999999999999", Some(u64::MAX)),
        ("Sun, 15 Nov 2026 00:01:00 GMT", Some(60_000)),
        ("Sat, 14 Nov 2026 00:00:00 GMT", Some(0)),
        ("soon", None),
        ("-5", None),
        ("", None),
    ];
    for (value, expected) in table {
        assert_eq!(with(&[("retry-after", value)]).retry_after_ms(now), *expected, "{value:?}");
    }
    assert_eq!(with(&[]).retry_after_ms(now), None);
}

#[test]
fn media_types_are_read_without_parameters_and_case() {
    assert_eq!(with(&[("content-type", "Text/HTML ; charset=UTF-8")]).media_type(), "text/html");
    assert_eq!(with(&[]).media_type(), "");
}

#[test]
fn fields_are_found_first_and_all() {
    let response = with(&[
        ("x-robots-tag", "noindex"),
        ("etag", "W/\"a b\""),
        ("x-robots-tag", "nofollow"),
        ("last-modified", ""),
    ]);
    assert_eq!(response.header("x-robots-tag"), Some(&b"noindex"[..]));
    assert_eq!(response.header_values("x-robots-tag").collect::<Vec<_>>(), [&b"noindex"[..], b"nofollow"]);
    assert_eq!(response.validators(), Validators { etag: Some("W/\"a b\"".into()), last_modified: None });
}

#[test]
fn the_date_is_the_servers_clock() {
    let response = with(&[("date", "Sun, 06 Nov 1994 08:49:37 GMT")]);
    assert_eq!(response.date(), Timestamp::from_utc(1994, 11, 6, 8 * 3600 + 49 * 60 + 37));
}
