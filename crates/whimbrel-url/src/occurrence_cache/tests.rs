use super::*;
use proptest::prelude::*;

#[test]
fn the_rarest_leaves_and_among_equals_the_longest_unused() {
    let mut cache = OccurrenceCache::new(3);
    for key in ["a", "b", "c"] {
        assert_eq!(cache.insert(key, ()), None);
    }
    assert!(cache.get(&"a").is_some());
    assert!(cache.get(&"b").is_some());
    assert!(cache.get(&"a").is_some());
    assert_eq!(cache.insert("d", ()), Some(("c", ())));
    assert!(cache.get(&"d").is_some());
    assert_eq!(cache.insert("e", ()), Some(("b", ())), "b and d were met twice, d later");
    assert_eq!(cache.occurrences(&"a"), 3);
    assert_eq!(cache.occurrences(&"e"), 1);
    assert_eq!(cache.occurrences(&"c"), 0);
    assert_eq!(cache.len(), 3);
}

#[test]
fn inserting_again_replaces_the_value_and_counts() {
    let mut cache = OccurrenceCache::new(2);
    assert_eq!(cache.insert(1, "x"), None);
    assert_eq!(cache.insert(1, "y"), Some((1, "x")));
    assert_eq!(cache.occurrences(&1), 2);
    assert_eq!(cache.peek(&1), Some(&"y"));
    *cache.get(&1).unwrap() = "z";
    assert_eq!(cache.peek(&1), Some(&"z"));
    assert_eq!(cache.len(), 1);
}

#[test]
fn a_cache_without_capacity_keeps_nothing() {
    let mut cache = OccurrenceCache::new(0);
    assert_eq!(cache.insert(1, 2), Some((1, 2)));
    assert!(cache.is_empty() && cache.get(&1).is_none());
}

/// A link stream as pages make it: the menu twice (for wide and narrow screens), then links of the page's own.
#[test]
fn menu_links_survive_a_flood_of_links_met_once() {
    let mut by_count = OccurrenceCache::new(60);
    // Least recently used first.
    let mut by_recency: Vec<u32> = Vec::new();
    let (mut count_hits, mut recency_hits, mut links) = (0, 0, 0);
    for page in 0..100_u32 {
        let own = 1000 + page * 80..1000 + page * 80 + 80;
        for link in (0..40).chain(0..40).chain(own) {
            links += 1;
            if by_count.get(&link).is_some() {
                count_hits += 1;
            } else {
                by_count.insert(link, ());
            }
            if let Some(at) = by_recency.iter().position(|known| *known == link) {
                recency_hits += 1;
                by_recency.remove(at);
            } else if by_recency.len() == 60 {
                by_recency.remove(0);
            }
            by_recency.push(link);
        }
    }
    assert_eq!(links, 16_000);
    assert_eq!(recency_hits, 40 * 100, "only the second menu of each page");
    assert_eq!(count_hits, 80 * 100 - 40, "every menu but the very first");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn agrees_with_a_list_searched_from_end_to_end(
        capacity in 1_usize..6,
        keys in proptest::collection::vec(0_u8..10, 0..80),
    ) {
        let mut cache = OccurrenceCache::new(capacity);
        // Least recently used first.
        let mut model: Vec<(u8, u64)> = Vec::new();
        for key in keys {
            let known = model.iter().position(|(other, _)| *other == key);
            prop_assert_eq!(cache.get(&key).is_some(), known.is_some());
            if let Some(at) = known {
                let (_, count) = model.remove(at);
                model.push((key, count + 1));
            } else {
                let mut expected = None;
                if model.len() == capacity {
                    let lowest = model.iter().map(|(_, count)| *count).min().unwrap();
                    let at = model.iter().position(|(_, count)| *count == lowest).unwrap();
                    expected = Some((model.remove(at).0, ()));
                }
                model.push((key, 1));
                prop_assert_eq!(cache.insert(key, ()), expected);
            }
            for (known, count) in &model {
                prop_assert_eq!(cache.occurrences(known), *count);
            }
            prop_assert_eq!(cache.len(), model.len());
        }
    }
}
