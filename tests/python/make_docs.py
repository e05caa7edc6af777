"""Brings the documentation up to date with the command: rewrites docs/flags.md, and replaces outputs that changed.

Usage: python tests/python/make_docs.py [PAGE...]

Outputs that match with their elisions (`…`) stay as they are. In a replaced output, long lines are cut. Lines are left
out (`…` alone on a line) as often and as far from the start and the end as in the output before.
"""

import re
import sys
import tempfile
from difflib import SequenceMatcher
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
        new = [shorten(line) for line in output.rstrip("\n").split("\n")] if output else []
        lines[place] = left_out(lines[place], new)
    page.write_text("\n".join(lines))
    return len(changed)


def left_out(old: list[str], new: list[str]) -> list[str]:
    """The new lines, without those that are where the old lines have an elision."""
    runs = [[]]
    for line in old:
        if line.strip() == docs.ELISION:
            runs.append([])
        else:
            runs[-1].append(line)
    kept, start = [], 0
    for number, run in enumerate(runs):
        if number and number == len(runs) - 1:
            start = max(start, len(new) - len(run))
        elif number and run:
            # The line that is most like the first one of the old run.
            start = max(range(start, len(new)), key=lambda at: SequenceMatcher(None, new[at], run[0]).ratio(), default=start)
        end = start + len(run) if len(runs) > 1 else len(new)
        kept += ([docs.ELISION] if number else []) + new[start:end]
        start = end
    return kept


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
