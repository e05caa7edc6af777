//! What stands within a paragraph of Markdown: emphasis, links, code.

/// Appends a paragraph as HTML: markers undone, text kept, HTML in it as it is.
pub(super) fn push(html: &mut String, text: &str) {
    let removed = emphasis(text);
    let mut at = 0;
    while let Some(char) = text[at..].chars().next() {
        let rest = &text[at..];
        let next = at + char.len_utf8();
        at = match char {
            '\\' => escape(html, text, next),
            '`' => code(html, text, at),
            // An image shows no text, and its address is none.
            '!' if rest.starts_with("![") => match link(rest, 1) {
                Some((_, end)) => at + end,
                None => plain(html, char, next),
            },
            '[' if rest.starts_with("[^") => match balanced(rest, 0, '[', ']') {
                Some(end) => at + end + 1,
                None => plain(html, char, next),
            },
            '[' => match link(rest, 0) {
                Some((label, end)) => {
                    // A label holds no links, but images and emphasis.
                    push_label(html, &rest[1..label]);
                    at + end
                }
                None => plain(html, char, next),
            },
            '<' => markup(html, text, at),
            '*' | '_' | '~' if removed.binary_search(&at).is_ok() => next,
            '&' => {
                html.push('&');
                next
            }
            ' ' if rest.starts_with("  \n") => {
                html.push_str("<br>");
                next
            }
            char => plain(html, char, next),
        };
    }
}

/// A character of text as HTML.
pub(super) fn push_char(html: &mut String, char: char) {
    match char {
        '<' => html.push_str("&lt;"),
        '&' => html.push_str("&amp;"),
        char => html.push(char),
    }
}

fn plain(html: &mut String, char: char, next: usize) -> usize {
    push_char(html, char);
    next
}

fn push_label(html: &mut String, label: &str) {
    if label.starts_with("![") || !label.contains('[') {
        push(html, label);
    } else {
        // Brackets in brackets: text, whatever they are, so that nothing nests without end.
        for char in label.chars() {
            push_char(html, char);
        }
    }
}

/// `\*` is a star; a backslash before anything else is one. At a line's end it breaks the line.
fn escape(html: &mut String, text: &str, at: usize) -> usize {
    match text[at..].chars().next() {
        Some(char) if char.is_ascii_punctuation() => {
            push_char(html, char);
            at + 1
        }
        Some('\n') => {
            html.push_str("<br>");
            at
        }
        _ => {
            html.push('\\');
            at
        }
    }
}

/// The content of `` `code` ``, up to as many backticks as it began with.
fn code(html: &mut String, text: &str, at: usize) -> usize {
    let (content, end) = code_span(text, at);
    for char in content.chars() {
        push_char(html, char);
    }
    end
}

fn code_span(text: &str, at: usize) -> (&str, usize) {
    let ticks = run(&text[at..], '`');
    let start = at + ticks;
    let mut from = start;
    while let Some(found) = text[from..].find('`') {
        let close = from + found;
        let length = run(&text[close..], '`');
        if length == ticks {
            return (&text[start..close], close + length);
        }
        from = close + length;
    }
    (&text[at..start], start)
}

/// `<https://a.example>` shows the address; a tag or comment is HTML's; else it is a character.
fn markup(html: &mut String, text: &str, at: usize) -> usize {
    let rest = &text[at + 1..];
    let is_tag = rest.starts_with(|char: char| char.is_ascii_alphabetic() || "/!?".contains(char));
    // Not far, so that many open brackets do not take a square of time.
    let near = &rest[..rest.floor_char_boundary(2048)];
    let Some(end) = near.find('>').filter(|_| is_tag) else {
        return plain(html, '<', at + 1);
    };
    let inside = &rest[..end];
    let is_address = !inside.contains([' ', '\n', '"', '=']) && inside.contains([':', '@']);
    if is_address {
        for char in inside.chars() {
            push_char(html, char);
        }
    } else {
        html.push('<');
        html.push_str(inside);
        html.push('>');
    }
    at + 1 + end + 1
}

/// A link or image that begins at this bracket: where its label and where itself ends.
fn link(text: &str, bracket: usize) -> Option<(usize, usize)> {
    let label = balanced(text, bracket, '[', ']')?;
    let after = &text[label + 1..];
    let end = match after.chars().next() {
        Some('(') => balanced(text, label + 1, '(', ')')? + 1,
        Some('[') => balanced(text, label + 1, '[', ']')? + 1,
        // `[text]` may be a link by reference, or a remark in brackets: then they are shown.
        _ if bracket == 1 => label + 1,
        _ => return None,
    };
    Some((label, end))
}

/// Where the bracket that is opened here is closed. A label or an address is short: the look ahead is
/// bounded, so that many open brackets do not take a square of time.
fn balanced(text: &str, open_at: usize, open: char, close: char) -> Option<usize> {
    let mut depth = 0_u32;
    let mut is_escaped = false;
    for (index, char) in text[open_at..].char_indices().take(512) {
        if is_escaped {
            is_escaped = false;
        } else if char == '\\' {
            is_escaped = true;
        } else if char == open {
            depth += 1;
        } else if char == close {
            depth -= 1;
            if depth == 0 {
                return Some(open_at + index);
            }
        }
    }
    None
}

fn run(text: &str, mark: char) -> usize {
    text.chars().take_while(|char| *char == mark).count()
}

/// Where the markers of emphasis are: those that open and have a partner that closes, in order.
fn emphasis(text: &str) -> Vec<usize> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut removed = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    while let Some(char) = text[at..].chars().next() {
        match char {
            '\\' => {
                let escaped = text[at + 1..].chars().next().map_or(0, char::len_utf8);
                at += 1 + escaped;
                before = 'x';
            }
            '`' => {
                (_, at) = code_span(text, at);
                before = '`';
            }
            '*' | '_' | '~' => {
                let length = run(&text[at..], char);
                let after = text[at + length..].chars().next().unwrap_or(' ');
                let is_word = |char: char| char.is_alphanumeric();
                let within = is_word(before) && is_word(after);
                let can_close = !(before.is_whitespace() || char == '_' && within);
                let can_open = !(after.is_whitespace() || char == '_' && within);
                let mut left = length;
                if can_close {
                    while left > 0
                        && let Some(index) = open.iter().rposition(|(mark, _)| *mark == char)
                    {
                        removed.push(open[index].1);
                        removed.push(at + length - left);
                        open.truncate(index);
                        left -= 1;
                    }
                }
                let is_strike = char != '~' || length == 2;
                if can_open && is_strike {
                    open.extend((length - left..length).map(|step| (char, at + step)));
                    // More than anybody means: an old one has no partner any more.
                    if open.len() > 256 {
                        open.drain(..128);
                    }
                }
                at += length;
                before = char;
            }
            char => {
                at += char.len_utf8();
                before = char;
            }
        }
    }
    removed.sort_unstable();
    removed
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut html = String::new();
        super::push(&mut html, text);
        assert_eq!(html, expected);
    }

    #[test]
    fn markers_are_undone() {
        check(
            "*a* **b** ***c*** _d_ ~~e~~ snake_case_name 2 * 3",
            "a b c d e snake_case_name 2 * 3",
        );
        check("a* b, 5 ~ 6, x**y", "a* b, 5 ~ 6, x**y");
        check("`*a*` ``b ` <c>`` `open", "*a* b ` &lt;c> `open");
        check(r"\*a\* \q \\", r"*a* \q \");
        check(
            "[a *b*](http://c.example/d_e(f)_g) [h][i] [j] ![k](l)",
            "a b h [j] ",
        );
        check(
            "<https://a.example/b_c_d> <b>x</b> 1 < 2 &amp;",
            "https://a.example/b_c_d <b>x</b> 1 &lt; 2 &amp;",
        );
        check("[![image](a)](b)", "");
        check("note[^1]", "note");
    }
}
