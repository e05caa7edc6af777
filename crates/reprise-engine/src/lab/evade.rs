//! The experiment on evasion, over a sample of a corpus.

use rayon::prelude::*;
use reprise_imatch::{Contexts, SigningTerms};
use reprise_lab::{
    ChunkHash, EditKind, Edits, EvadeOptions, FileHash, FuzzyHash, IMatch, Method, MethodKind,
    Nilsimsa, Page, Shingles, Tried, Vocabulary, defaults, finders, quartiles, summarize, train,
};
use reprise_near::defaults::{SCORE, SIMILARITY};
use reprise_report::results::{Evasion, EvasionMethod};
use reprise_store::{CorpusReader, Progress, StoreError, Unit};

use super::sample::{Sampled, sample};
use super::{LabError, check_least};

/// The most pages beside the edited ones. They provide the inserted words and the lexicon.
const OTHERS_MAX: usize = 1_000;

/// With fewer other pages than this, the edited pages provide words and lexicon too.
const OTHERS_MIN: usize = 20;

/// Tries methods against kinds of edits.
///
/// - Input: a corpus whose archives still exist.
/// - Output: a row for each method and kind of edit, in the order of [`EditKind::ALL`] and
///   [`MethodKind::ALL`].
/// - Errors: [`LabError`].
/// - Memory: the text of the drawn pages, up to 1,000 more than [`EvadeOptions::documents`], each of at most
///   [`PAGE_BYTES_MAX`](super::PAGE_BYTES_MAX) bytes.
/// - Threads: those of rayon. The result does not depend on them.
///
/// Algorithm:
/// 1. Draw pages and read them again.
/// 2. Take the first pages as documents; take words, lexicon and contexts from the others.
/// 3. Edit each document more and more, until each method misses it.
pub(super) fn evade(
    corpus: &CorpusReader,
    options: &EvadeOptions,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Evasion, LabError> {
    check_least("documents", options.documents, 1)?;
    let count = options.documents.saturating_add(OTHERS_MAX);
    let (mut drawn, unused) = sample(corpus, threads, count, options.seed, progress)?;
    let others = drawn.split_off(options.documents.min(drawn.len()));
    let documents = drawn;
    let mut notes = Vec::new();
    let mut training: Vec<&Page> = others.iter().map(|other| &other.page).collect();
    if training.len() < OTHERS_MIN {
        notes.push(format!(
            "the corpus has only {} beside the {} edited, so words and lexicon come from these too",
            pages(training.len()),
            documents.len()
        ));
        training.extend(documents.iter().map(|document| &document.page));
    }
    let vocabulary = Vocabulary::of(training.iter().copied());
    let terms = terms(options, &training, &mut notes);
    let methods = methods(corpus, options, terms.as_ref(), &mut notes)?;
    let edits = chosen(&EditKind::ALL, &options.edits);
    progress.begin("editing", documents.len() as u64, Unit::Pages);
    let tried: Vec<Tried> = documents
        .par_iter()
        .map(|document| {
            progress.check()?;
            let tried = try_document(document, &edits, options.seed, &methods, &vocabulary);
            progress.advance(1);
            Ok(tried)
        })
        .collect::<Result<_, StoreError>>()?;
    let kinds: Vec<MethodKind> = methods.iter().map(|method| method.kind()).collect();
    let words = tried.iter().map(|page| Some(page.words as u64));
    Ok(Evasion {
        corpus: corpus.path().display().to_string(),
        documents: tried.len() as u64,
        seed: options.seed,
        words: quartiles(words.collect()),
        vocabulary: vocabulary.len() as u64,
        methods: methods
            .iter()
            .map(|method| EvasionMethod {
                method: method.kind().to_string(),
                rule: method.rule(),
            })
            .collect(),
        rows: summarize(&kinds, &edits, &tried),
        unused,
        notes,
    })
}

/// Returns those of `all` that are `wanted`, each once and in the order of `all`.
fn chosen<T: Copy + PartialEq>(all: &[T], wanted: &[T]) -> Vec<T> {
    let is_wanted = |one: &&T| wanted.contains(one);
    all.iter().filter(is_wanted).copied().collect()
}

fn pages(count: usize) -> String {
    match count {
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    }
}

/// Returns the lexicon of the options, or one from the training pages if a method needs it.
fn terms(
    options: &EvadeOptions,
    training: &[&Page],
    notes: &mut Vec<String>,
) -> Option<SigningTerms> {
    if options.terms.is_some() {
        return options.terms.clone();
    }
    let is_imatch =
        |kind: &MethodKind| matches!(kind, MethodKind::IMatch | MethodKind::IMatchContext);
    if !options.methods.iter().any(is_imatch) {
        return None;
    }
    match train(training) {
        Ok(terms) => {
            notes.push(format!(
                "I-Match was trained on {}: {} terms, {} contexts",
                pages(training.len()),
                terms.lexicon.len(),
                terms.contexts.as_ref().map_or(0, Contexts::len)
            ));
            Some(terms)
        }
        Err(error) => {
            notes.push(format!(
                "I-Match is left out: {error}; provide a lexicon, or use a larger corpus"
            ));
            None
        }
    }
}

fn methods<'t>(
    corpus: &CorpusReader,
    options: &EvadeOptions,
    terms: Option<&'t SigningTerms>,
    notes: &mut Vec<String>,
) -> Result<Vec<Box<dyn Method + 't>>, LabError> {
    let mut methods: Vec<Box<dyn Method + 't>> = Vec::new();
    for kind in chosen(&MethodKind::ALL, &options.methods) {
        let contexts = terms.and_then(|terms| terms.contexts.as_ref());
        methods.push(match (kind, terms) {
            (MethodKind::File, _) => Box::new(FileHash),
            (MethodKind::Chunk, _) => Box::new(ChunkHash {
                form: corpus.chunk_settings().chunk,
                chars_min: options.chars_min,
            }),
            (MethodKind::Shingle, _) => Box::new(Shingles {
                similarity_min: SIMILARITY,
            }),
            (MethodKind::Fuzzy, _) => Box::new(FuzzyHash { score_min: SCORE }),
            (MethodKind::Nilsimsa, _) => Box::new(Nilsimsa {
                score_min: defaults::NILSIMSA_THRESHOLD,
            }),
            (MethodKind::IMatch, Some(terms)) => {
                Box::new(IMatch::new(&terms.lexicon, None, defaults::OVERLAP_MIN)?)
            }
            (MethodKind::IMatchContext, Some(terms)) if contexts.is_some() => Box::new(
                IMatch::new(&terms.lexicon, contexts, defaults::OVERLAP_MIN)?,
            ),
            (MethodKind::IMatchContext, Some(_)) => {
                notes.push(
                    "I-Match with contexts is left out: the lexicon was provided without contexts"
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
    edits: &[EditKind],
    seed: u64,
    methods: &[Box<dyn Method + '_>],
    vocabulary: &Vocabulary,
) -> Tried {
    let page = &document.page;
    let finders = finders(methods, page);
    let trials = edits
        .iter()
        .map(|&kind| {
            let edits = Edits::of(page, kind, vocabulary, &document.url, seed);
            reprise_lab::evade(&finders, kind, &edits)
        })
        .collect();
    Tried {
        words: page.tokens().len(),
        trials,
    }
}
