//! `control.sock` in the data directory: while a crawl runs, its process answers questions there, as HTTP with JSON
//! (`GET /api/v1/NAME?argument=value`, `POST` for orders that change something). Only the owner of the directory may connect.

use crate::answer::{Answerer, Question};
use anyhow::{Context, Result, anyhow, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::{UnixListener, UnixStream};

/// Name of the socket.
const SOCKET: &str = "control.sock";
/// Where the API begins.
const PREFIX: &str = "/api/v1/";

/// A short name for the socket: a path of this kind may be no longer than 107 bytes, a data directory's can.
struct ShortPath {
    _dir: File,
    path: PathBuf,
}

fn short_path(data: &Path) -> std::io::Result<ShortPath> {
    let dir = File::open(data)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", dir.as_raw_fd()));
    Ok(ShortPath { _dir: dir, path })
}

/// Opens the socket. The caller owns the directory, so an old socket is a leftover.
pub fn listen(data: &Path) -> Result<UnixListener> {
    let full = data.join(SOCKET);
    let _ = std::fs::remove_file(&full);
    let short = short_path(data).context("opening the data directory")?;
    let listener = UnixListener::bind(&short.path).with_context(|| format!("opening {}", full.display()))?;
    std::fs::set_permissions(&full, std::fs::Permissions::from_mode(0o600))
        .with_context(|| format!("closing {} to others", full.display()))?;
    Ok(listener)
}

/// Whether a process answers there.
pub fn is_served(data: &Path) -> bool {
    short_path(data).is_ok_and(|short| std::os::unix::net::UnixStream::connect(&short.path).is_ok())
}

/// Removes the socket at a clean end.
pub fn remove(data: &Path) {
    let _ = std::fs::remove_file(data.join(SOCKET));
}

/// Answers until it is dropped.
pub async fn serve(listener: UnixListener, answerer: Arc<Answerer>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let answerer = Arc::clone(&answerer);
        tokio::spawn(async move {
            let service = service_fn(move |request| respond(Arc::clone(&answerer), request));
            let connection =
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a control connection ended early");
            }
        });
    }
}

async fn respond(
    answerer: Arc<Answerer>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let question = question_of(&request);
    let answer = match question {
        Ok(question) => tokio::task::spawn_blocking(move || answerer.answer(&question))
            .await
            .unwrap_or_else(|_| Err(anyhow!("answering panicked"))),
        Err(error) => Err(error),
    };
    let (status, body) = match answer {
        Ok(value) => (StatusCode::OK, value),
        Err(error) => (StatusCode::BAD_REQUEST, json!({ "error": format!("{error:#}") })),
    };
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = status;
    response.headers_mut().insert("content-type", http::HeaderValue::from_static("application/json"));
    Ok(response)
}

fn question_of(request: &Request<Incoming>) -> Result<Question> {
    let change = match *request.method() {
        Method::GET => false,
        Method::POST => true,
        _ => bail!("only GET and POST are understood"),
    };
    let name = request.uri().path().strip_prefix(PREFIX).context("paths begin with /api/v1/")?;
    let arguments =
        form_urlencoded::parse(request.uri().query().unwrap_or("").as_bytes()).into_owned().collect();
    Ok(Question { name: name.to_owned(), arguments, change })
}

/// Asks the process that owns `data`. `None` when there is none.
pub fn ask(data: &Path, question: &Question) -> Result<Option<Value>> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("starting a runtime")?;
    runtime.block_on(async {
        let Ok(short) = short_path(data) else { return Ok(None) };
        let Ok(stream) = UnixStream::connect(&short.path).await else { return Ok(None) };
        exchange(stream, question).await.map(Some)
    })
}

async fn exchange(stream: UnixStream, question: &Question) -> Result<Value> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .context("greeting the running crawl")?;
    tokio::spawn(connection);
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&question.arguments).finish();
    let method = if question.change { Method::POST } else { Method::GET };
    let request = Request::builder()
        .method(method)
        .uri(format!("{PREFIX}{}?{query}", question.name))
        .header("host", "whimbrel")
        .body(Full::<Bytes>::default())
        .context("asking the running crawl")?;
    let response = sender.send_request(request).await.context("asking the running crawl")?;
    let status = response.status();
    let body =
        response.into_body().collect().await.context("reading the answer of the running crawl")?.to_bytes();
    let value: Value = serde_json::from_slice(&body).context("reading the answer of the running crawl")?;
    if status != StatusCode::OK {
        bail!("{}", value["error"].as_str().unwrap_or("the running crawl gave no reason"));
    }
    Ok(value)
}
