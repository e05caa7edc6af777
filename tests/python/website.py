"""A seeded site of several hundred pages with every kind of duplicate, and the truth about each of its URLs."""

import gzip
import hashlib
import itertools
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qsl, urlsplit

from formats import FORMATS
from prose import Article, Writer
from webserver import Answer, Request

SEED = 20260117
NOTES, NOTES_A_LIST = 150, 15
MONTHS, POSTS_A_MONTH, POSTS_A_LIST = 8, 5, 10
ITEMS = 24
PAPERS = 6
SESSION = "@SESSION@"
MONTH_NAMES = "January February March April May June July August September October November December".split()
BLOG_GENERATOR, NOTES_GENERATOR = "WordPress 6.5", "Hugo 0.120.4"
CHANGED = "Mon, 05 Jan 2026 10:00:00 GMT"


@dataclass(frozen=True)
class Page:
    """What is at a URL, and what a crawler should say about it.

    Pages of one `content` are duplicates of each other; those of one `text` say exactly the same. Where there is
    no text, it depends on how well the format is converted. `causes` are the reasons that the URL itself gives."""

    content: str
    text: str | None
    body: bytes
    causes: frozenset[str] = frozenset()
    media_type: str = "text/html; charset=utf-8"
    generator: str | None = None
    validated: bool = False

    @property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:16]}"'


class Website:
    """All pages, by target (path and query); those of the traps are made when they are asked for."""

    def __init__(self, elsewhere: str):
        """`elsewhere`: a server that nobody may ask for anything."""
        self.elsewhere = elsewhere
        self.pages: dict[str, Page] = {}
        self.redirects: dict[str, tuple[int, str]] = {}
        self.sessions = itertools.count(1)
        self.notes = [Writer(f"{SEED} note {number}").article(3000, 8000) for number in range(1, NOTES + 1)]
        self.posts = [Writer(f"{SEED} post {number}").article(3500, 7000) for number in range(MONTHS * POSTS_A_MONTH)]
        self.items = [Writer(f"{SEED} item {number}").article(2500, 4000) for number in range(ITEMS)]
        self.rules = Writer(f"{SEED} calendar").article(2400, 2600)
        self.make_notes()
        self.make_blog()
        self.make_aliases()
        self.make_papers()
        self.make_odd_ones()
        self.make_home()

    # What is there.

    def page(self, target: str) -> Page | None:
        """The page at a target, as it is at any time: links with a new session id are not filled in."""
        return self.pages.get(target) or self.shop(target) or self.calendar(target) or self.loop(target)

    def contents(self) -> set[str]:
        """Every content that a crawler finds which obeys robots.txt and follows no `nofollow`."""
        finite = {page.content for page in self.pages.values()} - {"secret", "nofollow", "picture"}
        return finite | {"shop", *(f"item {number}" for number in range(ITEMS)), "calendar", "loop"}

    def respond(self, request: Request) -> Answer:
        target, origin = request.target, f"http://{request.headers.get('host')}"
        if target == "/robots.txt":
            rules = f"User-agent: *\nDisallow: /private/\n\nSitemap: {origin}/sitemap.xml\n"
            return Answer(rules.encode(), "text/plain")
        if target == "/sitemap.xml":
            return Answer(sitemap_index([f"{origin}/sitemap-1.xml", f"{origin}/sitemap-2.xml.gz"]), "text/xml")
        if target == "/sitemap-1.xml":
            urls = ["/notes/n-001.html", "/orphan/only-in-a-sitemap.html", "/private/in-the-sitemap.html"]
            return Answer(sitemap([origin + url for url in urls] + [f"{self.elsewhere}/in-the-sitemap"]), "text/xml")
        if target == "/sitemap-2.xml.gz":
            return Answer(gzip.compress(sitemap([f"{origin}/orphan/only-in-a-packed-sitemap.html"])), "application/gzip")
        if target == "/broken":
            return Answer(b"<p>Something is wrong with the server.", status=500)
        if target in self.redirects:
            status, location = self.redirects[target]
            return Answer(b"<p>Moved.", status=status, headers={"Location": location})
        page = self.page(target)
        if page is None:
            return Answer(b"<p>There is no such page.", status=404)
        headers = {"ETag": page.tag, "Last-Modified": CHANGED} if page.validated else {"Set-Cookie": "visitor=1"}
        known = page.tag in request.headers.get("if-none-match", "") or request.headers.get("if-modified-since") == CHANGED
        if page.validated and known:
            return Answer(status=304, headers=headers)
        return Answer(self.with_sessions(page.body), page.media_type, headers=headers)

    def with_sessions(self, body: bytes) -> bytes:
        """Every link has a session id of its own."""
        first, *rest = body.split(SESSION.encode())
        return first + b"".join(hashlib.md5(b"%d" % next(self.sessions)).hexdigest().encode() + part for part in rest)

    # How it is made.

    def add(self, target: str, page: Page):
        assert target not in self.pages, target
        self.pages[target] = page

    def make_notes(self):
        """Static pages in a chain of listings: the last ones are far from the home page."""
        for number, article in enumerate(self.notes, 1):
            name = f"n-{number:03}"
            body = whole(article, [("All notes", "/notes/")], generator=NOTES_GENERATOR)
            page = Page(f"note {number}", f"note {number}", body, generator=NOTES_GENERATOR, validated=number % 2 == 1)
            self.add(f"/notes/{name}.html", page)
        lists = [range(first, first + NOTES_A_LIST) for first in range(1, NOTES + 1, NOTES_A_LIST)]
        for number, entries in enumerate(lists, 1):
            links = [(self.notes[entry - 1].title, f"/notes/n-{entry:03}.html", self.notes[entry - 1].start) for entry in entries]
            further = [("Older notes", f"/notes/page/{number + 1}/")] if number < len(lists) else []
            further += [("Newer notes", f"/notes/page/{number - 1}/")] if number > 1 else []
            body = listing("Notes", links, further)
            page = Page(f"notes list {number}", f"notes list {number}", body, frozenset({"listing"}))
            self.add(f"/notes/page/{number}/", page)
            if number == 1:
                self.add("/notes/", page)

    def make_blog(self):
        """Posts with printed views; months and tags that show the same posts again."""
        links = []
        for number, article in enumerate(self.posts):
            month = 1 + number // POSTS_A_MONTH
            path, tag = f"/blog/2025/{month:02}/post-{number:02}/", f"/blog/tag/topic-{number:02}/"
            further = [("Print", f"{path}?print=1"), ("Topic", tag), ("Share", f"{path}?utm_source=feed&utm_medium=share")]
            further += [("Month", f"/blog/2025/{month:02}/"), ("Season", f"/blog/tag/season-{month}/")]
            content, body = f"post {number}", whole(article, further, generator=BLOG_GENERATOR)
            page = Page(content, content, body, generator=BLOG_GENERATOR)
            self.add(path, page)
            if number % 4 == 0:
                self.add(f"{path}?utm_source=feed&utm_medium=share", because(page, "tracking"))
            else:
                self.redirects[f"{path}?utm_source=feed&utm_medium=share"] = (301, path)
            self.add(f"{path}?print=1", Page(content, f"printed {number}", printed(article, path), frozenset({"print"})))
            # A topic with one post shows all of it.
            topic = whole(article, further, f"All posts about topic {number}", BLOG_GENERATOR)
            self.add(tag, Page(content, f"topic {number}", topic, frozenset({"listing"}), generator=BLOG_GENERATOR))
            links.append((article.title, path, article.start + " " + article.paragraphs[1]))
        for month in range(1, MONTHS + 1):
            entries = links[(month - 1) * POSTS_A_MONTH : month * POSTS_A_MONTH]
            for path, title in ((f"/blog/2025/{month:02}/", MONTH_NAMES[month - 1]), (f"/blog/tag/season-{month}/", "Season")):
                body = listing(f"Posts: {title}", entries, [], BLOG_GENERATOR)
                page = Page(f"month {month}", f"{title} {month}", body, frozenset({"listing"}), generator=BLOG_GENERATOR)
                self.add(path, page)
        starts = range(0, len(links), POSTS_A_LIST)
        for number, start in enumerate(starts, 1):
            further = [("Older posts", f"/blog/page/{number + 1}/")] if number < len(starts) else []
            short = [(title, path, text.split(". ")[0] + ".") for title, path, text in links[start : start + POSTS_A_LIST]]
            body = listing("Blog", short, further, BLOG_GENERATOR)
            page = Page(f"blog list {number}", f"blog list {number}", body, frozenset({"listing"}), generator=BLOG_GENERATOR)
            self.add("/blog/" if number == 1 else f"/blog/page/{number}/", page)

    def make_aliases(self):
        """One page under several addresses, and redirects."""
        for name, aliases in {
            "/about.html": {"/About.html": ("spelling",)},
            "/guide/": {"/guide": ("slash",), "/guide/index.html": ("slash", "other")},
            "/catalog?color=red&size=big": {"/catalog?size=big&color=red": ("parameter_order",)},
            "/catalog?color=blue&size=small": {"/catalog?size=small&color=blue": ("parameter_order",)},
        }.items():
            body = whole(Writer(f"{SEED} {name}").article(3000, 4000), [("Home", "/")])
            page = Page(name, name, body)
            self.add(name, page)
            for alias, causes in aliases.items():
                self.add(alias, because(page, *causes))
        for number in range(2, 60, 6):
            page, path = self.pages[f"/notes/n-{number:03}.html"], f"/notes/n-{number:03}.html"
            self.add(f"{path}?utm_source=mail&utm_campaign=spring", because(page, "tracking"))
            link = f'<link rel="canonical" href="{path}">'.encode()
            self.add(f"/p/{number}", because(page, "canonical", body=page.body.replace(b"</head>", link + b"</head>")))
            # The same words, broken into lines elsewhere; a part of one is written in another way.
            body = page.body.replace(b", ", b",\n   ").replace("ï".encode(), "i\u0308".encode()).replace(b"<p>", b"<p class=a> ")
            self.add(f"/mirror/{number}.html", because(page, "other", body=body))
            self.redirects[f"/old/{number}"] = (301, f"/older/{number}")
            self.redirects[f"/older/{number}"] = (302, path)
        moved = Writer(f"{SEED} moved").article(3000, 4000)
        self.add("/moved/here.html", Page("moved", "moved", whole(moved, [])))
        self.redirects["/moved/away.html"] = (308, "here.html")
        self.redirects["/away"] = (301, f"{self.elsewhere}/by-a-redirect")

    def make_papers(self):
        """The same documents in several formats."""
        links = []
        for number in range(1, PAPERS + 1):
            article = Writer(f"{SEED} paper {number}").article(9000, 12000)
            names = list(FORMATS) if number <= 2 else ["html", "pdf", "docx", "odt"]
            for ending in names:
                media_type, write = FORMATS[ending]
                is_html = ending == "html"
                body = whole(article, [("All papers", "/papers/")]) if is_html else write(article)
                text = f"paper {number}" if is_html else None
                page = Page(f"paper {number}", text, body, frozenset({"format"}), media_type)
                self.add(f"/papers/paper-{number}.{ending}", page)
                links.append((f"{article.title} ({ending})", f"/papers/paper-{number}.{ending}", article.start))
        self.add("/papers/", Page("papers", "papers", listing("Papers", links, [])))

    def make_odd_ones(self):
        for name, content in {
            "/orphan/only-in-a-sitemap.html": "orphan 1",
            "/orphan/only-in-a-packed-sitemap.html": "orphan 2",
            "/private/secret.html": "secret",
            "/private/in-the-sitemap.html": "secret",
            "/nofollow-only.html": "nofollow",
        }.items():
            self.add(name, Page(content, content, whole(Writer(f"{SEED} {name}").article(3000, 4000), [])))
        self.add("/logo.png", Page("picture", None, picture(), media_type="image/png"))

    def make_home(self):
        further = [("Guide", "/guide"), ("Guide", "/guide/"), ("Guide", "/guide/index.html"), ("About", "/about.html")]
        further += [("About", "/About.html"), ("Part", "/notes/n-001.html#part"), ("Dots", "/papers/../notes/n-004.html")]
        further += [("Catalog", target) for target in self.pages if target.startswith("/catalog")]
        for number in range(2, 60, 6):
            further += [("Mail", f"/notes/n-{number:03}.html?utm_source=mail&utm_campaign=spring"), ("Short", f"/p/{number}")]
            further += [("Mirror", f"/mirror/{number}.html"), ("Old", f"/old/{number}")]
        further += [("Papers", "/papers/"), ("Moved", "/moved/away.html"), ("Loop", "/loop/"), ("Logo", "/logo.png")]
        further += [("Events", "/events?month=2026-11"), ("Secret", "/private/secret.html"), ("Broken", "/broken")]
        further += [("Missing", f"/missing-{number}.html") for number in range(3)]
        foreign = self.elsewhere.replace("127.0.0.1", "localhost")
        further += [("Away", "/away"), ("Elsewhere", f"{self.elsewhere}/by-a-link"), ("Foreign", f"{foreign}/by-name")]
        further += [("No scheme", self.elsewhere.removeprefix("http:") + "/no-scheme"), ("Mail", "mailto:a@b.example")]
        further += [("Script", "javascript:void(0)"), ("Data", "data:text/html,<p>x"), ("Bad", "http://[bad/")]
        further += [("File", "file:///etc/hostname")]
        body = whole(Writer(f"{SEED} home").article(3000, 4000), further)
        embedded = f'<img src="{self.elsewhere}/picture.png"><iframe src="{self.elsewhere}/frame"></iframe>'
        body = body.replace(b"</body>", f'{embedded}<a rel="nofollow" href="/nofollow-only.html">No</a></body>'.encode())
        self.add("/", Page("home", "home", body))

    # The traps.

    def shop(self, target: str) -> Page | None:
        """Every link has another session id, so there is no end of URLs."""
        url = urlsplit(target)
        query = dict(parse_qsl(url.query))
        causes = frozenset({"session"} if "sid" in query else ())
        if url.path == "/shop/" and query.keys() <= {"sid"}:
            links = [(item.title, f"/shop/item?id={n}&sid={SESSION}", item.start) for n, item in enumerate(self.items)]
            return Page("shop", "shop", listing("Shop", links, []), causes)
        if url.path != "/shop/item" or not query.keys() <= {"id", "sid"} or not query.get("id", "").isdecimal():
            return None
        number = int(query["id"])
        if number >= ITEMS:
            return None
        further = [("Next item", f"/shop/item?id={(number + 1) % ITEMS}&sid={SESSION}")]
        return Page(f"item {number}", f"item {number}", whole(self.items[number], further), causes)

    def calendar(self, target: str) -> Page | None:
        """A page for each month there ever was, with a link to the next and the last."""
        if found := re.fullmatch(r"/calendar/(\d{4})/(\d\d)/", target):
            pattern = "/calendar/{:04}/{:02}/"
        elif found := re.fullmatch(r"/events\?month=(\d{4})-(\d\d)", target):
            pattern = "/events?month={:04}-{:02}"
        else:
            return None
        year, month = int(found[1]), int(found[2])
        if not (1000 <= year <= 8999 and 1 <= month <= 12):
            return None
        months = year * 12 + month - 1
        links = [(word, pattern.format(to // 12, to % 12 + 1)) for word, to in (("Next", months + 1), ("Last", months - 1))]
        article = Article(f"{MONTH_NAMES[month - 1]} {year}", self.rules.paragraphs)
        return Page("calendar", article.title, whole(article, links), frozenset({"calendar"}))

    def loop(self, target: str) -> Page | None:
        """A link that is relative by mistake."""
        if not re.fullmatch(r"/loop/(next/)*", target):
            return None
        body = whole(Writer(f"{SEED} loop").article(3000, 4000), [("Next", "next/")])
        return Page("loop", "loop", body, frozenset({"other", "listing", "slash"}))


def because(page: Page, *causes: str, body: bytes | None = None) -> Page:
    """The same page under another URL."""
    return Page(page.content, page.text, body or page.body, frozenset(causes), page.media_type, page.generator)


NAVIGATION = {"Home": "/", "Notes": "/notes/", "Blog": "/blog/", "Shop": "/shop/", "Calendar": "/calendar/2026/11/"}


def document(title: str, main: str, generator: str | None) -> bytes:
    meta = f'<meta name="generator" content="{generator}">' if generator else ""
    menu = " ".join(f'<a href="{target}">{name}</a>' for name, target in NAVIGATION.items())
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>{meta}'
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body><nav>{menu}</nav>\n{main}</body></html>\n".encode()


def anchors(links: Iterable[tuple[str, str]]) -> str:
    return "<p>" + " ".join(f'<a href="{escape(target)}">{escape(name)}</a>' for name, target in links) + "</p>\n"


def whole(article: Article, further: Iterable[tuple[str, str]], above: str = "", generator: str | None = None) -> bytes:
    """An article with links below it."""
    main = f"<p>{above}</p>\n" if above else ""
    main += f"<h1>{escape(article.title)}</h1>\n" + "".join(f"<p>{escape(text)}</p>\n" for text in article.paragraphs)
    return document(article.title, main + anchors(further), generator)


def listing(title: str, links: Iterable[tuple[str, str, str]], further: Iterable[tuple[str, str]], generator: str | None = None) -> bytes:
    """Links with the first words of what they lead to."""
    entries = "".join(f'<h2><a href="{escape(to)}">{escape(name)}</a></h2>\n<p>{escape(text)}</p>\n' for name, to, text in links)
    return document(title, f"<h1>{escape(title)}</h1>\n{entries}{anchors(further)}", generator)


def printed(article: Article, path: str) -> bytes:
    """An article as it is printed: without the menu, with a line at the end."""
    text = "".join(f"<p>{escape(text)}</p>\n" for text in article.paragraphs)
    title = escape(article.title)
    head = f'<meta charset="utf-8"><title>{title}</title>'
    end = f'<p>Printed view. <a href="{path}">Back to the page</a></p>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body><h1>{title}</h1>\n{text}{end}</body></html>\n".encode()


def sitemap(urls: Iterable[str], outer: str = "urlset", inner: str = "url") -> bytes:
    entries = "".join(f"<{inner}><loc>{escape(url)}</loc></{inner}>" for url in urls)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?><{outer} xmlns="{schema}">{entries}</{outer}>'.encode()


def sitemap_index(urls: Iterable[str]) -> bytes:
    return sitemap(urls, "sitemapindex", "sitemap")


def picture() -> bytes:
    """A PNG of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    pixels = chunk(b"IHDR", bytes((0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0))) + chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + pixels + chunk(b"IEND", b"")
