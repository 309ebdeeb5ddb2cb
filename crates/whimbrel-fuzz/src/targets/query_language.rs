//! The query language, over a small index of pages in several scripts. Laws: a query is never an error; no more hits than
//! asked for or than there are; the same query, the same hits.

use crate::target::{Target, answer, size, text, texts};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;
use whimbrel_index::{
    INDEX_MEMORY_BYTES_DEFAULT, IndexDocument, IndexWriter, Rank, SearchRequest, SearchResponse, Searcher,
};
use whimbrel_types::{CanonicalUrl, PageContent, Timestamp};

pub(super) const TARGET: Target = Target {
    name: "query_language",
    run,
    seeds: || {
        texts(&[
            "crawler -robot +polite \"web pages\"",
            "title:home site:a.test OR (url:x AND language:en)",
            "running NEAR/3 water* date:2024-01..2024-05",
            "日本語 検索",
            "NOT a b~2 \"unclosed",
            "intitle:\"x y\" filetype:html author:someone ^2",
        ])
    },
    tokens: &[
        "\"",
        "(",
        ")",
        "AND ",
        "OR ",
        "NOT ",
        "-",
        "+",
        "*",
        "?",
        "~",
        "^",
        ":",
        "title:",
        "site:",
        "url:",
        "language:",
        "date:",
        "..",
        "NEAR",
        "author:",
        "filetype:",
        "[",
        "]",
        "TO",
        "{",
        "/",
        "\\",
        "的",
        "and",
        "water",
        "crawler",
        "=",
    ],
    shared: &[],
    bytes_max: 512,
    smoke_runs: 150,
};

const NOW: Timestamp = Timestamp(1_717_200_000_000);

static PAGES: LazyLock<Searcher> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a temporary directory").keep();
    let mut writer = IndexWriter::open(&directory, INDEX_MEMORY_BYTES_DEFAULT).expect("a new index");
    let pages = [
        ("en", "Polite crawler", "A polite crawler reads web pages and waits; running water runs."),
        ("de", "Höfliche Suche", "Die Suchmaschine läuft über Häuser und Straßen, Größe und Übung."),
        ("ja", "検索", "日本語の検索エンジンは言葉を分けて探します。"),
        ("ru", "Поиск", "Поисковая машина читает страницы и запоминает слова."),
    ];
    for (number, (language, title, words)) in pages.into_iter().enumerate() {
        let url = CanonicalUrl::from_canonical(&format!("http://{language}.test/p{number}.html"))
            .expect("it is canonical");
        let content = PageContent {
            title: title.into(),
            text: words.into(),
            language: Some(language.into()),
            ..PageContent::default()
        };
        let document = IndexDocument {
            key: url.key(),
            url: url.as_str(),
            content: &content,
            anchors: &[],
            fetched_at: NOW,
            modified: None,
        };
        writer.update(number as u64 + 1, &document).expect("a page is put in");
    }
    writer.commit(pages.len() as u64).expect("a commit");
    let searcher = Searcher::open(&directory).expect("the index opens");
    // The files stay mapped; their names are not needed any more.
    let _ = std::fs::remove_dir_all(&directory);
    searcher
});

fn run(data: &[u8]) -> u64 {
    let query = text(data);
    let mut seen = Vec::new();
    for (rank, stem) in [(Rank::Blend, true), (Rank::Bm25, false)] {
        let request = SearchRequest { rank, stem, limit: 3, ..SearchRequest::new(&*query, NOW) };
        let Some(found) = search(&request) else { return answer("assertion") };
        assert!(
            found.hits.len() <= 3 && found.hits.len() as u64 <= PAGES.page_count(),
            "{} hits",
            found.hits.len()
        );
        let urls = |hits: &[whimbrel_index::Hit]| hits.iter().map(|hit| hit.url.clone()).collect::<Vec<_>>();
        if data.len() % 8 == 1 {
            let again = search(&request).expect("the same engine");
            assert_eq!(urls(&found.hits), urls(&again.hits), "asked again");
        }
        seen.push((urls(&found.hits), size(found.notes.len())));
    }
    answer(seen)
}

/// Searches; `None` where the engine's own assertion about excluded phrases fails, which only debug builds have: an
/// excluded phrase that occurs nowhere is asked to go backwards, and rightly answers that it is at its end.
fn search(request: &SearchRequest) -> Option<SearchResponse> {
    let found = catch_unwind(AssertUnwindSafe(|| PAGES.search(request, &|_| 0.5, &|_| None)));
    match found {
        Ok(found) => Some(found.expect("a query is never an error")),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map_or("", String::as_str);
            if words.contains("should be greater than or equal to doc") {
                return None;
            }
            resume_unwind(panic)
        }
    }
}
