//! Finds all pages that a site's sitemaps name, as a machine: it says what to fetch next and is told what came back.
//! robots.txt first, then the sitemaps it names and what their indexes name, then perhaps well-known places. Never
//! fetches, never asks for a URL twice, never leaves http and https. Whether robots rules allow a fetch is decided by
//! whoever carries it out. Invariant: it ends after at most `sitemaps_max` fetches, whatever the answers are.

use super::scope::in_scope;
use super::{Problem, Sitemap, SitemapEntry, SitemapKind, SitemapLimits};
use crate::normalize::{normalize, resolve};
use crate::parse_url::ParsedUrl;
use crate::robots::RobotsRules;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use whimbrel_types::{CanonicalUrl, UrlId};

/// Where sitemaps lie that no robots.txt names, the likeliest first.
pub const WELL_KNOWN_PLACES: &[&str] = &[
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/sitemap_index.xml.gz",
    "/sitemap-index.xml.gz",
    "/wp-sitemap.xml",
    "/sitemap.txt",
    "/sitemapindex.xml",
    "/sitemap/sitemap-index.xml",
    "/sitemap/sitemap.xml",
    "/sitemap/index.xml",
    "/sitemap_news.xml",
    "/sitemap-news.xml",
    "/sitemap_news.xml.gz",
    "/sitemap-news.xml.gz",
    "/.sitemap.xml",
    "/sitemap",
    "/admin/config/search/xmlsitemap",
];

/// When well-known places are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Probe {
    /// One after the other until a sitemap was found; none when robots.txt led to one. The polite choice.
    #[default]
    UntilFound,
    /// All of them, in any case.
    All,
    /// None.
    Never,
}

/// How far a tree is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeRules {
    /// Of each file.
    pub limits: SitemapLimits,
    /// Indexes within indexes; the protocol has one level, the web has more.
    pub depth_max: u32,
    /// Fetches in all, robots.txt and redirects among them.
    pub sitemaps_max: usize,
    /// Redirects from one URL.
    pub redirects_max: u32,
    /// Different pages in all.
    pub pages_max: usize,
    /// When well-known places are tried.
    pub probe: Probe,
}

impl Default for TreeRules {
    fn default() -> Self {
        TreeRules {
            limits: SitemapLimits::default(),
            depth_max: 5,
            sitemaps_max: 50_000,
            redirects_max: 5,
            pages_max: 5_000_000,
            probe: Probe::UntilFound,
        }
    }
}

/// What came back for a URL.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// HTTP status; 0 where there was none.
    pub status: u16,
    /// `Location` of a redirect.
    pub location: Option<&'a str>,
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The body, without transfer and content codings.
    pub body: &'a [u8],
}

/// A page that a sitemap names for the first time.
#[derive(Clone, Debug, PartialEq)]
pub struct TreePage {
    /// As the sitemap has it.
    pub entry: SitemapEntry,
    /// May this sitemap speak for this page? See [`in_scope`].
    pub in_scope: bool,
}

/// What an answer brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handled {
    /// What the answer was; `Unknown` for robots.txt, redirects and failures.
    pub kind: SitemapKind,
    /// Pages that no earlier answer named, in order.
    pub pages: Vec<TreePage>,
    /// What is wrong with the file.
    pub problems: Vec<Problem>,
    /// A limit of the file or of the tree was reached.
    pub truncated: bool,
}

/// The machine.
pub struct SitemapTree {
    rules: TreeRules,
    robots: CanonicalUrl,
    /// To fetch; the last one next.
    pending: Vec<Errand>,
    /// Being fetched.
    under_way: BTreeMap<CanonicalUrl, Errand>,
    /// Every URL that was ever pending.
    asked: FxHashSet<UrlId>,
    pages: FxHashSet<UrlId>,
    found: bool,
    probes: std::slice::Iter<'static, &'static str>,
}

#[derive(Clone, Debug)]
struct Errand {
    url: CanonicalUrl,
    what: What,
    depth: u32,
    redirects: u32,
    /// The robots.txt that led here names it.
    announced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Robots,
    Sitemap,
}

impl SitemapTree {
    /// The tree of the site that `home` is on; `None` when `home` is no http or https URL.
    #[must_use]
    pub fn new(home: &str, rules: TreeRules) -> Option<SitemapTree> {
        let home = normalize(home).ok()?;
        let robots = on_site(&home, "/robots.txt")?;
        let mut tree = SitemapTree {
            rules,
            robots: robots.clone(),
            pending: Vec::new(),
            under_way: BTreeMap::new(),
            asked: FxHashSet::default(),
            pages: FxHashSet::default(),
            found: false,
            probes: WELL_KNOWN_PLACES.iter(),
        };
        tree.ask([Errand { url: robots, what: What::Robots, depth: 0, redirects: 0, announced: false }]);
        Some(tree)
    }

    /// What to fetch next. `None` when nothing is left, or when it depends on answers that are still to come.
    /// Pages come in the order of the files when each answer is handed in before the next poll.
    pub fn poll(&mut self) -> Option<CanonicalUrl> {
        if self.pending.is_empty() && self.under_way.is_empty() {
            self.probe_next();
        }
        let errand = self.pending.pop()?;
        let url = errand.url.clone();
        self.under_way.insert(url.clone(), errand);
        Some(url)
    }

    /// Takes the answer for a URL that was polled; for any other, nothing happens.
    pub fn handle(&mut self, url: &CanonicalUrl, answer: &Answer<'_>) -> Handled {
        let Some(errand) = self.under_way.remove(url) else { return Handled::default() };
        match answer.status {
            300..=399 => {
                self.follow(&errand, answer.location);
                Handled::default()
            }
            200..=299 if errand.what == What::Robots => {
                self.read_robots(url, answer.body);
                Handled::default()
            }
            200..=299 => self.read_sitemap(&errand, answer),
            _ => Handled::default(),
        }
    }

    /// URLs that were asked for or are to be.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.asked.len()
    }

    /// Notes errands, the first to be fetched first, unless their URLs are known; `false` when the limit leaves any out.
    fn ask(&mut self, errands: impl IntoIterator<Item = Errand>) -> bool {
        let mut whole = true;
        let known = self.pending.len();
        for errand in errands {
            if self.asked.contains(&errand.url.id()) {
                continue;
            }
            if self.asked.len() >= self.rules.sitemaps_max {
                whole = false;
                break;
            }
            self.asked.insert(errand.url.id());
            self.pending.push(errand);
        }
        // The last one pending is fetched next.
        self.pending[known..].reverse();
        whole
    }

    fn probe_next(&mut self) {
        while self.pending.is_empty() {
            let wanted = match self.rules.probe {
                Probe::Never => false,
                Probe::UntilFound => !self.found,
                Probe::All => true,
            };
            let Some(place) = self.probes.next().filter(|_| wanted) else { return };
            if let Some(url) = on_site(&self.robots, place) {
                self.ask([Errand { url, what: What::Sitemap, depth: 0, redirects: 0, announced: false }]);
            }
        }
    }

    fn follow(&mut self, errand: &Errand, location: Option<&str>) {
        let base = ParsedUrl::parse(errand.url.as_str());
        let (Some(location), Some(base)) = (location, base) else { return };
        if errand.redirects == self.rules.redirects_max {
            return;
        }
        if let Ok(url) = resolve(&base, location) {
            self.ask([Errand { url, redirects: errand.redirects + 1, ..errand.clone() }]);
        }
    }

    fn read_robots(&mut self, url: &CanonicalUrl, body: &[u8]) {
        let Some(base) = ParsedUrl::parse(url.as_str()) else { return };
        let rules = RobotsRules::parse(body);
        let named = rules.sitemaps().iter().filter_map(|line| resolve(&base, line).ok());
        self.ask(named.map(|url| Errand {
            url,
            what: What::Sitemap,
            depth: 0,
            redirects: 0,
            announced: true,
        }));
    }

    fn read_sitemap(&mut self, errand: &Errand, answer: &Answer<'_>) -> Handled {
        let url = errand.url.as_str();
        let sitemap = Sitemap::parse(url, answer.content_type, answer.body, self.rules.limits);
        self.found |= sitemap.kind != SitemapKind::Unknown;
        let mut handled = Handled {
            kind: sitemap.kind,
            pages: Vec::new(),
            problems: sitemap.problems,
            truncated: sitemap.truncated,
        };
        if sitemap.kind == SitemapKind::Index {
            handled.truncated |= !self.descend(errand, sitemap.entries);
            return handled;
        }
        let robots = errand.announced.then(|| self.robots.as_str().to_owned());
        for entry in sitemap.entries {
            if self.pages.contains(&entry.url.id()) {
                continue;
            }
            if self.pages.len() >= self.rules.pages_max {
                handled.truncated = true;
                break;
            }
            self.pages.insert(entry.url.id());
            let in_scope = in_scope(url, entry.url.as_str(), robots.as_deref());
            handled.pages.push(TreePage { entry, in_scope });
        }
        handled
    }

    /// Asks for what an index names; `false` when a limit leaves something out.
    fn descend(&mut self, errand: &Errand, entries: Vec<SitemapEntry>) -> bool {
        if errand.depth == self.rules.depth_max {
            return entries.iter().all(|entry| self.asked.contains(&entry.url.id()));
        }
        let (depth, announced) = (errand.depth + 1, errand.announced);
        self.ask(entries.into_iter().map(|entry| Errand {
            url: entry.url,
            what: What::Sitemap,
            depth,
            redirects: 0,
            announced,
        }))
    }
}

/// The URL of a place on the site of `url`.
fn on_site(url: &CanonicalUrl, path: &str) -> Option<CanonicalUrl> {
    let base = ParsedUrl::parse(url.as_str())?;
    resolve(&base, path).ok()
}

#[cfg(test)]
mod tests;
