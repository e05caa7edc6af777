fn main() {
    use reprise::ingest::*; use reprise::store::*; use reprise::*;
    let a: Vec<String> = std::env::args().skip(1).collect();
    let limits = Limits { body_bytes: 16 << 20, header_bytes: 1 << 16, ratio: 300, nesting: 4 };
    let threads: usize = a[0].parse().unwrap();
    let inputs = Inputs::open(&a[2..], &InputConfig { base_url: Some("http://doc.example.com/".into()), spool_directory: "/tmp".into(), limits }).unwrap();
    let mut c = CorpusWriter::open(std::path::Path::new(&a[1]), None, None).unwrap();
    let config = IndexConfig { threads, memory_bytes: 1 << 30, segment_bytes: (1 << 30) / 3, limits };
    let t = std::time::Instant::now();
    let s = index(&inputs, &mut c, &config, &()).unwrap();
    println!("{} pages {} chunks {} in {} body {} segs {:?}", s.pages, s.chunks, s.bytes_in, s.bytes_body, s.segments, t.elapsed());
    for (k, n) in s.records.iter() { println!("  {} {}", k.as_str(), n); }
    for (k, n, e) in s.tally.iter() { println!("  {k} {n} {e:?}"); }
    println!("disk {} distinct {}", c.corpus().bytes_on_disk(), count_distinct(c.corpus()).unwrap());
}
