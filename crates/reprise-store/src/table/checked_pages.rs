//! Checks the encoding of pages against the footer.
//!
//! The bytes of pages and the footer have checksums, but the headers of pages do not. Most damage in a
//! header changes the number of values, which readers notice. A wrong encoding does not, so it is checked
//! here.

use parquet::basic::EncodingMask;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::RowGroupReader;

/// Opens a column of a row group.
pub(super) fn column_reader(group: &dyn RowGroupReader, column: usize) -> Result<ColumnReader> {
    let metadata = group.metadata().column(column);
    let pages = CheckedPages {
        pages: group.get_column_page_reader(column)?,
        encodings: metadata.page_encoding_stats_mask().copied(),
    };
    Ok(get_column_reader(
        metadata.column_descr_ptr(),
        Box::new(pages),
    ))
}

struct CheckedPages {
    pages: Box<dyn PageReader>,
    /// The encodings of the data pages, if the footer lists them.
    encodings: Option<EncodingMask>,
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        let is_other = |page: &Page| {
            let encodings = self.encodings.filter(|_| page.is_data_page());
            encodings.is_some_and(|encodings| !encodings.is_set(page.encoding()))
        };
        if page.as_ref().is_some_and(is_other) {
            let detail = "the encoding of a page differs from the one in the footer";
            return Err(ParquetError::General(detail.to_owned()));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.pages.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        self.pages.take_deferred_dictionary()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}
