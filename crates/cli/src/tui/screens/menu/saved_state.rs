//! What the menu saves between runs in addition to the last game: the options of every menu entry,
//! and the name and level of each player.

use noughts_rules::Variant;
use noughts_session::options::VariantRequest;
use serde::{Deserialize, Serialize};

use super::games::MenuGame;
use super::player_choice::PlayerChoice;

/// The key of this setting in the store.
pub(super) const SETTING_KEY: &str = "menu";

#[derive(Serialize, Deserialize)]
struct SavedMenu {
    games: Vec<String>,
    players: Vec<(String, String)>,
}

pub(super) fn to_json(requests: &[VariantRequest], players: &[PlayerChoice; 2]) -> String {
    let variants = requests.iter().map(VariantRequest::variant);
    let saved = SavedMenu {
        games: variants.map(|variant| variant.to_string()).collect(),
        players: players.iter().map(PlayerChoice::to_saved).collect(),
    };
    // Only strings: serialization can't fail.
    serde_json::to_string(&saved).unwrap_or_default()
}

/// Restores what was saved, as far as it is still valid.
pub(super) fn restore(
    text: &str,
    games: &[MenuGame],
    requests: &mut [VariantRequest],
    players: &mut [PlayerChoice; 2],
) {
    let Ok(saved) = serde_json::from_str::<SavedMenu>(text) else {
        return;
    };
    for ((game, request), name) in games.iter().zip(requests).zip(&saved.games) {
        let variant = name.parse::<Variant>();
        // An entry without options holds only its own variant.
        if let Some(variant) = variant.ok().filter(|&variant| game.accepts(variant)) {
            *request = game.request_for(variant);
        }
    }
    for (player, saved) in players.iter_mut().zip(&saved.players) {
        player.restore(saved);
    }
}
