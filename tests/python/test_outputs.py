"""Where results are written: files, links, pipes, devices; and never one over the other."""

import os
import threading

import pytest

from test_bad_input import refused
from tool import reprise

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
