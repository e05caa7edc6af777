"""What `reprise export` writes is the same in every format, and is what the tables hold."""

import shutil

import pytest

from tool import reprise

EXPORTED = ("pages", "chunks", "fingerprints", "sources", "problems")


def shown(value) -> str:
    """A value as CSV shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def iso(moment) -> str:
    """A time as JSON shows it: milliseconds only where there are some."""
    if moment is None:
        return None
    spec = "milliseconds" if moment.microsecond else "seconds"
    return moment.replace(tzinfo=None).isoformat(timespec=spec) + "Z"


@pytest.mark.parametrize("table", EXPORTED)
def test_formats_agree(corpus, table, tmp_path):
    from_json = corpus.export(table)
    from_csv = corpus.export_csv(table)
    parquet = corpus.export_parquet(table, tmp_path / "table.parquet")
    from_parquet = parquet.to_pylist()
    for row in from_parquet:
        if "fetched" in row:
            row["fetched"] = iso(row["fetched"])
    assert from_parquet == from_json
    assert from_csv == [{name: shown(value) for name, value in row.items()} for row in from_json]


@pytest.mark.parametrize("table", ("pages", "fingerprints", "sources", "problems"))
def test_plain_tables_are_exported_as_they_are(corpus, table):
    wanted = []
    for segment in corpus.segments:
        names = [row["name"] for row in segment.rows("sources")]
        for row in segment.rows(table):
            row |= {name: value.hex() for name, value in row.items() if isinstance(value, bytes)}
            if "fetched" in row:
                row["fetched"] = iso(row["fetched"])
            if "source" in row:
                row["source"] = names[row["source"]]
            row.pop("first_chunk", None)
            wanted.append(row | {"segment": int(segment.path.name)})
    assert corpus.export(table) == wanted


def test_chunks_are_exported_with_names(corpus):
    wanted = []
    for segment in corpus.segments:
        query = """
            SELECT pages.url, row_number() OVER (PARTITION BY chunks.page ORDER BY chunks.number) - 1,
                   chunks.start, chunks.length, fingerprints.chars, fingerprints.visible,
                   lower(hex(fingerprints.fingerprint))
            FROM chunks
            JOIN pages ON pages.number = chunks.page
            JOIN fingerprints ON fingerprints.number = chunks.rank
            ORDER BY chunks.number
        """
        wanted += segment.connect().execute(query).fetchall()
    assert [tuple(row.values()) for row in corpus.export("chunks")] == wanted


def test_no_more_is_read_than_is_exported(demo, tmp_path):
    """What is damaged is no reason to keep back the rest."""
    for table, others in (("fingerprints", ("sources", "pages", "chunks")), ("sources", ("pages",)), ("chunks", ("sources",))):
        corpus = shutil.copytree(demo.path, tmp_path / table)
        for other in others:
            next(corpus.glob(f"segments/*/{other}.parquet")).unlink()
        assert reprise("export", corpus, "--table", table) == reprise("export", demo.path, "--table", table)
