//! What a URL says by itself: its host, its site, and whether a loop in the web made it.
//!
//! - [`Site`]: host and registered domain, by the Public Suffix List.
//! - [`trap`]: URLs that no author made.
//!
//! ```
//! use reprise_url::{Site, trap::find_trap};
//!
//! assert_eq!(Site::of("https://www.example.co.uk/a").site, "example.co.uk");
//! assert!(find_trap("http://example.com/next/next/next/next/").is_some());
//! ```
//!
//! Everything here is pure computation.

mod site;
pub mod trap;

pub use site::Site;

/// Is this surely the host of the URL? So that the host and site of a page's neighbour need not be
/// found out again.
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
