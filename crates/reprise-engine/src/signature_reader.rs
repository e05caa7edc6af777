//! The I-Match signatures of pages, read back from their archives.

use reprise_imatch::{Part, Signer, SignerConfig, SignerError, TermRules, Terms};
use reprise_near::{GiveText, PhraseSource, PlainText, SignatureSource, Signed, TextSource};
use reprise_shingle::Shingler;
use reprise_store::PageRef;
use reprise_store::StoreError;

use crate::text_reader::ArchiveTexts;

/// Reads the plain text of a corpus's pages and signs it.
pub struct ArchiveSignatures<'c> {
    texts: ArchiveTexts<'c>,
    signer: Signer<'c>,
    rules: TermRules,
    /// All terms of the lexicons, ascending.
    terms: Vec<&'c str>,
}

impl<'c> ArchiveSignatures<'c> {
    /// Signs by one lexicon, or by a larger second one where the first finds too few terms.
    pub fn new(
        texts: ArchiveTexts<'c>,
        primary: Part<'c>,
        secondary: Option<Part<'c>>,
        config: SignerConfig,
    ) -> Result<ArchiveSignatures<'c>, SignerError> {
        let lexicons = [Some(primary), secondary].into_iter().flatten();
        let mut terms: Vec<&str> = lexicons
            .flat_map(|part| part.lexicon.entries())
            .map(|entry| entry.term)
            .collect();
        terms.sort_unstable();
        terms.dedup();
        Ok(ArchiveSignatures {
            texts,
            signer: Signer::new(primary, secondary, config)?,
            rules: primary.lexicon.rules(),
            terms,
        })
    }

    /// The phrases of a text as its reader sees it: a campaign whose letters are swapped for look-alikes is to
    /// be proven all the same.
    fn phrases(&self, text: &str) -> Vec<u64> {
        let every_word = TermRules {
            drop_numbers: false,
            chars_min: 1,
            chars_max: u32::MAX,
            ..self.rules
        };
        let mut shingler = Shingler::new();
        for word in Terms::of(text, &every_word).iter() {
            shingler.add(word);
        }
        shingler.phrases().to_vec()
    }

    fn sign(&self, text: &str) -> Signed {
        let signatures = self.signer.sign(&Terms::of(text, &self.rules));
        let number = |term: &&str| self.terms.binary_search(term).ok().map(|at| at as u32);
        Signed {
            terms: signatures.terms.iter().filter_map(number).collect(),
            signatures: signatures.all,
        }
    }
}

impl PhraseSource for ArchiveSignatures<'_> {
    fn read(
        &self,
        pages: &[PageRef],
        give: &mut dyn FnMut(usize, Result<Vec<u64>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.texts
            .read_texts(pages, &|text| self.phrases(text), &mut |index, phrases| {
                give(index, phrases.map(Option::unwrap_or_default))
            })
    }
}

impl TextSource<Signed> for ArchiveSignatures<'_> {
    fn texts(&self, pages: &[PageRef], give: &mut GiveText<'_, Signed>) -> Result<(), StoreError> {
        self.texts
            .read_texts(pages, &|text| PlainText::of(text, self.sign(text)), give)
    }
}

impl SignatureSource for ArchiveSignatures<'_> {
    fn term(&self, number: u32) -> &str {
        self.terms[number as usize]
    }
}
