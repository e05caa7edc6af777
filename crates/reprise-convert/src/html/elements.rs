//! The kinds of HTML elements, by their effect on text.

/// The kind of a node: text or a kind of element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// Text.
    Text,
    /// An element that formats words or parts of words.
    Inline,
    A,
    Br,
    /// An element that separates words: those that browsers draw as a box, and unknown ones.
    Space,
    /// An element that shows nothing.
    Nothing,
    Head,
    /// A form field.
    Input,
    Image,
    P,
    Div,
    Section,
    Article,
    Main,
    /// Navigation.
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
    /// A row or a group of rows.
    Row,
    Cell,
    Body,
    /// Another element that is a separate paragraph.
    Block,
}

impl NodeKind {
    /// Returns the kind of the element with this name, in lower case.
    pub(super) fn of(name: &[u8]) -> NodeKind {
        match name {
            b"a" => NodeKind::A,
            b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code"
            | b"data" | b"del" | b"dfn" | b"em" | b"font" | b"i" | b"ins" | b"kbd" | b"label"
            | b"mark" | b"nobr" | b"output" | b"q" | b"rb" | b"ruby" | b"s" | b"samp"
            | b"small" | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"time" | b"tt"
            | b"u" | b"var" | b"wbr" => NodeKind::Inline,
            b"br" => NodeKind::Br,
            // `rt` is the reading above a character, which plain text cannot show.
            b"script" | b"style" | b"template" | b"noscript" | b"iframe" | b"noembed"
            | b"noframes" | b"object" | b"audio" | b"video" | b"canvas" | b"svg" | b"datalist"
            | b"rt" | b"rp" | b"title" => NodeKind::Nothing,
            b"head" => NodeKind::Head,
            b"input" | b"select" | b"textarea" | b"button" => NodeKind::Input,
            b"img" | b"picture" => NodeKind::Image,
            b"p" => NodeKind::P,
            b"div" | b"center" => NodeKind::Div,
            b"section" => NodeKind::Section,
            b"article" => NodeKind::Article,
            b"main" => NodeKind::Main,
            b"nav" | b"menu" => NodeKind::Nav,
            b"aside" => NodeKind::Aside,
            b"header" => NodeKind::Header,
            b"footer" => NodeKind::Footer,
            b"form" | b"fieldset" | b"dialog" => NodeKind::Form,
            b"ul" | b"ol" | b"dl" | b"dir" => NodeKind::List,
            b"li" | b"dt" | b"dd" => NodeKind::Item,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => NodeKind::Heading,
            b"blockquote" => NodeKind::Quote,
            b"pre" | b"listing" | b"xmp" | b"plaintext" => NodeKind::Pre,
            b"table" => NodeKind::Table,
            b"tr" | b"tbody" | b"thead" | b"tfoot" => NodeKind::Row,
            b"td" | b"th" => NodeKind::Cell,
            b"body" | b"html" => NodeKind::Body,
            b"address" | b"caption" | b"details" | b"figcaption" | b"figure" | b"frameset"
            | b"hgroup" | b"hr" | b"legend" | b"option" | b"optgroup" | b"search" | b"summary" => {
                NodeKind::Block
            }
            _ => NodeKind::Space,
        }
    }

    /// Returns true if the element is one or more separate paragraphs.
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            NodeKind::Text
                | NodeKind::Inline
                | NodeKind::A
                | NodeKind::Br
                | NodeKind::Space
                | NodeKind::Nothing
                | NodeKind::Head
                | NodeKind::Input
                | NodeKind::Image
                | NodeKind::Cell
        )
    }

    /// Returns true if the start of this element closes an open paragraph without `</p>`.
    pub(super) fn ends_paragraph(self) -> bool {
        self.is_block() && !matches!(self, NodeKind::Row | NodeKind::Body)
    }

    /// Returns true if an open element of this kind ends before the start of `next`, because its end tag
    /// may be omitted.
    pub(super) fn ends_before(self, next: NodeKind) -> bool {
        match self {
            NodeKind::P => next.ends_paragraph() || matches!(next, NodeKind::Cell | NodeKind::Row),
            NodeKind::Item => next == NodeKind::Item,
            NodeKind::Cell => matches!(next, NodeKind::Cell | NodeKind::Row),
            _ => false,
        }
    }

    /// Returns true if the start of `next` within this element does not end elements around it.
    pub(super) fn is_wall(self, next: NodeKind) -> bool {
        match next {
            NodeKind::Item => matches!(
                self,
                NodeKind::List | NodeKind::Nav | NodeKind::Cell | NodeKind::Table
            ),
            NodeKind::Row | NodeKind::Cell => self == NodeKind::Table,
            _ => matches!(self, NodeKind::Cell | NodeKind::Table | NodeKind::Input),
        }
    }
}

/// Returns true if the element has no content and no end tag.
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

/// Returns true if `head` may contain the element. Any other element ends the head.
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
