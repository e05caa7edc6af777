//! The other responses of a site: style sheets, images, feeds, errors, revisits.

use std::io::{self, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use super::publication::Publication;
use crate::crawl::{Crawl, Profile};
use crate::html::push;
use crate::page::{Charset, Page};
use crate::planted::{Declared, Role};
use crate::prng::Rng;
use crate::world::World;

const FAMILY: u64 = 9;

/// Writes the robots.txt, which every crawler requests first.
pub(crate) fn robots(site: &Publication<'_>, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let rules = format!(
        "User-agent: *\nDisallow: /search\nSitemap: {}\n",
        site.url("/sitemap.xml")
    );
    crawl
        .page(&text(site, "/robots.txt", "text/plain", rules))
        .map(drop)
}

/// Writes the other files. Which ones a site has depends on its kind.
pub(crate) fn write(
    world: &World,
    site: &Publication<'_>,
    number: usize,
    kind: usize,
    crawl: &mut Crawl<'_>,
) -> io::Result<()> {
    let mut rng = world.rng(&[FAMILY, number as u64]);
    style_and_script(site, crawl)?;
    match kind % 3 {
        0 => pictures(site, &mut rng, crawl)?,
        1 => documents(site, &mut rng, crawl)?,
        _ => data(site, crawl)?,
    }
    if kind.is_multiple_of(2) {
        redirects(site, crawl)?;
    } else {
        errors(site, crawl)?;
    }
    revisits(site, crawl)
}

fn style_and_script(site: &Publication<'_>, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let prefix = &site.prefix;
    let css = format!(
        ".{prefix}-page {{ max-width: 60em }}\n.{prefix}-page > p {{ line-height: 1.5 }}\n\
         .{prefix}-foot::before {{ content: \"<div>\" }}\n"
    );
    crawl.page(&text(
        site,
        &format!("/assets/{prefix}.css"),
        "text/css",
        css,
    ))?;
    let script = format!(
        "// {prefix}\nfunction note(text) {{ return '<div><p>' + text + '</p></div>'; }}\n\
         for (var i = 0; i < 3; i++) {{ if (i > 1) document.body.title = note(i); }}\n"
    );
    crawl
        .page(&text(
            site,
            "/assets/site.js",
            "application/javascript",
            script,
        ))
        .map(drop)
}

fn pictures(site: &Publication<'_>, rng: &mut Rng, crawl: &mut Crawl<'_>) -> io::Result<()> {
    crawl.page(&bytes(site, "/img/logo.png", "image/png", png(rng)?))?;
    let mut jpeg = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00".to_vec();
    // Without 0xff, no byte looks like another marker.
    jpeg.extend((0..3000).map(|_| rng.below(255) as u8));
    jpeg.extend_from_slice(b"\xff\xd9");
    crawl
        .page(&bytes(site, "/img/harbour.jpg", "image/jpeg", jpeg))
        .map(drop)
}

fn documents(site: &Publication<'_>, rng: &mut Rng, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let mut pdf = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj << /Type /Catalog >> endobj\n".to_vec();
    pdf.extend_from_slice(b"2 0 obj << /Length 2000 >> stream\n");
    pdf.extend((0..2000).map(|_| rng.below(256) as u8));
    pdf.extend_from_slice(b"\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n");
    crawl.page(&bytes(site, "/files/brochure.pdf", "application/pdf", pdf))?;
    let noise = (0..1500).map(|_| rng.below(256) as u8).collect();
    crawl.page(&bytes(
        site,
        "/files/backup.bin",
        "application/octet-stream",
        noise,
    ))?;
    let mut notes = String::new();
    for index in 0..3 {
        let entry = site.entry(index);
        let article = site.article(index, &entry);
        push(
            &mut notes,
            format_args!("{}\n\n{}\n\n", entry.heading.name, article.sentence(0)),
        );
    }
    crawl.resource(&text(site, "/files/notes.txt", "text/plain", notes))
}

fn data(site: &Publication<'_>, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let mut feed =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel>\n".to_owned();
    let mut json = "{\"items\":[".to_owned();
    for index in 0..5 {
        let entry = site.entry(index);
        let (title, link) = (&entry.heading.title, site.url(&entry.path));
        push(
            &mut feed,
            format_args!("<item><title>{title}</title><link>{link}</link></item>\n"),
        );
        let comma = if index == 0 { "" } else { "," };
        push(
            &mut json,
            format_args!("{comma}{{\"id\":{index},\"url\":\"{link}\"}}"),
        );
    }
    feed.push_str("</channel></rss>\n");
    json.push_str("]}\n");
    crawl.page(&text(site, "/feed.xml", "application/rss+xml", feed))?;
    crawl
        .page(&text(site, "/api/latest.json", "application/json", json))
        .map(drop)
}

fn redirects(site: &Publication<'_>, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let target = site.url(&site.entry(0).path);
    let mut page = text(
        site,
        "/old/first.html",
        "text/html",
        format!("<a href=\"{target}\">moved</a>"),
    );
    page.role = Role::Redirect;
    page.status = 301;
    page.location = Some(target.clone());
    page.sources = vec![target];
    crawl.page(&page)?;
    let bare = Page::bare(site.url("/nothing-here-yet"), site.ip, Role::Empty);
    crawl
        .page(&Page {
            media_type: "text/html",
            ..bare
        })
        .map(drop)
}

fn errors(site: &Publication<'_>, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let charset = Charset {
        name: "UTF-8",
        declared: Declared::Header,
    };
    let html = site.shell(
        "404",
        charset,
        "<h1>404</h1>\n<p>There is no page at this address.</p>\n",
    );
    let language = site.grammar.language.tag;
    let mut page = Page::html(
        site.url("/gone/page.html"),
        site.ip,
        Role::NotFound,
        language,
        html,
    );
    page.status = 404;
    crawl.page(&page).map(drop)
}

/// Writes a file that was fetched three times. The second time the server reports no change, the third time the digest
/// is the same.
fn revisits(site: &Publication<'_>, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let page = text(
        site,
        "/press.txt",
        "text/plain",
        format!("{}\n\n{}\n", site.title, site.url("/")),
    );
    let earlier = crawl.plain_page(&page)?;
    crawl.revisit(&earlier.url, &earlier, Profile::ServerNotModified)?;
    let other = site.url("/press.txt?utm_source=feed");
    crawl.revisit(&other, &earlier, Profile::IdenticalPayloadDigest)
}

fn text(site: &Publication<'_>, path: &str, media_type: &'static str, body: String) -> Page {
    Page {
        media_type,
        charset: "UTF-8",
        declared: Declared::Header,
        language: site.grammar.language.tag,
        body: body.into_bytes(),
        ..Page::bare(site.url(path), site.ip, Role::OtherText)
    }
}

fn bytes(site: &Publication<'_>, path: &str, media_type: &'static str, body: Vec<u8>) -> Page {
    Page {
        media_type,
        body,
        ..Page::bare(site.url(path), site.ip, Role::NotText)
    }
}

/// Returns a valid grey-scale image of 16 by 16 pixels.
fn png(rng: &mut Rng) -> io::Result<Vec<u8>> {
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::new(6));
    for _ in 0..16 {
        let mut row = [0; 17];
        row[1..].fill_with(|| rng.below(256) as u8);
        rows.write_all(&row)?;
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    png_chunk(
        &mut out,
        *b"IHDR",
        &[0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 0],
    );
    png_chunk(&mut out, *b"IDAT", &rows.finish()?);
    png_chunk(&mut out, *b"IEND", &[]);
    Ok(out)
}

fn png_chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(data);
    out.extend_from_slice(&(data.len() as u32).to_be_bytes());
    out.extend_from_slice(&kind);
    out.extend_from_slice(data);
    out.extend_from_slice(&crc.sum().to_be_bytes());
}
