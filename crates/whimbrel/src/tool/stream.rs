//! Requests in, replies out. What is at hand is answered before anything is waited for: replies are handed on
//! whenever no whole request is left in the buffer, so that a program which writes one line and waits for its reply
//! gets it, and a long file is not written line by line.
//! Invariant: a handler that panics costs its own line, nothing else.

use super::lines::{LINE_BYTES_MAX, Line, next_line};
use super::{Reply, Request, Tool};
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes read, and replies held back, at a time.
const BUFFER_BYTES: usize = 64 << 10;

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests that were answered.
    pub answered: u64,
    /// Lines that were not understood.
    pub refused: u64,
}

/// Answers all requests of `input`. The end of the reader of `output` ends the run without an error.
pub fn run(tool: &Tool, input: impl Read, output: impl Write) -> io::Result<Tally> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let mut output = io::BufWriter::with_capacity(BUFFER_BYTES, output);
    let mut tally = Tally::default();
    let ended = answer_all(tool, &mut input, &mut output, &mut tally);
    match ended.and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        other => other?,
    }
    Ok(tally)
}

fn answer_all<R: Read>(
    tool: &Tool,
    input: &mut BufReader<R>,
    output: &mut impl Write,
    tally: &mut Tally,
) -> io::Result<()> {
    loop {
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        let Some(line) = next_line(input, LINE_BYTES_MAX)? else { return Ok(()) };
        let (id, result) = match line {
            Line::Whole(line) => {
                let (id, request) = Request::read(&line);
                (id, request.and_then(|request| guarded(tool, &request)))
            }
            Line::TooLong(head) => {
                let what = format!("the line is longer than {} MiB", LINE_BYTES_MAX >> 20);
                (Request::read(&head).0, Err(what))
            }
        };
        let reply = match result {
            Ok(reply) => {
                tally.answered += 1;
                reply
            }
            Err(what) => {
                tally.refused += 1;
                Reply::error(what)
            }
        };
        output.write_all(reply.to_line(&id).as_bytes())?;
    }
}

/// A panic becomes a refusal; the hook that prints it is the caller's choice.
fn guarded(tool: &Tool, request: &Request) -> Result<Reply, String> {
    match catch_unwind(AssertUnwindSafe(|| (tool.answer)(request))) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(format!("a fault of {}, please report it: {text}", tool.name))
        }
    }
}
