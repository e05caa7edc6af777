//! Detection.

use std::path::Path;

use reprise_detect::{DetectOptions, detect};
use reprise_report::results::Detection;
use reprise_store::{Format, Labels, Origin, Progress};

use crate::corpus::Corpus;
use crate::error::Error;

impl Corpus {
    /// Finds labelled content. If `output` names a directory and a format, the tables `pages`,
    /// `neighborhoods` and `sites` are written there.
    pub fn detect(
        &self,
        labels: &Labels,
        options: &DetectOptions,
        output: Option<(&Path, Format)>,
        progress: &dyn Progress,
    ) -> Result<Detection, Error> {
        if options.depth == Some(0) {
            return Err(Error::Option {
                option: "depth",
                expected: "at least 1".to_owned(),
                found: "0".to_owned(),
            });
        }
        if options.elsewhere && labels.header().origin == Origin::Discovered {
            return Err(Error::LabelsWithoutSites {
                path: labels.path().to_owned(),
            });
        }
        let memory = self.resources.memory_bytes;
        Ok(detect(
            &self.reader,
            labels,
            options,
            memory,
            output,
            progress,
        )?)
    }
}
