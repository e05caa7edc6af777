//! Formats numbers for people. The report and the command line use the same functions.

/// Formats 1234567 as "1,234,567".
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its noun: "1 page", "2 pages".
pub fn counted(number: u64, noun: &str) -> String {
    let plural = plural(number);
    format!("{} {noun}{plural}", count(number))
}

/// Returns the ending of a noun beside this number.
pub fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// Chooses a word by number: `choose(1, "is", "are")` is "is".
pub fn choose<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// Formats 1234567 as "1.2M".
pub fn compact(number: u64) -> String {
    const UNITS: [&str; 6] = ["k", "M", "G", "T", "P", "E"];
    scaled(number, &UNITS).unwrap_or_else(|| number.to_string())
}

/// Formats 1234567 bytes as "1.2 MB".
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = [" kB", " MB", " GB", " TB", " PB", " EB"];
    scaled(number, &UNITS).unwrap_or_else(|| counted(number, "byte"))
}

/// Formats a value from 0 to 1 with two decimals. Small values above 0 are "<0.01".
pub fn ratio(value: f64) -> String {
    let value = unit(value);
    if value > 0.0 && value < 0.005 {
        "<0.01".to_owned()
    } else {
        format!("{value:.2}")
    }
}

/// Formats a part of a whole in percent. Only 0 is "0%", and only the whole is "100%".
pub fn share(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0%".to_owned();
    }
    let percent = part as f64 / whole as f64 * 100.0;
    if part >= whole {
        "100%".to_owned()
    } else if percent < 0.1 {
        "under 0.1%".to_owned()
    } else if percent > 99.9 {
        "over 99.9%".to_owned()
    } else {
        // Rounded to one decimal, 9.95 and more would be 10.0.
        let decimals = usize::from(percent < 9.95);
        let percent = format!("{:.decimals$}", percent.min(99.0));
        format!("{}%", percent.trim_end_matches(".0"))
    }
}

/// Formats a value from 0 to 1 in percent, like [`share`].
pub fn percent(value: f64) -> String {
    share((unit(value) * 1e6).round() as u64, 1_000_000)
}

/// Limits a value to the range from 0 to 1. NaN becomes 0.
pub fn unit(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

/// Formats a number in thousands, millions and so on. Returns `None` for a number below one thousand.
fn scaled(number: u64, units: &[&str]) -> Option<String> {
    let mut value = number as f64;
    let mut name = None;
    for unit in units {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        name = Some(unit);
    }
    let name = name?;
    let decimals = usize::from(value < 9.95);
    let value = format!("{value:.decimals$}");
    Some(format!("{}{name}", value.trim_end_matches(".0")))
}

#[cfg(test)]
mod tests {
    use super::{bytes, choose, compact, count, counted, percent, ratio, share};

    #[test]
    fn numbers_have_commas_or_units() {
        assert_eq!(count(0), "0");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(counted(1, "page"), "1 page");
        assert_eq!(counted(1_000, "page"), "1,000 pages");
        assert_eq!(choose(0, "is", "are"), "are");
        assert_eq!(compact(999), "999");
        assert_eq!(compact(1_000), "1k");
        assert_eq!(compact(1_234), "1.2k");
        assert_eq!(compact(999_999), "1M");
        assert_eq!(compact(u64::MAX), "18E");
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(12_345_678), "12 MB");
    }

    #[test]
    fn shares_are_rounded_away_from_none_and_all() {
        assert_eq!(share(0, 0), "0%");
        assert_eq!(share(1, 1_000_000), "under 0.1%");
        assert_eq!(share(1, 3), "33%");
        assert_eq!(share(1, 30), "3.3%");
        assert_eq!(share(3, 100), "3%");
        assert_eq!(share(996, 10_000), "10%");
        assert_eq!(share(995, 1_000), "99%");
        assert_eq!(share(999, 1_000), "99%");
        assert_eq!(share(9_999, 10_000), "over 99.9%");
        assert_eq!(share(7, 7), "100%");
        assert_eq!(percent(0.65), "65%");
        assert_eq!(percent(0.9985), "99%");
        assert_eq!(percent(f64::NAN), "0%");
        assert_eq!(ratio(0.001), "<0.01");
        assert_eq!(ratio(0.0), "0.00");
        assert_eq!(ratio(f64::INFINITY), "1.00");
    }
}
