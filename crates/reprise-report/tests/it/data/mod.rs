//! Invented results. The example `sample` uses them as well.

mod campaigns;
mod crawl;
mod detection;
mod explanation;
mod near;
mod phrases;
mod report;

pub(crate) use explanation::explanation;
pub(crate) use report::{empty_report, report};
