//! Header lines of ARC, the format before WARC, one line per record. Version 1: `url ip date type length`; version 2:
//! `url ip date type status checksum location offset file length`.
//!
//! Blanks in URLs and types are met, and lengths that are no numbers; so a line is known by its date and by the address
//! before it, whatever version the file says it has.

/// The parts of an ARC header line that make a record of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ArcLine {
    pub url: String,
    pub address: String,
    pub date: String,
    pub media_type: String,
    /// As written; may not be a number.
    pub length: String,
}

/// Blank-separated parts behind the date in version 1 and 2.
const PARTS_BEHIND_DATE: [usize; 2] = [2, 7];
/// No line has more parts: URLs with blanks are met, but not with so many.
const PARTS_MAX: usize = 200;

/// Reads a header line.
pub(crate) fn parse_arc_line(line: &str) -> Option<ArcLine> {
    let line = line.trim_end();
    let parts: Vec<&str> = line.split(' ').take(PARTS_MAX + 1).collect();
    if parts.len() < 5 || parts.len() > PARTS_MAX || !has_scheme(parts[0]) {
        return None;
    }
    let fits = |place: usize| is_date(parts[place]) && is_address(parts[place - 1]);
    let expected = PARTS_BEHIND_DATE.into_iter().filter_map(|behind| (parts.len() - 1).checked_sub(behind));
    let elsewhere = (2..parts.len() - 2).rev();
    let date = expected.filter(|place| *place >= 2).chain(elsewhere).find(|place| fits(*place))?;
    let behind = &parts[date + 1..];
    // The type is the first part behind the date, but what is no version's number of parts has blanks in its type.
    let type_parts = if PARTS_BEHIND_DATE.contains(&behind.len()) { 1 } else { behind.len() - 1 };
    Some(ArcLine {
        url: parts[..date - 1].join(" "),
        address: parts[date - 1].to_owned(),
        date: parts[date].to_owned(),
        media_type: behind[..type_parts].join(" "),
        length: behind[behind.len() - 1].to_owned(),
    })
}

fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Fourteen digits by the letter; shorter and longer ones are met.
fn is_date(part: &str) -> bool {
    (8..=20).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
}

fn is_address(part: &str) -> bool {
    part == "-"
        || part.contains(['.', ':'])
            && part.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arc_lines_are_known_by_address_and_date() {
        let table = [
            (
                "http://a.test/x y z 1.2.3.4 20140216050221 text/html 1591\n",
                "http://a.test/x y z",
                "text/html",
                "1591",
            ),
            (
                "http://a.test/ 1.2.3.4 201404010000000000 text/html -1\r\n",
                "http://a.test/",
                "text/html",
                "-1",
            ),
            ("dns:a.test 1.2.3.4 20140216050221 text/dns 56", "dns:a.test", "text/dns", "56"),
            (
                "http://a.test/ ::1 20140216050221 text/html; charset=x 7",
                "http://a.test/",
                "text/html; charset=x",
                "7",
            ),
            (
                "http://a.test/ 1.2.3.4 19961104142103 text/html 200 fac069150613fe55599cc7fa88aa089d - 209 IA-001102.arc 202",
                "http://a.test/",
                "text/html",
                "202",
            ),
        ];
        for (line, url, media_type, length) in table {
            let arc = parse_arc_line(line).unwrap();
            assert_eq!(
                (arc.url.as_str(), arc.media_type.as_str(), arc.length.as_str()),
                (url, media_type, length)
            );
        }
        for line in [
            "HTTP/1.1 200 OK",
            "WARC-Type: response",
            "URL IP-address Archive-date Content-type Archive-length",
            "Date: Mon, 1 Jan 20140216050221 x 5",
            "",
        ] {
            assert_eq!(parse_arc_line(line), None, "{line}");
        }
    }
}
