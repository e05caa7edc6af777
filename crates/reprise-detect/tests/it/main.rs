//! Discovery and detection against a slow, obvious computation on random corpora.

mod naive;
mod random;
