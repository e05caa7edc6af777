//! Points in time.

use std::fmt;

use chrono::{DateTime, SecondsFormat};

/// Milliseconds since 1970, UTC. Formatted and serialised as ISO 8601: `2024-05-06T07:08:09Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_timestamp_millis(self.0) {
            Some(time) => f.write_str(&time.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
            // The year is out of range.
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn times_are_iso_8601() {
        let check = |millis: i64, text: &str| assert_eq!(Timestamp(millis).to_string(), text);
        check(0, "1970-01-01T00:00:00Z");
        check(1_714_979_289_000, "2024-05-06T07:08:09Z");
        check(1_714_979_289_010, "2024-05-06T07:08:09.010Z");
        check(-1, "1969-12-31T23:59:59.999Z");
        check(i64::MAX, &i64::MAX.to_string());
    }
}
