//! Turns errors into one sentence and an exit code.
//!
//! The engine names options and files. This module adds the flags and commands with which a user of the
//! command line can solve the problem.

use std::io;
use std::process::ExitCode;

use reprise_engine::ingest::InputError;
use reprise_engine::lab::LabError;
use reprise_engine::results::Repair;
use reprise_engine::signatures::attack::AttackError;
use reprise_engine::signatures::{RANDOMISED_MAX, SignerError, TrainError};
use reprise_engine::store::SettingName;
use reprise_engine::{DropError, Error, Fault, StoreError, crawler};

use crate::console::complain;
use crate::help;
use crate::human::{counted, one_line};
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

/// Prints a mistake in the arguments on one line, or the help that was asked for.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_help || !error.use_stderr() {
        // A reader that has seen enough is not a failure.
        let _ = error.print();
        return ExitCode::from(if is_help { USAGE } else { 0 });
    }
    let sentence = usage_sentence(&error.to_string());
    let command = help::called(std::env::args());
    complain(&format!("reprise: {sentence}; see `{command} --help`"));
    ExitCode::from(USAGE)
}

/// Returns the message of the parser as one sentence. It is laid out in paragraphs; the last ones say how the
/// command is called.
fn usage_sentence(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let paragraphs: Vec<String> = (message.split("\n\n"))
        .take_while(|part| !part.starts_with("Usage: ") && !part.starts_with("For more "))
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    // The words of the standard library for a number that is negative, and for a range.
    let text = paragraphs.join("; ");
    let text = text.replace("invalid digit found in string", "it must be a whole number");
    one_line(&text.replace("..=", " to "))
}

/// Returns an error with its causes and a hint, on one line.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let engine = engine_error(error);
    let mut text = engine.and_then(with_flags).unwrap_or_else(|| {
        let parts: Vec<String> = error.chain().map(cause).collect();
        parts.join(": ")
    });
    if let Some(hint) = engine.and_then(hint) {
        text += "; ";
        text += &hint;
    }
    one_line(&text)
}

/// Returns one cause of an error, without the system's number for it.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let text = error.to_string();
    let code = error.downcast_ref::<io::Error>();
    match code.and_then(io::Error::raw_os_error) {
        Some(code) => text.replace(&format!(" (os error {code})"), ""),
        None => text,
    }
}

fn engine_error(error: &anyhow::Error) -> Option<&Error> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

fn code(error: &anyhow::Error) -> u8 {
    match engine_error(error).map(Error::fault) {
        Some(Fault::Caller) => USAGE,
        Some(Fault::Cancelled) => INTERRUPTED,
        None if error.downcast_ref::<Usage>().is_some() => USAGE,
        Some(Fault::Environment) | None => FAILED,
    }
}

/// Returns the sentence for an error about an option, with the name of the flag.
fn with_flags(error: &Error) -> Option<String> {
    Some(match error {
        Error::Option {
            option,
            expected,
            found,
        } => format!("{} must be {expected}, not {found}", flag(option)),
        Error::Crawl(crawler::CrawlError::Option { option, expected }) => {
            format!("{} must be {expected}", flag(option))
        }
        Error::Store(StoreError::OtherSettings {
            path,
            setting,
            found,
            requested,
        }) => {
            let flag = match setting {
                SettingName::Hash => "--hash",
                SettingName::Chunk => "--chunk",
            };
            format!(
                "the corpus {} was made with {flag} {found}, not {requested}; remove the flag, or use another corpus",
                path.display()
            )
        }
        Error::Lab(LabError::TooSmall { option, least }) => {
            let option = if *option == "pages" { "sample" } else { option };
            format!("{} must be at least {least}", flag(option))
        }
        Error::Lab(LabError::Threshold { found }) => {
            format!("--threshold must be from -128 to 128, not {found}")
        }
        Error::Signer(SignerError::Lexicons { found }) => {
            format!("--randomised must be at most {RANDOMISED_MAX}, not {found}")
        }
        Error::Signer(SignerError::Share { found }) => {
            format!("--dropped-share must be from 0 to 1, not {found}")
        }
        Error::Train(error) => return train_sentence(error),
        Error::Attack(error) => return attack_sentence(error),
        _ => return None,
    })
}

fn train_sentence(error: &TrainError) -> Option<String> {
    let sentence = match error {
        TrainError::Chars { .. } => "--min-chars is greater than --max-chars",
        TrainError::ContextShare { .. } => "--context-share must be from 0 to 1",
        TrainError::Share { .. } => "--max-share must be from 0 to 1",
        TrainError::UnusedLeaning => {
            "--leaning needs --by information, and that needs --ham and --spam, or --classes with both"
        }
        TrainError::UnusedRanks => "--skip-ranks needs --by frequency",
        TrainError::OneClass { missing, documents } => {
            let missing = match *missing {
                "good" => "ham",
                "bad" => "spam",
                _ => "ham or spam",
            };
            return Some(format!(
                "--by information needs ham and spam, but none of {} is {missing}; use --by frequency",
                counted(u64::from(*documents), "document")
            ));
        }
        _ => return None,
    };
    Some(sentence.to_owned())
}

fn attack_sentence(error: &AttackError) -> Option<String> {
    Some(match error {
        AttackError::OutOfRange {
            option,
            min,
            max,
            found,
        } => format!("{} must be from {min} to {max}, not {found}", flag(option)),
        AttackError::NoWords => "the attacker has no words; use --good or --dictionary".to_owned(),
        AttackError::NoPayload { documents: 0 } => {
            "the inputs have no payload; name files, directories or corpora with text".to_owned()
        }
        AttackError::NoPayload { documents } => format!(
            "none of {} has a signature; lower --min-terms, or use a lexicon for similar documents",
            counted(*documents as u64, "payload")
        ),
        _ => return None,
    })
}

/// Returns the flag that sets an option.
fn flag(option: &str) -> String {
    let name = match option {
        // Only the crawl names its option like this; `near` checks its flags by their names.
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
        Error::Option {
            option: "max_body" | "max_header" | "segment_size",
            ..
        } => "raise --memory, or lower this limit",
        Error::CorpusExists { .. } => {
            "use --add to add to it, or -o DIR or --corpus DIR for another directory"
        }
        Error::NothingRead { .. } => "name files that hold pages or archives",
        Error::NotEmpty { .. } => "name an empty directory, or one that does not exist yet",
        Error::Input(InputError::IsCorpus { .. }) => "give the archives that it was made from",
        Error::Store(StoreError::NotADirectory { .. }) => "name the directory of a corpus",
        Error::Input(InputError::Unreadable { source, .. }) | Error::File { source, .. } => {
            match source.kind() {
                io::ErrorKind::NotFound => "check the name",
                io::ErrorKind::PermissionDenied => "check its permissions",
                _ => return None,
            }
        }
        Error::NoSuchPage { .. } => "`reprise export CORPUS --table pages` lists its pages",
        Error::LabelsWithoutSites { .. } => {
            "make such labels with `reprise label`, or leave out --elsewhere"
        }
        Error::Drop(DropError::NotClusters { .. }) => {
            "`reprise near CORPUS -o FILE.parquet` writes one"
        }
        Error::Lexicon { .. } => "make one with `reprise imatch train`",
        Error::Store(StoreError::NoShingles { .. }) => "use `reprise index --shingles`",
        Error::Store(StoreError::NotACorpus { path })
            if path.join("corpus/manifest.json").is_file() =>
        {
            return Some(format!("use {}", path.join("corpus").display()));
        }
        Error::Store(StoreError::Missing { .. } | StoreError::NotACorpus { .. }) => {
            "make a corpus with `reprise index INPUT... --corpus DIR`"
        }
        Error::Store(StoreError::NotLabels { .. }) => {
            "labels are Parquet files that `reprise discover` or `reprise label` writes"
        }
        Error::Store(StoreError::Cancelled) => "run the command again",
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
        Error::Lab(LabError::OneSite) => "leave out --elsewhere",
        Error::Lab(LabError::TooFewPages { .. }) => "lower --min-length",
        Error::Train(TrainError::NoDocuments) => "name files, directories or corpora with text",
        Error::Train(TrainError::NoTerms { .. }) => {
            "--min-documents, --max-share and --skip-ranks set the limits"
        }
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
            "remove the damaged segment with `{}`, then read its archives again with `reprise index`",
            remove_command(corpus, segments)
        ),
    }
}

/// Returns the command that removes segments.
pub(crate) fn remove_command(corpus: &str, segments: &[u64]) -> String {
    let flags: Vec<String> = (segments.iter())
        .map(|number| format!(" --segment {number}"))
        .collect();
    one_line(&format!("reprise remove {corpus}{}", flags.concat()))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>();
        let kind = io.or_else(|| json.and_then(serde_json::Error::io_error_kind));
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use reprise_engine::results::Repair;
    use reprise_engine::{Error, Resources};

    use super::{code, repair_hint, sentence, usage_sentence};

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
    fn usage_is_one_sentence() {
        let message = "error: unexpected argument '--tabel' found\n\n  tip: a similar argument exists: '--table'\n\n\
                       Usage: reprise export --table <TABLE>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            usage_sentence(message),
            "unexpected argument '--tabel' found; tip: a similar argument exists: '--table'"
        );
        let message = "error: invalid value 'x' for '--method'\n  [possible values: a, b]\n\nFor more information\n";
        assert_eq!(
            usage_sentence(message),
            "invalid value 'x' for '--method' [possible values: a, b]"
        );
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
