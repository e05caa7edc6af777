//! Sites with original articles, which other sites copy.

use std::io;

use super::publication::{Publication, Spec};
use super::{assets, bank};
use crate::crawl::Crawl;
use crate::html::Layout;
use crate::page::Charset;
use crate::planted::{Declared, Role};
use crate::prng::Rng;
use crate::world::World;

const FAMILY: u64 = 1;
/// The index of the encyclopedia in [`SPECS`], which is copied most.
const ENCYCLOPEDIA: usize = 1;
/// The index of the bank in [`SPECS`].
pub(crate) const BANK: usize = 3;

/// Returns original site `number`.
pub(crate) fn publication(world: &World, number: usize) -> Publication<'_> {
    Publication::new(world, FAMILY, SPECS, number)
}

/// Draws an article to copy: a site and the number of the article. Half of them are from encyclopedias, and the first
/// articles of a site are drawn more often than the last.
pub(crate) fn source<'w>(world: &'w World, rng: &mut Rng) -> (Publication<'w>, usize) {
    let generation = rng.below(world.scale) * SPECS.len();
    let kind = if rng.chance(1, 2) {
        ENCYCLOPEDIA
    } else {
        rng.below(SPECS.len())
    };
    let site = publication(world, generation + kind);
    let article = rng
        .below(site.spec.articles)
        .min(rng.below(site.spec.articles));
    (site, article)
}

/// Draws an article of an encyclopedia.
pub(crate) fn encyclopedia_article<'w>(
    world: &'w World,
    rng: &mut Rng,
) -> (Publication<'w>, usize) {
    let site = publication(world, rng.below(world.scale) * SPECS.len() + ENCYCLOPEDIA);
    let article = rng.below(site.spec.articles);
    (site, article)
}

/// Draws an article in the language with this tag.
pub(crate) fn source_in<'w>(
    world: &'w World,
    language: &str,
    rng: &mut Rng,
) -> (Publication<'w>, usize) {
    let kinds: Vec<usize> = (0..SPECS.len())
        .filter(|&kind| SPECS[kind].language == language)
        .collect();
    let number = rng.below(world.scale) * SPECS.len() + rng.pick(&kinds);
    let site = publication(world, number);
    let article = rng.below(site.spec.articles);
    (site, article)
}

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let site = publication(world, number);
    crawl.dns(&site.host, site.ip)?;
    assets::robots(&site, crawl)?;
    crawl.page(&site.front_page(Role::Original))?;
    for section in 0..site.spec.sections.len() {
        crawl.page(&site.section_page(section, Role::Original))?;
    }
    for index in 0..site.spec.articles {
        crawl.page(&site.page(index, Role::Original).0)?;
    }
    if number % SPECS.len() == BANK {
        crawl.page(&bank::login(&site))?;
    }
    assets::write(world, &site, number, number % SPECS.len(), crawl)
}

const fn charset(name: &'static str, declared: Declared) -> Charset {
    Charset { name, declared }
}

const UTF_8_HEADER: Charset = charset("UTF-8", Declared::Header);
const UTF_8_META: Charset = charset("UTF-8", Declared::Meta);
const UTF_8_BOTH: Charset = charset("UTF-8", Declared::HeaderAndMeta);
const UTF_8_NOWHERE: Charset = charset("UTF-8", Declared::Nowhere);

/// The kinds of original sites.
pub(crate) const SPECS: &[Spec] = &[
    Spec {
        host: "www.*-gazette.com",
        title: "The Northlight Gazette",
        word: "northlight",
        language: "en",
        topic: "news",
        layout: Layout::Modern,
        prefix: "ng",
        sections: &["news/local", "news/region", "business", "culture"],
        path: "/{section}/{year}/{month}/{slug}-{n}.html",
        articles: 28,
        charsets: &[UTF_8_HEADER],
    },
    Spec {
        host: "www.*lore.org",
        title: "Openlore, the open encyclopedia",
        word: "open",
        language: "en",
        topic: "lore",
        layout: Layout::Modern,
        prefix: "ol",
        sections: &["wiki/places", "wiki/buildings"],
        path: "/{section}/{slug}_{n}",
        articles: 32,
        charsets: &[UTF_8_META],
    },
    Spec {
        host: "*-and-ladle.co.uk",
        title: "Hearth and Ladle",
        word: "hearth",
        language: "en",
        topic: "recipes",
        layout: Layout::Portal,
        prefix: "hl",
        sections: &["soups", "bakes", "preserves"],
        path: "/recipes/{section}/{slug}-{n}.htm",
        articles: 16,
        charsets: &[
            charset("windows-1252", Declared::Meta),
            charset("windows-1252", Declared::Header),
        ],
    },
    Spec {
        host: "www.*-bank.com",
        title: "Harrowfield Bank",
        word: "harrowfield",
        language: "en",
        topic: "money",
        layout: Layout::Modern,
        prefix: "hb",
        sections: &["personal/accounts", "business/loans"],
        path: "/{section}/{slug}-{n}",
        articles: 10,
        charsets: &[UTF_8_BOTH],
    },
    Spec {
        host: "www.*.ac.uk",
        title: "University of Tarnmoor",
        word: "tarnmoor",
        language: "en",
        topic: "campus",
        layout: Layout::Modern,
        prefix: "ut",
        sections: &["departments/history", "departments/botany", "research"],
        path: "/{section}/projects/{year}/{slug}-{n}/",
        articles: 18,
        charsets: &[UTF_8_HEADER, UTF_8_META],
    },
    Spec {
        host: "*-roads.github.io",
        title: "Slow Roads",
        word: "slow",
        language: "en",
        topic: "travel",
        layout: Layout::Blog,
        prefix: "sr",
        sections: &["journeys"],
        path: "/{year}/{month}/{slug}-{n}/",
        articles: 14,
        charsets: &[UTF_8_NOWHERE, charset("UTF-8", Declared::Bom)],
    },
    Spec {
        host: "*-botany.org",
        title: "River Botany Society",
        word: "river",
        language: "en",
        topic: "campus",
        layout: Layout::Portal,
        prefix: "rb",
        sections: &["flora", "notes"],
        path: "/{section}/{year}/{slug}-{n}.html",
        articles: 14,
        charsets: &[UTF_8_META],
    },
    Spec {
        host: "www.*garten.de",
        title: "Der Küchengarten",
        word: "kuechen",
        language: "de",
        topic: "garden",
        layout: Layout::Modern,
        prefix: "kg",
        sections: &["gemuese", "obst", "kalender"],
        path: "/{section}/{year}/{slug}-{n}.html",
        articles: 18,
        charsets: &[
            UTF_8_HEADER,
            charset("windows-1252", Declared::Header),
            UTF_8_NOWHERE,
        ],
    },
    Spec {
        host: "www.*-des-saveurs.fr",
        title: "L'Atelier des saveurs",
        word: "atelier",
        language: "fr",
        topic: "table",
        layout: Layout::Blog,
        prefix: "as",
        sections: &["recettes", "marches"],
        path: "/{section}/{year}/{month}/{slug}-{n}",
        articles: 16,
        charsets: &[UTF_8_META, charset("windows-1252", Declared::Nowhere)],
    },
    Spec {
        host: "*-tropa.ru",
        title: "Лесная тропа",
        word: "lesnaya",
        language: "ru",
        topic: "path",
        layout: Layout::Portal,
        prefix: "lt",
        sections: &["puti", "doma"],
        path: "/{section}/{year}/{slug}-{n}.shtml",
        articles: 18,
        charsets: &[
            UTF_8_HEADER,
            charset("windows-1251", Declared::Meta),
            charset("KOI8-R", Declared::Header),
            charset("windows-1251", Declared::Nowhere),
        ],
    },
    Spec {
        host: "www.*-alhikaya.net",
        title: "بيت الحكاية",
        word: "bayt",
        language: "ar",
        topic: "tales",
        layout: Layout::Modern,
        prefix: "bh",
        sections: &["hikayat", "rihlat"],
        path: "/{section}/{year}/{slug}-{n}",
        articles: 14,
        charsets: &[UTF_8_META, charset("windows-1256", Declared::HeaderAndMeta)],
    },
    Spec {
        host: "www.*-shuwu.com.cn",
        title: "青山书屋",
        word: "qingshan",
        language: "zh-Hans",
        topic: "tea",
        layout: Layout::Modern,
        prefix: "qs",
        sections: &["cha", "shu"],
        path: "/{section}/{year}/{slug}/{n}.html",
        articles: 16,
        charsets: &[
            UTF_8_HEADER,
            charset("GBK", Declared::Meta),
            charset("GBK", Declared::Nowhere),
        ],
    },
    Spec {
        host: "*-wenshe.com.tw",
        title: "山嵐文社",
        word: "shanlan",
        language: "zh-Hant",
        topic: "islands",
        layout: Layout::Portal,
        prefix: "sl",
        sections: &["daoyu", "laojie"],
        path: "/{section}/{year}/{slug}-{n}.html",
        articles: 14,
        charsets: &[
            UTF_8_META,
            charset("Big5", Declared::Header),
            charset("Big5", Declared::Meta),
        ],
    },
    Spec {
        host: "www.*-techo.jp",
        title: "こもれび手帳",
        word: "komorebi",
        language: "ja",
        topic: "walks",
        layout: Layout::Blog,
        prefix: "kt",
        sections: &["sanpo", "machi"],
        path: "/{section}/{year}/{month}/{slug}-{n}.html",
        articles: 20,
        charsets: &[
            UTF_8_HEADER,
            charset("Shift_JIS", Declared::Meta),
            charset("EUC-JP", Declared::Header),
            charset("ISO-2022-JP", Declared::HeaderAndMeta),
            charset("UTF-16LE", Declared::Bom),
            charset("Shift_JIS", Declared::Nowhere),
        ],
    },
];
