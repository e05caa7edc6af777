//! The default values of [`DetectOptions`](crate::DetectOptions).

use reprise_report::results::Badness;

use crate::options::ShareThreshold;

/// From which share on a page is a target.
pub const PAGE_THRESHOLD: ShareThreshold = ShareThreshold::Auto;
/// From which badness on a neighbourhood is bad.
pub const NEIGHBORHOOD_THRESHOLD: ShareThreshold = ShareThreshold::Auto;
/// How badness is computed.
pub const BADNESS: Badness = Badness::Mean;
/// Pages with fewer chunks do not count.
pub const MIN_CHUNKS: u64 = 1;
/// Neighbourhoods with fewer pages are left out.
pub const MIN_PAGES: u64 = 1;
/// The number of worst pages and neighbourhoods in the result.
pub const TOP: usize = 20;
