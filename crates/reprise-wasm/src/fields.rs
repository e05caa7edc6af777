//! The fields of a request.

use std::str::FromStr;

use crate::error::WasmError;

/// The fields of a request that are not read yet. A field is its length in bytes, as a little-endian
/// 32-bit number, and its bytes.
pub(crate) struct Fields<'r> {
    rest: &'r [u8],
}

impl<'r> Fields<'r> {
    pub(crate) fn of(request: &'r [u8]) -> Fields<'r> {
        Fields { rest: request }
    }

    /// Returns true if all fields are read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads the next field. `name` appears in the error.
    pub(crate) fn bytes(&mut self, name: &'static str) -> Result<&'r [u8], WasmError> {
        let missing = WasmError::MissingField { name };
        let (length, rest) = self.rest.split_first_chunk::<4>().ok_or(missing.clone())?;
        let length = u32::from_le_bytes(*length) as usize;
        let (field, rest) = rest.split_at_checked(length).ok_or(missing)?;
        self.rest = rest;
        Ok(field)
    }

    /// Reads the next field, which is text. `name` appears in the error.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<&'r str, WasmError> {
        let bytes = self.bytes(name)?;
        str::from_utf8(bytes).map_err(|error| WasmError::NotUtf8 {
            name,
            offset: error.valid_up_to(),
        })
    }

    /// Reads the next field, which is a decimal number of type `N` or empty. `name` appears in the error.
    pub(crate) fn number<N: FromStr>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<N>, WasmError> {
        let text = self.text(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        let number = text.parse().map_err(|_| WasmError::Number {
            name,
            found: text.to_owned(),
        })?;
        Ok(Some(number))
    }

    /// Checks that all fields are read.
    pub(crate) fn end(&self) -> Result<(), WasmError> {
        match self.rest.len() {
            0 => Ok(()),
            bytes => Err(WasmError::UnknownField { bytes }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;

    #[test]
    fn fields_are_read_in_order() {
        let mut fields = Fields::of(b"\x02\0\0\0ab\0\0\0\0\x03\0\0\0-12");
        assert_eq!(fields.text("a"), Ok("ab"));
        assert_eq!(fields.number::<u64>("b"), Ok(None));
        assert_eq!(fields.number("c"), Ok(Some(-12_i64)));
        assert!(fields.is_empty());
        assert_eq!(fields.end(), Ok(()));
    }

    #[test]
    fn invalid_fields_are_errors() {
        let error = |request: &[u8]| {
            let number = Fields::of(request).number::<u64>("size");
            number.unwrap_err().to_string()
        };
        let missing = "the request ends before the field size";
        assert_eq!(error(b""), missing);
        assert_eq!(error(b"\x01\0\0"), missing);
        assert_eq!(error(b"\x02\0\0\0a"), missing);
        assert_eq!(error(b"\xff\xff\xff\xffa"), missing);
        assert_eq!(
            error(b"\x02\0\0\0a\xff"),
            "the field size is not UTF-8: invalid byte at offset 1"
        );
        assert_eq!(
            error(b"\x02\0\0\0a1"),
            "the field size is not a whole number in range: \"a1\""
        );
        assert_eq!(
            error(b"\x02\0\0\0-1"),
            "the field size is not a whole number in range: \"-1\""
        );
        assert_eq!(
            Fields::of(b"abc").end().unwrap_err().to_string(),
            "the request has 3 bytes after its last field"
        );
    }
}
