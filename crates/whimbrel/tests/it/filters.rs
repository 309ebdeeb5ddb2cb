//! What is let in: scope, depth, patterns, filters, types, seed files.

use crate::support::{Collection, Served, linking};
use std::collections::BTreeSet;
use whimbrel_fixture::{Answer, SiteSpec, Web};

fn web() -> Web {
    let leaf = |name: &str| linking(name, &format!("words of {name}"), &[]);
    let site = SiteSpec::new("a")
        .with(
            "/",
            linking("Home", "front", &["/docs/", "/blog/", "/photo.jpg", "/paper.pdf", "{{origin:b}}/"]),
        )
        .with("/docs/", linking("Docs", "docs", &["/docs/one", "/docs/two", "/blog/"]))
        .with("/docs/one", linking("One", "one", &["/docs/one/deep"]))
        .with("/docs/one/deep", linking("Deep", "deep", &["/docs/one/deep/deeper"]))
        .with("/docs/one/deep/deeper", leaf("deeper"))
        .with("/docs/two", leaf("two"))
        .with("/blog/", linking("Blog", "blog", &["/blog/x?sort=new", "/blog/y"]))
        .with("/blog/x?sort=new", leaf("x"))
        .with("/blog/y", leaf("y"))
        .with("/photo.jpg", Answer::bytes("image/jpeg", vec![7; 5000]))
        .with("/paper.pdf", Answer::bytes("application/pdf", vec![8; 5000]));
    Web::new([
        site,
        SiteSpec::new("b").with("/", linking("Other", "other", &["/more"])).with("/more", leaf("more")),
    ])
}

/// Paths a crawl asked for, per site, robots.txt left out.
fn visited(flags: &[&str]) -> BTreeSet<(String, String)> {
    let served = Served::hosts(web());
    let mut all = vec!["--delay", "0.005"];
    all.extend(flags);
    Collection::new().crawl_well(&[served.url("a", "/docs/")], &all);
    served.page_log().into_iter().map(|entry| (entry.site, entry.path)).collect()
}

fn paths(site: &str, list: &[&str]) -> BTreeSet<(String, String)> {
    list.iter().map(|path| (site.to_owned(), (*path).to_owned())).collect()
}

const DOCS: [&str; 5] = ["/docs/", "/docs/one", "/docs/one/deep", "/docs/one/deep/deeper", "/docs/two"];
const BLOG: [&str; 3] = ["/blog/", "/blog/x?sort=new", "/blog/y"];

#[test]
fn scope_depth_and_filters_decide_what_is_visited() {
    let docs = paths("a", &DOCS);
    let both = paths("a", &[&DOCS[..], &BLOG[..]].concat());
    assert_eq!(visited(&[]), both, "the whole host by default");
    assert_eq!(visited(&["--scope", "page"]), paths("a", &["/docs/"]));
    assert_eq!(visited(&["--scope", "prefix"]), docs);
    assert_eq!(visited(&["--depth", "0"]), paths("a", &["/docs/"]));
    assert_eq!(visited(&["--depth", "1"]), paths("a", &["/docs/", "/docs/one", "/docs/two", "/blog/"]));
    assert_eq!(visited(&["--include", "/docs/"]), docs);
    assert_eq!(visited(&["--exclude", "/blog/"]), docs);
    assert_eq!(
        visited(&["--exclude", "deep", "--exclude", "/blog/"]),
        paths("a", &["/docs/", "/docs/one", "/docs/two"])
    );
    let mut without = both.clone();
    without.remove(&("a".to_owned(), "/blog/x?sort=new".to_owned()));
    assert_eq!(visited(&["--filter", "not(query(sort))"]), without);
    assert_eq!(visited(&["--filter", "or(path(/docs/), path(/nothing/))"]), docs);
}

#[test]
fn a_rejected_url_is_explained_and_checked_by_the_same_rules() {
    let served = Served::hosts(web());
    let collection = Collection::new();
    let config = collection.write(
        "c.toml",
        "[crawl]\nexclude = [\"/blog/\"]\n[crawl.filters]\nno_deep = \"not(path(/docs/one/))\"\n",
    );
    collection.crawl_well(&[served.url("a", "/docs/")], &["--delay", "0.005", "--config", &config]);
    for (path, reason) in [("/blog/y", "filter"), ("/docs/one/deep", "no_deep"), ("/photo.jpg", "extension")]
    {
        let url = served.url("a", path);
        let explained = collection.explain(&url);
        assert_eq!(explained["admitted"], false, "{explained}");
        assert!(explained["reason"].as_str().unwrap().contains(reason), "{explained}");
        let checked = collection.json(&["check", &url, "--config", &config]);
        assert!(checked["urls"][0]["reason"].as_str().unwrap().contains(reason), "{checked}");
    }
    let elsewhere = collection.explain(&served.url("b", "/"));
    assert_eq!(
        (&elsewhere["admitted"], &elsewhere["reason"]),
        (&false.into(), &"out_of_scope".into()),
        "{elsewhere}"
    );
}

#[test]
fn seeds_come_from_files_too() {
    let served = Served::hosts(web());
    let collection = Collection::new();
    let (a, b) = (served.url("a", "/blog/"), served.url("b", "/more"));
    let file = collection.write("seeds.txt", &format!("# two of them\n{a}\n\n{b} # the other\n"));
    collection.crawl_well(&[], &["--seed-file", &file, "--scope", "page", "--delay", "0.005"]);
    let stored: Vec<String> = collection.pages().into_keys().collect();
    assert_eq!(stored, vec![a, b]);
    let missing = Collection::new().crawl(&[], &["--seed-file", "/does/not/exist"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.contains("/does/not/exist"), "{}", missing.stderr);
}

#[test]
fn unwanted_types_are_refused_by_name_or_cut_after_the_headers() {
    let site = SiteSpec::new("s")
        .with("/", linking("Home", "front", &["/photo.jpg", "/archive.zip", "/notes.txt", "/film", "/table"]))
        .with("/photo.jpg", Answer::bytes("image/jpeg", vec![1; 100]))
        .with("/archive.zip", Answer::bytes("application/zip", vec![2; 100]))
        .with("/notes.txt", Answer::text("plain marginalia"))
        .with("/film", Answer::Endless { content_type: "video/mp4".into(), piece: vec![3; 8192].into() })
        .with("/table", Answer::text("tabulated figures"));
    let served = Served::hosts(Web::new([site]));
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    let asked = served.asked("s");
    assert!(!asked.contains_key("/photo.jpg") && !asked.contains_key("/archive.zip"), "{asked:?}");
    assert_eq!(asked.get("/film"), Some(&1), "only the header tells its type");
    let film = served.log().into_iter().find(|entry| entry.path == "/film").unwrap();
    assert!(!film.complete && film.bytes < 8_000_000, "the body was read on: {film:?}");
    assert_eq!(collection.explain(&served.url("s", "/film"))["record"]["last_outcome"], "unwanted_type");
    assert_eq!(collection.found("marginalia"), vec![served.url("s", "/notes.txt")]);

    let strict = Collection::new();
    let config =
        strict.write("c.toml", "[crawl]\ndeny_types = [\"text/plain\"]\ndeny_extensions = [\"txt\"]\n");
    served.server.clear_log();
    strict.crawl_well(&served.seeds(), &["--delay", "0.005", "--config", &config]);
    assert!(!served.asked("s").contains_key("/notes.txt"), "its extension is denied");
    assert_eq!(strict.pages().into_keys().collect::<Vec<_>>(), served.seeds(), "plain text is denied");
}
