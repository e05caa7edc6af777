"""Brings the documentation up to date with the command: rewrites docs/flags.md, and replaces outputs that changed.

Usage: python tests/python/make_docs.py [PAGE...]

Outputs that match with their elisions (`…`) stay as they are. In a replaced output, long lines are cut. Leave out
lines by hand: put `…` alone on a line.
"""

import re
import sys
import tempfile
from pathlib import Path

import docs
from tool import binary

LINE_MAX = 118


def update(page: Path) -> int:
    """Runs the steps of a page, replaces outputs that differ, and returns their number."""
    with tempfile.TemporaryDirectory() as directory:
        session = docs.Session(Path(directory))
        outputs = [(step, session.run(step)) for step in docs.steps(page)]
    lines = page.read_text().split("\n")
    changed = [(step, output) for step, output in outputs if output is not None and not docs.is_shown(step.shown, output)]
    for step, output in reversed(changed):
        place = slice(step.output_lines.start, step.output_lines.stop)
        shorten = cut if step.kind == "console" else str.rstrip
        lines[place] = [shorten(line) for line in output.rstrip("\n").split("\n")] if output else []
    page.write_text("\n".join(lines))
    return len(changed)


def cut(line: str) -> str:
    """A line that is short enough for a page, without running times."""
    line = re.sub(r"in [\d.,]+ m?s \([\d.,]+ [kMG]?B/s\)", f"in {docs.ELISION}", line.rstrip())
    return line if len(line) <= LINE_MAX else line[: LINE_MAX - 1] + docs.ELISION


def main() -> None:
    if not binary().is_file():
        sys.exit(f"no command at {binary()}: run `make build` or set REPRISE_BIN")
    if not sys.argv[1:]:
        docs.FLAGS_PAGE.write_text(docs.flags_page())
    for page in map(Path, sys.argv[1:] or docs.SESSIONS):
        print(f"{page}: {update(page)} outputs replaced")


if __name__ == "__main__":
    main()
