//! A row of JSONL or Parquet: `url` (or `id`), `html` or `text`, and optionally `date` and `ip`.

mod scalar;
mod surrogates;

use std::borrow::Cow;

use serde::Deserialize;

use crate::charset::BOM;
use crate::problem::ProblemKind;
use scalar::Scalar;

/// One page as a table holds it.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) url: Cow<'a, str>,
    pub(crate) fetched: Option<i64>,
    pub(crate) ip: Option<Cow<'a, str>>,
    pub(crate) body: RowBody<'a>,
}

/// The text of a row, by the column it stands in.
#[derive(Debug)]
pub(crate) enum RowBody<'a> {
    Html(Cow<'a, str>),
    Text(Cow<'a, str>),
}

#[derive(Deserialize)]
#[serde(expecting = "an object with url or id, and html or text")]
struct JsonRow<'a> {
    #[serde(borrow, default)]
    url: Option<Scalar<'a>>,
    #[serde(borrow, default)]
    id: Option<Scalar<'a>>,
    #[serde(borrow, default)]
    html: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    date: Option<Scalar<'a>>,
    #[serde(borrow, default)]
    ip: Option<Cow<'a, str>>,
}

/// Plain numbers are seconds until the year 5138, milliseconds beyond.
pub(crate) fn epoch_millis(number: i64) -> i64 {
    if number.unsigned_abs() < 100_000_000_000 {
        number * 1000
    } else {
        number
    }
}

impl<'a> Row<'a> {
    /// The row in one line of JSONL, or what is wrong with it.
    pub(crate) fn from_json(line: &'a [u8]) -> Result<Row<'a>, (ProblemKind, String)> {
        let line = line.strip_prefix(BOM).unwrap_or(line);
        // Serde would take the items of a list for the fields, in their order.
        if line.trim_ascii_start().starts_with(b"[") {
            let detail = "a list, expected an object with url or id, and html or text";
            return Err((ProblemKind::BadRow, detail.to_owned()));
        }
        let bad = |error: serde_json::Error| (ProblemKind::BadRow, error.to_string());
        let error = match serde_json::from_slice(line) {
            Ok(row) => return Row::from_parsed(row),
            Err(error) => error,
        };
        // Some writers cut text in the middle of a character, which leaves half of it.
        let Some(repaired) = surrogates::repaired(line) else {
            return Err(bad(error));
        };
        let row = serde_json::from_slice(&repaired).map_err(bad)?;
        Row::from_parsed(row).map(Row::into_owned)
    }

    fn from_parsed(row: JsonRow<'a>) -> Result<Row<'a>, (ProblemKind, String)> {
        let text = |scalar: Option<Scalar<'a>>| scalar.and_then(Scalar::into_text);
        let Some(url) = text(row.url).or_else(|| text(row.id)) else {
            return Err((ProblemKind::NoUrl, "a row without url or id".to_owned()));
        };
        let body = match (row.html, row.text) {
            (Some(html), _) => RowBody::Html(html),
            (None, Some(text)) => RowBody::Text(text),
            (None, None) => {
                return Err((ProblemKind::BadRow, "a row without html or text".to_owned()));
            }
        };
        Ok(Row {
            url,
            fetched: row.date.as_ref().and_then(Scalar::as_date),
            ip: row.ip.filter(|ip| !ip.is_empty()),
            body,
        })
    }

    fn into_owned(self) -> Row<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Row {
            url: owned(self.url),
            fetched: self.fetched,
            ip: self.ip.map(owned),
            body: match self.body {
                RowBody::Html(html) => RowBody::Html(owned(html)),
                RowBody::Text(text) => RowBody::Text(owned(text)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, RowBody};
    use crate::problem::ProblemKind;

    #[test]
    fn rows_of_every_shape() {
        let row = Row::from_json(
            br#"{"url":"http://a/","html":"<p>\u00e9","date":"2024","ip":"1.2.3.4","x":[1]}"#,
        )
        .unwrap();
        assert_eq!(row.url, "http://a/");
        assert_eq!(row.fetched, Some(1_704_067_200_000));
        assert_eq!(row.ip.as_deref(), Some("1.2.3.4"));
        assert!(matches!(row.body, RowBody::Html(html) if html == "<p>é"));

        let row = Row::from_json(br#"{"id":17,"text":"hi","date":1704067200}"#).unwrap();
        assert_eq!(row.url, "17");
        assert_eq!(row.fetched, Some(1_704_067_200_000));
        assert!(matches!(row.body, RowBody::Text(text) if text == "hi"));

        let row = Row::from_json(br#"{"url":18446744073709551615,"text":"hi"}"#).unwrap();
        assert_eq!(row.url, "18446744073709551615");
        let row = Row::from_json(br#"{"url":[],"id":"a","text":"hi"}"#).unwrap();
        assert_eq!(row.url, "a");

        // The one number without a positive counterpart.
        let row = Row::from_json(br#"{"id":1,"text":"","date":-9223372036854775808}"#).unwrap();
        assert_eq!(row.fetched, Some(i64::MIN));

        let kind = |line: &str| Row::from_json(line.as_bytes()).unwrap_err().0;
        assert_eq!(kind(r#"{"html":"x"}"#), ProblemKind::NoUrl);
        assert_eq!(kind(r#"{"id":{},"html":"x"}"#), ProblemKind::NoUrl);
        assert_eq!(kind(r#"{"url":"http://a/"}"#), ProblemKind::BadRow);
        assert_eq!(kind(r#"{"url":1}"#), ProblemKind::BadRow);
        assert_eq!(kind("[1]"), ProblemKind::BadRow);
        assert_eq!(kind("nonsense"), ProblemKind::BadRow);
    }

    #[test]
    fn half_a_character_is_a_replacement() {
        let line = br#"{"url":"http://a/","text":"a \ud800 b \\ud800 \ud83d\ude00 \udc00"}"#;
        let row = Row::from_json(line).unwrap();
        assert!(
            matches!(row.body, RowBody::Text(text) if text == "a \u{fffd} b \\ud800 \u{1f600} \u{fffd}")
        );
        let row =
            Row::from_json(br#"{"url":"http://a/\ud800","text":"\ud800\ud83d\ude00"}"#).unwrap();
        assert_eq!(row.url, "http://a/\u{fffd}");
        assert!(matches!(row.body, RowBody::Text(text) if text == "\u{fffd}\u{1f600}"));
    }

    #[test]
    fn what_is_wrong_is_said_in_plain_words() {
        let detail = |line: &str| Row::from_json(line.as_bytes()).unwrap_err().1;
        let expected = "expected an object with url or id, and html or text";
        assert!(detail("5").contains(expected), "{}", detail("5"));
        assert!(detail("[1]").contains(expected), "{}", detail("[1]"));
        assert!(detail("\"\\ud800\"").contains(expected));
    }
}
