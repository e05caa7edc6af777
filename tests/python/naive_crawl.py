"""A crawler as short as it can be, breadth first, and classes by comparing all texts: what the command is measured by."""

import csv
import http.client
import re
import shutil
import subprocess
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

SKIPPED = {"head", "script", "style", "template"}


class Reader(HTMLParser):
    """The words of a page that are seen, and its links."""

    def __init__(self):
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.skipping = 0

    def handle_starttag(self, tag, attributes):
        self.skipping += tag in SKIPPED
        values = dict(attributes)
        if tag == "a" and values.get("href") and "nofollow" not in (values.get("rel") or ""):
            self.links.append(values["href"])

    def handle_endtag(self, tag):
        self.skipping -= tag in SKIPPED

    def handle_data(self, data):
        if not self.skipping:
            self.words += data.split()


def read(body: bytes) -> tuple[str, list[str]]:
    """The normal form of the text, and the links."""
    reader = Reader()
    reader.feed(body.decode(errors="replace"))
    reader.close()
    return unicodedata.normalize("NFKD", " ".join(reader.words)), reader.links


@dataclass(frozen=True)
class Fetched:
    """A page, its text and its links."""

    target: str
    text: str
    links: tuple[str, ...]


def breadth_first(origin: str, start: Iterable[str], allowed: Callable[[str], bool]) -> Iterator[Fetched]:
    """HTML pages of one host; a redirect counts as a link."""
    queue = deque(start)
    seen = set(queue)
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=20)
    while queue:
        target = queue.popleft()
        connection.request("GET", target)
        response = connection.getresponse()
        body, links, text = response.read(), [], ""
        if response.status == 200 and "html" in response.headers["Content-Type"]:
            text, links = read(body)
            yield Fetched(target, text, tuple(links))
        elif 300 <= response.status < 400:
            links = [response.headers["Location"]]
        for link in links:
            try:
                url = urldefrag(urljoin(origin + target, link)).url
            except ValueError:
                continue
            further = url.removeprefix(origin)
            if url.startswith(origin + "/") and further not in seen and allowed(further):
                seen.add(further)
                queue.append(further)
    connection.close()


def ssdeep() -> Path:
    """The program that the fuzzy hash is from."""
    program = shutil.which("ssdeep")
    if program is None:
        pytest.skip("the program ssdeep is not on this machine")
    return Path(program)


def parse_digest(line: str) -> tuple[str, str]:
    """A line of ssdeep's format."""
    digest, name = line.split(",", 1)
    assert name[0] == name[-1] == '"' and len(name) > 1, line
    return digest, name[1:-1].replace('\\"', '"')


def scores(directory: Path, texts: dict[str, str]) -> dict[tuple[str, str], int]:
    """The score of each pair of named texts that have anything in common, by ssdeep. Names are plain words."""
    directory.mkdir()
    for name, text in texts.items():
        (directory / name).write_text(text)
    known = directory.with_suffix(".ssdeep")
    done = subprocess.run([ssdeep(), "-s", "-b", *(directory / name for name in texts)], capture_output=True, check=True, timeout=120)
    known.write_bytes(done.stdout)
    done = subprocess.run([ssdeep(), "-s", "-x", "-c", known], capture_output=True, check=True, timeout=120)
    rows = csv.reader(re.sub(rf"{re.escape(str(known))}:", "", done.stdout.decode()).splitlines())
    return {tuple(sorted((row[0], row[1]))): int(row[2]) for row in rows if row}
