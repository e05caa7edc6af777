//! The visible text of a page, run by run.

use std::ops::{ControlFlow, Range};

use crate::kind::Content;
use crate::tokens::decode;
use crate::visible::{Seen, walk};

/// Calls `see` with each run of visible text, with character references decoded.
///
/// All markup ends a run, also tags such as `b`. A word never continues in the next run.
pub fn visible_runs(content: Content, text: &str, mut see: impl FnMut(&str)) {
    if content != Content::Html {
        see(text);
        return;
    }
    walk(text, |seen| {
        match seen {
            Seen::Encoded(text) => see(&decode(text)),
            Seen::Literal(text) => see(text),
            Seen::Break => {}
        }
        ControlFlow::Continue(())
    });
}

/// A run of visible text, and its place in the page.
pub struct VisibleRun<'t> {
    /// The text, with character references decoded.
    pub text: &'t str,
    /// The offset of the run in the page.
    start: usize,
    /// The starts and ends of character references: the offset in `text` and the offset in the page.
    steps: Vec<(usize, usize)>,
}

impl VisibleRun<'_> {
    /// Returns the bytes of the page that a part of `text` comes from.
    pub fn in_page(&self, span: Range<usize>) -> Range<usize> {
        self.position(span.start)..self.position(span.end)
    }

    fn position(&self, at: usize) -> usize {
        let step = self.steps.partition_point(|&(run, _)| run <= at);
        match step.checked_sub(1).map(|step| self.steps[step]) {
            // An offset within a decoded reference must not exceed the reference in the page.
            Some((run, page)) => match self.steps.get(step) {
                Some(&(_, next)) => (page + at - run).min(next),
                None => page + at - run,
            },
            None => self.start + at,
        }
    }
}

/// Calls `see` with the runs of [`visible_runs()`] and their places in the page.
pub fn visible_runs_in_page(content: Content, text: &str, mut see: impl FnMut(&VisibleRun<'_>)) {
    raw_runs(content, text, |raw, is_encoded| {
        let start = raw.as_ptr() as usize - text.as_ptr() as usize;
        if !is_encoded || !raw.contains('&') {
            let steps = Vec::new();
            see(&VisibleRun {
                text: raw,
                start,
                steps,
            });
            return;
        }
        let mut decoded = String::new();
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(found) = raw[at..].find('&') {
            decoded.push_str(&raw[at..at + found]);
            let reference = &raw[at + found..];
            let length = reference_length(reference);
            steps.push((decoded.len(), start + at + found));
            decoded.push_str(&decode(&reference[..length]));
            at += found + length;
            steps.push((decoded.len(), start + at));
        }
        decoded.push_str(&raw[at..]);
        see(&VisibleRun {
            text: &decoded,
            start,
            steps,
        });
    });
}

/// Returns the length of a possible character reference: `&`, a name or number, and a semicolon.
fn reference_length(text: &str) -> usize {
    let name = text[1..]
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
        .count();
    let has_end = text.as_bytes().get(1 + name) == Some(&b';');
    1 + name + usize::from(has_end)
}

/// Calls `see` with each run as written, and with true if it may contain character references.
fn raw_runs(content: Content, text: &str, mut see: impl FnMut(&str, bool)) {
    if content != Content::Html {
        see(text, false);
        return;
    }
    let bytes = text.as_bytes().as_ptr_range();
    walk(text, |seen| {
        match seen {
            Seen::Encoded(part) => see(part, true),
            // The replacement of a NUL is not part of the page.
            Seen::Literal(part) if bytes.contains(&part.as_ptr()) => see(part, false),
            Seen::Literal(_) | Seen::Break => {}
        }
        ControlFlow::Continue(())
    });
}

#[cfg(test)]
mod tests {
    use super::{Content, visible_runs, visible_runs_in_page};

    const PAGE: &str = "<title>A &amp; B</title><script>no</script><p>one<b>two</b><!-- no -->caf&eacute; noir &lt&#33;x";

    #[test]
    fn markup_ends_a_run() {
        let mut found = Vec::new();
        visible_runs(Content::Html, PAGE, |text| found.push(text.to_owned()));
        found.retain(|text| !text.is_empty());
        assert_eq!(found, ["A & B", "one", "two", "caf\u{e9} noir <!x"]);
        let mut found = Vec::new();
        visible_runs(Content::Plain, "a <b> c", |text| {
            found.push(text.to_owned());
        });
        assert_eq!(found, ["a <b> c"]);
    }

    #[test]
    fn runs_know_where_they_come_from() {
        let mut found = Vec::new();
        visible_runs_in_page(Content::Html, PAGE, |run| {
            for word in ["A", "B", "two", "caf\u{e9}", "noir", "x"] {
                if let Some(at) = run.text.find(word) {
                    found.push(&PAGE[run.in_page(at..at + word.len())]);
                }
            }
        });
        assert_eq!(found, ["A", "B", "two", "caf&eacute;", "noir", "x"]);
    }
}
