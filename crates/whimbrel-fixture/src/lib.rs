//! A web made up for demonstrations and tests, and the server that serves it on loopback.
//!
//! [`Web`] is data: sites, each a map from path to [`Answer`]. [`Server`] serves a web, every site under an
//! origin of its own, and keeps the access log by which politeness and recovery are judged from outside:
//! what a crawler says about itself is never asked. [`demo_web`] is a small readable web with the usual
//! troubles in it; [`graph_web`] is a random one whose truth is known; [`HostileServer`] plays the [`behaviors`]
//! of servers that mean harm.
//!
//! This crate never crawls and never reaches beyond loopback.

mod answer;
#[cfg(test)]
mod client;
mod demo;
mod graph;
mod hostile;
mod layout;
mod log;
mod markup;
mod prose;
mod random;
mod server;
mod web;

pub use answer::{Answer, Handler, RequestInfo, handler};
pub use demo::{
    DEMO_ALLOWED_AGAIN, DEMO_ANCHOR_ANSWER, DEMO_ANCHOR_QUERY, DEMO_ANSWER, DEMO_DEAD, DEMO_FORBIDDEN,
    DEMO_LOOP, DEMO_NOINDEX, DEMO_QUERY, DEMO_SITES, DEMO_TRAPS, demo_web,
};
pub use graph::{DEPTH_MAX as GRAPH_DEPTH_MAX, GraphOptions, GraphTruth, graph_truth, graph_web};
pub use hostile::{Behavior, ChangingDns, HostileServer, behavior, behaviors};
pub use log::{AccessEntry, read_log, requests_at_once_max, requests_per_path, smallest_gap_ms};
pub use server::{Addresses, Server, ServerOptions};
pub use web::{Place, SiteSpec, Web};
