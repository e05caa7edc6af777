use reprise_convert::Format;
use url::Url;

use super::{Cause, Side, cause};

fn side(url: &Url) -> Side<'_> {
    Side {
        url,
        format: Format::Html,
        canonical: None,
        by_redirect: false,
    }
}

fn found(page: &str, of: &str) -> Cause {
    let (page, of) = (Url::parse(page).unwrap(), Url::parse(of).unwrap());
    cause(side(&page), side(&of), &|name| name == "idle")
}

#[test]
fn causes_of_aliases() {
    let check = |page: &str, of: &str, expected: Cause| {
        assert_eq!(found(page, of), expected, "{page} {of}");
        assert_eq!(found(of, page), expected, "{of} {page}");
    };
    check("http://a.com/x", "https://a.com/x", Cause::Scheme);
    check("http://www.a.com/x?y=1", "http://a.com/x?y=1", Cause::Host);
    check("https://mirror.org/x", "http://a.com/x", Cause::Host);
    check("http://a.com:81/x", "http://a.com:82/x", Cause::Host);
    check("http://a.com/x/", "http://a.com/x", Cause::Slash);
    check("http://a.com/x/index.html", "http://a.com/x/", Cause::Slash);
    check("http://a.com/Default.aspx", "http://a.com/", Cause::Slash);
    check(
        "http://a.com/x/index.php?id=1",
        "http://a.com/x/?id=1",
        Cause::Slash,
    );
    check("http://a.com/x?", "http://a.com/x", Cause::Spelling);
    check("http://a.com/About", "http://a.com/about", Cause::Spelling);
    check(
        "http://a.com/%61bout",
        "http://a.com/about",
        Cause::Spelling,
    );
    check("http://a.com//x//y", "http://a.com/x/y", Cause::Spelling);
    check(
        "http://a.com/x?q=a+b",
        "http://a.com/x?q=a%20b",
        Cause::Spelling,
    );
    check(
        "http://a.com/x?a=1&b=2",
        "http://a.com/x?b=2&a=1",
        Cause::ParameterOrder,
    );
    check(
        "http://a.com/x?a=1&a=1",
        "http://a.com/x?a=1",
        Cause::ParameterOrder,
    );
    check(
        "http://a.com/x?PHPSESSID=abc",
        "http://a.com/x",
        Cause::Session,
    );
    check(
        "http://a.com/x?sid=1&p=2",
        "http://a.com/x?p=2&sid=7",
        Cause::Session,
    );
    check(
        "http://a.com/x;jsessionid=1F?p=2",
        "http://a.com/x?p=2",
        Cause::Session,
    );
    check(
        "http://a.com/x?ASPSESSIONIDQQ=1",
        "http://a.com/x",
        Cause::Session,
    );
    check(
        "http://a.com/x?utm_source=a&utm_medium=b",
        "http://a.com/x",
        Cause::Tracking,
    );
    check(
        "http://a.com/x?fbclid=1&sid=2",
        "http://www.a.com/x/",
        Cause::Tracking,
    );
    check("http://a.com/x?idle=1", "http://a.com/x", Cause::Parameter);
}

#[test]
fn causes_that_words_of_the_url_show() {
    let check = |page: &str, of: &str, expected: Cause| {
        assert_eq!(found(page, of), expected, "{page} {of}");
    };
    check("http://a.com/print/12", "http://a.com/12", Cause::Print);
    check("http://a.com/12?print=1", "http://a.com/12", Cause::Print);
    check(
        "http://a.com/12?view=printable",
        "http://a.com/12",
        Cause::Print,
    );
    check(
        "http://a.com/12-print.html",
        "http://a.com/12.html",
        Cause::Print,
    );
    check("http://a.com/printers", "http://a.com/x", Cause::Other);
    check(
        "http://a.com/calendar?month=5&year=2031",
        "http://a.com/calendar?month=4&year=2031",
        Cause::Calendar,
    );
    check(
        "http://a.com/events/2031/05",
        "http://a.com/events/2031/04",
        Cause::Calendar,
    );
    check("http://a.com/2024/05/", "http://a.com/post", Cause::Listing);
    check("http://a.com/tag/x", "http://a.com/post", Cause::Listing);
    check("http://a.com/feed/", "http://a.com/", Cause::Listing);
    check("http://a.com/?page=2", "http://a.com/", Cause::Listing);
    check("http://a.com/x", "http://a.com/y", Cause::Other);
}

#[test]
fn causes_that_the_url_does_not_show() {
    let (page, of) = (
        Url::parse("http://a.com/x.pdf").unwrap(),
        Url::parse("http://a.com/x").unwrap(),
    );
    let idle = |_: &str| false;
    let mut left = side(&page);
    left.format = Format::Pdf;
    assert_eq!(cause(left, side(&of), &idle), Cause::Format);
    left.by_redirect = true;
    assert_eq!(cause(left, side(&of), &idle), Cause::Redirect);
    let mut left = side(&page);
    left.format = Format::Xhtml;
    assert_eq!(cause(left, side(&of), &idle), Cause::Other);
    left.canonical = Some("http://a.com/x");
    assert_eq!(cause(left, side(&of), &idle), Cause::Canonical);
}
