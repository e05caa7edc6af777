"""Finds near-copies with a sketch library in the documents of `reprise-bench near`. Prints cost and answer as JSON."""

import json
import resource
import sys
import time

who, path, similarity = sys.argv[1], sys.argv[2], float(sys.argv[3])
FUNCTIONS = 84


def cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def phrases(words: list[str]) -> list[str]:
    """Returns all phrases of five words; the last words are followed by the first."""
    circle = words + words[:4]
    return [" ".join(circle[at : at + 5]) for at in range(len(words))]


def by_datasketch(documents: list[str]) -> set[tuple[int, int]]:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=similarity, num_perm=FUNCTIONS)
    pairs = set()
    for number, text in enumerate(documents):
        sketch = MinHash(num_perm=FUNCTIONS)
        sketch.update_batch([phrase.encode() for phrase in phrases(text.split(" "))])
        pairs.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return pairs


def by_rensa(documents: list[str]) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=similarity, num_perm=FUNCTIONS, num_bands=28)
    pairs = set()
    for number, text in enumerate(documents):
        sketch = RMinHash(num_perm=FUNCTIONS, seed=1)
        sketch.update(phrases(text.split(" ")))
        pairs.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return pairs


def by_gaoya(documents: list[str]) -> set[tuple[int, int]]:
    from gaoya.minhash import MinHashStringIndex

    index = MinHashStringIndex(
        hash_size=32, jaccard_threshold=similarity, num_bands=28, band_size=3, analyzer="word", ngram_range=(5, 5)
    )
    pairs = set()
    for number, text in enumerate(documents):
        words = text.split(" ")
        circle = " ".join(words + words[:4])
        pairs.update((other, number) for other in index.query(circle))
        index.insert_document(number, circle)
    return pairs


def true_pairs(families: list[int], documents: list[str]) -> set[tuple[int, int]]:
    """Returns the pairs of near-copies, by comparing sets of phrases."""
    pairs, start = set(), 0
    while start < len(documents):
        end = start
        while end < len(documents) and families[end] == families[start]:
            end += 1
        sets = [set(phrases(text.split(" "))) for text in documents[start:end]]
        for one in range(end - start):
            for other in range(one + 1, end - start):
                if len(sets[one] & sets[other]) >= similarity * len(sets[one] | sets[other]):
                    pairs.add((start + one, start + other))
        start = end
    return pairs


def removable(count: int, pairs: set[tuple[int, int]]) -> int:
    """Returns the number of documents that are linked to an earlier one, directly or by a chain."""
    above = list(range(count))

    def root(at: int) -> int:
        while above[at] != at:
            above[at] = above[above[at]]
            at = above[at]
        return at

    for one, other in pairs:
        first, second = sorted((root(one), root(other)))
        above[second] = first
    return sum(root(at) != at for at in range(count))


lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
families, documents = [int(line[0]) for line in lines], [line[1] for line in lines]
start, started = cpu(), time.time()
found = {"datasketch": by_datasketch, "rensa": by_rensa, "gaoya": by_gaoya}[who](documents)
used, wall = cpu() - start, time.time() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
right = len(found & true_pairs(families, documents))
answer = {"pairs": len(found), "right": right, "removable": removable(len(documents), found)}
print(json.dumps({"usage": {"cpu_seconds": used, "wall_seconds": wall, "peak_bytes": peak}, "answer": answer}))
