//! Writes the pages of a column with checksums. The Parquet library checks these when it reads a page, but
//! does not write them.

use bytes::Bytes;
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::{ParquetError, Result};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

/// The bytes of a column that is being written. Their memory is reused for the next column.
#[derive(Default)]
pub(super) struct ColumnBytes {
    bytes: Vec<u8>,
    /// The current page, as the library writes it.
    page: Vec<u8>,
}

impl ColumnBytes {
    /// Starts a column, with or without checksums.
    pub(super) fn pages(&mut self, is_summed: bool) -> SummedPages<'_> {
        self.bytes.clear();
        SummedPages {
            column: self,
            is_summed,
        }
    }

    /// Takes the bytes of the column.
    pub(super) fn take(&mut self) -> Bytes {
        std::mem::take(&mut self.bytes).into()
    }

    /// Gives the memory of the bytes back, for the next column.
    pub(super) fn give_back(&mut self, bytes: Bytes) {
        self.bytes = bytes.into();
    }
}

/// Writes the pages of a column.
pub(super) struct SummedPages<'c> {
    column: &'c mut ColumnBytes,
    is_summed: bool,
}

impl PageWriter for SummedPages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let ColumnBytes { bytes, page: alone } = &mut *self.column;
        alone.clear();
        let checksum = self.is_summed.then(|| crc32fast::hash(page.data()));
        let mut sink = TrackedWrite::new(std::mem::take(alone));
        let mut spec = SerializedPageWriter::new(&mut sink).write_page(page)?;
        *alone = sink.into_inner()?;
        spec.offset = bytes.len() as u64;
        let Some(checksum) = checksum else {
            bytes.extend_from_slice(alone);
            return Ok(spec);
        };
        let at = checksum_place(alone)
            .ok_or_else(|| ParquetError::General("the header of a page has no sizes".to_owned()))?;
        bytes.extend_from_slice(&alone[..at]);
        push_checksum(bytes, checksum);
        // Field numbers are stored as differences. The next field now follows the checksum, so its
        // difference is smaller by one.
        bytes.push(alone[at] - NEXT_FIELD);
        bytes.extend_from_slice(&alone[at + 1..]);
        let added = bytes.len() - spec.offset as usize - alone.len();
        spec.uncompressed_size += added;
        spec.compressed_size += added;
        spec.bytes_written += added as u64;
        Ok(spec)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

/// The first byte of a field whose number is one higher than that of the field before, without its type. In
/// Thrift's compact protocol, the upper half of the byte is the difference to the previous field number,
/// and the lower half is the type.
const NEXT_FIELD: u8 = 1 << 4;
/// The first byte of such a field with a 32-bit integer.
const NEXT_INTEGER: u8 = NEXT_FIELD | 5;

/// Returns the position of the checksum in the header of a page. The checksum is field 4. It comes after the
/// type and the two sizes.
fn checksum_place(header: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..3 {
        if *header.get(at)? != NEXT_INTEGER {
            return None;
        }
        let length = header[at + 1..].iter().position(|byte| byte & 0x80 == 0)?;
        at += length + 2;
    }
    // The next field must have a number above 4: the header must not have a checksum yet.
    (*header.get(at)? >> 4 >= 2).then_some(at)
}

/// Appends the checksum as a field: a zigzag integer in a variable number of bytes, seven bits in each.
fn push_checksum(header: &mut Vec<u8>, checksum: u32) {
    header.push(NEXT_INTEGER);
    let signed = checksum.cast_signed();
    let mut left = ((signed << 1) ^ (signed >> 31)).cast_unsigned();
    while left >= 0x80 {
        header.push(left as u8 | 0x80);
        left >>= 7;
    }
    header.push(left as u8);
}

#[cfg(test)]
mod tests {
    use super::{checksum_place, push_checksum};

    #[test]
    fn the_checksum_comes_after_the_sizes() {
        let check = |header: &[u8], place| assert_eq!(checksum_place(header), place, "{header:?}");
        check(&[0x15, 6, 0x15, 0x80, 1, 0x15, 2, 0x5c, 0x15, 2], Some(7));
        check(&[0x15, 4, 0x15, 2, 0x15, 2, 0x4c], Some(6));
        // A header without a size, one with a checksum, and incomplete ones.
        check(&[0x15, 6, 0x25, 2, 0x5c], None);
        check(&[0x15, 6, 0x15, 2, 0x15, 2, 0x15, 9, 0x4c], None);
        check(&[0x15, 6, 0x15, 0x80], None);
        check(&[], None);
    }

    #[test]
    fn checksums_are_encoded_as_fields() {
        let check = |checksum, bytes: &[u8]| {
            let mut header = Vec::new();
            push_checksum(&mut header, checksum);
            assert_eq!(header, bytes, "{checksum:x}");
        };
        check(0, &[0x15, 0]);
        check(1, &[0x15, 2]);
        check(64, &[0x15, 0x80, 1]);
        // -1 and the lowest integer.
        check(0xffff_ffff, &[0x15, 1]);
        check(0x8000_0000, &[0x15, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    }
}
