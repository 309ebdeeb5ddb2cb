//! Cuts a query into tokens. Operators are upper case and stand alone; `-` and `+` are operators only right before
//! what they apply to. Typographic quotation marks count as quotation marks.

use super::date::start_of;
use super::node::{Node, WordField};

/// Bytes of a query that are read.
const QUERY_BYTES_MAX: usize = 8 * 1024;
/// Words, phrases and fields that are read.
const UNITS_MAX: usize = 64;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Open,
    Close,
    And,
    Or,
    Xor,
    Not,
    Minus,
    Plus,
    Unit(Node),
}

/// Tokens of a query, and notes on what was cut or read otherwise.
pub(crate) fn tokens(query: &str) -> (Vec<Token>, Vec<String>) {
    let mut notes = Vec::new();
    let mut rest = query;
    if query.len() > QUERY_BYTES_MAX {
        rest = &query[..query.floor_char_boundary(QUERY_BYTES_MAX)];
        notes.push(format!("only the first {QUERY_BYTES_MAX} bytes of the query were read"));
    }
    let mut out = Vec::new();
    let mut units = 0;
    while let Some(first) = rest.chars().next() {
        let after_first = &rest[first.len_utf8()..];
        if first.is_whitespace() || first.is_control() {
            rest = after_first;
        } else if first == '(' || first == ')' {
            out.push(if first == '(' { Token::Open } else { Token::Close });
            rest = after_first;
        } else if (first == '-' || first == '+') && starts_operand(after_first) {
            out.push(if first == '-' { Token::Minus } else { Token::Plus });
            rest = after_first;
        } else {
            let (token, tail) = unit(rest, &mut notes);
            rest = tail;
            let Some(token) = token else { continue };
            units += usize::from(matches!(token, Token::Unit(_)));
            if units > UNITS_MAX {
                notes.push(format!("only the first {UNITS_MAX} words of the query were read"));
                break;
            }
            out.push(token);
        }
    }
    (out, notes)
}

/// A word, phrase, field or operator word at the start of `rest`, and what follows it.
fn unit<'q>(rest: &'q str, notes: &mut Vec<String>) -> (Option<Token>, &'q str) {
    if rest.starts_with(is_quote) {
        let (phrase, tail) = quoted(rest, notes);
        return (phrase.map(|text| Token::Unit(Node::Phrase(text.to_owned()))), tail);
    }
    let end =
        rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')' || is_quote(c)).unwrap_or(rest.len());
    let (word, tail) = rest.split_at(end);
    if let Some((name, value)) = word.split_once([':', '：']) {
        if value.is_empty() && tail.starts_with(is_quote) && is_field(name) {
            let (phrase, after) = quoted(tail, notes);
            let node = phrase.and_then(|text| field(name, text, true, notes));
            return (node.map(Token::Unit), after);
        }
        if !value.is_empty()
            && let Some(node) = field(name, value, false, notes)
        {
            return (Some(Token::Unit(node)), tail);
        }
    }
    let token = match word {
        "AND" | "&&" => Token::And,
        "OR" | "||" | "|" => Token::Or,
        "XOR" => Token::Xor,
        "NOT" => Token::Not,
        _ => Token::Unit(Node::Word(word.to_owned())),
    };
    (Some(token), tail)
}

/// Text between quotation marks; without a closing one the mark is passed over and words follow.
fn quoted<'q>(rest: &'q str, notes: &mut Vec<String>) -> (Option<&'q str>, &'q str) {
    let open = rest.chars().next().map_or(0, char::len_utf8);
    let inner = &rest[open..];
    match inner.find(is_quote) {
        Some(end) => {
            let close = inner[end..].chars().next().map_or(0, char::len_utf8);
            let text = inner[..end].trim();
            ((!text.is_empty()).then_some(text), &inner[end + close..])
        }
        None => {
            notes.push(
                "a quotation mark is not closed; the words after it were searched one by one".to_owned(),
            );
            (None, inner)
        }
    }
}

fn field(name: &str, value: &str, quoted: bool, notes: &mut Vec<String>) -> Option<Node> {
    let name = name.to_ascii_lowercase();
    let words = |field| Some(Node::In { field, text: value.to_owned(), quoted });
    match name.as_str() {
        "intitle" | "title" => words(WordField::Title),
        "inurl" => words(WordField::Url),
        "author" => words(WordField::Author),
        "site" | "domain" => Some(Node::Site(value.to_lowercase())),
        "lang" | "language" => Some(Node::Language(value.to_lowercase())),
        "filetype" | "ext" => Some(Node::FileType(value.to_lowercase())),
        "before" | "after" => {
            let Some(at) = start_of(value) else {
                notes.push(format!("{name}: needs a date such as 2024-05-17; it was searched as words"));
                return None;
            };
            Some(if name == "before" { Node::Before(at) } else { Node::After(at) })
        }
        _ => None,
    }
}

fn is_field(name: &str) -> bool {
    field(name, "2000", true, &mut Vec::new()).is_some()
}

fn starts_operand(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || c == '(' || is_quote(c))
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ff02}')
}
