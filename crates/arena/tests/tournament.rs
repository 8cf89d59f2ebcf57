//! Complete tournaments: the same games whatever the order, the number of threads and the failures.

mod plans;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use noughts_arena::statistics::{Decision, Results};
use noughts_arena::tournament::{
    self, MakePlayer, TournamentEnd, TournamentError, TournamentEvent, TournamentRunner,
};
use noughts_arena::{
    BotSource, EndReason, Format, GameFingerprint, GameKey, GameResult, Journal, JournalError,
    MemoryJournal, MoveRequest, MoveResponse, NewGame, Openings, Plan, PlayedGame, Player,
    PlayerError, PlayerErrorKind, SpecError, Sprt, StopRequest, TimeControl, TournamentControl,
};
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Outcome, Variant};
use plans::*;

const THREE: &[(&str, &str)] = &[("a", "random"), ("b", "easy"), ("c", "mcts")];

fn uninterrupted(plan: &Plan) -> BTreeMap<GameKey, String> {
    let memory = MemoryJournal::default();
    let summary = run(plan, &memory, runner(1)).expect("played");
    assert_eq!(summary.end, TournamentEnd::Complete);
    memory.saved_games()
}

#[test]
fn games_do_not_depend_on_the_number_of_cores() {
    let plan = plan("ultimate", THREE, 3);
    let all = uninterrupted(&plan);
    assert_eq!(all.len(), 18);
    assert_eq!(
        all.keys().copied().collect::<HashSet<_>>(),
        schedule(&plan).games().collect()
    );
    for cores in [2, 3, 8] {
        let memory = MemoryJournal::default();
        let summary = run(&plan, &memory, runner(cores)).expect("played");
        assert!(memory.saved_games() == all, "{cores} cores");
        assert_eq!((summary.done, summary.planned), (18, 18));
        let games: u64 = (0..3).map(|bot| summary.results.games_played(bot)).sum();
        assert_eq!(games, 36);
        let plans = memory.plans.lock().expect("no panic");
        assert_eq!(*plans, std::slice::from_ref(&plan));
    }
    let mut other = plan;
    other.seed += 1;
    assert!(uninterrupted(&other) != all);
}

#[test]
fn resuming_gives_the_same_games() {
    let plan = plan("classic", THREE, 2);
    let all = uninterrupted(&plan);
    let all_games = MemoryJournal::default();
    run(&plan, &all_games, runner(1)).expect("played");
    let games = all_games.games.lock().expect("no panic").clone();
    for saved in 0..=games.len() {
        // The first games, and as many of the last: games may end in any order.
        for saved in [&games[..saved], &games[games.len() - saved..]] {
            let memory = MemoryJournal::default();
            *memory.games.lock().expect("no panic") = saved.to_vec();
            let mut started = 0;
            let watch = &mut |event: TournamentEvent<'_>| {
                if let TournamentEvent::GameStarted { key } = event {
                    started += 1;
                    assert!(saved.iter().all(|game| game.key != key), "played twice");
                }
            };
            let summary = run_with(&plan, &memory, runner(2), &TournamentControl::new(), watch)
                .expect("played");
            assert_eq!(summary.end, TournamentEnd::Complete);
            assert_eq!(started, games.len() - saved.len());
            assert!(memory.saved_games() == all);
        }
    }
}

#[test]
fn a_tournament_can_be_extended() {
    let small = plan("classic", &THREE[..2], 2);
    let mut large = plan("classic", THREE, 4);
    large.format = small.format;
    let memory = MemoryJournal::default();
    run(&small, &memory, runner(2)).expect("played");
    let before = memory.saved_games();
    let summary = run(&large, &memory, runner(2)).expect("played");
    assert_eq!(
        (before.len(), summary.planned, summary.end),
        (4, 24, TournamentEnd::Complete)
    );
    let after = memory.saved_games();
    assert!(
        before
            .iter()
            .all(|(key, game)| after.get(key) == Some(game))
    );
    assert!(after == uninterrupted(&large));
}

#[test]
fn events_are_complete_and_in_order() {
    let plan = plan("classic", &THREE[..2], 2);
    let memory = MemoryJournal::default();
    let mut seen = Vec::new();
    let watch = &mut |event: TournamentEvent<'_>| {
        seen.push(match event {
            TournamentEvent::Started {
                planned,
                done,
                concurrency,
                ..
            } => format!("begin {planned} {done} {concurrency}"),
            TournamentEvent::GameStarted { key } => format!("game {} {}", key.round, key.swapped),
            TournamentEvent::GameEnded {
                game,
                done,
                results,
                ..
            } => {
                // It is saved before it is reported.
                assert!(memory.results().contains(&game.result()));
                assert_eq!(
                    (results.game_count(), results.games_played(0)),
                    (done, done)
                );
                let points: f64 = (0..2).map(|bot| results.tally_of(bot).points()).sum();
                assert_eq!(points, (done - results.uncounted_games()) as f64);
                format!("ended {done}")
            }
            TournamentEvent::Finished(summary) => format!("{:?}", summary.end),
            other => panic!("{other:?}"),
        });
    };
    run_with(&plan, &memory, runner(1), &TournamentControl::new(), watch).expect("played");
    assert_eq!(
        seen,
        [
            "begin 4 0 1",
            "game 0 false",
            "ended 1",
            "game 0 true",
            "ended 2",
            "game 1 false",
            "ended 3",
            "game 1 true",
            "ended 4",
            "Complete",
        ]
    );
}

// ---- misbehaving players ----

/// A player given by functions.
struct FunctionPlayer {
    choice: fn(&MoveRequest<'_>) -> Result<MoveResponse, PlayerError>,
    start: fn() -> Result<(), PlayerError>,
}

impl Player for FunctionPlayer {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        (self.start)()
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        (self.choice)(request)
    }

    fn end_game(&mut self) {}
}

/// The second bot is the given one, the others are built in.
fn with_second(make: fn() -> Result<Box<dyn Player>, SpecError>) -> MakePlayer {
    let others = engine_bots();
    Arc::new(move |spec| match spec.name.as_str() {
        "b" => make(),
        _ => others(spec),
    })
}

fn first(request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
    Ok(answer(&first_move(request.state)))
}

/// Guards against counting a lack of files or processes as a bot's loss.
#[test]
fn host_failures_are_retried_and_never_counted() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    let plan = plan("classic", THREE, 1);
    // Resources become available later.
    let memory = MemoryJournal::default();
    let later = TournamentRunner {
        make_player: with_second(|| {
            Ok(Box::new(FunctionPlayer {
                choice: first,
                start: || match TRIES.fetch_add(1, Ordering::Relaxed) {
                    0..3 => Err(PlayerError::new(
                        PlayerErrorKind::HostFailure,
                        "no room for it",
                    )),
                    _ => Ok(()),
                },
            }))
        }),
        ..runner(2)
    };
    let summary = run(&plan, &memory, later).expect("played");
    assert_eq!((summary.end, summary.done), (TournamentEnd::Complete, 6));
    assert!(
        memory
            .games
            .lock()
            .expect("no panic")
            .iter()
            .all(|game| !game.reason.is_fault())
    );
    // Resources never become available.
    let memory = MemoryJournal::default();
    let never = TournamentRunner {
        make_player: with_second(|| {
            Ok(Box::new(FunctionPlayer {
                choice: first,
                start: || {
                    Err(PlayerError::new(
                        PlayerErrorKind::HostFailure,
                        "no room for it",
                    ))
                },
            }))
        }),
        retry_timeout: Duration::ZERO,
        ..runner(2)
    };
    let error = run(&plan, &memory, never).expect_err("no room");
    assert!(
        matches!(&error, TournamentError::HostFailure(reason) if reason == "no room for it"),
        "{error}"
    );
    let saved = memory.games.lock().expect("no panic");
    assert!(
        saved
            .iter()
            .all(|game| ![game.key.first, game.key.second].contains(&1))
    );
}

#[test]
fn no_bot_can_stop_a_tournament() {
    type Make = fn() -> Result<Box<dyn Player>, SpecError>;
    let cases: [(Make, EndReason, &str); 4] = [
        (
            || {
                let choice = |_: &MoveRequest<'_>| panic!("by all means");
                Ok(Box::new(FunctionPlayer {
                    choice,
                    start: || Ok(()),
                }))
            },
            EndReason::Crash,
            "it crashed: by all means",
        ),
        (
            || {
                Ok(Box::new(FunctionPlayer {
                    choice: first,
                    start: || panic!("at once"),
                }))
            },
            EndReason::Crash,
            "it crashed: at once",
        ),
        (
            || panic!("never made"),
            EndReason::StartFailure,
            "it crashed: never made",
        ),
        (
            || Err(SpecError("no such program".into())),
            EndReason::StartFailure,
            "no such program",
        ),
    ];
    for (make, reason, note) in cases {
        let plan = plan("classic", THREE, 3);
        let memory = MemoryJournal::default();
        let runner = TournamentRunner {
            make_player: with_second(make),
            ..runner(2)
        };
        let summary = run(&plan, &memory, runner).expect("played");
        assert_eq!((summary.end, summary.done), (TournamentEnd::Complete, 18));
        assert_eq!(summary.results.tally_of(1).losses, 12, "{note}");
        for game in memory.games.lock().expect("no panic").iter() {
            let cases = [game.key.first, game.key.second].contains(&1);
            assert_eq!(game.reason == reason, cases, "{game:?}");
            if cases {
                assert_eq!(game.note.as_deref(), Some(note));
            }
        }
    }
}

/// A journal that accepts this many games and then fails.
struct FullJournal(usize, MemoryJournal);

impl Journal for FullJournal {
    fn save_plan(&mut self, _: &Plan) -> Result<(), JournalError> {
        Ok(())
    }

    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
        for game in games {
            if self.0 == 0 {
                return Err(JournalError("the disk is full".into()));
            }
            self.0 -= 1;
            self.1.save_games(&[game])?;
        }
        Ok(())
    }
}

#[test]
fn a_failing_journal_ends_the_tournament_without_loss() {
    let plan = plan("classic", THREE, 3);
    let all = uninterrupted(&plan);
    for room in [0, 1, 7] {
        let memory = MemoryJournal::default();
        let mut journal = FullJournal(room, memory.clone());
        let mut reported = 0;
        let watch = &mut |event: TournamentEvent<'_>| {
            reported += usize::from(matches!(event, TournamentEvent::GameEnded { .. }));
        };
        let summary = tournament::run(
            &schedule(&plan),
            &[],
            runner(3),
            &mut journal,
            &TournamentControl::new(),
            watch,
        );
        let error = summary.expect_err("no room");
        assert_eq!(
            error,
            TournamentError::Journal(JournalError("the disk is full".into()))
        );
        assert_eq!(error.to_string(), "the disk is full");
        assert_eq!(memory.saved_games().len(), room);
        assert!(reported <= room, "what was reported is saved");
        run(&plan, &memory, runner(2)).expect("played");
        assert!(memory.saved_games() == all);
    }
}

// ---- stopping ----

#[test]
fn the_first_stop_finishes_running_games() {
    let plan = plan("classic", THREE, 50);
    let memory = MemoryJournal::default();
    let control = TournamentControl::new();
    let (mut started, mut seen) = (0, Vec::new());
    let watch = &mut |event: TournamentEvent<'_>| match event {
        TournamentEvent::GameStarted { .. } => started += 1,
        TournamentEvent::GameEnded { done: 10, .. } => {
            assert_eq!(control.stop(), StopRequest::Finish);
        }
        TournamentEvent::Stopping {
            request: stop_request,
        } => seen.push(stop_request),
        TournamentEvent::GameAborted { key } => panic!("{key:?} was given up"),
        _ => {}
    };
    let summary = run_with(&plan, &memory, runner(2), &control, watch).expect("stopped");
    assert_eq!(
        (summary.end, seen),
        (TournamentEnd::Stopped, vec![StopRequest::Finish])
    );
    assert_eq!(summary.done, started);
    assert_eq!(memory.saved_games().len() as u64, summary.done);
    assert!((10..300).contains(&summary.done));
    // If stopped before it starts, it plays nothing.
    let memory = MemoryJournal::default();
    let summary = run_with(&plan, &memory, runner(2), &control, &mut |_| {}).expect("stopped");
    assert_eq!((summary.end, summary.done), (TournamentEnd::Stopped, 0));
}

/// A gate at which players wait.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut open = self.open.lock().expect("no panic");
        while !*open {
            open = self.changed.wait(open).expect("no panic");
        }
    }

    fn open(&self) {
        *self.open.lock().expect("no panic") = true;
        self.changed.notify_all();
    }
}

struct WaitingPlayer(Arc<Gate>);

impl Player for WaitingPlayer {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        self.0.pass();
        first(request)
    }

    fn end_game(&mut self) {}
}

#[test]
fn the_second_stop_ends_running_games_without_a_result() {
    let plan = plan("classic", THREE, 50);
    let memory = MemoryJournal::default();
    let control = TournamentControl::new();
    let gate = Arc::new(Gate::default());
    let shared = Arc::clone(&gate);
    let players: MakePlayer = Arc::new(move |_| Ok(Box::new(WaitingPlayer(Arc::clone(&shared)))));
    let runner = TournamentRunner {
        make_player: players,
        ..runner(3)
    };
    let (mut started, mut aborted) = (0, 0);
    let watch = &mut |event: TournamentEvent<'_>| match event {
        TournamentEvent::GameStarted { .. } => {
            started += 1;
            if started == 3 {
                control.stop();
                control.stop();
            }
        }
        TournamentEvent::Stopping {
            request: stop_request,
        } => {
            assert_eq!(stop_request, StopRequest::Now);
            gate.open();
        }
        TournamentEvent::GameAborted { .. } => aborted += 1,
        _ => {}
    };
    let summary = run_with(&plan, &memory, runner, &control, watch).expect("stopped");
    assert_eq!((summary.end, summary.done), (TournamentEnd::Stopped, 0));
    assert_eq!((started, aborted), (3, 3));
    assert!(memory.saved_games().is_empty());
}

/// A player that never returns is abandoned; its thread ends when it returns.
#[test]
fn a_player_that_does_not_return_is_abandoned() {
    let plan = plan("classic", &THREE[..2], 50);
    let control = TournamentControl::new();
    let gate = Arc::new(Gate::default());
    let shared = Arc::clone(&gate);
    let players: MakePlayer = Arc::new(move |_| Ok(Box::new(WaitingPlayer(Arc::clone(&shared)))));
    let runner = TournamentRunner {
        make_player: players,
        ..runner(2)
    };
    let watch = &mut |event: TournamentEvent<'_>| {
        if let TournamentEvent::GameStarted { .. } = event {
            control.stop();
            control.stop();
        }
    };
    let summary =
        run_with(&plan, &MemoryJournal::default(), runner, &control, watch).expect("stopped");
    assert_eq!((summary.end, summary.done), (TournamentEnd::Stopped, 0));
    gate.open();
}

// ---- cores ----

/// Counts the threads that are thinking at the same time.
#[derive(Default)]
struct ThreadCount {
    now: AtomicUsize,
    max_threads: AtomicUsize,
    created: AtomicUsize,
}

struct CountingPlayer {
    thread_count: Arc<ThreadCount>,
    threads: usize,
}

impl Player for CountingPlayer {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let now = self
            .thread_count
            .now
            .fetch_add(self.threads, Ordering::SeqCst)
            + self.threads;
        self.thread_count
            .max_threads
            .fetch_max(now, Ordering::SeqCst);
        std::thread::yield_now();
        self.thread_count
            .now
            .fetch_sub(self.threads, Ordering::SeqCst);
        first(request)
    }

    fn end_game(&mut self) {}
}

#[test]
fn concurrency_respects_the_bots_threads() {
    for (threads, concurrency, cores, max_threads) in [
        ([1, 1, 1], None, 4, 4),
        ([2, 1, 1], None, 4, 4),
        ([3, 3, 3], None, 4, 3),
        // More threads than cores: one game at a time.
        ([9, 9, 9], None, 4, 9),
        ([2, 2, 2], Some(3), 1, 6),
        ([1, 1, 1], Some(1), 4, 1),
    ] {
        let mut plan = plan("classic", THREE, 30);
        plan.concurrency = concurrency;
        for (bot, threads) in plan.bots.iter_mut().zip(threads) {
            let BotSource::Builtin(builtin) = &mut bot.source else {
                unreachable!()
            };
            builtin.threads = threads;
        }
        let thread_count = Arc::new(ThreadCount::default());
        let shared = Arc::clone(&thread_count);
        let players: MakePlayer = Arc::new(move |spec| {
            shared.created.fetch_add(1, Ordering::SeqCst);
            let thread_count = Arc::clone(&shared);
            Ok(Box::new(CountingPlayer {
                thread_count,
                threads: spec.threads(),
            }))
        });
        let runner = TournamentRunner {
            make_player: players,
            ..runner(cores)
        };
        let summary = run(&plan, &MemoryJournal::default(), runner).expect("played");
        assert_eq!(summary.end, TournamentEnd::Complete);
        let found = thread_count.max_threads.load(Ordering::SeqCst);
        assert!(
            found <= max_threads,
            "{found} threads at once for {threads:?}"
        );
        let created = thread_count.created.load(Ordering::SeqCst);
        let workers = concurrency.unwrap_or(cores);
        assert!(
            created <= 3 * workers,
            "{created} players for {workers} workers: they are kept"
        );
    }
}

// ---- SPRT ----

fn sprt(elo1: f64) -> Sprt {
    Sprt {
        elo0: 0.0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    }
}

/// The pairs that counted for the SPRT.
fn categories(summary: &tournament::TournamentSummary) -> [u64; 5] {
    summary.results.sprt().expect("a test").categories
}

#[test]
fn the_sprt_follows_the_order_of_the_plan() {
    let mut plan = plan("classic", &THREE[..2], 100);
    let all_games = MemoryJournal::default();
    run(&plan, &all_games, runner(1)).expect("played");
    let all = all_games.games.lock().expect("no panic").clone();
    // The first bot is worse: after this many pairs it is clear.
    plan.sprt = Some(sprt(60.0));
    let expected = Results::from_games(&plan, &all);
    let expected = expected.sprt().expect("a test");
    assert_eq!(expected.decision, Decision::H0);
    let pairs = expected.pairs;
    assert!((10..90).contains(&pairs), "{pairs} pairs");
    let min_games = 2 * usize::try_from(pairs).expect("a few");
    for cores in [1, 4] {
        for saved in [0, 31] {
            let memory = MemoryJournal::default();
            // Any games of the plan may already be saved.
            let some = all.iter().step_by(3).take(saved).cloned();
            memory.games.lock().expect("no panic").extend(some);
            let mut decided = Vec::new();
            let watch = &mut |event: TournamentEvent<'_>| {
                if let TournamentEvent::Decided { accepted, pairs } = event {
                    decided.push((accepted, pairs));
                }
            };
            let control = TournamentControl::new();
            let summary = run_with(&plan, &memory, runner(cores), &control, watch).expect("played");
            assert_eq!(summary.end, TournamentEnd::Decided(Decision::H0));
            assert_eq!(decided, [(Decision::H0, pairs)]);
            let decided_by = categories(&summary);
            assert_eq!(decided_by, expected.categories, "the same pairs decide");
            // No new game starts, and running games are saved.
            let games = memory.saved_games().len();
            assert!(games >= min_games);
            // With one core it stops soon; with several, games continue until the last game of the
            // first pairs has ended.
            assert!(cores > 1 || games < min_games + saved + 40, "{games} games");
            // When resumed, it is decided at once and plays nothing.
            let summary = run(&plan, &memory, runner(cores)).expect("played");
            assert_eq!(summary.end, TournamentEnd::Decided(Decision::H0));
            assert_eq!(memory.saved_games().len(), games);
        }
    }
}

/// Guards against an SPRT that was given up and then continued: games that were still running
/// brought a new pair, and the tournament ended as if it had been stopped.
#[test]
fn an_sprt_that_was_given_up_stays_given_up() {
    let mut plan = plan("classic", &THREE[..2], 100);
    plan.sprt = Some(sprt(10.0));
    let games = schedule(&plan).games().take(104);
    let done: Vec<GameResult> = games
        .map(|key| {
            // One pair, fifty repetitions of it, and a new pair that came too late.
            let different = if key.round == 51 { 2 } else { 0 };
            GameResult {
                key,
                outcome: Outcome::Draw,
                reason: EndReason::NoMove,
                fingerprint: GameFingerprint(different + u64::from(key.swapped)),
            }
        })
        .collect();
    let memory = MemoryJournal::default();
    let mut journal = memory.clone();
    let control = TournamentControl::new();
    let summary = tournament::run(
        &schedule(&plan),
        &done,
        runner(2),
        &mut journal,
        &control,
        &mut |_| {},
    )
    .expect("it ends");
    assert_eq!((summary.end, summary.done), (TournamentEnd::Repeating, 104));
    assert_eq!(categories(&summary), [0, 0, 1, 0, 0]);
    assert!(memory.saved_games().is_empty(), "nothing more is played");
    let reason = summary.why_undecidable().expect("a sentence");
    assert!(reason.contains("1 different pair so far"), "{reason}");
}

/// Guards against a game on every core where fewer of them may be used.
#[test]
fn pinned_games_respect_the_usable_cores() {
    let mut plan = plan("classic", &THREE[..2], 1);
    let concurrency = |plan: &Plan| {
        let mut started = None;
        let watch = &mut |event: TournamentEvent<'_>| {
            if let TournamentEvent::Started { concurrency, .. } = event {
                started = Some(concurrency);
            }
        };
        let runner = TournamentRunner {
            affinity: true,
            ..runner(1)
        };
        let announced = runner.concurrency(plan);
        run_with(
            plan,
            &MemoryJournal::default(),
            runner,
            &TournamentControl::new(),
            watch,
        )
        .expect("played");
        assert_eq!(started, Some(announced), "what is said is what is done");
        announced
    };
    // Where pinning isn't supported, the requested number is played.
    let expected = if tournament::supports_affinity() {
        1
    } else {
        7
    };
    assert_eq!(concurrency(&plan), 1);
    plan.concurrency = Some(7);
    assert_eq!(concurrency(&plan), expected);
}

#[test]
fn pairs_are_counted_by_the_first_bots_points() {
    // On a board with one cell X always wins with the first move: one point each.
    let mut one = plan("mnk:1,1,1", &THREE[..2], 3);
    one.openings = Openings::Start;
    one.sprt = Some(sprt(10.0));
    let summary = run(&one, &MemoryJournal::default(), runner(1)).expect("played");
    // The three pairs are identical and count once.
    assert_eq!(categories(&summary), [0, 0, 1, 0, 0]);
    // The second bot never starts.
    let lost = with_second(|| Err(SpecError("gone".into())));
    let runner = TournamentRunner {
        make_player: lost,
        ..runner(1)
    };
    let summary = run(&one, &MemoryJournal::default(), runner).expect("played");
    assert_eq!(categories(&summary), [0, 0, 0, 0, 1]);
    let [first, second] = [0, 1].map(|bot| summary.results.tally_of(bot));
    assert_eq!((first.wins, second.losses), (6, 6));
}

#[test]
fn a_gauntlet_is_one_against_all() {
    let mut plan = plan("classic", THREE, 2);
    plan.format = Format::Gauntlet;
    let memory = MemoryJournal::default();
    run(&plan, &memory, runner(2)).expect("played");
    assert_eq!(memory.saved_games().len(), 8);
    assert!(memory.saved_games().keys().all(|key| key.first == 0));
}

// ---- many games ----

/// A random bot that measures its time, for games whose cost is mostly the arena's.
struct FastPlayer(Option<AnyBot>);

impl Player for FastPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let settings = BotSettings {
            seed: game.seed,
            ..BotSettings::default()
        };
        let bot = AnyBot::new(BotKind::Random, game.variant, &settings);
        self.0 = Some(bot.expect("it plays everything"));
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let start = Instant::now();
        let bot = self.0.as_mut().expect("begun");
        let report = bot.think(
            request.state,
            SearchLimits::nodes(1),
            &StopFlag::new(),
            &mut |_| {},
        );
        let mv = report.best.expect("a move");
        Ok(answer_after(start.elapsed(), &mv))
    }

    fn end_game(&mut self) {}
}

fn play_many(rounds: u32) {
    let mut plan = plan("ultimate", &THREE[..2], rounds);
    plan.openings = Openings::Random(4);
    plan.time_control = TimeControl::MoveTime(Duration::from_millis(50));
    let players: MakePlayer = Arc::new(|_| Ok(Box::new(FastPlayer(None))));
    let memory = MemoryJournal::default();
    let summary = run(&plan, &memory, TournamentRunner::new(players)).expect("played");
    assert_eq!(
        (summary.end, summary.done),
        (TournamentEnd::Complete, u64::from(rounds) * 2)
    );
    let games = memory.games.lock().expect("no panic");
    let mut late = 0;
    let mut moves = 0;
    for game in games.iter() {
        moves += game.move_info.len();
        match game.reason {
            EndReason::Timeout => late += 1,
            reason => {
                // The rules give the same result for the same moves.
                let mut state = AnyGameState::new(Variant::ULTIMATE);
                for mv in game.state.moves() {
                    state.play(&mv).expect("legal");
                }
                assert_eq!(state.outcome(), Some(game.outcome));
                assert_eq!(state.ending().map(EndReason::from), Some(reason));
            }
        }
    }
    assert!(late <= 1, "{late} losses on time");
    let seconds = summary.took.as_secs_f64();
    println!(
        "{} games, {moves} moves in {seconds:.2} s: {:.0} games a second, {:.2} µs a move, {late} losses on time",
        summary.done,
        summary.done as f64 / seconds,
        seconds * 1e6 / moves as f64
    );
}

#[test]
fn a_thousand_fast_games() {
    play_many(500);
}

#[test]
#[ignore = "soak"]
fn soak_ten_thousand_fast_games() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times: u32 = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    play_many(500 * times);
}

/// A journal can save several games at once and receives all of them that way.
#[test]
fn every_game_is_saved_once() {
    struct BatchJournal(MemoryJournal, Vec<usize>);
    impl Journal for BatchJournal {
        fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
            self.0.save_plan(plan)
        }
        fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
            self.1.push(games.len());
            self.0.save_games(games)
        }
    }
    let plan = plan("classic", THREE, 40);
    let mut journal = BatchJournal(MemoryJournal::default(), Vec::new());
    let summary = tournament::run(
        &schedule(&plan),
        &[],
        runner(2),
        &mut journal,
        &TournamentControl::new(),
        &mut |_| {},
    );
    assert_eq!(summary.expect("played").end, TournamentEnd::Complete);
    assert_eq!(journal.1.iter().sum::<usize>(), 240);
    assert_eq!(journal.0.saved_games().len(), 240);
}
