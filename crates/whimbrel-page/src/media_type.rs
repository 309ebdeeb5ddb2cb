//! A `Content-Type` value, read and written as the MIME Sniffing standard says (§4.4–4.6): rubbish between parameters
//! is skipped, the first of several equal parameters counts, a value that cannot be read is no type at all.
//! Never guesses; what a body really is, `sniff` decides.

use encoding_rs::Encoding;
use std::borrow::Cow;
use std::fmt;

/// Further parameters are not read: no real value has more than a few.
const PARAMETERS_MAX: usize = 64;

/// A media type with its parameters, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaType {
    /// `text/html`, in lower case.
    essence: String,
    /// Where the slash is.
    slash: usize,
    parameters: Vec<(String, String)>,
}

impl MediaType {
    /// Reads a value; `None` when it is not a media type.
    #[must_use]
    pub fn parse(value: &str) -> Option<MediaType> {
        let value = value.trim_matches(is_http_space);
        let (essence, rest) =
            value.split_once(';').map_or((value, None), |(essence, rest)| (essence, Some(rest)));
        let (kind, subtype) = essence.trim_end_matches(is_http_space).split_once('/')?;
        if !is_token(kind) || !is_token(subtype) {
            return None;
        }
        let mut found = MediaType {
            essence: format!("{kind}/{subtype}").to_ascii_lowercase(),
            slash: kind.len(),
            parameters: Vec::new(),
        };
        if let Some(rest) = rest {
            found.read_parameters(rest);
        }
        Some(found)
    }

    /// Type and subtype in lower case, without parameters.
    #[must_use]
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// The part before the slash.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.essence[..self.slash]
    }

    /// The part behind the slash.
    #[must_use]
    pub fn subtype(&self) -> &str {
        &self.essence[self.slash + 1..]
    }

    /// The value of a parameter, by its name in lower case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The encoding that its `charset` names, if it names a known one.
    #[must_use]
    pub fn encoding(&self) -> Option<&'static Encoding> {
        Encoding::for_label(self.parameter("charset")?.as_bytes())
    }

    /// Whether it is an XML type by the standard's rule.
    #[must_use]
    pub fn is_xml(&self) -> bool {
        self.subtype().ends_with("+xml") || matches!(self.essence(), "text/xml" | "application/xml")
    }

    fn read_parameters(&mut self, mut rest: &str) {
        while !rest.is_empty() && self.parameters.len() < PARAMETERS_MAX {
            rest = rest.trim_start_matches(is_http_space);
            let Some(name_end) = rest.find([';', '=']) else { return };
            let name = rest[..name_end].to_ascii_lowercase();
            let value_follows = rest[name_end..].starts_with('=');
            rest = &rest[name_end + 1..];
            if !value_follows {
                continue;
            }
            let quoted = rest.starts_with('"');
            let value = parameter_value(&mut rest);
            let legal = is_token(&name) && (quoted || !value.is_empty()) && value.chars().all(is_quotable);
            if legal && self.parameter(&name).is_none() {
                self.parameters.push((name, value.into_owned()));
            }
        }
    }
}

impl fmt::Display for MediaType {
    /// The standard's serialisation: values in quotes where they must be.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.essence)?;
        for (name, value) in &self.parameters {
            if is_token(value) {
                write!(out, ";{name}={value}")?;
            } else {
                write!(out, ";{name}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))?;
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests;
