"""How well hardened signatures hold campaigns together, on real mail: the table of docs/imatch.md, made again."""

import json
import subprocess
from pathlib import Path

import pytest

from tool import ROOT, SHARED_DATA, index, reprise

SETTINGS = {
    "15 on either side": (),
    "3 on both sides": ("--context-count", 3, "--context-sides", "both"),
    "leaning to spam, 3 on both sides": ("--leaning", "spam", "--context-count", 3, "--context-sides", "both"),
}
HEAD = """| lexicon and contexts | noise | words | pieces | with contexts | mean rate | best rate | rate > 1 | wrong |
|---|---|---|---|---|---|---|---|---|"""


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    for name in ("mail-spamassassin", "lexicon"):
        if not (SHARED_DATA / f"{name}.tar.zst").is_file():
            pytest.skip(f"../shared/data/{name} is not on this machine")
    directory = tmp_path_factory.mktemp("data")
    subprocess.run([SHARED_DATA / "unpack", directory, "mail-spamassassin", "lexicon"], check=True, capture_output=True)
    for kind, folder in (("ham", "easy-ham-1"), ("spam", "spam-1")):
        files = sorted((directory / "mail-spamassassin" / folder).iterdir())
        for name, part in (("train", files[::2]), ("test", files[1::2])):
            (directory / f"{kind}.{name}").write_text("".join(f"{file}\n" for file in part))
    index([f"@{directory}/ham.test", f"@{directory}/spam.test"], directory / "corpus")
    return directory


def wrong(data: Path, *flags) -> tuple[int, int]:
    """Pairs with one signature that have too little in common, and all."""
    found = json.loads(reprise("near", data / "corpus", "--method", "imatch", "--randomised", 0, "--json", *flags))
    return found["candidates"] - found["verified"], found["candidates"]


def rows(data: Path, name: str, flags: tuple) -> list[str]:
    lexicon, contexts = data / "lexicon.out", data / "contexts.out"
    kinds = ("--ham", f"@{data}/ham.train", "--spam", f"@{data}/spam.train")
    reprise("imatch", "train", *kinds, "-o", lexicon, "--contexts", contexts, *flags)
    given = ("--lexicon", lexicon, "--contexts", contexts)
    words = data / "lexicon" / "frequencywords" / "en" / "en_50k.txt"
    attacker = ("--good", f"@{data}/ham.test", "--dictionary", words, "--campaigns", 30, "--copies", 120, "--runs", 100)
    found = json.loads(reprise("imatch", "attack", f"@{data}/spam.test", *attacker, *given, "--json"))["fragmentation"]
    plain, hardened = (wrong(data, "--lexicon", lexicon, *more) for more in ((), ("--contexts", contexts)))
    merges = f"{plain[0]} of {plain[1]}, {hardened[0]} of {hardened[1]}"
    check(found, plain, hardened)
    return [
        f"| {name if at == 0 else ''} | {row['noise']} | {row['words']} | {row['plain']:.1f} | {row['hardened']:.1f} "
        f"| {row['mean_rate']:.1f} | {row['best_rate']:.1f} | {row['improved']:.0%} | {merges if at == 0 else ''} |"
        for at, row in enumerate(found)
    ]


def check(found: list[dict], plain: tuple[int, int], hardened: tuple[int, int]):
    """What is promised, whatever the table says."""
    assert all(row["campaigns"] == 30 for row in found)
    for row in found:
        if row["noise"] == "words":
            assert row["best_rate"] >= 100 and row["improved"] > 0.5
    assert hardened[0] <= plain[0], "no rise in false merges"


def test_the_table_of_the_docs_is_true(data):
    docs = (ROOT / "docs" / "imatch.md").read_text()
    table = "\n".join([HEAD, *(row for name, flags in SETTINGS.items() for row in rows(data, name, flags))])
    assert table in docs, f"docs/imatch.md should have\n\n{table}\n"
