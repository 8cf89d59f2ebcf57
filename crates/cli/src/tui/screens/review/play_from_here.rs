//! "Play from here": asks who plays a new game from the reviewed position.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Assistance, Side, UnratedReason};
use noughts_session::Participant;
use noughts_session::policy::RequestedPlayer;
use noughts_store::{Seat, StoredGame};
use noughts_text::{bot_name, unrated_warning};

use crate::tui::widgets::{Dialog, truncate};

/// In columns, so that two names fit in a choice.
const MAX_NAME_COLUMNS: u16 = 16;

/// Asks for the players of X and O. `state` is the reviewed position, after this many moves.
pub(super) fn dialog(
    game: &StoredGame,
    state: &AnyGameState,
    moves: usize,
    ellipsis: &str,
) -> Dialog<[RequestedPlayer; 2]> {
    let side = state.side();
    let unrated = unrated_warning(UnratedReason::Assisted(Assistance::Position));
    let text = match moves {
        0 => format!("The new game starts from the beginning. {side} is to move."),
        _ => format!("The new game starts after move {moves}. {side} is to move.\n{unrated}"),
    };
    let mut dialog = Dialog::new("Play from here", text);
    for (pair, key) in pairs(game, side).into_iter().zip('1'..) {
        let [x, o] = pair.each_ref().map(|player| name(player, ellipsis));
        dialog = dialog.choice(key, format!("{x} (X) vs {o} (O)"), pair);
    }
    dialog
}

/// The players of the game if they can play again, then a human against a bot.
fn pairs(game: &StoredGame, side: Side) -> Vec<[RequestedPlayer; 2]> {
    let seatable = game.seats.each_ref().map(|seat| seatable(seat, game));
    let is_human = |player: &&RequestedPlayer| matches!(player, RequestedPlayer::Human(_));
    let (mut humans, mut bots): (Vec<_>, Vec<_>) = seatable.iter().flatten().partition(is_human);
    let (you, medium) = (
        RequestedPlayer::Human(None),
        RequestedPlayer::Bot(BotKind::Medium),
    );
    humans.push(&you);
    bots.push(&medium);
    let (human, bot) = (humans[0].clone(), bots[0].clone());
    let mut pairs = Vec::new();
    if let [Some(x), Some(o)] = &seatable
        && humans.len() > 1
    {
        pairs.extend([[x.clone(), o.clone()], [o.clone(), x.clone()]]);
    }
    let (as_x, as_o) = ([human.clone(), bot.clone()], [bot, human]);
    let new_pairs = match side {
        Side::X => [as_x, as_o],
        Side::O => [as_o, as_x],
    };
    for pair in new_pairs {
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// A player who can play again: not a guest of a server, a deleted player, or a bot that this
/// program doesn't have.
fn seatable(seat: &Seat, game: &StoredGame) -> Option<RequestedPlayer> {
    match Participant::from_seat(seat).ok()? {
        Participant::Player(name) => Some(RequestedPlayer::Human(Some(name))),
        Participant::Guest => None,
        Participant::Bot(kind) => {
            let plays = kind.check_supports(game.variant).is_ok();
            plays.then_some(RequestedPlayer::Bot(kind))
        }
    }
}

fn name(participant: &RequestedPlayer, ellipsis: &str) -> String {
    match participant {
        RequestedPlayer::Human(None) => "You".into(),
        RequestedPlayer::Human(Some(name)) => truncate(name.as_str(), MAX_NAME_COLUMNS, ellipsis),
        RequestedPlayer::Bot(kind) => bot_name(*kind).to_owned(),
    }
}
