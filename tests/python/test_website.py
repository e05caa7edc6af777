"""The site that crawls are tested on is what it says: checked by a naive crawler, without the command."""

import unicodedata
from itertools import combinations, islice
from urllib.parse import urlsplit

import pytest

from formats import FORMATS
from naive_crawl import Fetched, breadth_first, read, scores
from webserver import Server
from website import PAPERS, Website

PAGES = 1600


@pytest.fixture(scope="module")
def visited(site, elsewhere) -> tuple[Website, list[Fetched]]:
    """The site, and what a naive crawler gets of it."""
    with Server(site.respond) as server:
        start = ["/", "/orphan/only-in-a-sitemap.html", "/orphan/only-in-a-packed-sitemap.html"]
        pages = breadth_first(server.url, start, lambda target: not target.startswith("/private/"))
        return site, list(islice(pages, PAGES))


def test_every_content_is_reached(visited):
    site, pages = visited
    found: dict[str, int] = {}
    for number, page in enumerate(pages, 1):
        found.setdefault(site.page(page.target).content, number)
    assert found.keys() == site.contents()
    assert len(site.contents()) > 250
    last = max(found, key=found.get)
    print(f"breadth first: {len(found)} contents in {found[last]} pages (the last: {last})")
    assert found[last] < PAGES, "breadth first must get there, too"


def test_equal_texts_are_those_that_are_said_to_be(visited):
    site, pages = visited
    keys = {}
    for page in pages:
        keys.setdefault(site.page(page.target).text, set()).add(page.text)
    assert all(len(texts) == 1 for texts in keys.values())
    assert len(set().union(*keys.values())) == len(keys)


def test_near_texts_are_those_that_are_said_to_be(visited, tmp_path):
    """By ssdeep, with room on both sides of 90."""
    site, pages = visited
    texts: dict[str, str] = {}
    content_of: dict[str, str] = {}
    for page in pages:
        truth = site.page(page.target)
        if truth.text not in content_of and sum(content == truth.content for content in content_of.values()) < 40:
            content_of[truth.text] = truth.content
            texts[f"t{len(content_of):04}"] = page.text
    names = dict(zip(texts, content_of.values(), strict=True))
    found = scores(tmp_path / "texts", texts)
    # Further calendar pages are many pairs; each with the first is what matters.
    for one, other in combinations(names, 2):
        score = found.get((one, other), 0)
        if names[one] == names[other]:
            assert score >= 93, (names[one], score)
        else:
            assert score <= 80, (names[one], names[other], score)


def test_documents_say_the_same_in_all_formats(visited):
    """Where the text stands in the file as it is."""
    site, pages = visited
    for number in range(1, PAPERS + 1):
        html, _ = read(site.pages[f"/papers/paper-{number}.html"].body)
        for ending in set(FORMATS) - {"html"}:
            page = site.pages.get(f"/papers/paper-{number}.{ending}")
            assert page is not None or number > 2
            if page and ending in ("md", "txt"):
                said = unicodedata.normalize("NFKD", " ".join(page.body.decode().lstrip("# ").split()))
                assert said in html


def test_session_ids_never_end(visited):
    site, pages = visited
    fetched: list[Fetched] = [page for page in pages if page.target.startswith("/shop/item")]
    assert len({page.target for page in fetched}) == len(fetched) > 100
    assert len({page.text for page in fetched}) == len({urlsplit(page.target).query.split("&")[0] for page in fetched})
