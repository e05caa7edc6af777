//! Names of parameters that describe the visitor, not the page.

/// The names of parameters that hold a visitor's session.
const SESSIONS: [&str; 18] = [
    "phpsessid",
    "phpsession",
    "jsessionid",
    "aspsessionid",
    "asp.net_sessionid",
    "sid",
    "sessid",
    "sess",
    "session",
    "sessionid",
    "session_id",
    "session-id",
    "cfid",
    "cftoken",
    "zenid",
    "oscsid",
    "xtcsid",
    "s_id",
];

/// The names of parameters that record where a visitor came from.
const TRACKING: [&str; 22] = [
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "yclid",
    "twclid",
    "igshid",
    "mc_cid",
    "mc_eid",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "mkt_tok",
    "ref_src",
    "cmpid",
    "campaign_id",
    "vero_id",
    "trk",
];

/// Returns true if a parameter holds a visitor's session.
pub(crate) fn is_session(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SESSIONS.contains(&name.as_str()) || name.starts_with("aspsessionid")
}

/// Returns true if a parameter tracks visitors.
pub(crate) fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_")
        || name.starts_with("pk_")
        || name.starts_with("mtm_")
        || TRACKING.contains(&name.as_str())
}
