//! Reads from a URL alone its host, its site, and whether a loop in the web produced it.
//!
//! - [`Site`]: the host and the registered domain, by the Public Suffix List.
//! - [`trap`]: URLs that a crawler trap produced.
//! - [`is_on_host`]: a fast check of the host.
//!
//! ```
//! use reprise_url::{Site, trap::find_trap};
//!
//! assert_eq!(Site::of("https://www.example.co.uk/a").site, "example.co.uk");
//! assert!(find_trap("http://example.com/next/next/next/next/").is_some());
//! ```
//!
//! The crate does no I/O, starts no threads and reads no clock.

mod site;
pub mod trap;

pub use site::Site;

/// Returns true if the URL certainly has this host.
///
/// The check is much faster than [`Site::of`]. A caller with many URLs of one host uses it to avoid
/// parsing each of them. It returns false for some URLs on the host, for example those with a port.
///
/// ```
/// use reprise_url::is_on_host;
///
/// assert!(is_on_host("https://www.example.com/a", "www.example.com"));
/// assert!(!is_on_host("https://www.example.com.evil.net/a", "www.example.com"));
/// assert!(!is_on_host("https://user@www.example.com/a", "www.example.com"));
/// ```
pub fn is_on_host(url: &str, host: &str) -> bool {
    !host.is_empty()
        && url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"))
            .and_then(|rest| rest.strip_prefix(host))
            .is_some_and(|rest| rest.starts_with('/'))
}
