use super::*;
use proptest::prelude::*;

#[test]
fn known_instants_print_as_rfc_3339() {
    for (ms, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_400_000, "2000-02-29T00:00:00Z"),
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        (4_102_444_799_000, "2099-12-31T23:59:59Z"),
    ] {
        assert_eq!(Timestamp(ms).to_string(), text);
    }
    assert_eq!(Timestamp(1_700_000_000_123).to_cdx(), "20231114221320");
}

#[test]
fn impossible_dates_are_refused() {
    assert_eq!(Timestamp::from_utc(2023, 2, 29, 0), None);
    assert_eq!(Timestamp::from_utc(2023, 13, 1, 0), None);
    assert_eq!(Timestamp::from_utc(1969, 1, 1, 0), None);
    assert!(Timestamp::from_utc(2024, 2, 29, 86_399).is_some());
}

proptest! {
    #[test]
    fn date_and_instant_convert_both_ways(ms in 0u64..4_102_444_800_000) {
        let t = Timestamp(ms / 1000 * 1000);
        let (y, mo, d, h, mi, s, _) = t.to_utc();
        prop_assert_eq!(Timestamp::from_utc(y, mo, d, h * 3600 + mi * 60 + s), Some(t));
    }
}
