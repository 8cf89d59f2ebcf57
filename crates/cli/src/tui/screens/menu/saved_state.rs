//! What the menu remembers from one start to the next besides the last game: the
//! options of every game of the list, and both kinds of each player.

use noughts_rules::Variant;
use noughts_session::options::VariantRequest;
use serde::{Deserialize, Serialize};

use super::games::{self, FAMILIES, GAME_COUNT};
use super::player_choice::PlayerChoice;

/// Where the store keeps it.
pub(super) const SETTING_KEY: &str = "menu";

#[derive(Serialize, Deserialize)]
struct Memory {
    games: Vec<String>,
    players: Vec<(String, String)>,
}

pub(super) fn to_json(
    wishes: &[VariantRequest; GAME_COUNT],
    players: &[PlayerChoice; 2],
) -> String {
    let memory = Memory {
        games: wishes
            .iter()
            .map(|wish| wish.variant().to_string())
            .collect(),
        players: players.iter().map(PlayerChoice::to_saved).collect(),
    };
    // Text alone: nothing that JSON could not say.
    serde_json::to_string(&memory).unwrap_or_default()
}

/// Takes what was remembered, as far as it can still be.
pub(super) fn restore(
    text: &str,
    wishes: &mut [VariantRequest; GAME_COUNT],
    players: &mut [PlayerChoice; 2],
) {
    let Ok(memory) = serde_json::from_str::<Memory>(text) else {
        return;
    };
    for (at, name) in memory.games.iter().enumerate().take(FAMILIES.len()) {
        let variant = name.parse::<Variant>();
        // A game that takes no options is what it is.
        if let Ok(variant) = variant
            && games::accepts_variant(at, variant)
        {
            wishes[at] = games::request_for(at, variant);
        }
    }
    for (player, memory) in players.iter_mut().zip(&memory.players) {
        player.restore(memory);
    }
}
