//! Invite codes: 128 random bits, of which the store has a hash. It also has the code encrypted
//! with a key derived from the token of the visitor who created the game, so that only this visitor
//! can see the link again.

use noughts_store::Invite;
use sha2::{Digest, Sha256};

use crate::error::ApiError;
use crate::middleware::{Visitor, random_bytes};

/// A new invitation to a game that this visitor creates.
pub(super) fn new(visitor: &Visitor, uid: &str) -> Result<Invite, ApiError> {
    let code = random_bytes()?;
    Ok(Invite {
        code_hash: hash_of(&hex::encode(code)),
        encrypted_code: Some(sealed(code, visitor, uid)),
    })
}

/// The code, for the visitor who created the game.
pub(super) fn reveal_code(invite: &Invite, visitor: &Visitor, uid: &str) -> Option<String> {
    let code = hex::encode(sealed(invite.encrypted_code?, visitor, uid));
    is_code_of(&code, invite).then_some(code)
}

pub(super) fn is_code_of(code: &str, invite: &Invite) -> bool {
    hash_of(code) == invite.code_hash
}

fn hash_of(code: &str) -> [u8; 32] {
    Sha256::digest(code.as_bytes()).into()
}

/// Encrypts or decrypts a code. The pad is used once: a game has one invitation.
fn sealed(code: [u8; 16], visitor: &Visitor, uid: &str) -> [u8; 16] {
    let pad = visitor.secret_bytes(&format!("the invitation to {uid}"));
    let mut sealed = code;
    for (byte, pad) in sealed.iter_mut().zip(pad) {
        *byte ^= pad;
    }
    sealed
}
