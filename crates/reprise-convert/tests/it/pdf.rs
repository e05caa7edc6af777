//! Reads PDFs in this process, in a child process, and with `pdftotext`.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use reprise_convert::{ConvertError, ConvertLimits, Converter, Format, PdfTool};

use crate::write_pdf::{file, pdf, stream};
use crate::{CONVERTER, check, plain};

const LINES: [&str; 3] = [
    "It is a truth universally acknowledged, that a single man in posses-",
    "sion of a good fortune, must be in want of a wife. However little known",
    "the feelings or views of such a man may be on his first entering",
];

fn document() -> Vec<u8> {
    pdf(&[LINES.map(str::to_owned).to_vec(), vec!["Next.".to_owned()]])
}

/// Returns a file with one page that has this content and font.
fn page(content: &str, font: &str) -> Vec<u8> {
    file(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_vec(),
        stream(content.as_bytes()),
        font.as_bytes().to_vec(),
    ])
}

const HELVETICA: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

#[test]
fn lines_and_paragraphs() {
    check(
        Format::Pdf,
        document(),
        &format!("{}\n\nNext.", LINES.join("\n")),
    );
    let normal = plain(Format::Pdf, document()).normal();
    assert!(
        normal.contains("in possession of a good fortune"),
        "{normal}"
    );
}

#[test]
fn positions_form_words() {
    // Kerning within a word, a gap between words, and a word that a matrix places on the same line.
    let content = "BT /F 10 Tf 1 0 0 1 50 700 Tm [(W)80(ord)-300(and)] TJ 1 0 0 1 100 700 Tm (more) Tj \
        1 0 0 1 50 688 Tm (x) Tj 5 Ts (2) Tj 0 Ts ( y) Tj ET";
    check(Format::Pdf, page(content, HELVETICA), "Word and more\nx2 y");
}

#[test]
fn marked_content() {
    let content = "BT /F 10 Tf 50 700 Td (a) Tj /Artifact BMC (no) Tj EMC \
        /Span <</ActualText <FEFF00660069>>> BDC (\\001\\002) Tj EMC (b) Tj ET";
    check(Format::Pdf, page(content, HELVETICA), "a fib");
}

#[test]
fn encodings() {
    let font = "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[1/fi/eacute 65/uni4E2D]>>>>";
    check(
        Format::Pdf,
        page("BT /F 10 Tf (\\001\\002A\\341) Tj ET", font),
        "fi\u{e9}\u{4e2d}\u{c6}",
    );
    let font = "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/UniGB-UCS2-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>";
    check(
        Format::Pdf,
        page("BT /F 10 Tf <4E2D6587> Tj ET", font),
        "\u{4e2d}\u{6587}",
    );
    let font = "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/GBK-EUC-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>";
    check(
        Format::Pdf,
        page("BT /F 10 Tf <D6D061CEC4> Tj ET", font),
        "\u{4e2d}a\u{6587}",
    );
}

#[test]
fn pdftotext_reads_pdfs() {
    let Some(tool) = PdfTool::pdftotext() else {
        println!("skipped: pdftotext is not installed");
        return;
    };
    let converter = Converter {
        pdf: tool,
        ..CONVERTER
    };
    let theirs = converter
        .plain(Format::Pdf, &document())
        .expect("it can be converted");
    assert_eq!(theirs.normal(), plain(Format::Pdf, document()).normal());
    let error = converter
        .plain(Format::Pdf, b"%PDF-1.4 broken")
        .expect_err("it is broken");
    assert!(matches!(error, ConvertError::Failed { .. }), "{error}");
}

/// Returns the example that calls `pdf_text`. Cargo builds it with the tests, two folders above them.
fn child() -> PdfTool {
    let test = std::env::current_exe().expect("a test has a file");
    let folder = test.ancestors().nth(2).expect("target/*/deps/test");
    let program: PathBuf = folder.join("examples/pdf_child");
    PdfTool::Program {
        program: program.with_extension(std::env::consts::EXE_EXTENSION),
        arguments: Vec::new(),
    }
}

#[test]
fn a_child_process_reads_pdfs() {
    let PdfTool::Program { program, .. } = child() else {
        unreachable!("it is a program");
    };
    if !program.exists() {
        println!("skipped: the example pdf_child is not built");
        return;
    }
    let converter = Converter {
        pdf: child(),
        ..CONVERTER
    };
    let text = converter
        .plain(Format::Pdf, &document())
        .expect("it can be converted");
    assert_eq!(text, plain(Format::Pdf, document()));
    let error = converter
        .plain(Format::Pdf, b"no")
        .expect_err("it is broken");
    assert!(error.to_string().contains("no pages"), "{error}");
    #[cfg(target_os = "linux")]
    {
        // A page that unpacks to much more than the memory limit.
        let converter = Converter {
            limits: ConvertLimits {
                memory_bytes_max: 64 << 20,
                ..ConvertLimits::DEFAULT
            },
            ..converter
        };
        let bomb = page(&" ".repeat(200 << 20), HELVETICA);
        let error = converter
            .plain(Format::Pdf, &bomb)
            .expect_err("it is too large");
        assert!(matches!(error, ConvertError::Memory { .. }), "{error}");
    }
}

#[cfg(unix)]
fn shell(script: &str, limits: ConvertLimits) -> Result<String, ConvertError> {
    let converter = Converter {
        limits,
        pdf: PdfTool::Program {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
        },
        ..CONVERTER
    };
    // More bytes than a pipe holds, so that it matters whether the program reads them.
    let bytes = vec![b'x'; 1 << 20];
    converter.plain(Format::Pdf, &bytes).map(|plain| plain.text)
}

#[cfg(unix)]
#[test]
fn programs_are_held_to_limits() {
    let limits = || ConvertLimits {
        seconds_max: 0.5,
        text_bytes_max: 1000,
        ..ConvertLimits::DEFAULT
    };
    let start = Instant::now();
    // The shell starts another process, which holds the pipes and sleeps.
    let error = shell("sleep 60; echo no", limits()).expect_err("it sleeps");
    assert!(matches!(error, ConvertError::TimedOut { .. }), "{error}");
    assert!(shell("sleep 60 & echo yes", limits()).is_err());
    assert!(start.elapsed().as_secs() < 20);
    assert_eq!(
        shell("cat >/dev/null; echo yes", ConvertLimits::DEFAULT).expect("it prints `yes`"),
        "yes"
    );
    assert_eq!(
        shell("echo yes", ConvertLimits::DEFAULT).expect("it may ignore its input"),
        "yes"
    );
    let text = shell("yes", limits()).expect("it is cut");
    assert_eq!(text.len(), 999);
    let error = shell(
        "yes no >&2 | head -c 9000000; exit 3",
        ConvertLimits::DEFAULT,
    );
    assert!(error.is_err());
    let error = shell(
        "echo Incorrect password >&2; exit 1",
        ConvertLimits::DEFAULT,
    )
    .expect_err("it is encrypted");
    assert!(
        matches!(error, ConvertError::Encrypted(Format::Pdf)),
        "{error}"
    );
    let error = shell("exit 1", ConvertLimits::DEFAULT).expect_err("it fails");
    assert!(matches!(error, ConvertError::Failed { .. }), "{error}");
    let converter = Converter {
        pdf: PdfTool::Program {
            program: "/nowhere/at/all".into(),
            arguments: Vec::new(),
        },
        ..CONVERTER
    };
    let error = converter
        .plain(Format::Pdf, b"")
        .expect_err("there is no such program");
    assert!(matches!(error, ConvertError::Io { .. }), "{error}");
}

#[test]
fn pdfs_of_a_browser_are_read() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (page, print) = (folder.join("print.html"), folder.join("print.pdf"));
    let html = "<!DOCTYPE html><meta charset=utf-8><h1>Efficient copies</h1><p>It is a truth universally \
        acknowledged, that a single man in possession of a good fortune, must be in want of a wife.<p>\
        \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{5e2}\u{5d5}\u{5dc}\u{5dd}";
    std::fs::write(&page, html).expect("the folder is writable");
    let printed = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
        ])
        .arg(format!("--print-to-pdf={}", print.display()))
        .arg(&page)
        .output();
    let Some(printed) = printed.ok().and_then(|_| std::fs::read(&print).ok()) else {
        println!("skipped: chromium is not installed or cannot print here");
        return;
    };
    assert_eq!(
        plain(Format::Pdf, printed).normal(),
        plain(Format::Html, html).normal()
    );
}
