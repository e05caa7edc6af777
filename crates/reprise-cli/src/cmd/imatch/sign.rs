//! `reprise imatch sign`: the signatures of documents.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use reprise_engine::imatch::{Signatures, Terms};
use reprise_engine::index::MEMORY_BYTES_DEFAULT;
use reprise_engine::store::PageRef;
use serde::Serialize;

use super::super::converting::ConvertFlags;
use super::super::corpora::Corpora;
use super::super::resources::ThreadsFlag;
use super::super::signing::SignFlags;
use super::super::urls::for_each_url;
use crate::{human, input_name, tally};

/// Print the signatures of documents: those with the same lexicon terms have the same one.
///
/// A line a document: its signature, or - where it has too few terms; how many lexicon terms count in it; its
/// URL. The signature is stable: it depends on the lexicon, the contexts and the terms alone.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Corpora, or files and directories in any form that index reads
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    #[command(flatten)]
    sign: SignFlags,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    convert: ConvertFlags,
    /// Print one JSON object a line, with the terms, instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    url: &'a str,
    signature: Option<String>,
    signatures: Vec<String>,
    overlap: u32,
    extended: bool,
    terms: &'a [&'a str],
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let signing = args.sign.read(0)?;
    let signer = signing.signer()?;
    let rules = signing.lexicon().rules();
    let threads = args.threads.count()?;
    let corpora = Corpora::open(&args.inputs, threads, MEMORY_BYTES_DEFAULT, true)?;
    let converter = args.convert.converter()?;
    let mut out = BufWriter::new(stdout().lock());
    let (mut documents, mut with_signature, mut met) = (0, 0, 0);
    for texts in corpora.texts(&converter, threads) {
        let mut urls: Vec<(PageRef, String)> = Vec::new();
        for_each_url(texts.corpus, |page, url| {
            urls.push((page, String::from_utf8_lossy(url).into_owned()));
            Ok(())
        })?;
        documents += urls.len() as u64;
        let nothing = signer.sign(&Terms::default());
        let mut wrong = Ok(());
        let mut urls = urls.into_iter().peekable();
        let lost = texts.for_each_terms(&rules, |page, terms| {
            let signatures = signer.sign(terms);
            with_signature += u64::from(signatures.primary.is_some());
            met += u64::from(signatures.overlap > 0);
            // Pages come in their order; those without text do not come.
            while let Some((at, url)) = urls.next_if(|(at, _)| *at <= page) {
                let found = if at == page { &signatures } else { &nothing };
                if wrong.is_ok() {
                    wrong = print(&mut out, &url, found, args.json);
                }
            }
        })?;
        wrong?;
        for (_, url) in urls {
            print(&mut out, &url, &nothing, args.json)?;
        }
        if let Some(reason) = lost.reason {
            let pages = human::counted(lost.pages, "page");
            say!(
                "reprise: {}",
                human::one_line(&format!("{pages} could not be read: {reason}"))
            );
        }
    }
    out.flush()?;
    say_on!("{}", tally::lines(&corpora.tally));
    say!(
        "{} of {} with a signature",
        human::count(with_signature),
        human::counted(documents, "document"),
    );
    if documents > 0 && met == 0 {
        say!(
            "reprise: the lexicon matches nothing: none of its {} is in any document{}",
            human::counted(signing.lexicon().len() as u64, "term"),
            if signing.contexts().is_some() {
                " in a valid context"
            } else {
                ""
            },
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn print(
    out: &mut impl Write,
    url: &str,
    signatures: &Signatures<'_>,
    is_json: bool,
) -> anyhow::Result<()> {
    let primary = signatures.primary.map(|signature| signature.to_string());
    if is_json {
        let json = Json {
            url,
            signature: primary,
            signatures: signatures.all.iter().map(ToString::to_string).collect(),
            overlap: signatures.overlap,
            extended: signatures.is_extended,
            terms: &signatures.terms,
        };
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
    } else {
        let signature = primary.as_deref().unwrap_or("-");
        let overlap = signatures.overlap;
        writeln!(out, "{signature}\t{overlap}\t{}", human::one_line(url))?;
    }
    Ok(())
}
