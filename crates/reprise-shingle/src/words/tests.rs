//! Tests words of many scripts, and compares [`words()`] with a slow implementation.

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::letters::continues;
use super::{tokens, word_fingerprint, words};

fn found(text: &str) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    words(text, |range, lower| {
        found.push((range.start, range.end, lower.to_owned()));
    });
    found
}

/// Finds words by the definition: runs, split by UAX 29, each character in lower case.
fn slow(text: &str) -> Vec<(usize, usize, String)> {
    let belongs = |c: char| format!("a{c}").graphemes(true).count() == 1;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match runs.last_mut() {
            Some(last) if last.1 == at && (c.is_alphanumeric() || belongs(c)) => last.1 = end,
            _ if c.is_alphanumeric() => runs.push((at, end)),
            _ => {}
        }
    }
    let mut words = Vec::new();
    for (start, end) in runs {
        for (at, word) in text[start..end].split_word_bound_indices() {
            let lower = word.chars().flat_map(char::to_lowercase).collect();
            words.push((start + at, start + at + word.len(), lower));
        }
    }
    words
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let found = found(text);
    prop_assert_eq!(&found, &slow(text), "{:?}", text);
    let mut all = Vec::new();
    tokens(text, &mut String::new(), &mut all);
    let expected: Vec<u64> = found.iter().map(|word| word_fingerprint(&word.2)).collect();
    prop_assert_eq!(all, expected, "{:?}", text);
    Ok(())
}

#[track_caller]
fn assert_words(text: &str, expected: &str) {
    let found: Vec<String> = found(text).into_iter().map(|(_, _, word)| word).collect();
    assert_eq!(found.join("|"), expected, "{text:?}");
    check(text).unwrap();
}

#[test]
fn words_of_many_scripts() {
    assert_words("", "");
    assert_words(" .,!?- ", "");
    assert_words(
        "Can't stop, won't STOP: 42nd x_y",
        "can|t|stop|won|t|stop|42nd|x|y",
    );
    assert_words("3.14 1,000 10:30 a.b@c.de", "3|14|1|000|10|30|a|b|c|de");
    assert_words("Ça déjà ÉTÉ naïve Größe", "ça|déjà|été|naïve|größe");
    assert_words("Съешь ЕЩЁ этих", "съешь|ещё|этих");
    // Lower case ignores the neighbours, so a final sigma becomes an ordinary one.
    assert_words("Ὀδυσσεύς ΟΔΟΣ", "ὀδυσσεύς|οδοσ");
    assert_words("İstanbul", "i\u{307}stanbul");
    assert_words("e\u{301}te\u{301}, o\u{308}", "e\u{301}te\u{301}|o\u{308}");
    assert_words("\u{301}a \u{301}", "a");
    assert_words("שָׁלוֹם עולם", "שָׁלוֹם|עולם");
    assert_words("العَرَبِيَّة ١٢٣ جميلة.", "العَرَبِيَّة|١٢٣|جميلة");
    assert_words("می\u{200c}خواهم", "می\u{200c}خواهم");
    assert_words("नमस्ते दुनिया।", "नमस्ते|दुनिया");
    assert_words("北京2008年abc。", "北|京|2008|年|abc");
    assert_words("東京タワーへ、カタカナ", "東|京|タワー|へ|カタカナ");
    assert_words("ภาษาไทย", "ภ|า|ษ|า|ไ|ท|ย");
    assert_words("ที่นี่ น้ำ", "ที่|นี่|น้|ำ");
    assert_words("한국어 문장", "한국어|문장");
    assert_words("Ｆｕｌｌ Ｗｉｄｔｈ１２", "ｆｕｌｌ|ｗｉｄｔｈ１２");
    assert_words("hi😀there 👩‍👩‍👧 🇩🇪 ok", "hi|there|ok");
    assert_words("m² x½ №5 ①", "m|²|x|½|5|①");
    assert_words(
        "soft\u{ad}hyphen no\u{a0}break zero\u{200b}width",
        "soft|hyphen|no|break|zero|width",
    );
}

#[test]
fn long_words_and_ends_of_64_bytes() {
    for len in [1, 7, 8, 9, 15, 16, 17, 62, 63, 64, 65, 127, 128, 129, 1000] {
        let word = "Ab3dEfGh".repeat(126)[..len].to_owned();
        for before in [0, 1, 3, 55, 56, 57, 62, 63, 64, 65] {
            let space = " ".repeat(before);
            check(&format!("{space}{word}")).unwrap();
            check(&format!("{space}{word} x")).unwrap();
            check(&format!("{space}{word}é {word}")).unwrap();
            check(&format!("{space}é{word}\u{301}{word}中 {word}")).unwrap();
        }
    }
}

#[test]
fn all_kinds_of_characters_next_to_others() {
    // All characters that may be special, and every 64th of the others.
    let picked = |c: &char| {
        *c < '\u{600}' || (*c as u32).is_multiple_of(64) || continues(*c) || "ℹⓂำຳ".contains(*c)
    };
    for c in ('\0'..=char::MAX).filter(picked) {
        check(&format!("a{c}中{c}ก{c}1{c}\u{200d}{c} {c}ア{c}\u{301}b")).unwrap();
    }
}

fn any_text() -> impl Strategy<Value = String> {
    let common = "aZ09 .,'_-éß€İΣяЁשׁاَ١नि्ते中国のカーกำั่한🙂\u{301}\u{200c}\u{200d}ℹ²\u{ad}\u{3000}";
    let any_of: Vec<char> = common.chars().collect();
    let c = prop_oneof![
        6 => proptest::sample::select(any_of),
        3 => (b' '..b'~').prop_map(char::from),
        1 => any::<char>(),
    ];
    proptest::collection::vec(c, 0..200).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn words_equal_the_slow_ones(text in any_text()) {
        check(&text)?;
    }

    #[test]
    fn ascii_words_equal_the_slow_ones(text in "[a-zA-Z0-9]{0,20}([ .,][a-zA-Z0-9]{1,20}){0,40}") {
        check(&text)?;
    }
}
