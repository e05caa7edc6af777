"""A read that fails, as on a bad disk, costs nothing for good: the next run reads what is missing, and only that."""

import gzip
import json
import os
import random
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tool import binary, index, reprise

PAGES = 240
SHIM = Path(__file__).with_name("failing_reads.c")


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    """A library that comes before the system's own."""
    library = tmp_path_factory.mktemp("shim") / "failing_reads.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SHIM, "-ldl"], check=True)
    return library


def pages() -> list[tuple[str, str]]:
    chance = random.Random(5)
    return [
        (f"http://a.example/{page}", f"<p>{page} " + " ".join(chance.randbytes(6).hex() for _ in range(900)))
        for page in range(PAGES)
    ]


def rows() -> bytes:
    return b"".join(json.dumps({"url": url, "html": html}).encode() + b"\n" for url, html in pages())


def table(path: Path):
    urls, bodies = zip(*pages(), strict=True)
    pq.write_table(pa.table({"url": urls, "html": bodies}), path, row_group_size=37)


def records() -> list[bytes]:
    fields = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n"
    return [fields.format(url, len(html), html).encode() for url, html in pages()]


def zstd(data: bytes) -> bytes:
    return pa.Codec("zstd").compress(data, asbytes=True)


MAKERS = {
    "plain.warc": lambda path: path.write_bytes(b"".join(records())),
    "by-record.warc.gz": lambda path: path.write_bytes(b"".join(map(gzip.compress, records()))),
    "by-record.warc.zst": lambda path: path.write_bytes(b"".join(map(zstd, records()))),
    "whole.warc.gz": lambda path: path.write_bytes(gzip.compress(b"".join(records()))),
    "rows.jsonl": lambda path: path.write_bytes(rows()),
    "rows.jsonl.gz": lambda path: path.write_bytes(gzip.compress(rows())),
    "rows.parquet": table,
}


def held(corpus: Path) -> list[tuple[str, str]]:
    lines = reprise("export", corpus, "--table", "pages", "--format", "jsonl").splitlines()
    return sorted((page["url"], page["fingerprint"]) for page in map(json.loads, lines))


def problems(stats: dict) -> set[str]:
    return {kind for kinds in (stats["skipped"], stats["damaged"]) for kind, count in kinds.items() if count}


@pytest.mark.parametrize("name", MAKERS)
def test_what_could_not_be_read_is_read_by_the_next_run(name, tmp_path, shim):
    archive = tmp_path / name
    MAKERS[name](archive)

    def index_failing_at(number: int, corpus: Path) -> subprocess.CompletedProcess:
        command = [binary(), "index", archive, "--corpus", corpus, "--segment-size", "1M", "--json"]
        failing = {"LD_PRELOAD": str(shim), "FAIL_NAME": name, "FAIL_NUMBER": str(number)}
        return subprocess.run(command, env=os.environ | failing, capture_output=True, text=True, check=False)

    undisturbed = index_failing_at(-1, tmp_path / "whole")
    reads = int(undisturbed.stderr.splitlines()[-1].removesuffix(" reads"))
    expected = held(tmp_path / "whole")
    assert len(expected) == PAGES
    told = 0
    # The last ones read records, those before only look what it is.
    for number in sorted({*range(0, reads, reads // 12), *range(max(0, reads - 12), reads)}):
        corpus = tmp_path / f"corpus-{number}"
        done = index_failing_at(number, corpus)
        if done.returncode == 2:
            # Nothing could be read: not even what kind of file it is, or not a record.
            told += 1
            details = [example["detail"] for example in json.loads(done.stdout)["examples"]] if done.stdout else []
            assert details or "cannot read" in done.stderr
            assert all("Input/output error" in detail for detail in details or [done.stderr])
        else:
            assert done.returncode == 0, done.stderr
            stats = json.loads(done.stdout)
            # None, where a block is read a second time anyway.
            assert problems(stats) <= {"unreadable"}, stats
            told += len(problems(stats))
        again = index([archive], corpus, "--segment-size", "1M")
        assert not problems(again), again
        assert held(corpus) == expected, number
        reprise("verify", corpus, "--archives")
    assert told > 3
