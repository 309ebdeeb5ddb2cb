use super::LinkDecision::{CacheDiscard, CacheRevisit, New, StoreDiscard, StoreRevisit};
use super::*;
use crate::occurrence_cache::OccurrenceCache;
use std::collections::BTreeMap;

#[test]
fn a_trace_shows_every_outcome_and_counts_duplicate_sightings() {
    let visited_at_10 = Known { visited: Some(Timestamp(10)) };
    let mut cache: OccurrenceCache<&str, Known> = OccurrenceCache::new(2);
    let mut store: BTreeMap<&str, Known> = BTreeMap::from([("old", visited_at_10), ("stale", visited_at_10)]);
    let mut duplicate_sightings: BTreeMap<&str, u32> = BTreeMap::new();
    let trace = [
        ("a", None, New),
        ("a", None, CacheDiscard),
        ("a", Some(20), CacheDiscard),
        ("old", None, StoreDiscard),
        ("old", Some(10), CacheDiscard),
        ("old", Some(11), CacheRevisit),
        ("stale", Some(30), StoreRevisit),
        ("b", Some(30), New),
        // `a` and `old` had been met three times each, `a` longer ago: it left the cache for `stale`.
        ("a", None, StoreDiscard),
        ("stale", Some(9), StoreDiscard),
    ];
    for (url, last_modified, expected) in trace {
        let cached = cache.get(&url).copied();
        let decision = decide(cached, || store.get(url).copied(), last_modified.map(Timestamp));
        assert_eq!(decision, expected, "{url} {last_modified:?}");
        if decision == New {
            store.insert(url, Known::default());
        }
        if cached.is_none() {
            cache.insert(url, store[url]);
        }
        if decision.is_duplicate_sighting() {
            *duplicate_sightings.entry(url).or_default() += 1;
        }
    }
    assert_eq!(duplicate_sightings, BTreeMap::from([("a", 3), ("old", 2), ("stale", 1)]));
}

#[test]
fn the_store_is_not_asked_about_what_the_cache_knows() {
    let decision = decide(Some(Known::default()), || panic!("asked the store"), None);
    assert_eq!(decision, CacheDiscard);
    assert_eq!(decide(None, || None, None).as_str(), "new");
}
