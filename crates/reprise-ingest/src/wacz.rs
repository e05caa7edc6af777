//! WACZ: a ZIP file with archives below `archive/`.

use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use reprise_fingerprint::HashKind;
use tempfile::NamedTempFile;
use zip::read::ZipFile;

use crate::error::InputError;
use crate::input::{InputConfig, unreadable};
use crate::problem::ProblemKind;
use crate::source::{Data, Layout, Source};
use crate::spool::{Spool, spool};

/// The archives in a WACZ. Most are stored as they are and read in place; packed ones are unpacked
/// aside first, into the files that come second.
pub(crate) fn open(
    name: &str,
    path: &Path,
    config: &InputConfig,
) -> Result<(Vec<Source>, Vec<NamedTempFile>), InputError> {
    let mut sources = Vec::new();
    let mut spools = Vec::new();
    let broken = |detail: String| broken(name, path, detail, config);
    let file = File::open(path).map_err(unreadable(path))?;
    let mut zip = match zip::ZipArchive::new(file) {
        Ok(zip) => zip,
        Err(error) => {
            return Ok((
                vec![broken(format!("not a readable WACZ: {error}"))?],
                spools,
            ));
        }
    };
    for index in 0..zip.len() {
        let mut entry = match zip.by_index(index) {
            Ok(entry) => entry,
            Err(error) => {
                sources.push(broken(format!("entry {index} cannot be read: {error}"))?);
                continue;
            }
        };
        let Some(entry_name) = archive_name(&entry) else {
            continue;
        };
        let (packed, unpacked) = (entry.compressed_size(), entry.size());
        let (path, range) = if let Some(range) = stored_range(&entry) {
            (path.to_owned(), range)
        } else if config.limits.is_bomb(packed as usize, unpacked as usize) {
            sources.push(broken(format!(
                "{entry_name}: {packed} bytes unpack to {unpacked}"
            ))?);
            continue;
        } else {
            let mut input = entry.by_ref().take(unpacked);
            let Spool {
                file,
                bytes,
                broken: why,
            } = spool(&mut input, &config.spool_directory)?;
            let unpacked: PathBuf = file.path().to_owned();
            spools.push(file);
            if let Some(why) = why {
                sources.push(broken(format!(
                    "{entry_name} breaks off at {bytes}: {why}"
                ))?);
                if bytes == 0 {
                    continue;
                }
            }
            // What was unpacked before it breaks off is still good.
            (unpacked, 0..bytes)
        };
        let source_name = format!("{name}!/{entry_name}");
        let source = Source::describe(
            source_name,
            Data::File(path.clone()),
            range,
            String::new,
            &config.limits,
        )
        .map_err(unreadable(&path))?;
        sources.push(source);
    }
    if sources.is_empty() {
        sources.push(broken("a WACZ without an archive in it".to_owned())?);
    }
    Ok((sources, spools))
}

/// Where a stored entry lies in the file.
fn stored_range<R: Read>(entry: &ZipFile<'_, R>) -> Option<Range<u64>> {
    let start = entry.data_start()?;
    (entry.compression() == zip::CompressionMethod::Stored)
        .then(|| start..start + entry.compressed_size())
}

/// The name of an entry that is an archive.
fn archive_name<R: Read>(entry: &ZipFile<'_, R>) -> Option<String> {
    let name = entry.name().ok()?;
    let lower = name.to_ascii_lowercase();
    let is_archive = lower.starts_with("archive/")
        && [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"]
            .iter()
            .any(|suffix| lower.ends_with(suffix));
    is_archive.then(|| name.into_owned())
}

fn broken(
    name: &str,
    path: &Path,
    detail: String,
    config: &InputConfig,
) -> Result<Source, InputError> {
    let bytes = fs::metadata(path).map_err(unreadable(path))?.len();
    let mut source = Source::describe(
        name.to_owned(),
        Data::File(path.to_owned()),
        0..bytes,
        String::new,
        &config.limits,
    )
    .map_err(unreadable(path))?;
    // Several entries may be broken, each for itself.
    let identity = [source.identity.as_bytes(), detail.as_bytes()].concat();
    source.identity = HashKind::Sha256.fingerprint(&identity);
    source.layout = Layout::Broken(ProblemKind::Unreadable, detail);
    Ok(source)
}
