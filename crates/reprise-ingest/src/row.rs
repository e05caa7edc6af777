//! A row of JSONL or Parquet: `url` (or `id`), `html` or `text`, and optionally `date` and `ip`.

mod json;
mod repair;
mod scalar;
mod sniff;

use std::borrow::Cow;

use reprise_text::Content;

use crate::charset::BOM;
use crate::problem::ProblemKind;
use json::JsonRow;
use scalar::Scalar;

pub(crate) use scalar::name_of_fraction;
pub(crate) use sniff::{BYTES_MAX as LOOKED_AT_BYTES, is_rows};

/// A page in a table.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) url: Cow<'a, str>,
    pub(crate) fetched: Option<i64>,
    pub(crate) ip: Option<Cow<'a, str>>,
    /// HTML or plain text, by the column of the body.
    pub(crate) content: Content,
    pub(crate) body: RowBody<'a>,
}

/// The body of a row.
#[derive(Debug)]
pub(crate) enum RowBody<'a> {
    /// A text, as in JSON and in most columns of Parquet.
    Text(Cow<'a, str>),
    /// Bytes whose encoding must be detected.
    Bytes(Cow<'a, [u8]>),
}

impl RowBody<'_> {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            RowBody::Text(text) => text.as_bytes(),
            RowBody::Bytes(bytes) => bytes,
        }
    }

    fn is_blank(&self) -> bool {
        self.as_bytes().trim_ascii().is_empty()
    }
}

impl<'a> Row<'a> {
    /// Parses a line of JSONL. Returns the row or its problem.
    pub(crate) fn from_json(line: &'a [u8]) -> Result<Row<'a>, (ProblemKind, String)> {
        let line = line.strip_prefix(BOM).unwrap_or(line);
        let bad = |error: serde_json::Error| (ProblemKind::BadRow, error.to_string());
        let error = match serde_json::from_slice(line) {
            Ok(row) => return Row::from_parsed(row),
            Err(error) => error,
        };
        let Some(repaired) = repair::repaired(line) else {
            return Err(bad(error));
        };
        let row = serde_json::from_slice(&repaired).map_err(bad)?;
        Row::from_parsed(row).map(Row::into_owned)
    }

    fn from_parsed(row: JsonRow<'a>) -> Result<Row<'a>, (ProblemKind, String)> {
        let name = |scalar: Option<Scalar<'a>>| scalar.and_then(Scalar::into_text);
        let words = |scalar: Option<Scalar<'a>>| scalar.and_then(Scalar::into_words);
        let body = |scalar| words(scalar).map(RowBody::Text);
        let url = name(row.url).or_else(|| name(row.id));
        let fetched = row.date.as_ref().and_then(Scalar::as_date);
        Row::new(url, fetched, words(row.ip), body(row.html), body(row.text))
    }

    /// Creates a row with the body in `html`, or in `text` if `html` is empty. Returns a problem if something
    /// is missing.
    pub(crate) fn new(
        url: Option<Cow<'a, str>>,
        fetched: Option<i64>,
        ip: Option<Cow<'a, str>>,
        html: Option<RowBody<'a>>,
        text: Option<RowBody<'a>>,
    ) -> Result<Row<'a>, (ProblemKind, String)> {
        let Some(url) = url else {
            return Err((ProblemKind::NoUrl, "a row without url or id".to_owned()));
        };
        let (content, body) = match (html, text) {
            (Some(html), Some(text)) if html.is_blank() && !text.is_blank() => {
                (Content::Plain, text)
            }
            (Some(html), _) => (Content::Html, html),
            (None, Some(text)) => (Content::Plain, text),
            (None, None) => {
                return Err((ProblemKind::BadRow, "a row without html or text".to_owned()));
            }
        };
        Ok(Row {
            url,
            fetched,
            ip: ip.filter(|ip| !ip.is_empty()),
            content,
            body,
        })
    }

    fn into_owned(self) -> Row<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Row {
            url: owned(self.url),
            fetched: self.fetched,
            ip: self.ip.map(owned),
            content: self.content,
            body: match self.body {
                RowBody::Text(text) => RowBody::Text(owned(text)),
                RowBody::Bytes(bytes) => RowBody::Bytes(Cow::Owned(bytes.into_owned())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use reprise_text::Content;

    use super::{Row, RowBody};
    use crate::problem::ProblemKind;

    /// Returns how the body is cut, and the body.
    fn body(row: &Row<'_>) -> (Content, String) {
        match &row.body {
            RowBody::Text(text) => (row.content, text.to_string()),
            RowBody::Bytes(bytes) => panic!("bytes: {bytes:?}"),
        }
    }

    #[test]
    fn rows_of_every_shape() {
        let row = Row::from_json(
            br#"{"url":"http://a/","html":"<p>\u00e9","date":"2024","ip":"1.2.3.4","x":[1]}"#,
        )
        .unwrap();
        assert_eq!(row.url, "http://a/");
        assert_eq!(row.fetched, Some(1_704_067_200_000));
        assert_eq!(row.ip.as_deref(), Some("1.2.3.4"));
        assert_eq!(body(&row), (Content::Html, "<p>é".to_owned()));

        let row = Row::from_json(br#"{"id":17,"text":"hi","date":1704067200}"#).unwrap();
        assert_eq!(row.url, "17");
        assert_eq!(row.fetched, Some(1_704_067_200_000));
        assert_eq!(body(&row), (Content::Plain, "hi".to_owned()));

        let row = Row::from_json(br#"{"url":18446744073709551615,"text":"hi"}"#).unwrap();
        assert_eq!(row.url, "18446744073709551615");
        let row = Row::from_json(br#"{"url":[],"id":"a","text":"hi"}"#).unwrap();
        assert_eq!(row.url, "a");

        let kind = |line: &str| Row::from_json(line.as_bytes()).unwrap_err().0;
        assert_eq!(kind(r#"{"html":"x"}"#), ProblemKind::NoUrl);
        assert_eq!(kind(r#"{"id":{},"html":"x"}"#), ProblemKind::NoUrl);
        assert_eq!(kind(r#"{"url":"http://a/"}"#), ProblemKind::BadRow);
        assert_eq!(kind(r#"{"url":1}"#), ProblemKind::BadRow);
        assert_eq!(kind("[1]"), ProblemKind::BadRow);
        assert_eq!(kind("nonsense"), ProblemKind::BadRow);
    }

    #[test]
    fn unpaired_surrogates_are_replaced() {
        let line = br#"{"url":"http://a/","text":"a \ud800 b \\ud800 \ud83d\ude00 \udc00"}"#;
        let row = Row::from_json(line).unwrap();
        assert_eq!(body(&row).1, "a \u{fffd} b \\ud800 \u{1f600} \u{fffd}");
        let row =
            Row::from_json(br#"{"url":"http://a/\ud800","text":"\ud800\ud83d\ude00"}"#).unwrap();
        assert_eq!(row.url, "http://a/\u{fffd}");
        assert_eq!(body(&row).1, "\u{fffd}\u{1f600}");
    }

    #[test]
    fn invalid_json_in_strings_is_repaired() {
        let text = |line: &[u8]| body(&Row::from_json(line).unwrap()).1;
        assert_eq!(
            text(b"{\"url\":\"a\",\"text\":\"caf\xe9 x\"}"),
            "caf\u{fffd} x"
        );
        assert_eq!(
            text(b"{\"url\":\"a\",\"text\":\"x\ty\",\"z\":\"\x01\"}"),
            "x\ty"
        );
        assert_eq!(
            text(b"{\t\"url\":\"a\",\"text\":\"\\\"\t\\ud800\xff\",\"z\":NaN}"),
            "\"\t\u{fffd}\u{fffd}"
        );
        // A line that consists mostly of control characters is not a page.
        let line = [b"{\"url\":\"a\",\"text\":\"".as_slice(), &[1; 100], b"\"}"].concat();
        assert_eq!(Row::from_json(&line).unwrap_err().0, ProblemKind::BadRow);
    }

    /// Optional columns may contain anything.
    #[test]
    fn only_missing_required_values_refuse_a_row() {
        let check = |line: &str, url: &str, content: Content, text: &str| {
            let row = Row::from_json(line.as_bytes()).unwrap();
            let expected = (content, text.to_owned());
            assert_eq!((&*row.url, body(&row)), (url, expected), "{line}");
            assert_eq!((row.ip, row.fetched), (None, None), "{line}");
        };
        let (html, plain) = (Content::Html, Content::Plain);
        check(r#"{"url":"a","text":"x","score":NaN}"#, "a", plain, "x");
        let line = r#"{"s":[NaN,-Infinity,Infinity],"url":"a","text":"NaN \"Infinity","date":NaN}"#;
        check(line, "a", plain, "NaN \"Infinity");
        check(
            r#"{"url":"a","text":"\ud800","x":NaN}"#,
            "a",
            plain,
            "\u{fffd}",
        );
        check(r#"{"url":"a","text":"x","ip":16909060}"#, "a", plain, "x");
        for key in ["id", "ip", "date", "html", "other"] {
            for number in ["1e400", "-1E+400", &"9".repeat(400)] {
                let line = format!(r#"{{"url":"a","text":"x","{key}":{number}}}"#);
                check(&line, "a", plain, "x");
            }
        }
        check(r#"{"url":"a","html":false,"text":"x"}"#, "a", plain, "x");
        check(
            r#"{"url":"a","html":"<p>x","text":["y"]}"#,
            "a",
            html,
            "<p>x",
        );
        check(
            r#"{"url":null,"id":5.0,"text":"x","date":{}}"#,
            "5",
            plain,
            "x",
        );
        // The last of two equal keys counts.
        check(
            r#"{"url":"a","url":"b","text":"x","text":"y"}"#,
            "b",
            plain,
            "y",
        );
        // A text is better than an empty page.
        check(r#"{"url":"a","html":"","text":"x"}"#, "a", plain, "x");
        check(r#"{"url":"a","html":" \n","text":"x"}"#, "a", plain, "x");
        check(r#"{"url":"a","html":"","text":""}"#, "a", html, "");
        check(r#"{"url":"a","html":""}"#, "a", html, "");
        let kind = |line: &str| Row::from_json(line.as_bytes()).unwrap_err().0;
        assert_eq!(kind(r#"{"url":"a","text":5}"#), ProblemKind::BadRow);
        assert_eq!(
            kind(r#"{"url":"a","text":"x","s":NaNa}"#),
            ProblemKind::BadRow
        );
        // Other numbers have the same approximate value, so their ids would collide.
        let large = r#"{"id":123456789012345678901234567890,"text":"x"}"#;
        assert_eq!(kind(large), ProblemKind::NoUrl);
    }

    #[test]
    fn details_are_in_plain_words() {
        let detail = |line: &str| Row::from_json(line.as_bytes()).unwrap_err().1;
        let expected = "expected an object with url or id, and html or text";
        assert!(detail("5").contains(expected), "{}", detail("5"));
        assert!(detail("[1]").contains(expected), "{}", detail("[1]"));
        assert!(detail("\"\\ud800\"").contains(expected));
    }
}
