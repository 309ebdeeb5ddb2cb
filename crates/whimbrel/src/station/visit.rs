//! One visit: fetch, judge the status, hash, parse, pack for the archive. What comes out is data, whatever the server did.

use super::limits;
use super::readers::Readers;
use crate::clock::now;
use bytes::Bytes;
use std::sync::Arc;
use whimbrel_fetch::{Cut, FetchRequest, Fetched, Fetcher, Response};
use whimbrel_page::sniff::{SniffedType, sniff};
use whimbrel_page::{ParseInput, ParseLimits, Parsed};
use whimbrel_plan::message::{PageReport, RobotsAnswer, Stop, StopKind, VisitReport};
use whimbrel_store::warc::{CaptureInput, encode_capture};
use whimbrel_types::{
    CanonicalUrl, Capture, ContentHash, FailureKind, FetchOutcome, Limit, LinkKind, Redirect, Timestamp,
    Validators,
};
use whimbrel_url::UrlRules;

/// Longest `ETag` or `Last-Modified` that is kept; servers send some dozens of bytes.
const VALIDATOR_BYTES_MAX: usize = 1024;

/// What every visit obeys.
pub struct VisitRules {
    pub urls: Arc<UrlRules>,
    pub timeout_ms: u64,
    pub body_bytes_max: u64,
    pub robots_bytes_max: u64,
    /// A page is parsed up to here: trees take many times the memory of their bytes.
    pub parsed_bytes_max: usize,
    pub parse_limits: ParseLimits,
    /// Kinds of links followed beside anchors and areas.
    pub embedded: Vec<LinkKind>,
    /// Calendars, counters and series of numbers stay out of the index.
    pub skip_low_value: bool,
    pub agent: String,
    /// Keep WARC records of unchanged visits.
    pub warc_revisits: bool,
    /// Where pages are read.
    pub readers: Readers,
}

/// Visits one stop. A bug on the way ends this visit, not the process.
pub async fn visit(fetcher: Fetcher, rules: Arc<VisitRules>, stop: Stop) -> VisitReport {
    let (asked, at) = (stop.clone(), now());
    match tokio::spawn(async move { attempt(&fetcher, &rules, &stop).await }).await {
        Ok(report) => report,
        Err(error) => {
            if error.is_panic() {
                tracing::error!(url = %asked.url, "the visit panicked and is given up");
            }
            VisitReport::new(&asked, at, FetchOutcome::Failed(FailureKind::Panicked))
        }
    }
}

async fn attempt(fetcher: &Fetcher, rules: &Arc<VisitRules>, stop: &Stop) -> VisitReport {
    let at = now();
    let request = request(rules, stop);
    let fetched = fetcher.fetch(request).await;
    let mut report = VisitReport::new(stop, at, FetchOutcome::Fetched);
    (report.elapsed_ms, report.wire_bytes) = (fetched.elapsed_ms, fetched.wire_bytes);
    note_limits(&fetched, stop.kind, &mut report);
    match stop.kind {
        StopKind::Robots => robots(fetched, &mut report),
        StopKind::Page => page(rules, stop, fetched, &mut report).await,
    }
    report
}

/// Limits that the fetcher ran into.
fn note_limits(fetched: &Fetched, kind: StopKind, report: &mut VisitReport) {
    let cut = fetched.result.as_ref().ok().and_then(|response| response.cut);
    let by_cut = cut.and_then(|cut| limits::of_cut(cut, kind));
    for limit in by_cut.into_iter().chain(fetched.limits.iter().copied()) {
        report.reached(limit);
    }
}

fn request(rules: &Arc<VisitRules>, stop: &Stop) -> FetchRequest {
    match stop.kind {
        StopKind::Robots => FetchRequest {
            total_timeout_ms: rules.timeout_ms,
            body_bytes_max: rules.robots_bytes_max,
            ..FetchRequest::robots(stop.url.clone())
        },
        StopKind::Page => {
            let (urls, url, depth) = (Arc::clone(&rules.urls), stop.url.clone(), stop.depth);
            FetchRequest {
                validators: (!stop.known.validators.is_empty()).then(|| stop.known.validators.clone()),
                total_timeout_ms: rules.timeout_ms,
                body_bytes_max: rules.body_bytes_max,
                wants: Arc::new(move |media_type, status| {
                    status != 200 || media_type.is_empty() || urls.admit_type(&url, depth, media_type).is_ok()
                }),
                ..FetchRequest::new(stop.url.clone())
            }
        }
    }
}

fn robots(fetched: Fetched, report: &mut VisitReport) {
    let answer = match fetched.result {
        Ok(response) => {
            let status = response.status;
            report.outcome = match status {
                200..=299 => FetchOutcome::Fetched,
                429 | 500..=599 => {
                    FetchOutcome::Unavailable { status, retry_after_ms: response.retry_after_ms(report.at) }
                }
                404 | 410 => FetchOutcome::Gone { status },
                _ => FetchOutcome::Refused { status },
            };
            RobotsAnswer { status: Some(status), body: response.body.to_vec() }
        }
        // Too long a chain of redirects, or one that leads nowhere: RFC 9309 lets us take the file as not there.
        Err((FailureKind::BadRedirect, detail)) => {
            report.outcome = FetchOutcome::Refused { status: 404 };
            report.detail = detail;
            RobotsAnswer { status: Some(404), body: Vec::new() }
        }
        Err((kind, detail)) => {
            report.outcome = FetchOutcome::Failed(kind);
            report.detail = detail;
            RobotsAnswer { status: None, body: Vec::new() }
        }
    };
    report.robots = Some(answer);
}

async fn page(rules: &Arc<VisitRules>, stop: &Stop, fetched: Fetched, report: &mut VisitReport) {
    let ip = fetched.ip;
    let response = match fetched.result {
        Ok(response) => response,
        Err((kind, detail)) => {
            report.outcome = FetchOutcome::Failed(kind);
            report.detail = detail;
            return;
        }
    };
    report.validators = bounded(response.validators());
    report.outcome = judge(&stop.url, &response, report.at);
    if report.outcome == FetchOutcome::Failed(FailureKind::BadRedirect) {
        report.detail = match response.location() {
            Some(location) => format!("redirects to {location:?}, which is no http URL"),
            None => "a redirect without a target".to_owned(),
        };
    }
    if response.status == 304 && stop.known.validators.is_empty() {
        // Nobody asked whether anything had changed, so there is nothing that is unchanged.
        report.outcome = FetchOutcome::Refused { status: 304 };
    }
    if report.outcome == FetchOutcome::Fetched {
        let media_type = response.media_type();
        if !media_type.is_empty() && rules.urls.admit_type(&stop.url, stop.depth, &media_type).is_err() {
            report.outcome = FetchOutcome::UnwantedType { media_type };
            return;
        }
        let hash = ContentHash::of(&response.body);
        if stop.known.content_hash == Some(hash) {
            report.outcome = FetchOutcome::NotModified;
        } else {
            read(rules, stop, response, hash, ip, report).await;
            return;
        }
    }
    if report.outcome == FetchOutcome::NotModified && rules.warc_revisits {
        report.unchanged_capture = Some(Box::new(capture(&stop.url, report.at, ip, &response)));
    }
}

/// Parses and packs on a thread of its own, so that a long page never holds up the network.
async fn read(
    rules: &Arc<VisitRules>,
    stop: &Stop,
    response: Response,
    hash: ContentHash,
    ip: Option<std::net::IpAddr>,
    report: &mut VisitReport,
) {
    let (readers, rules, url, at) = (rules.readers.clone(), Arc::clone(rules), stop.url.clone(), report.at);
    let bytes = response.body.len();
    if bytes > rules.parsed_bytes_max {
        report.reached(Limit::ParsedBody);
    }
    let done = readers.read(bytes, move || page_report(&rules, &url, at, ip, hash, response)).await;
    report.read_ms = done.as_ref().map_or(0, |(_, read_ms)| *read_ms);
    match done.map(|(read, _)| read) {
        Some(Read::Page(page, reached)) => {
            reached.into_iter().for_each(|limit| report.reached(limit));
            report.page = Some(page);
        }
        Some(Read::NotText(sniffed)) => {
            report.detail = format!("its bytes are {}, not what its type says", sniffed.label());
            report.outcome = FetchOutcome::UnwantedType { media_type: sniffed.label().to_owned() };
        }
        None => {
            tracing::error!(url = %stop.url, "reading the page panicked; the visit is given up");
            report.outcome = FetchOutcome::Failed(FailureKind::Panicked);
        }
    }
}

/// What a body turned out to be.
enum Read {
    /// A page, and the limits that it reached.
    Page(Box<PageReport>, Vec<Limit>),
    /// Nothing that can be read, whatever its type says.
    NotText(SniffedType),
}

fn page_report(
    rules: &VisitRules,
    url: &CanonicalUrl,
    at: Timestamp,
    ip: Option<std::net::IpAddr>,
    content_hash: ContentHash,
    mut response: Response,
) -> Read {
    let sniffed = sniff(response.content_type.as_deref(), &response.body);
    if !sniffed.is_readable() {
        return Read::NotText(sniffed);
    }
    // First the archive's copy: then of a huge body only what is parsed has to be kept beside its tree.
    let capture = capture(url, at, ip, &response);
    let body_bytes = response.body.len();
    let mut body = std::mem::take(&mut response.body);
    response.wire_body = Bytes::new();
    if body_bytes > rules.parsed_bytes_max {
        body = Bytes::copy_from_slice(&body[..rules.parsed_bytes_max]);
    }
    let tags: Vec<&str> =
        response.header_values("x-robots-tag").filter_map(|value| std::str::from_utf8(value).ok()).collect();
    let input = ParseInput {
        url,
        content_type: response.content_type.as_deref(),
        body: &body,
        x_robots_tag: &tags,
        agent: &rules.agent,
    };
    let Parsed { mut content, embedded_links, problems, omissions, low_value, .. } =
        whimbrel_page::parse(&input, &rules.parse_limits);
    let embedded = embedded_links.into_iter().filter(|link| rules.embedded.contains(&link.kind));
    content.links.extend(embedded);
    let page = PageReport {
        content_hash,
        status: response.status,
        content_type: response.content_type.clone().unwrap_or_default(),
        body_bytes: body_bytes as u64,
        truncated: response.cut.is_some(),
        last_modified: response.last_modified().and_then(|text| whimbrel_page::dates::parse_date(&text)),
        low_value: low_value.filter(|_| rules.skip_low_value),
        content,
        capture,
    };
    let problems = problems.into_iter().map(limits::of_problem);
    let reached = problems.chain(omissions.into_iter().map(limits::of_omission)).collect();
    Read::Page(Box::new(page), reached)
}

fn capture(url: &CanonicalUrl, at: Timestamp, ip: Option<std::net::IpAddr>, response: &Response) -> Capture {
    encode_capture(&CaptureInput {
        url,
        at,
        ip,
        request_head: &response.request_head,
        response_head: &response.response_head,
        wire_body: &response.wire_body,
        content_encoding: response.header_text("content-encoding"),
        truncated: response.cut.map(Cut::as_str),
    })
}

/// Validators that are worth keeping: a row of the URL table and every later request would carry them.
fn bounded(validators: Validators) -> Validators {
    let short = |value: &String| value.len() <= VALIDATOR_BYTES_MAX;
    Validators { etag: validators.etag.filter(short), last_modified: validators.last_modified.filter(short) }
}

/// What a status means for the planner.
fn judge(url: &CanonicalUrl, response: &Response, at: Timestamp) -> FetchOutcome {
    match response.status {
        200 if response.cut == Some(Cut::UnwantedType) => {
            FetchOutcome::UnwantedType { media_type: response.media_type() }
        }
        200 => FetchOutcome::Fetched,
        304 => FetchOutcome::NotModified,
        301 | 302 | 303 | 307 | 308 => redirect(url, response),
        status @ (404 | 410) => FetchOutcome::Gone { status },
        status @ (429 | 500..=599) => {
            FetchOutcome::Unavailable { status, retry_after_ms: response.retry_after_ms(at) }
        }
        status => FetchOutcome::Refused { status },
    }
}

fn redirect(url: &CanonicalUrl, response: &Response) -> FetchOutcome {
    let permanent = matches!(response.status, 301 | 308);
    let target = response.location().and_then(|location| {
        let base = whimbrel_url::ParsedUrl::parse(url.as_str())?;
        whimbrel_url::resolve(&base, &location).ok()
    });
    match target {
        Some(target) => FetchOutcome::Redirected(Redirect { target, permanent }),
        None => FetchOutcome::Failed(FailureKind::BadRedirect),
    }
}
