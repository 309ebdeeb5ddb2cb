//! Where a redirect of a robots.txt leads. Page redirects are not followed here at all: their targets go back as
//! discovered URLs and pass every check of their own.

use url::Url;
use whimbrel_types::CanonicalUrl;

/// The target of a `Location` met at `base`: http or https, without credentials and fragment.
pub(crate) fn target(base: &CanonicalUrl, location: &str) -> Option<CanonicalUrl> {
    let mut target = Url::parse(base.as_str()).ok()?.join(location.trim()).ok()?;
    if !matches!(target.scheme(), "http" | "https") {
        return None;
    }
    target.set_fragment(None);
    target.set_username("").ok()?;
    target.set_password(None).ok()?;
    CanonicalUrl::from_canonical(target.as_str())
}

#[cfg(test)]
mod tests;
