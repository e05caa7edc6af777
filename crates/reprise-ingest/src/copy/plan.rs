//! The ranges of a source to leave out: those of dropped pages, and of the records about them.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;

use reprise_fingerprint::{Fingerprint, HashKind};

use crate::fields::fields;
use crate::record::{Place, RecordKind};
use crate::warc;

/// A position in a source: the offset in the file (or the number of a row), then the offset inside the unpacked
/// member.
pub(super) type Spot = (u64, u64);

/// The number of requests and metadata records that are remembered until their page comes, which may be
/// dropped. Writers put them next to each other, but crawlers with many connections mix them.
const RECENT_MAX: usize = 512;

/// The ranges of a source to leave out, in order. No two of them touch.
#[derive(Debug, Default)]
pub(super) struct Cuts(Vec<Range<Spot>>);

impl Cuts {
    fn new(mut cuts: Vec<Range<Spot>>) -> Cuts {
        cuts.sort_unstable_by_key(|cut| cut.start);
        cuts.dedup_by(|next, cut| {
            let touches = next.start <= cut.end;
            if touches {
                cut.end = cut.end.max(next.end);
            }
            touches
        });
        Cuts(cuts)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Range<Spot>> {
        self.0.iter()
    }

    /// Returns the cuts that overlap these rows of a table, as ranges of rows.
    pub(super) fn rows_among(&self, rows: &Range<u64>) -> Vec<Range<u64>> {
        let from = self.0.partition_point(|cut| cut.end.0 <= rows.start);
        let to = self.0.partition_point(|cut| cut.start.0 < rows.end);
        let among = self.0[from..to.max(from)].iter();
        among.map(|cut| cut.start.0..cut.end.0).collect()
    }

    /// Returns true if the record at this place is left out.
    pub(super) fn holds(&self, place: Place) -> bool {
        let spot = (place.offset, place.within);
        let behind = self.0.partition_point(|cut| cut.start <= spot);
        behind > 0 && spot < self.0[behind - 1].end
    }
}

/// Takes the records of a source in order, and collects the ranges to leave out.
#[derive(Default)]
pub(super) struct Planner {
    cuts: Vec<Range<Spot>>,
    open: Option<Unit>,
    /// The offset of the last member or record.
    offset: Option<u64>,
    pairs: Pairs,
    paired: u64,
}

/// A record whose end is not known yet: it extends to the next record, including the separator.
struct Unit {
    start: Spot,
    is_cut: bool,
    links: Option<Links>,
}

impl Planner {
    /// Adds the next record. `head` is given for WARC, whose records refer to one another.
    pub(super) fn record(&mut self, place: Place, head: Option<&[u8]>, is_dropped: bool) {
        // White space before the first record of a member is part of that record.
        let is_first = self.offset != Some(place.offset);
        let start = (place.offset, if is_first { 0 } else { place.within });
        self.step_to(start);
        let links = head.and_then(|head| Links::of(head, is_dropped));
        let mut is_cut = is_dropped;
        if let Some(links) = &links {
            if is_dropped {
                let before = self.cuts.len();
                self.cuts.extend(self.pairs.drop(links));
                self.paired += (self.cuts.len() - before) as u64;
            } else {
                is_cut = self.pairs.belongs_to_dropped(links);
                self.paired += u64::from(is_cut);
            }
        }
        self.open = Some(Unit {
            start,
            is_cut,
            links: links.filter(|_| !is_cut),
        });
    }

    /// Adds bytes that are not a record, and are kept.
    pub(super) fn problem(&mut self, offset: u64) {
        // Inside a member, these bytes belong to the record before them.
        if self.offset.is_none_or(|last| last < offset) {
            self.step_to((offset, 0));
        }
    }

    fn step_to(&mut self, spot: Spot) {
        self.offset = Some(spot.0);
        let Some(unit) = self.open.take() else {
            return;
        };
        if unit.is_cut {
            self.cuts.push(unit.start..spot);
        } else if let Some(links) = unit.links {
            self.pairs.remember(links, unit.start..spot);
        }
    }

    /// Returns the ranges to leave out, and the number of records in them that are not pages.
    pub(super) fn finish(mut self) -> (Cuts, u64) {
        self.step_to((u64::MAX, 0));
        (Cuts::new(self.cuts), self.paired)
    }
}

/// The id of a record, and the ids of records that it names.
struct Links {
    own: Option<Fingerprint>,
    named: Vec<Fingerprint>,
}

impl Links {
    /// Reads the links of a dropped page, of a request or of metadata. Other records do not need theirs.
    fn of(head: &[u8], is_dropped: bool) -> Option<Links> {
        let kind = warc::parse_head(head).kind;
        let is_companion = matches!(kind, RecordKind::Request | RecordKind::Metadata);
        if !is_dropped && !is_companion {
            return None;
        }
        let mut links = Links {
            own: None,
            named: Vec::new(),
        };
        for (name, value) in fields(head) {
            let id = || HashKind::Sha256.fingerprint(warc::without_brackets(value));
            if name.eq_ignore_ascii_case(b"warc-record-id") {
                links.own = Some(id());
            } else if name.eq_ignore_ascii_case(b"warc-concurrent-to")
                || (is_companion && name.eq_ignore_ascii_case(b"warc-refers-to"))
            {
                links.named.push(id());
            }
        }
        Some(links)
    }
}

/// Finds the requests and metadata of dropped pages. Either record may name the other.
#[derive(Default)]
struct Pairs {
    /// The ids of dropped pages, and of the records that they name.
    dropped: HashSet<Fingerprint>,
    /// Requests and metadata whose page may still come.
    recent: VecDeque<(Links, Range<Spot>)>,
}

impl Pairs {
    fn remember(&mut self, links: Links, range: Range<Spot>) {
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back((links, range));
    }

    fn belongs_to_dropped(&self, links: &Links) -> bool {
        let mut ids = links.own.iter().chain(&links.named);
        ids.any(|id| self.dropped.contains(id))
    }

    /// Registers a dropped page, and returns the ranges of earlier records that are dropped with it.
    fn drop(&mut self, links: &Links) -> Vec<Range<Spot>> {
        let ids: Vec<Fingerprint> = links.own.iter().chain(&links.named).copied().collect();
        let mut gone = Vec::new();
        self.recent.retain(|(recent, range)| {
            let mut theirs = recent.own.iter().chain(&recent.named);
            let is_gone = theirs.any(|id| ids.contains(id));
            if is_gone {
                gone.push(range.clone());
            }
            !is_gone
        });
        self.dropped.extend(ids);
        gone
    }
}
