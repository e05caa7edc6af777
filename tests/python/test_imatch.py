"""Lexicons, contexts, signatures and campaigns: each computed a second time, from the definitions."""

import json
import random
from collections import defaultdict
from pathlib import Path

import pytest

import imatch
from shingles import containment, jaccard
from test_bad_input import refused, run
from test_near import near
from tool import index, reprise

VOCABULARY = [f"{letter}{number}" for number in range(40) for letter in ("ka", "lo", "mu", "ti", "re")]
RATES = "refinance your mortgage now lowest rates guaranteed apply online today approval within minutes"
PILLS = "cheap pills shipped overnight without prescription order discreet pharmacy save seventy percent"


class Pile:
    """Documents: ham of random words, and spam campaigns with noise around their payload."""

    def __init__(self, seed: int, ham: int = 120, copies: int = 12):
        dice = random.Random(seed)
        weights = [1 / (1 + rank) for rank in range(len(VOCABULARY))]

        def prose(least: int, most: int) -> str:
            return " ".join(dice.choices(VOCABULARY, weights, k=dice.randint(least, most)))

        self.ham = [prose(20, 80) for _ in range(ham)]
        self.spam = []
        for payload in (RATES, PILLS, prose(30, 40)):
            for copy in range(copies):
                noise = "" if copy < 3 else prose(1, 6)
                self.spam.append(f"{noise} {payload} {prose(0, 3) if copy > 5 else ''}".strip())
        self.spam += self.spam[:2]
        self.texts = self.ham + self.spam

    def write(self, directory: Path) -> tuple[Path, Path]:
        """Files of ham and spam."""
        directory.mkdir(exist_ok=True)
        files = []
        for name, texts in (("ham", self.ham), ("spam", self.spam)):
            file = directory / f"{name}.jsonl"
            rows = [{"url": f"http://{name}.example/{number}", "text": text} for number, text in enumerate(texts)]
            file.write_text("".join(json.dumps(row) + "\n" for row in rows))
            files.append(file)
        return files[0], files[1]


@pytest.fixture(scope="module", params=range(4))
def pile(request) -> Pile:
    return Pile(request.param)


@pytest.fixture(scope="module")
def files(pile, tmp_path_factory) -> tuple[Path, Path]:
    return pile.write(tmp_path_factory.mktemp("pile") / "files")


def read_lexicon(file: Path) -> tuple[dict, dict[str, list]]:
    """Head and rows of a lexicon file."""
    header, *lines = file.read_text().splitlines()
    assert header == "reprise-lexicon 1"
    head = dict(line.split(" ", 1) for line in lines[:6])
    rows = {row[0]: row[1:] for row in (line.split("\t") for line in lines[6:])}
    assert len(rows) == int(head["terms"]) and list(rows) == sorted(rows)
    return head, rows


def read_contexts(file: Path) -> tuple[set, set]:
    """Valid neighbours before and after terms."""
    lines = file.read_text().splitlines()
    assert lines[0] == "reprise-contexts 1"
    found = {"before": set(), "after": set()}
    for line in lines[6:]:
        term, side, words = line.split("\t")
        found[side] |= {(term, word) for word in words.split(" ")}
    return found["before"], found["after"]


def train(tmp_path: Path, *args) -> dict:
    return json.loads(reprise("imatch", "train", *args, "-o", tmp_path / "lexicon", "--json"))


def sign(*args) -> list[dict]:
    return [json.loads(line) for line in reprise("imatch", "sign", "--json", *args).splitlines()]


def test_a_lexicon_by_frequency(pile, files, tmp_path):
    flags = ("--by", "frequency", "--size", 60, "--min-documents", 3, "--max-share", 0.4, "--skip-ranks", 5)
    found = train(tmp_path, *files, *flags)
    documents = [imatch.terms(text) for text in pile.texts]
    head, rows = read_lexicon(tmp_path / "lexicon")
    assert set(rows) == imatch.by_frequency(documents, 60, 3, 0.4, 5)
    counts = imatch.document_frequency(documents)
    assert all(row == [str(counts[term]), "0", "0", "-"] for term, row in rows.items())
    assert (found["documents"], found["terms"], found["choice"]) == (len(documents), len(rows), head["choice"])


def test_a_lexicon_by_information(pile, files, tmp_path):
    train(tmp_path, "--ham", files[0], "--spam", files[1], "--size", 50, "--min-documents", 2)
    ham, spam = (imatch.document_frequency(map(imatch.terms, texts)) for texts in (pile.ham, pile.spam))
    sizes = len(pile.ham), len(pile.spam)
    bits = {
        term: imatch.information(ham[term], spam[term], *sizes)
        for term in ham | spam
        if 2 <= ham[term] + spam[term] <= sum(sizes) / 2
    }
    head, rows = read_lexicon(tmp_path / "lexicon")
    assert (head["choice"], int(head["good"]), int(head["bad"])) == ("information", *sizes)
    for term, (all_, good, bad, nanobits) in rows.items():
        assert (int(all_), int(good), int(bad)) == (ham[term] + spam[term], ham[term], spam[term])
        assert int(nanobits) == pytest.approx(bits[term] * 1e9, abs=1)
    worst = min(bits[term] for term in rows)
    assert len(rows) == 50 and all(value <= worst + 1e-9 for term, value in bits.items() if term not in rows)


def test_classes_are_as_good_as_folders(pile, files, tmp_path):
    train(tmp_path, "--ham", files[0], "--spam", files[1])
    by_folder = (tmp_path / "lexicon").read_bytes()
    classes = tmp_path / "classes"
    kinds = (("ham", len(pile.ham)), ("spam", len(pile.spam)))
    classes.write_text("".join(f"http://{kind}.example/{n}\t{kind}\n" for kind, count in kinds for n in range(count)))
    index(files, tmp_path / "corpus")
    train(tmp_path, tmp_path / "corpus", "--classes", classes)
    assert (tmp_path / "lexicon").read_bytes() == by_folder


@pytest.mark.parametrize("rule", [("--context-count", 3), ("--context-share", 0.1)])
@pytest.mark.parametrize("sides", ["either", "both"])
def test_contexts_and_signatures(pile, files, tmp_path, rule, sides):
    contexts = tmp_path / "contexts"
    flags = (*files, "--max-share", 0.3, "--contexts", contexts, *rule, "--context-sides", sides)
    found = train(tmp_path, *flags)
    documents = [imatch.terms(text) for text in pile.texts]
    lexicon = set(read_lexicon(tmp_path / "lexicon")[1])
    counts = imatch.neighbours(documents, lexicon)
    seen = [imatch.Counter(), imatch.Counter()]
    for side, counted in enumerate(counts):
        for (term, _), count in counted.items():
            seen[side][term] += count

    def is_valid(side: int, pair: tuple, count: int) -> bool:
        return count >= rule[1] if rule[0] == "--context-count" else count >= rule[1] * seen[side][pair[0]]

    valid = tuple({pair for pair, count in counted.items() if is_valid(side, pair, count)} for side, counted in enumerate(counts))
    assert read_contexts(contexts) == valid
    assert found["contexts"]["contexts"] == sum(map(len, valid))

    for flags, chosen in (
        ((), [lexicon & set(document) for document in documents]),
        (("--contexts", contexts), [imatch.in_context(document, lexicon, valid, sides == "both") for document in documents]),
    ):
        signed = sign(*files, "--lexicon", tmp_path / "lexicon", *flags, "--min-terms", 6)
        assert len(signed) == len(documents)
        for row, found_terms in zip(signed, chosen, strict=True):
            assert row["terms"] == sorted(found_terms) and row["overlap"] == len(found_terms)
            assert row["signature"] == (imatch.signature(found_terms) if len(found_terms) >= 6 else None)


def test_the_edges_of_a_document_are_contexts(tmp_path):
    """`first` is valid only at the beginning, `last` only at the end, and not in the middle of anything."""
    texts = ["first one two three four last"] * 5 + ["alpha beta gamma"] * 5
    file = tmp_path / "texts.jsonl"
    file.write_text("".join(json.dumps({"url": f"a:{n}", "text": text}) + "\n" for n, text in enumerate(texts)))
    train(tmp_path, file, "--max-share", 1, "--contexts", tmp_path / "contexts", "--context-count", 5, "--context-sides", "both")
    asked = tmp_path / "asked.jsonl"
    rows = ["first one two three four last", "noise first one two three four last", "first one two three four last noise"]
    asked.write_text("".join(json.dumps({"url": f"b:{n}", "text": text}) + "\n" for n, text in enumerate(rows)))
    whole, front, back = sign(asked, "--lexicon", tmp_path / "lexicon", "--contexts", tmp_path / "contexts", "--min-terms", 1)
    assert whole["terms"] == ["first", "four", "last", "one", "three", "two"]
    assert front["terms"] == ["four", "last", "one", "three", "two"]
    assert back["terms"] == ["first", "four", "one", "three", "two"]


def test_order_and_repeats_do_not_matter(pile, files, tmp_path):
    train(tmp_path, *files)
    dice = random.Random(5)
    rows = []
    for number, text in enumerate(pile.spam):
        words = text.split()
        changed = words + dice.choices(words, k=9)
        dice.shuffle(changed)
        rows += [{"url": f"u:{number}", "text": text}, {"url": f"v:{number}", "text": " ".join(changed).upper() + " 17 99 x"}]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    signed = sign(file, "--lexicon", tmp_path / "lexicon", "--randomised", 7)
    for one, other in zip(signed[::2], signed[1::2], strict=True):
        assert one["signature"] and one["signatures"] == other["signatures"] and one["terms"] == other["terms"]


def test_a_second_lexicon_helps_where_the_first_finds_too_little(files, tmp_path):
    reprise("imatch", "train", *files, "-o", tmp_path / "small", "--size", 3)
    reprise("imatch", "train", *files, "-o", tmp_path / "large")
    alone = sign(*files, "--lexicon", tmp_path / "small", "--min-terms", 8)
    helped = sign(*files, "--lexicon", tmp_path / "small", "--second-lexicon", tmp_path / "large", "--min-terms", 8)
    assert all(row["signature"] is None for row in alone)
    assert sum(row["extended"] and row["signature"] is not None for row in helped) > len(helped) / 2


@pytest.mark.parametrize("flags", [("--randomised", 0), ("--randomised", 6, "--dropped-share", 0.2), ("--shared", 0.6)])
def test_campaigns(pile, files, tmp_path, flags):
    index(files, tmp_path / "corpus")
    reprise("imatch", "train", *files, "-o", tmp_path / "lexicon", "--max-share", 0.4)
    given = ("--lexicon", tmp_path / "lexicon", *flags)
    found, rows = near(tmp_path / "corpus", tmp_path, "--method", "imatch", *given)
    shared = found["shared"]
    assert shared == (0.6 if "--shared" in flags else 0.2)
    signing = [flag for flag in given if flag not in ("--shared", 0.6)]
    randomised = () if "--randomised" in flags else ("--randomised", 10)
    signed = sign(*files, *signing, *randomised)
    urls = {row["url"]: number for number, row in enumerate(signed)}
    assert list(urls.values()) == list(range(len(pile.texts)))
    clusters = defaultdict(list)
    for row in rows:
        clusters[row["cluster"]].append(urls[row["url"]])
    expected = imatch.campaigns(pile.texts, [set(row["signatures"]) for row in signed], shared)
    assert sorted(sorted(members) for members in clusters.values()) == expected
    phrases = [set(imatch.circle(imatch.words(text))) for text in pile.texts]
    for row in rows:
        one, best = urls[row["url"]], urls[row["representative"]]
        assert row["similarity"] == pytest.approx(jaccard(phrases[one], phrases[best]))
        assert row["containment"] == pytest.approx(containment(phrases[one], phrases[best]))
        assert row["terms"] == " ".join(sorted(set(signed[one]["terms"]) & set(signed[best]["terms"])))
        assert row["method"] == "imatch"


def test_without_a_lexicon_one_is_made(pile, files, tmp_path):
    index(files, tmp_path / "corpus")
    found, rows = near(tmp_path / "corpus", tmp_path, "--method", "imatch")
    reprise("imatch", "train", *files, "-o", tmp_path / "lexicon", "--max-share", 1)
    assert (found, rows) == near(tmp_path / "corpus", tmp_path, "--method", "imatch", "--lexicon", tmp_path / "lexicon")
    largest = max(rows, key=lambda row: row["cluster"])
    assert found["clusters"] >= 1 and largest["terms"]


def test_the_same_for_any_number_of_threads(files, tmp_path):
    index(files, tmp_path / "corpus")
    seen = set()
    for threads in (1, 2, 5):
        out = tmp_path / str(threads)
        out.mkdir()
        at = ("--threads", threads)
        reprise("imatch", "train", *files, "-o", out / "lexicon", "--contexts", out / "contexts", "--context-count", 3, *at)
        given = ("--lexicon", out / "lexicon", "--contexts", out / "contexts", "--min-terms", 5)
        signed = reprise("imatch", "sign", *files, *given, *at)
        reprise("near", tmp_path / "corpus", "--method", "imatch", "-o", out / "clusters", *given, *at)
        attack = reprise("imatch", "attack", files[1], "--good", files[0], "--runs", 50, "--copies", 5, *given, *at)
        seen.add((signed, attack, *((out / name).read_bytes() for name in ("lexicon", "contexts", "clusters"))))
    assert len(seen) == 1


def test_attacks_cost_what_the_formulas_say(files, tmp_path):
    reprise("imatch", "train", *files, "-o", tmp_path / "lexicon", "--contexts", tmp_path / "contexts", "--context-count", 3)
    given = ("--lexicon", tmp_path / "lexicon", "--contexts", tmp_path / "contexts", "--min-terms", 3)
    page = tmp_path / "attack.html"
    found = json.loads(reprise("imatch", "attack", files[1], "--good", files[0], *given, "--runs", 20_000, "--json", "--html", page))
    assert page.read_text().count("<svg") == 2
    for attack in found["attacks"]:
        if attack["guesses"] == 1 and attack["lexicon"] > 0:
            words, hits = attack["vocabulary"], attack["lexicon"]
            assert attack["formula"] == pytest.approx((words + 1) / (hits + 1))
            assert attack["simulated"]["mean"] == pytest.approx(attack["formula"], rel=0.05)
            assert attack["simulated"]["succeeded"] == 20_000
    plain, hardened = ([a for a in found["attacks"] if a["defence"] == name] for name in ("plain", "hardened"))
    assert all(hard["lexicon"] <= easy["lexicon"] for easy, hard in zip(plain, hardened, strict=True) if easy["guesses"] == 1)
    assert {row["noise"] for row in found["fragmentation"]} == {"words", "sentences"}
    for row in found["fragmentation"]:
        assert row["plain"] >= 1 and len(row["reductions"]) == row["campaigns"]
        assert sum(share for _, share in row["rates"]) == pytest.approx(1)


# Bad input


def mails(directory: Path, *texts: str) -> Path:
    directory.mkdir()
    for number, text in enumerate(texts):
        (directory / f"{number}.eml").write_text(f"From: a@b.example\nMessage-ID: <{number}@b.example>\n{text}", "utf-8")
    return directory


def test_awkward_mails(tmp_path):
    """Empty, an attachment only, 100,000 words, no spaces, invisible and look-alike letters: all are signed or rejected."""
    chinese = "今天天气很好我们去公园散步然后回家吃饭晚上看电影"
    payload = "viagra lowest price online pharmacy order now discreet shipping worldwide"
    hidden = "\u200b".join(payload).replace("a", "а").replace("o", "о")
    attachment = "Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0="
    many = " ".join(f"word{number % 5000}" for number in range(100_000))
    folder = mails(
        tmp_path / "mails", "\n", attachment, f"Subject: m\n\n{many}", f"\n{many}",
        f"Content-Type: text/plain; charset=utf-8\n\n{chinese}", f"Content-Type: text/plain; charset=utf-8\n\n{chinese}",
        f"\n{payload}", f"Content-Type: text/plain; charset=utf-8\n\n{hidden}",
    )  # fmt: skip
    reprise("imatch", "train", folder, "-o", tmp_path / "lexicon", "--max-share", 1)
    signed = {row["url"]: row for row in sign(folder, "--lexicon", tmp_path / "lexicon")}
    at = [signed.get(f"mid:{number}@b.example") for number in range(8)]
    assert at[0] is None or at[0]["signature"] is None
    assert at[1] is None or at[1]["signature"] is None
    assert at[2]["overlap"] == at[3]["overlap"] == 5000
    assert at[4]["signature"] and at[4]["signature"] == at[5]["signature"]
    assert at[6]["signature"] and at[6]["signature"] == at[7]["signature"], "nobody sees the difference"
    index([folder], tmp_path / "corpus")
    found, rows = near(tmp_path / "corpus", tmp_path, "--method", "imatch")
    assert found["clusters"] == 3 and found["in_clusters"] == 6


def test_a_lexicon_that_matches_nothing_says_so(files, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text('{"url":"a:1","text":"zebra quagga okapi"}\n{"url":"a:2","text":"zebra okapi"}\n')
    reprise("imatch", "train", other, "-o", tmp_path / "lexicon", "--max-share", 1)
    done = run("imatch", "sign", *files, "--lexicon", tmp_path / "lexicon")
    assert done.returncode == 0 and b"the lexicon matches nothing" in done.stderr
    refused("imatch", "attack", files[1], "--good", files[0], "--lexicon", tmp_path / "lexicon", saying="none of 38 payloads has a signature")


def test_training_sets_that_teach_nothing(files, tmp_path):
    lexicon = ("-o", tmp_path / "lexicon")
    refused("imatch", "train", "--ham", files[0], "--by", "information", *lexicon, saying="none of 120 documents is spam")
    refused("imatch", "train", "--spam", files[1], "--by", "information", *lexicon, saying="none of 38 documents is ham")
    refused("imatch", "train", *files, "--by", "information", *lexicon, saying="none of 158 documents")
    refused("imatch", "train", *files, "--min-documents", 10_000, *lexicon, saying="none of the")
    refused("imatch", "train", *files, "--max-share", 1.5, *lexicon, saying="from 0 to 1")
    refused("imatch", "train", *lexicon, saying="INPUT")
    refused("imatch", "train", tmp_path / "nothing", *lexicon, saying="nothing")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    refused("imatch", "train", empty, *lexicon, saying="no documents")
    classes = tmp_path / "classes"
    classes.write_text("http://ham.example/1\tham\nhttp://ham.example/2 spam\n")
    refused("imatch", "train", *files, "--classes", classes, *lexicon, saying="line 2")
    classes.write_text("http://elsewhere.example/1\tham\n")
    refused("imatch", "train", *files, "--classes", classes, *lexicon, saying="no URL in")
    classes.write_text("http://ham.example/1\tham\nhttp://ham.example/1\tspam\n")
    refused("imatch", "train", *files, "--classes", classes, *lexicon, saying="both ham and spam")
    refused("imatch", "train", *files, "--leaning", "spam", *lexicon, saying="--leaning")
    refused("imatch", "train", "--ham", files[0], "--spam", files[1], "--skip-ranks", 3, *lexicon, saying="--skip-ranks")
    refused("imatch", "train", *files, "--memory", 1.5, *lexicon, saying="--memory")
    reprise("imatch", "train", *files, "-o", tmp_path / "sound")
    for flag, value in (("--runs", 2**32), ("--copies", 2**64 - 1), ("--noise", 2**32)):
        refused("imatch", "attack", files[1], "--good", files[0], "--lexicon", tmp_path / "sound", flag, value, saying=flag)
    assert not (tmp_path / "lexicon").exists()


def test_a_byte_order_mark_before_classes_is_skipped(files, tmp_path):
    classes = tmp_path / "classes"
    classes.write_bytes("\ufeffhttp://ham.example/1\tham\r\nhttp://spam.example/1\tspam\r\n".encode())
    made = train(tmp_path, *files, "--classes", classes)
    assert (made["ham"], made["spam"]) == (1, 1)


def test_terms_within_a_bound_of_memory(tmp_path):
    """More terms than fit: the rare ones go, the frequent ones are counted nearly right, and it is said how nearly."""
    dice = random.Random(3)
    file = tmp_path / "many.jsonl"
    with file.open("w") as out:
        for number in range(12_000):
            rare = " ".join("".join(dice.choices("abcdefghijklmnop", k=9)) for _ in range(60))
            often = f" often{chr(97 + number % 5)}"
            out.write(json.dumps({"url": f"http://a.example/{number}", "text": rare + often}) + "\n")
    wide = train(tmp_path, file, "--memory", "2G")
    head, rows = read_lexicon(tmp_path / "lexicon")
    assert wide["counts_lost"] == 0 and wide["distinct_terms"] > 600_000
    narrow = train(tmp_path, file, "--memory", "64M")
    assert narrow["documents"] == 12_000 and 0 < narrow["counts_lost"] < 100 and narrow["distinct_terms"] < 300_000
    head, found = read_lexicon(tmp_path / "lexicon")
    for letter in "abcde":
        assert int(rows[f"often{letter}"][0]) == 2400
        assert 2400 - narrow["counts_lost"] <= int(found[f"often{letter}"][0]) <= 2400


def test_every_document_has_a_line(files, tmp_path):
    folder = mails(tmp_path / "mails", "\n", f"\n{RATES}", "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0=")
    reprise("imatch", "train", folder, "-o", tmp_path / "lexicon", "--max-share", 1, "--min-documents", 1)
    lines = reprise("imatch", "sign", folder, "--lexicon", tmp_path / "lexicon").splitlines()
    assert [line.split("\t")[2] for line in lines] == [f"mid:{number}@b.example" for number in range(3)]
    assert [line.startswith("-\t0\t") for line in lines] == [True, False, True]


def test_files_that_are_not_what_they_should_be(files, tmp_path):
    reprise("imatch", "train", *files, "-o", tmp_path / "a", "--contexts", tmp_path / "ca", "--context-count", 2)
    reprise("imatch", "train", *files, "-o", tmp_path / "b", "--size", 20, "--contexts", tmp_path / "cb", "--context-count", 2)
    given = ("imatch", "sign", files[0], "--lexicon")
    refused(*given, tmp_path / "missing", saying="cannot read")
    refused(*given, files[0], saying="does not begin with")
    refused(*given, tmp_path / "a", "--contexts", tmp_path / "cb", saying="another lexicon")
    cut = tmp_path / "cut"
    cut.write_bytes((tmp_path / "a").read_bytes()[:-40])
    refused(*given, cut, saying="line")
    refused(*given, tmp_path / "a", "--randomised", 65, saying="64")
    refused(*given, tmp_path / "a", "--randomised", 3, "--dropped-share", 2, saying="from 0 to 1")
    refused("imatch", "sign", files[0], saying="imatch train")
    index(files, tmp_path / "corpus")
    refused("near", tmp_path / "corpus", "--lexicon", tmp_path / "a", saying="--method imatch")
    refused("near", tmp_path / "corpus", "--method", "imatch", "--link", "closure", saying="shingle")
    refused("near", tmp_path / "corpus", "--method", "imatch", "--shared", 2, saying="from 0 to 1")
    refused("near", tmp_path / "corpus", "--method", "imatch", "--similarity", 0.5, saying="--method shingle")
    refused("near", tmp_path / "corpus", "--shared", 0.5, saying="--method imatch")
