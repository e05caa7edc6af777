//! A text or a number of a JSON row. Values of other types do not make the row invalid.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::date;

/// A URL, an id or a date, which may be a text or a number.
pub(super) enum Scalar<'a> {
    Integer(i128),
    Fraction(f64),
    Text(Cow<'a, str>),
    /// An object, a list or a boolean.
    Other,
}

/// Returns a number with a fraction as an id: `5.0`, which some programs write for `5`, is `5`. Numbers of 2^53
/// and more are refused, because different ids would collide.
pub(crate) fn name_of_fraction(number: f64) -> Option<String> {
    (number.abs() < (1_u64 << 53) as f64).then(|| number.to_string())
}

impl<'a> Scalar<'a> {
    pub(super) fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Scalar::Integer(number) => Some(Cow::Owned(number.to_string())),
            Scalar::Fraction(number) => name_of_fraction(number).map(Cow::Owned),
            Scalar::Text(text) if !text.is_empty() => Some(text),
            Scalar::Text(_) | Scalar::Other => None,
        }
    }

    /// Returns the text, and `None` for a number.
    pub(super) fn into_words(self) -> Option<Cow<'a, str>> {
        match self {
            Scalar::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the date, in milliseconds since 1970.
    pub(super) fn as_date(&self) -> Option<i64> {
        match self {
            Scalar::Text(text) => date::parse_any(text.as_bytes()),
            Scalar::Integer(number) => date::from_integer(*number),
            Scalar::Fraction(number) => date::from_fraction(*number),
            Scalar::Other => None,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Integer(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Integer(number.into()))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Fraction(number))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar<'de>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Scalar<'de>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }
}
