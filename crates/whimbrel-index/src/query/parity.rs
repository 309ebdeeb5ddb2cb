//! XOR as a query: pages that match an odd number of the parts. Written as a scorer of its own because spelling XOR
//! out with AND, OR and NOT doubles the query with every part.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};

/// Matches what an odd number of the parts match.
#[derive(Debug)]
pub(crate) struct ParityQuery {
    parts: Vec<Box<dyn Query>>,
}

impl ParityQuery {
    pub(crate) fn new(parts: Vec<Box<dyn Query>>) -> ParityQuery {
        ParityQuery { parts }
    }
}

impl Clone for ParityQuery {
    fn clone(&self) -> ParityQuery {
        ParityQuery { parts: self.parts.iter().map(|part| part.box_clone()).collect() }
    }
}

impl Query for ParityQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let parts = self.parts.iter().map(|part| part.weight(scoring)).collect::<tantivy::Result<_>>()?;
        Ok(Box::new(ParityWeight { parts }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        for part in &self.parts {
            part.query_terms(visitor);
        }
    }
}

struct ParityWeight {
    parts: Vec<Box<dyn Weight>>,
}

impl Weight for ParityWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let parts =
            self.parts.iter().map(|part| part.scorer(reader, boost)).collect::<tantivy::Result<_>>()?;
        let mut scorer = ParityScorer { parts, doc: 0 };
        scorer.settle();
        Ok(Box::new(scorer))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(reader, 1.0)?;
        if scorer.doc() > doc || scorer.seek(doc) != doc {
            return Err(TantivyError::InvalidArgument(format!("document {doc} does not match")));
        }
        Ok(Explanation::new("parts matched oddly often", scorer.score()))
    }
}

struct ParityScorer {
    parts: Vec<Box<dyn Scorer>>,
    doc: DocId,
}

impl ParityScorer {
    /// Goes on to the first document, from the nearest of any part, that an odd number of parts have.
    fn settle(&mut self) {
        loop {
            self.doc = self.parts.iter().map(|part| part.doc()).min().unwrap_or(TERMINATED);
            let matching = self.parts.iter().filter(|part| part.doc() == self.doc).count();
            if self.doc == TERMINATED || matching % 2 == 1 {
                return;
            }
            self.step();
        }
    }

    fn step(&mut self) {
        for part in &mut self.parts {
            if part.doc() == self.doc {
                part.advance();
            }
        }
    }
}

impl DocSet for ParityScorer {
    fn advance(&mut self) -> DocId {
        if self.doc != TERMINATED {
            self.step();
            self.settle();
        }
        self.doc
    }

    fn seek(&mut self, target: DocId) -> DocId {
        for part in &mut self.parts {
            if part.doc() < target {
                part.seek(target);
            }
        }
        self.settle();
        self.doc
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn size_hint(&self) -> u32 {
        self.parts.iter().map(|part| part.size_hint()).fold(0, u32::saturating_add)
    }
}

impl Scorer for ParityScorer {
    fn score(&mut self) -> Score {
        let doc = self.doc;
        self.parts.iter_mut().filter(|part| part.doc() == doc).map(|part| part.score()).sum()
    }
}
