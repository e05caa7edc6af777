//! Sizes on the command line: `512M`, `1.5G`, `65536`.

/// Parses a number of bytes. The suffixes K, M, G and T, also with `B` or `iB`, are powers of 1024.
pub(crate) fn parse(text: &str) -> Result<usize, String> {
    let lower = text.trim().to_ascii_lowercase();
    let digits_end = lower
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(lower.len());
    let (number, suffix) = lower.split_at(digits_end);
    let shift = match suffix.trim() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err("a size is a number with K, M, G or T after it, such as 512M".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "a size begins with a number, such as 512M".to_owned())?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes >= 1e18 {
        return Err("a size is less than a million terabytes".to_owned());
    }
    if bytes >= 1.0 {
        Ok(bytes as usize)
    } else {
        Err("a size is at least one byte".to_owned())
    }
}

/// Parses a number that is at least 1.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses a number of seconds, such as 0.5.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (0.0..1e6).contains(seconds))
        .ok_or_else(|| "it must be a number of seconds, such as 0.5".to_owned())
}

/// Parses a number of seconds that is not zero.
pub(crate) fn positive_seconds(text: &str) -> Result<f64, String> {
    let seconds = seconds(text)?;
    if seconds > 0.0 {
        Ok(seconds)
    } else {
        Err("it must be more than 0".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{at_least_one, parse};

    #[test]
    fn numbers() {
        assert_eq!(at_least_one("300"), Ok(300));
        for bad in ["0", "", "-1", "x"] {
            assert!(at_least_one(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse("65536"), Ok(65536));
        assert_eq!(parse("512M"), Ok(512 << 20));
        assert_eq!(parse("1.5g"), Ok(3 << 29));
        assert_eq!(parse("2 KiB"), Ok(2048));
        for bad in ["", "M", "12X", "-1", "0", "1e99"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
