//! What a report says of campaigns.

#[cfg(feature = "serde")]
use serde::Serialize;

/// Documents with one signature: mails or pages that were sent or made from one payload, whatever is around it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Campaigns {
    /// Documents with text.
    pub documents: u64,
    /// Terms of the lexicon.
    pub lexicon_terms: u64,
    /// Was the lexicon trained on this corpus itself?
    pub is_own_lexicon: bool,
    /// Contexts in which these count; none if they count everywhere.
    pub contexts: Option<u64>,
    /// Lexicon terms without which a document has no signature.
    pub terms_min: u32,
    /// Lexicons beside that one, each without some of its terms.
    pub randomised: u32,
    /// The smaller text of two has this part of its phrases in the other at least, from 0 to 1.
    pub shared_min: f64,
    /// Campaigns found.
    pub clusters: u64,
    /// Documents that are in one.
    pub in_clusters: u64,
    /// Documents of the largest.
    pub largest: u64,
    /// Documents that could not be read again.
    pub unreadable: u64,
    /// What looks wrong, in plain sentences.
    pub warnings: Vec<String>,
    /// The largest campaigns, largest first.
    pub top: Vec<Campaign>,
}

/// One campaign.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Campaign {
    /// Address of the document that stands for it.
    pub representative: String,
    /// How its text begins; empty if it cannot be read.
    pub opening: String,
    /// Documents in it.
    pub documents: u64,
    /// Sites, of mail the senders' hosts, that these are from.
    pub sites: u64,
    /// The earliest and the latest of them, where that is known.
    pub dates: Option<(String, String)>,
    /// Lexicon terms that all of them have in common: the evidence.
    pub terms: Vec<String>,
    /// Some of the other documents.
    pub examples: Vec<CampaignDocument>,
}

/// One document of a campaign.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CampaignDocument {
    /// Its address.
    pub url: String,
    /// When it was sent or fetched.
    pub date: Option<String>,
    /// Lexicon terms that it shares with the representative.
    pub terms: u64,
    /// Of its phrases, the part that the representative has too.
    pub containment: f64,
}
