//! Reads the content of a single response. This is pure computation and runs on other threads than the crawl loop.

use reprise_convert::{Converter, Format};
use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_fuzzy::Digest;
use reprise_ingest::{Item, Page, Problem, ProblemKind, RecordLimits, read_response};
use url::Url;

use crate::fetch::{Head, Validators};
use crate::links::{Links, generator, links};
use crate::novelty::shingles;
use crate::robots::Robots;
use crate::scope::normal;
use crate::sitemap::{self, Sitemap};

/// The reason for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Page,
    Robots,
    Sitemap,
}

/// Everything that a response says on its own, before it is compared with other responses.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) status: u16,
    /// The target of a redirect, in normal form; `None` if it cannot be fetched.
    pub(crate) redirect: Option<Url>,
    pub(crate) validators: Validators,
    /// The fingerprint of the body as sent.
    pub(crate) payload: Fingerprint,
    /// Kinds and details.
    pub(crate) problems: Vec<(String, String)>,
    pub(crate) content: Content,
}

/// The content of a response.
#[derive(Debug)]
pub(crate) enum Content {
    /// A document with its plain text.
    Document(Box<Document>),
    /// A file that no converter reads, or that could not be converted.
    NotText,
    Robots(Robots),
    Sitemap(Sitemap),
    /// A redirect, an error, or a body that was refused.
    Nothing,
}

/// The parts of a document that are compared with other documents.
#[derive(Debug)]
pub(crate) struct Document {
    /// The fingerprint of the plain text, or of the body if the document has no text.
    pub(crate) fingerprint: Fingerprint,
    /// The fuzzy hash of the plain text; `None` if the document has no text.
    pub(crate) digest: Option<Digest>,
    /// The hashes of its phrases (see [`shingles`]).
    pub(crate) shingles: Vec<u32>,
    pub(crate) format: Format,
    pub(crate) links: Links,
}

/// Analyses responses.
#[derive(Clone, Debug)]
pub(crate) struct Analyser {
    pub(crate) limits: RecordLimits,
    pub(crate) converter: Converter,
    /// The name of this crawler in robots.txt.
    pub(crate) name: String,
}

impl Analyser {
    pub(crate) fn analyse(&self, url: &Url, purpose: Purpose, block: &[u8]) -> Analysis {
        let head = Head::parse(block)
            .or_else(|| Head::parse_all(block))
            .unwrap_or_default();
        let mut analysis = Analysis {
            status: head.status,
            redirect: head
                .redirect()
                .and_then(|location| url.join(location).ok())
                .and_then(normal),
            validators: Validators {
                etag: head.etag.clone(),
                last_modified: head.last_modified.clone(),
            },
            payload: payload(&block[head.bytes.min(block.len())..]),
            problems: Vec::new(),
            content: Content::Nothing,
        };
        if head.has_bad_length {
            let detail = "invalid Content-Length".to_owned();
            analysis.problems.push(("bad_length".to_owned(), detail));
        }
        if head.status == 206 {
            let detail = "partial content in reply to a request for the whole".to_owned();
            analysis.problems.push(("partial".to_owned(), detail));
        }
        if !(200..300).contains(&head.status) {
            return analysis;
        }
        let mut problems = Vec::new();
        let mut content = Content::Nothing;
        read_response(url.as_str(), block, &self.limits, &mut |item| match item {
            Item::Page(page) => content = self.content(url, purpose, &page, &head, &mut problems),
            Item::Problem(Problem { kind, detail, .. }) if kind != ProblemKind::NotText => {
                problems.push((kind.as_str().to_owned(), detail));
            }
            _ => {}
        });
        analysis.content = content;
        analysis.problems.extend(problems);
        analysis
    }

    fn content(
        &self,
        url: &Url,
        purpose: Purpose,
        page: &Page<'_>,
        head: &Head,
        problems: &mut Vec<(String, String)>,
    ) -> Content {
        match purpose {
            Purpose::Robots => Content::Robots(Robots::parse(page.body, &self.name)),
            Purpose::Sitemap => Content::Sitemap(sitemap::parse(page.body)),
            Purpose::Page => match self.document(url, page, head) {
                Ok(Some(document)) => Content::Document(Box::new(document)),
                Ok(None) => Content::NotText,
                Err(detail) => {
                    problems.push(("not_converted".to_owned(), detail));
                    Content::NotText
                }
            },
        }
    }

    fn document(
        &self,
        url: &Url,
        page: &Page<'_>,
        head: &Head,
    ) -> Result<Option<Document>, String> {
        let bytes = page.text.map_or(page.body, |(_, text)| text.as_bytes());
        let is_feed = page.text.is_some() && is_xml(page.media_type);
        let Some(format) = Format::of(page.media_type, url.path(), bytes) else {
            return Ok(None);
        };
        let plain = self
            .converter
            .plain(format, bytes)
            .map_err(|error| error.to_string())?;
        let text = plain.normal();
        let mut found = match (format, page.text) {
            (Format::Html | Format::Xhtml, Some((_, html))) if !is_feed => {
                links(url, html, &self.name)
            }
            _ => Links::default(),
        };
        if head.nofollow {
            found.urls.clear();
        }
        if found.generator.is_none() {
            found.generator = head.generator.as_deref().and_then(generator);
        }
        let has_text = !text.trim().is_empty();
        let fingerprint = if has_text {
            HashKind::Sha256.fingerprint(text.as_bytes())
        } else {
            // Pages without text (a frame set, a scanned document) are compared by their bodies. The fingerprint of a
            // body equals that of a text only if both are the same bytes.
            HashKind::Sha256.fingerprint(page.body)
        };
        Ok(Some(Document {
            fingerprint,
            digest: has_text.then(|| Digest::of(text.as_bytes())),
            shingles: shingles(&text),
            format,
            links: found,
        }))
    }
}

/// Returns the fingerprint of a body as sent.
pub(crate) fn payload(body: &[u8]) -> Fingerprint {
    HashKind::Sha256.fingerprint(body)
}

fn is_xml(media_type: &str) -> bool {
    media_type.ends_with("/xml")
        || (media_type.ends_with("+xml") && media_type != "application/xhtml+xml")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reprise_convert::{Converter, PdfTool};
    use reprise_ingest::RecordLimits;
    use url::Url;

    use super::{Analyser, Analysis, Content, Document, Purpose};

    fn analyse(purpose: Purpose, block: &[u8]) -> Analysis {
        let analyser = Analyser {
            limits: RecordLimits {
                body_bytes: 1 << 20,
                header_bytes: 1 << 16,
                ratio: 100,
                nesting: 2,
            },
            converter: Converter {
                limits: reprise_convert::ConvertLimits::DEFAULT,
                main_content: false,
                pdf: PdfTool::InProcess,
            },
            name: "reprise".to_owned(),
        };
        let url = Url::parse("http://a.com/dir/page").unwrap();
        analyser.analyse(&url, purpose, block)
    }

    fn document(block: &str) -> Document {
        match analyse(Purpose::Page, block.as_bytes()).content {
            Content::Document(document) => *document,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn equal_texts_have_equal_fingerprints() {
        let one = document(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The <b>same</b> text<a href=x></a>",
        );
        let two = document("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nThe same  text\n");
        assert_eq!(one.fingerprint, two.fingerprint);
        assert_eq!(one.links.urls[0].as_str(), "http://a.com/dir/x");
        // Pages without text are compared by their bodies.
        let empty = |body: &str| {
            document(&format!(
                "HTTP/1.1 200 OK\nContent-Type: text/html\n\n{body}"
            ))
        };
        let (frames, same, other) = (
            empty("<frame src=a>"),
            empty("<frame src=a>"),
            empty("<frame src=b>"),
        );
        assert!(frames.digest.is_none());
        assert_eq!(frames.fingerprint, same.fingerprint);
        assert_ne!(frames.fingerprint, other.fingerprint);
    }

    #[test]
    fn only_html_that_may_be_followed_has_links() {
        let redirect = analyse(
            Purpose::Page,
            b"HTTP/1.1 301 Moved\r\nLocation: ../x#y\r\n\r\n",
        );
        assert_eq!(redirect.redirect.unwrap().as_str(), "http://a.com/x");
        let feed = document(
            "HTTP/1.1 200 OK\nContent-Type: application/rss+xml\n\n<?xml version='1.0'?><rss><title>Words</title></rss>",
        );
        assert!(feed.links.urls.is_empty());
        let nofollow = document(
            "HTTP/1.1 200 OK\nX-Robots-Tag: nofollow\nContent-Type: text/html\n\n<a href=x>y</a>",
        );
        assert!(nofollow.links.urls.is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_analysed(head in "[ -~]{0,60}", body in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut block = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").into_bytes();
            block.extend(&body);
            for purpose in [Purpose::Page, Purpose::Robots, Purpose::Sitemap] {
                analyse(purpose, &block);
                analyse(purpose, &body);
            }
        }

        #[test]
        fn any_markup_is_analysed(html in "(<[a-z/!]{0,6}( (href|src|rel|content|name)=[\"'a-z:/#?%.]{0,12}){0,3}>?|[ -~]{0,10}){0,12}") {
            analyse(Purpose::Page, format!("HTTP/1.1 200 OK\nContent-Type: text/html\n\n{html}").as_bytes());
        }
    }
}
