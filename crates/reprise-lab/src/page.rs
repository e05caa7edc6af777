//! A captured page, and the forms of it that methods compare.

use std::ops::Range;
use std::sync::OnceLock;

use reprise_convert::{ConvertLimits, Converter, Format, PdfTool, normalize};
use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::{Shingler, words};
use reprise_text::tokens::Syntax;
use reprise_text::{
    ChunkForm, Content, Cutter, normalize as normalize_chunk, visible_runs, visible_runs_in_page,
};

/// The way a page is read. All edited copies of a page are read in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The kind of content, which determines how the text is cut into chunks.
    pub content: Content,
    /// The format, which determines how the page is converted to plain text. Only pages in HTML, XHTML, Markdown
    /// and plain text can be edited.
    pub format: Format,
}

impl Reading {
    /// Returns true if pages of this format can be edited.
    pub fn is_text(self) -> bool {
        matches!(
            self.format,
            Format::Html | Format::Xhtml | Format::Markdown | Format::Text
        )
    }
}

/// A page, or an edited copy of one.
#[derive(Clone, Debug)]
pub struct Page {
    reading: Reading,
    text: String,
    /// Computed on first use: several methods share it, and others do not need it.
    plain: OnceLock<String>,
}

/// A chunk of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The normal form.
    pub normal: String,
    /// The number of characters of the normal form.
    pub chars: usize,
}

impl Page {
    /// Creates a page from its decoded text, including markup.
    pub fn new(reading: Reading, text: String) -> Self {
        Self {
            reading,
            text,
            plain: OnceLock::new(),
        }
    }

    /// Returns the way the page is read.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns the syntax in which edits read the page's markup.
    pub(crate) fn syntax(&self) -> Syntax {
        if self.reading.format == Format::Xhtml {
            Syntax::Xml
        } else {
            Syntax::ScriptedHtml
        }
    }

    /// Returns the text, including markup.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns a page with another text that is read in the same way.
    #[must_use]
    pub fn with_text(&self, text: String) -> Self {
        Self::new(self.reading, text)
    }

    /// Returns the normalised plain text, as `fuzzy` hashes it; empty if the page cannot be converted.
    pub fn plain(&self) -> &str {
        self.plain.get_or_init(|| {
            let converter = Converter {
                limits: ConvertLimits::DEFAULT,
                main_content: false,
                pdf: PdfTool::InProcess,
            };
            let plain = converter.plain(self.reading.format, self.text.as_bytes());
            plain
                .map(|plain| normalize(&plain.text))
                .unwrap_or_default()
        })
    }

    /// Returns the distinct phrases of the visible text, ascending, as `near` compares them.
    pub fn phrases(&self) -> Vec<u64> {
        let mut shingler = Shingler::new();
        self.visible_runs(|run| shingler.add(run));
        let mut phrases = shingler.phrases().to_vec();
        phrases.sort_unstable();
        phrases.dedup();
        phrases
    }

    /// Returns the words of the visible text as hashes.
    pub fn tokens(&self) -> Vec<u64> {
        let mut shingler = Shingler::new();
        self.visible_runs(|run| shingler.add(run));
        shingler.tokens().to_vec()
    }

    /// Calls `see` with the span and the lower-case form of every visible word.
    pub(crate) fn each_word(&self, mut see: impl FnMut(Range<usize>, &str)) {
        visible_runs_in_page(self.reading.content, &self.text, |run| {
            words(run.text, |range, word| {
                see(run.in_page(range), word);
            });
        });
    }

    /// Calls `see` with each run of visible text.
    fn visible_runs(&self, see: impl FnMut(&str)) {
        visible_runs(self.reading.content, &self.text, see);
    }

    /// Returns the chunks with visible text and at least `chars_min` characters, in order.
    pub fn chunks(&self, form: ChunkForm, chars_min: usize) -> Vec<Chunk> {
        let content = self.reading.content;
        let pieces = Cutter::new(content, &self.text);
        pieces
            .filter_map(|piece| {
                let mut normal = String::new();
                let raw = &self.text[piece.start..piece.end];
                let measure = normalize_chunk(content, form, raw, &mut normal);
                let chars = measure.chars as usize;
                (measure.visible && chars >= chars_min.max(1)).then_some(Chunk { normal, chars })
            })
            .collect()
    }

    /// Returns the fingerprint of the whole text.
    pub fn fingerprint(&self) -> Fingerprint {
        HashKind::Sha256.fingerprint(self.text.as_bytes())
    }
}
