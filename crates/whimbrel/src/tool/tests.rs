use super::lines::{Line, next_line};
use super::reply::Reply;
use super::request::{Request, decode_base64};
use super::*;
use proptest::prelude::*;

fn replies(tool: &Tool, input: &[u8]) -> (Vec<String>, stream::Tally) {
    let mut output = Vec::new();
    let tally = run(tool, input, &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    (text.lines().map(str::to_owned).collect(), tally)
}

#[test]
fn examples_give_the_replies_that_help_shows() {
    for tool in TOOLS {
        let (lines, tally) = replies(tool, tool.example.as_bytes());
        assert_eq!(lines, [tool.example_reply], "{}", tool.name);
        assert_eq!((tally.answered, tally.refused), (1, 0), "{}", tool.name);
    }
}

#[test]
fn names_are_unique_and_found() {
    for tool in TOOLS {
        assert!(std::ptr::eq(find(tool.name).unwrap(), tool), "{}", tool.name);
        assert!(list().contains(tool.summary) && manual(tool).contains(tool.example));
    }
    assert!(find("robot").is_none());
}

#[test]
fn a_panic_costs_its_own_line_only() {
    fn touchy(request: &Request) -> Result<Reply, String> {
        let text = request.text("text")?;
        assert!(text != "bang", "that word again");
        Ok(Reply::new().with("length", text.len()))
    }
    let tool = Tool { answer: touchy, name: "touchy", ..url::PARSE };
    let input = b"{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"bang\"}\n{\"id\":3,\"text\":\"abc\"}\n";
    let (lines, tally) = replies(&tool, input);
    assert_eq!(lines[0], r#"{"id":1,"length":1}"#);
    assert!(
        lines[1].starts_with(r#"{"id":2,"error":"#) && lines[1].contains("that word again"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[2], r#"{"id":3,"length":3}"#);
    assert_eq!((tally.answered, tally.refused), (2, 1));
}

#[test]
fn a_line_beyond_the_limit_is_dropped_and_the_next_one_is_read() {
    let input = format!("{{\"id\":7,\"x\":\"{}\"}}\nshort\n\nlast", "y".repeat(5000));
    let mut rest = std::io::BufReader::with_capacity(64, input.as_bytes());
    let Some(Line::TooLong(head)) = next_line(&mut rest, 1000).unwrap() else { panic!("not too long") };
    assert_eq!(Request::read(&head).0, 7);
    assert_eq!(next_line(&mut rest, 1000).unwrap(), Some(Line::Whole(b"short".to_vec())));
    assert_eq!(next_line(&mut rest, 1000).unwrap(), Some(Line::Whole(b"last".to_vec())));
    assert_eq!(next_line(&mut rest, 1000).unwrap(), None);
}

#[test]
fn a_line_as_long_as_the_limit_is_whole() {
    for (length, whole) in [(99, true), (100, true), (101, false)] {
        let input = format!("{}\n", "y".repeat(length));
        let line = next_line(&mut input.as_bytes(), 100).unwrap().unwrap();
        assert_eq!(matches!(line, Line::Whole(_)), whole, "{length}");
    }
}

#[test]
fn base64_is_read_with_or_without_padding_and_line_ends() {
    for text in ["aGVsbG8=", "aGVsbG8", "aGVs\nbG8=\n", " aGVs bG8"] {
        assert_eq!(decode_base64(text).as_deref(), Some(&b"hello"[..]), "{text:?}");
    }
    assert_eq!(decode_base64("").as_deref(), Some(&b""[..]));
    for text in ["aGVsbG8*", "a", "aGVs=bG8"] {
        assert_eq!(decode_base64(text), None, "{text:?}");
    }
}

/// A pipe that somebody closed.
struct Closed;

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let input = format!("{}\n", charset::LABEL.example).repeat(5000);
    let tally = run(&charset::LABEL, input.as_bytes(), Closed).unwrap();
    assert!(tally.answered < 5000, "it went on for nobody");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever lines come, each that is not blank gets one reply that is a JSON object with an id.
    #[test]
    fn every_line_gets_one_json_object(lines in proptest::collection::vec("\\PC{0,40}", 0..8), pick in 0..TOOLS.len()) {
        let input = lines.join("\n");
        let expected = lines.iter().filter(|line| !line.trim_ascii().is_empty()).count();
        let (found, tally) = replies(&TOOLS[pick], input.as_bytes());
        prop_assert_eq!(found.len(), expected);
        prop_assert_eq!(tally.answered + tally.refused, expected as u64);
        for line in found {
            let reply: serde_json::Value = serde_json::from_str(&line).unwrap();
            prop_assert!(reply.as_object().is_some_and(|fields| fields.contains_key("id")));
        }
    }

    /// Texts of any kind in any text field are answered, never refused for what they say.
    #[test]
    fn any_text_is_answered(text in "\\PC{0,60}|(<[a-z]{1,5}( href=[a-z]*)?>){0,6}|https?://[a-z.:/%?#@\\[\\]0-9]{0,40}") {
        for tool in [&url::PARSE, &url::NORMALIZE, &html::TEXT, &html::SRCSET, &html::META_REFRESH,
            &charset::LABEL, &charset::CONTENT_TYPE, &charset::CHARSET, &sitemap::DATE, &robots::ROBOTS]
        {
            let fields: serde_json::Map<String, serde_json::Value> =
                tool.input.iter().filter(|(name, _)| *name != "base").map(|(name, _)| ((*name).to_owned(), text.clone().into())).collect();
            let line = serde_json::Value::Object(fields).to_string();
            let (_, tally) = replies(tool, line.as_bytes());
            prop_assert_eq!(tally.refused, 0, "{}: {}", tool.name, line);
        }
    }
}
