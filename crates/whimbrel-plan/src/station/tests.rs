use super::*;
use crate::message::{Known, RobotsRef, StopKind};
use whimbrel_types::{CanonicalUrl, ContentHash, Limit};

fn config() -> StationConfig {
    StationConfig {
        concurrency: 2,
        connections_per_host: 1,
        ip_delay_ms: 2_000,
        reading_pause: 9,
        back_off: BackOff { base_ms: 1_000, longest_ms: 3_600_000 },
        retry_after_ms_max: 86_400_000,
        gate_per_domain: false,
        unclean_start: None,
        visits_per_report: 1,
        agent: "whimbrel".into(),
        seed: 0,
    }
}

fn itinerary(number: u64, host: &str, paths: &[&str], robots: RobotsRef) -> StationEvent {
    let url = |path: &str| CanonicalUrl::from_canonical(&format!("http://{host}{path}")).unwrap();
    StationEvent::Arrived(Box::new(Itinerary {
        id: ItineraryId { run: 1, number },
        site: url("/").site(),
        stops: paths
            .iter()
            .map(|path| Stop { url: url(path), kind: StopKind::Page, known: Known::default(), depth: 0 })
            .collect(),
        delay_ms: 10_000,
        robots,
        expires: Timestamp(86_400_000),
    }))
}

fn resolved(host: &str, last: u8) -> StationEvent {
    StationEvent::Resolved { host: host.into(), address: Ok([192, 0, 2, last].into()) }
}

fn ended(visit: VisitId, url: &str, outcome: FetchOutcome) -> StationEvent {
    let stop = Stop {
        url: CanonicalUrl::from_canonical(url).unwrap(),
        kind: StopKind::Page,
        known: Known::default(),
        depth: 0,
    };
    let report = VisitReport::new(&stop, Timestamp(0), outcome);
    StationEvent::Visited { visit, report: Box::new(report) }
}

fn visit_of(action: StationAction) -> (VisitId, String) {
    match action {
        StationAction::Visit { visit, stop, .. } => (visit, stop.url.to_string()),
        other => panic!("a visit was expected, not {other:?}"),
    }
}

#[test]
fn hosts_that_share_an_address_wait_for_each_other() {
    let mut station = Station::new(config(), Vec::new());
    for host in ["a.example", "b.example"] {
        station.handle(
            Timestamp(0),
            itinerary(u64::from(host == "b.example"), host, &["/"], RobotsRef::AllowAll),
        );
        assert!(matches!(station.poll(Timestamp(0)), StationAction::Resolve(_)));
        station.handle(Timestamp(0), resolved(host, 7));
    }
    let (visit, url) = visit_of(station.poll(Timestamp(0)));
    assert_eq!(url, "http://a.example/");
    assert_eq!(
        station.poll(Timestamp(0)),
        StationAction::WaitUntil(Timestamp(2_000)),
        "the address is asked once in 2 s"
    );
    station.handle(Timestamp(500), ended(visit, &url, FetchOutcome::NotModified));
    assert!(matches!(station.poll(Timestamp(500)), StationAction::Report(report) if report.done));
    assert_eq!(station.poll(Timestamp(2_000)), StationAction::WaitUntil(Timestamp(2_500)));
    assert_eq!(visit_of(station.poll(Timestamp(2_500))).1, "http://b.example/");
}

#[test]
fn rules_are_asked_again_at_the_visit() {
    let mut station = Station::new(config(), Vec::new());
    let body = b"User-agent: *\nDisallow: /no\n".to_vec();
    let robots = RobotsRef::Sent { hash: ContentHash::of(&body), body };
    station.handle(Timestamp(0), itinerary(1, "a.example", &["/no", "/yes"], robots));
    assert!(matches!(station.poll(Timestamp(0)), StationAction::Resolve(_)));
    station.handle(Timestamp(0), resolved("a.example", 1));
    let StationAction::Report(report) = station.poll(Timestamp(0)) else {
        panic!("the forbidden stop is reported")
    };
    assert_eq!((report.visits[0].outcome.clone(), report.visits[0].sent), (FetchOutcome::Disallowed, false));
    assert_eq!(visit_of(station.poll(Timestamp(0))).1, "http://a.example/yes");
}

#[test]
fn rules_a_station_does_not_hold_send_the_stops_back() {
    let mut station = Station::new(config(), Vec::new());
    station
        .handle(Timestamp(0), itinerary(1, "a.example", &["/x"], RobotsRef::Held(ContentHash::of(b"rules"))));
    assert!(matches!(station.poll(Timestamp(0)), StationAction::Resolve(_)));
    station.handle(Timestamp(0), resolved("a.example", 1));
    let StationAction::Report(report) = station.poll(Timestamp(0)) else { panic!("a report was expected") };
    assert!(report.done && report.visits.is_empty() && report.returned.len() == 1);
}

#[test]
fn retract_hands_back_what_has_not_begun_and_waits_for_what_has() {
    let mut station = Station::new(config(), Vec::new());
    station.handle(Timestamp(0), itinerary(1, "a.example", &["/1", "/2", "/3"], RobotsRef::AllowAll));
    assert!(matches!(station.poll(Timestamp(0)), StationAction::Resolve(_)));
    station.handle(Timestamp(0), resolved("a.example", 1));
    let (visit, url) = visit_of(station.poll(Timestamp(0)));
    station.handle(Timestamp(1), StationEvent::Retract);
    assert_eq!(station.poll(Timestamp(1)), StationAction::Idle);
    station.handle(Timestamp(2), ended(visit, &url, FetchOutcome::NotModified));
    let StationAction::Report(report) = station.poll(Timestamp(2)) else { panic!("a report was expected") };
    assert!(report.done && report.visits.len() == 1 && report.returned.len() == 2);
    assert_eq!(station.poll(Timestamp(20_000)), StationAction::Idle);
}

#[test]
fn a_host_without_an_address_answers_one_stop_and_returns_the_others() {
    let mut station = Station::new(config(), Vec::new());
    station.handle(Timestamp(0), itinerary(1, "gone.example", &["/1", "/2"], RobotsRef::AllowAll));
    assert!(matches!(station.poll(Timestamp(0)), StationAction::Resolve(_)));
    let why = Unresolved {
        kind: FailureKind::DnsFailure,
        detail: "cannot resolve gone.example".into(),
        limit: Some(Limit::DnsTimeout),
    };
    let event = StationEvent::Resolved { host: "gone.example".into(), address: Err(why) };
    station.handle(Timestamp(0), event);
    let StationAction::Report(report) = station.poll(Timestamp(0)) else { panic!("a report was expected") };
    let visit = &report.visits[0];
    assert_eq!(visit.outcome, FetchOutcome::Failed(FailureKind::DnsFailure));
    assert_eq!(
        (visit.detail.as_str(), visit.limits.as_slice()),
        ("cannot resolve gone.example", &[Limit::DnsTimeout][..])
    );
    assert!(report.done && report.returned.len() == 1);
}

#[test]
fn hosts_of_a_domain_share_a_gate_where_the_operator_wants_it() {
    let mut station = Station::new(StationConfig { gate_per_domain: true, ..config() }, Vec::new());
    station.handle(Timestamp(0), itinerary(1, "www.example.org", &["/"], RobotsRef::AllowAll));
    assert!(matches!(station.poll(Timestamp(0)), StationAction::Resolve(_)));
    station.handle(Timestamp(0), resolved("www.example.org", 1));
    station.handle(Timestamp(0), itinerary(2, "docs.example.org", &["/"], RobotsRef::AllowAll));
    let (visit, url) = visit_of(station.poll(Timestamp(0)));
    assert_eq!(station.poll(Timestamp(0)), StationAction::Idle, "one visit in flight per domain");
    station.handle(Timestamp(100), ended(visit, &url, FetchOutcome::NotModified));
    assert!(matches!(station.poll(Timestamp(100)), StationAction::Report(report) if report.done));
    assert_eq!(station.poll(Timestamp(100)), StationAction::WaitUntil(Timestamp(10_100)));
}

#[test]
fn after_an_abrupt_end_a_host_without_a_trace_is_waited_for_too() {
    let config = StationConfig { unclean_start: Some(Timestamp(1_000)), ..config() };
    let mut station = Station::new(config, Vec::new());
    station.handle(Timestamp(1_005), itinerary(1, "a.example", &["/"], RobotsRef::AllowAll));
    assert!(matches!(station.poll(Timestamp(1_005)), StationAction::Resolve(_)));
    station.handle(Timestamp(1_006), resolved("a.example", 1));
    assert_eq!(station.poll(Timestamp(1_006)), StationAction::WaitUntil(Timestamp(11_000)));
}

/// When the second stop of a host may be visited after a first that took so long to read.
fn reopened_after(delay_ms: u64, read_ms: u64) -> Timestamp {
    let mut station = Station::new(config(), Vec::new());
    let mut arrival = itinerary(1, "a.example", &["/1", "/2"], RobotsRef::AllowAll);
    if let StationEvent::Arrived(itinerary) = &mut arrival {
        itinerary.delay_ms = delay_ms;
    }
    station.handle(Timestamp(0), arrival);
    station.handle(
        Timestamp(0),
        StationEvent::Resolved { host: "a.example".into(), address: Ok([127, 0, 0, 1].into()) },
    );
    while !matches!(station.poll(Timestamp(0)), StationAction::Visit { .. }) {}
    let mut end = ended(VisitId(0), "http://a.example/1", FetchOutcome::Fetched);
    if let StationEvent::Visited { report, .. } = &mut end {
        report.read_ms = read_ms;
    }
    station.handle(Timestamp(1000), end);
    station.openings().next().map(|(at, _)| at).unwrap()
}

#[test]
fn a_host_rests_after_a_page_that_was_dear_to_read() {
    for (delay_ms, read_ms, rest_ms) in [
        (0, 0, 0),
        (0, 20, 0),
        (0, 100, 900),
        // A longer delay holds the rest already.
        (5_000, 100, 5_000),
        (500, 100, 900),
        // Nobody is left alone for ever.
        (0, 3_600_000, 10_000),
        (0, u64::MAX, 10_000),
    ] {
        assert_eq!(reopened_after(delay_ms, read_ms), Timestamp(1000 + rest_ms), "{delay_ms} {read_ms}");
    }
}
