//! Flags that several commands share.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use reprise_engine::signatures::{Signing, SigningOptions};
use reprise_engine::{
    CampaignOptions, ChunkSettings, ConvertOptions, Corpus, IndexOptions, LimitOptions, PdfTool,
    Progress, Resources, SigningFiles, StopRules, defaults, stop_rules,
};

use crate::failure::Usage;
use crate::{input_name, pdf_text, size};

/// The memory limit.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct MemoryFlag {
    /// Memory limit, at least 64M [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, hide_short_help = true)]
    memory: Option<usize>,
}

/// The number of threads.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct ThreadsFlag {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", hide_short_help = true)]
    threads: Option<usize>,
}

impl MemoryFlag {
    pub(crate) fn resources(self) -> Resources {
        resources(self, ThreadsFlag::default())
    }
}

/// Combines both flags. The engine checks the values.
pub(crate) fn resources(memory: MemoryFlag, threads: ThreadsFlag) -> Resources {
    Resources {
        memory_bytes: memory.memory.unwrap_or(defaults::MEMORY_BYTES),
        threads: threads.threads,
    }
}

/// How archives are read.
#[derive(clap::Args, Clone)]
pub(crate) struct IndexFlags {
    /// URL under which the files are published; the path of each file is added to it [default: file:///...]
    #[arg(long, value_name = "URL", value_parser = input_name::base_url_parser(), hide_short_help = true)]
    base_url: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingFlags,
}

/// The memory, threads and limits of a command that reads archives.
#[derive(clap::Args, Clone)]
pub(crate) struct ReadingFlags {
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    memory: MemoryFlag,
    /// Write a segment to disk when it uses this much memory [default: about a fifth of --memory]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, hide_short_help = true)]
    segment_size: Option<usize>,
    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

impl IndexFlags {
    pub(crate) fn options(&self) -> IndexOptions {
        IndexOptions {
            base_url: self.base_url.clone(),
            ..self.reading.options()
        }
    }
}

impl ReadingFlags {
    pub(crate) fn options(&self) -> IndexOptions {
        IndexOptions {
            segment_bytes: self.segment_size,
            limits: self.limits.options(),
            ..IndexOptions::default()
        }
    }

    pub(crate) fn resources(&self) -> Resources {
        resources(self.memory, self.threads)
    }
}

/// The limits on a record.
#[derive(clap::Args, Clone, Copy)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are flags, and all begin with --max"
)]
pub(crate) struct LimitFlags {
    /// Skip a page if its content (body) is larger, and count it as `too_large` [default: a 64th of --memory, at most 64M]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, hide_short_help = true)]
    max_body: Option<usize>,
    /// Skip a record if its header, or its HTTP header, is larger [default: 64K]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, hide_short_help = true)]
    max_header: Option<usize>,
    /// Skip a page if it decompresses to more than N times its size; 1M is always allowed
    #[arg(long, value_name = "N", value_parser = size::at_least_one, hide_short_help = true)]
    max_ratio: Option<usize>,
    /// Unpack a body at most N times, and read mails inside mails at most N deep
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_nesting: Option<usize>,
}

impl LimitFlags {
    pub(crate) fn options(self) -> LimitOptions {
        LimitOptions {
            body_bytes: self.max_body,
            header_bytes: self.max_header,
            ratio: self.max_ratio,
            nesting: self.max_nesting,
        }
    }
}

/// The chunks that do not count.
#[derive(clap::Args, Clone)]
pub(crate) struct StopFlags {
    /// Ignore chunks with fewer characters
    #[arg(long, value_name = "N")]
    pub(crate) min_length: Option<u64>,
    /// File of chunks that do not count, one per line: the 40 hexadecimal digits of a fingerprint, or the
    /// text of a chunk
    #[arg(long = "stop", value_name = "FILE", hide_short_help = true)]
    pub(crate) list: Option<PathBuf>,
}

impl StopFlags {
    /// Returns the rules. `min_length` applies if the flag is not given.
    pub(crate) fn rules(
        &self,
        min_length: u64,
        settings: ChunkSettings,
    ) -> Result<StopRules, reprise_engine::Error> {
        let min_length = self.min_length.unwrap_or(min_length);
        stop_rules(min_length, self.list.as_deref(), settings)
    }
}

/// How documents become plain text.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct ConvertFlags {
    /// Keep only the main content of HTML, without menus and other surroundings
    #[arg(long, hide_short_help = true)]
    main_content: bool,
    /// Read PDFs with the program pdftotext; its version influences the result
    #[arg(long, hide_short_help = true)]
    pdftotext: bool,
}

impl ConvertFlags {
    /// Returns the options. PDFs are read by a child process, whose memory and time are limited.
    pub(crate) fn options(self) -> anyhow::Result<ConvertOptions> {
        let pdf = if self.pdftotext {
            PdfTool::pdftotext().ok_or_else(|| {
                Usage("pdftotext is not installed; Debian has it in poppler-utils".to_owned())
            })?
        } else {
            PdfTool::Program {
                program: std::env::current_exe().context("cannot find the program's own file")?,
                arguments: vec![OsString::from(pdf_text::NAME)],
            }
        };
        Ok(ConvertOptions {
            main_content: self.main_content,
            pdf,
        })
    }
}

/// How documents are signed.
#[derive(clap::Args, Clone)]
pub(crate) struct SignFlags {
    /// Lexicon from `imatch train`
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// File of contexts from `imatch train`; with it, a term counts only if a known neighbouring word is next to it
    #[arg(
        long,
        value_name = "FILE",
        requires = "lexicon",
        hide_short_help = true
    )]
    contexts: Option<PathBuf>,
    /// Larger lexicon for documents with too few terms of the first one
    #[arg(
        long,
        value_name = "FILE",
        requires = "lexicon",
        hide_short_help = true
    )]
    second_lexicon: Option<PathBuf>,
    /// Contexts of the larger lexicon
    #[arg(
        long,
        value_name = "FILE",
        requires = "second_lexicon",
        hide_short_help = true
    )]
    second_contexts: Option<PathBuf>,
    /// Give no signature to documents with fewer lexicon terms [default: 5, or 20 if --contexts is given]
    #[arg(long, value_name = "N", hide_short_help = true)]
    min_terms: Option<u32>,
    /// Also use K copies of the lexicon, each without some terms; two documents match if they match in any of the lexicons
    #[arg(long, value_name = "K", hide_short_help = true)]
    randomised: Option<u32>,
    /// Share of the terms that each further lexicon lacks
    #[arg(long, value_name = "X", default_value_t = defaults::imatch::DROPPED_SHARE, hide_short_help = true)]
    dropped_share: f64,
    /// Seed of the further lexicons; keep it secret
    #[arg(long, value_name = "N", default_value_t = defaults::imatch::LEXICON_SEED, hide_short_help = true)]
    lexicon_seed: u64,
}

impl SignFlags {
    /// Returns one of the flags that are given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        if self.lexicon.is_some() {
            Some("--lexicon")
        } else if self.min_terms.is_some() {
            Some("--min-terms")
        } else {
            self.randomised.map(|_| "--randomised")
        }
    }

    /// Reads the lexicon, which must be given.
    pub(crate) fn read(&self) -> anyhow::Result<Signing> {
        let files = self.files().ok_or_else(|| {
            Usage("--lexicon is missing; make one with `reprise imatch train`".to_owned())
        })?;
        Ok(files.read(&self.options(0))?)
    }

    /// Reads the lexicon, or trains one on the corpus.
    pub(crate) fn read_or_train(
        &self,
        corpus: &Corpus,
        convert: &ConvertOptions,
        progress: &dyn Progress,
    ) -> anyhow::Result<Signing> {
        let options = self.options(defaults::imatch::RANDOMISED_LEXICONS);
        Ok(match self.files() {
            Some(files) => files.read(&options)?,
            None => corpus.train_signing(&options, convert, progress)?,
        })
    }

    /// Returns how a report looks for campaigns.
    pub(crate) fn campaigns(&self) -> CampaignOptions {
        CampaignOptions {
            in_any_corpus: self.given().is_some(),
            files: self.files(),
            signing: self.options(defaults::imatch::RANDOMISED_LEXICONS),
        }
    }

    fn files(&self) -> Option<SigningFiles> {
        Some(SigningFiles {
            lexicon: self.lexicon.clone()?,
            contexts: self.contexts.clone(),
            second_lexicon: self.second_lexicon.clone(),
            second_contexts: self.second_contexts.clone(),
        })
    }

    fn options(&self, randomised: u32) -> SigningOptions {
        SigningOptions {
            terms_min: self.min_terms,
            randomised: self.randomised.unwrap_or(randomised),
            dropped_share: self.dropped_share,
            seed: self.lexicon_seed,
        }
    }
}
