//! The sorts of sites, one file each, and the order in which they are crawled.

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

/// A sort of site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Original,
    ExactClone,
    CloneWithAds,
    LinkFarm,
    SliceAndDice,
    Blog,
    Phishing,
    Trap,
}

/// Sorts with the number of their sites at scale 1.
const SORTS: [(Sort, usize); 8] = [
    (Sort::Original, original::SPECS.len()),
    (Sort::ExactClone, 4),
    (Sort::CloneWithAds, 5),
    (Sort::LinkFarm, 1),
    (Sort::SliceAndDice, 1),
    (Sort::Blog, 3),
    (Sort::Phishing, 2),
    (Sort::Trap, 1),
];

/// Writes all sites of the web, in an order that the seed decides.
pub(crate) fn write_all(world: &World, crawl: &mut Crawl<'_>) -> io::Result<()> {
    let sites =
        |(sort, count): (Sort, usize)| (0..count * world.scale).map(move |number| (sort, number));
    let mut order: Vec<_> = SORTS.into_iter().flat_map(sites).collect();
    world.rng(&[0x0_0de5]).shuffle(&mut order);
    for (sort, number) in order {
        match sort {
            Sort::Original => original::write(world, crawl, number)?,
            Sort::ExactClone => clone::write(world, crawl, number)?,
            Sort::CloneWithAds => ads::write(world, crawl, number)?,
            Sort::LinkFarm => farm::write(world, crawl, number)?,
            Sort::SliceAndDice => slice::write(world, crawl, number)?,
            Sort::Blog => blog::write(world, crawl, number)?,
            Sort::Phishing => phishing::write(world, crawl, number)?,
            Sort::Trap => trap::write(world, crawl, number)?,
        }
    }
    Ok(())
}
