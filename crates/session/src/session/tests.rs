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

fn person(name: &str) -> Who {
    Who::Person(Name::new(name).unwrap())
}

fn keeper() -> Keeper {
    Keeper::opened(Store::in_memory())
}

fn begin(keeper: &Keeper, variant: &str, seats: [Who; 2]) -> Result<Session, Problem> {
    let variant = variant.parse().unwrap();
    keeper.wait(Session::begin(keeper.store(), variant, seats))
}

impl Table {
    fn new(variant: &str, seats: [Who; 2]) -> Table {
        let keeper = keeper();
        let session = begin(&keeper, variant, seats).unwrap();
        Table { keeper, session }
    }

    /// Ada as X against a computer.
    fn against_medium() -> Table {
        Table::new("classic", [person("Ada"), Who::Bot(BotKind::Medium)])
    }

    fn step(&mut self, step: Step) -> Result<(), Problem> {
        let stepped = self.session.step(self.keeper.store(), step);
        self.session = self.keeper.wait(stepped)?;
        Ok(())
    }

    fn moves(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            self.step(Step::Move(mv.into())).unwrap();
        }
    }

    fn stored(&self) -> StoredGame {
        let game = self.keeper.store().game(self.session.id());
        self.keeper.wait(game).unwrap().expect("the game is stored")
    }

    fn tally(&self, name: &str) -> Option<Tally> {
        let name = Name::new(name).unwrap();
        self.keeper.wait(self.keeper.store().tally(&name)).unwrap()
    }

    /// What the session says and what is stored are the same.
    fn agree(&self, moves: &str) {
        assert_eq!(self.session.play().moves().join(" "), moves);
        let stored = self.stored();
        let texts: Vec<&str> = stored.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(texts.join(" "), moves);
        let over = self.session.over();
        assert_eq!(stored.end, over.map(|(_, end)| end));
        assert_eq!(stored.result, over.and_then(|(result, _)| result));
        assert_eq!(stored.handed, self.session.is_handed());
        assert_eq!(stored.assisted, self.session.assisted());
        assert_eq!(stored.is_rated(), self.session.is_rated());
        let seats = self.session.seats().each_ref().map(Who::seat);
        assert_eq!(stored.seats, seats);
        assert_eq!(self.session.times().len(), stored.moves.len());
    }

    fn refused(&mut self, step: Step) -> String {
        let before = self.session.play().moves();
        let Err(Problem::Refused(reason)) = self.step(step) else {
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
    table.step(Step::Undo).unwrap();
    table.agree("b2 a1");
    table.step(Step::Undo).unwrap();
    table.agree("");
    assert!(!table.session.can_undo());
    assert_eq!(table.refused(Step::Undo), "there is no move to take back");
    table.step(Step::Redo).unwrap();
    table.agree("b2 a1");
    table.step(Step::Redo).unwrap();
    table.agree("b2 a1 c1 a3");
    assert!(!table.session.can_redo());
    assert_eq!(table.refused(Step::Redo), "there is no move to make again");
}

/// The computer has not answered yet: only the own move goes.
#[test]
fn undo_before_the_computers_answer_takes_one_move() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1");
    table.step(Step::Undo).unwrap();
    table.agree("b2 a1");
    table.step(Step::Redo).unwrap();
    table.agree("b2 a1 c1");
    assert_eq!(table.session.to_move(), Some(&Who::Bot(BotKind::Medium)));
}

#[test]
fn a_computers_first_move_is_nobodys_decision() {
    let mut table = Table::new("classic", [Who::Bot(BotKind::Easy), person("Ada")]);
    table.moves("a1");
    assert!(!table.session.can_undo());
    assert_eq!(table.refused(Step::Undo), "there is no move to take back");
    table.moves("b2 c3");
    table.step(Step::Undo).unwrap();
    table.agree("a1");
}

#[test]
fn between_people_and_between_computers_undo_takes_one_move() {
    let people = [person("Ada"), person("Bob")];
    let computers = [Who::Bot(BotKind::Easy), Who::Bot(BotKind::Hard)];
    for seats in [people, computers] {
        let mut table = Table::new("classic", seats);
        table.moves("b2 a1 c1");
        table.step(Step::Undo).unwrap();
        table.agree("b2 a1");
        table.step(Step::Undo).unwrap();
        table.agree("b2");
        table.step(Step::Redo).unwrap();
        table.agree("b2 a1");
    }
}

/// What was undone is another game's future once a new move is made.
#[test]
fn another_move_ends_what_can_be_made_again() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1 a3");
    table.step(Step::Undo).unwrap();
    assert!(table.session.can_redo());
    table.moves("a2");
    assert!(!table.session.can_redo());
    table.agree("b2 a1 a2");
}

#[test]
fn the_times_of_moves_are_kept_and_come_back() {
    let mut table = Table::against_medium();
    table.moves("b2 a1");
    let times = table.session.times().to_vec();
    table.step(Step::Undo).unwrap();
    table.step(Step::Redo).unwrap();
    assert_eq!(table.session.times(), times);
    let store = table.keeper.store();
    let resumed = table
        .keeper
        .wait(Session::resume(store, table.session.id()))
        .unwrap();
    let millis = |times: &[Duration]| times.iter().map(Duration::as_millis).collect::<Vec<_>>();
    assert_eq!(millis(resumed.times()), millis(&times));
}

#[test]
fn a_move_that_is_none_is_refused_with_the_rules_reason() {
    let mut table = Table::against_medium();
    table.moves("b2");
    assert_eq!(table.refused(Step::Move("b2".into())), "b2 is taken");
    assert!(table.refused(Step::Move("zz".into())).contains("no cell"));
}

#[test]
fn the_last_move_ends_the_game_and_counts() {
    let mut table = Table::against_medium();
    table.moves("b2 a1 c1 a2 a3");
    table.agree("b2 a1 c1 a2 a3");
    let win = Some(Outcome::Win(Player::X));
    assert_eq!(table.session.over(), Some((win, End::Line)));
    assert_eq!(table.session.to_move(), None);
    let won = Tally {
        wins: 1,
        losses: 0,
        ties: 0,
    };
    assert_eq!(table.tally("Ada"), Some(won));
    for step in [
        Step::Undo,
        Step::Redo,
        Step::Move("c3".into()),
        Step::AgreeDraw,
        Step::Abandon,
        Step::Resign(Player::X),
        Step::Hand(Player::O, Who::Bot(BotKind::Best)),
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
    table.step(Step::Resign(Player::O)).unwrap();
    table.agree("b2");
    let win = Some(Outcome::Win(Player::X));
    assert_eq!(table.session.over(), Some((win, End::Resigned)));
    assert_eq!(table.tally("Bob").unwrap().losses, 1);

    table.session = begin(&table.keeper, "classic", seats()).unwrap();
    table.step(Step::AgreeDraw).unwrap();
    table.agree("");
    assert_eq!(
        table.session.over(),
        Some((Some(Outcome::Draw), End::AgreedDraw))
    );

    table.session = begin(&table.keeper, "classic", seats()).unwrap();
    table.moves("b2");
    table.step(Step::Abandon).unwrap();
    table.agree("b2");
    assert_eq!(table.session.over(), Some((None, End::Abandoned)));
    for (name, wins, losses) in [("Ada", 1, 0), ("Bob", 0, 1)] {
        let tally = Tally {
            wins,
            losses,
            ties: 1,
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
            let step = session.step(keeper.store(), Step::Move(mv.into()));
            session = keeper.wait(step).unwrap();
        }
        session.id()
    };
    let (empty, played) = (begun(""), begun("b2"));
    let keeper = Keeper::opened(Store::open(dir.path()));
    let offered = keeper.wait(left_open(keeper.store())).unwrap();
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
    let records = noughts_rules::Record::read_all(text).unwrap();
    keeper.wait(store.import(&records)).unwrap();
    for _ in 0..2 {
        let offered = keeper.wait(left_open(store)).unwrap();
        assert_eq!(offered.len(), 1, "it can be played on");
        let session = keeper.wait(Session::resume(store, offered[0].id)).unwrap();
        keeper.wait(session.let_go(store)).unwrap();
    }
    let moment = noughts_store::Timestamp::from_millis(i64::MAX / 2);
    assert_eq!(
        keeper.wait(store.forget_unplayed(moment, moment)).unwrap(),
        0
    );
    let export = keeper.wait(store.export(&Default::default())).unwrap();
    assert_eq!(keeper.wait(export.all()).unwrap().len(), 1);
}

#[test]
fn a_game_that_is_left_without_a_move_is_not_kept() {
    let mut table = Table::against_medium();
    table.moves("b2");
    table.step(Step::Undo).unwrap();
    let store = table.keeper.store();
    table.keeper.wait(table.session.let_go(store)).unwrap();
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
    let ada = || Seat::Person(Name::new("Ada").unwrap());
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
        let id = keeper.wait(store.begin(&game)).unwrap();
        let mv = StoredMove {
            text: mv.into(),
            took: Duration::ZERO,
        };
        keeper.wait(store.add_move(id, 0, &mv, None)).unwrap();
        keeper.wait(store.release(id)).unwrap();
        assert!(keeper.wait(store.game(id)).unwrap().is_some());
        expected.extend(offered.then_some(id));
    }
    let offered = keeper.wait(left_open(store)).unwrap();
    let offered: Vec<GameId> = offered.iter().map(|game| game.id).collect();
    assert_eq!(offered, expected);
}

#[test]
fn nobody_plays_against_themselves() {
    let keeper = keeper();
    let twice = begin(&keeper, "classic", [person("Ada"), person("ADA")]);
    assert!(matches!(twice, Err(Problem::Refused(reason)) if reason.contains("both sides")));
    let games = keeper.wait(keeper.store().resumable()).unwrap();
    assert_eq!(games, []);

    let mut table = Table::against_medium();
    let reason = table.refused(Step::Hand(Player::O, person("ada")));
    assert!(reason.contains("both sides"), "{reason}");
}

#[test]
fn a_game_that_changed_hands_counts_for_nobody() {
    let mut table = Table::against_medium();
    // Before the first move nothing has been played, and the same player is no change.
    table
        .step(Step::Hand(Player::O, Who::Bot(BotKind::Hard)))
        .unwrap();
    table.moves("b2");
    table.step(Step::Hand(Player::X, person("Ada"))).unwrap();
    assert!(!table.session.is_handed());
    table.agree("b2");

    table.step(Step::Hand(Player::O, person("Bob"))).unwrap();
    assert!(table.session.is_handed());
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
                let noted = table.session.assist(table.keeper.store(), how);
                assert_eq!(table.keeper.wait(noted).unwrap(), first);
            }
            table.agree("b2 a1");
        }
        table.step(Step::Undo).unwrap();
        table.step(Step::Redo).unwrap();
        let expected = how.unwrap_or(Assistance::Takeback);
        assert_eq!(table.session.assisted(), Some(expected));
        table.agree("b2 a1");

        // A program that resumes the game knows it, too.
        let id = table.session.id();
        let left = table.session.let_go(table.keeper.store());
        table.keeper.wait(left).unwrap();
        let resumed = Session::resume(table.keeper.store(), id);
        table.session = table.keeper.wait(resumed).unwrap();
        table.moves("c1 a2 a3");
        table.agree("b2 a1 c1 a2 a3");
        assert_eq!(table.session.assisted(), Some(expected));
        assert_eq!(table.tally("Ada").unwrap(), Tally::default());
        let late = table.session.assist(table.keeper.store(), expected);
        assert!(!table.keeper.wait(late).unwrap(), "it is over");
    }
}

/// Taking a side over from the computer makes its earlier moves one's own.
#[test]
fn undo_after_a_handover_asks_who_plays_now() {
    let mut table = Table::against_medium();
    table.moves("b2 a1");
    table.step(Step::Hand(Player::O, person("Bob"))).unwrap();
    table.step(Step::Undo).unwrap();
    table.agree("b2");
    table
        .step(Step::Hand(Player::X, Who::Bot(BotKind::Easy)))
        .unwrap();
    assert!(!table.session.can_undo());
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
    let problem = table.step(Step::Move("c1".into())).unwrap_err();
    assert!(
        matches!(problem, Problem::NotStored(StoreError::Conflict { .. })),
        "{problem}"
    );
    assert!(problem.to_string().contains("it was not made"), "{problem}");
    assert_eq!(table.session.play().moves(), ["b2", "a1"]);
    assert!(table.session.over().is_none());

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
    table.step(Step::Undo).unwrap();
    table.keeper.wait(table.keeper.store().close());
    for step in [
        Step::Move("c1".into()),
        Step::Undo,
        Step::Redo,
        Step::Resign(Player::X),
        Step::Hand(Player::O, person("Bob")),
    ] {
        assert!(matches!(table.step(step), Err(Problem::NotStored(_))));
        assert_eq!(table.session.play().moves(), ["b2", "a1"]);
        assert_eq!(table.session.times().len(), 2);
        assert!(table.session.over().is_none() && table.session.can_redo());
        assert!(!table.session.is_handed());
    }
}

#[test]
fn a_game_is_resumed_by_one_program_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Keeper::opened(Store::open(dir.path()));
    let (here, there) = (open(), open());
    let seats = [person("Ada"), Who::Bot(BotKind::Hard)];
    let mut table = Table {
        session: begin(&here, "ultimate", seats).unwrap(),
        keeper: here,
    };
    table.moves("ee ea");
    let id = table.session.id();
    let elsewhere = || there.wait(Session::resume(there.store(), id));
    assert!(matches!(elsewhere(), Err(Problem::Refused(_))));

    table
        .keeper
        .wait(table.session.let_go(table.keeper.store()))
        .unwrap();
    let resumed = elsewhere().unwrap();
    assert_eq!(resumed.play().moves(), ["ee", "ea"]);
    assert_eq!(resumed.seats(), table.session.seats());
    // Now it is played there, and no longer here.
    let step = table.step(Step::Move("ab".into()));
    assert!(matches!(step, Err(Problem::NotStored(_))));

    there
        .wait(resumed.step(there.store(), Step::Abandon))
        .unwrap();
    assert!(matches!(elsewhere(), Err(Problem::Refused(_))));
}

/// A game that cannot be played on is not held back from those who can.
#[test]
fn what_cannot_be_resumed_is_let_go() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Keeper::opened(Store::open(dir.path()));
    let (here, there) = (open(), open());
    let [x, o] = [person("Ada"), person("Bob")];
    let session = begin(&here, "classic", [x, o]).unwrap();
    let moved = session.step(here.store(), Step::Move("b2".into()));
    let session = here.wait(moved).unwrap();
    here.wait(session.let_go(here.store())).unwrap();
    let ada = Name::new("Ada").unwrap();
    here.wait(here.store().delete(&ada)).unwrap();
    let resumed = there.wait(Session::resume(there.store(), session.id()));
    assert!(matches!(resumed, Err(Problem::Refused(reason)) if reason.contains("deleted")));
    assert!(here.wait(here.store().hold(session.id())).unwrap());
}

/// Whatever is done to a game, what is stored is what the session says.
#[test]
fn session_and_store_agree_after_any_steps() {
    let seats = |round: u64| match round % 3 {
        0 => [person("Ada"), Who::Bot(BotKind::Easy)],
        1 => [person("Ada"), person("Bob")],
        _ => [Who::Bot(BotKind::Easy), person("Bob")],
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
            let legal = table.session.play().legal_moves();
            let step = match roll(12) {
                0 => Step::Undo,
                1 => Step::Redo,
                2 if roll(20) == 0 => Step::Resign(Player::X),
                3 if roll(5) == 0 => Step::Hand(Player::O, Who::Bot(BotKind::Hard)),
                _ if legal.is_empty() => Step::Undo,
                _ => Step::Move(legal[roll(legal.len())].clone()),
            };
            let before = table.session.play().moves();
            let made = table.step(step).is_ok();
            let after = table.session.play().moves();
            assert!(made || before == after);
            table.agree(&after.join(" "));
        }
    }
}

/// A game from a position in which O is to move, with two given moves.
fn from_position(keeper: &Keeper, seats: [Who; 2]) -> Result<Session, Problem> {
    let mut from = AnyPlay::from_text(Variant::CLASSIC, "x../.../... o").unwrap();
    for mv in ["b2", "c3"] {
        from.play(mv).unwrap();
    }
    keeper.wait(Session::begin_from(keeper.store(), &from, seats))
}

#[test]
fn a_game_from_a_position_stores_its_start_and_its_given_moves() {
    let keeper = keeper();
    let session = from_position(&keeper, [person("Ada"), person("Bob")]).unwrap();
    let mut table = Table { keeper, session };
    assert_eq!(table.session.to_move(), Some(&person("Bob")));
    table.step(Step::Move("a3".into())).unwrap();
    let store = table.keeper.store();
    table.keeper.wait(table.session.let_go(store)).unwrap();
    let game = table.keeper.wait(store.game(table.session.id()));
    let game = game.unwrap().unwrap();
    assert_eq!(game.start.as_deref(), Some("x../.../... o"));
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, ["b2", "c3", "a3"]);
    assert!(game.moves[..2].iter().all(|mv| mv.took.is_zero()));

    let resumed = Session::resume(store, table.session.id());
    table.session = table.keeper.wait(resumed).unwrap();
    let now = table.session.play().position_text();
    assert_eq!(now, "x../.o./o.x x");
    for _ in 0..3 {
        table.step(Step::Undo).unwrap();
    }
    assert_eq!(table.session.play().position_text(), "x../.../... o");
    assert!(!table.session.can_undo());
}

/// Otherwise every try at a position would be offered at the next start.
#[test]
fn a_game_with_only_its_given_moves_is_not_kept() {
    let keeper = keeper();
    let session = from_position(&keeper, [person("Ada"), person("Bob")]).unwrap();
    let mut table = Table { keeper, session };
    assert!(table.session.is_untouched());
    table.step(Step::Undo).unwrap();
    assert!(table.session.is_untouched());
    // Another move instead of the given one is the player's own.
    table.step(Step::Move("c1".into())).unwrap();
    assert!(!table.session.is_untouched());
    table.step(Step::Undo).unwrap();
    let store = table.keeper.store();
    table.keeper.wait(table.session.let_go(store)).unwrap();
    let game = table.keeper.wait(store.game(table.session.id()));
    assert_eq!(game.unwrap(), None);
}

#[test]
fn no_game_starts_where_it_is_over() {
    let keeper = keeper();
    let over = AnyPlay::from_text(Variant::CLASSIC, "xxx/oo./... o").unwrap();
    let seats = [person("Ada"), person("Bob")];
    let begun = keeper.wait(Session::begin_from(keeper.store(), &over, seats));
    assert!(matches!(begun, Err(Problem::Refused(_))), "{begun:?}");
}
