"""The documentation as data: its code blocks, the commands in them, and its links."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tool import DEADLINE_SECONDS, ROOT, binary

DOCS = ROOT / "docs"
FLAGS_PAGE = DOCS / "flags.md"
# Pages whose commands are run, in their order, in one empty directory for each page.
SESSIONS = (DOCS / "tutorial.md", *sorted((DOCS / "cookbook").glob("[0-9]*.md")))
# Pages whose links and flags are checked.
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(DOCS.rglob("*.md")))
# Stands for any text in a line, and for any lines if it is alone on a line.
ELISION = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    lines: tuple[str, ...]
    # The number of the line after the opening fence, from 0.
    start: int


@dataclass(frozen=True)
class Step:
    """A command or query of a page with the output that the page shows."""

    kind: str
    source: str
    # None if the page does not say what the output is.
    shown: str | None
    # The lines of the page that hold the output.
    output_lines: range


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    language, start = None, 0
    lines = page.read_text().split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if language is None:
            language, start = line[3:], number + 1
        else:
            yield Block(language, tuple(lines[start:number]), start)
            language = None


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def steps(page: Path) -> list[Step]:
    """The commands of `console` blocks, and the queries of `sql` blocks, whose output is the `text` block below."""
    found = []
    of_page = list(blocks(page))
    for block, following in zip(of_page, [*of_page[1:], None], strict=True):
        if block.language == "console":
            found += console_steps(block)
        elif block.language == "sql":
            query = "\n".join(block.lines)
            if following and following.language == "text":
                lines = range(following.start, following.start + len(following.lines))
                found.append(Step("sql", query, "\n".join(following.lines), lines))
            else:
                found.append(Step("sql", query, None, range(0)))
    return found


def console_steps(block: Block) -> Iterator[Step]:
    """The commands of a block: each begins with `$ ` and goes on after a backslash, or to the end of its document."""
    number = 0
    while number < len(block.lines):
        first = number
        if block.lines[number].endswith("<<'END'"):
            number = block.lines.index("END", number)
        while block.lines[number].endswith("\\"):
            number += 1
        number += 1
        end = number
        while end < len(block.lines) and not block.lines[end].startswith("$ "):
            end += 1
        command = "\n".join(block.lines[first:number]).removeprefix("$ ")
        shown = "\n".join(block.lines[number:end])
        yield Step("console", command, shown, range(block.start + number, block.start + end))
        number = end


def is_shown(shown: str | None, actual: str) -> bool:
    """Whether an output is the one that a page shows, with its elisions."""
    if shown is None:
        return True
    pattern = ""
    for line in shown.split("\n"):
        if line.strip() == ELISION:
            pattern += "(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split(ELISION))) + "\n"
    actual = "\n".join(line.rstrip() for line in actual.rstrip("\n").split("\n")) + "\n"
    return re.fullmatch(pattern, actual) is not None


class Session:
    """Runs the steps of a page, one after another, in one directory."""

    def __init__(self, directory: Path):
        self.directory = directory / "work"
        self.directory.mkdir()
        programs = directory / "bin"
        programs.mkdir()
        (programs / "reprise").symlink_to(binary())
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(directory),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def run(self, step: Step) -> str | None:
        """The output of a step; None if a program that it needs is missing."""
        if step.kind == "sql":
            # A process of its own, whose working directory the query sees.
            query = "import duckdb, sys; rows = duckdb.sql(sys.argv[1]); rows and rows.show(max_width=120)"
            return self.output([sys.executable, "-c", query, step.source])
        if re.search(r"\bjq\b", step.source) and not shutil.which("jq"):
            return None
        return self.output(["bash", "-c", step.source])

    def output(self, command: list[str]) -> str:
        done = subprocess.run(
            command,
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=DEADLINE_SECONDS,
            check=False,
        )
        return done.stdout.decode(errors="replace")


@cache
def help_of(*command: str) -> str:
    """What `--help` of a command prints, without white space at the ends of lines."""
    done = subprocess.run(
        [binary(), *command, "--help"],
        env={**os.environ, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=DEADLINE_SECONDS,
        check=True,
    )
    text = done.stdout.decode().replace(f"Usage: {binary().name} ", "Usage: reprise ")
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


@cache
def commands() -> tuple[tuple[str, ...], ...]:
    """All commands, those with subcommands before these."""
    found = []
    for name in listed(help_of()):
        found.append((name,))
        if "<COMMAND>" in help_of(name):
            found += [(name, below) for below in listed(help_of(name)) if below != "help"]
    return tuple(found)


def listed(text: str) -> list[str]:
    """The commands that a help text lists."""
    return re.findall(r"^  ([a-z]+)\s{2,}\S", text, re.MULTILINE)


@cache
def flags_of(command: tuple[str, ...]) -> frozenset[str]:
    """The long flags of a command, with the names that are not listed but still work."""
    return frozenset(re.findall(r"--[a-z][a-z-]*", help_of(*command))) | {"--help"}


def flags_page() -> str:
    """The reference of all commands and flags."""
    parts = [
        "# Commands and flags",
        "`reprise COMMAND -h` prints the usual flags of a command, `reprise COMMAND --help` all of them. This page is\n"
        "the output of the latter. It is generated: after a change of the command line, run\n"
        "`python tests/python/make_docs.py`.",
        "Sizes have the units `K`, `M`, `G` (powers of 1,024). Exit codes: 0 done; 1 failed; 2 wrong usage, unreadable\n"
        "input, or nothing could be read; 3 a copy was found (`check`).",
        f"```text\n{help_of()}\n```",
    ]
    for command in commands():
        parts.append(f"## reprise {' '.join(command)}")
        parts.append(f"```text\n{help_of(*command)}\n```")
    return "\n\n".join(parts) + "\n"


def invocations(page: Path) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The `reprise` commands of a page, in blocks and in the text, with the long flags that they are given."""
    sources = ["\n".join(block.lines) for block in blocks(page) if block.language in ("console", "sh")]
    sources = [line for source in sources for line in source.replace("\\\n", " ").split("\n")]
    sources += [code for code in re.findall(r"`([^`\n]+)`", prose(page)) if "--" in code]
    names = {command[0] for command in commands()}
    for source in sources:
        for part in re.split(r"[|;&]|\$\(", source.removeprefix("$ ")):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                continue
            is_named = words[:1] == ["reprise"]
            words = words[is_named:]
            # A name in capitals stands for any command. Without `reprise`, other programs may be meant.
            if not words or not re.fullmatch("[a-z]+", words[0]) or not (is_named or words[0] in names):
                continue
            command = tuple(words[:2]) if tuple(words[:2]) in commands() else (words[0],)
            yield command, [word.split("=")[0] for word in words if re.match(r"--[a-z]", word)]


def links(page: Path) -> Iterator[tuple[str, str]]:
    """The links of a page to files of the project: a path and a heading, either of which may be empty."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"[a-z]+:", target):
            path, _, heading = target.partition("#")
            yield path, heading


def headings(page: Path) -> set[str]:
    """The names by which the headings of a page can be linked to."""
    found = set()
    for title in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", title.lower())
        found.add(words.replace(" ", "-"))
    return found
