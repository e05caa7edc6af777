//! Writes the record of a run: one CSV file for each day and processor, which is committed.
//!
//! The record names processor, compiler and commit, and nothing else about the machine.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::data::Expected;
use crate::steps::Run;

const HEADER: &str = "date,commit,rustc,processor,cores,corpus,pages,body_bytes,chunks,distinct_chunks,\
    bytes_a_chunk,answers,step,threads,rounds,step_body_bytes,cpu_seconds,wall_seconds,mb_per_cpu_second,\
    mb_per_second,of_inflate,peak_bytes,spread";

/// The machine and the build.
pub(crate) struct Machine {
    /// The model of the processor.
    pub(crate) processor: String,
    /// The number of threads that can run at the same time.
    pub(crate) cores: usize,
    /// The version of the compiler.
    pub(crate) rustc: String,
    /// The commit of the workspace, with `-dirty` if files differ from it.
    pub(crate) commit: String,
}

impl Machine {
    pub(crate) fn look() -> Machine {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let commit = ["describe", "--always", "--dirty", "--exclude=*"];
        let unknown = || "unknown".to_owned();
        Machine {
            processor: processor().unwrap_or_else(unknown),
            cores: thread::available_parallelism().map_or(1, usize::from),
            rustc: first_line(Command::new("rustc").arg("--version")).unwrap_or_else(unknown),
            commit: first_line(Command::new("git").args(commit).current_dir(root))
                .unwrap_or_else(unknown),
        }
    }
}

/// Appends a run to the record of the day. Returns its path.
pub(crate) fn write(expected: &Expected, machine: &Machine, run: &Run) -> Result<PathBuf> {
    let date = today();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
    let path = directory.join(format!("{date}-{}.csv", slug(&machine.processor)));
    let mut text = String::new();
    if !path.exists() {
        text += &(HEADER.to_owned() + "\n");
    }
    for row in rows(expected, machine, run, &date) {
        let fields: Vec<_> = row.iter().map(|field| quoted(field)).collect();
        text += &(fields.join(",") + "\n");
    }
    let append = || -> std::io::Result<()> {
        fs::create_dir_all(&directory)?;
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        file.write_all(text.as_bytes())
    };
    append().with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn rows(expected: &Expected, machine: &Machine, run: &Run, date: &str) -> Vec<Vec<String>> {
    let answers = if run.wrong.is_empty() {
        "right"
    } else {
        "wrong"
    };
    let all = vec![
        date.to_owned(),
        machine.commit.clone(),
        machine.rustc.clone(),
        machine.processor.clone(),
        machine.cores.to_string(),
        expected.name.clone(),
        expected.pages.to_string(),
        expected.body_bytes.to_string(),
        expected.markup.chunks.to_string(),
        expected.markup.distinct.to_string(),
        format!("{:.2}", run.bytes_a_chunk(expected)),
        answers.to_owned(),
    ];
    let row = |row: &crate::steps::Row| {
        let figures = row.figures();
        let mut fields = all.clone();
        fields.extend([
            row.step.clone(),
            row.threads.to_string(),
            row.runs.len().to_string(),
            row.body_bytes.to_string(),
            format!("{:.3}", figures.cpu_seconds),
            format!("{:.3}", figures.wall_seconds),
            format!("{:.1}", figures.mb_per_cpu_second),
            format!("{:.1}", figures.mb_per_wall_second),
            format!("{:.3}", run.share_of_inflate(row)),
            figures.peak_bytes.to_string(),
            format!("{:.3}", figures.spread),
        ]);
        fields
    };
    run.rows.iter().map(row).collect()
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn processor() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    let name = line.split_once(':')?.1.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?.to_owned();
    output.status.success().then_some(line)
}

/// Turns a name into a part of a file name.
fn slug(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
    date(seconds.map_or(0, |seconds| seconds.as_secs() / 86_400))
}

/// Returns the date that is `days` days after 1970-01-01.
fn date(mut days: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let dates = [0, 58, 59, 11_016, 11_017, 20_453].map(date);
        let expected = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "2000-02-29",
            "2000-03-01",
            "2025-12-31",
        ];
        assert_eq!(dates, expected);
    }

    #[test]
    fn names_become_parts_of_file_names() {
        assert_eq!(
            slug("AMD EPYC 7003 (Milan) @ 2.4"),
            "amd-epyc-7003-milan-2-4"
        );
        assert_eq!(quoted("index, \"1\""), "\"index, \"\"1\"\"\"");
    }
}
