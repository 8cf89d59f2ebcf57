//! A game at once, without the menu being seen.

use noughts_rules::AnyGameState;
use noughts_store::Name;

use super::player_choice::stand_in;
use crate::participant_arg::ParticipantArg;
use crate::tui::app_context::AppContext;
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::{Screen, question};
use noughts_session::Participant;

/// Starts a game of X and O from where `from` is. People who gave no name are who they were
/// the last time. The menu that comes after it has this game and these players.
pub(crate) fn begin_at_once(
    house: &mut AppContext,
    from: AnyGameState,
    seats: [ParticipantArg; 2],
) -> Box<dyn Screen> {
    let kept = house.load_setting(GameSetup::SETTING_KEY);
    let last = kept.and_then(|kept| GameSetup::from_json(&kept));
    let mut names: Vec<Name> = Vec::new();
    if let Some(setup) = last {
        names.extend(
            setup
                .players
                .iter()
                .filter_map(Participant::player_name)
                .cloned(),
        );
    }
    names.extend([stand_in(0), stand_in(1)]);
    for seat in &seats {
        if let ParticipantArg::Human(Some(taken)) = seat {
            names.retain(|name| name != taken);
        }
    }
    names.dedup();
    let mut names = names.into_iter();
    let players = seats.map(|seat| match seat {
        ParticipantArg::Bot(kind) => Participant::Bot(kind),
        ParticipantArg::Human(Some(name)) => Participant::Player(name),
        ParticipantArg::Human(None) => {
            Participant::Player(names.next().unwrap_or_else(|| stand_in(0)))
        }
    });
    let setup = GameSetup {
        variant: from.variant(),
        players,
        starting_player: StartingPlayer::One,
    };
    let begun = match setup.invalid_reason() {
        None => {
            house.remember(GameSetup::SETTING_KEY, setup.to_json());
            GameScreen::new_game_from(house, &setup, from)
        }
        Some(fault) => Err(fault),
    };
    begun.unwrap_or_else(|problem| question::to_menu("No game", &problem))
}
