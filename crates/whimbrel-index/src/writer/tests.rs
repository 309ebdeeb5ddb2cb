//! What survives commits, crashes and damage.

use crate::testing::{TestIndex, page, url};
use crate::{Error, INDEX_MEMORY_BYTES_DEFAULT, IndexDocument, IndexWriter, SearchRequest, Searcher};
use std::path::Path;
use tempfile::TempDir;
use whimbrel_types::Timestamp;

fn open(dir: &Path) -> Result<IndexWriter, Error> {
    IndexWriter::open(dir, INDEX_MEMORY_BYTES_DEFAULT)
}

fn put(writer: &mut IndexWriter, sequence: u64, path: &str, text: &str) {
    let (url, content) = (url(path), page("en", text));
    let document = IndexDocument {
        key: url.key(),
        url: url.as_str(),
        content: &content,
        anchors: &[],
        fetched_at: Timestamp(1),
        modified: None,
    };
    writer.update(sequence, &document).expect("an update");
}

fn count(searcher: &Searcher, query: &str) -> usize {
    let request = SearchRequest::new(query, Timestamp(2));
    searcher.search(&request, &|_| 0.0, &|_| None).expect("a search").total
}

#[test]
fn a_page_put_twice_is_found_once_under_its_last_text() {
    let mut index = TestIndex::new();
    index.put("a", page("en", "first words"));
    index.put("a", page("en", "second words"));
    index.commit();
    assert_eq!(index.found("first"), Vec::<String>::new());
    assert_eq!(index.found("second"), ["a"]);
    index.put("a", page("en", "third words"));
    index.commit();
    assert_eq!(index.found("second"), Vec::<String>::new());
    assert_eq!(index.found("words"), ["a"]);
    assert_eq!(index.search("words").total, 1);
}

#[test]
fn a_deleted_page_is_not_found() {
    let mut index = TestIndex::of("en", &[("a", "some words"), ("b", "other words")]);
    index.delete("a");
    index.commit();
    assert_eq!(index.found("words"), ["b"]);
    assert_eq!(index.search("words").total, 1);
}

#[test]
fn the_last_commit_names_its_sequence_and_uncommitted_work_is_dropped() {
    let temp = TempDir::new().expect("a directory");
    let dir = temp.path().join("index");
    let mut writer = open(&dir).expect("a writer");
    assert_eq!(writer.last_sequence(), 0);
    put(&mut writer, 7, "a", "kept");
    writer.commit(7).expect("a commit");
    put(&mut writer, 8, "b", "lost");
    assert!(writer.has_pending());
    drop(writer);
    let writer = open(&dir).expect("a writer");
    assert_eq!(writer.last_sequence(), 7);
    let searcher = Searcher::open(&dir).expect("a searcher");
    assert_eq!((count(&searcher, "kept"), count(&searcher, "lost")), (1, 0));
    writer.close().expect("a close");
}

#[test]
fn a_searcher_sees_commits_made_after_it_was_opened_once_reloaded() {
    let temp = TempDir::new().expect("a directory");
    let dir = temp.path().join("index");
    let mut writer = open(&dir).expect("a writer");
    writer.commit(0).expect("a commit");
    let searcher = Searcher::open(&dir).expect("a searcher");
    put(&mut writer, 1, "a", "word");
    writer.commit(1).expect("a commit");
    assert_eq!(count(&searcher, "word"), 0);
    searcher.reload().expect("a reload");
    assert_eq!((count(&searcher, "word"), searcher.page_count()), (1, 1));
}

#[test]
fn only_one_writer_at_a_time_and_a_stale_lock_file_does_not_count() {
    let temp = TempDir::new().expect("a directory");
    let dir = temp.path().join("index");
    let writer = open(&dir).expect("a writer");
    assert!(matches!(open(&dir), Err(Error::InUse { .. })));
    drop(writer);
    std::fs::write(dir.join(".tantivy-writer.lock"), "left by a killed process").expect("a file");
    open(&dir).expect("the lock is held by nobody");
}

#[test]
fn a_missing_damaged_or_foreign_index_is_told_apart() {
    let temp = TempDir::new().expect("a directory");
    let dir = temp.path().join("index");
    assert!(matches!(Searcher::open(&dir), Err(Error::Missing { .. })));
    let mut writer = open(&dir).expect("a writer");
    put(&mut writer, 1, "a", "word");
    writer.commit(1).expect("a commit");
    writer.close().expect("a close");

    std::fs::write(dir.join("whimbrel-format"), "0.0\n").expect("a file");
    let error = open(&dir).err().expect("another format");
    assert!(matches!(error, Error::Format { .. }) && error.needs_rebuild(), "{error}");
    assert!(matches!(Searcher::open(&dir), Err(Error::Format { .. })));

    let writer = IndexWriter::reset(&dir, INDEX_MEMORY_BYTES_DEFAULT).expect("a new index");
    assert_eq!(writer.last_sequence(), 0);
    drop(writer);
    std::fs::write(dir.join("meta.json"), "{").expect("a file");
    let error = open(&dir).err().expect("damage");
    assert!(error.needs_rebuild(), "{error}");
}

#[test]
fn a_lost_segment_file_is_noticed_when_opening() {
    let temp = TempDir::new().expect("a directory");
    let dir = temp.path().join("index");
    let mut writer = open(&dir).expect("a writer");
    put(&mut writer, 1, "a", "word");
    writer.commit(1).expect("a commit");
    writer.close().expect("a close");
    let lost = std::fs::read_dir(&dir)
        .expect("files")
        .map(|file| file.expect("a file").path())
        .find(|path| path.extension().is_some_and(|extension| extension == "term"))
        .expect("a term dictionary");
    std::fs::remove_file(lost).expect("a removal");
    let error = open(&dir).err().expect("damage");
    assert!(error.needs_rebuild(), "{error}");
}

#[test]
fn many_commits_leave_few_segments() {
    let temp = TempDir::new().expect("a directory");
    let dir = temp.path().join("index");
    let mut writer = open(&dir).expect("a writer");
    for sequence in 1..=40 {
        put(&mut writer, sequence, &format!("page{sequence}"), "word");
        writer.commit(sequence).expect("a commit");
    }
    writer.close().expect("a close");
    let segments = std::fs::read_dir(&dir)
        .expect("files")
        .filter(|file| {
            file.as_ref().expect("a file").path().extension().is_some_and(|extension| extension == "term")
        })
        .count();
    assert!(segments <= 16, "{segments} segments");
    assert_eq!(count(&Searcher::open(&dir).expect("a searcher"), "word"), 40);
}
