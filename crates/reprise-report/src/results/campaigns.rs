//! Campaigns of mails or pages.

/// Campaigns, found by signatures of lexicon terms.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Campaigns {
    /// The number of documents with text.
    pub documents: u64,
    /// The number of lexicon terms.
    pub lexicon_terms: u64,
    /// True if the lexicon was trained on the same documents.
    pub is_own_lexicon: bool,
    /// The number of contexts in which terms count; `None` if they count everywhere.
    pub contexts: Option<u64>,
    /// A document with fewer lexicon terms has no signature.
    pub terms_min: u32,
    /// The number of further lexicons, each without some terms.
    pub randomised: u32,
    /// The least share of the smaller text's phrases that the other text has.
    pub shared_min: f64,
    /// The number of campaigns.
    pub clusters: u64,
    /// The number of documents in campaigns.
    pub in_clusters: u64,
    /// The number of documents in the largest campaign.
    pub largest: u64,
    /// The number of documents that could not be read back.
    pub unreadable: u64,
    /// Sentences about possible problems.
    pub warnings: Vec<String>,
    /// The largest campaigns, largest first.
    pub top: Vec<Campaign>,
}

/// A campaign.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Campaign {
    /// The URL of the representative.
    pub representative: String,
    /// The beginning of its text; empty if it cannot be read back.
    pub opening: String,
    /// The number of documents.
    pub documents: u64,
    /// The number of sites; for mail, of senders' hosts.
    pub sites: u64,
    /// The days of the earliest and the latest document.
    pub dates: Option<(String, String)>,
    /// The lexicon terms that all documents share: the evidence.
    pub terms: Vec<String>,
    /// Some of the other documents.
    pub examples: Vec<CampaignDocument>,
}

/// A document of a campaign.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CampaignDocument {
    /// The URL.
    pub url: String,
    /// The day on which it was sent or fetched.
    pub date: Option<String>,
    /// The number of lexicon terms that it shares with the representative.
    pub terms: u64,
    /// The share of its phrases that the representative has.
    pub containment: f64,
}
