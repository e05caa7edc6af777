//! What was planted: the answer key that lies beside the archives as `planted.json`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Everything a generated web contains, in the order in which it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planted {
    /// The seed it was made from.
    pub seed: u64,
    /// The scale it was made at.
    pub scale: usize,
    /// The archive files, relative to the directory.
    pub files: Vec<PathBuf>,
    /// Records of every type in all files, `warcinfo` included.
    pub records: u64,
    /// Bytes of all records before compression of the archive.
    pub record_bytes: u64,
    /// Bytes of all bodies, decoded.
    pub body_bytes: u64,
    /// Every URL that was fetched, also those that are no pages.
    pub pages: Vec<PlantedPage>,
}

impl Planted {
    /// The pages that play `role`.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &PlantedPage> {
        self.pages.iter().filter(move |page| page.role == role)
    }
}

/// One fetched URL and what is true of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlantedPage {
    /// The URL, as `WARC-Target-URI` has it.
    pub url: String,
    /// Why it is there.
    pub role: Role,
    /// HTTP status.
    pub status: u16,
    /// Media type without parameters; empty where the server named none.
    pub media_type: String,
    /// The charset the body is really in, by its WHATWG name; empty for bytes that are no text.
    pub charset: String,
    /// Where the charset is stated.
    pub declared: Declared,
    /// Language of the prose, as a BCP 47 tag; empty where there is none.
    pub language: String,
    /// The archive file that holds it.
    pub file: String,
    /// `Transfer-Encoding` and `Content-Encoding`, such as `chunked+gzip`; empty for a plain body.
    pub transport: String,
    /// Length of the decoded body.
    pub body_bytes: u64,
    /// The URLs it was copied from, or refers to in the case of a revisit or redirect.
    pub sources: Vec<String>,
    /// How much was taken over: paragraphs of copied pages, sentences of slice-and-dice pages.
    pub copied: usize,
}

/// Why a page is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Written for its own site.
    Original,
    /// The same bytes as an original, at another site.
    ExactClone,
    /// All paragraphs of an original in another template, with advertisements between them.
    CloneWithAds,
    /// A page of a ring of sites that link to one another around the same few paragraphs.
    LinkFarm,
    /// Stitched together from single sentences of many originals.
    SliceAndDice,
    /// The markup of a bank's login page at a site that is not the bank's.
    Phishing,
    /// An article of its own in a template that its whole site shares: no copy.
    Template,
    /// A URL that a crawler reached by running in circles.
    Trap,
    /// An honest page whose URL repeats a component and looks a little like a trap.
    TrapLookalike,
    /// Text that is not HTML: style sheets, scripts, feeds, `robots.txt`, notes.
    OtherText,
    /// Images, documents and other bytes.
    NotText,
    /// A redirect to another URL.
    Redirect,
    /// An error page.
    NotFound,
    /// A page without a body.
    Empty,
    /// A `revisit` record: the body is stored elsewhere.
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

    /// The name used in `planted.json`.
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

/// Where a body's charset is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Declared {
    /// In the `Content-Type` of the HTTP header only.
    Header,
    /// In a `meta` element only.
    Meta,
    /// In both.
    HeaderAndMeta,
    /// By a byte order mark only.
    Bom,
    /// Nowhere: it has to be detected.
    Nowhere,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_serialized_ones() {
        for role in Role::ALL {
            let json = serde_json::to_string(&role).unwrap();
            assert_eq!(json, format!("\"{}\"", role.as_str()));
        }
    }
}
