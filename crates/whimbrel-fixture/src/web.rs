//! A made-up web: sites and what their paths answer. Pure: knows no ports, so links between sites are
//! written `{{origin:NAME}}` and filled in when served.

use crate::answer::{Answer, Handler, RequestInfo};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A path on a site: a URL whose origin is not known yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Name of the site.
    pub site: String,
    /// Path and query.
    pub path: String,
}

impl Place {
    /// `path` on `site`.
    #[must_use]
    pub fn new(site: impl Into<String>, path: impl Into<String>) -> Place {
        Place { site: site.into(), path: path.into() }
    }

    /// The URL as it is written in a page before serving.
    #[must_use]
    pub fn placeholder(&self) -> String {
        format!("{{{{origin:{}}}}}{}", self.site, self.path)
    }
}

/// One site.
#[derive(Clone, Default)]
pub struct SiteSpec {
    /// Name, used in placeholders and in the log.
    pub name: String,
    /// What each path (with its query) answers.
    pub pages: BTreeMap<String, Answer>,
    /// Query parameters that make no difference: they are taken off before a second look-up, so one page
    /// answers under many URLs.
    pub ignored_parameters: BTreeSet<String>,
    /// Asked for every path that is not in `pages`; without it they are 404.
    pub fallback: Option<Handler>,
}

impl SiteSpec {
    /// An empty site.
    #[must_use]
    pub fn new(name: impl Into<String>) -> SiteSpec {
        SiteSpec { name: name.into(), ..SiteSpec::default() }
    }

    /// Sets what a path answers.
    pub fn put(&mut self, path: impl Into<String>, answer: Answer) {
        self.pages.insert(path.into(), answer);
    }

    /// The same, in a chain.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, answer: Answer) -> SiteSpec {
        self.put(path, answer);
        self
    }

    /// What a request is answered, before any handler inside the answer is asked.
    #[must_use]
    pub fn answer(&self, request: &RequestInfo) -> Answer {
        if let Some(answer) = self.pages.get(&request.path) {
            return answer.clone();
        }
        if let Some(answer) = self.plain_path(&request.path).and_then(|path| self.pages.get(&path)) {
            return answer.clone();
        }
        self.fallback.as_ref().map_or(Answer::NotFound, |decide| decide(request))
    }

    /// The path without ignored parameters; `None` when there were none.
    pub(crate) fn plain_path(&self, path: &str) -> Option<String> {
        let (bare, query) = path.split_once('?')?;
        let is_kept = |pair: &&str| !self.ignored_parameters.contains(pair.split('=').next().unwrap_or(pair));
        let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
        match kept.len() {
            count if count == query.split('&').count() => None,
            0 => Some(bare.to_owned()),
            _ => Some(format!("{bare}?{}", kept.join("&"))),
        }
    }
}

impl fmt::Debug for SiteSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SiteSpec({}, {} pages)", self.name, self.pages.len())
    }
}

/// Several sites that may link to each other.
#[derive(Clone, Debug, Default)]
pub struct Web {
    /// The sites, in the order in which they get their addresses.
    pub sites: Vec<SiteSpec>,
}

impl Web {
    /// A web of one site or more.
    #[must_use]
    pub fn new(sites: impl IntoIterator<Item = SiteSpec>) -> Web {
        Web { sites: sites.into_iter().collect() }
    }

    /// The site of that name.
    #[must_use]
    pub fn site(&self, name: &str) -> Option<&SiteSpec> {
        self.sites.iter().find(|site| site.name == name)
    }

    /// The site of that name, to change it.
    pub fn site_mut(&mut self, name: &str) -> Option<&mut SiteSpec> {
        self.sites.iter_mut().find(|site| site.name == name)
    }
}
