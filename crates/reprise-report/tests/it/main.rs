//! What every file must be, checked on its markup.

mod attacks_shown;
mod campaigned;
mod campaigns_shown;
mod crawl_shown;
mod crawled;
mod experiments;
mod files;
mod found;
mod hostile;
mod likeness;
mod likeness_shown;
mod sample;
mod sides;
mod two_texts;
