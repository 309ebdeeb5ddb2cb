//! A random web whose truth is known: which URLs answer, which are copies, which redirect, which are dead.
//!
//! Both [`graph_web`] and [`graph_truth`] are functions of the options alone. Pages are written when asked,
//! so a web of a hundred thousand pages costs little before it is crawled.
//! Invariants: every place of the truth is reachable from `/` of its own site by links and redirects of that
//! site, over at most [`DEPTH_MAX`] steps; every page has a word that no other page has.

mod shape;
mod text;

use crate::answer::{Answer, handler};
use crate::web::{Place, SiteSpec, Web};
use shape::{Shape, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// No place is farther than this from the `/` of its site, redirects counted as steps.
pub const DEPTH_MAX: usize = 8;

/// What kind of web. Shares are of `pages_per_site`.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// Number of sites, named `s0`, `s1`, …
    pub sites: usize,
    /// Distinct pages of each site, `/` among them.
    pub pages_per_site: usize,
    /// Links to other pages of the site on each page, beyond those that hold the site together.
    pub links_per_page: usize,
    /// Redirecting URLs per page. Every second one stands in for the link that holds its page to the site.
    pub redirects_share: f64,
    /// Dead URLs (404 and 410) per page.
    pub not_found_share: f64,
    /// URLs per page that answer with another page's very bytes.
    pub copies_share: f64,
    /// Links to other sites per page.
    pub cross_site_links: f64,
    /// Sentences on each page.
    pub sentences_per_page: usize,
    /// Whether each site has a robots.txt (allowing all, except `/private/`) and a sitemap of all its pages.
    pub sitemaps: bool,
    /// `Crawl-delay` in the robots.txt, in seconds; gives the site a robots.txt.
    pub crawl_delay_s: Option<f64>,
    /// A wait before each page.
    pub delay: Duration,
    /// Everything random comes from this.
    pub seed: u64,
}

impl Default for GraphOptions {
    fn default() -> GraphOptions {
        GraphOptions {
            sites: 3,
            pages_per_site: 50,
            links_per_page: 6,
            redirects_share: 0.1,
            not_found_share: 0.05,
            copies_share: 0.1,
            cross_site_links: 0.5,
            sentences_per_page: 12,
            sitemaps: false,
            crawl_delay_s: None,
            delay: Duration::ZERO,
            seed: 1,
        }
    }
}

/// What there is to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphTruth {
    /// Every distinct page; one place for each, though it may answer under others too.
    pub pages: BTreeSet<Place>,
    /// Places that answer with the very bytes of a page, by that page.
    pub copies: BTreeMap<Place, BTreeSet<Place>>,
    /// Redirects: from where to where, one hop each.
    pub redirects: BTreeMap<Place, Place>,
    /// Places that are linked and answer 404 or 410.
    pub dead: BTreeSet<Place>,
    /// The word that only this page (and its copies) has.
    pub words: BTreeMap<String, Place>,
}

impl GraphTruth {
    /// Every place that answers 200: pages and copies.
    #[must_use]
    pub fn answering(&self) -> BTreeSet<Place> {
        self.pages.iter().chain(self.copies.values().flatten()).cloned().collect()
    }

    /// Every place that is linked, whatever it answers.
    #[must_use]
    pub fn linked(&self) -> BTreeSet<Place> {
        let mut places = self.answering();
        places.extend(self.redirects.keys().cloned());
        places.extend(self.dead.iter().cloned());
        places
    }
}

/// The web of these options.
#[must_use]
pub fn graph_web(options: &GraphOptions) -> Web {
    let shape = Arc::new(Shape::new(options));
    Web::new((0..options.sites).map(|site| site_spec(&shape, options, site)))
}

/// What there is to find in the web of these options.
#[must_use]
pub fn graph_truth(options: &GraphOptions) -> GraphTruth {
    let shape = Shape::new(options);
    let mut truth = GraphTruth::default();
    for (site, number) in shape.all_pages() {
        let place = shape.page_place(site, number);
        truth.words.insert(text::unique_word(site, number), place.clone());
        truth.pages.insert(place);
    }
    for (place, target) in shape.extras() {
        match target {
            Target::Page(site, number) => {
                truth.redirects.insert(place.clone(), shape.page_place(*site, *number));
            }
            Target::Copy(site, number) => {
                truth.copies.entry(shape.page_place(*site, *number)).or_default().insert(place.clone());
            }
            Target::Hop(next) => {
                truth.redirects.insert(place.clone(), next.clone());
            }
            Target::Dead(_) => {
                truth.dead.insert(place.clone());
            }
        }
    }
    truth
}

fn site_spec(shape: &Arc<Shape>, options: &GraphOptions, site: usize) -> SiteSpec {
    let mut spec = SiteSpec::new(Shape::site_name(site));
    if options.sitemaps || options.crawl_delay_s.is_some() {
        let mut robots = "User-agent: *\nDisallow: /private/\n".to_owned();
        if let Some(seconds) = options.crawl_delay_s {
            robots.push_str(&format!("Crawl-delay: {seconds}\n"));
        }
        if options.sitemaps {
            let place = Place::new(spec.name.clone(), "/sitemap.xml");
            robots.push_str(&format!("\nSitemap: {}\n", place.placeholder()));
            spec.put("/sitemap.xml", Answer::xml(sitemap(shape, site)));
        }
        spec.put("/robots.txt", Answer::text(robots));
    }
    let (shape, delay, seed) = (Arc::clone(shape), options.delay, options.seed);
    let sentence_count = options.sentences_per_page;
    spec.fallback = Some(handler(move |request| {
        let place = Place::new(request.site.clone(), request.path.clone());
        let page = |site, number| Answer::html(text::page(&shape, site, number, seed, sentence_count));
        let answer = match (shape.page_at(&place), shape.extra(&place)) {
            (Some((site, number)), _) => page(site, number),
            (None, Some(Target::Copy(site, number))) => page(*site, *number),
            (None, Some(Target::Page(site, number))) => redirect(&place, &shape.page_place(*site, *number)),
            (None, Some(Target::Hop(next))) => redirect(&place, next),
            (None, Some(Target::Dead(status))) => {
                Answer::html("<title>Gone</title><p>There is nothing here.</p>").with_status(*status)
            }
            (None, None) => Answer::NotFound,
        };
        if delay.is_zero() { answer } else { answer.after(delay) }
    }));
    spec
}

/// Permanent and temporary ones, relative and absolute ones, by the path: the same each time.
fn redirect(from: &Place, to: &Place) -> Answer {
    let kind = crate::random::fingerprint(from.path.as_bytes());
    let location = if kind & 4 == 0 && from.site == to.site { to.path.clone() } else { to.placeholder() };
    Answer::Redirect { status: [301, 302, 307, 308][(kind & 3) as usize], location }
}

fn sitemap(shape: &Shape, site: usize) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset \
        xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        .to_owned();
    for number in 0..shape.page_count() {
        text.push_str(&format!("<url><loc>{}</loc></url>\n", shape.page_place(site, number).placeholder()));
    }
    text.push_str("</urlset>\n");
    text
}

#[cfg(test)]
mod tests;
