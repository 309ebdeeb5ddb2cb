//! What engine and stations tell each other, as another machine could send it. Laws: those of rows.

use crate::target::{Target, answer, size};
use whimbrel_plan::message::{
    Itinerary, ItineraryId, Known, Report, ReportId, RobotsAnswer, RobotsRef, Stop, StopKind, VisitReport,
};
use whimbrel_types::{CanonicalUrl, ContentHash, FetchOutcome, Timestamp};

pub(super) const TARGET: Target = Target {
    name: "messages",
    run,
    seeds: || {
        let url = CanonicalUrl::from_canonical("http://a.test/x").expect("it is canonical");
        let now = Timestamp(1_700_000_000_000);
        let stop = Stop { url: url.clone(), kind: StopKind::Page, known: Known::default(), depth: 2 };
        let id = ItineraryId { run: 1, number: 2 };
        let robots = RobotsRef::Sent { hash: ContentHash::of(b"x"), body: b"Disallow: /".to_vec() };
        let itinerary =
            Itinerary { id, site: url.site(), stops: vec![stop.clone()], delay_ms: 5, robots, expires: now };
        let mut visit = VisitReport::new(&stop, now, FetchOutcome::Fetched);
        visit.robots = Some(RobotsAnswer { status: Some(200), body: b"Allow: /".to_vec() });
        let report = Report {
            id: ReportId { itinerary: id, part: 1 },
            site: url.site(),
            visits: vec![visit],
            returned: vec![url],
            gate: None,
            done: true,
        };
        [postcard::to_stdvec(&itinerary), postcard::to_stdvec(&report), postcard::to_stdvec(&stop)]
            .map(|written| written.expect("messages can be written"))
            .to_vec()
    },
    tokens: &["\u{f}http://a.test/x", "\u{6}a.test", "\u{1}", "\0\0\0\0"],
    shared: &[],
    bytes_max: 1024,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let itinerary = postcard::from_bytes::<Itinerary>(data).ok();
    let report = postcard::from_bytes::<Report>(data).ok();
    let stop = postcard::from_bytes::<Stop>(data).ok();
    if let Some(itinerary) = &itinerary {
        let written = postcard::to_stdvec(itinerary).expect("messages can be written");
        let again: Itinerary = postcard::from_bytes(&written).expect("what was written is read");
        assert_eq!(&again, itinerary);
        itinerary.stops.iter().for_each(ask);
    }
    if let Some(report) = &report {
        let written = postcard::to_stdvec(report).expect("messages can be written");
        let again: Report = postcard::from_bytes(&written).expect("what was written is read");
        assert_eq!(&again, report);
    }
    stop.iter().for_each(ask);
    answer((
        itinerary.map(|itinerary| size(itinerary.stops.len())),
        report.map(|report| (size(report.visits.len()), size(report.returned.len()))),
        stop.map(|stop| size(stop.depth.into())),
    ))
}

fn ask(stop: &Stop) {
    let url = &stop.url;
    let _ = (url.host().len(), url.path().len(), url.site(), url.key(), url.port(), url.extension());
}
