//! Crawls that continue after a kill or a stop.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use reprise_crawl::{CrawlEndReason, CrawlError, crawl, summary_of};

use crate::server::Server;
use crate::site::answer;
use crate::{Notes, config, run};

/// Returns the URLs of all responses in the archives of a directory, with their counts.
fn archived(directory: &Path, config: &reprise_crawl::CrawlConfig) -> BTreeMap<String, usize> {
    use std::sync::Arc;

    use reprise_ingest::{BatchReader, Batches, InputConfig, Inputs, Item};

    let input = InputConfig {
        base_url: None,
        spool_directory: directory.into(),
        passed_by: Vec::new(),
        limits: config.limits,
    };
    let names: Vec<String> = (reprise_crawl::archives(directory).iter())
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    let sources: Arc<[_]> = Inputs::open(&names, &input).unwrap().sources.into();
    let mut batches = Batches::new(sources.clone(), config.limits);
    let mut reader = BatchReader::new(sources, config.limits);
    let mut urls = BTreeMap::new();
    while let Some(batch) = batches.next_batch() {
        reader.read(&batch, None, &mut |_, item| {
            if let Item::Page(page) = item {
                *urls.entry(page.url.to_owned()).or_default() += 1;
            }
        });
    }
    urls
}

#[test]
fn a_crawl_continues_after_a_cut_anywhere() {
    let server = Server::start(answer);
    let whole = tempfile::tempdir().unwrap();
    let mut settings = config(&server.url("/"), whole.path());
    // With a small depth every page is fetched, so the set of pages does not depend on the order of arrival.
    settings.depth_max = 2;
    settings.archive_bytes_max = 30_000;
    let (summary, whole_notes) = run(&settings);
    let pages = whole_notes.arrived.borrow().len();
    assert!(pages > 80, "{pages}");
    let expected = archived(whole.path(), &settings);
    assert!(expected.values().all(|count| *count == 1));
    let last = summary.archives.last().unwrap();
    let bytes = std::fs::read(last).unwrap();
    assert!(summary.archives.len() > 1);

    let mut state = 1u64;
    let mut cuts: Vec<usize> = (0..12)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % bytes.len()
        })
        .collect();
    cuts.extend([0, 1, 10, bytes.len() - 1]);
    for cut in cuts {
        let directory = tempfile::tempdir().unwrap();
        for path in &summary.archives {
            std::fs::copy(path, directory.path().join(path.file_name().unwrap())).unwrap();
        }
        let broken = directory.path().join(last.file_name().unwrap());
        std::fs::write(&broken, &bytes[..cut]).unwrap();
        settings.directory = directory.path().to_owned();
        let before = summary_of(directory.path(), &settings).unwrap();
        assert_eq!(
            std::fs::metadata(&broken).unwrap().len(),
            cut as u64,
            "reading the summary changes nothing"
        );
        let (after, notes) = run(&settings);
        assert_eq!(after.resumed, before.resumed);
        assert_eq!(notes.arrived.borrow().len(), pages);
        let found = archived(directory.path(), &settings);
        assert!(found.values().all(|count| *count == 1), "cut at {cut}");
        assert_eq!(found.len(), expected.len(), "cut at {cut}");
        assert_eq!(
            found.keys().collect::<BTreeSet<_>>(),
            expected.keys().collect(),
            "cut at {cut}"
        );
        assert_eq!(
            (after.unique, after.exact, after.near),
            (summary.unique, summary.exact, summary.near),
            "cut at {cut}"
        );
    }
}

#[test]
fn a_stopped_crawl_continues() {
    let server = Server::start(answer);
    let directory = tempfile::tempdir().unwrap();
    let mut settings = config(&server.url("/"), directory.path());
    settings.depth_max = 3;
    let mut runs = 0;
    loop {
        let notes = Notes {
            stop_after: Some(25),
            ..Notes::default()
        };
        let summary = crawl(&settings, &notes).unwrap();
        runs += 1;
        if summary.stopped.is_none() {
            assert_eq!(summary.left, 0);
            break;
        }
        assert_eq!(
            summary.stopped.map(|end| end.reason),
            Some(CrawlEndReason::Asked)
        );
        assert!(runs < 50);
    }
    assert!(runs > 3);
    let log = server.log();
    assert_eq!(
        log.iter().collect::<BTreeSet<_>>().len(),
        log.len(),
        "nothing is fetched twice"
    );
    assert!(
        archived(directory.path(), &settings)
            .values()
            .all(|count| *count == 1)
    );
}

#[test]
fn damage_far_from_the_end_is_an_error() {
    let server = Server::start(answer);
    let directory = tempfile::tempdir().unwrap();
    let mut settings = config(&server.url("/"), directory.path());
    settings.pages_max = 5;
    let (summary, _) = run(&settings);
    let archive = &summary.archives[0];
    let mut bytes = std::fs::read(archive).unwrap();
    bytes.resize(300 << 20, 0);
    std::fs::write(archive, &bytes).unwrap();
    let found = crawl(&settings, &Notes::default());
    assert!(
        matches!(found, Err(CrawlError::Damaged { .. })),
        "{found:?}"
    );
}

#[test]
fn a_second_crawl_in_the_same_directory_is_refused() {
    let server = Server::start(answer);
    let directory = tempfile::tempdir().unwrap();
    let settings = config(&server.url("/"), directory.path());
    std::fs::write(directory.path().join("crawl-00000.warc.gz"), b"").unwrap();
    let other = std::fs::File::open(directory.path().join("crawl-00000.warc.gz")).unwrap();
    other.lock().unwrap();
    assert!(matches!(
        crawl(&settings, &Notes::default()),
        Err(CrawlError::Busy { .. })
    ));
}

#[test]
fn invalid_options_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let good = config("http://example.com/", directory.path());
    let refused = |change: &dyn Fn(&mut reprise_crawl::CrawlConfig)| {
        let mut config = good.clone();
        change(&mut config);
        crawl(&config, &Notes::default()).is_err()
    };
    assert!(refused(
        &|config| config.user_agent = "evil\r\nX: y".to_owned()
    ));
    assert!(refused(&|config| config.user_agent.clear()));
    assert!(refused(&|config| config.score = 0));
    assert!(refused(&|config| config.stop.bound = 0.0));
    assert!(refused(
        &|config| config.seeds = vec!["mailto:x@y.z".to_owned()]
    ));
}
