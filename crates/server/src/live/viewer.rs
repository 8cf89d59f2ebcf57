//! Who looks at a game, with what rights and at which part of it.

use noughts_rules::Side;
use noughts_text::Viewpoint;

use super::snapshot::GameSnapshot;

/// A viewer of a game; the default is a spectator who looks at all of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Viewer {
    /// Plays X.
    pub(crate) x: bool,
    /// Plays O.
    pub(crate) o: bool,
    /// Created this game between bots.
    pub(crate) host: bool,
    /// The path of the board to zoom into; empty for the whole board.
    pub(crate) path: String,
    /// Show the position after this many moves instead of the current one.
    pub(crate) ply: Option<usize>,
    /// The absolute URL of the invite link, for the creator of the game while a seat is
    /// reserved.
    pub(crate) invite_link: Option<String>,
}

impl Viewer {
    pub(crate) fn plays(&self, side: Side) -> bool {
        match side {
            Side::X => self.x,
            Side::O => self.o,
        }
    }

    /// The sides that the viewer plays.
    pub(crate) fn sides(&self) -> Vec<Side> {
        let sides = Side::BOTH.into_iter();
        sides.filter(|&side| self.plays(side)).collect()
    }

    /// The point of view for sentences.
    pub(crate) fn viewpoint(&self) -> Viewpoint {
        match (self.x, self.o) {
            (true, true) => Viewpoint::Both,
            (true, false) => Viewpoint::Player(Side::X),
            (false, true) => Viewpoint::Player(Side::O),
            (false, false) => Viewpoint::Spectator,
        }
    }

    /// The side that the viewer plays, if it is exactly one.
    pub(crate) fn side(&self) -> Option<Side> {
        match self.viewpoint() {
            Viewpoint::Player(side) => Some(side),
            Viewpoint::Both | Viewpoint::Spectator => None,
        }
    }

    pub(crate) fn is_player(&self) -> bool {
        self.x || self.o
    }

    /// Does the viewer do more than watch?
    pub(crate) fn is_participant(&self) -> bool {
        self.x || self.o || self.host
    }

    /// Is it this viewer's turn?
    pub(crate) fn is_to_move(&self, game: &GameSnapshot) -> bool {
        let side = game.state.side();
        let is_human = game.seats[side as usize].is_human();
        game.over.is_none() && !game.is_waiting_for_opponent() && is_human && self.plays(side)
    }
}
