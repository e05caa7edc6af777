"""Experiments: how many edits until a copy is no longer found, and how often a locality-sensitive hash is wrong."""

import json
import random
import subprocess
from itertools import combinations
from pathlib import Path

import pytest

from prose import Writer
from test_bad_input import refused, run
from tool import ROOT, SHARED_DATA, index, reprise

METHODS = ("file", "chunk", "shingle", "fuzzy", "imatch", "imatch-context", "nilsimsa")
EDITS = ("replace", "insert", "delete", "move", "link", "look-alike", "wrap")
NEVER = float("inf")


def lab(*args) -> dict:
    return json.loads(reprise("lab", *args, "--json"))


def topics() -> list[str]:
    """Sentences of words that only a few pages have: what a lexicon is chosen from."""
    dice = random.Random("topics")
    syllables = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er")]

    def word() -> str:
        return "".join(dice.choices(syllables, k=3))

    return [" ".join(word() for _ in range(8)).capitalize() + "." for _ in range(150)]


TOPICS = topics()


def article(number: int) -> str:
    """A page of prose on some topics, with links and paragraphs."""
    dice = random.Random(number)
    written = Writer(f"lab {number}").article(1500, 3500)
    paragraphs = "\n".join(
        f"<p>{text} {dice.choice(TOPICS)} <a href='/page/{at}.html'>More</a></p>" for at, text in enumerate(written.paragraphs)
    )
    head = f"<html><head><title>{written.title}</title></head>"
    return f"{head}<body><a href='/'>Home</a><h1>{written.title}</h1>\n{paragraphs}\n</body></html>"


@pytest.fixture(scope="module")
def articles(tmp_path_factory) -> Path:
    """A corpus of 120 articles, no two of them alike."""
    directory = tmp_path_factory.mktemp("lab")
    rows = [{"url": f"http://site{number % 5}.example/{number}", "html": article(number)} for number in range(120)]
    (directory / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    index([directory / "pages.jsonl"], directory / "corpus")
    return directory / "corpus"


@pytest.fixture(scope="module")
def evaded(articles) -> dict:
    return lab("evade", articles, "--documents", 12)


def rows(found: dict) -> dict[tuple[str, str], dict]:
    return {(row["method"], row["edit"]): row for row in found["rows"]}


def edits(row: dict, quartile: str = "median") -> float:
    """Never is more than any number."""
    number = row["edits"][quartile]
    return NEVER if number is None else number


def test_every_method_meets_every_edit(evaded):
    assert evaded["documents"] == 12 and evaded["seed"] == 1
    assert [row["method"] for row in evaded["methods"]] == list(METHODS)
    assert [(row["edit"], row["method"]) for row in evaded["rows"]] == [(edit, method) for edit in EDITS for method in METHODS]
    for row in evaded["rows"]:
        assert row["documents"] + row["blind"] + row["impossible"] == 12
        assert row["never"] <= row["documents"]
        assert edits(row, "first") <= edits(row) <= edits(row, "third")
        for name in ("first", "median", "third"):
            assert (row["edits"][name] is None) == (row["share"][name] is None)
        assert (row["edits"]["first"] is None) == (row["never"] > 3 * row["documents"] / 4)


def test_orders_that_must_hold(evaded):
    found = rows(evaded)
    for edit in EDITS:
        # The bytes change with the first edit, whatever it is.
        row = found["file", edit]
        assert [row["edits"][name] for name in ("first", "median", "third")] == [1, 1, 1] and row["never"] == 0
        for method in METHODS:
            assert edits(found[method, edit]) >= 1
    for method in METHODS[1:]:
        row = found[method, "wrap"]
        assert row["never"] == row["documents"] > 0, method
    for method in ("shingle", "fuzzy", "imatch", "imatch-context", "nilsimsa"):
        # Links are no text.
        assert found[method, "link"]["never"] == found[method, "link"]["documents"] > 0
    # Every paragraph has a link: when all are rewritten, no chunk is as it was.
    assert found["chunk", "link"]["never"] == 0
    # Whatever the order of its words, a page has the same terms; and a moved paragraph is a whole chunk, though a
    # heading that comes to stand behind it belongs to it too.
    assert found["imatch", "move"]["never"] == found["imatch", "move"]["documents"]
    assert found["chunk", "move"]["never"] > 0.8 * found["chunk", "move"]["documents"]
    # Look-alikes are folded by I-Match and by no one else.
    assert found["imatch", "look-alike"]["never"] > 0
    for method in ("chunk", "shingle", "fuzzy", "nilsimsa"):
        assert found[method, "look-alike"]["never"] == 0
    # Word salad: context is what the hardened variant is for.
    assert edits(found["imatch-context", "insert"]) > edits(found["imatch", "insert"])
    for edit in ("replace", "insert", "delete"):
        assert edits(found["shingle", edit]) > edits(found["fuzzy", edit]) >= 1
        assert edits(found["chunk", edit]) > edits(found["file", edit])


def test_shingles_follow_from_their_definition(articles, tmp_path):
    """A replaced word takes five phrases with it, so some 4 % of the words are enough at 0.65."""
    row = rows(lab("evade", articles, "--documents", 12, "--methods", "shingle", "--edits", "replace"))["shingle", "replace"]
    # Jaccard (n - 5k) / (n + 5k) = 0.65 at k = 0.042 n; edits that fall close to each other take fewer phrases.
    assert 0.04 < row["share"]["median"] < 0.06


def test_seeds_and_threads(articles, tmp_path):
    flags = ("evade", articles, "--documents", 4, "--edits", "insert,move,look-alike")
    first = reprise("lab", *flags, "--json", "--html", tmp_path / "one.html")
    assert first == reprise("lab", *flags, "--json", "--threads", 1, "--html", tmp_path / "two.html")
    assert first == reprise("lab", *flags, "--json", "--threads", 5)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert reprise("lab", *flags) == reprise("lab", *flags, "--threads", 3)
    assert first != reprise("lab", *flags, "--json", "--seed", 2)
    compared = reprise("lab", "compare", articles, "--json")
    assert compared == reprise("lab", "compare", articles, "--json", "--threads", 1)
    assert compared == reprise("lab", "compare", articles, "--json", "--threads", 4)


def test_methods_and_edits_are_chosen(articles):
    found = lab("evade", articles, "--documents", 3, "--methods", "nilsimsa,file", "--edits", "wrap,delete,wrap")
    assert [(row["edit"], row["method"]) for row in found["rows"]] == [
        ("delete", "file"), ("delete", "nilsimsa"), ("wrap", "file"), ("wrap", "nilsimsa"),
    ]  # fmt: skip
    assert found["notes"] == []


def test_text_has_the_numbers(articles, evaded):
    text = reprise("lab", "evade", articles, "--documents", 12)
    assert text.startswith("copies of 12 pages (")
    for method in evaded["methods"]:
        assert f"{method['method']}: {method['rule']}" in text
    for line, row in zip([line for line in text.splitlines() if line.startswith(" " * 19)], evaded["rows"], strict=True):
        wanted = "never" if row["edits"]["median"] is None else f"{row['edits']['median']:,}"
        assert line.split()[:2] == [row["method"], wanted]


def test_a_lexicon_is_given(articles, tmp_path):
    head = "reprise-lexicon 1\nrules invisible=remove look-alikes=fold numbers=drop chars=2..20\nchoice frequency\n"
    words = sorted("harbour lantern orchard ledger meadow quarry bridge kettle archive village weaver cellar ferry garden".split())
    lines = "".join(f"{word}\t1\t0\t0\t-\n" for word in words)
    lexicon = tmp_path / "lexicon"
    lexicon.write_text(f"{head}documents 9\ngood 0\nbad 0\nterms {len(words)}\n{lines}")
    flags = ("evade", articles, "--documents", 5, "--edits", "delete", "--lexicon", lexicon)
    found = lab(*flags)
    assert "imatch-context" not in [row["method"] for row in found["methods"]]
    assert any("without contexts" in note for note in found["notes"])
    assert any(f"lexicon of {len(words)}" in row["rule"] for row in found["methods"])
    lexicon.write_text("something else")
    refused("lab", *flags, saying="reprise-lexicon 1")
    refused("lab", "evade", articles, "--lexicon", tmp_path / "none", saying="none")
    refused("lab", "evade", articles, "--contexts", lexicon, saying="--lexicon")


# The hash and the comparison once more, by their definitions.


def permutation() -> list[int]:
    values: list[int] = []
    value = 0
    for _ in range(256):
        value = (value * 53 + 1) % 256 * 2
        value -= 255 if value > 255 else 0
        while value in values:
            value = (value + 1) % 256
        values.append(value)
    return values


TRAN = permutation()


def nilsimsa(data: bytes) -> int:
    """The digest as a number of 256 bits."""
    counts, total = [0] * 256, 0
    for at, here in enumerate(data):
        back = [data[at - step] if at >= step else None for step in range(1, 5)]
        trigrams = [
            (here, back[0], back[1]), (here, back[0], back[2]), (here, back[1], back[2]), (here, back[0], back[3]),
            (here, back[1], back[3]), (here, back[2], back[3]), (back[3], back[0], here), (back[3], back[2], here),
        ]  # fmt: skip
        for number, (a, b, c) in enumerate(trigrams):
            if a is not None and b is not None and c is not None:
                counts[((TRAN[(a + number) % 256] ^ TRAN[b] * (2 * number + 1)) + TRAN[c ^ TRAN[number]]) % 256] += 1
                total += 1
    return sum(1 << at for at, count in enumerate(counts) if count * 256 > total)


def score(one: int, other: int) -> int:
    return 128 - (one ^ other).bit_count()


def menu(name: str) -> str:
    """Much markup around few words."""
    return (
        "<div class='navigation-item level-two is-collapsed' role='listitem' data-track='navigation-click'>"
        f"<span class='navigation-label'>{name}</span>"
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> tuple[Path, list[tuple[str, list[str]]]]:
    """Pages of a few chunks; some share one, some a run of words, some only markup."""
    dice = random.Random(5)
    shared = [Writer(f"shared {number}").sentence() for number in range(6)]
    directory = tmp_path_factory.mktemp("small")
    pages = []
    for number in range(30):
        own = [f"<p>{Writer(f'own {number} {at}').sentence()}" for at in range(3)]
        if dice.random() < 0.4:
            own.append(f"<p>{dice.choice(shared)}")
        if dice.random() < 0.3:
            own.append(f"<p>Word{number} {dice.choice(shared)} tail{number}")
        if dice.random() < 0.5:
            own.append(menu(dice.choice(("Cats", "Cots", "Cuts", "Dogs"))))
        dice.shuffle(own)
        pages.append((f"http://site{number % 4}.example/{number}", own))
    rows = [json.dumps({"url": url, "html": "".join(chunks)}) + "\n" for url, chunks in pages]
    (directory / "pages.jsonl").write_text("".join(rows))
    index([directory / "pages.jsonl"], directory / "corpus")
    return directory / "corpus", pages


def visible(chunk: str) -> str:
    return chunk[chunk.rindex(">", 0, chunk.rindex("</")) + 1 : chunk.rindex("</")] if "</" in chunk else chunk[3:]


def runs(chunks: list[str], length: int) -> set[tuple[str, ...]]:
    text = " ".join(visible(chunk) for chunk in chunks).lower()
    words = "".join(char if char.isalnum() else " " for char in text).split()
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("threshold", [105, 115, 128])
def test_the_matrix_is_that_of_all_pairs(small, elsewhere, threshold):
    corpus, pages = small
    flags = ["--elsewhere"] * elsewhere
    found = lab("compare", corpus, "--threshold", threshold, "--project", 1000, *flags)
    known = [
        (url.split("/")[2], set(chunks), [nilsimsa(chunk.encode()) for chunk in chunks], runs(chunks, 10))
        for url, chunks in pages
    ]
    wanted = {hash: [0, 0, 0, 0] for hash in ("cryptographic", "nilsimsa")}
    for (site, chunks, digests, words), (other_site, others, other_digests, other_words) in combinations(known, 2):
        if elsewhere and site == other_site:
            continue
        equal = bool(chunks & others)
        fuzzy = max(score(one, other) for one in digests for other in other_digests) >= threshold
        truth = equal or bool(words & other_words)
        for hash, positive in (("cryptographic", equal), ("nilsimsa", fuzzy)):
            wanted[hash][(0 if positive else 1) if truth else (2 if positive else 3)] += 1
    keys = ("true_positives", "false_negatives", "false_positives", "true_negatives")
    assert {hash: [found[hash][key] for key in keys] for hash in wanted} == wanted
    assert found["pairs"] == sum(wanted["nilsimsa"])
    rate = wanted["nilsimsa"][2] / (wanted["nilsimsa"][2] + wanted["nilsimsa"][3])
    assert found["nilsimsa"]["false_positive_rate"] == pytest.approx(rate)
    assert found["projected"] == {"pages": 1000, "cryptographic": 0.0, "nilsimsa": pytest.approx(rate * 1000)}
    assert found["cryptographic"]["false_positives"] == 0
    assert (threshold == 115) <= (wanted["nilsimsa"][2] > 0), "the menu deceives it"


def test_thresholds_and_examples(small):
    corpus, pages = small
    found = lab("compare", corpus)
    assert [row["threshold"] for row in found["thresholds"]] == list(range(100, 129))
    counts = [row["false_positives"] for row in found["thresholds"]]
    assert counts == sorted(counts, reverse=True)
    at = next(row for row in found["thresholds"] if row["threshold"] == 115)
    assert {key: at[key] for key in found["nilsimsa"]} == found["nilsimsa"]
    chunks = dict(pages)
    assert 0 < len(found["examples"]) <= 5
    for example in found["examples"]:
        assert example["chunk"] in chunks[example["url"]] and example["with_chunk"] in chunks[example["with"]]
        assert score(nilsimsa(example["chunk"].encode()), nilsimsa(example["with_chunk"].encode())) == example["score"] >= 115
    text = reprise("lab", "compare", corpus, "--project", 2_860_000_000)
    assert "2,860,000,000 pages" in text and found["examples"][0]["url"] in text


def test_files_are_whole_and_ask_for_nothing(articles, small, tmp_path):
    reprise("lab", "evade", articles, "--documents", 3, "--html", tmp_path / "evade.html")
    reprise("lab", "compare", small[0], "--html", tmp_path / "compare.html")
    for name, part in (("evade", "imatch-context"), ("compare", "false positives")):
        html = (tmp_path / f"{name}.html").read_text()
        assert html.startswith("<!DOCTYPE html>") and html.endswith("</html>")
        assert "<svg" in html and part in html and "<script" not in html and "http-equiv=\"Content-Security-Policy\"" in html


def corpus_of(tmp_path: Path, *rows: dict) -> Path:
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    index([tmp_path / "pages.jsonl"], tmp_path / "corpus", expect=0 if rows else 2)
    return tmp_path / "corpus"


def test_nothing_to_look_at(tmp_path):
    for experiment in ("evade", "compare"):
        refused("lab", experiment, tmp_path / "none", saying="no such directory")
    corpus = corpus_of(tmp_path, {"url": "http://a.example/", "html": "<p>...</p>"}, {"url": "http://b.example/", "html": ""})
    for experiment in ("evade", "compare"):
        refused("lab", experiment, corpus, saying="none of")


def test_a_corpus_without_pages(tmp_path):
    corpus = corpus_of(tmp_path)
    for experiment in ("evade", "compare"):
        refused("lab", experiment, corpus, saying="no page with text")


def test_archives_that_are_gone(tmp_path):
    rows = [{"url": f"http://a.example/{number}", "html": article(number)} for number in range(3)]
    corpus = corpus_of(tmp_path, *rows)
    (tmp_path / "pages.jsonl").rename(tmp_path / "elsewhere.jsonl")
    for experiment in ("evade", "compare"):
        refused("lab", experiment, corpus, saying="archives must be where they were")


def test_some_archives_are_gone(tmp_path):
    for name in ("one", "two"):
        rows = [{"url": f"http://{name}.example/{number}", "html": article(number)} for number in range(4)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        index([tmp_path / f"{name}.jsonl"], tmp_path / "corpus")
    (tmp_path / "two.jsonl").unlink()
    found = lab("evade", tmp_path / "corpus", "--methods", "shingle", "--edits", "wrap")
    assert found["documents"] == 4 and found["unused"]["unreadable"] == 4 and "two.jsonl" in found["unused"]["reason"]
    assert "4 that could not be read again" in reprise("lab", "evade", tmp_path / "corpus", "--methods", "file")


def test_one_page_is_enough_to_edit_and_too_few_to_compare(tmp_path):
    corpus = corpus_of(tmp_path, {"url": "http://a.example/", "html": article(1)})
    found = lab("evade", corpus)
    # There is nothing that a lexicon could be chosen from.
    assert [row["method"] for row in found["methods"]] == ["file", "chunk", "shingle", "fuzzy", "nilsimsa"]
    assert any("I-Match is left out" in note for note in found["notes"])
    refused("lab", "compare", corpus, saying="no pair")
    refused("lab", "compare", corpus, "--elsewhere", saying="no pair")


def test_odd_pages(tmp_path):
    """Scripts without spaces, plain text, text that is nearly markup, and one page that is too large."""
    pages = [
        {"url": "http://a.example/zh", "html": "<p>" + "春天来了花园里的花都开了孩子们在草地上奔跑" * 8},
        {"url": "http://a.example/text", "text": "One line\nand another.\n\nhttp://b.example/x is a link.\n\nThe end"},
        {"url": "http://a.example/odd", "html": "<p>AT&T <3 &#x41;BC x<y &copy 2&3</p>" * 5},
        {"url": "http://a.example/one", "html": "word"},
        {"url": "http://a.example/large", "html": "<p>word " * 40_000},
    ]  # fmt: skip
    corpus = corpus_of(tmp_path, *pages)
    found = lab("evade", corpus)
    assert found["documents"] == 4 and found["unused"]["too_large"] == 1
    for row in found["rows"]:
        assert row["documents"] + row["blind"] + row["impossible"] == 4
    assert rows(found)["file", "link"]["impossible"] == 3
    done = run("lab", "compare", corpus)
    assert done.returncode in (0, 2)


@pytest.mark.parametrize(
    ("flags", "saying"),
    [
        (("evade", "--methods", "magic"), "imatch-context"),
        (("evade", "--edits", "wreck"), "look-alike"),
        (("evade", "--documents", 0), "--documents"),
        (("evade", "--threads", 0), "--threads"),
        (("compare", "--threshold", 129), "129"),
        (("compare", "--threshold", -129), "-129"),
        (("compare", "--sample", 1), "--sample"),
        (("compare", "--words", 0), "--words"),
    ],
)
def test_wrong_flags(small, flags, saying):
    experiment, *rest = flags
    refused("lab", experiment, small[0], *rest, saying=saying)


def test_html_that_cannot_be_written(small, tmp_path):
    done = run("lab", "compare", small[0], "--html", tmp_path / "none" / "x.html")
    assert done.returncode == 2 and b"does not exist; make it first" in done.stderr


def test_the_demo_has_every_kind_of_page(demo):
    found = lab("evade", demo.path, "--documents", 6, "--edits", "insert,wrap")
    assert found["documents"] == 6
    compared = lab("compare", demo.path, "--sample", 60)
    assert compared["cryptographic"]["false_positives"] == 0 and compared["pairs"] > 1000


def documented(number: int) -> list[list[str]]:
    """The cells of one of the tables of numbers in docs/lab.md, without its head."""
    tables, table = [], []
    for line in [*(ROOT / "docs" / "lab.md").read_text().splitlines(), ""]:
        if line.startswith("|"):
            table.append([cell.strip(" `") for cell in line.strip("|").split("|")])
        elif table:
            tables += [table[2:]] if "--:" in "|".join(table[1]) else []
            table = []
    return tables[number]


def medians(found: dict, edits_made: tuple[str, ...]) -> list[list[str]]:
    known = rows(found)
    return [
        [edit, *("never" if edits(known[method, edit]) == NEVER else f"{edits(known[method, edit]):,}" for method in METHODS)]
        for edit in edits_made
    ]


def test_the_documented_medians_of_the_manual(pg):
    """One kind of edit: all take minutes where nothing is optimised, and each is by itself."""
    wanted = [row for row in documented(0) if row[0] == "move"]
    assert medians(lab("evade", pg.path, "--edits", "move"), ("move",)) == wanted
    assert [row[0] for row in documented(0)] == list(EDITS)


def test_the_documented_medians_of_mail(tmp_path):
    unpack = SHARED_DATA / "unpack"
    if not (SHARED_DATA / "mail-spamassassin.tar.zst").is_file() or not unpack.is_file():
        pytest.skip("../shared/data/mail-spamassassin is not on this machine")
    subprocess.run([unpack, tmp_path, "mail-spamassassin"], check=True, capture_output=True)
    index([tmp_path / "mail-spamassassin"], tmp_path / "corpus", "--base-url", "https://mail.example/")
    assert medians(lab("evade", tmp_path / "corpus"), EDITS) == documented(1)


def test_the_documented_matrix(pg):
    found = lab("compare", pg.path, "--project", 2_860_000_000)
    keys = ("true_positives", "false_negatives", "false_positives", "true_negatives")
    wanted = [[f"{found[hash][key]:,}" for hash in ("cryptographic", "nilsimsa")] for key in keys]
    assert [row[2:] for row in documented(2)] == wanted
    rates = {row["threshold"]: f"{row['false_positive_rate']:.2%}" for row in found["thresholds"]}
    assert (rates[115], rates[120], rates[114]) == ("0.30%", "0.03%", "0.46%")
    assert f"{found['projected']['nilsimsa'] / 1e6:.1f}" == "8.7"
    # The paper's order: a fraction of a percent at 115, hardly any at 120 and above.
    assert 0.001 < found["nilsimsa"]["false_positive_rate"] < 0.01
