//! Any bytes give a text or an error within seconds.

use std::time::Instant;

use proptest::prelude::*;
use reprise_convert::{ConvertLimits, Converter, Format};

use crate::CONVERTER;
use crate::write_pdf::pdf;
use crate::write_zip::{docx, epub, odt};

/// The most seconds for a small document, on a slow and busy machine.
const SECONDS_MAX: f64 = 10.0;

/// The number of repetitions. Without optimisation there are fewer.
const MANY: usize = if cfg!(debug_assertions) {
    4_000
} else {
    40_000
};

fn survive(format: Format, bytes: &[u8]) {
    let start = Instant::now();
    for main_content in [false, true] {
        let converter = Converter {
            main_content,
            ..CONVERTER
        };
        if let Ok(plain) = converter.plain(format, bytes) {
            assert!(plain.text.len() <= ConvertLimits::DEFAULT.text_bytes_max);
            assert!(!plain.text.contains("\n\n\n"));
            assert_eq!(plain.text.trim(), plain.text);
        }
    }
    assert!(
        start.elapsed().as_secs_f64() < SECONDS_MAX,
        "{format:?} takes too long"
    );
}

fn sample(format: Format) -> Vec<u8> {
    let page = "<?xml version='1.0'?><html><head><title>t</title></head><body><p class='main'>a &amp; b<ul><li>c\
        <li hidden>d</ul><table><tr><td>e</table><pre>f</pre><![CDATA[g]]><script>h</script></body></html>";
    match format {
        Format::Html | Format::Xhtml => page.into(),
        Format::Pdf => pdf(&[
            vec!["Some text, and".to_owned(), "more of it.".to_owned()],
            vec!["\u{4e2d}\u{6587}".to_owned()],
        ]),
        Format::Docx => docx("<w:p><w:r><w:t>a</w:t><w:tab/></w:r></w:p>", "<w:footnote><w:p/></w:footnote>"),
        Format::Odt => odt("<text:p>a<text:s/><text:note-body><text:p>b</text:p></text:note-body></text:p>"),
        Format::Epub => epub(&["<p>a</p>", "<p>b</p>"]),
        Format::Rtf => br"{\rtf1\ansi{\fonttbl{\f0\fcharset128 x;}}\f0 a\'93\'fa\u20013?\par{\footnote b}\bin2 xx}".to_vec(),
        Format::Markdown => b"# a\n\n* b *c* `d` [e](f) ![g](h) <i>\n\n| a | b |\n|--|--|\n| c | d |\n\n```\nx\n```\n".to_vec(),
        Format::Text => b"some\ntext-\nand more".to_vec(),
    }
}

/// Changes some bytes, and cuts or repeats a piece.
fn mutated(mut bytes: Vec<u8>, changes: &[(u16, u8)], piece: (u16, u16, u8)) -> Vec<u8> {
    for &(at, byte) in changes {
        let at = usize::from(at) % bytes.len();
        bytes[at] = byte;
    }
    let from = usize::from(piece.0) % bytes.len();
    let to = (from + usize::from(piece.1) % 64).min(bytes.len());
    match piece.2 % 4 {
        0 => bytes.truncate(to),
        1 => {
            bytes.drain(from..to);
        }
        2 => {
            let part = bytes[from..to].repeat(usize::from(piece.2));
            bytes.splice(from..from, part);
        }
        _ => {}
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_documents(
        changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..12),
        piece in (any::<u16>(), any::<u16>(), any::<u8>()),
    ) {
        for format in Format::ALL {
            survive(format, &mutated(sample(format), &changes, piece));
        }
    }

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            survive(format, &bytes);
        }
        survive(Format::Rtf, &[b"{\\rtf1 ", &bytes[..]].concat());
        survive(Format::Pdf, &[b"%PDF-1.4\n", &bytes[..]].concat());
        Format::of("", "", &bytes);
    }

    #[test]
    fn random_markup(parts in proptest::collection::vec(proptest::sample::select(vec![
        "<p>", "</p>", "<div class=main>", "</div>", "<table>", "<td>", "</table>", "<li>", "</ul>", "<a>",
        "<script>", "</script>", "<pre>", "hidden", "<head>", "<title>", "text, ", "&amp", "<!--", "<![CDATA[",
        "*", "_", "**", "`", "```", "\n", "\n\n", "[", "](", ")", "![", "> ", "- ", "    ", "|", "|--|", "#", "\\",
        "{", "}", "\\u1", "\\'e", "\\bin9", "\\f1", "\\uc9", "\\*",
    ]), 0..60)) {
        let text = parts.concat();
        for format in [Format::Html, Format::Xhtml, Format::Markdown, Format::Text] {
            survive(format, text.as_bytes());
        }
        survive(Format::Rtf, format!("{{\\rtf1 {text}").as_bytes());
    }
}

/// Repeats short markup so often that a search through the rest of the page for each would take minutes.
#[test]
fn much_short_markup_takes_linear_time() {
    for part in ["<!---->", "<!-->", "<?x>", "<script></script>"] {
        for format in [Format::Html, Format::Xhtml, Format::Markdown] {
            survive(format, part.repeat(100_000).as_bytes());
        }
    }
}

#[test]
fn repeated_fragments_take_linear_time() {
    for part in [
        "<b>",
        "<p>",
        "<table><td>",
        "</p>",
        "<a<",
        "&",
        "<li>",
        "<div>",
        "<x ",
        "<![CDATA[",
    ] {
        survive(Format::Html, part.repeat(MANY).as_bytes());
        survive(Format::Xhtml, part.repeat(MANY).as_bytes());
    }
    for part in [
        "[",
        "![",
        "*a ",
        "_a_",
        "`a``",
        "<a",
        "> ",
        "- ",
        "[^",
        "|",
        "(",
        "\\",
        "a*",
        "[^a]: ",
        "[a](",
        "*_",
        "```\n",
        "- a\n  - b\n",
        "[a]: b\n",
    ] {
        survive(Format::Markdown, part.repeat(MANY).as_bytes());
    }
    // Many lines after deep nesting.
    for part in ["> ", "- ", "1. ", "\t", ">"] {
        let nested = part.repeat(20 * MANY);
        for lines in ["a\n", "\n", "  - a\n", "> a\n"] {
            survive(
                Format::Markdown,
                format!("{nested}a\n{}", lines.repeat(10 * MANY)).as_bytes(),
            );
        }
    }
    // A wide table whose rows lack most cells.
    let table = format!(
        "{0}\n{1}\n{2}",
        "|a".repeat(MANY),
        "|-".repeat(MANY),
        "|b\n".repeat(MANY)
    );
    survive(Format::Markdown, table.as_bytes());
    for part in ["{", "\\u5", "}", "\\'", "{\\footnote "] {
        survive(
            Format::Rtf,
            format!("{{\\rtf1{}", part.repeat(MANY)).as_bytes(),
        );
    }
    survive(Format::Text, "a-\n".repeat(100_000).as_bytes());
    assert_eq!(
        reprise_convert::normalize(&"ab-\n".repeat(50_000)).len(),
        100_001
    );
}

#[test]
fn a_huge_markdown_file_keeps_its_text() {
    let text = "Some *words* of\na paragraph.\n\n".repeat(100_000);
    let plain = CONVERTER
        .plain(Format::Markdown, text.as_bytes())
        .expect("it can be converted");
    let expected = "Some words of a paragraph.\n\n".repeat(100_000);
    assert!(plain.text == expected.trim_end() && !plain.truncated);
}

#[test]
fn drawings_within_drawings_are_bounded() {
    use crate::write_pdf::{file, stream};
    // Each drawing draws the next one ten times. Without limits there would be 10^10 texts.
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>".to_vec(),
        stream(b"/X Do"),
    ];
    for next in 6..16 {
        let content = "/X Do ".repeat(10);
        objects.push(
            format!(
                "<</Subtype/Form/Resources<</XObject<</X {next} 0 R>>>>/Length {}>>stream\n{content}\nendstream",
                content.len()
            )
            .into_bytes(),
        );
    }
    let converter = Converter {
        limits: ConvertLimits {
            seconds_max: 0.5,
            ..ConvertLimits::DEFAULT
        },
        ..CONVERTER
    };
    let start = Instant::now();
    assert!(converter.plain(Format::Pdf, &file(&objects)).is_err());
    assert!(start.elapsed().as_secs_f64() < SECONDS_MAX);
}
