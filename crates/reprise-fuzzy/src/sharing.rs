//! Which texts share a gram, by sorting.

use crate::cut::GRAM_BITS;

/// Grams are sorted by the rest of their bits after being dealt out by these.
const DEAL_BITS: u32 = 6;
const DEALS: usize = 1 << DEAL_BITS;

/// What is left of a gram, and the number of a text, make one word to sort.
const REST_BITS: u32 = GRAM_BITS - DEAL_BITS;
const TEXT_BITS: u32 = u64::BITS - REST_BITS;

/// Grams that are sorted at once: 128 MB. The rest wait for another look at the texts.
const SORTED: usize = 16 << 20;

/// Set on the last text of a run.
const LAST: u32 = 1 << 31;

/// For each gram that at least two texts have, a run of the numbers of those texts.
pub(crate) struct Sharing {
    /// All runs one after the other, each in the order of numbers.
    runs: Vec<u32>,
    /// The places of each text in the runs, the texts one after the other.
    places: Vec<u32>,
    /// Where the places of each text begin, and where those of the last end.
    begins: Vec<u32>,
}

impl Sharing {
    /// Input: how many texts there are and what grams each has.
    ///
    /// Memory: 8 bytes for each gram that is shared, and [`SORTED`] words.
    pub(crate) fn of<Grams>(texts: usize, grams: impl Fn(usize) -> Grams) -> Self
    where
        Grams: Iterator<Item = u64>,
    {
        assert!(texts < 1 << TEXT_BITS, "too many texts to sort their grams");
        let mut sizes = [0; DEALS];
        for gram in (0..texts).flat_map(&grams) {
            sizes[deal(gram).0] += 1;
        }
        let mut runs = Vec::new();
        let mut words: Vec<u64> = Vec::new();
        let mut begin = 0;
        while begin < DEALS {
            // As many deals as there is room for, but one at least.
            let mut ends = [0; DEALS];
            let mut end = begin;
            let mut total = 0;
            while end < DEALS && (end == begin || total + sizes[end] <= SORTED) {
                ends[end] = total;
                total += sizes[end];
                end += 1;
            }
            words.clear();
            words.resize(total, 0);
            for text in 0..texts {
                for gram in grams(text) {
                    let (deal, rest) = deal(gram);
                    if (begin..end).contains(&deal) {
                        words[ends[deal]] = rest << TEXT_BITS | text as u64;
                        ends[deal] += 1;
                    }
                }
            }
            let mut from = 0;
            for &to in &ends[begin..end] {
                words[from..to].sort_unstable();
                push_runs(&words[from..to], &mut runs);
                from = to;
            }
            begin = end;
        }
        drop(words);
        Self::by_text(texts, runs)
    }

    /// Finds the places of each text.
    fn by_text(texts: usize, runs: Vec<u32>) -> Self {
        let mut begins = vec![0; texts + 1];
        for &member in &runs {
            begins[(member & !LAST) as usize + 1] += 1;
        }
        for text in 0..texts {
            begins[text + 1] += begins[text];
        }
        let mut places = vec![0; runs.len()];
        let mut next = begins.clone();
        for (place, &member) in runs.iter().enumerate() {
            let next = &mut next[(member & !LAST) as usize];
            places[*next as usize] = u32::try_from(place).expect("runs of 16 GB are not built");
            *next += 1;
        }
        Self {
            runs,
            places,
            begins,
        }
    }

    /// The texts with higher numbers that share a gram with this one, once for each gram.
    pub(crate) fn later(&self, text: usize) -> impl Iterator<Item = u32> {
        let places = self.begins[text] as usize..self.begins[text + 1] as usize;
        self.places[places].iter().flat_map(|&place| {
            let mut end = self.runs[place as usize] & LAST != 0;
            let rest = self.runs[place as usize + 1..].iter();
            rest.map_while(move |&member| {
                let text = (!end).then_some(member & !LAST);
                end |= member & LAST != 0;
                text
            })
        })
    }
}

/// Deals grams out evenly, whatever they are: where one goes, and what it is there.
const fn deal(gram: u64) -> (usize, u64) {
    // An odd factor maps no two grams to the same number.
    let mixed = gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (1 << GRAM_BITS);
    ((mixed >> REST_BITS) as usize, mixed % (1 << REST_BITS))
}

/// Adds the runs in sorted words of grams and texts. A text is in a run once.
fn push_runs(words: &[u64], runs: &mut Vec<u32>) {
    for run in words.chunk_by(|a, b| a >> TEXT_BITS == b >> TEXT_BITS) {
        let [first, .., last] = run else { continue };
        if first == last {
            continue;
        }
        let texts = run.chunk_by(|a, b| a == b).map(|same| same[0]);
        runs.extend(texts.map(|word| (word % (1 << TEXT_BITS)) as u32));
        if let Some(last) = runs.last_mut() {
            *last |= LAST;
        }
    }
}
