"""Which sources are read, and which are known again: nothing is held that was not read, and nothing is read twice."""

import json
import os
import random
import resource
import subprocess
import zipfile

from test_damaged import warc
from tool import binary, index, reprise

NOBODY = 65534


def as_nobody(*arguments) -> tuple[int, dict, str]:
    """Runs the command as one who may not read everything."""
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    command = [binary(), *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **who)
    return done.returncode, json.loads(done.stdout or "null"), done.stderr


def open_to_all(path):
    """Lets everybody reach a directory that pytest made for one user."""
    path.chmod(0o777)
    for parent in path.parents:
        if parent.owner() == path.owner() and parent.stat().st_mode & 0o777 == 0o700:
            parent.chmod(0o711)


def test_what_the_system_refuses_is_told_every_time_and_read_when_it_can_be(tmp_path):
    open_to_all(tmp_path)
    crawl = tmp_path / "crawl"
    (crawl / "locked").mkdir(parents=True)
    (crawl / "a.warc").write_bytes(warc(None, None))
    secret = crawl / "b.warc"
    secret.write_bytes(warc(None, None, None).replace(b"a.example", b"b.example"))
    (crawl / "locked" / "c.warc").write_bytes(warc(None).replace(b"a.example", b"c.example"))
    secret.chmod(0)
    (crawl / "locked").chmod(0)
    corpus = tmp_path / "corpus"
    try:
        for run in range(3):
            code, stats, _ = as_nobody("index", crawl, "--corpus", corpus)
            assert code == 0
            assert stats["pages"] == (2 if run == 0 else 0)
            assert stats["skipped"]["unreadable"] == 2
            assert stats["sources"]["held"] == (0 if run == 0 else 1)
            assert stats["segments"] == (1 if run == 0 else 0)
    finally:
        secret.chmod(0o644)
        (crawl / "locked").chmod(0o755)
    code, stats, said = as_nobody("index", crawl, "--corpus", corpus)
    assert (stats["pages"], stats["skipped"].get("unreadable")) == (4, None)
    assert stats["sources"]["changed"] == 0 and "twice" not in said
    info = json.loads(reprise("info", corpus, "--json"))
    assert (info["pages"], info["sources"]) == (6, 3)


def test_an_archive_that_was_empty_is_not_there_twice_when_it_is_filled(tmp_path):
    archive = tmp_path / "a.warc"
    archive.write_bytes(b"")
    assert index([archive], tmp_path / "corpus", expect=2)["skipped"]["unreadable"] == 1
    archive.write_bytes(warc(None, None))
    stats = index([archive], tmp_path / "corpus")
    assert (stats["pages"], stats["sources"]["changed"]) == (2, 0)


def test_an_empty_standard_input_is_told_every_time(tmp_path):
    for _ in range(2):
        stats = index(["-"], tmp_path / "corpus", stdin=b"", expect=2)
        assert (stats["skipped"]["unreadable"], stats["segments"]) == (1, 0)


def test_an_empty_file_is_not_read_by_the_second_run_either(tmp_path):
    archive = tmp_path / "a.warc"
    archive.write_bytes(b"")
    assert index([archive], tmp_path / "corpus", expect=2)["sources"]["held"] == 0
    assert index([archive], tmp_path / "corpus")["sources"]["held"] == 1


def test_packed_entries_of_many_wacz_need_few_open_files(tmp_path):
    for number in range(60):
        with zipfile.ZipFile(tmp_path / f"{number}.wacz", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("archive/a.warc", warc(None, None).replace(b"a.example", b"%d.example" % number))

    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    command = [binary(), "index", tmp_path, "--corpus", tmp_path / "corpus", "--json"]
    done = subprocess.run(command, capture_output=True, check=True, preexec_fn=few_files)
    stats = json.loads(done.stdout)
    assert stats["pages"] == 120 and not any(stats["skipped"].values())
    assert json.loads(reprise("verify", tmp_path / "corpus", "--archives", "--json"))["ok"]
    assert not [path for path in (tmp_path / "corpus").iterdir() if path.name.startswith("spool")]


def test_files_that_differ_only_between_the_samples_are_two(tmp_path):
    draw = random.Random(1)
    rows = [{"url": f"http://a.example/{number}", "text": f"{draw.getrandbits(4000):x}"} for number in range(4000)]
    lines = [json.dumps(row) + "\n" for row in rows]
    for name, other in (("one.jsonl", "a"), ("copy.jsonl", "a"), ("two.jsonl", "b")):
        # Behind the first sample, and well before the second.
        changed = [line.replace("a.example", f"{other}.example") if 100 <= at < 110 else line for at, line in enumerate(lines)]
        (tmp_path / name).write_text("".join(changed))
    assert (tmp_path / "one.jsonl").stat().st_size > 3 << 20
    corpus = tmp_path / "together"
    stats = index([tmp_path / name for name in ("one.jsonl", "two.jsonl", "copy.jsonl")], corpus)
    assert (stats["pages"], stats["sources"]["held"]) == (8000, 1)
    apart = tmp_path / "apart"
    assert index([tmp_path / "one.jsonl"], apart)["pages"] == 4000
    assert index([tmp_path / "copy.jsonl"], apart)["pages"] == 0
    assert index([tmp_path / "two.jsonl"], apart)["pages"] == 4000
    for corpus in (corpus, apart):
        again = index([tmp_path], corpus)
        assert (again["pages"], again["sources"]["held"]) == (0, 3)
