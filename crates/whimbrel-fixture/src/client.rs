//! A small client for this crate's own tests: one request per call, or several on one connection.
//! Follows nothing and remembers nothing.

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Uri, header};
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether the body ended as it should.
    pub(crate) complete: bool,
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// A connection that is kept.
pub(crate) struct Client {
    sender: SendRequest<Empty<Bytes>>,
    host: String,
}

impl Client {
    /// Connects to `address` and calls it `host`.
    pub(crate) async fn connect(address: &str, host: &str) -> Client {
        let stream = TcpStream::connect(address).await.unwrap();
        let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Client { sender, host: host.to_owned() }
    }

    /// Sends one request; an error when the connection closes without an answer.
    pub(crate) async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
    ) -> hyper::Result<Reply> {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, &self.host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.sender.send_request(request.body(Empty::new()).unwrap()).await?;
        let (parts, mut body) = response.into_parts();
        let mut bytes = Vec::new();
        let mut complete = true;
        while let Some(frame) = body.frame().await {
            match frame {
                Ok(frame) => bytes.extend_from_slice(&frame.into_data().unwrap_or_default()),
                Err(_) => complete = false,
            }
            if !complete || bytes.len() > 4_000_000 {
                break;
            }
        }
        Ok(Reply { status: parts.status.as_u16(), headers: parts.headers, body: bytes.into(), complete })
    }
}

/// Asks for one URL on a connection of its own.
pub(crate) async fn get(url: &str) -> Reply {
    get_with(url, &[]).await
}

/// The same with headers.
pub(crate) async fn get_with(url: &str, headers: &[(&str, &str)]) -> Reply {
    let uri: Uri = url.parse().unwrap();
    let authority = uri.authority().unwrap().as_str();
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    Client::connect(authority, authority).await.send(Method::GET, path, headers).await.unwrap()
}
