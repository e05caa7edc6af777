"""The same pages come out of JSONL, Parquet, standard input, lists and directories."""

import contextlib
import datetime
import gzip
import itertools
import json
import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus import Corpus
from test_bad_input import refused
from tool import binary, index, reprise, reprise_says

UTC = datetime.timezone.utc
MOMENT = datetime.datetime(2024, 2, 29, 12, 30, 45, 678000, tzinfo=UTC)


def rows() -> list[dict]:
    """Rows with every optional column sometimes null, in several scripts."""
    made = []
    for number in range(300):
        is_html = number % 3 != 0
        paragraphs = [f"Absatz {number % 7}: Größe, 日本語, عربي, 🦀", f"paragraph {number}"]
        html = "<title>x</title>" + "".join(f"<p class='a'>{text}</p>\n" for text in paragraphs)
        date = MOMENT + datetime.timedelta(hours=number)
        made.append(
            {
                "url": f"https://site{number % 5}.example.com/page/{number}",
                "html": html if is_html else None,
                "text": None if is_html else "\n\n".join(paragraphs),
                "date": date if number % 4 else None,
                "ip": f"192.0.2.{number % 250}" if number % 2 else None,
                "ignored": {"nested": [number]},
            }
        )
    return made


def as_json(row: dict) -> str:
    date = row["date"] and row["date"].isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps(row | {"date": date})


def jsonl() -> bytes:
    return "".join(as_json(row) + "\n" for row in rows()).encode()


def table(text: pa.DataType = pa.string(), date: pa.DataType = pa.timestamp("ms", tz="UTC")) -> pa.Table:
    """The rows with the given types of text and date columns."""
    columns = {name: [row[name] for row in rows()] for name in rows()[0]}
    arrays = {}
    for name, values in columns.items():
        if name == "date":
            arrays[name] = pa.array(values, pa.timestamp("ms", tz="UTC")).cast(date)
        elif name == "ignored":
            arrays[name] = pa.array(values)
        elif pa.types.is_dictionary(text):
            arrays[name] = pa.array(values, pa.string()).dictionary_encode()
        else:
            arrays[name] = pa.array(values, text)
    return pa.table(arrays)


# Where a page stands differs from file to file; what it is does not.
PLACE = ("source", "offset", "length", "within", "segment")


def contents(path) -> tuple[list, list]:
    corpus = Corpus(path)
    pages = [{name: value for name, value in page.items() if name not in PLACE} for page in corpus.export("pages")]
    return pages, corpus.export("chunks")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What the JSONL file gives."""
    directory = tmp_path_factory.mktemp("jsonl")
    (directory / "rows.jsonl").write_bytes(jsonl())
    stats = index([directory / "rows.jsonl"], directory / "corpus")
    assert stats["pages"] == len(rows())
    return contents(directory / "corpus")


def test_jsonl_columns_arrive(expected):
    pages, chunks = expected
    for page, row in zip(pages, rows(), strict=True):
        assert page["url"] == row["url"]
        assert page["ip"] == row["ip"]
        assert page["site"] == "example.com"
        assert page["content"] == ("html" if row["html"] else "plain")
        assert page["bytes"] == len((row["html"] or row["text"]).encode())
        fetched = page["fetched"] and datetime.datetime.fromisoformat(page["fetched"])
        assert fetched == row["date"]
    assert len(chunks) == sum(3 if row["html"] else 2 for row in rows())


def check_table(made: pa.Table, expected, tmp_path, **options):
    pq.write_table(made, tmp_path / "rows.parquet", **options)
    index([tmp_path / "rows.parquet"], tmp_path / "corpus")
    assert contents(tmp_path / "corpus") == expected


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_parquet_codecs(codec, expected, tmp_path):
    check_table(table(), expected, tmp_path, compression=codec)


TEXTS = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("use_dictionary", [True, False])
def test_parquet_texts(text, use_dictionary, expected, tmp_path):
    check_table(table(text=text), expected, tmp_path, use_dictionary=use_dictionary)


DATES = [pa.timestamp(unit, tz=zone) for unit in ("ms", "us", "ns") for zone in (None, "UTC", "Europe/Berlin")]


@pytest.mark.parametrize("date", DATES, ids=str)
def test_parquet_timestamps(date, expected, tmp_path):
    check_table(table(date=date), expected, tmp_path)


def test_parquet_timestamps_of_96_bits(expected, tmp_path):
    check_table(table(date=pa.timestamp("ns")), expected, tmp_path, use_deprecated_int96_timestamps=True)


def test_parquet_dates_as_text(expected, tmp_path):
    made = table()
    dates = [json.loads(as_json(row))["date"] for row in rows()]
    made = made.set_column(made.schema.get_field_index("date"), "date", pa.array(dates, pa.string()))
    check_table(made, expected, tmp_path)


def test_parquet_days_and_numbers_as_dates(tmp_path):
    day = datetime.date(2024, 2, 29)
    wanted = "2024-02-29T00:00:00Z"
    dates = {
        "date32": pa.array([day], pa.date32()),
        "int64": pa.array([1709164800], pa.int64()),
        "int64 in ms": pa.array([1709164800000], pa.int64()),
    }
    for name, date in dates.items():
        file = tmp_path / f"{name}.parquet"
        pq.write_table(pa.table({"url": ["http://a.example/"], "text": ["x"], "date": date}), file)
        index([file], tmp_path / name)
        assert [page["fetched"] for page in Corpus(tmp_path / name).export("pages")] == [wanted], name


@pytest.mark.parametrize(
    "options",
    [
        {"row_group_size": 7},
        {"data_page_version": "2.0", "compression": "zstd"},
        {"data_page_size": 64, "write_page_index": True},
        {"version": "1.0"},
        {"use_dictionary": False, "column_encoding": {"url": "DELTA_BYTE_ARRAY", "text": "DELTA_LENGTH_BYTE_ARRAY"}},
    ],
    ids=lambda options: next(iter(options)),
)
def test_parquet_layouts(options, expected, tmp_path):
    check_table(table(), expected, tmp_path, **options)


def test_a_damaged_group_of_parquet_costs_itself_alone(tmp_path):
    rows = {"url": [f"http://a.example/{number}" for number in range(4000)], "text": [f"words {number}" for number in range(4000)]}
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table(rows), file, row_group_size=1000, use_dictionary=False, compression="zstd")
    groups = pq.ParquetFile(file).metadata
    data = bytearray(file.read_bytes())
    for number in (1, 3):
        start = groups.row_group(number).column(1).data_page_offset
        data[start : start + 200] = b"\xff" * 200
    file.write_bytes(data)
    for memory in ("64M", "1G"):
        corpus = tmp_path / memory
        stats = index([file], corpus, "--memory", memory)
        assert (stats["pages"], stats["skipped"]["unreadable"]) == (2000, 2)
        assert json.loads(reprise("verify", corpus, "--archives", "--json"))["ok"]
        assert index([file], corpus)["sources"]["held"] == 1


def test_parquet_without_nulls_allowed(tmp_path):
    schema = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("text", pa.string(), nullable=False)])
    made = pa.table({"id": [7, 8], "text": ["one", "two"]}, schema=schema)
    pq.write_table(made, tmp_path / "rows.parquet")
    index([tmp_path / "rows.parquet"], tmp_path / "corpus")
    assert [page["url"] for page in Corpus(tmp_path / "corpus").export("pages")] == ["7", "8"]


@pytest.mark.parametrize(
    "ids, names",
    [
        (pa.array([5.0, None, 0.5], pa.float64()), ["5", "0.5"]),
        (pa.array([2**63 + 1, 7, None], pa.uint64()), ["9223372036854775809", "7"]),
        (pa.array([2**32 - 1, 7, None], pa.uint32()), ["4294967295", "7"]),
        (pa.array([b"ab", b"\xff\0", None], pa.binary(2)), ["ab", "ff00"]),
        (pa.array([b"\xff\xfe", None, b"cd"], pa.binary()), ["fffe", "cd"]),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_parquet_ids_of_every_type(ids, names, tmp_path):
    pq.write_table(pa.table({"id": ids, "text": ["x", "y", "z"]}), tmp_path / "rows.parquet")
    stats = index([tmp_path / "rows.parquet"], tmp_path / "corpus")
    assert [page["url"] for page in Corpus(tmp_path / "corpus").export("pages")] == names
    assert stats["skipped"]["no_url"] == 1


def test_rows_need_only_a_name_and_a_body(tmp_path):
    """The same odd rows as JSON and as Parquet."""
    lines = [
        '{"url": "a", "html": "", "text": "one", "score": NaN, "date": 1700000000.5}',
        '{"url": "b", "html": false, "text": "two", "ip": 16909060, "date": "Tue, 14 Nov 2023 22:13:20 GMT"}',
        '{"url": "x", "url": "c", "html": "<p>three", "date": 1700000000000000}',
        '{"url": "", "id": 4.0, "text": "four", "date": "1700000000"}',
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines) + "\n")
    columns = {
        "url": ["a", "b", "c", ""],
        "id": [None, None, None, 4.0],
        "html": ["", None, "<p>three", None],
        "text": ["one", "two", None, "four"],
        "ip": pa.array([None, 16909060, None, None], pa.int64()),
        "date": ["1700000000.5", "Tue, 14 Nov 2023 22:13:20 GMT", "1700000000000000", "1700000000"],
    }
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    for name in ["rows.jsonl", "rows.parquet"]:
        stats = index([tmp_path / name], tmp_path / f"{name}-corpus")
        pages = Corpus(tmp_path / f"{name}-corpus").export("pages")
        found = [(page["url"], page["content"], page["bytes"], page["ip"]) for page in pages]
        assert found == [("a", "plain", 3, None), ("b", "plain", 3, None), ("c", "html", 8, None), ("4", "plain", 4, None)]
        whole = "2023-11-14T22:13:20Z"
        assert [page["fetched"] for page in pages] == ["2023-11-14T22:13:20.500Z", whole, whole, whole]
        assert stats["skipped"].get("bad_row", 0) == 0


def test_rows_without_body_are_counted_and_the_rest_read(tmp_path):
    columns = {"url": ["http://a.example/", "http://b.example/", None], "html": ["<p>x", None, "<p>y"]}
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    lines = [json.dumps(dict(zip(columns, row))) for row in zip(*columns.values())]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines) + "\n")
    found = []
    for name in ("rows.parquet", "rows.jsonl"):
        stats = index([tmp_path / name], tmp_path / f"{name}-corpus")
        found.append((stats["pages"], stats["skipped"], stats["damaged"]))
        assert contents(tmp_path / f"{name}-corpus")[0][0]["url"] == "http://a.example/"
    assert found[0] == found[1]
    assert found[0][0] == 1


def test_export_can_be_indexed_again(expected, tmp_path):
    """A table that Reprise wrote is a table that Reprise reads."""
    (tmp_path / "rows.jsonl").write_bytes(jsonl())
    index([tmp_path / "rows.jsonl"], tmp_path / "corpus")
    exported = Corpus(tmp_path / "corpus").export_parquet("pages", tmp_path / "pages.parquet")
    bodies = pa.array([row["html"] or row["text"] for row in rows()])
    pq.write_table(exported.append_column("text", bodies), tmp_path / "again.parquet")
    stats = index([tmp_path / "again.parquet"], tmp_path / "again")
    assert stats["pages"] == len(rows())
    again, _ = contents(tmp_path / "again")
    assert [page["fingerprint"] for page in again] == [page["fingerprint"] for page in expected[0]]


def zstd(data: bytes) -> bytes:
    return pa.Codec("zstd").compress(data, asbytes=True)


def as_c4() -> bytes:
    """Rows as C4 has them: what they are called comes last, behind a long text. The first one is odd."""
    texts = [f"{number} " + 'many words, and "quotes" ' * 4000 for number in range(5)]
    lines = [json.dumps({"text": text, "timestamp": "2019-04-25T12:57:54Z", "url": f"http://a.example/{at}"}) for at, text in enumerate(texts)]
    return "\n".join(['{"note": "about this file"}', *lines, ""]).encode()


@pytest.mark.parametrize("name, pack", [("x.json", bytes), ("x.json.gz", gzip.compress), ("x.JSON.zst", zstd), ("x", bytes), ("-", bytes), ("-", gzip.compress)])
def test_rows_are_known_by_all_of_their_first_lines(name, pack, tmp_path):
    file = "-" if name == "-" else tmp_path / name
    if file != "-":
        file.write_bytes(pack(as_c4()))
    # Judged in the same way whatever the limits are.
    for flags, pages in [([], 5), (["--max-body", 1000], 0)]:
        stats = index([file], tmp_path / f"corpus{pages}", *flags, stdin=pack(as_c4()))
        assert (stats["pages"], stats["records"].get("file", 0)) == (pages, 0)
        assert stats["skipped"]["no_url"] == 1


@pytest.mark.parametrize(
    "text",
    ['{"name": "one document"}\n', '{\n  "url": "http://a.example/",\n  "text": "x"\n}\n', '{"rows": [\n{"url": "a", "text": "x"}\n]}\n'],
)
def test_a_json_document_is_a_file(text, tmp_path):
    (tmp_path / "x.json").write_text(text)
    stats = index([tmp_path / "x.json"], tmp_path / "corpus")
    assert (stats["pages"], stats["records"]) == (1, {"file": 1})


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress], ids=["plain", "gzip"])
def test_standard_input(pack, expected, tmp_path):
    index(["-"], tmp_path / "corpus", stdin=pack(jsonl()))
    assert contents(tmp_path / "corpus") == expected


def test_standard_input_of_an_archive(demo, tmp_path):
    archive = demo.archives[0]
    index(["-"], tmp_path / "piped", stdin=archive.read_bytes())
    index([archive], tmp_path / "named")
    assert contents(tmp_path / "piped") == contents(tmp_path / "named")


def test_pipes_and_devices_are_read_like_standard_input(demo, tmp_path):
    archive = demo.archives[0]
    index([archive], tmp_path / "named")
    command = f"'{binary()}' index <(cat '{archive}') --corpus {tmp_path / 'substituted'} -q"
    subprocess.run(["bash", "-c", command], check=True)
    index(["/dev/stdin"], tmp_path / "stdin", stdin=archive.read_bytes())
    with archive.open("rb") as file:
        subprocess.run([binary(), "index", "/dev/stdin", "--corpus", tmp_path / "redirected", "-q"], stdin=file, check=True)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(archive.read_bytes()))
    writer.start()
    index([tmp_path / "pipe"], tmp_path / "piped")
    writer.join(60)
    for corpus in ("substituted", "stdin", "redirected", "piped"):
        assert contents(tmp_path / corpus) == contents(tmp_path / "named"), corpus
        assert {row["name"] for row in Corpus(tmp_path / corpus).export("sources")} == {"-"}
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text("<p>" + "A label that comes through a pipe. " * 9))
    writer.start()
    assert json.loads(reprise("label", tmp_path / "pipe", "-o", tmp_path / "labels", "--json"))["pages"] == 1
    writer.join(60)


def test_what_tells_may_come_late_in_standard_input(tmp_path):
    rows = [json.dumps({"text": "word " * 300_000, "url": "http://a.example/"})]
    rows += [json.dumps({"text": f"row {number} " * 600, "url": f"http://a.example/{number}"}) for number in range(3000)]
    stats = index(["-"], tmp_path / "corpus", stdin="\n".join(rows).encode())
    assert stats["pages"] == 3001


def test_several_pipes(expected, tmp_path):
    """Each is read from its own bytes, wherever its copy lies."""
    pq.write_table(table(), tmp_path / "rows.parquet")
    pq.write_table(pa.table({"url": ["http://b.example/"], "text": ["other words"]}), tmp_path / "one.parquet")
    (tmp_path / "one.jsonl").write_text('{"url": "http://c.example/", "text": "more words"}\n')
    pipes = " ".join(f"<(cat '{tmp_path / name}')" for name in ("one.jsonl", "rows.parquet", "one.parquet"))
    subprocess.run(["bash", "-c", f"'{binary()}' index {pipes} --corpus '{tmp_path / 'corpus'}' -q"], check=True)
    index([tmp_path / name for name in ("one.jsonl", "rows.parquet", "one.parquet")], tmp_path / "named")
    assert contents(tmp_path / "corpus") == contents(tmp_path / "named")
    assert len(contents(tmp_path / "corpus")[0]) == len(expected[0]) + 2


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "-"])
def test_what_has_no_end_takes_no_more_than_a_page(name, tmp_path):
    with open("/dev/zero", "rb") as endless:
        run = [binary(), "index", name, "--corpus", tmp_path / "corpus", "--max-body", "2M", "--json"]
        done = subprocess.run(run, stdin=endless, capture_output=True, timeout=60, check=True)
    stats = json.loads(done.stdout)
    assert (stats["pages"], stats["skipped"]["too_large"]) == (0, 1)
    stats = index(["/dev/null"], tmp_path / "nothing", expect=2)
    assert stats["skipped"]["unreadable"] == 1


def test_what_is_no_file_in_a_directory_is_counted(tmp_path):
    directory = tmp_path / "web"
    directory.mkdir()
    (directory / "page.html").write_text("<p>One")
    os.mkfifo(directory / "pipe")
    (directory / "zero").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(directory / "socket"))
        stats = index([directory], tmp_path / "corpus")
    assert (stats["pages"], stats["skipped"]["unreadable"]) == (1, 3)
    assert all("pipe, socket or device" in row["detail"] for row in Corpus(tmp_path / "corpus").export("problems"))


def test_names_of_inputs(tmp_path):
    (tmp_path / "a b.html").write_text("<p>One")
    stats = index([(tmp_path / "a b.html").as_uri()], tmp_path / "corpus")
    assert stats["pages"] == 1
    assert "has no name" in reprise_says("index", "", "--corpus", tmp_path / "corpus")


def test_lists(demo, tmp_path):
    names = [str(archive) for archive in demo.archives]
    (tmp_path / "more").write_text("\n".join(names[2:]))
    (tmp_path / "list").write_text(f"# the demo\n{names[0]}\n\n  {names[1]}  \n@{tmp_path / 'more'}\n")
    index([f"@{tmp_path / 'list'}"], tmp_path / "corpus")
    assert contents(tmp_path / "corpus") == contents(demo.path)


def test_missing_inputs_are_refused_by_name(tmp_path):
    (tmp_path / "list").write_text("not-there.warc\n")
    for name in ("not-there.warc", f"@{tmp_path / 'list'}", f"@{tmp_path / 'no-list'}"):
        reprise("index", name, "--corpus", tmp_path / "corpus", expect=2)


@pytest.fixture
def site(tmp_path):
    """A directory of HTML files."""
    directory = tmp_path / "site"
    (directory / "deep" / "er").mkdir(parents=True)
    (directory / "index.html").write_text("<p>Home")
    (directory / "deep" / "größe 1.html").write_text("<p>Space")
    (directory / "deep" / "er" / "x.htm").write_text("<div>One<p>Two")
    (directory / "notes.txt").write_text("plain\n\ntext")
    return directory


def test_a_directory_with_base_url(site, tmp_path):
    index([site], tmp_path / "corpus", "--base-url", "https://www.example.org/docs/")
    pages = {page["url"]: page for page in Corpus(tmp_path / "corpus").export("pages")}
    base = "https://www.example.org/docs"
    assert {url: (page["content"], page["chunks"]) for url, page in pages.items()} == {
        f"{base}/index.html": ("html", 1),
        f"{base}/deep/gr%C3%B6%C3%9Fe%201.html": ("html", 1),
        f"{base}/deep/er/x.htm": ("html", 2),
        f"{base}/notes.txt": ("plain", 2),
    }
    assert {page["site"] for page in pages.values()} == {"example.org"}


@pytest.mark.parametrize("url", ["foo", "example.com", "http://", "", "https://my.example/?a=", "https://my.example/#a", "mid:a"])
def test_base_urls_that_are_none(url, site, tmp_path):
    for command in (("index", site, "--corpus", tmp_path / "c"), ("label", site, "-o", tmp_path / "l"), ("scan", site)):
        said = refused(*command, "--base-url", url, saying="https://my.example/docs/")
        assert "must be absolute and have a host" in said or "must not have a query or a fragment" in said
    assert not (tmp_path / "c").exists()


def test_a_directory_without_base_url(site, tmp_path):
    index([site], tmp_path / "corpus")
    urls = {page["url"] for page in Corpus(tmp_path / "corpus").export("pages")}
    assert urls == {file.as_uri() for file in site.rglob("*") if file.is_file()}


def test_tables_in_a_directory_are_read_as_tables(expected, tmp_path):
    (tmp_path / "rows").mkdir()
    pq.write_table(table(), tmp_path / "rows" / "part-0.parquet")
    index([tmp_path / "rows"], tmp_path / "corpus")
    assert contents(tmp_path / "corpus") == expected


def peak_mebibytes(*args, expect: int = 0) -> tuple[dict, int]:
    """Returns the JSON that the command prints, and its peak memory: the mark never falls, so the last look counts."""
    peak = 0
    with subprocess.Popen([str(binary()), *map(str, args)], stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{process.pid}/status").read_text()
                marks = [int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM:")]
                peak = max([peak, *marks])
            time.sleep(0.002)
        assert process.returncode == expect
        return json.load(process.stdout), peak


@pytest.mark.parametrize("rows, megabytes, expected", [(1, 600, 0), (64, 20, 0), (100, 1, 100)])
def test_parquet_that_unpacks_to_much_keeps_within_memory(rows, megabytes, expected, tmp_path):
    """Every row differs a little, lest it is in the file only once."""
    texts = ["<p>a" * (megabytes * 250_000 - 10) + str(row) for row in range(rows)]
    table = pa.table({"url": [f"http://a.example/{row}" for row in range(rows)], "html": pa.array(texts, pa.large_string())})
    pq.write_table(table, tmp_path / "x.parquet", compression="zstd", use_dictionary=False, write_batch_size=1)
    del texts, table
    run = ("index", tmp_path / "x.parquet", "--corpus", tmp_path / "c", "--memory", "64M", "--json")
    stats, peak = peak_mebibytes(*run, expect=0 if expected else 2)
    assert peak <= 64
    assert stats["pages"] == expected
    if expected == 0:
        [problem] = stats["examples"]
        assert problem["kind"] == "unreadable" and "bytes of memory" in problem["detail"]


@pytest.mark.parametrize("flags", [[], ["--shingles"]])
def test_pages_of_tiny_chunks_keep_within_memory(flags, tmp_path):
    """Tables that grow and are given back again and again: what they leave behind counts too."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    chunks = ["".join(chunk) for chunk in itertools.islice(itertools.product(letters, repeat=3), 209_000)]
    lines = [json.dumps({"url": f"http://a{row}.example/", "text": "\n\n".join(chunks[row:])}) for row in range(4)]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    stats, peak = peak_mebibytes("index", tmp_path / "x.jsonl", "--corpus", tmp_path / "c", "--memory", "64M", "--json", *flags)
    assert stats["pages"] == 4
    assert peak <= 64


def test_lines_are_longer_than_the_pages_in_them(tmp_path):
    """Escapes of other alphabets, and columns that are ignored."""
    rows = [{"url": "a", "text": "Юникод" * 80_000}, {"url": "b", "text": "x", "ignored": "y" * 3_000_000}, {"url": "c", "text": "z"}]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    flags = ["--corpus", tmp_path / "c", "--memory", "64M", "--json"]
    stats, peak = peak_mebibytes("index", tmp_path / "x.jsonl", *flags)
    assert (stats["pages"], stats["examples"]) == (3, [])
    assert peak <= 64
    (tmp_path / "y.jsonl").write_text(json.dumps({"url": "d", "text": "y" * 5_000_000}))
    stats, _ = peak_mebibytes("index", tmp_path / "y.jsonl", *flags)
    [problem] = stats["examples"]
    assert problem["detail"] == "a line of more than 4718592 bytes exceeds the body limit of 1048576 bytes"


def many_rows(rows: int, text: str) -> pa.Table:
    return pa.table({"url": [f"http://s{row}.com/{row}" for row in range(rows)], "text": [text % row for row in range(rows)]})


def with_columns(table: pa.Table, count: int) -> pa.Table:
    for column in range(count):
        table = table.append_column(f"c{column}", pa.array([column * row for row in range(table.num_rows)]))
    return table


@pytest.mark.parametrize(
    "table, options, memory, reason",
    [
        (lambda: many_rows(200_000, "w 0 " * 40 + "%d"), {}, "64M", None),
        (lambda: with_columns(many_rows(40_000, "text %d"), 300), {}, "64M", None),
        (lambda: many_rows(5_000, "text %d"), {"row_group_size": 1}, "64M", "the footer may take"),
        (lambda: many_rows(5_000, "text %d"), {"row_group_size": 1}, "128M", None),
        (lambda: many_rows(60_000, "word " * 90 + "%d"), {"data_page_size": 1 << 30, "use_dictionary": False}, "64M", "its pages take"),
        (lambda: many_rows(60_000, "word " * 90 + "%d"), {"data_page_size": 1 << 30, "use_dictionary": False}, "128M", None),
        (lambda: many_rows(100_000, "%d"), {"dictionary_pagesize_limit": 1 << 30, "data_page_size": 1 << 30}, "64M", "its pages take"),
    ],
    ids=["many", "wide", "groups", "groups within", "pages", "pages within", "dictionary"],
)
def test_parquet_of_any_shape_keeps_within_memory(table, options, memory, reason, tmp_path):
    pq.write_table(table(), tmp_path / "x.parquet", **options)
    run = ("index", tmp_path / "x.parquet", "--corpus", tmp_path / "c", "--memory", memory, "--json")
    stats, peak = peak_mebibytes(*run, expect=2 if reason else 0)
    assert peak <= int(memory.rstrip("M"))
    if reason is None:
        assert stats["pages"] == pq.read_metadata(tmp_path / "x.parquet").num_rows
    else:
        [problem] = stats["examples"]
        assert problem["kind"] == "unreadable" and problem["detail"].startswith(reason) and "bytes of memory" in problem["detail"]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [False, True])
def test_pages_of_parquet_of_every_kind_are_measured(version, dictionary, tmp_path):
    """Statistics with long texts, nulls, dictionaries, many small pages: headers of pages of all kinds."""
    rows = [
        {"id": row, "html": None if row % 7 == 3 else f"<p>{row % 50}" * (row % 90), "text": "x" * row if row % 7 == 3 else None}
        for row in range(5000)
    ]
    pq.write_table(
        pa.Table.from_pylist(rows),
        tmp_path / "x.parquet",
        data_page_version=version,
        use_dictionary=dictionary,
        data_page_size=2000,
        row_group_size=1700,
        write_page_checksum=True,
    )
    assert index([tmp_path / "x.parquet"], tmp_path / "c")["pages"] == 5000
    assert json.loads(reprise("verify", tmp_path / "c", "--archives", "--json"))["ok"]
