//! Where a redirect of a robots.txt leads. Page redirects are not followed here at all: their targets go back as
//! discovered URLs and pass every check of their own.

use whimbrel_types::CanonicalUrl;
use whimbrel_url::ParsedUrl;

/// The target of a `Location` met at `base`: http or https, without credentials and fragment.
pub(crate) fn target(base: &CanonicalUrl, location: &str) -> Option<CanonicalUrl> {
    let base = ParsedUrl::parse(base.as_str())?;
    let target = whimbrel_url::resolve(&base, location.trim()).ok()?;
    let (scheme, host) = (target.scheme().as_str(), target.authority().rsplit('@').next()?);
    CanonicalUrl::from_canonical(&format!("{scheme}://{host}{}", target.path_and_query()))
}

#[cfg(test)]
mod tests;
