//! The game as it is shown: the session, and what follows from it, worked out once
//! for each step and not for each frame.

use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_store::{Assistance, Tally, Termination};

use crate::tui::app_context::AppContext;
use crate::tui::screens::game_parts::ending_text;
use crate::tui::widgets::{MoveEntry, PlayerInfo, move_entries};
use noughts_session::{Participant, Session, SessionError};

pub(super) struct DisplayedGame {
    session: Session,
    pub(super) entries: Vec<MoveEntry>,
    pub(super) can_undo: bool,
    pub(super) can_redo: bool,
    names: [String; 2],
    pub(super) player_infos: [PlayerInfo; 2],
    /// Tic-Tac-Two: pieces not on the board yet, and all there are.
    pub(super) in_hand: Option<[(usize, usize); 2]>,
}

impl DisplayedGame {
    pub(super) fn new(session: Session, house: &AppContext) -> DisplayedGame {
        let mut table = DisplayedGame {
            entries: Vec::new(),
            can_undo: false,
            can_redo: false,
            names: names(&session),
            player_infos: standings(&session, house),
            in_hand: None,
            session,
        };
        table.work_out();
        table
    }

    /// Goes on to the next moment of the game.
    pub(super) fn update(&mut self, mut session: Session, house: &AppContext) {
        // Help may have been noted while the step was being stored.
        if let Some(how) = self.session.assistance() {
            session.set_assisted(how);
        }
        let reseated = session.seats() != self.session.seats();
        let ended = session.result().is_some();
        self.session = session;
        if reseated || ended {
            self.names = names(&self.session);
            self.player_infos = standings(&self.session, house);
        }
        self.work_out();
    }

    fn work_out(&mut self) {
        let play = self.session.game_state();
        self.entries = move_entries(&play.move_sides(), play.moves(), self.session.move_times());
        self.can_undo = self.session.can_take_back();
        self.can_redo = self.session.can_redo();
        self.in_hand = in_hand(play);
    }

    /// Stores that a player has help. Returns whether that is the first time.
    pub(super) fn record_assistance(
        &mut self,
        how: Assistance,
        house: &AppContext,
    ) -> Result<bool, SessionError> {
        let assisted = self.session.mark_assisted(house.store_handle.store(), how);
        house.store_handle.block_on(assisted)
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn state(&self) -> &AnyGameState {
        self.session.game_state()
    }

    pub(super) fn variant(&self) -> Variant {
        self.session.game_state().variant()
    }

    pub(super) fn name(&self, side: Side) -> &str {
        &self.names[side as usize]
    }

    pub(super) fn result(&self) -> Option<(Option<Outcome>, Termination)> {
        self.session.result()
    }

    /// How it ended, in words; nothing while it runs.
    pub(super) fn ending_text(&self) -> String {
        self.result().map_or_else(String::new, |(result, end)| {
            ending_text(self.state(), result, end, |side| self.name(side).to_owned())
        })
    }

    /// Is a person to move?
    pub(super) fn person_moves(&self) -> bool {
        self.session.to_move().is_some_and(Participant::is_human)
    }

    /// Does nobody but computers play?
    pub(super) fn is_bots_only(&self) -> bool {
        !self.session.seats().iter().any(Participant::is_human)
    }

    /// Whose game a person gives up: their own; between two people, that of the one
    /// to move.
    pub(super) fn side_of_person(&self) -> Option<Side> {
        let to_move = self.state().side();
        let mut sides = [to_move, to_move.other()].into_iter();
        sides.find(|&side| self.session.participant(side).is_human())
    }

    /// The people's records.
    pub(super) fn tallies(&self) -> [Option<Tally>; 2] {
        Side::BOTH.map(|side| match self.player_infos[side as usize] {
            PlayerInfo::Record(tally) => Some(tally),
            PlayerInfo::Sentence(_) => None,
        })
    }
}

fn names(session: &Session) -> [String; 2] {
    Side::BOTH.map(|side| session.participant(side).to_string())
}

fn standings(session: &Session, house: &AppContext) -> [PlayerInfo; 2] {
    let variant = session.game_state().variant();
    Side::BOTH.map(|side| match session.participant(side) {
        Participant::Player(name) => {
            let store = house.store_handle.store();
            let tally = house.store_handle.block_on(store.player_tally(name));
            // A record that cannot be read is no reason not to play.
            PlayerInfo::Record(tally.ok().flatten().unwrap_or_default())
        }
        Participant::Guest => PlayerInfo::Record(Tally::default()),
        Participant::Bot(kind) => PlayerInfo::Sentence(kind.description(Some(variant))),
    })
}

fn in_hand(play: &AnyGameState) -> Option<[(usize, usize); 2]> {
    let AnyGameState::TicTacTwo(play) = play else {
        return None;
    };
    let all = usize::from(play.game().options().pieces());
    let left = |player| usize::from(play.game().in_hand(play.position(), player));
    Some(Side::BOTH.map(|player| (left(player), all)))
}
