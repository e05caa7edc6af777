//! The comparison against its definition.

use proptest::prelude::*;
use reprise_convert::Format;
use reprise_report::Confusion;
use reprise_text::{ChunkForm, Content};

use super::{CompareConfig, Comparison, Prepared, Verdict};
use crate::defaults::NILSIMSA_THRESHOLD as THRESHOLD;
use crate::nilsimsa::{Digest, SCORE_MAX};
use crate::page::{Page, Reading};

const CONFIG: CompareConfig = CompareConfig {
    form: ChunkForm::Markup,
    chars_min: 25,
    words_min: 6,
    chunks_max: 100,
};

fn page(text: &str) -> Page {
    let reading = Reading {
        content: Content::Html,
        format: Format::Html,
    };
    Page::new(reading, text.to_owned())
}

fn prepared(text: &str) -> Prepared {
    Prepared::of(&page(text), &CONFIG).unwrap()
}

fn matrices(one: &str, other: &str) -> (Confusion, Confusion) {
    let mut comparison = Comparison::new();
    comparison.add(Verdict::of(&prepared(one), &prepared(other)));
    (comparison.cryptographic(), comparison.nilsimsa(THRESHOLD))
}

const FIRST: &str = "<p class=intro>The quick brown fox jumps over the lazy dog and runs away.";
const FOLLOWS: &str = "<p>Something altogether different follows here, of no interest.";

#[test]
fn both_hashes_find_a_common_chunk() {
    let (crypto, lsh) = matrices(
        &format!("{FIRST}{FOLLOWS}"),
        &format!("<h1>Other</h1>{FIRST}"),
    );
    assert_eq!((crypto.true_positives, lsh.true_positives), (1, 1));
    assert_eq!(crypto.false_positive_rate(), None);
}

#[test]
fn the_cryptographic_hash_misses_common_words_without_a_common_chunk() {
    let (crypto, lsh) = matrices(FIRST, &FIRST.replace("runs away", "goes away"));
    assert_eq!(crypto.false_negatives, 1);
    assert_eq!(lsh.true_positives + lsh.false_negatives, 1);
}

#[test]
fn the_same_text_in_other_markup_is_a_copy() {
    let (crypto, lsh) = matrices(
        "<p>There is no page at this address.</p></div>",
        "<p>There is no page at <b>this</b> address.</p></main>",
    );
    assert_eq!((crypto.false_negatives, lsh.false_positives), (1, 0));
}

#[test]
fn the_same_markup_around_other_words_deceives_nilsimsa() {
    let link = |name: &str| {
        format!(
            "<div class=\"navigation-item level-two collapsed\" role=\"listitem\" data-track=\"navigation-click\"><span class=\"navigation-label\">{name}</span></div>"
        )
    };
    let (crypto, lsh) = matrices(&link("Cats"), &link("Cots"));
    assert_eq!((crypto.true_negatives, lsh.false_positives), (1, 1));
    assert_eq!(lsh.false_positive_rate(), Some(1.0));
}

#[test]
fn short_chunks_and_chunks_beyond_the_limit_are_ignored() {
    assert!(Prepared::of(&page("<p>short<p>too"), &CONFIG).is_none());
    let paragraph = |number: u32| format!("<p>Paragraph with the number {number}");
    let long: Vec<String> = (0..150).map(paragraph).collect();
    let prepared = prepared(&long.concat());
    assert_eq!(
        (prepared.chunks(), prepared.is_cut),
        (CONFIG.chunks_max, true)
    );
}

/// Generates pages of a few paragraphs from three words, so that pages often share chunks and runs of words.
fn any_text() -> impl Strategy<Value = String> {
    let paragraph =
        prop::collection::vec(prop::sample::select(vec!["alpha", "beta", "gamma"]), 3..12);
    let paragraph = (paragraph, prop::sample::select(vec!["<p>", "<p class=x>"]));
    let paragraph = paragraph.prop_map(|(words, tag)| format!("{tag}{}</p>\n", words.join(" ")));
    prop::collection::vec(paragraph, 1..4).prop_map(|paragraphs| paragraphs.concat())
}

proptest! {
    #[test]
    fn pairs_are_counted_by_definition(texts in prop::collection::vec(any_text(), 2..6)) {
        let mut comparison = Comparison::new();
        let mut merged = Comparison::new();
        let mut expected = [[0_u64; 2]; 3];
        let chunks = |text: &str| {
            let chunks = page(text).chunks(CONFIG.form, CONFIG.chars_min);
            chunks.into_iter().map(|chunk| chunk.normal).collect::<Vec<_>>()
        };
        let words = |text: &str| text.replace(" class=x", "").replace(['<', '>', '/'], " ").replace(" p ", " ")
            .split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for (at, one) in texts.iter().enumerate() {
            for other in &texts[..at] {
                let pair = (Prepared::of(&page(one), &CONFIG), Prepared::of(&page(other), &CONFIG));
                let (Some(a), Some(b)) = pair else { continue };
                comparison.add(Verdict::of(&a, &b));
                let mut single = Comparison::new();
                single.add(Verdict::of(&b, &a));
                merged.merge(&single);
                let (ours, theirs) = (chunks(one), chunks(other));
                let equal = ours.iter().any(|chunk| theirs.contains(chunk));
                let (ours_words, theirs_words) = (words(one), words(other));
                let run = ours_words.windows(CONFIG.words_min)
                    .any(|run| theirs_words.windows(CONFIG.words_min).any(|other| run == other));
                let best = ours.iter().flat_map(|chunk| theirs.iter().map(move |other|
                    Digest::of(chunk.as_bytes()).score(&Digest::of(other.as_bytes())))).max();
                prop_assert_eq!(Some(a.nearest(&b).0), best);
                let [near, far] = a.nearest(&b).1.map(|chunk| Digest::of(chunk.as_bytes()));
                prop_assert_eq!(Some(near.score(&far)), best);
                let texts = |text: &str| {
                    let chunks = page(text).chunks(ChunkForm::Text, CONFIG.chars_min);
                    chunks.into_iter().map(|chunk| chunk.normal).collect::<Vec<_>>()
                };
                let same_text = texts(one).iter().any(|text| texts(other).contains(text));
                let truth = usize::from(equal || same_text || run);
                expected[0][truth] += 1;
                expected[1][truth] += u64::from(equal);
                expected[2][truth] += u64::from(best >= Some(THRESHOLD));
            }
        }
        prop_assert_eq!(&comparison, &merged);
        let pairs = [&comparison.others, &comparison.copies];
        prop_assert_eq!(expected[0], pairs.map(|pairs| pairs.all));
        prop_assert_eq!(expected[1], pairs.map(|pairs| pairs.equal));
        prop_assert_eq!(expected[2], pairs.map(|pairs| pairs.with_score(THRESHOLD)));
        prop_assert_eq!(comparison.pairs(), pairs.map(|pairs| pairs.with_score(-SCORE_MAX)).iter().sum::<u64>());
        // Equal chunks have equal digests.
        prop_assert!(pairs[1].with_score(SCORE_MAX) >= pairs[1].equal);
        prop_assert_eq!(comparison.cryptographic().false_positives, 0);
    }
}
