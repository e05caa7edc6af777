//! Dates in tables: a date in any form, or a number of seconds (or fractions of a second) since 1970.

use super::{parse, parse_mail};

/// Parses a date as archives, HTTP or mail write it, or a number as text.
pub(crate) fn parse_any(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = || {
        str::from_utf8(text)
            .ok()?
            .parse()
            .ok()
            .and_then(from_fraction)
    };
    // Other texts of only digits are a year, a day, or a date of ARC.
    let is_number = matches!(digits, 5..=7) && digits == text.len();
    if is_number || (digits > 8 && !is_compact(&text[..digits])) {
        return number();
    }
    parse(text)
        .or_else(number)
        .or_else(|| parse_mail(&String::from_utf8_lossy(text)))
}

/// Returns true if these digits are a date, such as the 14 digits of ARC. 10 and 12 digits may also be seconds or
/// milliseconds since 1970; they are a date if they begin with a year from 1990 to 2099.
fn is_compact(digits: &[u8]) -> bool {
    let is_year = || matches!(digits, [b'1', b'9', b'9', ..] | [b'2', b'0', ..]);
    matches!(digits.len(), 14 | 17) || (matches!(digits.len(), 10 | 12) && is_year())
}

/// Returns the date that a number stands for. The size of the number tells its unit, for dates up to the year 5138:
/// seconds, milliseconds, microseconds or nanoseconds since 1970.
pub(crate) fn from_integer(number: i128) -> Option<i64> {
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

/// Returns the date that a number with a fraction stands for, by the rule of [`from_integer`].
pub(crate) fn from_fraction(number: f64) -> Option<i64> {
    if number.abs() < 1e11 {
        return Some((number * 1000.0).round() as i64);
    }
    // The number counts milliseconds or less: its fraction is too small to matter.
    (number.abs() < 1e27).then(|| from_integer(number.round() as i128))?
}

#[cfg(test)]
mod tests {
    use super::{from_fraction, from_integer, parse_any};

    #[test]
    fn dates_and_numbers() {
        let check = |text: &str, expected: Option<i64>| {
            assert_eq!(parse_any(text.as_bytes()), expected, "{text}");
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
            assert_eq!(from_integer(seconds * unit), Some(1_700_000_000_000));
            assert_eq!(from_integer(-seconds * unit), Some(-1_700_000_000_000));
        }
        assert_eq!(from_integer(i64::MIN.into()), Some(-9_223_372_036_855));
        assert_eq!(from_integer(i128::MAX), None);
        assert_eq!(from_fraction(1_700_000_000.5), Some(1_700_000_000_500));
        assert_eq!(from_fraction(1.7e18), Some(1_700_000_000_000));
        for none in [f64::NAN, f64::INFINITY, -1e300] {
            assert_eq!(from_fraction(none), None);
        }
    }
}
