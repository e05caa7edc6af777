//! The report: a table of all steps, the required values, and whether all answers are right.

use std::fmt::Write as _;

use reprise_engine::defaults::MEMORY_BYTES;

use crate::data::Expected;
use crate::measure::Usage;
use crate::record::Machine;
use crate::steps::{Row, Run};

/// The speed that `index` must reach, as a share of inflating alone, per CPU second.
const SHARE_MIN: f64 = 0.35;
/// The goal for that share.
const SHARE_GOAL: f64 = 0.5;
/// The speed that two threads must reach, relative to one.
const SPEED_UP_MIN: f64 = 1.8;
/// The largest size on disk, in bytes per chunk.
const CHUNK_BYTES_MAX: f64 = 30.0;
/// The goal for that size.
const CHUNK_BYTES_GOAL: f64 = 24.0;

/// The results of one step: medians over its rounds.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) cpu_seconds: f64,
    pub(crate) wall_seconds: f64,
    /// The megabytes of bodies per CPU second; zero if the system does not provide CPU times.
    pub(crate) mb_per_cpu_second: f64,
    pub(crate) mb_per_wall_second: f64,
    /// The largest of all rounds.
    pub(crate) peak_bytes: u64,
    /// The difference between the slowest and the fastest round, divided by the median CPU time.
    pub(crate) spread: f64,
}

impl Row {
    pub(crate) fn figures(&self) -> Figures {
        let cpu = sorted(&self.runs, |usage| usage.cpu_seconds);
        let wall = sorted(&self.runs, |usage| usage.wall_seconds);
        let megabytes = self.body_bytes as f64 / 1e6;
        Figures {
            cpu_seconds: median(&cpu),
            wall_seconds: median(&wall),
            mb_per_cpu_second: ratio(megabytes, median(&cpu)),
            mb_per_wall_second: ratio(megabytes, median(&wall)),
            peak_bytes: self
                .runs
                .iter()
                .map(|usage| usage.peak_bytes)
                .max()
                .unwrap_or(0),
            spread: ratio(cpu[cpu.len() - 1] - cpu[0], median(&cpu)),
        }
    }
}

impl Run {
    /// Returns the speed of a step as a share of inflating alone, per CPU second.
    pub(crate) fn share_of_inflate(&self, row: &Row) -> f64 {
        let inflate = self.rows.iter().find(|row| row.step == "inflate");
        let inflate = inflate.map_or(0.0, |row| row.figures().mb_per_cpu_second);
        ratio(row.figures().mb_per_cpu_second, inflate)
    }

    /// Returns the bytes on disk per chunk.
    pub(crate) fn bytes_a_chunk(&self, expected: &Expected) -> f64 {
        ratio(self.bytes_on_disk as f64, expected.markup.chunks as f64)
    }

    fn default_index(&self, threads: usize) -> Option<&Row> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.is_default_index && row.threads == threads)
    }
}

/// Returns the report, with times only if `is_timed`.
pub(crate) fn report(expected: &Expected, machine: &Machine, run: &Run, is_timed: bool) -> String {
    let mut out = String::new();
    head(&mut out, expected, machine, run);
    if is_timed {
        table(&mut out, run);
        lines(&mut out, expected, machine, run);
    }
    if run.wrong.is_empty() {
        line(&mut out, "answers", "all right");
    }
    for wrong in &run.wrong {
        line(&mut out, "WRONG", wrong);
    }
    out
}

fn head(out: &mut String, expected: &Expected, machine: &Machine, run: &Run) {
    let corpus = format!(
        "{}: {} pages, {:.1} MB of bodies, {} chunks, {} distinct",
        expected.name,
        grouped(expected.pages),
        expected.body_bytes as f64 / 1e6,
        grouped(expected.markup.chunks),
        grouped(expected.markup.distinct),
    );
    let machine_line = format!(
        "{}, {} cores; {}; commit {}",
        machine.processor, machine.cores, machine.rustc, machine.commit
    );
    line(out, "corpus", &corpus);
    line(out, "machine", &machine_line);
    line(
        out,
        "rounds",
        &format!("{}, medians; MB are those of decoded bodies", run.rounds),
    );
    out.push('\n');
}

fn table(out: &mut String, run: &Run) {
    let width = run.rows.iter().map(|row| row.step.len()).max().unwrap_or(0);
    let titles = ["MB/CPU s", "MB/s", "of inflate", "peak MB", "spread"];
    push(out, format_args!("{:width$}", "step"));
    for title in titles {
        push(out, format_args!("  {title:>10}"));
    }
    out.push('\n');
    for row in &run.rows {
        let figures = row.figures();
        push(out, format_args!("{:width$}", row.step));
        for cell in [
            cell(figures.mb_per_cpu_second, 1),
            cell(figures.mb_per_wall_second, 1),
            cell(run.share_of_inflate(row), 2),
            cell(figures.peak_bytes as f64 / 1e6, 0),
            format!("{:.0} %", figures.spread * 100.0),
        ] {
            push(out, format_args!("  {cell:>10}"));
        }
        out.push('\n');
    }
    out.push('\n');
}

fn lines(out: &mut String, expected: &Expected, machine: &Machine, run: &Run) {
    if let Some(one) = run.default_index(1) {
        let share = run.share_of_inflate(one);
        let words = verdict(share >= SHARE_MIN, share >= SHARE_GOAL);
        let text = format!("{share:.2} (at least {SHARE_MIN}, goal {SHARE_GOAL}): {words}");
        line(out, "of inflate", &text);
        if let Some(two) = run.default_index(2) {
            line(out, "two threads", &speed_up(one, two, machine.cores));
        }
    }
    let bytes = run.bytes_a_chunk(expected);
    let words = verdict(bytes <= CHUNK_BYTES_MAX, bytes <= CHUNK_BYTES_GOAL);
    let text = format!(
        "{bytes:.1} bytes per chunk, {} in total (at most {CHUNK_BYTES_MAX}, goal {CHUNK_BYTES_GOAL}): {words}",
        grouped(run.bytes_on_disk)
    );
    line(out, "on disk", &text);
    let index = run.rows.iter().filter(|row| row.is_index);
    let peak = index.map(|row| row.figures().peak_bytes).max().unwrap_or(0);
    let words = verdict(peak <= MEMORY_BYTES as u64, true);
    let bound = MEMORY_BYTES as f64 / 1e6;
    let text = format!(
        "{:.0} MB (at most {bound:.0} MB): {words}",
        peak as f64 / 1e6
    );
    line(out, "peak", &text);
}

fn speed_up(one: &Row, two: &Row, cores: usize) -> String {
    let times = ratio(one.figures().wall_seconds, two.figures().wall_seconds);
    let words = match cores {
        0 | 1 => "not meaningful on one core",
        _ => verdict(times >= SPEED_UP_MIN, true),
    };
    format!("{times:.2} times as fast as one (at least {SPEED_UP_MIN}): {words}")
}

fn verdict(is_met: bool, is_goal: bool) -> &'static str {
    match (is_met, is_goal) {
        (false, _) => "MISSED",
        (true, false) => "met, below the goal",
        (true, true) => "met",
    }
}

/// Formats a number; an unknown one is a dash.
fn cell(number: f64, digits: usize) -> String {
    if number > 0.0 {
        format!("{number:.digits$}")
    } else {
        "-".to_owned()
    }
}

/// Formats a number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Divides two numbers. Returns zero if the divisor is not positive.
fn ratio(above: f64, below: f64) -> f64 {
    if below > 0.0 { above / below } else { 0.0 }
}

fn sorted(runs: &[Usage], of: impl Fn(&Usage) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = runs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

fn line(out: &mut String, label: &str, text: &str) {
    push(out, format_args!("{label:12} {text}\n"));
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_medians() {
        let run = |cpu_seconds| Usage {
            cpu_seconds,
            wall_seconds: 4.0,
            peak_bytes: 5,
        };
        let row = Row {
            step: "index".to_owned(),
            threads: 1,
            is_default_index: true,
            is_index: true,
            body_bytes: 10_000_000,
            runs: vec![run(9.0), run(2.0), run(1.0)],
        };
        let figures = row.figures();
        assert!((figures.mb_per_cpu_second - 5.0).abs() < 1e-9);
        assert!((figures.mb_per_wall_second - 2.5).abs() < 1e-9);
        assert!((figures.spread - 4.0).abs() < 1e-9);
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
