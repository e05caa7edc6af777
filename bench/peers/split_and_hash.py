"""Reads archives, splits pages by a regular expression and hashes the pieces, as a Python user would.

Usage: split_and_hash.py fastwarc|warcio RECORDS FILE...

This is less work than `reprise index`: it does not fold white space, decode charsets, skip comments and
scripts, or store anything. Prints cost and answer as JSON.
"""

import hashlib
import json
import re
import resource
import sys
import time

# The expression begins with a fixed byte, for which the matcher searches first. That is several times faster than a
# lookahead or IGNORECASE.
CUT = re.compile(rb"<(?:[pP]|[dD][iI][vV])[\s/>]")


def bodies_by_fastwarc(path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for record in ArchiveIterator(path, record_types=WarcRecordType.response):
        yield record.reader.read()


def bodies_by_warcio(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                yield record.content_stream().read()


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak_bytes():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) << 10
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main():
    bodies = {"fastwarc": bodies_by_fastwarc, "warcio": bodies_by_warcio}[sys.argv[1]]
    limit = int(sys.argv[2])
    pages = body_bytes = chunks = 0
    distinct = set()
    wall, cpu = time.perf_counter(), cpu_seconds()
    for path in sys.argv[3:]:
        if pages == limit:
            break
        for body in bodies(path):
            pages += 1
            body_bytes += len(body)
            start = 0
            for cut in [match.start() for match in CUT.finditer(body)] + [len(body)]:
                if cut > start:
                    chunks += 1
                    distinct.add(hashlib.sha1(body[start:cut]).digest())
                    start = cut
            if pages == limit:
                break
    usage = {
        "cpu_seconds": cpu_seconds() - cpu,
        "wall_seconds": time.perf_counter() - wall,
        "peak_bytes": peak_bytes(),
    }
    answer = {
        "pages": pages,
        "body_bytes": body_bytes,
        "chunks": chunks,
        "distinct": len(distinct),
    }
    print(json.dumps({"usage": usage, "answer": answer}))


if __name__ == "__main__":
    main()
