//! Reads one page again from its archive: a corpus stores places, not text.

use std::io::{self, BufReader, Read};

use crate::frame::{Event, Framing, read_frames_to_break};
use crate::limits::RecordLimits;
use crate::member::{
    Compression, Member, MemberDecoder, dictionary_of, open_member, stream_view, unpack_damaged,
};
use crate::page::{PageReader, Sink};
use crate::parquet_rows::{OwnedRow, ParquetRows, TABLE_BYTES_DEFAULT};
use crate::record::Place;
use crate::source::{Layout, Source};
use crate::stream_view::StreamView;

/// Reads the record at `place`, and passes its page and problems to `sink`.
pub fn read_back(
    source: &Source,
    place: Place,
    limits: &RecordLimits,
    sink: Sink<'_>,
) -> io::Result<()> {
    match &source.layout {
        Layout::Split(framing, Compression::None) => {
            let view = plain_view(source, *framing, place)?;
            read_first(source, view, *framing, place, limits, sink)
        }
        Layout::Split(framing, compression) => {
            let dictionary = dictionary_of(
                &mut BufReader::new(source.open_at(0)?),
                *compression,
                limits,
            )?;
            let how = (*framing, *compression);
            let view = member_view(source, how, &dictionary, place, limits)?;
            read_first(source, view, *framing, place, limits, sink)
        }
        Layout::Stream(framing, compression) => {
            // The ratio limit does not apply: no page has a place after the position at which a bomb was
            // noticed.
            let view = stream_view(source, *compression, limits, None)?;
            read_first(source, view, *framing, place, limits, sink)
        }
        Layout::Parquet => {
            let mut rows = ParquetRows::open(source, place.offset, TABLE_BYTES_DEFAULT)?;
            let batch = rows.next_rows(1, u64::MAX, limits);
            if let Some(Ok(row)) = batch.rows.first().map(OwnedRow::as_row) {
                PageReader::new(*limits).row(place, &row, sink);
            }
            Ok(())
        }
        Layout::File | Layout::Mail => {
            PageReader::new(*limits).page_of(source, sink);
            Ok(())
        }
        Layout::Broken(..) | Layout::Missing(..) => Ok(()),
    }
}

/// Returns a view of an uncompressed record.
fn plain_view<'w>(source: &Source, framing: Framing, place: Place) -> io::Result<StreamView<'w>> {
    let file = source.open_at(place.offset)?;
    if framing == Framing::Mbox {
        // A mail ends where the next one begins, or at the end.
        let mail = StreamView::new(Box::new(file.take(place.length)), 0);
        return Ok(mail.with_end(Some(place.length)));
    }
    // The bytes after a record show whether its length is right. A few of them are usually enough.
    let step = usize::try_from(place.length).unwrap_or(usize::MAX);
    let rest = source.bytes.saturating_sub(place.offset);
    let source = source.clone();
    Ok(StreamView::new(file, 0)
        .with_end(Some(rest))
        .seeking_by(move |position| source.open_at(place.offset + position))
        .in_steps_of(step.saturating_add(64)))
}

/// Returns a view of an unpacked member. The member is unpacked as the indexer did: at once if that was
/// possible, because decoding in steps refuses some members (zstd frames with a large window); a damaged one as
/// far as possible.
fn member_view<'d>(
    source: &Source,
    (framing, compression): (Framing, Compression),
    dictionary: &'d [u8],
    place: Place,
    limits: &RecordLimits,
) -> io::Result<StreamView<'d>> {
    if place.length <= limits.member_bytes() as u64 {
        let mut packed = Vec::new();
        source
            .open_at(place.offset)?
            .take(place.length)
            .read_to_end(&mut packed)?;
        if Compression::of(&packed).is_none() {
            return plain_view(source, framing, place);
        }
        let mut decoder = MemberDecoder::new();
        decoder.set_dictionary(dictionary);
        let mut unpacked = Vec::new();
        match decoder.decode(compression, &packed, &mut unpacked, limits.record_bytes()) {
            Member::Whole(_) => return Ok(StreamView::whole(unpacked)),
            Member::Bad => {
                let unpacked = unpack_damaged(&packed, compression, dictionary, limits);
                return Ok(StreamView::whole(unpacked));
            }
            Member::TooLarge => {}
        }
    }
    let open = open_member(source, place.offset, compression, dictionary, limits);
    Ok(StreamView::new(open()?, 0).reopened_by(open))
}

fn read_first(
    source: &Source,
    mut view: StreamView<'_>,
    framing: Framing,
    place: Place,
    limits: &RecordLimits,
    sink: Sink<'_>,
) -> io::Result<()> {
    view.advance(place.within)?;
    let mut pages = PageReader::new(*limits);
    let mut is_found = false;
    let result = read_frames_to_break(
        &mut view,
        framing,
        limits,
        &|position| position > place.within,
        &|_, _| place,
        &mut |event| {
            if let Event::Record(record) = event {
                is_found = true;
                pages.read(&record, &source.url, sink);
            }
        },
    );
    // An archive that broke off in this record when it was indexed still breaks off there.
    if is_found { Ok(()) } else { result }
}
