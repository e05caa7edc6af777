//! Writes simple PDFs with one compressed page of text.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Writes a PDF that shows these paragraphs of lines. Latin lines are in Helvetica, others in a font with
/// two-byte codes and a `ToUnicode` table. Lines of Arabic and Hebrew are painted from the left.
pub(crate) fn pdf(paragraphs: &[Vec<String>]) -> Vec<u8> {
    let mut chars: Vec<char> = Vec::new();
    let mut content = String::from("BT /F1 12 Tf 14 TL 72 760 Td\n");
    for lines in paragraphs {
        for line in lines {
            let latin: Option<Vec<u8>> = line.chars().map(win_ansi).collect();
            if let Some(bytes) = latin {
                content += "/F1 12 Tf (";
                for byte in bytes {
                    write!(content, "\\{byte:03o}").expect("to a string");
                }
                content += ") Tj T*\n";
            } else {
                let is_right_to_left = line.contains(|char| ('\u{590}'..'\u{700}').contains(&char));
                let mut codes = Vec::new();
                for char in line.chars() {
                    let index = chars.iter().position(|known| *known == char);
                    let index = index.unwrap_or_else(|| {
                        chars.push(char);
                        chars.len() - 1
                    });
                    codes.push(format!("{:04x}", index + 1));
                }
                if is_right_to_left {
                    codes.reverse();
                }
                writeln!(content, "/F2 12 Tf <{}> Tj T*", codes.concat()).expect("to a string");
            }
        }
        content += "T*\n";
    }
    content += "ET";
    let mut table = String::from("1 begincodespacerange <0000> <ffff> endcodespacerange\n");
    for (index, char) in chars.iter().enumerate() {
        let mut units = [0; 2];
        let units = char.encode_utf16(&mut units).iter();
        let units: Vec<String> = units.map(|unit| format!("{unit:04x}")).collect();
        let units = units.concat();
        writeln!(
            table,
            "1 beginbfchar <{:04x}> <{units}> endbfchar",
            index + 1
        )
        .expect("to a string");
    }
    file(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R\
          /Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>"
            .to_vec(),
        stream(content.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
        b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 8 0 R\
          /DescendantFonts[7 0 R]>>"
            .to_vec(),
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/X/DW 1000\
          /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>"
            .to_vec(),
        stream(table.as_bytes()),
    ])
}

/// Writes a file of these objects, numbered from 1.
pub(crate) fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", index + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    file.extend(
        format!("trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n").bytes(),
    );
    file
}

pub(crate) fn stream(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).expect("in memory");
    let packed = encoder.finish().expect("in memory");
    let mut object =
        format!("<</Filter/FlateDecode/Length {}>>stream\n", packed.len()).into_bytes();
    object.extend(packed);
    object.extend(b"\nendstream");
    object
}

fn win_ansi(char: char) -> Option<u8> {
    match char {
        ' '..='~' | '\u{a0}'..='\u{ff}' => Some(char as u8),
        '\u{2018}' => Some(0x91),
        '\u{2019}' => Some(0x92),
        '\u{201c}' => Some(0x93),
        '\u{201d}' => Some(0x94),
        '\u{2022}' => Some(0x95),
        '\u{2013}' => Some(0x96),
        '\u{2014}' => Some(0x97),
        '\u{2026}' => Some(0x85),
        _ => None,
    }
}
