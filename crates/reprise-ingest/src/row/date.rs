//! When a page was fetched, in the ways that tables say it: as a date, or as a number of seconds or parts of them since 1970.

use crate::{date, mail};

/// Milliseconds since 1970 of a date as archives, HTTP or mail write it, or of a number in words.
pub(crate) fn of_text(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = || {
        str::from_utf8(text)
            .ok()?
            .parse()
            .ok()
            .and_then(of_fraction)
    };
    // Digits alone are a year, a day, or as ARC writes them.
    let is_number = matches!(digits, 5..=7) && digits == text.len();
    if is_number || (digits > 8 && !is_compact(&text[..digits])) {
        return number();
    }
    date::parse(text)
        .or_else(number)
        .or_else(|| mail::parse_date(&String::from_utf8_lossy(text)))
}

/// Is it a date of digits only, such as the 14 of ARC? Shorter ones are where they can be no seconds since 1970.
fn is_compact(digits: &[u8]) -> bool {
    let is_year = || matches!(digits, [b'1', b'9', b'9', ..] | [b'2', b'0', ..]);
    matches!(digits.len(), 14 | 17) || (matches!(digits.len(), 10 | 12) && is_year())
}

/// Milliseconds since 1970 of a number, by its size: up to the year 5138 it counts seconds, milliseconds, microseconds or
/// nanoseconds.
pub(crate) fn of_integer(number: i128) -> Option<i64> {
    let size = number.unsigned_abs();
    let millis = if size < 100_000_000_000 {
        number * 1000
    } else if size < 100_000_000_000_000 {
        number
    } else if size < 100_000_000_000_000_000 {
        number.div_euclid(1000)
    } else {
        number.div_euclid(1_000_000)
    };
    i64::try_from(millis).ok()
}

/// The same of a number with a fraction.
pub(crate) fn of_fraction(number: f64) -> Option<i64> {
    if number.abs() < 1e11 {
        return Some((number * 1000.0).round() as i64);
    }
    // Larger ones have no fraction that matters.
    (number.abs() < 1e27).then(|| of_integer(number.round() as i128))?
}

#[cfg(test)]
mod tests {
    use super::{of_fraction, of_integer, of_text};

    #[test]
    fn dates_and_numbers() {
        let check = |text: &str, expected: Option<i64>| {
            assert_eq!(of_text(text.as_bytes()), expected, "{text}");
        };
        let leap_day = Some(1_709_210_096_000);
        check(" 2024-02-29T12:34:56Z ", leap_day);
        check("20240229123456", leap_day);
        check("Thu, 29 Feb 2024 12:34:56 GMT", leap_day);
        check("Thursday, 29-Feb-24 12:34:56 GMT", leap_day);
        check("Thu Feb 29 12:34:56 2024", leap_day);
        check("1709210096", leap_day);
        check("1709210096000", leap_day);
        check("1709210096000000", leap_day);
        check("1709210096000000000", leap_day);
        check("1709210096.5", Some(1_709_210_096_500));
        check("2024", Some(1_704_067_200_000));
        check("20240229", Some(1_709_164_800_000));
        check("202402291234", Some(1_709_210_040_000));
        // As a date it would be in the year 1712.
        check("1712051223", Some(1_712_051_223_000));
        check("2024/2/29 12:34:56", leap_day);
        check("20240229123456000", leap_day);
        // A number, as any that is not a date to its end.
        check("86400", Some(86_400_000));
        check("123412", Some(123_412_000));
        check("2024.5", Some(2_024_500));
        check("2024.06.30 12:00", None);
        check("2024 June 30", None);
        check("1234 apples", None);
        check("0", Some(0));
        check("-1", Some(-1000));
        check("", None);
        check("NaN", None);
        check("yesterday", None);
    }

    #[test]
    fn numbers_by_their_size() {
        let seconds = 1_700_000_000_i128;
        for unit in [1, 1000, 1_000_000, 1_000_000_000] {
            assert_eq!(of_integer(seconds * unit), Some(1_700_000_000_000));
            assert_eq!(of_integer(-seconds * unit), Some(-1_700_000_000_000));
        }
        assert_eq!(of_integer(i64::MIN.into()), Some(-9_223_372_036_855));
        assert_eq!(of_integer(i128::MAX), None);
        assert_eq!(of_fraction(1_700_000_000.5), Some(1_700_000_000_500));
        assert_eq!(of_fraction(1.7e18), Some(1_700_000_000_000));
        for none in [f64::NAN, f64::INFINITY, -1e300] {
            assert_eq!(of_fraction(none), None);
        }
    }
}
