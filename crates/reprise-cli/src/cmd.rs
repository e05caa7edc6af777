//! The commands, one file each.

pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod verify;
