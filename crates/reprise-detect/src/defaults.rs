//! The default values of [`DetectOptions`](crate::DetectOptions).

use reprise_report::results::Badness;

use crate::options::ShareThreshold;

/// The share above which a page is a target.
pub const PAGE_THRESHOLD: ShareThreshold = ShareThreshold::Auto;
/// The badness above which a neighbourhood is bad.
pub const NEIGHBORHOOD_THRESHOLD: ShareThreshold = ShareThreshold::Auto;
/// The formula of badness.
pub const BADNESS: Badness = Badness::Mean;
/// The fewest chunks of a page that counts.
pub const MIN_CHUNKS: u64 = 1;
/// The fewest pages of a neighbourhood in the result.
pub const MIN_PAGES: u64 = 1;
/// The number of worst pages and neighbourhoods in the result.
pub const TOP: usize = 20;
