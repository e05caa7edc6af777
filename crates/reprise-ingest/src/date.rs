//! Fetch times as archives write them: `2024-05-06T07:08:09Z`, with fractions, shortened
//! (`2024`, `2024-05`), or as the 14 digits of ARC.
//!
//! Date crates parse one exact format each; archives mix these, and nothing else of a calendar is needed here.

/// Milliseconds since 1970, or nothing when the text is no date. Offsets other than `Z` are honoured.
pub fn parse(text: &[u8]) -> Option<i64> {
    let mut numbers = Digits { text, at: 0 };
    let year = numbers.take(4)?;
    let month = numbers.take(2).unwrap_or(1);
    let day = numbers.take(2).unwrap_or(1);
    let hour = numbers.take(2).unwrap_or(0);
    let minute = numbers.take(2).unwrap_or(0);
    let second = numbers.take(2).unwrap_or(0);
    let millis = numbers.fraction();
    let valid = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    valid.then(|| {
        let seconds =
            days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        (seconds - numbers.offset_seconds()) * 1000 + millis
    })
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Milliseconds since 1970 as `2024-05-06T07:08:09Z`, with a fraction where there is one.
pub fn format_date(millis: i64) -> String {
    let (seconds, fraction) = (millis.div_euclid(1000), millis.rem_euclid(1000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil_from_days(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = if fraction == 0 {
        String::new()
    } else {
        format!(".{fraction:03}")
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

struct Digits<'a> {
    text: &'a [u8],
    at: usize,
}

impl Digits<'_> {
    /// The next `count` digits as a number, after one optional separator.
    fn take(&mut self, count: usize) -> Option<i64> {
        let rest = &self.text[self.at..];
        let skip = usize::from(matches!(
            rest.first(),
            Some(b'-' | b':' | b'T' | b't' | b' ')
        ));
        let digits = rest.get(skip..skip + count)?;
        let number = digits.iter().try_fold(0, |number, byte| {
            byte.is_ascii_digit()
                .then(|| number * 10 + i64::from(byte - b'0'))
        })?;
        self.at += skip + count;
        Some(number)
    }

    /// Milliseconds of a fraction of a second, if one follows.
    fn fraction(&mut self) -> i64 {
        let Some(b'.' | b',') = self.text.get(self.at) else {
            return 0;
        };
        self.at += 1;
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        (0..3).fold(0, |millis, place| {
            millis * 10 + digits.get(place).map_or(0, |byte| i64::from(byte - b'0'))
        })
    }

    /// Seconds east of Greenwich of a zone such as `+02:00`, if one follows.
    fn offset_seconds(&mut self) -> i64 {
        let sign = match self.text.get(self.at) {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return 0,
        };
        self.at += 1;
        let hours = self.take(2).unwrap_or(0);
        let minutes = self.take(2).unwrap_or(0);
        sign * (hours * 3600 + minutes * 60)
    }
}

/// Milliseconds since 1970 at which a day begins, if it is one.
pub(crate) fn civil_millis(year: i64, month: i64, day: i64) -> Option<i64> {
    let valid = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    valid.then(|| days_from_civil(year, month, day) * 86_400_000)
}

/// Days from 1970-01-01 in the Gregorian calendar, by counting whole years and months.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last day of its year.
    let shifted = if month <= 2 { year - 1 } else { year };
    let months_from_march = (month + 9) % 12;
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * months_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date of a day counted from 1970-01-01: the inverse of [`days_from_civil`].
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months_from_march + 2) / 5 + 1;
    let month = (months_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{format_date, parse};

    proptest! {
        #[test]
        fn formatted_dates_parse_back(millis in -62_000_000_000_000i64..250_000_000_000_000) {
            prop_assert_eq!(parse(format_date(millis).as_bytes()), Some(millis));
        }
    }

    #[test]
    fn dates_of_every_form() {
        let check = |text: &str, expected: Option<i64>| {
            assert_eq!(parse(text.as_bytes()), expected, "{text}");
        };
        check("1970-01-01T00:00:00Z", Some(0));
        check("2024-02-29T12:34:56Z", Some(1_709_210_096_000));
        check("2024-02-29T12:34:56.789123Z", Some(1_709_210_096_789));
        check("2024-02-29T14:34:56+02:00", Some(1_709_210_096_000));
        check("20240229123456", Some(1_709_210_096_000));
        check("2024", Some(1_704_067_200_000));
        check("2024-02", Some(1_706_745_600_000));
        check("1969-12-31T23:59:59Z", Some(-1000));
        check("0000", Some(-62_167_219_200_000));
        check("2024-13-01", None);
        check("yesterday", None);
        check("", None);
    }
}
