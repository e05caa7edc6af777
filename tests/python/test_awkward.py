"""What real servers and crawlers do, and what damage makes of archives: every record that can be read is read, and the
rest is counted."""

import gzip
import hashlib
import json
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus import Corpus
from tool import index, reprise

HTML = "<html><p>Ein Absatz über Größen.</p><div>" + "und noch viel mehr Text. " * 40 + "</div></html>"


def record(number: int, block: bytes, kind: str = "response", fields: str = "", media: str = "application/http; msgtype=response") -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Type: {media}\r\n{fields}"
    return f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def response(body: bytes = HTML.encode(), fields: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{fields}\r\n".encode() + body


def pages_of(tmp_path, archive: bytes, name: str = "x.warc"):
    """The figures of the run, and the pages; all of them can be read back."""
    (tmp_path / name).write_bytes(archive)
    corpus = tmp_path / "corpus"
    stats = index([tmp_path / name], corpus)
    found = json.loads(reprise("verify", corpus, "--archives", "--json"))
    assert found["damage"] == []
    return stats, list(Corpus(corpus).export("pages"))


@pytest.fixture
def good(tmp_path):
    """The page as it should be."""
    path = tmp_path / "good"
    path.mkdir()
    _, [page] = pages_of(path, record(0, response()))
    return page


@pytest.mark.parametrize(
    "said, made",
    [("gzip", zlib.compress), ('"gzip"', gzip.compress), ("deflate", gzip.compress), ("br", gzip.compress), ("x-gzip", gzip.compress), ("zstd", gzip.compress)],
)
def test_an_encoding_that_is_another_one_is_decoded(said, made, good, tmp_path):
    stats, [page] = pages_of(tmp_path, record(0, response(made(HTML.encode()), f"Content-Encoding: {said}\r\n")))
    assert (page["fingerprint"], page["chunks"]) == (good["fingerprint"], good["chunks"])
    assert stats["damaged"] == {}


def test_a_transfer_encoding_may_compress_too(good, tmp_path):
    body = gzip.compress(HTML.encode())
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    _, [page] = pages_of(tmp_path, record(0, response(chunked, "Transfer-Encoding: gzip, chunked\r\n")))
    assert page["fingerprint"] == good["fingerprint"]


def test_what_cannot_be_decoded_is_counted(tmp_path):
    spoiled = bytes(range(1, 200)) * 10
    stats, [page] = pages_of(tmp_path, record(0, response(spoiled, "Content-Encoding: br\r\n")))
    assert (stats["damaged"], page["content"]) == ({"bad_encoding": 1}, "binary")
    # A body that the crawler has decoded is as it should be.
    (tmp_path / "stored").mkdir()
    stats, [page] = pages_of(tmp_path / "stored", record(0, response(fields="Content-Encoding: br\r\n")))
    assert (stats["damaged"], page["content"]) == ({}, "html")


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip", "zstd"])
def test_a_body_that_was_stored_decoded_is_the_page(encoding, tmp_path):
    texts = [b";(function(){var a=1;})();", b"3 ways to cook rice", "Größe".encode(), ("Русский текст. " * 20).encode("windows-1251")]
    blocks = [response(text, f"Content-Encoding: {encoding}\r\n") for text in texts]
    stats, pages = pages_of(tmp_path, b"".join(record(at, block) for at, block in enumerate(blocks)))
    assert [(page["bytes"], page["chunks"]) for page in pages] == [(len(text), 1) for text in texts]
    assert stats["damaged"] == {}


@pytest.mark.parametrize("encoding", ["", "Content-Encoding: gzip\r\n"])
def test_a_body_cut_in_its_first_chunk(encoding, tmp_path):
    body = HTML.encode() if not encoding else gzip.compress(HTML.encode())
    cut = b"4000\r\n" + body[: len(body) * 3 // 4]
    stats, [page] = pages_of(tmp_path, record(0, response(cut, f"Transfer-Encoding: chunked\r\n{encoding}")))
    assert stats["damaged"]["bad_chunking"] == 1
    assert page["content"] == "html"
    assert 40 < page["bytes"] < len(HTML.encode())


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n", b"\n", b"\r\n\t"])
def test_line_ends_and_folded_fields(end, good, tmp_path):
    fields = [b"HTTP/1.1 200 OK", b"Content-Type: text/html;" + end.rstrip(b"\t") + b" charset=utf-8", b"Content-Encoding:" + end + b" gzip"]
    block = end.rstrip(b"\t").join([*fields, b"", gzip.compress(HTML.encode())])
    stats, [page] = pages_of(tmp_path, record(0, block))
    assert (page["fingerprint"], page["chunks"], stats["damaged"]) == (good["fingerprint"], good["chunks"], {})


def test_a_header_without_an_end_is_counted(good, tmp_path):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" + HTML.encode()
    stats, [page] = pages_of(tmp_path, record(0, block))
    assert (page["fingerprint"], page["status"], stats["damaged"]) == (good["fingerprint"], 200, {"bad_header": 1})


def test_the_line_of_an_arc_says_what_a_body_without_a_header_is(tmp_path):
    body = HTML.encode()
    arc = b"filedesc://a.arc 0.0.0.0 20080101120000 text/plain 76\n1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n"
    for number, media in enumerate(["text/html", "text/plain", "no-type"]):
        block = b"x" + body if media == "text/html" else body
        arc += b"http://a.example/%d 1.2.3.4 20080101120000 %s %d\n%s\n" % (number, media.encode(), len(block), block)
    _, pages = pages_of(tmp_path, arc, "x.arc")
    assert [(page["media_type"], page["content"]) for page in pages] == [("text/html", "html"), ("text/plain", "plain"), ("text/html", "html")]


def test_numbers_are_no_chunks(tmp_path):
    numbers = [b"0\n1\n2\n3\n", b"10\n20\n30\n40\n50\n60\n70\n80\n", b"0\n"]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
    stats, pages = pages_of(tmp_path, b"".join(record(at, head + text) for at, text in enumerate(numbers)))
    assert [page["bytes"] for page in pages] == [len(text) for text in numbers]
    assert stats["damaged"] == {}


def test_an_answer_before_the_answer(good, tmp_path):
    _, [page] = pages_of(tmp_path, record(0, b"HTTP/1.1 100 Continue\r\n\r\n" + response()))
    assert (page["status"], page["fingerprint"]) == (200, good["fingerprint"])


def test_headers_of_records_in_every_state(tmp_path):
    folded = record(1, response()).replace(b"WARC-Target-URI: http://a.example/1", b"WARC-Target-URI:\r\n http://a.example/\r\n\tfolded")
    length = f"Content-Length: {len(response())}\r\n".encode()
    without_length = record(2, response()).replace(length, b"")
    typeless = record(3, response()).replace(b"WARC-Type: response\r\n", b"")
    doubled = record(4, response()).replace(b"WARC-Type: response\r\n", b"WARC-Type: request\r\nWARC-Type: response\r\n")
    segment = record(5, response(), fields="WARC-Segment-Number: 1\r\n")
    last = record(6, response())
    # The line break before a record is damaged.
    damaged = record(7, response())[:-1] + b"?"
    archive = b"".join([folded, without_length, typeless, doubled, segment, damaged, last])
    stats, pages = pages_of(tmp_path, archive)
    assert [page["url"].removeprefix("http://a.example/") for page in pages] == ["folded", "2", "4", "5", "7", "6"]
    assert len({page["fingerprint"] for page in pages}) == 1
    assert stats["damaged"] == {"bad_length": 1, "truncated": 1}
    # The one without a type, the one with two, and the byte that belongs to none.
    assert stats["skipped"]["malformed"] == 3


def test_profiles_of_revisits(tmp_path):
    profiles = ["{}", "<{}>", "<{} > \t"]
    url = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
    revisits = [record(at, b"", "revisit", f"WARC-Profile: {profile.format(url)}\r\n") for at, profile in enumerate(profiles)]
    stats, _ = pages_of(tmp_path, b"".join(revisits))
    assert stats["skipped"]["revisit_identical"] == len(profiles)
    assert "revisit_other" not in stats["skipped"]


def members(first: int, last: int) -> bytes:
    return b"".join(gzip.compress(record(number, response())) for number in range(first, last))


@pytest.mark.parametrize(
    "spoil",
    [lambda packed: b"\0" + packed[1:], lambda packed: packed[:1] + b"\0" + packed[2:], lambda packed: b"a line\n" + packed, lambda packed: packed[30:]],
)
def test_the_first_bytes_of_an_archive_are_damaged(spoil, tmp_path):
    stats, pages = pages_of(tmp_path, spoil(members(0, 10)), "x.warc.gz")
    assert len(pages) >= 9
    assert stats["skipped"]["malformed"] == 1


def test_compressed_and_plain_records_in_one_archive(tmp_path):
    plain = b"".join(record(number, response()) for number in range(10, 15))
    stats, pages = pages_of(tmp_path, members(0, 10) + plain + members(15, 20), "x.warc.gz")
    assert [page["url"] for page in pages] == [f"http://a.example/{number}" for number in range(20)]
    assert stats["skipped"]["malformed"] == 0


def test_a_first_record_over_the_limits_costs_itself_alone(tmp_path):
    large = gzip.compress(record(0, response(b" " * 40_000_000)))
    stats, pages = pages_of(tmp_path, large + members(1, 50), "x.warc.gz")
    assert len(pages) == 49
    assert sum(stats["skipped"].get(kind, 0) for kind in ["bomb", "too_large"]) == 1


RUSSIAN = "Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства. "
ENCODED = [
    ("text/plain; charset=utf-16le", RUSSIAN.encode("utf-16-le"), "UTF-16LE", RUSSIAN),
    ("text/plain; charset=utf-16be", "Γαζίες καὶ μυρτιὲς δὲν θὰ βρῶ πιὰ".encode("utf-16-be"), "UTF-16BE", "Γαζίες καὶ μυρτιὲς δὲν θὰ βρῶ πιὰ"),
    ("text/html; charset=utf-16be", f"<p>{RUSSIAN}".encode("utf-16-be"), "UTF-16BE", f"<p>{RUSSIAN}"),
    ("text/plain", (RUSSIAN * 20).encode()[:1001], "UTF-8", None),
    ("text/plain", RUSSIAN.encode() + b"\xe9 " + RUSSIAN.encode(), "UTF-8", None),
    ("text/plain", b"words " * 24_000 + RUSSIAN.encode("windows-1251"), "windows-1251", "words " * 24_000 + RUSSIAN),
    ("text/html charset=koi8-r", RUSSIAN.encode("koi8-r"), "KOI8-R", RUSSIAN),
    ("text/css", b'@charset "koi8-r"; ' + RUSSIAN.encode("koi8-r"), "KOI8-R", f'@charset "koi8-r"; {RUSSIAN}'),
    ("text/javascript", f'x = "<meta charset=koi8-r>{RUSSIAN}"'.encode(), "UTF-8", None),
    ("text/plain", b"RIFFs and licks", "UTF-8", None),
]


def test_text_in_many_encodings(tmp_path):
    blocks = [f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n\r\n".encode() + body for media, body, _, _ in ENCODED]
    _, pages = pages_of(tmp_path, b"".join(record(at, block) for at, block in enumerate(blocks)))
    assert [page["charset"] for page in pages] == [charset for _, _, charset, _ in ENCODED]
    chunks = {chunk["url"]: chunk["fingerprint"] for chunk in Corpus(tmp_path / "corpus").export("chunks")}
    for page, (media, body, _, text) in zip(pages, ENCODED, strict=True):
        form = " ".join((text or body.decode(errors="replace")).split())
        assert chunks[page["url"]] == hashlib.sha256(form.encode()).hexdigest()[:40], media
        assert page["media_type"] == media.split(";")[0].split()[0]


@pytest.mark.parametrize("label", ["iso-2022-kr", "hz-gb-2312", "iso-2022-cn", "replacement"])
def test_pages_in_encodings_that_are_not_decoded_stay_different(label, tmp_path):
    def answer(text: bytes, media: str) -> bytes:
        return f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n\r\n".encode() + text

    bodies = ["안녕하세요".encode("iso2022_kr"), "你好".encode("hz"), b"one", b"two"]
    blocks = [answer(b"<p>" + body, f"text/html; charset={label}") for body in bodies]
    blocks += [answer(f"<meta charset={label}><p>".encode() + body, "text/html") for body in bodies]
    _, pages = pages_of(tmp_path, b"".join(record(at, block) for at, block in enumerate(blocks)))
    chunks = Corpus(tmp_path / "corpus").export("chunks")
    assert len({page["fingerprint"] for page in pages}) == len(blocks)
    assert len({chunk["fingerprint"] for chunk in chunks if chunk["visible"]}) == len(bodies)


@pytest.mark.parametrize("charset", ["windows-1251", "KOI8-R", "Shift_JIS", "UTF-8"])
def test_bytes_in_parquet_are_in_the_encoding_that_they_name(charset, tmp_path):
    text = {"Shift_JIS": "日本語の文章", "UTF-8": "Größe"}.get(charset, "Русский текст")
    html = f"<meta charset={charset}><p>{text}</p>"
    chunks = []
    for name, value in [("bytes", html.encode(charset)), ("text", html)]:
        table = pa.table({"url": ["http://a.example/"], "html": [value]})
        pq.write_table(table, tmp_path / f"{name}.parquet")
        index([tmp_path / f"{name}.parquet"], tmp_path / name)
        corpus = Corpus(tmp_path / name)
        [page] = corpus.export("pages")
        body = value if name == "bytes" else html.encode()
        assert page["charset"] == (charset if name == "bytes" else "UTF-8")
        assert page["fingerprint"] == hashlib.sha256(body).hexdigest()[:40]
        chunks.append([chunk["fingerprint"] for chunk in corpus.export("chunks")])
    assert chunks[0] == chunks[1]


def test_bytes_that_were_made_utf8_may_have_kept_their_meta(tmp_path):
    table = pa.table({"url": ["http://a.example/"], "html": ["<meta charset=koi8-r><p>Русский текст".encode()]})
    pq.write_table(table, tmp_path / "rows.parquet")
    index([tmp_path / "rows.parquet"], tmp_path / "corpus")
    assert [page["charset"] for page in Corpus(tmp_path / "corpus").export("pages")] == ["UTF-8"]


def test_an_export_that_fails_leaves_what_was_there(tmp_path):
    (tmp_path / "x.warc").write_bytes(record(0, response()))
    index([tmp_path / "x.warc"], tmp_path / "corpus")
    kept = tmp_path / "keep.csv"
    kept.write_text("precious")
    reprise("export", tmp_path / "corpus", "--table", "shingles", "--format", "csv", "-o", kept, expect=2)
    assert kept.read_text() == "precious"
    reprise("export", tmp_path / "corpus", "--table", "pages", "--format", "csv", "-o", kept)
    assert kept.read_text().startswith("url,")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "keep.csv", "x.warc"]


def test_results_within_what_is_read_are_passed_by(tmp_path):
    (tmp_path / "x.warc").write_bytes(members(0, 0) + record(0, response()))
    for _ in range(2):
        reprise("scan", ".", cwd=tmp_path)
    info = json.loads(reprise("info", tmp_path / "reprise-report" / "corpus", "--json"))
    assert (info["pages"], info["sources"]) == (1, 1)


def test_nothing_to_read_is_said(tmp_path):
    (tmp_path / "empty").mkdir()
    stats = index([tmp_path / "empty"], tmp_path / "corpus", expect=2)
    assert stats["sources"]["read"] == 0
    stats = index(["-"], tmp_path / "corpus", stdin=b"", expect=2)
    assert (stats["pages"], stats["skipped"]["unreadable"]) == (0, 1)
