//! Runs a program that reads a document from standard input and writes text, within limits.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::ConvertError;
use crate::format::Format;
use crate::limits::ConvertLimits;

/// The most bytes of the program's error messages that are kept.
const COMPLAINT_BYTES_MAX: usize = 4096;

/// Runs the program on `bytes`. Returns its output, and true if that was cut at the limit.
pub(crate) fn run(
    program: &Path,
    arguments: &[OsString],
    bytes: &[u8],
    limits: &ConvertLimits,
) -> Result<(String, bool), ConvertError> {
    let io = |source| ConvertError::Io {
        program: program.to_owned(),
        source,
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        // In a separate process group, the processes that the program starts can be ended with it.
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let mut child = Running(command.spawn().map_err(io)?);
    // Set the limits before the program gets the document.
    limit(&child.0, limits).map_err(io)?;
    let outcome = talk(&mut child, bytes, limits).map_err(io)?;
    outcome.judge(program, limits)
}

/// A child process that is killed and awaited when dropped.
struct Running(Child);

impl Running {
    fn end(&mut self) {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // An error means that the process has ended by itself.
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(target_os = "linux")]
fn limit(child: &Child, limits: &ConvertLimits) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = Pid::from_child(child);
    let set = |resource, value: u64| {
        let limit = Rlimit {
            current: Some(value),
            maximum: Some(value),
        };
        match prlimit(Some(pid), resource, limit) {
            // The process has ended already.
            Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(io::Error::from(error)),
        }
    };
    set(Resource::As, limits.memory_bytes_max)?;
    // The clock below is the main limit. This one applies if this process dies first.
    set(Resource::Cpu, limits.seconds_max.max(0.0) as u64 + 1)?;
    set(Resource::Core, 0)
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
fn limit(_: &Child, _: &ConvertLimits) -> io::Result<()> {
    Ok(())
}

/// The result of a program run.
struct Outcome {
    text: Vec<u8>,
    complaint: Vec<u8>,
    is_cut: bool,
    is_late: bool,
    is_success: bool,
}

fn talk(child: &mut Running, bytes: &[u8], limits: &ConvertLimits) -> io::Result<Outcome> {
    let missing = || io::Error::other("the program has no pipe for input or output");
    let stdin = child.0.stdin.take().ok_or_else(missing)?;
    let stdout = child.0.stdout.take().ok_or_else(missing)?;
    let stderr = child.0.stderr.take().ok_or_else(missing)?;
    let text_bytes_max = limits.text_bytes_max;
    let span = Duration::try_from_secs_f64(limits.seconds_max.max(0.0)).unwrap_or(Duration::MAX);
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| feed(stdin, bytes));
        let (said, listen) = mpsc::channel();
        let complaint = scope.spawn(|| read_some(stderr, COMPLAINT_BYTES_MAX, true));
        scope.spawn(move || said.send(read_some(stdout, text_bytes_max, false)));
        let answer = listen.recv_timeout(span);
        let is_late = answer.is_err();
        let is_cut = matches!(&answer, Ok((_, true)));
        let mut is_success = false;
        if !is_late && !is_cut {
            // The program has closed its output. It is about to end, unless it is hostile.
            let status = wait(&mut child.0, span.saturating_sub(start.elapsed()))?;
            is_success = status.is_some_and(|status| status.success());
        }
        // Kill the processes that may still hold the pipes, so that the threads end.
        child.end();
        let (text, _) = answer.unwrap_or_default();
        let (complaint, _) = complaint.join().unwrap_or_default();
        Ok(Outcome {
            text,
            complaint,
            is_cut,
            is_late,
            is_success,
        })
    })
}

/// Writes the document. A program may close its input early, so errors are ignored.
fn feed(mut stdin: ChildStdin, bytes: &[u8]) {
    let _ = stdin.write_all(bytes);
}

/// Returns the first bytes, and true if there are more. Reads and drops the rest if `drains` is true.
fn read_some(mut from: impl Read, bytes_max: usize, drains: bool) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    // If the pipe breaks, the bytes so far are the result.
    let _ = from
        .by_ref()
        .take(bytes_max as u64 + 1)
        .read_to_end(&mut bytes);
    let has_more = bytes.len() > bytes_max;
    bytes.truncate(bytes_max);
    if drains {
        let _ = io::copy(&mut from, &mut io::sink());
    }
    (bytes, has_more)
}

/// Waits for the end of a process. Returns `None` if it does not end in time.
fn wait(child: &mut Child, span: Duration) -> io::Result<Option<std::process::ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > span {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

impl Outcome {
    /// Returns the text and true if it was cut, or the error that explains the failure.
    fn judge(self, program: &Path, limits: &ConvertLimits) -> Result<(String, bool), ConvertError> {
        if self.is_late {
            return Err(ConvertError::TimedOut {
                seconds_max: limits.seconds_max,
            });
        }
        if self.is_cut || self.is_success {
            let text = String::from_utf8_lossy(&self.text).into_owned();
            return Ok((text, self.is_cut));
        }
        let complaint = String::from_utf8_lossy(&self.complaint);
        let says = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        // `pdftotext` prints `Incorrect password`; `pdf_text` fails with `is encrypted`.
        if says(&["password", "encrypted"]) {
            return Err(ConvertError::Encrypted(Format::Pdf));
        }
        if says(&[
            "memory allocation",
            "bad_alloc",
            "Out of memory",
            "out of memory",
        ]) {
            return Err(ConvertError::Memory {
                bytes_max: limits.memory_bytes_max,
            });
        }
        let why = complaint
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty());
        Err(ConvertError::Failed {
            program: program.to_owned(),
            why: why.unwrap_or("it printed no error message").to_owned(),
        })
    }
}
