//! The sizes of the pages of a column, before any of them is unpacked. The library takes as much memory for a
//! page as its header states, which may be far more than the size of the file.
//!
//! The headers are in Thrift's compact protocol. Only a few numbers are needed; everything else is skipped.

use std::io::{BufReader, Read};

use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use super::Input;

/// The pages of a column in a row group.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// For each page, the row after its last one, and its unpacked size in bytes.
    ends: Vec<(usize, usize)>,
    /// The memory for the dictionary.
    dictionary_bytes: usize,
    /// The memory for the largest data page.
    largest_bytes: usize,
}

/// The memory that the library takes for each text of a dictionary, besides the text.
const DICTIONARY_VALUE_BYTES: usize = 40;
/// The memory that some encodings take for each value of a page before the first is read.
const VALUE_BYTES: usize = 8;

impl Pages {
    /// Reads the header of every page. Returns an error if reading the pages takes more than this memory.
    pub(crate) fn of(
        input: &Input,
        column: &ColumnChunkMetaData,
        bytes_max: usize,
    ) -> Result<Pages> {
        let (mut at, length) = column.byte_range();
        let end = at.saturating_add(length);
        let mut pages = Pages::default();
        let mut rows = 0;
        let rows_max = usize::try_from(column.num_values()).unwrap_or(0);
        while rows < rows_max && at < end {
            let mut input = Counted {
                inner: BufReader::new(input.read_at(at)),
                count: 0,
            };
            let header = PageHeader::read(&mut input)?;
            at += input.count + header.packed_bytes as u64;
            pages.count(&header);
            if pages.memory_bytes() > bytes_max {
                return Err(too_much(pages.memory_bytes(), bytes_max));
            }
            if !header.is_dictionary {
                rows = rows.saturating_add(header.values);
                pages.ends.push((rows, header.unpacked_bytes));
            }
        }
        Ok(pages)
    }

    /// Adds the size of a page.
    fn count(&mut self, header: &PageHeader) {
        let PageHeader {
            packed_bytes,
            unpacked_bytes,
            values,
            is_dictionary,
        } = *header;
        if is_dictionary {
            let values = values.saturating_mul(DICTIONARY_VALUE_BYTES);
            self.dictionary_bytes = packed_bytes
                .saturating_add(unpacked_bytes)
                .saturating_add(values);
            return;
        }
        // The page before stays in memory until this one is unpacked.
        let bytes = packed_bytes
            .saturating_add(unpacked_bytes.saturating_mul(2))
            .saturating_add(values.saturating_mul(VALUE_BYTES));
        self.largest_bytes = self.largest_bytes.max(bytes);
    }

    /// Returns the memory for reading the pages.
    pub(crate) fn memory_bytes(&self) -> usize {
        let list = self.ends.len() * 2 * size_of::<(usize, usize)>();
        (self.dictionary_bytes.saturating_add(self.largest_bytes)).saturating_add(list)
    }

    /// Returns the size of these rows, assuming that all rows of a page have the same size.
    pub(crate) fn bytes_in(&self, from: usize, to: usize) -> usize {
        let first = self.ends.partition_point(|&(end, _)| end <= from);
        let mut start = first.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let mut bytes = 0;
        for &(end, page_bytes) in &self.ends[first..] {
            if start >= to {
                break;
            }
            let rows = (end - start).max(1);
            let wanted = end.min(to).saturating_sub(start.max(from));
            bytes += (page_bytes as u128 * wanted as u128 / rows as u128) as usize;
            start = end;
        }
        bytes
    }
}

/// Returns the error that reading the pages takes too much memory.
pub(crate) fn too_much(bytes: usize, bytes_max: usize) -> ParquetError {
    ParquetError::General(format!(
        "its pages take {bytes} bytes of memory, more than the limit of {bytes_max}"
    ))
}

/// The properties of a page that are needed.
#[derive(Debug, Default)]
struct PageHeader {
    packed_bytes: usize,
    unpacked_bytes: usize,
    values: usize,
    is_dictionary: bool,
}

impl PageHeader {
    fn read(input: &mut impl Read) -> Result<PageHeader> {
        let mut header = PageHeader::default();
        each_field(input, &mut |id, kind, input| match (id, kind) {
            (2, INTEGER) => read_size(input).map(|bytes| header.unpacked_bytes = bytes),
            (3, INTEGER) => read_size(input).map(|bytes| header.packed_bytes = bytes),
            // The headers of a data page (versions 1 and 2) and of a dictionary page begin with the number of
            // values.
            (5 | 7 | 8, STRUCT) => {
                header.is_dictionary = id == 7;
                each_field(input, &mut |id, kind, input| match (id, kind) {
                    (1, INTEGER) => read_size(input).map(|values| header.values = values),
                    _ => pass(input, kind, 0),
                })
            }
            _ => pass(input, kind, 0),
        })?;
        Ok(header)
    }
}

/// Types of the protocol.
const INTEGER: u8 = 5;
const STRUCT: u8 = 12;
/// The deepest nesting; real headers have less.
const DEPTH_MAX: usize = 16;

/// Calls `take` with the number and the type of each field of a struct. `take` must read the field.
fn each_field<R: Read>(
    input: &mut R,
    take: &mut dyn FnMut(i64, u8, &mut R) -> Result<()>,
) -> Result<()> {
    let mut id = 0;
    loop {
        let byte = read_byte(input)?;
        if byte == 0 {
            return Ok(());
        }
        id = match byte >> 4 {
            0 => read_number(input)?,
            step => id + i64::from(step),
        };
        take(id, byte & 0xf, input)?;
    }
}

/// Skips a value of any type.
fn pass<R: Read>(input: &mut R, kind: u8, depth: usize) -> Result<()> {
    if depth > DEPTH_MAX {
        return Err(odd());
    }
    match kind {
        // The type of a boolean is its value.
        1 | 2 => Ok(()),
        3 => read_byte(input).map(|_| ()),
        4..=6 => read_number(input).map(|_| ()),
        7 => pass_bytes(input, 8),
        8 => {
            let length = read_unsigned(input)?;
            pass_bytes(input, length)
        }
        9 | 10 => {
            let byte = read_byte(input)?;
            let length = match byte >> 4 {
                15 => read_unsigned(input)?,
                length => u64::from(length),
            };
            (0..length).try_for_each(|_| pass(input, (byte & 0xf).max(3), depth + 1))
        }
        STRUCT => each_field(input, &mut |_, kind, input| pass(input, kind, depth + 1)),
        // Headers contain no maps.
        _ => Err(odd()),
    }
}

fn pass_bytes(input: &mut impl Read, length: u64) -> Result<()> {
    let passed = std::io::copy(&mut input.take(length), &mut std::io::sink())?;
    if passed == length { Ok(()) } else { Err(odd()) }
}

fn read_byte(input: &mut impl Read) -> Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn read_unsigned(input: &mut impl Read) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = read_byte(input)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(odd())
}

fn read_number(input: &mut impl Read) -> Result<i64> {
    let number = read_unsigned(input)?;
    Ok((number >> 1) as i64 ^ -((number & 1) as i64))
}

fn read_size(input: &mut impl Read) -> Result<usize> {
    usize::try_from(read_number(input)?).map_err(|_| odd())
}

fn odd() -> ParquetError {
    ParquetError::General("the header of a page is invalid".to_owned())
}

/// Counts the bytes that are read.
struct Counted<R> {
    inner: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, output: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(output)?;
        self.count += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::Pages;

    #[test]
    fn bytes_of_rows() {
        let pages = Pages {
            ends: vec![(10, 1000), (10, 0), (12, 4000)],
            ..Pages::default()
        };
        let check = |from, to, bytes| assert_eq!(pages.bytes_in(from, to), bytes, "{from}..{to}");
        check(0, 1, 100);
        check(0, 10, 1000);
        check(9, 11, 100 + 2000);
        check(11, 20, 2000);
        check(12, 20, 0);
    }
}
