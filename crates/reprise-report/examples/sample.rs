//! A report, or with `sides` two texts side by side, from invented data: to look at in a browser.
//!
//! `cargo run -p reprise-report --example sample > report.html`; also with `sides` or `empty`.
#![allow(clippy::print_stdout, reason = "the file is the output")]

use std::env;

use reprise_report::{render, render_side_by_side};

#[path = "../tests/it/campaigned.rs"]
mod campaigned;
#[path = "../tests/it/crawled.rs"]
mod crawled;
#[path = "../tests/it/found.rs"]
mod found;
#[path = "../tests/it/likeness.rs"]
mod likeness;
#[path = "../tests/it/sample.rs"]
mod sample;
#[path = "../tests/it/two_texts.rs"]
mod two_texts;

fn main() {
    let html = match env::args().nth(1).as_deref() {
        Some("sides") => render_side_by_side(&two_texts::explanation()),
        Some("empty") => render(&sample::empty()),
        _ => render(&sample::report()),
    };
    println!("{html}");
}
