//! The tree a query is parsed into. Holds text as typed; analysis comes later.

use whimbrel_types::Timestamp;

/// Fields that take words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordField {
    Title,
    Url,
    Author,
}

/// One part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// One run of characters without white space; may be several words to the analysis.
    Word(String),
    /// A word with a plus before it: never dropped, never optional.
    MustWord(String),
    /// Words between quotation marks.
    Phrase(String),
    /// `intitle:`, `inurl:`, `author:`; quoted values are phrases.
    In { field: WordField, text: String, quoted: bool },
    /// `site:`, in lower case.
    Site(String),
    /// `lang:`
    Language(String),
    /// `filetype:`
    FileType(String),
    /// `after:`, this instant included.
    After(Timestamp),
    /// `before:`, this instant excluded.
    Before(Timestamp),
    /// Every part.
    All(Vec<Node>),
    /// At least one part.
    Any(Vec<Node>),
    /// An odd number of parts: of two, exactly one.
    OddlyMany(Vec<Node>),
    /// Not this.
    Not(Box<Node>),
    /// Parts side by side in parentheses; becomes `All` or is dissolved once the whole query is known.
    Sequence(Vec<Node>),
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParsedQuery {
    /// Parts side by side at the top.
    pub parts: Vec<Node>,
    /// AND, OR or XOR was written.
    pub has_operators: bool,
    /// What was understood otherwise than it may have been meant.
    pub notes: Vec<String>,
}
