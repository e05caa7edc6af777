"""Runs the `reprise` command that is being tested."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED_DATA = ROOT.parent / "shared" / "data"
DEADLINE_SECONDS = 300


def binary() -> Path:
    """The command named by REPRISE_BIN, or the debug build."""
    return Path(os.environ.get("REPRISE_BIN", ROOT / "target" / "debug" / "reprise")).absolute()


def reprise(*args, stdin: bytes | None = None, cwd: Path | None = None, expect: int = 0) -> str:
    """Runs the command, checks its exit code and returns what it printed."""
    return run(*args, stdin=stdin, cwd=cwd, expect=expect).stdout.decode()


def reprise_says(*args, cwd: Path | None = None, expect: int = 2) -> str:
    """Runs the command, checks its exit code and returns the one line that it said beside its data."""
    said = run(*args, stdin=None, cwd=cwd, expect=expect).stderr.decode()
    assert said.startswith("reprise: ") and said.count("\n") == 1, said
    return said


def run(*args, stdin: bytes | None, cwd: Path | None, expect: int) -> subprocess.CompletedProcess:
    command = [str(binary()), *map(str, args)]
    done = subprocess.run(
        command,
        input=stdin if stdin is not None else b"",
        cwd=cwd,
        capture_output=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    conversation = done.stderr.decode(errors="replace")
    assert done.returncode == expect, f"exit code {done.returncode}: {command}\n{conversation}"
    return done


def index(inputs, corpus: Path, *flags, stdin: bytes | None = None, expect: int = 0) -> dict:
    """Indexes inputs into a corpus and returns the figures of the run.

    A run that could read none of its inputs prints its figures too, and exits with 2."""
    names = [str(name) for name in inputs]
    return json.loads(reprise("index", *names, "--corpus", corpus, "--json", *flags, stdin=stdin, expect=expect))
