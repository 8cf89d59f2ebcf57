//! Tournaments in the store: what is kept comes back exactly, and a program that is
//! killed at any moment loses nothing and plays nothing twice.
//!
//! The killed program is this one, started once more with a folder in its surroundings.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_arena::tournament::{
    self, Event, MakePlayer, TournamentEnd, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    Adjudication, BotSource, BotSpec, BuiltinBot, EndReason, Format, GameKey, Journal, MoveInfo,
    MoveRequest, MoveResponse, NewGame, Openings, Plan, PlayedGame, Player, PlayerError, Schedule,
    Scoring, TimeControl, TournamentControl,
};
use noughts_conformance::test_rng::TestRng;
use noughts_engine::{AnyBot, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Value};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_session::arena::{self, TournamentJournal, TournamentStoreError};
use noughts_store::{Store, TournamentId, TournamentState};
use tokio::runtime::{Builder, Runtime};

fn runtime() -> Runtime {
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.expect("a runtime")
}

fn plan(variant: &str, bots: usize, rounds: u32, nodes: u64) -> Plan {
    let kinds = ["mcts", "monte-carlo", "alpha-beta", "easy"];
    let bots = kinds.into_iter().take(bots).map(|kind| BotSpec {
        name: kind.into(),
        who: BotSource::Ours(BuiltinBot {
            kind: kind.into(),
            threads: 1,
            hash: 1,
            seed: None,
        }),
        pace: None,
    });
    Plan {
        variant: variant.into(),
        bots: bots.collect(),
        format: Format::RoundRobin,
        rounds,
        openings: Openings::Random(2),
        pace: TimeControl::Nodes(nodes),
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

/// A bot of the engine that counts nodes; its time is always the same.
struct Counting(String, Option<AnyBot>);

impl Player for Counting {
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
        let bot = self.1.as_mut().expect("begun");
        let report = bot.think(
            turn.state,
            SearchLimits::nodes(nodes),
            &StopFlag::new(),
            &mut |_| {},
        );
        Ok(MoveResponse {
            mv: report.best.expect("a move"),
            value: Some(report.value),
            took: Duration::from_micros(1),
            depth: None,
            nodes: Some(report.nodes),
        })
    }

    fn end_game(&mut self) {}
}

fn hall() -> TournamentRunner {
    let players: MakePlayer = Arc::new(|spec| match &spec.who {
        BotSource::Ours(ours) => Ok(Box::new(Counting(ours.kind.clone(), None))),
        BotSource::Program(_) | BotSource::Guest => panic!("only bots of this project"),
    });
    TournamentRunner::new(players)
}

fn run(
    plan: &Plan,
    done: &[PlayedGame],
    journal: &mut dyn Journal,
    watch: &mut dyn FnMut(Event<'_>),
) -> TournamentSummary {
    let schedule = Arc::new(Schedule::new(plan).expect("a plan"));
    let done: Vec<_> = done.iter().map(PlayedGame::result).collect();
    let control = TournamentControl::new();
    tournament::run(&schedule, &done, hall(), journal, &control, watch).expect("played")
}

/// Everything about a game.
fn told(game: &PlayedGame) -> String {
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

fn all_told<'a>(games: impl IntoIterator<Item = &'a PlayedGame>) -> BTreeMap<GameKey, String> {
    let mut all = BTreeMap::new();
    for game in games {
        let before = all.insert(game.key, told(game));
        assert_eq!(before, None, "a game is there twice");
    }
    all
}

fn undisturbed(plan: &Plan) -> BTreeMap<GameKey, String> {
    let mut games = Vec::new();
    let watch = &mut |event: Event<'_>| {
        if let Event::GameEnded { game, .. } = event {
            games.push(game.clone());
        }
    };
    run(plan, &[], &mut (), watch);
    all_told(&games)
}

// ---- there and back ----

fn random_value(dice: &mut TestRng) -> Option<Value> {
    let number = |dice: &mut TestRng| {
        let bits = dice.below(usize::MAX) as u64;
        let odd = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::MIN_POSITIVE];
        match dice.below(3) {
            0 => dice.pick(&odd).unwrap_or_default(),
            1 => bits as f64 / u64::MAX as f64,
            _ => Some(f64::from_bits(bits))
                .filter(|f| !f.is_nan())
                .unwrap_or(0.5),
        }
    };
    let plies = dice.below(1000) as u32;
    let verdict = [GameValue::Win, GameValue::Draw, GameValue::Loss][dice.below(3)];
    match dice.below(6) {
        0 => None,
        1 => Some(Value::Exact(ExactValue::win(plies))),
        2 => Some(Value::Exact(ExactValue::loss(plies))),
        3 => Some(Value::Exact(ExactValue::without_distance(verdict))),
        _ => Some(Value::Estimate {
            mean: number(dice),
            error: number(dice),
        }),
    }
}

fn random_game(variant: Variant, round: u32, dice: &mut TestRng) -> PlayedGame {
    let mut play = AnyGameState::new(variant);
    let step = |play: &mut AnyGameState, dice: &mut TestRng| {
        let moves = play.legal_moves();
        if let Some(mv) = moves.get(dice.below(moves.len())) {
            play.play(mv).expect("legal");
        }
    };
    for _ in 0..dice.below(8) {
        step(&mut play, dice);
    }
    if dice.chance(1, 2) {
        // From a position of its own.
        play = AnyGameState::from_text(variant, &play.position_text()).expect("a position");
    }
    let opening = play.moves().len();
    for _ in 0..dice.below(30) {
        step(&mut play, dice);
    }
    let moves = (opening..play.moves().len()).map(|_| MoveInfo {
        took: Duration::from_nanos(dice.below(usize::MAX) as u64),
        value: random_value(dice),
        depth: dice.chance(1, 2).then(|| dice.below(1 << 32) as u32),
        nodes: dice.chance(1, 2).then(|| dice.below(usize::MAX) as u64),
    });
    let moves = moves.collect();
    let outcomes = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    let notes = ["it fell", "", "\"quoted\", 'so' and\nso; 💥\t", "a,b c"];
    PlayedGame {
        key: GameKey {
            round,
            first: dice.below(5) as u32,
            second: dice.below(1 << 32) as u32,
            swapped: dice.chance(1, 2),
        },
        state: play,
        opening_plies: opening,
        move_info: moves,
        outcome: outcomes[dice.below(3)],
        reason: EndReason::ALL[dice.below(EndReason::ALL.len())],
        note: dice
            .pick(&notes)
            .filter(|_| dice.chance(1, 2))
            .map(str::to_owned),
    }
}

#[test]
fn games_come_back_exactly() {
    let runtime = runtime();
    let store = runtime.block_on(Store::in_memory()).expect("opens");
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
        let mut dice = TestRng::new(seed);
        let plan = plan(variant, 2, 1, 1);
        let mut kept = TournamentJournal::create(runtime.handle(), &store, &plan).expect("begun");
        let variant: Variant = variant.parse().expect("a variant");
        let games: Vec<PlayedGame> = (0..100)
            .map(|round| random_game(variant, round, &mut dice))
            .collect();
        let (some, rest) = games.split_at(30);
        for game in some {
            kept.save_game(game).expect("kept");
        }
        kept.save_games(&rest.iter().collect::<Vec<_>>())
            .expect("kept");
        kept.save_games(&some.iter().collect::<Vec<_>>())
            .expect("no harm");
        let id = kept.id();
        drop(kept);
        let (kept, same, back) =
            TournamentJournal::resume(runtime.handle(), &store, id).expect("there");
        assert_eq!(same, plan);
        assert_eq!(all_told(&back), all_told(&games));
        drop(kept);
    }
}

/// A plan with everything in it is read back.
#[test]
fn plans_come_back_exactly() {
    let runtime = runtime();
    let store = runtime.block_on(Store::in_memory()).expect("opens");
    let mut plan = plan("ception:5a", 4, 7, 9);
    plan.openings = Openings::List(vec!["a b".into(), "\"c\"".into()]);
    plan.format = Format::Gauntlet;
    plan.seed = u64::MAX;
    plan.move_limit = Some(3);
    plan.scoring = Scoring::Penalty;
    plan.bots[1].pace = Some("tc=10s+100ms".parse().expect("a pace"));
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
    let kept = TournamentJournal::create(runtime.handle(), &store, &plan).expect("begun");
    let (back, games) = runtime
        .block_on(arena::load_tournament(&store, kept.id()))
        .expect("there");
    assert_eq!(back, plan);
    assert!(games.is_empty());
}

#[test]
fn a_tournament_is_kept_and_goes_on_and_grows() {
    let dir = tempfile::tempdir().expect("a folder");
    let runtime = runtime();
    let store = runtime.block_on(Store::open(dir.path())).expect("opens");
    let other = runtime.block_on(Store::open(dir.path())).expect("opens");
    let small = plan("classic", 2, 3, 4);
    let mut kept = TournamentJournal::create(runtime.handle(), &store, &small).expect("begun");
    let id = kept.id();
    let taken = TournamentJournal::resume(runtime.handle(), &other, id);
    let error = taken.expect_err("it is being played");
    assert!(
        matches!(error, TournamentStoreError::HeldElsewhere(_)),
        "{error}"
    );
    let ended = run(&small, &[], &mut kept, &mut |_| {});
    kept.record_end(ended.end).expect("kept");
    drop(kept);
    let state = |store: &Store| {
        let tournament = runtime.block_on(store.tournament(id)).expect("read");
        tournament.expect("there").state
    };
    assert_eq!(state(&store), TournamentState::Complete);

    let mut large = plan("classic", 3, 4, 4);
    large.seed = small.seed;
    let (mut kept, plan, games) =
        TournamentJournal::resume(runtime.handle(), &other, id).expect("free now");
    assert_eq!((plan, games.len()), (small, 6));
    let ended = run(&large, &games, &mut kept, &mut |_| {});
    assert_eq!((ended.end, ended.done), (TournamentEnd::Complete, 24));
    assert_eq!(state(&store), TournamentState::Open, "it has grown");
    kept.record_end(ended.end).expect("kept");
    assert_eq!(state(&store), TournamentState::Complete);
    let (plan, games) = runtime
        .block_on(arena::load_tournament(&store, id))
        .expect("read");
    assert_eq!(plan, large);
    assert_eq!(all_told(&games), undisturbed(&large));
    drop(kept);
    runtime.block_on(async {
        store.close().await;
        other.close().await;
    });
}

#[test]
fn what_is_not_there_or_makes_no_sense_is_told() {
    let runtime = runtime();
    let store = runtime.block_on(Store::in_memory()).expect("opens");
    let resume = |id| TournamentJournal::resume(runtime.handle(), &store, id).map(drop);
    let error = resume(TournamentId(7)).expect_err("not there");
    assert!(
        error.to_string().starts_with("there is no tournament 7"),
        "{error}"
    );
    let id = runtime
        .block_on(store.create_tournament("{\"variant\": 3}"))
        .expect("begun");
    let error = resume(id).expect_err("no plan").to_string();
    assert!(error.contains("its plan cannot be read"), "{error}");
    // It was let go all the same.
    let listed = runtime.block_on(store.tournaments()).expect("read");
    assert!(!listed[0].is_running);
}

// ---- killed ----

const ROLE: &str = "NOUGHTS_SESSION_ARENA_FOLDER";

/// The plan of the killed tournament: 504 games.
fn long() -> Plan {
    plan("ultimate", 3, 84, 100)
}

/// The program that is killed: begins the tournament or goes on with it, and says what is
/// kept.
fn be_killed(dir: &Path) {
    let runtime = runtime();
    let store = runtime.block_on(Store::open(dir)).expect("opens");
    let plan = long();
    let known = runtime.block_on(store.tournaments()).expect("read");
    let (mut kept, games) = match known.first() {
        None => {
            let kept = TournamentJournal::create(runtime.handle(), &store, &plan);
            (kept.expect("begun"), Vec::new())
        }
        Some(tournament) => {
            let resumed = TournamentJournal::resume(runtime.handle(), &store, tournament.id);
            let (kept, same, games) = resumed.expect("nobody else plays it");
            assert_eq!(same, plan);
            (kept, games)
        }
    };
    say("begin");
    let ended = run(&plan, &games, &mut kept, &mut |event| {
        if let Event::GameEnded { game, .. } = event {
            let GameKey {
                round,
                first,
                second,
                swapped,
            } = game.key;
            say(format!("kept {round} {first} {second} {swapped}"));
        }
    });
    kept.record_end(ended.end).expect("kept");
    drop(kept);
    runtime.block_on(store.close());
    say("complete");
}

/// On a line of its own, whatever the harness has begun to write.
fn say(what: impl std::fmt::Display) {
    println!("\nsay {what}");
}

fn start(dir: &Path, test: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    let me = std::env::current_exe().expect("this program has a file");
    let mut child = Command::new(me)
        .args(["--exact", test, "--nocapture", "--include-ignored"])
        .env(ROLE, dir)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let out = child.stdout.take().expect("piped");
    let lines = BufReader::new(out).lines().map_while(Result::ok);
    let lines = lines.filter_map(|line| line.strip_prefix("say ").map(str::to_owned));
    (child, lines)
}

/// Kills the program at so many moments, starts it again each time, and lets it end.
fn killed(times: usize, test: &str, seed: u64) {
    if let Some(dir) = std::env::var_os(ROLE) {
        return be_killed(&PathBuf::from(dir));
    }
    let plan = long();
    let expected = undisturbed(&plan);
    assert_eq!(expected.len(), 504);
    let planned: Vec<GameKey> = Schedule::new(&plan).expect("a plan").games().collect();
    assert!(planned.iter().all(|key| expected.contains_key(key)));

    let mut dice = TestRng::new(seed);
    let mut kills = 0;
    // Where games are quicker than kills, one tournament is not enough.
    while kills < times {
        let dir = tempfile::tempdir().expect("a folder");
        let (mut said, mut starts) = (Vec::new(), 0);
        while !said.iter().any(|line| line == "complete") {
            starts += 1;
            let (mut child, mut lines) = start(dir.path(), test);
            if kills < times {
                // Few enough that half of the games are left for the last start.
                said.extend(lines.by_ref().take(dice.below(504 / (times + 1))));
                // Anywhere between two games.
                let a_while = Duration::from_micros(dice.below(4000) as u64);
                let began = Instant::now();
                while began.elapsed() < a_while {
                    std::hint::spin_loop();
                }
                child.kill().expect("killed");
                kills += 1;
            }
            // What it had said by then counts, too.
            said.extend(lines);
            child.wait().expect("gone");
            assert!(starts <= times + 1, "it does not come to an end");
        }
        check(dir.path(), &said, &expected);
        println!("{kills} kills, {starts} starts");
    }
}

/// All games are there, each once, as if nothing had happened.
fn check(dir: &Path, said: &[String], expected: &BTreeMap<GameKey, String>) {
    let kept: Vec<&String> = said
        .iter()
        .filter(|line| line.starts_with("kept "))
        .collect();
    let different: HashSet<&String> = kept.iter().copied().collect();
    assert_eq!(kept.len(), different.len(), "a game was kept twice");
    let runtime = runtime();
    let store = runtime.block_on(Store::open(dir)).expect("opens");
    let tournaments = runtime.block_on(store.tournaments()).expect("read");
    let told: Vec<_> = tournaments
        .iter()
        .map(|t| (t.games, t.state, t.is_running))
        .collect();
    assert_eq!(told, [(504, TournamentState::Complete, false)]);
    let id = tournaments[0].id;
    let (_, games) = runtime
        .block_on(arena::load_tournament(&store, id))
        .expect("read");
    assert!(
        all_told(&games) == *expected,
        "not the games of an undisturbed run"
    );
    runtime.block_on(store.close());
}

#[test]
fn a_killed_tournament_goes_on() {
    killed(5, "a_killed_tournament_goes_on", 1);
}

#[test]
#[ignore = "soak"]
fn soak_a_tournament_is_killed_a_hundred_times() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times: usize = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    killed(10 * times, "soak_a_tournament_is_killed_a_hundred_times", 2);
}

/// Fast games, each on the disk when it is told of.
#[test]
#[ignore = "soak"]
fn soak_ten_thousand_games_are_kept() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times: u32 = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    let dir = tempfile::tempdir().expect("a folder");
    let runtime = runtime();
    let store = runtime.block_on(Store::open(dir.path())).expect("opens");
    let mut plan = plan("ultimate", 2, 500 * times, 1);
    for bot in &mut plan.bots {
        let BotSource::Ours(ours) = &mut bot.who else {
            unreachable!("ours")
        };
        ours.kind = "random".into();
    }
    plan.concurrency = None;
    let mut kept = TournamentJournal::create(runtime.handle(), &store, &plan).expect("begun");
    let mut games = Vec::new();
    let ended = run(&plan, &[], &mut kept, &mut |event| {
        if let Event::GameEnded { game, .. } = event {
            games.push(game.clone());
        }
    });
    let (_, back) = runtime
        .block_on(arena::load_tournament(&store, kept.id()))
        .expect("read");
    assert!(all_told(&back) == all_told(&games));
    assert_eq!(back.len(), 1000 * times as usize);
    drop(kept);
    runtime.block_on(store.close());
    let seconds = ended.took.as_secs_f64();
    let pace = back.len() as f64 / seconds;
    println!(
        "{} games kept in {seconds:.2} s: {pace:.0} a second",
        back.len()
    );
}
