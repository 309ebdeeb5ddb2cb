//! Plays scripts on connections. Counts what was handed to the system, ends when the client goes away, and in
//! any case after [`PLAY_TIME_MAX`] or [`PLAY_BYTES_MAX`]: a hostile server is no danger to its own machine.

use super::script::{Script, Step};
use bytes::Bytes;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longest answer in time.
const PLAY_TIME_MAX: Duration = Duration::from_secs(900);
/// Longest answer in bytes.
const PLAY_BYTES_MAX: u64 = 64 << 30;
/// After the last byte a client gets so long to take it: closing at once could turn into a reset.
const LINGER: Duration = Duration::from_millis(500);

/// Plays a script; adds what was sent to `sent_bytes`. Says whether the connection is of further use.
pub(super) async fn play(stream: &mut TcpStream, script: &Script, sent_bytes: &mut u64) -> bool {
    let played = timeout(PLAY_TIME_MAX, steps(stream, script, sent_bytes)).await;
    match played {
        Ok(Ok(())) if script.keeps_open => true,
        Ok(Ok(())) => {
            close(stream).await;
            false
        }
        _ => false,
    }
}

async fn steps(stream: &mut TcpStream, script: &Script, sent_bytes: &mut u64) -> io::Result<()> {
    for step in &script.steps {
        match step {
            Step::Send(bytes) => send(stream, bytes, sent_bytes).await?,
            Step::Repeat { piece, times, pause } => {
                for _ in 0..*times {
                    if !pause.is_zero() {
                        tokio::time::sleep(*pause).await;
                    }
                    send(stream, piece, sent_bytes).await?;
                }
            }
            Step::Silence => {
                until_gone(stream).await;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Step::Reset => {
                stream.flush().await?;
                // What is under way would be lost with the reset.
                tokio::time::sleep(Duration::from_millis(20)).await;
                stream.set_zero_linger()?;
                return Err(io::ErrorKind::ConnectionReset.into());
            }
        }
    }
    Ok(())
}

async fn send(stream: &mut TcpStream, bytes: &Bytes, sent_bytes: &mut u64) -> io::Result<()> {
    let mut rest = bytes.clone();
    while !rest.is_empty() {
        if *sent_bytes >= PLAY_BYTES_MAX {
            return Err(io::Error::other("the longest answer was reached"));
        }
        let count = stream.write_buf(&mut rest).await?;
        *sent_bytes += count as u64;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
    }
    Ok(())
}

async fn close(stream: &mut TcpStream) {
    if stream.shutdown().await.is_ok() {
        let _ = timeout(LINGER, until_gone(stream)).await;
    }
}

async fn until_gone(stream: &mut TcpStream) {
    let mut buffer = [0; 1024];
    while matches!(stream.read(&mut buffer).await, Ok(count) if count > 0) {}
}
