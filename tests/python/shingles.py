"""Near-copies and popular phrases again, slowly and from the definitions: nothing here knows the tool's code.

Texts may be in Latin, Cyrillic, Chinese and Japanese; other scripts have rules that are not written down here.
"""

import hashlib
import html
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path

from tool import ROOT, index

PHRASE_WORDS = 5
SHINGLES = 84
RUNS = 6
RUN = SHINGLES // RUNS

Shingles = tuple[int, ...]


def polynomials(name: str) -> list[int]:
    """The polynomials that the source has under a name, without their x^64."""
    source = (ROOT / "crates" / "reprise-shingle" / "src" / "polynomials.rs").read_text()
    (value,) = re.findall(rf"const {name}: [^=]*= ([^;]*);", source)
    return [int(number.replace("_", ""), 16) for number in re.findall(r"0x[0-9a-f_]+", value)]


(WORDS,) = polynomials("WORDS")
(PHRASES,) = polynomials("PHRASES")
(SUPERSHINGLES,) = polynomials("SUPERSHINGLES")
SELECTORS = polynomials("SELECTORS")
assert len(SELECTORS) == SHINGLES


def remainder(bits: int, polynomial: int) -> int:
    """Division by hand: the polynomial is taken away wherever there is a bit above the lowest 64."""
    divisor = 1 << 64 | polynomial
    while (above := bits.bit_length() - 65) >= 0:
        bits ^= divisor << above
    return bits


def rabin(polynomial: int, data: bytes) -> int:
    """A one before the bits, 64 zeros behind them."""
    return remainder((1 << 8 * len(data) | int.from_bytes(data, "big")) << 64, polynomial)


ALONE = r"\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff"
KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff"
WORD = re.compile(rf"[{ALONE}]|[{KATAKANA}]+|[^\W_{ALONE}{KATAKANA}]+")


def words(text: str) -> list[str]:
    """Letters and digits in a row, lower-case; each Chinese character and each Hiragana by itself."""
    return ["".join(letter.lower() for letter in word) for word in WORD.findall(text)]


HIDDEN = re.compile(r"(?is)<!--.*?-->|<(script|style|iframe|noembed|noframes|template)\b.*?</\1\s*>")
TAG = re.compile(r"""<[!/?a-zA-Z](?:"[^"]*"|'[^']*'|[^'">])*>""")


def visible_words(page: str) -> list[str]:
    """The words of a page in well-formed HTML; markup is white space."""
    return [word for piece in TAG.split(HIDDEN.sub("<!>", page)) for word in words(html.unescape(piece))]


@cache
def token(word: str) -> int:
    return rabin(WORDS, word.encode())


def circle(items: Sequence) -> list[tuple]:
    """Each item with the four behind it; the last is followed by the first, as often as needed."""
    return [tuple(items[(at + step) % len(items)] for step in range(PHRASE_WORDS)) for at in range(len(items))]


@cache
def phrase_fingerprint(tokens: tuple[int, ...]) -> int:
    return rabin(PHRASES, b"".join(token.to_bytes(8, "big") for token in tokens))


@cache
def select_tables(function: int) -> list[list[int]]:
    """What each byte of a phrase adds to the value of a function, which is linear but for a constant."""
    bits = [remainder(1 << 64 + bit, SELECTORS[function]) for bit in range(64)]
    tables = []
    for byte in range(8):
        table = [0]
        for bit in bits[8 * byte : 8 * byte + 8]:
            table += [value ^ bit for value in table]
        tables.append(table)
    tables[0] = [value ^ remainder(1 << 128, SELECTORS[function]) for value in tables[0]]
    return tables


def select(function: int, phrases: Iterable[int]) -> int:
    """The smallest value that a function gives to a phrase."""
    a, b, c, d, e, f, g, h = select_tables(function)
    return min(
        a[p & 255] ^ b[p >> 8 & 255] ^ c[p >> 16 & 255] ^ d[p >> 24 & 255]
        ^ e[p >> 32 & 255] ^ f[p >> 40 & 255] ^ g[p >> 48 & 255] ^ h[p >> 56]
        for p in phrases
    )  # fmt: skip


def shingles_of(text: Sequence[str]) -> Shingles | None:
    """The shingles of words; nothing where there are none."""
    if not text:
        return None
    phrases = {phrase_fingerprint(phrase) for phrase in circle([token(word) for word in text])}
    return tuple(select(function, phrases) for function in range(SHINGLES))


def runs(shingles: Shingles) -> list[Shingles]:
    return [shingles[start : start + RUN] for start in range(0, SHINGLES, RUN)]


def supershingles(shingles: Shingles) -> list[int]:
    return [rabin(SUPERSHINGLES, b"".join(value.to_bytes(8, "big") for value in run)) for run in runs(shingles)]


def agreement(one: Shingles, other: Shingles) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


def jaccard(one: set | frozenset, other: set | frozenset) -> float:
    return len(one & other) / len(one | other)


def containment(page: set | frozenset, representative: set | frozenset) -> float:
    """The share of the page's phrases that the representative has."""
    return len(page & representative) / len(page)


def recall(similarity: float, rows: int) -> float:
    """The probability that one of as many bands of so many rows as there are agrees."""
    return 1 - (1 - similarity**rows) ** (SHINGLES // rows)


@dataclass
class Text:
    """A document that is known to the oracle."""

    url: str
    words: list[str]
    ip: str | None = None
    date: str | None = None

    @cached_property
    def phrases(self) -> frozenset:
        return frozenset(circle(self.words))

    @cached_property
    def shingles(self) -> Shingles | None:
        return shingles_of(self.words)

    @property
    def host(self) -> str:
        return self.url.split("/")[2]

    @cached_property
    def fingerprint(self) -> str:
        """The column `text`: the hash of all tokens."""
        return hashlib.sha256(b"".join(token(word).to_bytes(8, "big") for word in self.words)).digest()[:20].hex()


class Groups:
    """Items in groups; at first each in its own. The first of a group stands for it."""

    def __init__(self, size: int):
        self.first = list(range(size))

    def link(self, one: int, other: int):
        low, high = sorted((self.first[one], self.first[other]))
        if low != high:
            self.first = [low if first == high else first for first in self.first]

    def all(self) -> list[list[int]]:
        members = defaultdict(list)
        for item, first in enumerate(self.first):
            members[first].append(item)
        return list(members.values())


def closure(shingles: Sequence[Shingles]) -> Groups:
    """The paper's classes: whatever agrees in two of six runs, and so on from there."""
    groups = Groups(len(shingles))
    for one, other in combinations(range(RUNS), 2):
        seen = {}
        for item, vector in enumerate(shingles):
            cut = runs(vector)
            groups.link(item, seen.setdefault((cut[one], cut[other]), item))
    return groups


def stars(order: Iterable[int], is_alike: Callable[[int, int], bool]) -> list[list[int]]:
    """The first that is left takes all that are like it, and so on; alone it makes no cluster."""
    left, clusters = list(order), []
    while left:
        best, *others = left
        taken = [other for other in others if is_alike(best, other)]
        if taken:
            clusters.append([best, *taken])
        left = [other for other in others if other not in set(taken)]
    return clusters


def popular(shingles: Sequence[Shingles], least: int = 5) -> dict[tuple[int, int], list[int]]:
    """Position and value of shingles that many documents have, and which."""
    places = defaultdict(list)
    for document, vector in enumerate(shingles):
        for place in enumerate(vector):
            places[place].append(document)
    return {place: documents for place, documents in places.items() if len(documents) >= least}


def per_document(found: dict[tuple[int, int], list[int]], size: int) -> list[int]:
    """How many popular shingles each document has."""
    counts = Counter(document for documents in found.values() for document in documents)
    return [counts[document] for document in range(size)]


@dataclass
class Candidate:
    """A document that may give shingles to a page."""

    url: str
    shingles: Shingles
    is_foreign: bool


def cover(shingles: Shingles, others: Sequence[Candidate], least: int = 5) -> dict:
    """The greedy cover of a page from the documents that are not in its class, in the corpus's order."""
    has = [{at for at in range(SHINGLES) if other.shingles[at] == shingles[at]} for other in others]
    # The page itself is one of the documents that have a shingle.
    counts = Counter(at for places in has for at in places)
    wanted = {at for at in range(SHINGLES) if counts[at] + 1 >= least}
    open_, sources, foreign = set(wanted), [], set()
    for is_foreign in (True, False):
        while True:
            ranked = [
                (-len(has[number] & open_), -len(has[number]), number)
                for number, other in enumerate(others)
                if other.is_foreign == is_foreign and has[number] & open_
            ]
            if not ranked:
                break
            *_, best = min(ranked)
            sources.append({"url": others[best].url, "shingles": len(has[best] & open_), "foreign": is_foreign})
            foreign |= has[best] & wanted if is_foreign else set()
            open_ -= has[best]
    return {"popular": len(wanted), "covered": len(wanted - open_), "foreign": len(foreign), "sources": sources}


# What follows makes texts to try all that on.

LATIN = "abcdefghijklmnopqrstuvwxyzäöüßéèçñøåžšč"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"


class Author:
    """Writes the same texts for the same seed."""

    def __init__(self, seed: int):
        self.dice = random.Random(seed)
        self.vocabulary = [self.word(LATIN) for _ in range(900)] + [self.word(CYRILLIC) for _ in range(300)]
        self.vocabulary += [str(number) for number in range(50)] + [chr(0x4E00 + number) for number in range(150)]

    def word(self, letters: str) -> str:
        return "".join(self.dice.choices(letters, k=self.dice.randint(1, 14)))

    def text(self, size: int) -> list[str]:
        return self.dice.choices(self.vocabulary, k=size)

    def block_changed(self, text: list[str], similarity: float) -> list[str]:
        """Other words in one place, so many that about this Jaccard similarity is left."""
        gone = round(len(text) * (1 - similarity) / (1 + similarity))
        start = self.dice.randrange(len(text) - gone + 1)
        return text[:start] + self.text(gone) + text[start + gone :]

    def words_changed(self, text: list[str], number: int) -> list[str]:
        """Other words here and there, or none there."""
        changed = list(text)
        for _ in range(number):
            at = self.dice.randrange(len(changed))
            changed[at : at + 1] = self.text(self.dice.choice((0, 1, 1, 2)))
        return changed

    def print(self, text: list[str]) -> str:
        """With capitals and punctuation, which are in no word; Chinese with no space between."""
        written = ""
        for word in text:
            if self.dice.random() < 0.2 and not word.startswith("ß"):
                word = word.capitalize()
            is_chinese = word >= "\u4e00"
            written += word + ("" if is_chinese and self.dice.random() < 0.5 else self.dice.choice(" \n,.-_!'’…"))
        return written


def write_rows(file: Path, rows: Iterable[dict]) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return file


def index_texts(texts: Sequence[Text], directory: Path, *flags, author: Author | None = None) -> Path:
    """A corpus with shingles of plain texts."""
    rows = []
    for text in texts:
        row = {"url": text.url, "text": author.print(text.words) if author else " ".join(text.words)}
        rows.append(row | {name: value for name in ("ip", "date") if (value := getattr(text, name))})
    index([write_rows(directory / "texts.jsonl", rows)], directory / "corpus", "--shingles", *flags)
    return directory / "corpus"
