//! Near-copies in the invented crawl.

use reprise_report::{
    BandCounts, LinkKind, NearCluster, NearCopies, NearMethod, NearPage, RemovableOfSite,
};

/// Returns clusters of mirrors, and one that looks like a template.
pub(crate) fn near() -> NearCopies {
    let page = |url: &str, similarity, containment| NearPage {
        url: url.to_owned(),
        similarity,
        containment,
    };
    let cluster = |representative: &str, pages, sites, least, mean, examples| NearCluster {
        representative: representative.to_owned(),
        pages,
        sites,
        similarity_min: least,
        similarity_mean: mean,
        examples,
    };
    NearCopies {
        method: NearMethod::Shingle,
        link: LinkKind::Verified,
        similarity: Some(0.65),
        score: None,
        shared: None,
        bands: Some(BandCounts {
            bands: 21,
            rows: 4,
            agreeing: 1,
        }),
        expected_recall: Some(0.983),
        pages: 48_213,
        documents: 46_020,
        candidates: 91_204,
        verified: 88_790,
        clusters: 2_318,
        in_clusters: 12_404,
        largest: 3_306,
        removable: 10_086,
        largest_site: Some(RemovableOfSite {
            site: "shop-catalogue.example".to_owned(),
            removable: 3_305,
        }),
        unreadable: 3,
        unreadable_reason: Some("the archive has changed since it was indexed".to_owned()),
        warnings: vec![
            "The largest cluster has 27% of all pages in clusters, and all are on shop-catalogue.example: a template with little text may look like a copy.".to_owned(),
        ],
        top: vec![
            cluster(
                "http://shop-catalogue.example/item.php?category=watches&item=1000017&session=8d1f00aa7c3e44109b21c1f7e6d05a3388d1f00aa7c3e44109b21c1f7e6d05a33",
                3_306,
                1,
                0.65,
                0.71,
                (18..23)
                    .map(|item| {
                        page(
                            &format!("http://shop-catalogue.example/item.php?category=watches&item=10000{item}&session=8d1f00aa7c3e44109b21c1f7e6d05a33{item}"),
                            0.65 + f64::from(item) / 400.0,
                            0.8,
                        )
                    })
                    .collect(),
            ),
            cluster(
                "https://history.example/64/fire",
                132,
                131,
                0.68,
                0.93,
                vec![
                    page("http://news-mirror.example/rome/fire.html", 1.0, 1.0),
                    page("http://wiki.freeinfo.example/w/index.php?title=Great_Fire_of_Rome", 0.94, 0.95),
                    page("http://quotes.example/fire", 0.68, 1.0),
                ],
            ),
            cluster("http://planets.example/jupiter", 2, 2, 0.88, 0.88, vec![page("http://astro-class.example/outer/jupiter.html", 0.88, 0.9)]),
            cluster("http://blog.example/2011/03/", 2, 1, 0.7, 0.7, Vec::new()),
        ],
    }
}
