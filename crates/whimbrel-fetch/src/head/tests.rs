use super::*;
use proptest::prelude::*;

#[test]
fn the_head_ends_after_its_empty_line() {
    let table: &[(&[u8], Option<usize>)] = &[
        (b"HTTP/1.1 200 OK\r\n\r\nbody", Some(19)),
        (b"HTTP/1.1 200 OK\n\nbody", Some(17)),
        (b"HTTP/1.1 200 OK\r\nA: b\n\r\nbody", Some(24)),
        (b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", Some(23)),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n", None),
        (b"HTTP/1.1 200 OK\r\nA: \r\r\n", None),
        (b"", None),
    ];
    for (bytes, end) in table {
        assert_eq!(EndFinder::default().find(bytes), *end, "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn status_codes_are_read_from_the_first_line_only() {
    assert_eq!(status_code(b"HTTP/1.1 103 Early Hints\r\n\r\n"), Some(103));
    assert_eq!(status_code(b"\r\nHTTP/1.0 200\r\n\r\n"), Some(200));
    assert_eq!(status_code(b"HTTP/1.1 20 OK\r\n\r\n"), None);
    assert_eq!(status_code(b"ICY 200 OK\r\n\r\n"), None);
    assert_eq!(status_code(b""), None);
}

#[test]
fn fields_keep_order_and_repeats_and_join_folds() {
    let head = b"HTTP/1.1 200 OK\r\nX-MixED: A\r\nset-COOKIE: a=1\r\nSet-Cookie:b=2\r\nFolded: one\r\n\t two\r\nno colon\r\n lost\r\n: empty\r\nbad name: x\r\nSpace : y \r\n\r\n";
    let expected: Vec<(String, Vec<u8>)> = [
        ("x-mixed", "A"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("folded", "one two"),
        ("space", "y"),
    ]
    .map(|(n, v)| (n.to_owned(), v.as_bytes().to_vec()))
    .into();
    assert_eq!(fields(head), expected);
}

proptest! {
    #[test]
    fn the_end_does_not_depend_on_the_pieces(bytes in "[\r\nAb:]{0,40}", cuts in prop::collection::vec(1usize..5, 0..40)) {
        let whole = EndFinder::default().find(bytes.as_bytes());
        let (mut finder, mut rest, mut passed, mut found) = (EndFinder::default(), bytes.as_bytes(), 0, None);
        for cut in cuts.into_iter().chain([usize::MAX]) {
            let piece = &rest[..cut.min(rest.len())];
            if let Some(end) = finder.find(piece) {
                found = Some(passed + end);
                break;
            }
            passed += piece.len();
            rest = &rest[piece.len()..];
        }
        prop_assert_eq!(found, whole);
    }

    #[test]
    fn any_bytes_can_be_read_as_a_head(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = status_code(&bytes);
        for (name, _) in fields(&bytes) {
            prop_assert!(!name.is_empty() && name == name.to_ascii_lowercase());
        }
    }
}
