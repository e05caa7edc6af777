"""The corpora that several tests read; each is made once."""

import json
import subprocess

import pytest

from corpus import Corpus
from tool import SHARED_DATA, binary, index, reprise
from webserver import Answer, Server
from website import Website

CORPORA = ("demo", "demo_in_segments", "demo_sha1", "warc_dev", "warc_dev_as_text")


def pytest_sessionstart():
    if not binary().is_file():
        pytest.exit(f"no command at {binary()}: run `make build` or set REPRISE_BIN", 2)


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Corpus:
    """What `reprise demo` writes and indexes."""
    directory = tmp_path_factory.mktemp("demo") / "web"
    reprise("demo", directory)
    planted = json.loads((directory / "planted.json").read_text())
    return Corpus(directory / "corpus", tuple(directory / name for name in planted["files"]))


@pytest.fixture(scope="session")
def planted(demo) -> dict:
    """The demo's answer key."""
    return json.loads((demo.path.parent / "planted.json").read_text())


def demo_again(demo, tmp_path_factory, *flags) -> Corpus:
    path = tmp_path_factory.mktemp("again") / "corpus"
    index(demo.archives, path, *flags)
    return Corpus(path, demo.archives)


@pytest.fixture(scope="session")
def demo_in_segments(demo, tmp_path_factory) -> Corpus:
    """The demo in several segments."""
    return demo_again(demo, tmp_path_factory, "--segment-size", "200K")


@pytest.fixture(scope="session")
def demo_sha1(demo, tmp_path_factory) -> Corpus:
    """The demo with the papers' hash."""
    return demo_again(demo, tmp_path_factory, "--hash", "sha1")


@pytest.fixture(scope="session")
def warc_dev_files(tmp_path_factory):
    """Archives of other tools' test suites, many of them damaged; not part of the project."""
    unpack = SHARED_DATA / "unpack"
    if not (SHARED_DATA / "warc-dev.tar.zst").is_file() or not unpack.is_file():
        pytest.skip("../shared/data/warc-dev is not on this machine")
    directory = tmp_path_factory.mktemp("warc-dev")
    subprocess.run([unpack, directory, "warc-dev"], check=True, capture_output=True)
    return directory / "warc-dev"


@pytest.fixture(scope="session")
def warc_dev(warc_dev_files, tmp_path_factory) -> Corpus:
    """Those archives in one segment."""
    path = tmp_path_factory.mktemp("warc-dev-corpus") / "corpus"
    index([warc_dev_files], path)
    return Corpus(path)


@pytest.fixture(scope="session")
def warc_dev_as_text(warc_dev_files, tmp_path_factory) -> Corpus:
    """Those archives in several segments, by their visible text."""
    path = tmp_path_factory.mktemp("warc-dev-text") / "corpus"
    index([warc_dev_files], path, "--chunk", "text", "--segment-size", "200K")
    return Corpus(path)


@pytest.fixture(params=CORPORA)
def corpus(request) -> Corpus:
    """Each of the corpora above."""
    return request.getfixturevalue(request.param)


PG_VERSIONS = (13, 15, 18)


def pg_url(version: int) -> str:
    return f"https://pg{version}.example/docs/"


@pytest.fixture(scope="session")
def pg_files(tmp_path_factory):
    """The PostgreSQL manual in three versions, a directory of HTML files each; not part of the project."""
    unpack = SHARED_DATA / "unpack"
    if not (SHARED_DATA / "html-pgdoc-3ver.tar.zst").is_file() or not unpack.is_file():
        pytest.skip("../shared/data/html-pgdoc-3ver is not on this machine")
    directory = tmp_path_factory.mktemp("pg")
    subprocess.run([unpack, directory, "html-pgdoc-3ver"], check=True, capture_output=True)
    return directory / "html-pgdoc-3ver"


def pg_corpus(pg_files, tmp_path_factory, *versions) -> Corpus:
    """A segment for each version, each on a site of its own."""
    path = tmp_path_factory.mktemp("pg-corpus") / "corpus"
    for version in versions:
        index([pg_files / str(version)], path, "--base-url", pg_url(version))
    return Corpus(path)


@pytest.fixture(scope="session")
def pg(pg_files, tmp_path_factory) -> Corpus:
    """All versions of the manual."""
    return pg_corpus(pg_files, tmp_path_factory, *PG_VERSIONS)


@pytest.fixture(scope="session")
def pg15(pg_files, tmp_path_factory) -> Corpus:
    return pg_corpus(pg_files, tmp_path_factory, 15)


@pytest.fixture(scope="session")
def pg18(pg_files, tmp_path_factory) -> Corpus:
    return pg_corpus(pg_files, tmp_path_factory, 18)


@pytest.fixture(scope="session")
def pg_newer(pg_files, tmp_path_factory) -> Corpus:
    """Versions 15 and 18."""
    return pg_corpus(pg_files, tmp_path_factory, 15, 18)


@pytest.fixture(scope="session")
def pg13_labels(pg_files, tmp_path_factory):
    """Labels of version 13."""
    labels = tmp_path_factory.mktemp("pg-labels") / "pg13"
    reprise("label", pg_files / "13", "--base-url", pg_url(13), "--name", "PostgreSQL 13", "-o", labels)
    return labels


@pytest.fixture(scope="session")
def elsewhere():
    """A server that is linked to and that nobody may ask for anything."""
    with Server(lambda _: Answer(status=404)) as server:
        yield server
        assert server.targets() == []


@pytest.fixture(scope="session")
def site(elsewhere) -> Website:
    """A site with every kind of duplicate; each test serves it by itself."""
    return Website(elsewhere.url)
