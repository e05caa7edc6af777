//! One page read again from its archive: the corpus keeps places, not text.

use std::io::{self, BufReader, Read};

use crate::frame::{Event, Framing, read_frames_to_break};
use crate::limits::Limits;
use crate::member::{
    Compression, Member, MemberDecoder, dictionary_of, member_decoder, stream_decoder,
};
use crate::page::{PageReader, Sink};
use crate::parquet_rows::{OwnedRow, ParquetRows};
use crate::record::Place;
use crate::source::{Layout, Source};
use crate::window::Window;

/// Reads the record at `place` and hands what becomes of it to `sink`.
pub fn read_back(source: &Source, place: Place, limits: &Limits, sink: Sink<'_>) -> io::Result<()> {
    match &source.layout {
        Layout::Split(framing, Compression::None) => {
            // No more than the record, and what may follow it that belongs to no other. A mail ends
            // where the next one begins, or where there is nothing more.
            let more = if *framing == Framing::Mbox { 0 } else { 64 };
            let bytes = source.open_at(place.offset)?.take(place.length + more);
            let window = Window::new(Box::new(bytes), 0);
            read_first(source, window, *framing, place, limits, sink)
        }
        Layout::Split(framing, compression) => {
            let window = member_window(source, *compression, place, limits)?;
            read_first(source, window, *framing, place, limits, sink)
        }
        Layout::Stream(framing, compression) => {
            let input = BufReader::new(source.open_at(0)?);
            let decoder = stream_decoder(input, *compression, limits)?;
            let window = Window::new(decoder, 0);
            read_first(source, window, *framing, place, limits, sink)
        }
        Layout::Parquet => {
            let mut rows = ParquetRows::open(source, place.offset).map_err(io::Error::other)?;
            let batch = rows.next_rows(1, limits);
            if let Some(Ok(row)) = batch.rows.first().map(OwnedRow::as_row) {
                PageReader::new(*limits).row(place, &row, sink);
            }
            Ok(())
        }
        Layout::File | Layout::Mail => {
            PageReader::new(*limits).page_of(source, sink);
            Ok(())
        }
        Layout::Broken(..) => Ok(()),
    }
}

/// The unpacked member at `place`: whole where the indexer could unpack it whole, since that takes
/// members which unpacking step by step does not (zstd frames that ask for a large window).
fn member_window(
    source: &Source,
    compression: Compression,
    place: Place,
    limits: &Limits,
) -> io::Result<Window<'static>> {
    let dictionary = dictionary_of(&mut BufReader::new(source.open_at(0)?), compression)?;
    if place.length <= limits.record_bytes() as u64 {
        let mut packed = Vec::new();
        source
            .open_at(place.offset)?
            .take(place.length)
            .read_to_end(&mut packed)?;
        let mut decoder = MemberDecoder::new();
        decoder.set_dictionary(&dictionary);
        let mut unpacked = Vec::new();
        let member = decoder.decode(compression, &packed, &mut unpacked, limits.record_bytes());
        if matches!(member, Member::Whole(_)) {
            return Ok(Window::whole(unpacked));
        }
    }
    let input = BufReader::new(source.open_at(place.offset)?);
    let decoder = member_decoder(input, compression, &dictionary, limits)?;
    Ok(Window::new(decoder, 0))
}

fn read_first(
    source: &Source,
    mut window: Window<'_>,
    framing: Framing,
    place: Place,
    limits: &Limits,
    sink: Sink<'_>,
) -> io::Result<()> {
    window.advance(place.within)?;
    let mut pages = PageReader::new(*limits);
    let mut is_found = false;
    let result = read_frames_to_break(
        &mut window,
        framing,
        limits,
        place.within + 1,
        &|_, _| place,
        &mut |event| {
            if let Event::Record(record) = event {
                is_found = true;
                pages.read(&record, &source.url, sink);
            }
        },
    );
    // An archive that broke off in this record when it was indexed still does.
    if is_found { Ok(()) } else { result }
}
