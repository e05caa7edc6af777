//! Joins the texts of a mail.

use reprise_text::Content;

/// A piece of the text of a mail.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The subject of the mail, or of a mail inside it.
    Subject(String),
    Plain(String),
    Html(String),
}

/// Joins the pieces: as HTML if one of them is HTML. Returns `None` if there are only subjects.
pub(super) fn join(pieces: &[Piece]) -> Option<(Content, String)> {
    if pieces
        .iter()
        .all(|piece| matches!(piece, Piece::Subject(_)))
    {
        return None;
    }
    let is_html = pieces.iter().any(|piece| matches!(piece, Piece::Html(_)));
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Subject(subject) if is_html => {
                let tag = if at == 0 { "title" } else { "p" };
                element(tag, subject, &mut text);
            }
            Piece::Plain(plain) if is_html => element("pre", plain, &mut text),
            Piece::Subject(part) | Piece::Plain(part) | Piece::Html(part) => {
                if !is_html && !text.is_empty() {
                    end_paragraph(&mut text);
                }
                text.push_str(part);
            }
        }
    }
    let content = if is_html {
        Content::Html
    } else {
        Content::Plain
    };
    Some((content, text))
}

fn end_paragraph(text: &mut String) {
    let breaks = text
        .bytes()
        .rev()
        .take_while(|byte| matches!(byte, b'\n' | b'\r'));
    let breaks = breaks.filter(|byte| *byte == b'\n').count();
    for _ in breaks..2 {
        text.push('\n');
    }
}

fn element(tag: &str, content: &str, html: &mut String) {
    html.push('<');
    html.push_str(tag);
    html.push('>');
    for letter in content.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            other => html.push(other),
        }
    }
    html.push_str("</");
    html.push_str(tag);
    html.push_str(">\n");
}
