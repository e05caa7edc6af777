//! Sends one request and reads its response, byte for byte.
//!
//! This is an HTTP/1.1 client written for the crawler. An archive needs the bytes as the server sent them (spelling of
//! the header, chunk sizes), and the limits must hold at every byte, even if the server is hostile. Common clients do
//! not give access to these bytes, and check limits only between messages.
//!
//! - [`connect`]: resolves names, checks addresses, opens TCP and TLS connections.
//! - [`head`]: parses the header, leniently.
//! - [`body`]: finds the end of the body.

mod body;
mod connect;
mod head;
mod one;

use std::io;
use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Duration, Instant, timeout_at};
use url::Url;

use body::{End, Framing};
pub(crate) use connect::{Connection, Connector};
pub(crate) use head::Head;
pub use one::{FetchOne, Fetched, fetch_one};

use crate::config::FetchLimits;
use crate::error::FetchError;

/// Why a response in the archive is incomplete. The names are those of WARC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truncated {
    Length,
    Time,
    Disconnect,
}

impl Truncated {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Truncated::Length => "length",
            Truncated::Time => "time",
            Truncated::Disconnect => "disconnect",
        }
    }
}

/// A request and its response.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) request: Vec<u8>,
    /// The response as sent: header, blank line and body.
    pub(crate) block: Vec<u8>,
    pub(crate) head_bytes: usize,
    pub(crate) status: u16,
    pub(crate) truncated: Option<Truncated>,
    pub(crate) ip: IpAddr,
    /// The time of the request, in milliseconds since 1970.
    pub(crate) date: i64,
}

/// The values that make a request conditional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
}

/// Requests a URL over the `open` connection or a new one. Also returns the connection if it can be used again.
pub(crate) async fn exchange(
    connector: &Connector,
    limits: &FetchLimits,
    url: &Url,
    validators: &Validators,
    open: Option<Connection>,
) -> Result<(Exchange, Option<Connection>), FetchError> {
    let request = request(url, &connector.user_agent, validators);
    if let Some(mut connection) = open
        && connection.is_quiet().await
    {
        // The server may have closed the idle connection, or may still send the rest of an earlier body that was
        // longer than stated. Neither is a failure of this request.
        match over(&mut connection, limits, &request).await {
            Ok((exchange, is_reusable)) => {
                return Ok((exchange, is_reusable.then_some(connection)));
            }
            Err(FetchError::Disconnected | FetchError::NotHttp) => {}
            Err(error) => return Err(error),
        }
    }
    let mut connection = connector.connect(url, limits.connect).await?;
    let (exchange, is_reusable) = over(&mut connection, limits, &request).await?;
    Ok((exchange, is_reusable.then_some(connection)))
}

fn request(url: &Url, user_agent: &str, validators: &Validators) -> Vec<u8> {
    let host = url.host_str().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let mut text = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}{port}\r\nUser-Agent: {user_agent}\r\n\
         Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n"
    );
    if let Some(etag) = &validators.etag {
        text.extend(["If-None-Match: ", etag, "\r\n"]);
    }
    if let Some(date) = &validators.last_modified {
        text.extend(["If-Modified-Since: ", date, "\r\n"]);
    }
    text.push_str("Connection: keep-alive\r\n\r\n");
    text.into_bytes()
}

/// Sends the request and reads the response. Also returns true if the connection can be used again.
async fn over(
    connection: &mut Connection,
    limits: &FetchLimits,
    request: &[u8],
) -> Result<(Exchange, bool), FetchError> {
    let clock = Clock::new(limits);
    let date = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as i64);
    match timeout_at(clock.next(), connection.stream.write_all(request)).await {
        Ok(Ok(())) => {}
        Ok(Err(_)) => return Err(FetchError::Disconnected),
        Err(_) => return Err(FetchError::Timeout),
    }
    let mut incoming = Incoming {
        connection,
        limits,
        clock,
        block: Vec::with_capacity(16 << 10),
        is_head_cut: false,
    };
    let head = incoming.head().await?;
    let (truncated, is_at_end) = incoming.body(&head).await;
    let truncated = truncated.or(incoming.is_head_cut.then_some(Truncated::Disconnect));
    let is_reusable = is_at_end && truncated.is_none() && head.keeps_alive;
    let exchange = Exchange {
        request: request.to_vec(),
        block: incoming.block,
        head_bytes: head.bytes,
        status: head.status,
        truncated,
        ip: connection.ip,
        date,
    };
    Ok((exchange, is_reusable))
}

/// The deadlines of a response.
struct Clock {
    start: Instant,
    end: Instant,
    silence: Duration,
}

impl Clock {
    fn new(limits: &FetchLimits) -> Clock {
        let start = Instant::now();
        Clock {
            start,
            end: start + limits.total,
            silence: limits.silence,
        }
    }

    /// Returns the deadline of the next byte.
    fn next(&self) -> Instant {
        (Instant::now() + self.silence).min(self.end)
    }

    fn is_too_slow(&self, bytes: usize, rate_min: u64) -> bool {
        let elapsed = self.start.elapsed();
        elapsed > self.silence && (bytes as f64) < rate_min as f64 * elapsed.as_secs_f64()
    }
}

/// A response that is being received.
struct Incoming<'a> {
    connection: &'a mut Connection,
    limits: &'a FetchLimits,
    clock: Clock,
    block: Vec<u8>,
    /// True if the connection ended before the header did.
    is_head_cut: bool,
}

/// The result of a read.
enum Got {
    Bytes,
    Closed,
    Late,
}

impl Incoming<'_> {
    /// Reads more bytes, until the block has at most `bytes_max`.
    async fn more(&mut self, bytes_max: usize) -> Got {
        let room = bytes_max.saturating_sub(self.block.len()).min(64 << 10);
        let mut part = (&mut self.connection.stream).take(room as u64);
        match timeout_at(self.clock.next(), part.read_buf(&mut self.block)).await {
            Err(_) => Got::Late,
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => Got::Bytes,
            // A reset, or the end of TLS without a closing message, is an error here. Both mean a closed connection.
            Ok(Ok(0) | Err(_)) => Got::Closed,
            Ok(Ok(_))
                if self
                    .clock
                    .is_too_slow(self.block.len(), self.limits.rate_min) =>
            {
                Got::Late
            }
            Ok(Ok(_)) => Got::Bytes,
        }
    }

    /// Reads until the header is complete. Interim answers (1xx) are skipped.
    async fn head(&mut self) -> Result<Head, FetchError> {
        loop {
            match Head::parse(&self.block) {
                Some(head) if (100..200).contains(&head.status) && head.status != 101 => {
                    self.block.drain(..head.bytes);
                    continue;
                }
                Some(head) => return Ok(head),
                None => {}
            }
            if Head::is_not_http(&self.block) {
                return Err(FetchError::NotHttp);
            }
            if self.block.len() >= self.limits.header_bytes {
                return Err(FetchError::HeaderTooLarge);
            }
            match self.more(self.limits.header_bytes).await {
                Got::Bytes => {}
                Got::Closed if self.block.is_empty() => return Err(FetchError::Disconnected),
                // Some servers send a header only and omit its blank line. That is a valid answer.
                Got::Closed => {
                    self.is_head_cut = true;
                    return Head::parse_all(&self.block).ok_or(FetchError::Disconnected);
                }
                Got::Late => return Err(FetchError::Timeout),
            }
        }
    }

    /// Reads the body. Returns why it is incomplete, if it is, and whether the block ended exactly where the body did.
    async fn body(&mut self, head: &Head) -> (Option<Truncated>, bool) {
        let mut framing = Framing::of(head);
        let bytes_max = head.bytes + self.limits.body_bytes;
        loop {
            match framing.end(&self.block[head.bytes.min(self.block.len())..]) {
                End::At(length) => {
                    let end = head.bytes + length;
                    let is_exact = self.block.len() == end;
                    if end > bytes_max {
                        self.block.truncate(bytes_max);
                        return (Some(Truncated::Length), false);
                    }
                    self.block.truncate(end);
                    return (None, is_exact);
                }
                End::Later => {}
            }
            if self.block.len() >= bytes_max {
                self.block.truncate(bytes_max);
                return (Some(Truncated::Length), false);
            }
            match self.more(bytes_max).await {
                Got::Bytes => {}
                Got::Closed if framing.ends_with_connection() => return (None, false),
                Got::Closed => return (Some(Truncated::Disconnect), false),
                // The last bytes came slowly, but the body is complete.
                Got::Late if framing.end(&self.block[head.bytes..]) != End::Later => {}
                Got::Late => return (Some(Truncated::Time), false),
            }
        }
    }
}
