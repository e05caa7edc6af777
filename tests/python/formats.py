"""One article as a file of every format that is turned into plain text."""

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from html import escape

from fpdf import FPDF

from prose import Article

OPEN_DOCUMENT = "application/vnd.oasis.opendocument.text"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EPOCH = (2020, 1, 1, 0, 0, 0)


def lines(article: Article) -> tuple[str, ...]:
    return (article.title, *article.paragraphs)


def as_text(article: Article) -> bytes:
    return ("\n\n".join(lines(article)) + "\n").encode()


def as_markdown(article: Article) -> bytes:
    return ("# " + "\n\n".join(lines(article)) + "\n").encode()


def as_html(article: Article) -> bytes:
    body = "".join(f"<p>{escape(text)}</p>\n" for text in article.paragraphs)
    title = escape(article.title)
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><h1>{title}</h1>\n{body}</body></html>\n'.encode()


def as_pdf(article: Article) -> bytes:
    pdf = FPDF()
    pdf.set_creation_date(datetime(*EPOCH, tzinfo=UTC))
    pdf.add_page()
    pdf.set_font("helvetica", size=16)
    pdf.multi_cell(0, text=article.title, align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("helvetica", size=11)
    for paragraph in article.paragraphs:
        pdf.ln(4)
        pdf.multi_cell(0, text=paragraph, align="L", new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def as_docx(article: Article) -> bytes:
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{escape(line)}</w:t></w:r></w:p>" for line in lines(article))
    kinds = "http://schemas.openxmlformats.org/package/2006"
    document = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    return packed({
        "[Content_Types].xml": f'<Types xmlns="{kinds}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{WORD}.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{kinds}/relationships">'
        f'<Relationship Id="rId1" Type="{document}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>',
    })  # fmt: skip


def as_odt(article: Article) -> bytes:
    schema = "urn:oasis:names:tc:opendocument:xmlns"
    body = f'<text:h text:outline-level="1">{escape(article.title)}</text:h>'
    body += "".join(f"<text:p>{escape(text)}</text:p>" for text in article.paragraphs)
    return packed({
        "mimetype": OPEN_DOCUMENT,
        "content.xml": f'<office:document-content xmlns:office="{schema}:office:1.0" xmlns:text="{schema}:text:1.0" '
        f'office:version="1.2"><office:body><office:text>{body}</office:text></office:body></office:document-content>',
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{schema}:manifest:1.0" manifest:version="1.2">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{OPEN_DOCUMENT}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
    })  # fmt: skip


def as_rtf(article: Article) -> bytes:
    def coded(text: str) -> str:
        return "".join(char if char < "\x80" else f"\\u{ord(char)}?" for char in text)

    body = "\n".join(rf"{coded(line)}\par" for line in lines(article))
    return (r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Helvetica;}}\f0\fs22 " + body + "}\n").encode()


def as_epub(article: Article) -> bytes:
    title = escape(article.title)
    body = "".join(f"<p>{escape(text)}</p>" for text in article.paragraphs)
    return packed({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:example:1</dc:identifier>'
        f"<dc:title>{title}</dc:title><dc:language>en</dc:language></metadata>"
        '<manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="one"/></spine></package>',
        "one.xhtml": '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
        f"<title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>",
    })  # fmt: skip


def packed(entries: dict[str, str]) -> bytes:
    """A ZIP archive; the first entry of these formats is kept as it is."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in entries.items():
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return file.getvalue()


# How a file's name ends, its media type, and what writes it.
FORMATS: dict[str, tuple[str, Callable[[Article], bytes]]] = {
    "html": ("text/html; charset=utf-8", as_html),
    "pdf": ("application/pdf", as_pdf),
    "docx": (WORD, as_docx),
    "odt": (OPEN_DOCUMENT, as_odt),
    "rtf": ("application/rtf", as_rtf),
    "epub": ("application/epub+zip", as_epub),
    "md": ("text/markdown; charset=utf-8", as_markdown),
    "txt": ("text/plain; charset=utf-8", as_text),
}
