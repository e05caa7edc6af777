//! Builds plain text from words, lines and paragraphs, up to a limit.

/// Builds plain text. Folds white space on the way.
#[derive(Debug)]
pub(crate) struct Paragraphs {
    text: String,
    bytes_max: usize,
    /// The gap between the text so far and the next word.
    gap: Gap,
    is_full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Tab,
    Line,
    Paragraph,
}

impl Paragraphs {
    pub(crate) fn new(bytes_max: usize) -> Paragraphs {
        Paragraphs {
            text: String::new(),
            bytes_max,
            gap: Gap::None,
            is_full: false,
        }
    }

    /// Appends text. Each run of white space becomes one space.
    pub(crate) fn push(&mut self, text: &str) {
        for (index, word) in text.split(char::is_whitespace).enumerate() {
            if index > 0 {
                self.widen(Gap::Space);
            }
            self.push_word(word);
        }
    }

    /// Appends text, and keeps its line ends.
    pub(crate) fn push_lines(&mut self, text: &str) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.line();
            }
            self.push(line);
        }
    }

    /// Appends a tab, unless a wider gap precedes the next word.
    pub(crate) fn tab(&mut self) {
        self.widen(Gap::Tab);
    }

    /// Ends the line. Ends the paragraph if the line is empty.
    pub(crate) fn line(&mut self) {
        let gap = if self.gap == Gap::Line {
            Gap::Paragraph
        } else {
            Gap::Line
        };
        self.widen(gap);
    }

    /// Ends the paragraph.
    pub(crate) fn paragraph(&mut self) {
        self.widen(Gap::Paragraph);
    }

    /// Returns true if the limit is reached. Further text is ignored.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the text, and true if it was cut.
    pub(crate) fn finish(self) -> (String, bool) {
        (self.text, self.is_full)
    }

    /// Appends the text of another builder as separate paragraphs.
    pub(crate) fn append(&mut self, other: &str) {
        self.paragraph();
        self.push_lines(other);
        self.paragraph();
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    fn push_word(&mut self, word: &str) {
        if word.is_empty() || self.is_full {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(match self.gap {
                Gap::None => "",
                Gap::Space => " ",
                Gap::Tab => "\t",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            });
        }
        self.gap = Gap::None;
        let room = self.bytes_max.saturating_sub(self.text.len());
        if word.len() <= room {
            self.text.push_str(word);
        } else {
            self.text.push_str(&word[..word.floor_char_boundary(room)]);
            self.text.truncate(self.text.trim_end().len());
            self.is_full = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Paragraphs;

    #[test]
    fn the_widest_gap_wins() {
        let mut out = Paragraphs::new(100);
        out.paragraph();
        out.push(" a");
        out.push("b \n c ");
        out.tab();
        out.push(" d");
        out.line();
        out.push("e");
        out.push_lines("\n\nf\ng");
        out.paragraph();
        assert_eq!(out.finish(), ("ab c\td\ne\n\nf\ng".to_owned(), false));
    }

    #[test]
    fn the_limit_cuts_between_characters() {
        let mut out = Paragraphs::new(4);
        out.push("abc\u{e9}x more");
        assert_eq!(out.finish(), ("abc".to_owned(), true));
    }
}
