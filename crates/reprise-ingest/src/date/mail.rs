//! Dates with the name of a month, as mail and HTTP write them.

use super::midnight;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
/// Zones by name, in hours east of Greenwich. RFC 5322 says to ignore the zones of a single letter.
const ZONES: [(&str, i64); 12] = [
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
    ("ast", -4),
    ("adt", -3),
    ("cet", 1),
    ("cest", 2),
];

/// Parses a date such as `Mon, 1 Jan 2024 10:20:30 +0100`, `Monday, 01-Jan-24 09:20:30 GMT` or
/// `Mon Jan  1 09:20:30 2024`, and the mixtures of these that mail programs write.
///
/// Words that are not part of a date are ignored. A date without a zone is in UTC.
pub fn parse(text: &str) -> Option<i64> {
    let (mut day, mut month, mut year, mut time, mut zone) = (None, None, None, None, 0);
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    for word in words.filter(|word| !word.is_empty()) {
        // A comment at the end repeats the zone.
        if word.starts_with('(') {
            break;
        }
        if let Some((hour, rest)) = word.split_once(':') {
            time = time.or(clock(hour, rest));
        } else if let Some(seconds) = offset(word).filter(|_| time.is_some()) {
            zone = seconds;
        } else if let Some((first, rest)) = word.split_once('-')
            && let Some((second, third)) = rest.split_once('-')
        {
            // 1-Jan-2024
            day = first.parse().ok();
            month = month_of(second);
            year = year_of(third);
        } else if let Some(found) = month_of(word) {
            month = month.or(Some(found));
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            match day {
                None => day = word.parse().ok(),
                Some(_) => year = year.or(year_of(word)),
            }
        } else if let Some(hours) = zone_of(word) {
            zone = hours * 3600;
        }
    }
    let seconds = time.unwrap_or(0) - zone;
    Some(midnight(year?, month?, day?)? + seconds * 1000)
}

/// Returns the seconds since midnight of a time such as `10:20:30`.
fn clock(hour: &str, rest: &str) -> Option<i64> {
    let (minute, second) = rest.split_once(':').unwrap_or((rest, "0"));
    let number = |text: &str, most: i64| {
        let digits = text.split('.').next().unwrap_or(text);
        digits
            .parse()
            .ok()
            .filter(|value| (0..=most).contains(value))
    };
    Some(number(hour, 23)? * 3600 + number(minute, 59)? * 60 + number(second, 60)?)
}

/// Returns the seconds east of Greenwich of a zone such as `+0100`.
fn offset(word: &str) -> Option<i64> {
    let sign = match word.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = word.get(1..5).filter(|_| word.len() == 5)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i64 = digits.parse().ok()?;
    Some(sign * (number / 100 * 3600 + number % 100 * 60))
}

fn month_of(word: &str) -> Option<i64> {
    let start = word.get(..3)?.to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| *month == start)?;
    Some(at as i64 + 1)
}

/// Returns the year that a number stands for. By RFC 5322, two digits are a year from 1969 to 2068, and three digits
/// count from 1900. Broken mail programs write `0002` and `0102`, which are read the same way.
fn year_of(word: &str) -> Option<i64> {
    let year: i64 = word
        .parse()
        .ok()
        .filter(|year| (0..10_000).contains(year))?;
    Some(match (word.len(), year) {
        (..=2 | 4.., ..69) => 2000 + year,
        (_, ..1000) => 1900 + year,
        _ => year,
    })
}

fn zone_of(word: &str) -> Option<i64> {
    let found = ZONES
        .iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name));
    found.map(|(_, hours)| *hours)
}
