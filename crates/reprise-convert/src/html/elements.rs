//! The elements of HTML, as far as they differ in what they do to text.

/// A kind of element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// Not an element.
    Text,
    /// Formats words or parts of words.
    Inline,
    A,
    Br,
    /// Separates words: what browsers draw a box for, and names that nobody knows.
    Space,
    /// Shows nothing.
    Nothing,
    Head,
    /// A form's fields.
    Input,
    Image,
    P,
    Div,
    Section,
    Article,
    Main,
    /// Navigation, and what stands beside the content or below it.
    Nav,
    Aside,
    Header,
    Footer,
    Form,
    List,
    Item,
    Heading,
    Quote,
    Pre,
    Table,
    /// Rows, and groups of rows.
    Row,
    Cell,
    Body,
    /// Other elements that are paragraphs of their own.
    Block,
}

impl Tag {
    pub(super) fn of(name: &[u8]) -> Tag {
        match name {
            b"a" => Tag::A,
            b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code"
            | b"data" | b"del" | b"dfn" | b"em" | b"font" | b"i" | b"ins" | b"kbd" | b"label"
            | b"mark" | b"nobr" | b"output" | b"q" | b"rb" | b"ruby" | b"s" | b"samp"
            | b"small" | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"time" | b"tt"
            | b"u" | b"var" | b"wbr" => Tag::Inline,
            b"br" => Tag::Br,
            // `rt` is the reading above a character, which no plain text has.
            b"script" | b"style" | b"template" | b"noscript" | b"iframe" | b"noembed"
            | b"noframes" | b"object" | b"audio" | b"video" | b"canvas" | b"svg" | b"datalist"
            | b"rt" | b"rp" | b"title" => Tag::Nothing,
            b"head" => Tag::Head,
            b"input" | b"select" | b"textarea" | b"button" => Tag::Input,
            b"img" | b"picture" => Tag::Image,
            b"p" => Tag::P,
            b"div" | b"center" => Tag::Div,
            b"section" => Tag::Section,
            b"article" => Tag::Article,
            b"main" => Tag::Main,
            b"nav" | b"menu" => Tag::Nav,
            b"aside" => Tag::Aside,
            b"header" => Tag::Header,
            b"footer" => Tag::Footer,
            b"form" | b"fieldset" | b"dialog" => Tag::Form,
            b"ul" | b"ol" | b"dl" | b"dir" => Tag::List,
            b"li" | b"dt" | b"dd" => Tag::Item,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Tag::Heading,
            b"blockquote" => Tag::Quote,
            b"pre" | b"listing" | b"xmp" | b"plaintext" => Tag::Pre,
            b"table" => Tag::Table,
            b"tr" | b"tbody" | b"thead" | b"tfoot" => Tag::Row,
            b"td" | b"th" => Tag::Cell,
            b"body" | b"html" => Tag::Body,
            b"address" | b"caption" | b"details" | b"figcaption" | b"figure" | b"frameset"
            | b"hgroup" | b"hr" | b"legend" | b"option" | b"optgroup" | b"search" | b"summary" => {
                Tag::Block
            }
            _ => Tag::Space,
        }
    }

    /// Is it a paragraph of its own, or several?
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            Tag::Text
                | Tag::Inline
                | Tag::A
                | Tag::Br
                | Tag::Space
                | Tag::Nothing
                | Tag::Head
                | Tag::Input
                | Tag::Image
                | Tag::Cell
        )
    }

    /// Ends a paragraph whose end tag was left out.
    pub(super) fn ends_paragraph(self) -> bool {
        self.is_block() && !matches!(self, Tag::Row | Tag::Body)
    }

    /// An element of this kind that is open ends where one of the other kind begins: its end tag may
    /// be left out.
    pub(super) fn ends_before(self, next: Tag) -> bool {
        match self {
            Tag::P => next.ends_paragraph() || matches!(next, Tag::Cell | Tag::Row),
            Tag::Item => next == Tag::Item,
            Tag::Cell => matches!(next, Tag::Cell | Tag::Row),
            _ => false,
        }
    }

    /// Elements outside it are not ended by tags within it.
    pub(super) fn is_wall(self, next: Tag) -> bool {
        match next {
            Tag::Item => matches!(self, Tag::List | Tag::Nav | Tag::Cell | Tag::Table),
            Tag::Row | Tag::Cell => self == Tag::Table,
            _ => matches!(self, Tag::Cell | Tag::Table | Tag::Input),
        }
    }
}

/// Elements that have no content and no end tag.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"basefont"
            | b"br"
            | b"col"
            | b"embed"
            | b"frame"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// Elements that a head may hold; any other ends it.
pub(super) fn is_metadata(name: &[u8]) -> bool {
    matches!(
        name,
        b"base"
            | b"link"
            | b"meta"
            | b"title"
            | b"script"
            | b"style"
            | b"noscript"
            | b"template"
            | b"head"
            | b"html"
            | b"bgsound"
            | b"basefont"
    )
}
