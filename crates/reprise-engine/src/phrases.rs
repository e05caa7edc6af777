//! Phrases that many pages share, sources of pages, and stitched sites.

use reprise_near::phrases::{PhraseOptions, Phrases, SampleOptions};
use reprise_report::results::{
    PageSources, PhraseFindings, PopularPhrases, SampledSources, SiteRanking,
};
use reprise_store::Progress;

use crate::archives::ArchiveTexts;
use crate::convert::ConvertOptions;
use crate::corpus::Corpus;
use crate::error::Error;

impl Corpus {
    /// Finds the phrases that many pages share, without near-copies. The corpus must have shingles.
    pub fn phrases(
        &self,
        options: PhraseOptions,
        progress: &dyn Progress,
    ) -> Result<PopularPhrases, Error> {
        Ok(self.find_phrases(options, progress)?.popular()?)
    }

    /// Finds the pages that the popular phrases of a page can come from.
    pub fn sources(
        &self,
        url: &str,
        options: PhraseOptions,
        without_redundant: bool,
        progress: &dyn Progress,
    ) -> Result<PageSources, Error> {
        let pages = self.reader.find_url(url)?;
        let Some(&page) = pages.first() else {
            return Err(Error::NoSuchPage {
                url: url.to_owned(),
            });
        };
        let phrases = self.find_phrases(options, progress)?;
        let found = phrases.sources(&[page], without_redundant)?.pop();
        found.ok_or_else(|| Error::NoText {
            url: url.to_owned(),
        })
    }

    /// Finds the sources of sampled pages.
    pub fn sample_sources(
        &self,
        sample: &SampleOptions,
        options: PhraseOptions,
        without_redundant: bool,
        progress: &dyn Progress,
    ) -> Result<SampledSources, Error> {
        let phrases = self.find_phrases(options, progress)?;
        let pages = phrases.sources(&phrases.sample(sample), without_redundant)?;
        Ok(SampledSources { pages })
    }

    /// Ranks sites by the popular phrases of their pages, and finds those that are stitched together from
    /// pages of other sites.
    pub fn sites(
        &self,
        options: PhraseOptions,
        progress: &dyn Progress,
    ) -> Result<SiteRanking, Error> {
        let sites = self.find_phrases(options, progress)?.sites()?;
        Ok(SiteRanking { sites })
    }

    /// Returns everything that a report says about phrases.
    pub(crate) fn phrase_findings(
        &self,
        options: PhraseOptions,
        progress: &dyn Progress,
    ) -> Result<PhraseFindings, Error> {
        Ok(self.find_phrases(options, progress)?.findings()?)
    }

    fn find_phrases<'c>(
        &'c self,
        options: PhraseOptions,
        progress: &'c dyn Progress,
    ) -> Result<Phrases<'c, ArchiveTexts<'c>>, Error> {
        if options.min_documents < 2 {
            return Err(Error::Option {
                option: "min_documents",
                expected: "at least 2".to_owned(),
                found: options.min_documents.to_string(),
            });
        }
        let texts = self.texts(&ConvertOptions::default());
        let memory = self.resources.memory_bytes;
        let temporary = std::env::temp_dir();
        Ok(Phrases::find(
            &self.reader,
            texts,
            options,
            memory,
            &temporary,
            progress,
        )?)
    }
}
