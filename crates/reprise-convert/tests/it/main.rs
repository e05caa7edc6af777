//! Converts documents in all formats that the tests write, hostile documents, and real pages.
#![allow(clippy::print_stdout, reason = "a skipped test prints the reason")]

mod formats;
mod hostile;
mod main_content;
mod office;
mod pdf;
mod same;
#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod write_pdf;
mod write_zip;

use reprise_convert::{ConvertLimits, Converter, Format, PdfTool, Plain};

/// A converter without options.
const CONVERTER: Converter = Converter {
    limits: ConvertLimits::DEFAULT,
    main_content: false,
    pdf: PdfTool::InProcess,
};

#[track_caller]
fn plain(format: Format, bytes: impl AsRef<[u8]>) -> Plain {
    CONVERTER
        .plain(format, bytes.as_ref())
        .expect("it can be converted")
}

#[track_caller]
fn check(format: Format, bytes: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(plain(format, bytes).text, expected);
}
