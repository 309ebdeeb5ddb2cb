//! Pages and indexes for tests: an index in a temporary directory with the texts it was made from beside it.

use crate::{
    Hit, INDEX_MEMORY_BYTES_DEFAULT, IndexDocument, IndexWriter, SearchRequest, SearchResponse, Searcher,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tempfile::TempDir;
use whimbrel_types::{CanonicalUrl, PageContent, Timestamp, UrlKey};

/// The time of all tests: 2024-06-01.
pub(crate) const NOW: Timestamp = Timestamp(1_717_200_000_000);

/// An index and the pages put into it.
pub(crate) struct TestIndex {
    directory: TempDir,
    writer: IndexWriter,
    sequence: u64,
    pages: BTreeMap<UrlKey, PageContent>,
    pub link_scores: BTreeMap<UrlKey, f32>,
}

pub(crate) fn url(path: &str) -> CanonicalUrl {
    let text = if path.contains("://") { path.to_owned() } else { format!("https://example.org/{path}") };
    CanonicalUrl::from_canonical(&text).expect("a test URL is canonical")
}

/// A page with a text in a language.
pub(crate) fn page(language: &str, text: &str) -> PageContent {
    PageContent {
        language: (!language.is_empty()).then(|| language.to_owned()),
        text: text.to_owned(),
        ..PageContent::default()
    }
}

impl TestIndex {
    pub(crate) fn new() -> TestIndex {
        let directory = TempDir::new().expect("a temporary directory");
        let writer =
            IndexWriter::open(&directory.path().join("index"), INDEX_MEMORY_BYTES_DEFAULT).expect("an index");
        TestIndex { directory, writer, sequence: 0, pages: BTreeMap::new(), link_scores: BTreeMap::new() }
    }

    /// An index of pages in one language, named by path.
    pub(crate) fn of(language: &str, pages: &[(&str, &str)]) -> TestIndex {
        let mut index = TestIndex::new();
        for (path, text) in pages {
            index.put(path, page(language, text));
        }
        index.commit();
        index
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.directory.path().join("index")
    }

    pub(crate) fn put(&mut self, path: &str, content: PageContent) {
        self.put_with_anchors(path, content, &[]);
    }

    pub(crate) fn put_with_anchors(&mut self, path: &str, content: PageContent, anchors: &[String]) {
        let url = url(path);
        self.sequence += 1;
        let document = IndexDocument {
            key: url.key(),
            url: url.as_str(),
            content: &content,
            anchors,
            fetched_at: NOW,
            modified: None,
        };
        self.writer.update(self.sequence, &document).expect("an update");
        self.pages.insert(url.key(), content);
    }

    pub(crate) fn delete(&mut self, path: &str) {
        self.sequence += 1;
        self.writer.delete(self.sequence, &url(path).key());
    }

    pub(crate) fn commit(&mut self) {
        self.writer.commit(self.sequence).expect("a commit");
    }

    pub(crate) fn run(&self, request: &SearchRequest) -> SearchResponse {
        let searcher = Searcher::open(&self.dir()).expect("a searcher");
        let link_score = |key: &UrlKey| self.link_scores.get(key).copied().unwrap_or(0.0);
        let content = |key: &UrlKey| self.pages.get(key).cloned();
        searcher.search(request, &link_score, &content).expect("a search")
    }

    pub(crate) fn search(&self, query: &str) -> SearchResponse {
        self.run(&SearchRequest { limit: 100, ..SearchRequest::new(query, NOW) })
    }

    /// Paths of the hits, in order.
    pub(crate) fn paths(&self, query: &str) -> Vec<String> {
        self.search(query).hits.iter().map(path_of).collect()
    }

    /// Paths of the hits, sorted.
    pub(crate) fn found(&self, query: &str) -> Vec<String> {
        let mut paths = self.paths(query);
        paths.sort();
        paths
    }

    /// Paths of the hits without stemming, sorted.
    pub(crate) fn found_exact(&self, query: &str) -> Vec<String> {
        let response = self.run(&SearchRequest { limit: 100, stem: false, ..SearchRequest::new(query, NOW) });
        let mut paths: Vec<String> = response.hits.iter().map(path_of).collect();
        paths.sort();
        paths
    }
}

/// Path of a hit without its slash.
pub(crate) fn path_of(hit: &Hit) -> String {
    url(&hit.url).path().trim_start_matches('/').to_owned()
}
