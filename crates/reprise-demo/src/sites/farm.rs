//! Link farms: many hosts that share a few paragraphs and link to each other.

use std::io;

use super::original;
use super::publication::Publication;
use crate::crawl::Crawl;
use crate::html::{self, push};
use crate::page::Page;
use crate::planted::Role;
use crate::prng::Rng;
use crate::prose::Block;
use crate::world::{World, site_word};

const FAMILY: u64 = 5;
const HOSTS: usize = 24;
const PAGES_PER_HOST: usize = 4;
const LINKS: usize = 40;
/// The number of copied paragraphs.
const COPIED: usize = 6;
/// The highest number of paragraphs copied from one page.
const COPIED_FROM_ONE: usize = 3;
/// The number of paragraphs that are not copied.
const OWN: usize = 3;

/// One paragraph of the farm, as markup.
struct Passage {
    markup: String,
    source: Option<String>,
}

struct Farm<'w> {
    world: &'w World,
    hosts: Vec<String>,
    passages: Vec<Passage>,
    ip: u32,
}

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let key = FAMILY << 32 | number as u64;
    let mut rng = world.rng(&[key]);
    let hosts = (0..HOSTS)
        .map(|host| host_name(number, host, &mut rng))
        .collect();
    let passages = passages(world, &mut rng);
    let farm = Farm {
        world,
        hosts,
        passages,
        ip: world.ip(key),
    };
    for host in 0..HOSTS {
        for page in 0..PAGES_PER_HOST {
            crawl.page(&farm.page(host, page, &mut rng))?;
        }
    }
    Ok(())
}

impl Farm<'_> {
    fn page(&self, host: usize, page: usize, rng: &mut Rng) -> Page {
        let grammar = self.world.grammar("en");
        let sales = grammar.topic("sales");
        let title = grammar.title(sales, &grammar.name(rng), rng);
        let mut order: Vec<usize> = (0..self.passages.len()).collect();
        rng.shuffle(&mut order);
        order.truncate(rng.range(5, COPIED + OWN - 1));
        let passages: String = order
            .iter()
            .map(|&passage| self.passages[passage].markup.as_str())
            .collect();
        let links = self.links(rng);
        let html = html::fill(include_str!("../templates/farm.html"), |key| match key {
            "title" => &title,
            "passages" => &passages,
            "links" => &links,
            _ => panic!("link farms have no field [[{key}]]"),
        });
        let url = format!("http://{}/{}", self.hosts[host], path(page));
        // Three servers host the whole farm.
        let ip = self.ip + host as u32 % 3;
        let mut page = Page::html(url, ip, Role::LinkFarm, "en", html);
        page.copied = order
            .iter()
            .filter(|&&passage| self.passages[passage].source.is_some())
            .count();
        page.sources = order
            .iter()
            .filter_map(|&passage| self.passages[passage].source.clone())
            .collect();
        page.sources.sort_unstable();
        page.sources.dedup();
        page
    }

    fn links(&self, rng: &mut Rng) -> String {
        let grammar = self.world.grammar("en");
        let mut out = String::new();
        for _ in 0..LINKS {
            let host = rng.pick(&self.hosts);
            let path = path(rng.below(PAGES_PER_HOST));
            let anchor = grammar.slot("nouns", rng);
            push(
                &mut out,
                format_args!("<a href=\"http://{host}/{path}\">best {anchor}</a> |\n"),
            );
        }
        out
    }
}

/// Returns the paragraphs of the farm: some copied from encyclopedia articles, and some advertising.
fn passages(world: &World, rng: &mut Rng) -> Vec<Passage> {
    let mut passages = Vec::new();
    while passages.len() < COPIED {
        let (site, index) = original::encyclopedia_article(world, rng);
        let source = site.url(&site.entry(index).path);
        if passages
            .iter()
            .all(|passage: &Passage| passage.source.as_ref() != Some(&source))
        {
            copy(&site, index, &source, &mut passages);
        }
    }
    passages.truncate(COPIED);
    let grammar = world.grammar("en");
    for _ in 0..OWN {
        let name = grammar.name(rng);
        let mut markup = "<p class=\"deal\">".to_owned();
        for _ in 0..4 {
            markup.push_str(&grammar.sentence(grammar.topic("sales"), &name, rng));
            markup.push(' ');
        }
        markup.push_str("</p>\n");
        passages.push(Passage {
            markup,
            source: None,
        });
    }
    passages
}

/// Copies a few paragraphs of an article.
fn copy(site: &Publication<'_>, index: usize, source: &str, passages: &mut Vec<Passage>) {
    let article = site.article(index, &site.entry(index));
    // The chunk of a paragraph includes a list or heading that follows it. Skip such paragraphs.
    let ranges = article.blocks.windows(2).filter_map(|pair| match pair {
        [
            Block::Paragraph(range),
            Block::Paragraph(_) | Block::Figure(_),
        ] => Some(range.clone()),
        _ => None,
    });
    let language = site.grammar.language;
    for range in ranges.take(COPIED_FROM_ONE) {
        let mut markup = String::new();
        html::paragraph(
            &mut markup,
            &article,
            range,
            language,
            site.spec.layout,
            &site.prefix,
        );
        passages.push(Passage {
            markup,
            source: Some(source.to_owned()),
        });
    }
}

fn host_name(farm: usize, host: usize, rng: &mut Rng) -> String {
    const ENDINGS: [&str; 6] = ["info", "biz", "top", "xyz", "online", "co.uk"];
    const KEYWORDS: [&str; 8] = [
        "loans", "cover", "tickets", "pills", "phones", "rooms", "shoes", "credit",
    ];
    // Every registered domain has two hosts.
    let domain = host / 2;
    let word = site_word(FAMILY, farm * HOSTS + domain);
    let site = format!("{word}-{}.{}", KEYWORDS[domain % 8], ENDINGS[domain % 6]);
    if host.is_multiple_of(2) {
        format!("www.{site}")
    } else {
        let keyword: &&str = rng.pick(&KEYWORDS);
        format!("{keyword}.{site}")
    }
}

fn path(page: usize) -> String {
    [
        "",
        "deals/index.html",
        "deals/today/offer.html",
        "links.html",
    ][page]
        .to_owned()
}
