//! Converts any bytes as a document of any format except PDF, which a child process reads. Checks that the
//! result is an error or a text within the limits, and that normalising a normal form does not change it.
//!
//! The first byte chooses the format, and whether only the main content is kept.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reprise_convert::{ConvertLimits, Converter, Format, PdfTool, normalize};

fuzz_target!(|data: &[u8]| {
    let [choice, bytes @ ..] = data else {
        return;
    };
    let formats = Format::ALL
        .into_iter()
        .filter(|&format| format != Format::Pdf);
    let formats: Vec<Format> = formats.collect();
    let converter = Converter {
        limits: ConvertLimits::DEFAULT,
        main_content: choice & 0x80 != 0,
        pdf: PdfTool::InProcess,
    };
    let format = formats[usize::from(choice & 0x7f) % formats.len()];
    if let Ok(plain) = converter.plain(format, bytes) {
        assert!(plain.text.len() <= ConvertLimits::DEFAULT.text_bytes_max);
        assert_eq!(plain.text.trim(), plain.text);
        let normal = plain.normal();
        assert_eq!(normalize(&normal), normal, "normalised twice");
    }
});
