//! Memory and threads.

use crate::defaults;
use crate::error::Error;

/// The memory and threads that an operation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// The memory limit in bytes, at least [`defaults::MEMORY_BYTES_MIN`].
    pub memory_bytes: usize,
    /// The number of threads; `None` is one for each core.
    pub threads: Option<usize>,
}

/// The most threads.
const THREADS_MAX: usize = 1024;

impl Default for Resources {
    fn default() -> Resources {
        Resources {
            memory_bytes: defaults::MEMORY_BYTES,
            threads: None,
        }
    }
}

impl Resources {
    /// Fails if the memory limit or the number of threads is too low.
    pub fn validate(&self) -> Result<(), Error> {
        if self.memory_bytes < defaults::MEMORY_BYTES_MIN {
            return Err(Error::Option {
                option: "memory",
                expected: format!("at least {} MiB", defaults::MEMORY_BYTES_MIN >> 20),
                found: reprise_report::numbers::bytes(self.memory_bytes as u64),
            });
        }
        match self.threads {
            Some(threads) if !(1..=THREADS_MAX).contains(&threads) => Err(Error::Option {
                option: "threads",
                expected: format!("from 1 to {THREADS_MAX}"),
                found: threads.to_string(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Calls `work` with a pool of this number of threads.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
        Ok(thread_pool(self.threads())?.install(work))
    }
}

/// Starts a pool of threads.
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Threads {
            threads,
            detail: error.to_string(),
        })
}
