//! Near-copies by I-Match signatures: mails or pages of one campaign, whatever noise is around them.

use reprise_fingerprint::Fingerprint;
use reprise_store::{Corpus, StoreError};

use crate::clusters::{Groups, Like, stars};
use crate::config::NearConfig;
use crate::documents::Documents;
use crate::near::{Near, memory_left, read_sets};
use crate::texts::{TextSource, read_texts};

/// The signatures of a text.
#[derive(Clone, Debug, Default)]
pub struct Signed {
    /// Texts with one in common match.
    pub signatures: Vec<Fingerprint>,
    /// Numbers of the lexicon terms they were made of, ascending: the evidence.
    pub terms: Box<[u32]>,
}

/// Reads texts and signs them.
pub trait SignatureSource: TextSource<Signed> {
    /// The term with a number.
    fn term(&self, number: u32) -> &str;
}

/// So many representatives are looked for among the texts with one signature. Where more are needed, the
/// signature says little, and comparing each with each would take for ever.
const REPRESENTATIVES_MAX: u32 = 64;

/// Finds near-copies by signatures.
///
/// Input: a corpus, and a way to read and sign the plain text of its pages. Output: clusters, and for each page
/// the terms that it shares with its representative. Errors: of the corpus, of temporary files; a page that
/// cannot be read or converted is counted. Memory: some 400 bytes a page with text, beside what phrases are
/// compared in.
///
/// Algorithm: (1) pages with one text are one document; (2) the best document that is in no cluster becomes a
/// representative; those with a signature in common come to it, if the smaller text of the two has at least
/// [`NearConfig::similarity`] of its phrases in the other. With noise around a payload that share is small,
/// but texts that have only their lexicon terms in common share hardly a phrase.
pub fn near_imatch(
    corpus: &Corpus,
    source: &dyn SignatureSource,
    config: &NearConfig,
) -> Result<Near, StoreError> {
    let (documents, signed, mut lost) =
        read_texts(corpus, |pages, give| source.texts(pages, give))?;
    let distinct = documents.distinct();
    let runs = Runs::of(&distinct, &signed);
    let memory = memory_left(&documents, config);
    let matching = runs.rows.iter().map(|row| row.1);
    let (sets, unread) = read_sets(source, &documents, &distinct, matching, memory, config)?;
    lost.extend(unread);

    let groups = Groups::new(&documents, &distinct, config.keep);
    let mut looked = vec![0; runs.rows.len()];
    let mut met: Vec<Option<u32>> = vec![None; distinct.len()];
    let (mut compared, mut verified, mut is_crowded) = (0, 0, false);
    let mut candidates: Vec<u32> = runs.rows.iter().map(|row| row.1).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let found = stars(&groups, candidates.into_iter(), &mut |best, is_taken| {
        let mut likes: Vec<Like> = Vec::new();
        for signature in &signed[distinct[best as usize] as usize].signatures {
            let (start, run) = runs.get(signature);
            if run.is_empty() {
                continue;
            }
            looked[start] += 1;
            if looked[start] > REPRESENTATIVES_MAX {
                is_crowded = true;
                continue;
            }
            for &(_, other) in run {
                // A text may share several signatures with the representative.
                let is_seen = met[other as usize].replace(best) == Some(best);
                if other == best || is_seen || is_taken[other as usize] {
                    continue;
                }
                let Some(overlap) = sets.overlap(best, other)? else {
                    continue;
                };
                compared += 1;
                let smaller = overlap.one.min(overlap.other).max(1);
                if f64::from(overlap.shared) / f64::from(smaller) >= config.similarity {
                    verified += 1;
                    likes.push(Like {
                        number: other,
                        similarity: overlap.jaccard(),
                        containment: overlap.containment(),
                    });
                }
            }
        }
        Ok(likes)
    })?;
    let mut near = Near::of(&documents, found, config);
    near.candidates = compared;
    near.verified = verified;
    near.unreadable = lost;
    near.terms = shared_terms(&near, &documents, &signed, source);
    if is_crowded {
        near.warnings.push(
            "many texts have one signature and little else in common: the lexicon says too little of them; train a larger one, or ask for more terms"
                .to_owned(),
        );
    }
    Ok(near)
}

/// The distinct documents with each signature that several have.
struct Runs {
    /// Signatures with document numbers, ascending.
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

    /// Where the documents with a signature begin, and all of them.
    fn get(&self, signature: &Fingerprint) -> (usize, &[(Fingerprint, u32)]) {
        let start = self.rows.partition_point(|row| row.0 < *signature);
        let rest = &self.rows[start..];
        (
            start,
            &rest[..rest.partition_point(|row| row.0 == *signature)],
        )
    }
}

/// For each row, the terms that it shares with the representative of its cluster.
fn shared_terms(
    near: &Near,
    documents: &Documents,
    signed: &[Signed],
    source: &dyn SignatureSource,
) -> Vec<Box<str>> {
    let terms_of = |row: &crate::ClusterPage| -> &[u32] {
        let place = documents
            .all
            .binary_search_by_key(&row.page, |document| document.page);
        place.map_or(&[], |place| &*signed[place].terms)
    };
    let mut representative: &[u32] = &[];
    let rows = near.rows.iter().map(|row| {
        let terms = terms_of(row);
        if row.is_representative {
            representative = terms;
        }
        let shared = terms
            .iter()
            .filter(|term| representative.binary_search(term).is_ok());
        let words: Vec<&str> = shared.map(|&term| source.term(term)).collect();
        words.join(" ").into_boxed_str()
    });
    rows.collect()
}
