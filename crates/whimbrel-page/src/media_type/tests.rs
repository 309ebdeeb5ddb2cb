use super::MediaType;

fn written(value: &str) -> Option<String> {
    MediaType::parse(value).map(|found| found.to_string())
}

#[test]
fn values_are_read_and_written_as_the_standard_says() {
    for (value, expected) in [
        ("Text/HTML;Charset=\"GBK\"", Some("text/html;charset=GBK")),
        (" text/html ; charset=gbk\t", Some("text/html;charset=gbk")),
        ("text/html;charset=gbk;charset=utf-8", Some("text/html;charset=gbk")),
        ("text/html;charset =gbk", Some("text/html")),
        ("text/html;charset= gbk", Some("text/html;charset=\" gbk\"")),
        ("text/html;x=(;charset=gbk", Some("text/html;x=\"(\";charset=gbk")),
        ("text/html;charset=\"gb\\\"k", Some("text/html;charset=\"gb\\\"k\"")),
        ("text/html;charset=\"\"", Some("text/html;charset=\"\"")),
        ("text/html;charset=", Some("text/html")),
        ("text/html;;;;charset=gbk", Some("text/html;charset=gbk")),
        ("text/html;charset=\"a\"b;d=e", Some("text/html;charset=a;d=e")),
        ("text/html;test=\u{100};charset=gbk", Some("text/html;charset=gbk")),
        ("x/y+xml", Some("x/y+xml")),
        ("text", None),
        ("text/", None),
        ("/html", None),
        ("te xt/html", None),
        ("text/ html", None),
        ("", None),
    ] {
        assert_eq!(written(value).as_deref(), expected, "{value:?}");
    }
}

#[test]
fn parts_can_be_asked_for() {
    let found = MediaType::parse("Image/SVG+XML; charset=latin1; a=b").expect("a type");
    assert_eq!((found.essence(), found.kind(), found.subtype()), ("image/svg+xml", "image", "svg+xml"));
    assert_eq!(found.parameter("a"), Some("b"));
    assert_eq!(found.encoding().map(|encoding| encoding.name()), Some("windows-1252"));
    assert!(found.is_xml());
}

#[test]
fn floods_of_parameters_end() {
    let value = format!("a/b{}", (0..10_000).map(|i| format!(";p{i}=1")).collect::<String>());
    assert!(
        MediaType::parse(&value)
            .is_some_and(|found| found.parameter("p63").is_some() && found.parameter("p64").is_none())
    );
}
