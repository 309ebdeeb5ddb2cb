use super::*;

fn head(raw: &str, body_bytes: usize) -> String {
    String::from_utf8(response_head(raw.as_bytes(), body_bytes)).unwrap()
}

#[test]
fn headers_that_would_be_false_in_the_record_are_renamed() {
    let table = [
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            5,
            "HTTP/1.1 200 OK\r\nX-Whimbrel-Transfer-Encoding: chunked\r\n\r\n",
        ),
        ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", 5, "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            5,
            "HTTP/1.1 200 OK\r\nX-Whimbrel-Content-Length: 9\r\n\r\n",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            0,
            "HTTP/1.1 200 OK\r\nX-Whimbrel-Content-Length: x\r\n\r\n",
        ),
        (
            "HTTP/1.1 200 OK\r\nX: Transfer-Encoding\r\n\r\n",
            0,
            "HTTP/1.1 200 OK\r\nX: Transfer-Encoding\r\n\r\n",
        ),
    ];
    for (raw, body_bytes, expected) in table {
        assert_eq!(head(raw, body_bytes), expected);
    }
}

#[test]
fn a_head_ends_exactly_once_whatever_came() {
    assert_eq!(head("HTTP/1.1 200 OK\nA: b\n\nC: d", 0), "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n");
    assert_eq!(head("HTTP/1.1 200 OK", 0), "HTTP/1.1 200 OK\r\n\r\n");
    assert_eq!(head("HTTP/1.1 200 OK\r\nA: b\rc\0\r\n\r\n", 0), "HTTP/1.1 200 OK\r\nA: b c \r\n\r\n");
}

#[test]
fn messages_split_at_the_first_empty_line() {
    assert_eq!(
        split_message(b"H\r\nA: b\r\n\r\nbody\r\n\r\n"),
        (b"H\r\nA: b\r\n\r\n".as_slice(), b"body\r\n\r\n".as_slice())
    );
    assert_eq!(split_message(b"no end"), (b"no end".as_slice(), b"".as_slice()));
    assert_eq!(
        header_value(b"HTTP/1.1 200 OK\r\nContent-Encoding:  br \r\n\r\n", "content-encoding"),
        Some(b"br".as_slice())
    );
}
