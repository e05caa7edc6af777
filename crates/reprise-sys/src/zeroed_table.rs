//! Large tables that start out zeroed.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Zeroed bytes for a hash table, on huge pages where the system has them: with ordinary pages, a
/// table of many megabytes needs more page translations than the processor caches.
pub struct ZeroedTable(MmapMut);

impl ZeroedTable {
    /// Allocates `bytes` zeroed bytes.
    ///
    /// # Panics
    /// If there is no memory left, like every allocation.
    pub fn new(bytes: usize) -> ZeroedTable {
        let map = MmapMut::map_anon(bytes).expect("memory for a table");
        // A request only: without huge pages the table works all the same.
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
