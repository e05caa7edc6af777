"""The report and the side-by-side page in a real browser: Debian's Chromium, driven by Playwright."""

import json
import shutil

import pytest

from corpus import Corpus
from tool import index, reprise

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
# What a report takes for granted: shorter chunks are headings and buttons.
MIN_LENGTH = 40


@pytest.fixture(scope="session")
def browser():
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def show(browser):
    """Opens a file; whatever it asks for, logs or runs is kept, and there must be nothing."""
    opened = []

    def open_file(file, **options):
        context = browser.new_context(**({"viewport": DESK, "reduced_motion": "reduce"} | options))
        page = context.new_page()
        events = []
        page.on("request", lambda request: events.append(("request", request.url)))
        page.on("console", lambda message: events.append(("console", message.text)))
        page.on("pageerror", lambda error: events.append(("error", str(error))))
        page.on("dialog", lambda dialog: (events.append(("dialog", dialog.message)), dialog.dismiss()))
        page.on("popup", lambda popup: events.append(("popup", popup.url)))
        page.goto(file.as_uri())
        opened.append((context, page, file.as_uri(), events))
        return page

    yield open_file
    for context, page, url, events in opened:
        page.wait_for_timeout(50)
        assert events == [("request", url)]
        assert page.url.split("#")[0] == url
        context.close()


@pytest.fixture(scope="module")
def report(demo, tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    reprise("report", demo.path, "-o", file)
    return file


@pytest.fixture(scope="module")
def figures(demo, tmp_path_factory):
    """What `discover` and `detect` say with the settings of a report."""
    labels = tmp_path_factory.mktemp("figures") / "labels"
    flags = ("--count", "sites", "--min-length", MIN_LENGTH, "--top", 30, "-o", labels)
    found = json.loads(reprise("discover", demo.path, *flags, "--json"))
    return found, json.loads(reprise("detect", demo.path, "--labels", labels, "--json"))


def scrolls_sideways(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def texts(page, selector: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(selector).all_inner_texts()]


def unfold_by_hand(page):
    """Closes every `details`, then opens each with a click; those around it are open by then."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = false)")
    for summary in page.query_selector_all("details > summary"):
        summary.click(force=True)
    assert page.locator("details:not([open])").count() == 0


def test_everything_can_be_unfolded(report, show):
    page = show(report)
    assert page.locator("details").count() > 20
    unfold_by_hand(page)


def test_the_table_of_contents_leads_somewhere(report, show):
    page = show(report)
    links = page.locator("nav a")
    names = texts(page, "nav a")
    assert len(names) == len(set(names)) >= 6
    for number in range(links.count()):
        target = links.nth(number).get_attribute("href")
        assert target.startswith("#") and page.locator(target).count() == 1
        links.nth(number).click()
        assert page.url.endswith(target)
        page.wait_for_function(
            "target => { const top = document.querySelector(target).getBoundingClientRect().top; "
            "const end = window.scrollY + innerHeight >= document.documentElement.scrollHeight - 2; "
            "return end || (top >= -1 && top < innerHeight / 2); }",
            arg=target,
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_telephone(scheme, report, show):
    page = show(report, viewport=PHONE, color_scheme=scheme)
    assert not scrolls_sideways(page)
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    assert not scrolls_sideways(page)
    colors = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    ground, ink = (sum(int(part) for part in color[color.index("(") + 1 : -1].split(",")[:3]) for color in colors)
    assert (ground > 600 and ink < 200) if scheme == "light" else (ground < 200 and ink > 600)


def test_it_needs_no_javascript(report, show):
    page = show(report, java_script_enabled=False)
    assert page.locator("script").count() == 0
    page.locator("details > summary").first.click()


def test_the_numbers_are_those_of_discover_and_detect(report, figures, demo, show):
    found, detected = figures
    page = show(report)
    pages, neighborhoods = detected["pages"], detected["neighborhoods"]
    tiles = dict(zip(texts(page, ".tiles .name"), zip(texts(page, ".tiles .figure"), texts(page, ".tiles .dim"))))
    counts = {
        "pages": demo.info["pages"],
        "chunks": found["objects"],
        "labels": found["labeled"],
        "copied chunks": detected["matched"]["chunks"],
        "pages with copies": pages["matched"],
        "target pages": pages["targets"],
        "bad neighbourhoods": neighborhoods["bad"],
    }
    assert {name: tiles[name][0] for name in counts} == {name: f"{count:,}" for name, count in counts.items()}
    assert f"{pages['threshold']:.0%}" in tiles["target pages"][1]
    assert f"{neighborhoods['threshold']:.0%}" in tiles["bad neighbourhoods"][1]
    summary, copied, clusters, which = (texts(page, name)[0] for name in ("#summary", "#copied", "#clusters", "#pages"))
    assert f"{demo.info['sites']} sites" in summary and f"{found['distinct']:,} of them distinct" in summary
    assert f"{found['stop']:,} stop chunks" in copied
    for section, spread in ((clusters, neighborhoods), (which, pages)):
        assert f"mean is {spread['mean']:.0%}" in section and f"standard deviation {spread['stddev']:.0%}" in section
    # The most copied chunks, the worst pages and neighbourhoods, who copies from whom.
    for object in found["top"][:10]:
        assert object["fingerprint"] in page.content()
        assert f"{object['sites']} sites · {object['pages']} pages · {object['occurrences']} occurrences" in copied
    for worst in pages["top"][:10]:
        assert worst["url"] in which
    assert neighborhoods["top"][0]["prefix"] in clusters
    for pair in detected["sites"][:10]:
        assert f"{pair['copier']} {pair['source']} {pair['chunks']} {pair['pages']}" in texts(page, "#copying")[0]
    for kind, count in demo.info["skipped"].items():
        assert kind in texts(page, "#skipped")[0] or not count


def test_labels_that_were_given_are_counted(demo, tmp_path, show):
    """A report with `--labels` speaks of those labels, not of others that it discovered."""
    reprise("label", demo.archives[0], "-o", tmp_path / "labels")
    detected = json.loads(reprise("detect", demo.path, "--labels", tmp_path / "labels", "--json"))
    reprise("report", demo.path, "--labels", tmp_path / "labels", "-o", tmp_path / "report.html")
    page = show(tmp_path / "report.html")
    tiles = dict(zip(texts(page, ".tiles .name"), texts(page, ".tiles .figure")))
    assert tiles["copied chunks"] == f"{detected['matched']['chunks']:,}"
    assert tiles["labels"] == f"{detected['labels']:,}"


def test_all_links_between_sites_are_counted(tmp_path, show):
    sites = 300
    text = "<p>A paragraph of enough length that three hundred sites have in common.</p>"
    lines = [json.dumps({"url": f"http://s{number}.example/", "html": text, "date": "2024-01-01"}) for number in range(sites)]
    index(["-"], tmp_path / "corpus", stdin="\n".join(lines).encode() + b"\n")
    reprise("report", tmp_path / "corpus", "-o", tmp_path / "report.html")
    page = show(tmp_path / "report.html")
    tiles = dict(zip(texts(page, ".tiles .name"), texts(page, ".tiles .figure")))
    assert tiles["links between sites"] == str(sites - 1)


ATTACKS = [
    "<script>alert(1)</script>",
    "</pre></details></main></body></html><script>alert(2)</script>",
    "<img src=x onerror=alert(3)><svg onload=alert(4)>",
    "<a href='javascript:alert(5)'>click</a><iframe src='javascript:alert(6)'></iframe>",
    "\u202ereversed \u2066isolated \u200e\u200f text\u202c \u0000 \ufffe",
    "<style>*{display:none}</style><base href=https://evil.example/><meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "</title></style>--><link rel=stylesheet href=https://evil.example/x.css>",
    "&lt;script&gt;alert(7)&lt;/script&gt; {{7*7}} <object data=https://evil.example/x></object>",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Corpus:
    """Attacks in text and URLs, copied on three sites."""
    directory = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(8)>"
    directory.mkdir()
    body = "".join(f"<p>{attack} and enough words that nobody takes it for a heading" for attack in ATTACKS)
    lines = []
    for site in "abc":
        lines.append({"url": f"http://{site}.example/'\"><script>alert(9)</script>/\u202ex?a=<b>", "html": body})
        lines.append({"url": f"http://{site}.example/plain", "html": body + f"<p>only on {site}"})
    lines += [{"url": f"javascript:alert({number})", "html": body} for number in range(10, 13)]
    (directory / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    index([directory / "pages.jsonl"], directory / "corpus")
    return Corpus(directory / "corpus")


def check_harmless(page):
    """Nothing of the attacks became part of the page; clicking everything runs nothing."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    foreign = "script, iframe, object, embed, base, form, img, link:not([href^='data:']), [onload], [onerror]"
    assert page.locator(foreign).count() == 0
    assert page.locator("meta[http-equiv=refresh]").count() == 0
    for link in page.locator("a").all():
        assert link.get_attribute("href").startswith("#")
    assert "alert(1)" in page.locator("body").inner_text()
    page.wait_for_timeout(200)


def test_a_hostile_corpus_in_a_report(hostile, tmp_path, show):
    reprise("report", hostile.path, "-o", tmp_path / "report.html")
    page = show(tmp_path / "report.html", viewport=PHONE)
    check_harmless(page)
    unfold_by_hand(page)
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("against", ["--with", "--labels"])
def test_a_hostile_page_side_by_side(against, hostile, tmp_path, show):
    urls = [page["url"] for page in hostile.rows("pages")]
    reprise("discover", hostile.path, "-o", tmp_path / "labels")
    other = urls[0] if against == "--with" else tmp_path / "labels"
    for number, url in enumerate(urls[2:4] + urls[-1:]):
        file = tmp_path / f"{number}.html"
        reprise("explain", hostile.path, "--page", url, against, other, "--html", file)
        check_harmless(show(file, viewport=PHONE))


def test_side_by_side(demo, planted, tmp_path, show):
    """A clone and its original, with as many marks as chunks in common."""
    clone = next(page for page in planted["pages"] if page["role"] == "clone_with_ads")
    flags = ("--page", clone["url"], "--with", clone["sources"][0], "--html", tmp_path / "page.html", "--json")
    said = json.loads(reprise("explain", demo.path, *flags))
    for scheme in ("light", "dark"):
        for viewport in (PHONE, DESK):
            page = show(tmp_path / "page.html", viewport=viewport, color_scheme=scheme)
            assert not scrolls_sideways(page)
    text = texts(page, "body")[0]
    assert clone["url"] in text and clone["sources"][0] in text
    assert f"{said['page_shared']} of {said['page_chunks']} chunks" in text
    assert page.locator("mark").count() >= 2 * len(said["matches"]) > 0


@pytest.fixture(scope="module")
def crawled(demo, tmp_path_factory):
    """The demo, with what a crawl leaves beside a corpus; its strings attack."""
    path = tmp_path_factory.mktemp("crawled") / "corpus"
    shutil.copytree(demo.path, path)
    (path / "crawl").mkdir()
    growth = [[page, min(page, 200), max(0, page - 200) // 2, max(0, page - 200) // 3] for page in range(1, 501)]
    attack = ATTACKS[0] + ATTACKS[4] + ATTACKS[6]
    summary = {
        "pages": 500, "fetched": 640, "unique": 200, "exact": 150, "near": 100, "trap_pages": 50, "redirects": 40,
        "errors": 3, "not_text": 97, "traps": 7, "refused": {"robots": 5, "scope": 900, "address": 0},
        "problems": [{"kind": "too_slow", "count": 3, "url": "http://a.example/" + attack, "detail": attack}],
        "growth": growth,
        "causes": [{"cause": "print", "exact": 0, "near": 100}, {"cause": "session", "exact": 150, "near": 0}],
        "generators": [{"generator": attack, "pages": 500, "unique": 200, "exact": 150, "near": 100}],
        "suspects": [{"pattern": "a.example/calendar/#" + attack, "fetched": 60, "new": 0}],
        "stopped": {"reason": "nothing-new", "window": 120, "new": 0, "bound": 0.0247, "confidence": 0.95},
        "left": 1234, "bytes": 12_000_000, "seconds": 3.5, "seeds": ["http://a.example/"], "of_later_versions": [None],
    }  # fmt: skip
    (path / "crawl" / "summary.json").write_text(json.dumps(summary))
    duplicate = {"url": "http://a.example/print/" + attack, "of": "http://a.example/", "kind": "near", "score": 93, "cause": "print"}
    (path / "crawl" / "duplicates.jsonl").write_text(json.dumps(duplicate) + "\nnot JSON\n")
    reprise("report", path, "-o", path.parent / "report.html")
    return path.parent / "report.html"


def test_a_crawl(crawled, show):
    page = show(crawled)
    crawl = texts(page, "#crawl")[0]
    for part in (
        "640 responses of 12 MB were fetched; 500 pages with text were among them.",
        "200 (40%) are unique, 150 (30%) are exact duplicates of an earlier page, and 100 (20%) are near duplicates.",
        "Half of the unique pages had come by page 100, 90% of them by page 180 and the last by page 200;",
        "of the last 120 pages, none brought new content.",
        "at most 2.5% of them have any, with a confidence of 95%",
        "view for printing 0 100 40% The same page once more",
        "session 150 0 60%",
    ):
        assert part in crawl, part
    plot = page.locator("#crawl svg.plot")
    assert plot.locator("polyline").count() == 3
    assert plot.locator(".threshold-label").text_content() == "the stop rule"
    # Each place answers to the mouse with the three numbers.
    titles = plot.locator("title").all_text_contents()
    assert 80 < len(titles) < 120
    assert titles[-1] == "after 500 pages: 200 unique, 150 exact duplicates, 100 near duplicates"
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown = plot.locator("circle.at").evaluate_all(
        "circles => circles.filter(circle => getComputedStyle(circle).visibility === 'visible').length"
    )
    assert shown == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_hostile_crawl_on_a_telephone(scheme, crawled, show):
    page = show(crawled, viewport=PHONE, color_scheme=scheme)
    check_harmless(page)
    assert not scrolls_sideways(page)
    strokes = page.locator("#crawl polyline").evaluate_all("lines => lines.map(line => getComputedStyle(line).stroke)")
    assert len(set(strokes)) == 3


def test_a_corpus_without_a_crawl_and_one_with_a_damaged_summary(report, demo, tmp_path, show):
    assert show(report).locator("#crawl").count() == 0
    shutil.copytree(demo.path, tmp_path / "corpus")
    (tmp_path / "corpus" / "crawl").mkdir()
    (tmp_path / "corpus" / "crawl" / "summary.json").write_text('{"pages": "many"}')
    reprise("report", tmp_path / "corpus", "-o", tmp_path / "report.html")
    page = show(tmp_path / "report.html")
    assert page.locator("#crawl").count() == 0
    (note,) = (note for note in texts(page, ".notes li") if "crawl/summary.json" in note)
    assert "many" in note
