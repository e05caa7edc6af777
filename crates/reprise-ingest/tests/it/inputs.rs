//! From names to sources: all files of a directory are found, and can be opened again by their names.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use reprise_ingest::{InputConfig, Inputs, ProblemKind, name_of};

use crate::reading::{LIMITS, open, read};

#[test]
fn files_with_any_name_are_found_again_by_it() {
    let directory = tempfile::tempdir().unwrap();
    let names: [&[u8]; 4] = [
        b"caf\xe9.html",
        b"caf\xe8.html",
        b"\xff\xfe.jsonl",
        "\u{10ffe9}.html".as_bytes(),
    ];
    for name in names {
        let text = match name {
            [.., b'j', b's', b'o', b'n', b'l'] => r#"{"url":"http://a/","text":"words"}"#,
            _ => "<p>words",
        };
        fs::write(directory.path().join(OsStr::from_bytes(name)), text).unwrap();
    }
    let sources = open(directory.path()).sources;
    assert_eq!(sources.len(), names.len());
    for source in &sources {
        let config = InputConfig {
            base_url: None,
            spool_directory: directory.path().into(),
            passed_by: Vec::new(),
            limits: LIMITS,
        };
        let again = Inputs::open(std::slice::from_ref(&source.name), &config).unwrap();
        assert_eq!(again.sources[0].name, source.name);
        assert_eq!(again.sources[0].identity, source.identity);
        assert_eq!(name_of(source.whole_file().unwrap()), source.name);
    }
    assert_eq!(read(sources).pages.len(), names.len());

    // A list contains the bytes of the names, perhaps after a byte order mark.
    let list = directory.path().join("list");
    let file = directory.path().join(OsStr::from_bytes(names[0]));
    fs::write(
        &list,
        [b"\xef\xbb\xbf", file.as_os_str().as_bytes(), b"\r\n"].concat(),
    )
    .unwrap();
    let config = InputConfig {
        base_url: Some("http://b".to_owned()),
        spool_directory: directory.path().into(),
        passed_by: Vec::new(),
        limits: LIMITS,
    };
    let listed = Inputs::open(&[format!("@{}", name_of(&list))], &config).unwrap();
    let reading = read(listed.sources);
    assert_eq!(reading.pages[0].1.url, "http://b/caf%E9.html");

    let file = directory.path().join("two\nlines %\u{e9}.html");
    fs::write(&file, "<p>words").unwrap();
    let one = Inputs::open(&[name_of(&file)], &config).unwrap();
    let reading = read(one.sources);
    assert_eq!(
        reading.pages[0].1.url,
        "http://b/two%0Alines%20%25%C3%A9.html"
    );
}

#[test]
fn files_that_are_not_what_their_name_says_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 6] = [
        ("a.wacz", b"words"),
        ("b.wacz", b""),
        ("c.warc.bz2", b"BZh91AY&SY"),
        ("d.warc.xz", b"\xfd7zXZ\0\0"),
        ("e.warc", b""),
        ("f.warc", b""),
    ];
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    let reading = read(open(directory.path()).sources);
    assert_eq!(reading.pages.len(), 0);
    let details: Vec<&str> = reading
        .problems
        .iter()
        .map(|it| it.detail.as_str())
        .collect();
    assert_eq!(details.len(), files.len(), "{details:?}");
    assert!(
        details[2].contains("bzip2") && details[3].contains("xz"),
        "{details:?}"
    );
}

#[test]
fn every_directory_is_entered_once() {
    let root = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("far.html"), "<p>far").unwrap();
    let directories: Vec<_> = (0..9)
        .map(|number| root.path().join(number.to_string()))
        .collect();
    for directory in &directories {
        fs::create_dir(directory).unwrap();
        fs::write(directory.join("page.html"), "<p>near").unwrap();
        for target in &directories {
            symlink(
                target,
                directory
                    .join(target.file_name().unwrap())
                    .with_extension("link"),
            )
            .unwrap();
        }
        symlink(other.path(), directory.join("far")).unwrap();
    }
    assert_eq!(open(root.path()).sources.len(), 10);
}

#[test]
fn links_are_followed_but_not_in_circles() {
    let root = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let (root, other) = (root.path(), other.path());
    fs::write(other.join("far.html"), "<p>far").unwrap();
    symlink(root, other.join("home")).unwrap();
    fs::create_dir(root.join("inner")).unwrap();
    fs::write(root.join("inner/near.html"), "<p>near").unwrap();
    symlink(other, root.join("link")).unwrap();
    symlink("..", root.join("inner/up")).unwrap();
    symlink("nowhere", root.join("nothing.html")).unwrap();
    symlink(root.join("inner/near.html"), root.join("one.html")).unwrap();

    let reading = read(open(root).sources);
    let below = |url: &str| {
        let (_, path) = url.split_at("file://".len() + root.as_os_str().len());
        path.to_owned()
    };
    let urls: Vec<String> = reading
        .pages
        .iter()
        .map(|(_, page)| below(&page.url))
        .collect();
    assert_eq!(urls, ["/inner/near.html", "/link/far.html", "/one.html"]);
    let problems: Vec<ProblemKind> = reading.problems.iter().map(|it| it.kind).collect();
    assert_eq!(problems, [ProblemKind::Unreadable]);
    assert!(
        reading.problems[0]
            .detail
            .starts_with("a link without a target")
    );
}
