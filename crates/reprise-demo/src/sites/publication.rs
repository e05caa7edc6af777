//! A site with original articles. Every article can be generated again from its number, so a copy does not need the
//! original in memory.

use crate::clock::{DAY, Moment, YEAR_2024};
use crate::html::{self, Layout, Shell, push};
use crate::page::{Charset, Page};
use crate::planted::{Declared, Role};
use crate::prose::{Article, Grammar, Heading, Patterns};
use crate::world::{World, numbered_word, slug};

/// A kind of publication.
pub(crate) struct Spec {
    /// The host. `*` stands for a word that differs between sites of the same kind.
    pub(crate) host: &'static str,
    pub(crate) title: &'static str,
    /// The word of the first site of this kind.
    pub(crate) word: &'static str,
    pub(crate) language: &'static str,
    pub(crate) topic: &'static str,
    pub(crate) layout: Layout,
    pub(crate) prefix: &'static str,
    pub(crate) sections: &'static [&'static str],
    /// The path of an article, with `{section}`, `{year}`, `{month}`, `{slug}` and `{n}`.
    pub(crate) path: &'static str,
    /// The number of articles.
    pub(crate) articles: usize,
    /// The charsets that the articles use in turn.
    pub(crate) charsets: &'static [Charset],
}

/// One site of such a kind.
pub(crate) struct Publication<'w> {
    pub(crate) spec: &'static Spec,
    pub(crate) host: String,
    pub(crate) title: String,
    pub(crate) prefix: String,
    pub(crate) ip: u32,
    pub(crate) grammar: &'w Grammar,
    patterns: &'w Patterns,
    world: &'w World,
    key: u64,
    navigation: Vec<(String, String)>,
    sidebar: String,
}

/// The part of an article that links to it need.
pub(crate) struct Entry {
    pub(crate) heading: Heading,
    pub(crate) date: Moment,
    /// The path on the site, beginning with a slash.
    pub(crate) path: String,
}

const HEADING: u64 = 1;
const BODY: u64 = 2;
const TEASER: u64 = 3;

impl<'w> Publication<'w> {
    /// Returns site `number` of the kinds in `specs`. Each table of kinds has its own `family`.
    pub(crate) fn new(
        world: &'w World,
        family: u64,
        specs: &'static [Spec],
        number: usize,
    ) -> Self {
        let spec = &specs[number % specs.len()];
        let ordinal = number / specs.len();
        let label = if ordinal == 0 {
            spec.word.to_owned()
        } else {
            numbered_word(number)
        };
        let grammar = world.grammar(spec.language);
        let mut prefix = spec.prefix.to_owned();
        let mut title = spec.title.to_owned();
        if ordinal > 0 {
            push(&mut prefix, format_args!("{number}"));
            push(&mut title, format_args!(" {ordinal}"));
        }
        let key = family << 32 | number as u64;
        Self {
            spec,
            host: spec.host.replace('*', &label),
            title,
            prefix,
            ip: world.ip(key),
            grammar,
            patterns: grammar.topic(spec.topic),
            world,
            key,
            navigation: navigation(spec, grammar),
            sidebar: String::new(),
        }
    }

    /// Returns the site with `sidebar` on every page.
    pub(crate) fn with_sidebar(mut self, sidebar: String) -> Self {
        self.sidebar = sidebar;
        self
    }

    /// Returns the absolute URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.host)
    }

    /// Returns the heading, date and path of article `index`.
    pub(crate) fn entry(&self, index: usize) -> Entry {
        let mut rng = self.world.rng(&[self.key, HEADING, index as u64]);
        let heading = self.grammar.heading(self.patterns, &mut rng);
        let date = Moment(YEAR_2024.0 + rng.below(730) as u64 * DAY + rng.below(80_000) as u64);
        let slug = match self.spec.language {
            "en" => slug(&heading.title),
            "zh-Hans" => percent_encode(&heading.name),
            _ => format!(
                "{}-{}",
                numbered_word(rng.below(4000)),
                numbered_word(rng.below(4000))
            ),
        };
        let (year, month, _) = date.date();
        let path = self.spec.path.replace("{section}", self.section(index));
        let path = path.replace("{year}", &year.to_string());
        let path = path.replace("{month}", &format!("{month:02}"));
        let path = path
            .replace("{slug}", &slug)
            .replace("{n}", &(index + 1).to_string());
        Entry {
            heading,
            date,
            path,
        }
    }

    /// Returns the text of article `index`. One in ten is long.
    pub(crate) fn article(&self, index: usize, entry: &Entry) -> Article {
        let mut rng = self.world.rng(&[self.key, BODY, index as u64]);
        let long = if rng.chance(1, 10) {
            rng.range(15, 30)
        } else {
            0
        };
        let paragraphs = rng.range(4, 14) + long;
        self.grammar
            .article(self.patterns, &entry.heading.name, paragraphs, &mut rng)
    }

    /// Returns the page of article `index`, and its number of paragraphs.
    pub(crate) fn page(&self, index: usize, role: Role) -> (Page, usize) {
        let entry = self.entry(index);
        let article = self.article(index, &entry);
        let mut content = String::with_capacity(article.text.len() * 2);
        self.article_top(&mut content, &entry);
        let language = self.grammar.language;
        let paragraphs = html::article(
            &mut content,
            &article,
            language,
            self.spec.layout,
            &self.prefix,
            |_, _| {},
        );
        self.article_end(&mut content, index);
        let charset = self.spec.charsets[index % self.spec.charsets.len()];
        let html = self.shell(&entry.heading.title, charset, &content);
        let page = Page::html_in(
            charset,
            self.url(&entry.path),
            self.ip,
            role,
            language.tag,
            html,
        );
        (page, paragraphs)
    }

    /// Returns the front page, which links to all articles.
    pub(crate) fn front_page(&self, role: Role) -> Page {
        self.list_page("/", 0..self.spec.articles, role)
    }

    /// Returns the page of section `number`.
    pub(crate) fn section_page(&self, number: usize, role: Role) -> Page {
        let path = format!("/{}/", self.spec.sections[number]);
        let indices = (number..self.spec.articles).step_by(self.spec.sections.len());
        self.list_page(&path, indices, role)
    }

    /// Returns a page of this site with any content.
    pub(crate) fn shell(&self, title: &str, charset: Charset, content: &str) -> String {
        let stated = matches!(charset.declared, Declared::Meta | Declared::HeaderAndMeta);
        let shell = Shell {
            language: self.grammar.language,
            layout: self.spec.layout,
            prefix: &self.prefix,
            site: &self.title,
            title,
            navigation: &self.navigation,
            sidebar: &self.sidebar,
            charset: stated.then_some(charset.name),
        };
        shell.page(content)
    }

    fn section(&self, index: usize) -> &'static str {
        self.spec.sections[index % self.spec.sections.len()]
    }

    fn article_top(&self, out: &mut String, entry: &Entry) {
        let (year, month, day) = entry.date.date();
        let (title, byline) = (&entry.heading.title, &entry.heading.byline);
        let (prefix, by) = (&self.prefix, self.grammar.language.labels.by);
        push(
            out,
            format_args!("<div class=\"{prefix}-article\">\n<h1>{title}</h1>\n"),
        );
        push(
            out,
            format_args!(
                "<p class=\"byline\">{by} {byline}, <time>{year}-{month:02}-{day:02}</time></p>\n"
            ),
        );
    }

    fn article_end(&self, out: &mut String, index: usize) {
        let labels = &self.grammar.language.labels;
        push(
            out,
            format_args!(
                "</div>\n<div class=\"{}-related\"><h3>{}</h3><ul>\n",
                self.prefix, labels.related
            ),
        );
        for step in 1..4 {
            let entry = self.entry((index + step * 5) % self.spec.articles);
            push(
                out,
                format_args!(
                    "<li><a href=\"{}\">{}</a></li>\n",
                    entry.path, entry.heading.title
                ),
            );
        }
        out.push_str("</ul></div>\n");
        let count = self.spec.articles;
        let steps = [(count - 1, labels.previous), (1, labels.next)];
        for (step, label) in steps {
            let path = self.entry((index + step) % count).path;
            push(
                out,
                format_args!("<a class=\"pager\" href=\"{path}\">{label}</a>\n"),
            );
        }
    }

    fn list_page(&self, path: &str, indices: impl Iterator<Item = usize>, role: Role) -> Page {
        let language = self.grammar.language;
        let mut content = format!("<h1>{}</h1>\n", self.title);
        for index in indices {
            let entry = self.entry(index);
            let mut rng = self.world.rng(&[self.key, TEASER, index as u64]);
            let teaser = self
                .grammar
                .sentence(self.patterns, &entry.heading.name, &mut rng);
            push(
                &mut content,
                format_args!(
                    "<div class=\"{}-teaser\"><h2><a href=\"{}\">",
                    self.prefix, entry.path
                ),
            );
            push(
                &mut content,
                format_args!("{}</a></h2>\n<p>{teaser} ", entry.heading.title),
            );
            push(
                &mut content,
                format_args!(
                    "<a href=\"{}\">{}</a></p></div>\n",
                    entry.path, language.labels.more
                ),
            );
        }
        let charset = self.spec.charsets[0];
        let html = self.shell(language.labels.home, charset, &content);
        Page::html_in(charset, self.url(path), self.ip, role, language.tag, html)
    }
}

fn navigation(spec: &Spec, grammar: &Grammar) -> Vec<(String, String)> {
    let labels = &grammar.language.labels;
    let sections = spec
        .sections
        .iter()
        .map(|section| (format!("/{section}/"), section.replace('/', " ")));
    [
        ("/", labels.home),
        ("/archive/", labels.archive),
        ("/search", labels.search),
    ]
    .map(|(target, label)| (target.to_owned(), label.to_owned()))
    .into_iter()
    .chain(sections)
    .collect()
}

fn percent_encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        push(&mut out, format_args!("%{byte:02X}"));
    }
    out
}
