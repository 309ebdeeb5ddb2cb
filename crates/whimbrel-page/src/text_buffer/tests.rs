use super::{TextBuffer, collapse};

#[test]
fn white_space_collapses_across_pushes() {
    let mut buffer = TextBuffer::with_capacity(0);
    for piece in ["  one ", " two\n", "\u{A0}th", "ree", "", " \t "] {
        buffer.push(piece);
    }
    assert_eq!(buffer.as_str(), "one two three");
    assert_eq!(buffer.words(), 3);
    buffer.end_block();
    buffer.push(" four");
    assert_eq!(buffer.into_string(), "one two three\nfour");
    assert_eq!(collapse(" a\n\n b\u{3000}c "), "a b c");
}

#[test]
fn preformatted_lines_stay() {
    let mut buffer = TextBuffer::with_capacity(0);
    buffer.push_preformatted("\n  if x:\n    y\n\n");
    buffer.end_block();
    buffer.push("after");
    assert_eq!(buffer.as_str(), "  if x:\n    y\nafter");
    assert_eq!(buffer.words(), 4);
}

#[test]
fn a_forced_line_end_takes_no_space_with_it() {
    let mut buffer = TextBuffer::with_capacity(0);
    buffer.line_end();
    buffer.push("one ");
    buffer.line_end();
    buffer.push(" two");
    assert_eq!(buffer.as_str(), "one\ntwo");
}

#[test]
fn the_next_word_is_the_one_being_written() {
    let mut buffer = TextBuffer::with_capacity(0);
    assert_eq!(buffer.next_word(), 0);
    buffer.push("one tw");
    assert_eq!(buffer.next_word(), 1);
    buffer.push("o ");
    assert_eq!(buffer.next_word(), 2);
}
