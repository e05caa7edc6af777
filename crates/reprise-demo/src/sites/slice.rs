//! Slice-and-dice sites: pages stitched from single sentences of many sources. The collection of sentences is limited,
//! so each sentence appears on several pages, in a different order.

use std::io;

use super::original;
use crate::crawl::Crawl;
use crate::html::{Layout, Shell, push};
use crate::page::Page;
use crate::planted::Role;
use crate::prng::Rng;
use crate::world::{World, site_word, slug};

const FAMILY: u64 = 6;
const PAGES: usize = 42;
const SOURCES: usize = 70;
const SENTENCES_PER_SOURCE: usize = 3;
const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

/// A sentence and its source.
struct Slice {
    words: String,
    keyword: String,
    source: String,
}

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let key = FAMILY << 32 | number as u64;
    let mut rng = world.rng(&[key]);
    let language = LANGUAGES[number % LANGUAGES.len()];
    let slices = collect(world, language, &mut rng);
    let label = site_word(FAMILY, number);
    let ip = world.ip(key);
    for page in 0..PAGES {
        let page = stitch(world, language, &slices, &label, page, ip, &mut rng);
        crawl.page(&page)?;
    }
    Ok(())
}

fn collect(world: &World, language: &str, rng: &mut Rng) -> Vec<Slice> {
    let mut slices = Vec::with_capacity(SOURCES * SENTENCES_PER_SOURCE);
    for _ in 0..SOURCES {
        let (site, index) = original::source_in(world, language, rng);
        let entry = site.entry(index);
        let article = site.article(index, &entry);
        for _ in 0..SENTENCES_PER_SOURCE {
            slices.push(Slice {
                words: article
                    .sentence(rng.below(article.sentences.len()))
                    .to_owned(),
                keyword: entry.heading.name.clone(),
                source: site.url(&entry.path),
            });
        }
    }
    slices
}

fn stitch(
    world: &World,
    language: &str,
    slices: &[Slice],
    label: &str,
    number: usize,
    ip: u32,
    rng: &mut Rng,
) -> Page {
    let language = world.grammar(language).language;
    let keywords: Vec<&str> = (0..5).map(|_| rng.pick(slices).keyword.as_str()).collect();
    let title = keywords.join(" ");
    let mut content = format!("<h1>{title}</h1>\n");
    let mut sources = Vec::new();
    for _ in 0..rng.range(7, 11) {
        paragraph(&mut content, slices, &mut sources, rng);
        if rng.chance(1, 3) {
            push(
                &mut content,
                format_args!(
                    "<div class=\"go\"><a href=\"/{}.html\">{}</a></div>\n",
                    rng.below(PAGES),
                    rng.pick(&keywords)
                ),
            );
        }
    }
    let navigation: Vec<_> = keywords
        .iter()
        .map(|key| (format!("/{}/", slug(key)), (*key).to_owned()))
        .collect();
    let shell = Shell {
        language,
        layout: Layout::Modern,
        prefix: label,
        site: label,
        title: &title,
        navigation: &navigation,
        sidebar: "",
        charset: None,
    };
    let url = format!(
        "http://www.{label}-answers.biz/{}/{}/{number}.html",
        slug(keywords[0]),
        slug(keywords[1])
    );
    let mut page = Page::html(
        url,
        ip,
        Role::SliceAndDice,
        language.tag,
        shell.page(&content),
    );
    page.copied = sources.len();
    sources.sort_unstable();
    sources.dedup();
    page.sources = sources;
    page
}

fn paragraph(out: &mut String, slices: &[Slice], sources: &mut Vec<String>, rng: &mut Rng) {
    out.push_str("<p class=\"t\">");
    for _ in 0..rng.range(3, 5) {
        let slice = rng.pick(slices);
        out.push_str(&slice.words);
        out.push(' ');
        sources.push(slice.source.clone());
    }
    out.push_str("</p>\n");
}
