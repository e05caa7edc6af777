"""How a crawl behaves: limits, politeness, refusals, a kill in the middle, a second visit."""

import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from crawling import check_archives, command, crawl, flags_for, is_page, run
from test_crawl import pages_of
from tool import reprise
from webserver import Answer, Request, Server
from website import NOTES_A_LIST, Page, Website

PAUSE = 0.3


def chain(length: int, robots: str = "") -> Callable[[Request], Answer]:
    """A site of short pages, each with a link to the next."""

    def respond(request: Request) -> Answer:
        if request.target == "/robots.txt" and robots:
            return Answer(robots.encode(), "text/plain")
        found = re.fullmatch(r"/(\d+)", request.target)
        if request.target != "/" and not (found and int(found[1]) < length):
            return Answer(b"<p>Nothing.", status=404)
        number = int(found[1]) if found else 0
        body = f'<p>Page {number}, about number {number * 7919}.<p><a href="/{number + 1}">next</a>'
        return Answer(body.encode() if number + 1 < length else body.split("<a")[0].encode())

    return respond


@contextmanager
def notes(site: Website, pause: float = 0.0) -> Iterator[Server]:
    """The site; only its notes are asked for, which end."""

    def respond(request: Request) -> Answer:
        time.sleep(pause)
        return site.respond(request)

    with Server(respond) as server:
        yield server


def all_notes(site: Website) -> set[str]:
    return {target for target in site.pages if target.startswith("/notes/") and "?" not in target}


def test_a_prefix_as_scope(site, tmp_path):
    with notes(site) as server:
        crawled = crawl(tmp_path / "corpus", f"{server.url}/notes/", "--scope", "prefix")
    assert set(server.pages()) == all_notes(site)
    assert crawled.found["stopped"] is None and crawled.found["left"] == 0
    assert crawled.found["refused"]["scope"] >= 4
    assert (crawled.found["exact"], crawled.found["near"]) == (1, 0)


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_depth(site, tmp_path, depth):
    with notes(site) as server:
        crawl(tmp_path / "corpus", f"{server.url}/notes/", "--scope", "prefix", "--depth", depth, "--no-sitemaps")
    lists = {"/notes/", *(f"/notes/page/{number}/" for number in range(2, depth + 2))}
    lists |= {"/notes/page/1/"} if depth >= 2 else set()
    assert set(server.pages()) == lists | {f"/notes/n-{number:03}.html" for number in range(1, depth * NOTES_A_LIST + 1)}


def test_most_pages(site, tmp_path):
    with notes(site) as server:
        crawled = crawl(tmp_path / "corpus", f"{server.url}/notes/", "--scope", "prefix", "--pages", 20)
        assert len(server.pages()) == crawled.found["pages"] == 20
        assert crawled.found["left"] > 0
        # With a higher limit it goes on.
        crawled = crawl(tmp_path / "corpus", f"{server.url}/notes/", "--scope", "prefix", "--pages", 50)
        assert len(server.pages()) == len(set(server.pages())) == 50
        assert crawled.found["resumed"]


def test_without_sitemaps(site, tmp_path):
    with Server(site.respond) as server:
        crawl(tmp_path / "corpus", f"{server.url}/", "--depth", 1, "--no-sitemaps")
    assert not [target for target in server.targets() if "sitemap" in target]


def test_one_request_at_a_time(site, tmp_path):
    with notes(site, pause=0.02) as server:
        crawl(tmp_path / "corpus", f"{server.url}/", "--pages", 60)
    assert server.most_at_once == 1


def test_the_delay_is_kept(tmp_path):
    with Server(chain(7)) as server:
        crawl(tmp_path / "corpus", f"{server.url}/", "--delay", PAUSE)
    check_pauses(server, PAUSE, 7)


def check_pauses(server: Server, pause: float, pages: int):
    times = [request.began for request in server.log]
    assert len(server.pages()) == pages
    assert min(after - before for before, after in pairwise(times)) >= pause * 0.9


def test_the_delay_that_a_site_asks_for(tmp_path):
    with Server(chain(4, "User-agent: *\nCrawl-delay: 1\n")) as server:
        crawl(tmp_path / "corpus", f"{server.url}/")
    check_pauses(server, 1, 4)


ROBOTS = {
    "a group of its own": ("User-agent: *\nDisallow: /\n\nUser-agent: Reprise\nDisallow: /2\n", {"/", "/1"}),
    "somebody else": ("User-agent: otherbot\nDisallow: /\n", {"/", "/1", "/2", "/3"}),
    "everything": ("User-agent: *\nDisallow: /\n", set()),
    "nothing": ("User-agent: *\nDisallow:\n", {"/", "/1", "/2", "/3"}),
    "the longest rule": ("User-agent: *\nDisallow: /\nAllow: /$\nAllow: /1\n", {"/", "/1"}),
    "a wildcard": ("User-agent: *\nDisallow: /*2$\n", {"/", "/1"}),
    "not a rule": ("<html>Not found, but with status 200</html>\n\0\xff", {"/", "/1", "/2", "/3"}),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_robots(name, tmp_path):
    rules, allowed = ROBOTS[name]
    with Server(chain(4, rules)) as server:
        done = run(tmp_path / "corpus", f"{server.url}/", *flags_for(()))
        assert done.returncode in ((0,) if allowed else (0, 1)), done.stderr.decode()
    assert set(server.pages()) == allowed
    assert server.targets()[0] == "/robots.txt"


def test_an_honest_name(site, tmp_path):
    version = reprise("--version").split()[1]
    with Server(site.respond) as server:
        crawl(tmp_path / "corpus", f"{server.url}/", "--pages", 30, "--contact", "https://contact.example/crawl")
    assert {request.headers["user-agent"] for request in server.log} == {f"reprise/{version} (+https://contact.example/crawl)"}
    assert {request.method for request in server.log} == {"GET"}
    assert not [request for request in server.log if "cookie" in request.headers]
    with Server(chain(2)) as server:
        crawl(tmp_path / "other", f"{server.url}/")
    assert all(request.headers["user-agent"].startswith(f"reprise/{version}") for request in server.log)


def test_two_names_of_a_host(site, tmp_path):
    with notes(site) as server:
        named = server.url.replace("127.0.0.1", "localhost")
        flags = ("--scope", "prefix", "--depth", 1, "--no-sitemaps", "--no-stop")
        crawled = crawl(tmp_path / "corpus", f"{server.url}/notes/", f"{named}/notes/", *flags)
    pages = set(server.pages())
    assert Counter(server.pages()) == dict.fromkeys(pages, 2) and len(pages) == 2 + NOTES_A_LIST
    assert crawled.found["unique"] == crawled.found["exact"] == len(pages)
    assert {row["cause"] for row in crawled.duplicates.values()} == {"host"}
    assert all(row["of"].split("/", 3)[3] == row["url"].split("/", 3)[3] for row in crawled.duplicates.values())


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"])
def test_this_machine_is_refused(host, tmp_path):
    with Server(chain(3)) as server:
        done = run(tmp_path / "corpus", f"http://{host}:{server.port}/", "--delay", "0", seconds=20)
        assert server.targets() == []
    assert done.returncode in (1, 2) and b"--allow-private" in done.stderr, done.stderr


PRIVATE = ("10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "[::1]", "[fd00::1]", "[fe80::1]")


@pytest.mark.parametrize("host", PRIVATE)
def test_private_networks_are_refused(host, tmp_path):
    began = time.monotonic()
    done = run(tmp_path / "corpus", f"http://{host}/", "--delay", "0", seconds=20)
    assert done.returncode in (1, 2) and b"--allow-private" in done.stderr, done.stderr
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("url", ["ftp://a.example/", "file:///etc/hostname", "not a url", "http://", "javascript:alert(1)", ""])
def test_what_is_no_address_of_a_site(url, tmp_path):
    done = run(tmp_path / "corpus", url, "--allow-private", seconds=20)
    assert done.returncode == 2 and done.stderr, done.stderr


WRONG = """--scope=all --depth=-1 --pages=-1 --delay=-1 --delay=nan --order=best --window=0 --bound=2 --confidence=1.5
--score=101 --timeout=0 --max-body=none --retries=-1""".split()


@pytest.mark.parametrize("flag", WRONG)
def test_wrong_flags(flag, tmp_path):
    done = run(tmp_path / "corpus", "http://127.0.0.1:9/", "--allow-private", flag, seconds=20)
    assert done.returncode == 2 and flag.split("=")[0].encode() in done.stderr, done.stderr
    assert not (tmp_path / "corpus").exists()


def test_errors_are_counted(tmp_path):
    pages = {"/": "<p>Home.<p>" + "".join(f'<a href="/{status}">{status}</a> ' for status in (404, 403, 410, 500, 200))}
    pages["/200"] = "<p>A good page, and quite another text."

    def respond(request: Request) -> Answer:
        if body := pages.get(request.target):
            return Answer(body.encode())
        return Answer(b"<p>An error.", status=int(request.target[1:]) if request.target[1:].isdecimal() else 404)

    with Server(respond) as server:
        found = crawl(tmp_path / "corpus", f"{server.url}/", "--retries", 0).found
    assert found["errors"] == 4 and (found["pages"], found["unique"]) == (2, 2)
    assert sum(problem["count"] for problem in found["problems"]) == 4
    assert Counter(server.pages()) == Counter(["/", "/404", "/403", "/410", "/500", "/200"])


def test_killed_at_any_moment(site, tmp_path):
    """Nothing is lost, nothing is fetched twice but what was under way, and the archives are sound."""
    dice = random.Random(20260118)
    corpus, wanted = tmp_path / "corpus", all_notes(site)
    kills = 0
    with notes(site, pause=0.003) as server:
        args = (f"{server.url}/notes/", "--scope", "prefix", "--no-stop")
        while kills < 12:
            # Now and then after the last page, when the corpus is being written.
            more = dice.randint(1, 40) if len(set(server.pages())) < len(wanted) else 0
            enough = len(server.pages()) + more
            process = subprocess.Popen(command(corpus, *args, *flags_for(())), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            deadline = time.monotonic() + 20
            while len(server.pages()) < enough and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(dice.uniform(0, 0.02 if more else 0.2))
            process.send_signal(signal.SIGKILL)
            _, said = process.communicate(timeout=20)
            assert process.returncode in (0, -signal.SIGKILL), said
            kills += 1
        crawled = crawl(corpus, *args)
    assert crawled.found["resumed"]
    stored = [url.removeprefix(server.url) for url in crawled.stored()]
    assert len(stored) == len(set(stored)) and set(stored) == wanted
    counts = Counter(server.pages())
    assert counts.keys() == wanted
    assert sum(count - 1 for count in counts.values()) <= kills, {url: count for url, count in counts.items() if count > 1}
    check_archives(crawled)
    assert {path for url in pages_of(crawled.corpus) if is_page(path := url.removeprefix(server.url))} == wanted
    assert (crawled.found["pages"], crawled.found["unique"], crawled.found["exact"]) == (len(wanted), len(wanted) - 1, 1)
    assert len(crawled.duplicates) == 1


def test_a_finished_crawl_is_finished(tmp_path):
    with Server(chain(5)) as server:
        first = crawl(tmp_path / "corpus", f"{server.url}/")
        before = server.pages()
        again = crawl(tmp_path / "corpus", f"{server.url}/")
        assert server.pages() == before and len(before) == 5
    assert again.corpus.info["pages"] == first.corpus.info["pages"] and again.found["pages"] == 5
    assert again.archives == first.archives
    check_archives(again)


def test_a_second_visit(site, tmp_path):
    """What the server calls unchanged is a revisit record; only what has changed is stored again."""
    changed = Page("changed", "changed", site.pages["/notes/n-007.html"].body.replace(b"</h1>", b", revised</h1>"), validated=True)
    flags = ("--scope", "prefix", "--no-stop")
    later = False

    def respond(request: Request) -> Answer:
        if later and request.target == "/notes/n-007.html":
            return Answer(changed.body, headers={"ETag": changed.tag})
        return site.respond(request)

    with Server(respond) as server:
        crawl(tmp_path / "corpus", f"{server.url}/notes/", *flags)
        first = len(server.log)
        later = True
        crawled = crawl(tmp_path / "corpus", f"{server.url}/notes/", *flags, "--again")
    second = server.log[first:]
    assert {request.target for request in second if request.target.startswith("/notes/")} == all_notes(site)
    for request in second:
        page = site.pages.get(request.target)
        if page and page.validated:
            assert request.headers["if-none-match"] == page.tag
            assert request.status == (200 if request.target == "/notes/n-007.html" else 304)
    unchanged = {server.url + request.target for request in second if request.status == 304}
    revisits = {record.url: record for record in crawled.records if record.kind == "revisit"}
    assert revisits.keys() >= unchanged and len(unchanged) > 50
    assert all("not-modified" in revisits[url].headers["warc-profile"] for url in unchanged)
    stored = [record for record in crawled.responses if "/notes/" in record.url]
    assert len({(record.url, record.digest) for record in stored}) == len(stored)
    assert Counter(record.url for record in stored)[f"{server.url}/notes/n-007.html"] == 2
    assert len(stored) == len(all_notes(site)) + 1
    check_archives(crawled)
