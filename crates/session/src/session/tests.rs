//! What a session promises: steps that are stored or did not happen, and undo that
//! goes back to a person's own decision.

use noughts_engine::BotKind;
use noughts_store::{Assistance, Name, StoredGame, Tally};

use tokio::runtime::Runtime;

use super::*;

/// A store that a test waits for.
struct Keeper {
    runtime: Runtime,
    store: Store,
}

impl Keeper {
    fn opened(open: impl Future<Output = Result<Store, StoreError>>) -> Keeper {
        let runtime = Runtime::new().unwrap();
        let store = runtime.block_on(open).unwrap();
        Keeper { runtime, store }
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn wait<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.wait(self.store.close());
    }
}

/// A store in memory and a game in it, stepped while the test waits.
struct Table {
    keeper: Keeper,
    session: Session,
}

fn person(name: &str) -> Participant {
    Participant::Player(Name::new(name).unwrap())
}

fn keeper() -> Keeper {
    Keeper::opened(Store::in_memory())
}

fn begin(keeper: &Keeper, variant: &str, seats: [Participant; 2]) -> Result<Session, SessionError> {
    let variant = variant.parse().unwrap();
    keeper.wait(Session::start(keeper.store(), variant, seats))
}

impl Table {
    fn new(variant: &str, seats: [Participant; 2]) -> Table {
        let keeper = keeper();
        let session = begin(&keeper, variant, seats).unwrap();
        Table { keeper, session }
    }

    /// Ada as X against a computer.
    fn against_medium() -> Table {
        Table::new(
            "classic",
            [person("Ada"), Participant::Bot(BotKind::Medium)],
        )
    }

    fn step(&mut self, step: GameAction) -> Result<(), SessionError> {
        let stepped = self.session.apply(self.keeper.store(), step);
        self.session = self.keeper.wait(stepped)?;
        Ok(())
    }

    fn moves(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            self.step(GameAction::Move(mv.into())).unwrap();
        }
    }

    fn stored(&self) -> StoredGame {
        let game = self.keeper.store().game(self.session.id());
        self.keeper.wait(game).unwrap().expect("the game is stored")
    }

    fn tally(&self, name: &str) -> Option<Tally> {
        let name = Name::new(name).unwrap();
        self.keeper
            .wait(self.keeper.store().player_tally(&name))
            .unwrap()
    }

    /// What the session says and what is stored are the same.
    fn agree(&self, moves: &str) {
        assert_eq!(self.session.game_state().moves().join(" "), moves);
        let stored = self.stored();
        let texts: Vec<&str> = stored.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(texts.join(" "), moves);
        let over = self.session.result();
        assert_eq!(stored.end, over.map(|(_, end)| end));
        assert_eq!(stored.result, over.and_then(|(result, _)| result));
        assert_eq!(stored.changed_hands, self.session.has_changed_hands());
        assert_eq!(stored.assistance, self.session.assistance());
        assert_eq!(stored.is_rated(), self.session.is_rated());
        let seats = self.session.seats().each_ref().map(Participant::to_seat);
        assert_eq!(stored.seats, seats);
        assert_eq!(self.session.move_times().len(), stored.moves.len());
    }

    fn refused(&mut self, step: GameAction) -> String {
        let before = self.session.game_state().moves();
        let Err(SessionError::Rejected(reason)) = self.step(step) else {
            panic!("the step was not refused");
        };
        self.agree(&before.join(" "));
        reason
    }
}

#[test]
fn undo_goes_back_to_ones_own_decision() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1 a3");
    table.step(GameAction::TakeBack).unwrap();
    table.agree("b2 a1");
    table.step(GameAction::TakeBack).unwrap();
    table.agree("");
    assert!(!table.session.can_take_back());
    assert_eq!(
        table.refused(GameAction::TakeBack),
        "there is no move to take back"
    );
    table.step(GameAction::Redo).unwrap();
    table.agree("b2 a1");
    table.step(GameAction::Redo).unwrap();
    table.agree("b2 a1 c1 a3");
    assert!(!table.session.can_redo());
    assert_eq!(
        table.refused(GameAction::Redo),
        "there is no move to make again"
    );
}

/// The computer has not answered yet: only the own move goes.
#[test]
fn undo_before_the_computers_answer_takes_one_move() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1");
    table.step(GameAction::TakeBack).unwrap();
    table.agree("b2 a1");
    table.step(GameAction::Redo).unwrap();
    table.agree("b2 a1 c1");
    assert_eq!(
        table.session.to_move(),
        Some(&Participant::Bot(BotKind::Medium))
    );
}

#[test]
fn a_computers_first_move_is_nobodys_decision() {
    let mut table = Table::new("classic", [Participant::Bot(BotKind::Easy), person("Ada")]);
    table.moves("a1");
    assert!(!table.session.can_take_back());
    assert_eq!(
        table.refused(GameAction::TakeBack),
        "there is no move to take back"
    );
    table.moves("b2 c3");
    table.step(GameAction::TakeBack).unwrap();
    table.agree("a1");
}

#[test]
fn between_people_and_between_computers_undo_takes_one_move() {
    let people = [person("Ada"), person("Bob")];
    let computers = [
        Participant::Bot(BotKind::Easy),
        Participant::Bot(BotKind::Hard),
    ];
    for seats in [people, computers] {
        let mut table = Table::new("classic", seats);
        table.moves("b2 a1 c1");
        table.step(GameAction::TakeBack).unwrap();
        table.agree("b2 a1");
        table.step(GameAction::TakeBack).unwrap();
        table.agree("b2");
        table.step(GameAction::Redo).unwrap();
        table.agree("b2 a1");
    }
}

/// What was undone is another game's future once a new move is made.
#[test]
fn another_move_ends_what_can_be_made_again() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1 a3");
    table.step(GameAction::TakeBack).unwrap();
    assert!(table.session.can_redo());
    table.moves("a2");
    assert!(!table.session.can_redo());
    table.agree("b2 a1 a2");
}

#[test]
fn the_times_of_moves_are_kept_and_come_back() {
    let mut table = Table::against_medium();
    table.moves("b2 a1");
    let times = table.session.move_times().to_vec();
    table.step(GameAction::TakeBack).unwrap();
    table.step(GameAction::Redo).unwrap();
    assert_eq!(table.session.move_times(), times);
    let store = table.keeper.store();
    let resumed = table
        .keeper
        .wait(Session::resume(store, table.session.id()))
        .unwrap();
    let millis = |times: &[Duration]| times.iter().map(Duration::as_millis).collect::<Vec<_>>();
    assert_eq!(millis(resumed.move_times()), millis(&times));
}

#[test]
fn a_move_that_is_none_is_refused_with_the_rules_reason() {
    let mut table = Table::against_medium();
    table.moves("b2");
    assert_eq!(table.refused(GameAction::Move("b2".into())), "b2 is taken");
    assert!(
        table
            .refused(GameAction::Move("zz".into()))
            .contains("no cell")
    );
}

#[test]
fn the_last_move_ends_the_game_and_counts() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1 a2 a3");
    table.agree("b2 a1 c1 a2 a3");
    let win = Some(Outcome::Win(Side::X));
    assert_eq!(table.session.result(), Some((win, Termination::Line)));
    assert_eq!(table.session.to_move(), None);
    let won = Tally {
        wins: 1,
        losses: 0,
        draws: 0,
    };
    assert_eq!(table.tally("Ada"), Some(won));
    for step in [
        GameAction::TakeBack,
        GameAction::Redo,
        GameAction::Move("c3".into()),
        GameAction::AgreeDraw,
        GameAction::Abandon,
        GameAction::Resign(Side::X),
        GameAction::Reseat(Side::O, Participant::Bot(BotKind::Best)),
    ] {
        assert_eq!(table.refused(step), "the game is over");
    }
    assert_eq!(table.tally("Ada"), Some(won));
}

#[test]
fn who_resigns_loses_and_agreed_draws_count_for_both() {
    let seats = || [person("Ada"), person("Bob")];
    let mut table = Table::new("classic", seats());
    table.moves("b2");
    table.step(GameAction::Resign(Side::O)).unwrap();
    table.agree("b2");
    let win = Some(Outcome::Win(Side::X));
    assert_eq!(table.session.result(), Some((win, Termination::Resigned)));
    assert_eq!(table.tally("Bob").unwrap().losses, 1);

    table.session = begin(&table.keeper, "classic", seats()).unwrap();
    table.step(GameAction::AgreeDraw).unwrap();
    table.agree("");
    assert_eq!(
        table.session.result(),
        Some((Some(Outcome::Draw), Termination::AgreedDraw))
    );

    table.session = begin(&table.keeper, "classic", seats()).unwrap();
    table.moves("b2");
    table.step(GameAction::Abandon).unwrap();
    table.agree("b2");
    assert_eq!(table.session.result(), Some((None, Termination::Abandoned)));
    for (name, wins, losses) in [("Ada", 1, 0), ("Bob", 0, 1)] {
        let tally = Tally {
            wins,
            losses,
            draws: 1,
        };
        assert_eq!(table.tally(name), Some(tally), "{name}");
    }
}

#[test]
fn a_game_that_never_saw_a_move_is_not_offered_again() {
    let dir = tempfile::tempdir().unwrap();
    let begun = |moves: &str| {
        let keeper = Keeper::opened(Store::open(dir.path()));
        let mut session = begin(&keeper, "classic", [person("Ada"), person("Bob")]).unwrap();
        for mv in moves.split_whitespace() {
            let step = session.apply(keeper.store(), GameAction::Move(mv.into()));
            session = keeper.wait(step).unwrap();
        }
        session.id()
    };
    let (empty, played) = (begun(""), begun("b2"));
    let keeper = Keeper::opened(Store::open(dir.path()));
    let offered = keeper.wait(resumable_games(keeper.store())).unwrap();
    assert_eq!(
        offered.iter().map(|game| game.id).collect::<Vec<_>>(),
        [played]
    );
    let gone = keeper.wait(keeper.store().game(empty)).unwrap();
    assert_eq!(gone, None);
}

/// An imported position was deleted at the next start, and when somebody had opened it.
#[test]
fn an_imported_position_without_a_move_stays() {
    let keeper = keeper();
    let store = keeper.store();
    let text = "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n[Position \"x../.o./... x\"]\n\n*";
    let records = noughts_rules::Record::parse_all(text).unwrap();
    keeper.wait(store.import(&records)).unwrap();
    for _ in 0..2 {
        let offered = keeper.wait(resumable_games(store)).unwrap();
        assert_eq!(offered.len(), 1, "it can be played on");
        let session = keeper.wait(Session::resume(store, offered[0].id)).unwrap();
        keeper.wait(session.release(store)).unwrap();
    }
    let moment = noughts_store::Timestamp::from_millis(i64::MAX / 2);
    assert_eq!(
        keeper
            .wait(store.delete_unplayed_games(moment, moment))
            .unwrap(),
        0
    );
    let export = keeper.wait(store.export(&Default::default())).unwrap();
    assert_eq!(keeper.wait(export.collect()).unwrap().len(), 1);
}

#[test]
fn a_game_that_is_left_without_a_move_is_not_kept() {
    let mut table = Table::against_medium();
    table.moves("b2");
    table.step(GameAction::TakeBack).unwrap();
    let store = table.keeper.store();
    table.keeper.wait(table.session.release(store)).unwrap();
    let left = table.keeper.wait(store.game(table.session.id())).unwrap();
    assert_eq!(left, None);
}

/// Nobody is asked about what they cannot play on; it stays among the games.
#[test]
fn only_what_people_can_play_on_is_offered() {
    use noughts_store::Seat;

    let keeper = keeper();
    let store = keeper.store();
    let bot = |name: &str| Seat::Bot(name.into());
    let ada = || Seat::Player(Name::new("Ada").unwrap());
    let cases = [
        ("classic", [ada(), bot("medium")], "b2", true),
        ("classic", [bot("easy"), bot("medium")], "b2", false),
        ("classic", [bot("from-tomorrow"), ada()], "b2", false),
        ("ception:5d", [ada(), bot("negamax")], "ee", false),
    ];
    let mut expected = Vec::new();
    for (variant, seats, mv, offered) in cases {
        let game = NewGame {
            variant: variant.parse().unwrap(),
            start: None,
            seats,
        };
        let id = keeper.wait(store.create_game(&game)).unwrap();
        let mv = StoredMove {
            text: mv.into(),
            took: Duration::ZERO,
        };
        keeper.wait(store.add_move(id, 0, &mv, None)).unwrap();
        keeper.wait(store.release_game(id)).unwrap();
        assert!(keeper.wait(store.game(id)).unwrap().is_some());
        expected.extend(offered.then_some(id));
    }
    let offered = keeper.wait(resumable_games(store)).unwrap();
    let offered: Vec<GameId> = offered.iter().map(|game| game.id).collect();
    assert_eq!(offered, expected);
}

#[test]
fn nobody_plays_against_themselves() {
    let keeper = keeper();
    let twice = begin(&keeper, "classic", [person("Ada"), person("ADA")]);
    assert!(matches!(twice, Err(SessionError::Rejected(reason)) if reason.contains("both sides")));
    let games = keeper.wait(keeper.store().resumable_games()).unwrap();
    assert_eq!(games, []);

    let mut table = Table::against_medium();
    let reason = table.refused(GameAction::Reseat(Side::O, person("ada")));
    assert!(reason.contains("both sides"), "{reason}");
}

#[test]
fn a_game_that_changed_hands_counts_for_nobody() {
    let mut table = Table::against_medium();
    // Before the first move nothing has been played, and the same player is no change.
    table
        .step(GameAction::Reseat(Side::O, Participant::Bot(BotKind::Hard)))
        .unwrap();
    table.moves("b2");
    table
        .step(GameAction::Reseat(Side::X, person("Ada")))
        .unwrap();
    assert!(!table.session.has_changed_hands());
    table.agree("b2");

    table
        .step(GameAction::Reseat(Side::O, person("Bob")))
        .unwrap();
    assert!(table.session.has_changed_hands());
    table.moves("a1 c1 a2 a3");
    table.agree("b2 a1 c1 a2 a3");
    assert_eq!(table.tally("Ada").unwrap(), Tally::default());
    assert_eq!(table.tally("Bob").unwrap(), Tally::default());
}

/// The first help counts, and taking back what was taken back doesn't remove it.
#[test]
fn a_game_with_help_is_not_rated() {
    for how in [None, Some(Assistance::Hint), Some(Assistance::Analysis)] {
        let mut table = Table::against_medium();
        table.moves("b2 a1");
        assert!(table.session.is_rated());
        if let Some(how) = how {
            for first in [true, false] {
                let noted = table.session.mark_assisted(table.keeper.store(), how);
                assert_eq!(table.keeper.wait(noted).unwrap(), first);
            }
            table.agree("b2 a1");
        }
        table.step(GameAction::TakeBack).unwrap();
        table.step(GameAction::Redo).unwrap();
        let expected = how.unwrap_or(Assistance::Takeback);
        assert_eq!(table.session.assistance(), Some(expected));
        table.agree("b2 a1");

        // A program that resumes the game knows it, too.
        let id = table.session.id();
        let left = table.session.release(table.keeper.store());
        table.keeper.wait(left).unwrap();
        let resumed = Session::resume(table.keeper.store(), id);
        table.session = table.keeper.wait(resumed).unwrap();
        table.moves("c1 a2 a3");
        table.agree("b2 a1 c1 a2 a3");
        assert_eq!(table.session.assistance(), Some(expected));
        assert_eq!(table.tally("Ada").unwrap(), Tally::default());
        let late = table.session.mark_assisted(table.keeper.store(), expected);
        assert!(!table.keeper.wait(late).unwrap(), "it is over");
    }
}

/// Taking a side over from the computer makes its earlier moves one's own.
#[test]
fn undo_after_a_handover_asks_who_plays_now() {
    let mut table = Table::against_medium();
    table.moves("b2 a1");
    table
        .step(GameAction::Reseat(Side::O, person("Bob")))
        .unwrap();
    table.step(GameAction::TakeBack).unwrap();
    table.agree("b2");
    table
        .step(GameAction::Reseat(Side::X, Participant::Bot(BotKind::Easy)))
        .unwrap();
    assert!(!table.session.can_take_back());
}

/// Something else has changed the game behind our back.
#[test]
fn a_conflict_in_the_store_refuses_the_step_and_loses_nothing() {
    let mut table = Table::against_medium();
    table.moves("b2 a1");
    let id = table.session.id();
    table
        .keeper
        .wait(table.keeper.store().take_back(id, 1))
        .unwrap();
    let problem = table.step(GameAction::Move("c1".into())).unwrap_err();
    assert!(
        matches!(problem, SessionError::Store(StoreError::Conflict { .. })),
        "{problem}"
    );
    assert!(problem.to_string().contains("it was not made"), "{problem}");
    assert_eq!(table.session.game_state().moves(), ["b2", "a1"]);
    assert!(table.session.result().is_none());

    // With the store as the session knows it, the same step is made.
    let mv = StoredMove {
        text: "a1".into(),
        took: Duration::ZERO,
    };
    table
        .keeper
        .wait(table.keeper.store().add_move(id, 1, &mv, None))
        .unwrap();
    table.moves("c1");
    // The takeback came from elsewhere, and stays noted.
    table.session.set_assisted(Assistance::Takeback);
    table.agree("b2 a1 c1");
}

#[test]
fn a_step_that_cannot_be_stored_is_not_made() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1 a3");
    table.step(GameAction::TakeBack).unwrap();
    table.keeper.wait(table.keeper.store().close());
    for step in [
        GameAction::Move("c1".into()),
        GameAction::TakeBack,
        GameAction::Redo,
        GameAction::Resign(Side::X),
        GameAction::Reseat(Side::O, person("Bob")),
    ] {
        assert!(matches!(table.step(step), Err(SessionError::Store(_))));
        assert_eq!(table.session.game_state().moves(), ["b2", "a1"]);
        assert_eq!(table.session.move_times().len(), 2);
        assert!(table.session.result().is_none() && table.session.can_redo());
        assert!(!table.session.has_changed_hands());
    }
}

#[test]
fn a_game_is_resumed_by_one_program_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Keeper::opened(Store::open(dir.path()));
    let (here, there) = (open(), open());
    let seats = [person("Ada"), Participant::Bot(BotKind::Hard)];
    let mut table = Table {
        session: begin(&here, "ultimate", seats).unwrap(),
        keeper: here,
    };
    table.moves("ee ea");
    let id = table.session.id();
    let elsewhere = || there.wait(Session::resume(there.store(), id));
    assert!(matches!(elsewhere(), Err(SessionError::Rejected(_))));

    table
        .keeper
        .wait(table.session.release(table.keeper.store()))
        .unwrap();
    let resumed = elsewhere().unwrap();
    assert_eq!(resumed.game_state().moves(), ["ee", "ea"]);
    assert_eq!(resumed.seats(), table.session.seats());
    // Now it is played there, and no longer here.
    let step = table.step(GameAction::Move("ab".into()));
    assert!(matches!(step, Err(SessionError::Store(_))));

    there
        .wait(resumed.apply(there.store(), GameAction::Abandon))
        .unwrap();
    assert!(matches!(elsewhere(), Err(SessionError::Rejected(_))));
}

/// A game that cannot be played on is not held back from those who can.
#[test]
fn what_cannot_be_resumed_is_let_go() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Keeper::opened(Store::open(dir.path()));
    let (here, there) = (open(), open());
    let [x, o] = [person("Ada"), person("Bob")];
    let session = begin(&here, "classic", [x, o]).unwrap();
    let moved = session.apply(here.store(), GameAction::Move("b2".into()));
    let session = here.wait(moved).unwrap();
    here.wait(session.release(here.store())).unwrap();
    let ada = Name::new("Ada").unwrap();
    here.wait(here.store().delete_player(&ada)).unwrap();
    let resumed = there.wait(Session::resume(there.store(), session.id()));
    assert!(matches!(resumed, Err(SessionError::Rejected(reason)) if reason.contains("deleted")));
    assert!(here.wait(here.store().acquire_game(session.id())).unwrap());
}

/// Whatever is done to a game, what is stored is what the session says.
#[test]
fn session_and_store_agree_after_any_steps() {
    let seats = |round: u64| match round % 3 {
        0 => [person("Ada"), Participant::Bot(BotKind::Easy)],
        1 => [person("Ada"), person("Bob")],
        _ => [Participant::Bot(BotKind::Easy), person("Bob")],
    };
    for round in 0..30 {
        let variant = ["classic", "tic-tac-two", "ultimate", "ception:5d"][round as usize % 4];
        let mut table = Table::new(variant, seats(round));
        let mut dice = round.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut roll = |sides: usize| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            dice as usize % sides
        };
        for _ in 0..60 {
            let legal = table.session.game_state().legal_moves();
            let step = match roll(12) {
                0 => GameAction::TakeBack,
                1 => GameAction::Redo,
                2 if roll(20) == 0 => GameAction::Resign(Side::X),
                3 if roll(5) == 0 => GameAction::Reseat(Side::O, Participant::Bot(BotKind::Hard)),
                _ if legal.is_empty() => GameAction::TakeBack,
                _ => GameAction::Move(legal[roll(legal.len())].clone()),
            };
            let before = table.session.game_state().moves();
            let made = table.step(step).is_ok();
            let after = table.session.game_state().moves();
            assert!(made || before == after);
            table.agree(&after.join(" "));
        }
    }
}

/// A game from a position in which O is to move, with two given moves.
fn from_position(keeper: &Keeper, seats: [Participant; 2]) -> Result<Session, SessionError> {
    let mut from = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o").unwrap();
    for mv in ["b2", "c3"] {
        from.play(mv).unwrap();
    }
    keeper.wait(Session::start_from(keeper.store(), &from, seats))
}

#[test]
fn a_game_from_a_position_stores_its_start_and_its_given_moves() {
    let keeper = keeper();
    let session = from_position(&keeper, [person("Ada"), person("Bob")]).unwrap();
    let mut table = Table { keeper, session };
    assert_eq!(table.session.to_move(), Some(&person("Bob")));
    table.step(GameAction::Move("a3".into())).unwrap();
    let store = table.keeper.store();
    table.keeper.wait(table.session.release(store)).unwrap();
    let game = table.keeper.wait(store.game(table.session.id()));
    let game = game.unwrap().unwrap();
    assert_eq!(game.start.as_deref(), Some("x../.../... o"));
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, ["b2", "c3", "a3"]);
    assert!(game.moves[..2].iter().all(|mv| mv.took.is_zero()));

    let resumed = Session::resume(store, table.session.id());
    table.session = table.keeper.wait(resumed).unwrap();
    let now = table.session.game_state().position_text();
    assert_eq!(now, "x../.o./o.x x");
    for _ in 0..3 {
        table.step(GameAction::TakeBack).unwrap();
    }
    assert_eq!(table.session.game_state().position_text(), "x../.../... o");
    assert!(!table.session.can_take_back());
}

/// Otherwise every try at a position would be offered at the next start.
#[test]
fn a_game_with_only_its_given_moves_is_not_kept() {
    let keeper = keeper();
    let session = from_position(&keeper, [person("Ada"), person("Bob")]).unwrap();
    let mut table = Table { keeper, session };
    assert!(table.session.is_unplayed());
    table.step(GameAction::TakeBack).unwrap();
    assert!(table.session.is_unplayed());
    // Another move instead of the given one is the player's own.
    table.step(GameAction::Move("c1".into())).unwrap();
    assert!(!table.session.is_unplayed());
    table.step(GameAction::TakeBack).unwrap();
    let store = table.keeper.store();
    table.keeper.wait(table.session.release(store)).unwrap();
    let game = table.keeper.wait(store.game(table.session.id()));
    assert_eq!(game.unwrap(), None);
}

#[test]
fn no_game_starts_where_it_is_over() {
    let keeper = keeper();
    let over = AnyGameState::from_text(Variant::CLASSIC, "xxx/oo./... o").unwrap();
    let seats = [person("Ada"), person("Bob")];
    let begun = keeper.wait(Session::start_from(keeper.store(), &over, seats));
    assert!(matches!(begun, Err(SessionError::Rejected(_))), "{begun:?}");
}
