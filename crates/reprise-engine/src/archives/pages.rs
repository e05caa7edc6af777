//! Reads many pages back from their archives, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use reprise_ingest::{Page, Place, RecordLimits, Source};
use reprise_near::Unreadable;
use reprise_store::{CorpusReader, GROUP_ROWS, PageRef, Segment, StoreError};

use super::sources::{Archives, places, unreadable};

/// Reads pages of a corpus back.
pub(crate) struct ArchivePages<'c> {
    pub(crate) corpus: &'c CorpusReader,
    pub(crate) limits: RecordLimits,
    pub(crate) threads: usize,
}

/// The number of neighbouring pages that a thread takes at a time, so that it opens an archive once.
const AT_A_TIME: usize = 256;

/// Some pages of one source.
struct Job {
    segment: u32,
    source: usize,
    places: Vec<Place>,
    /// The index of each page in the request.
    indices: Vec<usize>,
}

/// The results of a thread: for each page its index, and what was taken of it.
type Message<T> = Result<Vec<(usize, Result<T, Unreadable>)>, StoreError>;

/// Takes something of a page. Each thread has its own.
pub(crate) trait Take<T>: FnMut(&Page<'_>) -> T {}
impl<T, F: FnMut(&Page<'_>) -> T> Take<T> for F {}

impl ArchivePages<'_> {
    /// Reads pages in any order. `take` is called once per thread; what it returns is called with each page.
    /// `give` is called on the calling thread with the index of each page and the result.
    pub(crate) fn read<T: Send, F: Take<T>>(
        &self,
        pages: &[PageRef],
        take: impl Fn() -> F + Sync,
        mut give: impl FnMut(usize, Result<T, Unreadable>) -> Result<(), StoreError>,
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
            // If this ends early, sending fails and the threads end too.
            receiver.into_iter().try_for_each(|message: Message<T>| {
                message?
                    .into_iter()
                    .try_for_each(|(index, taken)| give(index, taken))
            })
        })
    }

    /// Groups the pages by source. A source that has to be read from its beginning is one job; others are
    /// divided, so that all threads have work.
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

/// Reads the pages of a job and sends them from time to time. Returns false if the receiver is gone.
fn read_job<T>(
    job: &Job,
    archives: &mut Archives,
    take: &mut impl Take<T>,
    sender: &SyncSender<Message<T>>,
) -> bool {
    let mut is_found = vec![false; job.places.len()];
    let mut some = Vec::new();
    let mut is_heard = true;
    let result = if archives.is_stream(job.source) {
        Err(unreadable("it came from standard input"))
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
        .unwrap_or_else(|| unreadable("the archive has changed since it was indexed"));
    let lost = (0..job.places.len()).filter(|&place| !is_found[place]);
    some.extend(lost.map(|place| (job.indices[place], Err(reason.clone()))));
    is_heard && sender.send(Ok(some)).is_ok()
}
