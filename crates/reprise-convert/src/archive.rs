//! Reads the ZIP archives of DOCX, ODT and EPUB within limits.

use std::io::{BufRead, BufReader, Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::ConvertError;
use crate::format::Format;

/// The most entries of an archive. Only hostile documents have more.
const ENTRIES_MAX: usize = 65_535;

/// The archive of a document.
pub(crate) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    format: Format,
    /// The number of bytes that may still be unpacked.
    bytes_left: u64,
}

impl<'b> Archive<'b> {
    pub(crate) fn open(
        format: Format,
        bytes: &'b [u8],
        unpacked_bytes_max: u64,
    ) -> Result<Archive<'b>, ConvertError> {
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| ConvertError::malformed(format, &error))?;
        if zip.len() > ENTRIES_MAX {
            return Err(ConvertError::TooLarge {
                format,
                why: format!("it has {} entries, more than {ENTRIES_MAX}", zip.len()),
            });
        }
        Ok(Archive {
            zip,
            format,
            bytes_left: unpacked_bytes_max,
        })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// Passes the bytes of an entry to `read`. Returns `None` if the entry does not exist.
    pub(crate) fn with<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn BufRead) -> Result<T, ConvertError>,
    ) -> Result<Option<T>, ConvertError> {
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(why)) if why == ZipError::PASSWORD_REQUIRED => {
                return Err(ConvertError::Encrypted(self.format));
            }
            Err(error) => return Err(ConvertError::malformed(self.format, &error)),
        };
        let bytes_max = self.bytes_left;
        // One byte more than allowed shows whether the entry exceeds the limit.
        let mut reader = BufReader::new(entry.take(bytes_max.saturating_add(1)));
        let result = read(&mut reader);
        self.bytes_left = reader.get_ref().limit().saturating_sub(1);
        if reader.get_ref().limit() == 0 {
            return Err(ConvertError::TooLarge {
                format: self.format,
                why: format!("it unpacks to more than {bytes_max} bytes"),
            });
        }
        result.map(Some)
    }

    /// Returns the bytes of an entry, or `None` if the entry does not exist.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, ConvertError> {
        let format = self.format;
        self.with(name, |reader| {
            let mut bytes = Vec::new();
            reader
                .read_to_end(&mut bytes)
                .map_err(|error| ConvertError::malformed(format, &error))?;
            Ok(bytes)
        })
    }
}
