//! Tree → tantivy query. Drops terms that no page has before they cost anything, weighs fields, and collects what
//! snippets light up.

use super::expand::{Alternative, Chunk, Highlights, IndexLanguages, Slot, WITH_FREQUENCIES, alternatives};
use super::node::{Node, ParsedQuery, WordField};
use super::parity::ParityQuery;
use super::plan::Plan;
use super::stop::{asked_language, remove_stop_words};
use crate::analysis::{HANGUL_MARK, Script, Stemming, StopWords, WordCache, primary_subtag};
use crate::document::format_names;
use crate::error::Error;
use crate::schema::Fields;
use std::ops::Bound;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhraseQuery, Query, RangeQuery,
    TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};
use whimbrel_types::Timestamp;

/// Positions of a phrase that are looked at.
const PHRASE_SLOTS_MAX: usize = 64;
/// Share of a long dense run's pairs that a page of the second block must have.
const DENSE_SHARE_MIN: f64 = 0.6;

/// A query ready to run.
pub(crate) struct Compiled {
    /// Pages with everything asked for.
    pub all: Box<dyn Query>,
    /// Pages with at least one of the words; also those with all.
    pub any: Option<Box<dyn Query>>,
    pub highlights: Highlights,
    pub ignored_words: Vec<String>,
    pub notes: Vec<String>,
}

/// What compiling needs to know of the index.
pub(crate) struct Compiler<'a> {
    pub searcher: &'a Searcher,
    pub fields: &'a Fields,
    pub languages: &'a IndexLanguages,
    pub cache: &'a mut WordCache,
    pub stop_words: &'a mut StopWords,
    pub stem: bool,
    pub now: Timestamp,
}

/// How forms of words count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forms {
    Any,
    Exact,
}

impl Compiler<'_> {
    /// Compiles a parsed query; `None` when it asks for nothing.
    pub(crate) fn compile(mut self, parsed: ParsedQuery) -> Result<Option<Compiled>, Error> {
        let ParsedQuery { mut parts, has_operators, notes } = parsed;
        let restricted = asked_language(&parts).map(|language| self.languages.restricted_to(language));
        let languages = restricted.as_ref().unwrap_or(self.languages);
        let order: Vec<Stemming> =
            languages.of_script(script_of_words(&parts)).map(|(stemming, _)| stemming).collect();
        let ignored_words = remove_stop_words(&mut parts, &order, self.stop_words);
        let mut run = Run { compiler: &mut self, languages, highlights: Highlights::default(), notes };
        let blocks =
            if has_operators { run.all_of(&parts)?.map(|all| (all, None)) } else { run.two_blocks(parts)? };
        let Run { highlights, notes, .. } = run;
        let Some((all, any)) = blocks else { return Ok(None) };
        let all = self.without_expired(all);
        let any = any.map(|any| self.without_expired(any));
        Ok(Some(Compiled { all, any, highlights, ignored_words, notes }))
    }

    /// Keeps out pages whose `unavailable_after` has passed, though the index has not been told yet.
    fn without_expired(&self, query: Box<dyn Query>) -> Box<dyn Query> {
        let until = Term::from_field_u64(self.fields.expires, self.now.0);
        let expired = RangeQuery::new(Bound::Unbounded, Bound::Included(until));
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::MustNot, Box::new(expired))]))
    }
}

/// One compilation.
struct Run<'r, 'a> {
    compiler: &'r mut Compiler<'a>,
    languages: &'r IndexLanguages,
    highlights: Highlights,
    notes: Vec<String>,
}

type Blocks = (Box<dyn Query>, Option<Box<dyn Query>>);

impl Run<'_, '_> {
    /// Pages with everything, and pages with at least one of the words; neither when nothing is asked for.
    fn two_blocks(&mut self, parts: Vec<Node>) -> Result<Option<Blocks>, Error> {
        let plan = Plan::of(parts);
        let mut frame: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let mut has_words = false;
        for node in &plan.required {
            if let Some(query) = self.node(node)? {
                has_words |= matches!(node, Node::MustWord(_) | Node::Phrase(_) | Node::In { .. });
                frame.push((Occur::Must, query));
            }
        }
        for node in &plan.excluded {
            frame.extend(self.silent(node)?.map(|query| (Occur::MustNot, query)));
        }
        let mut wanted = Vec::new();
        let mut loose = Vec::new();
        for node in &plan.wanted {
            if let (Node::Word(text), Some(query)) = (node, self.node(node)?) {
                loose.extend(self.loose_dense(text)?);
                wanted.push(query);
            }
        }
        if frame.is_empty() && wanted.is_empty() {
            return Ok(None);
        }
        let any = if wanted.is_empty() || (!has_words && wanted.len() == 1 && loose.is_empty()) {
            None
        } else {
            let mut clauses = copy(&frame);
            let each: Vec<Box<dyn Query>> =
                wanted.iter().map(|query| query.box_clone()).chain(loose).collect();
            // Where a phrase or a field must match anyway, the words only lift.
            clauses.push((if has_words { Occur::Should } else { Occur::Must }, union(each)));
            Some(boolean(clauses))
        };
        frame.extend(wanted.into_iter().map(|query| (Occur::Must, query)));
        Ok(Some((boolean(frame), any)))
    }

    /// The query of a part; `None` when there is nothing in it to look for.
    fn node(&mut self, node: &Node) -> Result<Option<Box<dyn Query>>, Error> {
        let fields = self.compiler.fields;
        Ok(Some(match node {
            Node::Word(text) | Node::MustWord(text) => {
                return self.words(text, Forms::Any, &fields.searched());
            }
            Node::Phrase(text) => return self.words(text, Forms::Exact, &fields.searched()),
            Node::In { field, text, quoted } => {
                let field = match field {
                    WordField::Title => fields.title,
                    WordField::Url => fields.url_words,
                    WordField::Author => fields.author,
                };
                let forms = if *quoted { Forms::Exact } else { Forms::Any };
                return self.words(text, forms, &[(field, 1.0)]);
            }
            Node::Site(site) => self.site(site)?,
            Node::Language(code) => filter(label(fields.language, &primary_subtag(code))),
            Node::FileType(name) => {
                filter(union(format_names(name).iter().map(|name| label(fields.format, name)).collect()))
            }
            Node::After(at) => filter(self.range(Bound::Included(*at), Bound::Unbounded)),
            Node::Before(at) => filter(self.range(Bound::Unbounded, Bound::Excluded(*at))),
            Node::All(parts) | Node::Sequence(parts) => return self.all_of(parts),
            Node::Any(parts) => {
                let parts = self.each(parts)?;
                return Ok((!parts.is_empty()).then(|| union(parts)));
            }
            Node::OddlyMany(parts) => Box::new(ParityQuery::new(self.each(parts)?)),
            Node::Not(inner) => {
                return Ok(self.silent(inner)?.map(|inner| boolean(vec![(Occur::MustNot, inner)])));
            }
        }))
    }

    fn each(&mut self, parts: &[Node]) -> Result<Vec<Box<dyn Query>>, Error> {
        parts.iter().filter_map(|part| self.node(part).transpose()).collect()
    }

    fn all_of(&mut self, parts: &[Node]) -> Result<Option<Box<dyn Query>>, Error> {
        let mut clauses = Vec::new();
        for part in parts {
            let (occur, query) = match part {
                Node::Not(inner) => (Occur::MustNot, self.silent(inner)?),
                part => (Occur::Must, self.node(part)?),
            };
            clauses.extend(query.map(|query| (occur, query)));
        }
        Ok((!clauses.is_empty()).then(|| boolean(clauses)))
    }

    /// A part that must not match: nothing of it is lit up.
    fn silent(&mut self, node: &Node) -> Result<Option<Box<dyn Query>>, Error> {
        let highlights = std::mem::take(&mut self.highlights);
        let query = self.node(node);
        self.highlights = highlights;
        query
    }

    /// Typed text in any of some fields; `None` when there is no word in it.
    fn words(
        &mut self,
        text: &str,
        forms: Forms,
        fields: &[(Field, f32)],
    ) -> Result<Option<Box<dyn Query>>, Error> {
        let mut chunk = Chunk::read(text, self.compiler.cache);
        if chunk.slots.is_empty() {
            let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
            self.notes.push(format!("there is no word in \"{shown}\"; it was left out"));
            return Ok(None);
        }
        if chunk.slots.len() > PHRASE_SLOTS_MAX {
            chunk.slots.truncate(PHRASE_SLOTS_MAX);
            self.notes.push(format!("only the first {PHRASE_SLOTS_MAX} words of a phrase were searched"));
        }
        let exact = forms == Forms::Exact || !self.compiler.stem;
        let mut slots: Vec<(usize, Vec<Alternative>)> =
            chunk.slots.iter().map(|(position, slot)| (*position, vec![exact_alternative(slot)])).collect();
        // Inside a phrase forms count; only its last word may vary (`web-crawlers` finds `web-crawler`).
        if let (false, Some((_, Slot::Word { exact, script })), Some(last)) =
            (exact, chunk.slots.last(), slots.last_mut())
        {
            last.1 = alternatives(exact, *script, self.languages, self.compiler.cache);
        }
        let hangul = if exact { Vec::new() } else { hangul_pairs(&chunk) };
        let mut clauses: Vec<Box<dyn Query>> = Vec::new();
        for &(field, weight) in fields {
            for query in self.phrases(field, &slots)? {
                clauses.push(Box::new(BoostQuery::new(query, weight)));
            }
            clauses.extend(
                self.same_position(field, &hangul)?
                    .map(|query| -> Box<dyn Query> { Box::new(BoostQuery::new(query, weight)) }),
            );
        }
        let terms_of =
            |terms: Vec<Alternative>| terms.into_iter().map(|alternative| alternative.term).collect();
        let mut lit: Vec<(usize, Vec<String>)> =
            slots.into_iter().map(|(at, terms)| (at, terms_of(terms))).collect();
        if let (true, Some((_, first))) = (lit.len() == 1, lit.first_mut()) {
            first.extend(hangul);
        }
        self.highlights.add_unit(lit);
        Ok(Some(union(clauses)))
    }

    /// The words at their positions in one field, one query for each form of the last word.
    fn phrases(
        &self,
        field: Field,
        slots: &[(usize, Vec<Alternative>)],
    ) -> Result<Vec<Box<dyn Query>>, Error> {
        let Some(((last_at, last), first)) = slots.split_last() else { return Ok(Vec::new()) };
        let mut head = Vec::new();
        for (position, alternatives) in first {
            let Some(term) = alternatives.first().map(|one| Term::from_field_text(field, &one.term)) else {
                continue;
            };
            if !self.exists(&term)? {
                return Ok(Vec::new());
            }
            head.push((*position, term));
        }
        let mut out: Vec<Box<dyn Query>> = Vec::new();
        for Alternative { term, only } in last {
            let term = Term::from_field_text(field, term);
            if !self.exists(&term)? {
                continue;
            }
            let query: Box<dyn Query> = if head.is_empty() {
                Box::new(TermQuery::new(term, WITH_FREQUENCIES))
            } else {
                let mut terms = head.clone();
                terms.push((*last_at, term));
                Box::new(PhraseQuery::new_with_offset(terms))
            };
            out.push(match only {
                None => query,
                Some(stemming) => {
                    let pages = filter(label(self.compiler.fields.stemmers, stemming.name()));
                    Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::Must, pages)]))
                }
            });
        }
        Ok(out)
    }

    /// All terms at one position: the pairs of syllables of one Hangul word.
    fn same_position(&self, field: Field, terms: &[String]) -> Result<Option<Box<dyn Query>>, Error> {
        let terms: Vec<(usize, Term)> =
            terms.iter().map(|term| (0, Term::from_field_text(field, term))).collect();
        for (_, term) in &terms {
            if !self.exists(term)? {
                return Ok(None);
            }
        }
        Ok(match terms.len() {
            0 => None,
            1 => terms
                .into_iter()
                .next()
                .map(|(_, term)| -> Box<dyn Query> { Box::new(TermQuery::new(term, WITH_FREQUENCIES)) }),
            _ => Some(Box::new(PhraseQuery::new_with_offset(terms))),
        })
    }

    /// For the second block: most pairs of a long dense run, in any order, because it holds several words.
    fn loose_dense(&mut self, text: &str) -> Result<Option<Box<dyn Query>>, Error> {
        let chunk = Chunk::read(text, self.compiler.cache);
        if !chunk.is_long_dense_run() {
            return Ok(None);
        }
        let terms: Vec<String> = chunk.slots.iter().map(|(_, slot)| exact_alternative(slot).term).collect();
        let needed = (terms.len() as f64 * DENSE_SHARE_MIN).ceil() as usize;
        let mut in_fields: Vec<Box<dyn Query>> = Vec::new();
        for (field, weight) in [(self.compiler.fields.title, 3.0), (self.compiler.fields.body, 1.0)] {
            let pairs = terms.iter().map(|term| -> Box<dyn Query> {
                Box::new(TermQuery::new(Term::from_field_text(field, term), WITH_FREQUENCIES))
            });
            let most = BooleanQuery::union_with_minimum_required_clauses(pairs.collect(), needed);
            in_fields.push(Box::new(BoostQuery::new(Box::new(most), weight)));
        }
        Ok(Some(union(in_fields)))
    }

    /// A host with its subdomains, or a path below one.
    fn site(&mut self, site: &str) -> Result<Box<dyn Query>, Error> {
        let bare = site.strip_prefix("https://").or_else(|| site.strip_prefix("http://")).unwrap_or(site);
        let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
        let host = host.trim_start_matches("*.").trim_start_matches('.');
        let mut clauses = vec![(Occur::Must, filter(label(self.compiler.fields.host, host)))];
        if !path.trim_matches('/').is_empty() {
            let highlights = std::mem::take(&mut self.highlights);
            let below = self.words(bare, Forms::Exact, &[(self.compiler.fields.url_words, 1.0)])?;
            self.highlights = highlights;
            clauses.extend(below.map(|query| (Occur::Must, filter(query))));
        }
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    fn range(&self, from: Bound<Timestamp>, to: Bound<Timestamp>) -> Box<dyn Query> {
        let term = |Timestamp(ms)| Term::from_field_u64(self.compiler.fields.date, ms);
        Box::new(RangeQuery::new(from.map(term), to.map(term)))
    }

    fn exists(&self, term: &Term) -> Result<bool, Error> {
        Ok(self.compiler.searcher.doc_freq(term).map_err(Error::engine("look up a word in"))? > 0)
    }
}

fn exact_alternative(slot: &Slot) -> Alternative {
    let (Slot::Word { exact: term, .. } | Slot::Fixed(term)) = slot;
    Alternative { term: term.clone(), only: None }
}

/// Pairs of syllables of a chunk that is one Hangul word.
fn hangul_pairs(chunk: &Chunk) -> Vec<String> {
    let [(_, Slot::Word { exact, script: Script::Hangul })] = chunk.slots.as_slice() else {
        return Vec::new();
    };
    let syllables: Vec<char> = exact.chars().collect();
    syllables.windows(2).map(|pair| format!("{HANGUL_MARK}{}{}", pair[0], pair[1])).collect()
}

fn script_of_words(parts: &[Node]) -> Script {
    let first = parts.iter().find_map(|part| match part {
        Node::Word(word) => word.chars().find(|c| c.is_alphabetic()),
        Node::All(inner) | Node::Any(inner) | Node::OddlyMany(inner) => {
            inner.iter().find_map(|node| match node {
                Node::Word(word) => word.chars().find(|c| c.is_alphabetic()),
                _ => None,
            })
        }
        _ => None,
    });
    first.map_or(Script::Latin, crate::analysis::script_of)
}

fn label(field: Field, text: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
}

/// Narrows without changing scores.
fn filter(query: Box<dyn Query>) -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(query, 0.0))
}

fn union(mut queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match queries.len() {
        0 => Box::new(EmptyQuery),
        1 => queries.remove(0),
        _ => Box::new(BooleanQuery::union(queries)),
    }
}

/// Clauses with something to start from when all of them exclude.
fn boolean(mut clauses: Vec<(Occur, Box<dyn Query>)>) -> Box<dyn Query> {
    if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
        clauses.push((Occur::Must, filter(Box::new(AllQuery))));
    }
    Box::new(BooleanQuery::new(clauses))
}

fn copy(clauses: &[(Occur, Box<dyn Query>)]) -> Vec<(Occur, Box<dyn Query>)> {
    clauses.iter().map(|(occur, query)| (*occur, query.box_clone())).collect()
}
