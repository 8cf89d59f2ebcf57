//! The game as it is shown: the session, and what follows from it, worked out once
//! for each step and not for each frame.

use noughts_rules::{AnyPlay, Outcome, Player, Variant};
use noughts_store::{Assistance, End, Tally};

use crate::tui::house::House;
use crate::tui::screens::panes::how_it_ended;
use crate::tui::widgets::{Entry, Standing, entries};
use noughts_session::{Problem, Session, Who};

pub(super) struct Table {
    session: Session,
    pub(super) entries: Vec<Entry>,
    pub(super) can_undo: bool,
    pub(super) can_redo: bool,
    names: [String; 2],
    pub(super) standings: [Standing; 2],
    /// Tic-Tac-Two: pieces not on the board yet, and all there are.
    pub(super) in_hand: Option<[(usize, usize); 2]>,
}

impl Table {
    pub(super) fn new(session: Session, house: &House) -> Table {
        let mut table = Table {
            entries: Vec::new(),
            can_undo: false,
            can_redo: false,
            names: names(&session),
            standings: standings(&session, house),
            in_hand: None,
            session,
        };
        table.work_out();
        table
    }

    /// Goes on to the next moment of the game.
    pub(super) fn follow(&mut self, mut session: Session, house: &House) {
        // Help may have been noted while the step was being stored.
        if let Some(how) = self.session.assisted() {
            session.set_assisted(how);
        }
        let reseated = session.seats() != self.session.seats();
        let ended = session.over().is_some();
        self.session = session;
        if reseated || ended {
            self.names = names(&self.session);
            self.standings = standings(&self.session, house);
        }
        self.work_out();
    }

    fn work_out(&mut self) {
        let play = self.session.play();
        self.entries = entries(&play.sides(), play.moves(), self.session.times());
        self.can_undo = self.session.can_undo();
        self.can_redo = self.session.can_redo();
        self.in_hand = in_hand(play);
    }

    /// Stores that a player has help. Returns whether that is the first time.
    pub(super) fn assist(&mut self, how: Assistance, house: &House) -> Result<bool, Problem> {
        let assisted = self.session.assist(house.keeper.store(), how);
        house.keeper.wait(assisted)
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn play(&self) -> &AnyPlay {
        self.session.play()
    }

    pub(super) fn variant(&self) -> Variant {
        self.session.play().variant()
    }

    pub(super) fn name(&self, side: Player) -> &str {
        &self.names[side as usize]
    }

    pub(super) fn over(&self) -> Option<(Option<Outcome>, End)> {
        self.session.over()
    }

    /// How it ended, in words; nothing while it runs.
    pub(super) fn how_it_ended(&self) -> String {
        self.over().map_or_else(String::new, |(result, end)| {
            how_it_ended(self.play(), result, end, |side| self.name(side).to_owned())
        })
    }

    /// Is a person to move?
    pub(super) fn person_moves(&self) -> bool {
        self.session.to_move().is_some_and(Who::is_person)
    }

    /// Does nobody but computers play?
    pub(super) fn is_watched(&self) -> bool {
        !self.session.seats().iter().any(Who::is_person)
    }

    /// Whose game a person gives up: their own; between two people, that of the one
    /// to move.
    pub(super) fn side_of_person(&self) -> Option<Player> {
        let to_move = self.play().side();
        let mut sides = [to_move, to_move.other()].into_iter();
        sides.find(|&side| self.session.who(side).is_person())
    }

    /// The people's records.
    pub(super) fn tallies(&self) -> [Option<Tally>; 2] {
        Player::BOTH.map(|side| match self.standings[side as usize] {
            Standing::Record(tally) => Some(tally),
            Standing::Sentence(_) => None,
        })
    }
}

fn names(session: &Session) -> [String; 2] {
    Player::BOTH.map(|side| session.who(side).to_string())
}

fn standings(session: &Session, house: &House) -> [Standing; 2] {
    let variant = session.play().variant();
    Player::BOTH.map(|side| match session.who(side) {
        Who::Person(name) => {
            let store = house.keeper.store();
            let tally = house.keeper.wait(store.tally(name));
            // A record that cannot be read is no reason not to play.
            Standing::Record(tally.ok().flatten().unwrap_or_default())
        }
        Who::Guest => Standing::Record(Tally::default()),
        Who::Bot(kind) => Standing::Sentence(kind.sentence(Some(variant))),
    })
}

fn in_hand(play: &AnyPlay) -> Option<[(usize, usize); 2]> {
    let AnyPlay::TicTacTwo(play) = play else {
        return None;
    };
    let all = usize::from(play.game().options().pieces());
    let left = |player| usize::from(play.game().in_hand(play.position(), player));
    Some(Player::BOTH.map(|player| (left(player), all)))
}
