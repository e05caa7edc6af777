//! What attributes say about an element: hidden, or likely to hold content.

/// What the attributes of one element say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    pub(super) is_hidden: bool,
    /// By its role or name it surrounds content.
    pub(super) is_unlikely: bool,
    /// For and against content, by class and by id, each -1, 0 or 1 in sum.
    pub(super) weight: i8,
}

/// Names of what surrounds content.
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
/// Names that may hold content all the same.
const MAYBE: [&str; 8] = [
    "and", "article", "body", "column", "content", "main", "shadow", "story",
];
const POSITIVE: [&str; 13] = [
    "article", "body", "content", "entry", "hentry", "h-entry", "main", "page", "post", "text",
    "blog", "story", "column",
];
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
    /// Learns from one attribute. Names cost time, and matter only where content is chosen.
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
