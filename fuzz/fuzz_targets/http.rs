//! Reads any bytes as the HTTP response in a valid WARC record. Checks that there is one record, which
//! becomes a page within the limits or a problem.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reprise_fuzz::{LIMITS, Order, Seen, read};
use reprise_ingest::{RecordKind, Source};

const URL: &str = "http://example.com/";

fuzz_target!(|block: &[u8]| {
    if block.len() > LIMITS.record_bytes() {
        return;
    }
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {URL}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    let bytes = [head.as_bytes(), block, b"\r\n\r\n"].concat();
    let source = Source::from_bytes("x.warc", bytes, &LIMITS).expect("memory can be read");
    let seen = read(&source, None, Order::FromTheFront);

    let (first, rest) = seen.split_first().expect("a record");
    assert_eq!(*first, Seen::Record(RecordKind::Response));
    assert!(!rest.is_empty(), "neither page nor problem");
    let mut pages = 0;
    for item in rest {
        match item {
            Seen::Record(kind) => panic!("a second record: {kind:?}"),
            Seen::Problem(_, offset, url, _) => {
                assert_eq!((*offset, url.as_deref()), (0, Some(URL)));
            }
            Seen::Page(page) => {
                pages += 1;
                assert_eq!(page.url, URL);
                assert!(
                    page.body.len() <= LIMITS.body_bytes,
                    "a body over the limit"
                );
            }
        }
    }
    assert!(pages <= 1, "one record became {pages} pages");
});
