//! A row of JSONL or Parquet: `url` (or `id`), `html` or `text`, and optionally `date` and `ip`.

use std::borrow::Cow;

use serde::Deserialize;

use crate::charset::BOM;
use crate::date;
use crate::problem::ProblemKind;

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
struct JsonRow<'a> {
    #[serde(borrow, default)]
    url: Option<Cow<'a, str>>,
    #[serde(default)]
    id: Option<Scalar>,
    #[serde(borrow, default)]
    html: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(default)]
    date: Option<Scalar>,
    #[serde(borrow, default)]
    ip: Option<Cow<'a, str>>,
}

/// Ids and dates come as words or as numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Integer(i64),
    Text(String),
    // Objects, lists, fractions: not an id, and no reason to refuse the row.
    Other(serde::de::IgnoredAny),
}

impl Scalar {
    fn into_text(self) -> Option<String> {
        match self {
            Scalar::Integer(number) => Some(number.to_string()),
            Scalar::Text(text) if !text.is_empty() => Some(text),
            Scalar::Text(_) | Scalar::Other(_) => None,
        }
    }

    /// A date, or seconds (or, where the number is too large for that, milliseconds) since 1970.
    fn as_date(&self) -> Option<i64> {
        match self {
            Scalar::Text(text) => date::parse(text.trim().as_bytes()),
            Scalar::Integer(number) => Some(epoch_millis(*number)),
            Scalar::Other(_) => None,
        }
    }
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
        let row: JsonRow<'a> = serde_json::from_slice(line)
            .map_err(|error| (ProblemKind::BadRow, error.to_string()))?;
        let url = match (row.url, row.id.and_then(Scalar::into_text)) {
            (Some(url), _) if !url.is_empty() => url,
            (_, Some(id)) => Cow::Owned(id),
            _ => return Err((ProblemKind::NoUrl, "a row without url or id".to_owned())),
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
}
