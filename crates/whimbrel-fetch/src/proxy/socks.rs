//! A tunnel through a SOCKS 5 proxy (RFC 1928), with or without a user name and password (RFC 1929).
//! Invariant: every message is read at its exact length, at most 262 bytes, so nothing of the tunnel is taken and
//! nothing can grow; time is limited by the caller.

use crate::failure::Failure;
use crate::secret::Secret;
use std::net::IpAddr;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use whimbrel_types::FailureKind;

const VERSION: u8 = 5;
const NO_LOGIN: u8 = 0;
const LOGIN: u8 = 2;
const CONNECT: u8 = 1;
const LOGIN_VERSION: u8 = 1;

/// Where the proxy is asked to connect to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    /// An address that was resolved and judged here.
    Address(IpAddr),
    /// A name that the proxy resolves.
    Name(&'a str),
}

/// Asks the proxy at the other end of `stream` for a connection.
pub(crate) async fn open<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    target: Target<'_>,
    port: u16,
    login: Option<&Secret>,
) -> Result<(), Failure> {
    greet(stream, login).await?;
    let mut request = vec![VERSION, CONNECT, 0];
    match target {
        Target::Address(IpAddr::V4(ip)) => {
            request.push(1);
            request.extend_from_slice(&ip.octets());
        }
        Target::Address(IpAddr::V6(ip)) => {
            request.push(4);
            request.extend_from_slice(&ip.octets());
        }
        Target::Name(name) => {
            request.push(3);
            push_short(&mut request, name.as_bytes(), "the host name")?;
        }
    }
    request.extend_from_slice(&port.to_be_bytes());
    send(stream, &request).await?;
    let [version, reply, _, kind] = receive::<4, S>(stream).await?;
    if version != VERSION {
        return Err(no_socks());
    }
    if reply != 0 {
        return Err(refused(reply));
    }
    // The address the proxy connects from, which nobody needs.
    let length = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(stream.read_u8().await.map_err(broken)?),
        _ => return Err(no_socks()),
    };
    let mut rest = vec![0; length + 2];
    stream.read_exact(&mut rest).await.map_err(broken)?;
    Ok(())
}

/// Agrees on a login and gives it.
async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    login: Option<&Secret>,
) -> Result<(), Failure> {
    let methods: &[u8] =
        if login.is_some() { &[VERSION, 2, NO_LOGIN, LOGIN] } else { &[VERSION, 1, NO_LOGIN] };
    send(stream, methods).await?;
    match (receive::<2, S>(stream).await?, login) {
        ([VERSION, NO_LOGIN], _) => Ok(()),
        ([VERSION, LOGIN], Some(login)) => {
            let (user, password) = login.user_and_password().unwrap_or((login.expose(), ""));
            let mut message = vec![LOGIN_VERSION];
            push_short(&mut message, user.as_bytes(), "the proxy's user name")?;
            push_short(&mut message, password.as_bytes(), "the proxy's password")?;
            send(stream, &message).await?;
            match receive::<2, S>(stream).await? {
                [_, 0] => Ok(()),
                _ => {
                    Err((FailureKind::ConnectionRefused, "the proxy does not take this login".to_owned())
                        .into())
                }
            }
        }
        ([VERSION, _], _) => {
            let hint = "the proxy asks for a login; set WHIMBREL_PROXY_AUTH=user:password in the environment";
            Err((FailureKind::ConnectionRefused, hint.to_owned()).into())
        }
        _ => Err(no_socks()),
    }
}

/// A length byte and the bytes.
fn push_short(message: &mut Vec<u8>, bytes: &[u8], what: &str) -> Result<(), Failure> {
    let length = u8::try_from(bytes.len()).map_err(|_| {
        (FailureKind::ProtocolError, format!("{what} is longer than the 255 bytes SOCKS can carry"))
    })?;
    message.push(length);
    message.extend_from_slice(bytes);
    Ok(())
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> Result<(), Failure> {
    stream.write_all(bytes).await.map_err(broken)?;
    stream.flush().await.map_err(broken)
}

async fn receive<const N: usize, S: AsyncRead + Unpin>(stream: &mut S) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await.map_err(broken)?;
    Ok(bytes)
}

fn broken(error: std::io::Error) -> Failure {
    (FailureKind::ConnectionReset, format!("the proxy broke off while a tunnel was opened: {error}")).into()
}

fn no_socks() -> Failure {
    (FailureKind::ProtocolError, "the proxy does not speak SOCKS 5".to_owned()).into()
}

fn refused(reply: u8) -> Failure {
    let (kind, why) = match reply {
        2 => (FailureKind::ConnectionRefused, "not allowed by its rules"),
        3 => (FailureKind::ConnectionRefused, "the network cannot be reached"),
        4 => (FailureKind::DnsFailure, "the host cannot be found or reached"),
        5 => (FailureKind::ConnectionRefused, "nobody listens there"),
        6 => (FailureKind::Timeout, "the way is too long"),
        7 | 8 => (FailureKind::ProtocolError, "it cannot do what was asked"),
        _ => (FailureKind::ConnectionRefused, "it failed"),
    };
    (kind, format!("the proxy could not connect: {why} (reply {reply})")).into()
}
