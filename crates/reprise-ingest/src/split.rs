//! Reads one large archive with all threads: the file is cut into blocks, and each block is read from the first
//! record that begins in it.
//!
//! ```text
//! file    |....record....|..record..|.......record........|...record...|
//! block   [      0       )[      1       )[      2       )[     3      )
//! read by  ^ from 0        ^ guess         ^ guess          ^ guess
//! ```
//!
//! The position of the first record is a guess, because the bytes that mark the start of a record may also
//! occur inside one (an archive in an archive). So each block reports the positions of its first record and of
//! the record after its last one. The caller puts the blocks in order, compares the two, and reads a block again
//! from the right position if they differ. The result equals that of reading from the front, for any number of
//! threads.

mod guess;

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::Range;

use reprise_fingerprint::Fingerprint;

use crate::bomb::{Counted, RatioGuard, Taken, broken_stream};
use crate::frame::{ALL, Event, Framing, Until, read_frames, read_frames_to_break, skip_space};
use crate::limits::RecordLimits;
use crate::member::{
    Compression, Member, MemberDecoder, dictionary_of, member_decoder, memory_needed, open_member,
    skippable_frame, unpack_damaged, zstd_goes_on,
};
use crate::page::BUFFER_BYTES_KEPT;
use crate::problem::{Problem, ProblemKind};
use crate::record::{Place, RecordKind};
use crate::source::Source;
use crate::stream_view::{StreamView, is_bomb};

/// The number of bytes read at once, few enough to stay in the processor's cache until they are unpacked.
const LOOK_AHEAD_BYTES: usize = 128 << 10;

/// A search for the next good member decodes at most this number of members, plus one for each
/// [`BYTES_A_MEMBER`] bytes.
const DECODED_MIN: u64 = 64;
const BYTES_A_MEMBER: u64 = 64 << 10;

/// The part of the file that was really read for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockExtent {
    /// The position of the first record. `None` if no record begins in the block.
    pub start: Option<u64>,
    /// The position of the record after the last one.
    pub end: u64,
}

/// Whether a search accepts a member that is too large for memory, and so cannot be checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Large {
    Taken,
    Left,
}

/// Reads blocks, and reuses its buffers and decoders.
pub(crate) struct BlockReader {
    limits: RecordLimits,
    decoder: MemberDecoder,
    /// The dictionary of the last zstd source, and the identity of that source.
    dictionary: Vec<u8>,
    dictionary_source: Option<Fingerprint>,
    packed: Vec<u8>,
    unpacked: Vec<u8>,
}

/// The result of reading a block.
#[derive(Debug)]
pub(crate) struct BlockRead {
    /// The part that was read.
    pub(crate) extent: BlockExtent,
    /// The error that ended reading before the end of the block.
    pub(crate) error: Option<io::Error>,
}

impl BlockRead {
    /// Returns the extent, or the error.
    pub(crate) fn whole(self) -> io::Result<BlockExtent> {
        self.error.map_or(Ok(self.extent), Err)
    }
}

struct Block<'s> {
    source: &'s Source,
    framing: Framing,
    compression: Compression,
    range: Range<u64>,
    until: Until<'s>,
}

impl Block<'_> {
    /// Returns true if reading can stop at this position.
    fn is_read(&self, position: u64) -> bool {
        position >= self.range.end || (self.until)(position)
    }

    fn is_zstd(&self) -> bool {
        self.compression == Compression::Zstd
    }

    /// Returns true if `bytes` bytes follow this position.
    fn has(&self, position: u64, bytes: u64) -> bool {
        bytes <= self.source.bytes.saturating_sub(position)
    }
}

impl BlockReader {
    pub(crate) fn new(limits: RecordLimits) -> BlockReader {
        BlockReader {
            limits,
            decoder: MemberDecoder::new(),
            dictionary: Vec::new(),
            dictionary_source: None,
            packed: Vec::new(),
            unpacked: Vec::new(),
        }
    }

    /// Reads the records that begin in `range` until `until` returns true. Starts at `from` if it is known.
    pub(crate) fn read(
        &mut self,
        source: &Source,
        (framing, compression): (Framing, Compression),
        (range, until): (Range<u64>, Until<'_>),
        from: Option<u64>,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> BlockRead {
        let block = Block {
            source,
            framing,
            compression,
            range,
            until,
        };
        // A guess examines the byte before the block too, because a record may begin right after it.
        let known = from.or((block.range.start == 0).then_some(0));
        let begin = known.unwrap_or_else(|| block.range.start - 1);
        let mut view = match self.open(&block, begin) {
            Ok(view) => view,
            Err(error) => {
                let start = known.unwrap_or(block.range.start);
                let extent = BlockExtent {
                    start: Some(start),
                    end: start,
                };
                return BlockRead {
                    extent,
                    error: Some(error),
                };
            }
        };
        let mut start = known;
        let result = self.read_view(&block, &mut start, &mut view, visit);
        let extent = BlockExtent {
            start,
            end: match start {
                Some(_) => view.position(),
                None => block.range.end,
            },
        };
        self.packed = view.into_buffer();
        for buffer in [&mut self.packed, &mut self.unpacked] {
            buffer.clear();
            buffer.shrink_to(BUFFER_BYTES_KEPT);
        }
        BlockRead {
            extent,
            error: result.err(),
        }
    }

    fn open(&mut self, block: &Block<'_>, begin: u64) -> io::Result<StreamView<'static>> {
        let identity = Some(block.source.identity);
        if block.is_zstd() && self.dictionary_source != identity {
            let mut start = io::BufReader::new(block.source.open_at(0)?);
            self.dictionary_source = None;
            self.dictionary = dictionary_of(&mut start, block.compression, &self.limits)?;
            self.decoder.set_dictionary(&self.dictionary);
            self.dictionary_source = identity;
        }
        let file = block.source.open_at(begin)?;
        let buffer = std::mem::take(&mut self.packed);
        let view = StreamView::with_buffer(file, begin, buffer).with_end(Some(block.source.bytes));
        let source = block.source.clone();
        Ok(view.seeking_by(move |position| source.open_at(position)))
    }

    /// Reads a block. Sets `start` to the position of its first record as soon as that is known.
    fn read_view(
        &mut self,
        block: &Block<'_>,
        start: &mut Option<u64>,
        view: &mut StreamView<'_>,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> io::Result<()> {
        view.fill(LOOK_AHEAD_BYTES)?;
        if start.is_none() {
            if !self.guess_start(block, view)? {
                return Ok(());
            }
            *start = Some(view.position());
        }
        if block.compression != Compression::None {
            return self.read_members(block, view, visit);
        }
        let place = |position, length| Place {
            offset: position,
            length,
            within: 0,
        };
        let until: Until<'_> = &|position| block.is_read(position);
        read_frames(view, block.framing, &self.limits, until, &place, visit)
    }

    /// Moves to the first record that seems to begin in the block.
    fn guess_start(&mut self, block: &Block<'_>, view: &mut StreamView<'_>) -> io::Result<bool> {
        if block.compression == Compression::None {
            return guess::record(block, view, &self.limits);
        }
        self.find_member(block, view, Large::Taken)
    }

    /// Moves to the next member that decodes with the right checksum and begins with a record.
    fn find_member(
        &mut self,
        block: &Block<'_>,
        view: &mut StreamView<'_>,
        large: Large,
    ) -> io::Result<bool> {
        let begin = view.position();
        let mut decoded = 0;
        loop {
            let room = block.range.end.saturating_sub(view.position()) as usize;
            let found = block.compression.find_member(view.ahead(), 1);
            match found {
                Some(at) if at < room => view.advance(at as u64)?,
                None if view.ahead().len() < room && !view.at_end() => {
                    // All bytes were examined, except those that may begin a marker.
                    view.advance(view.ahead().len().saturating_sub(4) as u64)?;
                    view.fill(LOOK_AHEAD_BYTES)?;
                    continue;
                }
                _ => return Ok(false),
            }
            // Hostile bytes may look like many members that unpack to much. Do not try all of them.
            if decoded > DECODED_MIN + (view.position() - begin) / BYTES_A_MEMBER {
                continue;
            }
            if !block.compression.may_begin(block.framing, view.ahead()) {
                continue;
            }
            decoded += 1;
            let member = self.decode(block, view)?;
            let begins_well =
                matches!(member, Member::Whole(_)) && block.framing.begins_record(&self.unpacked);
            // A member that is too large for memory cannot be checked completely, but may be good.
            let may_be_large = member == Member::TooLarge && large == Large::Taken;
            if begins_well || (may_be_large && self.may_begin(block, view)?) {
                return Ok(true);
            }
        }
    }

    /// Returns true if the member at the start of the view, which is too large for memory, may begin with a
    /// record. For gzip, this was checked before.
    fn may_begin(&self, block: &Block<'_>, view: &mut StreamView<'_>) -> io::Result<bool> {
        if (block.framing, block.compression) != (Framing::Warc, Compression::Zstd) {
            return Ok(true);
        }
        view.fill(2 * LOOK_AHEAD_BYTES)?;
        let decoder = member_decoder(
            view.ahead(),
            block.compression,
            &self.dictionary,
            &self.limits,
        );
        let mut start = Vec::new();
        let read = decoder.and_then(|decoder| decoder.take(64).read_to_end(&mut start));
        let needs_memory = |error: io::Error| error.kind() == io::ErrorKind::OutOfMemory;
        Ok(block.framing.begins_record(&start) || read.is_err_and(needs_memory))
    }

    /// Reads on until another member seems to begin after the one at the start of the view. Decoding a member
    /// that is cut off by the end of the view would fail, and take as long as decoding it completely.
    ///
    /// A zstd frame states its own size.
    fn fill_member(&self, block: &Block<'_>, view: &mut StreamView<'_>) -> io::Result<()> {
        if block.compression != Compression::Gzip {
            return view.fill(1);
        }
        let mut from = 1;
        while block.compression.find_member(view.ahead(), from).is_none() {
            let length = view.ahead().len();
            if view.at_end() || length >= self.limits.member_bytes() {
                break;
            }
            // All bytes were examined, except those that may begin a marker.
            from = length.saturating_sub(4).max(1);
            view.fill((2 * length).max(LOOK_AHEAD_BYTES))?;
        }
        Ok(())
    }

    /// Decodes the member at the start of the view. Reads on while the member may be cut off by the end of the
    /// view.
    fn decode(&mut self, block: &Block<'_>, view: &mut StreamView<'_>) -> io::Result<Member> {
        let most = self.limits.member_bytes();
        loop {
            let ahead = view.ahead();
            // The result must not depend on the other bytes in the view.
            let packed = &ahead[..ahead.len().min(most)];
            let member = self.decoder.decode(
                block.compression,
                packed,
                &mut self.unpacked,
                self.limits.record_bytes(),
            );
            if member != Member::Bad || (view.at_end() && packed.len() == ahead.len()) {
                return Ok(member);
            }
            if packed.len() == most {
                let goes_on = block.is_zstd() && zstd_goes_on(packed);
                return Ok(if goes_on {
                    Member::TooLarge
                } else {
                    Member::Bad
                });
            }
            view.fill(ahead.len() * 2)?;
        }
    }

    fn read_members(
        &mut self,
        block: &Block<'_>,
        view: &mut StreamView<'_>,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> io::Result<()> {
        loop {
            // Line breaks between members belong to neither of them.
            skip_space(view)?;
            if block.is_read(view.position()) {
                break;
            }
            self.fill_member(block, view)?;
            if view.ahead().is_empty() {
                break;
            }
            if is_plain(block, view.ahead()) {
                self.plain_record(block, view, visit)?;
                continue;
            }
            let offset = view.position();
            // A skippable frame, such as that of the dictionary, may be longer than any frame that is decoded.
            let passed = skippable_frame(view.ahead()).filter(|_| block.is_zstd());
            if let Some(length) = passed.filter(|&length| block.has(offset, length as u64)) {
                view.advance(length as u64)?;
                continue;
            }
            match self.decode(block, view)? {
                Member::Whole(length) if self.limits.is_bomb(length, self.unpacked.len()) => {
                    let detail = format!("{length} bytes unpack to {}", self.unpacked.len());
                    let mut problem = Problem::new(ProblemKind::Bomb, offset, detail);
                    problem.record = Some(RecordKind::Other);
                    visit(Event::Problem(problem));
                    view.advance(length as u64)?;
                }
                Member::Whole(length) => {
                    self.records_of_member(block, offset, length as u64, visit)?;
                    view.advance(length as u64)?;
                }
                Member::TooLarge => self.large_member(block, view, visit)?,
                Member::Bad => self.bad_member(block, view, visit)?,
            }
        }
        Ok(())
    }

    /// Reads an uncompressed record among compressed ones, in an archive that was joined from both kinds.
    fn plain_record(
        &mut self,
        block: &Block<'_>,
        view: &mut StreamView<'_>,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> io::Result<()> {
        let place = |offset, length| Place {
            offset,
            length,
            within: 0,
        };
        let is_one_read = Cell::new(false);
        read_frames(
            view,
            block.framing,
            &self.limits,
            &|_| is_one_read.get(),
            &place,
            &mut |event| {
                is_one_read.set(true);
                visit(event);
            },
        )
    }

    fn records_of_member(
        &mut self,
        block: &Block<'_>,
        offset: u64,
        length: u64,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> io::Result<()> {
        let place = |within, _| Place {
            offset,
            length,
            within,
        };
        let mut records = StreamView::whole(std::mem::take(&mut self.unpacked));
        let result = read_frames(
            &mut records,
            block.framing,
            &self.limits,
            ALL,
            &place,
            visit,
        );
        self.unpacked = records.into_buffer();
        result
    }

    /// Reads a member that does not fit in memory: one huge record, or many records in one member.
    fn large_member(
        &mut self,
        block: &Block<'_>,
        view: &mut StreamView<'_>,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> io::Result<()> {
        let offset = view.position();
        let end = block.source.bytes;
        let place = |within, _| Place {
            offset,
            length: end - offset,
            within,
        };
        let limits = self.limits;
        if let Some(problem) = too_much_memory(block, view, &limits) {
            visit(Event::Problem(problem));
            return self.next_member(block, view);
        }
        let taken = Taken::default();
        let counted = Counted::new(&mut *view, &taken);
        let decoder = member_decoder(counted, block.compression, &self.dictionary, &limits)?;
        let guarded = RatioGuard::new(decoder, taken, limits);
        let again = open_member(
            block.source,
            offset,
            block.compression,
            &self.dictionary,
            &limits,
        );
        let mut records = StreamView::new(Box::new(guarded), 0).reopened_by(again);
        let result = read_frames_to_break(&mut records, block.framing, &limits, ALL, &place, visit);
        drop(records);
        if let Err(error) = result {
            visit(Event::Problem(broken_stream(&error, offset)));
            if !is_bomb(&error) && self.find_within(block, view, offset)? {
                return Ok(());
            }
            self.next_member(block, view)?;
        }
        Ok(())
    }

    /// Moves back into the member at `offset`, which broke off here, to the first good member inside it: a
    /// decoder takes the next members for the rest of one that is cut off. Members that are too large for
    /// memory are skipped, because each may break off after the next.
    fn find_within(
        &mut self,
        block: &Block<'_>,
        view: &mut StreamView<'_>,
        offset: u64,
    ) -> io::Result<bool> {
        // The next member may begin right here.
        let last = view.position().saturating_sub(1).max(offset);
        let within = Block {
            range: 0..last + 1,
            ..*block
        };
        view.step_back(offset)?;
        let is_found = self.find_member(&within, view, Large::Left)?;
        if !is_found {
            view.advance(last.saturating_sub(view.position()))?;
        }
        Ok(is_found)
    }

    /// Moves to the next good member, or to the end.
    fn next_member(&mut self, block: &Block<'_>, view: &mut StreamView<'_>) -> io::Result<()> {
        let whole_file = Block {
            range: 0..u64::MAX,
            ..*block
        };
        if !self.find_member(&whole_file, view, Large::Taken)? {
            view.advance(u64::MAX)?;
        }
        Ok(())
    }

    /// Reports a member that is corrupt or cut off, keeps the records that can be unpacked, and moves to the
    /// next member.
    fn bad_member(
        &mut self,
        block: &Block<'_>,
        view: &mut StreamView<'_>,
        visit: &mut dyn FnMut(Event<'_>),
    ) -> io::Result<()> {
        let offset = view.position();
        let rest = view.ahead();
        // Tape and disk images pad the end of a file with zeros.
        if view.at_end() && rest.iter().all(|&byte| byte == 0) {
            return view.advance(rest.len() as u64);
        }
        let is_member = block.compression.find_member(rest, 0) == Some(0);
        // A page is read back from the same bytes, so they must not depend on the other bytes in the view.
        let packed = &rest[..rest.len().min(self.limits.member_bytes())];
        let length = packed.len() as u64;
        let detail = if is_member {
            self.unpacked =
                unpack_damaged(packed, block.compression, &self.dictionary, &self.limits);
            if view.at_end() && block.compression.find_member(rest, 1).is_none() {
                "a compressed record that breaks off"
            } else {
                "a corrupt compressed record"
            }
        } else {
            "bytes that are not a compressed record"
        };
        let malformed = || Problem::new(ProblemKind::Malformed, offset, detail);
        let needed = too_much_memory(block, view, &self.limits);
        visit(Event::Problem(needed.unwrap_or_else(malformed)));
        if is_member && !self.unpacked.is_empty() {
            self.records_of_member(block, offset, length, visit)?;
        }
        self.next_member(block, view)
    }
}

/// Returns a problem if the member at the start of the view needs more memory than the limits allow.
fn too_much_memory(
    block: &Block<'_>,
    view: &StreamView<'_>,
    limits: &RecordLimits,
) -> Option<Problem> {
    let needed = memory_needed(block.compression, view.ahead(), limits)?;
    let detail = format!("a compressed record that {needed}");
    Some(Problem::new(ProblemKind::TooLarge, view.position(), detail))
}

/// Returns true if an uncompressed record begins here, in an archive of compressed ones.
fn is_plain(block: &Block<'_>, ahead: &[u8]) -> bool {
    Compression::of(ahead).is_none() && block.framing.begins_record(ahead)
}
