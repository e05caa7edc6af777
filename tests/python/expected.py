"""What discovery and detection must say, from the definitions: SQL over a corpus's tables and plain Python."""

import math
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

import duckdb
import pyarrow.parquet as pq

from corpus import Corpus


def connect(corpus: Corpus) -> duckdb.DuckDBPyConnection:
    """All segments together; `segment` and `number` (the row) tell where a row stands."""
    connection = duckdb.connect()
    for table in ("pages", "fingerprints", "chunks"):
        pattern = corpus.path / "segments" / "*" / f"{table}.parquet"
        connection.execute(
            f"CREATE TABLE {table} AS SELECT * EXCLUDE (filename, file_row_number), "
            "string_split(filename, '/')[-2]::BIGINT AS segment, file_row_number AS number "
            f"FROM read_parquet('{pattern}', filename = true, file_row_number = true)"
        )
    return connection


# Each distinct object with its counts, whether it shows text, and the page that had it first.
PLACES = {
    "chunk": """
        SELECT found.fingerprint, found.chars, found.visible, pages.segment, pages.number, pages.url, pages.site, pages.fetched
        FROM chunks
        JOIN fingerprints AS found ON found.segment = chunks.segment AND found.number = chunks.rank
        JOIN pages ON pages.segment = chunks.segment AND pages.number = chunks.page
    """,
    "file": """
        SELECT fingerprint, bytes AS chars, bytes > 0 AS visible, segment, number, url, site, fetched FROM pages
    """,
}
OBJECTS = """
    WITH places AS ({places}), firsts AS (
        SELECT fingerprint, first(struct_pack(url, site, fetched) ORDER BY fetched NULLS LAST, segment, number) AS page
        FROM places GROUP BY fingerprint
    ), counted AS (
        SELECT fingerprint, min(chars) AS chars, min(visible) AS visible, count(*) AS occurrences,
               count(DISTINCT (segment, number)) AS pages, count(DISTINCT site) AS sites
        FROM places GROUP BY fingerprint
    )
    SELECT hex(fingerprint), chars, visible, occurrences, pages, sites, page.url, page.site, epoch_ms(page.fetched)
    FROM counted JOIN firsts USING (fingerprint) ORDER BY fingerprint
"""
NAMES = ("fingerprint", "chars", "visible", "occurrences", "pages", "sites", "url", "site", "fetched")


def objects(corpus: Corpus, level: str) -> list[dict]:
    """Every distinct chunk or file of the corpus, by fingerprint."""
    rows = connect(corpus).execute(OBJECTS.format(places=PLACES[level])).fetchall()
    return [dict(zip(NAMES, (row[0].lower(), *row[1:]), strict=True)) for row in rows]


def auto_threshold(level: str, count: str, total: int) -> int:
    """In the papers' proportion: 10^5 of 40.5 * 10^9 chunks, 10^3 of 2.86 * 10^9 files; one site is always one too many."""
    if count == "sites":
        return 1
    share = 1e5 / 40.5e9 if level == "chunk" else 1e3 / 2.86e9
    return max(math.ceil(total * share), 2)


def milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def labels_in(file) -> list[dict]:
    """The rows of a file of labels; times are milliseconds since 1970."""
    rows = pq.read_table(file).to_pylist()
    return [row | {"fingerprint": row["fingerprint"].hex(), "fetched": milliseconds(row["fetched"])} for row in rows]


def prefixes(url: str, host: str) -> list[str]:
    """The directories that a URL lies in, the host first."""
    parts = re.match(r"(?:([^:/?#]*)://)?([^?#]*)", url)
    scheme, rest = parts.groups()
    authority, slash, path = rest.partition("/")
    if host:
        begin = host + "/"
    elif not slash:
        return []
    else:
        begin = (f"{scheme}://" if scheme else "") + authority + "/"
    # What stands behind the last slash is the page.
    made = [begin]
    for name in path.split("/")[:-1]:
        made.append(made[-1] + name + "/")
    return made


@dataclass
class Spread:
    """Mean, standard deviation and how many are over the threshold."""

    shares: list[float]
    threshold: float | None = None
    mean: float = field(init=False)
    stddev: float = field(init=False)
    over: int = field(init=False)

    def __post_init__(self):
        number = max(len(self.shares), 1)
        self.mean = math.fsum(self.shares) / number
        self.stddev = math.sqrt(math.fsum((share - self.mean) ** 2 for share in self.shares) / number)
        if self.threshold is None:
            self.threshold = self.mean + self.stddev
        self.over = sum(share > self.threshold for share in self.shares)

    def histogram(self) -> list[int]:
        """How many fall into each twentieth; 1 belongs to the last."""
        bins = [0] * 20
        for share in self.shares:
            bins[min(int(share * 20), 19)] += 1
        return bins


# One row a chunk that is no stop chunk, with the row and site of its label if it has one.
MARKED = """
    CREATE TABLE marked AS
    SELECT chunks.segment, chunks.page, labels.label, labels.site AS source
    FROM chunks JOIN fingerprints AS found ON found.segment = chunks.segment AND found.number = chunks.rank
    LEFT JOIN labels ON labels.fingerprint = lower(hex(found.fingerprint))
    WHERE found.visible AND found.chars >= $min_length AND lower(hex(found.fingerprint)) NOT IN (SELECT unnest($listed))
"""
COUNTED = """
    SELECT pages.segment, pages.number, pages.url, pages.host, pages.site, epoch_ms(pages.fetched) AS fetched,
           hex(pages.fingerprint) AS fingerprint, count(marked.page) AS chunks, count(marked.label) AS matched,
           list(DISTINCT marked.label) FILTER (marked.label IS NOT NULL) AS labels
    FROM pages LEFT JOIN marked ON marked.segment = pages.segment AND marked.page = pages.number
    WHERE NOT (pages.site != '' AND pages.site IN (SELECT unnest($own)))
    GROUP BY ALL ORDER BY pages.segment, pages.number
"""
PAIRS = """
    SELECT pages.site AS copier, marked.source, count(*) AS chunks, count(DISTINCT (pages.segment, pages.number)) AS pages
    FROM marked JOIN pages ON marked.segment = pages.segment AND marked.page = pages.number
    WHERE marked.label IS NOT NULL AND pages.site != marked.source
      AND NOT (pages.site != '' AND pages.site IN (SELECT unnest($own)))
    GROUP BY ALL ORDER BY 3 DESC, 1, 2
"""


class Detected:
    """What detection must find of the labels in the corpus."""

    def __init__(self, corpus: Corpus, labels: list[dict], *, min_length=0, listed=(), elsewhere=False, min_chunks=1):
        self.labels = labels
        first = {}
        for number, row in enumerate(labels):
            first.setdefault((row["fingerprint"], row["level"]), number)
        connection = connect(corpus)
        connection.execute("CREATE TABLE labels (fingerprint VARCHAR, label BIGINT, site VARCHAR)")
        chunks = {fingerprint: number for (fingerprint, level), number in first.items() if level == "chunk"}
        if chunks:
            columns = (list(chunks), list(chunks.values()), [labels[number]["site"] for number in chunks.values()])
            connection.execute("INSERT INTO labels SELECT unnest(?), unnest(?), unnest(?)", columns)
        own = sorted({row["site"] for row in labels}) if elsewhere else []
        connection.execute(MARKED, {"min_length": min_length, "listed": list(listed)})
        cursor = connection.execute(COUNTED, {"own": own})
        names = [column[0] for column in cursor.description]
        self.pages = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        seen = set()
        for page in self.pages:
            page["contains"] = page["matched"] / page["chunks"] if page["chunks"] >= max(min_chunks, 1) else None
            file_row = first.get((page.pop("fingerprint").lower(), "file"))
            page["file_matched"] = file_row is not None
            page["labels"] = page["labels"] or []
            seen.update(page["labels"], [] if file_row is None else [file_row])
        self.labels_seen = len(seen)
        self.own = connection.execute("SELECT count(*) FROM pages").fetchone()[0] - len(self.pages)
        self.pairs = connection.execute(PAIRS, {"own": own}).fetchall()

    def spread(self, threshold=None) -> Spread:
        return Spread([page["contains"] for page in self.pages if page["contains"] is not None], threshold)

    def neighborhoods(self, badness="mean", depth=None, min_pages=1) -> dict[str, tuple]:
        """Depth, pages, badness, matched and chunks of every prefix."""
        within = defaultdict(list)
        for page in self.pages:
            if page["contains"] is not None:
                for level, prefix in enumerate(prefixes(page["url"], page["host"])[:depth], 1):
                    within[prefix, level].append(page)
        found = {}
        for (prefix, level), pages in within.items():
            if len(pages) >= min_pages:
                matched, chunks = (sum(page[name] for page in pages) for name in ("matched", "chunks"))
                mean = math.fsum(page["contains"] for page in pages) / len(pages)
                found[prefix] = (level, len(pages), mean if badness == "mean" else matched / chunks, matched, chunks)
        return found
