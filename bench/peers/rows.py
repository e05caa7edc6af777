"""Runs DuckDB on the rows that `reprise discover` and `reprise detect` read. Prints cost and answer as JSON."""

import json
import resource
import sys
import time

import duckdb

what, corpus, labels, memory, threshold = sys.argv[1:]
start = time.time()
database = duckdb.connect()
database.execute(f"SET memory_limit = '{memory}MiB'")
database.execute("SET preserve_insertion_order = false")
segments = f"{corpus}/segments/*"
if what == "discover":
    total, found = database.execute(
        f"""
        SELECT count(*), count(*) FILTER (occurrences > {threshold}) FROM (
            SELECT sum(occurrences) AS occurrences FROM '{segments}/fingerprints.parquet' GROUP BY fingerprint
        )
        """
    ).fetchone()
else:
    # Only the labelled chunks are counted. Shares of pages would need more work.
    (total,) = database.execute(f"SELECT count(*) FROM '{segments}/pages.parquet'").fetchone()
    (found,) = database.execute(
        f"""
        SELECT sum(occurrences) FROM '{segments}/fingerprints.parquet'
        WHERE fingerprint IN (SELECT fingerprint FROM '{labels}')
        """
    ).fetchone()
usage = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "usage": {
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
                "wall_seconds": time.time() - start,
                "peak_bytes": usage.ru_maxrss * 1024,
            },
            "answer": {"total": total, "found": int(found or 0)},
        }
    )
)
