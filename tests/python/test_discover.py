"""What `discover` says and writes is what SQL counts in the tables of the corpus."""

import hashlib
import json
import re
from collections import Counter

import pytest

from corpus import Corpus
from expected import auto_threshold, labels_in, objects
from tool import index, reprise

COUNTS = ("occurrences", "pages", "sites")
LEVELS = ("chunk", "file")


@pytest.fixture(scope="session")
def all_objects():
    """Every distinct object of a corpus, counted once for all tests."""
    known = {}

    def of(corpus: Corpus, level: str) -> list[dict]:
        key = (corpus.path, level)
        if key not in known:
            known[key] = objects(corpus, level)
        return known[key]

    return of


def reason(row: dict, min_length: int, listed: set) -> str | None:
    """Why an object is a stop chunk."""
    if not row["visible"]:
        return "no_text"
    if row["chars"] < min_length:
        return "short"
    return "listed" if row["fingerprint"] in listed else None


def discover(corpus: Corpus, labels, *flags) -> dict:
    return json.loads(reprise("discover", corpus.path, "-o", labels, "--json", *flags))


def compare(corpus, found, labels, rows, *, level="chunk", count="occurrences", threshold="auto", min_length=0, listed=(), top=20):
    """Everything that was said and written against the counted rows."""
    total = sum(row["occurrences"] for row in rows)
    limit = auto_threshold(level, count, total) if threshold == "auto" else threshold
    reasons = {row["fingerprint"]: reason(row, min_length, set(listed)) for row in rows}
    over = [row for row in rows if row[count] > limit and not reasons[row["fingerprint"]]]
    stops = Counter(why for why in reasons.values() if why)
    assert (found["level"], found["count"], found["threshold"]) == (level, count, limit)
    assert found["threshold_auto"] == (threshold == "auto")
    assert (found["objects"], found["distinct"], found["labeled"]) == (total, len(rows), len(over))
    assert found["stop"] == stops.total()
    assert found["stop_reasons"] == {why: stops[why] for why in ("no_text", "short", "listed")}
    assert found["frequency"] == [list(pair) for pair in sorted(Counter(row[count] for row in rows).items())]
    missed = [row[count] for row in rows if row[count] <= limit and not reasons[row["fingerprint"]]]
    assert found["nearest"] == max(missed, default=0)
    first = sorted(over, key=lambda row: (-row[count], row["fingerprint"]))[:top]
    named = ("fingerprint", "chars", *COUNTS)
    assert [{name: row[name] for name in named} for row in found["top"]] == [{name: row[name] for name in named} for row in first]
    kept = ("fingerprint", "chars", *COUNTS, "url", "site", "fetched")
    wanted = [{name: row[name] for name in kept} | {"level": level, "name": ""} for row in over]
    assert labels_in(labels) == wanted
    if over:
        assert found["notes"] == []
    else:
        assert found["notes"]


@pytest.mark.parametrize("name", ["demo", "demo_in_segments"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("count", COUNTS)
def test_counts_and_labels(name, level, count, request, all_objects, tmp_path):
    corpus = request.getfixturevalue(name)
    rows = all_objects(corpus, level)
    for threshold in ("auto", 0, 1, 5, 10**6):
        flags = ("--level", level, "--count", count, "--threshold", threshold)
        found = discover(corpus, tmp_path / "labels", *flags)
        compare(corpus, found, tmp_path / "labels", rows, level=level, count=count, threshold=threshold)


def fold(text: str) -> str:
    """The markup form of a chunk."""
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


@pytest.mark.parametrize(("name", "kind"), [("demo_in_segments", "sha256"), ("demo_sha1", "sha1")])
def test_stop_chunks(name, kind, request, all_objects, tmp_path):
    """A list of fingerprints and of texts, and a least length."""
    corpus = request.getfixturevalue(name)
    rows = all_objects(corpus, "chunk")
    plain = discover(corpus, tmp_path / "labels", "--top", 40)
    for object in plain["top"]:
        assert hashlib.new(kind, fold(object["text"]).encode()).digest()[:20].hex() == object["fingerprint"]
    by_text, by_print = plain["top"][:15], plain["top"][15:30]
    lines = [" ".join(object["text"].split("\n")) for object in by_text]
    lines += [object["fingerprint"].upper() if at % 2 else object["fingerprint"] for at, object in enumerate(by_print)]
    (tmp_path / "stop").write_text("\n" + "\r\n\n".join(lines) + "\nno such chunk\n")
    listed = {object["fingerprint"] for object in plain["top"][:30]}
    for min_length in (0, 80, 10**6):
        flags = ("--stop", tmp_path / "stop", "--min-length", min_length, "--top", 5)
        found = discover(corpus, tmp_path / "stopped", *flags)
        compare(corpus, found, tmp_path / "stopped", rows, min_length=min_length, listed=listed, top=5)


def test_files_shorter_than_asked_for(demo, all_objects, tmp_path):
    flags = ("--level", "file", "--min-length", 5000, "--threshold", 1)
    found = discover(demo, tmp_path / "labels", *flags)
    compare(demo, found, tmp_path / "labels", all_objects(demo, "file"), level="file", threshold=1, min_length=5000)


def test_top_names_pages_that_hold_it(demo, tmp_path):
    pages = {}
    for chunk in demo.export("chunks"):
        pages.setdefault(chunk["fingerprint"], set()).add(chunk["url"])
    for object in discover(demo, tmp_path / "labels", "--top", 200)["top"]:
        assert object["url"] == object["urls"][0] and set(object["urls"]) <= pages[object["fingerprint"]]
    assert discover(demo, tmp_path / "labels", "--top", 0)["top"] == []


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("count", COUNTS)
def test_segments_change_no_label(level, count, demo, demo_in_segments, tmp_path):
    flags = ("--level", level, "--count", count)
    one = discover(demo, tmp_path / "one", *flags)
    several = discover(demo_in_segments, tmp_path / "several", *flags)
    assert labels_in(tmp_path / "one") == labels_in(tmp_path / "several")
    assert one == several


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Corpus:
    """More distinct chunks than fit in 64 MB at once; some of them on two sites, in two segments."""
    path = tmp_path_factory.mktemp("large") / "corpus"
    three = [f"<p>three {number}" for number in range(100_000)] * 3
    four = [f"<p>four {number}" for number in range(150_000)] * 4
    for site, pieces in (("a", three + four), ("b", three[:20_000])):
        page = {"url": f"http://{site}.example/", "html": "".join(pieces)}
        index(["-"], path, stdin=json.dumps(page).encode() + b"\n")
    return Corpus(path)


@pytest.mark.parametrize("count", COUNTS)
def test_little_memory_changes_no_byte(count, large, tmp_path):
    flags = ("--count", count, "--threshold", 0, "--top", 3)
    wide = discover(large, tmp_path / "wide", *flags, "--memory", "2G")
    narrow = discover(large, tmp_path / "narrow", *flags, "--memory", "64M")
    assert wide == narrow and wide["labeled"] == 250_000
    assert (tmp_path / "wide").read_bytes() == (tmp_path / "narrow").read_bytes()


def test_auto_grows_with_the_corpus(large, tmp_path):
    """Over 810,000 chunks, more than three occurrences are asked for."""
    found = discover(large, tmp_path / "labels", "--top", 1)
    assert (found["objects"], found["threshold"], found["labeled"]) == (920_000, 3, 170_000)


@pytest.mark.parametrize(
    ("level", "count", "threshold"),
    [("chunk", "sites", "auto"), ("chunk", "occurrences", 7), ("file", "pages", 1)],
)
def test_a_real_manual(level, count, threshold, pg, all_objects, tmp_path):
    """PostgreSQL's, three versions as three sites, in three segments, without fetch times."""
    assert len(pg.segments) == 3
    flags = ("--level", level, "--count", count, "--threshold", threshold)
    found = discover(pg, tmp_path / "labels", *flags)
    compare(pg, found, tmp_path / "labels", all_objects(pg, level), level=level, count=count, threshold=threshold)
    assert found["labeled"] > 0


def test_the_earliest_page_is_named(tmp_path):
    """By fetch time, whatever the order; pages without a time come last; of equal ones, the first."""
    text = "<p>a paragraph that several pages hold</p>"
    runs = [[("a", None), ("b", "2024-03-01"), ("c", "2024-02-01")], [("d", "2024-01-05"), ("e", "2024-01-05"), ("f", None)]]
    for run in runs:
        lines = [json.dumps({"url": f"http://{name}.example/", "html": text + f"<p>{name}", "date": date}) for name, date in run]
        index(["-"], tmp_path / "corpus", stdin="\n".join(lines).encode() + b"\n")
    corpus = Corpus(tmp_path / "corpus")
    found = discover(corpus, tmp_path / "labels")
    compare(corpus, found, tmp_path / "labels", objects(corpus, "chunk"))
    (label,) = labels_in(tmp_path / "labels")
    assert (label["url"], label["occurrences"], label["sites"]) == ("http://d.example/", 6, 6)
