//! Checks the markup of the rendered files.

mod attacks;
mod campaigns;
mod crawl;
mod data;
mod experiments;
mod hostile;
mod near_and_phrases;
mod report;
mod side_by_side;
