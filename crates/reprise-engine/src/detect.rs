//! Detection.

use std::path::Path;

use reprise_detect::{DetectOptions, ShareThreshold, detect};
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
        check_options(options)?;
        check_origin(options, labels.header().origin, labels.path())?;
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

/// Fails if an option is out of range.
pub(crate) fn check_options(options: &DetectOptions) -> Result<(), Error> {
    if options.depth == Some(0) {
        return Err(Error::Option {
            option: "depth",
            expected: "at least 1".to_owned(),
            found: "0".to_owned(),
        });
    }
    for (option, threshold) in [
        ("page_threshold", options.page_threshold),
        ("neighborhood_threshold", options.neighborhood_threshold),
    ] {
        if let ShareThreshold::Fixed(share) = threshold
            && !(0.0..=1.0).contains(&share)
        {
            return Err(Error::Option {
                option,
                expected: "from 0 to 1".to_owned(),
                found: share.to_string(),
            });
        }
    }
    Ok(())
}

/// Fails if the sites of the labels are to be left out and the labels have none.
pub(crate) fn check_origin(
    options: &DetectOptions,
    origin: Origin,
    labels: &Path,
) -> Result<(), Error> {
    if options.elsewhere && origin == Origin::Discovered {
        return Err(Error::LabelsWithoutSites {
            path: labels.to_owned(),
        });
    }
    Ok(())
}
