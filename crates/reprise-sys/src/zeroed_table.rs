//! Large tables of zeroed memory.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Zeroed bytes for a large hash table, on huge pages if the system has them. With ordinary pages, a table of
/// many megabytes needs more address translations than the processor can cache.
pub struct ZeroedTable(MmapMut);

impl ZeroedTable {
    /// Allocates `bytes` zeroed bytes.
    ///
    /// # Panics
    /// Panics if the memory cannot be allocated, like other allocations.
    pub fn new(bytes: usize) -> ZeroedTable {
        let map = MmapMut::map_anon(bytes).expect("memory for a table");
        // The table also works if the system refuses huge pages.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        ZeroedTable(map)
    }
}

impl Deref for ZeroedTable {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for ZeroedTable {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
