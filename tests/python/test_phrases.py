"""Popular phrases, sources and stitched sites against plain Python."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from corpus import Corpus
from expected import Spread
from shingles import (
    Author, Candidate, Shingles, Text, circle, closure, cover, index_texts, per_document, phrase_fingerprint, popular,
    select, token,
)  # fmt: skip
from test_bad_input import refused
from tool import index, reprise

STITCHED = "stitched.example"
IN_EVERY_PAGE = "as seen in every page".split()


def web() -> tuple[Author, list[Text]]:
    """Sources, pages stitched together from their sentences, a site with a template, near-copies and scraps."""
    author = Author(20050815)
    sources = [author.text(author.dice.randint(60, 90)) for _ in range(8)] + [author.text(150) for _ in range(32)]
    sentences = [source[start : start + 20] for source in sources[:8] for start in range(0, len(source) - 19, 20)]
    pages = [(f"source{number % 8}.example", source) for number, source in enumerate(sources)]
    for number in range(40):
        stitched = [word for sentence in author.dice.sample(sentences, 8) for word in sentence]
        # One of its pages is on another site with the same address.
        pages.append((STITCHED if number != 5 else "hidden.example", stitched))
    template = author.text(70)
    pages += [("template.example", template + author.text(40)) for _ in range(20)]
    pages += [("copies.example", author.words_changed(text, 1)) for _, text in pages[0:50:10]]
    pages = [(host, text + IN_EVERY_PAGE) for host, text in pages]
    pages += [("scraps.example", author.text(size)) for size in (0, 1, 4, 5)] + [("scraps.example", ["one"])] * 6
    author.dice.shuffle(pages)
    addresses = dict.fromkeys((STITCHED, "hidden.example", "source0.example"), "10.0.0.1") | {"source1.example": "10.0.0.2"}
    texts = []
    for number, (host, text) in enumerate(pages):
        www = author.dice.choice(("", "www."))
        texts.append(Text(f"http://{www}{host}/{number}", text, ip=addresses.get(host)))
    return author, texts


@dataclass
class Page:
    url: str
    site: str
    ip: str | None
    shingles: Shingles


class Known:
    """The pages with words of a corpus, and those of them that are left without near-copies."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus.path
        of = {page["url"]: page for page in corpus.export("pages")}
        self.pages = []
        for row in corpus.export("shingles"):
            if row["words"]:
                shingles = tuple(int(value, 16) for value in row["shingles"].split())
                self.pages.append(Page(row["url"], of[row["url"]]["site"], of[row["url"]]["ip"], shingles))
        self.first = closure([page.shingles for page in self.pages]).first
        self.kept = sorted(set(self.first))

    def shingles(self) -> list[Shingles]:
        return [self.pages[number].shingles for number in self.kept]

    def counts(self, least: int = 5) -> list[int]:
        return per_document(popular(self.shingles(), least), len(self.kept))

    def cover(self, url: str, least: int = 5) -> dict:
        (number,) = (number for number, page in enumerate(self.pages) if page.url == url)
        page = self.pages[number]
        others = [self.pages[other] for other in self.kept if other != self.first[number]]
        candidates = [
            Candidate(other.url, other.shingles, other.site != page.site and (page.ip is None or other.ip != page.ip))
            for other in others
        ]
        found = cover(page.shingles, candidates, least)
        sites = {other.url: other.site for other in others}
        return {"url": url} | found | {"sources": [source | {"site": sites[source["url"]]} for source in found["sources"]]}


def as_json(*args) -> dict:
    return json.loads(reprise(*args, "--json"))


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> tuple[Corpus, list[Text]]:
    author, texts = web()
    return Corpus(index_texts(texts, tmp_path_factory.mktemp("web"), author=author)), texts


@pytest.fixture(scope="module")
def known(generated) -> Known:
    corpus, texts = generated
    known = Known(corpus)
    # The shingles of the table are those of the texts.
    with_words = [text for text in texts if text.words]
    assert [page.url for page in known.pages] == [text.url for text in with_words]
    assert all(page.shingles == text.shingles for page, text in zip(known.pages[::9], with_words[::9], strict=True))
    return known


@pytest.fixture(scope="module")
def known_demo(demo) -> Known:
    return Known(demo)


@pytest.fixture(params=["known", "known_demo"])
def either(request) -> Known:
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("least", [2, 5, 9])
def test_popular_shingles(either, least):
    found = as_json("phrases", either.corpus, "--min-documents", least)
    expected = popular(either.shingles(), least)
    assert found.keys() >= {"documents", "popular", "top", "per_document"}
    assert (found["pages"], found["documents"]) == (len(either.pages), len(either.kept))
    assert found["popular"] == len(expected) > 0
    counts = either.counts(least)
    assert found["per_document"] == [list(pair) for pair in sorted(Counter(counts).items())]
    assert found["occurrences"] == [list(pair) for pair in sorted(Counter(map(len, expected.values())).items())]
    # Most documents first; the first of the list is the most popular of all.
    documents = [phrase["documents"] for phrase in found["top"]]
    assert documents == sorted(documents, reverse=True) and documents[0] == max(map(len, expected.values()))
    assert found["unreadable"] == 0


def phrase_of(text: Sequence[str], function: int, shingle: int) -> str:
    """The phrase of a text that a function selected."""
    for phrase in circle(text):
        if select(function, [phrase_fingerprint(tuple(token(word) for word in phrase))]) == shingle:
            return " ".join(phrase)
    raise AssertionError("a shingle without a phrase")


def expected_top(known: Known, texts: Sequence[Text]) -> list[dict]:
    """All popular phrases, each by the shingle that most documents have."""
    of = {text.url: text.words for text in texts}
    top = {}
    for (function, shingle), documents in sorted(popular(known.shingles()).items(), key=lambda found: (-len(found[1]), found[0])):
        holders = [known.pages[known.kept[document]] for document in documents]
        phrase = phrase_of(of[holders[0].url], function, shingle)
        if phrase not in top:
            sites = {page.site: page.url for page in reversed(holders)}
            ordered = [page.url for page in holders if sites[page.site] == page.url][:3]
            top[phrase] = {"phrase": phrase, "documents": len(documents), "url": ordered[0], "urls": ordered}
    return list(top.values())


def test_phrases_are_recovered(generated, known):
    _, texts = generated
    found = as_json("phrases", known.corpus, "--top", 100000)["top"]
    assert found == expected_top(known, texts)
    assert " ".join(IN_EVERY_PAGE) in {phrase["phrase"] for phrase in found[:3]}
    of = {text.url: {" ".join(phrase) for phrase in circle(text.words)} for text in texts}
    assert all(phrase["phrase"] in of[url] for phrase in found for url in phrase["urls"])


@pytest.mark.parametrize("top", [0, 1, 2, 3, 5, 20])
def test_as_many_phrases_as_were_asked_for(generated, known, top):
    """However many functions selected the same phrase."""
    assert as_json("phrases", known.corpus, "--top", top)["top"] == expected_top(known, generated[1])[:top]


def test_one_phrase_by_all_functions(tmp_path):
    """Pages of six words: the one phrase that all share is selected by many functions."""
    author = Author(12)
    texts = [Text(f"http://s{number}.example/", [*IN_EVERY_PAGE, f"number{number}"]) for number in range(60)]
    other = author.text(5)
    texts += [Text(f"http://t{number}.example/", [*other, f"number{number}"]) for number in range(30)]
    found = as_json("phrases", index_texts(texts, tmp_path), "--top", 2)
    assert [phrase["phrase"] for phrase in found["top"]] == [" ".join(IN_EVERY_PAGE), " ".join(other)]


def test_text_names_phrases_and_pages(generated, known):
    text = reprise("phrases", known.corpus, "--top", 5)
    for phrase in as_json("phrases", known.corpus, "--top", 5)["top"]:
        assert phrase["phrase"] in text and all(url in text for url in phrase["urls"])


@pytest.mark.parametrize("least", [3, 5])
def test_covers_of_generated_pages(known, least):
    of_stitched = [page.url for page in known.pages if page.site == STITCHED][:8]
    copies = [page.url for number, page in enumerate(known.pages) if known.first[number] != number]
    urls = [*of_stitched, *copies, *(page.url for page in known.pages[::12])]
    assert len(copies) > 3
    # The command was called `cover` before.
    assert reprise("cover", known.corpus, "--page", urls[0]) == reprise("sources", known.corpus, "--page", urls[0])
    for url in urls:
        assert as_json("sources", known.corpus, "--page", url, "--min-documents", least) == known.cover(url, least), url


def test_covers_of_the_demo(known_demo):
    for page in known_demo.pages[::25]:
        assert as_json("sources", known_demo.corpus, "--page", page.url) == known_demo.cover(page.url), page.url


def test_an_address_makes_kin(known):
    """A page on another site is not foreign if it came from the same address."""
    hidden = [page for page in known.pages if page.site in (STITCHED, "hidden.example", "source0.example")]
    found = [source for page in hidden for source in as_json("sources", known.corpus, "--page", page.url)["sources"]]
    kin = {source["foreign"] for source in found if source["site"] in (STITCHED, "hidden.example", "source0.example")}
    assert kin == {False} and any(source["foreign"] for source in found)


def test_the_text_does_not_call_another_site_the_same_site(known):
    """A source that is not foreign because of its address is on another site."""
    page = next(page for page in known.pages if page.site == "hidden.example")
    kin = [source for source in as_json("sources", known.corpus, "--page", page.url)["sources"] if not source["foreign"]]
    lines = reprise("sources", known.corpus, "--page", page.url).splitlines()
    assert kin and all(source["site"] != page.site for source in kin)
    for source in kin:
        (line,) = (line for line in lines if source["url"] in line.split())
        assert not line.endswith("(same site)"), line


@pytest.mark.parametrize("each", [1, 3, 1000])
def test_samples(either, each):
    """So many of each number of popular shingles from 30 on, or all where there are fewer."""
    numbers = dict(zip((either.pages[number].url for number in either.kept), either.counts(), strict=True))
    sample = as_json("sources", either.corpus, "--sample", each)["pages"]
    available = Counter(number for number in numbers.values() if number >= 30)
    assert Counter(numbers[page["url"]] for page in sample) == {number: min(each, count) for number, count in available.items()}
    assert all(page == either.cover(page["url"]) for page in sample[::12])


def test_without_redundant_sources(either):
    """Sources are left out, their order and what they cover stay, and foreign ones stay preferred."""
    whole = {page["url"]: page for page in as_json("sources", either.corpus, "--sample", 5)["pages"]}
    fewer = 0
    for page in as_json("sources", either.corpus, "--sample", 5, "--without-redundant")["pages"]:
        before = whole[page["url"]]
        assert (page["popular"], page["covered"]) == (before["popular"], before["covered"])
        order = [source["url"] for source in before["sources"]]
        places = [order.index(source["url"]) for source in page["sources"]]
        assert places == sorted(places)
        assert sum(source["shingles"] for source in page["sources"]) == page["covered"]
        assert page["foreign"] == before["foreign"], page["url"]
        fewer += len(order) - len(places)
    assert fewer > 0


def test_sites(either):
    counts = dict(zip(either.kept, either.counts(), strict=True))
    by_site: dict[str, list[int]] = {}
    for number in either.kept:
        by_site.setdefault(either.pages[number].site, []).append(counts[number])
    found = as_json("sites", either.corpus)["sites"]
    assert {site["site"]: site["pages"] for site in found} == {site: len(numbers) for site, numbers in by_site.items()}
    for site in found:
        spread = Spread(by_site[site["site"]])
        assert (site["mean"], site["stddev"]) == (pytest.approx(spread.mean, abs=1e-9), pytest.approx(spread.stddev, abs=1e-9))
        is_suspect = site["pages"] >= 10 and site["mean"] >= 30 and site["stddev"] < 15
        assert (site["foreign"] is not None) == is_suspect
        assert site["stitched"] == (is_suspect and site["foreign"] > 0.5)
        if example := site["example"]:
            assert example == either.cover(example["url"])
        assert (site["example"] is not None) == is_suspect
    # Stitched sites, then large sites with a high mean, then the others, by mean.
    ranks = [(site["stitched"], site["pages"] >= 10 and site["mean"] >= 30, site["mean"]) for site in found]
    assert ranks == sorted(ranks, reverse=True)


def test_the_stitched_site_of_the_generated_web(known):
    sites = {site["site"]: site for site in as_json("sites", known.corpus)["sites"]}
    assert [site for site in sites if sites[site]["stitched"]] == [STITCHED]
    # Others' pages gave most; sites at its own address do not count as others.
    assert {source["site"] for source in sites[STITCHED]["sources"]} <= {f"source{number}.example" for number in range(1, 8)} | {
        "copies.example", "template.example", "scraps.example",
    }  # fmt: skip
    template = sites["template.example"]
    assert template["mean"] >= 30 and template["pages"] >= 10 and not template["stitched"]
    assert f"{STITCHED}  <- stitched" in reprise("sites", known.corpus)


def sites_of(planted: dict, role: str, known: Known) -> set[str]:
    urls = {page["url"] for page in planted["pages"] if page["role"] == role}
    return {page.site for page in known.pages if page.url in urls}


def test_the_stitched_site_of_the_demo(known_demo, planted):
    sites = as_json("sites", known_demo.corpus)["sites"]
    stitched = {site["site"] for site in sites if site["stitched"]}
    assert stitched == sites_of(planted, "slice_and_dice", known_demo)
    assert not stitched & sites_of(planted, "template", known_demo)
    originals = sites_of(planted, "original", known_demo)
    clones = sites_of(planted, "exact_clone", known_demo) | sites_of(planted, "clone_with_ads", known_demo)
    # The most generous are sites that it really took from.
    named = [source["site"] for source in sites[0]["sources"]]
    sources = {source for page in planted["pages"] if page["role"] == "slice_and_dice" for source in page["sources"]}
    robbed = {page.site for page in known_demo.pages if page.url in sources}
    assert set(named) <= originals | clones and named[0] in robbed


def test_sources_of_the_demo_are_the_planted_ones(known_demo, planted):
    """Most of what is foreign in a stitched page is traced to a page that it was cut from, or to a copy of that."""
    cut_from = {page["url"]: set(page["sources"]) for page in planted["pages"]}
    stitched = [page["url"] for page in planted["pages"] if page["role"] == "slice_and_dice"]
    shares = Counter()
    for url in stitched[::4]:
        for source in as_json("sources", known_demo.corpus, "--page", url)["sources"]:
            if source["foreign"]:
                kind = "source" if source["url"] in cut_from[url] else "copy" if cut_from[source["url"]] & cut_from[url] else "other"
                shares[kind] += source["shingles"]
    total = shares.total()
    assert shares["source"] > 0.6 * total and shares["other"] < 0.1 * total, shares


def test_segments_make_no_difference(demo, tmp_path):
    index(demo.archives, tmp_path / "corpus", "--shingles", "--segment-size", "200K")
    for command in (("phrases", "--top", 50), ("sites",), ("sources", "--sample", 2)):
        assert as_json(command[0], tmp_path / "corpus", *command[1:]) == as_json(command[0], demo.path, *command[1:])


def test_little_memory_makes_no_difference(known_demo):
    for command in (("phrases",), ("sites",), ("sources", "--sample", 2)):
        assert as_json(*command[:1], known_demo.corpus, *command[1:]) == as_json(
            *command[:1], known_demo.corpus, *command[1:], "--memory", "64M"
        )


def test_a_phrase_in_every_page(tmp_path):
    """Long lists of pages for one shingle; each page is otherwise its own."""
    author = Author(13)
    texts = [Text(f"http://s{number % 50}.example/{number}", [*IN_EVERY_PAGE, *author.text(25)]) for number in range(3000)]
    corpus = index_texts(texts, tmp_path)
    found = as_json("phrases", corpus, "--top", 1)
    assert found["documents"] == 3000
    assert found["top"][0]["phrase"] == " ".join(IN_EVERY_PAGE) and found["top"][0]["documents"] > 1000
    assert len({url.split("/")[2] for url in found["top"][0]["urls"]}) == 3
    found = as_json("sources", corpus, "--page", texts[7].url)
    assert found["covered"] == found["popular"] == found["foreign"] and len(found["sources"]) <= 3
    assert not any(site["stitched"] for site in as_json("sites", corpus)["sites"])


def test_bad_flags(known, generated, tmp_path):
    refused("sources", known.corpus, "--page", "http://nowhere.example/", saying="not in the corpus")
    refused("sources", known.corpus)
    refused("sources", known.corpus, "--page", known.pages[0].url, "--sample", "3")
    refused("sources", known.corpus, "--sample=-1", saying="--sample")
    for command in (("phrases",), ("sites",), ("sources", "--sample", "1")):
        refused(command[0], known.corpus, *command[1:], "--min-documents", "1", saying="--min-documents")
        refused(command[0], known.corpus, *command[1:], "--memory", "much", saying="--memory")
        refused(command[0], tmp_path / "nowhere", *command[1:])
    (empty,) = (text.url for text in generated[1] if not text.words)
    refused("sources", known.corpus, "--page", empty, saying="no text")


def test_archives_that_have_gone(tmp_path):
    author = Author(14)
    texts = [Text(f"http://s{number}.example/", [*IN_EVERY_PAGE, *author.text(20)]) for number in range(20)]
    corpus = index_texts(texts, tmp_path)
    there = as_json("phrases", corpus)
    covers = as_json("sources", corpus, "--page", texts[0].url)
    Path(tmp_path / "texts.jsonl").rename(tmp_path / "elsewhere.jsonl")
    gone = as_json("phrases", corpus)
    assert gone["top"] == [] and gone["unreadable"] > 0 and gone["popular"] == there["popular"] > 0
    assert f"{gone['unreadable']} phrases could not be read again" in reprise("phrases", corpus)
    # Who has which shingle is known without the words.
    assert as_json("sources", corpus, "--page", texts[0].url) == covers


def test_samples_of_all_and_of_a_site(demo, planted):
    """The paper's figures 5 to 7: evenly over all pages, or over those of one site."""
    covers = lambda *flags: json.loads(reprise("sources", demo.path, "--json", "--sample", *flags))["pages"]
    assert len(covers(7, "--uniform")) == 7
    stitched = {page["url"] for page in planted["pages"] if page["role"] == "slice_and_dice"}
    site = next(row["site"] for row in json.loads(reprise("sites", demo.path, "--json"))["sites"] if row["stitched"])
    found = {cover["url"] for cover in covers(1000, "--uniform", "--site", site)}
    assert found and found <= stitched
    assert covers(5, "--site", "nobody.example") == []
