//! Compressed members: gzip members and zstd frames that hold one record (or a few) each.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::LazyLock;

use flate2::bufread::{GzDecoder, MultiGzDecoder};
use memchr::memmem::Finder;
use zstd::zstd_safe;

use crate::bomb::{Counted, RatioGuard, Taken};
use crate::error::of_bytes;
use crate::frame::{Frame, Framing};
use crate::inflate::{Inflated, Inflater};
use crate::limits::RecordLimits;
use crate::source::Source;
use crate::stream_view::StreamView;

/// How the bytes of a source are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Lz4,
}

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const LZ4_MAGIC: &[u8] = &[0x04, 0x22, 0x4d, 0x18];

impl Compression {
    /// The compression by the first bytes of a file; `None` where there is none.
    pub(crate) fn of(start: &[u8]) -> Option<Compression> {
        if start.starts_with(GZIP_MAGIC) {
            Some(Compression::Gzip)
        } else if start.starts_with(ZSTD_MAGIC) || skippable_frame(start).is_some() {
            Some(Compression::Zstd)
        } else if start.starts_with(LZ4_MAGIC) {
            Some(Compression::Lz4)
        } else {
            None
        }
    }

    /// First place in `bytes`, at or after `from`, where a member could begin.
    pub(crate) fn find_member(self, bytes: &[u8], from: usize) -> Option<usize> {
        // Made once: it is asked for every record.
        static GZIP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(GZIP_MAGIC));
        static ZSTD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(ZSTD_MAGIC));
        let finder = match self {
            Compression::Gzip => &GZIP,
            Compression::Zstd => &ZSTD,
            Compression::None | Compression::Lz4 => return None,
        };
        finder.find(bytes.get(from..)?).map(|at| from + at)
    }
}

impl Compression {
    /// May the member at the start of `input` hold a record? A look at its first bytes, which is much quicker than to
    /// decode all of it.
    pub(crate) fn may_begin(self, framing: Framing, input: &[u8]) -> bool {
        if (self, framing) != (Compression::Gzip, Framing::Warc) {
            return true;
        }
        let mut start = [0; 64];
        let mut length = 0;
        let mut decoder = GzDecoder::new(input);
        while length < start.len() {
            match decoder.read(&mut start[length..]) {
                Ok(0) | Err(_) => break,
                Ok(count) => length += count,
            }
        }
        let start = &start[..length];
        // What is cut off may still begin well.
        length == 0 || framing.begins_record(start) || start.trim_ascii_start().is_empty()
    }
}

/// Size of a zstd skippable frame at the start of `bytes`, with its header.
pub(crate) fn skippable_frame(bytes: &[u8]) -> Option<usize> {
    let magic = u32::from_le_bytes(*bytes.first_chunk::<4>()?);
    let size = u32::from_le_bytes(*bytes.get(4..)?.first_chunk::<4>()?);
    ((0x184d_2a50..=0x184d_2a5f).contains(&magic)).then_some(8 + size as usize)
}

/// How the decoding of a member ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    /// It took this many bytes of input and is decoded.
    Whole(usize),
    /// Its output is over the limit.
    TooLarge,
    /// It is corrupt, or its input ends too soon.
    Bad,
}

/// Decodes members one by one, with the state that takes.
pub(crate) struct MemberDecoder {
    inflater: Inflater,
    zstd: zstd_safe::DCtx<'static>,
}

impl MemberDecoder {
    pub(crate) fn new() -> MemberDecoder {
        MemberDecoder {
            inflater: Inflater::new(),
            zstd: zstd_safe::DCtx::create(),
        }
    }

    /// Takes the dictionary of a zstd source, or none. It is kept once more for that.
    pub(crate) fn set_dictionary(&mut self, dictionary: &[u8]) {
        let _ = self.zstd.load_dictionary(dictionary);
    }

    /// Decodes the member at the start of `input` into `output`, replacing what was there.
    pub(crate) fn decode(
        &mut self,
        compression: Compression,
        input: &[u8],
        output: &mut Vec<u8>,
        output_bytes_max: usize,
    ) -> Member {
        match compression {
            Compression::Gzip => match self.inflater.member(input, output, output_bytes_max) {
                Inflated::Whole(taken) => Member::Whole(taken),
                Inflated::TooLarge => Member::TooLarge,
                Inflated::Bad => Member::Bad,
            },
            Compression::Zstd => self.zstd_frame(input, output, output_bytes_max),
            Compression::None | Compression::Lz4 => Member::Bad,
        }
    }

    fn zstd_frame(
        &mut self,
        input: &[u8],
        output: &mut Vec<u8>,
        output_bytes_max: usize,
    ) -> Member {
        output.clear();
        if let Some(size) = skippable_frame(input) {
            return if size <= input.len() {
                Member::Whole(size)
            } else {
                Member::Bad
            };
        }
        let stated = zstd_safe::get_frame_content_size(input)
            .ok()
            .flatten()
            .map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let is_too_large = stated.is_some_and(|bytes| bytes > output_bytes_max);
        let Ok(size) = zstd_safe::find_frame_compressed_size(input) else {
            return if is_too_large && zstd_goes_on(input) {
                Member::TooLarge
            } else {
                Member::Bad
            };
        };
        if is_too_large {
            return Member::TooLarge;
        }
        let frame = &input[..size];
        let mut room = stated.unwrap_or(256 << 10).min(output_bytes_max);
        loop {
            output.clear();
            output.reserve(room);
            match self.zstd.decompress(output, frame) {
                Ok(_) => return Member::Whole(size),
                Err(_) if stated.is_none() && room < output_bytes_max => {
                    room = room.saturating_mul(4).min(output_bytes_max);
                }
                Err(_) if stated.is_none() => return Member::TooLarge,
                Err(_) => return Member::Bad,
            }
        }
    }
}

/// Does the zstd frame at the start of `input` go on beyond it, as far as its blocks tell (RFC 8878, 3.1.1)? They are
/// stepped over, which is much quicker than to decode them.
pub(crate) fn zstd_goes_on(input: &[u8]) -> bool {
    const BLOCK_BYTES_MAX: usize = 128 << 10;
    const RESERVED: usize = 3;
    const REPEATED: usize = 1;
    let Some(&[descriptor, ..]) = input.strip_prefix(ZSTD_MAGIC) else {
        return false;
    };
    let is_single = descriptor & 0x20 != 0;
    let dictionary_bytes = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size_bytes = [usize::from(is_single), 2, 4, 8][usize::from(descriptor >> 6)];
    let mut at = ZSTD_MAGIC.len() + 1 + usize::from(!is_single) + dictionary_bytes + size_bytes;
    loop {
        let Some(&[low, middle, high]) = input.get(at..).and_then(<[u8]>::first_chunk) else {
            return true;
        };
        let header = u32::from_le_bytes([low, middle, high, 0]) as usize;
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, header >> 3);
        if kind == RESERVED || size > BLOCK_BYTES_MAX {
            return false;
        }
        at += 3 + if kind == REPEATED { 1 } else { size };
        if is_last {
            let checksum_bytes = usize::from(descriptor & 4);
            return at + checksum_bytes > input.len();
        }
    }
}

/// By these limits it is judged how a file is compressed, whatever the limits of a run: positions in it mean the same
/// in every run then.
const FIRST_MEMBER: RecordLimits = RecordLimits {
    body_bytes: 1 << 20,
    header_bytes: 64 << 10,
    ratio: usize::MAX,
    nesting: 0,
};

/// So many members are looked at to judge how a file is compressed; a few more where the last of them does not tell.
const MEMBERS: usize = 4;

/// Is a file compressed record by record? Judged by its first members: no record may go on from one to the next. Files
/// compressed as a whole, or in blocks that know nothing of records, are read as one stream.
pub(crate) fn is_by_record(
    input: impl BufRead + Send,
    framing: Framing,
    compression: Compression,
    limits: &RecordLimits,
) -> io::Result<bool> {
    let limit = FIRST_MEMBER.record_bytes();
    let mut input = input;
    let dictionary = of_bytes(dictionary_of(&mut input, compression, limits), Vec::new())?;
    let mut member = Vec::new();
    // Does the last member end within a record?
    let mut is_open = false;
    for number in 0..2 * MEMBERS {
        if number >= MEMBERS && !is_open {
            break;
        }
        if number > 0 && input.fill_buf()?.is_empty() {
            // All in one member, and cut off or damaged.
            return Ok(number > 1 || !is_open);
        }
        member.clear();
        let read = member_decoder(&mut input, compression, &dictionary, limits)
            .and_then(|decoder| decoder.take(limit as u64 + 1).read_to_end(&mut member));
        // A broken member is a matter for the reader of members, which finds the next one.
        if !of_bytes(read.map(|_| true), false)? {
            return Ok(true);
        }
        if member.len() > limit {
            let frame = framing.next(&member, false, &FIRST_MEMBER);
            return Ok(number > 0 || matches!(frame, Frame::Oversize { .. }));
        }
        if is_open && !framing.begins_record(&member) {
            return Ok(false);
        }
        is_open = !framing.is_whole(&member, &FIRST_MEMBER);
    }
    Ok(true)
}

/// A decoder of the single member at the start of `input`, for members that are not held in memory.
pub(crate) fn member_decoder<'r>(
    input: impl BufRead + Send + 'r,
    compression: Compression,
    dictionary: &[u8],
    limits: &RecordLimits,
) -> io::Result<Box<dyn Read + Send + 'r>> {
    Ok(match compression {
        Compression::Gzip => Box::new(GzDecoder::new(input)),
        Compression::Zstd => Box::new(zstd_decoder(input, dictionary, limits)?.single_frame()),
        Compression::Lz4 => Box::new(lz4_flex::frame::FrameDecoder::new(input)),
        Compression::None => Box::new(input),
    })
}

/// A decoder of all members that follow one another in `input`.
pub(crate) fn stream_decoder<'r>(
    input: impl BufRead + Send + 'r,
    compression: Compression,
    limits: &RecordLimits,
) -> io::Result<Box<dyn Read + Send + 'r>> {
    let mut input = input;
    let dictionary = dictionary_of(&mut input, compression, limits)?;
    Ok(match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(input)),
        Compression::Zstd => Box::new(zstd_decoder(input, &dictionary, limits)?),
        Compression::Lz4 => Box::new(Lz4Frames {
            decoder: Some(lz4_flex::frame::FrameDecoder::new(input)),
        }),
        Compression::None => Box::new(input),
    })
}

/// Packed bytes read at once where a stream is read again.
const INPUT_BYTES: usize = 256 << 10;

/// A view of a source that is compressed as a whole; every reader of it sees the same bytes, also
/// where it breaks off. With a count of the packed bytes that it takes, one that unpacks to far more breaks off too.
pub(crate) fn stream_view(
    source: &Source,
    compression: Compression,
    limits: &RecordLimits,
    taken: Option<&Taken>,
) -> io::Result<StreamView<'static>> {
    let (source, limits, taken) = (source.clone(), *limits, taken.cloned());
    let open = move || -> io::Result<Box<dyn Read + Send>> {
        let file = BufReader::with_capacity(INPUT_BYTES, source.open_at(0)?);
        let Some(taken) = taken.clone() else {
            return stream_decoder(file, compression, &limits);
        };
        let counted = Counted::new(file, &taken);
        let decoder = stream_decoder(counted, compression, &limits)?;
        Ok(Box::new(RatioGuard::new(decoder, taken, limits)))
    };
    Ok(StreamView::new(open()?, 0).reopened_by(open))
}

/// Opens the single member that begins at `offset`, for one that is not held in memory.
pub(crate) fn open_member<'d>(
    source: &Source,
    offset: u64,
    compression: Compression,
    dictionary: &'d [u8],
    limits: &RecordLimits,
) -> impl Fn() -> io::Result<Box<dyn Read + Send + 'd>> + Send + 'd {
    let (source, limits) = (source.clone(), *limits);
    move || {
        let file = BufReader::with_capacity(INPUT_BYTES, source.open_at(offset)?);
        member_decoder(file, compression, dictionary, &limits)
    }
}

/// All that can be unpacked of a member that is corrupt or cut off, up to the limits.
pub(crate) fn unpack_damaged(
    packed: &[u8],
    compression: Compression,
    dictionary: &[u8],
    limits: &RecordLimits,
) -> Vec<u8> {
    let open = || {
        let input = BufReader::with_capacity(INPUT_BYTES, packed);
        member_decoder(input, compression, dictionary, limits)
    };
    let Ok(reader) = open() else {
        return Vec::new();
    };
    let mut view = StreamView::new(reader, 0).reopened_by(open);
    // The error is the point: what was unpacked before it is kept.
    let _ = view.fill(limits.record_bytes());
    let mut unpacked = view.into_buffer();
    unpacked.truncate(limits.record_bytes());
    unpacked
}

/// A decoder of zstd frames that takes no more memory than the limits allow.
fn zstd_decoder<R: BufRead>(
    mut input: R,
    dictionary: &[u8],
    limits: &RecordLimits,
) -> io::Result<zstd::stream::read::Decoder<'static, R>> {
    if let Some(detail) = memory_needed(Compression::Zstd, input.fill_buf()?, limits) {
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, detail));
    }
    let mut decoder = zstd::stream::read::Decoder::with_dictionary(input, dictionary)?;
    decoder.window_log_max(window_log_max(limits))?;
    Ok(decoder)
}

/// Says that the member at the start of these bytes needs more memory than it may take, unless it is unpacked at once; if
/// it does.
pub(crate) fn memory_needed(
    compression: Compression,
    bytes: &[u8],
    limits: &RecordLimits,
) -> Option<String> {
    let most = window_log_max(limits);
    let needed = (compression == Compression::Zstd).then(|| window_log(bytes))?;
    let needed = needed.filter(|&needed| needed > most)?;
    Some(format!(
        "needs {} MiB of memory to be unpacked, more than the {} MiB that the body limit allows",
        1_u64 << needed.saturating_sub(20),
        1_u64 << most.saturating_sub(20)
    ))
}

/// The window that the zstd frame at the start of these bytes asks for, as a power of two (RFC 8878, 3.1.1.1.2).
fn window_log(frame: &[u8]) -> Option<u32> {
    let rest = frame.strip_prefix(ZSTD_MAGIC)?;
    let [descriptor, window, ..] = *rest else {
        return None;
    };
    // A frame of a single segment has its size there instead, and needs no window beside its content.
    let is_single = descriptor & 0x20 != 0;
    (!is_single).then_some(10 + u32::from(window >> 3) + u32::from(window % 8 > 0))
}

/// Largest zstd window: the decoder allocates what the frame asks for, up to this.
fn window_log_max(limits: &RecordLimits) -> u32 {
    (limits.body_bytes.max(1 << 21).ilog2() + 3).min(27)
}

/// The dictionary that a zstd archive carries in its first, skippable frame; steps over that frame.
///
/// Other skippable frames are left to the decoder, which skips them by itself.
pub(crate) fn dictionary_of(
    input: &mut impl BufRead,
    compression: Compression,
    limits: &RecordLimits,
) -> io::Result<Vec<u8>> {
    const DICTIONARY_MAGIC: u32 = 0x184d_2a5d;
    // Every thread has it twice. Without it, its frames are damaged.
    let bytes_max = limits.body_bytes.clamp(4 << 20, 16 << 20);
    if compression != Compression::Zstd {
        return Ok(Vec::new());
    }
    let start = input.fill_buf()?;
    let is_dictionary = start
        .first_chunk::<4>()
        .is_some_and(|magic| u32::from_le_bytes(*magic) == DICTIONARY_MAGIC);
    let Some(size) = skippable_frame(start).filter(|&size| is_dictionary && size <= bytes_max)
    else {
        return Ok(Vec::new());
    };
    let mut frame = Vec::new();
    input.by_ref().take(size as u64).read_to_end(&mut frame)?;
    let content = frame.split_off(8.min(frame.len()));
    if !content.starts_with(ZSTD_MAGIC) {
        return Ok(content);
    }
    let mut dictionary = Vec::new();
    zstd::stream::read::Decoder::with_buffer(content.as_slice())?
        .take(bytes_max as u64)
        .read_to_end(&mut dictionary)?;
    Ok(dictionary)
}

/// LZ4 frames one after another; the crate's decoder stops behind the first.
struct Lz4Frames<R: Read> {
    decoder: Option<lz4_flex::frame::FrameDecoder<R>>,
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(output)?;
            if count > 0 || output.is_empty() {
                return Ok(count);
            }
            let more = !decoder.get_mut().fill_buf()?.is_empty();
            self.decoder = self
                .decoder
                .take()
                .filter(|_| more)
                .map(|decoder| lz4_flex::frame::FrameDecoder::new(decoder.into_inner()));
        }
        Ok(0)
    }
}
