//! Files of filters. Laws: every filter has a line of its own; an error names a line of the file.

use crate::target::{Target, answer, size, text, texts};
use whimbrel_url::parse_filter_file;

pub(super) const TARGET: Target = Target {
    name: "filter_file",
    run,
    seeds: || {
        texts(&[
            "# comment\n\nonly html: ext=html\nno calendar: !path=/calendar/*\n",
            "a: b=c\n",
            "name: host=a.test && (\n",
        ])
    },
    tokens: &["\n", "#", ": ", "host=", "path=", "(", ")", "!", "&&", "||", "\r\n", "\\\n"],
    shared: &[],
    bytes_max: 2048,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let file = text(data);
    let lines = file.lines().count();
    match parse_filter_file(&file) {
        Ok(filters) => {
            assert!(filters.len() <= lines);
            answer((size(filters.len()), size(lines)))
        }
        Err(error) => {
            assert!(error.line >= 1 && error.line <= lines.max(1), "line {} of {lines}", error.line);
            answer((error.message, size(error.line)))
        }
    }
}
