//! Session guarantees: actions are stored or don't happen, and takebacks return to a human's own
//! decision.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_store::{Name, StoredGame, Tally};

use tokio::runtime::Runtime;

use super::*;

/// A store with a runtime to block on.
struct BlockingStore {
    runtime: Runtime,
    store: Store,
}

impl BlockingStore {
    fn open(open: impl Future<Output = Result<Store, StoreError>>) -> BlockingStore {
        let runtime = Runtime::new().unwrap();
        let store = runtime.block_on(open).unwrap();
        BlockingStore { runtime, store }
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn block_on<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }
}

impl Drop for BlockingStore {
    fn drop(&mut self) {
        self.block_on(self.store.close());
    }
}

/// An in-memory store and a game in it.
struct TestGame {
    blocking: BlockingStore,
    session: Session,
}

fn player(name: &str) -> Participant {
    Participant::Player(Name::new(name).unwrap())
}

fn blocking() -> BlockingStore {
    BlockingStore::open(Store::in_memory())
}

fn start_session(
    blocking: &BlockingStore,
    variant: &str,
    seats: [Participant; 2],
) -> Result<Session, SessionError> {
    let variant = variant.parse().unwrap();
    blocking.block_on(Session::start_from(
        blocking.store(),
        &AnyGameState::new(variant),
        seats,
    ))
}

impl TestGame {
    fn new(variant: &str, seats: [Participant; 2]) -> TestGame {
        let blocking = blocking();
        let session = start_session(&blocking, variant, seats).unwrap();
        TestGame { blocking, session }
    }

    /// Ada as X against a bot.
    fn against_medium() -> TestGame {
        TestGame::new(
            "classic",
            [player("Ada"), Participant::Bot(BotKind::Medium)],
        )
    }

    fn apply(&mut self, action: GameAction) -> Result<(), SessionError> {
        let applied = self.session.apply(self.blocking.store(), action);
        self.session = self.blocking.block_on(applied)?;
        Ok(())
    }

    fn moves(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            self.apply(GameAction::Move(mv.into())).unwrap();
        }
    }

    fn stored(&self) -> StoredGame {
        let game = self.blocking.store().game(self.session.id());
        self.blocking
            .block_on(game)
            .unwrap()
            .expect("the game is stored")
    }

    fn tally(&self, name: &str) -> Option<Tally> {
        let name = Name::new(name).unwrap();
        self.blocking
            .block_on(self.blocking.store().player_tally(&name))
            .unwrap()
    }

    /// Asserts that the session and the store have the same state.
    fn assert_stored(&self, moves: &str) {
        assert_eq!(self.session.game_state().moves().join(" "), moves);
        let stored = self.stored();
        let texts: Vec<&str> = stored.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(texts.join(" "), moves);
        let result = self.session.result();
        assert_eq!(stored.end, result.map(|(_, end)| end));
        assert_eq!(stored.result, result.and_then(|(result, _)| result));
        assert_eq!(stored.changed_hands, self.session.has_changed_hands());
        assert_eq!(stored.assistance, self.session.assistance());
        assert_eq!(stored.is_rated(), self.session.is_rated());
        let seats = self.session.seats().each_ref().map(Participant::to_seat);
        assert_eq!(stored.seats, seats);
        assert_eq!(self.session.move_times().len(), stored.moves.len());
    }

    fn assert_rejected(&mut self, action: GameAction) -> String {
        let before = self.session.game_state().moves();
        let Err(SessionError::Rejected(reason)) = self.apply(action) else {
            panic!("the action was not rejected");
        };
        self.assert_stored(&before.join(" "));
        reason
    }
}

#[test]
fn a_takeback_returns_to_the_players_own_decision() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1 c1 a3");
    game.apply(GameAction::TakeBack).unwrap();
    game.assert_stored("b2 a1");
    game.apply(GameAction::TakeBack).unwrap();
    game.assert_stored("");
    assert!(!game.session.can_take_back());
    assert_eq!(
        game.assert_rejected(GameAction::TakeBack),
        "no move to take back"
    );
    game.apply(GameAction::Redo).unwrap();
    game.assert_stored("b2 a1");
    game.apply(GameAction::Redo).unwrap();
    game.assert_stored("b2 a1 c1 a3");
    assert!(!game.session.can_redo(PlayMode::Local));
    assert_eq!(game.assert_rejected(GameAction::Redo), "no move to redo");
}

/// The bot hasn't answered yet: only the player's own move is taken back.
#[test]
fn a_takeback_before_the_bots_answer_takes_one_move() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1 c1");
    game.apply(GameAction::TakeBack).unwrap();
    game.assert_stored("b2 a1");
    game.apply(GameAction::Redo).unwrap();
    game.assert_stored("b2 a1 c1");
    assert_eq!(
        game.session.to_move(),
        Some(&Participant::Bot(BotKind::Medium))
    );
}

#[test]
fn a_bots_first_move_cannot_be_taken_back() {
    let mut game = TestGame::new("classic", [Participant::Bot(BotKind::Easy), player("Ada")]);
    game.moves("a1");
    assert!(!game.session.can_take_back());
    assert_eq!(
        game.assert_rejected(GameAction::TakeBack),
        "no move to take back"
    );
    game.moves("b2 c3");
    game.apply(GameAction::TakeBack).unwrap();
    game.assert_stored("a1");
}

#[test]
fn between_humans_and_between_bots_a_takeback_takes_one_move() {
    let humans = [player("Ada"), player("Bob")];
    let bots = [
        Participant::Bot(BotKind::Easy),
        Participant::Bot(BotKind::Hard),
    ];
    for seats in [humans, bots] {
        let mut game = TestGame::new("classic", seats);
        game.moves("b2 a1 c1");
        game.apply(GameAction::TakeBack).unwrap();
        game.assert_stored("b2 a1");
        game.apply(GameAction::TakeBack).unwrap();
        game.assert_stored("b2");
        game.apply(GameAction::Redo).unwrap();
        game.assert_stored("b2 a1");
    }
}

/// A new move discards the moves that could be redone.
#[test]
fn a_new_move_clears_the_redo_list() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1 c1 a3");
    game.apply(GameAction::TakeBack).unwrap();
    assert!(game.session.can_redo(PlayMode::Local));
    game.moves("a2");
    assert!(!game.session.can_redo(PlayMode::Local));
    game.assert_stored("b2 a1 a2");
}

#[test]
fn move_times_are_stored_and_survive_redo() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1");
    let times = game.session.move_times().to_vec();
    game.apply(GameAction::TakeBack).unwrap();
    game.apply(GameAction::Redo).unwrap();
    assert_eq!(game.session.move_times(), times);
    let store = game.blocking.store();
    let resumed = game
        .blocking
        .block_on(Session::resume(store, game.session.id()))
        .unwrap();
    let millis = |times: &[Duration]| times.iter().map(Duration::as_millis).collect::<Vec<_>>();
    assert_eq!(millis(resumed.move_times()), millis(&times));
}

#[test]
fn illegal_moves_are_rejected_with_the_reason_of_the_rules() {
    let mut game = TestGame::against_medium();
    game.moves("b2");
    assert_eq!(
        game.assert_rejected(GameAction::Move("b2".into())),
        "b2 is taken"
    );
    assert!(
        game.assert_rejected(GameAction::Move("zz".into()))
            .contains("isn't a cell")
    );
}

#[test]
fn the_last_move_ends_the_game_and_is_rated() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1 c1 a2 a3");
    game.assert_stored("b2 a1 c1 a2 a3");
    let win = Some(Outcome::Win(Side::X));
    assert_eq!(game.session.result(), Some((win, Termination::Line)));
    assert_eq!(game.session.to_move(), None);
    let won = Tally {
        wins: 1,
        losses: 0,
        draws: 0,
    };
    assert_eq!(game.tally("Ada"), Some(won));
    for action in [
        GameAction::TakeBack,
        GameAction::Redo,
        GameAction::Move("c3".into()),
        GameAction::AgreeDraw,
        GameAction::Abandon,
        GameAction::Resign(Side::X),
        GameAction::Reseat(Side::O, Participant::Bot(BotKind::Best)),
    ] {
        assert_eq!(game.assert_rejected(action), "the game is over");
    }
    assert_eq!(game.tally("Ada"), Some(won));
}

#[test]
fn resignations_and_agreed_draws_are_rated() {
    let seats = || [player("Ada"), player("Bob")];
    let mut game = TestGame::new("classic", seats());
    game.moves("b2");
    game.apply(GameAction::Resign(Side::O)).unwrap();
    game.assert_stored("b2");
    let win = Some(Outcome::Win(Side::X));
    assert_eq!(game.session.result(), Some((win, Termination::Resigned)));
    assert_eq!(game.tally("Bob").unwrap().losses, 1);

    game.session = start_session(&game.blocking, "classic", seats()).unwrap();
    game.apply(GameAction::AgreeDraw).unwrap();
    game.assert_stored("");
    assert_eq!(
        game.session.result(),
        Some((Some(Outcome::Draw), Termination::AgreedDraw))
    );

    game.session = start_session(&game.blocking, "classic", seats()).unwrap();
    game.moves("b2");
    game.apply(GameAction::Abandon).unwrap();
    game.assert_stored("b2");
    assert_eq!(game.session.result(), Some((None, Termination::Abandoned)));
    for (name, wins, losses) in [("Ada", 1, 0), ("Bob", 0, 1)] {
        let tally = Tally {
            wins,
            losses,
            draws: 1,
        };
        assert_eq!(game.tally(name), Some(tally), "{name}");
    }
}

#[test]
fn games_without_moves_are_not_resumable() {
    let dir = tempfile::tempdir().unwrap();
    let started_game = |moves: &str| {
        let blocking = BlockingStore::open(Store::open(dir.path()));
        let mut session =
            start_session(&blocking, "classic", [player("Ada"), player("Bob")]).unwrap();
        for mv in moves.split_whitespace() {
            let action = session.apply(blocking.store(), GameAction::Move(mv.into()));
            session = blocking.block_on(action).unwrap();
        }
        session.id()
    };
    let (empty, played) = (started_game(""), started_game("b2"));
    let blocking = BlockingStore::open(Store::open(dir.path()));
    let resumable = blocking
        .block_on(resumable_games(blocking.store(), &GameRequest::default()))
        .unwrap();
    assert_eq!(
        resumable.iter().map(|game| game.id).collect::<Vec<_>>(),
        [played]
    );
    let missing = blocking.block_on(blocking.store().game(empty)).unwrap();
    assert_eq!(missing, None);
}

/// Regression test: an imported position was deleted at the next start, and after it had been
/// opened.
#[test]
fn imported_positions_without_moves_are_kept() {
    let blocking = blocking();
    let store = blocking.store();
    let text = "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n[Position \"x../.o./... x\"]\n\n*";
    let records = noughts_rules::Record::parse_all(text).unwrap();
    blocking.block_on(store.import(&records)).unwrap();
    for _ in 0..2 {
        let resumable = blocking
            .block_on(resumable_games(store, &GameRequest::default()))
            .unwrap();
        assert_eq!(resumable.len(), 1, "it can be played on");
        let session = blocking
            .block_on(Session::resume(store, resumable[0].id))
            .unwrap();
        blocking.block_on(session.release(store)).unwrap();
    }
    let moment = noughts_store::Timestamp::from_millis(i64::MAX / 2);
    assert_eq!(
        blocking
            .block_on(store.delete_unplayed_games(moment, moment))
            .unwrap(),
        0
    );
    let export = blocking
        .block_on(store.export(&Default::default()))
        .unwrap();
    assert_eq!(blocking.block_on(export.collect()).unwrap().len(), 1);
}

#[test]
fn releasing_a_game_without_moves_discards_it() {
    let mut game = TestGame::against_medium();
    game.moves("b2");
    game.apply(GameAction::TakeBack).unwrap();
    let store = game.blocking.store();
    game.blocking.block_on(game.session.release(store)).unwrap();
    let left = game
        .blocking
        .block_on(store.game(game.session.id()))
        .unwrap();
    assert_eq!(left, None);
}

/// Games that nobody can continue aren't offered, but stay in the list of games.
#[test]
fn only_games_that_humans_can_continue_are_resumable() {
    use noughts_store::Seat;

    let blocking = blocking();
    let store = blocking.store();
    let bot = |name: &str| Seat::Bot(name.into());
    let ada = || Seat::Player(Name::new("Ada").unwrap());
    let cases = [
        ("classic", [ada(), bot("medium")], "b2", true),
        ("classic", [bot("easy"), bot("medium")], "b2", false),
        ("classic", [bot("from-tomorrow"), ada()], "b2", false),
        ("ception:5d", [ada(), bot("negamax")], "ee", false),
    ];
    let mut expected = Vec::new();
    for (variant, seats, mv, resumable) in cases {
        let game = NewGame {
            variant: variant.parse().unwrap(),
            start: None,
            seats,
        };
        let id = blocking.block_on(store.create_game(&game)).unwrap();
        let mv = StoredMove {
            text: mv.into(),
            took: Duration::ZERO,
        };
        blocking.block_on(store.add_move(id, 0, &mv, None)).unwrap();
        blocking.block_on(store.release_game(id)).unwrap();
        assert!(blocking.block_on(store.game(id)).unwrap().is_some());
        expected.extend(resumable.then_some(id));
    }
    let resumable = blocking
        .block_on(resumable_games(store, &GameRequest::default()))
        .unwrap();
    let resumable: Vec<GameId> = resumable.iter().map(|game| game.id).collect();
    assert_eq!(resumable, expected);
}

#[test]
fn a_player_cannot_have_both_sides() {
    let blocking = blocking();
    let same_player = start_session(&blocking, "classic", [player("Ada"), player("ADA")]);
    assert!(
        matches!(same_player, Err(SessionError::Rejected(reason)) if reason.contains("both sides"))
    );
    let games = blocking
        .block_on(blocking.store().resumable_games())
        .unwrap();
    assert_eq!(games, []);

    let mut game = TestGame::against_medium();
    let reason = game.assert_rejected(GameAction::Reseat(Side::O, player("ada")));
    assert!(reason.contains("both sides"), "{reason}");
}

#[test]
fn games_that_changed_hands_are_not_rated() {
    let mut game = TestGame::against_medium();
    // A change before the first move, or to the same player, doesn't count.
    game.apply(GameAction::Reseat(Side::O, Participant::Bot(BotKind::Hard)))
        .unwrap();
    game.moves("b2");
    game.apply(GameAction::Reseat(Side::X, player("Ada")))
        .unwrap();
    assert!(!game.session.has_changed_hands());
    game.assert_stored("b2");

    game.apply(GameAction::Reseat(Side::O, player("Bob")))
        .unwrap();
    assert!(game.session.has_changed_hands());
    game.moves("a1 c1 a2 a3");
    game.assert_stored("b2 a1 c1 a2 a3");
    assert_eq!(game.tally("Ada").unwrap(), Tally::default());
    assert_eq!(game.tally("Bob").unwrap(), Tally::default());
}

/// The first assistance counts, and redoing a takeback doesn't remove it.
#[test]
fn assisted_games_are_not_rated() {
    for kind in [None, Some(Assistance::Hint), Some(Assistance::Analysis)] {
        let mut game = TestGame::against_medium();
        game.moves("b2 a1");
        assert!(game.session.is_rated());
        if let Some(kind) = kind {
            for first in [true, false] {
                let noted = game.session.mark_assisted(game.blocking.store(), kind);
                assert_eq!(game.blocking.block_on(noted).unwrap(), first);
            }
            game.assert_stored("b2 a1");
        }
        game.apply(GameAction::TakeBack).unwrap();
        game.apply(GameAction::Redo).unwrap();
        let expected = kind.unwrap_or(Assistance::Takeback);
        assert_eq!(game.session.assistance(), Some(expected));
        game.assert_stored("b2 a1");

        // A process that resumes the game knows it as well.
        let id = game.session.id();
        let left = game.session.release(game.blocking.store());
        game.blocking.block_on(left).unwrap();
        let resumed = Session::resume(game.blocking.store(), id);
        game.session = game.blocking.block_on(resumed).unwrap();
        game.moves("c1 a2 a3");
        game.assert_stored("b2 a1 c1 a2 a3");
        assert_eq!(game.session.assistance(), Some(expected));
        assert_eq!(game.tally("Ada").unwrap(), Tally::default());
        let late = game.session.mark_assisted(game.blocking.store(), expected);
        assert!(!game.blocking.block_on(late).unwrap(), "it is over");
    }
}

/// After taking over a side from a bot, its earlier moves are the player's own decisions.
#[test]
fn takebacks_follow_the_current_participants() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1");
    game.apply(GameAction::Reseat(Side::O, player("Bob")))
        .unwrap();
    game.apply(GameAction::TakeBack).unwrap();
    game.assert_stored("b2");
    game.apply(GameAction::Reseat(Side::X, Participant::Bot(BotKind::Easy)))
        .unwrap();
    assert!(!game.session.can_take_back());
}

/// Something else changed the game in the store.
#[test]
fn a_conflict_in_the_store_rejects_the_action_and_loses_nothing() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1");
    let id = game.session.id();
    game.blocking
        .block_on(game.blocking.store().take_back(id, 1))
        .unwrap();
    let error = game.apply(GameAction::Move("c1".into())).unwrap_err();
    assert!(
        matches!(error, SessionError::Store(StoreError::Conflict { .. })),
        "{error}"
    );
    assert!(error.to_string().contains("it wasn't made"), "{error}");
    assert_eq!(game.session.game_state().moves(), ["b2", "a1"]);
    assert!(game.session.result().is_none());

    // Once the store matches the session, the same action succeeds.
    let mv = StoredMove {
        text: "a1".into(),
        took: Duration::ZERO,
    };
    game.blocking
        .block_on(game.blocking.store().add_move(id, 1, &mv, None))
        .unwrap();
    game.moves("c1");
    // The takeback came from outside the session and stays recorded.
    game.session.set_assistance(Assistance::Takeback);
    game.assert_stored("b2 a1 c1");
}

#[test]
fn an_action_that_cannot_be_stored_does_not_happen() {
    let mut game = TestGame::against_medium();
    game.moves("b2 a1 c1 a3");
    game.apply(GameAction::TakeBack).unwrap();
    game.blocking.block_on(game.blocking.store().close());
    for action in [
        GameAction::Move("c1".into()),
        GameAction::TakeBack,
        GameAction::Redo,
        GameAction::Resign(Side::X),
        GameAction::Reseat(Side::O, player("Bob")),
    ] {
        assert!(matches!(game.apply(action), Err(SessionError::Store(_))));
        assert_eq!(game.session.game_state().moves(), ["b2", "a1"]);
        assert_eq!(game.session.move_times().len(), 2);
        assert!(game.session.result().is_none() && game.session.can_redo(PlayMode::Local));
        assert!(!game.session.has_changed_hands());
    }
}

#[test]
fn a_game_is_resumed_by_one_process_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let open = || BlockingStore::open(Store::open(dir.path()));
    let (here, there) = (open(), open());
    let seats = [player("Ada"), Participant::Bot(BotKind::Hard)];
    let mut game = TestGame {
        session: start_session(&here, "ultimate", seats).unwrap(),
        blocking: here,
    };
    game.moves("ee ea");
    let id = game.session.id();
    let resume_there = || there.block_on(Session::resume(there.store(), id));
    assert!(matches!(resume_there(), Err(SessionError::Rejected(_))));

    game.blocking
        .block_on(game.session.release(game.blocking.store()))
        .unwrap();
    let resumed = resume_there().unwrap();
    assert_eq!(resumed.game_state().moves(), ["ee", "ea"]);
    assert_eq!(resumed.seats(), game.session.seats());
    // Now the other process plays it.
    let action = game.apply(GameAction::Move("ab".into()));
    assert!(matches!(action, Err(SessionError::Store(_))));

    there
        .block_on(resumed.apply(there.store(), GameAction::Abandon))
        .unwrap();
    assert!(matches!(resume_there(), Err(SessionError::Rejected(_))));
}

/// A game that can't be resumed is released for other processes.
#[test]
fn games_that_cannot_be_resumed_are_released() {
    let dir = tempfile::tempdir().unwrap();
    let open = || BlockingStore::open(Store::open(dir.path()));
    let (here, there) = (open(), open());
    let [x, o] = [player("Ada"), player("Bob")];
    let session = start_session(&here, "classic", [x, o]).unwrap();
    let moved = session.apply(here.store(), GameAction::Move("b2".into()));
    let session = here.block_on(moved).unwrap();
    here.block_on(session.release(here.store())).unwrap();
    let ada = Name::new("Ada").unwrap();
    here.block_on(here.store().delete_player(&ada)).unwrap();
    let resumed = there.block_on(Session::resume(there.store(), session.id()));
    assert!(matches!(resumed, Err(SessionError::Rejected(reason)) if reason.contains("deleted")));
    assert!(
        here.block_on(here.store().acquire_game(session.id()))
            .unwrap()
    );
}

/// After any sequence of actions, the store and the session agree.
#[test]
fn session_and_store_agree_after_random_actions() {
    let seats = |round: u64| match round % 3 {
        0 => [player("Ada"), Participant::Bot(BotKind::Easy)],
        1 => [player("Ada"), player("Bob")],
        _ => [Participant::Bot(BotKind::Easy), player("Bob")],
    };
    for round in 0..30 {
        let variant = ["classic", "tic-tac-two", "ultimate", "ception:5d"][round as usize % 4];
        let mut game = TestGame::new(variant, seats(round));
        let mut random = round.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut roll = |sides: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as usize % sides
        };
        for _ in 0..60 {
            let legal = game.session.game_state().legal_moves();
            let action = match roll(12) {
                0 => GameAction::TakeBack,
                1 => GameAction::Redo,
                2 if roll(20) == 0 => GameAction::Resign(Side::X),
                3 if roll(5) == 0 => GameAction::Reseat(Side::O, Participant::Bot(BotKind::Hard)),
                _ if legal.is_empty() => GameAction::TakeBack,
                _ => GameAction::Move(legal[roll(legal.len())].clone()),
            };
            let before = game.session.game_state().moves();
            let applied = game.apply(action).is_ok();
            let after = game.session.game_state().moves();
            assert!(applied || before == after);
            game.assert_stored(&after.join(" "));
        }
    }
}

/// A game that starts from a position with O to move and two setup moves.
fn from_position(
    blocking: &BlockingStore,
    seats: [Participant; 2],
) -> Result<Session, SessionError> {
    let mut from = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o").unwrap();
    for mv in ["b2", "c3"] {
        from.play(mv).unwrap();
    }
    blocking.block_on(Session::start_from(blocking.store(), &from, seats))
}

#[test]
fn a_game_from_a_position_stores_its_start_and_setup_moves() {
    let blocking = blocking();
    let session = from_position(&blocking, [player("Ada"), player("Bob")]).unwrap();
    let mut game = TestGame { blocking, session };
    assert_eq!(game.session.to_move(), Some(&player("Bob")));
    game.apply(GameAction::Move("a3".into())).unwrap();
    let store = game.blocking.store();
    game.blocking.block_on(game.session.release(store)).unwrap();
    let stored = game.blocking.block_on(store.game(game.session.id()));
    let stored = stored.unwrap().unwrap();
    assert_eq!(stored.start.as_deref(), Some("x../.../... o"));
    let moves: Vec<&str> = stored.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, ["b2", "c3", "a3"]);
    assert!(stored.moves[..2].iter().all(|mv| mv.took.is_zero()));

    let resumed = Session::resume(store, game.session.id());
    game.session = game.blocking.block_on(resumed).unwrap();
    let now = game.session.game_state().position_text();
    assert_eq!(now, "x../.o./o.x x");
    for _ in 0..3 {
        game.apply(GameAction::TakeBack).unwrap();
    }
    assert_eq!(game.session.game_state().position_text(), "x../.../... o");
    assert!(!game.session.can_take_back());
}

/// Otherwise every position somebody tried would be offered at the next start.
#[test]
fn a_game_with_only_setup_moves_is_discarded() {
    let blocking = blocking();
    let session = from_position(&blocking, [player("Ada"), player("Bob")]).unwrap();
    let mut game = TestGame { blocking, session };
    assert!(game.session.is_unplayed());
    game.apply(GameAction::TakeBack).unwrap();
    assert!(game.session.is_unplayed());
    // A different move in place of a setup move is the player's own.
    game.apply(GameAction::Move("c1".into())).unwrap();
    assert!(!game.session.is_unplayed());
    game.apply(GameAction::TakeBack).unwrap();
    let store = game.blocking.store();
    game.blocking.block_on(game.session.release(store)).unwrap();
    let game = game.blocking.block_on(store.game(game.session.id()));
    assert_eq!(game.unwrap(), None);
}

#[test]
fn a_game_cannot_start_from_a_finished_position() {
    let blocking = blocking();
    let result = AnyGameState::from_text(Variant::CLASSIC, "xxx/oo./... o").unwrap();
    let seats = [player("Ada"), player("Bob")];
    let started_game = blocking.block_on(Session::start_from(blocking.store(), &result, seats));
    assert!(
        matches!(started_game, Err(SessionError::Rejected(_))),
        "{started_game:?}"
    );
}
