//! May this sitemap speak for that page (sitemaps.org, "Sitemap file location" and "Sitemaps & Cross Submits")? It
//! may for what lies in its own directory or below, with the same scheme, host and port; and for every page of a
//! host whose robots.txt names the sitemap. Never asks what is in the files: both facts are arguments.

use crate::normalize::normalize;

/// Is `loc` in the scope of the sitemap at `sitemap_url`, which the robots.txt at `announced_in` names?
/// What cannot be read as a URL is in no scope.
#[must_use]
pub fn in_scope(sitemap_url: &str, loc: &str, announced_in: Option<&str>) -> bool {
    let (Ok(sitemap), Ok(page)) = (normalize(sitemap_url), normalize(loc)) else { return false };
    let directory = &sitemap.path()[..=sitemap.path().rfind('/').unwrap_or(0)];
    if page.site() == sitemap.site() && page.path().starts_with(directory) {
        return true;
    }
    let robots = announced_in.and_then(|robots| normalize(robots).ok());
    robots.is_some_and(|robots| robots.path() == "/robots.txt" && robots.site() == page.site())
}

#[cfg(test)]
mod tests;
