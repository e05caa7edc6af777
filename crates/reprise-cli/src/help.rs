//! The list of commands, grouped by purpose.

use std::fmt::Write as _;

use clap::{CommandFactory, builder::StyledStr};

use reprise_engine::defaults;

use crate::Cli;

/// The groups of commands, in the order of a typical job.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Start", &["scan", "demo"]),
    (
        "Corpus",
        &["index", "crawl", "info", "verify", "remove", "export"],
    ),
    (
        "Find",
        &[
            "discover", "label", "detect", "check", "near", "phrases", "sources", "sites",
            "explain",
        ],
    ),
    ("Act", &["drop", "report"]),
    (
        "Research and tools",
        &["fuzzy", "imatch", "lab", "completions", "man"],
    ),
];

/// Returns the command line with a grouped list of commands.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let mut commands = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(commands, "{group}:");
        for name in names {
            let about = command
                .find_subcommand(name)
                .and_then(clap::Command::get_about)
                .map(StyledStr::to_string)
                .unwrap_or_default();
            let _ = writeln!(commands, "  {name:<12} {about}");
        }
        commands.push('\n');
    }
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{commands}{{options}}\n\n\
         Begin with `reprise demo`, or with `reprise scan ARCHIVE...`. `reprise COMMAND -h` lists the usual \
         flags of a command, `--help` all of them.\n\n\
         Exit codes: 0 done; 1 failed; 2 wrong usage or unreadable input; 3 a copy was found (check); 130 interrupted.\n\nAll terms are explained in docs/glossary.md.\n"
    );
    command
        .mut_subcommands(|command| complete(command.mut_subcommands(complete)))
        .help_template(template)
}

/// Returns the default of a flag that several commands share, in words.
fn default_of(flag: &str, command: &str) -> Option<String> {
    let is_report = matches!(command, "scan" | "demo" | "report");
    Some(match (flag, command) {
        ("min_length", "label") => {
            format!(
                "{}; 25 suits login pages",
                defaults::discover::LABEL_MIN_LENGTH
            )
        }
        ("min_length", _) if is_report => defaults::REPORT_MIN_LENGTH.to_string(),
        ("min_length", "detect" | "check") => "as when the labels were made".to_owned(),
        ("lexicon", "near") => "trained on the corpus itself".to_owned(),
        ("lexicon", _) if is_report => "trained on the corpus itself".to_owned(),
        ("randomised", "near") => defaults::imatch::RANDOMISED_LEXICONS.to_string(),
        ("randomised", _) if is_report => defaults::imatch::RANDOMISED_LEXICONS.to_string(),
        ("min_length", "discover") | ("randomised", _) => "0".to_owned(),
        ("similarity", "near") => defaults::near::SIMILARITY.to_string(),
        ("score", "near") => defaults::near::SCORE.to_string(),
        ("shared", "near") => defaults::near::SHARED.to_string(),
        ("max_ratio", _) => defaults::RATIO.to_string(),
        ("max_nesting", _) => defaults::NESTING.to_string(),
        _ => return None,
    })
}

/// Completes the flags of a command.
fn complete(command: clap::Command) -> clap::Command {
    let name = command.get_name().to_owned();
    command.mut_args(|mut arg| {
        if let Some(default) = default_of(arg.get_id().as_str(), &name) {
            let help = arg.get_help().map(StyledStr::to_string);
            let help = help.unwrap_or_default();
            arg = arg.help(format!("{help} [default: {default}]"));
        }
        if arg.get_long().is_some() && arg.get_action().takes_values() {
            // Otherwise -1 would be an unknown flag, with wrong advice.
            arg = arg.allow_negative_numbers(true);
        }
        arg
    })
}

/// Returns the command that these arguments call, such as `reprise imatch train`.
pub(crate) fn called(args: impl Iterator<Item = String>) -> String {
    let mut command = &Cli::command();
    let mut names = "reprise".to_owned();
    for arg in args.skip(1).filter(|arg| !arg.starts_with('-')) {
        let Some(inner) = command.find_subcommand(&arg) else {
            break;
        };
        names = format!("{names} {}", inner.get_name());
        command = inner;
    }
    names
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{GROUPS, called, command};
    use crate::Cli;

    #[test]
    fn flags_do_not_contradict_each_other() {
        command().debug_assert();
    }

    #[test]
    fn the_called_command_is_named() {
        let called = |args: &str| called(args.split(' ').map(str::to_owned));
        assert_eq!(called("reprise -q near c --method x"), "reprise near");
        assert_eq!(called("reprise imatch train a"), "reprise imatch train");
        assert_eq!(called("/usr/bin/reprise cover"), "reprise sources");
        assert_eq!(called("reprise nea"), "reprise");
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        grouped.sort_unstable();
        let cli = Cli::command();
        let commands = cli
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut names: Vec<&str> = commands.map(clap::Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(grouped, names);
    }
}
