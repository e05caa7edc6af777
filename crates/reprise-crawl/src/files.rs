//! The result files that a crawl leaves beside its archives.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use reprise_report::CrawlSummary;

use crate::error::CrawlError;

/// Writes `duplicates.jsonl` and `summary.json`.
///
/// Each file is written under another name first and then renamed, so that a reader never sees half of it.
pub(crate) fn write(directory: &Path, summary: &CrawlSummary) -> Result<(), CrawlError> {
    replace(&directory.join("duplicates.jsonl"), |file| {
        for duplicate in &summary.duplicates {
            serde_json::to_writer(&mut *file, duplicate)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })?;
    replace(&directory.join("summary.json"), |file| {
        Ok(serde_json::to_writer(file, summary)?)
    })
}

fn replace(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), CrawlError> {
    let aside = path.with_extension("new");
    let write = || {
        let mut file = BufWriter::new(File::create(&aside)?);
        content(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    write().map_err(|source| CrawlError::Write {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use reprise_report::{
        CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlProblem, CrawlSummary, DuplicateKind,
    };

    use super::write;

    /// The JSON of a summary in which only `change` differs from the default.
    fn written(change: impl FnOnce(&mut CrawlSummary)) -> (String, String) {
        let directory = tempfile::tempdir().unwrap();
        let mut summary = CrawlSummary::default();
        change(&mut summary);
        write(directory.path(), &summary).unwrap();
        let names = fs::read_dir(directory.path()).unwrap();
        assert_eq!(names.count(), 2, "no file is left aside");
        let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
        (read("summary.json"), read("duplicates.jsonl"))
    }

    #[test]
    fn the_keys_of_the_files() {
        let (summary, duplicates) = written(|_| {});
        assert_eq!(
            summary,
            concat!(
                r#"{"seeds":[],"pages":0,"fetched":0,"unique":0,"exact":0,"near":0,"trap_pages":0,"redirects":0,"#,
                r#""errors":0,"not_text":0,"unchanged":0,"traps":0,"refused":{"robots":0,"scope":0,"address":0},"#,
                r#""problems":[],"growth":[],"causes":[],"generators":[],"suspects":[],"stopped":null,"left":0,"#,
                r#""archives":[],"resumed":0,"bytes":0,"seconds":0.0}"#
            )
        );
        assert_eq!(duplicates, "");
    }

    #[test]
    fn the_keys_of_the_lists() {
        let (summary, duplicates) = written(|summary| {
            summary.problems = vec![CrawlProblem {
                kind: "http_404".to_owned(),
                count: 2,
                url: "u".to_owned(),
                detail: String::new(),
            }];
            summary.growth = vec![[1, 1, 0, 0]];
            summary.archives = vec!["crawl/crawl-00000.warc.gz".into()];
            summary.duplicates = vec![
                CrawlDuplicate {
                    url: "b".to_owned(),
                    of: "a".to_owned(),
                    kind: DuplicateKind::Near,
                    score: 93,
                    cause: "print".to_owned(),
                };
                2
            ];
        });
        for part in [
            r#""problems":[{"kind":"http_404","count":2,"url":"u","detail":""}]"#,
            r#""growth":[[1,1,0,0]]"#,
            r#""archives":["crawl/crawl-00000.warc.gz"]"#,
        ] {
            assert!(summary.contains(part), "{part} in {summary}");
        }
        let line = r#"{"url":"b","of":"a","kind":"near","score":93,"cause":"print"}"#;
        assert_eq!(duplicates, format!("{line}\n{line}\n"));
    }

    #[test]
    fn the_keys_of_every_end() {
        let end = |reason, figures: Option<(u64, u64)>| {
            let end = CrawlEnd {
                reason,
                window: figures.map(|figures| figures.0),
                new: figures.map(|figures| figures.1),
                bound: 0.02,
                confidence: 0.95,
            };
            serde_json::to_string(&end).unwrap()
        };
        assert_eq!(
            end(CrawlEndReason::NothingNew, Some((200, 0))),
            r#"{"reason":"nothing-new","window":200,"new":0,"bound":0.02,"confidence":0.95}"#
        );
        assert_eq!(
            end(CrawlEndReason::Pages, None),
            r#"{"reason":"pages","bound":0.02,"confidence":0.95}"#
        );
        assert_eq!(
            end(CrawlEndReason::Asked, None),
            r#"{"reason":"asked","bound":0.02,"confidence":0.95}"#
        );
    }
}
