//! A game as one visitor sees it at one moment: what all parts ask.

use std::borrow::Cow;

use noughts_rules::{AnyPlay, Player};
use noughts_store::{End, Seat};

use super::Look;
use crate::live::{Snapshot, You};
use crate::view::words;

pub(super) struct Seen<'a> {
    pub(super) game: &'a Snapshot,
    pub(super) you: You,
    pub(super) look: &'a Look,
    /// The game as it is shown: as it is, or as it was.
    pub(super) play: Cow<'a, AnyPlay>,
}

impl<'a> Seen<'a> {
    pub(super) fn new(game: &'a Snapshot, you: You, look: &'a Look) -> Seen<'a> {
        let play = match look.ply.filter(|&ply| ply < words::made(&game.play)) {
            Some(ply) => Cow::Owned(words::past(&game.play, ply)),
            None => Cow::Borrowed(&game.play),
        };
        Seen {
            game,
            you,
            look,
            play,
        }
    }

    /// Is it the past that is shown?
    pub(super) fn looks_back(&self) -> bool {
        words::made(&self.play) < words::made(&self.game.play)
    }

    /// A board to try things on, where nobody plays anybody.
    pub(super) fn is_study(&self) -> bool {
        self.game.game.is_none() && self.alone()
    }

    /// Does the visitor play both sides?
    pub(super) fn alone(&self) -> bool {
        self.you.x && self.you.o
    }

    /// The one side that the visitor plays.
    pub(super) fn side(&self) -> Option<Player> {
        match (self.you.x, self.you.o) {
            (true, false) => Some(Player::X),
            (false, true) => Some(Player::O),
            _ => None,
        }
    }

    pub(super) fn plays(&self) -> bool {
        self.you.x || self.you.o
    }

    pub(super) fn seat(&self, side: Player) -> &Seat {
        &self.game.seats[side as usize]
    }

    pub(super) fn is_bot(&self, side: Player) -> bool {
        matches!(self.seat(side), Seat::Bot(_))
    }

    pub(super) fn is_invited(&self, side: Player) -> bool {
        self.game.invited[side as usize]
    }

    /// Who plays it, as a sentence calls them.
    pub(super) fn name(&self, side: Player) -> String {
        match self.is_invited(side) {
            true if self.plays() => "Your friend".into(),
            true => "Somebody invited".into(),
            false => self.seat(side).to_string(),
        }
    }

    /// The same where the two could be taken for each other.
    pub(super) fn who(&self, side: Player) -> String {
        let name = self.name(side);
        match name == self.name(side.other()) {
            true => format!("{name} ({side})"),
            false => name,
        }
    }

    /// Two bots play each other.
    pub(super) fn is_watched(&self) -> bool {
        self.is_bot(Player::X) && self.is_bot(Player::O)
    }

    pub(super) fn goes_on(&self) -> bool {
        self.game.over.is_none()
    }

    /// How it ended, as a sentence part.
    pub(super) fn how(&self) -> String {
        match self.game.over {
            Some((_, End::Resigned)) => match self.loser() {
                Some(loser) => format!("{} resigned", self.name(loser)),
                None => End::Resigned.to_string(),
            },
            Some((_, end)) => self
                .game
                .play
                .how_it_ended()
                .unwrap_or_else(|| end.to_string()),
            None => String::new(),
        }
    }

    pub(super) fn loser(&self) -> Option<Player> {
        let (outcome, _) = self.game.over?;
        Some(outcome?.winner()?.other())
    }
}
