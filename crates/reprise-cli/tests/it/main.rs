//! Tests of the program itself, run as a user runs it.

mod contract;
mod errors;
mod kill;
mod limits;
mod program;
