//! A page as it was captured, and what methods see of it.

use std::ops::Range;
use std::sync::OnceLock;

use reprise_convert::{ConvertLimits, Converter, Format, PdfTool, normalize};
use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::{Shingler, words};
use reprise_text::tokens::Syntax;
use reprise_text::{
    ChunkForm, Content, Cutter, normalize as normalize_chunk, visible_runs, visible_runs_in_page,
};

/// What stays the same under all edits: how a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How the text is cut into chunks, and whether it is HTML.
    pub content: Content,
    /// How it becomes plain text. HTML, XHTML, Markdown and text are what edits can be made in.
    pub format: Format,
}

impl Reading {
    /// Is this a format in which a page of text can be?
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
    /// Made when it is first asked for: several methods share it, and some need none.
    plain: OnceLock<String>,
}

/// A chunk of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its normal form.
    pub normal: String,
    /// Characters of that.
    pub chars: usize,
}

impl Page {
    /// A page with this text, decoded, markup and all.
    pub fn new(reading: Reading, text: String) -> Self {
        Self {
            reading,
            text,
            plain: OnceLock::new(),
        }
    }

    /// How it is read.
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

    /// All of it, as captured.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same page with another text.
    #[must_use]
    pub fn with_text(&self, text: String) -> Self {
        Self::new(self.reading, text)
    }

    /// The plain text in normal form, as `fuzzy` hashes it; nothing where the page cannot be converted.
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

    /// The distinct phrases of the text that the page shows, ascending, as `near` compares them.
    pub fn phrases(&self) -> Vec<u64> {
        let mut shingler = Shingler::new();
        self.visible_runs(|run| shingler.add(run));
        let mut phrases = shingler.phrases().to_vec();
        phrases.sort_unstable();
        phrases.dedup();
        phrases
    }

    /// The words of the text that the page shows, as numbers.
    pub fn tokens(&self) -> Vec<u64> {
        let mut shingler = Shingler::new();
        self.visible_runs(|run| shingler.add(run));
        shingler.tokens().to_vec()
    }

    /// Calls `see` with every word that the page shows, in lower case, and where it stands in the text.
    pub(crate) fn each_word(&self, mut see: impl FnMut(Range<usize>, &str)) {
        visible_runs_in_page(self.reading.content, &self.text, |run| {
            words(run.text, |range, word| {
                see(run.in_page(range), word);
            });
        });
    }

    /// Calls `see` with each run of text that the page shows.
    fn visible_runs(&self, see: impl FnMut(&str)) {
        visible_runs(self.reading.content, &self.text, see);
    }

    /// Its chunks that show text and have at least so many characters, in order.
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

    /// The fingerprint of the whole text.
    pub fn fingerprint(&self) -> Fingerprint {
        HashKind::Sha256.fingerprint(self.text.as_bytes())
    }
}
