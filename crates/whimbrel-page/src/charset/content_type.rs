//! The `charset` parameter of a `Content-Type` value, as the MIME Sniffing standard parses it: the first
//! `charset` with a legal value counts, quotes may enclose it, rubbish between parameters is skipped.

use encoding_rs::Encoding;
use std::borrow::Cow;

/// The encoding that a `Content-Type` value names, if it names a known one.
#[must_use]
pub fn charset_of(content_type: &str) -> Option<&'static Encoding> {
    let (essence, mut rest) = content_type.split_once(';')?;
    if !is_essence(essence) {
        return None;
    }
    loop {
        rest = rest.trim_start_matches(is_http_space);
        let name_end = rest.find([';', '='])?;
        let name = &rest[..name_end];
        let value_follows = rest[name_end..].starts_with('=');
        rest = &rest[name_end + 1..];
        if !value_follows {
            continue;
        }
        let value = parameter_value(&mut rest);
        let legal = !value.is_empty() && is_token(name) && value.chars().all(is_quotable);
        if legal && name.eq_ignore_ascii_case("charset") {
            return Encoding::for_label(value.as_bytes());
        }
    }
}

/// Takes one value off the front, up to and with its semicolon.
fn parameter_value<'a>(rest: &mut &'a str) -> Cow<'a, str> {
    let Some(quoted) = rest.strip_prefix('"') else {
        let (value, after) = rest.split_once(';').unwrap_or((rest, ""));
        *rest = after;
        return Cow::Borrowed(value.trim_end_matches(is_http_space));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    let mut end = quoted.len();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                end = at;
                break;
            }
            '\\' => value.push(characters.next().map_or('\\', |(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    *rest = quoted[end..].split_once(';').map_or("", |(_, after)| after);
    Cow::Owned(value)
}

fn is_essence(essence: &str) -> bool {
    let essence = essence.trim_matches(is_http_space);
    essence.split_once('/').is_some_and(|(kind, sub)| is_token(kind) && is_token(sub))
}

fn is_http_space(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t' | ' ')
}

fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn is_quotable(character: char) -> bool {
    matches!(character, '\t' | ' '..='~' | '\u{80}'..='\u{FF}')
}
