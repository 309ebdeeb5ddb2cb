//! Idle connections, kept for the next visit of their site. Bounded in number, per site and in age; the oldest goes
//! first. Never hands out a connection to another site than the one it was opened for, so the address policy that
//! passed it holds for its reuse too.
//! An idle connection is not polled: whether the server has hung up meanwhile is found out when it is taken.

use crate::connect::Connection;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};
use whimbrel_types::Site;

pub(crate) struct Pool {
    /// Oldest first.
    idle: Mutex<VecDeque<(Instant, Connection)>>,
    total_max: usize,
    per_site_max: usize,
    age_max: Duration,
}

impl Pool {
    pub(crate) fn new(total_max: usize, per_site_max: usize, age_max: Duration) -> Pool {
        Pool { idle: Mutex::default(), total_max, per_site_max, age_max }
    }

    /// The youngest live connection to `site`.
    pub(crate) async fn take(&self, site: &Site) -> Option<Connection> {
        while let Some(mut connection) = self.pop(site) {
            if is_alive(&mut connection).await {
                return Some(connection);
            }
        }
        None
    }

    /// Keeps a connection whose last response was read to its end.
    pub(crate) fn keep(&self, connection: Connection) {
        if self.total_max == 0 || self.per_site_max == 0 {
            return;
        }
        let mut dropped = Vec::new();
        {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            self.drop_old(&mut idle, &mut dropped);
            let of_site = idle.iter().filter(|(_, other)| other.site == connection.site).count();
            if of_site >= self.per_site_max {
                let oldest = idle.iter().position(|(_, other)| other.site == connection.site);
                dropped.extend(oldest.and_then(|index| idle.remove(index)));
            }
            idle.push_back((Instant::now(), connection));
            while idle.len() > self.total_max {
                dropped.extend(idle.pop_front());
            }
        }
        // Sockets are closed without holding the lock.
        drop(dropped);
    }

    fn pop(&self, site: &Site) -> Option<Connection> {
        let mut dropped = Vec::new();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        self.drop_old(&mut idle, &mut dropped);
        let index = idle.iter().rposition(|(_, connection)| connection.site == *site)?;
        idle.remove(index).map(|(_, connection)| connection)
    }

    fn drop_old(&self, idle: &mut VecDeque<(Instant, Connection)>, dropped: &mut Vec<(Instant, Connection)>) {
        while idle.front().is_some_and(|(since, _)| since.elapsed() > self.age_max) {
            dropped.extend(idle.pop_front());
        }
    }
}

/// Polls once: hyper then notices an end of stream, or bytes that nobody asked for, and ends the connection.
async fn is_alive(connection: &mut Connection) -> bool {
    poll_fn(|cx| {
        connection.recording.lock().begin_round();
        Poll::Ready(connection.wire.poll(cx).is_pending())
    })
    .await
}
