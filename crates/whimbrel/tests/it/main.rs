//! The whole program against a made-up web on loopback. The judge is always the server's access log and what can be
//! read back (export, search, explain), never what the crawler says about itself.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod address;
mod damage;
mod demo;
mod determinism;
mod exit_codes;
mod export;
mod filters;
mod hostile;
mod http;
mod kill;
mod limit;
mod politeness;
mod reached;
mod reading;
mod resume;
mod revisit;
mod robots_tester;
mod support;
mod tool;
mod traps;
mod wire;
