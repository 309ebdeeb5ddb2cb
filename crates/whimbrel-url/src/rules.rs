//! Whether a URL may enter the crawl by the operator's rules: length, scope, patterns, extensions, filters, shape, depth.
//! Never asks the network, robots.txt or the store. The first reason wins, in the order of that list.
//! Invariant: [`UrlRules::admit`] and [`UrlRules::explain`] run the same checks.

use crate::filter::{FilterExpression, FilterInput};
use crate::media::{MediaPattern, PAGE_TYPES, essence, extensions_denied_by_default};
use crate::normalize::URL_BYTES_MAX;
use crate::scope::ScopeSet;
use crate::trap::TrapLimits;
use regex::Regex;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use whimbrel_types::{CanonicalUrl, RejectReason};

/// Depth limit by default.
pub const DEPTH_MAX: u16 = 10;

/// The operator's rules for one crawl.
#[derive(Clone, Debug)]
pub struct UrlRules {
    /// Longest URL.
    pub url_bytes_max: usize,
    /// How far from the seeds.
    pub scope: ScopeSet,
    /// A URL that one of these finds a match in is left out.
    pub exclude: Vec<Regex>,
    /// When there are any, one of them must find a match.
    pub include: Vec<Regex>,
    /// Lower-case file extensions that are left out.
    pub deny_extensions: FxHashSet<String>,
    /// Exceptions from `deny_extensions`.
    pub allow_extensions: FxHashSet<String>,
    /// Named filters, all of which must accept.
    pub filters: Vec<(String, FilterExpression)>,
    /// Shapes of URLs that no honest page has, and the policy about CGI programs.
    pub traps: TrapLimits,
    /// Deepest level that is visited; `None` for no limit.
    pub depth_max: Option<u16>,
    /// Bodies of these types are left out.
    pub deny_types: Vec<MediaPattern>,
    /// Bodies of other types are left out.
    pub page_types: Vec<MediaPattern>,
}

impl Default for UrlRules {
    fn default() -> Self {
        UrlRules {
            url_bytes_max: URL_BYTES_MAX,
            scope: ScopeSet::any(),
            exclude: Vec::new(),
            include: Vec::new(),
            deny_extensions: extensions_denied_by_default().map(str::to_owned).collect(),
            allow_extensions: FxHashSet::default(),
            filters: Vec::new(),
            traps: TrapLimits::default(),
            depth_max: Some(DEPTH_MAX),
            deny_types: Vec::new(),
            page_types: PAGE_TYPES.iter().filter_map(|name| name.parse().ok()).collect(),
        }
    }
}

/// The checks, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Length,
    Scope,
    Exclude,
    Include,
    Extension,
    Filters,
    Shape,
    Depth,
}

const CHECKS: [Check; 8] = [
    Check::Length,
    Check::Scope,
    Check::Exclude,
    Check::Include,
    Check::Extension,
    Check::Filters,
    Check::Shape,
    Check::Depth,
];

impl UrlRules {
    /// Whether a URL may be visited, as far as its text tells. Depth is judged last, so that
    /// [`RejectReason::TooDeep`] means: admitted as soon as it is met nearer.
    pub fn admit(&self, url: &CanonicalUrl, depth: u16) -> Result<(), RejectReason> {
        CHECKS.iter().try_for_each(|check| self.run(*check, url, depth))
    }

    /// The same for a URL whose pattern the operator allows: its shape is not judged.
    pub fn admit_any_shape(&self, url: &CanonicalUrl, depth: u16) -> Result<(), RejectReason> {
        let checks = CHECKS.iter().filter(|check| **check != Check::Shape);
        checks.into_iter().try_for_each(|check| self.run(*check, url, depth))
    }

    /// Whether a body may be read, once its `Content-Type` is known. A missing one counts as a page: the parser
    /// will tell.
    pub fn admit_type(&self, url: &CanonicalUrl, depth: u16, content_type: &str) -> Result<(), RejectReason> {
        let name = essence(content_type);
        let denied = self.deny_types.iter().any(|pattern| pattern.matches(name));
        let page = self.page_types.iter().any(|pattern| pattern.matches(name));
        if !name.is_empty() && (denied || !page) {
            return Err(RejectReason::Filter(format!("type {}", name.to_ascii_lowercase())));
        }
        self.run_filters(url, depth, (!name.is_empty()).then_some(content_type))
    }

    /// Every check with its result, for people who ask why.
    #[must_use]
    pub fn explain(&self, url: &CanonicalUrl, depth: u16) -> Vec<(String, Result<(), RejectReason>)> {
        let mut out = Vec::with_capacity(CHECKS.len() + self.filters.len());
        for check in CHECKS {
            if check == Check::Filters {
                let input = FilterInput { url, depth, content_type: None };
                for (name, filter) in &self.filters {
                    let result =
                        if filter.accepts(&input) { Ok(()) } else { Err(RejectReason::Filter(name.clone())) };
                    out.push((format!("filter {name}: {filter}"), result));
                }
            } else {
                out.push((self.title(check), self.run(check, url, depth)));
            }
        }
        out
    }

    /// Leaves out a kind of file: a media type such as `video/*`, with the extensions that go with it, or an
    /// extension such as `*.zip`.
    pub fn deny(&mut self, kind: &str) -> Result<(), crate::media::MediaPatternError> {
        let extension = kind.strip_prefix("*.").or_else(|| kind.strip_prefix('.'));
        if let Some(extension) = extension.filter(|name| name.bytes().all(|b| b.is_ascii_alphanumeric())) {
            self.deny_one(&extension.to_ascii_lowercase());
            return Ok(());
        }
        let pattern: MediaPattern = kind.parse()?;
        for extension in pattern.extensions() {
            self.deny_one(extension);
        }
        self.deny_types.push(pattern);
        Ok(())
    }

    fn deny_one(&mut self, extension: &str) {
        self.allow_extensions.remove(extension);
        self.deny_extensions.insert(extension.to_owned());
    }

    fn run(&self, check: Check, url: &CanonicalUrl, depth: u16) -> Result<(), RejectReason> {
        match check {
            Check::Length => refuse_if(url.as_str().len() > self.url_bytes_max, || RejectReason::TooLong),
            Check::Scope => refuse_if(!self.scope.contains(url), || RejectReason::OutOfScope),
            Check::Exclude => match self.exclude.iter().find(|regex| regex.is_match(url.as_str())) {
                Some(regex) => Err(RejectReason::Filter(format!("exclude {regex}"))),
                None => Ok(()),
            },
            Check::Include => {
                let wanted =
                    self.include.is_empty() || self.include.iter().any(|regex| regex.is_match(url.as_str()));
                refuse_if(!wanted, || RejectReason::Filter("include".to_owned()))
            }
            Check::Extension => self.run_extension(url),
            Check::Filters => self.run_filters(url, depth, None),
            Check::Shape => self.traps.judge(url),
            Check::Depth => {
                refuse_if(self.depth_max.is_some_and(|max| depth > max), || RejectReason::TooDeep)
            }
        }
    }

    fn run_extension(&self, url: &CanonicalUrl) -> Result<(), RejectReason> {
        let Some(extension) = extension_of(url) else { return Ok(()) };
        let extension = std::str::from_utf8(&extension).unwrap_or_default();
        let denied = self.deny_extensions.contains(extension) && !self.allow_extensions.contains(extension);
        refuse_if(denied, || RejectReason::Extension(extension.to_owned()))
    }

    fn run_filters(
        &self,
        url: &CanonicalUrl,
        depth: u16,
        content_type: Option<&str>,
    ) -> Result<(), RejectReason> {
        let input = FilterInput { url, depth, content_type };
        match self.filters.iter().find(|(_, filter)| !filter.accepts(&input)) {
            Some((name, _)) => Err(RejectReason::Filter(name.clone())),
            None => Ok(()),
        }
    }

    fn title(&self, check: Check) -> String {
        match check {
            Check::Length => format!("length at most {} bytes", self.url_bytes_max),
            Check::Scope => format!("scope {}", self.scope.scope()),
            Check::Exclude => format!("exclude ({} patterns)", self.exclude.len()),
            Check::Include => format!("include ({} patterns)", self.include.len()),
            Check::Extension => "extension".to_owned(),
            Check::Filters => "filters".to_owned(),
            Check::Shape => "shape (repetition, segments, parameters, /cgi-bin/)".to_owned(),
            Check::Depth => match self.depth_max {
                Some(max) => format!("depth at most {max}"),
                None => "depth unlimited".to_owned(),
            },
        }
    }
}

fn refuse_if(refused: bool, reason: impl FnOnce() -> RejectReason) -> Result<(), RejectReason> {
    if refused { Err(reason()) } else { Ok(()) }
}

/// As [`CanonicalUrl::extension`], without the heap: it is asked for every link.
fn extension_of(url: &CanonicalUrl) -> Option<SmallVec<[u8; 16]>> {
    let name = url.path().rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    let plain = (1..=10).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    (!stem.is_empty() && plain).then(|| extension.bytes().map(|b| b.to_ascii_lowercase()).collect())
}

#[cfg(test)]
mod tests;
