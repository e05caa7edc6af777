//! `reprise check`: single pages against labels.

use std::fmt::Write as _;
use std::io::{BufRead, Read, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use reprise_engine::crawler::{FetchLimits, FetchOne};
use reprise_engine::{CheckSession, Checked, CheckedItem, Checker, Labels};

use crate::console::{Console, print_json};
use crate::failure::Usage;
use crate::flags::StopFlags;
use crate::{human, input_name, size};

/// Check whether pages are copies of labelled pages
///
/// The exit code is 3 if a copy was found, otherwise 0. Pages on the site that a label comes from are never copies;
/// for a file, give its URL with --url. JSONL pages on standard input are answered line by line.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A page, an http or https URL, or pages in any format that index reads; - is standard input
    #[arg(value_name = "FILE|URL", default_value = "-", value_parser = input_name::parser())]
    input: String,
    /// File of labels, from discover or label
    #[arg(long, value_name = "LABELS")]
    labels: PathBuf,
    /// URL of the page, if the input is one page
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    #[command(flatten)]
    stop: StopFlags,
    /// Allow addresses of private networks and of this machine
    #[arg(long, hide_short_help = true)]
    allow_private: bool,
    /// Give up fetching a page after this time
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = size::positive_seconds, hide_short_help = true)]
    timeout: f64,
}

/// The exit code if a copy was found.
const FOUND: u8 = 3;

/// Prints the results and counts them.
struct Printer<'a> {
    console: Console,
    /// The URL that `--url` gives the page.
    url: Option<&'a str>,
    /// True if every line of the input gets an answer in JSON.
    answers_all: bool,
    pages: u64,
    copies: u64,
    /// A record that was left out before the first page. It may be the reason why there is none.
    left_out: Option<String>,
}

/// The answer to a line of JSON that is not a page.
#[derive(serde::Serialize)]
struct LeftOut<'a> {
    url: Option<&'a str>,
    error: &'a str,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let labels = Labels::open(&self.labels).map_err(reprise_engine::Error::from)?;
        let settings = labels.settings().map_err(reprise_engine::Error::from)?;
        let stop = self.stop.rules(labels.header().min_length, settings)?;
        if labels.rows() == 0 {
            console.say(format!("{} holds no labels", self.labels.display()));
        }
        let checker = Checker::new(labels, Some(stop))?;
        let mut session = checker.session();
        let mut printer = Printer {
            console,
            url: self.url.as_deref(),
            answers_all: console.json && self.input == "-",
            pages: 0,
            copies: 0,
            left_out: None,
        };
        let mut see = |item| printer.see(item);
        if self.input == "-" {
            self.check_stream(&mut session, &mut see)?;
        } else if is_url(&self.input) {
            session.url(&self.input, &self.fetch(), &mut see)?;
        } else {
            session.input(&self.input, self.url.as_deref(), &mut see)?;
        }
        if printer.pages == 0 {
            let input = match self.input.as_str() {
                "-" => "standard input",
                input => input,
            };
            let reason = printer
                .left_out
                .map_or(String::new(), |why| format!(": {why}"));
            return Err(Usage(format!("{input} has no page{reason}")).into());
        }
        Ok(if printer.copies > 0 {
            ExitCode::from(FOUND)
        } else {
            ExitCode::SUCCESS
        })
    }

    fn fetch(&self) -> FetchOne {
        FetchOne {
            allow_private: self.allow_private,
            fetch: FetchLimits {
                retries: 0,
                ..FetchLimits::within(Duration::from_secs_f64(self.timeout.max(0.1)))
            },
            ..FetchOne::default()
        }
    }

    /// Checks standard input. Lines of JSON are answered one by one, anything else at its end.
    fn check_stream(
        &self,
        session: &mut CheckSession<'_>,
        see: &mut dyn FnMut(CheckedItem) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut input = stdin().lock();
        let start = input.fill_buf().context("cannot read standard input")?;
        if !start.trim_ascii_start().starts_with(b"{") {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                return Err(Usage("standard input is empty; name a file".to_owned()).into());
            }
            let name = self.url.as_deref().unwrap_or("stdin:");
            return session.bytes(name, bytes, self.url.as_deref(), see);
        }
        loop {
            let mut line = Vec::new();
            let most = session.line_bytes_max();
            if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if !line.trim_ascii().is_empty() {
                session.bytes("line.jsonl", line, self.url.as_deref(), see)?;
            }
        }
    }
}

fn is_url(input: &str) -> bool {
    let lower = input.get(..8).unwrap_or(input).to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

impl Printer<'_> {
    fn see(&mut self, item: CheckedItem) -> anyhow::Result<()> {
        let checked = match item {
            CheckedItem::Page(checked) => checked,
            CheckedItem::Problem(problem) if self.answers_all => {
                print_json(&LeftOut {
                    url: problem.url.as_deref(),
                    error: &problem.detail,
                })?;
                return Ok(stdout().flush()?);
            }
            CheckedItem::Problem(problem) => {
                let url = problem.url.as_deref().unwrap_or("a record");
                let left_out = format!("{url} is left out: {}", problem.detail);
                if self.pages == 0 && self.left_out.is_none() {
                    self.left_out = Some(left_out);
                } else {
                    self.console.say(format!("reprise: {left_out}"));
                }
                return Ok(());
            }
        };
        if let Some(left_out) = self.left_out.take() {
            self.console.say(format!("reprise: {left_out}"));
        }
        self.pages += 1;
        if self.pages > 1 && self.url.is_some() {
            let message = "--url is for one page, but the input has several; remove --url";
            return Err(Usage(message.to_owned()).into());
        }
        self.copies += u64::from(checked.is_copy);
        if self.console.json {
            print_json(&checked)?;
        } else {
            stdout().write_all(text(&checked).as_bytes())?;
        }
        Ok(stdout().flush()?)
    }
}

fn text(checked: &Checked) -> String {
    let verdict = match (checked.is_copy, checked.chunks) {
        (true, _) => "copy",
        (false, 0) => "empty",
        (false, _) => "clean",
    };
    let mut line = format!(
        "{verdict}  {}  {} of {}  {}",
        human::percent(checked.contains),
        human::count(checked.matched),
        human::counted(checked.chunks, "chunk"),
        checked.url
    );
    if !checked.is_copy && checked.own > 0 {
        line += "  (labels of its own site)";
    } else if let Some(source) = checked.sources.first() {
        let _ = write!(line, "  from {}", source.url);
        if !source.name.is_empty() {
            let _ = write!(line, " ({})", source.name);
        }
    }
    human::one_line(&line) + "\n"
}
