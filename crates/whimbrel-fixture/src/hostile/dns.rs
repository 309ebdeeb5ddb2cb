//! A name server whose answers change (DNS rebinding): every name has one address when it is first asked for and
//! another ever after, with no time to live. The second question is the one a careless client connects by.
//! Speaks just enough DNS (RFC 1035): one question, one answer, over UDP on loopback.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

/// Bytes of a DNS header.
const HEADER_BYTES: usize = 12;
/// The record type of IPv4 addresses.
const TYPE_A: u16 = 1;

/// A name server on loopback; ends with its value.
#[derive(Debug)]
pub struct ChangingDns {
    address: SocketAddr,
    questions: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl ChangingDns {
    /// Answers the first `first_answers` questions for an IPv4 address with `first`, all later ones with `then`.
    ///
    /// # Errors
    /// When no port can be bound.
    pub async fn start(first: Ipv4Addr, first_answers: u64, then: Ipv4Addr) -> io::Result<ChangingDns> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = socket.local_addr()?;
        let questions = Arc::new(AtomicU64::new(0));
        let asked = Arc::clone(&questions);
        let task = tokio::spawn(async move {
            let mut buffer = [0; 1500];
            while let Ok((count, from)) = socket.recv_from(&mut buffer).await {
                let Some((question, kind)) = question(&buffer[..count]) else { continue };
                let ip = (kind == TYPE_A).then(|| {
                    if asked.fetch_add(1, Ordering::Relaxed) < first_answers { first } else { then }
                });
                // A client that has gone asks again or not; that is its own affair.
                let _ = socket.send_to(&answer(&buffer[..2], question, ip), from).await;
            }
        });
        Ok(ChangingDns { address, questions, task })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Questions for an IPv4 address so far.
    #[must_use]
    pub fn questions(&self) -> u64 {
        self.questions.load(Ordering::Relaxed)
    }
}

impl Drop for ChangingDns {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The question section of a query and its type; `None` for what is no query.
fn question(packet: &[u8]) -> Option<(&[u8], u16)> {
    let rest = packet.get(HEADER_BYTES..)?;
    let mut at = 0;
    while *rest.get(at)? != 0 {
        at += usize::from(rest[at]) + 1;
    }
    let end = at + 5;
    let kind = u16::from_be_bytes([*rest.get(at + 1)?, *rest.get(at + 2)?]);
    Some((rest.get(..end)?, kind))
}

/// An answer to it: with the address, or empty.
fn answer(id: &[u8], question: &[u8], ip: Option<Ipv4Addr>) -> Vec<u8> {
    let mut packet = id.to_vec();
    // A response, recursion desired and available; one question, one answer or none.
    packet.extend_from_slice(&[0x81, 0x80, 0, 1, 0, u8::from(ip.is_some()), 0, 0, 0, 0]);
    packet.extend_from_slice(question);
    if let Some(ip) = ip {
        // The name of the question, type A, class IN, no time to live, four bytes.
        packet.extend_from_slice(&[0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
        packet.extend_from_slice(&ip.octets());
    }
    packet
}
