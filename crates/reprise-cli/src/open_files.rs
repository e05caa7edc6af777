//! How many files may be open at a time.

/// Raises the limit as far as the system lets us: the usual one, 1,024, is low for sorted runs of
/// large corpora and for crawls. Where it stays, commands have less to work with, and tell if it is too little.
#[cfg(target_os = "linux")]
pub(crate) fn raise_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn raise_limit() {}
