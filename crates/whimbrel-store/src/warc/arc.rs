//! Header lines of ARC, the format before WARC: `url ip date type length`, one line per record.

/// The parts of an ARC header line that make a record of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ArcLine {
    pub url: String,
    pub address: String,
    pub date: String,
    pub media_type: String,
    pub length: u64,
}

/// Reads a header line; URLs with spaces in them are met, so it is read from its end.
pub(crate) fn parse_arc_line(line: &str) -> Option<ArcLine> {
    let mut parts = line.trim_end().rsplitn(5, ' ');
    let length = parts.next()?.parse().ok()?;
    let media_type = parts.next()?.to_owned();
    let date = parts.next()?.to_owned();
    let address = parts.next()?.to_owned();
    let url = parts.next()?.to_owned();
    let dated = date.len() >= 8 && date.bytes().all(|b| b.is_ascii_digit());
    (dated && url.contains(':')).then_some(ArcLine { url, address, date, media_type, length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arc_lines_are_read_from_their_end() {
        let line = parse_arc_line("http://a.test/x y z 1.2.3.4 20140216050221 text/html 1591\n").unwrap();
        assert_eq!((line.url.as_str(), line.length), ("http://a.test/x y z", 1591));
        assert_eq!(parse_arc_line("HTTP/1.1 200 OK"), None);
        assert_eq!(parse_arc_line("WARC-Type: response"), None);
    }
}
