use super::super::problem::{ProblemKind, Problems};
use super::read;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn text(bytes: &[u8], content_type: Option<&str>) -> (String, Vec<ProblemKind>) {
    let mut problems = Problems::default();
    let body = read(bytes, content_type, 1000, &mut problems);
    assert!(!body.truncated);
    let kinds = problems.finish(&body.text).into_iter().map(|problem| problem.kind).collect();
    (body.text.into_owned(), kinds)
}

#[test]
fn packed_files_are_unpacked_by_their_first_bytes_once_or_twice_and_in_pieces() {
    for bytes in [packed(b"abc"), packed(&packed(b"abc")), [packed(b"a"), packed(b"bc")].concat()] {
        assert_eq!(text(&bytes, Some("text/xml")), ("abc".into(), vec![]));
    }
}

#[test]
fn a_torn_packed_file_gives_its_beginning() {
    let whole: Vec<u8> = (0..200_u8).map(|i| b'a' + i.wrapping_mul(37) % 26).collect();
    let bytes = packed(&whole);
    let (found, problems) = text(&bytes[..bytes.len() - 12], None);
    assert!(whole.starts_with(found.as_bytes()) && found.len() > 50, "{}", found.len());
    assert_eq!(problems, [ProblemKind::BrokenGzip]);
    // Garbage behind it costs nothing.
    assert_eq!(text(&[packed(b"abc"), b"\0\0\0garbage".to_vec()].concat(), None).0, "abc");
}

#[test]
fn a_bomb_is_unpacked_to_the_limit_only() {
    let bomb = packed(&packed(&vec![b' '; 20_000_000]));
    assert!(bomb.len() < 1000);
    let mut problems = Problems::default();
    let body = read(&bomb, None, 100_000, &mut problems);
    assert!(body.truncated && body.text.len() <= 100_000);
    assert_eq!(problems.finish(&body.text)[0].kind, ProblemKind::TooManyBytes);
}

#[test]
fn marks_and_zero_bytes_tell_the_encoding() {
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    };
    for little in [true, false] {
        assert_eq!(text(&utf16("<?xml é", little), None), ("<?xml é".into(), vec![]));
        assert_eq!(text(&utf16("\u{FEFF}<é", little), None), ("<é".into(), vec![]));
        assert_eq!(text(&packed(&utf16("\u{FEFF}<é", little)), None).0, "<é");
    }
    assert_eq!(text(b"\xEF\xBB\xBF<a>", None), ("<a>".into(), vec![]));
}

#[test]
fn declared_encodings_count_where_the_bytes_are_not_utf_8() {
    let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xE9</a>";
    assert!(text(latin, None).0.contains('é'));
    assert!(text(b"<a>\xE9</a>", Some("text/xml; charset=\"latin1\"")).0.contains('é'));
    let cyrillic = b"<?xml version='1.0' encoding='windows-1251'?><a>\xE6</a>";
    assert!(text(cyrillic, Some("text/xml")).0.contains('ж'));
    // Valid UTF-8 is UTF-8, whatever is declared.
    let wrong = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>é";
    assert!(text(wrong.as_bytes(), Some("text/xml; charset=latin1")).0.ends_with('é'));
    assert_eq!(text(b"a\xE9b", None), ("aéb".into(), vec![ProblemKind::BadEncoding]));
}
