//! Many pages, read back from their archives on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use reprise_ingest::{Page, Place, RecordLimits, Source, is_of_stream};
use reprise_store::PageRef;
use reprise_store::{Corpus, GROUP_ROWS, Segment, StoreError};

use crate::evidence::{Archives, places};

/// Reads pages of a corpus again.
pub(crate) struct ArchivePages<'c> {
    /// The corpus.
    pub(crate) corpus: &'c Corpus,
    /// Hard limits on a record.
    pub(crate) limits: RecordLimits,
    /// Threads to use.
    pub(crate) threads: usize,
}

/// Pages that a thread takes at a time: neighbours, so that an archive is opened once for many.
const AT_A_TIME: usize = 256;

/// Some pages of one source.
struct Job {
    segment: u32,
    source: usize,
    places: Vec<Place>,
    /// Of each page, its index in what was asked for.
    indices: Vec<usize>,
}

/// What a thread sends: indices of pages, each with what was taken of it or why it cannot be read.
type Message<T> = Result<Vec<(usize, Result<T, String>)>, StoreError>;

/// What is done with a page; each thread has one of its own.
pub(crate) trait Take<T>: FnMut(&Page<'_>) -> T {}
impl<T, F: FnMut(&Page<'_>) -> T> Take<T> for F {}

impl ArchivePages<'_> {
    /// Reads these pages, in any order, with what `take` of each thread makes of them; gives each by its index in
    /// the list, or says why it cannot be read.
    pub(crate) fn read<T: Send, F: Take<T>>(
        &self,
        pages: &[PageRef],
        take: impl Fn() -> F + Sync,
        give: &mut dyn FnMut(usize, Result<T, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let jobs = self.jobs(pages)?;
        let next = AtomicUsize::new(0);
        let (sender, receiver) = sync_channel(2);
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, jobs.len().max(1)) {
                let (sender, next, jobs, take) = (sender.clone(), &next, &jobs, &take);
                scope.spawn(move || self.work(jobs, next, &mut take(), &sender));
            }
            drop(sender);
            // When this ends early, sending fails and the threads end too.
            receiver.into_iter().try_for_each(|message: Message<T>| {
                message?
                    .into_iter()
                    .try_for_each(|(index, taken)| give(index, taken))
            })
        })
    }

    /// Brings the pages of each source together. A source that has to be read from its beginning is one
    /// job; others are cut, so that all threads have something to do.
    fn jobs(&self, pages: &[PageRef]) -> Result<Vec<Job>, StoreError> {
        let mut found: Vec<(u32, usize, Place, usize)> = Vec::with_capacity(pages.len());
        let mut order: Vec<usize> = (0..pages.len()).collect();
        order.sort_unstable_by_key(|&index| pages[index]);
        let segments: Vec<Segment<'_>> = self.corpus.segments().collect();
        let group_of = |page: PageRef| (page.segment, page.page as usize / GROUP_ROWS);
        for same in order.chunk_by(|&a, &b| group_of(pages[a]) == group_of(pages[b])) {
            let (segment, group) = group_of(pages[same[0]]);
            let table = &segments[segment as usize];
            let places = places(table, &table.pages()?, group)?;
            found.extend(same.iter().map(|&index| {
                let (source, place) = places[pages[index].page as usize % GROUP_ROWS];
                (segment, source, place, index)
            }));
        }
        found.sort_unstable_by_key(|&(segment, source, place, index)| {
            (segment, source, place.offset, place.within, index)
        });
        let mut jobs = Vec::new();
        for same in found.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (segment, source, _, _) = same[0];
            let mut most = same.len();
            if same.len() > AT_A_TIME {
                let mut archives = Archives::of(&segments[segment as usize], &self.limits)?;
                if archives.source(source).is_ok_and(Source::is_split) {
                    most = AT_A_TIME;
                }
            }
            jobs.extend(same.chunks(most).map(|some| Job {
                segment,
                source,
                places: some.iter().map(|&(_, _, place, _)| place).collect(),
                indices: some.iter().map(|&(_, _, _, index)| index).collect(),
            }));
        }
        Ok(jobs)
    }

    fn work<T>(
        &self,
        jobs: &[Job],
        next: &AtomicUsize,
        take: &mut impl Take<T>,
        sender: &SyncSender<Message<T>>,
    ) {
        let segments: Vec<Segment<'_>> = self.corpus.segments().collect();
        let mut archives: Option<(u32, Archives)> = None;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if archives
                .as_ref()
                .is_none_or(|(open, _)| *open != job.segment)
            {
                match Archives::of(&segments[job.segment as usize], &self.limits) {
                    Ok(opened) => archives = Some((job.segment, opened)),
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                }
            }
            let Some((_, archives)) = &mut archives else {
                return;
            };
            if !read_job(job, archives, take, sender) {
                return;
            }
        }
    }
}

/// Reads the pages of a job, and sends what it finds from time to time; false if nobody listens.
fn read_job<T>(
    job: &Job,
    archives: &mut Archives,
    take: &mut impl Take<T>,
    sender: &SyncSender<Message<T>>,
) -> bool {
    let mut is_found = vec![false; job.places.len()];
    let mut some = Vec::new();
    let mut is_heard = true;
    let result = if archives
        .names
        .get(job.source)
        .is_some_and(|name| is_of_stream(name))
    {
        Err("it came from standard input".to_owned())
    } else {
        archives.pages(job.source, &job.places, &mut |place, page| {
            is_found[place] = true;
            some.push((job.indices[place], Ok(take(page))));
            if some.len() >= AT_A_TIME {
                is_heard &= sender.send(Ok(std::mem::take(&mut some))).is_ok();
            }
        })
    };
    let reason = result
        .err()
        .unwrap_or_else(|| "it is no longer what it was".to_owned());
    let lost = (0..job.places.len()).filter(|&place| !is_found[place]);
    some.extend(lost.map(|place| (job.indices[place], Err(reason.clone()))));
    is_heard && sender.send(Ok(some)).is_ok()
}
