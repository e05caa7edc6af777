//! EPUB: an archive of XHTML pages, and a package document that states their order.

use std::collections::HashMap;
use std::io::Read;

use crate::archive::Archive;
use crate::converter::Work;
use crate::error::ConvertError;
use crate::format::Format;
use crate::html;
use crate::xml::{self, Node, Then};

const FORMAT: Format = Format::Epub;
/// The most bytes of one page. Few books are larger as a whole.
const PAGE_BYTES_MAX: u64 = 32 << 20;

/// Writes the pages of a book in reading order. Returns its title.
pub(crate) fn convert(bytes: &[u8], work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    let mut archive = Archive::open(FORMAT, bytes, work.limits.unpacked_bytes_max)?;
    if is_locked(&mut archive, work)? {
        return Err(ConvertError::Encrypted(FORMAT));
    }
    let name = package_name(&mut archive, work)?;
    let package = archive
        .with(&name, |part| Package::read(part, work))?
        .ok_or_else(|| ConvertError::malformed(FORMAT, &format!("its entry {name} is missing")))?;
    let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
    for page in &package.pages {
        if work.out.is_full() {
            break;
        }
        let path = resolve(folder, page);
        // Missing pages are skipped, as e-readers do.
        archive.with(&path, |part| {
            let mut page = Vec::new();
            let read = part.take(PAGE_BYTES_MAX).read_to_end(&mut page);
            read.map_err(|error| ConvertError::malformed(FORMAT, &error))?;
            work.is_cut |= page.len() as u64 == PAGE_BYTES_MAX;
            let page = String::from_utf8_lossy(&page);
            work.out.paragraph();
            html::convert(&page, true, false, work)?;
            work.out.paragraph();
            Ok(())
        })?;
    }
    Ok(package.title)
}

/// Returns true if any entry except for fonts is encrypted. Many books obfuscate their fonts.
fn is_locked(archive: &mut Archive<'_>, work: &mut Work<'_>) -> Result<bool, ConvertError> {
    let mut is_locked = false;
    archive.with("META-INF/encryption.xml", |part| {
        let mut is_font = false;
        xml::walk(FORMAT, part, work, |node, _| {
            match node {
                Node::Open(element) if element.name() == "EncryptionMethod" => {
                    let method = element.attribute("Algorithm").unwrap_or_default();
                    is_font |= method.contains("embedding") || method.ends_with("#RC");
                }
                Node::Close("EncryptedData") => is_locked |= !std::mem::take(&mut is_font),
                _ => {}
            }
            Then::Enter
        })
    })?;
    Ok(is_locked)
}

fn package_name(archive: &mut Archive<'_>, work: &mut Work<'_>) -> Result<String, ConvertError> {
    let mut name = None;
    archive.with("META-INF/container.xml", |part| {
        xml::walk(FORMAT, part, work, |node, _| {
            if let Node::Open(element) = node
                && element.name() == "rootfile"
                && name.is_none()
            {
                name = element.attribute("full-path");
            }
            Then::Enter
        })
    })?;
    name.ok_or_else(|| {
        ConvertError::malformed(FORMAT, &"its container does not name a package document")
    })
}

#[derive(Default)]
struct Package {
    title: Option<String>,
    /// The addresses of the pages, in reading order.
    pages: Vec<String>,
}

impl Package {
    fn read(part: &mut dyn std::io::BufRead, work: &mut Work<'_>) -> Result<Package, ConvertError> {
        let mut package = Package::default();
        let mut items = HashMap::new();
        let mut spine = Vec::new();
        let mut is_title = false;
        xml::walk(FORMAT, part, work, |node, _| {
            match node {
                Node::Open(element) => match element.name() {
                    "item" => {
                        let media_type = element.attribute("media-type").unwrap_or_default();
                        if let Some(id) = element.attribute("id")
                            && let Some(address) = element.attribute("href")
                            && media_type.contains("html")
                        {
                            items.insert(id, address);
                        }
                    }
                    "itemref" => spine.extend(element.attribute("idref")),
                    "title" if package.title.is_none() => {
                        is_title = true;
                        package.title = Some(String::new());
                    }
                    _ => {}
                },
                Node::Close("title") => is_title = false,
                Node::Text(text) if is_title => {
                    package.title.get_or_insert_default().push_str(text);
                }
                Node::Close(_) | Node::Text(_) => {}
            }
            Then::Enter
        })?;
        // Each page counts once. Only hostile books repeat pages.
        package.pages = spine.iter().filter_map(|id| items.remove(id)).collect();
        Ok(package)
    }
}

/// Returns the entry that an address in the package refers to. Decodes `%20` and resolves `../`.
fn resolve(folder: &str, address: &str) -> String {
    let address = address.split('#').next().unwrap_or_default();
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let byte;
        (byte, rest) = match (first, code) {
            (b'%', Some(byte)) => (byte, &tail[2..]),
            _ => (*first, tail),
        };
        bytes.push(byte);
    }
    let path = format!("{folder}{}", String::from_utf8_lossy(&bytes));
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    #[test]
    fn addresses_are_resolved() {
        assert_eq!(
            super::resolve("OEBPS/", "../a%20b/./c.xhtml#d"),
            "a b/c.xhtml"
        );
        assert_eq!(super::resolve("", "100%.xhtml"), "100%.xhtml");
    }
}
