//! Tests of the way from archives to a corpus.

mod corpus;
mod damage;
mod oracle;
mod threads;
