//! Takes connections and hands their requests over. Decides nothing about answers.

use super::body::ServedBody;
use super::respond::Shared;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Takes connections to one listener until `stop` is sent or dropped; returns when all its connections have
/// ended and are in the log. Without a site number the `Host` header of each request names the site.
pub(super) async fn accept(
    shared: Arc<Shared>,
    listener: TcpListener,
    site: Option<usize>,
    mut stop: watch::Receiver<()>,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(Arc::clone(&shared), stream, site));
                }
                // Out of file handles or the like: the next try may be luckier, a tight loop would not be.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
            _ = stop.changed() => break,
        }
    }
    connections.shutdown().await;
}

async fn serve(shared: Arc<Shared>, stream: TcpStream, site: Option<usize>) {
    let connection = shared.next_connection();
    let keep_alive = shared.options.keep_alive;
    // Small answers would otherwise wait for acknowledgements of earlier ones. A socket that refuses is
    // already closing.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request: Request<Incoming>| {
        let shared = Arc::clone(&shared);
        async move { respond(&shared, request, site, connection).await }
    });
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).keep_alive(keep_alive);
    // An error here is a client that left or an answer that was cut on purpose: both are in the log.
    let _ = protocol.serve_connection(TokioIo::new(stream), answer).await;
}

async fn respond(
    shared: &Shared,
    request: Request<Incoming>,
    site: Option<usize>,
    connection: u64,
) -> io::Result<Response<ServedBody>> {
    let (parts, _) = request.into_parts();
    shared.respond(parts, site, connection).await
}
