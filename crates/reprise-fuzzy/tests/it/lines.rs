//! Tests files of digests.

use proptest::prelude::*;
use reprise_fuzzy::lines::{HEADER, Line, LineError, parse, read, write};
use reprise_fuzzy::{Digest, DigestError};

proptest! {
    #[test]
    fn names_survive_writing_and_reading(
        names in prop::collection::vec(r#"[ab"\\,: é]{0,12}"#, 0..5),
        noise: Vec<u8>,
    ) {
        let digest = Digest::of(&noise);
        let mut file = format!("{HEADER}\n").into_bytes();
        for name in &names {
            file.extend(write(&digest, name.as_bytes()).unwrap());
        }
        let found: Vec<_> = read(&file).unwrap().collect();
        let expected: Vec<_> = (2..).zip(names).map(|(number, name)| {
            let name = Some(name.into_bytes());
            (number, Ok(Line { digest: digest.clone(), name }))
        }).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn no_bytes_break_the_reader(bytes: Vec<u8>, header: bool) {
        let mut file = if header { format!("{HEADER}\n").into_bytes() } else { Vec::new() };
        file.extend(bytes);
        if let Ok(lines) = read(&file) {
            lines.for_each(drop);
        }
    }
}

#[test]
fn lines_have_the_format_of_ssdeep() {
    let digest: Digest = "3:iKn:p".parse().unwrap();
    let line = write(&digest, "日本 \"q\" \\b,x".as_bytes()).unwrap();
    assert_eq!(line, "3:iKn:p,\"日本 \\\"q\\\" \\b,x\"\n".as_bytes());
    assert_eq!(write(&digest, b"new\nline"), Err(LineError::LineBreak));

    let file = format!("{HEADER}\r\n3:iKn:p,\"x\"\r\n\n3:iKn:p\nbroken\n3:iKn:p,x\n3::,\"\"");
    let found: Vec<_> = read(file.as_bytes()).unwrap().collect();
    let line = |text: &str, name: Option<&[u8]>| {
        let (digest, name) = (text.parse().unwrap(), name.map(<[u8]>::to_vec));
        Ok(Line { digest, name })
    };
    assert_eq!(
        found,
        [
            (2, line("3:iKn:p", Some(b"x"))),
            (4, line("3:iKn:p", None)),
            (5, Err(LineError::Digest(DigestError::Parts))),
            (6, Err(LineError::Quotes)),
            (7, line("3::", Some(b""))),
        ]
    );
    assert!(read(&file.as_bytes()[1..]).is_err());
    assert!(read(b"").is_err());
    assert!(parse(b"3:\xff:,\"x\"").is_err());
}
