//! Compressed members: gzip members and zstd frames that hold one record or a few.

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

/// The compression of a source.
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
    /// Detects the compression by the first bytes of a file. Returns `None` for an uncompressed file.
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

    /// Returns the first position in `bytes`, at or after `from`, at which a member may begin.
    pub(crate) fn find_member(self, bytes: &[u8], from: usize) -> Option<usize> {
        // Created once, because it is used for every record.
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
    /// Returns true if the member at the start of `input` may contain a record. Only its first bytes are
    /// decoded, which is much faster than decoding it all.
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
        // A member that is cut off may still contain a record.
        length == 0 || framing.begins_record(start) || start.trim_ascii_start().is_empty()
    }
}

/// Returns the size of the zstd skippable frame at the start of `bytes`, with its header.
pub(crate) fn skippable_frame(bytes: &[u8]) -> Option<usize> {
    let magic = u32::from_le_bytes(*bytes.first_chunk::<4>()?);
    let size = u32::from_le_bytes(*bytes.get(4..)?.first_chunk::<4>()?);
    ((0x184d_2a50..=0x184d_2a5f).contains(&magic)).then_some(8 + size as usize)
}

/// How the decoding of a member ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    /// The member was decoded. It has this number of input bytes.
    Whole(usize),
    /// The output exceeds the limit.
    TooLarge,
    /// The member is corrupt, or its input ends too soon.
    Bad,
}

/// Decodes members one by one, and reuses the state of the decoders.
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

    /// Sets the dictionary of a zstd source, which may be empty. The decoder keeps a copy.
    pub(crate) fn set_dictionary(&mut self, dictionary: &[u8]) {
        let _ = self.zstd.load_dictionary(dictionary);
    }

    /// Decodes the member at the start of `input` into `output`, replacing its content.
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

/// Returns true if the zstd frame at the start of `input` extends beyond it, by the sizes of its blocks (RFC
/// 8878, 3.1.1). The blocks are skipped, which is much faster than decoding them.
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

/// The limits for detecting how a file is compressed. They do not depend on the limits of a run, so that
/// positions in a file mean the same in every run.
const FIRST_MEMBER: RecordLimits = RecordLimits {
    body_bytes: 1 << 20,
    header_bytes: 64 << 10,
    ratio: usize::MAX,
    nesting: 0,
};

/// The number of members that are examined to detect how a file is compressed. If the last one does not tell, a
/// few more are examined.
const MEMBERS: usize = 4;

/// Returns true if a file is compressed record by record: no record extends from one of its first members to
/// the next. Files that are compressed as a whole, or in blocks that ignore records, are read as one stream.
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
    // True if the last member ends inside a record.
    let mut is_open = false;
    for number in 0..2 * MEMBERS {
        if number >= MEMBERS && !is_open {
            break;
        }
        if number > 0 && input.fill_buf()?.is_empty() {
            // There is only one member, and it is cut off or damaged.
            return Ok(number > 1 || !is_open);
        }
        member.clear();
        let read = member_decoder(&mut input, compression, &dictionary, limits)
            .and_then(|decoder| decoder.take(limit as u64 + 1).read_to_end(&mut member));
        // The reader of members finds the next one after a broken member.
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

/// Returns a decoder of the single member at the start of `input`, for members that are too large for memory.
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

/// Returns a decoder of all members in `input`, one after the other.
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

/// The number of compressed bytes read at a time.
const INPUT_BYTES: usize = 256 << 10;

/// Returns a view of a source that is compressed as a whole. Every reader of it sees the same bytes, even if
/// the source breaks off. With a counter `taken`, a stream that exceeds the ratio limit breaks off too.
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

/// Returns a function that opens the single member at `offset`, for members that are too large for memory.
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

/// Unpacks as much as possible of a member that is corrupt or cut off, within the limits.
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
    // An error is expected. The bytes before it are kept.
    let _ = view.fill(limits.record_bytes());
    let mut unpacked = view.into_buffer();
    unpacked.truncate(limits.record_bytes());
    unpacked
}

/// Returns a decoder of zstd frames that takes no more memory than the limits allow.
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

/// Returns a text if the zstd frame at the start of these bytes needs more memory than the limits allow for
/// decoding in steps.
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

/// Returns the window size that the zstd frame at the start of these bytes asks for, as a power of two (RFC
/// 8878, 3.1.1.1.2).
fn window_log(frame: &[u8]) -> Option<u32> {
    let rest = frame.strip_prefix(ZSTD_MAGIC)?;
    let [descriptor, window, ..] = *rest else {
        return None;
    };
    // A frame of a single segment states its content size instead, and needs no window besides its content.
    let is_single = descriptor & 0x20 != 0;
    (!is_single).then_some(10 + u32::from(window >> 3) + u32::from(window % 8 > 0))
}

/// Returns the largest zstd window that a decoder may allocate, as a power of two.
fn window_log_max(limits: &RecordLimits) -> u32 {
    (limits.body_bytes.max(1 << 21).ilog2() + 3).min(27)
}

/// Reads the dictionary in the first, skippable frame of a zstd archive, and moves after that frame.
///
/// The decoder skips all other skippable frames by itself.
pub(crate) fn dictionary_of(
    input: &mut impl BufRead,
    compression: Compression,
    limits: &RecordLimits,
) -> io::Result<Vec<u8>> {
    const DICTIONARY_MAGIC: u32 = 0x184d_2a5d;
    // Every thread keeps two copies. Without its dictionary, the frames of an archive cannot be decoded.
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

/// Decodes LZ4 frames one after another. The decoder of the crate stops after the first.
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
