//! Undoes content codings while the body comes in (RFC 9110, section 8.4), under limits on what comes out.
//! Never fails on what servers really do: labels that are wrong, bodies that break off, zlib or raw deflate, junk
//! after the end. What was decoded up to a fault is kept and marked.
//! Invariant: no stage puts out more than `decoded_bytes_max`, nor, past a floor, more than `ratio_max` times the
//! bytes that came in; memory is the decoded body, one scratch buffer per stage and the windows of the codecs.

pub(crate) mod stage;

use crate::failure::Failure;
use crate::response::Cut;
use bytes::Bytes;
use stage::{Coding, Stage, StageFault};
use whimbrel_types::{FailureKind, Limit};

/// First bytes of a body that are looked at to tell text from compressed bytes.
const TEXT_SNIFF_BYTES: usize = 64;

/// Bytes that [`decode_body`] decodes at once: the ratio is that of what has come in so far.
const STEP_BYTES: usize = 16 << 10;

/// The limits on decoded bytes.
#[derive(Clone, Copy, Debug)]
pub struct DecodeLimits {
    /// Most decoded bytes.
    pub decoded_bytes_max: u64,
    /// Most decoded bytes per byte that came in, once more than `ratio_from_bytes` are decoded.
    pub ratio_max: u64,
    /// Decoded bytes below which any ratio is fine.
    pub ratio_from_bytes: u64,
}

impl Default for DecodeLimits {
    fn default() -> DecodeLimits {
        DecodeLimits { decoded_bytes_max: 16 << 20, ratio_max: 200, ratio_from_bytes: 1 << 20 }
    }
}

/// Why a body cannot be decoded at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeFault {
    /// It names a coding that is not known here: what it is cannot be told.
    #[error("the content coding {0:?} is unknown")]
    Unknown(String),
    /// It has more codings on top of each other than the limit.
    #[error("more than {0} content codings on top of each other")]
    TooMany(usize),
    /// Not one byte could be had of it.
    #[error("the body is not of the content coding it is labelled with")]
    Broken,
}

impl From<DecodeFault> for Failure {
    fn from(fault: DecodeFault) -> Failure {
        let detail = fault.to_string();
        match fault {
            DecodeFault::TooMany(_) => Failure::at_limit(Limit::Codings, FailureKind::DecodeError, detail),
            DecodeFault::Unknown(_) | DecodeFault::Broken => (FailureKind::DecodeError, detail).into(),
        }
    }
}

/// A decoded body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedBody {
    /// Its bytes, as far as they could be had.
    pub bytes: Vec<u8>,
    /// Why it is not whole, if it is not.
    pub cut: Option<Cut>,
    /// Why there is nothing, if there is nothing.
    pub fault: Option<DecodeFault>,
}

/// Undoes the content codings of a body at once, exactly as a visit does while it comes in. `content_encoding` is the
/// value of the field, several joined by commas.
#[must_use]
pub fn decode_body(
    content_encoding: &str,
    body: &[u8],
    codings_max: usize,
    limits: DecodeLimits,
) -> DecodedBody {
    let codings = match codings(std::iter::once(content_encoding.as_bytes()), codings_max) {
        Ok(codings) => codings,
        Err(fault) => {
            let fault = Some(fault).filter(|_| !body.is_empty());
            return DecodedBody { bytes: Vec::new(), cut: None, fault };
        }
    };
    let mut decoder = Decoder::new(&codings, limits, 0);
    for step in body.chunks(STEP_BYTES) {
        decoder.push(step);
        if decoder.is_full() {
            break;
        }
    }
    match decoder.finish() {
        Decoded::AsOnWire => {
            let fits = usize::try_from(limits.decoded_bytes_max).unwrap_or(usize::MAX).min(body.len());
            let cut = (fits < body.len()).then_some(Cut::BodyLimit);
            DecodedBody { bytes: body[..fits].to_vec(), cut, fault: None }
        }
        Decoded::Bytes(bytes, stop) => DecodedBody { bytes, cut: stop.map(Stop::as_cut), fault: None },
        Decoded::Failed => DecodedBody { bytes: Vec::new(), cut: None, fault: Some(DecodeFault::Broken) },
    }
}

/// Why decoding ended before the body did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// More decoded bytes than wanted.
    Limit,
    /// Too many decoded bytes for those that came in.
    Ratio,
    /// The coding is broken here.
    Broken,
}

impl Stop {
    fn as_cut(self) -> Cut {
        match self {
            Stop::Limit => Cut::BodyLimit,
            Stop::Ratio => Cut::Ratio,
            Stop::Broken => Cut::BrokenCoding,
        }
    }
}

/// What decoding came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// The body has no coding, or is labelled wrongly: it is the bytes of the wire.
    AsOnWire,
    /// The decoded bytes, and why they end early.
    Bytes(Vec<u8>, Option<Stop>),
    /// Nothing could be decoded.
    Failed,
}

impl Decoded {
    /// The decoded body of a visit and why it is not whole.
    pub(crate) fn into_body(self, wire: &Bytes) -> Result<(Bytes, Option<Cut>), Failure> {
        match self {
            Decoded::AsOnWire => Ok((wire.clone(), None)),
            Decoded::Bytes(bytes, stop) => Ok((Bytes::from(bytes), stop.map(Stop::as_cut))),
            Decoded::Failed => Err(DecodeFault::Broken.into()),
        }
    }
}

/// Decodes one body.
pub(crate) struct Decoder {
    stages: Vec<Stage>,
    limits: DecodeLimits,
    out: Vec<u8>,
    wire_bytes: u64,
    stop: Option<Stop>,
    first_bytes: Vec<u8>,
}

/// The content codings named in the fields, outermost last.
pub(crate) fn codings<'a>(
    values: impl Iterator<Item = &'a [u8]>,
    codings_max: usize,
) -> Result<Vec<Coding>, DecodeFault> {
    let mut codings = Vec::new();
    for value in values {
        for token in value.split(|&b| b == b',') {
            match Coding::named(token.trim_ascii()) {
                stage::Named::Known(coding) if codings.len() < codings_max => codings.push(coding),
                stage::Named::Known(_) => return Err(DecodeFault::TooMany(codings_max)),
                stage::Named::Nothing => {}
                stage::Named::Unsupported => {
                    let shown = String::from_utf8_lossy(token).trim().chars().take(40).collect();
                    return Err(DecodeFault::Unknown(shown));
                }
            }
        }
    }
    Ok(codings)
}

impl Decoder {
    /// `codings` in the order they were applied; `capacity` is a guess at the decoded size.
    pub(crate) fn new(codings: &[Coding], limits: DecodeLimits, capacity: usize) -> Decoder {
        Decoder {
            stages: codings.iter().rev().map(|coding| Stage::new(*coding)).collect(),
            limits,
            out: if codings.is_empty() { Vec::new() } else { Vec::with_capacity(capacity) },
            wire_bytes: 0,
            stop: None,
            first_bytes: Vec::new(),
        }
    }

    /// Takes in the next bytes of the wire. Cheap once decoding has stopped.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.stages.is_empty() {
            return;
        }
        let sniff = TEXT_SNIFF_BYTES.saturating_sub(self.first_bytes.len()).min(bytes.len());
        self.first_bytes.extend_from_slice(&bytes[..sniff]);
        self.wire_bytes += bytes.len() as u64;
        if self.stop.is_none() {
            self.stop = self.run(0, Some(bytes)).err();
        }
    }

    /// Decoded bytes so far.
    pub(crate) fn decoded_bytes(&self) -> usize {
        self.out.len()
    }

    /// Whether there is no use in reading on: the decoded body has reached a limit.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self.stop, Some(Stop::Limit | Stop::Ratio))
    }

    /// The result, at the end of the wire's bytes.
    pub(crate) fn finish(mut self) -> Decoded {
        if self.stages.is_empty() || self.wire_bytes == 0 {
            return Decoded::AsOnWire;
        }
        for first in 0..self.stages.len() {
            if self.stop.is_none() {
                self.stop = self.run(first, None).err();
            }
        }
        let mislabeled = self.stages.iter().all(Stage::passes_through);
        if mislabeled || (self.stop == Some(Stop::Broken) && looks_like_text(&self.first_bytes)) {
            return Decoded::AsOnWire;
        }
        if self.stop == Some(Stop::Broken) && self.out.is_empty() {
            return Decoded::Failed;
        }
        Decoded::Bytes(self.out, self.stop)
    }

    /// Runs `input` through the stages from `first` on; `None` tells that stage that its input has ended.
    fn run(&mut self, first: usize, input: Option<&[u8]>) -> Result<(), Stop> {
        let Decoder { stages, limits, out, wire_bytes, .. } = self;
        feed(&mut stages[first..], input, &Sink { limits: *limits, wire_bytes: *wire_bytes }, out)
    }
}

/// The limits as they stand at this point of the wire.
struct Sink {
    limits: DecodeLimits,
    wire_bytes: u64,
}

impl Sink {
    /// How many bytes a stage that has put out `before` may put out on top.
    fn room(&self, before: u64) -> (u64, Stop) {
        let by_ratio =
            self.limits.ratio_from_bytes.max(self.wire_bytes.saturating_mul(self.limits.ratio_max));
        let (most, stop) = if by_ratio < self.limits.decoded_bytes_max {
            (by_ratio, Stop::Ratio)
        } else {
            (self.limits.decoded_bytes_max, Stop::Limit)
        };
        (most.saturating_sub(before), stop)
    }
}

fn feed(stages: &mut [Stage], input: Option<&[u8]>, sink: &Sink, out: &mut Vec<u8>) -> Result<(), Stop> {
    let Some((stage, later)) = stages.split_first_mut() else {
        out.extend_from_slice(input.unwrap_or_default());
        return Ok(());
    };
    let mut stopped = None;
    let result = stage.push(input, &mut |piece, before| {
        let (room, stop) = sink.room(before);
        let fits = usize::try_from(room).map_or(piece.len(), |room| room.min(piece.len()));
        let passed_on = feed(later, Some(&piece[..fits]), sink, out);
        stopped = passed_on.err().or_else(|| (fits < piece.len()).then_some(stop));
        stopped.is_none()
    });
    match (stopped, result) {
        (Some(stop), _) => Err(stop),
        (None, Err(StageFault)) => Err(Stop::Broken),
        (None, Ok(())) => Ok(()),
    }
}

/// Whether the first bytes are plain text, which the first bytes of a compressed stream practically never are.
fn looks_like_text(first: &[u8]) -> bool {
    let valid = match std::str::from_utf8(first) {
        Ok(text) => text,
        // A character cut off by the sniff length is no fault.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&first[..error.valid_up_to()]).unwrap_or("")
        }
        Err(_) => return false,
    };
    !valid.is_empty() && valid.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{c}'))
}

#[cfg(test)]
pub(crate) mod tests;
