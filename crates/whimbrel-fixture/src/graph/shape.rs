//! The bones of a random web: which pages there are, what holds them together, and what else is linked.
//! Writes no text.
//!
//! The pages of a site are a tree in which page `n` hangs on page `(n - 1) / fan`; `fan` is chosen so that
//! the tree has at most six levels below `/`. Page numbers in paths are shuffled so that they tell nothing
//! about depth. Extra places (copies, redirects, dead ones) hang on pages of the tree.

use super::{DEPTH_MAX, GraphOptions};
use crate::random::Random;
use crate::web::Place;
use std::collections::BTreeMap;

/// Levels below `/` in the tree; what hangs on its leaves adds two steps at most.
const TREE_DEPTH_MAX: usize = DEPTH_MAX - 2;

/// What a place beyond the pages is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Redirects to a page.
    Page(usize, usize),
    /// Redirects to another redirect.
    Hop(Place),
    /// Answers with the bytes of a page.
    Copy(usize, usize),
    /// Answers with this error status.
    Dead(u16),
}

/// Where a link leads. Pages by number: a large web has millions of links.
#[derive(Clone, Debug)]
enum Way {
    Page(usize, usize),
    Extra(Box<Place>),
}

/// The bones.
#[derive(Debug)]
pub(super) struct Shape {
    sites: usize,
    pages: usize,
    /// Names of pages in paths, by number; the same for all sites.
    names: Vec<usize>,
    numbers: Vec<usize>,
    extras: BTreeMap<Place, Target>,
    /// Links of each page, in order, by site and number.
    links: Vec<Vec<Vec<Way>>>,
    /// Pages whose links must be absolute because a copy of them stands on another site.
    absolute: Vec<(usize, usize)>,
}

impl Shape {
    /// The bones of the web of these options.
    pub(super) fn new(options: &GraphOptions) -> Shape {
        let pages = options.pages_per_site.max(1);
        let mut random = Random::of(options.seed, "graph");
        let mut names: Vec<usize> = (1..pages).collect();
        random.shuffle(&mut names);
        names.insert(0, 0);
        let mut numbers = vec![0; pages];
        for (number, name) in names.iter().enumerate() {
            numbers[*name] = number;
        }
        let mut shape = Shape {
            sites: options.sites,
            pages,
            names,
            numbers,
            extras: BTreeMap::new(),
            links: vec![vec![Vec::new(); pages]; options.sites],
            absolute: Vec::new(),
        };
        for site in 0..options.sites {
            shape.grow(site, options, &mut random);
        }
        shape.absolute.sort_unstable();
        shape
    }

    /// Name of a site.
    pub(super) fn site_name(site: usize) -> String {
        format!("s{site}")
    }

    /// Where a page is.
    pub(super) fn page_place(&self, site: usize, number: usize) -> Place {
        let name = self.names[number];
        let path = if number == 0 {
            "/".to_owned()
        } else {
            format!("/{}/page-{name}.html", SECTIONS[name % SECTIONS.len()])
        };
        Place::new(Shape::site_name(site), path)
    }

    /// Which page is there.
    pub(super) fn page_at(&self, place: &Place) -> Option<(usize, usize)> {
        let site: usize = place.site.strip_prefix('s')?.parse().ok()?;
        let number = if place.path == "/" {
            0
        } else {
            let name = place.path.rsplit_once("/page-")?.1.strip_suffix(".html")?;
            *self.numbers.get(name.parse::<usize>().ok()?)?
        };
        (site < self.sites && self.page_place(site, number) == *place).then_some((site, number))
    }

    /// What else is there.
    pub(super) fn extra(&self, place: &Place) -> Option<&Target> {
        self.extras.get(place)
    }

    /// Every place beyond the pages.
    pub(super) fn extras(&self) -> impl Iterator<Item = (&Place, &Target)> {
        self.extras.iter()
    }

    /// Site and number of every page.
    pub(super) fn all_pages(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.sites).flat_map(|site| (0..self.pages).map(move |number| (site, number)))
    }

    /// Pages of each site.
    pub(super) fn page_count(&self) -> usize {
        self.pages
    }

    /// Where a page links to.
    pub(super) fn links(&self, site: usize, number: usize) -> impl Iterator<Item = Place> + '_ {
        self.links[site][number].iter().map(|way| match way {
            Way::Page(site, number) => self.page_place(*site, *number),
            Way::Extra(place) => Place::clone(place),
        })
    }

    /// Whether a page writes its links in full.
    pub(super) fn is_absolute(&self, site: usize, number: usize) -> bool {
        self.absolute.binary_search(&(site, number)).is_ok()
    }

    fn grow(&mut self, site: usize, options: &GraphOptions, random: &mut Random) {
        let fan = fan_for(self.pages);
        let count = |share: f64| (share * self.pages as f64).round() as usize;
        let (redirects, dead, copies) =
            (count(options.redirects_share), count(options.not_found_share), count(options.copies_share));
        let only_way = self.add_redirects(site, redirects, fan, random);
        for number in 1..self.pages {
            let redirect = only_way.get(&number).map(|place| Way::Extra(Box::new(place.clone())));
            let way = redirect.unwrap_or(Way::Page(site, number));
            self.links[site][(number - 1) / fan].push(way);
        }
        for number in 0..dead {
            let place = Place::new(Shape::site_name(site), format!("/lost/{number}"));
            self.extras.insert(place.clone(), Target::Dead(if number % 3 == 2 { 410 } else { 404 }));
            self.link_from_anywhere(site, place, random);
        }
        for number in 0..copies {
            let original = random.below(self.pages);
            let away = number % 3 == 2 && self.sites > 1 && options.cross_site_links > 0.0;
            let home = if away { (site + 1) % self.sites } else { site };
            let place = Place::new(Shape::site_name(home), format!("/mirror/{site}-{number}"));
            self.extras.insert(place.clone(), Target::Copy(site, original));
            self.link_from_anywhere(home, place, random);
            if away {
                self.absolute.push((site, original));
            }
        }
        for number in 0..self.pages {
            for _ in 0..options.links_per_page {
                let target = random.below(self.pages);
                if target != number && !only_way.contains_key(&target) {
                    self.links[site][number].push(Way::Page(site, target));
                }
            }
            self.link_to_other_sites(site, number, options.cross_site_links, random);
        }
    }

    /// Adds redirects; every second one leads to a leaf of the tree and stands in for the link to it.
    fn add_redirects(
        &mut self,
        site: usize,
        count: usize,
        fan: usize,
        random: &mut Random,
    ) -> BTreeMap<usize, Place> {
        let mut only_way = BTreeMap::new();
        let is_leaf = |number: usize| number > 0 && number * fan + 1 >= self.pages;
        let mut leaves: Vec<usize> = (0..self.pages).filter(|number| is_leaf(*number)).collect();
        random.shuffle(&mut leaves);
        for number in 0..count {
            let place = Place::new(Shape::site_name(site), format!("/go/{number}"));
            let target = match leaves.pop() {
                Some(leaf) if number % 2 == 1 => {
                    only_way.insert(leaf, place.clone());
                    Target::Page(site, leaf)
                }
                _ => {
                    let target = Target::Page(site, random.below(self.pages));
                    self.link_from_anywhere(site, place.clone(), random);
                    target
                }
            };
            // Some go by way of another redirect, which nothing else leads to.
            if number % 4 == 0 {
                let middle = Place::new(Shape::site_name(site), format!("/go/{number}/on"));
                self.extras.insert(middle.clone(), target);
                self.extras.insert(place, Target::Hop(middle));
            } else {
                self.extras.insert(place, target);
            }
        }
        only_way
    }

    fn link_from_anywhere(&mut self, site: usize, place: Place, random: &mut Random) {
        // Never from a leaf: one that only a redirect leads to would be a step too deep.
        let inner_count = self.pages.saturating_sub(2) / fan_for(self.pages) + 1;
        let from = random.below(inner_count);
        self.links[site][from].push(Way::Extra(Box::new(place)));
    }

    fn link_to_other_sites(&mut self, site: usize, number: usize, rate: f64, random: &mut Random) {
        if self.sites < 2 {
            return;
        }
        let whole = rate.max(0.0).floor();
        let count = whole as usize + usize::from(random.chance(rate - whole));
        for _ in 0..count {
            let other = (site + random.between(1, self.sites - 1)) % self.sites;
            self.links[site][number].push(Way::Page(other, random.below(self.pages)));
        }
    }
}

const SECTIONS: [&str; 7] = ["letters", "maps", "people", "places", "tools", "trades", "weather"];

/// The smallest number of children with which a tree of so many pages stays shallow enough.
fn fan_for(pages: usize) -> usize {
    let holds = |fan: usize| {
        (0..=TREE_DEPTH_MAX).try_fold(0_usize, |sum, level| sum.checked_add(fan.checked_pow(level as u32)?))
    };
    (2..).find(|fan| holds(*fan).is_none_or(|count| count >= pages)).unwrap_or(usize::MAX)
}
