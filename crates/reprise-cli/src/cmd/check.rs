//! `reprise check`: pages against labels, one by one or as a stream.

use std::fmt::Write as _;
use std::io::{BufRead, Read, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use reprise_engine::crawl::{FetchError, FetchOne, fetch_one};
use reprise_engine::discover::StopRules;
use reprise_engine::ingest::{
    BatchReader, Batches, InputConfig, Inputs, Item, Page, RecordLimits, Source, read_response,
};
use reprise_engine::store::{LabelReader, Labels};
use reprise_engine::{Checked, check};
use serde::Serialize;

use super::filters::{StopFlags, read_limits};
use crate::exit::Usage;
use crate::{human, input_name};

/// Look up pages in labels: is there a copy in them?
///
/// Exit code 0: no copy; 3: a copy was found. A page on the site that a label comes from is no copy of
/// it, so give --url for a page from a file. A stream of JSONL pages on standard input is answered line
/// by line.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A page, the http or https URL of one, or pages in any form that index reads; - is standard input
    #[arg(value_name = "FILE|URL", default_value = "-", value_parser = input_name::parser())]
    input: String,
    /// File of labels, from discover or label
    #[arg(long, value_name = "LABELS")]
    labels: PathBuf,
    /// URL of the page, where the input is one page
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Fetch from addresses of private networks and of this machine too
    #[arg(long)]
    allow_private: bool,
    /// Most seconds for fetching a page
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = super::crawl::some_seconds)]
    timeout: f64,
    #[command(flatten)]
    stop: StopFlags,
    /// Print one JSON object a page
    #[arg(long)]
    json: bool,
}

/// A copy was found.
const FOUND: u8 = 3;

#[derive(Serialize)]
struct Json<'a> {
    url: &'a str,
    copy: bool,
    contains: f64,
    matched: u64,
    chunks: u64,
    own: u64,
    file_matched: bool,
    sources: Vec<JsonSource<'a>>,
    matches: Vec<JsonMatch<'a>>,
}

#[derive(Serialize)]
struct JsonSource<'a> {
    url: &'a str,
    site: &'a str,
    name: &'a str,
    chunks: u64,
}

#[derive(Serialize)]
struct JsonMatch<'a> {
    start: usize,
    length: usize,
    fingerprint: String,
    url: &'a str,
    site: &'a str,
}

/// What pages are checked against.
struct Checker<'a> {
    labels: LabelReader<'a>,
    stop: StopRules,
    args: &'a Args,
    limits: RecordLimits,
    pages: u64,
    copies: u64,
    failed: Option<anyhow::Error>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let labels = Labels::open(&args.labels)?;
    let stop = args
        .stop
        .rules(labels.header().min_length, labels.settings()?)?;
    if labels.rows() == 0 {
        say!("reprise: {} holds no label", args.labels.display());
    }
    let mut checker = Checker {
        labels: labels.reader(),
        stop,
        args,
        limits: RecordLimits {
            body_bytes: 64 << 20,
            ..read_limits()
        },
        pages: 0,
        copies: 0,
        failed: None,
    };
    if args.input == "-" {
        checker.stream()?;
    } else if is_url(&args.input) {
        checker.fetch()?;
    } else {
        checker.files()?;
    }
    if let Some(error) = checker.failed {
        return Err(error);
    }
    if checker.pages == 0 {
        return Err(Usage(format!("there is no page in {}", args.input)).into());
    }
    Ok(if checker.copies > 0 {
        ExitCode::from(FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

fn is_url(input: &str) -> bool {
    let lower = input.get(..8).unwrap_or(input).to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

impl Checker<'_> {
    /// A page of the web. It is checked as what it is in the end, after redirects.
    fn fetch(&mut self) -> anyhow::Result<()> {
        let config = FetchOne {
            user_agent: super::crawl::user_agent(None),
            allow_private: self.args.allow_private,
            fetch: super::crawl::fetch_limits(self.args.timeout, 0, self.limits),
        };
        let fetched = fetch_one(&self.args.input, &config).map_err(|error| {
            let hint = match error {
                FetchError::PrivateAddress(_) => " (--allow-private allows that)",
                _ => "",
            };
            let context = format!("cannot fetch {}{hint}", self.args.input);
            anyhow::Error::from(error).context(context)
        })?;
        if !(200..300).contains(&fetched.status) {
            anyhow::bail!("{} answers with status {}", fetched.url, fetched.status);
        }
        let limits = self.limits;
        read_response(&fetched.url, &fetched.block, &limits, &mut |item| {
            self.item(item);
        });
        Ok(())
    }

    fn files(&mut self) -> anyhow::Result<()> {
        let config = InputConfig {
            base_url: None,
            spool_directory: std::env::temp_dir(),
            passed_by: Vec::new(),
            limits: self.limits,
        };
        let inputs = Inputs::open(std::slice::from_ref(&self.args.input), &config)?;
        self.sources(inputs.sources.clone());
        Ok(())
    }

    /// Standard input: lines of JSON are answered as they come, anything else when it has ended.
    fn stream(&mut self) -> anyhow::Result<()> {
        let mut input = stdin().lock();
        let is_rows = input
            .fill_buf()
            .context("cannot read standard input")?
            .trim_ascii_start()
            .starts_with(b"{");
        if !is_rows {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                return Err(Usage("standard input is empty".to_owned()).into());
            }
            let name = self.args.url.as_deref().unwrap_or("stdin:");
            self.sources(vec![Source::from_bytes(name, bytes, &self.limits)?]);
            return Ok(());
        }
        let most = self.limits.body_bytes as u64 * 2;
        loop {
            let mut line = Vec::new();
            if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if !line.trim_ascii().is_empty() {
                self.sources(vec![Source::from_bytes("line.jsonl", line, &self.limits)?]);
            }
        }
    }

    fn sources(&mut self, sources: Vec<Source>) {
        let sources: Arc<[Source]> = sources.into();
        let mut batches = Batches::new(Arc::clone(&sources), self.limits);
        let mut reader = BatchReader::new(sources, self.limits);
        while let Some(batch) = batches.next_batch() {
            reader.read(&batch, None, &mut |_, item| self.item(item));
        }
    }

    fn item(&mut self, item: Item<'_>) {
        match item {
            Item::Page(page) => self.page(&page),
            Item::Problem(problem) if problem.kind.is_listed() => {
                let url = problem.url.as_deref().unwrap_or("a record");
                let line = format!("{url} is left out: {}", problem.detail);
                say!("reprise: {}", human::one_line(&line));
            }
            _ => {}
        }
    }

    fn page(&mut self, page: &Page<'_>) {
        if self.failed.is_some() {
            return;
        }
        let url = self.args.url.as_deref().unwrap_or(page.url);
        let result = check(url, page, &mut self.labels, &self.stop)
            .map_err(anyhow::Error::from)
            .and_then(|checked| {
                self.pages += 1;
                self.copies += u64::from(checked.is_copy);
                let line = if self.args.json {
                    serde_json::to_string(&json(&checked))? + "\n"
                } else {
                    text(&checked)
                };
                let mut out = stdout().lock();
                out.write_all(line.as_bytes())?;
                out.flush()?;
                Ok(())
            });
        self.failed = result.err();
    }
}

fn json(checked: &Checked) -> Json<'_> {
    Json {
        url: &checked.url,
        copy: checked.is_copy,
        contains: checked.contains,
        matched: checked.matched,
        chunks: checked.chunks,
        own: checked.own,
        file_matched: checked.file_matched,
        sources: checked
            .sources
            .iter()
            .map(|source| JsonSource {
                url: &source.url,
                site: &source.site,
                name: &source.name,
                chunks: source.chunks,
            })
            .collect(),
        matches: checked
            .matches
            .iter()
            .map(|found| JsonMatch {
                start: found.span.start,
                length: found.span.len(),
                fingerprint: found.fingerprint.to_string(),
                url: &found.url,
                site: &found.site,
            })
            .collect(),
    }
}

fn text(checked: &Checked) -> String {
    let verdict = if checked.is_copy { "copy" } else { "clean" };
    let mut line = format!(
        "{verdict}  {:.3}  {}/{} chunks  {}",
        checked.contains, checked.matched, checked.chunks, checked.url
    );
    if let Some(source) = checked.sources.first() {
        let _ = write!(line, "  from {}", source.url);
        if !source.name.is_empty() {
            let _ = write!(line, " ({})", source.name);
        }
    }
    human::one_line(&line) + "\n"
}
