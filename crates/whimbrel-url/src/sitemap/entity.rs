//! References in XML text: the five names of XML and numbers. Never expands a declared entity, internal or external:
//! a reference to one stands for nothing. An ampersand that begins no reference is an ampersand.
//! Invariant: the result is never longer than the input.

/// What was unusual about a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    /// An ampersand that should have been escaped.
    pub(super) loose_ampersand: bool,
    /// A reference to an entity that is not one of the five.
    pub(super) unknown_entity: bool,
}

/// Longest name or number that a reference can have; a semicolon further on belongs to something else.
const REFERENCE_BYTES_MAX: usize = 32;

/// Appends `raw` with its references replaced.
pub(super) fn push_decoded(raw: &str, out: &mut String) -> Oddities {
    let mut oddities = Oddities::default();
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let length = behind.bytes().take(REFERENCE_BYTES_MAX).position(|b| b == b';');
        match length.map(|length| (length, meaning(&behind[..length]))) {
            Some((length, Meaning::Character(character))) => {
                out.push(character);
                rest = &behind[length + 1..];
            }
            Some((length, Meaning::Nothing)) => {
                oddities.unknown_entity = true;
                rest = &behind[length + 1..];
            }
            Some((_, Meaning::NoReference)) | None => {
                oddities.loose_ampersand = true;
                out.push('&');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    oddities
}

enum Meaning {
    Character(char),
    Nothing,
    NoReference,
}

fn meaning(name: &str) -> Meaning {
    let character = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    };
    if let Some(character) = character {
        return Meaning::Character(character);
    }
    if let Some(number) = name.strip_prefix('#') {
        let value = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let character = value.ok().and_then(char::from_u32).filter(|c| *c != '\0');
        return character.map_or(Meaning::NoReference, Meaning::Character);
    }
    let mut characters = name.chars();
    let begins = characters.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | ':'));
    if begins && characters.all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.')) {
        Meaning::Nothing
    } else {
        Meaning::NoReference
    }
}

#[cfg(test)]
mod tests;
