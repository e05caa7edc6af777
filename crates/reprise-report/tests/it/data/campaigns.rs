//! Invented campaigns of mails.

use reprise_report::{Campaign, CampaignDocument, Campaigns};

/// Returns a large campaign and a small one.
pub(crate) fn campaigns() -> Campaigns {
    let document = |number: u32, containment| CampaignDocument {
        url: format!("mid:{number}@host-{number}.example"),
        date: (number != 3).then(|| format!("2004-02-0{number}")),
        terms: 41,
        containment,
    };
    Campaigns {
        documents: 5_120,
        lexicon_terms: 15_000,
        is_own_lexicon: false,
        contexts: Some(48_210),
        terms_min: 20,
        randomised: 10,
        shared_min: 0.2,
        clusters: 212,
        in_clusters: 2_804,
        largest: 640,
        unreadable: 2,
        warnings: vec!["many texts have one signature and little else in common".to_owned()],
        top: vec![
            Campaign {
                representative: "mid:1@host-1.example".to_owned(),
                opening: "Refinance your home today at the lowest rate".to_owned(),
                documents: 640,
                sites: 588,
                dates: Some(("2004-02-01".to_owned(), "2004-03-11".to_owned())),
                terms: (0..64).map(|number| format!("term{number}")).collect(),
                examples: vec![document(2, 0.31), document(3, 0.22), document(4, 0.87)],
            },
            Campaign {
                representative: "mid:9@host-9.example".to_owned(),
                opening: String::new(),
                documents: 2,
                sites: 1,
                dates: Some(("2004-02-01".to_owned(), "2004-02-01".to_owned())),
                terms: vec!["pills".to_owned()],
                examples: vec![document(5, 1.0)],
            },
        ],
    }
}
