//! The frame of every file: head, policy, style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::html::text;

/// No script, no request, no form, no other base for links. `data:` is for the empty icon below.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'";

/// Colours, type and what both kinds of file have in common.
const BASE: &str = include_str!("css/base.css");

/// A whole file with this style and body.
pub(crate) fn document(title: &str, style: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                // Telephone numbers in hostile text would become links.
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                title { (text::line(title)) }
                // Without it a browser asks the server of the file for one.
                link rel="icon" href="data:,";
                style { (PreEscaped(BASE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    }
    .into_string()
}
