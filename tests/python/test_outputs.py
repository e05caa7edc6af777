"""Where results are written: files, links, pipes, devices; and never one over the other."""

import json
import os
import pty
import shutil
import subprocess
import threading
import time

import pyarrow.parquet as pq
import pytest

from test_bad_input import refused
from tool import binary, reprise

COMMANDS = {
    "discover": lambda demo: ("discover", demo.path, "-o"),
    "label": lambda demo: ("label", demo.archives[0], "-o"),
    "near": lambda demo: ("near", demo.path, "-o"),
    "report": lambda demo: ("report", demo.path, "-o"),
    "train": lambda demo: ("imatch", "train", demo.path, "-o"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_links_and_pipes_stay_what_they_are(command, demo, tmp_path):
    args = COMMANDS[command](demo)
    reprise(*args, tmp_path / "plain")
    plain = (tmp_path / "plain").read_bytes()
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    reprise(*args, tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_bytes() == plain
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    reprise(*args, tmp_path / "pipe")
    reader.join(60)
    assert (tmp_path / "pipe").is_fifo() and got == [plain]
    assert {path.name for path in tmp_path.iterdir()} == {"plain", "target", "link", "pipe"}


def test_two_results_in_one_file(demo, tmp_path):
    both = tmp_path / "both"
    refused("imatch", "train", demo.path, "-o", both, "--contexts", both, saying="--output and --contexts")
    refused("near", demo.path, "-o", both, "--keep-list", both, saying="--output and --keep-list")
    refused("near", demo.path, "--keep-list", both, "--drop-list", both, saying="--keep-list and --drop-list")
    assert not both.exists()


@pytest.mark.parametrize("command", [*COMMANDS, "export"])
def test_a_dash_is_standard_output(command, demo, tmp_path):
    export = ("export", demo.path, "--table", "pages", "--format", "parquet", "-o")
    args = export if command == "export" else COMMANDS[command](demo)
    reprise(*args, tmp_path / "plain")
    plain = (tmp_path / "plain").read_bytes()
    run = [binary(), *map(str, args), "-"]
    assert subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout == plain
    # What a file held before is not lost.
    with (tmp_path / "appended").open("wb") as file:
        file.write(b"before")
        file.flush()
        subprocess.run(run, stdout=file, stderr=subprocess.DEVNULL, check=True)
    assert (tmp_path / "appended").read_bytes() == b"before" + plain
    if command not in ("export", "report"):
        assert "standard output" in refused(*args, "-", "--json", saying="--json")


def test_parquet_without_a_name(demo, tmp_path):
    for table in ("pages", "chunks"):
        export = (binary(), "export", demo.path, "--table", table, "--format", "parquet")
        with (tmp_path / "redirected").open("wb") as file:
            subprocess.run(export, stdout=file, check=True)
        assert pq.read_table(tmp_path / "redirected") == demo.export_parquet(table, tmp_path / "named")


def on_terminal(*args) -> tuple[int, str]:
    """Runs the command with standard output on a terminal; what it says on standard error."""
    ours, theirs = pty.openpty()
    done = subprocess.run([binary(), *map(str, args)], stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    os.close(ours)
    return done.returncode, done.stderr.decode()


def test_parquet_is_nothing_for_a_terminal(demo):
    for args in (("export", demo.path, "--table", "pages", "--format", "parquet"), ("discover", demo.path, "-o", "-")):
        code, said = on_terminal(*args)
        assert code == 2 and "-o FILE" in said
    assert on_terminal("export", demo.path, "--table", "sources")[0] == 0


def test_what_cannot_be_written_is_named(demo):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    for format in ("jsonl", "csv", "parquet"):
        with open("/dev/full", "wb") as full:
            export = [binary(), "export", demo.path, "--table", "chunks", "--format", format]
            done = subprocess.run(export, stdout=full, stderr=subprocess.PIPE)
        said = done.stderr.decode()
        assert done.returncode == 1 and "cannot write" in said and "stdout" in said.replace("standard output", "stdout"), said


def test_nothing_is_written_over_a_corpus(demo, tmp_path):
    corpus = shutil.copytree(demo.path, tmp_path / "corpus")
    before = {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()}
    table = next(corpus.glob("segments/*/pages.parquet"))
    (tmp_path / "link").symlink_to(corpus / "manifest.json")
    for output in (corpus / "manifest.json", corpus / "lock", table, table.parent / "new", tmp_path / "link"):
        refused("export", corpus, "--table", "pages", "-o", output, saying="belongs to the corpus")
        refused("discover", corpus, "-o", output, saying="belongs to the corpus")
    refused("report", tmp_path / "other", "-o", table, saying="belongs to the corpus")
    refused("detect", corpus, "--labels", "x", "-o", table.parent, saying="belongs to the corpus")
    assert {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()} == before


def slowly_on_a_terminal(archive, corpus) -> tuple[dict, bytes]:
    """Indexes an archive that takes two seconds to arrive; the JSON, and what appears on the terminal."""
    ours, theirs = pty.openpty()
    data = archive.read_bytes()
    run = [binary(), "index", "-", "--corpus", corpus, "--json"]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs) as process:
        for start in range(0, len(data), len(data) // 20 + 1):
            process.stdin.write(data[start : start + len(data) // 20 + 1])
            process.stdin.flush()
            time.sleep(0.1)
        process.stdin.close()
        found = json.load(process.stdout)
    os.close(theirs)
    shown = os.read(ours, 1 << 20)
    os.close(ours)
    return found, shown


def test_progress_is_shown_beside_json(demo, tmp_path):
    """The JSON is redirected, and the terminal still shows the progress of a run of more than a second."""
    found, shown = slowly_on_a_terminal(demo.archives[2], tmp_path / "corpus")
    assert found["pages"] > 0 and b"opening" in shown


def test_progress_names_its_step(demo, tmp_path):
    _, shown = slowly_on_a_terminal(demo.archives[2], tmp_path / "corpus")
    assert b" 0/0" not in shown


def test_a_short_run_shows_no_progress(demo, tmp_path):
    ours, theirs = pty.openpty()
    run = [binary(), "index", demo.archives[2], "--corpus", tmp_path / "corpus", "--json"]
    subprocess.run(run, stdout=subprocess.DEVNULL, stderr=theirs, check=True)
    os.write(theirs, b"end")
    assert os.read(ours, 1 << 16) == b"end"
    os.close(theirs)
    os.close(ours)
