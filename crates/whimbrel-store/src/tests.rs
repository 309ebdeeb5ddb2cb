//! Promises of the store as a whole.

mod bounds;
mod commit;
mod crash;
mod fixture;
mod model;
mod responses;
mod traps;
