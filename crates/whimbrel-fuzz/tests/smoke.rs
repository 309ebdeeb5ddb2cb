//! A short run of every target, the same each time. Longer ones: `cargo run -p whimbrel-fuzz -- --seconds N`.

use std::collections::BTreeSet;
use whimbrel_fuzz::{Budget, fuzz, gather, targets};

const SEED: u64 = 20;

fn smoke(name: &str) {
    let target = targets::ALL.iter().find(|target| target.name == name).expect("the target is listed");
    let mut corpus = gather(target);
    // The long runs see all of the public suites.
    corpus.truncate(target.smoke_runs as usize / 4);
    let budget = Budget { runs_max: Some(target.smoke_runs), ..Budget::default() };
    let outcome = fuzz(target, &corpus, SEED, &budget);
    if let Some(failure) = outcome.failure {
        panic!("{name}, seed {SEED}: {}\ninput: {}", failure.message, failure.input.escape_ascii());
    }
    assert_eq!(outcome.runs, target.smoke_runs);
    assert!(outcome.kept > 1, "{name} answers everything alike");
}

macro_rules! smoke_tests {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                smoke(stringify!($name));
            }
        )*

        #[test]
        fn every_target_has_a_smoke_run() {
            let listed: BTreeSet<&str> = [$(stringify!($name)),*].into();
            let there: BTreeSet<&str> = targets::ALL.iter().map(|target| target.name).collect();
            assert_eq!(listed, there);
        }
    };
}

smoke_tests!(
    body_coding,
    charset,
    content_type,
    cookies,
    dates,
    filter,
    filter_file,
    html_page,
    json_ld,
    messages,
    meta_refresh,
    query_encoding,
    query_language,
    response_head,
    robots,
    robots_meta,
    rows,
    settings,
    sitemap,
    sitemap_tree,
    sniff,
    srcset,
    stored_response,
    trap,
    url,
    warc,
);
