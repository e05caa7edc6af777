//! Sites that show copied articles between advertisements.

use std::collections::HashSet;
use std::io;

use super::original;
use super::publication::{Entry, Publication};
use crate::crawl::Crawl;
use crate::html::{self, Layout, Shell, push};
use crate::page::Page;
use crate::planted::Role;
use crate::prng::Rng;
use crate::world::{World, numbered_word, site_word};

const FAMILY: u64 = 4;
const PAGES: usize = 14;
/// The number of advertisements. All these sites show the same ones.
const ADS: usize = 12;

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let key = FAMILY << 32 | number as u64;
    let mut rng = world.rng(&[key]);
    let label = site_word(FAMILY, number);
    let ending = rng.pick(&["info", "biz", "co.uk", "site", "com"]);
    let host = format!("www.{label}-reads.{ending}");
    let ip = world.ip(key);
    let ads = ads(world);
    let mut taken = HashSet::new();
    while taken.len() < PAGES {
        let (site, index) = original::source(world, &mut rng);
        let url = format!(
            "http://{host}/read/{}/{}.html",
            rng.range(1, 9),
            taken.len() + 1
        );
        if taken.insert(site.url(&site.entry(index).path)) {
            crawl.page(&wrap(&site, index, &label, url, ip, &ads, &mut rng))?;
        }
    }
    Ok(())
}

fn wrap(
    site: &Publication<'_>,
    index: usize,
    label: &str,
    url: String,
    ip: u32,
    ads: &[String],
    rng: &mut Rng,
) -> Page {
    let entry = site.entry(index);
    let language = site.grammar.language;
    let (content, copied) = content(site, index, &entry, label, ads, rng);
    let navigation = ["top", "new", "popular"].map(|part| (format!("/{part}/"), part.to_owned()));
    let shell = Shell {
        language,
        layout: Layout::Modern,
        prefix: label,
        site: label,
        title: &entry.heading.title,
        navigation: &navigation,
        sidebar: &ads[(index + 1) % ads.len()],
        charset: None,
    };
    let html = shell.page(&content);
    let mut page = Page::html(url, ip, Role::CloneWithAds, language.tag, html);
    page.sources = vec![site.url(&entry.path)];
    page.copied = copied;
    page
}

/// Returns the article with advertisements and tracking pixels, and its number of paragraphs.
fn content(
    site: &Publication<'_>,
    index: usize,
    entry: &Entry,
    label: &str,
    ads: &[String],
    rng: &mut Rng,
) -> (String, usize) {
    let article = site.article(index, entry);
    let title = &entry.heading.title;
    let mut out = format!("<div class=\"{label}-top\"><h1>{title}</h1></div>\n");
    let before = |out: &mut String, paragraph: usize| {
        if paragraph.is_multiple_of(2) {
            let ad = rng.pick(ads);
            push(
                out,
                format_args!("<div class=\"ad slot-{paragraph}\" data-w=\"w > 300\">{ad}</div>\n"),
            );
        }
        if rng.chance(1, 4) {
            let pixel = format_args!("//pixel.{label}-stats.net/t.gif?p={}", rng.below(1_000_000));
            push(
                out,
                format_args!("<div><img src=\"{pixel}\" width=1 alt=\"\"></div>\n"),
            );
        }
    };
    let language = site.grammar.language;
    let copied = html::article(
        &mut out,
        &article,
        language,
        site.spec.layout,
        &site.prefix,
        before,
    );
    let ad = &ads[index % ads.len()];
    push(
        &mut out,
        format_args!("<div class=\"ad foot\">{ad}</div>\n"),
    );
    (out, copied)
}

/// Returns the advertisements of this web. Every call returns the same ones.
fn ads(world: &World) -> Vec<String> {
    let mut rng = world.rng(&[FAMILY, 0xad]);
    let grammar = world.grammar("en");
    let patterns = grammar.topic("sales");
    let mut ad = |number: usize| {
        let name = grammar.name(&mut rng);
        let line = grammar.sentence(patterns, &name, &mut rng);
        format!(
            "<a href=\"http://click.adriver-{}.net/c?id={number}\"><b>{name}</b> {line}</a>",
            numbered_word(number)
        )
    };
    (0..ADS).map(&mut ad).collect()
}
