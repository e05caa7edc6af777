//! Writes sentences and articles from the patterns of [`crate::words`].

use std::fmt::Write as _;
use std::ops::Range;

use crate::prng::Rng;
use crate::words::{Language, Topic};

/// A language with parsed patterns.
pub(crate) struct Grammar {
    pub(crate) language: &'static Language,
    slots: Vec<Vec<Pattern>>,
    topics: Vec<Patterns>,
}

/// The patterns of one topic.
pub(crate) struct Patterns {
    key: &'static str,
    titles: Vec<Pattern>,
    sentences: Vec<Pattern>,
}

/// A sequence of literal text and slots.
struct Pattern(Vec<Piece>);

enum Piece {
    Text(&'static str),
    Slot { index: usize, capital: bool },
    Name,
    Place,
    Year,
    Small,
    Number,
}

/// The heading of an article. It can be generated without the article, for links to it.
pub(crate) struct Heading {
    /// The invented name that the article is about.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) byline: String,
}

/// The text of an article, without markup.
pub(crate) struct Article {
    pub(crate) text: String,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) blocks: Vec<Block>,
}

/// A sentence, as spans of [`Article::text`].
pub(crate) struct Sentence {
    pub(crate) span: Range<usize>,
    /// The first invented name in the sentence. Links and emphasis go around it.
    pub(crate) name: Option<Range<usize>>,
}

/// A part of an article. Ranges are those of its sentences.
pub(crate) enum Block {
    Paragraph(Range<usize>),
    Quote(Range<usize>),
    List(Range<usize>),
    Subheading(String),
    Figure(usize),
}

impl Grammar {
    pub(crate) fn new(language: &'static Language) -> Self {
        let compile = |patterns: &'static [&'static str]| {
            patterns
                .iter()
                .map(|pattern| Pattern::new(language, pattern))
                .collect::<Vec<_>>()
        };
        let topic = |topic: &'static Topic| Patterns {
            key: topic.key,
            titles: compile(topic.titles),
            sentences: compile(topic.sentences),
        };
        Self {
            language,
            slots: language
                .slots
                .iter()
                .map(|(_, entries)| compile(entries))
                .collect(),
            topics: language.topics.iter().map(topic).collect(),
        }
    }

    /// Returns the patterns of the topic `key`.
    pub(crate) fn topic(&self, key: &str) -> &Patterns {
        let found = self.topics.iter().find(|topic| topic.key == key);
        found.expect("sites use only topics of their language")
    }

    /// Returns an invented name.
    pub(crate) fn name(&self, rng: &mut Rng) -> String {
        let mut out = String::new();
        self.push_name(&mut out, rng);
        out
    }

    /// Returns a title, name and byline.
    pub(crate) fn heading(&self, patterns: &Patterns, rng: &mut Rng) -> Heading {
        let name = self.name(rng);
        let title = self.line(&patterns.titles, &name, rng);
        let initial = self.slot("initial", rng);
        let surname = self.name(rng);
        let gap = if self.language.between.is_empty() || initial.is_empty() {
            ""
        } else {
            " "
        };
        Heading {
            name,
            title,
            byline: format!("{initial}{gap}{surname}"),
        }
    }

    /// Returns a title about `name`.
    pub(crate) fn title(&self, patterns: &Patterns, name: &str, rng: &mut Rng) -> String {
        self.line(&patterns.titles, name, rng)
    }

    /// Returns a sentence about `name`.
    pub(crate) fn sentence(&self, patterns: &Patterns, name: &str, rng: &mut Rng) -> String {
        self.line(&patterns.sentences, name, rng)
    }

    /// Returns an entry of the slot `key`.
    pub(crate) fn slot(&self, key: &str, rng: &mut Rng) -> String {
        let index = self
            .language
            .slots
            .iter()
            .position(|(name, _)| *name == key);
        let index = index.expect("callers use only slots that every language has");
        self.line(&self.slots[index], "", rng)
    }

    /// Returns an article about `name` with about `paragraphs` paragraphs.
    pub(crate) fn article(
        &self,
        patterns: &Patterns,
        name: &str,
        paragraphs: usize,
        rng: &mut Rng,
    ) -> Article {
        let mut article = Article {
            text: String::with_capacity(paragraphs * 640),
            sentences: Vec::with_capacity(paragraphs * 6),
            blocks: Vec::with_capacity(paragraphs * 2),
        };
        for paragraph in 0..paragraphs {
            if paragraph > 0 && rng.chance(1, 4) {
                article
                    .blocks
                    .push(Block::Subheading(self.title(patterns, name, rng)));
            }
            let range = self.sentences(patterns, name, 3, 7, &mut article, rng);
            article.blocks.push(Block::Paragraph(range));
            match rng.below(16) {
                0 => {
                    let range = self.sentences(patterns, name, 1, 2, &mut article, rng);
                    article.blocks.push(Block::Quote(range));
                }
                1 => {
                    let range = self.sentences(patterns, name, 3, 5, &mut article, rng);
                    article.blocks.push(Block::List(range));
                }
                2 | 3 => article.blocks.push(Block::Figure(rng.range(100, 9999))),
                _ => {}
            }
        }
        article
    }

    fn sentences(
        &self,
        patterns: &Patterns,
        name: &str,
        low: usize,
        high: usize,
        article: &mut Article,
        rng: &mut Rng,
    ) -> Range<usize> {
        let first = article.sentences.len();
        for _ in 0..rng.range(low, high) {
            let start = article.text.len();
            let pattern = rng.pick(&patterns.sentences);
            let mut mark = None;
            self.expand(pattern, name, &mut article.text, &mut mark, rng);
            let span = start..article.text.len();
            article.sentences.push(Sentence { span, name: mark });
        }
        first..article.sentences.len()
    }

    fn line(&self, patterns: &[Pattern], name: &str, rng: &mut Rng) -> String {
        let mut out = String::new();
        self.expand(rng.pick(patterns), name, &mut out, &mut None, rng);
        out
    }

    /// Writes `pattern` to `out`, and the range of the first name to `mark`.
    fn expand(
        &self,
        pattern: &Pattern,
        name: &str,
        out: &mut String,
        mark: &mut Option<Range<usize>>,
        rng: &mut Rng,
    ) {
        for piece in &pattern.0 {
            let start = out.len();
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Slot { index, capital } => {
                    self.expand(rng.pick(&self.slots[*index]), name, out, mark, rng);
                    if *capital {
                        capitalize(out, start);
                    }
                    if self.language.tag == "en" && needs_an(out, start) {
                        out.insert(start - 1, 'n');
                        if let Some(mark) = mark.as_mut().filter(|mark| mark.start >= start) {
                            *mark = mark.start + 1..mark.end + 1;
                        }
                    }
                }
                Piece::Name => {
                    out.push_str(name);
                    mark.get_or_insert(start..out.len());
                }
                Piece::Place => {
                    self.push_name(out, rng);
                    mark.get_or_insert(start..out.len());
                }
                Piece::Year => push_number(out, rng.range(1840, 2023)),
                Piece::Small => push_number(out, rng.range(2, 12)),
                Piece::Number => push_number(out, rng.range(13, 980)),
            }
        }
    }

    fn push_name(&self, out: &mut String, rng: &mut Rng) {
        for parts in self.language.names {
            let part: &&str = rng.pick(parts);
            out.push_str(part);
        }
    }
}

impl Pattern {
    fn new(language: &'static Language, mut text: &'static str) -> Self {
        let mut pieces = Vec::new();
        while let Some(open) = text.find('{') {
            if open > 0 {
                pieces.push(Piece::Text(&text[..open]));
            }
            let close = open
                + text[open..]
                    .find('}')
                    .expect("every brace of a pattern has a closing brace");
            pieces.push(Piece::new(language, &text[open + 1..close]));
            text = &text[close + 1..];
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Self(pieces)
    }
}

impl Piece {
    fn new(language: &Language, key: &str) -> Self {
        match key {
            "name" => Self::Name,
            "place" => Self::Place,
            "year" => Self::Year,
            "small" => Self::Small,
            "number" => Self::Number,
            _ => {
                let lower = key.to_ascii_lowercase();
                let index = language.slots.iter().position(|(name, _)| *name == lower);
                let Some(index) = index else {
                    panic!("no slot {{{key}}} in language {}", language.tag);
                };
                Self::Slot {
                    index,
                    capital: lower != key,
                }
            }
        }
    }
}

impl Article {
    /// Returns the text of sentence `index`.
    pub(crate) fn sentence(&self, index: usize) -> &str {
        &self.text[self.sentences[index].span.clone()]
    }
}

/// Changes the character at `start` to upper case.
fn capitalize(out: &mut String, start: usize) {
    if let Some(first) = out[start..].chars().next()
        && first.is_lowercase()
    {
        let upper = first.to_uppercase().to_string();
        out.replace_range(start..start + first.len_utf8(), &upper);
    }
}

/// Returns true if the English article "a" before the word at `start` must become "an".
fn needs_an(out: &str, start: usize) -> bool {
    let before = &out[..start];
    (before.ends_with(" a ") || before.ends_with("A "))
        && out[start..].starts_with(['a', 'e', 'i', 'o', 'u'])
}

fn push_number(out: &mut String, number: usize) {
    write!(out, "{number}").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    const LANGUAGES: [&Language; 8] = [
        &words::ENGLISH,
        &words::GERMAN,
        &words::FRENCH,
        &words::RUSSIAN,
        &words::ARABIC,
        &words::CHINESE_SIMPLIFIED,
        &words::CHINESE_TRADITIONAL,
        &words::JAPANESE,
    ];

    /// Returns every pattern of every list, expanded once.
    fn everything(language: &'static Language) -> String {
        let grammar = Grammar::new(language);
        let mut rng = Rng::keyed(5, &[]);
        let mut out = String::new();
        let topics = grammar
            .topics
            .iter()
            .flat_map(|topic| topic.titles.iter().chain(&topic.sentences));
        for pattern in grammar.slots.iter().flatten().chain(topics) {
            grammar.expand(pattern, "X", &mut out, &mut None, &mut rng);
            out.push('\n');
        }
        out.extend(language.names.concat());
        let labels = &language.labels;
        out.extend([
            labels.home,
            labels.about,
            labels.archive,
            labels.contact,
            labels.search,
        ]);
        out.extend([
            labels.by,
            labels.more,
            labels.related,
            labels.previous,
            labels.next,
        ]);
        out.extend([labels.rights, labels.motto]);
        out
    }

    #[test]
    fn every_pattern_expands_without_leftovers() {
        for language in LANGUAGES {
            let text = everything(language);
            assert!(
                !text.contains(['{', '}', '<', '>', '&']),
                "{}",
                language.tag
            );
        }
    }

    #[test]
    fn word_lists_fit_the_charsets_of_their_sites() {
        let expected = [
            ("en", vec!["windows-1252"]),
            ("de", vec!["windows-1252"]),
            ("fr", vec!["windows-1252"]),
            ("ru", vec!["windows-1251", "KOI8-R"]),
            ("ar", vec!["windows-1256"]),
            ("zh-Hans", vec!["GBK"]),
            ("zh-Hant", vec!["Big5"]),
            ("ja", vec!["Shift_JIS", "EUC-JP", "ISO-2022-JP"]),
        ];
        for (language, (tag, charsets)) in LANGUAGES.into_iter().zip(expected) {
            assert_eq!(language.tag, tag);
            for charset in charsets {
                let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
                for line in everything(language).lines() {
                    assert!(
                        !encoding.encode(line).2,
                        "{charset} cannot express {line:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn english_words_have_the_right_article() {
        let text = everything(&words::ENGLISH);
        for wrong in [
            " a old ",
            " a early",
            " a un",
            " a ord",
            " an long",
            " an mossy",
        ] {
            assert!(!text.contains(wrong), "{wrong:?}");
        }
        assert!(!needs_an("with a ", 7) && needs_an("with a upper", 7));
    }

    #[test]
    fn sentences_cover_the_text() {
        let grammar = Grammar::new(&words::ENGLISH);
        let article = grammar.article(
            grammar.topic("news"),
            "Velmowick",
            9,
            &mut Rng::keyed(1, &[]),
        );
        let joined: String = (0..article.sentences.len())
            .map(|index| article.sentence(index))
            .collect();
        assert_eq!(joined, article.text);
        assert!(article.text.contains("Velmowick"));
    }
}
