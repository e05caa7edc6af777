//! Dates of the generated web. They come from the seed, never from the system's clock.

use reprise_ingest::date;

/// A date, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(pub(crate) u64);

/// 2024-01-01T00:00:00Z.
pub(crate) const YEAR_2024: Moment = Moment(1_704_067_200);
/// 2026-01-01T00:00:00Z.
pub(crate) const YEAR_2026: Moment = Moment(1_767_225_600);
/// The seconds of a day.
pub(crate) const DAY: u64 = 86_400;

impl Moment {
    /// Formats the date as in `WARC-Date`: `2026-01-05T08:00:00Z`.
    pub(crate) fn iso(self) -> String {
        date::format_date(self.millis())
    }

    /// Formats the date as in HTTP heads: `Mon, 05 Jan 2026 08:00:00 GMT`.
    pub(crate) fn http(self) -> String {
        date::format_http(self.millis())
    }

    /// Returns year, month and day of the month.
    pub(crate) fn date(self) -> (i64, u32, u32) {
        date::calendar_day(self.millis())
    }

    fn millis(self) -> i64 {
        self.0 as i64 * 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        assert_eq!(YEAR_2024.iso(), "2024-01-01T00:00:00Z");
        assert_eq!(YEAR_2026.http(), "Thu, 01 Jan 2026 00:00:00 GMT");
        assert_eq!(Moment(1_709_210_096).iso(), "2024-02-29T12:34:56Z");
        assert_eq!(Moment(1_735_689_599).iso(), "2024-12-31T23:59:59Z");
        assert_eq!(Moment(1_735_689_599).date(), (2024, 12, 31));
    }
}
