use super::*;
use crate::answer::{Answer, RequestInfo};
use crate::client::{Client, Reply, get};
use crate::server::{Server, ServerOptions};
use crate::web::Place;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tokio::sync::OnceCell;

/// Traps are followed this far and no farther.
const TRAP_STEPS_MAX: usize = 3;

struct Walk {
    replies: BTreeMap<Place, Reply>,
    origins: BTreeMap<String, String>,
    cut_off: usize,
}

/// One walk for all tests of this process.
async fn walk() -> &'static Walk {
    static WALK: OnceCell<Walk> = OnceCell::const_new();
    WALK.get_or_init(async || walk_over(&start().await).await).await
}

async fn walk_over(server: &Server) -> Walk {
    let mut queue: VecDeque<(Place, usize)> =
        DEMO_SITES.iter().map(|site| (Place::new(*site, "/"), 0)).collect();
    let mut known: BTreeSet<Place> = queue.iter().map(|(place, _)| place.clone()).collect();
    let origins: BTreeMap<String, String> = server.named_origins().into_iter().collect();
    let mut walk = Walk { replies: BTreeMap::new(), origins, cut_off: 0 };
    let mut clients = BTreeMap::new();
    for ((site, _), address) in server.named_origins().iter().zip(server.addresses()) {
        let address = address.to_string();
        clients.insert(site.clone(), Client::connect(&address, &address).await);
    }
    while let Some((place, trap_steps)) = queue.pop_front() {
        let client = clients.get_mut(&place.site).unwrap();
        let reply = client.send(http::Method::GET, &place.path, &[]).await.unwrap();
        for target in targets(server, &place, &reply) {
            let steps = if matches_any(&DEMO_TRAPS, &target) { trap_steps + 1 } else { 0 };
            if steps > TRAP_STEPS_MAX {
                walk.cut_off += 1;
            } else if known.insert(target.clone()) {
                queue.push_back((target, steps));
            }
        }
        walk.replies.insert(place, reply);
    }
    walk
}

fn targets(server: &Server, place: &Place, reply: &Reply) -> Vec<Place> {
    if let Some(location) = reply.header("location") {
        return vec![resolve(server, place, location)];
    }
    let is_html = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
    if !is_html || reply.status != 200 {
        return Vec::new();
    }
    let text = reply.text();
    let attributes = ["href=\"", "src=\"", "url="].iter().flat_map(|name| text.split(name).skip(1));
    let mut found = Vec::new();
    for rest in attributes {
        let target = rest.split('"').next().unwrap().replace("&amp;", "&");
        found.push(resolve(server, place, &target));
    }
    found
}

fn resolve(server: &Server, base: &Place, href: &str) -> Place {
    let folder = &base.path[..=base.path.split('?').next().unwrap().rfind('/').unwrap()];
    if href.starts_with("http") {
        server.place(href).unwrap_or_else(|| panic!("{base:?} links out of the web, to {href}"))
    } else if href.starts_with('/') {
        Place::new(base.site.clone(), href)
    } else if href.starts_with('?') {
        Place::new(base.site.clone(), format!("{}{href}", base.path.split('?').next().unwrap()))
    } else {
        Place::new(base.site.clone(), format!("{folder}{href}"))
    }
}

fn matches_any(prefixes: &[(&str, &str)], place: &Place) -> bool {
    prefixes.iter().any(|(site, prefix)| place.site == *site && place.path.starts_with(prefix))
}

fn place_set(places: &[(&str, &str)]) -> BTreeSet<Place> {
    places.iter().map(|(site, path)| Place::new(*site, *path)).collect()
}

async fn start() -> Server {
    Server::start(demo_web(1), ServerOptions::default()).await.unwrap()
}

#[tokio::test]
async fn every_link_leads_somewhere_but_those_meant_to_be_dead() {
    let walk = walk().await;
    let with_status = |wanted: &[u16]| -> BTreeSet<Place> {
        walk.replies
            .iter()
            .filter(|(_, reply)| wanted.contains(&reply.status))
            .map(|(place, _)| place.clone())
            .collect()
    };
    assert_eq!(with_status(&[404, 410]), place_set(&DEMO_DEAD));
    assert_eq!(
        with_status(&[404, 410]).len() + with_status(&[200, 301, 302, 307, 308]).len(),
        walk.replies.len()
    );
    assert!(walk.cut_off >= 2, "both traps go on for ever");
    for trap in DEMO_TRAPS {
        assert!(with_status(&[200]).iter().any(|place| matches_any(&[trap], place)), "{trap:?}");
    }
    for (site, path) in DEMO_LOOP
        .iter()
        .chain(&DEMO_NOINDEX)
        .chain(&DEMO_ALLOWED_AGAIN)
        .chain([&DEMO_ANSWER, &DEMO_ANCHOR_ANSWER])
    {
        assert!(walk.replies.contains_key(&Place::new(*site, *path)), "{site}{path} is not linked");
    }
    for (site, prefix) in DEMO_FORBIDDEN {
        assert!(
            with_status(&[200]).iter().any(|place| matches_any(&[(site, prefix)], place)),
            "{site}{prefix}"
        );
    }
}

#[tokio::test]
async fn the_web_has_the_promised_size_and_its_pages_are_pages() {
    let walk = walk().await;
    let is_page = |reply: &Reply| {
        reply.status == 200 && reply.header("content-type").is_some_and(|kind| kind.starts_with("text/"))
    };
    let pages =
        walk.replies.iter().filter(|(place, reply)| is_page(reply) && !matches_any(&DEMO_TRAPS, place));
    // A print version names another page as the one that is meant.
    let is_meant = |place: &Place, reply: &Reply| {
        let text = reply.text();
        let canonical =
            text.split("rel=\"canonical\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        canonical.is_none_or(|url| url == format!("{}{}", walk.origins[&place.site], place.path))
    };
    let urls = pages.clone().count();
    let distinct: BTreeSet<&[u8]> =
        pages.filter(|(place, reply)| is_meant(place, reply)).map(|(_, reply)| &reply.body[..]).collect();
    assert!((300..=460).contains(&distinct.len()), "{} distinct pages", distinct.len());
    assert!(urls >= distinct.len() + 100, "{urls} URLs for {} distinct pages", distinct.len());
    let of_usual_size = distinct.iter().filter(|body| (1_800..=20_000).contains(&body.len())).count();
    assert!(of_usual_size * 100 >= distinct.len() * 85, "{of_usual_size} of {}", distinct.len());
    assert_eq!(distinct.iter().filter(|body| body.len() > 400_000).count(), 1);
    assert_eq!(distinct.iter().filter(|body| body.is_empty()).count(), 1);
    for (place, reply) in &walk.replies {
        let text = reply.text();
        assert!(!text.contains("{{") && !text.contains('#'), "{place:?} has an unfilled slot");
        assert!(
            !text.contains(" a a ") && !text.contains(" the the ") && !text.contains("  the "),
            "{place:?}"
        );
    }
    let copies: BTreeSet<&[u8]> =
        [("observatory", "/press/new-hide"), ("news", "/press/new-hide"), ("garden", "/mirror/new-hide")]
            .iter()
            .map(|(site, path)| &walk.replies[&Place::new(*site, *path)].body[..])
            .collect();
    assert_eq!(copies.len(), 1, "the press release is the same on three sites");
}

#[tokio::test]
async fn the_demonstration_query_has_one_best_answer() {
    let walk = walk().await;
    let count = |place: &Place, word: &str| {
        let text = walk.replies[place].text().to_lowercase();
        let main = text
            .split("<main>")
            .nth(1)
            .and_then(|rest| rest.split("</main>").next())
            .unwrap_or("")
            .to_owned();
        main.matches(word).count()
    };
    let answer = Place::new(DEMO_ANSWER.0, DEMO_ANSWER.1);
    let words: Vec<&str> = DEMO_QUERY.split(' ').collect();
    for word in &words {
        assert!(count(&answer, word) >= 4, "{word}");
    }
    let title = walk.replies[&answer].text();
    assert!(words.iter().all(|word| title.split("</title>").next().unwrap().contains(word)));
    for place in walk.replies.keys().filter(|place| **place != answer) {
        let has_all = words.iter().all(|word| count(place, word) > 0);
        assert!(
            !has_all || words.iter().map(|word| count(place, word)).sum::<usize>() < 10,
            "{place:?} competes"
        );
    }
    let hidden = Place::new(DEMO_ANCHOR_ANSWER.0, DEMO_ANCHOR_ANSWER.1);
    for word in DEMO_ANCHOR_QUERY.split(' ') {
        assert!(!walk.replies[&hidden].text().to_lowercase().contains(word), "{word}");
    }
}

#[test]
fn a_seed_gives_one_web_and_another_seed_other_text_at_the_same_paths_of_places() {
    let bodies = |seed| -> BTreeMap<Place, Vec<u8>> {
        let mut all = BTreeMap::new();
        for site in demo_web(seed).sites {
            for (path, answer) in &site.pages {
                if let Answer::Page { body, .. } = answer {
                    all.insert(Place::new(site.name.clone(), path.clone()), body.to_vec());
                }
            }
        }
        all
    };
    assert_eq!(bodies(1), bodies(1));
    let (one, two) = (bodies(1), bodies(2));
    let answer = Place::new(DEMO_ANSWER.0, DEMO_ANSWER.1);
    assert_eq!(one[&answer], two[&answer]);
    let species = Place::new("observatory", "/species/whimbrel");
    assert_ne!(one[&species], two[&species]);
}

#[tokio::test]
async fn robots_sitemaps_and_encodings_are_as_described() {
    let server = start().await;
    let (news, manual) = (server.origin("news"), server.origin("manual"));
    let robots = get(&format!("{news}/robots.txt")).await.text();
    assert!(
        robots.contains("User-agent: whimbrel\n")
            && robots.contains(&format!("Sitemap: {news}/sitemap_index.xml"))
    );
    let index = get(&format!("{news}/sitemap_index.xml")).await.text();
    let mut listed = 0;
    for rest in index.split("<loc>").skip(1) {
        let sitemap = get(rest.split('<').next().unwrap()).await;
        assert_eq!(sitemap.status, 200);
        for entry in sitemap.text().split("<loc>").skip(1) {
            assert_eq!(get(entry.split('<').next().unwrap()).await.status, 200);
            listed += 1;
        }
    }
    assert_eq!(listed, 48);
    let sitemap = get(&format!("{manual}/sitemap.xml")).await.text();
    assert!(sitemap.matches("<lastmod>2026-").count() >= 50);
    let garden = get(&format!("{}/robots.txt", server.origin("garden"))).await.text();
    assert!(garden.contains("Crawl-delay: 1\n"));
    let consul = get(&format!("{}/archive/consul", server.origin("library"))).await;
    assert_eq!(consul.header("content-type"), Some("text/html; charset=ISO-8859-1"));
    assert!(
        consul.body.windows(2).any(|pair| pair == [b'M', 0xE9]) && std::str::from_utf8(&consul.body).is_err()
    );
    let boy = get(&format!("{}/archive/schiffsjunge", server.origin("library"))).await;
    assert_eq!(boy.header("content-type"), Some("text/html"));
    assert!(boy.text().contains("charset=\"iso-8859-1\"") && !boy.body.contains(&b'?'));
    let readme = get(&format!("{}/data/readme.txt", server.origin("observatory"))).await;
    assert_eq!(readme.header("x-robots-tag"), Some("noindex"));
}

#[test]
fn the_calendar_never_ends_and_still_refuses_nonsense() {
    let site = observatory::site(1);
    let ask = |path: &str| {
        site.answer(&RequestInfo {
            site: "observatory".to_owned(),
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: http::HeaderMap::new(),
            visits_before: 0,
        })
    };
    for path in ["/calendar/2026/11", "/calendar/2026/12?view=week", "/calendar/7311/01"] {
        assert!(matches!(ask(path), Answer::Page { .. }), "{path}");
    }
    for path in ["/calendar/2026/13", "/calendar/x/1", "/calendar/", "/nowhere"] {
        assert!(matches!(ask(path), Answer::NotFound), "{path}");
    }
}

#[test]
fn days_are_written_in_all_the_ways_pages_and_headers_need() {
    let day = date::Day::new(2026, 2, 28).plus(1);
    assert_eq!((day.iso(), day.long()), ("2026-03-01".to_owned(), "1 March 2026".to_owned()));
    assert_eq!(day.http(), "Sun, 01 Mar 2026 06:00:00 GMT");
    assert_eq!(date::Day::new(2024, 2, 28).plus(1).iso(), "2024-02-29");
    assert_eq!(date::Day::parse("2026-12-31").unwrap().plus(1).civil(), (2027, 1, 1));
    assert_eq!(date::Day::parse("soon"), None);
}
