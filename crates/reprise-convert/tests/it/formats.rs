//! The text that each format shows and hides.

use reprise_convert::{ConvertLimits, Converter, Format};

use crate::{CONVERTER, check, plain};

#[test]
fn blocks_separate_words_and_inline_elements_do_not() {
    check(
        Format::Html,
        "a<b>b</b>c<div>d</div>e<br>f<p>g<p>h",
        "abc\n\nd\n\ne\nf\n\ng\n\nh",
    );
    check(Format::Html, "<ul><li>a<li>b</ul>c", "a\n\nb\n\nc");
    check(
        Format::Html,
        "<table><tr><td>a<td>b<tr><td>c</table>",
        "a\tb\n\nc",
    );
    check(Format::Html, "<pre>a\n  b\n\nc</pre>d", "a\nb\n\nc\n\nd");
    check(Format::Html, "a<x-card>b</x-card>c<img alt=no>d", "a b c d");
    check(
        Format::Html,
        "caf&eacute; &lt;b&gt; &#x4e2d;&nbsp;x",
        "caf\u{e9} <b> \u{4e2d} x",
    );
}

#[test]
fn hidden_text_is_left_out() {
    let page = "<head><title>T &amp; t</title><style>no</style></head><body>a<script>if (1<2) no</script>\
        <noscript>no</noscript><template><p>no</template><p hidden>no<p>b<div style='color:red; DISPLAY : none'>\
        no<div>no</div></div><!-- no -->c<p hidden=until-found>d<svg><text>no</text></svg>";
    let page = plain(Format::Html, page);
    assert_eq!(page.text, "a\n\nb\n\nc\n\nd");
    assert_eq!(page.title.as_deref(), Some("T & t"));
    // A head without an end tag.
    check(Format::Html, "<head><title>no</title><p>a", "a");
}

#[test]
fn xhtml_is_xml() {
    let page = "<?xml version='1.0'?><html xmlns='x'><head><script src='a.js'/><title>t</title></head>\
        <body><p><![CDATA[1 < 2 && &amp;]]></p><p/>b<h:p>c</h:p></body></html>";
    check(Format::Xhtml, page, "1 < 2 && &amp;\n\nb\n\nc");
}

#[test]
fn markdown_blocks() {
    let text = "---\ntitle: 'A title'\n---\n# A *b* #\n\nc\nd  \ne\n\n> q\n> r\n\n1. x\n   y\n\n   z\n2) [w](u)\n\n\
        ```rust\nlet a = *b; // <c>\n\n```\n\n***\n\n    code\n\n[ref]: http://a.example\n\n<div>h <b>i</b></div>\n\n\
        - [x] done[^1]\n\n[^1]: note\n";
    let plain = plain(Format::Markdown, text);
    assert_eq!(
        plain.text,
        "A b\n\nc d\ne\n\nq r\n\nx y\n\nz\n\nw\n\nlet a = *b; // <c>\n\ncode\n\nh i\n\ndone\n\nnote"
    );
    assert_eq!(plain.title.as_deref(), Some("A title"));
    assert_eq!(
        crate::plain(Format::Markdown, "x\n\n# Heading\n")
            .title
            .as_deref(),
        Some("Heading")
    );
}

#[test]
fn markdown_within_paragraphs() {
    let check = |text: &str, expected: &str| check(Format::Markdown, text, expected);
    check(
        "*a* **b** ***c*** _d_ ~~e~~ snake_case_name 2 * 3",
        "a b c d e snake_case_name 2 * 3",
    );
    check("a* b, 5 ~ 6, x**y", "a* b, 5 ~ 6, x**y");
    check("`*a*` ``b ` <c>`` `open", "*a* b ` <c> `open");
    check(r"\*a\* \q \\", r"*a* \q \");
    // A reference without a definition is text.
    check(
        "[a *b*](http://c.example/d_e(f)_g) [h][i] [j] ![k](l)",
        "a b [h][i] [j]",
    );
    check("[a][b] [b] *[c][]*\n\n[b]: /b\n[c]: <c d> 'e'", "a b c");
    check(
        "<https://a.example/b_c_d> <b>x</b> 1 < 2 &amp; &amp;lt;",
        "https://a.example/b_c_d x 1 < 2 & &lt;",
    );
    check("[![image](a)](b)", "");
    check("note[^1]\n\n[^1]: text", "note\n\ntext");
    check("note[^1]", "note[^1]");
}

#[test]
fn markdown_blocks_within_blocks() {
    let check = |text: &str, expected: &str| check(Format::Markdown, text, expected);
    check("- a\n  - b\n\n    c\n- > d\n  > e\n", "a\n\nb\n\nc\n\nd e");
    check("> - a\nlazy\n> - b", "a lazy\n\nb");
    check(
        "|a|b|\n|-|:-:|\n|`c\\|d`|*e*|\n|f|\n",
        "a\tb\n\nc|d\te\n\nf",
    );
    check("a\n***\nb\n\n```\n# c\n", "a\n\nb\n\n# c");
    check("<!-- no\n\nno --> a\n\nb <!-- no --> c", "a\n\nb c");
}

#[test]
fn the_title_of_markdown_is_text() {
    let title = |text: &str| plain(Format::Markdown, text).title;
    assert_eq!(
        title("## no\n\nA `<b>` & *c*\n![no](no)d\n===\n\n# no").as_deref(),
        Some("A <b> & c d")
    );
    assert_eq!(title("---\nfoo: no\n---\n# A"), Some("A".to_owned()));
    assert_eq!(title("## no"), None);
}

#[test]
fn rich_text_charsets() {
    check(
        Format::Rtf,
        r"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}",
        "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}",
    );
    let fonts = r"{\fonttbl{\f0\fnil Arial;}{\f1\fnil\fcharset128 MS Mincho;}}";
    check(
        Format::Rtf,
        format!(r"{{\rtf1\ansi{fonts}\f0 a\f1\'93\'fa\'96\'7b\f0 \'e9}}"),
        "a\u{65e5}\u{672c}\u{e9}",
    );
    check(
        Format::Rtf,
        r"{\rtf1\uc2 \u20013\'d6\'d0x\uc0\u-10179\u-8704 y}",
        "\u{4e2d}x\u{1f600}y",
    );
    check(
        Format::Rtf,
        r"{\rtf1\uc1 a\u8217{\uc1 b}'c}",
        "a\u{2019}b'c",
    );
}

#[test]
fn rich_text_destinations() {
    let text = r"{\rtf1{\info{\title A title}{\author no}}{\*\generator no;}{\stylesheet no;}{\colortbl;}
{\header no}a\tab b\line c\par{\pict\bin3 }}}}d{\v no}{\deleted no}{\footnote\pard e f}g{\field{\*\fldinst HYPERLINK no}{\fldrslt h}}
{\*\unknown no}\{\\\}\~\_\-x}after";
    let plain = plain(Format::Rtf, text);
    assert_eq!(plain.text, "a\tb\nc\n\ndgh{\\} \u{2011}\u{ad}x\n\ne f");
    assert_eq!(plain.title.as_deref(), Some("A title"));
}

#[test]
fn text_is_cut_at_the_limit() {
    let limits = ConvertLimits {
        text_bytes_max: 10,
        ..ConvertLimits::DEFAULT
    };
    let converter = Converter {
        limits,
        ..CONVERTER
    };
    for (format, bytes) in [
        (Format::Html, "<p>0123456789 more"),
        (Format::Rtf, r"{\rtf1 0123456789 more}"),
        (Format::Markdown, "0123456789 more"),
        (Format::Text, "0123456789 more"),
    ] {
        let plain = converter
            .plain(format, bytes.as_bytes())
            .expect("it can be converted");
        assert_eq!(
            (&*plain.text, plain.truncated),
            ("0123456789", true),
            "{format:?}"
        );
    }
}
