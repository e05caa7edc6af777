"""Archives that are damaged, or hard to name: what was indexed is read back from an archive that nobody touched."""

import gzip
import json
import os
import random
import zipfile

import pytest

from tool import index, reprise


def words(seed: int, count: int) -> str:
    draw = random.Random(seed)
    return " ".join(str(draw.getrandbits(40)) for _ in range(count))


def mbox() -> bytes:
    line = "From a@b.example Mon Jan  1 00:00:00 2024"
    mails = (f"{line}\nMessage-ID: <{number}@b.example>\n\n{words(number, 200)}\n\n" for number in range(100))
    return "".join(mails).encode()


def jsonl() -> bytes:
    rows = ({"url": f"http://a.example/{number}", "text": words(number, 200)} for number in range(100))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def warc(*lengths: int | None) -> bytes:
    """A record for each length, which is the one stated; the true one where it is None."""
    records = []
    for number, length in enumerate(lengths):
        text = words(number, 20)
        fields = f"WARC-Type: resource\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Type: text/plain\r\n"
        records.append(f"WARC/1.0\r\n{fields}Content-Length: {length or len(text)}\r\n\r\n{text}\r\n\r\n")
    return "".join(records).encode()


@pytest.mark.parametrize("name, data", [("x.mbox.gz", mbox()), ("x.jsonl.gz", jsonl())])
@pytest.mark.parametrize("how", ["cut", "corrupt"])
def test_what_was_kept_of_a_damaged_stream_is_read_back(tmp_path, name, data, how):
    packed = bytearray(gzip.compress(data))
    middle = len(packed) // 2
    if how == "cut":
        del packed[middle:]
    else:
        packed[middle : middle + 8] = bytes(8)
    (tmp_path / name).write_bytes(packed)
    stats = index([tmp_path / name], tmp_path / "corpus")
    # Wrong bytes may still unpack to something; then only the checksum tells.
    assert 20 < stats["pages"] <= (60 if how == "cut" else 100)
    assert stats["skipped"]["malformed"] == 1
    assert stats["damaged"].get("truncated", 0) == (1 if "mbox" in name else 0)
    found = json.loads(reprise("verify", tmp_path / "corpus", "--archives", "--json"))
    assert found["damage"] == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("stated", [100_000, 20_000_000, 2**63])
def test_a_lying_length_costs_its_own_record_at_most(tmp_path, pack, stated):
    (tmp_path / "x.warc").write_bytes(pack(warc(stated, None, None)))
    stats = index([tmp_path / "x.warc"], tmp_path / "corpus")
    assert (stats["pages"], stats["damaged"]) == (3, {"bad_length": 1})
    reprise("verify", tmp_path / "corpus", "--archives")


def test_names_that_are_not_utf8(tmp_path):
    directory = os.fsencode(tmp_path / "web")
    os.mkdir(directory)
    names = [b"caf\xe9.html", b"caf\xe8.html", b"plain.html"]
    for number, name in enumerate(names):
        text = words(1, 200) if number < 2 else words(2, 200)
        with open(os.path.join(directory, name), "wb") as file:
            file.write(b"<p>" + text.encode())
    assert index([tmp_path / "web"], tmp_path / "corpus", "--shingles")["pages"] == 3
    reprise("verify", tmp_path / "corpus", "--archives")
    reprise("near", tmp_path / "corpus", "-o", tmp_path / "clusters")
    reprise("drop", tmp_path / "web", "--clusters", tmp_path / "clusters", "-o", tmp_path / "out")
    kept = (tmp_path / "out" / "kept.txt").read_bytes().splitlines()
    assert len(kept) == 2 and all(os.path.exists(name) for name in kept)
    assert index([f"@{tmp_path / 'out' / 'kept.txt'}"], tmp_path / "kept")["pages"] == 2


def test_a_source_that_has_changed_is_told(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"url":"http://a.example/","text":"words"}\n')
    assert index([file], tmp_path / "corpus")["sources"]["changed"] == 0
    with file.open("ab") as rows:
        rows.write(b'{"url":"http://b.example/","text":"words"}\n')
    assert index([file], tmp_path / "corpus")["sources"] == {"read": 1, "held": 0, "continued": 0, "changed": 1}
    assert index([file], tmp_path / "corpus")["sources"]["held"] == 1


def wacz(path, archives: dict[str, bytes]):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in archives.items():
            packed.writestr(f"archive/{name}", data)
    return path


def test_a_broken_entry_of_a_wacz_costs_itself_alone(tmp_path):
    archives = {f"{number}.warc": warc(*[None] * 50).replace(b"a.example", b"%d.example" % number) for number in range(4)}
    path = wacz(tmp_path / "x.wacz", archives)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        starts = [entry.header_offset for entry in packed.infolist()]
    # The second breaks at once, the third in the middle.
    data[starts[1] + 50 : starts[1] + 90] = b"\xff" * 40
    middle = (starts[2] + starts[3]) // 2
    data[middle : middle + 40] = b"\xff" * 40
    path.write_bytes(data)
    (tmp_path / "y.warc").write_bytes(warc(None).replace(b"a.example", b"y.example"))
    stats = index([path, tmp_path / "y.warc"], tmp_path / "corpus")
    assert stats["skipped"]["unreadable"] == 2
    assert 101 < stats["pages"] < 151
    assert json.loads(reprise("verify", tmp_path / "corpus", "--archives", "--json"))["ok"]


def test_names_that_look_like_entries_of_a_wacz(tmp_path):
    directory = tmp_path / "wow!" / "more!"
    directory.mkdir(parents=True)
    (directory / "x.warc").write_bytes(warc(None, None))
    wacz(directory / "y.wacz", {"z.warc": warc(None, None, None).replace(b"a.example", b"z.example")})
    assert index([directory], tmp_path / "corpus")["pages"] == 5
    assert json.loads(reprise("verify", tmp_path / "corpus", "--archives", "--json"))["ok"]


def test_a_corpus_within_what_is_read_is_passed_by(tmp_path):
    (tmp_path / "x.warc").write_bytes(warc(None, None))
    corpus = tmp_path / "deep" / "corpus"
    assert index([tmp_path], corpus)["pages"] == 2
    assert index([tmp_path], corpus)["sources"] == {"read": 0, "held": 1, "continued": 0, "changed": 0}
    other = index([tmp_path], tmp_path.with_name(tmp_path.name + "-other"))
    assert (other["pages"], other["skipped"]["unreadable"]) == (2, 1)
