//! The keys of a JSON row that are used. A value of an unexpected type counts as missing. If a key occurs
//! twice, the last value counts, as in browsers and in Python.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::scalar::Scalar;

#[derive(Default)]
pub(super) struct JsonRow<'a> {
    pub(super) url: Option<Scalar<'a>>,
    pub(super) id: Option<Scalar<'a>>,
    pub(super) html: Option<Scalar<'a>>,
    pub(super) text: Option<Scalar<'a>>,
    pub(super) date: Option<Scalar<'a>>,
    pub(super) ip: Option<Scalar<'a>>,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Url,
    Id,
    Html,
    Text,
    Date,
    Ip,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonRow<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = JsonRow<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with url or id, and html or text")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<JsonRow<'de>, A::Error> {
        let mut row = JsonRow::default();
        while let Some(key) = object.next_key()? {
            let place = match key {
                Key::Url => &mut row.url,
                Key::Id => &mut row.id,
                Key::Html => &mut row.html,
                Key::Text => &mut row.text,
                Key::Date => &mut row.date,
                Key::Ip => &mut row.ip,
                Key::Other => {
                    object.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *place = object.next_value()?;
        }
        Ok(row)
    }
}
