//! The fetcher against servers of raw bytes on loopback.

mod address;
mod body;
mod framing;
mod hostile;
mod http2;
mod message;
mod proxy;
mod server;
mod site;
mod status;
mod tls;
mod tls_server;

use crate::{AddressPolicy, FetchConfig, FetchRequest, Fetched, Fetcher, Response};
use server::Server;
use whimbrel_types::{CanonicalUrl, FailureKind};

/// Settings that let loopback through and lose no time.
fn config() -> FetchConfig {
    FetchConfig {
        user_agent: "whimbrel-test (+mailto:test@example.org)".into(),
        connect_timeout_ms: 2_000,
        idle_timeout_ms: 5_000,
        address_policy: AddressPolicy {
            allow: vec!["127.0.0.0/8".parse().unwrap()],
            ..AddressPolicy::default()
        },
        ..FetchConfig::default()
    }
}

fn fetcher() -> Fetcher {
    Fetcher::new(config()).unwrap()
}

async fn get(url: CanonicalUrl) -> Fetched {
    fetcher().fetch(FetchRequest::new(url)).await
}

async fn answer(server: &Server) -> Response {
    get(server.url("/")).await.result.unwrap()
}

async fn failure(server: &Server) -> FailureKind {
    get(server.url("/")).await.result.unwrap_err().0
}
