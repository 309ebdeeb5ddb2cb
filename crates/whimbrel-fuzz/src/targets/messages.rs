//! What engine and stations tell each other, as another machine could send it. Laws: those of rows.

use crate::target::{Target, answer, size};
use whimbrel_plan::message::{Itinerary, Report, Stop};

pub(super) const TARGET: Target = Target {
    name: "messages",
    run,
    seeds: || {
        let mut seeds = vec![vec![0; 64], vec![1; 200]];
        // An itinerary by hand: run, number, site (http, name, port), one stop, delay, robots, expiry.
        let mut itinerary = vec![1, 2, 0, 6];
        itinerary.extend_from_slice(b"a.test\x50\x01\x0fhttp://a.test/x");
        itinerary.extend_from_slice(&[0; 40]);
        seeds.push(itinerary);
        seeds
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
