//! What a command may take of the machine: the flags that several share.

use reprise_engine::index::{MEMORY_BYTES_DEFAULT, MEMORY_BYTES_MIN};

use crate::exit::Usage;
use crate::size;

/// How much memory may be used.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct MemoryFlag {
    /// Bound of memory, 64M or more [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    memory: Option<usize>,
}

impl MemoryFlag {
    pub(crate) fn bytes(self) -> Result<usize, Usage> {
        let bytes = self.memory.unwrap_or(MEMORY_BYTES_DEFAULT);
        if bytes < MEMORY_BYTES_MIN {
            let least = MEMORY_BYTES_MIN >> 20;
            return Err(Usage(format!("--memory must be at least {least}M")));
        }
        Ok(bytes)
    }
}

/// How many threads work.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct ThreadsFlag {
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl ThreadsFlag {
    pub(crate) fn count(self) -> Result<usize, Usage> {
        match self.threads {
            Some(0) => Err(Usage("--threads must be at least 1".to_owned())),
            threads => Ok(threads.unwrap_or_else(cores)),
        }
    }

    /// As many threads, in a pool of their own.
    pub(crate) fn pool(self) -> anyhow::Result<rayon::ThreadPool> {
        let threads = self.count()?;
        Ok(rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?)
    }
}

/// Threads to use where nothing is said.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
