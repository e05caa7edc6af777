"""Fuzzy hashes: bit for bit those of the program ssdeep, over bytes and over the plain text of documents."""

import base64
import json
import os
import random
import subprocess
import unicodedata
from collections import defaultdict
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from formats import FORMATS
from naive_crawl import parse_digest, scores, ssdeep
from prose import Writer
from shingles import stars
from test_bad_input import refused, run
from test_near import COLUMNS, near
from tool import SHARED_DATA, binary, index, reprise

HEADER = "ssdeep,1.1--blocksize:hash:hash,filename"
SIZES = (0, 1, 2, 3, 6, 7, 8, 63, 64, 191, 192, 193, 500, 1000, 4095, 4096, 4097, 12_288, 50_000, 99_999, 400_000, 1_000_000)
LARGE = 10_000_000
ODD_NAMES = ['a"quote', '"', "comma, comma", "back\\slash", "naïve 日本", "spa ce", "matches x:y (5)", "(100)", "-", "'"]
# ssdeep writes these so that it does not read them as they were.
AMBIGUOUS = ['both\\"', "end\\"]


def material(dice: random.Random, size: int) -> bytes:
    """Text, noise, a pattern that repeats, or one byte only."""
    match dice.randrange(5):
        case 0:
            return dice.randbytes(size)
        case 1:
            return bytes((dice.randrange(256),)) * size
        case 2:
            period = dice.randbytes(dice.randint(1, 300))
            return (period * (size // len(period) + 1))[:size]
        case _:
            words = [dice.randbytes(dice.randint(1, 9)).hex().encode() for _ in range(200)]
            return b" ".join(dice.choices(words, k=size // 3 + 1))[:size]


def mutated(dice: random.Random, data: bytes) -> bytes:
    """The same with some bytes changed, put in, taken out or moved."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 3, 10))):
        at, size = dice.randint(0, len(changed)), dice.choice((1, 5, 60, len(data) // 20 + 1))
        match dice.randrange(4):
            case 0:
                changed[at : at + size] = dice.randbytes(min(size, len(changed) - at))
            case 1:
                changed[at:at] = dice.randbytes(size)
            case 2:
                del changed[at : at + size]
            case _:
                part = changed[at : at + size]
                del changed[at : at + size]
                changed[:0] = part
    return bytes(changed)


@pytest.fixture(scope="module")
def pile(tmp_path_factory) -> Path:
    """Files of all sizes, each with mutations of it."""
    dice = random.Random(20260119)
    directory = tmp_path_factory.mktemp("pile") / "files"
    directory.mkdir()
    for size in SIZES:
        for number in range(5 if size < 10_000 else 2):
            data = material(dice, size)
            for version in range(4 if size < 100_000 else 2):
                (directory / f"{size}-{number}-{version}").write_bytes(data)
                data = mutated(dice, data)
    large = material(dice, LARGE)
    (directory / "large").write_bytes(large)
    (directory / "large-mutated").write_bytes(mutated(dice, large))
    return directory


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def fuzzy(*args, cwd: Path, stdin: bytes | None = None, expect: int = 0) -> list[str]:
    """What the command prints, by line."""
    return reprise("fuzzy", *args, cwd=cwd, stdin=stdin, expect=expect).splitlines()


def own_digests(directory: Path, files: list[str], *flags) -> dict[str, str]:
    header, *lines = fuzzy(*flags, *files, cwd=directory)
    assert header == HEADER
    return {name: digest for digest, name in map(parse_digest, lines)}


def theirs(directory: Path, *args) -> list[str]:
    """What ssdeep prints; it says on stderr that small files are of little use."""
    done = subprocess.run([ssdeep(), *map(str, args)], cwd=directory, capture_output=True, timeout=120, check=True)
    return [line for line in done.stdout.decode().splitlines() if line]


def test_digests_are_those_of_ssdeep(pile):
    files = names(pile)
    header, *lines = theirs(pile, "-s", "-l", *files)
    wanted = {name: digest for digest, name in map(parse_digest, lines)}
    assert len(wanted) == len(files) > 200
    assert own_digests(pile, files, "--raw") == wanted


def test_the_output_is_that_of_ssdeep(pile):
    files = names(pile)[:50]
    assert fuzzy("--raw", *files, cwd=pile) == theirs(pile, "-s", "-l", *files)


def test_scores_are_those_of_ssdeep(pile, tmp_path):
    """All pairs with anything in common, by `--match` against everything; some of them by `--compare`."""
    files = names(pile)
    (tmp_path / "known").write_text(reprise("fuzzy", "--raw", *files, cwd=pile))
    wanted = sorted(theirs(pile, "-s", "-l", "-m", tmp_path / "known", *files))
    found = sorted(fuzzy("--raw", "--match", tmp_path / "known", "--threshold", 1, *files, cwd=pile))
    assert found == wanted and len(wanted) > 500
    dice = random.Random(1)
    for line in dice.sample(wanted, 25):
        one, _, rest = line.partition(f" matches {tmp_path / 'known'}:")
        other, _, score = rest.rpartition(" ")
        assert fuzzy("--raw", "--compare", one, other, cwd=pile) == [score.strip("()")]


def test_pairs_without_anything_in_common(pile):
    assert fuzzy("--raw", "--compare", "1000-0-0", "large", cwd=pile) == ["0"]
    assert fuzzy("--raw", "--compare", "large", "large", cwd=pile) == ["100"]


@pytest.mark.parametrize("threshold", [50, 90, 100])
def test_a_threshold(pile, tmp_path, threshold):
    """ssdeep takes what is above it, the command what is not below."""
    files = names(pile)
    (tmp_path / "known").write_text(reprise("fuzzy", "--raw", *files, cwd=pile))
    wanted = theirs(pile, "-s", "-l", "-t", threshold - 1, "-m", tmp_path / "known", *files)
    found = fuzzy("--raw", "--match", tmp_path / "known", "--threshold", threshold, *files, cwd=pile)
    assert sorted(found) == sorted(wanted)


def test_ssdeep_reads_what_is_written(pile, tmp_path):
    files = names(pile)
    ours, known = tmp_path / "ours", tmp_path / "theirs"
    ours.write_text(reprise("fuzzy", "--raw", *files, cwd=pile))
    known.write_text("\n".join(theirs(pile, "-s", "-l", *files)) + "\n")
    same = theirs(pile, "-s", "-k", ours, known)
    assert {f"{known}:{name} matches {ours}:{name} (100)" for name in files} <= set(same)
    # And the reverse: the same matches in either file.
    found = fuzzy("--raw", "--match", known, "--threshold", 1, *files, cwd=pile)
    assert sorted(found) == sorted(theirs(pile, "-s", "-l", "-m", known, *files))


@pytest.fixture(scope="module")
def odd(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("odd") / "files"
    directory.mkdir()
    for number, name in enumerate(ODD_NAMES + AMBIGUOUS):
        (directory / name).write_bytes(random.Random(number // 2).randbytes(6000) + name.encode())
    return directory


def test_odd_names(odd, tmp_path):
    files = [f"./{name}" for name in ODD_NAMES]
    ours = reprise("fuzzy", "--raw", *files, cwd=odd)
    assert ours.splitlines() == theirs(odd, "-l", *files)
    ambiguous = [f"./{name}" for name in AMBIGUOUS]
    assert fuzzy("--raw", *ambiguous, cwd=odd) == theirs(odd, "-l", *ambiguous)
    (tmp_path / "ours").write_text(ours)
    wanted = theirs(odd, "-l", "-m", tmp_path / "ours", *files)
    assert len(wanted) >= len(files)
    assert sorted(fuzzy("--raw", "--match", tmp_path / "ours", *files, cwd=odd)) == sorted(wanted)


def test_a_name_that_is_no_text(tmp_path):
    """Bytes that are not UTF-8 are names of files, too."""
    name = os.fsencode(tmp_path) + b"/odd\xff\xfe"
    with open(name, "wb") as file:
        file.write(random.Random(2).randbytes(5000))
    done = subprocess.run([binary(), "fuzzy", "--raw", name], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout.startswith(HEADER.encode()) and done.stdout.count(b"\n") == 2, done.stderr


def test_standard_input(pile):
    data = (pile / "4096-0-0").read_bytes()
    header, line = fuzzy("--raw", "-", cwd=pile, stdin=data)
    assert header == HEADER
    assert parse_digest(line)[0] == own_digests(pile, ["4096-0-0"], "--raw")["4096-0-0"]
    assert fuzzy("--raw", "--compare", "-", "4096-0-0", cwd=pile, stdin=data) == ["100"]


def test_json(pile, tmp_path):
    files = ["4096-0-0", "4096-0-1"]
    wanted = own_digests(pile, files, "--raw")
    rows = json_rows(reprise("fuzzy", "--raw", "--json", *files, cwd=pile))
    assert {row["digest"] for row in rows} == set(wanted.values())
    found = json_rows(reprise("fuzzy", "--raw", "--json", "--compare", *files, cwd=pile))
    assert str(found[0]["score"]) == fuzzy("--raw", "--compare", *files, cwd=pile)[0]
    (tmp_path / "known").write_text(reprise("fuzzy", "--raw", *files, cwd=pile))
    matches = json_rows(reprise("fuzzy", "--raw", "--json", "--match", tmp_path / "known", files[0], cwd=pile))
    assert 100 in {row["score"] for row in matches}


def json_rows(text: str) -> list[dict]:
    """One object a line."""
    return [json.loads(line) for line in text.splitlines()]


def test_files_that_cannot_be_read(pile, tmp_path):
    """They are named; the others are hashed all the same."""
    done = run("fuzzy", "--raw", tmp_path / "missing", pile / "4096-0-0")
    assert done.returncode == 2 and b"missing" in done.stderr
    assert done.stdout.count(b"\n") == 2 and b"4096-0-0" in done.stdout
    done = run("fuzzy", "--raw", tmp_path)
    assert done.returncode in (0, 2)
    refused("fuzzy", "--match", tmp_path / "nowhere", pile / "4096-0-0", saying="nowhere")
    refused("fuzzy", "--compare", pile / "4096-0-0")
    refused("fuzzy")
    refused("fuzzy", "--match", pile / "4096-0-0", pile / "4096-0-0", "--threshold", 101, saying="--threshold")


DAMAGED = {
    "not a header": b"hello\n",
    "empty": b"",
    "only a header": HEADER.encode() + b"\n",
    "no digest": HEADER.encode() + b'\nnonsense,"a"\n',
    "a block size that is none": HEADER.encode() + b'\n5:abcdefghijk:abcdef,"a"\n',
    "a huge block size": HEADER.encode() + b'\n99999999999999999999:abcdefghijk:abcdef,"a"\n',
    "a long hash": HEADER.encode() + b"\n3:" + b"abcdefgh" * 100 + b':abc,"a"\n',
    "a very long line": HEADER.encode() + b"\n3:" + b"x" * 5_000_000 + b"\n",
    "no quotes": HEADER.encode() + b"\n3:abcdefghijk:abcdef,a\n",
    "an open quote": HEADER.encode() + b'\n3:abcdefghijk:abcdef,"a\n',
    "bytes": HEADER.encode() + b'\n3:abcdef\xff\xfe:abcdef,"\xff"\n',
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_digests(name, pile, tmp_path):
    """Refused or passed over, never a match, never a panic."""
    (tmp_path / "known").write_bytes(DAMAGED[name])
    done = run("fuzzy", "--raw", "--match", tmp_path / "known", pile / "4096-0-0")
    assert done.returncode in (0, 1, 2) and done.stdout == b""
    assert done.returncode == 0 or done.stderr


@pytest.fixture(scope="module")
def vectors(tmp_path_factory) -> Path:
    """Digests and scores of ssdeep for files that nobody of the project wrote."""
    unpack = SHARED_DATA / "unpack"
    sets = ("hash-vectors", "labelled-plagiarism-clough", "mail-spamassassin", "warc-dev")
    if not unpack.is_file() or not all((SHARED_DATA / f"{name}.tar.zst").is_file() for name in sets):
        pytest.skip("../shared/data/hash-vectors is not on this machine")
    directory = tmp_path_factory.mktemp("vectors")
    subprocess.run([unpack, directory, *sets], check=True, capture_output=True)
    return directory


def test_digests_of_real_files(vectors):
    lines = (vectors / "kat-hashes/reference-tool-output/ssdeep.csv").read_text().splitlines()
    wanted = {name: digest for digest, name in map(parse_digest, lines[2:])}
    assert lines[1] == HEADER and len(wanted) > 700
    assert own_digests(vectors, sorted(wanted), "--raw") == wanted


def test_scores_of_real_files(vectors, tmp_path):
    table = vectors / "kat-hashes/reference-tool-output"
    wanted = {}
    for line in (table / "ssdeep-pair-scores.tsv").read_text().splitlines()[1:]:
        one, other, score = line.split("\t")
        wanted[min(one, other), max(one, other)] = int(score)
    known = tmp_path / "known"
    known.write_text("".join((table / "ssdeep.csv").read_text().splitlines(keepends=True)[1:]))
    files = sorted({name for pair in wanted for name in pair})
    found = {}
    for line in fuzzy("--raw", "--match", known, "--threshold", 1, *files, cwd=vectors):
        one, _, rest = line.partition(f" matches {known}:")
        other, _, score = rest.rpartition(" (")
        if one != other:
            found[min(one, other), max(one, other)] = int(score.strip("()"))
    assert len(wanted) > 1400
    assert {pair: found.get(pair) for pair in wanted} == wanted


@pytest.fixture(scope="module")
def documents(tmp_path_factory) -> Path:
    """Three long articles in every format."""
    directory = tmp_path_factory.mktemp("documents")
    for number in range(3):
        article = Writer(f"document {number}").article(15_000, 40_000)
        for ending, (_, write) in FORMATS.items():
            (directory / f"{number}.{ending}").write_bytes(write(article))
    return directory


def test_one_document_in_all_formats(documents):
    for number in range(3):
        found = {pair: score(documents, *pair) for pair in combinations([f"{number}.{ending}" for ending in FORMATS], 2)}
        assert min(found.values()) >= 90, {pair: value for pair, value in found.items() if value < 90}


def score(directory: Path, one: str, other: str) -> int:
    (line,) = fuzzy("--compare", one, other, cwd=directory)
    return int(line)


def test_different_documents(documents):
    for ending in FORMATS:
        assert score(documents, f"0.{ending}", f"1.{ending}") < 50


def test_the_format_is_known_by_its_bytes(documents, tmp_path):
    """Not every file has a name that ends as it should."""
    for ending in ("pdf", "docx", "odt", "rtf", "epub", "html"):
        (tmp_path / "file").write_bytes((documents / f"0.{ending}").read_bytes())
        assert fuzzy("--compare", tmp_path / "file", f"0.{ending}", cwd=documents) == ["100"], ending


def test_documents_that_are_broken(documents, tmp_path):
    """A file that cannot be converted is named, or what could be read of it is hashed."""
    dice = random.Random(5)
    for ending in FORMATS:
        whole = (documents / f"0.{ending}").read_bytes()
        damaged = bytearray(whole)
        for _ in range(20):
            damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
        for number, data in enumerate((whole[: len(whole) // 2], whole[:10], bytes(damaged), b"")):
            (tmp_path / f"{number}.{ending}").write_bytes(data)
    done = run("fuzzy", *sorted(tmp_path.iterdir()))
    assert done.returncode in (0, 2)
    assert done.stdout.decode().splitlines()[0] == HEADER


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Texts by name: families of small changes, and texts that are like no other."""
    found = {}
    for family in range(12):
        writer = Writer(f"family {family}")
        paragraphs = list(writer.article(4000, 9000).paragraphs)
        for version in range(1 + family % 4):
            found[f"f{family:02}v{version}"] = plain(" ".join(paragraphs))
            paragraphs[writer.dice.randrange(len(paragraphs))] = writer.sentence()
    found["copy"] = found["f03v1"]
    return found | {f"short{number}": plain(Writer(number).sentence()) for number in range(5)}


def plain(text: str) -> str:
    """Nothing that a conversion would write in another way."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def test_near_by_fuzzy_hash(texts, tmp_path):
    """The clusters of all pairs by ssdeep: the first that is left takes all that are like it."""
    rows = [{"url": f"http://a.example/{name}", "text": text} for name, text in texts.items()]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    index([tmp_path / "rows.jsonl"], tmp_path / "corpus")
    known, names = scores(tmp_path / "texts", texts), list(texts)

    def score_of(one: str, other: str) -> int:
        return known.get((min(one, other), max(one, other)), 0)

    def clusters(least: int) -> dict[str, set[str]]:
        found = stars(range(len(names)), lambda one, other: score_of(names[one], names[other]) >= least)
        return {names[cluster[0]]: {names[member] for member in cluster} for cluster in found}

    removable = []
    for score in (60, 90, 97, 100):
        found, members = near(tmp_path / "corpus", tmp_path, "--method", "fuzzy", "--score", score)
        assert [name for name in members[0] if name in COLUMNS] == COLUMNS
        assert (found["method"], {row["method"] for row in members}) == ("fuzzy", {"fuzzy"})
        got = defaultdict(set)
        for row in members:
            name, best = (row[key].rpartition("/")[2] for key in ("url", "representative"))
            got[best].add(name)
            assert row["similarity"] == pytest.approx(1 if name == best else score_of(name, best) / 100), row
        assert got == clusters(score)
        removable.append(found["removable"])
    assert all(one > other for one, other in pairwise(removable)) and removable[-1] == 1


def test_wrong_flags_of_near(demo, tmp_path):
    for value in ("-1", "101", "much"):
        refused("near", demo.path, "--method", "fuzzy", f"--similarity={value}", "-o", tmp_path / "none", saying="--similarity")


def test_digests_do_not_depend_on_company(pile):
    """One file at a time or all at once, in any order."""
    files = names(pile)[::7]
    together = own_digests(pile, files[::-1], "--raw")
    assert together == {name: own_digests(pile, [name], "--raw")[name] for name in files}
    assert list(together) == files[::-1]


def test_mail_is_hashed_as_its_text(tmp_path):
    """Other headers, another transfer encoding: the same text, the same digest."""
    dice = random.Random(11)
    text = "\n".join(" ".join(dice.choices(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"], k=10)) for _ in range(60))
    one = f"From: a@b.example\nTo: c@d.example\nSubject: news\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\n{text}\n"
    packed = base64.encodebytes(text.encode()).decode()
    other = f"Received: from x\nMessage-ID: <1@e.example>\nSubject: news\nContent-Transfer-Encoding: base64\nMIME-Version: 1.0\n\n{packed}"
    (tmp_path / "one.eml").write_text(one)
    (tmp_path / "other").write_text(other)
    digests = [json.loads(line)["digest"] for line in reprise("fuzzy", tmp_path / "one.eml", tmp_path / "other", "--json").splitlines()]
    assert digests[0] == digests[1]
    assert reprise("fuzzy", "--compare", tmp_path / "one.eml", tmp_path / "other").split()[0] == "100"
