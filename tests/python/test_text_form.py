"""Fingerprints of visible text, computed anew from what docs/chunks.md says and from nothing else."""

import hashlib
import html
import re

import pytest

from archive import records, text_of
from corpus import Corpus
from tool import index

INLINE = set(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr".split()
)
HIDDEN = {"script", "style", "iframe", "noembed", "noframes"}
DECODED = {"title", "textarea"}
LITERAL = {"xmp", "plaintext"}
WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
COMMENT = re.compile(r"<!--(?:>|->|(?s:.*?)(?:--!?>|\Z))")
BOGUS = re.compile(r"</>|<(?:[!?]|/[^A-Za-z])[^>]*(?:>|\Z)")
NAME = re.compile(r"<(/?)([A-Za-z][^\t\n\x0c\r />]*)")
# An attribute: a name, maybe with a value, which may be quoted.
ATTRIBUTE = re.compile(r"[\t\n\x0c\r /]*(?:=?[^\t\n\x0c\r />=]*)(?:[\t\n\x0c\r ]*=[\t\n\x0c\r ]*(?:\"[^\"]*\"|'[^']*'|[^\t\n\x0c\r >]*))?")


def tag_end(piece: str, at: int) -> int | None:
    """Just behind the tag whose name ends here."""
    while at < len(piece):
        if piece[at] == ">":
            return at + 1
        step = ATTRIBUTE.match(piece, at).end()
        at = step if step > at else at + 1
    return None


def shown(piece: str) -> str:
    """What a piece of HTML shows, its white space not yet folded."""
    out, at, text_start, templates = [], 0, 0, 0

    def see(text: str):
        if not templates:
            out.append(text)

    while (less := piece.find("<", at)) >= 0:
        name = NAME.match(piece, less)
        comment = COMMENT.match(piece, less) or (None if name else BOGUS.match(piece, less))
        if not name and not comment:
            at = less + 1
            continue
        see(html.unescape(piece[text_start:less]))
        if comment:
            at = text_start = comment.end()
            continue
        end = tag_end(piece, name.end())
        if end is None:
            return "".join(out)
        at = text_start = end
        is_end, word = name[1] == "/", name[2].lower()
        if word not in INLINE:
            out.append(" ")
        if word == "template":
            templates = max(0, templates + (-1 if is_end else 1))
        if not is_end and word in HIDDEN | DECODED | LITERAL:
            close = None if word == "plaintext" else re.compile(rf"</{word}(?=[\t\n\x0c\r />])", re.I).search(piece, end)
            content = piece[end : close.start() if close else len(piece)]
            if word not in HIDDEN:
                content = content.replace("\0", "\ufffd")
                see(html.unescape(content) if word in DECODED else content)
            out.append(" ")
            at = text_start = (close and tag_end(piece, close.end())) or len(piece)
    see(html.unescape(piece[text_start:]))
    return "".join(out)


def text_form(piece: str, content: str) -> str:
    text = shown(piece) if content == "html" else piece
    return re.sub(f"[{WHITE}]+", " ", text).strip(" ")


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("<p>w<b>or</b>d <td>a</td><td>b</td>", "word a b"),
        ("a<!-- b > -->c<!-->d<!DOCTYPE x>e<?f?>g</ h>i</>j", "acdegij"),
        ("a<script>x<p></script>b<style>y</style>c<title>T&amp;<b></title>d", "a b c T&<b> d"),
        ("<xmp>&amp;<i></xmp>e<noscript>f</noscript>", "&amp;<i> e f"),
        ("a<template>b<template>c</template>d</template>e", "a e"),
        ("a&nbsp;&nbsp;b\u200bc&shy;d &copy 1<2 a<p b='>'>c <i", "a b\u200bc\xadd \xa9 1<2 a c"),
        ("<plaintext>a</plaintext>&lt;", "a</plaintext>&lt;"),
    ],
)
def test_the_rules(piece, text, tmp_path):
    assert text_form(piece, "html") == text
    (tmp_path / "page.html").write_text(piece)
    index([tmp_path / "page.html"], tmp_path / "corpus", "--chunk", "text")
    chunks = Corpus(tmp_path / "corpus").export("chunks")
    pieces = [piece.encode()[chunk["start"] : chunk["start"] + chunk["length"]].decode() for chunk in chunks]
    assert " ".join(text_form(piece, "html") for piece in pieces) == text
    assert [chunk["fingerprint"] for chunk in chunks] == [fingerprint(text_form(piece, "html")) for piece in pieces]


def fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def test_every_text_fingerprint_of_the_demo(demo, tmp_path):
    corpus = tmp_path / "corpus"
    index(demo.archives, corpus, "--chunk", "text")
    bodies = {record.url: record.body for archive in demo.archives for record in records(archive)}
    pages = {page["url"]: page for page in Corpus(corpus).export("pages")}
    checked = 0
    for chunk in Corpus(corpus).export("chunks"):
        page = pages[chunk["url"]]
        text = text_of(bodies[chunk["url"]], page["charset"] or "utf-8").encode()
        piece = text[chunk["start"] : chunk["start"] + chunk["length"]].decode()
        form = text_form(piece, page["content"])
        assert (len(form), fingerprint(form)) == (chunk["chars"], chunk["fingerprint"]), (chunk, piece)
        checked += 1
    assert checked > 5000
