//! A slow and simple implementation of the crate, based on the tokens of `html5gum`.

use html5gum::{DefaultEmitter, State, Token, Tokenizer};
use reprise_text::{ChunkForm, Content, Cutter, Span, normalize};

const INLINE: &str = "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small \
                      span strike strong sub sup tt u var wbr";
const HIDDEN: &str = "script style iframe noembed noframes";

/// Returns all tokens, switching states as a browser does.
///
/// `html5gum::naive_next_state` is not used: it spells `noframes` wrong and has scripting enabled.
pub(crate) fn tokens(text: &str, has_scripting: bool) -> Vec<Token<usize>> {
    let mut tokenizer = Tokenizer::new_with_emitter(text, DefaultEmitter::<usize>::new_with_span());
    let mut tokens = Vec::new();
    while let Some(Ok(token)) = tokenizer.next() {
        if let Token::StartTag(tag) = &token {
            match &*tag.name.0 {
                b"title" | b"textarea" => tokenizer.set_state(State::RcData),
                b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => {
                    tokenizer.set_state(State::RawText);
                }
                b"noscript" if has_scripting => tokenizer.set_state(State::RawText),
                b"script" => tokenizer.set_state(State::ScriptData),
                b"plaintext" => tokenizer.set_state(State::PlainText),
                _ => {}
            }
        }
        tokens.push(token);
    }
    tokens
}

/// Returns the pieces of a page.
pub(crate) fn pieces(text: &str) -> Vec<Span> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let offset = text.len() - body.len();
    let mut starts = vec![offset];
    for token in tokens(body, false) {
        if let Token::StartTag(tag) = token
            && matches!(&*tag.name.0, b"p" | b"div")
        {
            starts.push(offset + tag.span.start);
        }
    }
    starts.push(text.len());
    starts.dedup();
    let spans = starts.windows(2).map(|pair| Span {
        start: pair[0],
        end: pair[1],
    });
    spans.collect()
}

/// Returns the visible text of a piece.
pub(crate) fn visible_text(piece: &str) -> String {
    let mut text = String::new();
    let mut templates = 0_usize;
    let mut hidden = false;
    let is_one_of = |name: &str, list: &str| list.split(' ').any(|known| known == name);
    for token in tokens(piece, false) {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name.0).into_owned();
                text.push_str(if is_one_of(&name, INLINE) { "" } else { " " });
                templates += usize::from(name == "template");
                hidden = is_one_of(&name, HIDDEN);
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name.0).into_owned();
                text.push_str(if is_one_of(&name, INLINE) { "" } else { " " });
                templates = templates.saturating_sub(usize::from(name == "template"));
                hidden = false;
            }
            Token::String(string) if templates == 0 && !hidden => {
                text.push_str(std::str::from_utf8(&string.value.0).expect("text is UTF-8"));
            }
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the markup form of a piece.
pub(crate) fn folded_markup(piece: &str) -> String {
    let words = piece.split([' ', '\t', '\n', '\x0c', '\r']);
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Compares all results for a page with those of the oracle.
pub(crate) fn check_html(page: &str) {
    let spans: Vec<_> = Cutter::new(Content::Html, page).collect();
    assert_eq!(spans, pieces(page), "pieces of {page:?}");
    check_pieces(Content::Html, page, &spans);
    for span in &spans {
        let raw = &page[span.start..span.end];
        let text = normal(Content::Html, ChunkForm::Text, raw);
        assert_eq!(text, visible_text(raw), "text of {raw:?}");
    }
    for span in spans.iter().skip(1) {
        assert!(reprise_text::is_cut(page.as_bytes(), span.start));
    }
}

/// Checks the properties that the pieces of any text have.
pub(crate) fn check_pieces(content: Content, text: &str, spans: &[Span]) {
    let mut end = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    for span in spans {
        assert_eq!(span.start, end, "pieces tile {text:?}");
        assert!(span.start < span.end, "no piece is empty in {text:?}");
        end = span.end;
        let raw = &text[span.start..span.end];
        let markup = normal(content, ChunkForm::Markup, raw);
        assert_eq!(markup, folded_markup(raw));
        normal(content, ChunkForm::Text, raw);
    }
    assert_eq!(end, text.len(), "pieces tile {text:?}");
}

/// Returns the normal form of a piece, after checking its measure.
pub(crate) fn normal(content: Content, form: ChunkForm, raw: &str) -> String {
    let mut out = String::from("kept");
    let measure = normalize(content, form, raw, &mut out);
    let normal = out.strip_prefix("kept").expect("only appends").to_owned();
    assert_eq!(measure.chars, normal.chars().count(), "{form} of {raw:?}");
    let mut text = String::new();
    normalize(content, ChunkForm::Text, raw, &mut text);
    assert_eq!(measure.visible, !text.is_empty(), "{form} of {raw:?}");
    normal
}
