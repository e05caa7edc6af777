//! `reprise imatch sign`: the signatures of documents.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use reprise_engine::signatures::Signing;
use reprise_engine::{SignSummary, SignedDocument, sign_documents};

use crate::console::{Console, is_terminal};
use crate::failure::USAGE;
use crate::flags::{ConvertFlags, MemoryFlag, SignFlags, ThreadsFlag, resources};
use crate::{human, input_name, problems};

/// Print the signatures of documents
///
/// Prints one line for each document: its signature, or - if it has too few lexicon terms; the number of lexicon
/// terms that count in it; its URL. A signature depends only on the lexicon, the contexts and the terms.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Corpora, or files and directories in any format that index reads
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    #[command(flatten)]
    sign: SignFlags,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    convert: ConvertFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let signing = self.sign.read()?;
        let mut out = BufWriter::new(stdout().lock());
        // On a terminal, the lines themselves are the progress.
        let bar = Console {
            quiet: console.quiet || is_terminal(),
            ..console
        }
        .bar();
        let summary = sign_documents(
            &self.inputs,
            &signing,
            &self.convert.options()?,
            resources(MemoryFlag::default(), self.threads),
            &bar,
            |document| write(&mut out, document, console.json),
        )?;
        out.flush()?;
        bar.finish();
        report(console, &summary, &signing);
        Ok(if summary.documents == 0 {
            ExitCode::from(USAGE)
        } else {
            ExitCode::SUCCESS
        })
    }
}

fn write(out: &mut impl Write, document: SignedDocument<'_>, is_json: bool) -> anyhow::Result<()> {
    if is_json {
        serde_json::to_writer(&mut *out, &document)?;
        writeln!(out)?;
        return Ok(());
    }
    let signatures = document.signatures;
    let signature = signatures.primary.map(|signature| signature.to_string());
    let signature = signature.as_deref().unwrap_or("-");
    let url = human::one_line(document.url);
    writeln!(out, "{signature}\t{}\t{url}", signatures.overlap)?;
    Ok(())
}

/// Prints the figures, which are not part of the result, as messages.
fn report(console: Console, summary: &SignSummary, signing: &Signing) {
    if let Some(reason) = &summary.unread.reason {
        let documents = human::counted(summary.unread.pages, "document");
        console.say(format!("{documents} could not be read: {reason}"));
    }
    if let Some(problems) = &summary.problems {
        console.say_lines(&problems::lines(problems));
    }
    if summary.documents == 0 {
        console.say(
            "reprise: the inputs have no documents; name files, directories or corpora with pages",
        );
        return;
    }
    console.say(format!(
        "{} of {} with a signature",
        human::count(summary.signed),
        human::counted(summary.documents, "document"),
    ));
    if summary.with_terms == 0 {
        let primary = &signing.primary;
        let context = primary
            .contexts
            .as_ref()
            .map_or("", |_| " in a known context");
        console.say(format!(
            "reprise: the lexicon matches nothing: none of its {} is in any document{context}",
            human::counted(primary.lexicon.len() as u64, "term"),
        ));
    }
}
