//! Dates without a clock: seconds since 1970, written out in the forms archives and servers use.

/// A second in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(pub(crate) u64);

/// 2024-01-01T00:00:00Z.
pub(crate) const YEAR_2024: Moment = Moment(1_704_067_200);
/// 2026-01-01T00:00:00Z.
pub(crate) const YEAR_2026: Moment = Moment(1_767_225_600);
/// Seconds in a day.
pub(crate) const DAY: u64 = 86_400;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
/// 1970-01-01 was a Thursday.
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

impl Moment {
    /// As in `WARC-Date`: `2026-01-05T08:00:00Z`.
    pub(crate) fn iso(self) -> String {
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.time();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// As in HTTP headers: `Mon, 05 Jan 2026 08:00:00 GMT`.
    pub(crate) fn http(self) -> String {
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.time();
        let weekday = WEEKDAYS[(self.0 / DAY % 7) as usize];
        let month = MONTHS[month as usize - 1];
        format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
    }

    /// Year, month and day of the month (Howard Hinnant's `civil_from_days`).
    pub(crate) fn date(self) -> (u64, u64, u64) {
        let days = self.0 / DAY + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        (year_of_era + era * 400 + u64::from(month <= 2), month, day)
    }

    fn time(self) -> (u64, u64, u64) {
        let second = self.0 % DAY;
        (second / 3600, second / 60 % 60, second % 60)
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
    }
}
