use encoding_rs::Encoding;
use reprise_text::Content;

use super::{DETECT_BYTES, decode};

fn check(body: &[u8], content_type: &str, text: &str, charset: &str) {
    let header = (!content_type.is_empty()).then_some(content_type.as_bytes());
    let (found, name) = decode(body, header, Content::Html);
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
fn labels_in_media_types() {
    for content_type in [
        "text/html;charset=koi8-r",
        "text/html charset=koi8-r",
        "text/html;\r\n\tCHARSET = \"KOI8-R\"; q=1",
        "text/html; charset=' koi8-r '",
        "text/html; charset=\"koi8-r",
        "text/html; charset=koi8-r, text/html",
        "text/html; x-charset=utf-8; charset=koi8-r",
        "charset=koi8-r",
    ] {
        check(b"\xf0\xd2\xc9", content_type, "При", "KOI8-R");
    }
    for content_type in [
        "text/html; charset",
        "text/html; charset=",
        "text/htmlcharset=koi8-r",
    ] {
        check(b"a", content_type, "a", "UTF-8");
    }
}

/// Bodies that browsers show as a single replacement character stay different, and their ASCII stays readable.
#[test]
fn encodings_that_browsers_refuse_are_ignored() {
    let hangul = b"\x1b$)C<p>\x0eGQ1[\x0f one";
    let hanzi = b"<p>~{VPND~} two";
    for label in [
        "iso-2022-kr",
        "csISO2022KR",
        "hz-gb-2312",
        "iso-2022-cn",
        "iso-2022-cn-ext",
        "replacement",
    ] {
        let content_type = format!("text/html; charset={label}");
        for body in [hangul.as_slice(), hanzi] {
            let (text, _) = decode(body, Some(content_type.as_bytes()), Content::Html);
            assert_eq!(text.as_bytes(), body, "{label}");
        }
        let body = format!("<meta charset={label}><p>Größe");
        check(body.as_bytes(), "text/html", &body, "UTF-8");
        // The declaration in the header is ignored, so that of the page is used.
        check(
            b"<meta charset=koi8-r>\xf2",
            &content_type,
            "<meta charset=koi8-r>Р",
            "KOI8-R",
        );
    }
}

#[test]
fn only_markup_and_style_sheets_name_their_encoding() {
    let check = |content: Content, head: &str, charset: &str| {
        let body = [head.as_bytes(), "Größe".as_bytes()].concat();
        assert_eq!(decode(&body, None, content).1, charset, "{head}");
    };
    let meta = "<meta charset=koi8-r>";
    check(Content::Html, meta, "KOI8-R");
    check(Content::Other, &format!("x = '{meta}'"), "UTF-8");
    check(Content::Other, meta, "UTF-8");
    check(Content::Plain, meta, "UTF-8");
    let xml = "<?xml version='1.0' encoding='koi8-r'?>";
    check(Content::Other, xml, "KOI8-R");
    check(Content::Plain, xml, "UTF-8");
    check(Content::Other, "@charset \"koi8-r\";", "KOI8-R");
    check(Content::Other, "@charset \"utf-16\";", "UTF-8");
    for rule in [
        " @charset \"koi8-r\";",
        "@charset 'koi8-r';",
        "@charset \"koi8-r\" ;",
        "@charset \"koi8-r",
    ] {
        check(Content::Other, rule, "UTF-8");
    }
    check(Content::Html, "@charset \"koi8-r\";", "UTF-8");
}

#[test]
fn meta_elements() {
    let found = |head: &str| {
        let mut body = head.as_bytes().to_vec();
        body.extend(b"\xcf");
        decode(&body, None, Content::Html).1
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
        let (found, name) = decode(&body, None, Content::Html);
        assert_eq!((found.as_ref(), name), (text, charset));
    }
}

#[test]
fn utf8_may_be_cut_off_or_invalid_in_few_places() {
    let russian =
        "Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства. ";
    let text = russian.repeat(50);
    for end in [1, 3, 5] {
        let cut = &text.as_bytes()[..end];
        // A single byte of a letter may be in any encoding.
        let expected = if end == 1 { "windows-1252" } else { "UTF-8" };
        assert_eq!(decode(cut, None, Content::Plain).1, expected, "{cut:?}");
    }
    let mut body = text.clone().into_bytes();
    body.truncate(body.len() - 10);
    while body.last().is_some_and(u8::is_ascii) || str::from_utf8(&body).is_ok() {
        body.pop();
    }
    check(&body, "", &String::from_utf8_lossy(&body), "UTF-8");
    let four = [text.as_bytes(), &"😀".as_bytes()[..3]].concat();
    check(&four, "", &format!("{text}\u{fffd}"), "UTF-8");
    for stray in [b"\xe9".as_slice(), b"\x80", b"caf\xe9 \xff\xfe na\xefve"] {
        let body = [russian.as_bytes(), stray, b" ", text.as_bytes()].concat();
        check(&body, "", &String::from_utf8_lossy(&body), "UTF-8");
    }
    // One invalid place for eight valid characters, and one for seven.
    check("éééééééé".as_bytes(), "", "éééééééé", "UTF-8");
    check(
        &["éééééééé".as_bytes(), b"\xe9 "].concat(),
        "",
        "éééééééé\u{fffd} ",
        "UTF-8",
    );
    assert_ne!(
        decode(
            &["ééééééé".as_bytes(), b"\xe9 "].concat(),
            None,
            Content::Plain
        )
        .1,
        "UTF-8"
    );
    check(b"caf\xe9", "", "café", "windows-1252");
    // A declaration is accepted, even if the text is invalid in it.
    check(
        &body[..20],
        "text/html; charset=windows-1251",
        &encoding_rs::WINDOWS_1251.decode(&body[..20]).0,
        "windows-1251",
    );
}

#[test]
fn letters_may_come_late() {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(20);
    let japanese =
        "いろはにほへと ちりぬるを わかよたれそ つねならむ。日本語の文章は漢字と仮名で書かれる。"
            .repeat(20);
    for (text, charset) in [
        (&russian, "windows-1251"),
        (&japanese, "Shift_JIS"),
        (&japanese, "ISO-2022-JP"),
        (&japanese, "EUC-JP"),
    ] {
        let (letters, _, _) = Encoding::for_label(charset.as_bytes())
            .unwrap()
            .encode(text);
        for before in [DETECT_BYTES - 100, DETECT_BYTES, DETECT_BYTES + 20_000] {
            for behind in [0, 1000, 2 * DETECT_BYTES] {
                let (head, tail) = ("words ".repeat(before / 6), "more\n".repeat(behind / 5));
                let body = [head.as_bytes(), &letters, tail.as_bytes()].concat();
                check(&body, "", &[head.as_str(), text, &tail].concat(), charset);
            }
        }
    }
}

/// `encoding_rs` decodes every encoding of the standard.
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
