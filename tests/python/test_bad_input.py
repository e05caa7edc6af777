"""Wrong flags, wrong files and odd pages: one clear line and the right exit code, never a panic."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from corpus import Corpus
from expected import labels_in, prefixes
from tool import binary, index, reprise

SECONDS = 120
TEXT = "<p>" + "A paragraph that is long enough to become a label of its own. " * 3


def run(*args, stdin: bytes = b"") -> subprocess.CompletedProcess:
    """Runs the command, which may refuse but not panic."""
    done = subprocess.run([binary(), *map(str, args)], input=stdin, capture_output=True, timeout=SECONDS, check=False)
    assert b"panicked" not in done.stderr and done.returncode in (0, 1, 2, 3), done.stderr.decode()
    return done


def refused(*args, saying: str = "") -> str:
    """Exit code 2 and what is wrong, in one line."""
    done = run(*args)
    said = done.stderr.decode()
    assert done.returncode == 2, (done.returncode, said, done.stdout.decode()[:300])
    assert done.stdout == b""
    assert said.startswith("reprise: ") and said.count("\n") == 1, said
    assert saying in said, said
    return said


def corpus_of(path, *pages) -> Corpus:
    """A corpus of pages, given as URL and HTML."""
    lines = [json.dumps({"url": url, "html": html}) + "\n" for url, html in pages]
    index(["-"], path, stdin="".join(lines).encode())
    return Corpus(path)


def loud(*args) -> dict:
    """A run that finds nothing says why, in JSON and in text."""
    found = json.loads(reprise(*args, "--json"))
    assert found["notes"] and all(note.strip() for note in found["notes"])
    text = reprise(*args)
    assert all(note in text for note in found["notes"])
    return found


@pytest.fixture(scope="module")
def empty(tmp_path_factory) -> Corpus:
    """A corpus without a page."""
    directory = tmp_path_factory.mktemp("empty")
    (directory / "none.jsonl").write_bytes(b"")
    index([directory / "none.jsonl"], directory / "corpus", expect=2)
    return Corpus(directory / "corpus")


@pytest.fixture(scope="module")
def labels(demo, tmp_path_factory):
    file = tmp_path_factory.mktemp("labels") / "demo"
    reprise("discover", demo.path, "-o", file)
    return file


@pytest.fixture(scope="module")
def no_labels(demo, tmp_path_factory):
    """A file of labels with no row."""
    file = tmp_path_factory.mktemp("labels") / "none"
    found = json.loads(reprise("discover", demo.path, "--threshold", 10**9, "-o", file, "--json"))
    assert found["labeled"] == 0 and labels_in(file) == []
    return file


def test_an_empty_corpus(empty, labels, tmp_path):
    for level in ("chunk", "file"):
        found = loud("discover", empty.path, "--level", level, "-o", tmp_path / "labels")
        assert (found["objects"], found["labeled"], found["frequency"], found["top"]) == (0, 0, [], [])
    assert labels_in(tmp_path / "labels") == []
    found = loud("detect", empty.path, "--labels", labels, "-o", tmp_path / "out")
    assert (found["pages"]["total"], found["pages"]["mean"], found["neighborhoods"]["total"]) == (0, 0, 0)
    reprise("report", empty.path, "-o", tmp_path / "report.html")
    assert "holds no chunk" in (tmp_path / "report.html").read_text()
    refused("explain", empty.path, "--page", "http://a.example/", "--with", "http://b.example/", saying="not in the corpus")
    assert json.loads(reprise("remove", empty.path, "--json"))["removed"] == []


def test_scan_of_nothing(tmp_path):
    (tmp_path / "none.jsonl").write_bytes(b"")
    done = run("scan", tmp_path / "none.jsonl", "--report", tmp_path / "report")
    assert done.returncode == 2
    assert done.stdout == b"" and b"nothing was read: an empty file (" in done.stderr


def test_labels_without_rows(demo, no_labels, tmp_path):
    assert "label" in loud("detect", demo.path, "--labels", no_labels, "-o", tmp_path / "out")["notes"][0]
    done = run("check", "--labels", no_labels, stdin=TEXT.encode())
    assert done.returncode == 0 and b"holds no label" in done.stderr


def test_nothing_over_the_threshold(demo, tmp_path):
    found = loud("discover", demo.path, "--threshold", 10**9)
    # How near it was missed tells what threshold to try.
    assert str(found["nearest"]) in found["notes"][0]
    # Rows that are not pages were read; of an empty input, nothing was.
    for name, rows, code, words in (
        ("rows", '{"url":"http://a.example/"}\n' * 2, 0, (b"nothing was labelled", b"--min-length")),
        ("none", "", 2, (b"nothing was read",)),
    ):
        (tmp_path / f"{name}.jsonl").write_text(rows)
        done = run("label", tmp_path / f"{name}.jsonl", "--min-length", 10**9, "-o", tmp_path / "labels")
        assert done.returncode == code and all(word in done.stderr for word in words)


def test_labels_that_are_nowhere(demo, tmp_path):
    (tmp_path / "page.html").write_text(TEXT)
    reprise("label", tmp_path / "page.html", "-o", tmp_path / "labels")
    assert "none of" in loud("detect", demo.path, "--labels", tmp_path / "labels")["notes"][0]
    assert "none of" in loud("detect", demo.path, "--labels", tmp_path / "labels", "--elsewhere")["notes"][0]


@pytest.mark.parametrize("flags", [("--hash", "sha1"), ("--chunk", "text")])
def test_labels_made_in_another_way(flags, demo, labels, tmp_path):
    (tmp_path / "page.html").write_text(TEXT)
    reprise("label", tmp_path / "page.html", "-o", tmp_path / "other", *flags)
    url = demo.rows("pages")[0]["url"]
    refused("detect", demo.path, "--labels", tmp_path / "other", saying=flags[1])
    refused("report", demo.path, "--labels", tmp_path / "other", "-o", tmp_path / "r.html", saying=flags[1])
    refused("explain", demo.path, "--page", url, "--labels", tmp_path / "other", saying=flags[1])
    refused("label", labels, tmp_path / "other", "-o", tmp_path / "merged", saying=flags[1])
    assert not (tmp_path / "merged").exists() and not (tmp_path / "r.html").exists()


def test_what_is_no_file_of_labels(demo, labels, tmp_path):
    (tmp_path / "text").write_text("no labels\n")
    (tmp_path / "empty").write_bytes(b"")
    whole = labels.read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "tail").write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
    table = demo.segments[0].file("pages")
    for file in (tmp_path / "text", tmp_path / "empty", tmp_path / "cut", tmp_path / "tail", table, tmp_path, tmp_path / "missing"):
        refused("detect", demo.path, "--labels", file, saying=file.name)
        refused("check", table, "--labels", file, saying=file.name)


def test_a_damaged_file_of_labels(demo, labels, tmp_path):
    """Any byte may be wrong: the file is refused, or the answer is the right one."""
    whole = labels.read_bytes()
    right = reprise("detect", demo.path, "--labels", labels, "--json")
    for at in range(4, len(whole), len(whole) // 25):
        damaged = bytearray(whole)
        damaged[at] ^= 0x55
        (tmp_path / "damaged").write_bytes(damaged)
        done = run("detect", demo.path, "--labels", tmp_path / "damaged", "--json")
        assert done.returncode == 2 or done.stdout.decode() == right, f"byte {at} of {len(whole)}"


@pytest.mark.parametrize("value", ["1.5", "-1", "-0.1", "abc", "nan", "inf", "", "1e400"])
def test_thresholds_of_shares(value, demo, labels):
    for flag in ("--page-threshold", "--neighborhood-threshold"):
        refused("detect", demo.path, "--labels", labels, f"{flag}={value}", saying=flag)


@pytest.mark.parametrize("value", ["1.5", "-1", "abc", "", "99999999999999999999"])
def test_thresholds_of_counts(value, demo, tmp_path):
    refused("discover", demo.path, f"--threshold={value}", "-o", tmp_path / "labels", saying="--threshold")
    assert list(tmp_path.iterdir()) == []


def test_other_flags(demo, labels, tmp_path):
    refused("detect", demo.path, "--labels", labels, "--depth", 0, saying="--depth")
    refused("report", demo.path, "-o", tmp_path / "r.html", "--depth", 0, saying="--depth")
    refused("detect", demo.path, "--labels", labels, "--badness", "worst", saying="worst")
    refused("detect", demo.path, saying="--labels")
    refused("discover", demo.path, "--count", "hosts", saying="hosts")
    refused("discover", demo.path, "--level", "page", saying="page")
    refused("discover", demo.path, "--memory", "1K", saying="--memory")
    refused("discover", demo.path, "--stop", tmp_path / "missing", saying="missing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    refused("discover", demo.path, "--stop", tmp_path / "binary", saying="binary")
    refused("discover", tmp_path / "nowhere", saying="nowhere")
    refused("detect", tmp_path, "--labels", labels, saying=tmp_path.name)
    refused("explain", demo.path, "--page", "http://nowhere.example/", "--labels", labels, saying="http://nowhere.example/")
    refused("explain", demo.path, "--page", "http://nowhere.example/", saying="--with")


def test_discovered_labels_have_no_sites_to_leave_out(demo, labels):
    said = refused("detect", demo.path, "--labels", labels, "--elsewhere", saying="--elsewhere")
    assert str(labels) in said and "reprise label" in said


def test_results_that_cannot_be_written(demo, labels, tmp_path):
    """Exit code 1 or 2, and the file is named."""
    (tmp_path / "file").write_text("")
    for args in (
        ("discover", demo.path, "-o", tmp_path / "no" / "labels"),
        ("detect", demo.path, "--labels", labels, "-o", tmp_path / "file"),
        ("report", demo.path, "-o", tmp_path / "no" / "report.html"),
        ("label", demo.archives[0], "-o", tmp_path / "no" / "labels"),
    ):
        done = run(*args)
        said = done.stderr.decode()
        assert done.returncode in (1, 2) and said.startswith("reprise: ") and said.count("\n") == 1, said
        assert str(tmp_path) in said


def test_urls_that_do_not_parse(tmp_path):
    urls = ["http://", "http:///x/", "://x/y", "http://[::1/x", "http://a b/c", "javascript:alert(1)", "%%%", "//x/y"]
    urls += ["?q/", "#f/", "a" * 5000, "http://a.example/é/\u202e/x", "http://a.example/\t/x", "row 1"]
    corpus = corpus_of(tmp_path / "corpus", *((url, TEXT) for url in urls))
    pages = corpus.rows("pages")
    assert [page["url"] for page in pages] == urls
    reprise("discover", corpus.path, "-o", tmp_path / "labels")
    found = json.loads(reprise("detect", corpus.path, "--labels", tmp_path / "labels", "-o", tmp_path / "out", "--json"))
    assert (found["pages"]["total"], found["pages"]["matched"]) == (len(urls), len(urls))
    wanted = {prefix for page in pages for prefix in prefixes(page["url"], page["host"])}
    assert found["neighborhoods"]["total"] == len(wanted)
    reprise("report", corpus.path, "-o", tmp_path / "report.html")
    for url in urls:
        run("explain", corpus.path, "--page", url, "--labels", tmp_path / "labels")


def test_pages_without_chunks(tmp_path):
    """They are in no mean, and a run over nothing else says so."""
    bodies = {"a": "", "b": " \n ", "c": "<p><img>"}
    corpus = corpus_of(tmp_path / "corpus", *((f"http://{name}.example/", html) for name, html in bodies.items()))
    found = loud("discover", corpus.path, "-o", tmp_path / "labels")
    assert (found["distinct"], found["stop"], found["labeled"]) == (1, 1, 0)
    (tmp_path / "page.html").write_text(TEXT)
    reprise("label", tmp_path / "page.html", "-o", tmp_path / "labels")
    found = loud("detect", corpus.path, "--labels", tmp_path / "labels")
    assert (found["pages"]["total"], found["pages"]["counted"], found["neighborhoods"]["total"]) == (3, 0, 0)
    assert "stop chunk" in found["notes"][0]
    reprise("report", corpus.path, "-o", tmp_path / "report.html")


def test_a_page_with_very_many_chunks(tmp_path):
    count = 300_000
    html = "".join(f"<p>x{number}" for number in range(count))
    corpus = corpus_of(tmp_path / "corpus", *((f"http://{name}.example/", html) for name in "ab"))
    flags = ("--count", "sites", "--threshold", 1, "--top", 2, "-o", tmp_path / "labels")
    found = json.loads(reprise("discover", corpus.path, *flags, "--json"))
    assert (found["objects"], found["labeled"], found["frequency"]) == (2 * count, count, [[2, count]])
    found = json.loads(reprise("detect", corpus.path, "--labels", tmp_path / "labels", "--json"))
    assert found["pages"]["mean"] == 1.0 and found["matched"]["chunks"] == 2 * count
    assert found["sites"] == [{"copier": "b.example", "source": "a.example", "chunks": count, "pages": 1}]
    reprise("report", corpus.path, "--min-length", 0, "--threshold", 1, "-o", tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 10_000_000


def test_a_deep_neighbourhood(tmp_path):
    """96 levels are a page, 97 a trap."""
    deep = "http://a.example/" + "".join(f"d{number}/" for number in range(95)) + "x"
    corpus = corpus_of(tmp_path / "corpus", (deep, TEXT), ("http://b.example/", TEXT), (deep.replace("/x", "/e/f/x"), TEXT))
    assert corpus.info["pages"] == 2 and corpus.info["skipped"]["trap"] == 1
    reprise("discover", corpus.path, "--count", "sites", "-o", tmp_path / "labels")
    found = json.loads(reprise("detect", corpus.path, "--labels", tmp_path / "labels", "--top", 200, "--json"))
    assert found["neighborhoods"]["total"] == len(found["neighborhoods"]["top"]) == 97
    reprise("report", corpus.path, "-o", tmp_path / "report.html")
    assert "a.example/d0/d1/d2/" in (tmp_path / "report.html").read_text()


def test_nobody_reads_the_output(demo):
    """`reprise ... | head -1` ends without a word, and a full disk is told in one sentence."""
    for args in (["sources", demo.path, "--sample", "50"], ["export", demo.path, "--table", "chunks"], ["info", demo.path]):
        process = subprocess.Popen([binary(), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (0, b""), args
    if Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            done = subprocess.run([binary(), "sources", demo.path, "--sample", "5"], stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 1 and done.stderr.startswith(b"reprise: ") and done.stderr.count(b"\n") == 1, done.stderr


def test_a_damaged_corpus(demo, tmp_path):
    """Whatever byte is wrong: the right result or one line that says what to do, no panic."""
    dice = random.Random(7)
    tables = ["chunks.parquet", "fingerprints.parquet", "pages.parquet", "sources.parquet"]
    commands = (("discover", "--top", 5), ("export", "--table", "chunks"), ("near",))
    sound = [run(command, demo.path, *flags).stdout for command, *flags in commands]
    for number in range(24):
        corpus = tmp_path / str(number)
        shutil.copytree(demo.path, corpus)
        table = next(corpus.glob("segments/*")) / tables[number % len(tables)]
        damaged = bytearray(table.read_bytes())
        for _ in range(4):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        table.write_bytes(damaged)
        for (command, *flags), right in zip(commands, sound):
            done = run(command, corpus, *flags)
            if done.returncode == 0:
                assert done.stdout == right
            else:
                said = done.stderr.decode()
                assert said.startswith("reprise: ") and said.count("\n") == 1 and "reprise remove" in said, said
        shutil.rmtree(corpus)
