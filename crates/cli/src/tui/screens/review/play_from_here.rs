//! "Play from here": who plays a new game from the position that the review shows.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Side};
use noughts_session::Participant;
use noughts_store::{Seat, StoredGame};
use ratatui::text::Line;

use crate::participant_arg::ParticipantArg;
use crate::tui::widgets::{Choice, Dialog, truncate};

/// In columns, so that two names fit in a choice.
const LONGEST_NAME: u16 = 16;

/// The question, and the pairs of X and O that it offers.
pub(super) struct PlayHere {
    pub(super) dialog: Dialog<usize>,
    pub(super) pairs: Vec<[ParticipantArg; 2]>,
}

impl PlayHere {
    /// `play` is the position that is shown, after this many moves of the game.
    pub(super) fn new(
        game: &StoredGame,
        play: &AnyGameState,
        moves: usize,
        more: &str,
    ) -> PlayHere {
        let pairs = pairs(game, play.side());
        let choices = pairs.iter().zip('1'..).enumerate();
        let choices = choices.map(|(at, (pair, key))| {
            let [x, o] = pair.each_ref().map(|who| name(who, more));
            Choice::new(key, format!("{x} (X) against {o} (O)"), at)
        });
        let side = play.side();
        let text = match moves {
            0 => format!("A new game starts from the start of this one. {side} is to move."),
            _ => format!("A new game starts after move {moves}. {side} is to move."),
        };
        let text = vec![Line::from(text)];
        PlayHere {
            dialog: Dialog::new("Play from here", text, choices.collect()),
            pairs,
        }
    }
}

/// The players of the game if they can play again, then a human against a computer.
fn pairs(game: &StoredGame, side: Side) -> Vec<[ParticipantArg; 2]> {
    let known = game.seats.each_ref().map(|seat| known(seat, game));
    let is_human = |who: &&ParticipantArg| matches!(who, ParticipantArg::Human(_));
    let (mut humans, mut bots): (Vec<_>, Vec<_>) = known.iter().flatten().partition(is_human);
    let (you, medium) = (
        ParticipantArg::Human(None),
        ParticipantArg::Bot(BotKind::Medium),
    );
    humans.push(&you);
    bots.push(&medium);
    let (human, bot) = (humans[0].clone(), bots[0].clone());
    let mut pairs = Vec::new();
    if let [Some(x), Some(o)] = &known
        && humans.len() > 1
    {
        pairs.extend([[x.clone(), o.clone()], [o.clone(), x.clone()]]);
    }
    let (as_x, as_o) = ([human.clone(), bot.clone()], [bot, human]);
    let new = match side {
        Side::X => [as_x, as_o],
        Side::O => [as_o, as_x],
    };
    for pair in new {
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// A player who can be seated again: not a guest of a server, a deleted player, or a bot that this
/// program doesn't have.
fn known(seat: &Seat, game: &StoredGame) -> Option<ParticipantArg> {
    match Participant::from_seat(seat).ok()? {
        Participant::Player(name) => Some(ParticipantArg::Human(Some(name))),
        Participant::Guest => None,
        Participant::Bot(kind) => {
            let plays = kind.check_supports(game.variant).is_ok();
            plays.then_some(ParticipantArg::Bot(kind))
        }
    }
}

fn name(who: &ParticipantArg, more: &str) -> String {
    match who {
        ParticipantArg::Human(None) => "You".into(),
        ParticipantArg::Human(Some(name)) => truncate(name.as_str(), LONGEST_NAME, more),
        ParticipantArg::Bot(kind) => kind.to_string(),
    }
}
