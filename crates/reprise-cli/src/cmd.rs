//! The commands, one file each: arguments, the call of the engine, and the result as text.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod detect;
pub(crate) mod discover;
pub(crate) mod drop;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fuzzy;
pub(crate) mod imatch;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod lab;
pub(crate) mod label;
pub(crate) mod man;
pub(crate) mod near;
pub(crate) mod phrases;
pub(crate) mod remove;
pub(crate) mod report;
pub(crate) mod scan;
pub(crate) mod sites;
pub(crate) mod sources;
pub(crate) mod verify;
