use super::*;
use crate::{CanonicalUrl, Site};

#[test]
fn keys_sort_by_partition_then_site_then_url_and_decode_again() {
    let url = CanonicalUrl::from_canonical("https://example.org/a?b=c").unwrap();
    let key = url.key();
    let bytes = key.to_bytes();
    assert_eq!(bytes.len(), 25);
    assert_eq!(UrlKey::from_bytes(&bytes), Some(key));
    assert_eq!(&bytes[..9], &key.site.to_bytes());
    assert_eq!(UrlKey::from_bytes(&bytes[..24]), None);
}

#[test]
fn all_sites_of_a_host_share_a_partition() {
    let sites = ["http://example.org/", "https://example.org/", "http://example.org:8080/"]
        .map(|u| Site::of(&CanonicalUrl::from_canonical(u).unwrap()).key());
    assert!(sites.iter().all(|s| s.partition == sites[0].partition));
    assert!(sites[0] != sites[1] && sites[1] != sites[2] && sites[0] != sites[2]);
}

/// The format on disk: a change here is a new store version, never an accident.
#[test]
fn key_bytes_never_change() {
    let url = CanonicalUrl::from_canonical("https://example.org/").unwrap();
    assert_eq!(hex(&url.key().to_bytes()), include_str!("golden_key.txt").trim());
}
