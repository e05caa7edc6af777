"""I-Match again, slowly and from the definitions: nothing here knows the tool's code. Texts are ASCII."""

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from shingles import circle

WORD = re.compile(r"[a-z0-9]+")
BEGIN, END = "^", "$"


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def terms(text: str, least: int = 2, most: int = 20) -> list[str]:
    """The words that can count, in order."""
    return [word for word in words(text) if least <= len(word) <= most and not word.isdigit()]


def document_frequency(documents: Iterable[Sequence[str]]) -> Counter:
    return Counter(term for document in documents for term in set(document))


def by_frequency(documents: Sequence[Sequence[str]], size: int, least: int, share: float, skipped: int) -> set[str]:
    counts = document_frequency(documents)
    within = [term for term, count in counts.items() if least <= count <= share * len(documents)]
    within.sort(key=lambda term: (-counts[term], term.encode()))
    return set(within[skipped : skipped + size])


def information(ham_with: int, spam_with: int, ham: int, spam: int) -> float:
    """Mutual information, in bits, of having a term and being spam."""
    total = ham + spam
    bits = 0.0
    for count, of_kind, having in (
        (ham_with, ham, ham_with + spam_with),
        (spam_with, spam, ham_with + spam_with),
        (ham - ham_with, ham, total - ham_with - spam_with),
        (spam - spam_with, spam, total - ham_with - spam_with),
    ):
        if count:
            bits += count / total * math.log2(count * total / (of_kind * having))
    return bits


def neighbours(documents: Iterable[Sequence[str]], lexicon: set[str]) -> tuple[Counter, Counter]:
    """How often each word was seen before and after each term."""
    before, after = Counter(), Counter()
    for document in documents:
        around = [BEGIN, *document, END]
        for left, term, right in zip(around, around[1:], around[2:]):
            if term in lexicon:
                before[term, left] += 1
                after[term, right] += 1
    return before, after


def in_context(document: Sequence[str], lexicon: set[str], valid: tuple[set, set], is_both: bool) -> set[str]:
    """The terms that stand where they are known to stand."""
    around = [BEGIN, *document, END]
    found = set()
    for left, term, right in zip(around, around[1:], around[2:]):
        if term in lexicon:
            sides = ((term, left) in valid[0], (term, right) in valid[1])
            if all(sides) if is_both else any(sides):
                found.add(term)
    return found


def signature(found: Iterable[str]) -> str:
    """The hash of the terms in order, each with a line feed."""
    message = "".join(f"{term}\n" for term in sorted(set(found)))
    return hashlib.sha256(message.encode()).hexdigest()[:40]


def campaigns(texts: Sequence[str], signatures: Sequence[set[str]], shared: float) -> list[list[int]]:
    """Stars: the first text that is left takes those with a signature in common and enough phrases.

    Texts that are the same are one."""
    phrases = [set(circle(words(text))) for text in texts]
    same = defaultdict(list)
    for number, text in enumerate(texts):
        same[text].append(number)
    firsts = [numbers[0] for numbers in same.values()]
    clusters, taken = [], set()
    for best in firsts:
        if best in taken:
            continue
        likes = [
            other
            for other in firsts
            if other != best
            and other not in taken
            and signatures[best] & signatures[other]
            and len(phrases[best] & phrases[other]) >= shared * min(len(phrases[best]), len(phrases[other]))
        ]
        members = [number for first in [best, *likes] for number in same[texts[first]]]
        if len(members) > 1:
            taken |= {best, *likes}
            clusters.append(sorted(members))
    return sorted(clusters)
