//! The same document has the same normal form in every format.

use reprise_convert::Format;

use crate::plain;
use crate::write_pdf::pdf;
use crate::write_zip::{docx, epub, odt};

const HEADING: &str = "On copies & copying";
/// Typographic quotes and dashes, a combining accent, and a word in bold.
const FIRST: [&str; 3] = [
    "\u{201c}Nai\u{308}ve\u{201d} cafe\u{301} owners \u{2013} it\u{2019}s said \u{2013} are ",
    "very",
    " efficient\u{2026}",
];
const ITEMS: [&str; 2] = ["one of two", "two of two, with <angles>"];
const CHINESE: &str = "\u{6587}\u{672c}\u{7684}\u{590d}\u{5236}\u{54c1}\u{5f88}\u{591a}\u{3002}";
const ARABIC: &str = "\u{646}\u{633}\u{62e}\u{629} \u{645}\u{646} \u{627}\u{644}\u{646}\u{635}";
const CELLS: [[&str; 2]; 2] = [["a", "b"], ["c", "d"]];
const NORMAL: &str = "On copies & copying \"Na\u{ef}ve\" caf\u{e9} owners - it's said - are very \
    efficient... one of two two of two, with <angles> \
    \u{6587}\u{672c}\u{7684}\u{590d}\u{5236}\u{54c1}\u{5f88}\u{591a}\u{3002} \
    \u{646}\u{633}\u{62e}\u{629} \u{645}\u{646} \u{627}\u{644}\u{646}\u{635} a b c d";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn html_body() -> String {
    let [before, bold, after] = FIRST;
    let items = ITEMS
        .map(|item| format!("<li>{}</li>", escaped(item)))
        .concat();
    let rows = CELLS.map(|[left, right]| format!("<tr><td>{left}</td><td>{right}</td></tr>"));
    format!(
        "<h1>{}</h1>\n<p>{before}<b>{bold}</b>{after}</p>\n<ul>{items}</ul>\n<p>{CHINESE}</p>\n\
        <p dir='rtl'>{ARABIC}</p><table>{}</table>",
        escaped(HEADING),
        rows.concat()
    )
}

#[test]
fn html_and_xhtml() {
    let body = html_body();
    assert_eq!(
        plain(
            Format::Html,
            format!("<!DOCTYPE html><title>x</title>{body}")
        )
        .normal(),
        NORMAL
    );
    // Without the end tags that may be omitted.
    let body = body
        .replace("</p>", "")
        .replace("</li>", "")
        .replace("</td>", "")
        .replace("</tr>", "");
    assert_eq!(plain(Format::Html, body).normal(), NORMAL);
    let page = format!(
        "<?xml version='1.0'?><html><head/><body>{}</body></html>",
        html_body()
    );
    assert_eq!(plain(Format::Xhtml, page).normal(), NORMAL);
}

#[test]
fn word() {
    let run = |text: &str| {
        format!(
            "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>",
            escaped(text)
        )
    };
    let paragraph = |text: &str| format!("<w:p>{}</w:p>", run(text));
    let row = |[left, right]: [&str; 2]| {
        let (left, right) = (paragraph(left), paragraph(right));
        format!("<w:tr><w:tc>{left}</w:tc><w:tc>{right}</w:tc></w:tr>")
    };
    let body = [
        paragraph(HEADING),
        format!("<w:p>{}</w:p>", FIRST.map(run).concat()),
        ITEMS.map(paragraph).concat(),
        paragraph(CHINESE),
        paragraph(ARABIC),
        format!("<w:tbl>{}</w:tbl>", CELLS.map(row).concat()),
    ];
    assert_eq!(
        plain(Format::Docx, docx(&body.concat(), "")).normal(),
        NORMAL
    );
}

#[test]
fn open_document() {
    let paragraph = |text: &str| format!("<text:p>{}</text:p>", escaped(text));
    let [before, bold, after] = FIRST;
    let row = |row: [&str; 2]| {
        let cells =
            row.map(|cell| format!("<table:table-cell>{}</table:table-cell>", paragraph(cell)));
        format!("<table:table-row>{}</table:table-row>", cells.concat())
    };
    let body = [
        format!("<text:h>{}</text:h>\n", escaped(HEADING)),
        format!("<text:p>{before}<text:span>{bold}</text:span>{after}</text:p>\n"),
        format!("<text:list>{}</text:list>", ITEMS.map(paragraph).concat()),
        paragraph(CHINESE),
        paragraph(ARABIC),
        format!("<table:table>{}</table:table>", CELLS.map(row).concat()),
    ];
    assert_eq!(plain(Format::Odt, odt(&body.concat())).normal(), NORMAL);
}

#[test]
fn rich_text() {
    let escaped = |text: &str| {
        let units = text.encode_utf16().map(|unit| match u8::try_from(unit) {
            Ok(byte @ (b'\\' | b'{' | b'}')) => format!("\\{}", char::from(byte)),
            Ok(byte @ b' '..=b'~') => char::from(byte).to_string(),
            Ok(byte) => format!("\\'{byte:02x}"),
            Err(_) => format!("\\u{}?", unit.cast_signed()),
        });
        units.collect::<String>()
    };
    let [before, bold, after] = FIRST.map(escaped);
    let rows = CELLS.map(|[left, right]| format!("\\trowd {left}\\cell {right}\\cell\\row\n"));
    let body = [
        format!(
            "{}\\par\n{before}{{\\b {bold}}}{after}\\par\n",
            escaped(HEADING)
        ),
        ITEMS
            .map(|item| format!("{{\\pntext\\'b7\\tab}}{}\\par\n", escaped(item)))
            .concat(),
        format!(
            "{}\\par {}\\par {}",
            escaped(CHINESE),
            escaped(ARABIC),
            rows.concat()
        ),
    ];
    let document = format!("{{\\rtf1\\ansi\\ansicpg1252\\uc1 {}}}", body.concat());
    assert_eq!(plain(Format::Rtf, document).normal(), NORMAL);
}

#[test]
fn book() {
    let body = html_body();
    let (first, second) = body.split_at(body.find("<ul>").expect("it has a list"));
    assert_eq!(plain(Format::Epub, epub(&[first, second])).normal(), NORMAL);
}

#[test]
fn markdown() {
    let [before, bold, after] = FIRST;
    let items = ITEMS
        .map(|item| format!("* {}\n", item.replace('<', "\\<")))
        .concat();
    let [[a, b], [c, d]] = CELLS;
    let text = format!(
        "{HEADING}\n===\n\n{before}**{bold}**{after}\n\n{items}\n{CHINESE}\n\n{ARABIC}\n\n\
        | {a} | {b} |\n|---|---|\n| {c} | {d} |\n"
    );
    assert_eq!(plain(Format::Markdown, text).normal(), NORMAL);
}

#[test]
fn text() {
    let text = format!(
        "{HEADING}\r\n\r\n{}\r\n\r\n \u{2022} {}\r\n\r\n{CHINESE}\r\n\r\n{ARABIC}\r\n\r\na\tb\r\nc\td",
        FIRST.concat().replace(' ', "\r\n"),
        ITEMS.join("\r\n \u{2022} "),
    );
    assert_eq!(plain(Format::Text, text).normal(), NORMAL);
}

#[test]
fn portable_document() {
    // Wrapped and hyphenated like a typeset text, with composed characters as in fonts.
    let first = "\u{201c}Na\u{ef}ve\u{201d} caf\u{e9} owners \u{2013} it\u{2019}s said";
    let lines = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let (left, right) = CHINESE.split_at(12);
    let document = pdf(&[
        lines(&[HEADING]),
        lines(&[first, "\u{2013} are very effi-", "cient\u{2026}"]),
        lines(&[
            &format!("\u{2022} {}", ITEMS[0]),
            &format!("\u{2022} {}", ITEMS[1]),
        ]),
        lines(&[left, right]),
        lines(&[ARABIC]),
        lines(&["a b", "c d"]),
    ]);
    assert_eq!(plain(Format::Pdf, document).normal(), NORMAL);
}
