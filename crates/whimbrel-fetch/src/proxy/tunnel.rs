//! A tunnel through an HTTP proxy: one CONNECT and the head of its answer (RFC 9110, section 9.3.6).
//! Never reads past that head: what follows belongs to the server behind the proxy, which speaks second.
//! Invariant: the answer takes no more than [`ANSWER_BYTES_MAX`]; time is limited by the caller.

use crate::failure::Failure;
use crate::head::{EndFinder, status_code};
use crate::secret::Secret;
use crate::secret::base64;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use whimbrel_types::FailureKind;

/// Most bytes of the answer's head.
const ANSWER_BYTES_MAX: usize = 16 << 10;

/// What proxies want to be told about oneself.
pub(crate) fn login_value(login: &Secret) -> String {
    format!("Basic {}", base64(login.expose().as_bytes()))
}

/// The failure for a proxy that wants a login, or another one.
pub(crate) fn login_refused() -> Failure {
    let hint = "the proxy asks for a login (407); set WHIMBREL_PROXY_AUTH=user:password in the environment";
    (FailureKind::ConnectionRefused, hint.to_owned()).into()
}

/// Asks the proxy at the other end of `stream` for a connection to `target` (`host:port`).
pub(crate) async fn open<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    target: &str,
    login: Option<&Secret>,
) -> Result<(), Failure> {
    let broken = |error: std::io::Error| -> (FailureKind, String) {
        (FailureKind::ConnectionReset, format!("the proxy broke off while a tunnel was opened: {error}"))
    };
    let login =
        login.map(|login| format!("Proxy-Authorization: {}\r\n", login_value(login))).unwrap_or_default();
    let request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{login}\r\n");
    stream.write_all(request.as_bytes()).await.map_err(broken)?;
    stream.flush().await.map_err(broken)?;
    let mut head = Vec::with_capacity(256);
    let mut end = EndFinder::default();
    loop {
        // Byte by byte, so that not one byte of the tunnel is taken; heads of proxies are short.
        let byte = stream.read_u8().await.map_err(broken)?;
        head.push(byte);
        if end.find(&[byte]).is_some() {
            break;
        }
        if head.len() >= ANSWER_BYTES_MAX {
            let detail = format!("the proxy's answer has a head of more than {ANSWER_BYTES_MAX} bytes");
            return Err((FailureKind::HeadersTooLarge, detail).into());
        }
    }
    match status_code(&head) {
        Some(200..=299) => Ok(()),
        Some(407) => Err(login_refused()),
        Some(status) => Err((
            FailureKind::ConnectionRefused,
            format!("the proxy refuses a tunnel to {target}: status {status}"),
        )
            .into()),
        None => Err((FailureKind::ProtocolError, "the proxy's answer is not HTTP".to_owned()).into()),
    }
}
