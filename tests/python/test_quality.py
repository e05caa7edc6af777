"""Near-copies, sources and stitched sites on labelled data that nobody here wrote: the table of docs/near.md, kept true.

Similarities are Jaccard similarities of phrases, counted in plain Python.
"""

import csv
import json
import random
import subprocess
import zlib
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from shingles import Text, circle, containment, index_texts, jaccard, visible_words, words
from tool import SHARED_DATA, index, reprise

BINS = (0.5, 0.6, 0.7, 0.8, 0.9)
DEFAULT = 0.65


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Unpacks a set of labelled data, which is not part of the project."""
    directory = tmp_path_factory.mktemp("labelled")

    def unpack(name: str) -> Path:
        if not (SHARED_DATA / f"{name}.tar.zst").is_file() or not (SHARED_DATA / "unpack").is_file():
            pytest.skip(f"../shared/data/{name} is not on this machine")
        if not (directory / name).is_dir():
            subprocess.run([SHARED_DATA / "unpack", directory, name], check=True, capture_output=True)
        return directory / name

    return unpack


def near(corpus: Path, *flags) -> tuple[dict, list[dict]]:
    file = corpus.parent / "clusters.parquet"
    found = json.loads(reprise("near", corpus, "-o", file, "--json", *flags))
    return found, pq.read_table(file).to_pylist()


def page_name(url: str) -> str:
    return url.split("/", 3)[3]


def merged(rows: list[dict]) -> set[frozenset[str]]:
    """All pairs of names that are in one cluster."""
    members = defaultdict(list)
    for row in rows:
        members[row["cluster"]].append(page_name(row["url"]))
    return {frozenset(pair) for names in members.values() for pair in combinations(names, 2)}


# Versions of a manual: pages of one name are one page.


@dataclass
class Versions:
    """Pages of several versions, each on a site of its own."""

    corpus: Path
    phrases: dict[str, frozenset[int]]

    @cached_property
    def pairs(self) -> dict[tuple[str, str], float]:
        """Pages of one name, and how similar they are."""
        named = defaultdict(list)
        for url in self.phrases:
            named[page_name(url)].append(url)
        return {pair: self.jaccard(*pair) for urls in named.values() for pair in combinations(urls, 2)}

    def jaccard(self, one: str, other: str) -> float:
        return jaccard(self.phrases[one], self.phrases[other])

    def measure(self, similarity: float) -> dict:
        _, rows = near(self.corpus, "--similarity", similarity)
        cluster = {row["url"]: row["cluster"] for row in rows}
        gone = {row["url"] for row in rows if not row["keep"]}
        together = {pair for pair in self.pairs if cluster.get(pair[0], -1) == cluster.get(pair[1], -2)}
        shares = []
        for low in BINS:
            some = [pair for pair, value in self.pairs.items() if low <= value < (low + 0.1 if low < 0.9 else 2)]
            shares.append(round(sum(pair in together for pair in some) / len(some), 3))
        alike = [pair for pair, value in self.pairs.items() if value >= similarity]
        return {
            # Members that are not what they are said to be.
            "wrong": sum(not similarity <= row["similarity"] == self.jaccard(row["url"], row["representative"]) for row in rows),
            # In one cluster, of the pairs in each bin of similarity.
            "together": shares,
            # Pairs that are similar enough, and both pages are kept all the same.
            "missed": round(sum(not gone.intersection(pair) for pair in alike) / len(alike), 4),
            # Of the pages that are dropped, those for a page of another name.
            "other name": round(sum(page_name(row["url"]) != page_name(row["representative"]) for row in rows) / len(gone), 4),
        }


def versions(directory: Path, tmp_path: Path, one_of: int) -> Versions:
    """Some pages of all versions, chosen by name."""
    phrases = {}
    for version in sorted(path.name for path in directory.iterdir() if path.is_dir()):
        site = f"https://v{version.replace('.', '-')}.example/"
        for file in sorted((directory / version).rglob("*.html")):
            name = file.relative_to(directory / version)
            if zlib.crc32(str(name).encode()) % one_of == 0:
                copy = tmp_path / version / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(file.read_bytes())
                text = visible_words(copy.read_text(errors="replace"))
                phrases[site + str(name)] = frozenset(map(hash, circle(text)))
        index([tmp_path / version], tmp_path / "corpus", "--shingles", "--base-url", site)
    return Versions(tmp_path / "corpus", phrases)


@pytest.fixture(scope="module")
def manual(data, tmp_path_factory) -> Versions:
    """The PostgreSQL manual, every fourth name."""
    return versions(data("html-pgdoc-3ver"), tmp_path_factory.mktemp("manual"), 4)


@pytest.fixture(scope="module")
def javadoc(data, tmp_path_factory) -> Versions:
    """The documentation of Jackson, every second name: nearly all of a page is template."""
    return versions(data("html-javadoc-jackson"), tmp_path_factory.mktemp("javadoc"), 2)


# Pairs in one cluster by their similarity, from 0.5 on in steps of 0.1; dropped pages whose representative has another name.
VERSIONS = {
    ("manual", 0.5): ([0.962, 1.0, 0.991, 1.0, 1.0], 0.0021),
    ("manual", 0.65): ([0.019, 0.433, 0.991, 1.0, 1.0], 0.0),
    ("manual", 0.8): ([0.0, 0.0, 0.017, 0.94, 1.0], 0.0),
    ("javadoc", 0.5): ([0.657, 0.874, 0.917, 0.956, 0.991], 0.0328),
    ("javadoc", 0.65): ([0.083, 0.464, 0.75, 0.919, 0.991], 0.0175),
    ("javadoc", 0.8): ([0.0, 0.0, 0.067, 0.838, 0.965], 0.0),
}


@pytest.mark.parametrize(("name", "similarity"), VERSIONS)
def test_versions_of_a_manual(request, name, similarity):
    found = request.getfixturevalue(name).measure(similarity)
    together, other_name = VERSIONS[name, similarity]
    assert found["wrong"] == 0
    assert found["missed"] <= 0.005
    assert found["together"] == pytest.approx(together, abs=0.01), found
    assert found["other name"] == pytest.approx(other_name, abs=0.005), found


# A hundred texts, ten planted pairs.

CORNELL = "01-75 02-76 03-87 09-64 14-88 18-99 23-51 25-40 32-52 34-63"


def texts_of(files: list[Path]) -> list[Text]:
    return [Text(f"http://texts.example/{file.stem}", words(file.read_text(errors="replace"))) for file in files]


@pytest.fixture(scope="module")
def cornell(data, tmp_path_factory) -> Path:
    files = sorted((data("labelled-ndd-cornell") / "test").glob("*.txt"))
    return index_texts(texts_of(files), tmp_path_factory.mktemp("cornell"))


@pytest.mark.parametrize("similarity", [0.17, 0.3, 0.5, DEFAULT, 0.79])
def test_ten_pairs_and_no_other(cornell, similarity):
    expected = {frozenset(f"file{number}" for number in pair.split("-")) for pair in CORNELL.split()}
    _, rows = near(cornell, "--similarity", similarity)
    assert merged(rows) == expected


ENDS = [(("--similarity", 0.15), 10, 1), (("--similarity", 0.8), 9, 0), (("--link", "closure"), 7, 0)]


@pytest.mark.parametrize(("flags", "found", "others"), ENDS)
def test_where_the_ten_pairs_end(cornell, flags, found, others):
    expected = {frozenset(f"file{number}" for number in pair.split("-")) for pair in CORNELL.split()}
    pairs = merged(near(cornell, *flags)[1])
    assert (len(pairs & expected), len(pairs - expected)) == (found, others)


# Answers of students, by how much they copied.

KINDS = ("cut", "light", "heavy", "non")
# Mean share of an answer's phrases that the original has: all, and what `near --similarity 0.1` reports of it.
CLOUGH = {"cut": (0.595, 0.595), "light": (0.370, 0.286), "heavy": (0.192, 0.108), "non": (0.002, 0.0)}


def test_more_copied_is_more_contained(data, tmp_path):
    directory = data("labelled-plagiarism-clough")
    rows = list(csv.DictReader((directory / "file_information.csv").open()))
    # The originals come first, so they represent.
    rows.sort(key=lambda row: (row["Category"] != "orig", row["File"]))
    texts = texts_of([directory / row["File"] for row in rows])
    originals = {row["Task"]: text for row, text in zip(rows, texts, strict=True) if row["Category"] == "orig"}
    _, found = near(index_texts(texts, tmp_path), "--similarity", "0.1")
    reported = {row["url"]: row["containment"] for row in found if "/orig_" in row["representative"]}
    true, told = defaultdict(list), defaultdict(list)
    for row, text in zip(rows, texts, strict=True):
        if row["Category"] != "orig":
            true[row["Category"]].append(containment(text.phrases, originals[row["Task"]].phrases))
            told[row["Category"]].append(reported.get(text.url, 0))
            assert told[row["Category"]][-1] in (0, true[row["Category"]][-1])
    means = {kind: (sum(true[kind]) / len(true[kind]), sum(told[kind]) / len(told[kind])) for kind in KINDS}
    for which in (0, 1):
        assert [means[kind][which] for kind in KINDS] == sorted((means[kind][which] for kind in KINDS), reverse=True)
        assert all(means[kind][which] == pytest.approx(CLOUGH[kind][which], abs=0.005) for kind in KINDS), means


# Licences: families with small differences that matter.

# Pages to drop, clusters, and the share of merged pairs whose names begin alike.
LICENCES = {0.5: (284, 108, 0.704), DEFAULT: (217, 95, 0.659), 0.8: (151, 71, 0.825), 0.95: (61, 30, 0.953)}


@pytest.fixture(scope="module")
def licences(data, tmp_path_factory) -> tuple[Path, dict[str, Text]]:
    files = sorted((data("labelled-license-texts") / "spdx-text").glob("*.txt"))
    texts = texts_of(files)
    return index_texts(texts, tmp_path_factory.mktemp("licences")), {page_name(text.url): text for text in texts}


def licence(name: str) -> str:
    """What two names of one text have in common."""
    return name.removeprefix("deprecated_").removesuffix("+").removesuffix("-only").removesuffix("-or-later")


@pytest.mark.parametrize("similarity", LICENCES)
def test_licences(licences, similarity):
    corpus, texts = licences
    found, rows = near(corpus, "--similarity", similarity)
    for row in rows:
        assert row["similarity"] >= similarity
        if zlib.crc32(row["url"].encode()) % 8 == 0:
            page, representative = (texts[page_name(row[name])].phrases for name in ("url", "representative"))
            assert row["similarity"] == jaccard(page, representative)
    pairs = merged(rows)
    same = {frozenset(pair) for pair in combinations(texts, 2) if licence(pair[0]) == licence(pair[1])}
    same = {pair for pair in same if len({tuple(texts[name].words) for name in pair}) == 1}
    assert len(same) == 51 and same <= pairs
    alike = sum(len({licence(name).split("-")[0] for name in pair}) == 1 for pair in pairs) / len(pairs)
    measured = (found["removable"], found["clusters"], round(alike, 3))
    removable, number, share = LICENCES[similarity]
    assert measured == (pytest.approx(removable, abs=2), pytest.approx(number, abs=2), pytest.approx(share, abs=0.01)), measured


# Old books by optical character recognition, and a law that was borrowed.

REUSE = {
    ("remember00palm", "remembermeorholy00palm"): 0.701,
    ("practicalthought00nev", "thoughtsonpopery00nevi"): 0.463,
    ("ca1851-match", "ny1850-match"): 0.446,
    ("calltounconv00baxt", "lifeofrevrichard00baxt"): 0.281,
}


def test_noisy_reuse(data, tmp_path):
    """Two editions, a borrowed law, and two books that hold most of another; each is found up to its similarity."""
    corpus = index_texts(texts_of(sorted(data("labelled-textreuse-r").glob("*/*.txt"))), tmp_path)
    for similarity in (0.2, 0.4, DEFAULT, 0.75):
        _, rows = near(corpus, "--similarity", similarity)
        assert merged(rows) == {frozenset(pair) for pair, value in REUSE.items() if value >= similarity}
        assert all(value in [round(row["similarity"], 3) for row in rows] for value in REUSE.values() if value >= similarity)


# Comment spam from a template with slots.

# Of the comments in stitched pages, the share whose blog is named as a source; other blogs named, by the same measure.
SPUN = (1.0, 0.061)


def comments(template: str, dice: random.Random) -> list[str]:
    """Each of the template's comments, one choice made in every slot."""
    depth, parts = 0, [""]
    for letter in template.strip().removeprefix("{"):
        depth += (letter == "{") - (letter == "}")
        if letter == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [spun for part in parts if len(words(spun := spin(part, dice))) >= 40]


def spin(text: str, dice: random.Random) -> str:
    while "{" in text and "}" in text[text.rindex("{") :]:
        start = text.rindex("{")
        end = text.index("}", start)
        text = text[:start] + dice.choice(text[start + 1 : end].split("|")) + text[end + 1 :]
    return text


def test_sources_of_spun_spam(data, tmp_path):
    """Comments are posted to blogs; a spammer stitches pages together from them."""
    template = (data("text-spintax-spam-template") / "template.spintax.txt").read_text(errors="replace")
    dice = random.Random(5)
    posted = [words(comment) for comment in comments(template, dice)]
    assert len(posted) == 17
    blogs = [
        Text(f"http://blog{number}.example/post", comment + [f"blog{number}word{at}" for at in range(15)])
        for number, comment in enumerate(posted)
    ]
    stitched, used = [], {}
    for number in range(60):
        chosen = dice.sample(range(len(posted)), 6)
        stitched.append(Text(f"http://spam.example/{number}", [word for comment in chosen for word in posted[comment]]))
        used[stitched[-1].url] = {blogs[comment].url for comment in chosen}
    corpus = index_texts([*blogs, *stitched], tmp_path)
    right = wrong = 0
    for page in json.loads(reprise("sources", corpus, "--sample", 1000, "--json"))["pages"]:
        if page["url"] in used:
            sources = {source["url"] for source in page["sources"] if source["foreign"]}
            right += len(sources & used[page["url"]])
            wrong += len(sources - used[page["url"]])
    total = sum(map(len, used.values()))
    assert (right / total, wrong / total) == (pytest.approx(SPUN[0], abs=0.02), pytest.approx(SPUN[1], abs=0.02))
    sites = json.loads(reprise("sites", corpus, "--json"))["sites"]
    assert [site["site"] for site in sites if site["stitched"]] == ["spam.example"]
