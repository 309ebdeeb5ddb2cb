//! The fetcher: connections, names, policy and limits put together. One call is one visit.
//! Never follows a redirect but those of robots.txt; never sends a request twice, but for the one case that a
//! kept connection turns out to be dead before any byte came, or its server says that it did not process the request.
//! Invariant: what is set for a site (fields, login, cookies) goes with requests that began at that site, never with
//! one that was redirected there from another.

use crate::address::AddressPolicy;
use crate::config::{Error, FetchConfig};
use crate::connect::{Connection, Connector, duration, http_settings, stand_in_address};
use crate::cookie::CookieLimits;
use crate::exchange::{ExchangeLimits, Failed, exchange};
use crate::failure::{self, Failure};
use crate::pool::Pool;
use crate::redirect;
use crate::request::{self, FetchRequest, REDIRECTS_MAX, RedirectRule};
use crate::resolve::Resolver;
use crate::response::{Fetched, Response};
use crate::site::CheckedSite;
use crate::watch::TimedOut;
use crate::{http2, tls};
use http::{HeaderName, HeaderValue};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, timeout, timeout_at};
use whimbrel_types::{CanonicalUrl, FailureKind, Limit, Site, Timestamp, Unresolved, Validators};

/// Fetches URLs. Cheap to clone; all clones share their connections and names.
#[derive(Clone)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

struct Inner {
    connector: Connector,
    pool: Pool,
    policy: RwLock<AddressPolicy>,
    headers: Vec<(HeaderName, HeaderValue)>,
    sites: HashMap<Site, CheckedSite>,
    silence_max: Duration,
    header_bytes_max: usize,
    headers_max: usize,
    interim_max: usize,
    codings_max: usize,
    ratio_max: u64,
    ratio_from_bytes: u64,
}

/// What a visit has come to so far.
#[derive(Default)]
struct Visit {
    ip: Option<IpAddr>,
    wire_bytes: u64,
    requests: u32,
    hops: Vec<CanonicalUrl>,
    limits: Vec<Limit>,
}

impl Fetcher {
    /// A fetcher with these settings.
    ///
    /// # Errors
    /// When a header field cannot be sent or a root certificate cannot be read.
    pub fn new(config: FetchConfig) -> Result<Fetcher, Error> {
        let headers = config.checked_headers()?;
        let cookie_limits =
            CookieLimits { cookies_max: config.cookies_max, cookie_bytes_max: config.cookie_bytes_max };
        let mut sites = HashMap::new();
        for (site, settings) in &config.sites {
            sites.insert(site.clone(), CheckedSite::new(site, settings, cookie_limits)?);
        }
        let protocols: &[&[u8]] = if config.http2 { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
        let connector = Connector {
            resolver: Resolver::new(&config),
            tls: tls::connector(&config.extra_roots, protocols)?,
            connect_timeout: duration(config.connect_timeout_ms),
            http: http_settings(config.header_bytes_max, config.headers_max.max(1)),
            http2: http2::settings(config.header_bytes_max),
            proxy: config.proxy,
        };
        let pool = Pool::new(
            config.connections_idle_max,
            config.connections_idle_per_site_max,
            duration(config.connection_idle_ms),
        );
        let inner = Inner {
            connector,
            pool,
            policy: RwLock::new(config.address_policy),
            headers,
            sites,
            silence_max: duration(config.idle_timeout_ms),
            header_bytes_max: config.header_bytes_max,
            headers_max: config.headers_max,
            interim_max: config.interim_max,
            codings_max: config.codings_max,
            ratio_max: config.decoded_ratio_max,
            ratio_from_bytes: config.decoded_ratio_from_bytes,
        };
        Ok(Fetcher { inner: Arc::new(inner) })
    }

    /// The addresses of a host that may be connected to; never an empty list. Where a proxy resolves names the address
    /// is a stand-in, one per host, so that whoever waits between visits to an address waits for each host alone; it is
    /// never that of the proxy, which would make all hosts one.
    ///
    /// # Errors
    /// When the name has none, or none that the policy passes.
    pub async fn resolve(&self, host: &str, port: u16) -> Result<Vec<IpAddr>, Unresolved> {
        let inner = &self.inner;
        let looking = inner.connector.checked_addresses(&inner.policy, host, port);
        let late = |_| {
            let detail = format!("cannot resolve {host}: no answer in the time for a connection");
            Unresolved { kind: FailureKind::Timeout, detail, limit: Some(Limit::ConnectTimeout) }
        };
        let passed = timeout(inner.connector.connect_timeout, looking).await.map_err(late)?;
        let passed = passed.map_err(|Failure { kind, detail, limit }| Unresolved { kind, detail, limit })?;
        if passed.is_empty() {
            return Ok(vec![stand_in_address(host)]);
        }
        Ok(passed.iter().map(|address| address.socket().ip()).collect())
    }

    /// Opens a seed's own host and port when all its addresses are loopback; says whether it did.
    ///
    /// # Errors
    /// When the name has no address.
    pub async fn open_loopback_seed(&self, host: &str, port: u16) -> Result<bool, FailureKind> {
        let inner = &self.inner;
        let looking = inner.connector.resolver.addresses(host, port);
        let found =
            timeout(inner.connector.connect_timeout, looking).await.map_err(|_| FailureKind::Timeout)?;
        let loopback =
            found.map_err(|_| FailureKind::DnsFailure)?.iter().all(|ip| ip.to_canonical().is_loopback());
        if loopback {
            inner.policy.write().unwrap_or_else(PoisonError::into_inner).open_loopback(host, port);
        }
        Ok(loopback)
    }

    /// Visits one URL. Whatever goes wrong is in the result.
    pub async fn fetch(&self, request: FetchRequest) -> Fetched {
        let started = Instant::now();
        let deadline = started + duration(request.total_timeout_ms);
        let mut visit = Visit::default();
        let result = self.inner.follow(&request, deadline, &mut visit).await;
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        match &result {
            Ok(response) => {
                tracing::debug!(url = %request.url, status = response.status, elapsed_ms, "visited")
            }
            Err(Failure { kind, detail, limit }) => {
                tracing::debug!(url = %request.url, %kind, detail, elapsed_ms, "visit failed");
                visit.limits.extend(*limit);
            }
        }
        let Visit { ip, wire_bytes, requests, hops, limits } = visit;
        let result = result.map_err(|failure| (failure.kind, failure.detail));
        Fetched { ip, elapsed_ms, wire_bytes, requests, result, limits, hops }
    }
}

impl Inner {
    async fn follow(
        &self,
        request: &FetchRequest,
        deadline: Instant,
        visit: &mut Visit,
    ) -> Result<Response, Failure> {
        let mut url = request.url.clone();
        let mut validators = request.validators.as_ref();
        loop {
            let response = self.fetch_one(&url, validators, request, deadline, visit).await?;
            if request.follow == RedirectRule::None || !response.is_redirect() {
                return Ok(response);
            }
            let location = response.location().unwrap_or_default();
            let target =
                redirect::target(&url, &location).filter(|_| !location.is_empty()).ok_or_else(|| {
                    (
                        FailureKind::BadRedirect,
                        format!("{url} redirects to {location:?}, which is no http URL"),
                    )
                })?;
            if visit.hops.len() >= REDIRECTS_MAX {
                let detail = format!("more than {REDIRECTS_MAX} redirects, the last to {target}");
                return Err(Failure::at_limit(Limit::Redirects, FailureKind::BadRedirect, detail));
            }
            visit.hops.push(target.clone());
            url = target;
            // They were given for the first URL.
            validators = None;
        }
    }

    async fn fetch_one(
        &self,
        url: &CanonicalUrl,
        validators: Option<&Validators>,
        request: &FetchRequest,
        deadline: Instant,
        visit: &mut Visit,
    ) -> Result<Response, Failure> {
        let site = Site::of(url);
        let own = self.sites.get(&site).filter(|_| site == Site::of(&request.url));
        let mut fields = self.headers.clone();
        if let Some(own) = own {
            own.add_fields(&mut fields, url.path_and_query(), now());
        }
        let message = request::build(url, validators, &request.accept, &fields)?;
        let limits = ExchangeLimits {
            deadline,
            silence_max: self.silence_max,
            header_bytes_max: self.header_bytes_max,
            headers_max: self.headers_max,
            interim_max: self.interim_max,
            codings_max: self.codings_max,
            body_bytes_max: request.body_bytes_max,
            ratio_max: self.ratio_max,
            ratio_from_bytes: self.ratio_from_bytes,
            wants: &request.wants,
        };
        let (response, proxied) = self.ask(&site, message, &limits, visit).await?;
        if let Some(own) = own {
            let set_cookies = response.header_values("set-cookie");
            visit.limits.extend(own.note_cookies(set_cookies, url.path_and_query(), now()));
        }
        request::judge_answer(response, validators, request.follow, proxied)
    }

    /// The answer, and whether it was a proxy that was asked for it.
    async fn ask(
        &self,
        site: &Site,
        message: http::Request<http_body_util::Empty<bytes::Bytes>>,
        limits: &ExchangeLimits<'_>,
        visit: &mut Visit,
    ) -> Result<(Response, bool), Failure> {
        if let Some(connection) = self.pool.take(site).await {
            let (before, proxied) = (visit.wire_bytes, connection.proxied.is_some());
            match self.run(connection, message.clone(), limits, visit).await {
                Ok(response) => return Ok((response, proxied)),
                Err(Failed { failure, unprocessed }) => {
                    let timed_out = failure.kind == FailureKind::Timeout;
                    if timed_out || (visit.wire_bytes != before && !unprocessed) {
                        return Err(failure);
                    }
                    tracing::debug!(%site, detail = failure.detail, "kept connection was dead, opening another");
                }
            }
        }
        let opening = self.connector.open(&self.policy, site, &mut visit.ip);
        let connection =
            timeout_at(limits.deadline, opening).await.map_err(|_| failure::timed_out(TimedOut::Total))??;
        let proxied = connection.proxied.is_some();
        let response = self.run(connection, message, limits, visit).await.map_err(|failed| failed.failure)?;
        Ok((response, proxied))
    }

    async fn run(
        &self,
        mut connection: Connection,
        message: http::Request<http_body_util::Empty<bytes::Bytes>>,
        limits: &ExchangeLimits<'_>,
        visit: &mut Visit,
    ) -> Result<Response, Failed> {
        visit.ip = connection.ip;
        visit.requests += 1;
        let result = exchange(&mut connection, message, limits).await;
        visit.wire_bytes += connection.recording.lock().received_bytes;
        let (response, reusable) = result?;
        if reusable {
            self.pool.keep(connection);
        }
        Ok(response)
    }
}

/// Wall-clock time, which cookies expire by.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
