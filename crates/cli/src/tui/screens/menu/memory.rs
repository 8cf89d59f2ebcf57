//! What the menu remembers from one start to the next besides the last game: the
//! options of every game of the list, and both kinds of each player.

use noughts_rules::Variant;
use noughts_session::options::Wish;
use serde::{Deserialize, Serialize};

use super::games::{self, GAMES, MANY};
use super::players::Player;

/// Where the store keeps it.
pub(super) const CHOICE: &str = "menu";

#[derive(Serialize, Deserialize)]
struct Memory {
    games: Vec<String>,
    players: Vec<(String, String)>,
}

pub(super) fn to_json(wishes: &[Wish; MANY], players: &[Player; 2]) -> String {
    let memory = Memory {
        games: wishes
            .iter()
            .map(|wish| wish.variant().to_string())
            .collect(),
        players: players.iter().map(Player::memory).collect(),
    };
    // Text alone: nothing that JSON could not say.
    serde_json::to_string(&memory).unwrap_or_default()
}

/// Takes what was remembered, as far as it can still be.
pub(super) fn recall(text: &str, wishes: &mut [Wish; MANY], players: &mut [Player; 2]) {
    let Ok(memory) = serde_json::from_str::<Memory>(text) else {
        return;
    };
    for (at, name) in memory.games.iter().enumerate().take(GAMES.len()) {
        let variant = name.parse::<Variant>();
        // A game that takes no options is what it is.
        if let Ok(variant) = variant
            && games::fits(at, variant)
        {
            wishes[at] = games::wish(at, variant);
        }
    }
    for (player, memory) in players.iter_mut().zip(&memory.players) {
        player.recall(memory);
    }
}
