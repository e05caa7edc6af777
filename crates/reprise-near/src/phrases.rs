//! Phrases that many pages share: which they are, who has them, and which pages are stitched together
//! from others.
//!
//! In reading order:
//!
//! - [`Popular`]: the shingles that many documents share, near-copies left out.
//! - [`covers`]: for a page, a small set of other pages that hold its popular shingles: its donors.
//! - [`sites`]: sites by how many popular shingles their pages have; among them the paper's monsters,
//!   whose pages are made of parts of others' pages.
//!
//! ```text
//! shingles --without near-copies--> sort by position and value --> runs of >= 5 documents: popular
//! popular shingles of a page --> documents that have them --> greedy cover: donors
//! popular shingles per page --> mean and deviation by site --> monsters
//! ```

mod cover;
mod popular;
mod sites;

pub use cover::{Cover, CoverConfig, Donor, Target, covers};
pub use popular::{Popular, PopularConfig, PopularShingle};
pub use sites::{MONSTER_DEVIATION, MONSTER_MEAN, MONSTER_PAGES, SitePhrases, sites};
