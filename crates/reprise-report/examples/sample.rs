//! Prints a file with invented results, to look at in a browser.
//!
//! `cargo run -p reprise-report --example sample > report.html` prints a report, with the argument `empty` a report
//! about an empty corpus, and with `sides` two pages side by side.
#![allow(clippy::print_stdout, reason = "the file is the output")]

use std::env;

use reprise_report::{render, render_side_by_side};

#[path = "../tests/it/data/mod.rs"]
mod data;

fn main() {
    let html = match env::args().nth(1).as_deref() {
        Some("sides") => render_side_by_side(&data::explanation()),
        Some("empty") => render(&data::empty_report()),
        _ => render(&data::report()),
    };
    println!("{html}");
}
