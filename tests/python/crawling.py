"""Runs `reprise crawl` and reads what it wrote, without any code of Reprise."""

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator

from corpus import Corpus
from tool import binary
from webserver import Server

SECONDS = 60
# The servers of the tests are on the loopback interface, and nobody else uses them.
FLAGS = {"--allow-private": (), "--delay": ("0",), "--retries": ("1",), "--json": ()}
JSON_KEYS = {
    "pages", "fetched", "unique", "exact", "near", "redirects", "errors", "not_text", "traps", "refused", "problems",
    "growth", "causes", "generators", "stopped", "left", "archives", "resumed", "bytes", "seconds",
}  # fmt: skip


@dataclass(frozen=True)
class Record:
    """A record of a WARC file."""

    kind: str
    url: str | None
    status: int | None
    headers: dict[str, str]

    @property
    def digest(self) -> str | None:
        return self.headers.get("warc-payload-digest")


@dataclass(frozen=True)
class Crawl:
    """What a crawl printed and wrote."""

    found: dict
    path: Path
    said: str = ""

    @property
    def archives(self) -> list[Path]:
        return sorted((self.path / "crawl").glob("crawl-*.warc.gz"))

    @property
    def corpus(self) -> Corpus:
        return Corpus(self.path)

    @cached_property
    def duplicates(self) -> dict[str, dict]:
        lines = (self.path / "crawl" / "duplicates.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines]
        assert all(row.keys() >= {"url", "of", "kind", "score", "cause"} for row in rows)
        assert len({row["url"] for row in rows}) == len(rows)
        return {row["url"]: row for row in rows}

    @cached_property
    def records(self) -> list[Record]:
        """All records; warcio checks every digest while it reads."""
        found = []
        for archive in self.archives:
            with archive.open("rb") as stream:
                for record in ArchiveIterator(stream, check_digests="raise"):
                    record.raw_stream.read()
                    headers = {name.lower(): value for name, value in record.rec_headers.headers}
                    status = record.http_headers and record.rec_type != "request" and int(record.http_headers.get_statuscode())
                    found.append(Record(record.rec_type, headers.get("warc-target-uri"), status or None, headers))
        return found

    @property
    def responses(self) -> list[Record]:
        return [record for record in self.records if record.kind == "response"]

    def stored(self) -> list[str]:
        """The URLs of the pages in the archives, in order: what a crawler asks for beside pages is left out."""
        return [record.url for record in self.responses if is_page(urlsplit(record.url).path)]


def is_page(path: str) -> bool:
    return path != "/robots.txt" and not path.startswith("/sitemap")


def command(corpus: Path, *args) -> list[str]:
    return [str(binary()), "crawl", *map(str, args), "--corpus", str(corpus)]


def flags_for(args: tuple) -> list[str]:
    """The flags of the tests, where a test does not say otherwise."""
    return [word for flag, values in FLAGS.items() if flag not in args for word in (flag, *values)]


def run(corpus: Path, *args, seconds: float = SECONDS) -> subprocess.CompletedProcess:
    """Runs the command with these flags only; it may refuse but not panic."""
    done = subprocess.run(command(corpus, *args), stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
    said = done.stderr.decode(errors="replace")
    assert "panicked" not in said and done.returncode in (0, 1, 2), (done.returncode, said)
    return done


def crawl(corpus: Path, *args, seconds: float = SECONDS) -> Crawl:
    """Crawls, and checks what holds for every crawl."""
    done = run(corpus, *args, *flags_for(args), seconds=seconds)
    said = done.stderr.decode(errors="replace")
    assert done.returncode == 0, (done.returncode, said)
    found = json.loads(done.stdout)
    assert found.keys() >= JSON_KEYS, JSON_KEYS - found.keys()
    assert found["refused"].keys() >= {"robots", "scope", "address"}
    return Crawl(found, corpus, said)


def check_archives(crawled: Crawl):
    """warcio finds nothing wrong, and has digests to check."""
    assert crawled.archives
    warcio = [sys.executable, "-m", "warcio.cli", "check", *map(str, crawled.archives)]
    done = subprocess.run(warcio, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    for record in crawled.records:
        assert record.kind in ("warcinfo", "request", "response", "revisit", "metadata", "resource"), record
        assert record.headers["warc-block-digest"]
        assert record.digest or record.kind != "response", record


def asked(server: Server) -> list[str]:
    """The URLs of pages that were asked for, in order."""
    return [server.url + target for target in server.pages()]
