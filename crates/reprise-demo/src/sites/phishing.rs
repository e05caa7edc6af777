//! Copies of a bank's login page on sites that do not belong to the bank.

use std::io;

use super::{bank, original};
use crate::crawl::Crawl;
use crate::page::Page;
use crate::planted::Role;
use crate::world::{World, site_word};

const FAMILY: u64 = 7;

/// Writes one phishing page. Even numbers have a site for this purpose, odd ones a folder on a hacked site.
pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let bank = original::publication(world, number / 2 * original::SPECS.len() + original::BANK);
    let login = bank::login(&bank);
    let markup = String::from_utf8(login.body).expect("the login page is written in UTF-8");
    let label = site_word(FAMILY, number);
    let (url, collector) = if number.is_multiple_of(2) {
        let host = format!("{}.secure-session-{label}.top", bank.host);
        (
            format!("http://{host}/secure/login.php"),
            "/gate/post.php".to_owned(),
        )
    } else {
        let host = format!("www.{label}-petals.com");
        let url = format!("http://{host}/wp-content/cache/{}/login.html", bank.prefix);
        (url, format!("http://{label}-mailbox.icu/in.php"))
    };
    let mut markup = markup.replace(bank::ACTION, &collector);
    if !number.is_multiple_of(2) {
        let intro = "<div class=\"login-intro\">";
        let bait = "<div class=\"urgent\"><p>Your account will be limited within 24 hours unless \
                    you confirm your details.</p></div>\n";
        markup = markup.replace(intro, &format!("{bait}{intro}"));
    }
    let ip = world.ip(FAMILY << 32 | number as u64);
    let mut page = Page::html(url, ip, Role::Phishing, "en", markup);
    page.declared = login.declared;
    page.sources = vec![login.url];
    page.copied = bank::PARAGRAPHS;
    crawl.page(&page)?;
    Ok(())
}
