//! What every file must be, checked on its markup.

mod files;
mod hostile;
mod sample;
mod sides;
