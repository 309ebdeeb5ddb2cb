//! The loop: choose an input, change it, run the target, keep what was new; and when a law was broken, make the input
//! small. Only the length of a run depends on the clock; what is tried depends on the seed alone.

use crate::mutate::mutate;
use crate::random::Random;
use crate::shrink::shrink;
use crate::target::Target;
use std::cell::RefCell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Once;
use std::time::{Duration, Instant};

/// Inputs kept, beside those to begin with.
const KEPT_MAX: usize = 4000;
/// No input of these lengths takes so long unless its cost is more than linear.
const TIME_MAX: Duration = Duration::from_secs(5);

/// How long a run goes on.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Executions at most.
    pub runs_max: Option<u64>,
    /// Time at most.
    pub time_max: Option<Duration>,
    /// Every input is written to this file before it is run: for what ends the whole process.
    pub record: Option<PathBuf>,
}

/// A law that was broken.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The input, made small.
    pub input: Vec<u8>,
    /// What the panic said, and where.
    pub message: String,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Executions.
    pub runs: u64,
    /// Inputs kept because the target answered in a new way.
    pub kept: usize,
    /// Longest execution.
    pub longest: Duration,
    /// The first law broken, where one was.
    pub failure: Option<Failure>,
}

/// Fuzzes `target`, beginning with `corpus`.
#[must_use]
pub fn fuzz(target: &Target, corpus: &[Vec<u8>], seed: u64, budget: &Budget) -> Outcome {
    let begun = Instant::now();
    let mut random = Random::new(seed ^ crate::target::answer(target.name));
    let mut pool: Vec<Vec<u8>> = Vec::new();
    let mut seen = HashSet::new();
    let mut outcome = Outcome::default();
    let mut first = corpus.iter();
    loop {
        let over = budget.runs_max.is_some_and(|runs| outcome.runs >= runs)
            || budget.time_max.is_some_and(|time| begun.elapsed() >= time);
        if over {
            return outcome;
        }
        let input = match first.next() {
            Some(input) => input[..input.len().min(target.bytes_max)].to_vec(),
            None => {
                let empty = Vec::new();
                let any = |random: &mut Random| pool.get(random.below(pool.len())).unwrap_or(&empty).clone();
                let (one, other) = (any(&mut random), any(&mut random));
                mutate(&mut random, &one, &other, target)
            }
        };
        if let Some(record) = &budget.record {
            // What cannot be written is not worth stopping for.
            let _ = std::fs::write(record, &input);
        }
        let started = Instant::now();
        let result = run(target, &input);
        let took = started.elapsed();
        outcome.runs += 1;
        outcome.longest = outcome.longest.max(took);
        match result {
            Ok(answer) if took <= TIME_MAX => {
                if (seen.insert(answer) || outcome.runs <= corpus.len() as u64)
                    && pool.len() < KEPT_MAX + corpus.len()
                {
                    outcome.kept += 1;
                    pool.push(input);
                }
            }
            Ok(_) => {
                let slow = |bytes: &[u8]| {
                    let started = Instant::now();
                    run(target, bytes).is_ok() && started.elapsed() > TIME_MAX
                };
                // Once more, lest a busy machine is taken for a slow parser.
                if slow(&input) {
                    outcome.failure = Some(Failure { input, message: format!("took {took:?}") });
                    return outcome;
                }
            }
            Err(message) => {
                let input = shrink(&input, |bytes| run(target, bytes).is_err());
                let message = run(target, &input).err().unwrap_or(message);
                outcome.failure = Some(Failure { input, message });
                return outcome;
            }
        }
    }
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the target once; a panic is an error with its message.
fn run(target: &Target, input: &[u8]) -> Result<u64, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let noted = LAST_PANIC.try_with(|last| {
                let place = info.location().map(ToString::to_string).unwrap_or_default();
                let what = info.payload_as_str().unwrap_or("a panic without words");
                *last.borrow_mut() = format!("{place}: {what}");
            });
            // Panics of the harness itself are heard.
            if noted.is_err() || !RUNNING.get() {
                loud(info);
            }
        }));
    });
    RUNNING.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    RUNNING.set(false);
    result.map_err(|_| LAST_PANIC.with_borrow(Clone::clone))
}

thread_local! {
    static RUNNING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picky(data: &[u8]) -> u64 {
        let steps = data.iter().zip(b"<a>").take_while(|(have, want)| have == want).count();
        assert!(steps < 3, "the law is broken");
        steps as u64
    }

    #[test]
    fn a_broken_law_is_found_step_by_step_made_small_and_found_again() {
        let target = Target {
            name: "picky",
            run: picky,
            seeds: || vec![b"nothing".to_vec()],
            tokens: &["<", "a", ">"],
            shared: &[],
            bytes_max: 64,
            smoke_runs: 0,
        };
        let budget = Budget { runs_max: Some(200_000), ..Budget::default() };
        let outcomes = [1, 1].map(|seed| fuzz(&target, &(target.seeds)(), seed, &budget));
        let failure = outcomes[0].failure.as_ref().expect("the law is broken by few inputs");
        assert_eq!(failure.input, b"<a>");
        assert!(failure.message.contains("the law is broken"));
        assert_eq!(outcomes[0].runs, outcomes[1].runs);
    }
}
