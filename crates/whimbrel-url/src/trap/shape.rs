//! Shapes that no honest page has: paths and queries that repeat themselves, more segments or parameters than anybody
//! writes; and the policy about CGI programs (Pallavi, "selective, incremental, adaptive" crawler, §4: symbolic-link
//! cycles, programs that make endless pages). Each is judged by the URL alone.
//!
//! A run of `repeated_segments_max` equal pieces is let in (`/2020/2020/`, `/a/a/a/`), one more is not; pieces may be
//! sequences of segments (`/a/b/a/b/a/b/a/b`). A piece that comes more than twice that often anywhere is refused too, so
//! that `/a/b/b/a/…` ends as well.

use crate::percent::triplet;
use rustc_hash::FxHashMap;
use whimbrel_types::{CanonicalUrl, RejectReason};

/// Longest sequence of segments that is looked for as a repeated one. Longer ones run into the other bounds.
const PERIOD_MAX: usize = 8;
/// How often a query is unescaped: URLs inside URLs are escaped again at each step.
const UNESCAPES_MAX: usize = 6;

/// What is done about `/cgi-bin/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CgiPolicy {
    /// Not visited.
    #[default]
    Skip,
    /// Visited like other pages.
    Crawl,
}

/// Bounds on a URL's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrapLimits {
    /// CGI programs.
    pub cgi: CgiPolicy,
    /// Equal segments, or sequences of them, in a row.
    pub repeated_segments_max: usize,
    /// Segments of a path.
    pub path_segments_max: usize,
    /// Parameters of a query.
    pub parameters_max: usize,
}

impl Default for TrapLimits {
    fn default() -> Self {
        TrapLimits {
            cgi: CgiPolicy::Skip,
            repeated_segments_max: 3,
            path_segments_max: 32,
            parameters_max: 32,
        }
    }
}

impl TrapLimits {
    /// Whether a URL has a shape that pages have.
    pub fn judge(&self, url: &CanonicalUrl) -> Result<(), RejectReason> {
        let path = url.path();
        if self.cgi == CgiPolicy::Skip
            && path.split('/').any(|segment| segment.eq_ignore_ascii_case("cgi-bin"))
        {
            return Err(RejectReason::Cgi);
        }
        let trap = |what: String| Err(RejectReason::Trap(what));
        let segments = path.bytes().filter(|b| *b == b'/').count();
        if segments > self.path_segments_max {
            return trap(format!("{segments} path segments, {} are allowed", self.path_segments_max));
        }
        if segments > self.repeated_segments_max {
            let pieces: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
            if let Some(piece) = self.repeated(&pieces) {
                return trap(format!("the path repeats {piece:?}"));
            }
        }
        let Some(query) = url.query() else { return Ok(()) };
        let parameters = query.split('&').count();
        if parameters > self.parameters_max {
            return trap(format!("{parameters} query parameters, {} are allowed", self.parameters_max));
        }
        self.judge_query(query)
    }

    /// A query that holds itself: the same parameters again, or a URL in a URL in a URL.
    fn judge_query(&self, query: &str) -> Result<(), RejectReason> {
        // Nothing repeats often in a few bytes.
        if query.len() < 4 * (self.repeated_segments_max + 1) - 1 {
            return Ok(());
        }
        let mut plain = query.to_owned();
        for _ in 0..UNESCAPES_MAX {
            if !plain.contains('%') {
                break;
            }
            plain = unescaped(&plain);
        }
        let urls = plain.matches("://").count();
        if urls > 2 * self.repeated_segments_max {
            return Err(RejectReason::Trap(format!("the query holds {urls} URLs")));
        }
        let pairs: Vec<&str> = plain.split(['/', '?', '&']).filter(|piece| !piece.is_empty()).collect();
        match self.repeated(&pairs) {
            Some(piece) => Err(RejectReason::Trap(format!("the query repeats {piece:?}"))),
            None => Ok(()),
        }
    }

    /// The first piece that comes too often.
    fn repeated<'a>(&self, pieces: &[&'a str]) -> Option<&'a str> {
        let runs_max = self.repeated_segments_max.max(1);
        if pieces.len() <= runs_max {
            return None;
        }
        for period in 1..=PERIOD_MAX.min(pieces.len() / (runs_max + 1)) {
            let mut equal = 0;
            for at in period..pieces.len() {
                equal = if pieces[at] == pieces[at - period] { equal + 1 } else { 0 };
                if equal >= period * runs_max {
                    return Some(pieces[at]);
                }
            }
        }
        if pieces.len() <= 2 * runs_max {
            return None;
        }
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        pieces.iter().copied().find(|piece| {
            let count = counts.entry(piece).or_default();
            *count += 1;
            *count > 2 * runs_max
        })
    }
}

/// One step of unescaping; escaped bytes beyond ASCII stay as they are, for they are text and not structure.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match triplet(&bytes[at..]).filter(u8::is_ascii) {
            Some(plain) => {
                out.push(plain.into());
                at += 3;
            }
            None => {
                out.push(byte.into());
                at += 1;
            }
        }
    }
    out
}
