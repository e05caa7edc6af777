"""The corpus of the demo says what the demo planted."""

import pytest

PAGES = ("original", "exact_clone", "clone_with_ads", "link_farm", "slice_and_dice", "phishing", "template", "trap_lookalike")


@pytest.fixture(scope="module")
def found(demo) -> dict:
    return {page["url"]: page for page in demo.export("pages")}


def with_role(planted, role) -> list[dict]:
    pages = [page for page in planted["pages"] if page["role"] == role]
    assert pages, f"nothing planted as {role}"
    return pages


@pytest.mark.parametrize("role", PAGES)
def test_pages_are_read_as_they_were_written(planted, found, role):
    for page in with_role(planted, role):
        read = found[page["url"]]
        assert read["bytes"] == page["body_bytes"], page
        assert read["status"] in (page["status"], None), page
        assert read["charset"] == page["charset"], page


def test_traps_are_kept_out_and_listed(demo, planted, found):
    traps = {page["url"] for page in with_role(planted, "trap")}
    assert not traps & found.keys()
    assert demo.info["skipped"]["trap"] == len(traps)
    assert {row["url"] for row in demo.export("problems") if row["kind"] == "trap"} == traps


def test_exact_clones_have_the_fingerprint_of_their_original(planted, found):
    for page in with_role(planted, "exact_clone"):
        (original,) = page["sources"]
        assert found[page["url"]]["fingerprint"] == found[original]["fingerprint"]
        assert found[page["url"]]["site"] != found[original]["site"]


def test_clones_share_chunks_with_their_original(demo, planted):
    chunks = {}
    for chunk in demo.export("chunks"):
        chunks.setdefault(chunk["url"], set()).add(chunk["fingerprint"])
    for page in with_role(planted, "clone_with_ads"):
        originals = set().union(*(chunks[url] for url in page["sources"]))
        assert chunks[page["url"]] & originals, page["url"]
        assert chunks[page["url"]] - originals, page["url"]


def test_what_is_no_page_is_counted(demo, planted):
    skipped = demo.info["skipped"]
    revisits = sum(count for kind, count in skipped.items() if kind.startswith("revisit"))
    assert revisits == len(with_role(planted, "revisit"))
    assert skipped["not_text"] == len(with_role(planted, "not_text"))


def test_every_record_is_counted(demo, planted):
    assert sum(demo.info["records"].values()) == planted["records"]
