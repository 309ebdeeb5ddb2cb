//! Decides what a request is answered: look-up, conditions, compression, misbehaviour on request.
//! Opens no sockets. Conditional requests: RFC 9110 §13.

use super::ServerOptions;
use super::body::{Manner, Recording, ServedBody};
use super::origins::Origins;
use super::ready::{ReadyPage, accepts_gzip, header_map, header_value};
use crate::answer::{Answer, RequestInfo};
use crate::log::{AccessEntry, AccessLog};
use crate::web::{Place, SiteSpec, Web};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode, header};
use hyper::Response;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use tokio::time::sleep;

/// What all connections share.
pub(super) struct Shared {
    pub(super) origins: Origins,
    pub(super) options: ServerOptions,
    pub(super) log: Arc<AccessLog>,
    sites: Vec<ServedSite>,
    connections: AtomicU64,
    requests: AtomicU64,
}

struct ServedSite {
    spec: RwLock<SiteSpec>,
    /// Pages that are the same for everyone, made ready once.
    ready: RwLock<BTreeMap<String, Arc<ReadyPage>>>,
    visits: Mutex<BTreeMap<String, u64>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("origins", &self.origins).finish_non_exhaustive()
    }
}

impl Shared {
    /// Makes all fixed pages ready.
    pub(super) fn new(
        web: Web,
        origins: Origins,
        options: ServerOptions,
        log: AccessLog,
    ) -> io::Result<Shared> {
        let mut sites = Vec::new();
        for spec in web.sites {
            let mut ready = BTreeMap::new();
            for (path, answer) in &spec.pages {
                if let Some(page) =
                    make_ready(answer, &origins).map_err(|error| naming(&error, &spec.name, path))?
                {
                    ready.insert(path.clone(), Arc::new(page));
                }
            }
            sites.push(ServedSite {
                spec: RwLock::new(spec),
                ready: RwLock::new(ready),
                visits: Mutex::new(BTreeMap::new()),
            });
        }
        Ok(Shared {
            origins,
            options,
            log: Arc::new(log),
            sites,
            connections: AtomicU64::new(0),
            requests: AtomicU64::new(0),
        })
    }

    /// A number for a new connection.
    pub(super) fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Changes what a path answers.
    pub(super) fn set(&self, place: &Place, answer: Answer) -> io::Result<()> {
        let number = self.origins.all().position(|(name, _)| name == place.site);
        let Some(site) = number.and_then(|number| self.sites.get(number)) else {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("the web has no site {:?}", place.site),
            ));
        };
        let page =
            make_ready(&answer, &self.origins).map_err(|error| naming(&error, &place.site, &place.path))?;
        // Always the site before its ready pages, here and in `ready_page`, so no two wait for each other.
        let mut spec = site.spec.write().unwrap_or_else(PoisonError::into_inner);
        let mut ready = site.ready.write().unwrap_or_else(PoisonError::into_inner);
        match page {
            Some(page) => ready.insert(place.path.clone(), Arc::new(page)),
            None => ready.remove(&place.path),
        };
        spec.put(&place.path, answer);
        Ok(())
    }

    /// Answers a request and logs it. An error closes the connection.
    pub(super) async fn respond(
        &self,
        parts: Parts,
        site: Option<usize>,
        connection: u64,
    ) -> io::Result<Response<ServedBody>> {
        let host = header_text(&parts.headers, &header::HOST).unwrap_or_default();
        let number = site.or_else(|| self.origins.site_of_host(&host));
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let recording = self.arrival(&parts, number, &path, host, connection);
        if self.options.delay > Duration::ZERO {
            sleep(self.options.delay).await;
        }
        let Some(site) = number.and_then(|number| self.sites.get(number)) else {
            return self.bare(StatusCode::MISDIRECTED_REQUEST, HeaderMap::new(), recording);
        };
        if let Some(page) = site.ready_page(&path) {
            site.count_visit(&path);
            return self.page(&page, &parts, Manner::default(), recording);
        }
        let info = RequestInfo {
            site: site.name(),
            method: parts.method.to_string(),
            visits_before: site.count_visit(&path),
            path,
            headers: parts.headers.clone(),
        };
        let answer = site.spec.read().unwrap_or_else(PoisonError::into_inner).answer(&info);
        self.act_out(answer, &info, &parts, recording).await
    }

    fn arrival(
        &self,
        parts: &Parts,
        site: Option<usize>,
        path: &str,
        host: String,
        connection: u64,
    ) -> Recording {
        let entry = AccessEntry {
            sequence: self.requests.fetch_add(1, Ordering::Relaxed),
            site: site.and_then(|number| self.sites.get(number)).map(ServedSite::name).unwrap_or_default(),
            host,
            method: parts.method.to_string(),
            path: path.to_owned(),
            user_agent: header_text(&parts.headers, &header::USER_AGENT),
            if_none_match: header_text(&parts.headers, &header::IF_NONE_MATCH),
            if_modified_since: header_text(&parts.headers, &header::IF_MODIFIED_SINCE),
            accept_encoding: header_text(&parts.headers, &header::ACCEPT_ENCODING),
            connection,
            at_ms: AccessLog::wall_ms(),
            start_ms: self.log.now_ms(),
            ..AccessEntry::default()
        };
        Recording::new(Arc::clone(&self.log), entry)
    }

    /// Goes through the wrappings of an answer until something can be sent.
    async fn act_out(
        &self,
        mut answer: Answer,
        info: &RequestInfo,
        parts: &Parts,
        recording: Recording,
    ) -> io::Result<Response<ServedBody>> {
        let mut manner = Manner::default();
        loop {
            answer = match answer {
                Answer::Custom(decide) => decide(info),
                Answer::Slow { delay, answer } => {
                    sleep(delay).await;
                    *answer
                }
                Answer::Drip { piece_bytes, pause, answer } => {
                    manner.drip = Some((piece_bytes, pause));
                    *answer
                }
                Answer::Cut { after_bytes, answer } => {
                    manner.cut_after_bytes = Some(after_bytes);
                    *answer
                }
                Answer::Hang => std::future::pending().await,
                Answer::Close => return Err(io::Error::other("the connection is closed on purpose")),
                Answer::Endless { content_type, piece } => {
                    manner.endless = true;
                    let page = ReadyPage::new(200, &content_type, &[], &piece, &self.origins)?;
                    return self.page(&page, parts, manner, recording);
                }
                Answer::Status(status, headers) => {
                    let status = StatusCode::from_u16(status).map_err(io::Error::other)?;
                    return self.bare(status, header_map(&headers, &self.origins)?, recording);
                }
                Answer::Page { status, content_type, headers, body } => {
                    let page = ReadyPage::new(status, &content_type, &headers, &body, &self.origins)?;
                    return self.page(&page, parts, manner, recording);
                }
                Answer::Redirect { status, location } => {
                    let headers = [("Location".to_owned(), location)];
                    let body = Bytes::from_static(
                        b"<!DOCTYPE html><title>Moved</title><p>This page has moved.</p>\n",
                    );
                    let page = ReadyPage::new(status, HTML, &headers, &body, &self.origins)?;
                    return self.page(&page, parts, manner, recording);
                }
                Answer::NotFound => {
                    let body = "<!DOCTYPE html><title>Not found</title><h1>Not found</h1><p>There is no \
                        such page here.</p>\n";
                    let page =
                        ReadyPage::new(404, HTML, &[], &Bytes::from_static(body.as_bytes()), &self.origins)?;
                    return self.page(&page, parts, manner, recording);
                }
            }
        }
    }

    fn bare(
        &self,
        status: StatusCode,
        headers: HeaderMap,
        mut recording: Recording,
    ) -> io::Result<Response<ServedBody>> {
        recording.set_status(status.as_u16());
        let mut response = Response::new(ServedBody::none(recording));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }

    fn page(
        &self,
        page: &ReadyPage,
        parts: &Parts,
        manner: Manner,
        mut recording: Recording,
    ) -> io::Result<Response<ServedBody>> {
        let mut headers = page.headers.clone();
        let may_compress = self.options.gzip && !manner.endless;
        let gzip = if may_compress && accepts_gzip(&parts.headers) { page.gzip() } else { None };
        if may_compress && page.is_compressible() {
            headers.append(header::VARY, header_value("Accept-Encoding")?);
        }
        let can_validate = self.options.validators && page.status == 200 && !manner.endless;
        if can_validate {
            headers.insert(header::ETAG, header_value(&page.tag(gzip.is_some()))?);
            if page.is_unchanged_for(&parts.headers) {
                headers.remove(header::CONTENT_TYPE);
                return self.bare(StatusCode::NOT_MODIFIED, headers, recording);
            }
        }
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, header_value("gzip")?);
        }
        let body = gzip.unwrap_or_else(|| page.body.clone());
        if !manner.endless {
            headers.insert(header::CONTENT_LENGTH, body.len().into());
        }
        recording.set_status(page.status);
        let is_head = parts.method == Method::HEAD;
        let sent =
            if is_head { ServedBody::none(recording) } else { ServedBody::new(body, manner, recording) };
        let mut response = Response::new(sent);
        *response.status_mut() = StatusCode::from_u16(page.status).map_err(io::Error::other)?;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

const HTML: &str = "text/html; charset=utf-8";

impl ServedSite {
    fn name(&self) -> String {
        self.spec.read().unwrap_or_else(PoisonError::into_inner).name.clone()
    }

    fn ready_page(&self, path: &str) -> Option<Arc<ReadyPage>> {
        let spec = self.spec.read().unwrap_or_else(PoisonError::into_inner);
        let ready = self.ready.read().unwrap_or_else(PoisonError::into_inner);
        if spec.pages.contains_key(path) {
            return ready.get(path).cloned();
        }
        ready.get(&spec.plain_path(path)?).cloned()
    }

    /// Counts a visit and says how many there were before.
    fn count_visit(&self, path: &str) -> u64 {
        let mut visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        let count = visits.entry(path.to_owned()).or_insert(0);
        *count += 1;
        *count - 1
    }
}

fn make_ready(answer: &Answer, origins: &Origins) -> io::Result<Option<ReadyPage>> {
    match answer {
        Answer::Page { status, content_type, headers, body } => {
            ReadyPage::new(*status, content_type, headers, body, origins).map(Some)
        }
        Answer::Redirect { location, .. } => origins.fill_text(location).map(|_| None),
        _ => Ok(None),
    }
}

fn header_text(headers: &HeaderMap, name: &header::HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn naming(error: &io::Error, site: &str, path: &str) -> io::Error {
    io::Error::new(error.kind(), format!("cannot serve {path} of site {site}: {error}"))
}
