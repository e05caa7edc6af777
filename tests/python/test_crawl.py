"""A crawl of a whole site: all of it is found, every duplicate is named for what it is, and nobody else is asked."""

import json
import re
from collections import Counter
from itertools import pairwise
from urllib.parse import urlsplit

import pytest

from archive import records
from corpus import Corpus
from crawling import Crawl, asked, check_archives, crawl
from tool import index, reprise
from webserver import Server
from website import BLOG_GENERATOR, NOTES_GENERATOR, Page, Website

WINDOW, BOUND, CONFIDENCE = 200, 0.02, 0.95
CAUSES = {
    "redirect", "scheme", "host", "slash", "spelling", "parameter_order", "session", "tracking", "parameter", "print", "format",
    "calendar", "listing", "canonical", "other",
}  # fmt: skip


class Visit:
    """A crawl of the site, as the site saw it."""

    def __init__(self, site: Website, server: Server, crawled: Crawl):
        self.site, self.server, self.crawled = site, server, crawled
        self.found = crawled.found
        self.duplicates = crawled.duplicates

    def target(self, url: str) -> str:
        return url.removeprefix(self.server.url)

    def texts(self) -> list[tuple[str, Page]]:
        """The pages with text that were served, by URL, in the order in which they were asked for."""
        served = [request.target for request in self.server.log if request.status == 200]
        pages = [(self.server.url + target, self.site.page(target)) for target in served]
        return [(url, page) for url, page in pages if page and page.content != "picture"]

    def until_all(self) -> int:
        """How many pages were asked for until every content had been seen."""
        missing = set(self.site.contents())
        for number, target in enumerate(self.server.pages(), 1):
            page = self.site.page(target)
            missing.discard(page.content if page else None)
            if not missing:
                return number
        raise AssertionError(f"never seen: {sorted(missing)}")


def visit(site: Website, path, *flags) -> Visit:
    with Server(site.respond) as server:
        return Visit(site, server, crawl(path, f"{server.url}/", *flags))


@pytest.fixture(scope="module")
def whole(site, tmp_path_factory) -> Visit:
    """A crawl with the defaults, until it stops by itself."""
    return visit(site, tmp_path_factory.mktemp("whole") / "corpus")


def test_every_unique_page_is_found(whole):
    seen = {page.content for _, page in whole.texts()}
    assert seen >= whole.site.contents(), sorted(whole.site.contents() - seen)
    assert whole.found["unique"] == len(seen)
    assert whole.found["not_text"] == 1


def test_nothing_is_asked_for_twice(whole):
    again = {target: count for target, count in Counter(whole.server.pages()).items() if count > 1}
    assert again.keys() <= {"/broken"}


def test_duplicates_have_the_right_original_and_cause(whole):
    """The original is what came first: of the same text, or of the same content."""
    first_of_text, first_of_content, wrong = {}, {}, []
    for url, page in whole.texts():
        row = whole.duplicates.get(url)
        if page.content not in first_of_content:
            first_of_content[page.content] = (url, page)
            if row is not None:
                wrong.append(f"{url} is new: {row}")
        elif row is None:
            wrong.append(f"{url} has the content of {first_of_content[page.content][0]}")
        else:
            originals = [first_of_content[page.content]]
            kinds = {"near"} if page.text else {"exact", "near"}
            if page.text in first_of_text:
                originals.append(first_of_text[page.text])
                kinds = {"exact"}
            wrong += list(complaints(row, page, dict(originals), kinds, whole))
        if page.text:
            first_of_text.setdefault(page.text, (url, page))
    assert not wrong, "\n".join([f"{len(wrong)} of {len(whole.texts())}:", *wrong[:40]])


def complaints(row: dict, page: Page, originals: dict[str, Page], kinds: set[str], whole: Visit):
    of = whole.site.page(whole.target(row["of"]))
    if row["kind"] not in kinds:
        yield f"should be {kinds}: {row}"
    if of is None or of.content != page.content:
        yield f"another content: {row}"
    elif row["of"] not in originals and page.text:
        yield f"should be of {list(originals)}: {row}"
    elif row["cause"] not in (page.causes | of.causes or {"other"}):
        yield f"should be because of {sorted(page.causes | of.causes)}: {row}"
    if row["kind"] == "near" and not 90 <= row["score"] <= 100:
        yield f"the score of a near duplicate: {row}"


def test_other_lines_are_redirects(whole):
    texts = {url for url, _ in whole.texts()}
    for url, row in whole.duplicates.items():
        if url not in texts:
            assert whole.target(url) in whole.site.redirects and row["cause"] == "redirect", row


def test_figures(whole):
    found, rows = whole.found, whole.duplicates.values()
    texts = whole.texts()
    redirects = [request for request in whole.server.log if request.status in (301, 302, 308)]
    assert found["pages"] == len(texts)
    assert found["fetched"] >= len(texts)
    assert found["redirects"] == len(redirects)
    # The broken page is asked for again, for longer than this crawl may take.
    assert found["errors"] in (3, 4) and sum(problem["count"] for problem in found["problems"]) >= found["errors"]
    kinds = Counter(row["kind"] for row in rows if row["cause"] != "redirect")
    assert (found["exact"], found["near"]) == (kinds["exact"], kinds["near"])
    assert found["pages"] == found["unique"] + found["exact"] + found["near"]
    assert found["bytes"] > sum(len(page.body) for _, page in texts) / 2
    assert found["resumed"] in (False, 0)


def test_growth_curves(whole):
    found, growth = whole.found, whole.found["growth"]
    assert growth[-1] == [found["pages"], found["unique"], found["exact"], found["near"]]
    for before, after in pairwise(growth):
        assert before[0] < after[0] and all(one <= other for one, other in zip(before, after, strict=True))
    assert all(pages == unique + exact + near for pages, unique, exact, near in growth)
    assert len(growth) >= 20
    # Each point is what had been seen by then.
    contents = [page.content for _, page in whole.texts()]
    assert all(len(set(contents[:pages])) == unique for pages, unique, _, _ in growth)


def test_causes(whole):
    counted = Counter()
    for row in whole.duplicates.values():
        counted[row["cause"], row["kind"]] += 1
    table = {row["cause"]: row for row in whole.found["causes"]}
    assert table.keys() <= CAUSES and len(table) == len(whole.found["causes"])
    for cause, row in table.items():
        if cause != "redirect":
            assert (row["exact"], row["near"]) == (counted[cause, "exact"], counted[cause, "near"]), cause
    assert table.keys() >= {"slash", "spelling", "parameter_order", "session", "tracking", "print", "format", "calendar", "listing"}
    assert table.keys() >= {"canonical", "other"}
    assert table["calendar"]["near"] >= WINDOW / 10


def test_generators(whole):
    for generator in (BLOG_GENERATOR, NOTES_GENERATOR):
        name = generator.split()[0]
        rows = [row for row in whole.found["generators"] if row["generator"].lower().startswith(name.lower())]
        wanted = [page for _, page in whole.texts() if page.generator == generator]
        assert len(rows) == 1 and rows[0]["pages"] == len(wanted), (generator, rows)
        assert rows[0]["pages"] == rows[0]["unique"] + rows[0]["exact"] + rows[0]["near"]
    assert rows[0]["exact"] >= 5


def test_the_stop_rule(whole):
    """It stopped in the traps, and no sooner than its promise allows."""
    stopped = whole.found["stopped"]
    assert stopped and (stopped["window"], stopped["bound"], stopped["confidence"]) == (WINDOW, BOUND, CONFIDENCE)
    assert isinstance(stopped["reason"], str) and stopped["reason"]
    assert whole.found["left"] > 0
    seen, new = set(), []
    for _, page in whole.texts():
        new.append(page.content not in seen)
        seen.add(page.content)
    assert stopped["new"] == sum(new[-WINDOW:])
    # With so many new ones in the window, a share above the bound would be that unlikely: no new one of 200 is
    # (1 - 0.02)^200 = 0.018, one is 0.089.
    assert stopped["new"] == 0
    assert sum(new) == len(whole.site.contents())


def test_no_stop_goes_on(whole, tmp_path):
    limit = whole.found["pages"] + 150
    further = visit(whole.site, tmp_path / "corpus", "--no-stop", "--pages", limit)
    assert whole.found["pages"] < further.found["pages"] <= limit
    assert limit - 60 <= len(further.server.pages()) <= limit + 60, "redirects and errors may count, or not"
    assert further.found["unique"] == whole.found["unique"]
    assert not further.found["stopped"] or "page" in further.found["stopped"]["reason"]


def test_the_learned_order_is_sooner_than_breadth_first(whole, tmp_path):
    breadth = visit(whole.site, tmp_path / "corpus", "--order", "breadth", "--no-stop", "--pages", 1500)
    learned, wide = whole.until_all(), breadth.until_all()
    print(f"all {len(whole.site.contents())} contents: learned order {learned} requests, breadth first {wide}")
    assert learned < wide


def test_nothing_outside_the_scope_is_asked_for(whole, elsewhere):
    assert elsewhere.targets() == []
    asked_for = whole.server.targets()
    assert not [target for target in asked_for if target.startswith("/private/") or target.startswith("http")]
    assert whole.found["refused"]["robots"] >= 1 and whole.found["refused"]["scope"] >= 1
    assert asked_for[0] == "/robots.txt" and asked_for.count("/robots.txt") == 1


def test_links_that_ask_not_to_be_followed(whole):
    assert "/nofollow-only.html" not in whole.server.targets()


def test_fragments_and_dots_are_no_other_page(whole):
    assert not [target for target in whole.server.targets() if "#" in target or ".." in target]


def test_paths_that_repeat_are_traps(whole):
    deep = [target for target in whole.server.targets() if re.search("(next/){4}", target)]
    assert not deep and whole.found["traps"] >= 1


def test_the_archives_are_sound(whole):
    crawled = whole.crawled
    check_archives(crawled)
    assert crawled.archives[0].name == "crawl-00000.warc.gz" and crawled.records[0].kind == "warcinfo"
    assert len(crawled.found["archives"]) == len(crawled.archives)
    stored = crawled.stored()
    assert len(set(stored)) == len(stored)
    assert {url for url, _ in whole.texts()} <= set(stored) <= set(asked(whole.server))


def test_the_archives_hold_what_was_sent(whole):
    bodies = {record.url: record.body for archive in whole.crawled.archives for record in records(archive)}
    for url, page in whole.texts():
        if b"@SESSION@" not in page.body:
            assert bodies[url] == page.body, url


def pages_of(corpus: Corpus) -> dict[str, dict]:
    rows = corpus.export("pages")
    assert len({row["url"] for row in rows}) == len(rows)
    return {row["url"]: {key: value for key, value in row.items() if key not in ("source", "segment")} for row in rows}


def test_the_archives_are_indexed_to_the_same_pages(whole, tmp_path):
    index(whole.crawled.archives, tmp_path / "again")
    own = pages_of(whole.crawled.corpus)
    assert own == pages_of(Corpus(tmp_path / "again"))
    assert own.keys() >= {url for url, _ in whole.texts()}


def test_the_corpus_is_like_any_other(whole, tmp_path):
    corpus = whole.crawled.path
    info = json.loads(reprise("info", corpus, "--json"))
    assert info["pages"] == len(pages_of(whole.crawled.corpus)) and info["sites"] == 1
    assert json.loads(reprise("verify", corpus, "--json"))["ok"]
    exact = json.loads(reprise("near", corpus, "--method", "fuzzy", "--score", "90", "--json"))
    assert exact["removable"] >= whole.found["exact"]
    reprise("report", corpus, "-o", tmp_path / "report.html")
    report = (tmp_path / "report.html").read_text()
    assert urlsplit(whole.server.url).netloc in report
