//! The kinds of sites, one file per kind, and the order in which they are crawled.

mod ads;
mod assets;
mod bank;
mod blog;
mod clone;
mod farm;
mod original;
mod phishing;
mod publication;
mod slice;
mod trap;

use std::io;

use crate::crawl::Crawl;
use crate::world::World;

/// A kind of site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Original,
    ExactClone,
    CloneWithAds,
    LinkFarm,
    SliceAndDice,
    Blog,
    Phishing,
    Trap,
}

/// The kinds, each with its number of sites at scale 1.
const KINDS: [(Kind, usize); 8] = [
    (Kind::Original, original::SPECS.len()),
    (Kind::ExactClone, 4),
    (Kind::CloneWithAds, 5),
    (Kind::LinkFarm, 1),
    (Kind::SliceAndDice, 1),
    (Kind::Blog, 3),
    (Kind::Phishing, 2),
    (Kind::Trap, 1),
];

/// Writes all sites of the web, in an order that depends on the seed.
pub(crate) fn write_all(world: &World, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let sites =
        |(kind, count): (Kind, usize)| (0..count * world.scale).map(move |number| (kind, number));
    let mut order: Vec<_> = KINDS.into_iter().flat_map(sites).collect();
    world.rng(&[0x0_0de5]).shuffle(&mut order);
    for (kind, number) in order {
        match kind {
            Kind::Original => original::write(world, crawl, number)?,
            Kind::ExactClone => clone::write(world, crawl, number)?,
            Kind::CloneWithAds => ads::write(world, crawl, number)?,
            Kind::LinkFarm => farm::write(world, crawl, number)?,
            Kind::SliceAndDice => slice::write(world, crawl, number)?,
            Kind::Blog => blog::write(world, crawl, number)?,
            Kind::Phishing => phishing::write(world, crawl, number)?,
            Kind::Trap => trap::write(world, crawl, number)?,
        }
    }
    Ok(())
}
