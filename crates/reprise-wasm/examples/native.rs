//! Answers the requests of the tests in Node by native code, to compare it with the module.
//!
//! Each line of standard input is a request in JSON, each line of standard output its answer.
#![allow(clippy::print_stdout, reason = "answers go to standard output")]

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, stdin};

use reprise_chunk::{ChunkSettings, Label, Level, PageView, StopRules, check, chunks};
use reprise_text::Content;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answer = match text(&request, "call") {
            "chunks" => native_chunks(&request)?,
            "check" => native_check(&request)?,
            call => return Err(format!("unknown call {call:?}").into()),
        };
        println!("{answer}");
    }
    Ok(())
}

fn native_chunks(request: &Value) -> Result<Value, Box<dyn Error>> {
    let content = content(request)?;
    let chunks = chunks(content, text(request, "text"), settings(request)?);
    let chunks = chunks.iter().map(|chunk| {
        json!({
            "start": chunk.span.start,
            "end": chunk.span.end,
            "chars": chunk.chars,
            "visible": chunk.is_visible,
            "fingerprint": chunk.fingerprint,
        })
    });
    Ok(chunks.collect())
}

fn native_check(request: &Value) -> Result<Value, Box<dyn Error>> {
    let settings = settings(request)?;
    let min_length = request["minLength"].as_u64().unwrap_or(0);
    let stop = StopRules::parse(min_length, text(request, "stop").as_bytes(), settings)?;
    let mut labels: HashMap<_, Vec<Label>> = HashMap::new();
    for row in request["labels"].as_array().ok_or("no labels")? {
        let level: Level = text(row, "level").parse()?;
        let mut label = Label::new(text(row, "fingerprint").parse()?, level);
        text(row, "url").clone_into(&mut label.url);
        text(row, "site").clone_into(&mut label.site);
        text(row, "name").clone_into(&mut label.name);
        label.fetched = row["fetched"].as_i64();
        labels.entry(label.fingerprint).or_default().push(label);
    }
    let body = text(request, "text");
    let page = PageView {
        url: text(request, "url"),
        body: body.as_bytes(),
        text: Some((content(request)?, body)),
    };
    let Ok(checked) = check(&page, &mut labels, settings, &stop);
    Ok(serde_json::to_value(checked)?)
}

/// Returns a member of a request, or an empty text if it is missing.
fn text<'r>(request: &'r Value, key: &str) -> &'r str {
    request[key].as_str().unwrap_or_default()
}

fn settings(request: &Value) -> Result<ChunkSettings, Box<dyn Error>> {
    Ok(ChunkSettings {
        hash: text(request, "hash").parse()?,
        chunk: text(request, "form").parse()?,
    })
}

fn content(request: &Value) -> Result<Content, String> {
    let name = text(request, "content");
    let known = Content::ALL.into_iter().find(|one| one.as_str() == name);
    known.ok_or_else(|| format!("unknown content {name:?}"))
}
