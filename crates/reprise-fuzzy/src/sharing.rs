//! Finds the texts that share a gram, by sorting.

use crate::cut::GRAM_BITS;

/// The number of bits of a gram that choose its bucket. The grams of a bucket are sorted by the other bits.
const BUCKET_BITS: u32 = 6;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// The other bits of a gram and the number of a text form one 64-bit word, which is sorted.
const REST_BITS: u32 = GRAM_BITS - BUCKET_BITS;
const TEXT_BITS: u32 = u64::BITS - REST_BITS;

/// The number of grams that are sorted at once: 128 MB. Further grams take another pass over the texts.
const SORTED: usize = 16 << 20;

/// The flag of the last text of a run.
const LAST: u32 = 1 << 31;

/// The grams that at least two texts have. Each is a run of the numbers of those texts.
pub(crate) struct Sharing {
    /// All runs, each in ascending order.
    runs: Vec<u32>,
    /// The indices in `runs` of all texts, text by text.
    places: Vec<u32>,
    /// The index in `places` where each text begins, and the end of the last text.
    begins: Vec<u32>,
}

impl Sharing {
    /// Finds the shared grams of `texts` texts, where `grams` returns the grams of a text.
    ///
    /// Memory: 8 bytes per shared gram, and [`SORTED`] words of 8 bytes.
    pub(crate) fn of<Grams>(texts: usize, grams: impl Fn(usize) -> Grams) -> Self
    where
        Grams: Iterator<Item = u64>,
    {
        assert!(texts < 1 << TEXT_BITS, "too many texts to sort their grams");
        let mut sizes = [0; BUCKETS];
        for gram in (0..texts).flat_map(&grams) {
            sizes[bucket_of(gram).0] += 1;
        }
        let mut runs = Vec::new();
        let mut words: Vec<u64> = Vec::new();
        let mut begin = 0;
        while begin < BUCKETS {
            // As many buckets as fit in memory, but at least one.
            let mut ends = [0; BUCKETS];
            let mut end = begin;
            let mut total = 0;
            while end < BUCKETS && (end == begin || total + sizes[end] <= SORTED) {
                ends[end] = total;
                total += sizes[end];
                end += 1;
            }
            words.clear();
            words.resize(total, 0);
            for text in 0..texts {
                for gram in grams(text) {
                    let (bucket, rest) = bucket_of(gram);
                    if (begin..end).contains(&bucket) {
                        words[ends[bucket]] = rest << TEXT_BITS | text as u64;
                        ends[bucket] += 1;
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

    /// Finds the indices of each text in the runs.
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
            places[*next as usize] = u32::try_from(place).expect("runs are shorter than 16 GB");
            *next += 1;
        }
        Self {
            runs,
            places,
            begins,
        }
    }

    /// Returns the texts with higher numbers that share a gram with this one, once for each gram.
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

/// Returns the bucket of a gram and its other bits. Buckets are filled evenly for any distribution of
/// grams.
const fn bucket_of(gram: u64) -> (usize, u64) {
    // Multiplication by an odd number is a bijection.
    let mixed = gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (1 << GRAM_BITS);
    ((mixed >> REST_BITS) as usize, mixed % (1 << REST_BITS))
}

/// Appends the runs in sorted words of grams and texts. Each text occurs once in a run.
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
