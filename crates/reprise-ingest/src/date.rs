//! Dates: parses those of archives, mail, HTTP and tables, and formats those that Reprise writes.
//!
//! A date is a number of milliseconds since 1970-01-01T00:00:00Z. The crate `chrono` does the calendar arithmetic. The
//! parsers are our own: a parser of `chrono` reads one exact format, and archives mix many.
//!
//! ```
//! use reprise_ingest::date;
//!
//! let millis = date::parse(b"2024-02-29T12:34:56Z").expect("a date");
//! assert_eq!(date::parse(b"20240229123456"), Some(millis));
//! assert_eq!(date::parse_mail("Thu, 29 Feb 2024 14:34:56 +0200"), Some(millis));
//! assert_eq!(date::format_date(millis), "2024-02-29T12:34:56Z");
//! assert_eq!(date::format_http(millis), "Thu, 29 Feb 2024 12:34:56 GMT");
//! ```

mod digits;
mod mail;
mod table;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Timelike, Utc};

pub use digits::parse;
pub use mail::parse as parse_mail;
pub(crate) use table::{from_fraction, from_integer, parse_any};

/// The length of 400 years, after which the calendar repeats, weekdays included.
const CYCLE_MILLIS: i64 = 146_097 * 86_400_000;

/// Formats a date as in WARC: `2024-05-06T07:08:09Z`, with a fraction if it has milliseconds.
pub fn format_date(millis: i64) -> String {
    let (year, moment) = year_and_moment(millis);
    let seconds = moment.format("-%m-%dT%H:%M:%S");
    match moment.nanosecond() / 1_000_000 {
        0 => format!("{year:04}{seconds}Z"),
        fraction => format!("{year:04}{seconds}.{fraction:03}Z"),
    }
}

/// Formats a date as in HTTP: `Mon, 06 May 2024 07:08:09 GMT`.
pub fn format_http(millis: i64) -> String {
    let (year, moment) = year_and_moment(millis);
    let (day, time) = (moment.format("%a, %d %b"), moment.format("%H:%M:%S"));
    format!("{day} {year:04} {time} GMT")
}

/// Formats a date as in ARC: `20240506070809`.
pub fn format_arc(millis: i64) -> String {
    let (year, moment) = year_and_moment(millis);
    format!("{year:04}{}", moment.format("%m%d%H%M%S"))
}

/// Returns year, month and day of a date in UTC.
pub fn calendar_day(millis: i64) -> (i64, u32, u32) {
    let (year, moment) = year_and_moment(millis);
    (year, moment.month(), moment.day())
}

/// Returns the year of a date, and the moment at the same place in the years 1970 to 2369.
///
/// Tables hold any number as a date, and `chrono` ends at the year 262142.
fn year_and_moment(millis: i64) -> (i64, DateTime<Utc>) {
    let cycle = millis.div_euclid(CYCLE_MILLIS);
    let moment = DateTime::from_timestamp_millis(millis.rem_euclid(CYCLE_MILLIS))
        .expect("chrono knows the years 1970 to 2369");
    (i64::from(moment.year()) + 400 * cycle, moment)
}

/// Returns the start of a day in UTC, or `None` if the calendar does not have that day.
fn midnight(year: i64, month: i64, day: i64) -> Option<i64> {
    let day = NaiveDate::from_ymd_opt(
        i32::try_from(year).ok()?,
        u32::try_from(month).ok()?,
        u32::try_from(day).ok()?,
    )?;
    Some(day.and_time(NaiveTime::MIN).and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, SecondsFormat};
    use proptest::prelude::*;

    use super::{calendar_day, format_arc, format_date, format_http, parse, parse_mail};

    proptest! {
        #[test]
        fn formatted_dates_parse_back(millis in -62_000_000_000_000i64..250_000_000_000_000) {
            let seconds = millis.div_euclid(1000) * 1000;
            prop_assert_eq!(parse(format_date(millis).as_bytes()), Some(millis));
            prop_assert_eq!(parse(format_arc(millis).as_bytes()), Some(seconds));
            // Mail has years of two digits, so the first ones cannot be written.
            if calendar_day(millis).0 >= 1000 {
                prop_assert_eq!(parse_mail(&format_http(millis)), Some(seconds));
            }
        }

        #[test]
        fn dates_are_those_of_chrono(millis in -62_000_000_000_000i64..250_000_000_000_000) {
            let moment = DateTime::from_timestamp_millis(millis).unwrap();
            let format = if millis % 1000 == 0 { SecondsFormat::Secs } else { SecondsFormat::Millis };
            prop_assert_eq!(format_date(millis), moment.to_rfc3339_opts(format, true));
            let http = moment.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
            prop_assert_eq!(format_http(millis), http);
            prop_assert_eq!(format_arc(millis), moment.format("%Y%m%d%H%M%S").to_string());
        }

        #[test]
        fn any_number_is_a_date(millis: i64) {
            format_date(millis);
            format_http(millis);
            format_arc(millis);
        }
    }

    #[test]
    fn dates_far_away() {
        let check = |millis: i64, date: &str| assert_eq!(format_date(millis), date);
        check(i64::MAX, "292278994-08-17T07:12:55.807Z");
        check(i64::MIN, "-292275055-05-16T16:47:04.192Z");
        check(-62_167_219_200_001, "-001-12-31T23:59:59.999Z");
        assert_eq!(format_http(i64::MAX), "Sun, 17 Aug 292278994 07:12:55 GMT");
    }
}
