//! L2: fetches one URL over HTTP/1.1 or HTTP/2 within named limits and hands back what came, byte for byte.
//! Decides nothing about what to fetch, when, or what to think of it: robots, gates, redirects (but those of
//! robots.txt itself) and outcomes belong to the planner.
//! Invariants: no socket is opened to an address that the [`AddressPolicy`] did not pass; nothing that a server
//! sends can take more memory or time than the limits of the request; a dropped future leaves nothing running.

mod address;
mod config;
mod connect;
mod cookie;
mod decode;
mod exchange;
mod failure;
mod fetcher;
mod head;
mod http2;
mod pool;
mod proxy;
mod redirect;
mod request;
mod resolve;
mod response;
mod secret;
mod site;
mod stream;
mod tee;
mod tls;
mod watch;
mod wire;

pub use address::{AddressPolicy, Refusal};
pub use config::{Error, ExtraRoot, FetchConfig, check_field};
pub use cookie::{CookieLimits, Jar as CookieJar};
pub use decode::{DecodeFault, DecodeLimits, DecodedBody, decode_body};
pub use fetcher::Fetcher;
pub use head::{fields as head_fields, status_code as head_status};
pub use proxy::{Proxy, ProxyException, ProxyKind};
pub use request::{ACCEPT_PAGE, FetchRequest, REDIRECTS_MAX, RedirectRule, Wants};
pub use response::{Cut, Fetched, Response};
pub use secret::{Authorization, Secret};
pub use site::SiteSettings;
