//! From the bytes of a document to its plain text.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::error::ConvertError;
use crate::format::Format;
use crate::limits::{Clock, ConvertLimits};
use crate::normal::normalize;
use crate::paragraphs::Paragraphs;
use crate::{child, docx, epub, html, markdown, odt, pdf, rtf};

/// How documents are converted.
#[derive(Clone, Debug)]
pub struct Converter {
    /// What a hostile file may cost.
    pub limits: ConvertLimits,
    /// Keep the main content of HTML only, without what surrounds it on every page of a site. On 181
    /// pages of news that keeps 99 % of the article's words, and 92 % of what is kept are such words;
    /// of all text it is 53 %.
    pub main_content: bool,
    /// What reads PDFs.
    pub pdf: PdfTool,
}

/// What reads PDFs.
#[derive(Clone, Debug)]
pub enum PdfTool {
    /// A program: the document at its standard input, UTF-8 text at its standard output.
    Program {
        /// What is run, within the limits.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<OsString>,
    },
    /// This process: no limit of memory holds, and a panic that is caught is still reported on
    /// standard error.
    InProcess,
}

impl PdfTool {
    /// `pdftotext` of the Poppler tools, where it is installed.
    pub fn pdftotext() -> Option<PdfTool> {
        let path = std::env::var_os("PATH")?;
        let program = std::env::split_paths(&path)
            .map(|directory| directory.join(format!("pdftotext{}", std::env::consts::EXE_SUFFIX)))
            .find(|program| program.is_absolute() && program.is_file())?;
        let arguments = ["-q", "-nopgbrk", "-enc", "UTF-8", "-", "-"];
        Some(PdfTool::Program {
            program,
            arguments: arguments.map(OsString::from).to_vec(),
        })
    }
}

/// The plain text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// Paragraphs, separated by one empty line.
    pub text: String,
    /// What the document says it is called. PDFs are not asked.
    pub title: Option<String>,
    /// The text was cut at a limit.
    pub truncated: bool,
}

impl Plain {
    /// One line: what is hashed. See [`normalize`].
    pub fn normal(&self) -> String {
        normalize(&self.text)
    }
}

impl Converter {
    /// The plain text of a document.
    ///
    /// The bytes of HTML, XHTML, Markdown and text are UTF-8 (what is not is replaced); those of the
    /// other formats are the file as it is.
    pub fn plain(&self, format: Format, bytes: &[u8]) -> Result<Plain, ConvertError> {
        let mut work = Work::new(&self.limits);
        let title = match format {
            Format::Html | Format::Xhtml => {
                let is_xml = format == Format::Xhtml;
                html::convert(&utf8(bytes), is_xml, self.main_content, &mut work)?
            }
            Format::Docx => docx::convert(bytes, &mut work)?,
            Format::Odt => odt::convert(bytes, &mut work)?,
            Format::Epub => epub::convert(bytes, &mut work)?,
            Format::Rtf => rtf::convert(bytes, &mut work)?,
            Format::Markdown => markdown::convert(&utf8(bytes), &mut work)?,
            Format::Text => {
                work.out.push_lines(&utf8(bytes));
                None
            }
            Format::Pdf => return self.pdf(bytes),
        };
        let (text, truncated) = work.out.finish();
        let title = title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
        Ok(Plain {
            text,
            title: title.filter(|title| !title.is_empty()),
            truncated: truncated || work.is_cut,
        })
    }

    fn pdf(&self, bytes: &[u8]) -> Result<Plain, ConvertError> {
        let (text, is_cut) = match &self.pdf {
            PdfTool::Program { program, arguments } => {
                child::run(program, arguments, bytes, &self.limits)?
            }
            PdfTool::InProcess => pdf::text_within(bytes, &self.limits)?,
        };
        let mut out = Paragraphs::new(self.limits.text_bytes_max);
        out.push_lines(&text);
        let (text, is_full) = out.finish();
        Ok(Plain {
            text,
            title: None,
            truncated: is_cut || is_full,
        })
    }
}

/// What a conversion in this process writes to and is held to.
#[derive(Debug)]
pub(crate) struct Work<'l> {
    pub(crate) out: Paragraphs,
    pub(crate) limits: &'l ConvertLimits,
    pub(crate) clock: Clock,
    /// Something was left out for a limit's sake.
    pub(crate) is_cut: bool,
}

impl<'l> Work<'l> {
    pub(crate) fn new(limits: &'l ConvertLimits) -> Work<'l> {
        Work {
            out: Paragraphs::new(limits.text_bytes_max),
            limits,
            clock: Clock::start(limits),
            is_cut: false,
        }
    }
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(bytes)
}
