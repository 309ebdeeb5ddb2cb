//! The query that a form or a link of a page sends, in the page's own character set (URL standard §1.3,
//! "percent-encode after encoding"). Never decodes, and never fails for a character that the set lacks.

use crate::parse_url::push_encoded_query;
use encoding_rs::Encoding;

/// `query`, without its `?`, as a document in the encoding with this label sends it; `None` for unknown labels.
#[must_use]
pub fn encode_query(query: &str, encoding_label: &str) -> Option<String> {
    let encoding = Encoding::for_label(encoding_label.as_bytes())?;
    let mut out = String::with_capacity(query.len());
    push_encoded_query(query, encoding, &mut out);
    Some(out)
}

#[cfg(test)]
mod tests;
