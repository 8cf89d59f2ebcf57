//! The game as displayed: the session and what is derived from it, computed once per action and not
//! per frame.

use noughts_rules::{AnyGameState, Assistance, Outcome, Side, Termination};
use noughts_store::Tally;

use crate::tui::app_context::AppContext;
use crate::tui::board::pieces_in_hand;
use crate::tui::widgets::{MoveEntry, PlayerInfo, move_entries};
use noughts_session::policy::PlayMode;
use noughts_session::{Participant, Session, SessionError, display_name};

pub(super) struct DisplayedGame {
    pub(super) session: Session,
    pub(super) entries: Vec<MoveEntry>,
    pub(super) can_undo: bool,
    pub(super) can_redo: bool,
    names: [String; 2],
    pub(super) player_infos: [PlayerInfo; 2],
    /// Pieces not on the board yet, and the total, in games with one kind of them.
    pub(super) in_hand: Option<[(u32, u32); 2]>,
}

impl DisplayedGame {
    pub(super) fn new(session: Session, context: &AppContext) -> DisplayedGame {
        let mut game = DisplayedGame {
            entries: Vec::new(),
            can_undo: false,
            can_redo: false,
            names: names(&session),
            player_infos: load_player_infos(&session, context),
            in_hand: None,
            session,
        };
        game.refresh();
        game
    }

    /// Replaces the session after an action.
    pub(super) fn update(&mut self, mut session: Session, context: &AppContext) {
        // Assistance may have been recorded while the action was being stored.
        if let Some(assistance) = self.session.assistance() {
            session.set_assistance(assistance);
        }
        let seats_changed = session.seats() != self.session.seats();
        let is_over = session.result().is_some();
        self.session = session;
        if seats_changed || is_over {
            self.names = names(&self.session);
            self.player_infos = load_player_infos(&self.session, context);
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        let state = self.session.game_state();
        self.entries = move_entries(
            &state.move_sides(),
            state.moves(),
            self.session.move_times(),
        );
        self.can_undo = self.session.can_take_back();
        self.can_redo = self.session.can_redo(PlayMode::Local);
        self.in_hand = pieces_in_hand(state);
    }

    /// Stores that a player got help. Returns whether it was the first time.
    pub(super) fn record_assistance(
        &mut self,
        assistance: Assistance,
        context: &AppContext,
    ) -> Result<bool, SessionError> {
        let session = &mut self.session;
        context
            .store_handle
            .query(|store| session.mark_assisted(store, assistance))
    }

    pub(super) fn state(&self) -> &AnyGameState {
        self.session.game_state()
    }

    pub(super) fn name(&self, side: Side) -> &str {
        &self.names[side as usize]
    }

    pub(super) fn result(&self) -> Option<(Option<Outcome>, Termination)> {
        self.session.result()
    }

    pub(super) fn is_human_to_move(&self) -> bool {
        self.session.to_move().is_some_and(Participant::is_human)
    }

    /// Do only bots play?
    pub(super) fn is_bots_only(&self) -> bool {
        !self.session.seats().iter().any(Participant::is_human)
    }

    /// The side that a human would resign: their own; between two humans, the side to move.
    pub(super) fn human_side(&self) -> Option<Side> {
        let to_move = self.state().side();
        let mut sides = [to_move, to_move.other()].into_iter();
        sides.find(|&side| self.session.participant(side).is_human())
    }

    /// The humans' records.
    pub(super) fn tallies(&self) -> [Option<Tally>; 2] {
        Side::BOTH.map(|side| match self.player_infos[side as usize] {
            PlayerInfo::Record(tally) => Some(tally),
            PlayerInfo::Description(_) => None,
        })
    }
}

fn names(session: &Session) -> [String; 2] {
    (session.seats().each_ref()).map(|participant| display_name(&participant.to_seat()))
}

fn load_player_infos(session: &Session, context: &AppContext) -> [PlayerInfo; 2] {
    let variant = session.game_state().variant();
    Side::BOTH.map(|side| match session.participant(side) {
        Participant::Player(name) => {
            let tally = context.store_handle.query(|store| store.player_tally(name));
            // An unreadable record must not prevent a game.
            PlayerInfo::Record(tally.ok().flatten().unwrap_or_default())
        }
        Participant::Guest => PlayerInfo::Record(Tally::default()),
        Participant::Bot(kind) => PlayerInfo::Description(kind.description(Some(variant))),
    })
}
