//! Blogs with a large template: all pages of a site share much markup around original articles. They copy nothing.

use std::io;

use super::publication::{Publication, Spec};
use crate::crawl::Crawl;
use crate::html::{Layout, push};
use crate::page::Charset;
use crate::planted::{Declared, Role};
use crate::world::World;

const FAMILY: u64 = 2;

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let site = Publication::new(world, FAMILY, SPECS, number);
    let sidebar = sidebar(world, &site, number);
    let site = site.with_sidebar(sidebar);
    crawl.page(&site.front_page(Role::Template))?;
    for section in 0..site.spec.sections.len() {
        crawl.page(&site.section_page(section, Role::Template))?;
    }
    for index in 0..site.spec.articles {
        crawl.page(&site.page(index, Role::Template).0)?;
    }
    Ok(())
}

/// Returns a sidebar that is as long as an article: three boxes of text and a list of months.
fn sidebar(world: &World, site: &Publication<'_>, number: usize) -> String {
    let mut rng = world.rng(&[FAMILY, number as u64, 0x51de]);
    let patterns = site.grammar.topic(site.spec.topic);
    let name = site.grammar.name(&mut rng);
    let mut out = String::new();
    for part in ["about", "thanks", "elsewhere"] {
        push(
            &mut out,
            format_args!(
                "<div class=\"widget {}-{part}\"><h4>{name}</h4>\n<p>",
                site.prefix
            ),
        );
        for _ in 0..4 {
            out.push_str(&site.grammar.sentence(patterns, &name, &mut rng));
            out.push(' ');
        }
        out.push_str("</p>\n</div>\n");
    }
    push(
        &mut out,
        format_args!("<div class=\"widget {}-months\"><ul>\n", site.prefix),
    );
    for month in (1..=12).rev() {
        push(
            &mut out,
            format_args!(
                "<li><a href=\"/2025/{month:02}/\">2025-{month:02}</a> ({})</li>\n",
                rng.range(2, 30)
            ),
        );
    }
    out.push_str("</ul></div>\n");
    out
}

const UTF_8: Charset = Charset {
    name: "UTF-8",
    declared: Declared::HeaderAndMeta,
};

const SPECS: &[Spec] = &[
    Spec {
        host: "*-and-thread.blogspot.com",
        title: "Needle and Thread",
        word: "needle",
        language: "en",
        topic: "craft",
        layout: Layout::Blog,
        prefix: "nt",
        sections: &["mending"],
        path: "/{year}/{month}/{slug}-{n}.html",
        articles: 40,
        charsets: &[UTF_8],
    },
    Spec {
        host: "www.*-workbench.net",
        title: "The Willow Workbench",
        word: "willow",
        language: "en",
        topic: "craft",
        layout: Layout::Blog,
        prefix: "ww",
        sections: &["tools", "projects"],
        path: "/{section}/{year}/{slug}-{n}/",
        articles: 38,
        charsets: &[UTF_8],
    },
    Spec {
        host: "blog.*-laube.de",
        title: "Die Sonnenlaube",
        word: "sonnen",
        language: "de",
        topic: "garden",
        layout: Layout::Blog,
        prefix: "so",
        sections: &["tagebuch"],
        path: "/{section}/{year}/{month}/{slug}-{n}/",
        articles: 36,
        charsets: &[UTF_8],
    },
];
