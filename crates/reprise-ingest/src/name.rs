//! The name of a source: its path as text, from which the path can be restored.
//!
//! File names on Unix are bytes, and not all of them are UTF-8. In the name, each byte that is not UTF-8
//! becomes one private-use character, U+10FF00 plus the byte. If such a character occurs in a path, its four
//! bytes are written this way, so that every name belongs to one path only.

use std::path::{Path, PathBuf};

/// The code point that is added to a byte that is not UTF-8.
const MARK: u32 = 0x0010_ff00;

/// Returns the name of the file at `path`.
pub fn name_of(path: &Path) -> String {
    // On Unix these are the bytes of the path.
    name_of_bytes(path.as_os_str().as_encoded_bytes())
}

/// Returns the name of the file whose path has these bytes.
pub(crate) fn name_of_bytes(bytes: &[u8]) -> String {
    let mut name = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match byte_of(letter) {
                None => name.push(letter),
                Some(_) => push_marks(&mut name, letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push_marks(&mut name, chunk.invalid());
    }
    name
}

fn push_marks(name: &mut String, bytes: &[u8]) {
    let marks = bytes.iter().map(|&byte| MARK + u32::from(byte));
    name.extend(marks.filter_map(char::from_u32));
}

/// Returns the byte that a private-use character stands for. Bytes below 128 are always UTF-8, so no character
/// stands for them.
fn byte_of(letter: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(letter).checked_sub(MARK)?).ok()?;
    (byte >= 128).then_some(byte)
}

/// Returns the path of the file with this name.
pub fn path_of(name: &str) -> PathBuf {
    if !name.chars().any(|letter| byte_of(letter).is_some()) {
        return PathBuf::from(name);
    }
    let mut bytes = Vec::with_capacity(name.len());
    for letter in name.chars() {
        match byte_of(letter) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    path_from(bytes)
}

#[cfg(unix)]
fn path_from(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_from(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Returns true if a name belongs to standard input, a pipe or a device, or to an archive in one of them. All
/// other names are absolute paths.
pub fn is_of_stream(name: &str) -> bool {
    name == "-" || name.starts_with("-!/")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::{name_of, name_of_bytes, path_of};

    #[test]
    fn names_of_every_kind() {
        assert_eq!(name_of(Path::new("/a/caf\u{e9}")), "/a/caf\u{e9}");
        assert_eq!(name_of_bytes(b"caf\xe9.html"), "caf\u{10ffe9}.html");
        let marks = "\u{10fff4}\u{10ff8f}\u{10ffbf}\u{10ffa9}";
        assert_eq!(name_of_bytes("\u{10ffe9}".as_bytes()), marks);
        assert_eq!(name_of_bytes("\u{10ff41}".as_bytes()), "\u{10ff41}");
    }

    proptest! {
        #[test]
        fn every_name_restores_its_path(
            pieces in proptest::collection::vec(
                prop_oneof![
                    any::<u8>().prop_map(|byte| vec![byte]),
                    any::<char>().prop_map(|letter| letter.to_string().into_bytes()),
                    (0x10_ff00_u32..=0x10_ffff).prop_map(|mark| {
                        char::from_u32(mark).unwrap().to_string().into_bytes()
                    }),
                ],
                0..20,
            ),
        ) {
            let bytes = pieces.concat();
            let path = path_of(&name_of_bytes(&bytes));
            prop_assert_eq!(path.as_os_str().as_encoded_bytes(), &bytes);
        }
    }
}
