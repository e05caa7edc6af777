"""`drop`: archives without the pages that a table of clusters says to drop."""

import datetime
import gzip
import io
import json
import subprocess
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from archive import inflate, open_archive
from corpus import Corpus
from tool import binary, index, reprise

SCHEMA = pa.schema(
    [
        pa.field("url", pa.string(), nullable=False),
        pa.field("site", pa.string(), nullable=False),
        pa.field("cluster", pa.int64(), nullable=False),
        pa.field("representative", pa.string(), nullable=False),
        pa.field("keep", pa.bool_(), nullable=False),
        pa.field("similarity", pa.float64(), nullable=False),
        pa.field("containment", pa.float64(), nullable=False),
        pa.field("method", pa.string(), nullable=False),
        pa.field("fetched", pa.timestamp("ms", tz="UTC")),
        pa.field("words", pa.int64(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("within", pa.int64(), nullable=False),
    ]
)


def clusters(pages: list[dict], is_kept, file):
    """A table that says to keep the pages for which `is_kept` says so; one cluster for all."""
    first = next((page["url"] for page in pages if is_kept(page)), "http://gone.example/")
    rows = [
        {
            "url": page["url"],
            "site": page["site"],
            "cluster": 7,
            "representative": first,
            "keep": is_kept(page),
            "similarity": 1.0 if is_kept(page) else 0.75,
            "containment": 0.875,
            "method": "shingle",
            "fetched": page["fetched"] and datetime.datetime.fromisoformat(page["fetched"]),
            "words": number,
            "source": page["source"],
            "offset": page["offset"],
            "within": page["within"],
        }
        for number, page in enumerate(pages)
    ]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), file, row_group_size=50)
    return file


def every_third(page: dict) -> bool:
    """Keeps two thirds of the pages, wherever they stand."""
    return int(page["fingerprint"], 16) % 3 != 0


def drop(inputs, table, out, *flags, expect: int = 0) -> dict:
    said = reprise("drop", *inputs, "--clusters", table, "-o", out, "--json", *flags, expect=expect)
    return json.loads(said) if said else {}


# Where a page stands differs from copy to copy; what it is does not.
PLACE = ("source", "offset", "length", "within", "segment")


def bare(pages: list[dict]) -> list[dict]:
    return [{name: value for name, value in page.items() if name not in PLACE} for page in pages]


def check(inputs, tmp_path, is_kept=every_third) -> dict:
    """Drops from inputs; the copies hold the pages that are kept, no more and no less."""
    index(inputs, tmp_path / "before")
    pages = Corpus(tmp_path / "before").export("pages")
    table = clusters(pages, is_kept, tmp_path / "clusters.parquet")
    said = drop(inputs, table, tmp_path / "out")
    kept = [page for page in pages if is_kept(page)]
    assert 0 < len(kept) < len(pages)
    assert (said["pages"], said["kept"], said["dropped"]) == (len(pages), len(kept), len(pages) - len(kept))
    assert said["missing"] == 0
    assert said["bytes_in"] == sum(path.stat().st_size for path in inputs)
    copies = [tmp_path / "out" / path.name for path in inputs]
    assert said["bytes_out"] == sum(path.stat().st_size for path in copies)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {path.name for path in copies} | {"dropped.jsonl"}
    index(copies, tmp_path / "after")
    assert bare(Corpus(tmp_path / "after").export("pages")) == bare(kept)
    return said


def headers_of(path, is_copy: bool = True) -> list[list]:
    """The headers of all records, as warcio reads them; a copy it reads without help."""
    with path.open("rb") if is_copy and path.suffix != ".zst" else open_archive(path) as stream:
        return [record.rec_headers.headers for record in ArchiveIterator(stream)]


def field(headers: list, name: str) -> str | None:
    return next((value for key, value in headers if key.lower() == name.lower()), None)


def test_the_demo(demo, tmp_path):
    """Members of gzip and zstd, and an archive that is not compressed."""
    said = check(demo.archives, tmp_path)
    dropped = [json.loads(line) for line in (tmp_path / "out" / "dropped.jsonl").read_text().splitlines()]
    pages = Corpus(tmp_path / "before").export("pages")
    gone = [page for page in pages if not every_third(page)]
    first = next(page["url"] for page in pages if every_third(page))
    assert dropped == [
        {
            "url": page["url"],
            "kept": first,
            "similarity": 0.75,
            "containment": 0.875,
            "method": "shingle",
            "cluster": 7,
            "source": page["source"],
            "offset": page["offset"],
            "within": page["within"],
        }
        for page in gone
    ]
    assert said["dropped"] == len(dropped)
    paired = 0
    for archive in demo.archives:
        before, after = headers_of(archive, is_copy=False), headers_of(tmp_path / "out" / archive.name)
        left_out = [headers for headers in before if headers not in after]
        # What is left stands in its old order.
        assert [headers for headers in before if headers in after] == after
        kinds = [field(headers, "WARC-Type") for headers in left_out]
        assert kinds.count("response") + kinds.count("resource") == sum(page["source"] == str(archive) for page in gone)
        assert set(kinds) <= {"response", "resource", "request", "metadata"}
        paired += kinds.count("request") + kinds.count("metadata")
        # A request names its response: none is left without, none is gone with it kept.
        ids = {field(headers, "WARC-Record-ID") for headers in after}
        named = {field(headers, "WARC-Concurrent-To") for headers in after if field(headers, "WARC-Type") == "request"}
        assert named <= ids
    assert said["paired"] == paired > 0


def test_members_stay_as_they_are(demo, tmp_path):
    """Each compressed record of the copy is one of the original, byte for byte."""
    archive = demo.archives[0]
    check([archive], tmp_path)
    whole = archive.read_bytes()
    copy = tmp_path / "out" / archive.name
    with copy.open("rb") as stream:
        records = ArchiveIterator(stream)
        spans = []
        for _ in records:
            records.read_to_end()
            spans.append((records.get_record_offset(), records.get_record_length()))
    data = copy.read_bytes()
    assert spans[-1][0] + spans[-1][1] == len(data)
    assert all(data[start : start + length] in whole for start, length in spans)


def pack(data: bytes, codec: str) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("suffix", [".warc.gz", ".warc.zst", ".warc.lz4"])
def test_archives_compressed_as_a_whole(suffix, demo, tmp_path):
    """They come out record by record; warcio reads the gzip, which it does not in the original."""
    (plain,) = (path for path in demo.archives if path.suffix == ".warc")
    codec = {".warc.gz": "gzip", ".warc.zst": "zstd", ".warc.lz4": "lz4"}[suffix]
    archive = tmp_path / f"whole{suffix}"
    archive.write_bytes(pack(plain.read_bytes(), codec))
    check([archive], tmp_path)
    copy = (tmp_path / "out" / archive.name).read_bytes()
    text = gzip.decompress(copy) if codec == "gzip" else inflate(copy, codec)
    headers = [record.rec_headers.headers for record in ArchiveIterator(io.BytesIO(copy if codec == "gzip" else text))]
    original = headers_of(plain)
    assert headers == [header for header in original if header in headers]
    assert len(headers) < len(original)


def big_page(number: int) -> bytes:
    words = " ".join(str(number * 1000 + word) for word in range(3000))
    return f"<p>{words}</p>".encode()


def test_a_whole_archive_larger_than_a_body_may_be(tmp_path):
    """Read as one stream, since it cannot be held in memory."""
    plain = io.BytesIO()
    writer = WARCWriter(plain, gzip=False)
    for number in range(60):
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        url = f"http://a.example/{number}"
        writer.write_record(writer.create_warc_record(url, "response", io.BytesIO(big_page(number)), http_headers=http))
    archive = tmp_path / "whole.warc.gz"
    archive.write_bytes(gzip.compress(plain.getvalue()))
    flags = ("--max-body", "100K")
    index([archive], tmp_path / "before", *flags)
    pages = Corpus(tmp_path / "before").export("pages")
    assert len(pages) == 60 and pages[-1]["within"] > 0
    table = clusters(pages, every_third, tmp_path / "clusters.parquet")
    said = drop([archive], table, tmp_path / "out", *flags)
    assert (said["missing"], said["kept"]) == (0, sum(map(every_third, pages)))
    with (tmp_path / "out" / archive.name).open("rb") as stream:
        urls = [record.rec_headers.get_header("WARC-Target-URI") for record in ArchiveIterator(stream)]
    assert urls == [page["url"] for page in pages if every_third(page)]


@pytest.mark.parametrize("order", ["response first", "request first", "named by the response"])
def test_pairs(order, tmp_path):
    """The request and metadata of a dropped page go with it, in whatever order they stand."""
    archive = tmp_path / "pairs.warc.gz"
    with archive.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for number in range(10):
            url = f"http://a.example/{number}"
            http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            page = writer.create_warc_record(url, "response", io.BytesIO(b"<p>%d" % number), http_headers=http)
            asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.example")], is_http_request=True)
            request = writer.create_warc_record(url, "request", http_headers=asked)
            about = writer.create_warc_record(url, "metadata", io.BytesIO(b"a: b"), warc_content_type="application/warc-fields")
            if order == "named by the response":
                page.rec_headers.add_header("WARC-Concurrent-To", request.rec_headers.get_header("WARC-Record-ID"))
            else:
                request.rec_headers.add_header("WARC-Concurrent-To", page.rec_headers.get_header("WARC-Record-ID"))
            about.rec_headers.add_header("WARC-Refers-To", page.rec_headers.get_header("WARC-Record-ID"))
            first = [page, request] if order == "response first" else [request, page]
            for record in [*first, about]:
                writer.write_record(record)
    said = check([archive], tmp_path, lambda page: page["url"][-1] in "0189")
    assert said["paired"] == 12
    left = [(field(headers, "WARC-Type"), field(headers, "WARC-Target-URI")[-1]) for headers in headers_of(tmp_path / "out" / archive.name)]
    assert len(left) == 12 and {number for _, number in left} == set("0189")


def test_arc(tmp_path):
    """The format before WARC is copied too."""
    head = b"filedesc://x.arc 0.0.0.0 20240101000000 text/plain 76\n1 0 test\nURL IP-address Archive-date Content-type Archive-length\n".ljust(130, b"\n")
    records = []
    for number in range(9):
        body = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d" % number
        line = b"http://a.example/%d 192.0.2.1 20240101000000 text/html %d\n" % (number, len(body))
        records.append(line + body + b"\n")
    (tmp_path / "x.arc").write_bytes(head + b"".join(records))
    (tmp_path / "y.arc.gz").write_bytes(gzip.compress(head) + b"".join(map(gzip.compress, records[::-1])))
    check([tmp_path / "x.arc", tmp_path / "y.arc.gz"], tmp_path)


def rows(count: int) -> list[dict]:
    return [
        {"url": f"https://site{number % 5}.example/{number}", "html": f"<p>Größe {number}</p>", "date": "2024-02-29T12:00:00Z", "more": [number]}
        for number in range(count)
    ]


def lines(count: int) -> list[bytes]:
    """Lines with odd spacing, blank lines between, and one that is no row."""
    made = [json.dumps(row, indent=None, separators=(", ", ":  ")).encode() + b"\r\n" for row in rows(count)]
    made[3] = b"not json\n"
    return made


@pytest.mark.parametrize("codec", [None, "gzip", "zstd"])
def test_lines(codec, tmp_path):
    text = b"".join(lines(200))
    name = {None: "rows.jsonl", "gzip": "rows.jsonl.gz", "zstd": "rows.jsonl.zst"}[codec]
    (tmp_path / name).write_bytes(pack(text, codec) if codec else text)
    check([tmp_path / name], tmp_path)
    copy = (tmp_path / "out" / name).read_bytes()
    copied = inflate(copy, codec) if codec else copy
    dropped = {json.loads(line)["url"] for line in (tmp_path / "out" / "dropped.jsonl").read_text().splitlines()}
    kept = [line for line in lines(200) if line == b"not json\n" or json.loads(line)["url"] not in dropped]
    assert copied == b"".join(kept)


def table_of(count: int) -> pa.Table:
    """Every kind of column: nested, optional, repeated, of every physical type."""
    numbers = range(count)
    point = pa.struct([("x", pa.float32()), ("tags", pa.list_(pa.string()))])
    return pa.table(
        {
            "url": [row["url"] for row in rows(count)],
            "html": [row["html"] for row in rows(count)],
            "optional": pa.array([None if number % 3 else number for number in numbers], pa.int32()),
            "flag": pa.array([None if number % 5 == 0 else number % 2 == 0 for number in numbers]),
            "price": pa.array([number / 7 for number in numbers], pa.float64()),
            "decimal": pa.array([number for number in numbers], pa.decimal128(30, 2)),
            "when": pa.array([number * 1000 for number in numbers], pa.timestamp("us", tz="UTC")),
            "kind": pa.array([f"kind {number % 3}" for number in numbers]).dictionary_encode(),
            "binary": pa.array([bytes([number % 256]) * 16 for number in numbers], pa.binary(16)),
            "list": pa.array([None if number % 4 == 0 else list(range(number % 4 - 1)) for number in numbers], pa.list_(pa.int64())),
            "deep": pa.array([[[number], None, []] if number % 2 else [] for number in numbers], pa.list_(pa.list_(pa.int16()))),
            "map": pa.array([[(f"k{number}", number)] if number % 3 else None for number in numbers], pa.map_(pa.string(), pa.int64())),
            "point": pa.array([None if number % 6 == 0 else {"x": number, "tags": [None, "a"] if number % 2 else None} for number in numbers], point),
        }
    ).replace_schema_metadata({"owner": "somebody"})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compression": "zstd", "row_group_size": 7},
        {"compression": "gzip", "use_dictionary": False, "data_page_version": "2.0"},
        {"compression": "brotli", "data_page_size": 64, "row_group_size": 200},
        {"compression": "none", "version": "1.0", "use_deprecated_int96_timestamps": True},
        {"use_dictionary": False, "column_encoding": {"url": "DELTA_BYTE_ARRAY", "price": "BYTE_STREAM_SPLIT", "optional": "DELTA_BINARY_PACKED"}},
    ],
    ids=lambda options: next(iter(options), "default"),
)
def test_tables(options, tmp_path):
    file = tmp_path / "rows.parquet"
    made = table_of(500)
    pq.write_table(made, file, **options)
    check([file], tmp_path)
    before, after = pq.ParquetFile(file), pq.ParquetFile(tmp_path / "out" / file.name)
    dropped = {json.loads(line)["url"] for line in (tmp_path / "out" / "dropped.jsonl").read_text().splitlines()}
    kept = [url not in dropped for url in made["url"].to_pylist()]
    assert after.read().schema.equals(before.read().schema, check_metadata=True)
    assert after.read().to_pylist() == before.read().filter(pa.array(kept)).to_pylist()
    assert after.schema.equals(before.schema)
    assert after.metadata.metadata == before.metadata.metadata
    size = options.get("row_group_size", 500)
    groups = [sum(kept[start : start + size]) for start in range(0, 500, size)]
    assert [after.metadata.row_group(number).num_rows for number in range(after.num_row_groups)] == [rows for rows in groups if rows]
    for column in range(len(before.schema)):
        old, new = before.metadata.row_group(0).column(column), after.metadata.row_group(0).column(column)
        assert (old.compression, old.has_dictionary_page) == (new.compression, new.has_dictionary_page), old.path_in_schema


def test_everything_goes(tmp_path):
    """Tables and lines without a row are still tables and lines."""
    pq.write_table(table_of(20), tmp_path / "rows.parquet")
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(b"".join(lines(20))))
    inputs = [tmp_path / "rows.parquet", tmp_path / "rows.jsonl.gz"]
    index(inputs, tmp_path / "corpus")
    table = clusters(Corpus(tmp_path / "corpus").export("pages"), lambda page: False, tmp_path / "clusters.parquet")
    said = drop(inputs, table, tmp_path / "out")
    assert (said["kept"], said["dropped"]) == (0, 39)
    assert pq.read_table(tmp_path / "out" / "rows.parquet").num_rows == 0
    assert gzip.decompress((tmp_path / "out" / "rows.jsonl.gz").read_bytes()) == b"not json\n"


def test_what_near_writes(demo, tmp_path):
    """The real table, from the corpus to the copies: near finds nothing more to drop in them."""
    index(demo.archives, tmp_path / "corpus", "--shingles")
    said = json.loads(reprise("near", tmp_path / "corpus", "-o", tmp_path / "clusters.parquet", "--json"))
    done = drop(demo.archives, tmp_path / "clusters.parquet", tmp_path / "out")
    assert done["dropped"] == said["removable"] > 0
    assert done["missing"] == 0
    stats = index([tmp_path / "out" / path.name for path in demo.archives], tmp_path / "after", "--shingles")
    assert stats["pages"] == done["kept"]
    again = json.loads(reprise("near", tmp_path / "after", "-o", tmp_path / "again.parquet", "--json"))
    assert again["removable"] == 0


def files_of(path) -> dict:
    return {file.relative_to(path): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_nothing_to_drop(demo, tmp_path):
    """Then copies are copies, whatever they are."""
    table = clusters(demo.export("pages"), lambda page: True, tmp_path / "clusters.parquet")
    said = drop(demo.archives, table, tmp_path / "out")
    assert (said["dropped"], said["paired"]) == (0, 0)
    assert said["bytes_in"] == said["bytes_out"]
    for archive in demo.archives:
        assert (tmp_path / "out" / archive.name).read_bytes() == archive.read_bytes()
    assert (tmp_path / "out" / "dropped.jsonl").read_bytes() == b""


@pytest.fixture
def small(tmp_path):
    """A file, and clusters that say to drop some of it."""
    file = tmp_path / "in" / "rows.jsonl"
    file.parent.mkdir()
    file.write_bytes(b"".join(lines(30)))
    index([file], tmp_path / "corpus")
    pages = Corpus(tmp_path / "corpus").export("pages")
    return file, clusters(pages, every_third, tmp_path / "clusters.parquet"), pages


def test_a_dry_run_writes_nothing(small, tmp_path):
    file, table, pages = small
    before = files_of(tmp_path)
    said = drop([file], table, tmp_path / "out", "--dry-run")
    text = reprise("drop", file, "--clusters", table, "-o", tmp_path / "out", "--dry-run")
    assert "would be dropped" in text and "would be written" in text
    assert files_of(tmp_path) == before and not (tmp_path / "out").exists()
    assert drop([file], table, tmp_path / "out") == said
    text = reprise("drop", file, "--clusters", table, "-o", tmp_path / "other")
    assert f"{len(pages)} pages read" in text and "would" not in text


def test_several_inputs_and_rows_that_are_elsewhere(small, tmp_path):
    """An input that is not in the clusters is copied whole; rows of other inputs are counted."""
    file, table, pages = small
    other = tmp_path / "other.jsonl"
    other.write_bytes(file.read_bytes())
    said = drop([file, other], table, tmp_path / "out")
    assert said["pages"] == 2 * len(pages)
    assert said["dropped"] == sum(not every_third(page) for page in pages)
    assert (tmp_path / "out" / other.name).read_bytes() == other.read_bytes()
    elsewhere = [page | {"source": "/not/there.jsonl"} for page in pages]
    table = clusters(pages + elsewhere, every_third, tmp_path / "more.parquet")
    assert drop([file], table, tmp_path / "out2")["missing"] == said["dropped"]
    beyond = [page | {"offset": page["offset"] + 1} for page in pages]
    table = clusters(pages + beyond, every_third, tmp_path / "beyond.parquet")
    assert drop([file], table, tmp_path / "out3")["missing"] == said["dropped"]


def test_names(small, tmp_path):
    """The same file by a relative path, by a link, from a list, from its directory."""
    file, table, pages = small
    (tmp_path / "link").symlink_to(file.parent)
    (tmp_path / "list").write_text(f"{file}\n")
    for number, name in enumerate(["in/rows.jsonl", "link/rows.jsonl", "in/../in/rows.jsonl", "@list", "in", f"file://{file}"]):
        said = reprise("drop", name, "--clusters", table, "-o", f"out{number}", "--json", cwd=tmp_path)
        assert json.loads(said)["dropped"] == sum(not every_third(page) for page in pages), name
        assert (tmp_path / f"out{number}" / "rows.jsonl").is_file()


def test_plain_files_are_listed(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for number in range(20):
        (site / f"{number}.html").write_text(f"<p>Page {number}")
    index([site], tmp_path / "corpus", "--base-url", "https://a.example/")
    pages = Corpus(tmp_path / "corpus").export("pages")
    table = clusters(pages, every_third, tmp_path / "clusters.parquet")
    said = drop([site], table, tmp_path / "out")
    kept = [page["source"] for page in pages if every_third(page)]
    assert (said["pages"], said["kept"], said["files"], said["missing"]) == (20, len(kept), 20, 0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"dropped.jsonl", "kept.txt"}
    assert (tmp_path / "out" / "kept.txt").read_text().splitlines() == kept
    assert index([f"@{tmp_path / 'out' / 'kept.txt'}"], tmp_path / "again")["pages"] == len(kept)
    assert "kept.txt" in reprise("drop", site, "--clusters", table, "-o", tmp_path / "text")


def refused(inputs, table, out, *words, expect: int = 2):
    """The command says no, in one sentence with these words, and writes nothing."""
    before = files_of(out) if out.exists() else None
    done = subprocess.run(
        [binary(), "drop", *map(str, inputs), "--clusters", table, "-o", out], capture_output=True, check=False, input=b""
    )
    sentence = done.stderr.decode()
    assert done.returncode == expect, sentence
    assert done.stdout == b"" and sentence.count("\n") == 1
    for word in words:
        assert word in sentence
    assert (files_of(out) if out.exists() else None) == before


def test_refusals(small, demo, tmp_path):
    file, table, pages = small
    out = tmp_path / "out"
    refused([demo.archives[0]], table, out, str(file), "as they were indexed")
    refused([file], tmp_path / "none.parquet", out, "none.parquet")
    refused([tmp_path / "none.jsonl"], table, out, "none.jsonl")
    refused([file, file], table, out, "the same name")
    refused([file], table, file.parent, "overwrite", str(file))
    (tmp_path / "twin").mkdir()
    (tmp_path / "twin" / file.name).write_bytes(file.read_bytes())
    refused([file, tmp_path / "twin"], table, out, "twin", "the same name")
    out.mkdir()
    (out / file.name).write_text("here before")
    refused([file], table, out, str(out / file.name), "already exists")
    (out / file.name).rename(out / "dropped.jsonl")
    refused([file], table, out, "dropped.jsonl", "already exists")
    (tmp_path / "dropped.jsonl").write_bytes(file.read_bytes())
    refused([file, tmp_path / "dropped.jsonl"], table, tmp_path / "out2", "the same name")


def test_a_table_of_something_else_is_refused_with_a_hint(small, demo, tmp_path):
    file, _, _ = small
    for table in (file, demo.segments[0].file("pages")):
        refused([file], table, tmp_path / "out", str(table), "clusters", "reprise near")


def test_standard_input_is_refused_by_name(small, tmp_path):
    refused(["-"], small[1], tmp_path / "out", "standard input")


def test_a_wacz_is_refused(small, demo, tmp_path):
    file, table, _ = small
    with zipfile.ZipFile(tmp_path / "crawl.wacz", "w") as wacz:
        wacz.write(demo.archives[0], "archive/data.warc.gz")
    refused([file, tmp_path / "crawl.wacz"], table, tmp_path / "out", "crawl.wacz", "WARC, WET, ARC, JSONL, Parquet and mbox")


def test_an_archive_that_has_changed(small, tmp_path):
    """Another page at the place of one that is to go: nothing is dropped by mistake."""
    file, table, _ = small
    file.write_bytes(file.read_bytes().replace(b".example/2", b".example/7"))
    refused([file], table, tmp_path / "out", str(file), "has changed since it was indexed")


def test_a_copy_that_fails_leaves_nothing(small, tmp_path):
    """Here: an output directory that cannot be made."""
    file, table, _ = small
    (tmp_path / "file").write_text("no directory")
    refused([file], table, tmp_path / "file" / "out", "cannot write", expect=1)


def test_damaged_archives(warc_dev_files, tmp_path):
    """Archives of other tools' test suites: damaged ones too are copied without what is to go."""
    files = sorted(path for path in warc_dev_files.rglob("*") if path.is_file() and path.suffix != ".wacz")
    copied = 0
    for number, file in enumerate(files):
        index([file], tmp_path / f"{number}")
        pages = Corpus(tmp_path / f"{number}").export("pages")
        kept = [page for page in pages if every_third(page)]
        if len(kept) == len(pages):
            continue
        out = tmp_path / f"{number}-out"
        said = drop([file], clusters(pages, every_third, tmp_path / f"{number}.parquet"), out)
        assert (said["pages"], said["kept"], said["missing"]) == (len(pages), len(kept), 0), file
        if said["archives"]:
            # A copy without any record is an empty file, which nothing can be read from.
            is_empty = (out / file.name).stat().st_size == 0
            index([out / file.name], tmp_path / f"{number}-after", expect=2 if is_empty else 0)
            assert bare(Corpus(tmp_path / f"{number}-after").export("pages")) == bare(kept), file
            copied += 1
    assert copied > 20
