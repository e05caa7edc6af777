//! How a long job tells how far it is: a surface shows it, a library does not.

/// Told of progress, from any thread.
pub trait Progress: Sync {
    /// The job will read this many bytes of input.
    fn begin(&self, total_bytes: u64);
    /// It has read `bytes` more, in which `pages` more were found.
    fn advance(&self, bytes: u64, pages: u64);
    /// Something slow that reads no input begins, such as writing a segment.
    fn phase(&self, name: &str);
}

/// Nobody looks.
impl Progress for () {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64, _: u64) {}
    fn phase(&self, _: &str) {}
}
