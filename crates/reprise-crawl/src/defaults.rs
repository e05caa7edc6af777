//! The default values of the options of a crawl.

use std::time::Duration;

use reprise_ingest::RecordLimits;

use crate::config::{Order, Scope};

/// The URLs that may be fetched: those of the seeds' hosts.
pub const SCOPE: Scope = Scope::Host;
/// The order of requests: URLs like those that had new content come first.
pub const ORDER: Order = Order::Learned;
/// The pause between two requests to the same host.
pub const DELAY: Duration = Duration::from_secs(1);
/// The longest pause that a robots.txt or a `Retry-After` header can ask for.
pub const DELAY_MAX: Duration = Duration::from_mins(2);
/// The number of connections to one host at the same time.
pub const CONNECTIONS_PER_HOST: usize = 1;
/// The number of hosts that are asked at the same time.
pub const HOSTS_AT_ONCE: usize = 16;
/// The user agent: the program and its version.
pub const USER_AGENT: &str = concat!("reprise/", env!("CARGO_PKG_VERSION"));
/// The fuzzy-hash score from which two texts are near duplicates.
pub const SCORE: u8 = 90;
/// The size from which an archive is closed and the next one begun, in bytes.
pub const ARCHIVE_BYTES_MAX: u64 = 1 << 30;

/// The number of latest pages that the stop rule examines.
pub const STOP_WINDOW: usize = 200;
/// The share of new content below which a crawl stops.
pub const STOP_BOUND: f64 = 0.02;
/// The confidence that the share of new content is below the bound.
pub const STOP_CONFIDENCE: f64 = 0.95;

/// The longest time for a whole response.
pub const TIMEOUT: Duration = Duration::from_mins(1);
/// The longest time for finding and connecting to a host, unless [`TIMEOUT`] is shorter.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The longest time without a byte from the server, unless [`TIMEOUT`] is shorter.
pub const SILENCE_TIMEOUT: Duration = Duration::from_secs(20);
/// The lowest average rate of a response, in bytes per second.
pub const RATE_MIN: u64 = 64;
/// The number of times that a failed request is repeated.
pub const RETRIES: u32 = 3;
/// The pause before the first repetition.
pub const BACK_OFF: Duration = Duration::from_secs(1);

/// The limits on a decoded body. The size limits hold for the body and header as sent as well.
pub const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 32 << 20,
    header_bytes: 64 << 10,
    ratio: 300,
    nesting: 4,
};
