//! Requests: each one is read from its fields and answered with bytes.

use std::collections::HashMap;

use reprise_chunk::{Chunk, ChunkSettings, Label, Level, PageView, StopRules, check, chunks};
use reprise_fingerprint::Fingerprint;
use reprise_text::Content;
use reprise_url::Site;

use crate::error::WasmError;
use crate::fields::Fields;

/// Labels in memory, and how pages are compared with them.
pub(crate) struct Checker {
    settings: ChunkSettings,
    stop: StopRules,
    labels: HashMap<Fingerprint, Vec<Label>>,
}

/// Answers a request for the chunks of a text with one record per chunk.
pub(crate) fn answer_chunks(request: &[u8]) -> Result<Vec<u8>, WasmError> {
    let mut fields = Fields::of(request);
    let settings = read_settings(&mut fields)?;
    let content = read_content(&mut fields)?;
    let text = fields.text("text")?;
    fields.end()?;
    let chunks = chunks(content, text, settings);
    let mut records = Vec::with_capacity(chunks.len() * RECORD_BYTES);
    for chunk in &chunks {
        records.extend(record(chunk));
    }
    Ok(records)
}

/// The length of a record: four 32-bit numbers and a fingerprint.
const RECORD_BYTES: usize = 4 * 4 + 20;

/// Returns the record of a chunk. All numbers fit: the chunk and its normal form are in the memory of
/// the module, which has 32-bit addresses.
fn record(chunk: &Chunk) -> [u8; RECORD_BYTES] {
    let numbers = [
        chunk.span.start as u32,
        chunk.span.end as u32,
        chunk.chars as u32,
        u32::from(chunk.is_visible),
    ];
    let mut record = [0; RECORD_BYTES];
    let (start, fingerprint) = record.split_at_mut(4 * numbers.len());
    for (bytes, number) in start.chunks_exact_mut(4).zip(numbers) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    fingerprint.copy_from_slice(chunk.fingerprint.as_bytes());
    record
}

impl Checker {
    /// Creates a checker from a request with settings, stop rules and labels.
    pub(crate) fn new(request: &[u8]) -> Result<Checker, WasmError> {
        let mut fields = Fields::of(request);
        let settings = read_settings(&mut fields)?;
        let min_length = fields.number("minLength")?.unwrap_or(0);
        let stop = StopRules::parse(min_length, fields.bytes("stop")?, settings)?;
        let mut labels: HashMap<Fingerprint, Vec<Label>> = HashMap::new();
        for index in 0.. {
            if fields.is_empty() {
                break;
            }
            let label = read_label(&mut fields, index)?;
            labels.entry(label.fingerprint).or_default().push(label);
        }
        Ok(Checker {
            settings,
            stop,
            labels,
        })
    }

    /// Answers a request to check a page with the JSON object of the result.
    pub(crate) fn answer(&mut self, request: &[u8]) -> Result<Vec<u8>, WasmError> {
        let mut fields = Fields::of(request);
        let content = read_content(&mut fields)?;
        let url = fields.text("url")?;
        let text = fields.text("text")?;
        fields.end()?;
        let page = PageView {
            url,
            body: text.as_bytes(),
            text: Some((content, text)),
        };
        let Ok(checked) = check(&page, &mut self.labels, self.settings, &self.stop);
        Ok(serde_json::to_vec(&checked).expect("numbers and text become JSON"))
    }
}

/// Reads the hash and the chunk form. An empty name is the default.
fn read_settings(fields: &mut Fields<'_>) -> Result<ChunkSettings, WasmError> {
    let mut settings = ChunkSettings::default();
    let hash = fields.text("hash")?;
    if !hash.is_empty() {
        settings.hash = hash.parse()?;
    }
    let form = fields.text("form")?;
    if !form.is_empty() {
        settings.chunk = form.parse()?;
    }
    Ok(settings)
}

fn read_content(fields: &mut Fields<'_>) -> Result<Content, WasmError> {
    let name = fields.text("content")?;
    let known = Content::ALL.into_iter().find(|one| one.as_str() == name);
    known.ok_or_else(|| WasmError::Content {
        found: name.to_owned(),
    })
}

/// Reads a label. `index` is its number in the request.
fn read_label(fields: &mut Fields<'_>, index: usize) -> Result<Label, WasmError> {
    let fingerprint = fields.text("fingerprint")?;
    let fingerprint = fingerprint
        .parse()
        .map_err(|error| WasmError::Fingerprint { index, error })?;
    let level = fields.text("level")?;
    let level: Level = level
        .parse()
        .map_err(|error| WasmError::Level { index, error })?;
    let mut label = Label::new(fingerprint, level);
    fields.text("url")?.clone_into(&mut label.url);
    fields.text("site")?.clone_into(&mut label.site);
    fields.text("name")?.clone_into(&mut label.name);
    label.fetched = fields.number("fetched")?;
    if label.site.is_empty() {
        label.site = Site::of(&label.url).site;
    }
    Ok(label)
}
