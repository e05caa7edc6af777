//! `reprise imatch train`: a lexicon, and the contexts of its terms.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use reprise_engine::defaults::imatch as defaults;
use reprise_engine::signatures::{
    Choice, Class, ContextConfig, ContextRule, ContextSummary, Sides, TermRules, TrainOptions,
};
use reprise_engine::{TrainInputs, Trained, train, write_file};

use crate::console::Console;
use crate::flags::{ConvertFlags, MemoryFlag, ThreadsFlag, resources};
use crate::{human, input_name, output, problems};

/// Choose the terms of a lexicon, and count their contexts
///
/// If there are ham and spam documents, the chosen terms are those that separate them best. Otherwise they are
/// the most frequent ones.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Corpora, or files and directories in any format that index reads
    #[arg(value_name = "INPUT", required_unless_present_any = ["ham", "spam"], value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Wanted documents; can be repeated
    #[arg(long, value_name = "INPUT", value_parser = input_name::parser())]
    ham: Vec<String>,
    /// Unwanted documents; can be repeated
    #[arg(long, value_name = "INPUT", value_parser = input_name::parser())]
    spam: Vec<String>,
    /// Classes of the documents in INPUT: lines of a URL, a tab, and ham or spam
    #[arg(long, alias = "labels", value_name = "FILE", requires = "inputs")]
    classes: Option<PathBuf>,
    /// File for the lexicon; - is standard output
    #[arg(long, short, value_name = "LEXICON", value_parser = output::parser())]
    output: PathBuf,
    /// Criterion for terms: document frequency, or mutual information with the class [default: information if
    /// there are ham and spam]
    #[arg(long, value_parser = one_of(&[("frequency", Choice::Frequency), ("information", Choice::Information)]))]
    by: Option<Choice>,
    /// Choose at most N terms
    #[arg(long, value_name = "N", default_value_t = defaults::TERMS_MAX)]
    size: usize,
    /// Ignore terms that are in fewer documents
    #[arg(long, value_name = "N", default_value_t = defaults::DOCUMENTS_MIN, hide_short_help = true)]
    min_documents: u32,
    /// Ignore terms that are in a larger share of the documents
    #[arg(long, value_name = "X", default_value_t = defaults::SHARE_MAX, hide_short_help = true)]
    max_share: f64,
    /// Number of most frequent terms to skip; only with --by frequency
    #[arg(long, value_name = "N", default_value_t = defaults::RANKS_SKIPPED, hide_short_help = true)]
    skip_ranks: usize,
    /// Choose only terms that are more typical of this class; only with --by information
    #[arg(long, value_parser = one_of(&[("ham", Class::Good), ("spam", Class::Bad)]), hide_short_help = true)]
    leaning: Option<Class>,
    /// Ignore shorter terms; does not apply to scripts without spaces
    #[arg(long, value_name = "N", default_value_t = TermRules::DEFAULT.chars_min, hide_short_help = true)]
    min_chars: u32,
    /// Ignore longer terms
    #[arg(long, value_name = "N", default_value_t = TermRules::DEFAULT.chars_max, hide_short_help = true)]
    max_chars: u32,
    /// Allow numbers as terms
    #[arg(long, hide_short_help = true)]
    numbers: bool,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    convert: ConvertFlags,
    #[command(flatten, next_help_heading = "Contexts")]
    context_flags: ContextFlags,
}

/// Which contexts are counted, and where.
#[derive(clap::Args)]
struct ContextFlags {
    /// File for the contexts: the neighbours next to which a term counts; - is standard output
    #[arg(long, value_name = "FILE", value_parser = output::parser())]
    contexts: Option<PathBuf>,
    /// Documents in which neighbours are counted; can be repeated [default: all documents]
    #[arg(long, value_name = "INPUT", requires = "contexts", value_parser = input_name::parser())]
    tune: Vec<String>,
    /// Ignore neighbours that are next to the term less often
    #[arg(
        long,
        value_name = "N",
        default_value_t = defaults::CONTEXT_COUNT_MIN,
        requires = "contexts",
        conflicts_with = "context_share",
        hide_short_help = true
    )]
    context_count: u32,
    /// Ignore a neighbour if it is next to the term in a smaller share of the term's occurrences
    #[arg(long, value_name = "X", requires = "contexts", hide_short_help = true)]
    context_share: Option<f64>,
    /// Sides of an occurrence that must have a known neighbour
    #[arg(
        long,
        value_parser = one_of(&[("either", Sides::Either), ("both", Sides::Both)]),
        default_value = "either",
        requires = "contexts",
        hide_short_help = true
    )]
    context_sides: Sides,
}

/// Parses one of the names, and returns the value that it stands for.
fn one_of<T>(values: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let parser = PossibleValuesParser::new(values.iter().map(|(name, _)| *name));
    parser.map(|found| {
        let value = values.iter().find(|(name, _)| *name == found);
        value.expect("clap accepts only these names").1
    })
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let lexicon = self.output.as_path();
        let contexts = self.context_flags.contexts.as_deref();
        output::check_apart(&[("--output", Some(lexicon)), ("--contexts", contexts)])?;
        output::check_json(Some(lexicon), console.json)?;
        output::check_json(contexts, console.json)?;
        let bar = console.bar();
        let trained = train(
            &self.inputs(),
            &self.options(),
            contexts.is_some(),
            &self.convert.options()?,
            resources(self.memory, self.threads),
            &bar,
        )?;
        bar.finish();
        write_file(lexicon, &trained.lexicon.to_bytes())?;
        if let (Some(path), Some(contexts)) = (contexts, &trained.contexts) {
            write_file(path, &contexts.to_bytes())?;
        }
        if !console.json {
            for problems in &trained.problems {
                console.say_lines(&problems::lines(problems));
            }
        }
        let standard = contexts.filter(|path| output::is_standard(path));
        console.print(&trained.summary, standard.or(Some(lexicon)), || {
            self.text(&trained)
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn inputs(&self) -> TrainInputs {
        TrainInputs {
            unclassified: self.inputs.clone(),
            classes: self.classes.clone(),
            ham: self.ham.clone(),
            spam: self.spam.clone(),
            tuning: self.context_flags.tune.clone(),
        }
    }

    fn options(&self) -> TrainOptions {
        let flags = &self.context_flags;
        TrainOptions {
            by: self.by,
            leaning: self.leaning,
            size_max: self.size,
            ranks_skipped: self.skip_ranks,
            documents_min: self.min_documents,
            share_max: self.max_share,
            rules: TermRules {
                drop_numbers: !self.numbers,
                chars_min: self.min_chars,
                chars_max: self.max_chars,
                ..TermRules::DEFAULT
            },
            contexts: ContextConfig {
                rule: (flags.context_share)
                    .map_or(ContextRule::Count(flags.context_count), ContextRule::Share),
                sides: flags.context_sides,
            },
        }
    }

    fn text(&self, trained: &Trained) -> String {
        let summary = &trained.summary;
        let classes = if summary.ham + summary.spam > 0 {
            let (ham, spam) = (u64::from(summary.ham), u64::from(summary.spam));
            format!(" ({} ham, {} spam)", human::count(ham), human::count(spam))
        } else {
            String::new()
        };
        let mut text = format!(
            "{} of {} chosen by {} from {}{classes}, written to {} ({} in memory)\n",
            human::count(summary.terms as u64),
            human::counted(summary.distinct_terms as u64, "term"),
            summary.choice,
            human::counted(u64::from(summary.documents), "document"),
            human::one_line(&output::name(&self.output)),
            human::bytes(summary.lexicon_bytes as u64),
        );
        text += &lost(summary.counts_lost, "terms");
        if let (Some(contexts), Some(path)) = (&summary.contexts, &self.context_flags.contexts) {
            text += &contexts_text(contexts, path);
        }
        if let Some(reason) = &trained.unreadable_reason {
            let documents = human::counted(summary.unreadable, "document");
            let line = format!("{documents} could not be read: {reason}");
            let _ = writeln!(text, "{}", human::one_line(&line));
        }
        text
    }
}

fn contexts_text(contexts: &ContextSummary, path: &Path) -> String {
    let mut text = format!(
        "{} found in {}, written to {} ({} in memory)\n",
        human::counted(contexts.contexts as u64, "context"),
        human::counted(contexts.documents, "document"),
        human::one_line(&output::name(path)),
        human::bytes(contexts.bytes as u64),
    );
    let coverage: Vec<String> = (contexts.coverage.iter())
        .map(|(contexts, share)| format!("{} by {contexts}", human::percent(*share)))
        .collect();
    let _ = writeln!(
        text,
        "occurrences of a term that its most frequent contexts cover: {}",
        coverage.join(", ")
    );
    text += &lost(contexts.counts_lost, "contexts");
    if contexts.contexts == 0 {
        text += "warning: no context is frequent enough, so no document will have a signature; lower \
                 --context-count, or use --tune with more documents\n";
    }
    text
}

/// Returns a warning if counts were lost to save memory.
fn lost(counts: u32, objects: &str) -> String {
    if counts == 0 {
        return String::new();
    }
    let counts = human::count(u64::from(counts));
    format!(
        "warning: not all {objects} fit in memory, so counts may be {counts} too low; raise --memory\n"
    )
}
