//! A copy contains the source without the dropped pages, for any packing and any choice of pages.

use std::io::{Read, Write};

use proptest::prelude::*;

use super::CopyPlan;
use crate::error::RecordTooLarge;
use crate::limits::RecordLimits;
use crate::member::Compression;
use crate::source::Source;

use super::pack::Packed;

const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 10_000,
    header_bytes: 1000,
    ratio: 100,
    nesting: 2,
};

/// Returns the records of a page and its request. The shape decides about their order, and about which one
/// names the other.
fn capture(number: usize, shape: u8) -> Vec<String> {
    let record = |kind: &str, id: &str, more: &str, body: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{id}>\r\n\
             WARC-Target-URI: http://a/{number}\r\n{more}Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let body = "b".repeat(number % 7 * 40);
    let names = |id: &str| format!("WARC-Concurrent-To: <urn:{id}{number}>\r\n");
    let page = |more: &str| record("resource", &format!("p{number}"), more, &body);
    let request = |more: &str| record("request", &format!("q{number}"), more, "GET /");
    match shape % 4 {
        0 => vec![page(""), request(&names("p"))],
        1 => vec![request(""), page(&names("q"))],
        2 => vec![request(&names("p")), page("")],
        _ => vec![page("")],
    }
}

fn pack(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = Packed::new(compression, &[], &mut packed).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap();
    packed
}

/// Packs captures as an archive with `by` records in a member, or with all records in one member.
fn archive(captures: &[Vec<String>], compression: Compression, by: Option<usize>) -> Vec<u8> {
    let records = captures.concat();
    if compression == Compression::None {
        return records.concat().into_bytes();
    }
    let by = by.unwrap_or(records.len()).max(1);
    let members = records.chunks(by);
    members
        .flat_map(|member| pack(compression, member.concat().as_bytes()))
        .collect()
}

fn unpack(source: &Source, compression: Compression) -> Vec<u8> {
    let mut unpacked = Vec::new();
    let input = std::io::BufReader::new(source.open_at(0).unwrap());
    crate::member::stream_decoder(input, compression, &LIMITS)
        .unwrap()
        .read_to_end(&mut unpacked)
        .unwrap();
    unpacked
}

/// Copies a source without the pages for which `is_dropped` returns true. Returns the source, the plan and the
/// copy.
fn copy(
    name: &str,
    bytes: Vec<u8>,
    is_dropped: impl Fn(&str) -> bool,
) -> (Source, CopyPlan, Vec<u8>) {
    let source = Source::from_bytes(name, bytes, &LIMITS).unwrap();
    let plan = CopyPlan::new(&source, &LIMITS, &mut |_, url| is_dropped(url)).unwrap();
    let mut output = Vec::new();
    plan.write(&source, &LIMITS, &mut output).unwrap();
    (source, plan, output)
}

fn compressions() -> impl Strategy<Value = Compression> {
    use Compression::{Gzip, Lz4, None, Zstd};
    prop::sample::select(vec![None, Gzip, Zstd, Lz4])
}

proptest! {
    #[test]
    fn archives(
        shapes in prop::collection::vec((0_u8..4, any::<bool>()), 1..12),
        by in prop::option::of(1_usize..5),
        compression in compressions(),
    ) {
        let captures: Vec<Vec<String>> = shapes
            .iter()
            .enumerate()
            .map(|(number, (shape, _))| capture(number, *shape))
            .collect();
        let is_dropped = |url: &str| shapes[url[9..].parse::<usize>().unwrap()].1;
        let bytes = archive(&captures, compression, by);
        let (source, plan, output) = copy("x.warc", bytes.clone(), is_dropped);

        let kept: Vec<Vec<String>> = captures
            .iter()
            .zip(&shapes)
            .filter(|(_, (_, is_dropped))| !is_dropped)
            .map(|(capture, _)| capture.clone())
            .collect();
        let dropped = shapes.len() - kept.len();
        prop_assert_eq!((plan.pages, plan.dropped), (shapes.len() as u64, dropped as u64));
        let records = captures.concat().len() - kept.concat().len();
        prop_assert_eq!(plan.paired, (records - dropped) as u64);
        // With one record in each member, the copied bytes are the same.
        let is_one_by_one = compression == Compression::None || by == Some(1);
        if dropped == 0 {
            prop_assert_eq!(&output, &bytes);
        } else if is_one_by_one && compression != Compression::Lz4 {
            prop_assert_eq!(&output, &archive(&kept, compression, by));
        }
        if !output.is_empty() {
            let copied = Source::from_bytes("x.warc", output, &LIMITS).unwrap();
            let text = unpack(&copied, compression);
            prop_assert_eq!(String::from_utf8(text).unwrap(), kept.concat().concat());
            if dropped > 0 && compression != Compression::Lz4 {
                prop_assert!(copied.is_split(), "{:?} from {:?}", copied.layout, source.layout);
            }
        }
    }

    #[test]
    fn lines(dropped in prop::collection::vec(any::<bool>(), 1..12), compression in compressions()) {
        let line = |number: usize| format!("{{\"url\": \"http://a/{number}\",\t\"text\": \"ä\", \"x\": 1.0}}\r\n");
        let text = |keep: &dyn Fn(usize) -> bool| {
            (0..dropped.len()).filter(|number| keep(*number)).map(line).collect::<String>() + "no row\n"
        };
        let bytes = pack(compression, text(&|_| true).as_bytes());
        let (_, plan, output) = copy("x.jsonl", bytes, |url| dropped[url[9..].parse::<usize>().unwrap()]);
        prop_assert_eq!(plan.pages, dropped.len() as u64);
        let copied = Source::from_bytes("x.jsonl", output, &LIMITS).unwrap();
        prop_assert_eq!(
            String::from_utf8(unpack(&copied, compression)).unwrap(),
            text(&|number| !dropped[number])
        );
    }
}

#[test]
fn garbage_and_records_over_the_limit_are_kept() {
    let large = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/9\r\nContent-Length: 20000\r\n\r\n{}\r\n\r\n",
        "x".repeat(20_000)
    );
    let [page] = &capture(1, 3)[..] else {
        panic!("a page alone");
    };
    let parts = ["garbage\r\n", page, "more garbage\r\n", &large];
    let (_, plan, output) = copy("x.warc", parts.concat().into_bytes(), |_| true);
    assert_eq!(plan.dropped, 1);
    assert_eq!(
        output,
        ["garbage\r\n", "more garbage\r\n", &large]
            .concat()
            .into_bytes()
    );

    let members: Vec<u8> = parts
        .iter()
        .flat_map(|part| pack(Compression::Gzip, part.as_bytes()))
        .collect();
    let expected: Vec<u8> = [parts[0], parts[2], parts[3]]
        .iter()
        .flat_map(|part| pack(Compression::Gzip, part.as_bytes()))
        .collect();
    let (_, _, output) = copy("x.warc.gz", members, |_| true);
    assert_eq!(output, expected);

    // A record that would have to be packed again and exceeds the limit is refused, not lost.
    let source = Source::from_bytes(
        "x.warc.gz",
        pack(Compression::Gzip, parts.concat().as_bytes()),
        &LIMITS,
    )
    .unwrap();
    let plan = CopyPlan::new(&source, &LIMITS, &mut |_, _| true).unwrap();
    let error = plan.write(&source, &LIMITS, &mut Vec::new()).unwrap_err();
    let refused = error
        .get_ref()
        .and_then(|error| error.downcast_ref::<RecordTooLarge>());
    let body_bytes = LIMITS.body_bytes;
    assert_eq!(refused, Some(&RecordTooLarge { body_bytes }), "{error}");
}

#[test]
fn a_dictionary_is_kept_and_used() {
    let dictionary: Vec<u8> = capture(3, 0).concat().into_bytes().repeat(4);
    let mut bytes = 0x184d_2a5d_u32.to_le_bytes().to_vec();
    bytes.extend((dictionary.len() as u32).to_le_bytes());
    bytes.extend(&dictionary);
    let front = bytes.len();
    let packed = |text: &str| {
        let mut packed = Vec::new();
        let mut encoder = Packed::new(Compression::Zstd, &dictionary, &mut packed).unwrap();
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
        packed
    };
    for number in 0..4 {
        bytes.extend(packed(&capture(number, 3).concat()));
    }
    let both = [capture(4, 3), capture(5, 3)].concat().concat();
    bytes.extend(packed(&both));
    let (_, plan, output) = copy("x.warc.zst", bytes.clone(), |url| url.ends_with(['1', '4']));
    assert_eq!((plan.pages, plan.dropped), (6, 2));
    assert_eq!(output[..front], bytes[..front]);
    let (_, plan, again) = copy("x.warc.zst", output.clone(), |_| false);
    assert_eq!((plan.pages, again), (4, output));
}
