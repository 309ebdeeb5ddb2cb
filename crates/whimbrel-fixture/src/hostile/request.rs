//! Reads what a client asks for, as far as a hostile server cares: the path, and that the head has ended.
//! Never holds more than [`HEAD_BYTES_MAX`] of a client's request.

use std::io;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// Longest request head that is read.
const HEAD_BYTES_MAX: usize = 256 << 10;

/// A request, and where it was made.
#[derive(Clone, Debug, Default)]
pub(super) struct Ask {
    /// Path and query.
    pub(super) path: String,
    /// `http://address:port` of the host that was asked.
    pub(super) origin: String,
    /// Origin of an endpoint on this machine that no crawler was ever pointed to.
    pub(super) stranger: String,
    /// The `User-Agent` header.
    pub(super) user_agent: Option<String>,
    /// The `Host` header.
    pub(super) host: String,
    /// The `If-None-Match` header.
    pub(super) if_none_match: Option<String>,
}

impl Ask {
    /// The path without its query.
    pub(super) fn bare_path(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// The next request on a connection; `None` when the client has gone. `held` keeps what came after a head.
pub(super) async fn read(stream: &mut TcpStream, held: &mut Vec<u8>) -> io::Result<Option<Ask>> {
    let mut buffer = [0; 4096];
    let end = loop {
        if let Some(end) = held.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if held.len() > HEAD_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the request head is too long"));
        }
        match stream.read(&mut buffer).await? {
            0 => return Ok(None),
            count => held.extend_from_slice(&buffer[..count]),
        }
    };
    let head: Vec<u8> = held.drain(..end).collect();
    let text = String::from_utf8_lossy(&head);
    let field = |name: &str| {
        let value = |line: &str| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        text.lines().skip(1).find_map(value)
    };
    let path = text.lines().next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    Ok(Some(Ask {
        path,
        user_agent: field("user-agent"),
        host: field("host").unwrap_or_default(),
        if_none_match: field("if-none-match"),
        ..Ask::default()
    }))
}
