//! I-Match signatures: trains lexicons, signs documents and simulates attacks.

mod attack;
mod classes;
mod sign;
mod signing;
mod train;

pub use attack::{AttackInputs, simulate_attacks};
pub use classes::ClassesError;
pub use sign::{SignSummary, SignedDocument, sign_documents};
pub use signing::SigningFiles;
pub use train::{TrainInputs, Trained, train};
