//! Writes a small, realistic web as WARC files, with an answer key of the copies planted in it.
//!
//! In reading order:
//!
//! - [`Config`]: the seed and size of the web; [`write_web`] writes it.
//! - [`Planted`]: the answer key, with a [`PlantedPage`] and its [`Role`] for every fetched URL.
//! - [`warc`]: the archive writer, for any test that needs a WARC file.
//!
//! ```text
//! seed ─► sites (originals, copies, farms, traps, ...) ─► pages ─► HTTP ─► crawl-00000.warc.gz ...
//!                                                            └──────────► planted.json
//! ```
//!
//! Every article depends only on the seed and its number. A copy generates its original again, so memory holds one
//! page and the answer key, but never the whole web.
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

/// The name of the answer key, a file beside the archives.
pub const PLANTED_FILE: &str = "planted.json";

/// The web to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The seed. The same seed and scale give the same bytes.
    pub seed: u64,
    /// The size: 1 is the demo with about 800 pages, n has n times as many sites of each kind.
    pub scale: usize,
}

/// Writes the web of `config` into `directory`, which is created if it does not exist.
///
/// - Output: `crawl-00000.warc.gz` and so on, in several packings, and [`PLANTED_FILE`]. Files with these names are
///   overwritten.
/// - Errors: failures of the file system.
/// - Memory: one page and the answer key.
/// - Threads: one.
///
/// Algorithm:
/// 1. Create an empty answer key. It marks the directory as a generated web, even if the run is killed.
/// 2. List the sites of every kind, and shuffle them with the seed.
/// 3. Generate the pages of each site, write them, and add each to the answer key.
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
