"""Near-copies: shingles, clusters and lists against plain Python; bad input."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from archive import records, text_of
from corpus import Corpus
from shingles import (
    SHINGLES, Author, Groups, Shingles, Text, agreement, closure, containment, index_texts, jaccard, recall, shingles_of,
    stars, visible_words, words, write_rows,
)  # fmt: skip
from test_bad_input import refused, run
from tool import index, reprise

THRESHOLDS = (0.5, 0.65, 0.8, 0.95)
JSON_KEYS = {"pages", "candidates", "verified", "clusters", "in_clusters", "largest", "removable"}
COLUMNS = ["url", "cluster", "representative", "similarity", "containment", "method"]
IN_EVERY_PAGE = "this phrase is everywhere".split() + ["да"]


def pile() -> tuple[Author, list[Text]]:
    """Texts of all lengths; copies with changes, exact repeats, chains of small changes."""
    author = Author(20080411)
    texts = [author.text(size) for size in (0, 0, 1, 1, 2, 4, 4, 5, 5, 6)]
    texts += [["one"], ["one"], ["one"] * 7, ["a", "b", "c", "d"], ["b", "c", "d", "a"]]
    for similarity in (0.4, 0.46, 0.5, 0.55, 0.6, 0.64, 0.66, 0.7, 0.75, 0.79, 0.82, 0.86, 0.9, 0.94, 0.96, 0.98):
        base = author.text(author.dice.randint(30, 300))
        texts += [base, *(author.block_changed(base, similarity + author.dice.uniform(-0.02, 0.02)) for _ in range(3))]
    for changes in (1, 1, 2, 3, 5, 8, 12):
        base = author.text(author.dice.randint(60, 200))
        texts += [base, author.words_changed(base, changes), author.words_changed(base, changes)]
    # One changed word is five phrases: just over 95 %.
    base = author.text(280)
    texts += [base, *(author.words_changed(base, 1) for _ in range(6))]
    # A window that moves on: each text is like the next, and unlike those further on.
    long = author.text(500)
    texts += [long[start : start + 150] for start in range(0, 300, 15)]
    texts += [list(text) for text in author.dice.sample(texts, 25)]
    texts = [text + IN_EVERY_PAGE if len(text) > 10 else text for text in texts]
    # The same circle, begun elsewhere.
    base = author.text(60) + IN_EVERY_PAGE
    texts += [base[start:] + base[:start] for start in range(0, 60, 10)]
    author.dice.shuffle(texts)
    dates = [None, *(f"20{year:02}-05-{day:02}T00:00:00Z" for year in range(10, 25) for day in (1, 17))]
    return author, [
        Text(f"http://site{number % 7}.example/{number}", text, date=author.dice.choice(dates))
        for number, text in enumerate(texts)
    ]


class Known:
    """A corpus whose texts the oracle knows."""

    def __init__(self, corpus: Path, texts: Sequence[Text], shingles: Sequence[Shingles]):
        self.corpus = corpus
        self.texts = texts
        self.shingles = shingles
        self.number = {text.url: number for number, text in enumerate(texts)}
        self.overlaps: dict[tuple[int, int], float] = {}

    def jaccard(self, one: int, other: int) -> float:
        pair = (min(one, other), max(one, other))
        if pair not in self.overlaps:
            self.overlaps[pair] = jaccard(self.texts[one].phrases, self.texts[other].phrases)
        return self.overlaps[pair]

    def alike(self, similarity: float) -> list[tuple[int, int]]:
        """All pairs of this similarity."""
        return [pair for pair in combinations(range(len(self.texts)), 2) if self.jaccard(*pair) >= similarity]

    def in_a_band(self, rows: int) -> set[tuple[int, int]]:
        """All pairs that agree in a band of so many shingles."""
        pairs = set()
        for start in range(0, SHINGLES - rows + 1, rows):
            same = defaultdict(list)
            for number, shingles in enumerate(self.shingles):
                same[shingles[start : start + rows]].append(number)
            pairs.update(pair for numbers in same.values() for pair in combinations(numbers, 2))
        return pairs


def near(corpus: Path, tmp_path: Path, *flags) -> tuple[dict, list[dict]]:
    """Figures and rows."""
    file = tmp_path / "clusters.parquet"
    found = json.loads(reprise("near", corpus, "-o", file, "--json", *flags))
    assert found.keys() >= JSON_KEYS
    table = pq.read_table(file)
    assert [name for name in table.column_names if name in COLUMNS] == COLUMNS
    rows = table.to_pylist()
    check_rows(found, rows)
    return found, rows


def check_rows(found: dict, rows: list[dict]):
    """What holds by whatever method."""
    assert len({(row["source"], row["offset"], row["within"]) for row in rows}) == len(rows) == found["in_clusters"]
    sizes = Counter(row["cluster"] for row in rows)
    assert sorted(sizes) == list(range(found["clusters"])) and min(sizes.values(), default=2) >= 2
    assert max(sizes.values(), default=0) == found["largest"]
    assert found["removable"] == len(rows) - len(sizes)
    own = {row["cluster"]: row["url"] for row in rows if row["url"] == row["representative"]}
    assert all(own[row["cluster"]] == row["representative"] for row in rows)
    assert all(0 <= row["similarity"] <= 1 and 0 <= row["containment"] <= 1 for row in rows)


def clusters(rows: list[dict]) -> dict[str, set[str]]:
    """Members by representative."""
    found = defaultdict(set)
    for row in rows:
        found[row["representative"]].add(row["url"])
    return dict(found)


def rows_of_bands(found: dict) -> int:
    """Returns the number of shingles in a band, computed from the promised recall."""
    promised, similarity = found["expected_recall"], found["similarity"]
    assert promised >= 0.98
    (rows,) = (rows for rows in range(1, 15) if abs(recall(similarity, rows) - promised) < 1e-9)
    assert found["bands"] == {"bands": SHINGLES // rows, "rows": rows, "agreeing": 1}
    return rows


def order(texts: Sequence[Text], keep: str) -> list[int]:
    """Which text is to be kept rather than which."""
    keys = {
        "first": lambda text: 0,
        "none": lambda text: 0,
        "longest": lambda text: -len(text.words),
        "oldest": lambda text: text.date or "9999",
    }
    return sorted(range(len(texts)), key=lambda number: (keys[keep](texts[number]), number))


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> tuple[Corpus, list[Text]]:
    author, texts = pile()
    return Corpus(index_texts(texts, tmp_path_factory.mktemp("pile"), author=author)), texts


@pytest.fixture(scope="module")
def known(generated) -> Known:
    """The texts with words."""
    corpus, texts = generated
    texts = [text for text in texts if text.words]
    return Known(corpus.path, texts, [text.shingles for text in texts])


def demo_texts(demo: Corpus) -> list[Text]:
    bodies = {record.url: record.body for archive in demo.archives for record in records(archive)}
    texts = []
    for page in demo.export("pages"):
        found = []
        if page["content"] != "binary":
            text = text_of(bodies[page["url"]], page["charset"] or "utf-8")
            found = visible_words(text) if page["content"] == "html" else words(text)
        texts.append(Text(page["url"], found, date=page["fetched"]))
    return texts


@pytest.fixture(scope="module")
def known_demo(demo) -> Known:
    texts = [text for text in demo_texts(demo) if text.words]
    vectors = {row["url"]: tuple(int(value, 16) for value in row["shingles"].split()) for row in demo.export("shingles")}
    return Known(demo.path, texts, [vectors[text.url] for text in texts])


def check_shingles(corpus: Corpus, texts: Sequence[Text], longest: int):
    rows = corpus.export("shingles")
    assert [row["url"] for row in rows] == [text.url for text in texts]
    compared = 0
    for row, text in zip(rows, texts, strict=True):
        assert (row["words"], row["text"]) == (len(text.words), text.fingerprint), text.url
        if len(text.words) <= longest:
            expected = text.shingles or (0,) * SHINGLES
            assert row["shingles"] == " ".join(f"{value:016x}" for value in expected), text.url
            compared += 1
    assert compared > 50


def test_shingles_of_generated_texts(generated):
    check_shingles(*generated, longest=1000)


def test_shingles_of_the_demo(demo):
    """All its scripts and character sets, markup taken away by other means."""
    check_shingles(demo, demo_texts(demo), longest=60)


def test_where_a_circle_begins_does_not_matter():
    text = Author(3).text(40)
    assert shingles_of(text) == shingles_of(text[17:] + text[:17])
    assert shingles_of(["a"]) == shingles_of(["a"] * 9)


@pytest.mark.parametrize("similarity", THRESHOLDS)
@pytest.mark.parametrize("keep", ["first", "longest", "oldest", "none"])
def test_clusters(known, tmp_path, similarity, keep):
    """Stars of pages that share enough with the best of them, whoever is linked to them by a chain."""
    found, rows = near(known.corpus, tmp_path, "--similarity", similarity, "--keep", keep)
    check_members(known, rows, similarity)
    chains = Groups(len(known.texts))
    for pair in known.in_a_band(rows_of_bands(found)).intersection(known.alike(similarity)):
        chains.link(*pair)

    def is_alike(one: int, other: int) -> bool:
        return chains.first[one] == chains.first[other] and known.jaccard(one, other) >= similarity

    expected = stars(order(known.texts, keep), is_alike)
    named = [[known.texts[number].url for number in cluster] for cluster in expected]
    assert clusters(rows) == {cluster[0]: set(cluster) for cluster in named}
    assert all(row["keep"] == (keep == "none" or row["url"] == row["representative"]) for row in rows)
    # Numbered as the first page of each stands in the corpus.
    firsts = [known.number[row["url"]] for row in rows]
    lowest = {}
    for first, row in zip(firsts, rows, strict=True):
        lowest[row["cluster"]] = min(first, lowest.get(row["cluster"], first))
    assert list(lowest.values()) == sorted(lowest.values())


def check_members(known: Known, rows: list[dict], similarity: float):
    """Each page was compared with its representative."""
    for row in rows:
        page, representative = (known.texts[known.number[row[name]]] for name in ("url", "representative"))
        assert row["similarity"] == jaccard(page.phrases, representative.phrases) >= similarity, row
        assert row["containment"] == containment(page.phrases, representative.phrases), row
        assert row["words"] == len(page.words) and row["method"] == "shingle"


@pytest.mark.parametrize("similarity", THRESHOLDS)
def test_recall_against_all_pairs(known, tmp_path, similarity):
    found, _ = near(known.corpus, tmp_path, "--similarity", similarity)
    # Repeats of a text are no pairs of their own.
    first = {}
    distinct = {first.setdefault(tuple(text.words), number) for number, text in enumerate(known.texts)}
    pairs = [pair for pair in known.alike(similarity) if set(pair) <= distinct]
    assert len(pairs) > 20
    expected = known.in_a_band(rows_of_bands(found)).intersection(pairs)
    assert found["verified"] == len(expected) >= 0.98 * len(pairs)
    assert found["verified"] <= found["candidates"]


@pytest.mark.parametrize("similarity", [0.5, 0.65, 0.9])
def test_clusters_of_the_demo(known_demo, tmp_path, similarity):
    found, rows = near(known_demo.corpus, tmp_path, "--similarity", similarity)
    check_members(known_demo, rows, similarity)
    # Whoever is left is like no other that is left: not as far as a band can tell.
    gone = {known_demo.number[row["url"]] for row in rows if not row["keep"]}
    left = [pair for pair in known_demo.in_a_band(rows_of_bands(found)) if not gone.intersection(pair)]
    assert left and not [pair for pair in left if known_demo.jaccard(*pair) >= similarity]


def test_clones_of_the_demo_are_found(demo, planted, tmp_path):
    _, rows = near(demo.path, tmp_path)
    number = {row["url"]: row["cluster"] for row in rows}
    for page in planted["pages"]:
        if page["role"] in ("exact_clone", "clone_with_ads"):
            assert number[page["url"]] == number[page["sources"][0]], page["url"]
        if page["role"] == "template":
            # What such a page is like is another of its own site, if any.
            others = {row["site"] for row in rows if row["cluster"] == number.get(page["url"], -1)}
            assert len(others) <= 1, page["url"]


@pytest.mark.parametrize("name", ["known", "known_demo"])
def test_closure(request, tmp_path, name):
    """Links pages that agree in two of six runs of 14 shingles, as in the paper; the phrases are not compared."""
    known = request.getfixturevalue(name)
    found, rows = near(known.corpus, tmp_path, "--link", "closure")
    assert found["bands"] == {"bands": 6, "rows": 14, "agreeing": 2}
    # Pages are linked without a look at their phrases, so no similarity and no recall are promised.
    assert (found["similarity"], found["expected_recall"]) == (None, None)
    groups = [group for group in closure(known.shingles).all() if len(group) > 1]
    assert clusters(rows) == {known.texts[group[0]].url: {known.texts[member].url for member in group} for group in groups}
    for row in rows:
        page, representative = (known.shingles[known.number[row[name]]] for name in ("url", "representative"))
        assert row["similarity"] == agreement(page, representative) / SHINGLES


@pytest.mark.parametrize("similarity", [0.5, 0.8])
def test_closure_of_a_similarity(known, tmp_path, similarity):
    """Links the pages that agree in one of the bands that find pairs of this similarity."""
    found, rows = near(known.corpus, tmp_path, "--link", "closure", "--similarity", similarity)
    verified, _ = near(known.corpus, tmp_path, "--similarity", similarity)
    assert found["bands"] == verified["bands"]
    chains = Groups(len(known.texts))
    for pair in known.in_a_band(rows_of_bands(verified)):
        chains.link(*pair)
    groups = [group for group in chains.all() if len(group) > 1]
    assert clusters(rows) == {known.texts[group[0]].url: {known.texts[member].url for member in group} for group in groups}


def test_closure_with_longest(known, tmp_path):
    _, rows = near(known.corpus, tmp_path, "--link", "closure", "--keep", "longest")
    for representative, members in clusters(rows).items():
        lengths = {url: len(known.texts[known.number[url]].words) for url in members}
        assert lengths[representative] == max(lengths.values())


def test_exact(generated, tmp_path):
    """Equal files and equal words; files without words too, but not empty ones."""
    corpus, texts = generated
    _, rows = near(corpus.path, tmp_path, "--method", "exact")
    same = defaultdict(list)
    for text in texts:
        if text.words:
            same[tuple(text.words)].append(text.url)
    assert clusters(rows) == {urls[0]: set(urls) for urls in same.values() if len(urls) > 1}
    assert {(row["similarity"], row["containment"], row["method"]) for row in rows} == {(1, 1, "exact")}


def test_exact_files(tmp_path):
    texts = ["", "", "...", "...", "One, two", "one two", "one two", "three"]
    rows = [{"url": f"http://a.example/{number}", "text": text} for number, text in enumerate(texts)]
    file = write_rows(tmp_path / "rows.jsonl", rows)
    index([file], tmp_path / "with", "--shingles")
    index([file], tmp_path / "without")
    url = "http://a.example/{}".format
    _, found = near(tmp_path / "with", tmp_path, "--method", "exact")
    assert clusters(found) == {url(2): {url(2), url(3)}, url(4): {url(4), url(5), url(6)}}
    # Without shingles, it can only tell equal files.
    _, found = near(tmp_path / "without", tmp_path, "--method", "exact")
    assert clusters(found) == {url(2): {url(2), url(3)}, url(5): {url(5), url(6)}}


@pytest.mark.parametrize("flags", [(), ("--keep", "longest"), ("--keep", "none"), ("--method", "exact"), ("--link", "closure")])
def test_lists_hold_each_page_once(generated, tmp_path, flags):
    corpus, texts = generated
    lists = [tmp_path / "keep", tmp_path / "drop"]
    found, rows = near(corpus.path, tmp_path, "--keep-list", lists[0], "--drop-list", lists[1], *flags)
    keep, drop = ([line for line in file.read_text().split("\n") if line] for file in lists)
    gone = {row["url"] for row in rows if not row["keep"]}
    assert keep == [text.url for text in texts if text.url not in gone]
    assert drop == [text.url for text in texts if text.url in gone]
    assert len(drop) == (0 if "none" in flags else found["removable"])


def test_a_url_that_was_captured_twice_is_on_one_list(tmp_path):
    """Whoever filters by the list of what to drop keeps one of the captures."""
    rows = [{"url": f"http://a.example/{name}", "text": "some few words are here"} for name in (1, 1, 2)]
    index([write_rows(tmp_path / "rows.jsonl", rows)], tmp_path / "corpus", "--shingles")
    near(tmp_path / "corpus", tmp_path, "--keep-list", tmp_path / "keep", "--drop-list", tmp_path / "drop")
    keep, drop = ((tmp_path / name).read_text().split() for name in ("keep", "drop"))
    assert (keep, drop) == (["http://a.example/1"], ["http://a.example/2"])


def test_threads_make_no_difference(demo, tmp_path):
    files = [tmp_path / str(threads) for threads in (1, 2, 5)]
    for threads, file in zip((1, 2, 5), files, strict=True):
        reprise("near", demo.path, "-o", file, "--threads", threads)
    assert len({file.read_bytes() for file in files}) == 1


def test_little_memory_makes_no_difference(demo, tmp_path):
    for memory in ("1G", "64M"):
        reprise("near", demo.path, "-o", tmp_path / memory, "--memory", memory)
    assert (tmp_path / "1G").read_bytes() == (tmp_path / "64M").read_bytes()


def test_segments_make_no_difference(demo, tmp_path):
    index(demo.archives, tmp_path / "corpus", "--shingles", "--segment-size", "200K")
    cut = Corpus(tmp_path / "corpus")
    assert len(cut.segments) > 3 > len(demo.segments)
    for flags in ((), ("--similarity", "0.5", "--keep", "longest"), ("--link", "closure"), ("--method", "exact")):
        assert near(cut.path, tmp_path, *flags) == near(demo.path, tmp_path, *flags)


def test_figures(generated, tmp_path):
    corpus, texts = generated
    found, rows = near(corpus.path, tmp_path)
    assert found["pages"] == len(texts) and found["documents"] == sum(bool(text.words) for text in texts)
    assert (found["method"], found["link"], found["similarity"]) == ("shingle", "verified", 0.65)
    assert found["unreadable"] == 0
    sites = Counter(row["site"] for row in rows if row["url"] != row["representative"])
    assert found["largest_site"]["removable"] == max(sites.values()) == sites[found["largest_site"]["site"]]
    text = reprise("near", corpus.path)
    assert f"{found['removable']} of {len(texts)} pages can be dropped" in text
    # The text says how probably a pair is found.
    assert f"{found['expected_recall']:.2%}" in text


def one_more(text: list[str], number: int) -> list[str]:
    return [*text, f"number{number}"]


def test_a_cluster_that_is_most_of_the_corpus_is_warned_of(tmp_path):
    base = Author(5).text(200)
    texts = [Text(f"http://a.example/{number}", one_more(base, number)) for number in range(40)]
    corpus = index_texts(texts, tmp_path)
    found, _ = near(corpus, tmp_path)
    assert found["largest"] == 40 and len(found["warnings"]) == 1
    assert "40 pages" in found["warnings"][0]


def test_an_over_merge_of_the_closure_is_warned_of(tmp_path):
    """A long chain: its ends have nothing in common."""
    long = Author(6).text(1000)
    texts = [Text(f"http://a.example/{start}", long[start : start + 600]) for start in range(0, 400, 2)]
    corpus = index_texts(texts, tmp_path)
    found, rows = near(corpus, tmp_path, "--link", "closure")
    assert found["largest"] > 100 and min(row["similarity"] for row in rows) < 0.5
    assert any("over-merge" in warning for warning in found["warnings"])
    # What is verified does not chain.
    _, rows = near(corpus, tmp_path)
    assert min(row["similarity"] for row in rows) >= 0.65


def test_short_documents(tmp_path):
    texts = ["", "...", "word", "WORD word Word", "a b c d", "B c d, a", "a b c e", "d c b a"]
    rows = [{"url": f"http://a.example/{number}", "text": text} for number, text in enumerate(texts)]
    index([write_rows(tmp_path / "rows.jsonl", rows)], tmp_path / "corpus", "--shingles")
    found, rows = near(tmp_path / "corpus", tmp_path)
    url = "http://a.example/{}".format
    assert clusters(rows) == {url(2): {url(2), url(3)}, url(4): {url(4), url(5)}}
    assert {row["similarity"] for row in rows} == {1}
    assert (found["pages"], found["documents"]) == (8, 6)


def test_a_corpus_without_a_page(tmp_path):
    index([write_rows(tmp_path / "none.jsonl", [])], tmp_path / "corpus", "--shingles", expect=2)
    for flags in ((), ("--link", "closure"), ("--method", "exact")):
        found, rows = near(tmp_path / "corpus", tmp_path, *flags)
        assert rows == [] and found["pages"] == 0
    assert json.loads(reprise("phrases", tmp_path / "corpus", "--json"))["popular"] == 0
    assert json.loads(reprise("sites", tmp_path / "corpus", "--json"))["sites"] == []
    assert json.loads(reprise("sources", tmp_path / "corpus", "--sample", 3, "--json"))["pages"] == []


def test_one_word_five_megabytes_long(tmp_path):
    rows = [{"url": "http://a.example/1", "text": "word"}, {"url": "http://b.example/2", "text": "word " * (1 << 20)}]
    index([write_rows(tmp_path / "rows.jsonl", rows)], tmp_path / "corpus", "--shingles")
    _, rows = near(tmp_path / "corpus", tmp_path, "--keep", "longest")
    assert clusters(rows) == {"http://b.example/2": {"http://a.example/1", "http://b.example/2"}}
    assert [row["words"] for row in rows] == [1 << 20, 1]


def test_one_text_twenty_thousand_times(tmp_path):
    text = " ".join(Author(7).text(20))
    rows = ({"url": f"http://s{number % 100}.example/{number}", "text": text} for number in range(20_000))
    index([write_rows(tmp_path / "rows.jsonl", rows)], tmp_path / "corpus", "--shingles")
    for flags in ((), ("--link", "closure"), ("--method", "exact")):
        found, rows = near(tmp_path / "corpus", tmp_path, *flags)
        assert (found["clusters"], found["largest"], found["removable"]) == (1, 20_000, 19_999)
        assert rows[0]["representative"] == "http://s0.example/0"
    phrases = json.loads(reprise("phrases", tmp_path / "corpus", "--json"))
    assert (phrases["documents"], phrases["popular"]) == (1, 0)


def test_copies_among_many_pages_with_one_template(tmp_path):
    """The promise of recall holds where hundreds of pages have most of a band in common."""
    author = Author(8)
    template = author.text(150)
    texts, pairs = [], set()
    for number in range(800):
        own = author.text(50)
        texts.append(Text(f"http://a.example/{number}", template + own))
        if number % 4 == 0:
            texts.append(Text(f"http://b.example/{number}", template + own[:14] + author.text(36)))
            pairs.add(frozenset(text.url for text in texts[-2:]))
    # Two pages with the template only share 0.57 of their phrases, a page and its copy 0.66.
    assert jaccard(texts[0].phrases, texts[2].phrases) < 0.6 and 0.65 < jaccard(texts[0].phrases, texts[1].phrases) < 0.67
    author.dice.shuffle(texts)
    found, rows = near(index_texts(texts, tmp_path), tmp_path, "--similarity", "0.65")
    merged = {frozenset(members) for members in clusters(rows).values()}
    assert merged <= pairs
    assert len(merged) >= min(found["expected_recall"], 0.98) * len(pairs), (len(merged), len(pairs))


def test_without_shingles(tmp_path):
    index([write_rows(tmp_path / "rows.jsonl", [{"url": "http://a.example/", "text": "some words"}])], tmp_path / "corpus")
    for command in (("near",), ("near", "--link", "closure"), ("phrases",), ("sites",), ("sources", "--sample", "1")):
        refused(command[0], tmp_path / "corpus", *command[1:], saying="--shingles")
    refused("sources", tmp_path / "corpus", "--page", "http://a.example/", saying="--shingles")
    refused("export", tmp_path / "corpus", "--table", "shingles", saying="--shingles")


@pytest.mark.parametrize("value", ["0", "2", "nan", "-1", "inf", "0.09", "1.01", "much"])
def test_similarity_out_of_range(demo, tmp_path, value):
    refused("near", demo.path, f"--similarity={value}", "-o", tmp_path / "none", saying="--similarity")
    assert not (tmp_path / "none").exists()


def test_other_wrong_flags(demo, tmp_path):
    refused("near", demo.path, "--threads", "0", saying="--threads")
    refused("near", demo.path, "--threads=-1", saying="--threads")
    refused("near", demo.path, "--keep", "best", saying="first")
    refused("near", demo.path, "--method", "magic", saying="shingle")
    refused("near", demo.path, "--link", "chain", saying="closure")
    refused("near", demo.path, "--memory", "none", saying="--memory")
    refused("near", tmp_path / "nowhere")


def test_output_that_cannot_be_written(demo, tmp_path):
    for flag in ("-o", "--keep-list", "--drop-list"):
        done = run("near", demo.path, flag, tmp_path / "nowhere" / "file")
        assert done.returncode in (1, 2) and b"nowhere" in done.stderr, done.stderr


def test_limits_of_similarity(known, tmp_path):
    for similarity in ("0.1", "1"):
        _, rows = near(known.corpus, tmp_path, "--similarity", similarity)
        check_members(known, rows, float(similarity))


def test_archives_that_have_gone(tmp_path):
    author = Author(9)
    base = author.text(200)
    texts = [Text(f"http://a.example/{number}", author.words_changed(base, 1)) for number in range(10)]
    corpus = index_texts([*texts, Text("http://b.example/", base), Text("http://c.example/", base)], tmp_path)
    assert near(corpus, tmp_path)[0]["largest"] == 12
    (tmp_path / "texts.jsonl").rename(tmp_path / "elsewhere.jsonl")
    found, rows = near(corpus, tmp_path)
    assert found["unreadable"] == 11
    # What says the same is known without a look.
    assert clusters(rows) == {"http://b.example/": {"http://b.example/", "http://c.example/"}}
    text = reprise("near", corpus)
    assert "11 pages could not be read again" in text and "archive" in text
    # Neither of these reads anything again.
    assert near(corpus, tmp_path, "--link", "closure")[0]["largest"] > 2
    assert near(corpus, tmp_path, "--method", "exact")[0]["largest"] == 2


def test_archives_that_have_changed(tmp_path):
    """A page that is another one now is not called a near-copy by what it was."""
    author = Author(10)
    base = author.text(200)
    texts = [Text(f"http://a.example/{number}", one_more(base, number)) for number in range(2)]
    corpus = index_texts(texts, tmp_path)
    file = tmp_path / "texts.jsonl"
    other = file.read_text().replace(" ".join(base[:150]), " ".join(author.text(400)), 1)
    file.write_text(other)
    done = run("near", corpus, "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["clusters"] == 0 and found["unreadable"] > 0, found


def test_standard_input_cannot_be_read_again(tmp_path):
    base = Author(11).text(100)
    lines = [json.dumps({"url": f"http://a.example/{n}", "text": " ".join(one_more(base, n))}) + "\n" for n in range(3)]
    index(["-"], tmp_path / "corpus", "--shingles", stdin="".join(lines).encode())
    found, rows = near(tmp_path / "corpus", tmp_path)
    assert (found["unreadable"], rows) == (3, [])
    assert "standard input" in reprise("near", tmp_path / "corpus")
