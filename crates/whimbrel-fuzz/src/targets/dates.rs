//! Dates as people write them. Laws: what was understood, written by the standard, is understood as the same; a sitemap
//! knows all that it says with its precision.

use crate::target::{Shared, Target, answer, text, texts};
use whimbrel_page::dates::parse_date;
use whimbrel_url::date::sitemap_date;

pub(super) const TARGET: Target = Target {
    name: "dates",
    run,
    seeds: || {
        texts(&[
            "2024-02-29T12:34:56.789+05:30",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "20240102T030405Z",
            "March 5th, 2021",
            "5 mars 2021",
            "2021/03/05 11:59 PM",
            "2024",
            "2024-13-45",
            "1700000000",
        ])
    },
    tokens: &[
        "T", "Z", "+00:00", "-", ":", "GMT", "UTC", "am", "PM", "Feb", "février", "2024", "1970", "9999",
        "0000", ".", ",", "24:00:00", "60", "W01",
    ],
    shared: &[Shared { file: "sitemap/dates.jsonl", fields: &["text"] }],
    bytes_max: 128,
    smoke_runs: 8000,
};

fn run(data: &[u8]) -> u64 {
    let written = text(data);
    let found = parse_date(&written);
    if let Some(at) = found {
        assert_eq!(
            parse_date(&at.to_string()),
            Some(at),
            "{written:?} is {at}, which is not understood again"
        );
    }
    let of_sitemap = sitemap_date(&written);
    if let Some((at, _)) = of_sitemap {
        let again = sitemap_date(&at.to_string()).map(|(again, _)| again);
        assert_eq!(again, Some(at), "{written:?} is {at}, which is not understood again");
    }
    answer((found.map(|at| at.0 / 10_000_000_000), of_sitemap.map(|(_, precision)| format!("{precision:?}"))))
}
