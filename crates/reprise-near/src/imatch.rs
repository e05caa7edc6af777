//! Finds near-copies by I-Match signatures, such as mails of one campaign with different noise around the
//! payload.

use reprise_fingerprint::Fingerprint;
use reprise_imatch::{Signer, Signing, TermRules, Terms};
use reprise_report::results::NearMethod;
use reprise_shingle::Shingler;
use reprise_store::{CorpusReader, StoreError};

use crate::clusters::{Cluster, Groups, Like, stars};
use crate::documents::Documents;
use crate::near::{ClusterPage, NearFound, read_sets};
use crate::options::{NearContext, NearError};
use crate::phrase_sets::PhraseSets;
use crate::reader::{PageText, TextForm, TextReader};

/// The signatures of a text.
#[derive(Clone, Debug, Default)]
struct Signed {
    /// The signatures. Two texts match if they have one in common.
    signatures: Vec<Fingerprint>,
    /// The numbers of the lexicon terms in the signatures, ascending: the evidence.
    terms: Box<[u32]>,
}

/// The most representatives among the texts with one signature. A signature that needs more says little, and
/// comparing all its texts would take too long.
const REPRESENTATIVES_MAX: u32 = 64;

/// Finds near-copies by signatures.
///
/// Algorithm: (1) pages with the same text become one document; (2) the best document that is in no cluster
/// becomes a representative; (3) a document with a common signature joins it if the larger text has at least
/// `shared` of the smaller text's phrases. With noise around a payload this share is small, but texts that
/// have only lexicon terms in common share hardly any phrases.
pub(crate) fn near<R: TextReader>(
    corpus: &CorpusReader,
    shared: f64,
    signing: &Signing,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, NearError> {
    let signer = signing.signer()?;
    let (rules, terms) = (signing.rules(), signing.terms());
    let sign = || |text: &str| sign(&signer, &rules, &terms, text);
    let (documents, texts, mut unread) = Documents::read_texts(corpus, reader, sign, context)?;
    let distinct = documents.distinct();
    let runs = Runs::of(&distinct, &texts);
    let matching = runs.rows.iter().map(|row| row.1);
    let reading = (reader, TextForm::Plain);
    let phrases = || phrases(rules);
    let (sets, more) = read_sets(&documents, &distinct, matching, reading, phrases, context)?;
    unread.extend(more);
    let groups = Groups::new(&documents, &distinct, context.keep);
    let mut search = Search {
        signed: &texts,
        distinct: &distinct,
        runs: &runs,
        sets: &sets,
        shared,
        representatives: vec![0; runs.rows.len()],
        last_compared: vec![None; distinct.len()],
        compared: 0,
        verified: 0,
        is_crowded: false,
    };
    let found = search.clusters(&groups)?;
    let mut near = NearFound::of(&documents, found, NearMethod::Imatch, context.keep);
    near.set_pairs(search.compared, search.verified, unread);
    near.copies.shared = Some(shared);
    near.terms = shared_terms(&near.rows, &documents, &texts, &terms);
    if search.is_crowded {
        near.copies.warnings.push(
            "many texts have a signature in common and little else: the lexicon says too little about them; train a larger one, or require more terms"
                .to_owned(),
        );
    }
    Ok(near)
}

/// Computes the signatures of a text.
fn sign(signer: &Signer<'_>, rules: &TermRules, terms: &[&str], text: &str) -> Signed {
    let signatures = signer.sign(&Terms::of(text, rules));
    let number = |term: &&str| terms.binary_search(term).ok().map(|at| at as u32);
    Signed {
        terms: signatures.terms.iter().filter_map(number).collect(),
        signatures: signatures.all,
    }
}

/// Returns a function that computes the phrases of a text. The words are folded like terms, so that a
/// campaign with look-alike letters is still verified.
fn phrases(rules: TermRules) -> impl FnMut(PageText<'_>) -> Vec<u64> {
    let every_word = TermRules {
        drop_numbers: false,
        chars_min: 1,
        chars_max: u32::MAX,
        ..rules
    };
    let mut shingler = Shingler::new();
    move |text| {
        shingler.clear();
        let (PageText::Plain(text) | PageText::Page(_, text)) = text;
        for word in Terms::of(text, &every_word).iter() {
            shingler.add(word);
        }
        shingler.phrases().to_vec()
    }
}

/// The state of the search for clusters.
struct Search<'s> {
    signed: &'s [Signed],
    distinct: &'s [u32],
    runs: &'s Runs,
    sets: &'s PhraseSets,
    shared: f64,
    /// The number of representatives of each signature so far, by the first row of the signature.
    representatives: Vec<u32>,
    /// The representative that each text was last compared with.
    last_compared: Vec<Option<u32>>,
    compared: u64,
    verified: u64,
    is_crowded: bool,
}

impl Search<'_> {
    fn clusters(&mut self, groups: &Groups) -> Result<Vec<Cluster>, StoreError> {
        let mut candidates: Vec<u32> = self.runs.rows.iter().map(|row| row.1).collect();
        candidates.sort_unstable();
        candidates.dedup();
        stars(groups, candidates.into_iter(), &mut |best, is_taken| {
            self.likes(best, is_taken)
        })
    }

    /// Returns the texts that join the representative `best`.
    fn likes(&mut self, best: u32, is_taken: &[bool]) -> Result<Vec<Like>, StoreError> {
        let mut likes = Vec::new();
        let signed = &self.signed[self.distinct[best as usize] as usize];
        for signature in &signed.signatures {
            let (start, run) = self.runs.get(signature);
            if run.is_empty() {
                continue;
            }
            self.representatives[start] += 1;
            if self.representatives[start] > REPRESENTATIVES_MAX {
                self.is_crowded = true;
                continue;
            }
            for &(_, other) in run {
                // A text may have several signatures in common with the representative.
                let is_seen = self.last_compared[other as usize].replace(best) == Some(best);
                if other == best || is_seen || is_taken[other as usize] {
                    continue;
                }
                let Some(overlap) = self.sets.overlap(best, other)? else {
                    continue;
                };
                self.compared += 1;
                let smaller = overlap.one.min(overlap.other).max(1);
                if f64::from(overlap.shared) / f64::from(smaller) >= self.shared {
                    self.verified += 1;
                    likes.push(Like {
                        number: other,
                        similarity: overlap.jaccard(),
                        containment: overlap.containment(),
                    });
                }
            }
        }
        Ok(likes)
    }
}

/// The signatures that several distinct documents have.
struct Runs {
    /// Each signature with each of its documents, ascending.
    rows: Vec<(Fingerprint, u32)>,
}

impl Runs {
    fn of(distinct: &[u32], signed: &[Signed]) -> Runs {
        let mut all: Vec<(Fingerprint, u32)> = Vec::new();
        for (number, &document) in (0..).zip(distinct) {
            let signatures = &signed[document as usize].signatures;
            all.extend(signatures.iter().map(|&signature| (signature, number)));
        }
        all.sort_unstable();
        let runs = all.chunk_by(|one, other| one.0 == other.0);
        let rows = runs.filter(|run| run.len() > 1).flatten().copied();
        Runs {
            rows: rows.collect(),
        }
    }

    /// Returns the rows with a signature, and the index of the first of them.
    fn get(&self, signature: &Fingerprint) -> (usize, &[(Fingerprint, u32)]) {
        let start = self.rows.partition_point(|row| row.0 < *signature);
        let rest = &self.rows[start..];
        (
            start,
            &rest[..rest.partition_point(|row| row.0 == *signature)],
        )
    }
}

/// Returns the terms that each row shares with the representative of its cluster.
fn shared_terms(
    rows: &[ClusterPage],
    documents: &Documents,
    signed: &[Signed],
    terms: &[&str],
) -> Vec<Box<str>> {
    let terms_of = |row: &ClusterPage| -> &[u32] {
        let place = documents
            .all
            .binary_search_by_key(&row.page, |document| document.page);
        place.map_or(&[], |place| &*signed[place].terms)
    };
    let mut representative: &[u32] = &[];
    let rows = rows.iter().map(|row| {
        let own = terms_of(row);
        if row.is_representative {
            representative = own;
        }
        let shared = own
            .iter()
            .filter(|term| representative.binary_search(term).is_ok());
        let words: Vec<&str> = shared.map(|&term| terms[term as usize]).collect();
        words.join(" ").into_boxed_str()
    });
    rows.collect()
}
