//! The pattern of a URL: the part that it shares with other URLs of the same program on a server.
//!
//! `http://a.com/blog/2024/05/a-title.html` has the pattern `a.com/blog/N/N/*.html`, and
//! `http://a.com/show.php?print=1&id=7` has `a.com/show.php?id=N&print=N`:
//!
//! - A run of digits becomes `N`, a long hexadecimal component `H`.
//! - The last component becomes `*` and its extension. With parameters it keeps its name, which is that of a program.
//! - Parameters are sorted, and only the class of each value is kept.
//! - Directories keep their names, because each program has its directory.

use url::Url;

use crate::scope::authority;

/// The length from which a hexadecimal component is a key and not a word.
const HEX_CHARS_MIN: usize = 8;
/// The longest extension of a file name.
const EXTENSION_CHARS_MAX: usize = 5;

/// The pattern of a URL, and the coarser pattern that contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) fine: String,
    /// The first directory, the kind of file and the names of parameters. The pages of the coarse pattern predict those
    /// of a fine pattern that is new.
    pub(crate) coarse: String,
}

impl Pattern {
    pub(crate) fn of(url: &Url) -> Pattern {
        let mut fine = authority(url);
        let mut coarse = fine.clone();
        let components: Vec<&str> = url.path().split('/').skip(1).collect();
        let last = components.len().saturating_sub(1);
        let mut named = None;
        for (at, component) in components.iter().enumerate() {
            // `;jsessionid=...` is a parameter in any component.
            let (component, parameter) = component.split_once(';').unwrap_or((component, ""));
            let template = if at == last {
                file(component)
            } else {
                directory(component)
            };
            fine.push('/');
            // A URL with parameters calls a program, so the name of the file matters.
            fine.push_str(if at == last && url.query().is_some() {
                named.insert(directory(component))
            } else {
                &template
            });
            if at == 0 || at == last {
                coarse.push('/');
                coarse.push_str(&template);
            }
            if let Some((name, _)) = parameter.split_once('=') {
                for text in [&mut fine, &mut coarse] {
                    text.push(';');
                    text.push_str(name);
                }
            }
        }
        let mut parameters: Vec<(String, &'static str)> = url
            .query_pairs()
            .map(|(name, value)| (digits_out(&name), value_class(&value)))
            .collect();
        parameters.sort_unstable();
        parameters.dedup();
        for (at, (name, class)) in parameters.iter().enumerate() {
            let mark = if at == 0 { '?' } else { '&' };
            for text in [&mut fine, &mut coarse] {
                text.push(mark);
                text.push_str(name);
            }
            fine.push('=');
            fine.push_str(class);
        }
        Pattern { fine, coarse }
    }
}

fn directory(component: &str) -> String {
    if is_key(component) {
        "H".to_owned()
    } else {
        digits_out(component)
    }
}

/// Returns the kind of the last component. Its name differs from page to page.
fn file(component: &str) -> String {
    if component.is_empty() {
        return String::new();
    }
    let extension = component
        .rsplit_once('.')
        .map(|(_, extension)| extension)
        .filter(|extension| {
            !extension.is_empty()
                && extension.len() <= EXTENSION_CHARS_MAX
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && !extension.bytes().all(|byte| byte.is_ascii_digit())
        });
    let stem = extension.map_or(component, |extension| {
        &component[..component.len() - extension.len() - 1]
    });
    let kind = if stem.bytes().all(|byte| byte.is_ascii_digit()) {
        "N"
    } else {
        "*"
    };
    match extension {
        Some(extension) => format!("{kind}.{}", extension.to_ascii_lowercase()),
        None => kind.to_owned(),
    }
}

fn is_key(component: &str) -> bool {
    component.len() >= HEX_CHARS_MIN
        && component
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && component.bytes().any(|byte| byte.is_ascii_digit())
}

fn digits_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_digits = false;
    for c in text.chars() {
        let is_digit = c.is_ascii_digit();
        if !is_digit {
            out.push(c);
        } else if !in_digits {
            out.push('N');
        }
        in_digits = is_digit;
    }
    out
}

fn value_class(value: &str) -> &'static str {
    if value.is_empty() {
        ""
    } else if value.bytes().all(|byte| byte.is_ascii_digit()) {
        "N"
    } else if value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"-./:T".contains(&byte))
    {
        "D"
    } else if is_key(value) {
        "H"
    } else {
        "*"
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::Pattern;

    #[test]
    fn patterns_of_urls() {
        let check = |url: &str, fine: &str, coarse: &str| {
            let found = Pattern::of(&Url::parse(url).unwrap());
            assert_eq!(
                (found.fine.as_str(), found.coarse.as_str()),
                (fine, coarse),
                "{url}"
            );
        };
        check(
            "http://a.com/blog/2024/05/a-title.html?print=1&id=7",
            "a.com/blog/N/N/a-title.html?id=N&print=N",
            "a.com/blog/*.html?id&print",
        );
        check("https://a.com/", "a.com/", "a.com/");
        check("http://a.com:81/about", "a.com:81/*", "a.com:81/*");
        check("http://a.com/docs/", "a.com/docs/", "a.com/docs/");
        check("http://a.com/p/17", "a.com/p/N", "a.com/p/N");
        check(
            "http://a.com/p12/v3.14/17.PDF",
            "a.com/pN/vN.N/N.pdf",
            "a.com/pN/N.pdf",
        );
        check(
            "http://a.com/c/0123456789abcdef/x",
            "a.com/c/H/*",
            "a.com/c/*",
        );
        check(
            "http://a.com/a/b.jsp;jsessionid=1A2B?q=two+words&d=2024-05-06&e",
            "a.com/a/b.jsp;jsessionid?d=D&e=&q=*",
            "a.com/a/*.jsp;jsessionid?d&e&q",
        );
        check("http://a.com/s?a1=x&a2=y", "a.com/s?aN=*", "a.com/*?aN");
    }
}
