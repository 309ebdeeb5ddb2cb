//! What to do with a link that a page holds: new, seen and unchanged, or seen and modified since (thesis §5.2.6).
//! Never looks anything up: the cache's and the store's answers are arguments, the store's only when needed.
//! Invariant: a link is a duplicate sighting, which adds to its occurrence count, exactly when it is discarded.

use whimbrel_types::Timestamp;

/// What is known of a URL that was met before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// When it was last visited; `None` while it waits for its first visit.
    pub visited: Option<Timestamp>,
}

/// The outcome for one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkDecision {
    /// In the cache, and modified since the last visit: visit again.
    CacheRevisit,
    /// In the cache, nothing new.
    CacheDiscard,
    /// In the store, and modified since the last visit: visit again.
    StoreRevisit,
    /// In the store, nothing new.
    StoreDiscard,
    /// Never met: store and queue it.
    New,
}

impl LinkDecision {
    /// Whether it only repeats what is known, and so adds one to the occurrence count.
    #[must_use]
    pub fn is_duplicate_sighting(self) -> bool {
        matches!(self, LinkDecision::CacheDiscard | LinkDecision::StoreDiscard)
    }

    /// Whether the URL goes into the queue.
    #[must_use]
    pub fn enqueues(self) -> bool {
        !self.is_duplicate_sighting()
    }

    /// Name in logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LinkDecision::CacheRevisit => "cache_revisit",
            LinkDecision::CacheDiscard => "cache_discard",
            LinkDecision::StoreRevisit => "store_revisit",
            LinkDecision::StoreDiscard => "store_discard",
            LinkDecision::New => "new",
        }
    }
}

/// Decides about one link. `in_store` is asked only when the cache does not know it; `last_modified` is what the
/// site announces, in its sitemap say.
pub fn decide(
    in_cache: Option<Known>,
    in_store: impl FnOnce() -> Option<Known>,
    last_modified: Option<Timestamp>,
) -> LinkDecision {
    // A URL that still waits for its first visit will show its newest state then.
    let modified =
        |known: Known| known.visited.zip(last_modified).is_some_and(|(visited, changed)| changed > visited);
    if let Some(known) = in_cache {
        return if modified(known) { LinkDecision::CacheRevisit } else { LinkDecision::CacheDiscard };
    }
    match in_store() {
        Some(known) if modified(known) => LinkDecision::StoreRevisit,
        Some(_) => LinkDecision::StoreDiscard,
        None => LinkDecision::New,
    }
}

#[cfg(test)]
mod tests;
