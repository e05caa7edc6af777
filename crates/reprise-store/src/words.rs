//! Stores repeated texts once.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// A numbered set of texts.
#[derive(Default)]
pub(crate) struct Words {
    /// All texts, concatenated.
    texts: String,
    /// The end of each text in `texts`.
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl Words {
    /// Returns the number of a text. If `last` holds the same `Arc`, no lookup is necessary. Otherwise
    /// `last` is replaced.
    pub(crate) fn number_again(
        &mut self,
        text: &Arc<str>,
        last: &mut Option<(Arc<str>, u32)>,
    ) -> u32 {
        if let Some((last, number)) = last
            && Arc::ptr_eq(last, text)
        {
            return *number;
        }
        let number = self.number(text);
        *last = Some((Arc::clone(text), number));
        number
    }

    /// Returns the number of a text. A new text gets the next number.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let Words {
            texts,
            ends,
            table,
            hasher,
        } = self;
        let entry = table.entry(
            hasher.hash_one(text),
            |&number| text_of(texts, ends, number) == text,
            |&number| hasher.hash_one(text_of(texts, ends, number)),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let number = ends.len() as u32;
                entry.insert(number);
                texts.push_str(text);
                ends.push(texts.len());
                number
            }
        }
    }

    /// Returns the text with this number.
    pub(crate) fn text(&self, number: u32) -> &str {
        text_of(&self.texts, &self.ends, number)
    }

    /// Returns the number of texts.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns an upper bound of the memory, computed from the number and the length of the texts alone.
    pub(crate) fn memory_bytes(&self) -> usize {
        // `texts` and `ends` may have twice the necessary capacity. A slot of the table takes one more byte
        // than its number, and up to nine sixteenths of the slots are empty.
        const EACH: usize = 2 * size_of::<usize>() + (size_of::<u32>() + 1) * 16 / 7;
        2 * self.texts.len() + self.len() * EACH
    }
}

fn text_of<'t>(texts: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &texts[start..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn equal_texts_have_one_number() {
        let mut words = Words::default();
        let texts: Vec<String> = (0..1000)
            .map(|number| format!("w{}", number % 400))
            .collect();
        let numbers: Vec<u32> = texts.iter().map(|text| words.number(text)).collect();
        assert_eq!(words.len(), 400);
        for (text, &number) in texts.iter().zip(&numbers) {
            assert_eq!(words.text(number), text);
            assert_eq!(words.number(text), number);
        }
        assert_eq!(words.number(""), 400);
        assert_eq!(words.text(400), "");
    }
}
