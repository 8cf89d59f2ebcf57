//! The code of an invitation. It follows from who made the game, so that nothing
//! has to be kept but its hash, and who made the game is shown it again at any time.

use noughts_store::SecretHash;
use sha2::{Digest, Sha256};

/// The code that opens a seat of a game which this visitor made: 128 bits in
/// hexadecimal digits. Nobody can guess it who does not know the visitor's secret.
pub(crate) fn code(visitor: &SecretHash, uid: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(b"an invitation to a game");
    hash.update(visitor);
    hash.update(uid);
    let bytes = hash.finalize();
    bytes[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// What is kept of a code.
pub(super) fn hash_of(code: &str) -> SecretHash {
    Sha256::digest(code.as_bytes()).into()
}

/// Is this the code that hashes so?
pub(super) fn opens(code: &str, hash: &SecretHash) -> bool {
    hash_of(code) == *hash
}
