//! What the budgets of patterns promise: traps end, honest sites do not, and the operator has the last word.

use super::*;
use whimbrel_types::{Signal, TrapRecord, TrapState, TrapVerdict};

const START: Timestamp = Timestamp(20_773 * DAY_MS); // 2026-11-16

fn page(text: impl Into<String>, links: impl IntoIterator<Item = String>) -> Answer {
    Answer::Page { text: text.into(), links: links.into_iter().collect() }
}

fn at(path: &str) -> String {
    format!("http://s.example{path}")
}

fn world(answers: impl IntoIterator<Item = (String, Answer)>) -> World {
    World {
        answers: answers.into_iter().map(|(path, answer)| (at(&path), answer)).collect(),
        ..World::default()
    }
}

/// No limit of depth, so that only budgets end a chain; no waiting between visits, so that tests are short.
fn deep(seeds: &[CanonicalUrl]) -> EngineConfig {
    let rules = UrlRules { depth_max: None, scope: ScopeSet::new(Scope::Host, seeds), ..UrlRules::default() };
    EngineConfig {
        rules: Arc::new(rules),
        delay_ms: 10,
        seen_rows_max: 16_384,
        heads_max: 2_048,
        signals: false,
        ..config(seeds)
    }
}

fn seeds() -> Vec<CanonicalUrl> {
    vec![url(&at("/"))]
}

fn crawl(world: &World, disk: &mut Disk) -> Outcome {
    run(world, disk, deep(&seeds()), &seeds(), START)
}

fn visited(outcome: &Outcome, needle: &str) -> usize {
    let urls: BTreeSet<&str> = outcome.log.iter().map(|line| line.url.as_str()).collect();
    urls.into_iter().filter(|url| url.contains(needle)).count()
}

fn trap<'a>(disk: &'a Disk, pattern: &str) -> &'a TrapRecord {
    let found = disk.traps.values().find(|record| record.pattern == pattern);
    found.unwrap_or_else(|| {
        panic!("{pattern} is not among {:?}", disk.traps.values().map(|r| &r.pattern).collect::<Vec<_>>())
    })
}

fn rule(verdict: TrapVerdict, pattern: &str) -> TrapRule {
    TrapRule { site: None, pattern: pattern.into(), verdict, at: START, unsettled: false }
}

/// The number that the URL's query ends in.
fn number(url: &CanonicalUrl) -> u64 {
    url.as_str().rsplit(['=', '/']).next().unwrap().parse().unwrap_or(0)
}

/// `home?time=101` leads to `102`, for ever: the papers' own example.
fn clock(url: &CanonicalUrl) -> Option<Answer> {
    let next = number(url) + 1;
    url.as_str().contains("?time=").then(|| page(url.as_str(), [at(&format!("/home?time={next}")), at("/")]))
}

/// Twenty honest pages and the way into a trap.
fn with_good_pages(entry: &str, endless: fn(&CanonicalUrl) -> Option<Answer>) -> World {
    let good = |n: u64| format!("/good/story-{n}");
    let links = (0..20).map(|n| at(&good(n))).chain([at(entry)]);
    let mut world = world([("/".to_owned(), page("home", links))]);
    world.answers.extend((0..20).map(|n| (at(&good(n)), page(good(n), [at("/")]))));
    world.endless = Some(endless);
    world
}

#[test]
fn a_chain_of_a_counter_stops_at_the_budget_without_a_depth_limit() {
    let world = with_good_pages("/home?time=101", clock);
    let mut disk = Disk::default();
    let outcome = crawl(&world, &mut disk);
    assert_eq!(outcome.end, End::Exhausted);
    assert_eq!(visited(&outcome, "time="), 500, "the default budget");
    assert_eq!(visited(&outcome, "/good/"), 20);
    let record = trap(&disk, "/home?time={n}");
    assert_eq!((record.state, record.admitted(), record.refused), (TrapState::Stopped, 500, 1));
    assert!(record.examples.len() >= 3, "{record:?}");
    assert_eq!(outcome.summary.rejected.get("trap"), Some(&1));
    assert_eq!(outcome.summary.limits.get("traps.pattern_budget"), Some(&1));
    let small =
        EngineConfig { traps: TrapBudget { pattern_budget: 30, ..TrapBudget::default() }, ..deep(&seeds()) };
    let outcome = run(&world, &mut Disk::default(), small, &seeds(), START);
    assert_eq!((visited(&outcome, "time="), visited(&outcome, "/good/")), (30, 20));
}

#[test]
fn a_trap_is_told_once_with_examples() {
    let world = with_good_pages("/home?time=1", clock);
    let traps = TrapBudget { pattern_budget: 20, ..TrapBudget::default() };
    let config = EngineConfig { signals: true, traps, ..deep(&seeds()) };
    let outcome = run(&world, &mut Disk::default(), config, &seeds(), START);
    let told: Vec<_> =
        outcome.signals.iter().filter(|record| record.signal == Signal::TrapReported).collect();
    assert_eq!(told.len(), 1);
    let field = |name: &str| told[0].fields.iter().find(|(key, _)| key == name).unwrap().1.clone();
    assert_eq!((field("pattern").as_str(), field("state").as_str()), ("/home?time={n}", "stopped"));
    assert!(field("examples").split(' ').count() >= 3);
}

/// A month leads to the one before, the one after, and its days; a day to its neighbours.
fn calendar(url: &CanonicalUrl) -> Option<Answer> {
    let parts: Vec<u64> =
        url.path().strip_prefix("/cal/")?.split('/').map(|part| part.parse().unwrap()).collect();
    let month = |n: u64| at(&format!("/cal/{}/{:02}", n / 12, n % 12 + 1));
    let n = parts[0] * 12 + parts[1] - 1;
    let links = match parts.get(2) {
        Some(_) => vec![month(n + 1)],
        None => {
            (1..=3).map(|day| format!("{}/{day:02}", month(n))).chain([month(n - 1), month(n + 1)]).collect()
        }
    };
    Some(page(url.as_str(), links))
}

#[test]
fn a_calendar_ends_though_months_and_days_take_turns() {
    let world = with_good_pages("/cal/2026/11", calendar);
    let mut disk = Disk::default();
    let outcome = crawl(&world, &mut disk);
    assert_eq!(outcome.end, End::Exhausted);
    assert_eq!(visited(&outcome, "/good/"), 20);
    let months = trap(&disk, "/cal/{y}/{m}");
    assert_eq!(months.state, TrapState::Stopped);
    // Two years ahead and ten back are within the window, and a hundred months outside it.
    assert!((144..=250).contains(&months.admitted()), "{months:?}");
    let days = trap(&disk, "/cal/{y}/{m}/{d}");
    assert!(days.admitted() <= 3 * 250, "{days:?}");
    assert!(visited(&outcome, "/cal/2026/11/") == 3 && visited(&outcome, "/cal/2028/01") > 0);
}

/// A month with an event in it, up to the year 2040.
fn events(url: &CanonicalUrl) -> Option<Answer> {
    let Some(rest) = url.path().strip_prefix("/cal/") else {
        return Some(page(url.as_str(), []));
    };
    let (year, month) = rest.split_once('/')?;
    let n = year.parse::<u64>().ok()? * 12 + month.parse::<u64>().ok()? - 1;
    let next = at(&format!("/cal/{}/{:02}", (n + 1) / 12, (n + 1) % 12 + 1));
    let event = (n < 2200 * 12).then(|| at(&format!("/event/fair-of-{}", word(n))));
    Some(page(url.as_str(), event.into_iter().chain([next])))
}

/// A number in letters.
fn word(n: u64) -> String {
    n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect()
}

#[test]
fn a_calendar_goes_on_as_long_as_it_leads_somewhere() {
    let world = with_good_pages("/cal/2026/11", events);
    let traps = TrapBudget { calendar_budget: 20, ..TrapBudget::default() };
    let config = EngineConfig { traps, ..deep(&seeds()) };
    let outcome = run(&world, &mut Disk::default(), config, &seeds(), START);
    let (months, fairs) = (visited(&outcome, "/cal/"), visited(&outcome, "/event/"));
    assert!((180..=260).contains(&fairs), "{fairs}: ten budgets and the window, and even then not for ever");
    assert_eq!(months, fairs);
}

/// A catalogue: lists of twenty that only lead to the next list; items lead to related items.
fn catalogue(items: u64) -> World {
    let lists = items.div_ceil(20);
    let item = |n: u64| at(&format!("/item/{n}"));
    let list = |n: u64| at(&format!("/list?page={n}"));
    let mut world = world([("/".to_owned(), page("home", [list(1), item(0)]))]);
    for n in 0..items {
        let related = (1..=2).map(|step| item((n * 7 + step * 131) % items));
        world.answers.insert(item(n), page(format!("item {n}"), related));
    }
    for n in 1..=lists {
        let on_it = ((n - 1) * 20..(n * 20).min(items)).map(item);
        world.answers.insert(list(n), page(format!("list {n}"), on_it.chain([list(n + 1)])));
    }
    world
}

#[test]
fn a_catalogue_of_many_items_is_not_cut() {
    // A hundred lists in a chain and two thousand items: many times what the budget alone would let in.
    let traps = TrapBudget { pattern_budget: 25, ..TrapBudget::default() };
    let config = EngineConfig { traps, ..deep(&seeds()) };
    let outcome = run(&catalogue(2_000), &mut Disk::default(), config, &seeds(), START);
    assert_eq!(visited(&outcome, "/item/"), 2_000, "what related items were refused, the lists lead to");
    assert_eq!(visited(&outcome, "/list?page="), 101, "and the one that is not there");
}

#[test]
fn a_list_of_three_hundred_pages_is_not_cut_though_it_lists_nothing_new() {
    let pages = (1..=300).map(|n| {
        let next = (n < 300).then(|| at(&format!("/archive?start={}", n + 1)));
        (format!("/archive?start={n}"), page(format!("part {n}"), next))
    });
    let home = ("/".to_owned(), page("home", [at("/archive?start=1")]));
    let outcome = crawl(&world(pages.chain([home])), &mut Disk::default());
    assert_eq!(visited(&outcome, "start="), 300);
    assert_eq!(outcome.summary.rejected.get("trap"), None);
}

#[test]
fn a_wiki_behind_one_script_is_not_cut() {
    let size = 1_500;
    let title = |n: u64| at(&format!("/index.php?title=About_{}", word(n % size)));
    let links = |n: u64| [n * 3 + 1, n * 3 + 2, n * 3 + 3, n + 1].map(title);
    let mut world = world([("/".to_owned(), page("home", links(0)))]);
    world.answers.extend((0..size).map(|n| (title(n), page(format!("article {n}"), links(n)))));
    let outcome = crawl(&world, &mut Disk::default());
    assert_eq!(visited(&outcome, "title="), size as usize);
}

/// Every page of the site carries a session of its own on each link.
fn sessions(url: &CanonicalUrl) -> Option<Answer> {
    let sid = number(url);
    let link = |n: u64| at(&format!("/{}?sid={}", ["tea", "milk", "bread"][n as usize % 3], sid * 3 + n + 1));
    url.as_str().contains("sid=").then(|| page(url.as_str(), (0..3).map(link)))
}

#[test]
fn fresh_sessions_on_every_link_end() {
    let world = with_good_pages("/tea?sid=1", sessions);
    let mut disk = Disk::default();
    let traps = TrapBudget { pattern_budget: 20, ..TrapBudget::default() };
    let outcome = run(&world, &mut disk, EngineConfig { traps, ..deep(&seeds()) }, &seeds(), START);
    assert_eq!(visited(&outcome, "/good/"), 20);
    let record = trap(&disk, "/*{session}*");
    assert_eq!(record.state, TrapState::Stopped);
    assert!((20..=100).contains(&record.admitted()), "one budget for all of them: {record:?}");
}

/// Two patterns that take turns.
fn ring(url: &CanonicalUrl) -> Option<Answer> {
    let n = number(url);
    let next = if url.path().starts_with("/odd/") { "even" } else { "odd" };
    (n > 0).then(|| {
        page(url.as_str(), [at(&format!("/{next}/{}", n + 1)), at(&format!("/{next}/{}", n * 2 + 1))])
    })
}

#[test]
fn patterns_that_take_turns_end_too() {
    let world = with_good_pages("/odd/1", ring);
    let traps = TrapBudget { pattern_budget: 10, ..TrapBudget::default() };
    let config = EngineConfig { traps, limit: Some(20_000), ..deep(&seeds()) };
    let outcome = run(&world, &mut Disk::default(), config, &seeds(), START);
    assert_eq!((outcome.end, visited(&outcome, "/good/")), (End::Exhausted, 20), "{:?}", outcome.summary);
}

#[test]
fn repeated_segments_and_cgi_programs_are_not_visited() {
    let links = ["/a/more/more/more/", "/a/more/more/more/more/", "/cgi-bin/test", "/script.cgi?x=1"];
    let mut world = world([("/".to_owned(), page("home", links.map(at)))]);
    world.answers.extend(links.map(|path| (at(path), page(path, []))));
    let outcome = crawl(&world, &mut Disk::default());
    let seen: Vec<usize> = links.iter().map(|path| visited(&outcome, path)).collect();
    assert_eq!(seen, [1, 0, 0, 1]);
    let rejected = &outcome.summary.rejected;
    assert_eq!((rejected.get("trap"), rejected.get("cgi")), (Some(&1), Some(&1)));
}

#[test]
fn an_excluded_pattern_is_not_visited_from_the_next_itinerary_on() {
    let world = with_good_pages("/home?time=101", clock);
    let mut disk = Disk::default();
    let orders = [(60, rule(TrapVerdict::Exclude, "/home?time={n}"))];
    let outcome = run_with_orders(&world, &mut disk, deep(&seeds()), (&seeds(), START), 0, &orders);
    assert_eq!(visited(&outcome, "/good/"), 20);
    assert!(outcome.log.len() <= 60 + 8, "{} visits", outcome.log.len());
    assert_eq!(disk.queued(), 0, "nothing of it waits");
    // The next run keeps to it; a second order opens it again, and what was refused is found again.
    let outcome = crawl(&world, &mut disk);
    assert_eq!(visited(&outcome, "time="), 0);
    let orders = [(0, rule(TrapVerdict::Allow, "/home?time={n}"))];
    let config = EngineConfig { limit: Some(700), ..deep(&seeds()) };
    let outcome = run_with_orders(&world, &mut disk, config, (&seeds(), START.plus_ms(HOUR_MS)), 0, &orders);
    assert_eq!(
        (outcome.end, visited(&outcome, "time=")),
        (End::Limit, 700),
        "an allowed pattern has no budget"
    );
}

#[test]
fn a_whole_site_can_be_excluded_and_a_part_of_it_allowed() {
    let world = with_good_pages("/home?time=101", clock);
    let mut disk = Disk::default();
    let mut all = rule(TrapVerdict::Exclude, "/*");
    all.site = Some(url(&at("/")).site());
    let orders = [(5, all), (5, rule(TrapVerdict::Allow, "/good/story-*"))];
    let outcome = run_with_orders(&world, &mut disk, deep(&seeds()), (&seeds(), START), 0, &orders);
    assert_eq!(visited(&outcome, "/good/"), 20);
    assert!(visited(&outcome, "time=") <= 8);
    assert!(disk.trap_rules.values().all(|rule| !rule.unsettled));
}

#[test]
fn a_restart_grants_no_new_budget_and_a_reset_does() {
    let world = with_good_pages("/home?time=101", clock);
    let mut disk = Disk::default();
    let config = || EngineConfig { limit: Some(200), ..deep(&seeds()) };
    let mut visits = 0;
    for run_number in 0..4 {
        let begin = START.plus_ms(run_number * HOUR_MS);
        visits += visited(&run(&world, &mut disk, config(), &[], begin), "time=");
        if run_number == 0 {
            visits += visited(&run(&world, &mut disk, config(), &seeds(), begin), "time=");
        }
    }
    assert_eq!(visits, 500);
    let orders = [(0, rule(TrapVerdict::Reset, "/home?time={n}"))];
    let begin = START.plus_ms(5 * HOUR_MS);
    let outcome = run_with_orders(&world, &mut disk, deep(&seeds()), (&[], begin), 0, &orders);
    assert_eq!(visited(&outcome, "time="), 500, "once more the same");
    assert!(disk.trap_rules.is_empty(), "nothing is left to be said");
}

#[test]
fn an_order_given_between_runs_is_carried_out_by_the_next() {
    let world = with_good_pages("/home?time=101", clock);
    let mut disk = Disk::default();
    crawl(&world, &mut disk);
    let allow = TrapRule { unsettled: true, ..rule(TrapVerdict::Allow, "/home?time={n}") };
    disk.trap_rules.insert(allow.key(), allow);
    let config = EngineConfig { limit: Some(50), ..deep(&seeds()) };
    let outcome = run(&world, &mut disk, config, &[], START.plus_ms(HOUR_MS));
    assert_eq!(visited(&outcome, "time="), 50);
    assert!(disk.trap_rules.values().all(|rule| !rule.unsettled), "the links were looked at");
}

#[test]
fn a_site_with_unusually_many_urls_is_reported_and_not_cut() {
    let mut disk = Disk::default();
    let traps = TrapBudget { site_report: 400, ..TrapBudget::default() };
    let config = EngineConfig { signals: true, traps, ..deep(&seeds()) };
    let outcome = run(&catalogue(600), &mut disk, config, &seeds(), START);
    assert_eq!(visited(&outcome, "/item/"), 600);
    let record = trap(&disk, "/*");
    assert_eq!((record.state, record.admitted()), (TrapState::Reported, 400));
    assert!(record.examples.len() >= 3);
    assert_eq!(outcome.signals.iter().filter(|record| record.signal == Signal::TrapReported).count(), 1);
}

#[test]
fn patterns_in_memory_are_bounded_and_stopped_ones_stay() {
    fn many(url: &CanonicalUrl) -> Option<Answer> {
        clock(url).or_else(|| {
            let n = number(url);
            let links = (0..3).map(|step| at(&format!("/{}/7/{}", word(n * 3 + step), n * 3 + step + 1)));
            Some(page(url.as_str(), if n < 300 { links.collect() } else { Vec::new() }))
        })
    }
    let world = with_good_pages("/home?time=101", many);
    let mut disk = Disk::default();
    let traps = TrapBudget { patterns_max: 16, pattern_budget: 40, ..TrapBudget::default() };
    let config = EngineConfig { traps, limit: Some(3_000), ..deep(&seeds()) };
    let mut with_more = world.clone();
    with_more.answers.insert(at("/"), page("home", [at("/home?time=101"), at("/x/7/1")]));
    let outcome = run(&with_more, &mut disk, config, &seeds(), START);
    assert_eq!(trap(&disk, "/home?time={n}").state, TrapState::Stopped);
    assert_eq!(visited(&outcome, "time="), 40);
    assert!(disk.traps.len() <= 17, "{}", disk.traps.len());
}

#[test]
fn budgets_are_the_same_for_the_same_seed_and_do_not_depend_on_neighbours() {
    let mut world = with_good_pages("/home?time=101", clock);
    world.answers.insert("http://t.example/".into(), page("other", [at("/good/story-1"), at("/good/late")]));
    let both = [url(&at("/")), url("http://t.example/")];
    let traps = TrapBudget { pattern_budget: 25, ..TrapBudget::default() };
    let log = |latency: u64| {
        let mut world = world.clone();
        world.latency_ms.insert("t.example".into(), latency);
        let config = EngineConfig { traps, ..deep(&both) };
        let outcome = run(&world, &mut Disk::default(), config, &both, START);
        let own = outcome.log.into_iter().filter(|line| line.host == "s.example");
        own.map(|line| line.url).collect::<Vec<_>>()
    };
    assert_eq!(log(50), log(50));
    assert_eq!(log(50), log(5_000));
}
