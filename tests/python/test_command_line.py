"""The rules that hold for every command: help, JSON, messages, files, completions, manual pages, and Ctrl-C."""

import csv
import io
import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from corpus import Corpus
from shingles import Author, write_rows
from test_bad_input import TEXT, refused
from tool import binary, index, reprise
from webserver import Answer, Server

GROUPS = {
    "Start": ("scan", "demo"),
    "Corpus": ("index", "crawl", "info", "verify", "remove", "export"),
    "Find": ("discover", "label", "detect", "check", "near", "phrases", "sources", "sites", "explain"),
    "Act": ("drop", "report"),
    "Research and tools": ("fuzzy", "imatch", "lab", "completions", "man"),
}
# The commands that are made of other commands.
NESTED = {"imatch": ("train", "sign", "attack"), "lab": ("evade", "compare")}
ALL = [
    path
    for names in GROUPS.values()
    for name in names
    for path in [(name,), *((name, inner) for inner in NESTED.get(name, ()))]
]
# The commands that print a text for another program instead of a result.
SCRIPTS = ("completions", "man")
FORMATS = ("parquet", "jsonl", "csv")
INTERRUPTED = 130


@dataclass(frozen=True)
class Prepared:
    """The files that commands read."""

    demo: Corpus
    labels: Path
    clusters: Path
    lexicon: Path
    page: Path
    server: Server

    @property
    def archive(self) -> Path:
        return self.demo.archives[2]


@pytest.fixture(scope="module")
def prepared(demo, tmp_path_factory):
    directory = tmp_path_factory.mktemp("prepared")
    page = directory / "page.html"
    page.write_text(TEXT)
    reprise("discover", demo.path, "-o", directory / "labels.parquet")
    reprise("near", demo.path, "-o", directory / "clusters.parquet")
    reprise("imatch", "train", demo.path, "-o", directory / "lexicon")
    with Server(lambda _: Answer(TEXT.encode())) as server:
        yield Prepared(demo, directory / "labels.parquet", directory / "clusters.parquet", directory / "lexicon", page, server)


# The arguments of a successful run of each command. It writes into a directory that exists.
RUNS: dict[tuple[str, ...], Callable[[Prepared, Path], tuple]] = {
    ("scan",): lambda it, out: (it.archive, "-o", out / "scan"),
    ("demo",): lambda it, out: (out / "demo",),
    ("index",): lambda it, out: (it.archive, "--corpus", out / "corpus"),
    ("crawl",): lambda it, out: (f"{it.server.url}/", "--corpus", out / "corpus", "--allow-private", "--delay", 0),
    ("info",): lambda it, out: (it.demo.path,),
    ("verify",): lambda it, out: (it.demo.path, "--archives"),
    ("remove",): lambda it, out: (it.demo.path,),
    ("export",): lambda it, out: (it.demo.path, "--table", "sources"),
    ("discover",): lambda it, out: (it.demo.path, "-o", out / "labels.parquet"),
    ("label",): lambda it, out: (it.page, "-o", out / "labels.parquet"),
    ("detect",): lambda it, out: (it.demo.path, "--labels", it.labels, "-o", out / "tables"),
    ("check",): lambda it, out: (it.page, "--labels", it.labels),
    ("near",): lambda it, out: (it.demo.path, "-o", out / "clusters.parquet"),
    ("phrases",): lambda it, out: (it.demo.path,),
    ("sources",): lambda it, out: (it.demo.path, "--sample", 1),
    ("sites",): lambda it, out: (it.demo.path,),
    ("explain",): lambda it, out: (it.demo.path, "--page", it.demo.rows("pages")[5]["url"], "--labels", it.labels),
    ("drop",): lambda it, out: (*it.demo.archives, "--clusters", it.clusters, "-o", out / "kept"),
    ("report",): lambda it, out: (it.demo.path, "-o", out / "report.html"),
    ("fuzzy",): lambda it, out: (it.page,),
    ("imatch", "train"): lambda it, out: (it.demo.path, "-o", out / "lexicon"),
    ("imatch", "sign"): lambda it, out: (it.page, "--lexicon", it.lexicon),
    ("imatch", "attack"): lambda it, out: (it.archive, "--good", it.demo.archives[0], "--lexicon", it.lexicon, "--runs", 5, "--copies", 2),
    ("lab", "evade"): lambda it, out: (it.demo.path, "--methods", "file", "--edits", "wrap"),
    ("lab", "compare"): lambda it, out: (it.demo.path, "--sample", 5),
    ("completions",): lambda it, out: ("bash",),
    ("man",): lambda it, out: (),
}
EVERY = pytest.mark.parametrize("command", RUNS, ids=" ".join)


def outcome(*args, expect: int = 0) -> tuple[str, str]:
    """Runs the command, and returns its standard output and its standard error."""
    done = subprocess.run([binary(), *map(str, args)], input=b"", capture_output=True, timeout=120, check=False)
    said = done.stderr.decode()
    assert done.returncode == expect, (done.returncode, said)
    return done.stdout.decode(), said


def flags_in(text: str) -> set[str]:
    """Returns the long flags that a help text defines."""
    return set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]*)", text, re.MULTILINE))


def json_lines(text: str) -> list:
    """Returns the values of JSON Lines; there is at least one."""
    values = [json.loads(line) for line in text.splitlines()]
    assert values
    return values


# Help


def test_every_command_has_a_run_here():
    groups = {(name,) for name in NESTED}
    assert set(RUNS) == set(ALL) - groups


def test_help_is_grouped_and_lists_every_command():
    text = reprise("--help")
    found, heading = {}, None
    for line in text.splitlines():
        if match := re.fullmatch(r"(\w[\w ]*):", line):
            heading = match[1]
        elif heading and (match := re.match(r"  ([a-z]+)  +\S", line)):
            found.setdefault(heading, []).append(match[1])
    assert {heading: tuple(names) for heading, names in found.items()} == GROUPS
    assert flags_in(text) >= {"--json", "--quiet", "--verbose"}
    assert "Exit codes:" in text


def test_commands_without_arguments_show_their_help():
    _, said = outcome(expect=2)
    assert "scan" in said and "Usage" in said


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_short_help_is_a_part_of_long_help(command):
    short, long = reprise(*command, "-h"), reprise(*command, "--help")
    assert flags_in(short) <= flags_in(long)
    assert flags_in(short) >= {"--json", "--quiet", "--verbose", "--help"}
    assert len(short) <= len(long)
    if flags_in(short) < flags_in(long):
        assert len(short.splitlines()) < len(long.splitlines())
    # The first line says what the command does, as in the list of all commands.
    assert short.splitlines()[0] == long.splitlines()[0]


@pytest.mark.parametrize("command", ["scan", "index", "crawl", "discover", "detect", "near", "report", "imatch train"])
def test_advanced_flags_are_in_long_help_only(command):
    short, long = (reprise(*command.split(), flag) for flag in ("-h", "--help"))
    assert "--memory" in flags_in(long) or "--max-body" in flags_in(long)
    assert not flags_in(short) & {"--memory", "--threads", "--max-body"}
    assert len(short.splitlines()) < len(long.splitlines())
    assert "see more with '--help'" in short


# Flags of every command


@EVERY
@pytest.mark.parametrize("place", ["before", "after"])
def test_json_is_printed_by_every_command(command, place, prepared, tmp_path):
    args = RUNS[command](prepared, tmp_path)
    stdout, _ = outcome("--json", *command, *args) if place == "before" else outcome(*command, *args, "--json")
    if command[0] not in SCRIPTS:
        assert all(isinstance(value, dict) for value in json_lines(stdout))


def test_json_is_printed_beside_written_files(prepared, tmp_path):
    """Every file that a command writes leaves standard output to the JSON object."""
    for args in (("export", prepared.demo.path, "--table", "sources", "-o", tmp_path / "rows.csv"), ("man", "-o", tmp_path / "man")):
        assert json_lines(outcome(*args, "--json")[0])


@EVERY
def test_a_quiet_command_prints_no_message(command, prepared, tmp_path):
    for number, flags in enumerate((("-q", *command), (*command, "--quiet"), (*command, "-q", "--json"))):
        (tmp_path / str(number)).mkdir()
        _, said = outcome(*flags, *RUNS[command](prepared, tmp_path / str(number)))
        assert said == ""


@EVERY
def test_a_verbose_command_prints_the_same_result(command, prepared, tmp_path):
    found = []
    for number, flags in enumerate((command, ("-v", *command), (*command, "--verbose"), (*command, "-vv"))):
        (tmp_path / str(number)).mkdir()
        stdout, said = outcome(*flags, *RUNS[command](prepared, tmp_path / str(number)))
        found.append(stdout.replace(str(tmp_path / str(number)), ""))
        assert "panicked" not in said
    if command != ("crawl",):
        assert len(set(found)) == 1


def test_verbose_names_the_steps(prepared, tmp_path):
    _, said = outcome("-v", "scan", prepared.archive, "-o", tmp_path / "scan")
    steps = re.findall(r"^([a-z][a-z -]*): [\d.]+ m?s$", said, re.MULTILINE)
    assert len(steps) > 3 and "reading" in steps


def test_quiet_and_verbose_are_not_given_together(prepared):
    assert "--verbose" in refused("info", prepared.demo.path, "-q", "-v", saying="--quiet")


@pytest.mark.parametrize("flag", ["-q", "--json"])
@pytest.mark.parametrize("command", ["index", "scan", "label"])
def test_a_run_that_read_nothing_always_says_why(command, flag, tmp_path):
    """Exit code 2 comes with a message on standard error, even if the command is quiet or prints JSON."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "none.jsonl").write_bytes(b"")
    output = "--corpus" if command == "index" else "-o"
    for number, source in enumerate(("empty", "none.jsonl")):
        _, said = outcome(command, tmp_path / source, output, tmp_path / f"{number}", flag, expect=2)
        assert said.strip(), source


# Files


def writers(prepared: Prepared) -> dict[str, tuple]:
    """The commands that write rows, without the name of the file."""
    return {
        "discover": ("discover", prepared.demo.path, "-o"),
        "label": ("label", prepared.page, "-o"),
        "near": ("near", prepared.demo.path, "-o"),
        "export": ("export", prepared.demo.path, "--table", "pages", "-o"),
        "export of a result": ("export", prepared.clusters, "-o"),
    }


ROWS = pytest.mark.parametrize("writer", ["discover", "label", "near", "export", "export of a result"])


@ROWS
@pytest.mark.parametrize("name", ["rows.txt", "rows.json", "rows.parquet.gz", "rows.", "rows.tsv"])
def test_other_extensions_are_refused(writer, name, prepared, tmp_path):
    said = refused(*writers(prepared)[writer], tmp_path / name, saying=name)
    assert said.startswith("reprise: ") and said.count("\n") == 1
    assert all(f".{format}" in said for format in FORMATS)
    assert list(tmp_path.iterdir()) == []


@ROWS
def test_the_format_must_not_contradict_the_extension(writer, prepared, tmp_path):
    for extension in FORMATS:
        for format in FORMATS:
            args = (*writers(prepared)[writer], tmp_path / f"rows.{extension}", "--format", format)
            if format == extension:
                reprise(*args)
            else:
                said = refused(*args, saying=f"--format {format}")
                assert said.startswith("reprise: ") and said.count("\n") == 1 and f"rows.{extension}" in said
    refused(*writers(prepared)[writer], tmp_path / "rows.csv", "--format", "tsv", saying="tsv")


def format_of(data: bytes) -> str:
    return "parquet" if data[:4] == b"PAR1" else "jsonl" if data[:1] == b"{" else "csv"


@ROWS
def test_the_extension_chooses_the_format(writer, prepared, tmp_path):
    args = writers(prepared)[writer]
    for extension in (*FORMATS, *map(str.upper, FORMATS)):
        reprise(*args, tmp_path / f"rows.{extension}")
        assert format_of((tmp_path / f"rows.{extension}").read_bytes()) == extension.lower()
    for format in FORMATS:
        reprise(*args, tmp_path / "rows", "--format", format)
        plain = (tmp_path / f"rows.{format}").read_bytes()
        assert (tmp_path / "rows").read_bytes() == plain
        done = subprocess.run([binary(), *map(str, args), "-", "--format", format], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        assert done.stdout == plain
    # A file without an extension is Parquet.
    reprise(*args, tmp_path / "plain")
    assert (tmp_path / "plain").read_bytes() == (tmp_path / "rows.parquet").read_bytes()


def as_json(value):
    """A value of a Parquet table as JSON Lines has it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds").replace("+00:00", "Z")
    return value


def as_csv(value) -> str:
    """A value of a Parquet table as CSV has it; a number is compared as a number."""
    value = as_json(value)
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_same(text: str, value) -> bool:
    return float(text) == value if isinstance(value, float) else text == as_csv(value)


@pytest.fixture(scope="module")
def results(prepared, tmp_path_factory) -> dict[str, Path]:
    """Every kind of result, in Parquet."""
    directory = tmp_path_factory.mktemp("results")
    reprise("detect", prepared.demo.path, "--labels", prepared.labels, "-o", directory)
    reprise("label", prepared.archive, "--name", "a \"name\", with; signs\nand lines", "-o", directory / "given")
    reprise("near", prepared.demo.path, "--method", "imatch", "-o", directory / "campaigns")
    tables = {name: directory / f"{name}.parquet" for name in ("pages", "neighborhoods", "sites")}
    own = {"labels": prepared.labels, "clusters": prepared.clusters, "given": directory / "given", "campaigns": directory / "campaigns"}
    return tables | own


@pytest.mark.parametrize("name", ["labels", "given", "clusters", "campaigns", "pages", "neighborhoods", "sites"])
def test_results_are_exported_as_they_are(name, results, tmp_path):
    table = pq.read_table(results[name])
    rows = table.to_pylist()
    assert rows
    lines = json_lines(reprise("export", results[name]))
    assert [list(line) for line in lines] == [table.column_names] * len(rows)
    assert lines == [{column: as_json(value) for column, value in row.items()} for row in rows]
    header, *cells = csv.reader(io.StringIO(reprise("export", results[name], "--format", "csv"), newline=""))
    assert header == table.column_names and len(cells) == len(rows)
    for values, row in zip(cells, rows, strict=True):
        assert all(map(is_same, values, row.values())), (values, row)
    reprise("export", results[name], "-o", tmp_path / "copy.parquet")
    assert pq.read_table(tmp_path / "copy.parquet") == table


@pytest.mark.parametrize("writer, name", [("discover", "labels"), ("near", "clusters")])
def test_results_in_another_format_are_the_exported_ones(writer, name, results, prepared, tmp_path):
    for format in ("jsonl", "csv"):
        file = tmp_path / f"rows.{format}"
        reprise(*writers(prepared)[writer], file)
        assert file.read_text() == reprise("export", results[name], "--format", format)


# Completions and manual pages


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_know_every_command(shell, tmp_path):
    script = reprise("completions", shell)
    assert all(name in script for command in ALL for name in command)
    assert "--similarity" in script or "similarity" in script
    file = tmp_path / "completions"
    file.write_text(script)
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n", file], capture_output=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, b"")


def completed_by_bash(tmp_path: Path, *words: str) -> list[str]:
    """Returns what bash offers for the last of these words."""
    (tmp_path / "completions").write_text(reprise("completions", "bash"))
    given = " ".join(f"'{word}'" for word in words)
    script = f"""source '{tmp_path / "completions"}'; COMP_WORDS=({given}); COMP_CWORD={len(words) - 1}
    _reprise reprise '{words[-1]}' '{words[-2]}'; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_and_flags(tmp_path):
    assert completed_by_bash(tmp_path, "reprise", "ne") == ["near"]
    assert "--method" in completed_by_bash(tmp_path, "reprise", "near", "--m")
    assert set(completed_by_bash(tmp_path, "reprise", "near", "--method", "")) == {"shingle", "fuzzy", "imatch", "exact"}


def test_completions_offer_no_internal_command(tmp_path):
    offered = {word for word in completed_by_bash(tmp_path, "reprise", "") if not word.startswith("-")}
    commands = {name for names in GROUPS.values() for name in names}
    assert commands <= offered <= commands | {"help", "cover"}


@pytest.mark.parametrize("command", [("completions", "bash"), ("completions", "zsh"), ("completions", "fish"), ("man",)], ids=" ".join)
def test_a_script_can_be_cut_by_its_reader(command):
    process = subprocess.Popen([binary(), *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert (process.wait(60), process.stderr.read()) == (0, b"")


def test_every_command_has_a_manual_page(tmp_path):
    reprise("man", "-o", tmp_path / "man")
    pages = {path.name: path.read_text() for path in (tmp_path / "man").iterdir()}
    names = {"-".join(("reprise", *command)) + ".1" for command in ALL}
    assert pages.keys() == names | {"reprise.1"}
    for command in ALL:
        page = pages["-".join(("reprise", *command)) + ".1"].replace("\\-", "-")
        assert ".TH" in page and ".SH NAME" in page
        assert all(flag in page for flag in flags_in(reprise(*command, "--help"))), command
    if shutil.which("groff"):
        for name in pages:
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", tmp_path / "man" / name], capture_output=True, check=True)
            assert done.stderr == b"", name


def test_the_main_manual_page_names_pages_that_exist(tmp_path):
    reprise("man", "-o", tmp_path / "man")
    written = {path.name for path in (tmp_path / "man").iterdir()}
    for page in ((tmp_path / "man" / "reprise.1").read_text(), reprise("man")):
        named = set(re.findall(r"^(reprise-[a-z-]+)\(1\)", page.replace("\\-", "-"), re.MULTILINE))
        assert len(named) > 10 and {f"{name}.1" for name in named} <= written


# scan


def pages_of(directory: Path) -> list[str]:
    return [row["url"] for row in Corpus(directory / "corpus").export("pages")]


def test_a_second_scan_of_the_same_input_adds_nothing(demo, tmp_path):
    out = tmp_path / "scan"
    first = json.loads(reprise("scan", *demo.archives[:2], "-o", out, "--json"))
    files = {path: path.read_bytes() for path in out.rglob("*.parquet")}
    second = json.loads(reprise("scan", *demo.archives[:2], "-o", out, "--json"))
    assert second["index"]["pages"] == 0 and second["index"]["sources"]["held"] == 2
    assert first.keys() == second.keys() >= {"index", "discover", "detect", "near", "report"}
    for stage in ("discover", "detect", "near", "report"):
        assert first[stage] == second[stage], stage
    assert {path: path.read_bytes() for path in out.rglob("*.parquet")} == files
    assert (out / "report.html").is_file()


def test_a_scan_continues_with_more_of_the_same_input(demo, tmp_path):
    """A directory that was scanned and then grew is the same input, and more."""
    source, out = tmp_path / "source", tmp_path / "scan"
    source.mkdir()
    shutil.copy(demo.archives[0], source)
    reprise("scan", source, "-o", out)
    before = pages_of(out)
    shutil.copy(demo.archives[1], source)
    found = json.loads(reprise("scan", source, "-o", out, "--json"))
    assert found["index"]["sources"]["held"] == 1 and found["index"]["pages"] > 0
    assert len(pages_of(out)) == len(before) + found["index"]["pages"]


def test_other_input_is_refused_unless_it_is_to_be_added(demo, tmp_path):
    out = tmp_path / "scan"
    reprise("scan", demo.archives[0], "-o", out)
    files = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    said = refused("scan", demo.archives[1], "-o", out, saying="--add")
    assert said.count("\n") == 1 and str(demo.archives[0]) in said and str(out / "corpus") in said
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == files
    found = json.loads(reprise("scan", demo.archives[1], "-o", out, "--add", "--json"))
    index(demo.archives[:2], tmp_path / "both", "--shingles")
    assert found["detect"]["pages"]["total"] == Corpus(tmp_path / "both").info["pages"] == len(pages_of(out))
    # A run without --add would leave out the first archive, so it is refused too.
    refused("scan", demo.archives[1], "-o", out, saying="--add")
    reprise("scan", *demo.archives[:2], "-o", out)


# Ctrl-C


ROWS_MANY = 8000


@pytest.fixture(scope="module")
def many_rows(tmp_path_factory) -> Path:
    """A file that takes a while: near-copies of long texts."""
    author = Author(20)
    texts = [author.text(400) for _ in range(100)]
    rows = (
        {"url": f"http://s{number % 50}.example/{number}", "text": " ".join(author.words_changed(texts[number % 100], 3))}
        for number in range(ROWS_MANY)
    )
    return write_rows(tmp_path_factory.mktemp("many") / "rows.jsonl", rows)


INDEX_FLAGS = ("--shingles", "--threads", "1", "--segment-size", "1M")


def catches_interrupts(process: subprocess.Popen) -> bool:
    """Returns true if the process listens for SIGINT already."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (mask,) = re.findall(r"^SigCgt:\t(\w+)$", status, re.MULTILINE)
    return int(mask, 16) >> (signal.SIGINT - 1) & 1 == 1


def interrupted(*args, when: Callable[[], bool]) -> subprocess.Popen:
    """Starts the command, and sends it one SIGINT as soon as it listens and `when` is true."""
    process = subprocess.Popen([binary(), *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (catches_interrupts(process) and when()) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    return process


def check_interrupted(process: subprocess.Popen):
    """The command says in one sentence that it was stopped, prints no result, and exits with 130."""
    stdout, stderr = process.communicate(timeout=60)
    said = stderr.decode()
    assert process.returncode == INTERRUPTED, said
    assert stdout == b""
    assert said.startswith("reprise: ") and said.count("\n") == 1 and "again" in said, said


def test_an_interrupted_index_continues(many_rows, tmp_path):
    whole, corpus = tmp_path / "whole", tmp_path / "corpus"
    index([many_rows], whole, *INDEX_FLAGS)
    expected = Corpus(whole).export("chunks")
    run = ("index", many_rows, "--corpus", corpus, *INDEX_FLAGS, "--json")
    check_interrupted(interrupted(*run, when=lambda: (corpus / "segments" / "00000002").exists()))
    assert json.loads(reprise("verify", corpus, "--archives", "--json"))["ok"]
    held = json.loads(reprise("info", corpus, "--json"))["pages"]
    assert 0 < held < ROWS_MANY
    assert {path.name for path in corpus.iterdir()} == {"lock", "manifest.json", "segments"}
    stats = index([many_rows], corpus, *INDEX_FLAGS)
    assert (stats["pages"], stats["sources"]["continued"]) == (ROWS_MANY - held, 1)
    assert json.loads(reprise("verify", corpus, "--archives", "--json"))["ok"]
    assert [row | {"segment": 0} for row in Corpus(corpus).export("chunks")] == [row | {"segment": 0} for row in expected]


def test_an_interrupted_near_leaves_nothing(many_rows, tmp_path):
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    index([many_rows], corpus, "--shingles")
    out.mkdir()
    reprise("near", corpus, "-o", out / "whole.parquet")
    files = {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()}
    run = ("near", corpus, "-o", out / "clusters.parquet", "--threads", "1", "--json")
    for seconds in (0, 0.1):
        until = time.monotonic() + seconds
        check_interrupted(interrupted(*run, when=lambda: time.monotonic() >= until))
        assert [path.name for path in out.iterdir()] == ["whole.parquet"]
        assert {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()} == files
    assert json.loads(reprise("verify", corpus, "--json"))["ok"]
    found = json.loads(reprise(*run))
    assert found["clusters"] == 100 and found["removable"] == ROWS_MANY - 100
    assert (out / "clusters.parquet").read_bytes() == (out / "whole.parquet").read_bytes()


def test_an_interrupted_scan_continues(demo, tmp_path):
    out, whole = tmp_path / "scan", tmp_path / "whole"
    reprise("scan", *demo.archives, "-o", whole)
    run = ("scan", *demo.archives, "-o", out, "--threads", "1", "--json")
    check_interrupted(interrupted(*run, when=lambda: (out / "corpus" / "manifest.json").exists()))
    assert json.loads(reprise("verify", out / "corpus", "--json"))["ok"]
    reprise(*run)
    for table in ("labels", "pages", "neighborhoods", "sites", "clusters"):
        assert (out / f"{table}.parquet").read_bytes() == (whole / f"{table}.parquet").read_bytes(), table


@pytest.mark.parametrize("command", ["index", "check"])
def test_a_command_that_waits_for_its_input_can_be_interrupted(command, prepared, tmp_path):
    """One Ctrl-C is enough while nothing arrives on standard input."""
    flags = ("--corpus", tmp_path / "corpus") if command == "index" else ("--labels", prepared.labels)
    process = subprocess.Popen([binary(), command, "-", *map(str, flags)], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(5) in (INTERRUPTED, -signal.SIGINT)
    finally:
        process.kill()
        process.communicate()
