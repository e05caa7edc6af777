"""How a corpus is cut into segments, by how many threads and in how many runs it was made, changes no page."""

import json
import resource
import subprocess

from tool import binary, index
from corpus import Corpus

TOTALS = ("pages", "chunks", "distinct_chunks", "sites", "bytes_in", "bytes_body", "records", "skipped", "damaged")


def pages_of(corpus) -> list[dict]:
    return [{**page, "segment": None} for page in corpus.export("pages")]


def same_contents(one: Corpus, other: Corpus):
    assert {name: one.info[name] for name in TOTALS} == {name: other.info[name] for name in TOTALS}
    assert pages_of(one) == pages_of(other)
    assert one.export("chunks") == other.export("chunks")


def test_several_segments_hold_what_one_holds(demo, demo_in_segments):
    assert len(demo.segments) == 1
    assert len(demo_in_segments.segments) >= 3
    same_contents(demo, demo_in_segments)


def test_occurrences_add_up_over_segments(demo, demo_in_segments):
    def occurrences(corpus) -> dict:
        total = {}
        for row in corpus.export("fingerprints"):
            total[row["fingerprint"]] = total.get(row["fingerprint"], 0) + row["occurrences"]
        return total

    assert occurrences(demo) == occurrences(demo_in_segments)


def files_of(corpus) -> dict:
    return {str(file.relative_to(corpus.path)): file.read_bytes() for file in sorted(corpus.path.rglob("*")) if file.is_file()}


def test_threads_change_no_byte(demo, demo_in_segments, tmp_path):
    for threads in (1, 3):
        path = tmp_path / f"threads-{threads}"
        index(demo.archives, path, "--threads", threads, "--shingles")
        assert files_of(Corpus(path)) == files_of(demo)
    index(demo.archives, tmp_path / "segments", "--threads", 1, "--segment-size", "200K")
    assert files_of(Corpus(tmp_path / "segments")) == files_of(demo_in_segments)


def test_runs_add_segments_and_skip_what_is_there(demo, tmp_path):
    path = tmp_path / "corpus"
    for count, archive in enumerate(demo.archives, 1):
        stats = index(demo.archives[:count], path)
        assert stats["sources"]["held"] == count - 1
        assert stats["sources"]["read"] == 1
    corpus = Corpus(path)
    assert len(corpus.segments) == len(demo.archives)
    same_contents(demo, corpus)
    before = files_of(corpus)
    index(demo.archives, path)
    assert files_of(corpus) == before


def with_few_files(*args) -> str:
    """Runs the command where no more than 40 files may be open at a time."""
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
    command = [str(binary()), *map(str, args)]
    done = subprocess.run(command, preexec_fn=few, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_more_segments_than_files_may_be_open(tmp_path):
    """The fingerprints of all segments are merged, but not all their files are open for it."""
    pages = [{"url": f"http://site{n % 9}.example/{n}", "html": f"<p>page {n} alone<p>shared by all of them<p>{n % 7}"} for n in range(150)]
    (tmp_path / "in").mkdir()
    for n, page in enumerate(pages):
        (tmp_path / "in" / f"{n:03}.jsonl").write_text(json.dumps(page))
    whole = Corpus(tmp_path / "one")
    index([tmp_path / "in"], whole.path, "--shingles")
    many = Corpus(tmp_path / "many")
    index([tmp_path / "in"], many.path, "--shingles", "--segment-size", "1K")
    assert len(many.segments) == 150
    assert json.loads(with_few_files("info", many.path, "--json"))["distinct_chunks"] == whole.info["distinct_chunks"] == 158

    def found(corpus, *args) -> dict:
        return json.loads(with_few_files(args[0], corpus.path, *args[1:], "--json"))

    labels = tmp_path / "labels"
    for flags in (["--count", "sites"], ["--memory", "64M"]):
        assert found(many, "discover", "-o", labels, *flags) == found(whole, "discover", "-o", labels, *flags)
    detect = ["detect", "--labels", labels, "-o", tmp_path / "out"]
    assert found(many, *detect) == found(whole, *detect)
    for command in (["verify"], ["near", "-o", tmp_path / "near"], ["phrases"], ["report", "-o", tmp_path / "x.html"]):
        with_few_files(command[0], many.path, *command[1:])
