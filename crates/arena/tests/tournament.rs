//! Whole tournaments: the same games whatever the order, the threads and the accidents.

mod plans;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use noughts_arena::statistics::{Decision, Results};
use noughts_arena::tournament::{
    self, BotScore, Event, Hypothesis, MakePlayer, TournamentEnd, TournamentError, TournamentRunner,
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

fn undisturbed(plan: &Plan) -> BTreeMap<GameKey, String> {
    let memory = MemoryJournal::default();
    let ended = run(plan, &memory, hall(1)).expect("played");
    assert_eq!(ended.end, TournamentEnd::Complete);
    memory.told()
}

#[test]
fn a_round_robin_is_the_same_on_any_number_of_cores() {
    let plan = plan("ultimate", THREE, 3);
    let all = undisturbed(&plan);
    assert_eq!(all.len(), 18);
    assert_eq!(
        all.keys().copied().collect::<HashSet<_>>(),
        schedule(&plan).games().collect()
    );
    for cores in [2, 3, 8] {
        let memory = MemoryJournal::default();
        let ended = run(&plan, &memory, hall(cores)).expect("played");
        assert!(memory.told() == all, "{cores} cores");
        assert_eq!((ended.done, ended.planned), (18, 18));
        let games: u64 = ended.scores.iter().map(BotScore::games).sum();
        assert_eq!(games, 36);
        let plans = memory.plans.lock().expect("no panic");
        assert_eq!(*plans, std::slice::from_ref(&plan));
    }
    let mut other = plan;
    other.seed += 1;
    assert!(undisturbed(&other) != all);
}

#[test]
fn what_is_left_after_any_games_gives_the_same() {
    let plan = plan("classic", THREE, 2);
    let all = undisturbed(&plan);
    let whole = MemoryJournal::default();
    run(&plan, &whole, hall(1)).expect("played");
    let games = whole.games.lock().expect("no panic").clone();
    for kept in 0..=games.len() {
        // A prefix, and as many from behind: games may end in any order.
        for kept in [&games[..kept], &games[games.len() - kept..]] {
            let memory = MemoryJournal::default();
            *memory.games.lock().expect("no panic") = kept.to_vec();
            let mut begun = 0;
            let watch = &mut |event: Event<'_>| {
                if let Event::GameStarted { key } = event {
                    begun += 1;
                    assert!(kept.iter().all(|game| game.key != key), "played twice");
                }
            };
            let ended = run_with(&plan, &memory, hall(2), &TournamentControl::new(), watch)
                .expect("played");
            assert_eq!(ended.end, TournamentEnd::Complete);
            assert_eq!(begun, games.len() - kept.len());
            assert!(memory.told() == all);
        }
    }
}

#[test]
fn a_tournament_grows_by_a_bot_and_rounds() {
    let small = plan("classic", &THREE[..2], 2);
    let mut large = plan("classic", THREE, 4);
    large.format = small.format;
    let memory = MemoryJournal::default();
    run(&small, &memory, hall(2)).expect("played");
    let before = memory.told();
    let ended = run(&large, &memory, hall(2)).expect("played");
    assert_eq!(
        (before.len(), ended.planned, ended.end),
        (4, 24, TournamentEnd::Complete)
    );
    let after = memory.told();
    assert!(
        before
            .iter()
            .all(|(key, told)| after.get(key) == Some(told))
    );
    assert!(after == undisturbed(&large));
}

#[test]
fn events_tell_all_that_happens_in_order() {
    let plan = plan("classic", &THREE[..2], 2);
    let memory = MemoryJournal::default();
    let mut seen = Vec::new();
    let watch = &mut |event: Event<'_>| {
        seen.push(match event {
            Event::Started {
                planned,
                done,
                concurrency: at_once,
                ..
            } => format!("begin {planned} {done} {at_once}"),
            Event::GameStarted { key } => format!("game {} {}", key.round, key.swapped),
            Event::GameEnded {
                game,
                done,
                scores: standings,
                ..
            } => {
                // It is kept before it is told.
                assert!(memory.results().contains(&game.result()));
                assert_eq!(standings[0].games(), done);
                assert_eq!(standings[0].points() + standings[1].points(), done as f64);
                format!("ended {done}")
            }
            Event::Finished(ended) => format!("{:?}", ended.end),
            other => panic!("{other:?}"),
        });
    };
    run_with(&plan, &memory, hall(1), &TournamentControl::new(), watch).expect("played");
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

// ---- players that misbehave ----

/// Does as it is told.
struct Odd {
    choice: fn(&MoveRequest<'_>) -> Result<MoveResponse, PlayerError>,
    begin: fn() -> Result<(), PlayerError>,
}

impl Player for Odd {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        (self.begin)()
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        (self.choice)(turn)
    }

    fn end_game(&mut self) {}
}

/// The second bot is odd, the others are the engine's.
fn with_odd(make: fn() -> Result<Box<dyn Player>, SpecError>) -> MakePlayer {
    let sound = counting();
    Arc::new(move |spec| match spec.name.as_str() {
        "b" => make(),
        _ => sound(spec),
    })
}

fn first(turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
    Ok(answer(&first_move(turn.state)))
}

/// Guards against a lack of files or processes that was kept as a bot's loss.
#[test]
fn what_is_nobodys_fault_is_tried_again_and_never_counted() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    let plan = plan("classic", THREE, 1);
    // There is room later.
    let memory = MemoryJournal::default();
    let later = TournamentRunner {
        make_player: with_odd(|| {
            Ok(Box::new(Odd {
                choice: first,
                begin: || match TRIES.fetch_add(1, Ordering::Relaxed) {
                    0..3 => Err(PlayerError::new(
                        PlayerErrorKind::HostFailure,
                        "no room for it",
                    )),
                    _ => Ok(()),
                },
            }))
        }),
        ..hall(2)
    };
    let ended = run(&plan, &memory, later).expect("played");
    assert_eq!((ended.end, ended.done), (TournamentEnd::Complete, 6));
    assert!(
        memory
            .games
            .lock()
            .expect("no panic")
            .iter()
            .all(|game| !game.reason.is_fault())
    );
    // There never is.
    let memory = MemoryJournal::default();
    let never = TournamentRunner {
        make_player: with_odd(|| {
            Ok(Box::new(Odd {
                choice: first,
                begin: || {
                    Err(PlayerError::new(
                        PlayerErrorKind::HostFailure,
                        "no room for it",
                    ))
                },
            }))
        }),
        retry_timeout: Duration::ZERO,
        ..hall(2)
    };
    let error = run(&plan, &memory, never).expect_err("no room");
    assert!(
        matches!(&error, TournamentError::HostFailure(why) if why == "no room for it"),
        "{error}"
    );
    let kept = memory.games.lock().expect("no panic");
    assert!(
        kept.iter()
            .all(|game| ![game.key.first, game.key.second].contains(&1))
    );
}

#[test]
fn no_bot_can_stop_a_tournament() {
    type Make = fn() -> Result<Box<dyn Player>, SpecError>;
    let odd: [(Make, EndReason, &str); 4] = [
        (
            || {
                let choice = |_: &MoveRequest<'_>| panic!("by all means");
                Ok(Box::new(Odd {
                    choice,
                    begin: || Ok(()),
                }))
            },
            EndReason::Crash,
            "it panicked: by all means",
        ),
        (
            || {
                Ok(Box::new(Odd {
                    choice: first,
                    begin: || panic!("at once"),
                }))
            },
            EndReason::Crash,
            "it panicked: at once",
        ),
        (
            || panic!("never made"),
            EndReason::StartFailure,
            "it panicked: never made",
        ),
        (
            || Err(SpecError("no such program".into())),
            EndReason::StartFailure,
            "no such program",
        ),
    ];
    for (make, reason, note) in odd {
        let plan = plan("classic", THREE, 3);
        let memory = MemoryJournal::default();
        let hall = TournamentRunner {
            make_player: with_odd(make),
            ..hall(2)
        };
        let ended = run(&plan, &memory, hall).expect("played");
        assert_eq!((ended.end, ended.done), (TournamentEnd::Complete, 18));
        assert_eq!(ended.scores[1].losses, 12, "{note}");
        for game in memory.games.lock().expect("no panic").iter() {
            let odd = [game.key.first, game.key.second].contains(&1);
            assert_eq!(game.reason == reason, odd, "{game:?}");
            if odd {
                assert_eq!(game.note.as_deref(), Some(note));
            }
        }
    }
}

/// A journal that takes so many games and then has no room.
struct Full(usize, MemoryJournal);

impl Journal for Full {
    fn save_plan(&mut self, _: &Plan) -> Result<(), JournalError> {
        Ok(())
    }

    fn save_game(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        if self.0 == 0 {
            return Err(JournalError("the disk is full".into()));
        }
        self.0 -= 1;
        self.1.save_game(game)
    }
}

#[test]
fn a_journal_that_fails_ends_it_and_nothing_is_lost() {
    let plan = plan("classic", THREE, 3);
    let all = undisturbed(&plan);
    for room in [0, 1, 7] {
        let memory = MemoryJournal::default();
        let mut journal = Full(room, memory.clone());
        let mut told = 0;
        let watch =
            &mut |event: Event<'_>| told += usize::from(matches!(event, Event::GameEnded { .. }));
        let ended = tournament::run(
            &schedule(&plan),
            &[],
            hall(3),
            &mut journal,
            &TournamentControl::new(),
            watch,
        );
        let error = ended.expect_err("no room");
        assert_eq!(
            error,
            TournamentError::Journal(JournalError("the disk is full".into()))
        );
        assert_eq!(error.to_string(), "the disk is full");
        assert_eq!(memory.told().len(), room);
        assert!(told <= room, "what was told of is kept");
        run(&plan, &memory, hall(2)).expect("played");
        assert!(memory.told() == all);
    }
}

// ---- stopping ----

#[test]
fn the_first_stop_finishes_running_games() {
    let plan = plan("classic", THREE, 50);
    let memory = MemoryJournal::default();
    let control = TournamentControl::new();
    let (mut begun, mut seen) = (0, Vec::new());
    let watch = &mut |event: Event<'_>| match event {
        Event::GameStarted { .. } => begun += 1,
        Event::GameEnded { done: 10, .. } => assert_eq!(control.stop(), StopRequest::Finish),
        Event::Stopping { request: asked } => seen.push(asked),
        Event::GameAborted { key } => panic!("{key:?} was given up"),
        _ => {}
    };
    let ended = run_with(&plan, &memory, hall(2), &control, watch).expect("stopped");
    assert_eq!(
        (ended.end, seen),
        (TournamentEnd::Stopped, vec![StopRequest::Finish])
    );
    assert_eq!(ended.done, begun);
    assert_eq!(memory.told().len() as u64, ended.done);
    assert!((10..300).contains(&ended.done));
    // Asked before it begins, it plays nothing.
    let memory = MemoryJournal::default();
    let ended = run_with(&plan, &memory, hall(2), &control, &mut |_| {}).expect("stopped");
    assert_eq!((ended.end, ended.done), (TournamentEnd::Stopped, 0));
}

/// A door at which players wait.
#[derive(Default)]
struct Door {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Door {
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

struct Waiting(Arc<Door>);

impl Player for Waiting {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        self.0.pass();
        first(turn)
    }

    fn end_game(&mut self) {}
}

#[test]
fn the_second_stop_ends_running_games_without_a_result() {
    let plan = plan("classic", THREE, 50);
    let memory = MemoryJournal::default();
    let control = TournamentControl::new();
    let door = Arc::new(Door::default());
    let inside = Arc::clone(&door);
    let players: MakePlayer = Arc::new(move |_| Ok(Box::new(Waiting(Arc::clone(&inside)))));
    let hall = TournamentRunner {
        make_player: players,
        ..hall(3)
    };
    let (mut begun, mut given_up) = (0, 0);
    let watch = &mut |event: Event<'_>| match event {
        Event::GameStarted { .. } => {
            begun += 1;
            if begun == 3 {
                control.stop();
                control.stop();
            }
        }
        Event::Stopping { request: asked } => {
            assert_eq!(asked, StopRequest::Now);
            door.open();
        }
        Event::GameAborted { .. } => given_up += 1,
        _ => {}
    };
    let ended = run_with(&plan, &memory, hall, &control, watch).expect("stopped");
    assert_eq!((ended.end, ended.done), (TournamentEnd::Stopped, 0));
    assert_eq!((begun, given_up), (3, 3));
    assert!(memory.told().is_empty());
}

/// One that never comes back is left behind; its threads end when it does.
#[test]
fn a_player_that_does_not_return_is_left_behind() {
    let plan = plan("classic", &THREE[..2], 50);
    let control = TournamentControl::new();
    let door = Arc::new(Door::default());
    let inside = Arc::clone(&door);
    let players: MakePlayer = Arc::new(move |_| Ok(Box::new(Waiting(Arc::clone(&inside)))));
    let hall = TournamentRunner {
        make_player: players,
        ..hall(2)
    };
    let watch = &mut |event: Event<'_>| {
        if let Event::GameStarted { .. } = event {
            control.stop();
            control.stop();
        }
    };
    let ended = run_with(&plan, &MemoryJournal::default(), hall, &control, watch).expect("stopped");
    assert_eq!((ended.end, ended.done), (TournamentEnd::Stopped, 0));
    door.open();
}

// ---- cores ----

/// How many are thinking at once, with how many threads.
#[derive(Default)]
struct Crowd {
    now: AtomicUsize,
    most: AtomicUsize,
    made: AtomicUsize,
}

struct Busy {
    crowd: Arc<Crowd>,
    threads: usize,
}

impl Player for Busy {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let now = self.crowd.now.fetch_add(self.threads, Ordering::SeqCst) + self.threads;
        self.crowd.most.fetch_max(now, Ordering::SeqCst);
        std::thread::yield_now();
        self.crowd.now.fetch_sub(self.threads, Ordering::SeqCst);
        first(turn)
    }

    fn end_game(&mut self) {}
}

#[test]
fn threads_of_bots_are_counted() {
    for (threads, concurrency, cores, most) in [
        ([1, 1, 1], None, 4, 4),
        ([2, 1, 1], None, 4, 4),
        ([3, 3, 3], None, 4, 3),
        // More than there are: alone.
        ([9, 9, 9], None, 4, 9),
        ([2, 2, 2], Some(3), 1, 6),
        ([1, 1, 1], Some(1), 4, 1),
    ] {
        let mut plan = plan("classic", THREE, 30);
        plan.concurrency = concurrency;
        for (bot, threads) in plan.bots.iter_mut().zip(threads) {
            let BotSource::Ours(ours) = &mut bot.who else {
                unreachable!()
            };
            ours.threads = threads;
        }
        let crowd = Arc::new(Crowd::default());
        let inside = Arc::clone(&crowd);
        let players: MakePlayer = Arc::new(move |spec| {
            inside.made.fetch_add(1, Ordering::SeqCst);
            let crowd = Arc::clone(&inside);
            Ok(Box::new(Busy {
                crowd,
                threads: spec.threads(),
            }))
        });
        let hall = TournamentRunner {
            make_player: players,
            ..hall(cores)
        };
        let ended = run(&plan, &MemoryJournal::default(), hall).expect("played");
        assert_eq!(ended.end, TournamentEnd::Complete);
        let found = crowd.most.load(Ordering::SeqCst);
        assert!(found <= most, "{found} threads at once for {threads:?}");
        let made = crowd.made.load(Ordering::SeqCst);
        let workers = concurrency.unwrap_or(cores);
        assert!(
            made <= 3 * workers,
            "{made} players for {workers} workers: they are kept"
        );
    }
}

// ---- sequential tests ----

fn sprt(elo1: f64) -> Sprt {
    Sprt {
        elo0: 0.0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    }
}

#[test]
fn a_sequential_test_goes_by_the_order_of_the_plan() {
    let mut plan = plan("classic", &THREE[..2], 100);
    let whole = MemoryJournal::default();
    run(&plan, &whole, hall(1)).expect("played");
    let all = whole.games.lock().expect("no panic").clone();
    // The first bot is worse: after this many pairs it is clear.
    plan.sprt = Some(sprt(60.0));
    let expected = *Results::from_games(&plan, &all).sprt_run().expect("a test");
    assert_eq!(expected.decision(), Decision::H0);
    let pairs = expected.pair_count();
    assert!((10..90).contains(&pairs), "{pairs} pairs");
    let least = 2 * usize::try_from(pairs).expect("a few");
    for cores in [1, 4] {
        for kept in [0, 31] {
            let memory = MemoryJournal::default();
            // Games from anywhere in the plan may be there.
            let some = all.iter().step_by(3).take(kept).cloned();
            memory.games.lock().expect("no panic").extend(some);
            let mut decided = Vec::new();
            let watch = &mut |event: Event<'_>| {
                if let Event::Decided { accepted, pairs } = event {
                    decided.push((accepted, pairs));
                }
            };
            let control = TournamentControl::new();
            let ended = run_with(&plan, &memory, hall(cores), &control, watch).expect("played");
            assert_eq!(ended.end, TournamentEnd::Decided(Hypothesis::H0));
            assert_eq!(decided, [(Hypothesis::H0, pairs)]);
            assert_eq!(ended.pairs, *expected.pairs(), "the same pairs decide");
            // Nothing new begins, and what ran is kept.
            let games = memory.told().len();
            assert!(games >= least);
            // One after the other they stop soon; several at once go on until the last
            // game of the first pairs has ended.
            assert!(cores > 1 || games < least + kept + 40, "{games} games");
            // Gone on with, it is decided at once and nothing is played.
            let ended = run(&plan, &memory, hall(cores)).expect("played");
            assert_eq!(ended.end, TournamentEnd::Decided(Hypothesis::H0));
            assert_eq!(memory.told().len(), games);
        }
    }
}

/// Guards against a test that was given up and went on: games that were being played at that
/// moment brought a new pair, and it ended like one that somebody had stopped.
#[test]
fn a_test_that_was_given_up_stays_given_up() {
    let mut plan = plan("classic", &THREE[..2], 100);
    plan.sprt = Some(sprt(10.0));
    let games = schedule(&plan).games().take(104);
    let done: Vec<GameResult> = games
        .map(|key| {
            // One pair, fifty times that pair again, and a new one that came too late.
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
    let ended = tournament::run(
        &schedule(&plan),
        &done,
        hall(2),
        &mut journal,
        &control,
        &mut |_| {},
    )
    .expect("it ends");
    assert_eq!((ended.end, ended.done), (TournamentEnd::Repeating, 104));
    assert_eq!(ended.pairs, [0, 0, 1, 0, 0]);
    assert!(memory.told().is_empty(), "nothing more is played");
    let why = ended.why_undecidable().expect("a sentence");
    assert!(why.contains("1 different pair so far"), "{why}");
}

/// Guards against a game on every core where fewer of them can be used.
#[test]
fn pinned_games_keep_to_the_cores_that_can_be_used() {
    let mut plan = plan("classic", &THREE[..2], 1);
    let at_once = |plan: &Plan| {
        let mut begun = None;
        let watch = &mut |event: Event<'_>| {
            if let Event::Started {
                concurrency: at_once,
                ..
            } = event
            {
                begun = Some(at_once);
            }
        };
        let hall = TournamentRunner {
            affinity: true,
            ..hall(1)
        };
        let said = hall.concurrency(plan);
        run_with(
            plan,
            &MemoryJournal::default(),
            hall,
            &TournamentControl::new(),
            watch,
        )
        .expect("played");
        assert_eq!(begun, Some(said), "what is said is what is done");
        said
    };
    // Where nothing can be pinned, as many are played as were asked for.
    let asked = if tournament::supports_affinity() {
        1
    } else {
        7
    };
    assert_eq!(at_once(&plan), 1);
    plan.concurrency = Some(7);
    assert_eq!(at_once(&plan), asked);
}

#[test]
fn a_pair_counts_by_the_first_bot_s_points() {
    // X always wins with its first move on a board of one cell: each has a point.
    let mut one = plan("mnk:1,1,1", &THREE[..2], 3);
    one.openings = Openings::Start;
    one.sprt = Some(sprt(10.0));
    let ended = run(&one, &MemoryJournal::default(), hall(1)).expect("played");
    // The three pairs are one and the same, and count once.
    assert_eq!(ended.pairs, [0, 0, 1, 0, 0]);
    // The second one is never there.
    let lost = with_odd(|| Err(SpecError("gone".into())));
    let hall = TournamentRunner {
        make_player: lost,
        ..hall(1)
    };
    let ended = run(&one, &MemoryJournal::default(), hall).expect("played");
    assert_eq!(ended.pairs, [0, 0, 0, 0, 1]);
    assert_eq!((ended.scores[0].wins, ended.scores[1].losses), (6, 6));
}

#[test]
fn a_gauntlet_is_one_against_all() {
    let mut plan = plan("classic", THREE, 2);
    plan.format = Format::Gauntlet;
    let memory = MemoryJournal::default();
    run(&plan, &memory, hall(2)).expect("played");
    assert_eq!(memory.told().len(), 8);
    assert!(memory.told().keys().all(|key| key.first == 0));
}

// ---- many games ----

/// A random bot with a clock: what a fast game costs is the arena.
struct Hasty(Option<AnyBot>);

impl Player for Hasty {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let settings = BotSettings {
            seed: game.seed,
            ..BotSettings::default()
        };
        let bot = AnyBot::new(BotKind::Random, game.variant, &settings);
        self.0 = Some(bot.expect("it plays everything"));
        Ok(())
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let began = Instant::now();
        let bot = self.0.as_mut().expect("begun");
        let report = bot.think(
            turn.state,
            SearchLimits::nodes(1),
            &StopFlag::new(),
            &mut |_| {},
        );
        Ok(MoveResponse {
            took: began.elapsed(),
            ..answer(&report.best.expect("a move"))
        })
    }

    fn end_game(&mut self) {}
}

fn many(rounds: u32) {
    let mut plan = plan("ultimate", &THREE[..2], rounds);
    plan.openings = Openings::Random(4);
    plan.pace = TimeControl::MoveTime(Duration::from_millis(50));
    let players: MakePlayer = Arc::new(|_| Ok(Box::new(Hasty(None))));
    let memory = MemoryJournal::default();
    let ended = run(&plan, &memory, TournamentRunner::new(players)).expect("played");
    assert_eq!(
        (ended.end, ended.done),
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
                // Who won is what the rules say of the same moves.
                let mut play = AnyGameState::new(Variant::ULTIMATE);
                for mv in game.state.moves() {
                    play.play(&mv).expect("legal");
                }
                assert_eq!(play.outcome(), Some(game.outcome));
                assert_eq!(play.ending().map(EndReason::from), Some(reason));
            }
        }
    }
    assert!(late <= 1, "{late} losses on time");
    let seconds = ended.took.as_secs_f64();
    println!(
        "{} games, {moves} moves in {seconds:.2} s: {:.0} games a second, {:.2} µs a move, {late} losses on time",
        ended.done,
        ended.done as f64 / seconds,
        seconds * 1e6 / moves as f64
    );
}

#[test]
fn a_thousand_fast_games() {
    many(500);
}

#[test]
#[ignore = "soak"]
fn soak_ten_thousand_fast_games() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times: u32 = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    many(500 * times);
}

/// A journal may take several games at once, and gets all of them so.
#[test]
fn every_game_comes_to_the_journal_once() {
    struct Together(MemoryJournal, Vec<usize>);
    impl Journal for Together {
        fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
            self.0.save_plan(plan)
        }
        fn save_game(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
            self.0.save_game(game)
        }
        fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
            self.1.push(games.len());
            games.iter().try_for_each(|game| self.save_game(game))
        }
    }
    let plan = plan("classic", THREE, 40);
    let mut journal = Together(MemoryJournal::default(), Vec::new());
    let ended = tournament::run(
        &schedule(&plan),
        &[],
        hall(2),
        &mut journal,
        &TournamentControl::new(),
        &mut |_| {},
    );
    assert_eq!(ended.expect("played").end, TournamentEnd::Complete);
    assert_eq!(journal.1.iter().sum::<usize>(), 240);
    assert_eq!(journal.0.told().len(), 240);
}
