"""Fingerprints, spans and cuts of the demo, made again in Python from the archives."""

import hashlib
import re
from collections import Counter, defaultdict
from html.parser import HTMLParser

import pytest

from archive import records, text_of

ASCII_SPACE = b" \t\n\f\r"
BYTE_ORDER_MARK = "\ufeff".encode()


def fold(piece: bytes) -> bytes:
    """The markup form: runs of ASCII white space become one space, none is left at the ends."""
    return re.sub(rb"[ \t\n\f\r]+", b" ", piece).strip(ASCII_SPACE)


def fingerprint(data: bytes, kind: str) -> str:
    return hashlib.new(kind, data).digest()[:20].hex()


@pytest.fixture(scope="session")
def bodies(demo) -> dict:
    """The body of every archived URL."""
    found = {}
    for archive in demo.archives:
        for record in records(archive):
            assert found.setdefault(record.url, record.body) == record.body, record.url
    return found


@pytest.fixture(params=["demo", "demo_in_segments", "demo_sha1"])
def hashed(request):
    """A corpus of the demo and the hash of its fingerprints."""
    kind = "sha1" if request.param.endswith("sha1") else "sha256"
    return request.getfixturevalue(request.param), kind


def chunks_by_url(corpus) -> dict:
    chunks = defaultdict(list)
    for chunk in corpus.export("chunks"):
        chunks[chunk["url"]].append(chunk)
    return chunks


def pages_with_text(corpus, bodies):
    """Each page with its chunks and its text in UTF-8."""
    chunks = chunks_by_url(corpus)
    for page in corpus.export("pages"):
        if page["content"] in ("html", "plain", "other"):
            text = text_of(bodies[page["url"]], page["charset"] or "utf-8").encode()
            yield page, chunks[page["url"]], text


def test_every_page_is_archived_under_its_url(demo, bodies):
    urls = Counter(page["url"] for page in demo.export("pages"))
    assert max(urls.values()) == 1
    assert urls.keys() <= bodies.keys()


def test_file_fingerprints(hashed, bodies):
    corpus, kind = hashed
    pages = corpus.export("pages")
    assert pages
    for page in pages:
        body = bodies[page["url"]]
        assert page["bytes"] == len(body), page["url"]
        assert page["fingerprint"] == fingerprint(body, kind), page["url"]


def test_chunk_fingerprints(hashed, bodies):
    corpus, kind = hashed
    checked = Counter()
    for page, chunks, text in pages_with_text(corpus, bodies):
        for chunk in chunks:
            normal = fold(text[chunk["start"] : chunk["start"] + chunk["length"]])
            assert chunk["fingerprint"] == fingerprint(normal, kind), (page["url"], chunk)
            assert chunk["chars"] == len(normal.decode()), (page["url"], chunk)
        checked[page["charset"], page["content"]] += len(chunks)
    assert checked["UTF-8", "html"] > 1000 and len(checked) > 10, checked


def start_of(text: bytes) -> int:
    """Where the text begins: behind a byte order mark."""
    return len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0


def test_chunks_tile_their_page(demo, bodies):
    for page, chunks, text in pages_with_text(demo, bodies):
        end = start_of(text)
        for chunk in chunks:
            # A piece of nothing but white space is no chunk.
            assert chunk["start"] >= end and not fold(text[end : chunk["start"]]), (page["url"], chunk)
            end = chunk["start"] + chunk["length"]
        assert not fold(text[end:]), page["url"]


class Cuts(HTMLParser):
    """Where `p` and `div` tags begin, as line and column."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.places = []

    def handle_starttag(self, tag, attrs):
        if tag in ("p", "div"):
            self.places.append(self.getpos())


def starts_of_tags(text: str) -> list[int]:
    """Byte offsets of `p` and `div` tags."""
    parser = Cuts()
    parser.feed(text)
    parser.close()
    lines = text.split("\n")
    starts, passed, line_now = [], 0, 0
    for line, column in parser.places:
        passed += sum(len(before.encode()) + 1 for before in lines[line_now : line - 1])
        line_now = line - 1
        starts.append(passed + len(lines[line_now][:column].encode()))
    return starts


def test_html_is_cut_where_another_parser_sees_the_tags(demo, bodies):
    cuts = 0
    for page, chunks, text in pages_with_text(demo, bodies):
        if page["content"] == "html" and chunks:
            starts = starts_of_tags(text.decode())
            found = [chunk["start"] for chunk in chunks if chunk["start"] > start_of(text)]
            assert found == [start for start in starts if start > start_of(text)], page["url"]
            cuts += len(starts)
    assert cuts > 1000
