use super::*;
use crate::normalize;

fn check(scope: Scope, seeds: &[&str], inside: &[&str], outside: &[&str]) {
    let seeds: Vec<CanonicalUrl> = seeds.iter().map(|seed| normalize(seed).unwrap()).collect();
    let set = ScopeSet::new(scope, &seeds);
    for seed in &seeds {
        assert!(set.contains(seed), "{scope}: its own seed {seed}");
    }
    for url in inside {
        assert!(set.contains(&normalize(url).unwrap()), "{scope}: {url} should be inside");
    }
    for url in outside {
        assert!(!set.contains(&normalize(url).unwrap()), "{scope}: {url} should be outside");
    }
}

#[test]
fn page_scope_is_the_seeds_alone() {
    check(Scope::Page, &["http://e.org/a"], &["http://e.org/a#x"], &["http://e.org/a/", "https://e.org/a"]);
}

#[test]
fn prefix_scope_is_the_seed_directory() {
    check(
        Scope::Prefix,
        &["http://e.org/docs/intro.html", "https://e.org:8443/x/"],
        &["http://e.org/docs/", "https://e.org/docs/a/b?c", "https://e.org:8443/x/y"],
        &[
            "http://e.org/doc",
            "http://e.org/docs",
            "http://e.org/",
            "http://www.e.org/docs/",
            "http://e.org:8443/docs/",
        ],
    );
}

#[test]
fn host_scope_joins_schemes_and_parts_ports() {
    check(
        Scope::Host,
        &["http://127.0.0.1:8001/", "https://e.org/"],
        &["http://127.0.0.1:8001/a", "http://e.org/b", "http://e.org./b", "http://user@e.org/b"],
        &[
            "http://127.0.0.1:8002/",
            "http://127.0.0.1/",
            "http://e.org:443/",
            "http://www.e.org/",
            "http://e.org:8080/",
        ],
    );
}

#[test]
fn domain_scope_follows_the_public_suffix_list() {
    check(
        Scope::Domain,
        &[
            "http://www.example.co.uk/",
            "http://127.0.0.1:8001/",
            "http://localhost:7/",
            "http://me.github.io/",
        ],
        &[
            "https://a.b.example.co.uk:8080/",
            "http://example.co.uk/",
            "http://127.0.0.1:8001/x",
            "http://localhost:7/",
        ],
        &[
            "http://other.co.uk/",
            "http://9.0.0.1:8001/",
            "http://127.0.0.1/",
            "http://localhost/",
            "http://you.github.io/",
        ],
    );
    check(
        Scope::Domain,
        &["http://[::1]:81/"],
        &["http://[::1]:81/a"],
        &["http://[::1]/", "http://[::2]:81/"],
    );
}

#[test]
fn any_scope_is_everything() {
    check(Scope::Any, &[], &["http://e.org/", "https://127.0.0.1:1/"], &[]);
}

#[test]
fn names_are_read_and_printed() {
    for name in ["page", "prefix", "host", "domain", "any"] {
        assert_eq!(name.parse::<Scope>().unwrap().to_string(), name);
    }
    assert_eq!(
        "site".parse::<Scope>().unwrap_err().to_string(),
        "unknown scope `site`, use page, prefix, host, domain or any"
    );
}
