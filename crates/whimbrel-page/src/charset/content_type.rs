//! The `charset` parameter of a `Content-Type` value.

use crate::media_type::MediaType;
use encoding_rs::Encoding;

/// The encoding that a `Content-Type` value names, if it names a known one.
#[must_use]
pub fn charset_of(content_type: &str) -> Option<&'static Encoding> {
    MediaType::parse(content_type)?.encoding()
}
