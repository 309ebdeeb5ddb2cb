//! What is wrong with a sitemap or a feed: named and with its line, so that its author can mend it and a reader can
//! judge how far to trust it. Never an error: every problem stands beside what could be read in spite of it.
//! Invariant: a list holds at most [`PROBLEMS_MAX`] problems, each with a bounded text; the rest is counted.

use std::fmt;

/// Problems that are kept of one file.
pub const PROBLEMS_MAX: usize = 100;

/// Characters that are kept of a text that was not understood.
const TEXT_CHARS_MAX: usize = 120;

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Line of the decoded text, from 1; 0 where the whole file is meant.
    pub line: usize,
    /// The text that was not understood, cut short; may be empty.
    pub text: String,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The file is longer than the limit; the rest is not read.
    TooManyBytes,
    /// The file has more entries than the limit; the rest is not read.
    TooManyEntries,
    /// A compressed file is damaged; what could be unpacked is read.
    BrokenGzip,
    /// Bytes that are no text in the encoding the file is in.
    BadEncoding,
    /// Neither a sitemap nor a feed nor a list of URLs.
    NotASitemap,
    /// Something stands before the XML begins.
    TextBeforeXml,
    /// The root is not one of the known ones.
    UnknownRoot,
    /// The file ends within an element.
    EndsEarly,
    /// An ampersand is not escaped.
    LooseAmpersand,
    /// A reference to an entity other than the five of XML; it stands for nothing.
    UnknownEntity,
    /// The document type declares entities made of entities; nothing in the file is taken.
    EntityBomb,
    /// An entry without a location.
    NoLocation,
    /// A location that stands outside of an entry, or directly in it.
    MisplacedLocation,
    /// Several locations in one entry; each is taken for an entry.
    SeveralLocations,
    /// A location without scheme and host.
    RelativeLocation,
    /// A location that is no http or https URL, or too long for one.
    BadLocation,
    /// A date that could not be read.
    BadDate,
    /// A priority that is no number from 0 to 1.
    BadPriority,
    /// A change frequency that is none of the seven.
    BadChangeFrequency,
}

impl ProblemKind {
    /// Its name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ProblemKind::TooManyBytes => "too many bytes",
            ProblemKind::TooManyEntries => "too many entries",
            ProblemKind::BrokenGzip => "broken gzip",
            ProblemKind::BadEncoding => "bad encoding",
            ProblemKind::NotASitemap => "not a sitemap",
            ProblemKind::TextBeforeXml => "text before xml",
            ProblemKind::UnknownRoot => "unknown root",
            ProblemKind::EndsEarly => "ends early",
            ProblemKind::LooseAmpersand => "loose ampersand",
            ProblemKind::UnknownEntity => "unknown entity",
            ProblemKind::EntityBomb => "entity bomb",
            ProblemKind::NoLocation => "no location",
            ProblemKind::MisplacedLocation => "misplaced location",
            ProblemKind::SeveralLocations => "several locations",
            ProblemKind::RelativeLocation => "relative location",
            ProblemKind::BadLocation => "bad location",
            ProblemKind::BadDate => "bad date",
            ProblemKind::BadPriority => "bad priority",
            ProblemKind::BadChangeFrequency => "bad change frequency",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if self.line > 0 {
            write!(f, " in line {}", self.line)?;
        }
        if self.text.is_empty() { Ok(()) } else { write!(f, ": {}", self.text) }
    }
}

/// Problems while a file is read.
#[derive(Default)]
pub(super) struct Problems {
    /// Each with its byte offset where its line will stand.
    found: Vec<Problem>,
    pub(super) left_out: usize,
}

impl Problems {
    /// Notes a problem of the file as a whole.
    pub(super) fn of_file(&mut self, kind: ProblemKind, text: &str) {
        self.push(kind, None, text);
    }

    /// Notes a problem at a byte offset of the decoded text.
    pub(super) fn at(&mut self, offset: usize, kind: ProblemKind, text: &str) {
        self.push(kind, Some(offset), text);
    }

    fn push(&mut self, kind: ProblemKind, offset: Option<usize>, text: &str) {
        if self.found.len() == PROBLEMS_MAX {
            self.left_out += 1;
            return;
        }
        let text: String =
            text.trim().chars().take(TEXT_CHARS_MAX).map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.found.push(Problem { kind, line: offset.map_or(0, |offset| offset + 1), text });
    }

    /// The problems with their lines in `document`, in the order in which they were noted.
    pub(super) fn finish(self, document: &str) -> Vec<Problem> {
        let mut found = self.found;
        let mut order: Vec<usize> = (0..found.len()).filter(|i| found[*i].line > 0).collect();
        order.sort_by_key(|i| found[*i].line);
        let (mut line, mut at) = (1, 0);
        for i in order {
            let offset = (found[i].line - 1).min(document.len());
            line += document.as_bytes()[at..offset].iter().filter(|byte| **byte == b'\n').count();
            at = offset;
            found[i].line = line;
        }
        found
    }
}
