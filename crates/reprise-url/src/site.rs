//! The host and the site of a URL.

use url::{Host, Url};

/// The host and the site of a URL. Both are empty if the URL has no host (`file:`, `urn:`, ids).
///
/// The host of a mail (`mid:`) is the one in its message id, which belongs to the sender.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The host, lower case, in ASCII form; IPv6 addresses in brackets.
    pub host: String,
    /// The registered domain, or the host if it has none (addresses, single names, public suffixes).
    pub site: String,
}

impl Site {
    /// Parses a URL and returns its host and site.
    pub fn of(url: &str) -> Site {
        // An id without a scheme is not an absolute URL and has no host.
        let Ok(parsed) = Url::parse(url) else {
            return Site::default();
        };
        let sender = (parsed.scheme() == "mid")
            .then(|| parsed.path().rsplit_once('@'))
            .flatten()
            // Message ids put brackets around IPv4 addresses as well.
            .map(|(_, host)| host.strip_prefix('[').unwrap_or(host))
            .and_then(|host| Host::parse(host.strip_suffix(']').unwrap_or(host)).ok());
        let sender = sender.as_ref().map(|host| match host {
            Host::Domain(domain) => Host::Domain(domain.as_str()),
            Host::Ipv4(address) => Host::Ipv4(*address),
            Host::Ipv6(address) => Host::Ipv6(*address),
        });
        match parsed.host().or(sender) {
            Some(Host::Domain(domain)) => {
                let host = domain.trim_end_matches('.').to_ascii_lowercase();
                let site = psl::domain_str(&host).unwrap_or(&host).to_owned();
                Site { host, site }
            }
            Some(address) => Site {
                host: address.to_string(),
                site: address.to_string(),
            },
            None => Site::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Site;

    #[test]
    fn sites_follow_the_public_suffix_list() {
        let check = |url: &str, host: &str, site: &str| {
            let found = Site::of(url);
            assert_eq!(
                (found.host.as_str(), found.site.as_str()),
                (host, site),
                "{url}"
            );
        };
        check(
            "http://www.example.co.uk/a",
            "www.example.co.uk",
            "example.co.uk",
        );
        check("https://EXAMPLE.com:8080/", "example.com", "example.com");
        check("http://me.github.io/x", "me.github.io", "me.github.io");
        check("http://a.me.github.io/x", "a.me.github.io", "me.github.io");
        check("http://co.uk/", "co.uk", "co.uk");
        check("http://localhost/", "localhost", "localhost");
        check("http://192.168.0.1/", "192.168.0.1", "192.168.0.1");
        check("http://[::1]/", "[::1]", "[::1]");
        check(
            "http://bücher.example.de/",
            "xn--bcher-kva.example.de",
            "example.de",
        );
        check("http://example.com./", "example.com", "example.com");
        check("file:///tmp/a", "", "");
        check("urn:isbn:1", "", "");
        check(
            "mid:a%2Fb@Mail.Example.co.uk",
            "mail.example.co.uk",
            "example.co.uk",
        );
        check("mid:a@b@[192.0.2.1]", "192.0.2.1", "192.0.2.1");
        check("mid:a@192.0.2.1", "192.0.2.1", "192.0.2.1");
        check("mid:a@host", "host", "host");
        check("mid:without-host", "", "");
        check("mid:a@", "", "");
        check("mid:a@b c", "", "");
        check("row 17", "", "");
    }
}
