//! What engine and station promise together.

use super::*;

const START: Timestamp = Timestamp(20_000 * DAY_MS);

/// Every page that can be reached within the seeds' sites, by a plain search.
fn reachable(world: &World, seeds: &[CanonicalUrl]) -> BTreeSet<String> {
    let hosts: BTreeSet<&str> = seeds.iter().map(CanonicalUrl::host).collect();
    let mut todo: Vec<String> = seeds.iter().map(ToString::to_string).collect();
    let mut met: BTreeSet<String> = todo.iter().cloned().collect();
    while let Some(at) = todo.pop() {
        let next = match world.answers.get(&at) {
            Some(Answer::Page { links, .. }) => links.clone(),
            Some(Answer::Redirect(to)) => vec![to.clone()],
            _ => continue,
        };
        for to in next {
            if hosts.contains(url(&to).host()) && met.insert(to.clone()) {
                todo.push(to);
            }
        }
    }
    met
}

fn assert_polite(log: &[LogLine], delay_ms: u64) {
    let mut last: BTreeMap<&str, &LogLine> = BTreeMap::new();
    let mut lines: Vec<&LogLine> = log.iter().collect();
    lines.sort_by_key(|line| line.start);
    for line in lines {
        if let Some(before) = last.insert(&line.host, line) {
            let gap = line.start.since_ms(before.end);
            assert!(gap >= delay_ms, "{} follows {} after {gap} ms", line.url, before.url);
        }
    }
}

fn first_is_robots(log: &[LogLine]) {
    let mut met: BTreeSet<&str> = BTreeSet::new();
    let mut lines: Vec<&LogLine> = log.iter().collect();
    lines.sort_by_key(|line| line.start);
    for line in lines {
        if met.insert(&line.host) {
            assert!(line.url.ends_with("/robots.txt"), "first request to {} is {}", line.host, line.url);
        }
    }
}

fn pages_visited(log: &[LogLine]) -> Vec<String> {
    log.iter().map(|line| line.url.clone()).filter(|url| !url.ends_with("/robots.txt")).collect()
}

#[test]
fn every_reachable_page_is_visited_once_politely_and_robots_first() {
    for seed in 0..12 {
        let (world, seeds) = random_world(seed, 4, 60);
        let rules =
            UrlRules { depth_max: None, scope: ScopeSet::new(Scope::Host, &seeds), ..UrlRules::default() };
        let config = EngineConfig { rules: Arc::new(rules), ..config(&seeds) };
        let mut disk = Disk::default();
        let outcome = run(&world, &mut disk, config, &seeds, START);
        assert_eq!(outcome.end, End::Exhausted, "seed {seed}");
        assert_polite(&outcome.log, 10_000);
        first_is_robots(&outcome.log);
        let visited = pages_visited(&outcome.log);
        let distinct: BTreeSet<String> = visited.iter().cloned().collect();
        // Copies are not followed further, so what only a copy links to may be missing; nothing else may.
        let reachable = reachable(&world, &seeds);
        assert!(distinct.is_subset(&reachable), "seed {seed}");
        for page in &reachable {
            let linked_by_original = disk.links.values().flatten().any(|link| link.target.as_str() == page);
            assert!(distinct.contains(page) || !linked_by_original, "seed {seed}: {page} was not visited");
        }
        let busy = |page: &String| matches!(world.answers.get(page), Some(Answer::Busy));
        for page in &distinct {
            let times = visited.iter().filter(|v| *v == page).count();
            assert!(times == if busy(page) { 3 } else { 1 }, "seed {seed}: {page} was visited {times} times");
        }
        assert_eq!(disk.queued(), 0);
        assert_eq!(disk.index, disk.pages.keys().copied().collect(), "each stored page is in the index");
        let contents: BTreeSet<ContentHash> = disk.pages.values().copied().collect();
        assert_eq!(contents.len(), disk.pages.len(), "exact copies are stored once");
    }
}

#[test]
fn the_same_seed_makes_the_same_decisions() {
    let (world, seeds) = random_world(7, 4, 50);
    let trace = || {
        let mut outcome = run(&world, &mut Disk::default(), config(&seeds), &seeds, START);
        for signal in &mut outcome.signals {
            signal.at = Timestamp(0);
        }
        (outcome.signals, outcome.summary)
    };
    assert_eq!(trace(), trace());
}

#[test]
fn a_sites_order_does_not_depend_on_how_fast_its_neighbours_are() {
    let (world, seeds) = random_world(3, 3, 40);
    let by_site = |latency: u64| {
        let mut world = world.clone();
        world.latency_ms.insert("s1.example".into(), latency);
        let patient = EngineConfig { pending_wait_ms: HOUR_MS, ..config(&seeds) };
        let outcome = run(&world, &mut Disk::default(), patient, &seeds, START);
        let mut sites: BTreeMap<String, Vec<SignalRecord>> = BTreeMap::new();
        for mut signal in outcome.signals {
            signal.at = Timestamp(0);
            sites.entry(signal.site.origin()).or_default().push(signal);
        }
        sites
    };
    let (slow, fast) = (by_site(9_000), by_site(30));
    for (site, signals) in &slow {
        let first = signals.iter().zip(&fast[site]).position(|(a, b)| a != b);
        assert_eq!((first, signals.len()), (None, fast[site].len()), "{site}");
    }
}

#[test]
fn the_page_limit_is_exact_and_the_next_run_brings_others() {
    for seed in 0..6 {
        let (world, seeds) = random_world(seed, 3, 80);
        let mut disk = Disk::default();
        let mut now = START;
        let mut stored = 0;
        for run_number in 1..=3 {
            let config = EngineConfig { limit: Some(37), ..config(&seeds) };
            let outcome = run(&world, &mut disk, config, &seeds, now);
            now = outcome.now.plus_ms(60_000);
            if outcome.end != End::Limit {
                break; // the web is used up
            }
            assert_eq!(outcome.summary.pages, 37, "seed {seed} run {run_number}");
            stored += 37;
            assert_eq!(disk.pages.len(), stored, "seed {seed} run {run_number}: other pages than before");
        }
        assert!(stored >= 37);
    }
}

#[test]
fn a_second_run_right_after_has_nothing_to_do_and_a_recrawl_asks_each_page_once() {
    let (world, seeds) = random_world(5, 3, 40);
    let mut disk = Disk::default();
    let first = run(&world, &mut disk, config(&seeds), &seeds, START);
    let again = run(&world, &mut disk, config(&seeds), &seeds, first.now.plus_ms(1_000));
    let retries = pages_visited(&again.log)
        .iter()
        .filter(|url| !matches!(world.answers.get(*url), Some(Answer::Busy)))
        .count();
    assert_eq!(retries, 0, "{:?}", again.log);
    let recrawl = EngineConfig { recrawl: true, ..config(&seeds) };
    let third = run(&world, &mut disk, recrawl, &seeds, first.now.plus_ms(HOUR_MS));
    assert_polite(&third.log, 10_000);
    assert_eq!(third.summary.pages, 0, "nothing changed");
    let visited = pages_visited(&third.log);
    let distinct: BTreeSet<&String> = visited.iter().collect();
    let known: BTreeSet<String> = disk.urls.values().map(|row| row.url.to_string()).collect();
    assert_eq!(distinct.len(), known.len(), "every known URL is visited again");
    let twice = |url: &&String| visited.iter().filter(|v| v == url).count() > 1;
    assert!(!distinct.iter().any(|u| twice(u) && !matches!(world.answers.get(*u), Some(Answer::Busy))));
}

#[test]
fn disallowed_urls_never_enter_the_table_nor_the_log() {
    let (mut world, seeds) = random_world(9, 1, 60);
    world.robots.insert("http://s0.example".into(), (200, "User-agent: *\nDisallow: /p1\n".into()));
    let mut disk = Disk::default();
    let outcome = run(&world, &mut disk, config(&seeds), &seeds, START);
    assert!(outcome.log.iter().all(|line| !line.url.contains("/p1")));
    assert!(disk.urls.values().all(|row| !row.url.path().starts_with("/p1")));
    assert!(outcome.summary.rejected["robots"] > 0);
    assert!(outcome.summary.pages > 5);
}

#[test]
fn an_unreachable_robots_file_closes_the_site_and_no_other() {
    let (mut world, seeds) = random_world(11, 2, 20);
    world.robots.insert("http://s0.example".into(), (503, String::new()));
    let mut disk = Disk::default();
    let outcome = run(&world, &mut disk, config(&seeds), &seeds, START);
    let asked: Vec<&LogLine> = outcome.log.iter().filter(|line| line.host == "s0.example").collect();
    assert!(asked.len() == 3 && asked.iter().all(|line| line.url.ends_with("/robots.txt")), "{asked:?}");
    assert!(outcome.log.iter().filter(|line| line.host == "s1.example").count() > 10);
    assert!(outcome.summary.waiting > 0, "the seed waits for the next run");
}

#[test]
fn a_crawl_delay_is_never_undercut_and_too_long_a_one_skips_the_site() {
    let (mut world, seeds) = random_world(13, 2, 15);
    world.robots.insert("http://s0.example".into(), (200, "User-agent: *\nCrawl-delay: 30\n".into()));
    world.robots.insert("http://s1.example".into(), (200, "User-agent: *\nCrawl-delay: 7200\n".into()));
    let outcome = run(&world, &mut Disk::default(), config(&seeds), &seeds, START);
    let of = |host: &str| outcome.log.iter().filter(|line| line.host == host).cloned().collect::<Vec<_>>();
    // The delay is known from the second request on.
    assert_polite(&of("s0.example")[1..], 30_000);
    assert_eq!(of("s1.example").len(), 1, "only robots.txt");
    assert!(outcome.summary.skipped_sites["http://s1.example"].contains("Crawl-delay"));
}

#[test]
fn a_page_met_nearer_lets_its_links_in_that_were_too_deep() {
    let name = |label: &str| format!("http://n.example/{label}");
    let mut world = World::default();
    let mut put = |label: &str, links: &[&str]| {
        let page = Answer::Page { text: label.into(), links: links.iter().map(|l| name(l)).collect() };
        world.answers.insert(name(label), page);
    };
    // Breadth-first meets `deep` over the long way first, because `late` is only reached through a retried page.
    put("", &["a", "x"]);
    put("a", &["b"]);
    put("b", &["deep"]);
    put("deep", &["beyond"]);
    put("beyond", &[]);
    put("x", &["deep"]);
    let seeds = [url(&name(""))];
    let rules =
        UrlRules { depth_max: Some(3), scope: ScopeSet::new(Scope::Host, &seeds), ..UrlRules::default() };
    let config = EngineConfig { rules: Arc::new(rules), stops_max: 1, ..config(&seeds) };
    let outcome = run(&world, &mut Disk::default(), config, &seeds, START);
    assert!(pages_visited(&outcome.log).contains(&name("beyond")), "{:?}", pages_visited(&outcome.log));
}

#[test]
fn breadth_first_goes_level_by_level() {
    let (world, seeds) = random_world(17, 1, 80);
    let mut disk = Disk::default();
    let config = EngineConfig { strategy: Strategy::BreadthFirst, stops_max: 1, ..config(&seeds) };
    let outcome = run(&world, &mut disk, config, &seeds, START);
    let depth_of = |text: &String| disk.urls[&url(text).key()].depth;
    let redirected = |text: &String| disk.urls[&url(text).key()].redirect_hops > 0;
    let depths: Vec<u16> =
        pages_visited(&outcome.log).iter().filter(|u| !redirected(u)).map(depth_of).collect();
    let retried = pages_visited(&outcome.log)
        .iter()
        .filter(|u| matches!(world.answers.get(*u), Some(Answer::Busy)))
        .count();
    let steps_back = depths.windows(2).filter(|w| w[1] < w[0]).count();
    assert!(steps_back <= retried, "{depths:?}");
}

#[test]
fn a_lost_station_costs_only_what_it_had_not_reported() {
    for seed in 0..6 {
        let (world, seeds) = random_world(seed, 3, 50);
        let mut disk = Disk::default();
        let outcome = run_with_losses(&world, &mut disk, config(&seeds), &seeds, START, 7);
        assert_eq!(outcome.end, End::Exhausted, "seed {seed}");
        let mut calm = Disk::default();
        run(&world, &mut calm, config(&seeds), &seeds, START);
        let urls = |disk: &Disk| disk.urls.keys().copied().collect::<BTreeSet<_>>();
        assert_eq!(urls(&disk), urls(&calm), "seed {seed}: nothing is missing");
        assert_eq!(disk.queued(), 0);
        let visited = pages_visited(&outcome.log);
        let distinct: BTreeSet<&String> = visited.iter().collect();
        let busy = visited.iter().filter(|u| matches!(world.answers.get(*u), Some(Answer::Busy))).count();
        // Seven losses, at most four visits in flight each.
        assert!(visited.len() - busy <= distinct.len() + 7 * 4, "seed {seed}");
    }
}

#[test]
fn newly_allowed_urls_are_found_in_stored_links() {
    let (mut world, seeds) = random_world(21, 1, 60);
    let origin = "http://s0.example".to_owned();
    world.robots.insert(origin.clone(), (200, "User-agent: *\nDisallow: /p1\n".into()));
    let mut disk = Disk::default();
    let first = run(&world, &mut disk, config(&seeds), &seeds, START);
    assert!(pages_visited(&first.log).iter().all(|url| !url.contains("/p1")));
    world.robots.insert(origin, (200, "User-agent: *\nDisallow: /p19\n".into()));
    // A day and a bit later robots.txt is read again; one page must be due for anybody to go there at all.
    let daily = RevisitRule { interval_ms: DAY_MS, ..config(&seeds).revisit };
    let later = EngineConfig { revisit: daily, recrawl: true, ..config(&seeds) };
    let second = run(&world, &mut disk, later, &seeds, first.now.plus_ms(2 * DAY_MS));
    let visited = pages_visited(&second.log);
    assert!(visited.iter().any(|url| url.contains("/p1") && !url.contains("/p19")), "{visited:?}");
    assert!(visited.iter().all(|url| !url.contains("/p19")));
}

#[test]
fn seeds_that_bring_nothing_are_told_apart_from_seeds_that_do() {
    let (mut world, mut seeds) = random_world(23, 1, 10);
    seeds.push(url("http://s0.example/missing"));
    seeds.push(url("http://s0.example/forbidden/x"));
    world.robots.insert("http://s0.example".into(), (200, "User-agent: *\nDisallow: /forbidden/\n".into()));
    let outcome = run(&world, &mut Disk::default(), config(&seeds), &seeds, START);
    assert_eq!((outcome.summary.seeds_reached, outcome.summary.seeds_failed), (1, 2));
    assert!(outcome.summary.skipped_sites["http://s0.example/forbidden/x"].contains("robots"));
}

#[test]
fn a_page_that_moves_leaves_the_index_only_when_its_new_place_is_stored() {
    let name = |label: &str| format!("http://m.example/{label}");
    let page = |label: &str, links: &[&str]| Answer::Page {
        text: label.into(),
        links: links.iter().map(|l| name(l)).collect(),
    };
    let mut world = World::default();
    world.answers.insert(name(""), page("home", &["old", "lost"]));
    world.answers.insert(name("old"), page("the text", &[]));
    world.answers.insert(name("lost"), page("other text", &[]));
    let seeds = [url(&name(""))];
    let mut disk = Disk::default();
    let first = run(&world, &mut disk, config(&seeds), &seeds, START);
    let is_found = |disk: &Disk, label: &str| disk.index.contains(&url(&name(label)).key());
    assert!(is_found(&disk, "old") && is_found(&disk, "lost"));
    // One moves with its text, the other is sent to a page that is not there.
    world.answers.insert(name("old"), Answer::Redirect(name("new")));
    world.answers.insert(name("new"), page("the text", &[]));
    world.answers.insert(name("lost"), Answer::Redirect(name("nowhere")));
    let recrawl = || EngineConfig { recrawl: true, ..config(&seeds) };
    let second = run(&world, &mut disk, recrawl(), &seeds, first.now.plus_ms(DAY_MS));
    assert!(!is_found(&disk, "old") && is_found(&disk, "new"), "its new place is stored");
    assert!(is_found(&disk, "lost"), "nothing stands in for the lost one");
    run(&world, &mut disk, recrawl(), &seeds, second.now.plus_ms(DAY_MS));
    assert!(!is_found(&disk, "old") && is_found(&disk, "new") && is_found(&disk, "lost"));
}

#[test]
fn few_migrants_visit_everything_too() {
    let (world, seeds) = random_world(2, 5, 30);
    let mut disk = Disk::default();
    let few = EngineConfig { migrants_max: 2, ..config(&seeds) };
    let outcome = run(&world, &mut disk, few, &seeds, START);
    assert_eq!((outcome.end, disk.queued()), (End::Exhausted, 0));
    let mut many = Disk::default();
    run(&world, &mut many, config(&seeds), &seeds, START);
    assert_eq!(disk.pages.len(), many.pages.len());
}

#[test]
fn a_robots_file_out_of_reach_closes_the_site_until_the_operators_time_is_up() {
    let seeds = [url("http://a.example/")];
    let mut world = World::default();
    world.answers.insert(seeds[0].to_string(), Answer::Page { text: "a".into(), links: Vec::new() });
    world.robots.insert("http://a.example".into(), (503, String::new()));
    for (give_up, stored_after_30_days) in [(None, 0), (Some(30 * DAY_MS), 1)] {
        let config = EngineConfig { robots_give_up_ms: give_up, ..config(&seeds) };
        let mut disk = Disk::default();
        for (day, stored) in [(0, 0), (29, 0), (31, stored_after_30_days)] {
            run(&world, &mut disk, config.clone(), &seeds, START.plus_ms(day * DAY_MS));
            assert_eq!(disk.pages.len(), stored, "day {day}, {give_up:?}");
        }
    }
}

#[test]
fn a_page_leaves_the_index_at_the_time_it_named_also_when_it_did_not_change() {
    let seeds = [url("http://a.example/")];
    let mut world = World::default();
    world.answers.insert(seeds[0].to_string(), Answer::Page { text: "a".into(), links: Vec::new() });
    world.unavailable_after.insert(seeds[0].to_string(), START.plus_ms(2 * DAY_MS));
    let mut disk = Disk::default();
    run(&world, &mut disk, config(&seeds), &seeds, START);
    assert_eq!(disk.index.len(), 1);
    assert!(disk.urls[&seeds[0].key()].due <= START.plus_ms(2 * DAY_MS), "it is visited when its time comes");
    let outcome = run(&world, &mut disk, config(&seeds), &seeds, START.plus_ms(2 * DAY_MS + 1));
    assert_eq!((outcome.summary.unchanged, disk.index.len()), (1, 0));
    assert_eq!(disk.urls[&seeds[0].key()].unindexed, Some(whimbrel_types::Unindexed::Expired));
}

#[test]
fn limits_that_a_visit_reached_are_counted_and_noted_with_the_url() {
    let seeds = [url("http://a.example/")];
    let mut world = World::default();
    let hop = |n: usize| format!("http://a.example/{n}");
    world.answers.insert(seeds[0].to_string(), Answer::Redirect(hop(0)));
    for n in 0..9 {
        world.answers.insert(hop(n), Answer::Redirect(hop(n + 1)));
    }
    let mut disk = Disk::default();
    let outcome = run(&world, &mut disk, config(&seeds), &seeds, START);
    let key = whimbrel_types::Limit::Redirects.key();
    assert_eq!((outcome.summary.limits[key], disk.counters[&format!("limit:{key}")]), (1, 1));
    let note = disk.notes.values().next().unwrap();
    assert_eq!(
        (note.url.as_str(), note.limits.as_slice()),
        (hop(4).as_str(), &[whimbrel_types::Limit::Redirects][..])
    );
    assert!(note.detail.contains(&hop(5)), "{}", note.detail);
}

#[test]
fn a_page_of_very_many_links_costs_only_so_many_urls_and_says_so() {
    let seeds = [url("http://a.example/")];
    let mut world = World::default();
    let leaf = |n: usize| format!("http://a.example/n{n}");
    // Each leaf twice: what is met again is no other URL.
    let links = (0..40).chain(0..40).map(leaf).collect();
    world.answers.insert(seeds[0].to_string(), Answer::Page { text: "many".into(), links });
    let mut disk = Disk::default();
    let config = EngineConfig { targets_max: 25, ..config(&seeds) };
    let outcome = run(&world, &mut disk, config, &seeds, START);
    let visited = pages_visited(&outcome.log);
    assert_eq!(visited.len(), 1 + 25);
    assert!((0..25).all(|n| visited.contains(&leaf(n))), "the first ones are followed");
    assert_eq!(outcome.summary.limits["limits.targets_max"], 1);
    assert_eq!(disk.notes[&seeds[0].key()].detail, "15 of its links are not followed");
}

/// A page with so many links to leaves, and what the leaves are called.
fn long_page_world(host: &str, leaves: usize) -> (World, CanonicalUrl, Vec<String>) {
    let seed = url(&format!("http://{host}/"));
    let names: Vec<String> = (0..leaves).map(|n| format!("http://{host}/n{n}")).collect();
    let mut world = World::default();
    for name in &names {
        world.answers.insert(name.clone(), Answer::Page { text: name.clone(), links: vec![] });
    }
    world.answers.insert(seed.to_string(), Answer::Page { text: "many".into(), links: names.clone() });
    (world, seed, names)
}

#[test]
fn the_links_of_a_long_page_are_all_followed_in_their_order() {
    let (world, seed, names) = long_page_world("a.example", 900);
    let mut disk = Disk::default();
    let outcome =
        run(&world, &mut disk, config(std::slice::from_ref(&seed)), std::slice::from_ref(&seed), START);
    assert_eq!(outcome.summary.discovered, 901);
    assert_eq!(outcome.summary.pages, 901);
    let asked: Vec<String> = outcome.log.iter().map(|line| line.url.clone()).collect();
    assert_eq!(asked[2..], names, "after robots.txt and the page");
    assert!(disk.long_pages.is_empty(), "nothing is left to follow");
    let ready = outcome.signals.iter().filter(|signal| signal.url.as_ref() == Some(&seed));
    let new: Vec<&(String, String)> = ready
        .filter(|signal| signal.signal == whimbrel_types::Signal::UrlsReady)
        .flat_map(|signal| &signal.fields)
        .collect();
    assert_eq!(new, [&("new".to_owned(), "900".to_owned())], "told once, in all");
}

#[test]
fn reports_of_a_site_wait_until_its_long_page_is_followed() {
    // The second page is in the same itinerary as the long one and ends while that one is being followed.
    let (mut world, seed, names) = long_page_world("a.example", 900);
    let (long, second, late) = ("http://a.example/long", "http://a.example/second", "http://a.example/late");
    let page = |text: &str, links: Vec<String>| Answer::Page { text: text.into(), links };
    world.answers.insert(seed.to_string(), page("start", vec![long.into(), second.into()]));
    world.answers.insert(long.into(), page("long", names.clone()));
    world.answers.insert(second.into(), page("second", vec![late.into()]));
    world.answers.insert(late.into(), page("late", vec![]));
    world.latency_ms.insert("a.example".into(), 1);
    let config =
        EngineConfig { delay_ms: 0, strategy: Strategy::BreadthFirst, ..config(std::slice::from_ref(&seed)) };
    let outcome = run(&world, &mut Disk::default(), config, std::slice::from_ref(&seed), START);
    let asked: Vec<&str> = outcome.log.iter().map(|line| line.url.as_str()).collect();
    assert_eq!(asked[2..4], [long, second]);
    assert_eq!(asked.last(), Some(&late), "it was met after all links of the page before");
    assert_eq!(asked.len(), 1 + 4 + 900);
}

#[test]
fn a_crash_amid_a_long_page_loses_none_of_its_links() {
    let (mut world, seed, names) = long_page_world("a.example", 900);
    world.crash_when = Some(|disk| !disk.long_pages.is_empty() && disk.urls.len() > 400);
    let mut disk = Disk::default();
    let seeds = std::slice::from_ref(&seed);
    let first = run(&world, &mut disk, config(seeds), seeds, START);
    assert_eq!(disk.long_pages.len(), 1, "the mark is there");
    assert!(disk.urls.len() < 900, "it came too early for some");
    world.crash_when = None;
    let second = run(&world, &mut disk, config(seeds), seeds, first.now.plus_ms(1000));
    let mut asked: Vec<String> = second.log.iter().map(|line| line.url.clone()).collect();
    asked.retain(|url| names.contains(url));
    let asked: BTreeSet<String> = asked.into_iter().collect();
    assert_eq!(asked.len(), names.len());
    assert!(disk.long_pages.is_empty());
}
