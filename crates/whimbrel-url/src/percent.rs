//! Percent-encoding as RFC 3986 §6.2.2 equates it. Never decodes a reserved character and never a percent sign.
//! Invariant: the output of [`push_normalized`] is ASCII and a fixed point of it.

/// Letters, digits, `-._~`: a triplet of one of these means the character itself (RFC 3986 §2.3).
#[must_use]
pub(crate) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// May stand unencoded in a path or a query; the brackets are reserved and common in queries, so they count.
#[must_use]
pub(crate) fn is_legal(byte: u8) -> bool {
    is_unreserved(byte) || b":/?@!$&'()*+,;=[]".contains(&byte)
}

/// The byte that `bytes` spells as a triplet at its beginning.
#[must_use]
pub(crate) fn triplet(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [b'%', high, low, ..] => Some(hex_value(*high)? << 4 | hex_value(*low)?),
        _ => None,
    }
}

/// Appends `byte` as an upper-case triplet.
pub(crate) fn push_triplet(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Appends `bytes` in normal form: triplets of unreserved characters decoded, other triplets in upper case,
/// bytes for which `stays` is false encoded. A percent sign that begins no triplet is encoded too: left alone
/// it could form one with what is decoded behind it (`%%32e`), and a second pass would read another URL.
pub(crate) fn push_normalized(bytes: &[u8], out: &mut String, stays: impl Fn(u8) -> bool) {
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        match triplet(&bytes[i..]) {
            Some(value) => {
                if is_unreserved(value) {
                    out.push(char::from(value));
                } else {
                    push_triplet(value, out);
                }
                i += 3;
            }
            None => {
                if byte.is_ascii() && byte != b'%' && stays(byte) {
                    out.push(char::from(byte));
                } else {
                    push_triplet(byte, out);
                }
                i += 1;
            }
        }
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
