//! Turns errors into one sentence and an exit code.
//!
//! The engine names options and files. This module adds the flags and commands with which a user of the
//! command line can solve the problem.

use std::io;
use std::process::ExitCode;

use reprise_engine::results::Repair;
use reprise_engine::signatures::{TrainError, attack::AttackError};
use reprise_engine::{Error, Fault, StoreError, crawler};

use crate::console::complain;
use crate::human::one_line;
use crate::interrupt::INTERRUPTED;

/// The command failed while running.
pub(crate) const FAILED: u8 = 1;
/// Wrong usage, unreadable input, or nothing could be read.
pub(crate) const USAGE: u8 = 2;

/// A mistake in the arguments.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Prints an error and chooses the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // The reader of the output has seen enough, as with `| head`.
        return ExitCode::SUCCESS;
    }
    complain(&format!("reprise: {}", sentence(error)));
    ExitCode::from(code(error))
}

/// Returns an error with its causes and a hint, on one line.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let Some(engine) = engine_error(error) else {
        let parts: Vec<String> = error.chain().map(ToString::to_string).collect();
        return one_line(&parts.join(": "));
    };
    let mut text = with_flags(engine).unwrap_or_else(|| {
        let parts: Vec<String> = error.chain().map(ToString::to_string).collect();
        parts.join(": ")
    });
    if let Some(hint) = hint(engine) {
        text += "; ";
        text += &hint;
    }
    one_line(&text)
}

fn engine_error(error: &anyhow::Error) -> Option<&Error> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

fn code(error: &anyhow::Error) -> u8 {
    match engine_error(error).map(Error::fault) {
        Some(Fault::Caller) => USAGE,
        Some(Fault::Cancelled) => INTERRUPTED,
        Some(Fault::Environment) => FAILED,
        None if error.downcast_ref::<Usage>().is_some() => USAGE,
        None => FAILED,
    }
}

/// Returns the sentence for an error about an option, with the name of the flag.
fn with_flags(error: &Error) -> Option<String> {
    match error {
        Error::Option {
            option,
            expected,
            found,
        } => Some(format!(
            "{} must be {expected}, not {found}",
            flag(option)
        )),
        Error::Attack(AttackError::OutOfRange {
            option,
            min,
            max,
            found,
        }) => Some(format!(
            "{} must be from {min} to {max}, not {found}",
            flag(option)
        )),
        Error::Crawl(crawler::CrawlError::Option { option, expected }) => {
            Some(format!("{} must be {expected}", flag(option)))
        }
        Error::Lab(reprise_engine::lab::LabError::TooSmall { option, least }) => {
            Some(format!("{} must be at least {least}", flag(option)))
        }
        Error::Train(TrainError::Chars { .. }) => {
            Some("--min-chars is greater than --max-chars".to_owned())
        }
        Error::Train(TrainError::ContextShare { .. }) => {
            Some("--context-share must be from 0 to 1".to_owned())
        }
        Error::Train(TrainError::Share { .. }) => {
            Some("--max-share must be from 0 to 1".to_owned())
        }
        Error::Train(TrainError::UnusedLeaning) => Some(
            "--leaning needs --by information, and that needs --ham and --spam, or --classes with both"
                .to_owned(),
        ),
        Error::Train(TrainError::UnusedRanks) => {
            Some("--skip-ranks needs --by frequency".to_owned())
        }
        _ => None,
    }
}

/// Returns the flag that sets an option.
fn flag(option: &str) -> String {
    let name = match option {
        "user_agent" => "contact",
        "stop.window" => "window",
        "stop.bound" => "bound",
        "stop.confidence" => "confidence",
        "fetch.total" => "timeout",
        "chars_min" => "min-length",
        "words_min" => "words",
        other => other,
    };
    format!("--{}", name.replace('_', "-"))
}

/// Returns what the user can do.
fn hint(error: &Error) -> Option<String> {
    if let Some(repair) = error.repair() {
        return Some(repair_hint(&repair));
    }
    let hint = match error {
        Error::CorpusExists { .. } => {
            "use --add to add to it, or -o DIR or --corpus DIR for another directory"
        }
        Error::LabelsWithoutSites { .. } => "make such labels with `reprise label`",
        Error::Lexicon { .. } => "make one with `reprise imatch train`",
        Error::Store(StoreError::NoShingles { .. }) => "`reprise index --shingles` makes one",
        Error::Store(StoreError::Missing { .. } | StoreError::NotACorpus { .. }) => {
            "make a corpus with `reprise index INPUT... --corpus DIR`"
        }
        Error::Store(StoreError::NotLabels { .. }) => {
            "make labels with `reprise discover` or `reprise label`"
        }
        Error::Store(StoreError::Cancelled) => "run the command again to continue",
        Error::NotAResult { .. } => {
            "results are the files that -o writes: labels, clusters, pages, neighborhoods and sites"
        }
        Error::NothingFetched { summary } if summary.refused.address > 0 => {
            "--allow-private allows private addresses"
        }
        Error::Fetch {
            source: crawler::FetchError::PrivateAddress(_),
            ..
        } => "--allow-private allows private addresses",
        Error::Attack(AttackError::NoWords) => "use --good or --dictionary",
        Error::Attack(AttackError::NoPayload { .. }) => "--min-terms sets the minimum",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns how damage is repaired, as a command.
pub(crate) fn repair_hint(repair: &Repair) -> String {
    match repair {
        Repair::RestoreManifest => {
            "restore it from a backup, or index the archives into another directory".to_owned()
        }
        Repair::RemoveSegments { corpus, segments } => format!(
            "remove it with `{}`, then read its archives again with `reprise index`",
            remove_command(corpus, segments)
        ),
    }
}

/// Returns the command that removes segments.
pub(crate) fn remove_command(corpus: &str, segments: &[u64]) -> String {
    let flags: String = (segments.iter())
        .map(|number| format!(" --segment {number}"))
        .collect();
    one_line(&format!("reprise remove {corpus}{flags}"))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use reprise_engine::results::Repair;
    use reprise_engine::{Error, Resources};

    use super::{code, repair_hint, sentence};

    #[test]
    fn options_become_flags() {
        let resources = Resources {
            memory_bytes: 5,
            threads: None,
        };
        let error = anyhow::Error::from(resources.validate().expect_err("too little"));
        assert_eq!(
            sentence(&error),
            "--memory must be at least 64 MiB, not 5 bytes"
        );
        assert_eq!(code(&error), 2);
    }

    #[test]
    fn damage_has_a_repair() {
        let repair = Repair::RemoveSegments {
            corpus: "c".to_owned(),
            segments: vec![2, 10],
        };
        let hint = repair_hint(&repair);
        assert!(
            hint.contains("`reprise remove c --segment 2 --segment 10`"),
            "{hint}"
        );
        let damaged = reprise_engine::StoreError::Damaged {
            path: "c/segments/00000002/pages.parquet".into(),
            detail: "cut".to_owned(),
        };
        let sentence = sentence(&anyhow::Error::from(Error::from(damaged)));
        assert!(
            sentence.contains("reprise remove c --segment 2"),
            "{sentence}"
        );
    }
}
