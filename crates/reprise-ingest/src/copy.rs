//! Copies a source without some of its pages. The rest stays byte for byte the same wherever the source can be
//! cut without unpacking it.
//!
//! A source is read twice. In the first pass, every record becomes a page as it does for the index, and a
//! [`CopyPlan`] notes the ranges to leave out; only these are kept in memory. In the second pass, everything
//! between them is copied:
//!
//! - Uncompressed files, and compressed members with one record each, are copied unchanged.
//! - A member with several records, of which some are dropped, is unpacked. Its other records are packed again,
//!   a member for each.
//! - An archive that is compressed as a whole is packed again, a member for each record; lines of JSON and
//!   mails become one stream.
//! - Of a Parquet file, the kept rows are copied with all their columns.
//!
//! A source without dropped pages is copied unchanged.

mod pack;
mod plan;

use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::Path;

use crate::tables::copy_rows;

use crate::bomb::Taken;
use crate::error::RecordTooLarge;
use crate::frame::{ALL, Event, Framing, read_frames_to_break};
use crate::limits::RecordLimits;
use crate::member::{Compression, dictionary_of, stream_view};
use crate::name::name_of;
use crate::page::{Item, PageReader};
use crate::parquet_rows::{ParquetRows, TABLE_BYTES_DEFAULT, table_input};
use crate::problem::ProblemKind;
use crate::record::{Place, Record};
use crate::source::{Data, Layout, Source};
use crate::split::BlockReader;

use pack::{Packed, Packer};
use plan::{Cuts, Planner};

/// The number of bytes copied at a time.
const COPY_BYTES: u64 = 256 << 10;
/// The number of bytes of Parquet rows examined at a time.
const ROWS_BYTES: usize = 4 << 20;

/// A function that returns true if the page with this place and URL is to be dropped.
pub type IsDropped<'d> = &'d mut dyn FnMut(Place, &str) -> bool;

/// The pages and records of a source to leave out of a copy.
#[derive(Debug)]
pub struct CopyPlan {
    /// The number of pages in the source.
    pub pages: u64,
    /// The number of pages to leave out.
    pub dropped: u64,
    /// The number of records about these pages (requests, metadata) to leave out with them.
    pub paired: u64,
    cuts: Cuts,
}

impl Source {
    /// Returns the file, if the source is a whole file. Standard input and archives inside a WACZ are not.
    pub fn whole_file(&self) -> Option<&Path> {
        match &self.data {
            Data::File(path) if name_of(path) == self.name => Some(path),
            _ => None,
        }
    }
}

impl CopyPlan {
    /// Reads the source, and calls `is_dropped` for each page.
    pub fn new(
        source: &Source,
        limits: &RecordLimits,
        is_dropped: IsDropped<'_>,
    ) -> io::Result<CopyPlan> {
        let mut survey = Survey {
            planner: Planner::default(),
            pages: 0,
            dropped: 0,
            is_dropped,
        };
        match &source.layout {
            Layout::Split(framing, compression) => {
                let mut reader = PageReader::new(*limits);
                let how = (*framing, *compression);
                let read = BlockReader::new(*limits).read(
                    source,
                    how,
                    (0..source.bytes, ALL),
                    Some(0),
                    &mut |event| survey.event(event, source, &mut reader),
                );
                read.whole()?;
            }
            Layout::Stream(framing, compression) => {
                let mut reader = PageReader::new(*limits);
                read_stream(source, (*framing, *compression), limits, &mut |event| {
                    survey.event(event, source, &mut reader);
                })?;
            }
            Layout::Parquet => survey.rows(source, limits),
            Layout::File | Layout::Mail => {
                let mut is_cut = false;
                let reader = PageReader::new(*limits);
                reader.page_of(source, &mut |item| is_cut |= survey.item(&item));
                survey.planner.record(Place::default(), None, is_cut);
            }
            Layout::Broken(..) | Layout::Missing(..) => {}
        }
        Ok(survey.into_plan())
    }

    /// Writes the copy.
    ///
    /// A stream that breaks off is copied up to the break: what cannot be read is not in the copy.
    pub fn write(
        &self,
        source: &Source,
        limits: &RecordLimits,
        output: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        if self.cuts.is_empty() {
            return copy_range(source, 0..source.bytes, output);
        }
        match &source.layout {
            Layout::Split(_, Compression::None) => self.write_pieces(source, output),
            Layout::Split(framing, compression) => {
                let mut members = Members {
                    source,
                    how: (*framing, *compression),
                    reader: BlockReader::new(*limits),
                    packer: Packer::new(*compression, dictionary(source, *compression, limits)?),
                    cuts: &self.cuts,
                    limits,
                    position: 0,
                };
                members.write(output)
            }
            Layout::Stream(framing, compression) => {
                self.write_stream(source, (*framing, *compression), limits, output)
            }
            Layout::Parquet => {
                let gone = |rows: &Range<u64>| self.cuts.rows_among(rows);
                copy_rows(&table_input(source)?, &gone, output)
            }
            // The caller copies or skips files that are one page.
            Layout::File | Layout::Mail | Layout::Broken(..) | Layout::Missing(..) => Ok(()),
        }
    }

    fn write_pieces(&self, source: &Source, output: &mut dyn Write) -> io::Result<()> {
        let mut position = 0;
        for cut in self.cuts.iter() {
            copy_range(source, position..cut.start.0, output)?;
            position = cut.end.0.min(source.bytes);
        }
        copy_range(source, position..source.bytes, output)
    }

    fn write_stream(
        &self,
        source: &Source,
        (framing, compression): (Framing, Compression),
        limits: &RecordLimits,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let mut result = Ok(());
        if matches!(framing, Framing::Lines | Framing::Mbox) {
            let mut lines = Packed::new(compression, &[], output)?;
            read_stream(source, (framing, compression), limits, &mut |event| {
                put(&event, (&self.cuts, limits), &mut result, |record| {
                    write_record(record, &mut lines)
                });
            })?;
            result?;
            return lines.finish();
        }
        let packer = Packer::new(compression, Vec::new());
        read_stream(source, (framing, compression), limits, &mut |event| {
            put(&event, (&self.cuts, limits), &mut result, |record| {
                packer.pack(output, |packed| write_record(record, packed))
            });
        })?;
        result
    }
}

/// The first pass over a source.
struct Survey<'d> {
    planner: Planner,
    pages: u64,
    dropped: u64,
    is_dropped: IsDropped<'d>,
}

impl Survey<'_> {
    fn event(&mut self, event: Event<'_>, source: &Source, reader: &mut PageReader) {
        match event {
            Event::Record(record) => {
                let mut is_cut = false;
                reader.read(&record, &source.url, &mut |item| is_cut |= self.item(&item));
                let head = (record.framing == Framing::Warc).then_some(record.head);
                self.planner.record(record.place, head, is_cut);
            }
            Event::Problem(problem) => self.planner.problem(problem.offset),
        }
    }

    /// Returns true if the item is a page to leave out.
    fn item(&mut self, item: &Item<'_>) -> bool {
        let Item::Page(page) = item else {
            return false;
        };
        let is_cut = (self.is_dropped)(page.place, page.url);
        self.pages += 1;
        self.dropped += u64::from(is_cut);
        is_cut
    }

    /// Examines a table. One that cannot be read has no pages, as for the index.
    fn rows(&mut self, source: &Source, limits: &RecordLimits) {
        let Ok(mut rows) = ParquetRows::open(source, 0, TABLE_BYTES_DEFAULT) else {
            return;
        };
        let mut reader = PageReader::new(*limits);
        loop {
            let batch = rows.next_rows(ROWS_BYTES, u64::MAX, limits);
            for row in &batch.rows {
                let mut is_cut = false;
                if let Ok(parsed) = row.as_row() {
                    reader.row(row.place(), &parsed, &mut |item| is_cut |= self.item(&item));
                }
                self.planner.record(row.place(), None, is_cut);
            }
            if batch.is_last {
                return;
            }
        }
    }

    fn into_plan(self) -> CopyPlan {
        let (cuts, paired) = self.planner.finish();
        CopyPlan {
            pages: self.pages,
            dropped: self.dropped,
            paired,
            cuts,
        }
    }
}

/// The second pass over an archive that is compressed member by member.
struct Members<'s> {
    source: &'s Source,
    how: (Framing, Compression),
    reader: BlockReader,
    packer: Packer,
    cuts: &'s Cuts,
    limits: &'s RecordLimits,
    /// The position up to which the source was copied or left out.
    position: u64,
}

impl Members<'_> {
    fn write(&mut self, output: &mut dyn Write) -> io::Result<()> {
        for cut in self.cuts.iter() {
            self.copy_to(cut.start.0, output)?;
            if cut.start.1 > 0 {
                self.pack_again(cut.start.0, output)?;
            }
            if cut.end.1 == 0 {
                self.position = self.position.max(cut.end.0.min(self.source.bytes));
            } else {
                // The bytes between the two members are part of the cut.
                self.position = self.position.max(cut.end.0);
                self.pack_again(cut.end.0, output)?;
            }
        }
        self.copy_to(self.source.bytes, output)
    }

    fn copy_to(&mut self, end: u64, output: &mut dyn Write) -> io::Result<()> {
        if self.position < end {
            copy_range(self.source, self.position..end, output)?;
            self.position = end;
        }
        Ok(())
    }

    /// Packs the kept records of the member at `offset`, unless this was done before.
    fn pack_again(&mut self, offset: u64, output: &mut dyn Write) -> io::Result<()> {
        if self.position > offset {
            return Ok(());
        }
        let (cuts, limits, packer) = (self.cuts, self.limits, &self.packer);
        let mut result = Ok(());
        let one_member = offset..offset + 1;
        let read = self.reader.read(
            self.source,
            self.how,
            (one_member, ALL),
            Some(offset),
            &mut |event| {
                put(&event, (cuts, limits), &mut result, |record| {
                    packer.pack(output, |packed| write_record(record, packed))
                });
            },
        );
        self.position = read.whole()?.end;
        result
    }
}

/// Passes a kept record to `write`, unless an error has occurred.
fn put(
    event: &Event<'_>,
    (cuts, limits): (&Cuts, &RecordLimits),
    result: &mut io::Result<()>,
    write: impl FnOnce(&Record<'_>) -> io::Result<()>,
) {
    if result.is_err() {
        return;
    }
    *result = match event {
        Event::Record(record) if cuts.holds(record.place) => Ok(()),
        Event::Record(record) => write(record),
        Event::Problem(problem) if problem.kind == ProblemKind::TooLarge => {
            let body_bytes = limits.body_bytes;
            Err(io::Error::other(RecordTooLarge { body_bytes }))
        }
        // These bytes are not a record.
        Event::Problem(_) => Ok(()),
    };
}

/// Writes a record and the separator after it.
fn write_record(record: &Record<'_>, output: &mut dyn Write) -> io::Result<()> {
    output.write_all(record.head)?;
    output.write_all(record.block)?;
    // After a record that breaks off, a separator would be read as part of the record.
    if record.damage.is_some() && record.framing != Framing::Lines {
        return Ok(());
    }
    output.write_all(match record.framing {
        Framing::Warc => b"\r\n\r\n",
        Framing::Arc | Framing::Lines | Framing::Mbox => b"\n",
    })
}

/// Reads the records of a source that is compressed as a whole. If the stream breaks off, it ends there.
fn read_stream(
    source: &Source,
    (framing, compression): (Framing, Compression),
    limits: &RecordLimits,
    visit: &mut dyn FnMut(Event<'_>),
) -> io::Result<()> {
    let mut view = stream_view(source, compression, limits, Some(&Taken::default()))?;
    let place = |within, _| Place {
        offset: 0,
        length: source.bytes,
        within,
    };
    match read_frames_to_break(&mut view, framing, limits, ALL, &place, visit) {
        // Errors of the system say nothing about the content of the file.
        Err(error) if error.raw_os_error().is_some() => Err(error),
        _ => Ok(()),
    }
}

fn dictionary(
    source: &Source,
    compression: Compression,
    limits: &RecordLimits,
) -> io::Result<Vec<u8>> {
    dictionary_of(&mut BufReader::new(source.open_at(0)?), compression, limits)
}

/// Copies a byte range of the source unchanged.
fn copy_range(source: &Source, range: Range<u64>, output: &mut dyn Write) -> io::Result<()> {
    let length = range.end.saturating_sub(range.start);
    if length == 0 {
        return Ok(());
    }
    let input = source.open_at(range.start)?.take(length);
    let mut input = BufReader::with_capacity(COPY_BYTES.min(length) as usize, input);
    let copied = io::copy(&mut input, output)?;
    if copied < length {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the file has become shorter",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
