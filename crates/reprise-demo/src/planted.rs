//! The answer key, written as `planted.json` beside the archives.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The content of a generated web, in the order of writing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planted {
    /// The seed of the web.
    pub seed: u64,
    /// The scale of the web.
    pub scale: usize,
    /// The archive files, relative to the directory.
    pub files: Vec<PathBuf>,
    /// The number of records of all types in all files, including `warcinfo`.
    pub records: u64,
    /// The size of all records before compression of the archives, in bytes.
    pub record_bytes: u64,
    /// The size of all decoded bodies, in bytes.
    pub body_bytes: u64,
    /// All fetched URLs, including those that are not pages.
    pub pages: Vec<PlantedPage>,
}

impl Planted {
    /// Returns the pages with this role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &PlantedPage> {
        self.pages.iter().filter(move |page| page.role == role)
    }
}

/// One fetched URL and the facts about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlantedPage {
    /// The URL, as in `WARC-Target-URI`.
    pub url: String,
    /// The reason why the page exists.
    pub role: Role,
    /// The HTTP status.
    pub status: u16,
    /// The media type without parameters; empty if the server sent none.
    pub media_type: String,
    /// The WHATWG name of the actual charset of the body; empty for bytes that are not text.
    pub charset: String,
    /// The place that declares the charset.
    pub declared: Declared,
    /// The language of the text, as a BCP 47 tag; empty if the body has no text.
    pub language: String,
    /// The name of the archive file with the page.
    pub file: String,
    /// The transfer and content codings, such as `chunked+gzip`; empty for a plain body.
    pub transport: String,
    /// The size of the decoded body, in bytes.
    pub body_bytes: u64,
    /// The URLs that the page was copied from, or to which a revisit or redirect refers.
    pub sources: Vec<String>,
    /// The copied amount: paragraphs of copied pages, sentences of slice-and-dice pages.
    pub copied: usize,
}

/// The reason why a page exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// An original page of its site.
    Original,
    /// The same bytes as an original, on another site.
    ExactClone,
    /// All paragraphs of an original in another template, with advertisements between them.
    CloneWithAds,
    /// A page of a group of sites that link to each other and share a few paragraphs.
    LinkFarm,
    /// A page stitched from single sentences of many originals.
    SliceAndDice,
    /// The markup of a bank's login page on a site that does not belong to the bank.
    Phishing,
    /// An original article in a template that its whole site shares; not a copy.
    Template,
    /// A URL in a crawler trap.
    Trap,
    /// A regular page whose URL repeats a component and resembles a trap.
    TrapLookalike,
    /// Text other than HTML: style sheets, scripts, feeds, `robots.txt`, notes.
    OtherText,
    /// Images, documents and other binary files.
    NotText,
    /// A redirect to another URL.
    Redirect,
    /// An error page.
    NotFound,
    /// A page without a body.
    Empty,
    /// A `revisit` record, whose body is in another record.
    Revisit,
}

impl Role {
    /// All roles, in the order of their declaration.
    pub const ALL: [Self; 15] = [
        Self::Original,
        Self::ExactClone,
        Self::CloneWithAds,
        Self::LinkFarm,
        Self::SliceAndDice,
        Self::Phishing,
        Self::Template,
        Self::Trap,
        Self::TrapLookalike,
        Self::OtherText,
        Self::NotText,
        Self::Redirect,
        Self::NotFound,
        Self::Empty,
        Self::Revisit,
    ];

    /// Returns the name in `planted.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::ExactClone => "exact_clone",
            Self::CloneWithAds => "clone_with_ads",
            Self::LinkFarm => "link_farm",
            Self::SliceAndDice => "slice_and_dice",
            Self::Phishing => "phishing",
            Self::Template => "template",
            Self::Trap => "trap",
            Self::TrapLookalike => "trap_lookalike",
            Self::OtherText => "other_text",
            Self::NotText => "not_text",
            Self::Redirect => "redirect",
            Self::NotFound => "not_found",
            Self::Empty => "empty",
            Self::Revisit => "revisit",
        }
    }
}

/// The place that declares the charset of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Declared {
    /// Only the `Content-Type` of the HTTP header.
    Header,
    /// Only a `meta` element.
    Meta,
    /// Both of them.
    HeaderAndMeta,
    /// Only a byte order mark.
    Bom,
    /// No place: the charset must be detected.
    Nowhere,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_equal_the_serialized_ones() {
        for role in Role::ALL {
            let json = serde_json::to_string(&role).unwrap();
            assert_eq!(json, format!("\"{}\"", role.as_str()));
        }
    }
}
