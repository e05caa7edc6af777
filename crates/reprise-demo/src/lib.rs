//! Writes a small, believable, seeded web as real WARC files and knows what it planted in it.
//!
//! Reading order: [`Config`] says which web, [`write_web`] writes it, [`Planted`] is the answer key
//! with one [`PlantedPage`] for every fetched URL and its [`Role`]; [`warc`] is the archive writer,
//! of use to any test that needs a WARC file.
//!
//! ```text
//! seed ─► sites (originals, copies, farms, traps, ...) ─► pages ─► HTTP ─► crawl-00000.warc.gz ...
//!                                                            └──────────► planted.json
//! ```
//!
//! Every article follows from the seed and its number alone. Copies therefore make their originals
//! anew instead of remembering them, and memory holds one page and the answer key, never the web.
//!
//! ```
//! use reprise_demo::{Config, Role, write_web};
//!
//! let directory = tempfile::tempdir()?;
//! let planted = write_web(&Config { seed: 1, scale: 1 }, directory.path())?;
//! let stolen = planted.with_role(Role::CloneWithAds).next().expect("there are clones");
//! assert!(planted.pages.iter().any(|page| page.url == stolen.sources[0]));
//! # Ok::<(), std::io::Error>(())
//! ```

mod clock;
mod crawl;
mod html;
mod http;
mod page;
mod planted;
mod prng;
mod prose;
mod sites;
pub mod warc;
mod words;
mod world;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

pub use planted::{Declared, Planted, PlantedPage, Role};

/// Name of the answer key beside the archives.
pub const PLANTED_FILE: &str = "planted.json";

/// Which web to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Same seed and scale, same bytes.
    pub seed: u64,
    /// 1 is the demo, some 800 pages; n has n times as many sites of each sort.
    pub scale: usize,
}

/// Writes the web of `config` into `directory`, which is created if need be.
///
/// Output: `crawl-00000.warc.gz` and so on, in several packings, and [`PLANTED_FILE`]; files of these
/// names are overwritten.
/// Errors: whatever the file system says.
/// Memory: one page, plus the answer key. Threads: one.
///
/// Algorithm:
/// 1. Make an empty answer key, by which a directory is known for ours though the run be killed.
/// 2. List the sites of every sort and put them in the order that the seed decides.
/// 3. Make the pages of each site, fetch them one after the other, note each in the answer key.
/// 4. Begin another archive file whenever one is full.
pub fn write_web(config: &Config, directory: &Path) -> io::Result<Planted> {
    fs::create_dir_all(directory)?;
    let key = File::create(directory.join(PLANTED_FILE))?;
    let world = world::World::new(config);
    let mut crawl = crawl::Crawl::new(directory, &world);
    sites::write_all(&world, &mut crawl)?;
    let planted = crawl.finish()?;
    let mut key = BufWriter::new(key);
    serde_json::to_writer(&mut key, &planted)?;
    key.write_all(b"\n")?;
    key.flush()?;
    Ok(planted)
}
