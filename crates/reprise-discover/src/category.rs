//! Guesses the purpose of a chunk from typical words and tags.

/// The purpose of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// No visible text and no code.
    Empty,
    /// Mostly links.
    Navigation,
    /// Input fields and buttons.
    Form,
    /// Code for the browser.
    Script,
    /// Advertisements.
    Advertising,
    /// Visitor counters and web beacons.
    Tracking,
    /// Buttons of social networks.
    Social,
    /// Licences, copyright and privacy notices.
    Legal,
    /// Text for people to read.
    Prose,
}

impl Category {
    /// Returns the name used in JSON and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Category::Empty => "empty",
            Category::Navigation => "navigation",
            Category::Form => "form",
            Category::Script => "script",
            Category::Advertising => "advertising",
            Category::Tracking => "tracking",
            Category::Social => "social",
            Category::Legal => "legal notice",
            Category::Prose => "prose",
        }
    }
}

/// The words that identify a category, in the order in which they are tried: rare categories first.
const WORDS: [(Category, &[&str]); 4] = [
    (
        Category::Tracking,
        &[
            "google-analytics",
            "googletagmanager",
            "gtag(",
            "doubleclick.net/activity",
            "statcounter",
            "quantserve",
            "scorecardresearch",
            "matomo",
            "piwik",
            "hotjar",
            "facebook.com/tr",
            "pixel.gif",
            "counter.gif",
        ],
    ),
    (
        Category::Advertising,
        &[
            "adsbygoogle",
            "googlesyndication",
            "doubleclick",
            "adserver",
            "amazon-adsystem",
            "sponsored",
            "advertisement",
            "ad-slot",
            "adsense",
            "taboola",
            "outbrain",
            "class=\"ad\"",
            "class=\"ads\"",
            "class=\"ad ",
            "class=\"banner",
        ],
    ),
    (
        Category::Social,
        &[
            "facebook.com/sharer",
            "twitter.com/intent",
            "twitter.com/share",
            "addthis",
            "sharethis",
            "linkedin.com/share",
            "pinterest.com/pin",
            "plus.google.com",
            "t.me/share",
            "fb-like",
        ],
    ),
    (
        Category::Legal,
        &[
            "all rights reserved",
            "copyright",
            "&copy;",
            "©",
            "privacy policy",
            "terms of use",
            "terms of service",
            "licensed under",
            "creative commons",
            "cookie policy",
            "disclaimer",
            "imprint",
            "impressum",
            "gnu free documentation",
        ],
    ),
];

/// Guesses the purpose of a chunk, and returns it with a reason in words.
///
/// `raw` is the chunk with its markup, `visible` its visible text.
pub fn category(raw: &str, visible: &str) -> (Category, String) {
    let lower = raw.to_lowercase();
    let visible_chars = visible.chars().filter(|c| !c.is_whitespace()).count();
    let has = |needle: &str| lower.contains(needle);
    let tags = |name: &str| lower.matches(name).count();
    let words = |list: &'static [&'static str]| list.iter().find(|word| has(word)).copied();
    let [tracking, advertising, social, legal] = WORDS.map(|(kind, list)| (kind, words(list)));
    for (kind, word) in [tracking, advertising, social] {
        if let Some(word) = word {
            return (kind, format!("it holds “{word}”"));
        }
    }
    if visible_chars == 0 {
        return if has("<script") || has("<style") {
            (Category::Script, "code, and no visible text".to_owned())
        } else {
            (Category::Empty, "no visible text".to_owned())
        };
    }
    let fields = tags("<input") + tags("<select") + tags("<textarea") + tags("<button");
    if has("<form") || fields > 1 {
        return (
            Category::Form,
            format!("a form with {fields} fields or buttons"),
        );
    }
    if let (kind, Some(word)) = legal
        && visible_chars < 2_000
    {
        return (kind, format!("it holds “{word}”"));
    }
    let links = tags("<a ");
    if links >= 3 && visible_chars / links < 40 {
        return (
            Category::Navigation,
            format!("{links} links in {visible_chars} visible characters"),
        );
    }
    if (has("<script") || has("function(") || has("function (")) && visible_chars * 4 < raw.len() {
        return (Category::Script, "mostly code".to_owned());
    }
    (
        Category::Prose,
        format!("{visible_chars} visible characters, few links"),
    )
}

#[cfg(test)]
mod tests {
    use super::{Category, category};

    #[test]
    fn typical_chunks_get_their_category() {
        let check = |raw: &str, visible: &str, expected: Category| {
            assert_eq!(category(raw, visible).0, expected, "{raw}");
        };
        check("<div> </div>", "", Category::Empty);
        check("<div><script>f()</script>", "", Category::Script);
        check(
            "<p><a href=1>Home</a> <a href=2>News</a> <a href=3>About</a>",
            "Home News About",
            Category::Navigation,
        );
        check(
            "<div><form><input name=q><button>Go</button></form>",
            "Go",
            Category::Form,
        );
        check(
            "<div><ins class=adsbygoogle></ins>",
            "",
            Category::Advertising,
        );
        check("<p>© 2020 Somebody", "© 2020 Somebody", Category::Legal);
        check(
            "<p>The quick brown fox jumps over the lazy dog.",
            "The quick brown fox jumps over the lazy dog.",
            Category::Prose,
        );
    }
}
