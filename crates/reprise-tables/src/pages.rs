//! How large the pages of a column are, before any of them is unpacked: the library takes as much memory for a page as
//! its header says, which may be far more than the file has bytes.
//!
//! The headers are in Thrift's compact protocol, of which little is needed: a few numbers, and how to pass by all else.

use std::io::{BufReader, Read};

use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use crate::Input;

/// The pages of a column in a group of rows.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// For each, the row behind its last one, and its bytes when it is unpacked.
    pages: Vec<(usize, usize)>,
}

impl Pages {
    /// Looks at the header of every page; one of more than this many bytes is an error.
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
                inner: BufReader::new(input.read_at(at)?),
                count: 0,
            };
            let header = PageHeader::read(&mut input)?;
            let bytes = header.packed_bytes.max(header.unpacked_bytes);
            if bytes > bytes_max {
                return Err(ParquetError::General(format!(
                    "a page of {bytes} bytes, more than the {bytes_max} that --memory allows"
                )));
            }
            at += input.count + header.packed_bytes as u64;
            if let Some(values) = header.values {
                rows = rows.saturating_add(values);
                pages.pages.push((rows, header.unpacked_bytes));
            }
        }
        Ok(pages)
    }

    /// Bytes of the pages that begin in these rows.
    pub(crate) fn bytes_in(&self, from: usize, to: usize) -> usize {
        let first = self.pages.partition_point(|&(end, _)| end <= from);
        let begun = self.pages[first..].windows(2);
        let begun = begun.take_while(|pair| pair[0].0 < to);
        begun.map(|pair| pair[1].1).sum()
    }
}

/// What is to be known of a page.
#[derive(Debug, Default)]
struct PageHeader {
    packed_bytes: usize,
    unpacked_bytes: usize,
    /// Of a page of data.
    values: Option<usize>,
}

impl PageHeader {
    fn read(input: &mut impl Read) -> Result<PageHeader> {
        let mut header = PageHeader::default();
        each_field(input, &mut |id, kind, input| match (id, kind) {
            (2, INTEGER) => read_size(input).map(|bytes| header.unpacked_bytes = bytes),
            (3, INTEGER) => read_size(input).map(|bytes| header.packed_bytes = bytes),
            // Headers of a page of data, in the first and in the second version: how many values it has comes first.
            (5 | 8, STRUCT) => each_field(input, &mut |id, kind, input| match (id, kind) {
                (1, INTEGER) => read_size(input).map(|values| header.values = Some(values)),
                _ => pass(input, kind, 0),
            }),
            _ => pass(input, kind, 0),
        })?;
        Ok(header)
    }
}

/// Types of the protocol.
const INTEGER: u8 = 5;
const STRUCT: u8 = 12;
/// Deeper than any header goes.
const DEPTH_MAX: usize = 16;

/// Calls `take` with the number and type of each field of a struct; it has to read the field.
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

/// Reads a value of some type, and forgets it.
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
        // Maps are in no header.
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
    ParquetError::General("the header of a page makes no sense".to_owned())
}

/// Counts what is read.
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
