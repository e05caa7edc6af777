//! Reads real mail in a simple way that gives its words.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use reprise_imatch::{TermRules, Terms};

use crate::shared_data::unpack;

/// The rules for mail. They exclude numbers, and very short and very long words.
pub(crate) const MAIL_RULES: TermRules = TermRules {
    remove_invisible: true,
    fold_look_alikes: true,
    drop_numbers: true,
    chars_min: 2,
    chars_max: 20,
};

/// Mail in two halves: one for training, one for attacks.
pub(crate) struct Mail {
    pub(crate) train_ham: Vec<Terms>,
    pub(crate) train_spam: Vec<Terms>,
    pub(crate) test_ham: Vec<Terms>,
    pub(crate) test_spam: Vec<Terms>,
    /// The sentences of the ham that is not used for training.
    pub(crate) sentences: Vec<Terms>,
    /// Common English words.
    pub(crate) dictionary: Vec<String>,
}

/// Returns the mail data set and the dictionary, or `None` if they are missing.
pub(crate) fn mail() -> Option<&'static Mail> {
    static MAIL: OnceLock<Option<Mail>> = OnceLock::new();
    MAIL.get_or_init(read).as_ref()
}

fn read() -> Option<Mail> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mail = unpack(&project, "mail-spamassassin")?;
    let lexicon = unpack(&project, "lexicon")?;
    let frequencies = fs::read_to_string(lexicon.join("frequencywords/en/en_50k.txt")).unwrap();
    let words = frequencies
        .lines()
        .filter_map(|line| line.split(' ').next());
    let [ham, spam] = ["easy-ham-1", "spam-1"].map(|folder| bodies(&mail.join(folder)));
    let half = |bodies: &[String], odd: usize| -> Vec<Terms> {
        let part = bodies.iter().skip(odd).step_by(2);
        part.map(|body| Terms::of(body, &MAIL_RULES)).collect()
    };
    let sentences = ham
        .iter()
        .skip(1)
        .step_by(2)
        .flat_map(|body| body.split(['.', '?', '!', '>']));
    let sentences = sentences.map(|text| Terms::of(text, &MAIL_RULES));
    Some(Mail {
        train_ham: half(&ham, 0),
        train_spam: half(&spam, 0),
        test_ham: half(&ham, 1),
        test_spam: half(&spam, 1),
        sentences: sentences
            .filter(|terms| (5..=40).contains(&terms.len()))
            .collect(),
        dictionary: words.map(str::to_owned).collect(),
    })
}

/// Returns the texts of all mails in a folder, in the order of their file names.
fn bodies(folder: &Path) -> Vec<String> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| text_of(&fs::read(path).unwrap()))
        .collect()
}

/// Returns the body without transfer encoding and tags.
fn text_of(mail: &[u8]) -> String {
    let mail = String::from_utf8_lossy(mail).replace("\r\n", "\n");
    let (head, body) = mail.split_once("\n\n").unwrap_or(("", &mail));
    let lower = |text: &str| text.to_ascii_lowercase();
    if lower(head).contains("encoding: base64") {
        return String::new();
    }
    let body = if lower(&mail).contains("encoding: quoted-printable") {
        unquoted(body)
    } else {
        body.to_owned()
    };
    let lines = body.lines().filter(|line| is_text(line));
    let body: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut text = String::new();
    let mut rest = body.as_str();
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        // A tag begins with a letter, a slash or an exclamation mark. Other `<` are text, such as arrows.
        let is_tag =
            tag.starts_with(|first: char| first.is_ascii_alphabetic() || "/!".contains(first));
        rest = match tag.split_once('>') {
            Some((_, after)) if is_tag => after,
            _ => tag,
        };
        text.push(' ');
    }
    text.push_str(rest);
    text.replace("&nbsp;", " ")
}

/// Returns true if a line belongs neither to the MIME structure nor to the footer of a mailing list.
fn is_text(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let furniture = [
        "content-",
        "charset=",
        "this is a multi",
        "mime-version",
        "name=",
        "filename=",
        "--",
        "__",
        "understand this format",
    ];
    let footers = [
        "sponsored by",
        "listinfo",
        "mailing list",
        "inphonic",
        "get a new here",
        "message may not be",
    ];
    let is_base64 = line.len() > 50 && !line.contains(' ');
    let starts = |start: &&str| lower.trim_start().starts_with(*start);
    !is_base64
        && !furniture.iter().any(starts)
        && !footers.iter().any(|part| lower.contains(part))
        && !lower.contains("not understand this format")
}

/// Decodes quoted-printable text as Latin-1.
fn unquoted(body: &str) -> String {
    let body = body.replace("=\n", "");
    let mut text = String::new();
    let mut rest = body.as_str();
    while let Some((before, after)) = rest.split_once('=') {
        text.push_str(before);
        let byte = after
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        text.push(byte.map_or('=', char::from));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    text.push_str(rest);
    text
}
