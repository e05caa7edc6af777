"""`remove`: what is left says what a corpus of the rest would say."""

import gzip
import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus import Corpus
from expected import labels_in
from tool import index, reprise, reprise_says, run

TOTALS = ("pages", "chunks", "distinct_chunks", "sites", "segments", "bytes_body", "records", "skipped")


def segments_of(path) -> dict[int, dict]:
    listed = json.loads(reprise("remove", path, "--json"))
    assert listed["removed"] == []
    return {segment["number"]: segment for segment in listed["segments"]}


def files_of(path) -> dict:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file() and file.name != "lock"}


@pytest.fixture(scope="module")
def by_archive(demo, tmp_path_factory):
    """The demo, a segment for each archive."""
    path = tmp_path_factory.mktemp("by-archive") / "corpus"
    for archive in demo.archives:
        index([archive], path)
    return path


@pytest.fixture
def corpus(by_archive, tmp_path):
    """A copy to remove from."""
    return shutil.copytree(by_archive, tmp_path / "corpus")


def results(path, out) -> tuple:
    """What all commands say of a corpus."""
    said = []
    for flags in (("--count", "sites"), ("--count", "occurrences"), ("--level", "file")):
        said.append(json.loads(reprise("discover", path, "-o", out / "labels", "--json", *flags)))
        said.append(labels_in(out / "labels"))
        said.append(json.loads(reprise("detect", path, "--labels", out / "labels", "--json")))
    info = json.loads(reprise("info", path, "--json"))
    said.append({name: info[name] for name in TOTALS})
    return said


@pytest.mark.parametrize("gone", [(1,), (4,), (7,), (2, 3, 6)])
def test_results_follow(gone, corpus, demo, tmp_path):
    flags = [flag for number in gone for flag in ("--segment", number)]
    said = json.loads(reprise("remove", corpus, "--json", *flags))
    assert said["removed"] == list(gone)
    left = segments_of(corpus)
    assert left.keys() == {1, 2, 3, 4, 5, 6, 7} - set(gone)
    assert {path.name for path in (corpus / "segments").iterdir()} == {f"{number:08}" for number in left}
    rest = tmp_path / "rest"
    for number in left:
        index([demo.archives[number - 1]], rest)
    assert results(corpus, tmp_path) == results(rest, tmp_path)
    assert json.loads(reprise("verify", corpus, "--json"))["ok"]


def test_what_was_removed_can_be_indexed_again(corpus, demo, tmp_path):
    before = results(corpus, tmp_path)
    reprise("remove", corpus, "--segment", 7)
    stats = index(demo.archives, corpus)
    assert (stats["sources"]["held"], stats["sources"]["read"]) == (len(demo.archives) - 1, 1)
    # A number is not used twice.
    assert segments_of(corpus).keys() == {1, 2, 3, 4, 5, 6, 8}
    assert results(corpus, tmp_path) == before


def written(kind: str, path):
    """A file of many pages, that takes several segments."""
    rows = [{"url": f"http://h{row % 7}.example/{row}", "html": "".join(f"<p>piece {row} {part}</p>" for part in range(30))} for row in range(4000)]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    records = [
        f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {row['url']}\r\nContent-Type: text/html\r\n"
        f"Content-Length: {len(row['html'])}\r\n\r\n{row['html']}\r\n\r\n".encode()
        for row in rows
    ]
    contents = {
        "x.warc": lambda: b"".join(records),
        "x.warc.gz": lambda: b"".join(map(gzip.compress, records)),
        "whole.warc.gz": lambda: gzip.compress(b"".join(records)),
        "x.jsonl": lambda: lines,
        "x.jsonl.gz": lambda: gzip.compress(lines),
    }
    if kind == "x.parquet":
        pq.write_table(pa.Table.from_pylist(rows), path / kind, row_group_size=700)
    else:
        (path / kind).write_bytes(contents[kind]())
    return path / kind


@pytest.mark.parametrize("kind", ["x.warc", "x.warc.gz", "whole.warc.gz", "x.jsonl", "x.jsonl.gz", "x.parquet"])
def test_parts_of_a_source_are_indexed_again(kind, tmp_path):
    source, corpus = written(kind, tmp_path), tmp_path / "corpus"
    flags = ("--segment-size", "1M", "--memory", "64M")
    index([source], corpus, *flags)

    def pages():
        return sorted((page["url"], page["fingerprint"], page["offset"], page["within"]) for page in Corpus(corpus).export("pages"))

    before = pages()
    assert len(before) == 4000
    numbers = sorted(segments_of(corpus))
    assert len(numbers) >= 4
    first, second, *_, last = numbers
    for gone in [(first,), (second,), (last,), (first, last)]:
        gone = [sorted(segments_of(corpus))[numbers.index(number)] for number in gone]
        reprise("remove", corpus, *(flag for number in gone for flag in ("--segment", number)))
        assert len(pages()) < 4000
        stats = index([source], corpus, *flags)
        assert stats["sources"] == {"read": 1, "held": 0, "continued": 1, "changed": 0}
        assert pages() == before
        assert json.loads(reprise("verify", corpus, "--archives", "--json"))["ok"]
        assert index([source], corpus, *flags)["sources"]["held"] == 1


@pytest.mark.parametrize("size", [5_000, 40_000])
def test_parts_are_indexed_again_with_other_limits(size, tmp_path):
    """Where a part begins means the same in every run: whether a file is one compressed stream is not up to the limits."""
    html = "".join(f"<p>{number}" for number in range(size // 8))
    rows = range(700)
    records = b"".join(
        f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.example/{row}\r\nContent-Type: text/html\r\n"
        f"Content-Length: {len(html)}\r\n\r\n{html}\r\n\r\n".encode()
        for row in rows
    )
    source, corpus = tmp_path / "whole.warc.gz", tmp_path / "corpus"
    source.write_bytes(gzip.compress(records))
    index([source], corpus, "--segment-size", "300K", "--memory", "64M", "--max-ratio", "5000")
    number = sorted(segments_of(corpus))[-1]
    reprise("remove", corpus, "--segment", number)
    index([source], corpus, "--memory", "4G", "--max-ratio", "5000")
    assert sorted(page["url"] for page in Corpus(corpus).export("pages")) == sorted(f"http://h.example/{row}" for row in rows)
    assert json.loads(reprise("verify", corpus, "--archives", "--json"))["ok"]


def test_all_of_it(corpus, tmp_path):
    reprise("remove", corpus, *(flag for number in range(1, 8) for flag in ("--segment", number)))
    assert segments_of(corpus) == {}
    assert reprise("remove", corpus) == "the corpus has no segments\n"
    assert json.loads(reprise("discover", corpus, "--json"))["notes"]


@pytest.mark.parametrize("table", ["pages", "fingerprints", "sources"])
@pytest.mark.parametrize("how", ["cut", "gone"])
def test_a_damaged_segment_can_be_removed(table, how, corpus, demo):
    before = json.loads(reprise("info", corpus, "--json"))
    file = corpus / "segments" / "00000003" / f"{table}.parquet"
    if how == "cut":
        with file.open("r+b") as opened:
            opened.truncate(file.stat().st_size // 2)
    else:
        file.unlink()
    repair = {"action": "remove_segments", "corpus": str(corpus), "segments": [3]}
    command = f"`reprise remove {corpus} --segment 3`"
    # The figures that do not need the table are printed, and how to repair the damage.
    info = json.loads(reprise("info", corpus, "--json", expect=1))
    assert (info["pages"], info["segments"]) == (sum(segment["pages"] for segment in segments_of(corpus).values()), 7)
    assert [damage["path"] for damage in info["damage"]] == [str(file)] and info["repair"] == repair
    assert None in (info["distinct_chunks"], info["sites"], info["sources"])
    assert "unknown" in reprise("info", corpus, expect=1)
    found = json.loads(reprise("verify", corpus, "--json", expect=1))
    assert [damage["path"] for damage in found["damage"]] == [str(file)] and found["repair"] == repair
    said = reprise_says("index", *demo.archives, "--corpus", corpus) if table == "sources" else ""
    assert not said or command in said
    assert command in reprise("verify", corpus, expect=1)
    assert command in run("info", corpus, stdin=None, cwd=None, expect=1).stderr.decode()
    listed = segments_of(corpus)
    assert [number for number, segment in listed.items() if segment["damage"]] == ([3] if table == "pages" else [])
    reprise("remove", corpus, "--older-than", "1990-01-01")
    assert json.loads(reprise("remove", corpus, "--segment", 3, "--json"))["removed"] == [3]
    index(demo.archives, corpus)
    assert json.loads(reprise("verify", corpus, "--json"))["ok"]
    after = json.loads(reprise("info", corpus, "--json"))
    assert {name: after[name] for name in TOTALS} == {name: before[name] for name in TOTALS}


def test_a_dry_run_changes_nothing(corpus):
    before = files_of(corpus)
    said = json.loads(reprise("remove", corpus, "--segment", 2, "--segment", 2, "--dry-run", "--json"))
    assert (said["removed"], said["dry_run"]) == ([2], True)
    assert json.loads(reprise("remove", corpus, "--json"))["dry_run"] is False
    text = reprise("remove", corpus, "--segment", 2, "--dry-run")
    assert text.count("would be removed") == 1 and text.count("kept") == 6
    assert reprise("remove", corpus).count("kept") == 7
    assert files_of(corpus) == before


@pytest.mark.parametrize("numbers", [("99",), ("0",), ("1", "99"), ("x",), ("-1",)])
def test_segments_that_are_not_there(numbers, corpus):
    before = files_of(corpus)
    assert reprise("remove", corpus, *(f"--segment={number}" for number in numbers), expect=2) == ""
    assert files_of(corpus) == before


def page(number: int, date: str | None) -> bytes:
    return json.dumps({"url": f"http://a.example/{number}", "html": f"<p>{number}", "date": date}).encode() + b"\n"


@pytest.fixture
def dated(tmp_path) -> Corpus:
    """Segments of 2023, of 2023 and 2024, of 2024, and without a date."""
    path = tmp_path / "dated"
    index(["-"], path, stdin=page(1, "2023-01-01T00:00:00Z") + page(2, "2023-12-31T23:59:59.999Z"))
    index(["-"], path, stdin=page(3, "2023-05-01T00:00:00Z") + page(4, "2024-01-01T00:00:00Z") + page(5, None))
    index(["-"], path, stdin=page(6, "2024-06-01T00:00:00Z"))
    index(["-"], path, stdin=page(7, None))
    return Corpus(path)


@pytest.mark.parametrize(
    ("date", "gone"),
    [("2023-12-31", []), ("2024-01-01", [1]), ("2024-01-01T00:00:00Z", [1]), ("2024-01-02", [1, 2]), ("2030-01-01", [1, 2, 3])],
)
def test_older_than(date, gone, dated):
    """By the newest page of a segment; what has no date is never old."""
    listed = segments_of(dated.path)
    assert [listed[number]["newest"] for number in (3, 4)] == ["2024-06-01T00:00:00Z", None]
    for flags in (("--dry-run",), ()):
        said = json.loads(reprise("remove", dated.path, "--older-than", date, "--json", *flags))
        assert said["removed"] == gone
        assert segments_of(dated.path).keys() == {1, 2, 3, 4} - set(() if flags else gone)
    left = {segment.path.name for segment in dated.segments}
    assert left == {f"{number:08}" for number in {1, 2, 3, 4} - set(gone)}


@pytest.mark.parametrize("date", ["yesterday", "", "2024-13-01", "2024-02-30", "9999-5-6xyz"])
def test_no_date(date, dated):
    assert reprise("remove", dated.path, "--older-than", date, expect=2) == ""
    assert segments_of(dated.path).keys() == {1, 2, 3, 4}


def test_a_number_and_a_date(dated):
    said = json.loads(reprise("remove", dated.path, "--older-than", "2024-01-01", "--segment", 4, "--segment", 1, "--json"))
    assert said["removed"] == [1, 4]
