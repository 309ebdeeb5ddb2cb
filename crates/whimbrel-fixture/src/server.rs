//! Serves a [`Web`] on loopback: binds every site, takes connections, keeps the log.
//! What a request is answered is decided in `respond`, how bytes leave in `body`.
//! Invariant: nothing outlives the server: when it is stopped or dropped, all its connections end.

mod body;
mod connection;
mod origins;
mod ready;
mod respond;

use crate::answer::Answer;
use crate::log::{AccessEntry, AccessLog};
use crate::web::{Place, Web};
use origins::Origins;
use respond::Shared;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Where the sites of a web are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// All on 127.0.0.1, each on a free port: one host for a crawler that counts by host.
    #[default]
    OnePortEach,
    /// 127.0.0.2, 127.0.0.3, … all on this port (0: a free one): a host each. Needs a system that answers
    /// on all of 127/8, as Linux does.
    OneAddressEach(u16),
    /// One listener on 127.0.0.1; sites are told apart by the `Host` header, which is the site's name with
    /// this ending (`docs` + `.example.test`). Clients need [`Server::resolve_rules`].
    NamesEndingWith(String),
    /// Exactly these, in the order of the sites: to come back where one was before.
    Fixed(Vec<SocketAddr>),
}

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Compress text for clients that accept gzip.
    pub gzip: bool,
    /// Send `ETag` with pages, and answer conditional requests with 304 where that holds.
    pub validators: bool,
    /// Let connections serve more than one request.
    pub keep_alive: bool,
    /// Where the sites are found.
    pub addresses: Addresses,
    /// A wait before every answer.
    pub delay: Duration,
    /// Also write the access log here, as JSON lines.
    pub log_file: Option<PathBuf>,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions {
            gzip: false,
            validators: true,
            keep_alive: true,
            addresses: Addresses::default(),
            delay: Duration::ZERO,
            log_file: None,
        }
    }
}

/// A web being served.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    listeners: JoinSet<()>,
    stop: watch::Sender<()>,
    addresses: Vec<SocketAddr>,
}

impl Server {
    /// Binds all sites and serves them from now on.
    ///
    /// # Errors
    /// When an address cannot be bound, the log file cannot be opened, two sites have one name, or a page
    /// names a site that is not there.
    pub async fn start(web: Web, options: ServerOptions) -> io::Result<Server> {
        let log = AccessLog::open(options.log_file.as_deref())?;
        let bound = bind(&options.addresses, web.sites.len()).await?;
        let mut addresses = Vec::new();
        for listener in &bound {
            addresses.push(listener.local_addr()?);
        }
        let origins = Origins::new(&web, &options.addresses, &addresses)?;
        let by_name = matches!(options.addresses, Addresses::NamesEndingWith(_));
        let shared = Arc::new(Shared::new(web, origins, options, log)?);
        let mut listeners = JoinSet::new();
        let (stop, stopped) = watch::channel(());
        for (number, listener) in bound.into_iter().enumerate() {
            let site = if by_name { None } else { Some(number) };
            listeners.spawn(connection::accept(Arc::clone(&shared), listener, site, stopped.clone()));
        }
        Ok(Server { shared, listeners, stop, addresses })
    }

    /// `http://host:port` of a site, without a slash at the end.
    ///
    /// # Panics
    /// When the web has no such site: a mistake in the test that asks.
    #[must_use]
    pub fn origin(&self, site_name: &str) -> String {
        let found = self.shared.origins.of(site_name);
        found.unwrap_or_else(|| panic!("the web has no site {site_name:?}")).to_owned()
    }

    /// Origins of all sites, in the order of the web.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        self.shared.origins.all().map(|(_, origin)| origin.to_owned()).collect()
    }

    /// Names and origins of all sites, in the order of the web.
    #[must_use]
    pub fn named_origins(&self) -> Vec<(String, String)> {
        self.shared.origins.all().map(|(name, origin)| (name.to_owned(), origin.to_owned())).collect()
    }

    /// The URL of a place.
    #[must_use]
    pub fn url(&self, place: &Place) -> String {
        format!("{}{}", self.origin(&place.site), place.path)
    }

    /// The place a URL stands for, when it is on one of the sites.
    #[must_use]
    pub fn place(&self, url: &str) -> Option<Place> {
        self.shared.origins.all().find_map(|(name, origin)| {
            let path = url.strip_prefix(origin)?;
            match path.as_bytes().first() {
                None => Some(Place::new(name, "/")),
                Some(b'/') => Some(Place::new(name, path)),
                Some(b'?') => Some(Place::new(name, format!("/{path}"))),
                Some(_) => None,
            }
        })
    }

    /// Where the listeners are bound: one per site, or one in all for sites told apart by name.
    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// `HOST:PORT:ADDRESS` for every site, as `curl --resolve` takes it.
    #[must_use]
    pub fn resolve_rules(&self) -> Vec<String> {
        let rule = |(number, (_, origin)): (usize, (&str, &str))| {
            let address = self.addresses.get(number).or(self.addresses.first())?;
            Some(format!("{}:{}", origin.strip_prefix("http://")?, address.ip()))
        };
        self.shared.origins.all().enumerate().filter_map(rule).collect()
    }

    /// Every finished request so far, in order of arrival.
    #[must_use]
    pub fn log(&self) -> Vec<AccessEntry> {
        self.shared.log.entries()
    }

    /// Forgets the requests so far; a log file stays as it is.
    pub fn clear_log(&self) {
        self.shared.log.clear();
    }

    /// Changes what a path answers from now on: how a page changes, moves or goes between two crawls.
    ///
    /// # Errors
    /// When there is no such site, or the answer names a site that is not there.
    pub fn set(&self, place: &Place, answer: Answer) -> io::Result<()> {
        self.shared.set(place, answer)
    }

    /// Ends all connections, frees the addresses and gives the whole log.
    pub async fn stop(mut self) -> Vec<AccessEntry> {
        // Fails only when no listener is left, which is what is wanted.
        let _ = self.stop.send(());
        while self.listeners.join_next().await.is_some() {}
        self.shared.log.entries()
    }
}

async fn bind(addresses: &Addresses, site_count: usize) -> io::Result<Vec<TcpListener>> {
    let mut bound = Vec::new();
    match addresses {
        Addresses::OnePortEach => {
            for _ in 0..site_count {
                bound.push(listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?);
            }
        }
        Addresses::NamesEndingWith(_) => {
            bound.push(listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?)
        }
        Addresses::OneAddressEach(port) => return bind_one_address_each(*port, site_count).await,
        Addresses::Fixed(all) if all.len() == site_count => {
            for address in all {
                bound.push(listen(*address).await?);
            }
        }
        Addresses::Fixed(all) => {
            let message =
                format!("cannot serve {site_count} sites on {} addresses: give one for each site", all.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    Ok(bound)
}

/// A free port of one address may be taken on another, so a few ports are tried when any will do.
async fn bind_one_address_each(port: u16, site_count: usize) -> io::Result<Vec<TcpListener>> {
    const TRIES_MAX: usize = 20;
    let address = |number: usize, port: u16| {
        let octets = u32::from(Ipv4Addr::LOCALHOST) + 1 + u32::try_from(number).unwrap_or(u32::MAX >> 9);
        SocketAddr::new(IpAddr::V4(Ipv4Addr::from(octets)), port)
    };
    let mut problem = None;
    for _ in 0..if port == 0 { TRIES_MAX } else { 1 } {
        let mut bound: Vec<TcpListener> = Vec::new();
        let mut same_port = port;
        for number in 0..site_count {
            match listen(address(number, same_port)).await {
                Ok(listener) => {
                    same_port = listener.local_addr()?.port();
                    bound.push(listener);
                }
                Err(error) => {
                    problem = Some(error);
                    break;
                }
            }
        }
        if bound.len() == site_count {
            return Ok(bound);
        }
    }
    Err(problem.unwrap_or_else(|| io::Error::other("cannot bind any loopback address")))
}

async fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}

#[cfg(test)]
mod tests;
