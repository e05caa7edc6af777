//! Texts that repeat, each kept once.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Each distinct text once, by the number that it got.
#[derive(Default)]
pub(crate) struct Words {
    /// All of them, one behind the other.
    texts: String,
    /// Where each ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl Words {
    /// The number of a text that may be the very one that came last.
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

    /// The number of a text.
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

    /// The text of a number.
    pub(crate) fn text(&self, number: u32) -> &str {
        text_of(&self.texts, &self.ends, number)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Memory that they take, by their number and length alone.
    pub(crate) fn memory_bytes(&self) -> usize {
        // Texts and ends may have grown to twice what they need. Of the table's places, a number and a byte each, up to
        // nine sixteenths are empty.
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
