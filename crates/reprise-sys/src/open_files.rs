//! The limit of open files.

/// Raises the limit of open files as far as the system allows. The usual limit of 1,024 is too low for large
/// corpora and for crawls. If the limit cannot be raised, it stays.
#[cfg(target_os = "linux")]
pub fn raise_open_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Does nothing. The default limit of this system stays.
#[cfg(not(target_os = "linux"))]
pub fn raise_open_file_limit() {}
