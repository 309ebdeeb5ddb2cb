//! The fields of the index, their weights, and how an index on disk is opened, created or refused.
//! Stored is only what a result line shows; the text of pages lives in the store.

use crate::analysis::{ANALYSIS_VERSION, PageTokenizer, TOKENIZER_NAME};
use crate::error::Error;
use std::path::Path;
use tantivy::directory::MmapDirectory;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, STORED, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};
use tantivy::{Index, TantivyError};

/// Version of fields and stored values; with [`ANALYSIS_VERSION`] it makes the format of an index.
const SCHEMA_VERSION: u32 = 1;
/// File beside tantivy's that names the format.
const FORMAT_FILE: &str = "whimbrel-format";

/// Handles of all fields.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub key: Field,
    pub key_partition: Field,
    pub key_site: Field,
    pub key_url_high: Field,
    pub key_url_low: Field,
    pub title: Field,
    pub headings: Field,
    pub body: Field,
    pub anchors: Field,
    pub url_words: Field,
    pub other: Field,
    pub author: Field,
    pub host: Field,
    pub language: Field,
    pub stemmers: Field,
    pub format: Field,
    pub date: Field,
    pub published: Field,
    pub modified: Field,
    pub fetched: Field,
    pub expires: Field,
    pub shown: Field,
}

impl Fields {
    /// Text fields that plain words are looked for in, with their weights in the score.
    pub(crate) fn searched(&self) -> [(Field, f32); 6] {
        [
            (self.title, 3.0),
            (self.headings, 2.0),
            (self.anchors, 2.0),
            (self.body, 1.0),
            (self.url_words, 1.0),
            (self.other, 0.5),
        ]
    }
}

/// Names of the numeric columns that make up a page's key.
pub(crate) const KEY_COLUMNS: [&str; 4] = ["key_partition", "key_site", "key_url_high", "key_url_low"];

/// The schema and its fields.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let number = |builder: &mut SchemaBuilder, name: &str| {
        builder.add_u64_field(name, NumericOptions::default().set_fast())
    };
    let words = |builder: &mut SchemaBuilder, name: &str| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER_NAME)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
    };
    let label = |builder: &mut SchemaBuilder, name: &str| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::Basic);
        builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
    };
    let fields = Fields {
        key: builder.add_bytes_field("key", tantivy::schema::BytesOptions::default().set_indexed()),
        key_partition: number(&mut builder, KEY_COLUMNS[0]),
        key_site: number(&mut builder, KEY_COLUMNS[1]),
        key_url_high: number(&mut builder, KEY_COLUMNS[2]),
        key_url_low: number(&mut builder, KEY_COLUMNS[3]),
        title: words(&mut builder, "title"),
        headings: words(&mut builder, "headings"),
        body: words(&mut builder, "body"),
        anchors: words(&mut builder, "anchors"),
        url_words: words(&mut builder, "url_words"),
        other: words(&mut builder, "other"),
        author: words(&mut builder, "author"),
        host: label(&mut builder, "host"),
        language: label(&mut builder, "language"),
        stemmers: label(&mut builder, "stemmers"),
        format: label(&mut builder, "format"),
        date: number(&mut builder, "date"),
        published: number(&mut builder, "published"),
        modified: number(&mut builder, "modified"),
        fetched: number(&mut builder, "fetched"),
        expires: number(&mut builder, "expires"),
        shown: builder.add_bytes_field("shown", STORED),
    };
    (builder.build(), fields)
}

/// Opens the index in `dir`; `Ok(None)` when there is none.
pub(crate) fn open_existing(dir: &Path) -> Result<Option<(Index, Fields)>, Error> {
    if !dir.join("meta.json").exists() {
        return Ok(None);
    }
    let expected = format_name();
    let found = std::fs::read_to_string(dir.join(FORMAT_FILE)).unwrap_or_default();
    if found.trim() != expected {
        let found =
            if found.is_empty() { "unknown".to_owned() } else { found.trim().chars().take(40).collect() };
        return Err(Error::Format { dir: dir.to_owned(), found, expected });
    }
    let index = Index::open_in_dir(dir).map_err(|source| damaged(dir, source))?;
    let (schema, fields) = schema();
    if index.schema() != schema {
        return Err(Error::Corrupt {
            dir: dir.to_owned(),
            reason: "its fields are not those of its format".to_owned(),
        });
    }
    index.tokenizers().register(TOKENIZER_NAME, PageTokenizer::default());
    Ok(Some((index, fields)))
}

/// Creates an empty index in `dir`.
pub(crate) fn create(dir: &Path) -> Result<(Index, Fields), Error> {
    let io = |action, source| Error::Io { action, path: dir.to_owned(), source };
    std::fs::create_dir_all(dir).map_err(|source| io("create the index directory", source))?;
    std::fs::write(dir.join(FORMAT_FILE), format!("{}\n", format_name()))
        .map_err(|source| io("write the format of the index in", source))?;
    let (schema, fields) = schema();
    let directory = MmapDirectory::open(dir).map_err(|source| Error::Engine {
        action: "open the directory of",
        source: TantivyError::from(source),
    })?;
    let settings = tantivy::IndexSettings::default();
    let index = Index::create(directory, schema, settings).map_err(Error::engine("create"))?;
    index.tokenizers().register(TOKENIZER_NAME, PageTokenizer::default());
    Ok((index, fields))
}

/// Removes every file of the index in `dir`.
pub(crate) fn remove(dir: &Path) -> Result<(), Error> {
    match std::fs::remove_dir_all(dir) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::Io { action: "remove the index in", path: dir.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// A failure to open or read, as what it means to the caller.
pub(crate) fn damaged(dir: &Path, source: TantivyError) -> Error {
    match source {
        TantivyError::LockFailure(..) => Error::InUse { dir: dir.to_owned() },
        TantivyError::IoError(_) => Error::Engine { action: "open", source },
        other => Error::Corrupt { dir: dir.to_owned(), reason: other.to_string() },
    }
}

fn format_name() -> String {
    format!("{SCHEMA_VERSION}.{ANALYSIS_VERSION}")
}
