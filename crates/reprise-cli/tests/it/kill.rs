//! After `kill -9` at any moment, the same command makes the same corpus as an undisturbed run, byte for byte.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Place, stderr};

const INDEX: &str = "index web --segment-size 150K --threads 2 -q --corpus";

#[test]
fn killed_runs_continue() {
    let place = Place::with_web();
    let started = Instant::now();
    assert!(place.run(&format!("{INDEX} whole")).status.success());
    let whole_run = started.elapsed();
    let whole = place.files("whole");
    let strip = |files: &std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>, name: &str| {
        let root = place.path(name);
        files
            .iter()
            .map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_owned(), bytes.clone()))
            .collect::<Vec<_>>()
    };
    let (mut kills, mut rounds) = (0, 0);
    // Moments that are spread evenly over a run, in an irregular order.
    while kills < 24 {
        let corpus = format!("killed-{rounds}");
        for attempt in 0..4 {
            let share = f64::from((rounds * 7 + attempt * 5) % 16) / 16.0;
            let mut child = place.command(&format!("{INDEX} {corpus}")).spawn().unwrap();
            sleep(whole_run.mul_f64(share));
            child.kill().unwrap();
            kills += usize::from(!child.wait().unwrap().success());
        }
        assert!(place.run(&format!("{INDEX} {corpus}")).status.success());
        assert!(
            strip(&place.files(&corpus), &corpus) == strip(&whole, "whole"),
            "round {rounds}"
        );
        rounds += 1;
        assert!(
            started.elapsed() < Duration::from_mins(5),
            "{kills} kills in {rounds} rounds"
        );
    }
    println!("{kills} kills, {rounds} corpora");
}

#[test]
fn a_killed_demo_can_be_run_again() {
    let place = Place::new();
    let mut child = place.command("demo d --scale 100").spawn().unwrap();
    while !place.path("d/crawl-00001.warc.gz").is_file() {
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "killed while it writes");
    assert!(!place.path("d/corpus").exists());
    let again = place.run("demo d");
    assert!(again.status.success(), "{}", stderr(&again));
}
