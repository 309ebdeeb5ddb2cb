//! Serves behaviors on loopback, each under a host of its own, and keeps the access log.
//! Beside them stands a stranger: an endpoint that nobody was pointed to, where every connection is counted. A
//! crawler that was talked into connecting to it was led astray.
//! Invariant: nothing outlives the server; when it is dropped, its listeners and connections end.

use super::behavior::{Act, Behavior};
use super::play::play;
use super::request::{self, Ask};
use super::script::{Script, small_page};
use crate::log::{AccessEntry, AccessLog};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// What the system buffers per connection: small, so that bytes sent are nearly bytes taken.
const SEND_BUFFER_BYTES: u32 = 64 << 10;
/// Waiting connections per listener.
const BACKLOG: u32 = 64;

/// Behaviors being served.
#[derive(Debug)]
pub struct HostileServer {
    shared: Arc<Shared>,
    hosts: Vec<(&'static Behavior, SocketAddr)>,
    listeners: JoinSet<()>,
}

#[derive(Debug)]
struct Shared {
    log: Arc<AccessLog>,
    stranger: String,
    stranger_connections: AtomicU64,
    connections: AtomicU64,
    requests: AtomicU64,
}

impl HostileServer {
    /// Serves these behaviors, the first at 127.66.0.1, each on a port of its own.
    ///
    /// # Errors
    /// When an address cannot be bound. Needs a system that answers on all of 127/8, as Linux does.
    pub async fn start(behaviors: &[&'static Behavior]) -> io::Result<HostileServer> {
        let stranger = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let shared = Arc::new(Shared {
            log: Arc::new(AccessLog::open(None)?),
            stranger: format!("http://{}", stranger.local_addr()?),
            stranger_connections: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            requests: AtomicU64::new(0),
        });
        let mut listeners = JoinSet::new();
        let mut hosts = Vec::new();
        for (number, behavior) in behaviors.iter().copied().enumerate() {
            let number = u16::try_from(number + 1).map_err(io::Error::other)?;
            let [high, low] = number.to_be_bytes();
            let listener = listen(SocketAddr::from((Ipv4Addr::new(127, 66, high, low), 0)))?;
            hosts.push((behavior, listener.local_addr()?));
            listeners.spawn(accept(Arc::clone(&shared), listener, behavior));
        }
        listeners.spawn(count_strangers(Arc::clone(&shared), stranger));
        Ok(HostileServer { shared, hosts, listeners })
    }

    /// Names and origins of the hosts.
    #[must_use]
    pub fn named_origins(&self) -> Vec<(&'static str, String)> {
        self.hosts.iter().map(|(behavior, address)| (behavior.name, format!("http://{address}"))).collect()
    }

    /// Every answer so far, in order of arrival. `site` is the behavior's name, `bytes` the whole answer as
    /// handed to the system, framing and all.
    #[must_use]
    pub fn log(&self) -> Vec<AccessEntry> {
        self.shared.log.entries()
    }

    /// Connections to the endpoint that nobody was pointed to.
    #[must_use]
    pub fn stranger_connections(&self) -> u64 {
        self.shared.stranger_connections.load(Ordering::Relaxed)
    }

    /// Ends all connections and gives the whole log.
    pub async fn stop(mut self) -> Vec<AccessEntry> {
        self.listeners.shutdown().await;
        self.shared.log.entries()
    }
}

/// An answer under way, which is in the log however it ends.
struct Recording {
    log: Arc<AccessLog>,
    entry: AccessEntry,
}

impl Drop for Recording {
    fn drop(&mut self) {
        let mut entry = std::mem::take(&mut self.entry);
        entry.end_ms = self.log.now_ms();
        self.log.record(entry);
    }
}

async fn accept(shared: Arc<Shared>, listener: TcpListener, behavior: &'static Behavior) {
    let Ok(address) = listener.local_addr() else { return };
    let origin = format!("http://{address}");
    let mut connections = JoinSet::new();
    let mut is_first = true;
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                let (shared, origin) = (Arc::clone(&shared), origin.clone());
                connections.spawn(serve(shared, stream, behavior, origin, is_first));
                is_first = false;
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(
    shared: Arc<Shared>,
    mut stream: TcpStream,
    behavior: &'static Behavior,
    origin: String,
    is_first: bool,
) {
    let connection = shared.connections.fetch_add(1, Ordering::Relaxed);
    // A socket that refuses is already closing.
    let _ = stream.set_nodelay(true);
    if let Act::Greeting(greet) = behavior.act
        && !is_first
    {
        let mut recording = shared.recording(behavior, connection, &Ask::default());
        play(&mut stream, &greet(), &mut recording.entry.bytes).await;
        return;
    }
    let mut held = Vec::new();
    while let Ok(Some(mut ask)) = request::read(&mut stream, &mut held).await {
        ask.origin.clone_from(&origin);
        ask.stranger.clone_from(&shared.stranger);
        let mut recording = shared.recording(behavior, connection, &ask);
        let script = script(behavior, &ask);
        let goes_on = play(&mut stream, &script, &mut recording.entry.bytes).await;
        recording.entry.complete = goes_on;
        drop(recording);
        if !goes_on {
            return;
        }
    }
}

fn script(behavior: &Behavior, ask: &Ask) -> Script {
    let is_robots = ask.path == "/robots.txt";
    match behavior.act {
        Act::Robots(answer) if is_robots || ask.bare_path().starts_with("/robots") => answer(ask),
        Act::Robots(_) | Act::Greeting(_) if !is_robots => {
            let sentence = format!("A harmless page of the host that plays {}.", behavior.name);
            Script::page(small_page("Harmless", &sentence, &[]))
        }
        Act::Pages(answer) if !is_robots => answer(ask),
        _ => Script::not_found(),
    }
}

impl Shared {
    fn recording(&self, behavior: &Behavior, connection: u64, ask: &Ask) -> Recording {
        let entry = AccessEntry {
            sequence: self.requests.fetch_add(1, Ordering::Relaxed),
            site: behavior.name.to_owned(),
            host: ask.host.clone(),
            path: ask.path.clone(),
            user_agent: ask.user_agent.clone(),
            if_none_match: ask.if_none_match.clone(),
            connection,
            at_ms: AccessLog::wall_ms(),
            start_ms: self.log.now_ms(),
            ..AccessEntry::default()
        };
        Recording { log: Arc::clone(&self.log), entry }
    }
}

async fn count_strangers(shared: Arc<Shared>, listener: TcpListener) {
    loop {
        if listener.accept().await.is_ok() {
            shared.stranger_connections.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket
        .bind(address)
        .and_then(|()| socket.listen(BACKLOG))
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}
