//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod converting;
pub(crate) mod corpora;
pub(crate) mod cover;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod detect;
pub(crate) mod discover;
pub(crate) mod drop;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod filters;
pub(crate) mod fuzzy;
pub(crate) mod imatch;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod label;
pub(crate) mod near;
pub(crate) mod phrases;
pub(crate) mod remove;
pub(crate) mod report;
pub(crate) mod scan;
pub(crate) mod signing;
pub(crate) mod sites;
pub(crate) mod urls;
pub(crate) mod verify;
