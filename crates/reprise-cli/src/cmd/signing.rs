//! How documents are signed: the flags that several commands share.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::imatch::{
    Contexts, FileError, Lexicon, Part, Randomised, Signer, SignerConfig, SignerError, Statistics,
    TermRules, TrainOptions, choose_lexicon, defaults,
};
use reprise_engine::{ArchiveSignatures, ArchiveTexts};

use crate::exit::Usage;

/// How documents are signed.
#[derive(clap::Args, Clone)]
pub(crate) struct SignFlags {
    /// Lexicon, as `imatch train` writes it [near, report: trained on the corpus itself by frequency]
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// Contexts, as `imatch train` writes them: a term counts only beside a neighbour that is known there
    #[arg(long, value_name = "FILE", requires = "lexicon")]
    contexts: Option<PathBuf>,
    /// Larger lexicon for documents in which the first finds too few terms
    #[arg(long, value_name = "FILE", requires = "lexicon")]
    second_lexicon: Option<PathBuf>,
    /// Contexts of the larger lexicon
    #[arg(long, value_name = "FILE", requires = "second_lexicon")]
    second_contexts: Option<PathBuf>,
    /// Lexicon terms without which a document has no signature [default: 5; with contexts 20]
    #[arg(long, value_name = "N")]
    min_terms: Option<u32>,
    /// Further lexicons, each without some terms: documents match by any of them [default: 0; near, report: 10]
    #[arg(long, value_name = "K")]
    randomised: Option<u32>,
    /// Share of the terms that each of these lacks
    #[arg(long, value_name = "X", default_value_t = defaults::DROPPED_SHARE)]
    dropped_share: f64,
    /// What these follow from: keep it to yourself
    #[arg(long, value_name = "N", default_value_t = defaults::LEXICON_SEED)]
    lexicon_seed: u64,
}

/// What documents are signed with.
pub(crate) struct Signing {
    primary: Terms,
    secondary: Option<Terms>,
    config: SignerConfig,
    is_own: bool,
}

/// A lexicon, perhaps with contexts.
struct Terms {
    lexicon: Lexicon,
    contexts: Option<Contexts>,
}

impl SignFlags {
    /// Is any of them given?
    pub(crate) fn is_given(&self) -> bool {
        self.lexicon.is_some() || self.min_terms.is_some() || self.randomised.is_some()
    }

    /// Reads what the flags name, which must be a lexicon at least.
    pub(crate) fn read(&self, randomised: u32) -> anyhow::Result<Signing> {
        let Some(lexicon) = &self.lexicon else {
            let message = "--lexicon is missing; make one with `reprise imatch train`";
            return Err(Usage(message.to_owned()).into());
        };
        let primary = Terms::read(lexicon, self.contexts.as_deref())?;
        let second_contexts = self.second_contexts.as_deref();
        let secondary = (self.second_lexicon.as_deref())
            .map(|lexicon| Terms::read(lexicon, second_contexts))
            .transpose()?;
        Ok(self.signing(primary, secondary, randomised))
    }

    /// The same, but without a lexicon one is trained on the documents themselves.
    pub(crate) fn read_or_train(
        &self,
        texts: &ArchiveTexts<'_>,
        randomised: u32,
        memory_bytes: usize,
    ) -> anyhow::Result<Signing> {
        if self.lexicon.is_some() {
            return self.read(randomised);
        }
        let mut statistics = Statistics::within(TermRules::DEFAULT, memory_bytes / 2);
        texts.for_each_terms(&TermRules::DEFAULT, |_, terms| statistics.add(terms, None))?;
        let options = TrainOptions::for_own_documents(statistics.documents().all);
        let lexicon = choose_lexicon(&statistics, &options).map_err(|error| {
            Usage(format!(
                "no lexicon can be made of these documents: {error}"
            ))
        })?;
        let contexts = None;
        Ok(self.signing(Terms { lexicon, contexts }, None, randomised))
    }

    fn signing(&self, primary: Terms, secondary: Option<Terms>, randomised: u32) -> Signing {
        let overlap_min = self.min_terms;
        let overlap_min = overlap_min.unwrap_or(primary.part().overlap_min_default());
        let lexicons = self.randomised.unwrap_or(randomised);
        Signing {
            is_own: self.lexicon.is_none(),
            primary,
            secondary,
            config: SignerConfig {
                overlap_min,
                randomised: (lexicons > 0).then_some(Randomised {
                    lexicons,
                    dropped_share: self.dropped_share,
                    seed: self.lexicon_seed,
                }),
            },
        }
    }
}

impl Signing {
    /// The lexicon that is asked first.
    pub(crate) fn lexicon(&self) -> &Lexicon {
        &self.primary.lexicon
    }

    /// Was it trained on the documents themselves?
    pub(crate) fn is_own(&self) -> bool {
        self.is_own
    }

    /// Its contexts.
    pub(crate) fn contexts(&self) -> Option<&Contexts> {
        self.primary.contexts.as_ref()
    }

    /// The lexicon that is asked first, with its contexts.
    pub(crate) fn part(&self) -> Part<'_> {
        self.primary.part()
    }

    /// How signatures are made.
    pub(crate) fn config(&self) -> SignerConfig {
        self.config
    }

    /// A signer by all this.
    pub(crate) fn signer(&self) -> Result<Signer<'_>, Usage> {
        Signer::new(self.primary.part(), self.second_part(), self.config).map_err(usage)
    }

    /// A reader of signatures.
    pub(crate) fn reader<'s>(
        &'s self,
        texts: ArchiveTexts<'s>,
    ) -> Result<ArchiveSignatures<'s>, Usage> {
        ArchiveSignatures::new(texts, self.primary.part(), self.second_part(), self.config)
            .map_err(usage)
    }

    fn second_part(&self) -> Option<Part<'_>> {
        self.secondary.as_ref().map(Terms::part)
    }
}

impl Terms {
    fn read(lexicon: &Path, contexts: Option<&Path>) -> Result<Terms, Usage> {
        let (lexicon, contexts) = read_lexicon(lexicon, contexts)?;
        Ok(Terms { lexicon, contexts })
    }

    fn part(&self) -> Part<'_> {
        Part {
            lexicon: &self.lexicon,
            contexts: self.contexts.as_ref(),
        }
    }
}

/// Reads a lexicon, and the contexts of its terms.
pub(crate) fn read_lexicon(
    lexicon: &Path,
    contexts: Option<&Path>,
) -> Result<(Lexicon, Option<Contexts>), Usage> {
    let read = |path: &Path| {
        fs::read(path).map_err(|error| Usage(format!("cannot read {}: {error}", path.display())))
    };
    let wrong = |path: &Path, error: &FileError| {
        let path = path.display();
        Usage(format!(
            "{path}: {error}; `reprise imatch train` writes such files"
        ))
    };
    let words = Lexicon::parse(&read(lexicon)?).map_err(|error| wrong(lexicon, &error))?;
    let contexts = contexts
        .map(|path| Contexts::parse(&read(path)?, &words).map_err(|error| wrong(path, &error)))
        .transpose()?;
    Ok((words, contexts))
}

#[allow(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn usage(error: SignerError) -> Usage {
    Usage(error.to_string())
}
