//! The bank's login page.

use super::publication::Publication;
use crate::page::{Charset, Page};
use crate::planted::{Declared, Role};

/// The target of the login form.
pub(crate) const ACTION: &str = "/secure/session";
/// The number of paragraphs of the login page, including its furniture.
pub(crate) const PARAGRAPHS: usize = 7;

const FORM: &str = include_str!("../templates/login.html");

/// Returns the login page of a bank.
pub(crate) fn login(bank: &Publication<'_>) -> Page {
    let charset = Charset {
        name: "UTF-8",
        declared: Declared::HeaderAndMeta,
    };
    let html = bank.shell("Log in", charset, &FORM.replace("[[bank]]", &bank.title));
    let url = bank.url("/secure/login");
    Page::html_in(charset, url, bank.ip, Role::Original, "en", html)
}
