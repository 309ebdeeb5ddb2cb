//! tantivy alone on the text of the pages: the bounds to compare with.

use rustc_hash::FxHashMap;
use std::path::Path;
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexWriter, TantivyDocument};

/// What is indexed of each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The word only.
    ExactOnly,
    /// Word and stem in two fields, tantivy's own analyzers.
    TwoFieldsUncached,
    /// Word and stem in two fields, stems cached.
    TwoFieldsCached,
    /// Word and marked stem in one field, stems cached.
    OneFieldBoth,
    /// The same, the stem only where it differs.
    OneFieldDiffering,
}

impl Variant {
    pub const ALL: [Variant; 5] = [
        Variant::ExactOnly,
        Variant::TwoFieldsUncached,
        Variant::TwoFieldsCached,
        Variant::OneFieldBoth,
        Variant::OneFieldDiffering,
    ];
}

/// Indexes the texts with one thread and 64 MB.
pub fn index(at: &Path, variant: Variant, texts: &[&str]) {
    let tokenizers: &[&str] = match variant {
        Variant::ExactOnly => &["default"],
        Variant::TwoFieldsUncached => &["default", "en_stem"],
        Variant::TwoFieldsCached => &["exact", "stem"],
        Variant::OneFieldBoth => &["both"],
        Variant::OneFieldDiffering => &["differing"],
    };
    let mut builder = Schema::builder();
    let fields: Vec<_> = tokenizers
        .iter()
        .map(|tokenizer| {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(IndexRecordOption::WithFreqsAndPositions);
            builder.add_text_field(tokenizer, TextOptions::default().set_indexing_options(indexing))
        })
        .collect();
    let index = Index::create_in_dir(at, builder.build()).expect("an index");
    for (name, emits) in
        [("exact", EXACT), ("stem", STEM), ("both", EXACT | STEM), ("differing", EXACT | DIFFERING)]
    {
        index.tokenizers().register(name, CachedTokenizer::new(emits));
    }
    let mut writer: IndexWriter = index.writer_with_num_threads(1, 64 << 20).expect("a writer");
    for text in texts {
        let mut document = TantivyDocument::default();
        for &field in &fields {
            document.add_text(field, text);
        }
        writer.add_document(document).expect("a document");
    }
    writer.commit().expect("a commit");
    writer.wait_merging_threads().expect("merged");
}

const EXACT: u8 = 1;
const STEM: u8 = 2;
const DIFFERING: u8 = 4;

#[derive(Clone)]
struct CachedTokenizer {
    emits: u8,
    stems: FxHashMap<String, (String, String)>,
    stemmer: TextAnalyzer,
}

impl CachedTokenizer {
    fn new(emits: u8) -> CachedTokenizer {
        let stemmer =
            TextAnalyzer::builder(RawTokenizer::default()).filter(Stemmer::new(Language::English)).build();
        CachedTokenizer { emits, stems: FxHashMap::default(), stemmer }
    }
}

impl Tokenizer for CachedTokenizer {
    type TokenStream<'a> = CachedStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CachedStream<'a> {
        CachedStream { tokenizer: self, text, token: Token::default() }
    }
}

struct CachedStream<'a> {
    tokenizer: &'a mut CachedTokenizer,
    text: &'a str,
    token: Token,
}

impl TokenStream for CachedStream<'_> {
    fn advance(&mut self) -> bool {
        unreachable!("the index writer calls process")
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }

    fn process(&mut self, sink: &mut dyn FnMut(&Token)) {
        let CachedTokenizer { emits, stems, stemmer } = self.tokenizer;
        let words = self
            .text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && word.len() < 120);
        for (position, word) in words.enumerate() {
            if !stems.contains_key(word) {
                let lower = word.to_lowercase();
                let mut stream = stemmer.token_stream(&lower);
                let stem = if stream.advance() { stream.token().text.clone() } else { String::new() };
                drop(stream);
                stems.insert(word.to_owned(), (lower, stem));
            }
            let (lower, stem) = &stems[word];
            self.token.position = position;
            if *emits & EXACT != 0 {
                self.token.text.clear();
                self.token.text.push_str(lower);
                sink(&self.token);
            }
            if *emits & STEM != 0 || (*emits & DIFFERING != 0 && stem != lower) {
                self.token.text.clear();
                if *emits & EXACT != 0 {
                    self.token.text.push('\u{1}');
                }
                self.token.text.push_str(stem);
                sink(&self.token);
            }
        }
    }
}
