//! Parses sitemaps: XML, an index of sitemaps, gzip, or a plain list of URLs.
//!
//! Real sitemaps are truncated, mix name spaces and contain bare ampersands. Only the content of `<loc>` matters, so
//! this module searches for it in the text. A strict XML parser would stop at the first error and lose the rest.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use memchr::memmem;

/// The largest uncompressed file that the protocol allows.
pub(crate) const BYTES_MAX: usize = 50 << 20;
/// The highest number of URLs that the protocol allows.
pub(crate) const URLS_MAX: usize = 50_000;

/// The URLs in a sitemap.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitemap {
    pub(crate) pages: Vec<String>,
    pub(crate) sitemaps: Vec<String>,
}

/// Parses a sitemap of any form. The content encoding of `body` is already decoded, but it may be a `.gz` file.
pub(crate) fn parse(body: &[u8]) -> Sitemap {
    if body.starts_with(b"\x1f\x8b") {
        let mut unpacked = Vec::new();
        // After an error or at the limit, use the part that was decompressed.
        let _ = MultiGzDecoder::new(body)
            .take(BYTES_MAX as u64)
            .read_to_end(&mut unpacked);
        return parse_text(&unpacked);
    }
    parse_text(&body[..body.len().min(BYTES_MAX)])
}

fn parse_text(text: &[u8]) -> Sitemap {
    let start = text
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(text)
        .trim_ascii_start();
    if !start.starts_with(b"<") {
        return Sitemap {
            pages: start
                .split(|&byte| byte == b'\n')
                .map(<[u8]>::trim_ascii)
                .filter(|line| line.starts_with(b"http"))
                .take(URLS_MAX)
                .map(|line| String::from_utf8_lossy(line).into_owned())
                .collect(),
            sitemaps: Vec::new(),
        };
    }
    let is_index = memmem::find(&start[..start.len().min(4096)], b"sitemapindex").is_some();
    let urls = locations(start);
    if is_index {
        Sitemap {
            pages: Vec::new(),
            sitemaps: urls,
        }
    } else {
        Sitemap {
            pages: urls,
            sitemaps: Vec::new(),
        }
    }
}

/// Returns the texts between `<loc>` and the next tag. Locations in other name spaces (`<image:loc>`) are not pages.
fn locations(text: &[u8]) -> Vec<String> {
    memmem::find_iter(text, b"<loc>")
        .filter_map(|at| {
            let rest = &text[at + 5..];
            let rest = rest.trim_ascii_start();
            let (inner, end) = match rest.strip_prefix(b"<![CDATA[") {
                Some(inner) => (inner, memmem::find(inner, b"]]>")),
                None => (rest, memchr::memchr(b'<', rest)),
            };
            let value = inner[..end?].trim_ascii();
            (!value.is_empty()).then(|| unescaped(&String::from_utf8_lossy(value)))
        })
        .take(URLS_MAX)
        .collect()
}

/// Replaces the predefined XML references. A URL needs no others.
fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#38;", "&")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{Sitemap, URLS_MAX, parse};

    fn pages(body: &[u8]) -> Vec<String> {
        parse(body).pages
    }

    #[test]
    fn sitemaps_of_every_form() {
        let xml = b"<?xml version='1.0'?>\n<urlset xmlns='x'><url><loc> http://a.com/?x=1&amp;y=2\n</loc>\
            <image:loc>http://a.com/i.png</image:loc></url><url><loc><![CDATA[http://a.com/b]]></loc></url></urlset>";
        assert_eq!(pages(xml), ["http://a.com/?x=1&y=2", "http://a.com/b"]);
        let index =
            b"<sitemapindex><sitemap><loc>http://a.com/1.xml.gz</loc></sitemap></sitemapindex>";
        let expected = Sitemap {
            pages: Vec::new(),
            sitemaps: vec!["http://a.com/1.xml.gz".to_owned()],
        };
        assert_eq!(parse(index), expected);
        assert_eq!(
            pages(b"\xef\xbb\xbfhttp://a.com/1\r\nnonsense\nhttps://a.com/2"),
            ["http://a.com/1", "https://a.com/2"]
        );
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(xml).unwrap();
        let bytes = packer.finish().unwrap();
        assert_eq!(pages(&bytes).len(), 2);
        assert_eq!(pages(&bytes[..bytes.len() - 12]).len(), 2);
    }

    #[test]
    fn damaged_and_oversized_sitemaps() {
        assert_eq!(
            pages(b"<urlset><url><loc>http://a.com/1</loc><url><loc>http://a.com/2"),
            ["http://a.com/1"]
        );
        assert_eq!(pages(b""), Vec::<String>::new());
        let many = format!(
            "<urlset>{}",
            "<loc>http://a.com/</loc>".repeat(URLS_MAX + 5)
        );
        assert_eq!(pages(many.as_bytes()).len(), URLS_MAX);
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        let block = vec![b' '; 1 << 20];
        for _ in 0..100 {
            packer.write_all(&block).unwrap();
        }
        assert_eq!(pages(&packer.finish().unwrap()).len(), 0);
    }
}
