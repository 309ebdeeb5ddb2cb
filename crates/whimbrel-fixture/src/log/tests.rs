use super::*;

fn entry(sequence: u64, site: &str, start_ms: f64, end_ms: f64) -> AccessEntry {
    AccessEntry {
        sequence,
        site: site.to_owned(),
        path: "/".to_owned(),
        start_ms,
        end_ms,
        ..AccessEntry::default()
    }
}

#[test]
fn the_gap_is_taken_between_arrivals_of_the_chosen_entries_only() {
    let entries = [
        entry(0, "a", 0.0, 5.0),
        entry(1, "b", 10.0, 12.0),
        entry(2, "a", 100.0, 101.0),
        entry(3, "a", 130.5, 140.0),
    ];
    assert_eq!(smallest_gap_ms(&entries, |entry| entry.site == "a"), Some(30.5));
    assert_eq!(smallest_gap_ms(&entries, |_| true), Some(10.0));
    assert_eq!(smallest_gap_ms(&entries, |entry| entry.site == "b"), None);
}

#[test]
fn requests_back_to_back_are_not_at_once() {
    let apart = [entry(0, "a", 0.0, 5.0), entry(1, "a", 5.0, 9.0)];
    assert_eq!(requests_at_once_max(&apart, |_| true), 1);
    let together = [entry(0, "a", 0.0, 5.0), entry(1, "a", 4.0, 9.0), entry(2, "a", 4.5, 4.6)];
    assert_eq!(requests_at_once_max(&together, |_| true), 3);
    assert_eq!(requests_at_once_max(&[], |_| true), 0);
}

#[test]
fn a_line_that_is_still_being_written_is_left_out_and_a_spoilt_one_is_an_error() {
    let file = std::env::temp_dir().join(format!("whimbrel-fixture-log-{}", std::process::id()));
    let line = serde_json::to_string(&entry(7, "a", 1.25, 2.5)).unwrap();
    std::fs::write(&file, format!("{line}\n{}", &line[..20])).unwrap();
    assert_eq!(read_log(&file).unwrap(), [entry(7, "a", 1.25, 2.5)]);
    std::fs::write(&file, format!("{}\n{line}\n", &line[..20])).unwrap();
    assert!(read_log(&file).is_err());
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn requests_are_counted_per_site_and_path() {
    let counts =
        requests_per_path(&[entry(0, "a", 0.0, 1.0), entry(1, "a", 2.0, 3.0), entry(2, "b", 2.0, 3.0)]);
    assert_eq!(counts[&("a".to_owned(), "/".to_owned())], 2);
    assert_eq!(counts[&("b".to_owned(), "/".to_owned())], 1);
}
