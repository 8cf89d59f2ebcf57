//! Starts a game directly, without showing the menu.

use noughts_rules::AnyGameState;
use noughts_store::Name;

use super::player_choice::default_name;
use crate::tui::app_context::AppContext;
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::{Screen, question};
use noughts_session::Participant;
use noughts_session::policy::RequestedPlayer;

/// Starts a game between X and O from the state `from`. Humans without a name get the names of the
/// last game. The menu opens with this game and these players afterward.
pub(crate) fn start_game(
    context: &mut AppContext,
    from: AnyGameState,
    seats: [RequestedPlayer; 2],
) -> Box<dyn Screen> {
    let saved = context.load_setting(GameSetup::SETTING_KEY);
    let last = saved.and_then(|saved| GameSetup::from_json(&saved));
    let last_players = last.iter().flat_map(|setup| &setup.players);
    let last_names = last_players.filter_map(Participant::player_name).cloned();
    let mut names: Vec<Name> = last_names.chain([0, 1].map(default_name)).collect();
    names.retain(|name| !seats.contains(&RequestedPlayer::Human(Some(name.clone()))));
    names.dedup();
    let mut names = names.into_iter();
    let players = seats.map(|seat| match seat {
        RequestedPlayer::Bot(kind) => Participant::Bot(kind),
        RequestedPlayer::Human(Some(name)) => Participant::Player(name),
        RequestedPlayer::Human(None) => {
            Participant::Player(names.next().unwrap_or_else(|| default_name(0)))
        }
    });
    let setup = GameSetup {
        variant: from.variant(),
        players,
        starting_player: StartingPlayer::One,
    };
    match GameScreen::start(context, &setup, from) {
        Ok(screen) => {
            context.save_setting(GameSetup::SETTING_KEY, setup.to_json());
            Box::new(screen)
        }
        Err(error) => question::game_unavailable("Can't start the game", &error),
    }
}
