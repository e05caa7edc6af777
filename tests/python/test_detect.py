"""What `detect` says and writes is what follows from the definitions."""

import json

import pyarrow.parquet as pq
import pytest
from pytest import approx

from conftest import demo_again
from expected import Detected, Spread, labels_in, milliseconds, prefixes
from tool import index, reprise

CLOSE = 1e-9
LABEL_MIN_LENGTH = 100


@pytest.fixture(scope="module")
def demo_labels(demo, tmp_path_factory):
    """Discovered labels of chunks of the demo."""
    file = tmp_path_factory.mktemp("labels") / "demo"
    reprise("discover", demo.path, "--count", "sites", "-o", file)
    return file


def detect(corpus, labels, out, *flags) -> dict:
    return json.loads(reprise("detect", corpus.path, "--labels", labels, "-o", out, "--json", *flags))


def table(out, name) -> list[dict]:
    return pq.read_table(out / f"{name}.parquet").to_pylist()


def compare_spread(found: dict, over: int, spread: Spread):
    assert found["mean"] == approx(spread.mean, abs=CLOSE)
    assert found["stddev"] == approx(spread.stddev, abs=CLOSE)
    assert found["threshold"] == approx(spread.threshold, abs=CLOSE)
    assert over == spread.over
    assert found["histogram"] == spread.histogram()


def compare_pages(expected: Detected, found: dict, out, threshold):
    rows = table(out, "pages")
    for row, page in zip(rows, expected.pages, strict=True):
        for name in ("url", "site", "matched", "chunks", "contains", "file_matched"):
            assert row[name] == (approx(page[name], abs=CLOSE) if name == "contains" else page[name]), row
        assert milliseconds(row["fetched"]) == page["fetched"]
        compare_source(expected, row, page)
    pages = found["pages"]
    counted = [page for page in expected.pages if page["contains"] is not None]
    assert (pages["total"], pages["counted"], pages["own"]) == (len(expected.pages), len(counted), expected.own)
    assert pages["matched"] == sum(page["matched"] > 0 for page in expected.pages)
    compare_spread(pages, pages["targets"], expected.spread(threshold))
    worst = sorted(counted, key=lambda page: (-page["contains"], -page["matched"], page["url"]))
    worst = [page for page in worst if page["matched"]][:20]
    assert [(page["url"], page["matched"], page["chunks"]) for page in pages["top"]] == [
        (page["url"], page["matched"], page["chunks"]) for page in worst
    ]
    assert found["labels"] == len(expected.labels)
    assert found["matched"] == {
        "chunks": sum(page["matched"] for page in expected.pages),
        "files": sum(page["file_matched"] for page in expected.pages),
        "labels_seen": expected.labels_seen,
    }


def compare_source(expected: Detected, row: dict, page: dict):
    """The source of a page is a page of another site that one of its labels comes from."""
    others = [expected.labels[number] for number in page["labels"] if expected.labels[number]["site"] != page["site"]]
    assert (row["source_url"] is None) == (not others)
    if others:
        places = {(label["url"], label["site"], label["fetched"]) for label in others}
        assert (row["source_url"], row["source_site"], milliseconds(row["source_fetched"])) in places


def compare_neighborhoods(expected: dict, found: dict, out, threshold):
    rows = table(out, "neighborhoods")
    assert len(rows) == len(expected)
    for row in rows:
        depth, pages, badness, matched, chunks = expected[row["prefix"]]
        assert (row["depth"], row["pages"], row["matched"], row["chunks"]) == (depth, pages, matched, chunks), row
        assert row["badness"] == approx(badness, abs=CLOSE), row
    neighborhoods = found["neighborhoods"]
    assert neighborhoods["total"] == len(expected)
    # From the shares as written: whether equal ones are over their own mean is a matter of the last bit.
    compare_spread(neighborhoods, neighborhoods["bad"], Spread([row["badness"] for row in rows], threshold))
    worst = sorted((row for row in rows if row["matched"]), key=lambda row: (-row["badness"], -row["pages"], row["prefix"]))
    assert [row["prefix"] for row in neighborhoods["top"]] == [row["prefix"] for row in worst[:20]]


def compare_pairs(expected: Detected, found: dict, out):
    names = ("copier", "source", "chunks", "pages")
    rows = [tuple(row[name] for name in names) for row in table(out, "sites")]
    assert rows == expected.pairs
    assert [tuple(row[name] for name in names) for row in found["sites"]] == expected.pairs[:1000]
    assert found["site_pairs"] == len(expected.pairs)
    linked = {(copier, source) for copier, source, *_ in expected.pairs}
    assert found["rings"] == sum((source, copier) in linked for copier, source in linked) // 2


def compare(corpus, labels, out, flags=(), *, limits=(None, None), shape=None, **how):
    """Runs detection with the flags and compares everything with what is expected."""
    found = detect(corpus, labels, out, *flags)
    expected = Detected(corpus, labels_in(labels), **how)
    compare_pages(expected, found, out, limits[0])
    compare_neighborhoods(expected.neighborhoods(**(shape or {})), found, out, limits[1])
    compare_pairs(expected, found, out)
    assert found["notes"] == []
    return found


CASES = {
    "plain": ((), {}),
    "pooled": (("--badness", "pooled"), {"shape": {"badness": "pooled"}}),
    "hosts": (("--depth", 1), {"shape": {"depth": 1}}),
    "two levels, pooled": (("--depth", 2, "--badness", "pooled"), {"shape": {"depth": 2, "badness": "pooled"}}),
    "large neighbourhoods": (("--min-pages", 5), {"shape": {"min_pages": 5}}),
    "large pages": (("--min-chunks", 12), {"min_chunks": 12}),
    "fixed thresholds": (("--page-threshold", 0.5, "--neighborhood-threshold", 0), {"limits": (0.5, 0.0)}),
    "highest thresholds": (("--page-threshold", 1, "--neighborhood-threshold", "1.0"), {"limits": (1.0, 1.0)}),
    "long chunks": (("--min-length", 300), {"min_length": 300}),
}


@pytest.mark.parametrize("case", CASES)
def test_discovered_labels(case, demo, demo_labels, tmp_path):
    flags, how = CASES[case]
    found = compare(demo, demo_labels, tmp_path, flags, **how)
    assert found["pages"]["matched"] > 100 and found["neighborhoods"]["total"] > 10


def test_segments_change_nothing(demo, demo_in_segments, demo_labels, tmp_path):
    one = detect(demo, demo_labels, tmp_path / "one")
    several = compare(demo_in_segments, demo_labels, tmp_path / "several")
    assert one == several
    for name in ("pages", "neighborhoods", "sites"):
        assert table(tmp_path / "one", name) == table(tmp_path / "several", name)


def test_little_memory_changes_nothing(demo, demo_labels, tmp_path):
    assert detect(demo, demo_labels, tmp_path / "a") == detect(demo, demo_labels, tmp_path / "b", "--memory", "64M")
    for name in ("pages", "neighborhoods", "sites"):
        file = f"{name}.parquet"
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_labels_of_files(demo, tmp_path):
    reprise("discover", demo.path, "--level", "file", "--threshold", 1, "-o", tmp_path / "labels")
    found = detect(demo, tmp_path / "labels", tmp_path / "out")
    expected = Detected(demo, labels_in(tmp_path / "labels"))
    compare_pages(expected, found, tmp_path / "out", None)
    assert found["matched"]["files"] > 40 and found["matched"]["chunks"] == 0


def test_a_list_of_stop_chunks(demo, demo_labels, tmp_path):
    listed = [row["fingerprint"] for row in labels_in(demo_labels)[::3]]
    (tmp_path / "stop").write_text("\n".join(listed) + "\n")
    compare(demo, demo_labels, tmp_path / "out", ("--stop", tmp_path / "stop"), listed=listed)


def test_hash_of_the_papers(demo_sha1, tmp_path):
    reprise("discover", demo_sha1.path, "-o", tmp_path / "labels")
    compare(demo_sha1, tmp_path / "labels", tmp_path / "out")


@pytest.mark.parametrize("case", ["plain", "pooled", "hosts", "large pages", "fixed thresholds"])
def test_a_manual_in_its_later_versions(case, pg_newer, pg13_labels, tmp_path):
    """Version 13 is labelled, 15 and 18 are looked through."""
    flags, how = CASES[case]
    found = compare(pg_newer, pg13_labels, tmp_path, flags, **({"min_length": LABEL_MIN_LENGTH} | how))
    assert found["pages"]["own"] == 0
    assert {(pair["copier"], pair["source"]) for pair in found["sites"]} == {
        ("pg15.example", "pg13.example"),
        ("pg18.example", "pg13.example"),
    }


def test_elsewhere(pg, pg13_labels, tmp_path):
    """Pages on the labels' own site are left out, or are all found."""
    with_own = compare(pg, pg13_labels, tmp_path / "with", min_length=LABEL_MIN_LENGTH)
    without = compare(pg, pg13_labels, tmp_path / "without", ("--elsewhere",), min_length=LABEL_MIN_LENGTH, elsewhere=True)
    own = [page for page in table(tmp_path / "with", "pages") if page["site"] == "pg13.example"]
    assert without["pages"]["own"] == len(own) > 1000
    assert with_own["pages"]["total"] == without["pages"]["total"] + len(own)
    assert all(page["file_matched"] and page["contains"] in (1.0, None) for page in own)


def test_detection_adds_up(pg15, pg18, pg_newer, pg13_labels, tmp_path):
    """Of two corpora without a common neighbourhood: what is in both is what is in the one and in the other."""
    corpora = {"1": pg15, "2": pg18, "3": pg_newer}
    one, other, both = (detect(corpus, pg13_labels, tmp_path / name) for name, corpus in corpora.items())
    for name in ("pages", "neighborhoods", "sites"):
        rows = [sorted(table(tmp_path / at, name), key=str) for at in ("1", "2", "3")]
        assert sorted(rows[0] + rows[1], key=str) == rows[2]
    for name in ("chunks", "files"):
        assert both["matched"][name] == one["matched"][name] + other["matched"][name]
    for name in ("total", "counted", "matched"):
        assert both["pages"][name] == one["pages"][name] + other["pages"][name]


def test_pages_add_up(demo, demo_labels, tmp_path, tmp_path_factory):
    """The archives of the demo, one half and the other, which share neighbourhoods."""
    for name, archives in (("1", demo.archives[:3]), ("2", demo.archives[3:])):
        index(archives, tmp_path / name)
        reprise("detect", tmp_path / name, "--labels", demo_labels, "-o", tmp_path / f"out{name}")
    detect(demo_again(demo, tmp_path_factory), demo_labels, tmp_path / "out3")
    assert table(tmp_path / "out1", "pages") + table(tmp_path / "out2", "pages") == table(tmp_path / "out3", "pages")


def test_labels_of_several_sites(tmp_path):
    """A label that two pages hold belongs to the earlier one; ports, queries and odd paths are no trouble."""
    long = ["<p>" + f"{word} " * 30 for word in ("one", "two", "three", "four")]
    sources = [("http://late.example/", "2024-02-02", long[:3]), ("http://early.example/a/", "2024-01-01", long[1:])]
    pages = [
        ("http://late.example/x/y/z.html", long),
        ("http://early.example:8080/q?u=/r/s/", long[:2] * 2),
        ("https://Third.Example/x//y/#/f/", long + ["<p>" + "new " * 30]),
        ("http://third.example", long[:1]),
        ("http://[2001:db8::1]:80/v6/a", long[2:]),
        ("file:///tmp/d/a.html", long[:1]),
        ("only an id", long[:2]),
        ("shelf/only an id", long[:2]),
    ]
    rows = [{"url": url, "date": date, "html": "".join(parts)} for url, date, parts in sources]
    (tmp_path / "sources.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = [{"url": url, "html": "".join(parts)} for url, parts in pages]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    reprise("label", tmp_path / "sources.jsonl", "-o", tmp_path / "labels")
    index([tmp_path / "pages.jsonl"], tmp_path / "corpus")
    corpus = type("Made", (), {"path": tmp_path / "corpus"})
    found = compare(corpus, tmp_path / "labels", tmp_path / "out", min_length=LABEL_MIN_LENGTH)
    assert found["pages"]["matched"] == len(pages)
    assert found["neighborhoods"]["total"] == 14
    compare(corpus, tmp_path / "labels", tmp_path / "else", ("--elsewhere",), min_length=LABEL_MIN_LENGTH, elsewhere=True)


def test_neighborhoods_as_they_are_meant():
    """The tests' own idea of a neighbourhood, spelled out."""
    assert prefixes("http://a.org/x/y/z.html?q=/w/", "a.org") == ["a.org/", "a.org/x/", "a.org/x/y/"]
    assert prefixes("https://A.org:8080/x#/y/", "a.org") == ["a.org/"]
    assert prefixes("http://a.org", "a.org") == ["a.org/"]
    assert prefixes("file:///tmp/a.html", "") == ["file:///", "file:///tmp/"]
    assert prefixes("row 17", "") == []
    assert prefixes("en/row 17", "") == ["en/"]


def test_merged_labels_are_those_of_all_pages(demo, tmp_path):
    """Labels of two halves, put together, are the labels of the whole; given twice, they are the same."""
    for name, archives in (("1", demo.archives[:3]), ("2", demo.archives[3:]), ("all", demo.archives)):
        reprise("label", *archives, "--name", "demo", "-o", tmp_path / name)
    said = json.loads(reprise("label", tmp_path / "1", tmp_path / "2", "-o", tmp_path / "merged", "--json"))
    assert said["merged"] == 2

    def kept(name) -> dict:
        """The labels of each site: where a site has one on several pages, the earliest is named."""
        rows = labels_in(tmp_path / name)
        assert rows == sorted(rows, key=lambda row: (row["fingerprint"], row["level"]))
        named = {}
        for row in rows:
            named.setdefault((row["fingerprint"], row["level"], row["site"]), row)
        return named

    assert kept("merged") == kept("all")
    reprise("label", tmp_path / "all", tmp_path / "all", "-o", tmp_path / "twice")
    assert kept("twice") == kept("all")
    assert len(labels_in(tmp_path / "twice")) == len(labels_in(tmp_path / "all"))
