//! Writes markup: the shell of a page, and the markup of an article.
//!
//! The pages have the features that make real markup hard to cut: tags in comments, scripts and styles, `>` in
//! quoted attributes, upper-case and unclosed tags, elements whose names begin with `p`.

use std::fmt::{Arguments, Write as _};
use std::ops::Range;

use crate::prose::{Article, Block, Sentence};
use crate::words::Language;

/// The look of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Semantic elements in lower case, all closed.
    Modern,
    /// Tables, upper-case tags, unquoted attributes, unclosed paragraphs.
    Portal,
    /// A blog with a long sidebar.
    Blog,
}

/// The part of a page around its content.
pub(crate) struct Shell<'a> {
    pub(crate) language: &'static Language,
    pub(crate) layout: Layout,
    /// The prefix of class names. It differs between sites, so that their templates have no chunks in common.
    pub(crate) prefix: &'a str,
    pub(crate) site: &'a str,
    pub(crate) title: &'a str,
    /// The links of the navigation: targets and labels.
    pub(crate) navigation: &'a [(String, String)],
    /// The markup of the sidebar.
    pub(crate) sidebar: &'a str,
    /// The charset to state in a `meta` element.
    pub(crate) charset: Option<&'static str>,
}

impl Shell<'_> {
    /// Returns the whole page with `content`.
    pub(crate) fn page(&self, content: &str) -> String {
        let labels = &self.language.labels;
        let navigation = self.navigation();
        let charset = self.charset();
        let template = match self.layout {
            Layout::Modern => include_str!("templates/modern.html"),
            Layout::Portal => include_str!("templates/portal.html"),
            Layout::Blog => include_str!("templates/blog.html"),
        };
        fill(template, |key| match key {
            "language" => self.language.tag,
            "direction" if self.language.right_to_left => " dir=\"rtl\"",
            "direction" => "",
            "charset" => &charset,
            "title" => self.title,
            "site" => self.site,
            "prefix" => self.prefix,
            "navigation" => &navigation,
            "content" => content,
            "sidebar" => self.sidebar,
            // East Asian charsets have no copyright sign.
            "copyright" if self.language.between.is_empty() => "&copy;",
            "copyright" => "©",
            "rights" => labels.rights,
            "motto" => labels.motto,
            "about" => labels.about,
            "contact" => labels.contact,
            _ => panic!("shells have no field [[{key}]]"),
        })
    }

    fn navigation(&self) -> String {
        let mut out = String::new();
        for (target, label) in self.navigation {
            let link = format_args!("<li><a href=\"{target}\">{label}</a></li>\n");
            let upper = format_args!("| <A HREF=\"{target}\">{label}</A>\n");
            push(
                &mut out,
                if self.layout == Layout::Portal {
                    upper
                } else {
                    link
                },
            );
        }
        out
    }

    fn charset(&self) -> String {
        match (self.charset, self.layout) {
            (None, _) => String::new(),
            (Some(charset), Layout::Portal) => format!(
                "<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset={charset}\">\n"
            ),
            (Some(charset), _) => format!("<meta charset=\"{charset}\">\n"),
        }
    }
}

/// Returns `template` with every `[[key]]` replaced by `value(key)`.
pub(crate) fn fill<'a>(template: &str, value: impl Fn(&str) -> &'a str) -> String {
    let mut out = String::with_capacity(template.len() * 4);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("[[") {
        let (key, after) = after
            .split_once("]]")
            .expect("every field of a template has a closing bracket");
        out.push_str(before);
        out.push_str(value(key));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Writes the markup of an article's blocks, each on a new line. Returns the number of paragraphs.
///
/// `before` can write markup before each paragraph, a place that does not change the chunks of the article.
pub(crate) fn article(
    out: &mut String,
    article: &Article,
    language: &Language,
    layout: Layout,
    prefix: &str,
    mut before: impl FnMut(&mut String, usize),
) -> usize {
    let mut paragraphs = 0;
    for block in &article.blocks {
        match block {
            Block::Paragraph(range) => {
                before(out, paragraphs);
                paragraphs += 1;
                paragraph(out, article, range.clone(), language, layout, prefix);
            }
            Block::Quote(range) => {
                paragraphs += 1;
                out.push_str("<blockquote><p>");
                sentences(out, article, range.clone(), language);
                out.push_str("</p></blockquote>\n");
            }
            Block::List(range) => {
                out.push_str("<ul>\n");
                for index in range.clone() {
                    out.push_str("<li>");
                    sentences(out, article, index..index + 1, language);
                    out.push_str("</li>\n");
                }
                out.push_str("</ul>\n");
            }
            Block::Subheading(title) => push(out, format_args!("<h2>{title}</h2>\n")),
            Block::Figure(number) => figure(out, *number, prefix),
        }
    }
    paragraphs
}

/// Writes the markup of one paragraph.
pub(crate) fn paragraph(
    out: &mut String,
    article: &Article,
    range: Range<usize>,
    language: &Language,
    layout: Layout,
    prefix: &str,
) {
    match layout {
        Layout::Portal => out.push_str("<P ALIGN=justify>"),
        Layout::Modern => push(out, format_args!("<p class=\"{prefix}-text\">")),
        Layout::Blog => out.push_str("<p>"),
    }
    sentences(out, article, range, language);
    out.push_str(if layout == Layout::Portal {
        "\n"
    } else {
        "</p>\n"
    });
}

fn figure(out: &mut String, number: usize, prefix: &str) {
    push(
        out,
        format_args!(
            "<div class=\"{prefix}-figure\"><picture>\
             <source media=\"(width >= 600px)\" srcset=\"/img/{number}-l.jpg\">\
             <img src=\"/img/{number}.jpg\" alt='left > right: \"{number}\"' width=640>\
             </picture></div>\n"
        ),
    );
}

fn sentences(out: &mut String, article: &Article, range: Range<usize>, language: &Language) {
    for index in range.clone() {
        if index > range.start {
            out.push_str(language.between);
        }
        sentence(out, &article.text, &article.sentences[index], index);
    }
}

/// Writes a sentence. Some have a link, emphasis or a comment at the name.
fn sentence(out: &mut String, text: &str, sentence: &Sentence, index: usize) {
    let Some(name) = &sentence.name else {
        out.push_str(&text[sentence.span.clone()]);
        return;
    };
    out.push_str(&text[sentence.span.start..name.start]);
    let word = &text[name.clone()];
    let tag = index * 37;
    match index % 9 {
        1 => push(
            out,
            format_args!("<a href=\"/tag/{tag}\" title=\"more > here\">{word}</a>"),
        ),
        4 => push(out, format_args!("<em>{word}</em>")),
        6 => push(out, format_args!("<b>{word}</b><!-- <p> -->")),
        _ => out.push_str(word),
    }
    out.push_str(&text[name.end..sentence.span.end]);
}

/// Appends formatted text.
pub(crate) fn push(out: &mut String, text: Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn shells_fill_all_fields() {
        for layout in [Layout::Modern, Layout::Portal, Layout::Blog] {
            let shell = Shell {
                language: &words::ARABIC,
                layout,
                prefix: "zz",
                site: "The Site",
                title: "The Title",
                navigation: &[("/a/".to_owned(), "A".to_owned())],
                sidebar: "The Sidebar",
                charset: Some("windows-1256"),
            };
            let page = shell.page("The Content");
            assert!(!page.contains("[["));
            let parts = [
                "The Site",
                "The Title",
                "The Content",
                "The Sidebar",
                "/a/",
                "windows-1256",
            ];
            for part in parts {
                assert!(page.contains(part), "{layout:?} lacks {part}");
            }
        }
    }
}
