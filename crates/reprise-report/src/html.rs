//! Renders results as HTML files.
//!
//! `report`, `side_by_side`, `attacks`, `evasion` and `hash_comparison` render a file each. `document` is the
//! frame of all files, `text` makes text from pages safe, `parts` and `plot` have what several sections use, and
//! the other modules render a section or a plot.

mod attacks;
mod axis;
mod campaigns;
mod clusters;
mod corpus;
mod covers;
mod crawl;
mod discovery;
mod document;
mod dot_names;
mod evasion;
mod evasion_plot;
mod fragment_plots;
mod frequency;
mod guide;
mod hash_comparison;
mod histogram;
mod log_dots;
mod near;
mod neighborhoods;
mod pages;
mod parts;
mod per_document;
mod phrases;
mod plot;
mod report;
mod side_by_side;
mod site_pairs;
mod site_plot;
mod spans;
mod stitched_sites;
mod summary;
mod text;

pub use attacks::render_attacks;
pub use evasion::render_evasion;
pub use hash_comparison::render_hash_comparison;
pub use report::render;
pub use side_by_side::render_side_by_side;
