//! Edits until a copy is no longer found, over a sample of a corpus.

use rayon::prelude::*;
use reprise_imatch::{Contexts, Lexicon, TrainError};
use reprise_ingest::RecordLimits;
use reprise_lab::{
    ChunkHash, EditKind, Edits, FileHash, FuzzyHash, IMatch, Method, MethodKind, Nilsimsa,
    OVERLAP_MIN, Page, Quartiles, Row, Shingles, Trained, Tried, Vocabulary, finders,
    nilsimsa::THRESHOLD, summarize, train,
};
use reprise_near::{SCORE_DEFAULT, SIMILARITY_DEFAULT};
use reprise_store::Corpus;

use super::LabError;
use super::sample::{Sampled, Unused, sample};

/// Pages beside those that are edited: the words that are put in come from them, and the lexicon.
const OTHERS_MAX: usize = 1_000;

/// Fewer others than this are no training set: then the edited pages help.
const OTHERS_MIN: usize = 20;

/// What is tried.
#[derive(Debug)]
pub struct EvadeSettings {
    /// Hard limits on a record.
    pub limits: RecordLimits,
    /// Threads that read archives; the edits are made on rayon's.
    pub threads: usize,
    /// Pages whose copies are edited.
    pub documents: usize,
    /// What is drawn follows from it: pages, edits, words.
    pub seed: u64,
    /// Shorter chunks are stop chunks.
    pub chars_min: usize,
    /// The methods, each once.
    pub methods: Vec<MethodKind>,
    /// The kinds of edits, each once.
    pub edits: Vec<EditKind>,
    /// What I-Match goes by; otherwise it is trained on other pages of the corpus.
    pub terms: Option<Terms>,
}

/// A lexicon, and contexts for the hardened variant.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The terms that count.
    pub lexicon: Lexicon,
    /// Where they count.
    pub contexts: Option<Contexts>,
}

/// A method, and when it takes a page for a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodRule {
    /// The method.
    pub method: MethodKind,
    /// In a few words, with its threshold.
    pub rule: String,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Evasion {
    /// Pages whose copies were edited.
    pub documents: usize,
    /// Words of these.
    pub words: Quartiles<usize>,
    /// Distinct words that were put into copies.
    pub vocabulary: usize,
    /// The methods that were tried.
    pub methods: Vec<MethodRule>,
    /// By edit, then by method.
    pub rows: Vec<Row>,
    /// Pages that were drawn and could not be used.
    pub unused: Unused,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// Tries all methods against all kinds of edits.
///
/// Input: a corpus whose archives are still there. Output: a row for each method and kind of edit.
/// Errors: [`LabError`]. Memory: the text of the pages drawn, at most a thousand more than asked for,
/// of at most [`PAGE_BYTES_MAX`](super::PAGE_BYTES_MAX) bytes each. Threads: rayon's; the result does not depend on them.
///
/// Algorithm: (1) pages are drawn and read again; (2) the first are the documents, the others give
/// words, a lexicon and contexts; (3) each document is edited more and more until a method misses it.
pub fn evade(corpus: &Corpus, settings: &EvadeSettings) -> Result<Evasion, LabError> {
    let count = settings.documents.saturating_add(OTHERS_MAX);
    let (mut drawn, unused) = sample(
        corpus,
        settings.limits,
        settings.threads,
        count,
        settings.seed,
    )?;
    let others = drawn.split_off(settings.documents.min(drawn.len()));
    let documents = drawn;
    let mut notes = Vec::new();
    let mut training: Vec<&Page> = others.iter().map(|other| &other.page).collect();
    if training.len() < OTHERS_MIN {
        notes.push(format!(
            "the corpus has only {} beside the {} edited: words and lexicon come from these too",
            pages(training.len()),
            documents.len()
        ));
        training.extend(documents.iter().map(|document| &document.page));
    }
    let vocabulary = Vocabulary::of(training.iter().copied());
    let terms = terms(settings, &training, &mut notes);
    let methods = methods(corpus, settings, terms.as_ref(), &mut notes)?;
    let tried: Vec<Tried> = documents
        .par_iter()
        .map(|document| try_document(document, settings, &methods, &vocabulary))
        .collect();
    let kinds: Vec<MethodKind> = methods.iter().map(|method| method.kind()).collect();
    Ok(Evasion {
        documents: tried.len(),
        words: Quartiles::of(tried.iter().map(|page| Some(page.words)).collect()),
        vocabulary: vocabulary.len(),
        methods: methods
            .iter()
            .map(|method| MethodRule {
                method: method.kind(),
                rule: method.rule(),
            })
            .collect(),
        rows: summarize(&kinds, &settings.edits, &tried),
        unused,
        notes,
    })
}

fn pages(count: usize) -> String {
    match count {
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    }
}

/// The lexicon that was given, or one from other pages if a method needs it.
fn terms(settings: &EvadeSettings, training: &[&Page], notes: &mut Vec<String>) -> Option<Terms> {
    if settings.terms.is_some() {
        return settings.terms.clone();
    }
    let is_imatch =
        |kind: &MethodKind| matches!(kind, MethodKind::IMatch | MethodKind::IMatchContext);
    if !settings.methods.iter().any(is_imatch) {
        return None;
    }
    match train(training) {
        Ok(Trained { lexicon, contexts }) => {
            notes.push(format!(
                "I-Match was trained on {}: {} terms, {} contexts",
                pages(training.len()),
                lexicon.len(),
                contexts.len()
            ));
            Some(Terms {
                lexicon,
                contexts: Some(contexts),
            })
        }
        Err(error) => {
            notes.push(untrained(&error));
            None
        }
    }
}

fn untrained(error: &TrainError) -> String {
    format!("I-Match is left out: {error}; name a lexicon with --lexicon, or use a larger corpus")
}

fn methods<'t>(
    corpus: &Corpus,
    settings: &EvadeSettings,
    terms: Option<&'t Terms>,
    notes: &mut Vec<String>,
) -> Result<Vec<Box<dyn Method + 't>>, LabError> {
    let mut methods: Vec<Box<dyn Method + 't>> = Vec::new();
    for kind in &settings.methods {
        let contexts = terms.and_then(|terms| terms.contexts.as_ref());
        methods.push(match (kind, terms) {
            (MethodKind::File, _) => Box::new(FileHash),
            (MethodKind::Chunk, _) => Box::new(ChunkHash {
                form: corpus.settings().chunk,
                chars_min: settings.chars_min,
            }),
            (MethodKind::Shingle, _) => Box::new(Shingles {
                similarity_min: SIMILARITY_DEFAULT,
            }),
            (MethodKind::Fuzzy, _) => Box::new(FuzzyHash {
                score_min: SCORE_DEFAULT,
            }),
            (MethodKind::Nilsimsa, _) => Box::new(Nilsimsa {
                score_min: THRESHOLD,
            }),
            (MethodKind::IMatch, Some(terms)) => {
                Box::new(IMatch::new(&terms.lexicon, None, OVERLAP_MIN)?)
            }
            (MethodKind::IMatchContext, Some(terms)) if contexts.is_some() => {
                Box::new(IMatch::new(&terms.lexicon, contexts, OVERLAP_MIN)?)
            }
            (MethodKind::IMatchContext, Some(_)) => {
                notes.push(
                    "I-Match with context is left out: a lexicon was given without --contexts"
                        .to_owned(),
                );
                continue;
            }
            (MethodKind::IMatch | MethodKind::IMatchContext, None) => continue,
        });
    }
    Ok(methods)
}

fn try_document(
    document: &Sampled,
    settings: &EvadeSettings,
    methods: &[Box<dyn Method + '_>],
    vocabulary: &Vocabulary,
) -> Tried {
    let page = &document.page;
    let finders = finders(methods, page);
    let trials = settings
        .edits
        .iter()
        .map(|&kind| {
            let edits = Edits::of(page, kind, vocabulary, &document.url, settings.seed);
            reprise_lab::evade(&finders, kind, &edits)
        })
        .collect();
    Tried {
        words: page.tokens().len(),
        trials,
    }
}
