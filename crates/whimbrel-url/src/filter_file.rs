//! Files of named filters, read at start-up: one `name = expression` per entry, `#` comments, further lines of an
//! entry indented. Never opens a file: the text is an argument.

use crate::filter::{FilterError, FilterExpression};
use std::fmt;

/// Why a filter file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterFileError {
    /// Line of the entry, counted from 1.
    pub line: usize,
    /// What is wrong, over several lines when it shows a place in an expression.
    pub message: String,
}

impl fmt::Display for FilterFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the filter on line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for FilterFileError {}

/// The filters of a file, in order; every one of them must accept a URL.
pub fn parse_filter_file(text: &str) -> Result<Vec<(String, FilterExpression)>, FilterFileError> {
    let mut entries: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let blank = line.trim().is_empty() || line.trim_start().starts_with('#');
        if blank {
            continue;
        }
        match entries.last_mut() {
            Some((_, entry)) if line.starts_with([' ', '\t']) => {
                entry.push(' ');
                entry.push_str(line.trim());
            }
            _ => entries.push((index + 1, line.trim_end().to_owned())),
        }
    }
    entries.into_iter().map(|(line, entry)| named_filter(line, &entry)).collect()
}

fn named_filter(line: usize, entry: &str) -> Result<(String, FilterExpression), FilterFileError> {
    let fail = |message: String| FilterFileError { line, message };
    let (name, expression) = entry
        .split_once('=')
        .map(|(name, expression)| (name.trim(), expression.trim()))
        .filter(|(name, _)| is_name(name))
        .ok_or_else(|| {
            fail("write it as `name = expression`, the name of letters, digits, - and _".to_owned())
        })?;
    let filter = FilterExpression::parse(expression)
        .map_err(|error: FilterError| fail(format!("{name}\n{}", error.show(expression))))?;
    Ok((name.to_owned(), filter))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_may_span_lines_and_keep_their_names() {
        let text = "# ours\nno-calendar = not(path(/calendar/))\n\nshallow =\n  and(\n    depth(<=3),\n    # why\n    query(a=b)\n  )\n";
        let filters = parse_filter_file(text).unwrap();
        let names: Vec<&str> = filters.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["no-calendar", "shallow"]);
        assert_eq!(filters[1].1.as_str(), "and( depth(<=3), query(a=b) )");
    }

    #[test]
    fn mistakes_name_the_line() {
        let error = parse_filter_file("\na = depth(3)\nb = dept(3)\n").unwrap_err();
        assert_eq!(error.line, 3);
        assert!(error.to_string().starts_with("cannot read the filter on line 3: b\n"));
        assert_eq!(parse_filter_file("depth(<=3)").unwrap_err().line, 1);
    }
}
