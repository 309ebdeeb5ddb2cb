//! Secrets of the operator and the header fields made of them: basic (RFC 7617) and bearer (RFC 6750)
//! authentication. Where a secret goes is decided elsewhere.
//! Invariant: no secret is ever shown; `Debug` gives its kind only, and there is no `Display`. Header values made of
//! it are marked sensitive, so neither `http` prints them nor HPACK indexes them.

use http::HeaderValue;
use std::fmt;

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes the text over.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// User name and password of `user:password`; the password may hold colons.
    pub(crate) fn user_and_password(&self) -> Option<(&str, &str)> {
        self.0.split_once(':')
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}

/// How a site is told who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authorization {
    /// `user:password`.
    Basic(Secret),
    /// A token.
    Bearer(Secret),
}

impl Authorization {
    /// The value of the `Authorization` field.
    ///
    /// # Errors
    /// What is wrong with the secret, without showing it.
    pub(crate) fn header_value(&self) -> Result<HeaderValue, &'static str> {
        let text = match self {
            Authorization::Basic(secret) => {
                let (user, password) = secret
                    .user_and_password()
                    .ok_or("the secret of basic authentication has the form user:password")?;
                if user.chars().chain(password.chars()).any(char::is_control) {
                    return Err("the secret has control characters");
                }
                format!("Basic {}", base64(secret.expose().as_bytes()))
            }
            Authorization::Bearer(secret) => {
                let token = secret.expose();
                if token.is_empty() || !token.bytes().all(|b| b.is_ascii_graphic()) {
                    return Err("a token is one word of visible ASCII characters");
                }
                format!("Bearer {token}")
            }
        };
        let mut value = HeaderValue::from_str(&text).map_err(|_| "the secret cannot be sent")?;
        value.set_sensitive(true);
        Ok(value)
    }
}

/// RFC 4648, section 4, with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            if place <= group.len() {
                out.push(char::from(ALPHABET[(bits >> (18 - 6 * place) & 63) as usize]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_agrees_with_the_rfc() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
            ("Aladdin:open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }

    #[test]
    fn secrets_are_not_shown() {
        let authorization = Authorization::Basic(Secret::new("user:hunter2"));
        let value = authorization.header_value().unwrap();
        for shown in
            [format!("{authorization:?}"), format!("{value:?}"), format!("{:?}", Secret::new("hunter2"))]
        {
            assert!(!shown.contains("hunter2") && !shown.contains("dXNlcjp"), "{shown}");
        }
    }

    #[test]
    fn secrets_that_cannot_be_sent_are_refused_without_showing_them() {
        for wrong in [
            Authorization::Basic(Secret::new("hunter2")),
            Authorization::Basic(Secret::new("user:hunter2\r\nX: y")),
            Authorization::Bearer(Secret::new("hunter2\nX: y")),
            Authorization::Bearer(Secret::new("")),
            Authorization::Bearer(Secret::new("hunter2 hunter2")),
        ] {
            assert!(!wrong.header_value().unwrap_err().contains("hunter2"));
        }
    }
}
