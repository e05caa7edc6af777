//! The parts that all files have: head, policy and style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::html::text;

/// The content security policy: no scripts, requests, forms or other base for links. `data:` is for the empty
/// icon below.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'";

/// The style that all files have.
const BASE: &str = include_str!("css/base.css");

/// Renders a file with this style and body.
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
                // Without this, phones turn numbers in hostile text into links.
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                title { (text::line(title)) }
                // Without this, a browser requests an icon from the server of the file.
                link rel="icon" href="data:,";
                style { (PreEscaped(BASE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    }
    .into_string()
}
