"""`check`: one page, or a stream of pages, against labels."""

import json
import queue
import subprocess
import threading
import time

import pyarrow.parquet as pq
import pytest

from archive import records
from tool import binary, index, reprise
from webserver import Answer, Request, Server

TRUSTED = "https://www.harrowfield.example/secure/login"
SENTENCE = "of the login page that Harrowfield Bank shows to those who sign in, with care. " + "x" * 60
PARTS = [f"<p>Paragraph {number} {SENTENCE}" for number in range(4)]
LOGIN = "<title>Harrowfield</title>" + "\n".join(PARTS)
NEW = "<div>And something that was never seen on the page of the bank. " + "y" * 60
COPY = "\n".join(["<h1>Sign in</h1>", PARTS[1], PARTS[3], NEW])
UNRELATED = "<p>" + "Nothing of this is on any page that anybody has labelled so far. " * 3
# The site in the demo whose login page is copied.
SITE = "harrowfield-bank.com"
ANSWER_SECONDS = 20


def run(*args, stdin: bytes = b"") -> subprocess.CompletedProcess:
    """Runs `check` and gives everything it did."""
    return subprocess.run([binary(), "check", *map(str, args)], input=stdin, capture_output=True, timeout=60, check=False)


def answers(*args, expect: int, stdin: bytes = b"") -> list[dict]:
    printed = reprise("check", "--json", *args, stdin=stdin, expect=expect)
    return [json.loads(line) for line in printed.splitlines()]


def line(url: str, html: str) -> bytes:
    return json.dumps({"url": url, "html": html}).encode() + b"\n"


@pytest.fixture(scope="module")
def make_labels(tmp_path_factory):
    """Labels of the bank's login page, made with the given flags."""
    directory = tmp_path_factory.mktemp("bank")
    (directory / "login.jsonl").write_bytes(line(TRUSTED, LOGIN))

    def make(name: str, *flags):
        reprise("label", directory / "login.jsonl", "--name", "the bank", "-o", directory / name, *flags)
        return directory / name

    return make


@pytest.fixture(scope="module")
def labels(make_labels):
    return make_labels("labels")


@pytest.fixture
def page(tmp_path):
    """A page in a file."""

    def write(html: str):
        (tmp_path / "page.html").write_text(html)
        return tmp_path / "page.html"

    return write


def test_a_copy_is_found_and_its_source_named(labels, page):
    (found,) = answers(page(COPY), "--labels", labels, "--url", "http://evil.example/login.html", expect=3)
    assert found["copy"] is True and found["url"] == "http://evil.example/login.html"
    # The heading is shorter than labels are.
    assert (found["matched"], found["chunks"], found["own"], found["contains"]) == (2, 3, 0, pytest.approx(2 / 3))
    assert found["sources"] == [{"url": TRUSTED, "site": "harrowfield.example", "name": "the bank", "chunks": 2}]
    spans = [COPY[match["start"] : match["start"] + match["length"]].strip() for match in found["matches"]]
    assert spans == [PARTS[1].strip(), PARTS[3].strip()]
    assert {(match["url"], match["site"]) for match in found["matches"]} == {(TRUSTED, "harrowfield.example")}
    said = reprise("check", page(COPY), "--labels", labels, expect=3)
    assert said.startswith("copy ") and TRUSTED in said and "the bank" in said and said.count("\n") == 1


def test_a_whole_copy_is_a_labelled_file(labels, page):
    (found,) = answers(page(LOGIN), "--labels", labels, "--url", "http://evil.example/", expect=3)
    assert found["file_matched"] and found["contains"] == 1.0


def test_an_unrelated_page_is_clean(labels, page):
    (found,) = answers(page(UNRELATED), "--labels", labels, expect=0)
    assert (found["copy"], found["matched"], found["chunks"], found["sources"], found["matches"]) == (False, 0, 1, [], [])
    assert reprise("check", page(UNRELATED), "--labels", labels).startswith("clean ")


@pytest.mark.parametrize("url", [TRUSTED, "https://m.harrowfield.example/other?x=1", "http://HARROWFIELD.example:8080/"])
def test_a_page_of_the_same_site_is_no_copy(labels, page, url):
    (found,) = answers(page(LOGIN), "--labels", labels, "--url", url, expect=0)
    assert found["copy"] is False and found["own"] == found["matched"] == len(PARTS)


@pytest.mark.parametrize("url", ["http://harrowfield.example.evil.example/", "http://harrowfie1d.example/", "no url"])
def test_a_lookalike_is_another_site(labels, page, url):
    assert answers(page(LOGIN), "--labels", labels, "--url", url, expect=3)[0]["copy"]


def test_pages_of_an_archive_as_detect_sees_them(demo, tmp_path):
    """The demo's login pages are labelled; `check` and `detect` count the same chunks in an archive."""
    rows = [{"url": page["url"], "html": page["html"]} for page in login_pages(demo)]
    (tmp_path / "login.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    reprise("label", tmp_path / "login.jsonl", "--min-length", 25, "-o", tmp_path / "labels")
    copies = 0
    for number, archive in enumerate(demo.archives):
        index([archive], tmp_path / f"corpus{number}")
        reprise("detect", tmp_path / f"corpus{number}", "--labels", tmp_path / "labels", "-o", tmp_path / "out")
        detected = {row["url"]: row for row in pq.read_table(tmp_path / "out" / "pages.parquet").to_pylist()}
        is_copied = any(row["source_url"] or row["file_matched"] and row["site"] != SITE for row in detected.values())
        found = answers(archive, "--labels", tmp_path / "labels", expect=3 if is_copied else 0)
        assert {answer["url"] for answer in found} == detected.keys()
        for answer in found:
            row = detected[answer["url"]]
            for name in ("matched", "chunks", "file_matched"):
                assert answer[name] == row[name], answer["url"]
            assert answer["copy"] == (row["source_url"] is not None), answer["url"]
        copies += sum(answer["copy"] for answer in found)
    assert copies >= 2


def login_pages(demo) -> list[dict]:
    """The bank's login page, from the archives."""
    found = (record for archive in demo.archives for record in records(archive))
    pages = [{"url": record.url, "html": record.body.decode()} for record in found if f"{SITE}/secure/login" in record.url]
    assert pages
    return pages


@pytest.mark.parametrize("flag", ["--stop", "--min-length"])
def test_stop_chunks_are_left_out(flag, labels, page, tmp_path):
    (tmp_path / "stop").write_text(PARTS[1] + "\n")
    value, matched = (tmp_path / "stop", 1) if flag == "--stop" else (10**6, 0)
    (found,) = answers(page(COPY), "--labels", labels, "--url", "http://evil.example/", flag, value, expect=3 if matched else 0)
    assert found["matched"] == matched


def test_one_page_on_standard_input(labels):
    (found,) = answers("--labels", labels, "--url", "http://evil.example/", stdin=COPY.encode(), expect=3)
    assert found["matched"] == 2
    assert answers("-", "--labels", labels, "--url", TRUSTED, stdin=COPY.encode(), expect=0)[0]["own"] == 2


def test_a_stream_is_answered_line_by_line(labels):
    """Each answer comes before the next line is sent, and long before the stream ends."""
    command = [binary(), "check", "-", "--labels", labels, "--json"]
    asked = [(TRUSTED, LOGIN, False), ("http://evil.example/", COPY, True), ("http://c.example/", UNRELATED, False)] * 3
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        lines = queue.Queue()
        reader = threading.Thread(target=lambda: [lines.put(answer) for answer in process.stdout], daemon=True)
        reader.start()
        try:
            for url, html, is_copy in asked:
                process.stdin.write(line(url, html))
                process.stdin.flush()
                answer = json.loads(lines.get(timeout=ANSWER_SECONDS))
                assert (answer["url"], answer["copy"]) == (url, is_copy)
            process.stdin.close()
            assert process.wait(ANSWER_SECONDS) == 3
        finally:
            process.kill()
    assert lines.empty()


def test_a_bad_line_does_not_end_the_stream(labels):
    stream = b'{"url": "http://a.example/"}\n{ not json\n\n' + line("http://evil.example/", COPY)
    done = run("-", "--labels", labels, "--json", stdin=stream)
    assert done.returncode == 3
    # Every line that is not empty has an answer.
    *bad, answer = [json.loads(text) for text in done.stdout.splitlines()]
    assert [sorted(found) for found in bad] == [["error", "url"]] * 2 and all(found["error"] for found in bad)
    assert answer["copy"] and answer["url"] == "http://evil.example/"
    assert done.stderr == b""
    done = run("-", "--labels", labels, stdin=stream)
    assert done.returncode == 3 and done.stdout.count(b"\n") == 1 and done.stderr.count(b"\n") == 2
    done = run("-", "--labels", labels, "--json", stdin=b"{ not json\n")
    assert done.returncode == 2 and done.stdout.count(b"\n") == 1 and b"no page" in done.stderr


def test_one_url_is_not_given_to_many_pages(labels):
    stream = line("http://a.example/", COPY) + line("http://b.example/", COPY)
    done = run("-", "--labels", labels, "--url", "http://c.example/", stdin=stream)
    assert done.returncode == 2 and b"--url is for one page" in done.stderr


def test_a_page_without_chunks_is_not_called_clean(labels):
    done = run("-", "--labels", labels, stdin=b"<html></html>")
    assert done.returncode == 0 and done.stdout.startswith(b"empty ")


@pytest.mark.parametrize("flags", [("--hash", "sha1"), ("--chunk", "text")])
def test_labels_say_how_pages_are_cut_and_hashed(flags, make_labels, page, demo):
    """So `check` takes labels of any kind; a corpus made in another way refuses them."""
    other = make_labels("other" + flags[1], *flags)
    (found,) = answers(page(COPY), "--labels", other, "--url", "http://evil.example/", expect=3)
    assert found["matched"] == 2
    done = subprocess.run([binary(), "detect", demo.path, "--labels", other], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and flags[1].encode() in done.stderr


def test_labels_without_a_row(make_labels, page):
    nothing = make_labels("nothing", "--min-length", 10**6)
    # The file as a whole is still labelled.
    assert answers(page(LOGIN), "--labels", nothing, "--url", "http://evil.example/", expect=3)[0]["file_matched"]
    assert answers(page(COPY), "--labels", nothing, expect=0)[0]["matched"] == 0


def test_no_page_at_all(labels, page):
    """Nothing holds nothing: clean, and it is told that there was no chunk."""
    assert "0 of 0 chunks" in reprise("check", page(""), "--labels", labels)
    reprise("check", "-", "--labels", labels, expect=2)


def test_many_labels_are_no_delay(pg_files, pg13_labels):
    """A page of 200 chunks, nearly all of them among 30,000 labels, is answered at once."""
    command = [binary(), "check", pg_files / "15" / "sql-select.html", "--labels", pg13_labels, "--json"]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert time.monotonic() - started < 2
    assert done.returncode == 3 and json.loads(done.stdout)["matched"] > 150


def test_a_page_of_the_web(labels):
    """A URL is fetched, redirects and all; nothing is fetched from a private address unless that is allowed."""

    def respond(request: Request) -> Answer:
        if request.target == "/moved":
            return Answer(status=302, headers={"Location": "/copy"})
        bodies = {"/copy": COPY, "/other": UNRELATED}
        body = bodies.get(request.target)
        return Answer(body.encode()) if body else Answer(b"gone", status=410)

    with Server(respond) as server:
        flags = ("--labels", labels, "--allow-private")
        (found,) = answers(f"{server.url}/copy", *flags, expect=3)
        assert found["copy"] and found["url"] == f"{server.url}/copy" and found["sources"][0]["url"] == TRUSTED
        (moved,) = answers(f"{server.url}/moved", *flags, expect=3)
        assert moved == found
        assert not answers(f"{server.url}/other", *flags, expect=0)[0]["copy"]
        gone = run(f"{server.url}/gone", *flags)
        assert gone.returncode == 1 and b"410" in gone.stderr and gone.stdout == b""
        asked = len(server.log)
        refused = run(f"{server.url}/copy", "--labels", labels)
        assert refused.returncode == 1 and b"--allow-private" in refused.stderr and len(server.log) == asked
    nobody = run(f"{server.url}/copy", *flags)
    assert nobody.returncode == 1 and b"cannot connect" in nobody.stderr
