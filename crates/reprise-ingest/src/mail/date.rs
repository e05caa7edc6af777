//! The date of a mail, in all the ways that mailers write it; HTTP has taken over most of them.

use crate::date::civil_millis;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
/// Zones by name, in hours from Greenwich. Single letters but Z are unknown by RFC 5322.
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

/// Milliseconds since 1970 of `Mon, 1 Jan 2024 10:20:30 +0100`, of what ctime writes, and of what lies between.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (mut day, mut month, mut year, mut time, mut zone) = (None, None, None, None, 0);
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    for word in words.filter(|word| !word.is_empty()) {
        // Comments are at the end, and name the zone again.
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
    Some(civil_millis(year?, month?, day?)? + seconds * 1000)
}

/// Seconds of a day.
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

/// Seconds east of Greenwich of `+0100`.
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

/// Years of two digits are those from 1969 to 2068, of three those from 1900, by RFC 5322; so are `0002` and
/// `0102`, which broken mailers write.
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
