use proptest::prelude::*;
use reprise_text::Content;

use super::{Mail, find_mail, is_mail, is_mbox, mid_url, next_frame, unquote};
use crate::date;
use crate::frame::Frame;
use crate::limits::RecordLimits;

const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 4000,
    header_bytes: 500,
    ratio: 100,
    nesting: 3,
};

fn read(message: &str) -> Mail {
    Mail::read(message.as_bytes(), &LIMITS).unwrap()
}

fn plain(message: &str) -> String {
    match read(message).text {
        Some((Content::Plain, text)) => text,
        other => panic!("not plain: {other:?}"),
    }
}

fn html(message: &str) -> String {
    match read(message).text {
        Some((Content::Html, text)) => text,
        other => panic!("not HTML: {other:?}"),
    }
}

fn multipart(kind: &str, parts: &[&str]) -> String {
    let mut text = format!("Content-Type: multipart/{kind}; boundary=\"{kind}=\"\n\npreamble\n");
    for part in parts {
        text.extend(["--", kind, "=\n", part, "\n"]);
    }
    text.extend(["--", kind, "=--\nepilogue\n"]);
    text
}

#[test]
fn a_simple_mail() {
    let mail = read(
        "Message-ID: <a/b%c@example.com>\r\nDate: Mon, 1 Jan 2024 00:00:10 +0000\r\n\
         Subject: =?utf-8?q?Gr=C3=BC?=\r\n =?utf-8?b?w59l?=\r\n\r\nHello\r\n",
    );
    assert_eq!(mail.url.as_deref(), Some("mid:a%2Fb%25c@example.com"));
    assert_eq!(mail.date, Some(1_704_067_210_000));
    assert_eq!(mail.media_type, "text/plain");
    assert_eq!(mail.charset, "UTF-8");
    let text = "Grüße\n\nHello\r\n".to_owned();
    assert_eq!(mail.text, Some((Content::Plain, text)));
    assert!(!mail.is_too_deep);
    let raw = Mail::read(b"Subject: Grosses \xa380m caf\xe9\n\n", &LIMITS).unwrap();
    assert_eq!(raw.text.unwrap().1, "Grosses £80m café\n\n");
}

#[test]
fn ids_as_urls() {
    let check = |field: &str, url: Option<&str>| {
        assert_eq!(mid_url(field.as_bytes()).as_deref(), url, "{field}");
    };
    check("<a@b>", Some("mid:a@b"));
    check(" a@b ", Some("mid:a@b"));
    check("<a@b> (comment)", Some("mid:a@b"));
    check("<é#?\"@b>", Some("mid:%C3%A9%23%3F%22@b"));
    check("<without-host>", Some("mid:without-host"));
    check("<>", None);
    check("", None);
    check("<a b@c>", None);
    check("two words", None);
    check("<a@b", None);
    check(&format!("<{}>", "a".repeat(999)), None);
}

#[test]
fn dates_as_mailers_write_them() {
    let check = |text: &str, expected: Option<&str>| {
        let found = date::parse_mail(text).map(date::format_date);
        assert_eq!(found.as_deref(), expected, "{text}");
    };
    let usual = Some("2002-08-22T11:26:25Z");
    check("Thu, 22 Aug 2002 18:26:25 +0700", usual);
    check("22 Aug 2002 11:26:25 GMT", usual);
    check("Thu,22 Aug 2002 07:26:25 EDT", usual);
    check("Thu, 22 Aug 02 11:26:25 +0000 (comment, 1 Jan)", usual);
    check("Thu Aug 22 11:26:25 2002", usual);
    check("22-Aug-2002 11:26:25", usual);
    check("Thu, 22 Aug 102 11:26:25", usual);
    check("Thu, 22 Aug 0102 11:26:25", usual);
    check("Thu, 22 Aug 0002 11:26:25", usual);
    check("Thu, 22 Aug 2002 11:26", Some("2002-08-22T11:26:00Z"));
    check("1 Jan 1969 00:00:00 +0100", Some("1968-12-31T23:00:00Z"));
    check("31 Feb 2002 00:00:00", None);
    check("yesterday", None);
    check("", None);
    check("é 1 Jan", None);
}

#[test]
fn every_transfer_encoding() {
    let body = |encoding: &str, body: &str| {
        plain(&format!("Content-Transfer-Encoding: {encoding}\n\n{body}"))
    };
    assert_eq!(
        body("Quoted-Printable", "a=3Db=\nc =C3=A9 =zz"),
        "a=bc é =zz"
    );
    assert_eq!(
        body("quoted-printable", "a= \t\r\nb\r\nc=3d=C3=A9= "),
        "ab\r\nc=é"
    );
    assert_eq!(body("BASE64", "SGVs\nbG8="), "Hello");
    assert_eq!(body("base64", "SGVs*bG8h!!x"), "Hello!");
    assert_eq!(body("8bit", "é"), "é");
    assert_eq!(body("binary", "é"), "é");
    assert_eq!(body("unheard-of", "é"), "é");
    assert_eq!(
        body("x-uuencode", "begin 644 a.txt\n%2&5L;&\\\n`\nend\n"),
        "Hello"
    );
}

#[test]
fn uuencoded_files_are_attachments() {
    let text = plain("\nbefore\nbegin 644 a.txt\n%2&5L;&\\\n`\nend\nafter\n");
    assert_eq!(text, "before\nafter\n");
    // Words that only look like the beginning of a file stay.
    let words = "begin 100 years ago\nbegin 644 x\nlower case\n";
    assert_eq!(plain(&format!("\n{words}")), words);
    // The time is linear, also for very many files, and for very many that never end.
    let many = "a\nbegin 644 A\nend\n".repeat(200_000);
    assert_eq!(plain(&format!("\n{many}")), "a\n".repeat(200_000));
    let open = format!("begin 644 A\n{}", "M\n".repeat(20)).repeat(100_000);
    assert_eq!(plain(&format!("\n{open}")), open);
}

#[test]
fn charsets_are_declared_or_found() {
    let check = |label: &str, body: &[u8], text: &str, charset: &str| {
        let head = format!("Content-Type: text/plain; charset={label}\n\n");
        let mail = Mail::read(&[head.as_bytes(), body].concat(), &LIMITS).unwrap();
        assert_eq!(mail.text.unwrap().1, text, "{label}");
        assert_eq!(mail.charset, charset, "{label}");
    };
    check("iso-8859-1", b"caf\xe9", "café", "windows-1252");
    check("\"KOI8-R\"", b"\xf0\xd2\xc9", "При", "KOI8-R");
    check("iso-2022-jp", b"\x1b$B$3$s\x1b(B", "こん", "ISO-2022-JP");
    // Encodings that only mail programs decode stay undecoded.
    let hangul = "\u{1b}$)C\n\u{e}GQ1[\u{f}\u{e}>n\u{f} a\n";
    let found = read(&format!(
        "Content-Type: text/plain; charset=iso-2022-kr\n\n{hangul}"
    ));
    assert_eq!(found.text.unwrap().1, hangul);
    let found = read("Content-Type: text/plain; charset=hz-gb-2312\n\n~{VPND~}");
    assert_eq!(found.text.unwrap().1, "~{VPND~}");
    check("us-ascii", "naïve".as_bytes(), "naïve", "UTF-8");
    check("no-such-charset", "naïve".as_bytes(), "naïve", "UTF-8");
}

#[test]
fn html_is_the_better_alternative() {
    let text = "Content-Type: text/plain\n\nwords";
    let rich = "Content-Type: text/html\n\n<p>words";
    let pair = multipart("alternative", &[text, rich]);
    assert_eq!(
        html(&format!("Subject: a < b\n{pair}")),
        "<title>a &lt; b</title>\n<p>words"
    );
    assert_eq!(html(&multipart("alternative", &[rich, text])), "<p>words");
    let related = multipart("related", &[rich, "Content-Type: image/png\n\n\u{1}"]);
    assert_eq!(
        html(&multipart("alternative", &[text, &related])),
        "<p>words"
    );
    // An empty alternative is chosen only if all others are empty.
    let empty = "Content-Type: text/html\n\n ";
    assert_eq!(plain(&multipart("alternative", &[text, empty])), "words");
    let calendar = "Content-Type: text/calendar\n\nBEGIN:VCALENDAR";
    assert_eq!(plain(&multipart("alternative", &[text, calendar])), "words");
}

/// Takes minutes if the time is quadratic.
#[test]
fn hostile_mails_take_linear_time() {
    let blank = " \n".repeat(1 << 20);
    let mut alternatives = vec![blank.as_str(); 1];
    alternatives.resize(20_000, "\n");
    plain(&multipart("alternative", &alternatives));
    let open = "=?".repeat(8 << 10);
    let part =
        format!("Content-Type: text/plain; a={open}\nContent-Disposition: inline; a={open}\n\nx");
    let parts = vec![part.as_str(); 400];
    plain(&multipart("mixed", &parts));
}

#[test]
fn parts_of_a_mixed_mail_are_joined() {
    let text = "Content-Type: text/plain\n\nwords & more\n";
    let rich = "Content-Type: text/html\n\n<p>rich";
    let footer = "\nfooter";
    let attached = "Content-Type: text/plain\nContent-Disposition: attachment; filename=a\n\nno";
    let both = multipart("mixed", &[text, footer, attached]);
    assert_eq!(plain(&both), "words & more\n\nfooter");
    let all = multipart("mixed", &[text, rich]);
    assert_eq!(html(&all), "<pre>words &amp; more\n</pre>\n<p>rich");
}

#[test]
fn a_mail_with_only_an_attachment_has_no_text() {
    let image = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=";
    for message in [image.to_owned(), multipart("mixed", &[image])] {
        let mail = read(&format!("Subject: a picture\n{message}"));
        assert_eq!((mail.text, mail.media_type.as_str()), (None, "image/png"));
        assert_eq!(mail.charset, "");
    }
    // A text part with binary data is treated like an attachment.
    let binary = read("Content-Type: text/plain\n\n\0\u{1}\u{2}\u{3}\0\0\0\0");
    assert_eq!(binary.text, None);
    // The whole message is its text, even if it calls itself an attachment.
    assert_eq!(plain("Content-Disposition: attachment\n\nhere"), "here");
}

#[test]
fn messages_in_messages() {
    let inner = "Content-Type: message/rfc822\n\nSubject: inner\n\nforwarded";
    let text = plain(&format!(
        "Subject: outer\n{}",
        multipart("mixed", &["\nsee below", inner])
    ));
    assert_eq!(text, "outer\n\nsee below\n\ninner\n\nforwarded");
    let digest = multipart("digest", &["\nSubject: one\n\n1", "\nSubject: two\n\n2"]);
    assert_eq!(plain(&digest), "one\n\n1\n\ntwo\n\n2");
    let packed = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nClBhY2tlZA==";
    assert_eq!(plain(packed), "Packed");
}

#[test]
fn nesting_is_limited() {
    let forwarded = |depth: usize| "Content-Type: message/rfc822\n\n".repeat(depth) + "\ndeep";
    assert_eq!(plain(&forwarded(3)), "deep");
    let mail = read(&forwarded(4));
    assert!(mail.is_too_deep && mail.text.is_none());
    assert!(read(&forwarded(100)).is_too_deep);
    let parts = ["a", "b", "c", "d"]
        .iter()
        .rev()
        .fold("\ndeep".to_owned(), |part, kind| {
            multipart(kind, &["\nwords", &part])
        });
    let mail = read(&parts);
    assert!(mail.is_too_deep);
    assert_eq!(mail.text.unwrap().1, "words\n\nwords\n\nwords");
    let unlimited = RecordLimits {
        nesting: usize::MAX,
        ..LIMITS
    };
    assert!(
        Mail::read(forwarded(100_000).as_bytes(), &unlimited)
            .unwrap()
            .is_too_deep
    );
}

#[test]
fn broken_structure_loses_no_text() {
    // The boundary does not occur, or is not named.
    assert_eq!(
        plain("Content-Type: multipart/mixed; boundary=x\n\nwords"),
        "words"
    );
    assert_eq!(plain("Content-Type: multipart/mixed\n\nwords"), "words");
    // The boundary is never closed, and another line begins like it.
    let open = "Content-Type: multipart/mixed; boundary=x\n\n--x\n\none\n--xy\n--x  \n\ntwo";
    assert_eq!(plain(open), "one\n--xy\n\ntwo");
    // No empty line after the header; no header; no body; nothing.
    assert_eq!(
        plain("Subject: s\nA body without a gap: see\n"),
        "s\n\nA body without a gap: see\n"
    );
    assert_eq!(plain("\nbody"), "body");
    assert_eq!(plain("no header at all"), "no header at all");
    assert_eq!(plain("Subject: s"), "s\n\n");
    assert_eq!(plain(""), "");
    // Line breaks of old machines, and separating lines of an mbox.
    assert_eq!(plain("Subject: s\r\rone\rtwo"), "s\n\none\ntwo");
    assert_eq!(
        plain("From a@b Mon Jan  1 00:00:00 2024\n>From c\nSubject: s\n\nb"),
        "s\n\nb"
    );
    // NUL is an ordinary character, and invalid types mean text.
    assert_eq!(
        plain("Content-Type: text\n\nlong enough a text with \0 in it"),
        "long enough a text with \0 in it"
    );
    assert_eq!(plain("Content-Type: ;;;=\"\n\nwords"), "words");
    assert_eq!(
        plain("Subject : s\nContent-Type : text/plain\n\nb"),
        "s\n\nb"
    );
}

#[test]
fn files_that_look_like_mail() {
    let yes = |text: &str| assert!(is_mail(text.as_bytes()), "{text}");
    let no = |text: &str| assert!(!is_mail(text.as_bytes()), "{text}");
    yes("Return-Path: <a>\nX-Odd: 1\n folded\nFrom: a\n\nbody that: is not looked at\nat all");
    yes("From: a\r\nTo: b\r\nSubject: c\r\n\r\n");
    yes("Received: x\nMessage-ID: <y>\nSubject: cut o");
    no("Subject: notes\nDate: today\n\nnot mail");
    no("From: here\nto there\nMessage-ID: <x>\n\n");
    no("<html>\nFrom: a\nTo: b\nSubject: c\n\n");
    no("words");
    no("");
    assert!(is_mbox(b"From a@b Mon Jan  1 00:00:00 2024\nX: y\n"));
    assert!(is_mbox(b"From - Mon, 1 Jan\r\nX: y\r\n"));
    assert!(is_mbox(b"From \nX: y\n"));
    assert!(is_mbox(b"From a@b\nX: y\n"));
    assert!(is_mbox(b"From a@b 2024-01-01T00:00:00Z\nX: y\n"));
    assert!(!is_mbox(b"From a@b on\nX: y\n"));
    assert!(!is_mbox(b"From a@b\nwords\n"));
    assert!(!is_mbox(b"From a to b\nX: y\n"));
    assert!(!is_mbox(b"From 10:20 on in 2024\nwords\n"));
    assert!(!is_mbox(b"From: a\n"));
}

#[test]
fn quoted_lines_lose_one_mark() {
    let check = |block: &str, message: &str| {
        assert_eq!(unquote(block.as_bytes()), message.as_bytes());
    };
    check(
        "a\n>From b\n>>From c\n> From d\nx >From e",
        "a\nFrom b\n>From c\n> From d\nx >From e",
    );
    check("nothing", "nothing");
}

const LINE: &str = "From a@b Mon Jan  1 00:00:00 2024\n";

/// Returns the blocks of the messages, as the framing finds them.
fn blocks(mbox: &str) -> Vec<&str> {
    let mut rest = mbox;
    let mut blocks = Vec::new();
    loop {
        match next_frame(rest.as_bytes(), true, &LIMITS) {
            Frame::Record { block, end, .. } => {
                blocks.push(&rest[block]);
                rest = &rest[end..];
            }
            Frame::End => return blocks,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn messages_end_where_the_next_begins() {
    let mbox = format!("{LINE}A: 1\n\none\n\n{LINE}A: 2\n\ntwo\nFrom here on\n\n{LINE}A: 3\n\n");
    assert_eq!(
        blocks(&mbox),
        ["A: 1\n\none\n", "A: 2\n\ntwo\nFrom here on\n", "A: 3\n"]
    );
    assert_eq!(find_mail(mbox.as_bytes()), Some(LINE.len() + 11));
}

#[test]
fn an_address_after_an_empty_line_is_enough() {
    let mbox = "From a@b\nA: 1\n\none\nFrom c@d\nE: f\n\nFrom a@b\nA: 2\n\ntwo\n";
    assert_eq!(
        blocks(mbox),
        ["A: 1\n\none\nFrom c@d\nE: f\n", "A: 2\n\ntwo\n"]
    );
}

#[test]
fn a_stated_length_is_accepted_if_it_fits() {
    let inner = format!("see:\n\n{LINE}B: not a mail\n");
    let length = inner.len();
    let right = format!("{LINE}Content-Length: {length}\n\n{inner}\n{LINE}A: 2\n\ntwo\n");
    assert_eq!(blocks(&right).len(), 2);
    assert!(blocks(&right)[0].ends_with("not a mail\n"));
    for wrong in [length - 3, length + 3, 0, 100_000, usize::MAX] {
        let mbox = format!("{LINE}Content-Length: {wrong}\n\n{inner}\n{LINE}A: 2\n\ntwo\n");
        assert_eq!(blocks(&mbox).len(), 3, "{wrong}");
    }
}

proptest! {
    /// Any bytes are a mail, and reading its text again gives the same.
    #[test]
    fn any_bytes_are_a_mail(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mail = Mail::read(&bytes, &LIMITS).unwrap();
        prop_assert_eq!(Mail::read(&bytes, &LIMITS), Some(mail));
    }

    /// Any sequence of fragments of mail is a mail.
    #[test]
    fn any_pieces_are_a_mail(pieces in proptest::collection::vec(0..PIECES.len(), 0..30)) {
        let bytes: String = pieces.iter().map(|&at| PIECES[at]).collect();
        prop_assert!(Mail::read(bytes.as_bytes(), &LIMITS).is_some());
    }

    #[test]
    fn any_text_is_parsed_without_panic(text in "\\PC{0,40}|[0-9:+ ,JanFeb-]{0,40}") {
        let _ = date::parse_mail(&text);
    }
}

const PIECES: [&str; 20] = [
    "Content-Type: multipart/mixed; boundary=x\n",
    "Content-Type: multipart/alternative;\n boundary*0=x; boundary*1*=''%79\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: text/html; charset*=utf-8'en'%zz\n",
    "Content-Type: text/plain; charset=\"",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Content-Transfer-Encoding: x-uuencode\n",
    "Subject: =?utf-8?b?w?= =?iso-2022-jp?q?=1b$B?=\n",
    "Date: 1 Jan 2000\n",
    "Message-ID: <\n",
    "\n",
    "\r\n",
    "--x\n",
    "--x--\n",
    "--xy\n",
    "begin 644 x\n",
    "#0V%T\n",
    "=\n",
    "words =3D\u{fffd}\0\n",
];
