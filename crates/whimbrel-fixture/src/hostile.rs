//! Servers that mean harm, or are broken as if they did: one named [`Behavior`] per trick, and a server that
//! plays them over raw TCP, where an HTTP library would be too well-behaved to send them.
//!
//! A behavior is data: what it does, which limit of a crawler holds it, what an operator then sees, and a
//! function from a request to a [`Script`] of bytes, pauses and endings. Endless things are a piece and a
//! count, so the server itself never holds what it sends.
//! This module never judges a crawler: its log and the tests do.

mod addresses;
mod behavior;
mod bodies;
mod codings;
mod connections;
mod dns;
mod fields;
mod framing;
mod heads;
mod injection;
mod markup;
mod mazes;
mod play;
mod redirects;
mod request;
mod robots;
mod script;
mod server;
mod types;

pub use behavior::Behavior;
pub use dns::ChangingDns;
pub use server::HostileServer;

/// All behaviors, in the order of the documentation.
#[must_use]
pub fn behaviors() -> Vec<&'static Behavior> {
    let groups = [
        connections::BEHAVIORS,
        heads::BEHAVIORS,
        fields::BEHAVIORS,
        framing::BEHAVIORS,
        bodies::BEHAVIORS,
        codings::BEHAVIORS,
        redirects::BEHAVIORS,
        addresses::BEHAVIORS,
        types::BEHAVIORS,
        markup::BEHAVIORS,
        mazes::BEHAVIORS,
        robots::BEHAVIORS,
        injection::BEHAVIORS,
    ];
    groups.into_iter().flatten().collect()
}

/// The behavior of that name.
#[must_use]
pub fn behavior(name: &str) -> Option<&'static Behavior> {
    behaviors().into_iter().find(|behavior| behavior.name == name)
}

#[cfg(test)]
mod tests;
