//! Sorts the parts of a query without operators: what every result must have, what none may have, and the words of
//! which pages with all come before pages with any.

use super::node::Node;

/// The parts, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Phrases, fields, filters and words with a plus.
    pub required: Vec<Node>,
    /// What follows a minus or NOT.
    pub excluded: Vec<Node>,
    /// Plain words.
    pub wanted: Vec<Node>,
}

impl Plan {
    pub(crate) fn of(parts: Vec<Node>) -> Plan {
        let mut plan = Plan::default();
        for part in parts {
            match part {
                Node::Not(inner) => plan.excluded.push(*inner),
                Node::Word(_) => plan.wanted.push(part),
                _ => plan.required.push(part),
            }
        }
        plan
    }
}
