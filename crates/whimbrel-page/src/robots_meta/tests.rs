use super::{from_header, from_meta};
use whimbrel_types::MetaRobots;

fn header(value: &str) -> MetaRobots {
    from_header(value, "Whimbrel/1.0")
}

#[test]
fn what_is_said_to_everybody_or_to_us_counts() {
    assert!(header("noindex, nofollow").noindex);
    assert!(header("whimbrel: noindex").noindex);
    assert!(header("otherbot: nofollow, whimbrel: noindex").noindex);
    assert!(!header("otherbot: nofollow, whimbrel: noindex").nofollow);
    assert_eq!(header("otherbot: noindex, nofollow"), MetaRobots::default());
    assert!(from_meta("ROBOTS", " NoNe ", "Whimbrel").noindex);
    assert!(from_meta("whimbrel", "noindex", "Whimbrel").noindex);
    assert_eq!(from_meta("googlebot", "noindex", "Whimbrel"), MetaRobots::default());
}

#[test]
fn unavailable_after_reads_dates_with_commas_and_goes_on_behind_them() {
    let robots = header("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noarchive");
    assert_eq!(robots.unavailable_after.map(|at| at.to_string()).as_deref(), Some("2010-06-25T15:00:00Z"));
    assert!(robots.noarchive);
    let robots = header("noindex, unavailable_after: 2030-01-02T03:04:05+01:00");
    assert_eq!(robots.unavailable_after.map(|at| at.to_string()).as_deref(), Some("2030-01-02T02:04:05Z"));
    assert!(robots.noindex);
    let robots = from_meta("robots", "unavailable_after: never, nofollow", "x");
    assert_eq!(robots.unavailable_after, None);
    assert!(robots.nofollow);
}

#[test]
fn a_snippet_of_no_length_is_no_snippet() {
    assert!(header("max-snippet:0").nosnippet);
    assert!(!header("max-snippet:20").nosnippet);
}

#[test]
fn separators_case_and_order_do_not_matter() {
    for list in [
        "noindex,nofollow",
        "NOINDEX ; NoFollow",
        "nofollow noindex",
        " ,, noindex,\tnofollow, all",
        "none",
        "index, none",
    ] {
        let robots = from_meta(" Robots ", list, "whimbrel");
        assert!(robots.noindex && robots.nofollow, "{list}");
    }
    assert_eq!(
        from_meta("robots", "index, follow, all, max-image-preview:large, noindexing", "x"),
        MetaRobots::default()
    );
}
