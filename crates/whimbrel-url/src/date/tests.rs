use super::{DatePrecision, parse_date, sitemap_date};
use proptest::prelude::*;

fn check(text: &str, expected: Option<(&str, DatePrecision)>) {
    let actual = sitemap_date(text).map(|(at, precision)| (at.to_string(), precision));
    assert_eq!(actual, expected.map(|(at, precision)| (at.to_owned(), precision)), "{text:?}");
}

#[test]
fn every_form_of_the_w3c_profile_is_read_with_its_precision() {
    check("1997", Some(("1997-01-01T00:00:00Z", DatePrecision::Year)));
    check("1997-07", Some(("1997-07-01T00:00:00Z", DatePrecision::Month)));
    check("1997-07-16", Some(("1997-07-16T00:00:00Z", DatePrecision::Day)));
    check("1997-07-16T19:20+01:00", Some(("1997-07-16T18:20:00Z", DatePrecision::Exact)));
    check("1997-07-16T19:20:30+01:00", Some(("1997-07-16T18:20:30Z", DatePrecision::Exact)));
    check("1997-07-16T19:20:30.45+01:00", Some(("1997-07-16T18:20:30.450Z", DatePrecision::Exact)));
    check("1994-11-05T13:15:30Z", Some(("1994-11-05T13:15:30Z", DatePrecision::Exact)));
}

#[test]
fn dates_that_people_write_wrongly_are_read_where_only_one_reading_is_possible() {
    check("2005-01-01T00:00:00", Some(("2005-01-01T00:00:00Z", DatePrecision::Local)));
    check("2014-06-03 10:30:45", Some(("2014-06-03T10:30:45Z", DatePrecision::Local)));
    check("2014-6-3", Some(("2014-06-03T00:00:00Z", DatePrecision::Day)));
    check("2014-06-03T10:30:45+0200", Some(("2014-06-03T08:30:45Z", DatePrecision::Exact)));
    check("2014-06-03T10:30:45+2:00", Some(("2014-06-03T08:30:45Z", DatePrecision::Exact)));
    check("2014-06-03T10:30:45 GMT", Some(("2014-06-03T10:30:45Z", DatePrecision::Exact)));
    check("20140603T103045Z", Some(("2014-06-03T10:30:45Z", DatePrecision::Exact)));
    check("\u{FEFF}2014-06-03\u{A0}", Some(("2014-06-03T00:00:00Z", DatePrecision::Day)));
    check("03.06.2014", Some(("2014-06-03T00:00:00Z", DatePrecision::Day)));
    check("3.6.2014 10:30", Some(("2014-06-03T10:30:00Z", DatePrecision::Local)));
    check("17/05/2024", Some(("2024-05-17T00:00:00Z", DatePrecision::Day)));
    check("05/17/2024", Some(("2024-05-17T00:00:00Z", DatePrecision::Day)));
    check("Thu, 05 Jan 17 13:34:52 +0100", Some(("2017-01-05T12:34:52Z", DatePrecision::Exact)));
    check("05 Jan 17 13:34:55", Some(("2017-01-05T13:34:55Z", DatePrecision::Local)));
    check("Tue, 10 Aug 2010 20:43:53 -0000", Some(("2010-08-10T20:43:53Z", DatePrecision::Exact)));
}

#[test]
fn what_names_no_moment_or_two_is_refused() {
    let refused = "|blah|0000-00-00|0000-00-00T00:00:00Z|2021-06-18T112:13:04+00:00|2014-13-01|2014-02-30|\
                   05/06/2014|5-6-2014|2014-06-03T10|2014-06T10:00|31.13.2014|32/05/2014|2014-06-03T10:61|\
                   2014-06-03T10:30:45+99:00|1969-01-01|20140|2014-|2014-06-";
    for text in refused.split('|') {
        check(text, None);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9TZ:+./ -]{0,30}|\\PC{0,40}") {
        let _ = parse_date(&text);
    }

    #[test]
    fn what_is_printed_is_read_back(ms in 0_u64..4_102_444_800_000) {
        let at = whimbrel_types::Timestamp(ms);
        prop_assert_eq!(sitemap_date(&at.to_string()), Some((at, DatePrecision::Exact)));
    }
}
