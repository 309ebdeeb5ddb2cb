//! Queries in a document's character set (URL standard). Laws: an answer for every known label, in ASCII, without
//! anything that would end the query.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_url::encode_query;

pub(super) const TARGET: Target = Target {
    name: "query_encoding",
    run,
    seeds: || {
        texts(&[
            "utf-8\x1fq=ü&x=%20",
            "iso-2022-jp\x1f日本語 abc",
            "gb18030\x1f😀",
            "x-user-defined\x1fé",
            "windows-1252\x1f€ ‰ ☃",
        ])
    },
    tokens: &[
        "iso-2022-jp",
        "shift_jis",
        "euc-kr",
        "big5",
        "utf-16",
        "replacement",
        "koi8-r",
        "☃",
        "ü",
        "%",
        "+",
        "#",
        "'",
        "&#9731;",
    ],
    shared: &[Shared { file: "url/query_encoding.jsonl", fields: &["document_encoding", "query_input"] }],
    bytes_max: 512,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let [label, query] = arguments::<2>(data);
    let (label, query) = (text(label), text(query));
    let Some(encoded) = encode_query(&query, &label) else { return answer("unknown") };
    assert!(encoded.is_ascii(), "{encoded:?}");
    assert!(!encoded.contains(['#', ' ', '"', '<', '>', '\0', '\n']), "{encoded:?}");
    assert!(encoded.len() <= query.len() * 20 + 16, "{} of {}", encoded.len(), query.len());
    answer((size(encoded.len()), encoded.contains("%26%23"), encoded.contains("%1B"), size(query.len())))
}
