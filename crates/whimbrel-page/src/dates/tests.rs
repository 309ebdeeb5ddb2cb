use super::parse_date;

fn check(text: &str, expected: Option<&str>) {
    assert_eq!(parse_date(text).map(|at| at.to_string()).as_deref(), expected, "{text:?}");
}

#[test]
fn iso_dates_of_every_precision_are_read() {
    check("2024", Some("2024-01-01T00:00:00Z"));
    check("2024-05", Some("2024-05-01T00:00:00Z"));
    check("2024-05-17", Some("2024-05-17T00:00:00Z"));
    check("20240517", Some("2024-05-17T00:00:00Z"));
    check("2024/05/17", Some("2024-05-17T00:00:00Z"));
    check("2024-05-17T10:20Z", Some("2024-05-17T10:20:00Z"));
    check("2024-05-17T10:20:30+02:00", Some("2024-05-17T08:20:30Z"));
    check("2024-05-17 10:20:30.25 -0330", Some("2024-05-17T13:50:30.250Z"));
    check("20240517T102030Z", Some("2024-05-17T10:20:30Z"));
    check("2024-02-29", Some("2024-02-29T00:00:00Z"));
    check("2024-12-31T24:00:00Z", Some("2025-01-01T00:00:00Z"));
    check(" 2024-05-17T10:20:30.123456789Z ", Some("2024-05-17T10:20:30.123Z"));
}

#[test]
fn mail_http_and_c_dates_are_read() {
    check("Fri, 17 May 2024 10:20:30 GMT", Some("2024-05-17T10:20:30Z"));
    check("17 May 2024 10:20 +0200", Some("2024-05-17T08:20:00Z"));
    check("Friday, 17-May-24 10:20:30 GMT", Some("2024-05-17T10:20:30Z"));
    check("Fri May 17 10:20:30 2024", Some("2024-05-17T10:20:30Z"));
    check("25 Jun 2010 15:00:00 PST", Some("2010-06-25T23:00:00Z"));
}

#[test]
fn english_dates_are_read() {
    check("May 17, 2024", Some("2024-05-17T00:00:00Z"));
    check("17th May 2024", Some("2024-05-17T00:00:00Z"));
    check("Sept. 3, 2019 at 4:05 PM", Some("2019-09-03T16:05:00Z"));
    check("Sept 3, 2019 12:05am", Some("2019-09-03T00:05:00Z"));
}

#[test]
fn what_is_no_date_is_refused() {
    for text in [
        "",
        "yesterday",
        "03/04/2024",
        "2024-13-01",
        "2023-02-29",
        "2024-05-17T25:00",
        "12",
        "1969-12-31",
        "2024-05-17Tgarbage",
        "99999999999",
        "2024-05-17T10:20:30+25:00",
        "мая 2024",
    ] {
        check(text, None);
    }
}
