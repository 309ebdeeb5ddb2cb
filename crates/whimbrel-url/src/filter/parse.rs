//! Text of a filter expression into its tree. Grammar:
//!
//! ```text
//! expression = ("and" | "or") "(" expression {"," expression} ")"  |  "not" "(" expression ")"  |  test
//! test       = name "(" [argument {"," argument}] ")"
//! argument   = text without comma, its parentheses in pairs  |  "quoted"  |  'quoted'
//! ```
//!
//! In quotes a backslash takes a quote or a backslash literally. `regex(…)` takes all up to its closing
//! parenthesis, commas too. Never fails on stack or time: nesting is limited and every byte is read once.

use super::{FilterError, Node, Test};
use crate::media::MediaPattern;
use crate::normalize::normalize;
use crate::parse_url::ParsedUrl;
use crate::robots::pattern::Pattern;
use regex::Regex;
use std::ops::RangeInclusive;

/// Deepest nesting of `and`, `or` and `not`.
const NESTING_MAX: usize = 64;

const NAMES: &str =
    "and, or, not, domain, host, protocol, prefix, path, extension, query, content_type, regex, depth";

pub(super) fn parse(text: &str) -> Result<Node, FilterError> {
    let mut reader = Reader { text, position: 0 };
    let node = reader.expression(0)?;
    reader.skip_blank();
    if reader.position < text.len() {
        return reader.fail("expected the end; join several filters with and(…) or or(…)");
    }
    Ok(node)
}

/// An argument and where it begins.
struct Argument {
    text: String,
    position: usize,
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl Reader<'_> {
    fn expression(&mut self, nesting: usize) -> Result<Node, FilterError> {
        self.skip_blank();
        let start = self.position;
        if nesting > NESTING_MAX {
            return self.fail(format!("nested deeper than {NESTING_MAX}; write it flatter"));
        }
        let length =
            self.rest().bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
        let name = self.rest()[..length].to_ascii_lowercase().replace('-', "_");
        if name.is_empty() {
            return self.fail(format!("expected a filter name, one of {NAMES}"));
        }
        self.position += length;
        self.skip_blank();
        self.expect('(')?;
        match name.as_str() {
            "and" => Ok(Node::And(self.expressions(nesting)?)),
            "or" => Ok(Node::Or(self.expressions(nesting)?)),
            "not" => {
                let part = self.expression(nesting + 1)?;
                self.skip_blank();
                self.expect(')')?;
                Ok(Node::Not(Box::new(part)))
            }
            _ => {
                let arguments =
                    if name == "regex" { vec![self.whole_argument()?] } else { self.arguments()? };
                test(&name, arguments, start).map(Node::Test)
            }
        }
    }

    fn expressions(&mut self, nesting: usize) -> Result<Vec<Node>, FilterError> {
        let mut parts = vec![self.expression(nesting + 1)?];
        loop {
            self.skip_blank();
            if self.take(',') {
                parts.push(self.expression(nesting + 1)?);
            } else {
                self.expect(')')?;
                return Ok(parts);
            }
        }
    }

    /// Arguments up to and with the closing parenthesis; none at all for `name()`.
    fn arguments(&mut self) -> Result<Vec<Argument>, FilterError> {
        let mut arguments = Vec::new();
        self.skip_blank();
        if self.take(')') {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.argument(true)?);
            self.skip_blank();
            if !self.take(',') {
                self.expect(')')?;
                return Ok(arguments);
            }
        }
    }

    fn whole_argument(&mut self) -> Result<Argument, FilterError> {
        let argument = self.argument(false)?;
        self.skip_blank();
        self.expect(')')?;
        Ok(argument)
    }

    fn argument(&mut self, comma_ends: bool) -> Result<Argument, FilterError> {
        self.skip_blank();
        let position = self.position;
        let text = match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote)?,
            _ => self.unquoted(comma_ends)?,
        };
        if text.is_empty() {
            self.position = position;
            return self.fail("expected an argument");
        }
        Ok(Argument { text, position })
    }

    fn quoted(&mut self, quote: char) -> Result<String, FilterError> {
        let start = self.position;
        let mut out = String::new();
        let mut characters = self.text[start + 1..].char_indices().peekable();
        while let Some((offset, character)) = characters.next() {
            if character == quote {
                self.position = start + 1 + offset + 1;
                return Ok(out);
            }
            let escaped =
                characters.peek().map(|(_, next)| *next).filter(|next| *next == quote || *next == '\\');
            match (character, escaped) {
                ('\\', Some(next)) => {
                    out.push(next);
                    characters.next();
                }
                _ => out.push(character),
            }
        }
        self.fail("the quotation is not closed")
    }

    fn unquoted(&mut self, comma_ends: bool) -> Result<String, FilterError> {
        let start = self.position;
        let mut open = 0_usize;
        for (offset, character) in self.text[start..].char_indices() {
            match character {
                ')' if open == 0 => return Ok(self.taken(start, offset)),
                ',' if open == 0 && comma_ends => return Ok(self.taken(start, offset)),
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
        }
        self.position = self.text.len();
        self.fail("expected `)`; quote arguments with parentheses that do not pair")
    }

    fn taken(&mut self, start: usize, length: usize) -> String {
        self.position = start + length;
        self.text[start..self.position].trim().to_owned()
    }

    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    fn skip_blank(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, character: char) -> bool {
        let found = self.rest().starts_with(character);
        self.position += if found { character.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, character: char) -> Result<(), FilterError> {
        if self.take(character) { Ok(()) } else { self.fail(format!("expected `{character}`")) }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, FilterError> {
        Err(FilterError { position: self.position, message: message.into() })
    }
}

fn test(name: &str, arguments: Vec<Argument>, start: usize) -> Result<Test, FilterError> {
    let at = |position: usize, message: String| FilterError { position, message };
    if arguments.is_empty() && name != "query" {
        return Err(at(start, format!("`{name}` needs an argument")));
    }
    let lower =
        |arguments: Vec<Argument>| arguments.into_iter().map(|a| a.text.to_ascii_lowercase()).collect();
    match name {
        "domain" => each(arguments, |text| host_name(text.trim_start_matches("*.").trim_start_matches('.')))
            .map(Test::Domain),
        "host" => each(arguments, host_name).map(Test::Host),
        "protocol" | "scheme" => Ok(Test::Protocol(lower(arguments))),
        "prefix" => each(arguments, |text| {
            normalize(text)
                .map(|url| url.as_str().to_owned())
                .map_err(|_| format!("`{text}` is not an http URL"))
        })
        .map(Test::Prefix),
        "extension" => each(arguments, |text| {
            let plain = text.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
            let valid = !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_alphanumeric());
            valid.then_some(plain).ok_or_else(|| format!("`{text}` is not a file extension"))
        })
        .map(Test::Extension),
        "path" => each(arguments, |text| {
            let valid = text.starts_with(['/', '*']);
            valid
                .then(|| Pattern::new(text.as_bytes()))
                .ok_or_else(|| format!("`{text}` must begin with / or *"))
        })
        .map(Test::Path),
        "query" => Ok(Test::Query(arguments.into_iter().map(|argument| argument.text).collect())),
        "content_type" => {
            each(arguments, |text| text.parse::<MediaPattern>().map_err(|error| error.to_string()))
                .map(Test::ContentType)
        }
        "regex" => one(arguments, start, |text| Regex::new(text).map_err(|error| regex_message(&error)))
            .map(Test::Regex),
        "depth" => one(arguments, start, depth_range).map(Test::Depth),
        _ => Err(at(start, format!("there is no filter `{name}`, use one of {NAMES}"))),
    }
}

fn each<T>(
    arguments: Vec<Argument>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, FilterError> {
    let read_one = |argument: Argument| {
        read(&argument.text).map_err(|message| FilterError { position: argument.position, message })
    };
    arguments.into_iter().map(read_one).collect()
}

fn one<T>(
    arguments: Vec<Argument>,
    start: usize,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, FilterError> {
    let mut read = each(arguments, read)?;
    match (read.pop(), read.is_empty()) {
        (Some(value), true) => Ok(value),
        _ => Err(FilterError { position: start, message: "takes one argument".to_owned() }),
    }
}

/// As hosts stand in canonical URLs: lower case, IDNA; `host:port` keeps its port.
fn host_name(text: &str) -> Result<String, String> {
    let wrong = || format!("`{text}` is not a host name");
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') && port.parse::<u16>().is_ok() && !port.is_empty() => {
            (host, Some(port))
        }
        _ => (text, None),
    };
    // Characters that end a host in a URL would hide what stands behind them.
    let is_host = !host.contains(['/', '\\', '?', '#', '@']) && !host.trim().is_empty();
    let parsed = ParsedUrl::parse(&format!("http://{host}/")).filter(|url| is_host && url.port().is_empty());
    let canonical = parsed.ok_or_else(wrong)?.hostname().to_owned();
    let canonical = canonical.strip_suffix('.').unwrap_or(&canonical);
    if canonical.is_empty() {
        return Err(wrong());
    }
    Ok(port.map_or_else(|| canonical.to_owned(), |port| format!("{canonical}:{port}")))
}

/// `<=5`, `<5`, `>=2`, `>2`, `=3`, `2..5`; a plain number is an upper bound.
fn depth_range(text: &str) -> Result<RangeInclusive<u16>, String> {
    let number = |digits: &str| digits.trim().parse::<u16>().ok();
    let range = if let Some((low, high)) = text.split_once("..") {
        number(low).zip(number(high.trim_start_matches('='))).map(|(low, high)| low..=high)
    } else if let Some(rest) = text.strip_prefix("<=") {
        number(rest).map(|high| 0..=high)
    } else if let Some(rest) = text.strip_prefix(">=") {
        number(rest).map(|low| low..=u16::MAX)
    } else if let Some(rest) = text.strip_prefix('<') {
        number(rest).and_then(|high| high.checked_sub(1)).map(|high| 0..=high)
    } else if let Some(rest) = text.strip_prefix('>') {
        number(rest).and_then(|low| low.checked_add(1)).map(|low| low..=u16::MAX)
    } else if let Some(rest) = text.strip_prefix('=') {
        number(rest).map(|exact| exact..=exact)
    } else {
        number(text).map(|high| 0..=high)
    };
    range.ok_or_else(|| format!("`{text}` is not a depth, write one such as <=5 or 2..4"))
}

/// The parser's own text spans lines; its last line says what is wrong.
fn regex_message(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    format!("the regular expression is wrong: {}", last.trim_start_matches("error: "))
}
