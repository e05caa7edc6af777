//! Sorts the rows of a block.

use super::BlockRow;

/// Sorts the rows of a block by prefix. Rows with equal prefixes stay in the order of their segments.
///
/// The prefixes of hashes are evenly distributed, so a prefix predicts the position of its row well. A
/// bucket sort puts each row near its position, and an insertion sort corrects the rest.
#[derive(Default)]
pub(super) struct Sorter {
    /// The first row of each bucket.
    starts: Vec<u32>,
    sorted: Vec<BlockRow>,
}

/// The most rows in a bucket. A hash does not produce more; for other prefixes an ordinary sort is faster.
const BUCKET_ROWS: u32 = 64;

impl Sorter {
    /// Sorts `rows`. `low` and `high` are their lowest and highest prefix.
    pub(super) fn sort(&mut self, rows: &mut Vec<BlockRow>, low: u64, high: u64) {
        // There are about as many buckets as rows.
        let buckets = rows.len().next_power_of_two();
        let width = u64::BITS - (high - low).leading_zeros();
        let shift = width.saturating_sub(buckets.trailing_zeros());
        let bucket = |row: &BlockRow| ((row.prefix - low) >> shift) as usize;
        self.starts.clear();
        self.starts.resize(buckets, 0);
        for row in &*rows {
            self.starts[bucket(row)] += 1;
        }
        if self.starts.iter().any(|&count| count > BUCKET_ROWS) {
            rows.sort_by_key(|row| row.prefix);
            return;
        }
        let mut start = 0;
        for count in &mut self.starts {
            start += std::mem::replace(count, start);
        }
        // The loop overwrites all values.
        self.sorted.resize(rows.len(), BlockRow::default());
        for row in &*rows {
            let place = &mut self.starts[bucket(row)];
            self.sorted[*place as usize] = *row;
            *place += 1;
        }
        for at in 1..self.sorted.len() {
            let row = self.sorted[at];
            let mut to = at;
            while to > 0 && self.sorted[to - 1].prefix > row.prefix {
                self.sorted[to] = self.sorted[to - 1];
                to -= 1;
            }
            self.sorted[to] = row;
        }
        std::mem::swap(rows, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BlockRow, Sorter};

    proptest! {
        #[test]
        fn a_block_is_sorted_and_stable(
            base in any::<u64>(),
            shift in 0u32..64,
            steps in proptest::collection::vec(any::<u64>(), 0..300),
        ) {
            let row = |(segment, step): (u32, &u64)| BlockRow {
                prefix: base.saturating_add(step >> shift),
                segment,
                row: 0,
            };
            let rows: Vec<BlockRow> = (0..).zip(&steps).map(row).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|row| row.prefix);
            let end = |row: Option<&BlockRow>| row.map_or(0, |row| row.prefix);
            let (low, high) = (end(expected.first()), end(expected.last()));
            let mut sorted = rows;
            Sorter::default().sort(&mut sorted, low, high);
            let keys = |rows: &[BlockRow]| -> Vec<(u64, u32)> {
                rows.iter().map(|row| (row.prefix, row.segment)).collect()
            };
            prop_assert_eq!(keys(&sorted), keys(&expected));
        }
    }
}
