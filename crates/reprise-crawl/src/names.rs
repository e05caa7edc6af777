//! Names of parameters that say who asks, not what for.

/// Parameters that programs carry a visitor's session in.
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

/// Parameters that say where a visitor came from.
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

/// Is it a parameter with a visitor's session?
pub(crate) fn is_session(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SESSIONS.contains(&name.as_str()) || name.starts_with("aspsessionid")
}

/// Is it a parameter that follows a visitor around?
pub(crate) fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_")
        || name.starts_with("pk_")
        || name.starts_with("mtm_")
        || TRACKING.contains(&name.as_str())
}
