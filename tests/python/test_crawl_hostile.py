"""Servers that misbehave in every way: each costs little time, is counted, and does not keep a crawl from the rest."""

import gzip
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from archive import records
from crawling import Crawl, check_archives, crawl, flags_for, run
from prose import Writer
from webserver import Answer, Exchange, Request, Server

SECONDS = 20
MEGABYTE = 1 << 20
GOOD = [Writer(f"good {number}").article(2000, 3000) for number in range(3)]
Reply = Answer | Callable[[Exchange], None]


def good(number: int, links: str = "") -> Answer:
    return Answer(f"<h1>{GOOD[number].title}</h1><p>{GOOD[number].paragraphs[0]}<p>{links}".encode())


def around(bad: Callable[[Request], Reply], robots: Reply | None = None) -> Callable[[Request], Reply]:
    """A site with good pages on both sides of `/bad`, and of everything below it."""

    def respond(request: Request) -> Reply:
        match request.target:
            case "/robots.txt":
                return robots or Answer(b"", status=404)
            case "/":
                return good(0, '<a href="/before">before</a> <a href="/bad">bad</a> <a href="/after">after</a>')
            case "/before":
                return good(1)
            case "/after":
                return good(2)
            case target if target.startswith("/bad"):
                return bad(request)
        return Answer(b"<p>Nothing.", status=404)

    return respond


def visit(server: Server, path: Path, *flags, retries: int = 0) -> Crawl:
    """Crawls within the time and the checks that all of these have in common."""
    limits = ("--timeout", 3, "--max-body", "1M", "--retries", retries)
    crawled = crawl(path, f"{server.url}/", *limits, *flags, seconds=SECONDS)
    assert {"/", "/before", "/after"} <= set(server.pages())
    assert {f"{server.url}/", f"{server.url}/before", f"{server.url}/after"} <= set(crawled.stored())
    assert crawled.found["unique"] >= 3
    check_archives(crawled)
    return crawled


def counted(crawled: Crawl, least: int = 1):
    """Something is said to be wrong, and what."""
    problems = {problem["kind"]: problem["count"] for problem in crawled.found["problems"]}
    print(problems)
    assert sum(problems.values()) >= least and all(re.fullmatch("[a-z0-9_-]+", kind) for kind in problems), problems


def raw(*parts: bytes) -> Callable[[Request], Reply]:
    """Sends these bytes and hangs up."""
    return lambda _: lambda exchange: [exchange.send(part) for part in parts]


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def stalls_at_once(exchange: Exchange):
    exchange.wait(SECONDS)


def stalls_in_the_header(exchange: Exchange):
    exchange.send(OK)
    exchange.wait(SECONDS)


def stalls_in_the_body(exchange: Exchange):
    exchange.send(OK + b"Content-Length: 1000\r\n\r\n<p>The beginning")
    exchange.wait(SECONDS)


def drips(exchange: Exchange):
    exchange.send(OK + b"Content-Length: 1000\r\n\r\n")
    for _ in range(SECONDS):
        exchange.send(b"x")
        exchange.wait(1)


def drips_the_header(exchange: Exchange):
    for byte in OK:
        exchange.send(bytes((byte,)))
        exchange.wait(1)


@pytest.mark.parametrize("bad", [stalls_at_once, stalls_in_the_header, stalls_in_the_body, drips, drips_the_header])
def test_slow_servers(bad, tmp_path):
    began = time.monotonic()
    with Server(around(lambda _: bad)) as server:
        crawled = visit(server, tmp_path / "corpus")
    assert time.monotonic() - began < 12
    counted(crawled)


@pytest.mark.parametrize("header", [b"Content-Length: 1073741824\r\n", b"", b"Transfer-Encoding: chunked\r\n"])
def test_a_gigabyte(header, tmp_path):
    """The rest is not waited for: the connection ends soon after the limit."""
    chunk = b"<p>" + b"many words " * 5957 + b"\n"
    block = b"%x\r\n%b\r\n" % (len(chunk), chunk) if b"chunked" in header else chunk

    def endless(exchange: Exchange):
        exchange.send(OK + header + b"\r\n")
        while exchange.request.sent < 1024 * MEGABYTE:
            exchange.send(block)

    with Server(around(lambda _: endless)) as server:
        crawled = visit(server, tmp_path / "corpus")
        sent = next(request.sent for request in server.log if request.target == "/bad")
    # What fits into the buffers of both sides is sent in any case.
    print(f"{sent / MEGABYTE:.1f} MB could be sent")
    assert sent < 40 * MEGABYTE
    counted(crawled)
    assert sum(archive.stat().st_size for archive in crawled.archives) < 2 * MEGABYTE
    kept = [record for record in crawled.responses if record.url.endswith("/bad")]
    assert all(record.headers.get("warc-truncated") == "length" for record in kept)


@cache
def bomb() -> bytes:
    """100 MB of zeros in 100 kB."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(100)) + packer.flush()


def test_a_bomb(tmp_path):
    answer = Answer(bomb(), headers={"Content-Encoding": "gzip"})
    with Server(around(lambda _: answer)) as server:
        counted(visit(server, tmp_path / "corpus"))


def test_a_bomb_in_a_bomb(tmp_path):
    answer = Answer(gzip.compress(bomb()), headers={"Content-Encoding": "gzip, gzip"})
    with Server(around(lambda _: answer)) as server:
        visit(server, tmp_path / "corpus")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_in_a_circle(status, tmp_path):
    def bad(request: Request) -> Answer:
        return Answer(status=status, headers={"Location": "/bad/2" if request.target != "/bad/2" else "/bad/1"})

    with Server(around(bad)) as server:
        counted(visit(server, tmp_path / "corpus"))
    assert max(Counter(server.pages()).values()) == 1


def test_redirects_without_an_end(tmp_path):
    def bad(request: Request) -> Answer:
        number = int(request.target.removeprefix("/bad").strip("/") or 0)
        return Answer(status=302, headers={"Location": f"/bad/{number + 1}"})

    with Server(around(bad)) as server:
        counted(visit(server, tmp_path / "corpus"))
    assert len(server.pages()) <= 3 + 30


LOCATIONS = {
    "a file": "file:///etc/hostname",
    "another protocol": "ftp://127.0.0.1/x",
    "an older protocol": "gopher://a",
    "a script": "javascript:alert(1)",
    "data": "data:text/html,x",
    "nothing": "",
    "no host": "http://",
    "slashes": "//",
    "a bracket": "http://[",
    "a byte": "\xff",
    "a long one": "/" + "x" * 70_000,
}


@pytest.mark.parametrize("name", LOCATIONS)
def test_redirects_to_what_is_no_page(name, tmp_path):
    location = LOCATIONS[name].encode("latin-1")
    head = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n"
    with Server(around(raw(head))) as server:
        crawled = visit(server, tmp_path / "corpus")
    assert crawled.found["unique"] == 3
    assert not [url for url in crawled.stored() if not url.startswith(server.url)]


def test_redirects_out_of_the_scope(elsewhere, tmp_path):
    answer = Answer(status=302, headers={"Location": f"{elsewhere.url}/from-a-redirect"})
    with Server(around(lambda _: answer)) as server:
        crawled = visit(server, tmp_path / "corpus")
    assert elsewhere.targets() == [] and crawled.found["refused"]["scope"] >= 1


LENGTHS = {
    "too long": b"Content-Length: 100000\r\n",
    "too short": b"Content-Length: 20\r\n",
    "two": b"Content-Length: 20\r\nContent-Length: 500\r\n",
    "negative": b"Content-Length: -5\r\n",
    "huge": b"Content-Length: 99999999999999999999999999\r\n",
    "no number": b"Content-Length: many\r\n",
    "chunks that are none": b"Transfer-Encoding: chunked\r\n",
    "a coding that is none": b"Content-Encoding: gzip\r\nContent-Length: 3000\r\n",
    "an unknown coding": b"Content-Encoding: x-unheard-of\r\nContent-Length: 3000\r\n",
}


@pytest.mark.parametrize("name", LENGTHS)
def test_lengths_and_codings_that_lie(name, tmp_path):
    body = b"<p>" + b"A page whose length is told wrongly. " * 80
    with Server(around(raw(OK + LENGTHS[name] + b"\r\n", body))) as server:
        crawled = visit(server, tmp_path / "corpus")
    if name != "too short":
        counted(crawled)


@pytest.mark.parametrize("charset", ["utf-16", "koi8-r", "x-none", "", '"', "\xff\xfe", "utf-8; charset=latin1"])
def test_charsets_that_lie(charset, tmp_path):
    """The page is kept; its text may be odd."""
    body = "<p>Größe, naïve façade, 日本語, and many more words that make a text. ".encode() * 30
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=" + charset.encode("latin-1")
    with Server(around(raw(head + b"\r\nContent-Length: %d\r\n\r\n" % len(body), body))) as server:
        crawled = visit(server, tmp_path / "corpus")
    assert f"{server.url}/bad" in crawled.stored()


def test_types_that_lie(tmp_path):
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
    page = good(0, '<a href="/bad/further">further</a>').body + Writer("lie").paragraph().encode()

    def bad(request: Request) -> Answer:
        match request.target:
            case "/bad":
                return Answer(page, "image/png")
            case "/bad/further":
                return Answer(b"<p>Reached through a page that is called a picture.")
            case _:
                return Answer(picture, "text/html")

    def respond(request: Request) -> Reply:
        if request.target == "/":
            return good(0, "".join(f'<a href="{to}">x</a>' for to in ("/before", "/bad", "/bad.html", "/bad.pdf", "/after")))
        if request.target == "/bad.pdf":
            return Answer(b"%PDF-1.7\nnothing of the kind\n" * 50, "application/pdf")
        return around(bad)(request)

    with Server(respond) as server:
        crawled = visit(server, tmp_path / "corpus")
    assert {"/bad", "/bad.html", "/bad.pdf"} <= set(server.pages())
    assert crawled.found["not_text"] + sum(problem["count"] for problem in crawled.found["problems"]) >= 2
    bodies = {record.url: record.body for archive in crawled.archives for record in records(archive)}
    assert bodies[f"{server.url}/bad"] == page and bodies[f"{server.url}/bad.html"] == picture


@pytest.mark.parametrize("status", [429, 503])
def test_too_many_requests(status, tmp_path):
    """The site says how long to wait; then all is well."""
    times = []

    def bad(_: Request) -> Answer:
        times.append(time.monotonic())
        if len(times) == 1:
            return Answer(b"<p>Slow down.", status=status, headers={"Retry-After": "2"})
        return Answer(b"<p>" + Writer("patience").paragraph().encode())

    with Server(around(bad)) as server:
        crawled = visit(server, tmp_path / "corpus", retries=3)
    assert len(times) == 2 and times[1] - times[0] >= 1.9
    assert crawled.found["unique"] == 4 and crawled.found["errors"] == 0
    assert f"{server.url}/bad" in crawled.stored()


def test_never_available(tmp_path):
    with Server(around(lambda _: Answer(b"<p>Later.", status=503))) as server:
        crawled = visit(server, tmp_path / "corpus", retries=2)
    assert server.pages().count("/bad") == 3
    assert crawled.found["errors"] == 1
    counted(crawled)


def test_a_retry_in_a_hundred_years(tmp_path):
    answer = Answer(b"<p>Much later.", status=429, headers={"Retry-After": "3155760000"})
    with Server(around(lambda _: answer)) as server:
        crawled = visit(server, tmp_path / "corpus", retries=1)
    assert crawled.found["errors"] == 1


def test_an_endless_calendar(tmp_path):
    rules = " ".join(Writer("calendar").paragraph() for _ in range(6))

    def bad(request: Request) -> Answer:
        number = int(request.target.partition("month=")[2] or 0)
        links = f'<a href="/bad?month={number + 1}">next</a> <a href="/bad?month={number - 1}">last</a>'
        return Answer(f"<h1>Month {number}</h1><p>{rules}<p>{links}".encode())

    with Server(around(bad)) as server:
        crawled = visit(server, tmp_path / "corpus", "--pages", 300)
        assert 100 < len(server.pages()) <= 300
        assert crawled.found["unique"] == 4 and crawled.found["near"] + crawled.found["exact"] == crawled.found["pages"] - 4
        more = visit(server, tmp_path / "more", "--pages", 300, "--no-stop")
    assert more.found["pages"] == 300
    assert {row["cause"] for row in more.duplicates.values()} == {"calendar"}


def test_robots_of_ten_megabytes(tmp_path):
    rules = b"User-agent: *\nDisallow: /bad\n" + b"".join(b"Disallow: /x%d\n" % number for number in range(700_000))
    assert len(rules) > 10_000_000
    with Server(around(lambda _: good(1), Answer(rules, "text/plain"))) as server:
        crawled = visit(server, tmp_path / "corpus")
    assert "/bad" not in server.pages() and crawled.found["refused"]["robots"] >= 1


def test_robots_without_a_line_end(tmp_path):
    with Server(around(lambda _: good(1), Answer(b"x" * (4 * MEGABYTE), "text/plain"))) as server:
        visit(server, tmp_path / "corpus")


def test_robots_that_cannot_be_read(tmp_path):
    """RFC 9309: as long as the server fails, nothing may be fetched."""
    with Server(around(lambda _: good(1), Answer(b"<p>Failed.", status=500))) as server:
        done = run(tmp_path / "corpus", f"{server.url}/", "--timeout", 3, *flags_for(()), seconds=SECONDS)
    assert done.returncode in (0, 1) and server.pages() == []


def test_robots_that_redirect_for_ever(tmp_path):
    with Server(around(lambda _: good(1), Answer(status=301, headers={"Location": "/robots.txt"}))) as server:
        done = run(tmp_path / "corpus", f"{server.url}/", "--timeout", 3, *flags_for(()), seconds=SECONDS)
    assert done.returncode in (0, 1) and server.targets().count("/robots.txt") <= 20


ODD = {
    "a header of 10 MB": [OK, b"X-Long: " + b"x" * (10 * MEGABYTE), b"\r\nContent-Length: 1\r\n\r\nx"],
    "a million headers": [OK, b"X: y\r\n" * 1_000_000, b"Content-Length: 1\r\n\r\nx"],
    "garbage": [bytes(range(256)) * 20],
    "another protocol": [b"SSH-2.0-OpenSSH_9.2\r\n"],
    "nothing": [],
    "a status without a number": [b"HTTP/1.1 fine\r\n\r\n"],
    "a strange status": [b"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"],
    "an old protocol": [b"<p>A page without a header, as it was done once."],
    "no end of the header": [OK],
    "a header without a colon": [OK, b"nonsense\r\n: \r\n\0\xff: \x01\r\n\r\n<p>Text."],
    "only continue": [b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000],
    "an upgrade": [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"],
    "no content": [b"HTTP/1.1 204 No Content\r\n\r\n"],
    "unasked not modified": [b"HTTP/1.1 304 Not Modified\r\n\r\n"],
    "unasked part": [b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\nparts"],
}
FINE = {"an old protocol", "a header without a colon", "no content"}


@pytest.mark.parametrize("name", ODD)
def test_odd_answers(name, tmp_path):
    with Server(around(raw(*ODD[name]))) as server:
        crawled = visit(server, tmp_path / "corpus")
    if name not in FINE:
        counted(crawled)


def test_nobody_listens(tmp_path):
    """A host that refuses every connection: one problem, and an end."""
    with Server(around(lambda _: good(1))) as server:
        gone = server.url
    done = run(tmp_path / "corpus", f"{gone}/", *flags_for(()), seconds=SECONDS)
    assert done.returncode in (0, 1)


def test_a_hundred_thousand_links(tmp_path):
    """A page of links to itself in many forms; the limit of pages holds."""
    links = "".join(f'<a href="/bad?{number}">x</a>' for number in range(100_000))
    with Server(around(lambda _: Answer(f"<p>{links}".encode()))) as server:
        crawled = crawl(tmp_path / "corpus", f"{server.url}/", "--pages", 6, "--max-body", "8M", seconds=3 * SECONDS)
    assert len(server.pages()) <= 6 and crawled.found["left"] > 50_000
