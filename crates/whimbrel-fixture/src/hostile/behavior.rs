//! What a hostile behavior is: its name and description, when it strikes, and its script for a request.
//! Pure data; playing it is `play`'s part.

use super::request::Ask;
use super::script::Script;

/// One way to misbehave.
#[derive(Debug)]
pub struct Behavior {
    /// Its name, in lower case with hyphens.
    pub name: &'static str,
    /// What the server does.
    pub does: &'static str,
    /// Which limit or rule of the crawler holds it.
    pub held_by: &'static str,
    /// What the operator sees of it.
    pub seen_as: &'static str,
    /// When it strikes.
    pub(super) act: Act,
}

/// When a behavior strikes, and with what.
#[derive(Debug)]
pub(super) enum Act {
    /// On every connection after that of robots.txt, before any request is read.
    Greeting(fn() -> Script),
    /// In answer to robots.txt; the pages of the host are harmless.
    Robots(fn(&Ask) -> Script),
    /// In answer to pages; robots.txt is not there.
    Pages(fn(&Ask) -> Script),
}
