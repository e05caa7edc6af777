"""The pages of WARC files, read with warcio and decoded by Python's own means."""

import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from warcio.archiveiterator import ArchiveIterator

# The WHATWG names that Python knows under another one.
CODECS = {"Big5": "big5hkscs", "GBK": "gb18030", "Shift_JIS": "cp932"}


@dataclass(frozen=True)
class Record:
    """A response or resource, its body freed of transfer and content encoding."""

    url: str
    body: bytes


def records(path: Path) -> Iterator[Record]:
    """The responses and resources of a WARC file."""
    with open_archive(path) as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type not in ("response", "resource"):
                continue
            body = record.raw_stream.read()
            if record.http_headers:
                body = decode(body, record.http_headers)
            yield Record(record.rec_headers.get_header("WARC-Target-URI"), body)


def open_archive(path: Path):
    """The archive unpacked: warcio itself takes neither zstd nor one gzip member for all records."""
    match path.suffix:
        case ".zst":
            return io.BytesIO(inflate(path.read_bytes(), "zstd"))
        case ".gz":
            return gzip.open(path)
        case _:
            return path.open("rb")


def decode(body: bytes, headers) -> bytes:
    if "chunked" in (headers.get_header("Transfer-Encoding") or ""):
        body = join_chunks(body)
    match headers.get_header("Content-Encoding"):
        case None | "identity":
            return body
        case "gzip":
            return gzip.decompress(body)
        case "deflate":
            try:
                return zlib.decompress(body)
            except zlib.error:
                return zlib.decompress(body, -zlib.MAX_WBITS)
        case "br":
            return inflate(body, "brotli")
        case "zstd":
            return inflate(body, "zstd")
        case other:
            raise ValueError(f"a content encoding nobody told the test about: {other}")


def join_chunks(body: bytes) -> bytes:
    stream, parts = io.BytesIO(body), []
    while size := int(stream.readline().split(b";")[0], 16):
        parts.append(stream.read(size))
        assert stream.readline() == b"\r\n"
    return b"".join(parts)


def inflate(data: bytes, codec: str) -> bytes:
    return pa.CompressedInputStream(pa.BufferReader(data), codec).read()


def text_of(body: bytes, charset: str) -> str:
    """The body as text. A byte order mark stays: byte spans count it, though it is in no chunk."""
    return body.decode(CODECS.get(charset, charset), errors="replace")
