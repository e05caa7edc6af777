//! A message as the 64-byte blocks that SHA-1 and SHA-256 process, with its padding.

/// The unit that the hash functions process.
pub(crate) type Block = [u8; 64];

/// The blocks of a padded message that are not hashed yet.
pub(crate) struct Message<'a> {
    /// Whole blocks of the message.
    body: &'a [Block],
    /// The remaining bytes and the padding.
    tail: [Block; 2],
    /// The range of blocks of `tail` that are left.
    tail_next: usize,
    tail_end: usize,
}

impl<'a> Message<'a> {
    /// A message without blocks.
    pub(crate) const DONE: Self = Self {
        body: &[],
        tail: [[0; 64]; 2],
        tail_next: 0,
        tail_end: 0,
    };

    /// Creates a message from blocks that include the padding.
    pub(crate) fn of_blocks(blocks: &'a [Block]) -> Self {
        Self {
            body: blocks,
            ..Self::DONE
        }
    }

    /// Starts over with `bytes` and their padding (FIPS 180-4, 5.1.1): a one bit, zeros, and the
    /// length in bits as the last 8 bytes of a block.
    #[inline]
    pub(crate) fn begin(&mut self, bytes: &'a [u8]) {
        let (body, rest) = bytes.as_chunks::<64>();
        self.body = body;
        self.tail_next = 0;
        self.tail_end = if rest.len() < 56 { 1 } else { 2 };
        self.tail = [[0; 64]; 2];
        let padded = self.tail.as_flattened_mut();
        padded[..rest.len()].copy_from_slice(rest);
        padded[rest.len()] = 0x80;
        let bits = bytes.len() as u64 * 8;
        padded[self.tail_end * 64 - 8..self.tail_end * 64].copy_from_slice(&bits.to_be_bytes());
    }

    /// Returns the number of blocks that are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.body.len() + self.tail_end - self.tail_next
    }

    /// Returns the block `at`, counted from the first that is left. Past the end, the result is an
    /// arbitrary block.
    #[inline]
    pub(crate) fn block(&self, at: usize) -> &Block {
        match self.body.get(at) {
            Some(block) => block,
            None => &self.tail[(at - self.body.len() + self.tail_next) % 2],
        }
    }

    /// Removes the next `count` blocks.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        let of_body = count.min(self.body.len());
        self.body = &self.body[of_body..];
        self.tail_next += count - of_body;
    }

    /// Appends the blocks that are left to `blocks`.
    pub(crate) fn append_to(&self, blocks: &mut Vec<Block>) {
        blocks.extend_from_slice(self.body);
        blocks.extend_from_slice(&self.tail[self.tail_next..self.tail_end]);
    }
}
