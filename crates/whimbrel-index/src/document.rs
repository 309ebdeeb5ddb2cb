//! A page as the index takes it: which of its parts go into which field. Never stores the text of the page.

use crate::analysis::{Profile, primary_subtag, tagged};
use crate::schema::Fields;
use serde::{Deserialize, Serialize};
use tantivy::TantivyDocument;
use whimbrel_types::{CanonicalUrl, PageContent, PageFormat, Timestamp, UrlKey};

/// Characters of a title that a result line keeps.
const TITLE_CHARS_MAX: usize = 300;

/// A page to put into the index.
#[derive(Clone, Debug)]
pub struct IndexDocument<'a> {
    /// Identity of the page.
    pub key: UrlKey,
    /// Its canonical URL.
    pub url: &'a str,
    /// What was parsed from it.
    pub content: &'a PageContent,
    /// What links to it say, the best few.
    pub anchors: &'a [String],
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// When the server says it was last changed; the page's own word goes before it.
    pub modified: Option<Timestamp>,
}

/// What a result line shows, as stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub url: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Timestamp>,
    pub fetched: Timestamp,
}

impl IndexDocument<'_> {
    /// The document for tantivy.
    pub(crate) fn to_tantivy(&self, fields: &Fields) -> TantivyDocument {
        let content = self.content;
        let language = primary_subtag(content.language.as_deref().unwrap_or_default());
        let mut document = TantivyDocument::default();
        document.add_bytes(fields.key, &self.key.to_bytes());
        for (field, value) in key_fields(fields, &self.key) {
            document.add_u64(field, value);
        }
        let mut words = |field, text: &str| {
            if !text.trim().is_empty() {
                document.add_text(field, tagged(&language, text));
            }
        };
        words(fields.title, &content.title);
        for heading in &content.headings {
            words(fields.headings, &heading.text);
        }
        words(fields.body, &content.text);
        for anchor in self.anchors {
            words(fields.anchors, anchor);
        }
        words(fields.url_words, &percent_decoded(self.url));
        words(fields.other, &content.description);
        words(fields.other, &content.navigation_text);
        if let Some(author) = &content.author {
            words(fields.other, author);
            words(fields.author, author);
        }
        self.add_labels(&mut document, fields, &language);
        self.add_dates(&mut document, fields);
        let shown = serde_json::to_vec(&self.shown(&language)).expect("strings and numbers make JSON");
        document.add_bytes(fields.shown, &shown);
        document
    }

    fn add_labels(&self, document: &mut TantivyDocument, fields: &Fields, language: &str) {
        if !language.is_empty() {
            document.add_text(fields.language, language);
        }
        for stemming in Profile::of(language).stemmings() {
            document.add_text(fields.stemmers, stemming.name());
        }
        let url = CanonicalUrl::from_canonical(self.url);
        let format = self.content.format.as_str();
        document.add_text(fields.format, format);
        if let Some(extension) =
            url.as_ref().and_then(CanonicalUrl::extension).filter(|found| found != format)
        {
            document.add_text(fields.format, extension);
        }
        if let Some(url) = url {
            for host in host_labels(&url) {
                document.add_text(fields.host, host);
            }
        }
    }

    fn add_dates(&self, document: &mut TantivyDocument, fields: &Fields) {
        let dates = [
            (fields.date, Some(self.shown_date().unwrap_or(self.fetched_at))),
            (fields.published, self.content.published),
            (fields.modified, self.content.modified.or(self.modified)),
            (fields.fetched, Some(self.fetched_at)),
            (fields.expires, self.content.robots.unavailable_after),
        ];
        for (field, date) in dates {
            if let Some(Timestamp(ms)) = date {
                document.add_u64(field, ms);
            }
        }
    }

    fn shown_date(&self) -> Option<Timestamp> {
        self.content.modified.or(self.content.published).or(self.modified)
    }

    fn shown(&self, language: &str) -> Shown {
        Shown {
            url: self.url.to_owned(),
            title: self.content.title.chars().take(TITLE_CHARS_MAX).collect(),
            author: self.content.author.clone(),
            language: (!language.is_empty()).then(|| language.to_owned()),
            date: self.shown_date(),
            fetched: self.fetched_at,
        }
    }
}

/// Values of `filetype:` that mean a format of ours.
pub(crate) fn format_names(wanted: &str) -> Vec<String> {
    let wanted = wanted.trim_start_matches('.').to_lowercase();
    let format = match wanted.as_str() {
        "html" | "htm" | "xhtml" => Some(PageFormat::Html),
        "text" | "txt" | "plain" => Some(PageFormat::Text),
        _ => None,
    };
    let mut names = vec![wanted];
    names.extend(format.map(|format| format.as_str().to_owned()));
    names.dedup();
    names
}

/// The key as four columns, which read faster than a dictionary of bytes.
fn key_fields(fields: &Fields, key: &UrlKey) -> [(tantivy::schema::Field, u64); 4] {
    let url = u128::from_be_bytes(key.url.0);
    [
        (fields.key_partition, u64::from(key.site.partition.0)),
        (fields.key_site, u64::from_be_bytes(key.site.site.0)),
        (fields.key_url_high, (url >> 64) as u64),
        (fields.key_url_low, url as u64),
    ]
}

/// The host and every domain above it, each with and without the port, as `site:` asks for them.
fn host_labels(url: &CanonicalUrl) -> Vec<String> {
    let host = url.host();
    let mut labels = vec![host.to_owned()];
    let is_address = host.starts_with('[') || host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if !is_address {
        labels.extend(host.match_indices('.').map(|(dot, _)| host[dot + 1..].to_owned()));
        labels.retain(|label| !label.is_empty());
    }
    labels.push(format!("{host}:{}", url.port()));
    labels
}

/// `%XX` undone where the result is text; anything else as it stands.
fn percent_decoded(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let bytes = rest.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| rest.to_owned())
}
