//! The engine's shell: one thread owns the machine of `plan::engine`, reads the store for it, submits its writes and
//! sends its itineraries. It decides nothing but when to look at the clock.
//! Invariant: reports are applied one at a time, and everything an apply wrote is submitted before the next look-up.

mod lookup;
pub mod traps;
pub mod view;

use crate::clock::now;
use crate::event_log::EventLog;
use anyhow::{Context, Result, bail};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;
use view::EngineView;
use whimbrel_cluster::{EngineLink, ToStation};
use whimbrel_plan::engine::{Action, End, Engine, Ordered, Refill, Summary};
use whimbrel_plan::message::{Report, StopKind};
use whimbrel_store::Store;
use whimbrel_types::{Batch, Timestamp, UrlKey};

/// What reaches the engine's thread.
pub enum EngineEvent {
    /// A migrant reports.
    Report(Box<Report>),
    /// A refill was read.
    Refilled(Result<Refill>),
    /// A page's links were read again.
    Links(Result<Option<Box<lookup::PageLinks>>>),
    /// A site's stored pages were listed.
    Pages(Result<Vec<UrlKey>>),
    /// A group was committed, or could not be.
    Committed(Result<(), whimbrel_store::Error>),
    /// The operator says something about a pattern.
    Order(Box<traps::TrapOrder>),
    /// The station was lost and another one is there.
    NewStation(EngineLink),
    /// The station cannot be kept alive.
    NoStation,
    /// Stop in good order.
    Drain(StopCause),
}

/// Why the shell stops a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// Ctrl-C or a termination signal.
    Signal,
    /// `--time-limit`.
    Time,
    /// `--size-limit`.
    Size,
}

/// How a run ended.
#[derive(Debug)]
pub struct RunEnd {
    pub end: End,
    pub cause: Option<StopCause>,
    pub summary: Summary,
    /// The disk is full.
    pub disk_full: Option<String>,
}

/// Everything the engine's thread owns.
pub struct EngineShell {
    pub engine: Engine,
    pub store: Store,
    pub link: EngineLink,
    pub events: Receiver<EngineEvent>,
    /// For what is read in order with the writes.
    pub replies: Sender<EngineEvent>,
    pub uncommitted: Arc<Semaphore>,
    pub view: Arc<Mutex<EngineView>>,
    pub event_log: Option<EventLog>,
    pub time_limit_ms: u64,
    pub size_limit_bytes: u64,
    pub started: Timestamp,
    /// Orders that were taken, to be answered when they are on disk.
    pub answers: Vec<(Ordered, Sender<Ordered>)>,
}

impl EngineShell {
    /// Runs until the engine is finished.
    pub fn run(mut self) -> Result<RunEnd> {
        let mut cause = None;
        let mut disk_full = None;
        let end = loop {
            let wait = match self.act()? {
                Next::Finished(end) => break end,
                Next::Wait(until) => until,
            };
            self.show();
            let mut next = self.receive(wait);
            while let Some(event) = next {
                match event {
                    EngineEvent::Committed(Err(error)) => {
                        let message = error.to_string();
                        if !error.is_disk_full() {
                            return Err(anyhow::Error::new(error).context("committing to the store"));
                        }
                        if disk_full.replace(message).is_none() {
                            self.drain();
                        }
                    }
                    EngineEvent::Drain(why) => {
                        if cause.replace(why).is_none() {
                            self.drain();
                        }
                    }
                    other => self.handle(other)?,
                }
                next = self.events.try_recv().ok();
                if next.is_some() {
                    // Writes of one report are submitted before the next is looked up.
                    if let Next::Finished(_) = self.act()? {
                        break;
                    }
                }
            }
            // Asked after events too: a busy crawl is never without one.
            if cause.is_none()
                && let Some(reached) = self.limit_reached()
            {
                cause = Some(reached);
                self.drain();
            }
        };
        self.engine.flush();
        while let Action::Commit(batch) = self.engine.poll(now()) {
            self.submit(*batch);
        }
        self.show();
        match self.store.flush() {
            Err(error) if error.is_disk_full() => disk_full = Some(error.to_string()),
            other => other.context("committing the last pages")?,
        }
        if let Some(log) = self.event_log.as_mut() {
            log.close().context("writing the event log")?;
        }
        Ok(RunEnd { end, cause, summary: self.engine.summary().clone(), disk_full })
    }

    /// Carries out all actions that are there, and answers orders behind their writes.
    fn act(&mut self) -> Result<Next> {
        let next = self.act_all()?;
        for (ordered, reply) in self.answers.drain(..) {
            self.store.in_order(
                |_| (),
                move |()| {
                    let _ = reply.send(ordered);
                },
            );
        }
        Ok(next)
    }

    fn act_all(&mut self) -> Result<Next> {
        loop {
            match self.engine.poll(now()) {
                Action::Commit(batch) => self.submit(*batch),
                Action::Dispatch(itinerary) => {
                    self.link.send(ToStation::Itinerary(itinerary));
                }
                Action::Refill { site, heads, due_after } => {
                    let replies = self.replies.clone();
                    self.store.in_order(
                        move |store| lookup::refill(store, site, heads, due_after),
                        move |read| {
                            let _ = replies.send(EngineEvent::Refilled(read));
                        },
                    );
                }
                Action::Load { site, keys } => {
                    let rows = self.store.urls(&keys).context("reading the URL table")?;
                    self.engine.loaded(now(), site, rows);
                }
                Action::LoadPending { site, keys } => {
                    let found = lookup::found(&self.store, &keys, &[])?;
                    self.engine.pending_loaded(now(), site, found);
                }
                Action::LoadTargets { site, keys } => {
                    let found = lookup::found(&self.store, &keys, &[])?;
                    self.engine.targets_loaded(now(), site, found);
                }
                Action::TakeUp(report) => self.take_in(report)?,
                Action::LoadLinks(key) => self.load_links(key),
                Action::ListPages(site) => {
                    let replies = self.replies.clone();
                    self.store.in_order(
                        move |store| lookup::stored_pages(store, &site),
                        move |read| {
                            let _ = replies.send(EngineEvent::Pages(read));
                        },
                    );
                }
                Action::Signal(record) => {
                    if let Some(log) = self.event_log.as_mut() {
                        log.write(&record).context("writing the event log")?;
                    }
                }
                Action::TrapFound(record) => traps::warn(&record),
                Action::WaitUntil(at) => return Ok(Next::Wait(Some(at))),
                Action::Idle => return Ok(Next::Wait(None)),
                Action::Finished(end) => return Ok(Next::Finished(end)),
            }
        }
    }

    fn handle(&mut self, event: EngineEvent) -> Result<()> {
        match event {
            EngineEvent::Report(report) => {
                warn_of_closed_site(&report);
                self.take_in(report)?;
            }
            EngineEvent::Refilled(refill) => self.engine.refilled(now(), refill?),
            EngineEvent::Links(read) => match read? {
                Some(read) => {
                    let (page, links) = *read;
                    let keys = lookup::link_targets(&page, &links);
                    let found = lookup::found(&self.store, &keys, &[])?;
                    self.engine.links_loaded(now(), &page, &links, found);
                }
                None => self.engine.links_missing(),
            },
            EngineEvent::Pages(pages) => self.engine.pages_listed(pages?),
            EngineEvent::NewStation(link) => {
                self.link = link;
                self.engine.station_lost(now());
            }
            EngineEvent::Order(order) => {
                let ordered = self.engine.order(now(), order.rule);
                self.answers.push((ordered, order.reply));
            }
            EngineEvent::NoStation => bail!("the station failed again and again; run again to go on"),
            EngineEvent::Committed(_) | EngineEvent::Drain(_) => {}
        }
        Ok(())
    }

    fn take_in(&mut self, report: Box<Report>) -> Result<()> {
        if let Some(report) = self.engine.arrived(report) {
            let needs = self.engine.needs(&report);
            let found = lookup::found(&self.store, &needs.urls, &needs.digests)?;
            self.engine.apply(now(), *report, found);
        }
        Ok(())
    }

    /// Hands a batch to the writer; the visits it holds free their places when it is on disk.
    fn submit(&mut self, batch: Batch) {
        let visits = self.engine.visits_of(&batch);
        let (uncommitted, replies) = (Arc::clone(&self.uncommitted), self.replies.clone());
        self.store.submit(
            batch,
            Box::new(move |result| {
                uncommitted.add_permits(visits);
                if let Err(error) = result {
                    let _ = replies.send(EngineEvent::Committed(Err(error)));
                }
            }),
        );
    }

    fn load_links(&self, key: UrlKey) {
        let replies = self.replies.clone();
        self.store.in_order(
            move |store| lookup::page_links(store, &key),
            move |read| {
                let _ = replies.send(EngineEvent::Links(read));
            },
        );
    }

    fn drain(&mut self) {
        self.engine.drain();
        self.link.send(ToStation::Retract);
    }

    fn receive(&self, until: Option<Timestamp>) -> Option<EngineEvent> {
        // Woken at least once a second, for the progress line and the limits.
        let wait = until.map_or(1000, |at| at.since_ms(now()).clamp(1, 1000));
        self.events.recv_timeout(Duration::from_millis(wait)).ok()
    }

    fn limit_reached(&self) -> Option<StopCause> {
        if self.time_limit_ms > 0 && now().since_ms(self.started) >= self.time_limit_ms {
            return Some(StopCause::Time);
        }
        (self.size_limit_bytes > 0 && self.engine.summary().bytes >= self.size_limit_bytes)
            .then_some(StopCause::Size)
    }

    fn show(&self) {
        let mut view = crate::station::lock(&self.view);
        let at = now();
        if view.is_stale(at) {
            view.update(at, self.engine.summary(), self.engine.progress(at));
        }
    }
}

/// A site whose robots.txt cannot be read is closed; the log says so once per attempt.
fn warn_of_closed_site(report: &Report) {
    for visit in
        report.visits.iter().filter(|visit| visit.kind == StopKind::Robots && visit.outcome.is_passing())
    {
        let (site, outcome) = (&report.site, visit.outcome.label());
        tracing::warn!(%site, outcome, detail = visit.detail, "robots.txt of {site} cannot be read; the site stays closed");
    }
}

enum Next {
    Wait(Option<Timestamp>),
    Finished(End),
}
