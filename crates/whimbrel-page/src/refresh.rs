//! `<meta http-equiv=refresh content="…">`, HTML standard §4.2.5.3 ("shared declarative refresh steps").

/// When and where to: the URL as written, `None` for the page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refresh<'a> {
    /// Whole seconds to wait.
    pub seconds: u32,
    /// The target, unresolved.
    pub url: Option<&'a str>,
}

/// Reads the `content` of a refresh; `None` when it is not one.
#[must_use]
pub fn parse_refresh(content: &str) -> Option<Refresh<'_>> {
    let rest = content.trim_start_matches(is_space);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 && !rest.starts_with('.') {
        return None;
    }
    let seconds = rest[..digits]
        .bytes()
        .fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    let rest = rest[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if rest.is_empty() {
        return Some(Refresh { seconds, url: None });
    }
    if !rest.starts_with(|c| is_space(c) || matches!(c, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(is_space);
    let url = target(rest).trim_end_matches(is_space);
    Some(Refresh { seconds, url: (!url.is_empty()).then_some(url) })
}

/// Behind the time: an optional `url =`, an optional quote.
fn target(rest: &str) -> &str {
    let mut value = rest;
    if rest.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("url")) {
        let after = rest[3..].trim_start_matches(is_space);
        match after.strip_prefix('=') {
            Some(after) => value = after.trim_start_matches(is_space),
            None => return rest,
        }
    }
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = &value[1..];
            &inner[..inner.find(quote).unwrap_or(inner.len())]
        }
        _ => value,
    }
}

fn is_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{C}' | '\r' | ' ')
}
