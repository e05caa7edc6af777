"""The documentation says what the command does: outputs, flags and links are those of today."""

import warnings

import pytest

import docs


def name(page) -> str:
    return str(page.relative_to(docs.ROOT))


@pytest.mark.parametrize("page", docs.SESSIONS, ids=name)
def test_outputs_are_those_of_the_commands(page, tmp_path):
    session = docs.Session(tmp_path)
    for step in docs.steps(page):
        output = session.run(step)
        if output is None:
            warnings.warn(f"{name(page)}: jq is missing, so this was not run: {step.source}", stacklevel=1)
            continue
        where = f"{name(page)}:{step.output_lines.start + 1}"
        assert docs.is_shown(step.shown, output), f"{where}\n{step.source}\n{output}"


def test_the_reference_of_flags_is_generated():
    hint = "run `python tests/python/make_docs.py`"
    assert docs.FLAGS_PAGE.read_text() == docs.flags_page(), hint


@pytest.mark.parametrize("page", docs.PAGES, ids=name)
def test_every_flag_exists(page):
    for command, flags in docs.invocations(page):
        unknown = set(flags) - docs.flags_of(command)
        assert not unknown, f"reprise {' '.join(command)} has no {' '.join(sorted(unknown))}"


@pytest.mark.parametrize("page", docs.PAGES, ids=name)
def test_every_link_leads_somewhere(page):
    for path, heading in docs.links(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)} links to {path}"
        if heading:
            assert heading in docs.headings(target), f"{name(page)} links to {path}#{heading}"


def test_every_page_is_in_the_index():
    index = docs.DOCS / "README.md"
    linked = {(index.parent / path).resolve() for path, _ in docs.links(index)}
    pages = {page for page in docs.PAGES if docs.DOCS in page.parents and page != index}
    assert not pages - linked
