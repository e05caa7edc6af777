//! Finds hidden elements and rates elements by their attributes.

/// The evidence in the attributes of one element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    pub(super) is_hidden: bool,
    /// The role or a name suggests that the element is not main content.
    pub(super) is_unlikely: bool,
    /// The evidence of the class and the id for main content, each -1, 0 or 1.
    pub(super) weight: i8,
}

/// Names of elements that are not main content.
const UNLIKELY: [&str; 40] = [
    "-ad-",
    "ad-break",
    "agegate",
    "banner",
    "breadcrumb",
    "byline-",
    "combx",
    "comment",
    "community",
    "cookie",
    "cover-wrap",
    "disqus",
    "extra",
    "footer",
    "gdpr",
    "header",
    "legends",
    "menu",
    "modal",
    "newsletter",
    "pager",
    "pagination",
    "popup",
    "promo",
    "related",
    "remark",
    "replies",
    "rss",
    "share",
    "shoutbox",
    "sidebar",
    "skyscraper",
    "social",
    "sponsor",
    "subscribe",
    "supplemental",
    "toolbar",
    "widget",
    "nav-",
    "navbar",
];
/// Names of elements that may be main content despite an unlikely name.
const MAYBE: [&str; 8] = [
    "and", "article", "body", "column", "content", "main", "shadow", "story",
];
/// Names that suggest main content.
const POSITIVE: [&str; 13] = [
    "article", "body", "content", "entry", "hentry", "h-entry", "main", "page", "post", "text",
    "blog", "story", "column",
];
/// Names that suggest other content.
const NEGATIVE: [&str; 30] = [
    "-ad-",
    "hidden",
    "banner",
    "combx",
    "comment",
    "com-",
    "contact",
    "footer",
    "gdpr",
    "masthead",
    "media",
    "meta",
    "outbrain",
    "promo",
    "related",
    "scroll",
    "share",
    "shoutbox",
    "sidebar",
    "skyscraper",
    "sponsor",
    "shopping",
    "tags",
    "widget",
    "newsletter",
    "social",
    "byline",
    "toolbar",
    "caption-credit",
    "subscribe",
];
/// Roles of elements that are not main content.
const ROLES: [&str; 9] = [
    "menu",
    "menubar",
    "complementary",
    "navigation",
    "alert",
    "alertdialog",
    "dialog",
    "banner",
    "contentinfo",
];

impl Hints {
    /// Evaluates one attribute. Evaluates classes, ids and roles only if `with_names` is true, because it
    /// is slow and only the choice of main content needs it.
    pub(super) fn learn(&mut self, name: &str, value: &str, with_names: bool) {
        match name {
            "hidden" => self.is_hidden |= !value.eq_ignore_ascii_case("until-found"),
            "style" => self.is_hidden |= hides(value),
            "role" if with_names => self.is_unlikely |= ROLES.contains(&value),
            "class" | "id" if with_names => {
                let value = value.to_lowercase();
                let says = |words: &[&str]| words.iter().any(|word| value.contains(word));
                self.is_unlikely |= says(&UNLIKELY) && !says(&MAYBE);
                self.weight += i8::from(says(&POSITIVE)) - i8::from(says(&NEGATIVE));
            }
            _ => {}
        }
    }
}

fn hides(style: &str) -> bool {
    style.split(';').any(|rule| {
        let rule: String = rule.split_whitespace().collect();
        let rule = rule.to_ascii_lowercase();
        rule.starts_with("display:none") || rule.starts_with("visibility:hidden")
    })
}
