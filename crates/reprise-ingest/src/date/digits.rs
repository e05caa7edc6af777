//! Dates that begin with the digits of a year, as archives write them.

use super::midnight;

/// Parses a date such as `2024-05-06T07:08:09Z`. Returns `None` if the text is not a date to its end.
///
/// Also accepts fractions of a second, other zones, shorter dates (`2024`, `2024-05`), slashes and single digits
/// (`2024/5/6`), and the 14 digits of ARC and CDX.
pub fn parse(text: &[u8]) -> Option<i64> {
    let mut text = Cursor {
        rest: text.trim_ascii(),
    };
    let year = text.digits(4)?;
    let (mut parts, mut millis) = ([1, 1, 0, 0, 0], 0);
    let mut separators: [&[u8]; 5] = [b"-/: ", b"-/: ", b"Tt-: ", b":-", b":"];
    for at in 0..parts.len() {
        if at == 3 && text.rest.starts_with(b"-") {
            // Only here: after minutes with a colon, a `-` begins a zone.
            separators[4] = b"-";
        }
        let Some(part) = text.part(separators[at]) else {
            break;
        };
        parts[at] = part;
        if at == 4 {
            millis = text.fraction()?;
        }
    }
    let [month, day, hour, minute, second] = parts;
    let offset = text.offset_seconds()?;
    // A leap second is the 60th.
    let is_time = hour < 24 && minute < 60 && second <= 60;
    if !is_time || !text.rest.is_empty() {
        return None;
    }
    let seconds = hour * 3600 + minute * 60 + second - offset;
    Some(midnight(year, month, day)? + seconds * 1000 + millis)
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    /// Takes the next `count` digits as a number.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        let number = digits.iter().try_fold(0, |number, byte| {
            byte.is_ascii_digit()
                .then(|| number * 10 + i64::from(byte - b'0'))
        })?;
        self.rest = rest;
        Some(number)
    }

    /// Takes a number of two digits, or of one or two digits after a separator. Without a number, takes nothing.
    fn part(&mut self, separators: &[u8]) -> Option<i64> {
        let before = self.rest;
        let separated = before.split_first();
        let separated = separated.filter(|(first, _)| separators.contains(first));
        if let Some((_, rest)) = separated {
            self.rest = rest;
        }
        let number = (self.digits(2)).or_else(|| separated.and_then(|_| self.digits(1)));
        if number.is_none() {
            self.rest = before;
        }
        number
    }

    /// Takes a fraction of a second, in milliseconds: after a point or comma, or as further digits after the 14 of ARC.
    /// Returns 0 without a fraction, and `None` for a point without digits.
    fn fraction(&mut self) -> Option<i64> {
        let after_point = match self.rest {
            [b'.' | b',', rest @ ..] => Some(rest),
            _ => None,
        };
        let rest = after_point.unwrap_or(self.rest);
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = rest.split_at(count);
        self.rest = rest;
        let millis = (0..3).fold(0, |millis, place| {
            millis * 10 + digits.get(place).map_or(0, |byte| i64::from(byte - b'0'))
        });
        (count > 0 || after_point.is_none()).then_some(millis)
    }

    /// Takes a zone such as `+02:00`, in seconds east of Greenwich. Returns 0 without a zone, and `None` for an invalid
    /// zone.
    fn offset_seconds(&mut self) -> Option<i64> {
        let zone = self.rest.trim_ascii_start();
        if [&b""[..], b"z", b"utc", b"gmt"].contains(&&*zone.to_ascii_lowercase()) {
            self.rest = b"";
            return Some(0);
        }
        let (sign, rest) = match zone {
            [b'+', rest @ ..] => (1, rest),
            [b'-', rest @ ..] => (-1, rest),
            _ => return None,
        };
        self.rest = rest;
        let hours = self.digits(2).filter(|&hours| hours < 24)?;
        let minutes = self.part(b":").unwrap_or(0);
        (minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::parse;

    fn days_in(year: i64, month: i64) -> i64 {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    proptest! {
        /// Writes one moment in every accepted form. Each form must be refused with garbage after it.
        #[test]
        fn dates_of_many_forms_and_with_garbage_after_them(
            (year, month, day) in (0i64..10_000, 1i64..13, 1i64..29),
            (hour, minute, second, milli) in (0i64..24, 0i64..60, 0i64..60, 0i64..1000),
            (zone_hours, zone_minutes) in (-12i64..15, 0i64..60),
            garbage in "[a-y_/.;+]|x[ -~]{0,6}|[ -~]{0,6}x",
        ) {
            // The expected value comes from counting every day.
            let days_before = |year: i64| (0..year).map(|year| (1..13).map(|month| days_in(year, month)).sum::<i64>()).sum::<i64>();
            let months = (1..month).map(|month| days_in(year, month)).sum::<i64>();
            let days = days_before(year) - days_before(1970) + months + day - 1;
            let at = |time: i64| Some((days * 86_400 + time) * 1000);
            let (of_hour, of_minute) = (hour * 3600, hour * 3600 + minute * 60);
            let time = of_minute + second;
            let fine = at(time).map(|millis| millis + milli);
            let check = |text: String, expected: Option<i64>| {
                prop_assert_eq!(parse(text.as_bytes()), expected, "{}", text);
                let spoilt = format!("{text}{garbage}");
                prop_assert_eq!(parse(spoilt.as_bytes()), None, "{}", spoilt);
                Ok(())
            };
            for date in [
                format!("{year:04}-{month:02}-{day:02}"),
                format!("{year:04}-{month}-{day}"),
                format!("{year:04}/{month:02}/{day:02}"),
                format!("{year:04}/{month}/{day}"),
                format!("{year:04}{month:02}{day:02}"),
            ] {
                check(date.clone(), at(0))?;
                for between in ["T", "t", " "] {
                    check(format!("{date}{between}{hour:02}:{minute:02}"), at(of_minute))?;
                    check(format!("{date}{between}{hour}:{minute}:{second}"), at(time))?;
                    check(format!("{date}{between}{hour:02}{minute:02}{second:02}Z"), at(time))?;
                    check(format!("{date}{between}{hour:02}:{minute:02}:{second:02}.{milli:03}999z"), fine)?;
                    check(format!("{date}{between}{hour:02}:{minute:02}:{second:02},{milli:03} UTC"), fine)?;
                    let sign = if zone_hours < 0 { '-' } else { '+' };
                    let zone = (zone_hours.abs(), zone_minutes);
                    let east = (zone.0 * 3600 + zone.1 * 60) * if zone_hours < 0 { -1 } else { 1 };
                    check(format!("{date}{between}{hour:02}:{minute:02}{sign}{:02}:{:02}", zone.0, zone.1), at(of_minute - east))?;
                    check(format!("{date}{between}{hour:02}:{minute:02}:{second:02} {sign}{:02}{:02}", zone.0, zone.1), at(time - east))?;
                }
            }
            check(format!("{year:04}-{month:02}-{day:02}T{hour:02}"), at(of_hour))?;
            check(format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}"), at(time))?;
            check(format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}{milli:03}"), fine)?;
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
        check("2024-6-30", Some(1_719_705_600_000));
        check("2024/06/30", Some(1_719_705_600_000));
        check("2024-06-30-12-34-56", Some(1_719_750_896_000));
        check("2024-13-01", None);
        check("2024 June 30", None);
        check("2024.06.30 12:00", None);
        check("2024-06-30T", None);
        check("2024-06-30T12:34:56+25:00", None);
        check("9999-5-6xyz", None);
        check("1234 apples", None);
        check("86400", None);
        check("yesterday", None);
        check("", None);
    }
}
