//! The URLs of a `srcset` attribute, HTML standard §4.8.4.2.2 ("parse a srcset attribute"). Candidates with an
//! invalid descriptor are left out, as browsers do.

/// The candidates' URLs in order, as written.
#[must_use]
pub fn candidates(srcset: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let mut rest = srcset;
    loop {
        rest = rest.trim_start_matches(|c| is_space(c) || c == ',');
        if rest.is_empty() {
            return urls;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        rest = after;
        if url.ends_with(',') {
            urls.push(url.trim_end_matches(','));
        } else if are_valid(&descriptors(&mut rest)) {
            urls.push(url);
        }
    }
}

fn is_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{C}' | '\r' | ' ')
}

/// Takes the descriptors of one candidate, up to and with its comma; a comma in parentheses does not end it.
fn descriptors<'a>(rest: &mut &'a str) -> Vec<&'a str> {
    let text = *rest;
    let mut found = Vec::new();
    let mut start = None;
    let mut in_parentheses = false;
    for (at, character) in text.char_indices() {
        match character {
            ')' if in_parentheses => in_parentheses = false,
            _ if in_parentheses => {}
            ',' => {
                found.extend(start.map(|start| &text[start..at]));
                *rest = &text[at + 1..];
                return found;
            }
            c if is_space(c) => found.extend(start.take().map(|start: usize| &text[start..at])),
            c => {
                start = start.or(Some(at));
                in_parentheses = c == '(';
            }
        }
    }
    found.extend(start.map(|start| &text[start..]));
    *rest = "";
    found
}

fn are_valid(descriptors: &[&str]) -> bool {
    let (mut width, mut density, mut height) = (false, false, false);
    for descriptor in descriptors {
        let Some(kind) = descriptor.chars().last() else { continue };
        let number = &descriptor[..descriptor.len() - kind.len_utf8()];
        match kind {
            'w' if !width && !density && is_positive_integer(number) => width = true,
            'x' if !width && !density && !height && is_density(number) => density = true,
            'h' if !height && !density && is_positive_integer(number) => height = true,
            _ => return false,
        }
    }
    !height || width
}

fn is_positive_integer(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte != b'0')
}

/// A valid floating-point number of the standard, not negative.
fn is_density(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    // A mantissa needs digits before its point or behind it.
    let mantissa_is_number = !fraction.is_empty() && (!whole.is_empty() || mantissa.contains('.'));
    let exponent_is_number = !exponent.is_empty() && digits(exponent);
    let well_formed = digits(whole) && digits(fraction) && mantissa_is_number && exponent_is_number;
    well_formed && text.parse::<f64>().is_ok_and(|value| value >= 0.0)
}
