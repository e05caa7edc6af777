//! The URL of a page that is a plain file.

use std::ffi::OsStr;
use std::path::Path;

use url::Url;

use crate::error::BaseUrlError;
use crate::name::name_of;

/// Checks that paths of files can be appended to a URL.
///
/// ```
/// use reprise_ingest::check_base_url;
/// assert!(check_base_url("https://my.example/docs/").is_ok());
/// assert!(check_base_url("my.example").is_err());
/// ```
pub fn check_base_url(text: &str) -> Result<(), BaseUrlError> {
    // The URL crate is lenient: it would turn `http:a` into an address.
    let Some((_, rest)) = text.split_once("://") else {
        return Err(BaseUrlError::NotAbsolute { source: None });
    };
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(BaseUrlError::WhiteSpace);
    }
    if rest.contains(['?', '#']) {
        return Err(BaseUrlError::QueryOrFragment);
    }
    let url = Url::parse(text).map_err(|error| BaseUrlError::NotAbsolute {
        source: Some(error),
    })?;
    let has_host = url.host_str().is_some_and(|host| !host.is_empty());
    if url.scheme() == "file" || has_host {
        Ok(())
    } else {
        Err(BaseUrlError::NotAbsolute { source: None })
    }
}

/// Returns the URL of a file below the directory `root`, which `base_url` stands for. Without a base URL, it is
/// `file:///` and the path.
pub(crate) fn page_url(path: &Path, root: &Path, base_url: Option<&str>) -> String {
    let Some(base) = base_url else {
        return Url::from_file_path(path)
            .map_or_else(|()| format!("file://{}", name_of(path)), String::from);
    };
    let relative = path.strip_prefix(root).unwrap_or(path);
    // Keep the slashes after the scheme.
    let path_at = base.find("://").map_or(0, |at| at + 3);
    let (start, rest) = base.split_at(path_at);
    let mut url = format!("{start}{}", rest.trim_end_matches('/'));
    for part in relative.components() {
        url.push('/');
        url.push_str(&escape(part.as_os_str()));
    }
    url
}

/// Escapes a part of a path. The URL crate escapes bytes that are not UTF-8 only in paths of files, and drops
/// line breaks elsewhere.
fn escape(part: &OsStr) -> String {
    let text = part.to_str();
    let Some(part) = text.filter(|text| !text.contains(['\t', '\n', '\r'])) else {
        let file = Url::from_file_path(Path::new("/").join(part));
        let file = file.as_ref().map_or("", Url::path);
        return file.trim_start_matches('/').to_owned();
    };
    let mut url = Url::parse("http://x/").expect("a constant that parses");
    url.path_segments_mut()
        .expect("http URLs have a path")
        .clear()
        .push(part);
    url.path().trim_start_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{check_base_url, page_url};

    #[test]
    fn base_urls_are_absolute() {
        let check = |text: &str, is_good: bool| {
            let found = check_base_url(text);
            assert_eq!(found.is_ok(), is_good, "{text:?}: {found:?}");
        };
        check("https://my.example/", true);
        check("http://my.example", true);
        check("http://127.0.0.1:8080/a/b", true);
        check("http://[::1]/", true);
        check("file:///home/a/", true);
        check("file:///", true);
        check("ftp://a.example/pub/", true);
        check("", false);
        check("foo", false);
        check("example.com", false);
        check("/a/b", false);
        check("http://", false);
        check("http:///", false);
        check("http:a", false);
        check("mid:a@b", false);
        check("https://my.example/?page=", false);
        check("https://my.example/#a", false);
        check("https://my.example/ a", false);
        check("https://my example/", false);
    }

    #[test]
    fn paths_are_appended() {
        let check = |base: Option<&str>, url: &str| {
            let (path, root) = (Path::new("/r/a b/c.html"), Path::new("/r"));
            assert_eq!(page_url(path, root, base), url);
        };
        check(None, "file:///r/a%20b/c.html");
        check(Some("http://x.example"), "http://x.example/a%20b/c.html");
        check(
            Some("http://x.example/d//"),
            "http://x.example/d/a%20b/c.html",
        );
        check(Some("file:///"), "file:///a%20b/c.html");
        check(Some("file:///home/"), "file:///home/a%20b/c.html");
    }
}
