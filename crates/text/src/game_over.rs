//! How a game ended: a title, the reason, and a remark for the players.

use noughts_rules::{AnyGameState, Outcome, Side, Termination, Variant};

use crate::layout::uncapitalize;

/// A player as sentences name them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerLabel {
    /// The name, or a stand-in for one.
    pub name: String,
    /// A human, not a bot.
    pub is_human: bool,
    /// The name is the player's own, not a stand-in.
    pub is_named: bool,
}

/// From whose point of view a finished game is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewpoint {
    /// Of somebody who plays neither side.
    Spectator,
    /// Of the player of this side.
    Player(Side),
    /// Of a player of both sides, or of two players at one screen.
    Both,
}

impl Viewpoint {
    /// The point of view of the humans at one screen.
    #[must_use]
    pub fn of_humans(over: &GameOver) -> Viewpoint {
        match Side::BOTH.map(|side| over.is_human(side)) {
            [true, true] => Viewpoint::Both,
            [true, false] => Viewpoint::Player(Side::X),
            [false, true] => Viewpoint::Player(Side::O),
            [false, false] => Viewpoint::Spectator,
        }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOver {
    /// The game.
    pub variant: Variant,
    /// The result; none for a game that was abandoned.
    pub outcome: Option<Outcome>,
    /// How it ended.
    pub termination: Termination,
    /// X's and O's player; none for a board that nobody plays on.
    pub players: Option<[PlayerLabel; 2]>,
    /// How many moves were made; it picks a remark, so that remarks vary between games and stay the same for one game.
    pub moves: usize,
}

/// Encouragement after a loss.
const CONSOLATIONS: [&str; 4] = [
    "Good game. Ready for a rematch?",
    "Well fought. Try again?",
    "Tough one. The next game could be yours.",
    "Every loss teaches something. Another round?",
];

impl GameOver {
    /// A board that the rules have ended and that nobody plays on.
    #[must_use]
    pub fn of_state(state: &AnyGameState) -> Option<GameOver> {
        let (outcome, ending) = state.outcome().zip(state.ending())?;
        Some(GameOver {
            variant: state.variant(),
            outcome: Some(outcome),
            termination: ending.into(),
            players: None,
            moves: state.moves().len(),
        })
    }

    fn player(&self, side: Side) -> Option<&PlayerLabel> {
        self.players.as_ref().map(|players| &players[side as usize])
    }

    fn name(&self, side: Side) -> String {
        self.player(side)
            .map_or_else(|| side.to_string(), |player| player.name.clone())
    }

    fn is_human(&self, side: Side) -> bool {
        self.player(side).is_some_and(|player| player.is_human)
    }

    fn is_named(&self, side: Side) -> bool {
        self.player(side).is_some_and(|player| player.is_named)
    }

    /// The result from the viewer's point of view: `Congratulations, Ada!`, `Bob (O) wins`, `Draw`.
    #[must_use]
    pub fn title(&self, viewpoint: Viewpoint) -> String {
        let Some(Outcome::Win(winner)) = self.outcome else {
            return self.result();
        };
        let addressed = |greeting: &str, side: Side, end: &str| match self.is_named(side) {
            true => format!("{greeting}, {name}{end}", name = self.name(side)),
            false => format!("{greeting}{end}"),
        };
        match viewpoint {
            Viewpoint::Player(side) if side == winner => addressed("Congratulations", side, "!"),
            Viewpoint::Player(side) => addressed("Not this time", side, ""),
            Viewpoint::Both if self.is_human(winner) => addressed("Congratulations", winner, "!"),
            Viewpoint::Both | Viewpoint::Spectator => self.result(),
        }
    }

    /// The result for anybody: `Ada (X) wins`, `Draw`, `No result`.
    #[must_use]
    pub fn result(&self) -> String {
        match self.outcome {
            None => "No result".into(),
            Some(Outcome::Draw) => "Draw".into(),
            Some(Outcome::Win(winner)) => match self.player(winner) {
                Some(player) => format!("{name} ({winner}) wins", name = player.name),
                None => format!("{winner} wins"),
            },
        }
    }

    /// The result and its reason: `Ada (X) wins: Bob resigned.`
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{}: {}.", self.result(), self.reason())
    }

    /// The reason, as it follows a colon: `three in a row`, `no moves left`, `Bob resigned`.
    #[must_use]
    pub fn reason(&self) -> String {
        let winner = self.outcome.and_then(Outcome::winner);
        let loser = winner.map(Side::other);
        let loser = loser.map_or_else(|| "a player".to_owned(), |side| self.name(side));
        let of_game = self.variant.info().ending_text;
        if let Some(reason) = of_game(self.variant, self.termination, winner) {
            return reason;
        }
        match self.termination {
            Termination::Line | Termination::DoubleLine => "a line".into(),
            Termination::NoMove | Termination::MostBoards => "no moves left".into(),
            Termination::Repetition => "the same position occurred three times".into(),
            Termination::AgreedDraw => "the players agreed to a draw".into(),
            Termination::Resigned => format!("{loser} resigned"),
            Termination::Timeout => format!("{loser} ran out of time"),
            Termination::IllegalMove => format!("{loser} made an illegal move"),
            Termination::Crash => format!("{loser} crashed"),
            Termination::Abandoned => "the game was abandoned".into(),
        }
    }

    /// Praise or comfort, for games that were played to their end.
    #[must_use]
    pub fn remark(&self, viewpoint: Viewpoint) -> Option<String> {
        if !self.termination.is_by_rules() {
            return None;
        }
        let outcome = self.outcome?;
        let consolation = CONSOLATIONS[self.moves % CONSOLATIONS.len()];
        match (viewpoint, outcome) {
            (Viewpoint::Spectator, _) => None,
            (Viewpoint::Player(side), Outcome::Win(winner)) if side != winner => {
                Some(consolation.into())
            }
            (Viewpoint::Player(side), Outcome::Win(_)) => Some(match self.is_human(side.other()) {
                true => "Well played.".into(),
                false => format!("{name} has met its match.", name = self.name(side.other())),
            }),
            (Viewpoint::Player(side), Outcome::Draw) => Some(match self.is_human(side.other()) {
                true => "Evenly matched.".into(),
                false => format!("You held {name} to a draw.", name = self.name(side.other())),
            }),
            (Viewpoint::Both, Outcome::Win(winner)) => Some(match self.is_named(winner.other()) {
                true => format!(
                    "{}, {}",
                    self.name(winner.other()),
                    uncapitalize(consolation)
                ),
                false => consolation.into(),
            }),
            (Viewpoint::Both, Outcome::Draw) => Some("Evenly matched.".into()),
        }
    }
}

/// The result of a game in a list of games, finished or not: `X wins`, `draw`, `abandoned`, `unfinished`.
#[must_use]
pub fn listed_result(outcome: Option<Outcome>, is_over: bool) -> String {
    match outcome {
        Some(outcome) => outcome.to_string(),
        None if is_over => "abandoned".into(),
        None => "unfinished".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str, is_human: bool) -> PlayerLabel {
        PlayerLabel {
            name: name.into(),
            is_human,
            is_named: is_human,
        }
    }

    fn over(outcome: Option<Outcome>, termination: Termination, o: PlayerLabel) -> GameOver {
        GameOver {
            variant: Variant::CLASSIC,
            outcome,
            termination,
            players: Some([label("Ada", true), o]),
            moves: 9,
        }
    }

    /// The player of a side reads their own result, everybody else who won; and the reason is always given.
    #[test]
    fn every_result_has_a_title_and_a_sentence_for_every_viewer() {
        use Viewpoint::{Both, Player, Spectator};
        let (x, o) = (Some(Outcome::Win(Side::X)), Some(Outcome::Win(Side::O)));
        let draw = Some(Outcome::Draw);
        for (outcome, viewpoint, title) in [
            (x, Player(Side::X), "Congratulations, Ada!"),
            (x, Player(Side::O), "Not this time, Bob"),
            (o, Player(Side::X), "Not this time, Ada"),
            (o, Both, "Congratulations, Bob!"),
            (o, Spectator, "Bob (O) wins"),
            (draw, Player(Side::X), "Draw"),
            (None, Both, "No result"),
        ] {
            let over = over(outcome, Termination::Line, label("Bob", true));
            assert_eq!(over.title(viewpoint), title);
            assert!(
                over.sentence().ends_with(": three in a row."),
                "{}",
                over.sentence()
            );
        }
        let bot = over(o, Termination::Line, label("hard", false));
        assert_eq!(bot.title(Both), "hard (O) wins");
    }

    #[test]
    fn the_player_who_ended_the_game_is_named() {
        for (termination, reason) in [
            (Termination::Resigned, "Ada resigned"),
            (Termination::Timeout, "Ada ran out of time"),
            (Termination::IllegalMove, "Ada made an illegal move"),
            (Termination::Crash, "Ada crashed"),
        ] {
            let over = over(Some(Outcome::Win(Side::O)), termination, label("Bob", true));
            assert_eq!(over.reason(), reason);
            assert_eq!(over.sentence(), format!("Bob (O) wins: {reason}."));
        }
    }

    /// Praise and comfort are for games that were played to their end.
    #[test]
    fn games_that_ended_early_get_no_remark() {
        for opponent in [label("Bob", true), label("hard", false)] {
            for (outcome, termination, has_remark) in [
                (Outcome::Win(Side::O), Termination::Resigned, false),
                (Outcome::Draw, Termination::AgreedDraw, false),
                (Outcome::Draw, Termination::NoMove, true),
                (Outcome::Win(Side::O), Termination::Line, true),
                (Outcome::Win(Side::X), Termination::Line, true),
            ] {
                let over = over(Some(outcome), termination, opponent.clone());
                let remark = over.remark(Viewpoint::Player(Side::X));
                assert_eq!(remark.is_some(), has_remark, "{remark:?}");
                assert_eq!(over.remark(Viewpoint::Spectator), None);
            }
        }
    }

    #[test]
    fn reasons_fit_the_game() {
        for (variant, position, reason) in [
            ("classic", "xxx/oo./... o", "three in a row"),
            ("misere", "xxx/oo./... o", "X made three in a row"),
            ("classic", "xox/xoo/oxx o", "the board is full"),
            (
                "tic-tac-two",
                "...../xxx../ooo../...../..... x @b3",
                "both players completed a line",
            ),
            (
                "ception:end=most",
                "xxxoo..../xoxxoooxx/xoxxoooxx/xoxxoooxx/oxooxxxoo/oxooxxxoo/oxooxxxoo/oxooxxxoo/xoxxoooxx - o i",
                "no moves left, and X owns more boards",
            ),
        ] {
            let variant: Variant = variant.parse().expect("a variant");
            let state = AnyGameState::from_text(variant, position).expect("a position");
            let over = GameOver::of_state(&state).expect("a finished game");
            assert_eq!(over.reason(), reason);
        }
    }
}
