//! The input of every site: the seed and the languages.

use crate::Config;
use crate::prng::Rng;
use crate::prose::Grammar;
use crate::words;

/// The seed, the scale and the grammars.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) scale: usize,
    grammars: Vec<Grammar>,
}

impl World {
    pub(crate) fn new(config: &Config) -> Self {
        let languages = [
            &words::ENGLISH,
            &words::GERMAN,
            &words::FRENCH,
            &words::RUSSIAN,
            &words::ARABIC,
            &words::CHINESE_SIMPLIFIED,
            &words::CHINESE_TRADITIONAL,
            &words::JAPANESE,
        ];
        Self {
            seed: config.seed,
            scale: config.scale.max(1),
            grammars: languages.into_iter().map(Grammar::new).collect(),
        }
    }

    /// Returns the grammar of the language with this tag.
    pub(crate) fn grammar(&self, tag: &str) -> &Grammar {
        let found = self
            .grammars
            .iter()
            .find(|grammar| grammar.language.tag == tag);
        found.expect("every language of a site has a grammar")
    }

    /// Returns the stream of random numbers for these keys.
    pub(crate) fn rng(&self, keys: &[u64]) -> Rng {
        Rng::keyed(self.seed, keys)
    }

    /// Returns a server address for the site with this key. It is never a reserved address.
    pub(crate) fn ip(&self, key: u64) -> u32 {
        let mut rng = self.rng(&[key, 0x1b]);
        let first = rng.range(45, 99);
        let rest = [rng.below(256), rng.below(256), rng.range(1, 254)];
        rest.into_iter().fold(first, |ip, part| ip << 8 | part) as u32
    }
}

/// Returns the word for the host name and template of site `number` of a family. Other sites have other words.
pub(crate) fn site_word(family: u64, number: usize) -> String {
    numbered_word(number * 16 + family as usize)
}

/// Returns an invented word for a number, such as `tamoke`. Different numbers have different words.
pub(crate) fn numbered_word(number: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "ta", "mo", "ke", "li", "ru", "so", "na", "vi", "be", "do", "fa", "hu", "je", "pi", "ga",
        "we",
    ];
    // Numbers from 256 on have words of at least three syllables.
    let mut rest = number + 256;
    let mut parts = Vec::new();
    while rest > 0 {
        parts.push(SYLLABLES[rest % 16]);
        rest /= 16;
    }
    parts.concat()
}

/// Returns the form of `text` in a URL: lower-case ASCII words joined by hyphens.
pub(crate) fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        if !out.is_empty() {
            out.push('-');
        }
        out.push_str(&part.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_lower_case_words_with_hyphens() {
        assert_eq!(slug("Why \"two\" surveyors’ map"), "why-two-surveyors-map");
    }

    #[test]
    fn numbered_words_differ() {
        let words: std::collections::HashSet<_> = (0..5000).map(numbered_word).collect();
        assert_eq!(words.len(), 5000);
    }
}
