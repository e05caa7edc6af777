//! The types of the values of a column.

use std::borrow::Cow;
use std::fmt;
use std::ops::Index;

use parquet::data_type::ByteArray;
use reprise_fingerprint::Fingerprint;
use reprise_shingle::Shingles;

use super::Values;
use crate::schema::Kind;

/// The type of a column's values.
pub trait Value: Sized + 'static {
    /// The values of one row group.
    type Rows;
    /// The type of the column in a file.
    const KIND: Kind;
    /// True if values may be missing.
    const IS_NULLABLE: bool = false;

    /// Takes the rows out of values of this kind. Returns `None` if the values are of another kind.
    fn rows(values: Values) -> Option<Self::Rows>;
}

/// A point in time, in milliseconds since 1970, UTC. Its rows are plain integers.
#[derive(Clone, Copy, Debug)]
pub enum Time {}

/// Implements [`Value`] for a type whose rows are a variant of [`Values`].
macro_rules! value {
    ($value:ty, $rows:ty, $variant:ident, $kind:ident, $is_nullable:literal) => {
        impl Value for $value {
            type Rows = $rows;
            const KIND: Kind = Kind::$kind;
            const IS_NULLABLE: bool = $is_nullable;

            fn rows(values: Values) -> Option<$rows> {
                match values {
                    Values::$variant(rows) => Some(rows),
                    _ => None,
                }
            }
        }
    };
}

value!(i64, Vec<i64>, Int, Int, false);
value!(Option<i64>, Vec<Option<i64>>, OptionalInt, Int, true);
value!(Time, Vec<i64>, Int, Time, false);
value!(Option<Time>, Vec<Option<i64>>, OptionalInt, Time, true);
value!(f64, Vec<f64>, Float, Float, false);
value!(Option<f64>, Vec<Option<f64>>, OptionalFloat, Float, true);
value!(bool, Vec<bool>, Bool, Bool, false);
value!(Text, Texts, Text, Text, false);
value!(Option<Text>, OptionalTexts, OptionalText, Text, true);
value!(
    Fingerprint,
    Vec<Fingerprint>,
    Fingerprint,
    Fingerprint,
    false
);
value!(Shingles, Vec<Shingles>, Shingles, Shingles, false);

/// A text of a table, cheap to clone. Its bytes are UTF-8 unless the file is damaged.
#[derive(Clone, PartialEq)]
pub struct Text(ByteArray);

impl Text {
    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.data()
    }

    /// Returns the text, with replacement characters where it is not UTF-8.
    pub fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.as_bytes())
    }
}

impl Default for Text {
    fn default() -> Text {
        Text(ByteArray::from(""))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(ByteArray::from(text))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_str().fmt(f)
    }
}

/// The texts of one column of a row group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts(pub(crate) Vec<ByteArray>);

impl Texts {
    /// Copies strings into one buffer.
    pub fn of<'a>(strings: impl IntoIterator<Item = &'a str>) -> Texts {
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for string in strings {
            all.extend_from_slice(string.as_bytes());
            ends.push(all.len());
        }
        // Values of the Parquet library can share one buffer.
        let all = ByteArray::from(all);
        let mut start = 0;
        let slice = |end| {
            let slice = all.slice(start, end - start);
            start = end;
            slice
        };
        Texts(ends.into_iter().map(slice).collect())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the bytes of each row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.0.iter().map(ByteArray::data)
    }

    /// Returns the text of a row, with replacement characters where it is not UTF-8.
    pub fn to_str(&self, row: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(&self[row])
    }

    /// Returns the text of a row as an owned value.
    pub fn text(&self, row: usize) -> Text {
        Text(self.0[row].clone())
    }

    /// Appends the rows of another group.
    pub fn extend(&mut self, other: Texts) {
        self.0.extend(other.0);
    }
}

impl Index<usize> for Texts {
    type Output = [u8];

    fn index(&self, row: usize) -> &[u8] {
        self.0[row].data()
    }
}

impl FromIterator<Text> for Texts {
    fn from_iter<I: IntoIterator<Item = Text>>(texts: I) -> Texts {
        Texts(texts.into_iter().map(|text| text.0).collect())
    }
}

/// The texts of one column of a row group, some of which may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptionalTexts(pub(crate) Vec<Option<ByteArray>>);

impl OptionalTexts {
    /// Copies `strings`.
    pub fn of<'a>(strings: impl IntoIterator<Item = Option<&'a str>>) -> OptionalTexts {
        let values = strings.into_iter().map(|text| text.map(ByteArray::from));
        OptionalTexts(values.collect())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bytes of a row, or `None` if the value is missing.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        self.0[row].as_ref().map(ByteArray::data)
    }

    /// Iterates over the bytes of each row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&[u8]>> {
        self.0
            .iter()
            .map(|value| value.as_ref().map(ByteArray::data))
    }
}
