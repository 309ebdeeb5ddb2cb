//! One visit: fetch, judge the status, hash, parse, pack for the archive. What comes out is data, whatever the server did.

use crate::clock::now;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio::sync::Semaphore;
use whimbrel_fetch::{Cut, FetchRequest, Fetched, Fetcher, Response};
use whimbrel_page::{ParseInput, ParseLimits};
use whimbrel_plan::message::{PageReport, RobotsAnswer, Stop, StopKind, VisitReport};
use whimbrel_store::warc::{CaptureInput, encode_capture};
use whimbrel_types::{
    CanonicalUrl, Capture, ContentHash, FailureKind, FetchOutcome, Redirect, Timestamp, Validators,
};
use whimbrel_url::UrlRules;

/// What every visit obeys.
pub struct VisitRules {
    pub urls: Arc<UrlRules>,
    pub timeout_ms: u64,
    pub body_bytes_max: u64,
    pub robots_bytes_max: u64,
    pub parse_limits: ParseLimits,
    pub agent: String,
    /// Keep WARC records of unchanged visits.
    pub warc_revisits: bool,
    /// As many pages are parsed at a time as there are cores.
    pub parsers: Arc<Semaphore>,
}

/// Visits one stop. A bug on the way ends this visit, not the process.
pub async fn visit(fetcher: Fetcher, rules: Arc<VisitRules>, stop: Stop) -> VisitReport {
    let (url, kind, at) = (stop.url.clone(), stop.kind, now());
    match tokio::spawn(async move { attempt(&fetcher, &rules, &stop).await }).await {
        Ok(report) => report,
        Err(error) => {
            if error.is_panic() {
                tracing::error!(%url, "the visit panicked and is given up");
            }
            VisitReport {
                url,
                kind,
                at,
                sent: true,
                elapsed_ms: 0,
                wire_bytes: 0,
                outcome: FetchOutcome::Failed(FailureKind::Panicked),
                detail: String::new(),
                validators: Validators::default(),
                page: None,
                unchanged_capture: None,
                robots: (kind == StopKind::Robots).then(|| RobotsAnswer { status: None, body: Vec::new() }),
            }
        }
    }
}

async fn attempt(fetcher: &Fetcher, rules: &Arc<VisitRules>, stop: &Stop) -> VisitReport {
    let at = now();
    let request = request(rules, stop);
    let fetched = fetcher.fetch(request).await;
    let mut report = VisitReport {
        url: stop.url.clone(),
        kind: stop.kind,
        at,
        sent: true,
        elapsed_ms: fetched.elapsed_ms,
        wire_bytes: fetched.wire_bytes,
        outcome: FetchOutcome::Fetched,
        detail: String::new(),
        validators: Validators::default(),
        page: None,
        unchanged_capture: None,
        robots: None,
    };
    match stop.kind {
        StopKind::Robots => robots(fetched, &mut report),
        StopKind::Page => page(rules, stop, fetched, &mut report).await,
    }
    report
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
    report.validators = response.validators();
    report.outcome = judge(&stop.url, &response, report.at);
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
    let _permit = rules.parsers.acquire().await;
    let (rules, url, at) = (Arc::clone(rules), stop.url.clone(), report.at);
    let done = tokio::task::spawn_blocking(move || {
        // A bug in a parser ends one visit, not the process.
        std::panic::catch_unwind(AssertUnwindSafe(|| page_report(&rules, &url, at, ip, hash, &response)))
    })
    .await;
    match done {
        Ok(Ok(page)) => report.page = Some(Box::new(page)),
        _ => {
            tracing::error!(url = %stop.url, "reading the page panicked; the visit is given up");
            report.outcome = FetchOutcome::Failed(FailureKind::Panicked);
        }
    }
}

fn page_report(
    rules: &VisitRules,
    url: &CanonicalUrl,
    at: Timestamp,
    ip: Option<std::net::IpAddr>,
    content_hash: ContentHash,
    response: &Response,
) -> PageReport {
    let tags: Vec<&str> =
        response.header_values("x-robots-tag").filter_map(|value| std::str::from_utf8(value).ok()).collect();
    let input = ParseInput {
        url,
        content_type: response.content_type.as_deref(),
        body: &response.body,
        x_robots_tag: &tags,
        agent: &rules.agent,
    };
    let parsed = whimbrel_page::parse(&input, &rules.parse_limits);
    PageReport {
        content_hash,
        status: response.status,
        content_type: response.content_type.clone().unwrap_or_default(),
        body_bytes: response.body.len() as u64,
        truncated: response.cut.is_some(),
        last_modified: response.last_modified().and_then(|text| whimbrel_page::dates::parse_date(&text)),
        content: parsed.content,
        capture: capture(url, at, ip, response),
    }
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
        let base = url::Url::parse(url.as_str()).ok()?;
        whimbrel_url::resolve(&base, &location).ok()
    });
    match target {
        Some(target) => FetchOutcome::Redirected(Redirect { target, permanent }),
        None => FetchOutcome::Failed(FailureKind::BadRedirect),
    }
}
