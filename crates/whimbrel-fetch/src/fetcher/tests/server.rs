//! A server of raw bytes for tests: what it sends is what the test wrote, however wrong.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A listening server; it ends with the test's runtime.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// `(connection number, request head)` in order of arrival.
    pub(crate) requests: Arc<Mutex<Vec<(usize, String)>>>,
}

impl Server {
    /// Answers each request of each connection with the bytes that `answer(connection, request number, head)` gives;
    /// an empty answer closes the connection.
    pub(crate) async fn answering<F>(answer: F) -> Server
    where
        F: Fn(usize, usize, &str) -> Vec<u8> + Send + Sync + 'static,
    {
        let answer = Arc::new(answer);
        Server::handling(move |mut stream, connection, log| {
            let answer = answer.clone();
            async move {
                let mut number = 0;
                while let Some(head) = read_head(&mut stream).await {
                    log.lock().unwrap().push((connection, head.clone()));
                    let bytes = answer(connection, number, &head);
                    number += 1;
                    if bytes.is_empty() || stream.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
            }
        })
        .await
    }

    /// Answers every request with the same bytes.
    pub(crate) async fn saying(bytes: impl Into<Vec<u8>>) -> Server {
        let bytes = bytes.into();
        Server::answering(move |_, _, _| bytes.clone()).await
    }

    /// Answers the first request of every connection with these bytes and closes it.
    pub(crate) async fn saying_once(bytes: impl Into<Vec<u8>>) -> Server {
        let bytes = Arc::new(bytes.into());
        Server::handling(move |mut stream, connection, log| {
            let bytes = bytes.clone();
            async move {
                let Some(head) = read_head(&mut stream).await else { return };
                log.lock().unwrap().push((connection, head));
                let _ = stream.write_all(&bytes).await;
            }
        })
        .await
    }

    /// Hands every connection to `handle`.
    pub(crate) async fn handling<F, Fut>(handle: F) -> Server
    where
        F: Fn(TcpStream, usize, Arc<Mutex<Vec<(usize, String)>>>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = requests.clone();
        tokio::spawn(async move {
            let mut connection = 0;
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(handle(stream, connection, log.clone()));
                connection += 1;
            }
        });
        Server { address, requests }
    }

    pub(crate) fn url(&self, path: &str) -> whimbrel_types::CanonicalUrl {
        whimbrel_types::CanonicalUrl::from_canonical(&format!("http://{}{path}", self.address)).unwrap()
    }

    pub(crate) fn heads(&self) -> Vec<(usize, String)> {
        self.requests.lock().unwrap().clone()
    }
}

/// The next request head, up to its empty line; `None` at the end of the connection.
pub(crate) async fn read_head(stream: &mut (impl AsyncReadExt + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte).await {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    Some(String::from_utf8(head).unwrap())
}
