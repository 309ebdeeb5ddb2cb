use super::*;
use crate::client::get;
use crate::server::{Server, ServerOptions};
use std::collections::VecDeque;

fn hrefs(html: &str) -> Vec<String> {
    html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// What a plain breadth-first walk over the served pages of one site's root finds.
#[derive(Default)]
struct Found {
    status: BTreeMap<Place, u16>,
    depth: BTreeMap<Place, usize>,
    redirects: BTreeMap<Place, Place>,
    bodies: BTreeMap<Place, String>,
}

async fn walk(server: &Server, seeds: &[Place], stay: bool) -> Found {
    let mut found = Found::default();
    let mut queue: VecDeque<(Place, usize)> = seeds.iter().map(|seed| (seed.clone(), 0)).collect();
    found.depth.extend(queue.iter().cloned());
    while let Some((place, depth)) = queue.pop_front() {
        let reply = get(&server.url(&place)).await;
        found.status.insert(place.clone(), reply.status);
        let resolve = |href: &str| {
            if href.starts_with('/') {
                Place::new(place.site.clone(), href)
            } else {
                server.place(href).unwrap()
            }
        };
        let mut next = Vec::new();
        if let Some(location) = reply.header("location") {
            found.redirects.insert(place.clone(), resolve(location));
            next.push(resolve(location));
        } else if reply.status == 200 {
            next.extend(hrefs(&reply.text()).iter().map(|href| resolve(href)));
            found.bodies.insert(place.clone(), reply.text());
        }
        for target in next.into_iter().filter(|target| !stay || target.site == place.site) {
            if !found.depth.contains_key(&target) {
                found.depth.insert(target.clone(), depth + 1);
                queue.push_back((target, depth + 1));
            }
        }
    }
    found
}

fn options() -> GraphOptions {
    GraphOptions {
        sites: 3,
        pages_per_site: 60,
        redirects_share: 0.2,
        copies_share: 0.2,
        not_found_share: 0.1,
        ..GraphOptions::default()
    }
}

async fn serve(options: &GraphOptions) -> Server {
    Server::start(graph_web(options), ServerOptions::default()).await.unwrap()
}

#[tokio::test]
async fn the_truth_is_what_a_walk_over_the_served_pages_finds() {
    let server = serve(&options()).await;
    let truth = graph_truth(&options());
    let seeds: Vec<Place> = (0..3).map(|site| Place::new(format!("s{site}"), "/")).collect();
    let found = walk(&server, &seeds, false).await;
    let with = |wanted: &[u16]| -> BTreeSet<Place> {
        found
            .status
            .iter()
            .filter(|(_, status)| wanted.contains(status))
            .map(|(place, _)| place.clone())
            .collect()
    };
    assert_eq!(with(&[200]), truth.answering());
    assert_eq!(with(&[404, 410]), truth.dead);
    assert_eq!(found.redirects, truth.redirects);
    assert_eq!(truth.pages.len(), 180);
    assert_eq!(truth.dead.len(), 18);
    assert_eq!(truth.copies.values().map(BTreeSet::len).sum::<usize>(), 36);
    assert!(truth.copies.iter().any(|(page, copies)| copies.iter().any(|copy| copy.site != page.site)));
    assert_eq!(found.status.keys().cloned().collect::<BTreeSet<_>>(), truth.linked());

    let mut by_body: BTreeMap<&str, BTreeSet<Place>> = BTreeMap::new();
    for (place, body) in &found.bodies {
        by_body.entry(body).or_default().insert(place.clone());
    }
    let same: BTreeSet<BTreeSet<Place>> = by_body.into_values().collect();
    let told: BTreeSet<BTreeSet<Place>> = truth
        .pages
        .iter()
        .map(|page| {
            let copies = truth.copies.get(page).into_iter().flatten().cloned();
            copies.chain([page.clone()]).collect()
        })
        .collect();
    assert_eq!(same, told);
    for (word, page) in &truth.words {
        let holders: BTreeSet<&Place> = found
            .bodies
            .iter()
            .filter(|(_, body)| {
                body.contains(&format!("File {word},")) && body.contains(&format!("({word})"))
            })
            .map(|(place, _)| place)
            .collect();
        assert_eq!(
            holders,
            told.iter().find(|group| group.contains(page)).unwrap().iter().collect(),
            "{word}"
        );
    }
}

#[tokio::test]
async fn every_place_of_a_site_is_near_its_root_without_leaving_the_site() {
    let options = GraphOptions { sites: 2, pages_per_site: 400, links_per_page: 0, ..options() };
    let server = serve(&options).await;
    let truth = graph_truth(&options);
    let found = walk(&server, &[Place::new("s1", "/")], true).await;
    let expected: BTreeSet<Place> = truth.linked().into_iter().filter(|place| place.site == "s1").collect();
    assert_eq!(found.status.keys().cloned().collect::<BTreeSet<_>>(), expected);
    let deepest = *found.depth.values().max().unwrap();
    assert!((4..=DEPTH_MAX).contains(&deepest), "{deepest}");
}

#[tokio::test]
async fn a_seed_gives_one_web_and_another_seed_another() {
    let text = |web: &Web| -> String {
        let site = &web.sites[1];
        let request = crate::answer::RequestInfo {
            site: site.name.clone(),
            method: "GET".to_owned(),
            path: "/".to_owned(),
            headers: http::HeaderMap::new(),
            visits_before: 0,
        };
        match site.answer(&request) {
            Answer::Page { body, .. } => String::from_utf8_lossy(&body).into_owned(),
            other => panic!("{other:?}"),
        }
    };
    let other = GraphOptions { seed: 2, ..options() };
    assert_eq!(text(&graph_web(&options())), text(&graph_web(&options())));
    assert_ne!(text(&graph_web(&options())), text(&graph_web(&other)));
    assert_eq!(graph_truth(&options()), graph_truth(&options()));
    assert_ne!(graph_truth(&options()), graph_truth(&other));
}

#[tokio::test]
async fn robots_and_sitemap_are_there_when_asked_for() {
    let options = GraphOptions { sitemaps: true, crawl_delay_s: Some(0.5), ..options() };
    let server = serve(&options).await;
    let origin = server.origin("s2");
    let robots = get(&format!("{origin}/robots.txt")).await.text();
    assert_eq!(
        robots,
        format!("User-agent: *\nDisallow: /private/\nCrawl-delay: 0.5\n\nSitemap: {origin}/sitemap.xml\n")
    );
    let sitemap = get(&format!("{origin}/sitemap.xml")).await.text();
    assert_eq!(sitemap.matches(&format!("<loc>{origin}/")).count(), 60);
    let bare = serve(&GraphOptions { sitemaps: false, crawl_delay_s: None, ..options }).await;
    assert_eq!(get(&format!("{}/robots.txt", bare.origin("s2"))).await.status, 404);
}

#[test]
fn pages_differ_in_most_of_their_words() {
    let options = options();
    let shape = Shape::new(&options);
    let shingles = |number: usize| -> BTreeSet<String> {
        let text = text::page(&shape, 0, number, options.seed, options.sentences_per_page);
        let main = text.split("<ul>").next().unwrap().to_owned();
        let words: Vec<&str> = main.split_whitespace().collect();
        words.windows(4).map(|window| window.join(" ")).collect()
    };
    for number in 1..30 {
        let (a, b) = (shingles(number), shingles(number + 1));
        let share = a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
        assert!(share < 0.3, "pages {number} and {} share {share:.2} of their phrases", number + 1);
    }
}

#[test]
fn the_smallest_webs_are_webs() {
    for (sites, pages_per_site) in [(0, 5), (1, 0), (1, 1), (2, 2)] {
        let options = GraphOptions { sites, pages_per_site, ..options() };
        assert_eq!(graph_web(&options).sites.len(), sites);
        assert_eq!(graph_truth(&options).pages.len(), sites * pages_per_site.max(1));
    }
}
