//! Every stage as a function of a corpus, with its whole result as JSON, for tests of all of them.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::lab::{CompareOptions, EditKind, EvadeOptions};
use reprise_engine::signatures::attack::AttackOptions;
use reprise_engine::signatures::{Signing, SigningOptions, TrainOptions};
use reprise_engine::{
    AttackInputs, Bands, CampaignOptions, ConvertOptions, Corpus, DetectOptions, DiscoverOptions,
    DropOptions, Error, Format, IndexOptions, LabelOptions, Labels, LimitOptions, Link, Near,
    NearOptions, PhraseOptions, Progress, ReportOptions, Resources, ResultFile, SampleOptions,
    Settings, TrainInputs, VerifyOptions, drop_pages, label_pages, render, sign_documents,
    simulate_attacks, train, verify_corpus,
};
use serde::Serialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{name, planted_web};

/// A part of the planted web, its corpus of several segments, and results that some stages need.
pub(crate) struct Web {
    pub(crate) directory: TempDir,
    pub(crate) names: Vec<String>,
    /// A few pages of the web.
    page_names: Vec<String>,
    labels: PathBuf,
    clusters: PathBuf,
    signing: Signing,
}

/// One call of a stage: the resources, an existing directory for its files, and the progress.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) resources: Resources,
    pub(crate) out: &'c Path,
    pub(crate) progress: &'c dyn Progress,
}

type Run = fn(&Web, Call<'_>) -> Result<Value, Error>;

/// All stages after indexing.
pub(crate) const STAGES: [(&str, Run); 20] = [
    ("discover", discover),
    ("label", label),
    ("detect", detect),
    ("near, verified", near_verified),
    ("near, closure", near_closure),
    ("near, fuzzy", near_fuzzy),
    ("near, imatch", near_imatch),
    ("near, exact", near_exact),
    ("phrases", phrases),
    ("sources", sources),
    ("sampled sources", sample_sources),
    ("sites", sites),
    ("drop", drop_copies),
    ("verify", verify),
    ("report", report),
    ("train", train_lexicon),
    ("sign", sign),
    ("attack", attack),
    ("evade", evade),
    ("compare hashes", compare_hashes),
];

impl Web {
    pub(crate) fn new() -> Web {
        let directory = tempfile::tempdir().unwrap();
        let mut names = planted_web(&directory.path().join("web"));
        // Some stages read every page several times.
        names.truncate(3);
        let settings = Settings {
            shingles: true,
            ..Settings::default()
        };
        let path = directory.path().join("corpus");
        let mut corpus = Corpus::create(&path, settings).unwrap();
        let options = IndexOptions {
            segment_bytes: Some(400 << 10),
            ..IndexOptions::default()
        };
        let added = corpus.index(&names, &options, &()).unwrap();
        assert!(added.segments > 2, "{} segments", added.segments);
        let labels = directory.path().join("labels.parquet");
        let file = ResultFile::new(&labels).unwrap();
        let options = DiscoverOptions::default();
        corpus.discover(&options, Some(&file), &()).unwrap();
        let clusters = directory.path().join("clusters.parquet");
        let file = ResultFile::new(&clusters).unwrap();
        let (method, options) = (Near::default(), NearOptions::default());
        let found = corpus.near(&method, &options, Some(&file), &()).unwrap();
        assert!(found.copies.removable > 10);
        let convert = ConvertOptions::default();
        let signing = corpus.train_signing(&SigningOptions::default(), &convert, &());
        let page_names = pages(&directory.path().join("pages"));
        Web {
            names,
            page_names,
            labels,
            clusters,
            signing: signing.unwrap(),
            directory,
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("corpus")
    }

    fn corpus(&self, call: Call<'_>) -> Result<Corpus, Error> {
        Corpus::open(self.path())?.with_resources(call.resources)
    }
}

/// Writes a few plain pages that share words.
fn pages(directory: &Path) -> Vec<String> {
    fs::create_dir(directory).unwrap();
    let shared = "cheap mortgage rates fell again while the famous minister praised young doctors";
    let page = |number: usize| {
        let path = directory.join(format!("{number}.txt"));
        let text = format!("page {number} says that {shared} in town {}", number % 3);
        fs::write(&path, text).unwrap();
        name(&path)
    };
    (0..12).map(page).collect()
}

fn value(result: &impl Serialize) -> Value {
    serde_json::to_value(result).unwrap()
}

fn discover(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let file = ResultFile::new(call.out.join("labels.parquet"))?;
    let options = DiscoverOptions::default();
    let found = (web.corpus(call)?).discover(&options, Some(&file), call.progress)?;
    assert!(found.labeled > 0);
    Ok(value(&found))
}

fn label(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let file = ResultFile::new(call.out.join("labels.parquet"))?;
    let options = LabelOptions::default();
    let inputs = &web.names[..2];
    let made = label_pages(inputs, &options, &file, call.resources, call.progress)?;
    assert!(made.labels > 0);
    Ok(value(&made))
}

fn detect(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let labels = Labels::open(&web.labels)?;
    let output = Some((call.out, Format::Jsonl));
    let options = DetectOptions::default();
    let found = (web.corpus(call)?).detect(&labels, &options, output, call.progress)?;
    assert!(found.matched.chunks > 0);
    Ok(value(&found))
}

fn near(web: &Web, call: Call<'_>, method: &Near<'_>) -> Result<Value, Error> {
    let file = ResultFile::new(call.out.join("clusters.csv"))?;
    let options = NearOptions::default();
    let found = (web.corpus(call)?).near(method, &options, Some(&file), call.progress)?;
    assert!(found.copies.clusters > 0);
    let (rows, terms) = (format!("{:?}", found.rows), &found.terms);
    Ok(json!({"copies": value(&found.copies), "rows": rows, "terms": terms}))
}

fn near_verified(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    near(web, call, &Near::default())
}

fn near_closure(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let link = Link::Closure {
        bands: Bands::PAPER,
    };
    near(web, call, &Near::Shingle { link })
}

fn near_fuzzy(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    near(web, call, &Near::Fuzzy { score: 80 })
}

fn near_imatch(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let method = Near::Imatch {
        shared: 0.2,
        signing: &web.signing,
    };
    near(web, call, &method)
}

fn near_exact(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    near(web, call, &Near::Exact)
}

fn phrases(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let found = (web.corpus(call)?).phrases(PhraseOptions::default(), call.progress)?;
    assert!(found.popular > 0);
    Ok(value(&found))
}

fn sources(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let corpus = web.corpus(call)?;
    let mut last = String::new();
    corpus.for_each_url(|_, url| {
        last = String::from_utf8_lossy(url).into_owned();
        Ok::<_, Error>(())
    })?;
    let found = corpus.sources(&last, PhraseOptions::default(), true, call.progress)?;
    Ok(value(&found))
}

fn sample_sources(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let sample = SampleOptions {
        popular_min: 5,
        ..SampleOptions::default()
    };
    let options = PhraseOptions::default();
    let found = (web.corpus(call)?).sample_sources(&sample, options, false, call.progress)?;
    assert!(!found.pages.is_empty());
    Ok(value(&found))
}

fn sites(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let found = (web.corpus(call)?).sites(PhraseOptions::default(), call.progress)?;
    Ok(value(&found))
}

fn drop_copies(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let options = DropOptions {
        clusters: web.clusters.clone(),
        output: call.out.join("kept"),
        limits: LimitOptions::default(),
        dry_run: false,
    };
    let done = drop_pages(&web.names, &options, call.progress)?;
    assert!(done.dropped > 10);
    Ok(value(&done))
}

fn verify(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let options = VerifyOptions {
        archives: true,
        ..VerifyOptions::default()
    };
    let found = verify_corpus(&web.path(), &options, call.resources, call.progress)?;
    assert!(found.ok);
    Ok(value(&found))
}

fn report(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let options = ReportOptions {
        campaigns: CampaignOptions {
            in_any_corpus: true,
            ..CampaignOptions::default()
        },
        ..ReportOptions::default()
    };
    let found = (web.corpus(call)?).report(&options, Some(call.out), call.progress)?;
    Ok(json!({"report": value(&found), "html": render(&found)}))
}

fn train_lexicon(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let inputs = TrainInputs {
        ham: vec![name(&web.path())],
        spam: web.page_names.clone(),
        ..TrainInputs::default()
    };
    let options = TrainOptions::default();
    let convert = ConvertOptions::default();
    let trained = train(
        &inputs,
        &options,
        true,
        &convert,
        call.resources,
        call.progress,
    )?;
    let contexts = trained.contexts.unwrap().to_bytes();
    Ok(json!([
        value(&trained.summary),
        trained.lexicon.to_bytes(),
        contexts
    ]))
}

fn sign(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let inputs = [vec![name(&web.path())], web.page_names.clone()].concat();
    let mut rows = Vec::new();
    let convert = ConvertOptions::default();
    let (resources, progress) = (call.resources, call.progress);
    let signed = sign_documents(
        &inputs,
        &web.signing,
        &convert,
        resources,
        progress,
        |document| {
            rows.push(value(&document));
            Ok::<(), Error>(())
        },
    )?;
    assert!(signed.signed > 0);
    Ok(json!([rows, format!("{signed:?}")]))
}

fn attack(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let inputs = AttackInputs {
        payloads: vec![name(&web.path())],
        good: web.page_names.clone(),
        dictionary: None,
    };
    let options = AttackOptions {
        runs: 20,
        copies: 5,
        ..AttackOptions::default()
    };
    let convert = ConvertOptions::default();
    let (resources, progress) = (call.resources, call.progress);
    let found = simulate_attacks(
        &inputs,
        &web.signing,
        &options,
        &convert,
        resources,
        progress,
    )?;
    Ok(value(&found))
}

fn evade(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let options = EvadeOptions {
        documents: 2,
        edits: EditKind::ALL[..3].to_vec(),
        ..EvadeOptions::default()
    };
    Ok(value(&(web.corpus(call)?).evade(&options, call.progress)?))
}

fn compare_hashes(web: &Web, call: Call<'_>) -> Result<Value, Error> {
    let options = CompareOptions {
        pages: 40,
        ..CompareOptions::default()
    };
    let found = (web.corpus(call)?).compare_hashes(&options, call.progress)?;
    Ok(value(&found))
}
