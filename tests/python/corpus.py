"""A corpus as pyarrow and DuckDB see it, without any code of Reprise."""

import csv
import io
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from tool import reprise

TABLES = ("sources", "pages", "fingerprints", "chunks", "problems")


@dataclass(frozen=True)
class Segment:
    """One segment's directory."""

    path: Path

    def file(self, table: str) -> Path:
        return self.path / f"{table}.parquet"

    def schema(self, table: str):
        return pq.read_schema(self.file(table))

    def rows(self, table: str) -> list[dict]:
        return pq.read_table(self.file(table)).to_pylist()

    def connect(self) -> duckdb.DuckDBPyConnection:
        """DuckDB with the tables as views; `number` counts the rows of each from 0."""
        connection = duckdb.connect()
        for table in TABLES:
            connection.execute(
                f"CREATE VIEW {table} AS SELECT *, file_row_number AS number "
                f"FROM read_parquet('{self.file(table)}', file_row_number = true)"
            )
        return connection


@dataclass(frozen=True)
class Corpus:
    """A corpus's directory, and the archives it was made from."""

    path: Path
    archives: tuple[Path, ...] = ()

    @cached_property
    def segments(self) -> list[Segment]:
        return [Segment(path) for path in sorted((self.path / "segments").iterdir())]

    @cached_property
    def info(self) -> dict:
        return json.loads(reprise("info", self.path, "--json"))

    def rows(self, table: str) -> list[dict]:
        """The rows of all segments, one after the other."""
        return [row for segment in self.segments for row in segment.rows(table)]

    def export(self, table: str) -> list[dict]:
        """The exported rows, as JSON Lines has them."""
        lines = reprise("export", self.path, "--table", table, "--format", "jsonl").split("\n")
        return [json.loads(line) for line in lines if line]

    def export_csv(self, table: str) -> list[dict]:
        text = reprise("export", self.path, "--table", table, "--format", "csv")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def export_parquet(self, table: str, file: Path):
        reprise("export", self.path, "--table", table, "--format", "parquet", "-o", file)
        return pq.read_table(file)
