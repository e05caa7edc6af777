//! What every site is made from: the seed and the languages.

use crate::Config;
use crate::prng::Rng;
use crate::prose::Grammar;
use crate::words;

/// The seed and the grammars.
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

    /// The grammar of the language with this tag.
    pub(crate) fn grammar(&self, tag: &str) -> &Grammar {
        let found = self
            .grammars
            .iter()
            .find(|grammar| grammar.language.tag == tag);
        found.expect("sites are written only in languages that have a grammar")
    }

    /// The stream of chance that belongs to these keys.
    pub(crate) fn rng(&self, keys: &[u64]) -> Rng {
        Rng::keyed(self.seed, keys)
    }

    /// A server address for the site with this key; never a reserved one.
    pub(crate) fn ip(&self, key: u64) -> u32 {
        let mut rng = self.rng(&[key, 0x1b]);
        let first = rng.range(45, 99);
        let rest = [rng.below(256), rng.below(256), rng.range(1, 254)];
        rest.into_iter().fold(first, |ip, part| ip << 8 | part) as u32
    }
}

/// The word that only site `number` of a family of sites has in its host name and template.
pub(crate) fn site_word(family: u64, number: usize) -> String {
    numbered_word(number * 16 + family as usize)
}

/// A made-up word that belongs to `number` alone, such as `tamoke`.
pub(crate) fn numbered_word(number: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "ta", "mo", "ke", "li", "ru", "so", "na", "vi", "be", "do", "fa", "hu", "je", "pi", "ga",
        "we",
    ];
    // Counting from 256 makes every word at least three syllables long.
    let mut rest = number + 256;
    let mut parts = Vec::new();
    while rest > 0 {
        parts.push(SYLLABLES[rest % 16]);
        rest /= 16;
    }
    parts.concat()
}

/// `text` as it stands in a URL: lower-case ASCII words joined by hyphens.
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
    fn slugs_are_plain() {
        assert_eq!(slug("Why \"two\" surveyors’ map"), "why-two-surveyors-map");
    }

    #[test]
    fn numbered_words_differ() {
        let words: std::collections::HashSet<_> = (0..5000).map(numbered_word).collect();
        assert_eq!(words.len(), 5000);
    }
}
