//! `srcset`. Laws: candidates are parts of the text, none is empty or has a blank in it, and they do not overlap.

use crate::target::{Shared, Target, answer, size, text, texts};
use whimbrel_page::srcset::candidates;

pub(super) const TARGET: Target = Target {
    name: "srcset",
    run,
    seeds: || texts(&["a.png 1x, b.png 2x", "data:,a ( , ) 1x, c", ",,a,,b ,", "a 100w 50h,b (1,2) x"]),
    tokens: &[",", " ", "(", ")", "1x", "100w", "1.5x", "data:,", "\t", "a.png"],
    shared: &[Shared { file: "html/srcset.jsonl", fields: &["srcset"] }],
    bytes_max: 1024,
    smoke_runs: 5000,
};

fn run(data: &[u8]) -> u64 {
    let srcset = text(data);
    let found = candidates(&srcset);
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
    for candidate in &found {
        assert!(
            srcset.contains(candidate) && !candidate.is_empty() && !candidate.contains(blank),
            "{candidate:?}"
        );
    }
    let all: usize = found.iter().map(|candidate| candidate.len()).sum();
    assert!(all <= srcset.len());
    answer((size(found.len()), size(all), found.len() % 5))
}
