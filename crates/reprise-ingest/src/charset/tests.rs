use encoding_rs::Encoding;

use super::decode;

fn check(body: &[u8], content_type: &str, text: &str, charset: &str) {
    let header = (!content_type.is_empty()).then_some(content_type.as_bytes());
    let (found, name) = decode(body, header, true);
    assert_eq!(
        (found.as_ref(), name),
        (text, charset),
        "{content_type} {body:?}"
    );
}

#[test]
fn the_order_of_declarations() {
    check(b"caf\xc3\xa9", "text/html", "café", "UTF-8");
    check(
        b"caf\xe9",
        "text/html; charset=iso-8859-1",
        "café",
        "windows-1252",
    );
    check(
        b"caf\xe9",
        "text/html; Charset=\"latin1\"; x=y",
        "café",
        "windows-1252",
    );
    check(
        b"\xef\xbb\xbfcaf\xc3\xa9",
        "text/html; charset=latin1",
        "\u{feff}café",
        "UTF-8",
    );
    check(b"\xff\xfea\0b\0", "", "\u{feff}ab", "UTF-16LE");
    check(
        b"a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0",
        "",
        "abcdefghij",
        "UTF-16LE",
    );
    check(
        b"<meta charset=koi8-r>\xf2",
        "text/html; charset=nonsense",
        "<meta charset=koi8-r>Р",
        "KOI8-R",
    );
    check(
        b"<meta charset=koi8-r>\xcf",
        "text/html; charset=windows-1251",
        "<meta charset=koi8-r>П",
        "windows-1251",
    );
    check(
        b"<?xml version='1.0' encoding='windows-1251'?>\xcf",
        "",
        "<?xml version='1.0' encoding='windows-1251'?>П",
        "windows-1251",
    );
    check(
        b"bad \xff utf",
        "text/html; charset=utf-8",
        "bad \u{fffd} utf",
        "UTF-8",
    );
    check(b"", "", "", "UTF-8");
}

#[test]
fn meta_elements() {
    let found = |head: &str| {
        let mut body = head.as_bytes().to_vec();
        body.extend(b"\xcf");
        decode(&body, None, true).1
    };
    for head in [
        "<meta charset='windows-1251'>",
        "<META CharSet = windows-1251 />",
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>",
        "<meta content=\"text/html;charset = 'windows-1251'\" http-equiv='content-type'>",
        "<!-- <meta charset=utf-8> --><title>x</title><meta charset=cp1251>",
        "<!--><meta charset=cp1251>",
        "<a title='<meta charset=utf-8>'><meta charset=cp1251>",
    ] {
        assert_eq!(found(head), "windows-1251", "{head}");
    }
    for head in [
        "<meta content='text/html; charset=windows-1251'>",
        "<metacharset=cp1251>",
    ] {
        assert_ne!(found(head), "windows-1251", "{head}");
    }
    assert_eq!(found("<meta charset=utf-16>"), "UTF-8");
}

#[test]
fn undeclared_text_is_detected() {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний.";
    let japanese =
        "いろはにほへと ちりぬるを わかよたれそ つねならむ。日本語の文章は漢字と仮名で書かれる。";
    let chinese =
        "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。寒來暑往，秋收冬藏。閏餘成歲，律呂調陽。";
    for (text, charset) in [
        (russian, "windows-1251"),
        (russian, "KOI8-U"),
        (japanese, "Shift_JIS"),
        (japanese, "EUC-JP"),
        (japanese, "ISO-2022-JP"),
        (chinese, "Big5"),
    ] {
        let encoding = Encoding::for_label(charset.as_bytes()).unwrap();
        let (body, _, _) = encoding.encode(text);
        let (found, name) = decode(&body, None, true);
        assert_eq!((found.as_ref(), name), (text, charset));
    }
}

/// Every encoding of the standard is reached by each of its labels that `encoding_rs` knows.
#[test]
fn every_encoding_of_the_standard() {
    for (label, text) in [
        ("ibm866", "Привет"),
        ("iso-8859-2", "žluťoučký"),
        ("iso-8859-3", "ĝis"),
        ("iso-8859-4", "ķīlis"),
        ("iso-8859-5", "Привет"),
        ("iso-8859-6", "مرحبا"),
        ("iso-8859-7", "γειά"),
        ("iso-8859-8", "שלום"),
        ("iso-8859-8-i", "שלום"),
        ("iso-8859-10", "ŋ"),
        ("iso-8859-13", "ķ"),
        ("iso-8859-14", "ŵ"),
        ("iso-8859-15", "€"),
        ("iso-8859-16", "ș"),
        ("koi8-r", "Привет"),
        ("koi8-u", "Їжак"),
        ("macintosh", "é"),
        ("windows-874", "สวัสดี"),
        ("windows-1250", "ž"),
        ("windows-1251", "Привет"),
        ("windows-1252", "é"),
        ("windows-1253", "γ"),
        ("windows-1254", "ğ"),
        ("windows-1255", "שלום"),
        ("windows-1256", "مرحبا"),
        ("windows-1257", "ķ"),
        ("windows-1258", "ă"),
        ("x-mac-cyrillic", "Привет"),
        ("gbk", "汉字"),
        ("gb18030", "汉字€"),
        ("big5", "漢字"),
        ("euc-jp", "漢字"),
        ("iso-2022-jp", "漢字"),
        ("shift_jis", "漢字"),
        ("euc-kr", "한글"),
        ("utf-8", "한글"),
    ] {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let (body, _, lossy) = encoding.encode(text);
        assert!(!lossy, "{label}");
        check(
            &body,
            &format!("text/html; charset={label}"),
            text,
            encoding.name(),
        );
    }
}
