"""Archives in WACZ: wherever they lie in it, and whatever is wrong with it."""

import io
import json
import zipfile

import pytest

from corpus import Corpus
from test_damaged import warc
from tool import index, reprise

PAGES = 20
ARCHIVE = warc(*[None] * PAGES)


def wacz(entries: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as made:
        for name, data in entries.items():
            made.writestr(name, data)
    return file.getvalue()


def read(data: bytes, tmp_path, expect: int = 0) -> tuple[int, list[str]]:
    """Returns the number of pages, and the details of all problems."""
    path = tmp_path / "crawl.wacz"
    path.write_bytes(data)
    stats = index([path], tmp_path / "corpus", expect=expect)
    reprise("verify", tmp_path / "corpus", "--archives")
    return stats["pages"], [row["detail"] for row in Corpus(tmp_path / "corpus").export("problems")]


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
@pytest.mark.parametrize("name", ["archive/data.warc", "./archive/data.WARC", "crawl/archive/data", "archive/a/data.wet"])
def test_archives_are_found(name, packing, tmp_path):
    entries = {"datapackage.json": b"{}", name: ARCHIVE, "archive/notes.txt": b"no archive", "pages/pages.jsonl": b"{}"}
    assert read(wacz(entries, packing), tmp_path) == (PAGES, [])


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_several_crawls_in_one_file(packing, tmp_path):
    other = wacz({"archive/b.warc": ARCHIVE.replace(b"a.example", b"b.example")}, packing)
    both = {"datapackage.json": b"{}", "a.wacz": wacz({"archive/a.warc": ARCHIVE}), "b.wacz": other}
    assert read(wacz(both, packing), tmp_path) == (2 * PAGES, [])
    names = {row["name"] for row in Corpus(tmp_path / "corpus").export("sources")}
    assert {name.partition("crawl.wacz!/")[2] for name in names} == {"a.wacz!/archive/a.warc", "b.wacz!/archive/b.warc"}
    deep = wacz({"c.wacz": wacz({"b.wacz": wacz({"a.wacz": wacz({"archive/a.warc": ARCHIVE})})})})
    (tmp_path / "deep").mkdir()
    pages, details = read(deep, tmp_path / "deep", expect=2)
    assert pages == 0 and "a WACZ in a WACZ in a WACZ" in details[0]


def directory_at(data: bytes) -> int:
    return data.index(b"PK\x01\x02")


def patched(data: bytes, at: int, value: int, size: int = 4) -> bytes:
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


def test_what_a_directory_says_need_not_be_true(tmp_path):
    good = wacz({"archive/a.warc": ARCHIVE})
    entry = directory_at(good)
    for name, data, pages, detail in [
        ("sum", patched(good, entry + 16, 12345), PAGES, "its checksum is wrong"),
        ("short", patched(good, entry + 24, len(ARCHIVE) // 2), PAGES, f"{len(ARCHIVE)} bytes unpacked, {len(ARCHIVE) // 2} stated"),
        ("long", patched(good, entry + 24, len(ARCHIVE) * 2), PAGES, f"{len(ARCHIVE)} bytes unpacked, {len(ARCHIVE) * 2} stated"),
        ("packing", patched(good, entry + 10, 12, 2), 0, "is packed by Bzip2, which is not read"),
        ("secret", patched(good, entry + 8, 1, 2), 0, "is encrypted"),
        ("cut", good[:-10], 0, "not a readable WACZ"),
    ]:
        (tmp_path / name).mkdir()
        found, details = read(data, tmp_path / name, expect=0 if pages else 2)
        assert (found, len(details)) == (pages, 1) and detail in details[0], name


def test_entries_that_lie_elsewhere_or_over_one_another(tmp_path):
    stored = wacz({"archive/a.warc": ARCHIVE}, zipfile.ZIP_STORED)
    # The local header says that its name is long, so that the data would begin behind the end.
    beyond = patched(stored, 28, 0xFFFF, 2)
    (tmp_path / "good.jsonl").write_text('{"url": "http://c.example/", "text": "words"}\n')
    (tmp_path / "beyond.wacz").write_bytes(beyond)
    stats = index([tmp_path / "beyond.wacz", tmp_path / "good.jsonl"], tmp_path / "both")
    assert (stats["pages"], stats["skipped"]["unreadable"]) == (1, 1)
    # All entries of the directory are the first one.
    many = wacz({f"archive/{number:03}.warc": ARCHIVE for number in range(100)}, zipfile.ZIP_STORED)
    at = directory_at(many)
    while many[at : at + 4] == b"PK\x01\x02":
        many = patched(many, at + 42, 0)
        at += 46 + len("archive/000.warc")
    data = many[: len(ARCHIVE) + 46] + many[directory_at(many) :]
    data = patched(data, len(data) - 6, len(ARCHIVE) + 46)
    (tmp_path / "over").mkdir()
    pages, details = read(data, tmp_path / "over")
    assert pages == PAGES and details == ["its entries overlap"]


def test_archives_in_a_wacz_that_is_gone_are_not_lost_but_uncheckable(tmp_path):
    stats = index(["-"], tmp_path / "corpus", stdin=wacz({"archive/a.warc": ARCHIVE}))
    assert stats["pages"] == PAGES
    checked = json.loads(reprise("verify", tmp_path / "corpus", "--archives", "--json"))
    assert (checked["pages_lost"], checked["pages_uncheckable"]) == (0, PAGES)
