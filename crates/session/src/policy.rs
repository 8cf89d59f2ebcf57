//! Who may do what in a game, decided once for every front end: how a bot answers a draw offer, who may take back and
//! how far, when redo is available, what makes a game unrated, and which unfinished games fit a request.
//!
//! Everything here is a pure function of its arguments. The sentences are in the text crate.

use std::time::Duration;

use noughts_engine::{BotKind, SearchLimits, Value};
use noughts_rules::{AnyGameState, Assistance, Side, UnratedReason, Variant};
use noughts_store::{GameSummary, Name, Seat, StoredGame};
pub use noughts_text::DrawRefusal;
use noughts_text::ValueForX;

/// The bot that gives hints and evaluates positions in which a draw is offered: the levels that people play against
/// have no evaluation of their own.
pub const ADVISOR: BotKind = BotKind::Best;

/// How long the advisor may think.
pub const ADVISOR_LIMITS: SearchLimits = SearchLimits::time(Duration::from_secs(1));

/// Before each side has made a move, no bot agrees to a draw.
const MIN_MOVES: usize = 2;
/// Before this many moves, a bot agrees only to what is proved.
const MIN_MOVES_FOR_ESTIMATES: usize = 10;
/// A bot is better off if its expected result (from −1 to 1) exceeds this.
const MAX_ADVANTAGE: f64 = 0.05;

/// How the bot of a side answers a draw offer. `value` is the advisor's value of the position for the side to move.
///
/// A bot agrees if the position is proved not to be better for it than a draw, or, after a few moves, if the
/// evaluation says so.
///
/// ```
/// use noughts_engine::{ExactValue, Value};
/// use noughts_rules::{AnyGameState, Side, Variant};
/// use noughts_session::policy::{DrawRefusal, answer_draw_offer};
/// let state = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o")?;
/// let value = Value::Exact(ExactValue::DRAW);
/// // No moves have been made from this position.
/// assert_eq!(answer_draw_offer(value, &state, Side::O), Err(DrawRefusal::TooEarly));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Why the bot declines.
pub fn answer_draw_offer(value: Value, state: &AnyGameState, bot: Side) -> Result<(), DrawRefusal> {
    let value = ValueForX::from_side(value, state.side()).value_for(bot);
    answer_with_value(value, state.moves().len())
}

fn answer_with_value(value: Value, moves: usize) -> Result<(), DrawRefusal> {
    match value {
        _ if moves < MIN_MOVES => Err(DrawRefusal::TooEarly),
        _ if value.expected_result() > MAX_ADVANTAGE => Err(DrawRefusal::Better),
        Value::Exact(_) => Ok(()),
        Value::Estimate { error, .. } if error >= 1.0 => Err(DrawRefusal::Unknown),
        Value::Estimate { .. } if moves < MIN_MOVES_FOR_ESTIMATES => Err(DrawRefusal::TooEarly),
        Value::Estimate { .. } => Ok(()),
    }
}

/// How the players of a game sit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayMode {
    /// At one screen, alone, or against a bot: nobody has to agree to anything.
    Local,
    /// Two humans, each with their own screen.
    Online,
}

/// How many moves a takeback keeps: those before the last decision of `side`, or without a side before the last
/// decision of any human; `None` if there is no move to take back. If no human plays, one move is taken back. `movers`
/// are the sides of all moves so far, `humans` says which sides humans play. Online, the opponent is asked first.
#[must_use]
pub fn takeback(movers: &[Side], humans: [bool; 2], side: Option<Side>) -> Option<usize> {
    let decides = |mover: Side| match side {
        Some(side) => mover == side,
        None => humans[mover as usize] || humans == [false; 2],
    };
    movers.iter().rposition(|&mover| decides(mover))
}

/// Can moves that were taken back be redone? Online, the opponent has agreed to another game than before.
#[must_use]
pub fn can_redo(mode: PlayMode, taken_back: usize) -> bool {
    mode == PlayMode::Local && taken_back > 0
}

/// What a rating depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatingConditions {
    /// Why the game isn't rated already, if so.
    pub unrated: Option<UnratedReason>,
    /// The game has ended.
    pub is_over: bool,
    /// A human plays; games between bots are always analyzed freely.
    pub has_humans: bool,
    /// The number of moves made.
    pub moves: usize,
}

/// Something that may end the rating of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RatingEvent {
    /// A player uses assistance.
    Assistance(Assistance),
    /// Another player takes over a side.
    HandOver,
}

/// Why the game won't be rated if this happens; `None` if it changes nothing. Front ends tell the player before it
/// happens: [`noughts_text::unrated_warning`].
#[must_use]
pub fn unrated_by(game: RatingConditions, event: RatingEvent) -> Option<UnratedReason> {
    if game.unrated.is_some() || game.is_over || !game.has_humans {
        return None;
    }
    match event {
        RatingEvent::Assistance(assistance) => Some(UnratedReason::Assisted(assistance)),
        RatingEvent::HandOver => (game.moves > 0).then_some(UnratedReason::ChangedHands),
    }
}

/// A player of a requested game. A human without a name is asked for one later.
#[derive(Clone, PartialEq, Debug)]
pub enum RequestedPlayer {
    /// A human, of this name if there is one.
    Human(Option<Name>),
    /// A bot.
    Bot(BotKind),
}

impl RequestedPlayer {
    /// Does this player have the seat? Any named player may have the seat of a human without a name.
    fn has_seat(&self, seat: &Seat) -> bool {
        match (self, seat) {
            (RequestedPlayer::Human(name), Seat::Player(player)) => {
                name.as_ref().is_none_or(|name| name == player)
            }
            (RequestedPlayer::Bot(kind), Seat::Bot(bot)) => kind.name() == bot,
            _ => false,
        }
    }
}

/// A game that somebody wants to play. What isn't given fits everything.
#[derive(Clone, Default, Debug)]
pub struct GameRequest {
    /// The game.
    pub variant: Option<Variant>,
    /// X's player and O's.
    pub seats: [Option<RequestedPlayer>; 2],
    /// The start position and the first moves.
    pub start: Option<AnyGameState>,
}

impl GameRequest {
    /// Does an unfinished game have the requested variant and players?
    #[must_use]
    pub fn fits(&self, game: &GameSummary) -> bool {
        let mut seats = self.seats.iter().zip(&game.seats);
        self.variant.is_none_or(|variant| variant == game.variant)
            && seats
                .all(|(player, seat)| player.as_ref().is_none_or(|player| player.has_seat(seat)))
    }

    /// Does a game start as requested?
    #[must_use]
    pub fn fits_start(&self, game: &StoredGame) -> bool {
        self.start.as_ref().is_none_or(|start| {
            let position = (!start.has_standard_start()).then(|| start.start_text());
            let moves = start.moves();
            let mut played = game.moves.iter().map(|mv| &mv.text);
            game.start == position && moves.iter().all(|mv| played.next() == Some(mv))
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use noughts_engine::{ExactValue, GameValue};

    use super::*;

    #[test]
    fn bots_agree_to_draws_unless_they_are_better() {
        let exact = |exact: ExactValue| Value::Exact(exact);
        let estimate = |mean: f64| Value::Estimate { mean, error: 0.1 };
        let unproved = ExactValue::without_distance(GameValue::Draw);
        for (value, moves, answer) in [
            (exact(ExactValue::DRAW), 0, Err(DrawRefusal::TooEarly)),
            (exact(ExactValue::DRAW), 1, Err(DrawRefusal::TooEarly)),
            (exact(ExactValue::DRAW), 2, Ok(())),
            (exact(unproved), 2, Ok(())),
            (exact(ExactValue::loss(2)), 2, Ok(())),
            (exact(ExactValue::win(1)), 2, Err(DrawRefusal::Better)),
            (exact(ExactValue::win(9)), 50, Err(DrawRefusal::Better)),
            (estimate(0.0), 9, Err(DrawRefusal::TooEarly)),
            (estimate(0.0), 10, Ok(())),
            (estimate(-0.9), 10, Ok(())),
            (estimate(0.05), 10, Ok(())),
            (estimate(0.06), 10, Err(DrawRefusal::Better)),
            (estimate(0.06), 9, Err(DrawRefusal::Better)),
            (Value::UNKNOWN, 50, Err(DrawRefusal::Unknown)),
        ] {
            assert_eq!(answer_with_value(value, moves), answer, "{value} {moves}");
        }
    }

    #[test]
    fn takebacks_return_to_a_decision() {
        use PlayMode::{Local, Online};
        use Side::{O, X};
        let (humans, against_bot, bots) = ([true; 2], [true, false], [false; 2]);
        for (movers, humans, side, expected) in [
            (&[][..], humans, None, None),
            (&[X, O, X], humans, None, Some(2)),
            (&[X, O], against_bot, None, Some(0)),
            (&[X, O, X], against_bot, None, Some(2)),
            (&[O], against_bot, None, None),
            // Extra moves: each of them is a decision.
            (&[X, O, X, X], against_bot, None, Some(3)),
            (&[X, O, X], bots, None, Some(2)),
            (&[X, O, X], humans, Some(O), Some(1)),
            (&[X, O, X], humans, Some(X), Some(2)),
            (&[X], humans, Some(O), None),
        ] {
            assert_eq!(takeback(movers, humans, side), expected, "{movers:?}");
        }
        for (mode, taken_back, available) in
            [(Local, 0, false), (Local, 2, true), (Online, 2, false)]
        {
            assert_eq!(can_redo(mode, taken_back), available);
        }
    }

    #[test]
    fn only_a_rated_game_can_stop_being_rated() {
        let rated = RatingConditions {
            unrated: None,
            is_over: false,
            has_humans: true,
            moves: 3,
        };
        let hint = UnratedReason::Assisted(Assistance::Hint);
        let takes_hint = RatingEvent::Assistance(Assistance::Hint);
        let (no_moves, hand_over) = (
            RatingConditions { moves: 0, ..rated },
            RatingEvent::HandOver,
        );
        for (game, event, expected) in [
            (rated, takes_hint, Some(hint)),
            (no_moves, takes_hint, Some(hint)),
            (rated, hand_over, Some(UnratedReason::ChangedHands)),
            (no_moves, hand_over, None),
            (
                RatingConditions {
                    unrated: Some(hint),
                    ..rated
                },
                takes_hint,
                None,
            ),
            (
                RatingConditions {
                    unrated: Some(hint),
                    ..rated
                },
                hand_over,
                None,
            ),
            (
                RatingConditions {
                    is_over: true,
                    ..rated
                },
                takes_hint,
                None,
            ),
            (
                RatingConditions {
                    has_humans: false,
                    ..rated
                },
                takes_hint,
                None,
            ),
        ] {
            assert_eq!(unrated_by(game, event), expected, "{game:?} {event:?}");
        }
    }

    fn human(name: &str) -> Option<RequestedPlayer> {
        Some(RequestedPlayer::Human(Some(Name::new(name).unwrap())))
    }

    #[test]
    fn requested_players_have_their_seats() {
        let any = Some(RequestedPlayer::Human(None));
        let bot = |kind| Some(RequestedPlayer::Bot(kind));
        let ada = Seat::Player(Name::new("Ada").unwrap());
        let perfect = Seat::Bot("perfect".into());
        for (request, seat, fits) in [
            (any.clone(), &ada, true),
            (human("ADA"), &ada, true),
            (human("Bob"), &ada, false),
            (bot(BotKind::Perfect), &ada, false),
            (bot(BotKind::Perfect), &perfect, true),
            (bot(BotKind::Easy), &perfect, false),
            (any.clone(), &perfect, false),
            (any, &Seat::Guest, false),
            (human("Ada"), &Seat::Deleted, false),
        ] {
            let request = request.unwrap();
            assert_eq!(request.has_seat(seat), fits, "{request:?} {seat}");
        }
    }
}
