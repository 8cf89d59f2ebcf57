//! Games of the arena as rows of the store.

use noughts_arena::{GameKey, PlayedGame, SavedGame};
use noughts_rules::Variant;
use noughts_store::{ArenaGame, ArenaGameKey};

pub(super) fn stored_key(key: &GameKey) -> ArenaGameKey {
    (key.round, key.first, key.second, key.swapped)
}

/// Converts a game to its stored form.
pub(super) fn to_stored_game(game: &PlayedGame) -> ArenaGame {
    debug_assert_eq!(
        game.opening_plies + game.move_info.len(),
        game.state.moves().len()
    );
    let saved = SavedGame::from(game);
    ArenaGame {
        key: stored_key(&saved.key),
        start: saved.start,
        opening: saved.opening,
        moves: saved.moves,
        details: saved.details,
        outcome: saved.outcome,
        reason: saved.reason,
        note: saved.note,
    }
}

/// Rebuilds a game exactly from its stored form. It may be invalid if another program has written
/// to the file; the error is a sentence.
pub(super) fn from_stored_game(variant: Variant, game: ArenaGame) -> Result<PlayedGame, String> {
    let (round, first, second, swapped) = game.key;
    let saved = SavedGame {
        key: GameKey {
            round,
            first,
            second,
            swapped,
        },
        start: game.start,
        opening: game.opening,
        moves: game.moves,
        details: game.details,
        outcome: game.outcome,
        reason: game.reason,
        note: game.note,
    };
    saved.restore(variant)
}
