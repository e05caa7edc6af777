use url::Url;

use super::{Found, Frontier};
use crate::analyse::Purpose;
use crate::config::Order;
use crate::yields::Gain;

fn add(frontier: &mut Frontier, url: &str, depth: u32) -> Option<u32> {
    let found = Found {
        depth,
        hops: 0,
        purpose: Purpose::Page,
    };
    frontier.add(&Url::parse(url).unwrap(), found)
}

fn order(frontier: &mut Frontier) -> Vec<String> {
    std::iter::from_fn(|| frontier.take_next(0))
        .map(|id| id.to_string())
        .collect()
}

#[test]
fn breadth_first_goes_by_depth_and_discovery() {
    let mut frontier = Frontier::new(Order::Breadth);
    for (url, depth) in [
        ("http://a.com/x/1", 2),
        ("http://a.com/y/1", 1),
        ("http://a.com/x/2", 1),
    ] {
        add(&mut frontier, url, depth).unwrap();
    }
    assert_eq!(
        add(&mut frontier, "http://a.com/x/1", 0),
        None,
        "a URL is added once"
    );
    assert_eq!(frontier.waiting(), 3);
    assert_eq!(order(&mut frontier), ["1", "2", "0"]);
    assert_eq!(frontier.waiting(), 0);
}

#[test]
fn patterns_with_new_content_come_first() {
    let mut frontier = Frontier::new(Order::Learned);
    for number in 0..4 {
        add(&mut frontier, &format!("http://a.com/old/{number}"), 1).unwrap();
        add(&mut frontier, &format!("http://a.com/new/{number}"), 1).unwrap();
    }
    let pattern = |frontier: &Frontier, id| frontier.entry(id).pattern;
    for _ in 0..5 {
        let (old, new) = (pattern(&frontier, 0), pattern(&frontier, 1));
        frontier.yields.learn(old, Gain::default());
        let gain = Gain {
            is_new: true,
            ..Gain::default()
        };
        frontier.yields.learn(new, gain);
    }
    assert_eq!(
        order(&mut frontier),
        ["1", "3", "5", "7", "0", "2", "4", "6"]
    );
}

#[test]
fn aliases_come_last() {
    let mut frontier = Frontier::new(Order::Learned);
    for url in [
        "http://a.com/p?sid=1",
        "http://a.com/p?sid=2",
        "http://a.com/q",
        "http://a.com/q?utm_source=x",
        "http://a.com/r",
    ] {
        add(&mut frontier, url, 1).unwrap();
    }
    let order = order(&mut frontier);
    assert_eq!(order[3..], ["1", "3"], "{order:?}");
}

#[test]
fn idle_parameters_are_learned() {
    let mut frontier = Frontier::new(Order::Learned);
    for number in 0..10 {
        add(&mut frontier, &format!("http://a.com/{number}?lang=en"), 1).unwrap();
    }
    for number in 0..10 {
        add(&mut frontier, &format!("http://a.com/{number}?lang=de"), 1).unwrap();
    }
    for number in 0..4 {
        for id in [number, number + 10] {
            frontier.take(id);
            frontier.learn_alias(id, number, &|_| None);
        }
    }
    let order = order(&mut frontier);
    assert_eq!(order.len(), 12);
    let first: Vec<u32> = order[..6].iter().map(|id| id.parse().unwrap()).collect();
    assert!(
        first.iter().all(|id| *id < 10),
        "one of each pair comes first: {order:?}"
    );
}

#[test]
fn a_url_is_not_taken_twice() {
    for by in [Order::Learned, Order::Breadth] {
        let mut frontier = Frontier::new(by);
        for number in 0..4 {
            add(&mut frontier, &format!("http://a.com/{number}"), 1).unwrap();
        }
        frontier.take(0);
        frontier.take(2);
        frontier.take(2);
        assert_eq!(frontier.waiting(), 2);
        assert_eq!(order(&mut frontier), ["1", "3"]);
        frontier.return_to_queue(2);
        assert_eq!(order(&mut frontier), ["2"]);
    }
}
