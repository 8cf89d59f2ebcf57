//! Stored tournaments: everything round-trips exactly, and a process that is killed at any point
//! loses no game and plays none twice.
//!
//! The test starts itself as the process to kill, with the folder in an environment variable.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_arena::tournament::{
    self, MakePlayer, TournamentEnd, TournamentEvent, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    Adjudication, BotSource, BotSpec, BuiltinBot, EndReason, Format, GameKey, Journal, MoveInfo,
    MoveRequest, MoveResponse, NewGame, Openings, Plan, PlayedGame, Player, PlayerError, Schedule,
    Scoring, TimeControl, TournamentControl,
};
use noughts_conformance::test_rng::TestRng;
use noughts_engine::{AnyBot, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Value};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_store::{TournamentId, TournamentState};

use super::{TournamentJournal, TournamentStoreError, load_tournament};
use crate::store_handle::StoreHandle;

fn in_memory() -> StoreHandle {
    StoreHandle::in_memory().expect("opens")
}

fn open(dir: &Path) -> StoreHandle {
    StoreHandle::open(dir).expect("opens")
}

fn plan(variant: &str, bots: usize, rounds: u32, nodes: u64) -> Plan {
    let kinds = ["mcts", "monte-carlo", "alpha-beta", "easy"];
    let bots = kinds.into_iter().take(bots).map(|kind| BotSpec {
        name: kind.into(),
        source: BotSource::Builtin(BuiltinBot {
            kind: kind.into(),
            threads: 1,
            hash: 1,
            seed: None,
        }),
        time_control: None,
    });
    Plan {
        variant: variant.into(),
        bots: bots.collect(),
        format: Format::RoundRobin,
        rounds,
        openings: Openings::Random(2),
        time_control: TimeControl::Nodes(nodes),
        margin_ms: 50,
        patience_ms: 60_000,
        seed: 42,
        move_limit: None,
        adjudication: Adjudication::default(),
        scoring: Scoring::Points,
        sprt: None,
        concurrency: Some(3),
    }
}

/// A bot of the engine with a node limit; it always reports the same time.
struct NodeLimitedBot(String, Option<AnyBot>);

impl Player for NodeLimitedBot {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let settings = BotSettings {
            seed: game.seed,
            memory: 1 << 16,
            ..BotSettings::default()
        };
        let kind = self.0.parse().expect("a bot");
        self.1 = Some(AnyBot::new(kind, game.variant, &settings).expect("it plays"));
        Ok(())
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let TimeControl::Nodes(nodes) = turn.time_control else {
            panic!("nodes are counted here");
        };
        let bot = self.1.as_mut().expect("created");
        let report = bot.think(
            turn.state,
            SearchLimits::nodes(nodes),
            &StopFlag::new(),
            &mut |_| {},
        );
        Ok(MoveResponse {
            mv: report.best.expect("a move"),
            info: MoveInfo {
                value: Some(report.value),
                took: Duration::from_micros(1),
                depth: None,
                nodes: Some(report.nodes),
            },
        })
    }

    fn end_game(&mut self) {}
}

fn runner() -> TournamentRunner {
    let players: MakePlayer = Arc::new(|spec| match &spec.source {
        BotSource::Builtin(builtin) => Ok(Box::new(NodeLimitedBot(builtin.kind.clone(), None))),
        BotSource::Program(_) | BotSource::Custom => panic!("only bots of this project"),
    });
    TournamentRunner::new(players)
}

fn run(
    plan: &Plan,
    done: &[PlayedGame],
    journal: &mut dyn Journal,
    watch: &mut dyn FnMut(TournamentEvent<'_>),
) -> TournamentSummary {
    let schedule = Arc::new(Schedule::new(plan).expect("a plan"));
    let done: Vec<_> = done.iter().map(PlayedGame::result).collect();
    let control = TournamentControl::new();
    tournament::run(&schedule, &done, runner(), journal, &control, watch).expect("played")
}

/// A game as text, with every detail.
fn describe(game: &PlayedGame) -> String {
    format!(
        "{:?} {} {} {} {:?} {:?} {} {:?}",
        game.key,
        game.state.start_text(),
        game.state.moves().join(" "),
        game.opening_plies,
        game.move_info,
        game.outcome,
        game.reason,
        game.note
    )
}

fn describe_all<'a>(games: impl IntoIterator<Item = &'a PlayedGame>) -> BTreeMap<GameKey, String> {
    let mut all = BTreeMap::new();
    for game in games {
        let before = all.insert(game.key, describe(game));
        assert_eq!(before, None, "a game is there twice");
    }
    all
}

fn uninterrupted_games(plan: &Plan) -> BTreeMap<GameKey, String> {
    let mut games = Vec::new();
    let watch = &mut |event: TournamentEvent<'_>| {
        if let TournamentEvent::GameEnded { game, .. } = event {
            games.push(game.clone());
        }
    };
    run(plan, &[], &mut (), watch);
    describe_all(&games)
}

// ---- round trips ----

fn random_value(rng: &mut TestRng) -> Option<Value> {
    let number = |rng: &mut TestRng| {
        let bits = rng.below(usize::MAX) as u64;
        let odd = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::MIN_POSITIVE];
        match rng.below(3) {
            0 => rng.pick(&odd).unwrap_or_default(),
            1 => bits as f64 / u64::MAX as f64,
            _ => Some(f64::from_bits(bits))
                .filter(|f| !f.is_nan())
                .unwrap_or(0.5),
        }
    };
    let plies = rng.below(1000) as u32;
    let verdict = [GameValue::Win, GameValue::Draw, GameValue::Loss][rng.below(3)];
    match rng.below(6) {
        0 => None,
        1 => Some(Value::Exact(ExactValue::win(plies))),
        2 => Some(Value::Exact(ExactValue::loss(plies))),
        3 => Some(Value::Exact(ExactValue::without_distance(verdict))),
        _ => Some(Value::Estimate {
            mean: number(rng),
            error: number(rng),
        }),
    }
}

fn random_game(variant: Variant, round: u32, rng: &mut TestRng) -> PlayedGame {
    let mut state = AnyGameState::new(variant);
    let step = |state: &mut AnyGameState, rng: &mut TestRng| {
        let moves = state.legal_moves();
        if let Some(mv) = moves.get(rng.below(moves.len())) {
            state.play(mv).expect("legal");
        }
    };
    for _ in 0..rng.below(8) {
        step(&mut state, rng);
    }
    if rng.chance(1, 2) {
        // Starting from its own position.
        state = AnyGameState::from_text(variant, &state.position_text()).expect("a position");
    }
    let opening = state.moves().len();
    for _ in 0..rng.below(30) {
        step(&mut state, rng);
    }
    let moves = (opening..state.moves().len()).map(|_| MoveInfo {
        took: Duration::from_nanos(rng.below(usize::MAX) as u64),
        value: random_value(rng),
        depth: rng.chance(1, 2).then(|| rng.below(1 << 32) as u32),
        nodes: rng.chance(1, 2).then(|| rng.below(usize::MAX) as u64),
    });
    let moves = moves.collect();
    let outcomes = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    let notes = ["it fell", "", "\"quoted\", 'so' and\nso; 💥\t", "a,b c"];
    PlayedGame {
        key: GameKey {
            round,
            first: rng.below(5) as u32,
            second: rng.below(1 << 32) as u32,
            swapped: rng.chance(1, 2),
        },
        state,
        opening_plies: opening,
        move_info: moves,
        outcome: outcomes[rng.below(3)],
        reason: EndReason::ALL[rng.below(EndReason::ALL.len())],
        note: rng
            .pick(&notes)
            .filter(|_| rng.chance(1, 2))
            .map(str::to_owned),
    }
}

#[test]
fn games_round_trip() {
    let store = in_memory();
    for (seed, variant) in (1..).zip([
        "classic",
        "misere",
        "mnk:16,16,5",
        "tic-tac-two",
        "ultimate",
        "ception:5a",
        "ception:depth=3",
        "ception:end=most",
    ]) {
        let mut rng = TestRng::new(seed);
        let plan = plan(variant, 2, 1, 1);
        let mut journal = TournamentJournal::create(&store, &plan).expect("created");
        let variant: Variant = variant.parse().expect("a variant");
        let games: Vec<PlayedGame> = (0..100)
            .map(|round| random_game(variant, round, &mut rng))
            .collect();
        let (some, rest) = games.split_at(30);
        for game in some {
            journal.save_games(&[game]).expect("saved");
        }
        journal
            .save_games(&rest.iter().collect::<Vec<_>>())
            .expect("saved");
        journal
            .save_games(&some.iter().collect::<Vec<_>>())
            .expect("saved again");
        let id = journal.id();
        drop(journal);
        let (journal, stored_plan, loaded) = TournamentJournal::resume(&store, id).expect("exists");
        assert_eq!(stored_plan, plan);
        assert_eq!(describe_all(&loaded), describe_all(&games));
        drop(journal);
    }
}

/// A plan that uses every field.
#[test]
fn plans_round_trip() {
    let store = in_memory();
    let mut plan = plan("ception:5a", 4, 7, 9);
    plan.openings = Openings::List(vec!["a b".into(), "\"c\"".into()]);
    plan.format = Format::Gauntlet;
    plan.seed = u64::MAX;
    plan.move_limit = Some(3);
    plan.scoring = Scoring::Penalty;
    plan.bots[1].time_control = Some("tc=10s+100ms".parse().expect("a pace"));
    plan.adjudication.win = Some(noughts_arena::AgreementThreshold {
        moves: 3,
        value: 0.1 + 0.2,
    });
    plan.sprt = Some(noughts_arena::Sprt {
        elo0: -1.5,
        elo1: 1e-3,
        alpha: 0.05,
        beta: 0.1,
    });
    let journal = TournamentJournal::create(&store, &plan).expect("created");
    let (loaded, games) = load_tournament(&store, journal.id()).expect("exists");
    assert_eq!(loaded, plan);
    assert!(games.is_empty());
}

#[test]
fn a_tournament_is_stored_resumed_and_extended() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path());
    let other = open(dir.path());
    let small = plan("classic", 2, 3, 4);
    let mut journal = TournamentJournal::create(&store, &small).expect("created");
    let id = journal.id();
    let taken = TournamentJournal::resume(&other, id);
    let error = taken.map(drop).expect_err("it is being played");
    assert!(
        matches!(error, TournamentStoreError::HeldElsewhere(_)),
        "{error}"
    );
    let ended = run(&small, &[], &mut journal, &mut |_| {});
    journal.record_end(ended.end).expect("saved");
    drop(journal);
    let state = |store: &StoreHandle| {
        let tournament = store.block_on(store.store().tournament(id)).expect("read");
        tournament.expect("exists").state
    };
    assert_eq!(state(&store), TournamentState::Complete);

    let mut large = plan("classic", 3, 4, 4);
    large.seed = small.seed;
    let (mut journal, plan, games) = TournamentJournal::resume(&other, id).expect("free now");
    assert_eq!((plan, games.len()), (small, 6));
    let ended = run(&large, &games, &mut journal, &mut |_| {});
    assert_eq!((ended.end, ended.done), (TournamentEnd::Complete, 24));
    assert_eq!(state(&store), TournamentState::Open, "it has grown");
    journal.record_end(ended.end).expect("saved");
    assert_eq!(state(&store), TournamentState::Complete);
    let (plan, games) = load_tournament(&store, id).expect("read");
    assert_eq!(plan, large);
    assert_eq!(describe_all(&games), uninterrupted_games(&large));
}

#[test]
fn missing_and_invalid_tournaments_are_reported() {
    let store = in_memory();
    let resume = |id| TournamentJournal::resume(&store, id).map(drop);
    let error = resume(TournamentId(7)).expect_err("not there");
    assert!(
        error.to_string().starts_with("tournament 7 doesn't exist"),
        "{error}"
    );
    let id = store
        .block_on(store.store().create_tournament("{\"variant\": 3}"))
        .expect("created");
    let error = resume(id).expect_err("no plan").to_string();
    assert!(error.contains("the plan can't be read"), "{error}");
    // It was released nevertheless.
    let listed = store.block_on(store.store().tournaments()).expect("read");
    assert!(!listed[0].is_running);
}

// ---- killed processes ----

const FOLDER_VAR: &str = "NOUGHTS_TOURNAMENT_FOLDER";

/// The plan of the killed tournament: 504 games.
fn long_plan() -> Plan {
    plan("ultimate", 3, 84, 100)
}

/// The process that gets killed: starts or continues the tournament and prints what is stored.
fn run_until_killed(dir: &Path) {
    let store = open(dir);
    let plan = long_plan();
    let tournaments = store.block_on(store.store().tournaments()).expect("read");
    let (mut journal, games) = match tournaments.first() {
        None => {
            let journal = TournamentJournal::create(&store, &plan);
            (journal.expect("created"), Vec::new())
        }
        Some(tournament) => {
            let resumed = TournamentJournal::resume(&store, tournament.id);
            let (journal, stored_plan, games) = resumed.expect("nobody else plays it");
            assert_eq!(stored_plan, plan);
            (journal, games)
        }
    };
    report("begin");
    let ended = run(&plan, &games, &mut journal, &mut |event| {
        if let TournamentEvent::GameEnded { game, .. } = event {
            let GameKey {
                round,
                first,
                second,
                swapped,
            } = game.key;
            report(format!("kept {round} {first} {second} {swapped}"));
        }
    });
    journal.record_end(ended.end).expect("saved");
    drop(journal);
    report("complete");
}

/// On its own line, whatever the test harness has printed before.
fn report(what: impl std::fmt::Display) {
    println!("\nsay {what}");
}

fn start(dir: &Path, test: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    let program = std::env::current_exe().expect("this program has a file");
    let mut child = Command::new(program)
        .args(["--exact", test, "--nocapture", "--include-ignored"])
        .env(FOLDER_VAR, dir)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let out = child.stdout.take().expect("piped");
    let lines = BufReader::new(out).lines().map_while(Result::ok);
    let lines = lines.filter_map(|line| line.strip_prefix("say ").map(str::to_owned));
    (child, lines)
}

/// Kills the process `times` times, restarts it each time, and finally lets it finish.
fn kill_repeatedly(times: usize, test: &str, seed: u64) {
    if let Some(dir) = std::env::var_os(FOLDER_VAR) {
        return run_until_killed(&PathBuf::from(dir));
    }
    let plan = long_plan();
    let expected = uninterrupted_games(&plan);
    assert_eq!(expected.len(), 504);
    let planned: Vec<GameKey> = Schedule::new(&plan).expect("a plan").games().collect();
    assert!(planned.iter().all(|key| expected.contains_key(key)));

    let mut rng = TestRng::new(seed);
    let mut kills = 0;
    // If games finish faster than the kills happen, one tournament isn't enough.
    while kills < times {
        let dir = tempfile::tempdir().expect("a folder");
        let (mut reported, mut starts) = (Vec::new(), 0);
        while !reported.iter().any(|line| line == "complete") {
            starts += 1;
            let (mut child, mut lines) = start(dir.path(), test);
            if kills < times {
                // Few enough to leave half of the games for the last run.
                reported.extend(lines.by_ref().take(rng.below(504 / (times + 1))));
                // At any point between two games.
                let a_while = Duration::from_micros(rng.below(4000) as u64);
                let started = Instant::now();
                while started.elapsed() < a_while {
                    std::hint::spin_loop();
                }
                child.kill().expect("killed");
                kills += 1;
            }
            // Output from before the kill counts as well.
            reported.extend(lines);
            child.wait().expect("ended");
            assert!(starts <= times + 1, "it does not come to an end");
        }
        check_stored_games(dir.path(), &reported, &expected);
        println!("{kills} kills, {starts} starts");
    }
}

/// Every game is stored exactly once, as in an uninterrupted run.
fn check_stored_games(dir: &Path, reported: &[String], expected: &BTreeMap<GameKey, String>) {
    let journal: Vec<&String> = reported
        .iter()
        .filter(|line| line.starts_with("kept "))
        .collect();
    let different: HashSet<&String> = journal.iter().copied().collect();
    assert_eq!(journal.len(), different.len(), "a game was kept twice");
    let store = open(dir);
    let tournaments = store.block_on(store.store().tournaments()).expect("read");
    let describe: Vec<_> = tournaments
        .iter()
        .map(|t| (t.games, t.state, t.is_running))
        .collect();
    assert_eq!(describe, [(504, TournamentState::Complete, false)]);
    let id = tournaments[0].id;
    let (_, games) = load_tournament(&store, id).expect("read");
    assert!(
        describe_all(&games) == *expected,
        "not the games of an undisturbed run"
    );
}

#[test]
fn a_killed_tournament_can_be_resumed() {
    kill_repeatedly(
        5,
        "tournaments::tests::a_killed_tournament_can_be_resumed",
        1,
    );
}

#[test]
#[ignore = "soak"]
fn soak_a_tournament_is_killed_a_hundred_times() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times: usize = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    kill_repeatedly(
        10 * times,
        "tournaments::tests::soak_a_tournament_is_killed_a_hundred_times",
        2,
    );
}

/// Fast games, each of which is on disk when it is reported.
#[test]
#[ignore = "soak"]
fn soak_ten_thousand_games_are_kept() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times: u32 = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path());
    let mut plan = plan("ultimate", 2, 500 * times, 1);
    for bot in &mut plan.bots {
        let BotSource::Builtin(builtin) = &mut bot.source else {
            unreachable!("ours")
        };
        builtin.kind = "random".into();
    }
    plan.concurrency = None;
    let mut journal = TournamentJournal::create(&store, &plan).expect("created");
    let mut games = Vec::new();
    let ended = run(&plan, &[], &mut journal, &mut |event| {
        if let TournamentEvent::GameEnded { game, .. } = event {
            games.push(game.clone());
        }
    });
    let (_, loaded) = load_tournament(&store, journal.id()).expect("read");
    assert!(describe_all(&loaded) == describe_all(&games));
    assert_eq!(loaded.len(), 1000 * times as usize);
    drop(journal);
    let seconds = ended.took.as_secs_f64();
    let pace = loaded.len() as f64 / seconds;
    println!(
        "{} games kept in {seconds:.2} s: {pace:.0} a second",
        loaded.len()
    );
}
