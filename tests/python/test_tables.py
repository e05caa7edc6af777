"""Any reader of Parquet finds in a corpus what the format promises."""

import json
import shutil

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus import TABLES, Corpus
from tool import index, reprise

FINGERPRINT_COLUMNS = {("sources", "identity"), ("pages", "fingerprint"), ("fingerprints", "fingerprint")}


def test_counts_are_those_of_info(corpus):
    info = corpus.info
    pages = corpus.rows("pages")
    assert info["segments"] == len(corpus.segments)
    # A source may go on in the next segment.
    assert info["sources"] == len({row["identity"] for row in corpus.rows("sources")})
    assert info["pages"] == len(pages)
    assert info["chunks"] == len(corpus.rows("chunks")) == sum(page["chunks"] for page in pages)
    assert info["distinct_chunks"] == len({row["fingerprint"] for row in corpus.rows("fingerprints")})
    # A URL without host, such as a file's, is on no site.
    assert info["sites"] == len({page["site"] for page in pages if page["site"]})
    assert info["bytes_body"] == sum(page["bytes"] for page in pages)


def test_manifest_counts_the_rows(corpus):
    manifest = json.loads((corpus.path / "manifest.json").read_text())
    assert len(manifest["segments"]) == len(corpus.segments)
    for summary, segment in zip(manifest["segments"], corpus.segments, strict=True):
        assert segment.path.name == f"{summary['number']:08}"
        for table in TABLES:
            file = segment.file(table)
            assert summary["files"][table]["rows"] == pq.read_metadata(file).num_rows
            assert summary["files"][table]["bytes"] == file.stat().st_size


@pytest.mark.parametrize("table", TABLES)
def test_column_types_suit_every_reader(corpus, table):
    for segment in corpus.segments:
        for field in segment.schema(table):
            assert not pa.types.is_unsigned_integer(field.type), field
            if (table, field.name) in FINGERPRINT_COLUMNS:
                assert field.type == pa.binary(20), field
            elif field.name == "fetched":
                assert field.type == pa.timestamp("ms", tz="UTC"), field
            else:
                assert field.type in (pa.int64(), pa.string(), pa.bool_()), field


def test_duckdb_sees_the_same_types(corpus):
    wanted = {"url": "VARCHAR", "fetched": "TIMESTAMP WITH TIME ZONE", "fingerprint": "BLOB", "bytes": "BIGINT"}
    for segment in corpus.segments:
        description = segment.connect().execute("DESCRIBE pages").fetchall()
        assert wanted.items() <= {name: kind for name, kind, *_ in description}.items()


def test_fingerprints_are_sorted_and_distinct(corpus):
    for segment in corpus.segments:
        fingerprints = [row["fingerprint"] for row in segment.rows("fingerprints")]
        assert all(before < after for before, after in zip(fingerprints, fingerprints[1:]))


def test_chunks_are_in_order_and_within_their_pages(corpus):
    for segment in corpus.segments:
        end = (0, 0)
        for chunk in segment.rows("chunks"):
            assert (chunk["page"], chunk["start"]) >= end
            assert chunk["length"] > 0
            end = (chunk["page"], chunk["start"] + chunk["length"])


RECOUNT = """
    WITH counted AS (
        SELECT chunks.rank, count(*) AS occurrences, count(DISTINCT chunks.page) AS pages,
               count(DISTINCT pages.site) AS sites, min(chunks.number) AS first_chunk
        FROM chunks JOIN pages ON pages.number = chunks.page
        GROUP BY chunks.rank
    )
    SELECT count(*) AS matched,
           count(*) FILTER (stored.occurrences != counted.occurrences) AS occurrences,
           count(*) FILTER (stored.pages != counted.pages) AS pages,
           count(*) FILTER (stored.sites != counted.sites) AS sites,
           count(*) FILTER (stored.first_chunk != counted.first_chunk) AS first_chunks
    FROM fingerprints AS stored JOIN counted ON counted.rank = stored.number
"""


def test_counts_of_fingerprints_follow_from_the_chunks(corpus):
    for segment in corpus.segments:
        connection = segment.connect()
        (distinct,) = connection.execute("SELECT count(*) FROM fingerprints").fetchone()
        assert connection.execute(RECOUNT).fetchone() == (distinct, 0, 0, 0, 0)


def test_chunk_counts_of_pages_follow_from_the_chunks(corpus):
    query = """
        SELECT count(*) FROM pages
        LEFT JOIN (SELECT page, count(*) AS chunks FROM chunks GROUP BY page) AS counted
            ON counted.page = pages.number
        WHERE pages.chunks != coalesce(counted.chunks, 0)
    """
    for segment in corpus.segments:
        assert segment.connect().execute(query).fetchone() == (0,)


def test_duckdb_reads_all_segments_in_one_query(corpus):
    pattern = corpus.path / "segments" / "*" / "pages.parquet"
    counted = duckdb.execute(f"SELECT count(*), count(DISTINCT nullif(site, '')) FROM '{pattern}'").fetchone()
    assert counted == (corpus.info["pages"], corpus.info["sites"])


def test_others_check_the_checksums_of_pages_too(demo, tmp_path):
    for table in TABLES:
        file = demo.segments[0].file(table)
        checked = pq.read_table(file, page_checksum_verification=True)
        assert checked == pq.read_table(file)
    # The values of a column that is stored as it is: nothing but a checksum can tell.
    damaged = bytearray(demo.segments[0].file("fingerprints").read_bytes())
    damaged[5000] ^= 1
    (tmp_path / "damaged.parquet").write_bytes(damaged)
    assert pq.read_table(tmp_path / "damaged.parquet") != pq.read_table(demo.segments[0].file("fingerprints"))
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(tmp_path / "damaged.parquet", page_checksum_verification=True)


def test_verify_finds_nothing(corpus):
    report = json.loads(reprise("verify", corpus.path, "--json"))
    assert report["ok"] and report["damage"] == []


def test_every_page_can_be_read_back(demo):
    report = json.loads(reprise("verify", demo.path, "--archives", "--json"))
    assert report["ok"] and report["pages_read_back"] == demo.info["pages"]
    assert (report["pages_lost"], report["pages_uncheckable"]) == (0, 0)
    report = json.loads(reprise("verify", demo.path, "--json", "--memory", "64M"))
    assert report["ok"] and report["pages_read_back"] is None


def test_pages_that_cannot_be_read_back_are_counted(demo, tmp_path):
    archives = tmp_path / "archives"
    archives.mkdir()
    for archive in demo.archives:
        shutil.copy(archive, archives)
    corpus = tmp_path / "corpus"
    pages = index([archives], corpus)["pages"]
    # One is gone, one has been changed in a page.
    gone, changed = sorted(archives.iterdir())[0], archives / "crawl-00002.warc"
    gone.rename(tmp_path / "elsewhere")
    data = bytearray(changed.read_bytes())
    data[data.rindex(b"</p>") - 3] ^= 1
    changed.write_bytes(data)
    of_gone = sum(page["source"] == str(gone) for page in Corpus(corpus).export("pages"))
    report = json.loads(reprise("verify", corpus, "--archives", "--json", expect=1))
    assert (report["pages_lost"], report["pages_read_back"]) == (of_gone + 1, pages - of_gone - 1)
    details = {damage["path"]: damage["detail"] for damage in report["damage"]}
    assert details.keys() == {str(gone), str(changed)}
    assert details[str(gone)].startswith(f"{of_gone} of {of_gone} pages are lost, the first because it cannot be read: No such file")
    assert details[str(changed)].startswith("1 of ") and "the archive has changed since it was indexed" in details[str(changed)]
    text = reprise("verify", corpus, "--archives", expect=1)
    assert text.count(str(gone)) == 1
    assert f"{pages - of_gone - 1} pages read again from the archives" in text and f"{of_gone + 1} pages lost" in text


def test_pages_from_standard_input_cannot_be_checked(tmp_path):
    rows = "".join(json.dumps({"url": f"http://a.example/{row}", "text": f"text {row}"}) + "\n" for row in range(3))
    index(["-"], tmp_path / "corpus", stdin=rows.encode())
    report = json.loads(reprise("verify", tmp_path / "corpus", "--archives", "--json"))
    assert report["ok"] and (report["pages_read_back"], report["pages_uncheckable"]) == (0, 3)
    assert "3 pages cannot be checked" in reprise("verify", tmp_path / "corpus", "--archives")


def test_pages_too_large_for_memory_are_not_checked(tmp_path):
    rows = [{"url": f"http://a.example/{size}", "text": "word " * (size << 20)} for size in (0, 1, 5)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    index([tmp_path / "rows.jsonl"], tmp_path / "corpus", "--max-body", "32M")
    verify = ["verify", tmp_path / "corpus", "--archives", "--json"]
    report = json.loads(reprise(*verify, "--memory", "64M"))
    assert report["ok"] and (report["pages_read_back"], report["pages_uncheckable"]) == (2, 1)
    assert json.loads(reprise(*verify))["pages_read_back"] == 3
    reprise(*verify, "--memory", "64M", "--max-body", "32M", expect=2)


def test_a_changed_byte_is_found(demo, tmp_path):
    copy = tmp_path / "corpus"
    for segment in demo.segments:
        target = copy / "segments" / segment.path.name
        target.mkdir(parents=True)
        for file in segment.path.iterdir():
            (target / file.name).write_bytes(file.read_bytes())
    (copy / "manifest.json").write_bytes((demo.path / "manifest.json").read_bytes())
    assert json.loads(reprise("verify", copy, "--json"))["ok"]
    for victim in target.iterdir():
        sound = victim.read_bytes()
        data = bytearray(sound)
        data[len(data) // 2] ^= 1
        victim.write_bytes(data)
        report = json.loads(reprise("verify", copy, "--json", expect=1))
        assert not report["ok"]
        assert any(item["path"].endswith(victim.name) for item in report["damage"])
        victim.write_bytes(sound)
