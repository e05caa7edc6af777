//! The chunks, fingerprints and checks of Reprise as a WebAssembly module for browsers and Node.
//!
//! JavaScript uses `reprise.mjs`, which lies beside this crate and hides the rest of this page:
//!
//! ```js
//! import { load } from './reprise.mjs';
//!
//! const reprise = await load(fetch('reprise_wasm.wasm'));
//! const chunks = reprise.chunks('<p>One<p>Two', { form: 'text' });
//! // [{ start: 0, end: 6, chars: 3, visible: true, fingerprint: '8b12…' }, …]
//! const labels = [{ fingerprint: chunks[0].fingerprint, url: 'https://bank.example/' }];
//! const checker = reprise.checker(labels, { form: 'text' });
//! const checked = checker.check({ url: 'https://other.example/', html: '<p>One' });
//! // { copy: true, contains: 1, matched: 1, … }: the object that `reprise check --json` prints
//! ```
//!
//! `cargo xtask wasm` builds the module and compares it with native code in Node.
//!
//! # Size and speed
//!
//! The module has 1.7 MB, or 0.38 MB with brotli; more than half of it is the Public Suffix List. In Node 20
//! on one core, pages of 5 MB are cut and hashed at 110 to 250 MB/s. The first call is slower, 70 to 150 MB/s,
//! because the engine has not optimised the code yet. `cargo xtask wasm speed` prints these figures.
//!
//! A page of any length needs one call. V8 replaces slow code only when a function is called again, so a
//! long loop without calls would stay slow: hashing 5 MB was eight times slower in the first call. All long
//! loops over a page therefore call functions for parts of it.
//!
//! # Interface
//!
//! The module imports nothing. It exports its `memory` and functions whose parameters and results are
//! 32-bit numbers. The module owns all memory: JavaScript writes a request into the input buffer, calls a
//! function, and copies the answer from the output buffer.
//!
//! | function | meaning |
//! |---|---|
//! | [`reprise_version()`] | the version of this interface: 1 |
//! | [`reprise_input(length)`](reprise_input) | makes room for a request and returns its address; 0 if there is not enough memory |
//! | [`reprise_chunks()`] | cuts a text into chunks |
//! | [`reprise_create_checker()`] | creates a checker from labels |
//! | [`reprise_check(checker)`](reprise_check) | checks a page |
//! | [`reprise_free_checker(checker)`](reprise_free_checker) | frees a checker |
//! | [`reprise_output()`], [`reprise_output_length()`] | the address and the length of the answer |
//!
//! The four functions in the middle return 0 if they succeed. Otherwise they return 1, and the output is an
//! error message. The output is valid until the next call of [`reprise_input`] or of one of these functions.
//! A call may enlarge the memory, so JavaScript reads `memory.buffer` again after each call.
//!
//! A request is a list of fields. A field is its length in bytes, as a little-endian 32-bit number, and its
//! bytes. Fields are UTF-8 text; numbers are decimal.
//!
//! | function | fields of the request | answer |
//! |---|---|---|
//! | `reprise_chunks` | hash, form, content, text | one record per chunk |
//! | `reprise_create_checker` | hash, form, minLength, stop, and for each label: fingerprint, level, url, site, name, fetched | the number of the checker, 4 bytes |
//! | `reprise_check` | content, url, text | a JSON object, see [`Checked`](reprise_chunk::Checked) |
//! | `reprise_free_checker` | none | empty |
//!
//! - hash, form and content are the names of a [`HashKind`](reprise_fingerprint::HashKind), a
//!   [`ChunkForm`](reprise_text::ChunkForm) and a [`Content`](reprise_text::Content). An empty hash or form is
//!   the default of [`ChunkSettings`](reprise_chunk::ChunkSettings).
//! - minLength and stop are the parameters of [`StopRules::parse`](reprise_chunk::StopRules::parse). An empty
//!   minLength is 0.
//! - A fingerprint is 40 hex digits, a level is `chunk` or `file`. An empty site is the site of the URL.
//!   fetched is the fetch time in milliseconds since 1970, or empty.
//!
//! A record has 36 bytes: the start and the end of the chunk in bytes of the text, the number of characters of
//! its normal form, and 1 if it shows text (0 otherwise), each as a little-endian 32-bit number; then the 20
//! bytes of its fingerprint.
//!
//! If a call panics, which is a bug, or if an answer does not fit in memory, JavaScript gets a
//! `WebAssembly.RuntimeError`. The module cannot be used afterwards and must be loaded again.

mod error;
mod exports;
mod fields;
mod module;
mod requests;

pub use exports::{
    reprise_check, reprise_chunks, reprise_create_checker, reprise_free_checker, reprise_input,
    reprise_output, reprise_output_length, reprise_version,
};
