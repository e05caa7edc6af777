//! Signs documents.

use reprise_imatch::{Signatures, Signing, Terms};
use reprise_near::UnreadPages;
use reprise_report::results::Problems;
use reprise_store::{PageRef, Progress};

use crate::archives::for_each_terms;
use crate::convert::ConvertOptions;
use crate::error::Error;
use crate::resources::Resources;
use crate::temporary::DocumentSet;

/// A document and its signatures.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SignedDocument<'d> {
    /// The URL.
    pub url: &'d str,
    /// The signatures.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub signatures: &'d Signatures<'d>,
}

/// The result of signing documents.
#[derive(Clone, Debug, Default)]
pub struct SignSummary {
    /// The number of documents.
    pub documents: u64,
    /// The number of documents with a signature.
    pub signed: u64,
    /// The number of documents with at least one lexicon term.
    pub with_terms: u64,
    /// The documents that could not be read.
    pub unread: UnreadPages,
    /// The records that were skipped or damaged, if inputs had to be indexed.
    pub problems: Option<Problems>,
}

/// Signs every document of `inputs`, which are corpora or any other inputs. Calls `see` with each document, in the
/// order of the inputs. A document without text has no signature. `see` may end the work with an error.
pub fn sign_documents<E: From<Error>>(
    inputs: &[String],
    signing: &Signing,
    convert: &ConvertOptions,
    resources: Resources,
    progress: &dyn Progress,
    mut see: impl FnMut(SignedDocument<'_>) -> Result<(), E>,
) -> Result<SignSummary, E> {
    let signer = signing.signer().map_err(Error::from)?;
    let set = DocumentSet::open(inputs, resources, progress)?;
    let unsigned = signer.sign(&Terms::default());
    let mut summary = SignSummary {
        problems: set.problems().cloned(),
        ..SignSummary::default()
    };
    for corpus in set.corpora() {
        let mut urls: Vec<(PageRef, String)> = Vec::new();
        corpus.for_each_url(|page, url| {
            urls.push((page, String::from_utf8_lossy(url).into_owned()));
            Ok::<_, Error>(())
        })?;
        summary.documents += urls.len() as u64;
        let mut urls = urls.into_iter().peekable();
        let mut seen = Ok(());
        let texts = corpus.texts(convert);
        let unread = for_each_terms(&texts, &signing.rules(), progress, |page, terms| {
            let signatures = signer.sign(terms);
            summary.signed += u64::from(signatures.primary.is_some());
            summary.with_terms += u64::from(signatures.overlap > 0);
            // Pages arrive in their order, but those without text do not arrive.
            while let Some((other, url)) = urls.next_if(|(other, _)| *other <= page) {
                let is_signed = other == page;
                if seen.is_ok() {
                    seen = see(SignedDocument {
                        url: &url,
                        signatures: if is_signed { &signatures } else { &unsigned },
                    });
                }
            }
        })
        .map_err(Error::from)?;
        seen?;
        for (_, url) in urls {
            see(SignedDocument {
                url: &url,
                signatures: &unsigned,
            })?;
        }
        summary.unread.extend(unread);
    }
    Ok(summary)
}
