//! Sites that republish pages byte for byte under other URLs.

use std::collections::HashSet;
use std::io;

use super::original;
use super::publication::Publication;
use crate::crawl::{Crawl, Profile};
use crate::page::Page;
use crate::planted::Role;
use crate::world::{World, site_word};

const FAMILY: u64 = 3;
const PAGES: usize = 11;
const PAGES_FROM_ONE_SITE: usize = 8;

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let key = FAMILY << 32 | number as u64;
    let mut rng = world.rng(&[key]);
    let ip = world.ip(key);
    let host = match number % 3 {
        0 => format!("mirror.{}-cache.net", site_word(FAMILY, number)),
        1 => format!("www.{}-offline.info", site_word(FAMILY, number)),
        _ => format!("{}.neocities.org", site_word(FAMILY, number)),
    };
    // Most pages come from one site, a few from others.
    let (site, _) = original::source(world, &mut rng);
    let mut indices: Vec<usize> = (0..site.spec.articles).collect();
    rng.shuffle(&mut indices);
    let mut taken = HashSet::new();
    let mut first = None;
    for index in indices.into_iter().take(PAGES_FROM_ONE_SITE) {
        let page = republish(&site, index, &host, ip);
        taken.insert(page.url.clone());
        first = Some(crawl.plain_page(&page)?);
    }
    while taken.len() < PAGES {
        let (site, index) = original::source(world, &mut rng);
        let page = republish(&site, index, &host, ip);
        if taken.insert(page.url.clone()) {
            crawl.page(&page)?;
        }
    }
    if let Some(earlier) = first {
        let url = format!("{}?print=1", earlier.url);
        crawl.revisit(&url, &earlier, Profile::IdenticalPayloadDigest)?;
    }
    Ok(())
}

fn republish(site: &Publication<'_>, index: usize, host: &str, ip: u32) -> Page {
    let (page, paragraphs) = site.page(index, Role::ExactClone);
    let path = page.url.split_once("://").map_or("", |(_, rest)| rest);
    Page {
        url: format!("http://{host}/copies/{path}"),
        ip,
        sources: vec![page.url.clone()],
        copied: paragraphs,
        ..page
    }
}
