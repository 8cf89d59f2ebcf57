//! What is known of a position and of each of its moves, growing while one
//! looks. What is proved and what is estimated stand side by side, never mixed.

use std::collections::{BTreeMap, HashSet};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Game as _, Outcome};

use crate::alternation::{Alternation, TurnSlice, WorkerTurn};
use crate::background::{BackgroundTask, STACK_BYTES, TaskEvent};
use crate::bot::{AnyBot, BotSettings};
use crate::bots::analyzer::MOST_COMPARED;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::{MAX_LISTED_MOVES, RankedMove, SearchReport};
use crate::search_game::each_family;
use crate::solve::solve_with_progress;
use crate::value::{ExactValue, GameValue, Value};

/// A position being analysed on a thread of its own: an iterator over reports,
/// each knowing at least what was proved in those before. It waits for the next
/// one; a slow reader misses some of them and gets the newest. Dropping it stops
/// the work.
///
/// ```
/// use noughts_engine::{Analysis, Limits, Settings, Value};
/// use noughts_rules::{AnyPlay, Variant};
///
/// // x o x
/// // . o .      X has to block, and then it is a draw.
/// // o x .
/// let play = AnyPlay::from_text(Variant::CLASSIC, "xox/.o./ox. x")?;
/// let report = Analysis::start(&play, &Settings::default(), Limits::nodes(1000)).finish();
/// assert_eq!(report.value.to_string(), "draw");
/// for ranked in &report.moves {
///     assert!(matches!(ranked.value, Value::Exact(_)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Analysis {
    work: Option<BackgroundTask<()>>,
}

impl Analysis {
    /// Begins. Without any limit it goes on until everything is proved or it is
    /// stopped.
    #[must_use]
    pub fn start(play: &AnyGameState, settings: &BotSettings, limits: SearchLimits) -> Analysis {
        Analysis::with_callback(play, settings, limits, |_| {})
    }

    /// Begins, and calls a function with every report on the thread that makes it:
    /// for whoever cannot wait for them.
    #[must_use]
    pub fn with_callback(
        play: &AnyGameState,
        settings: &BotSettings,
        limits: SearchLimits,
        mut tell: impl FnMut(&SearchReport<String>) + Send + 'static,
    ) -> Analysis {
        let (play, settings) = (play.clone(), settings.clone());
        let work = BackgroundTask::start(move |stop, publish| {
            analyze(&play, &settings, limits, stop, &mut |report| {
                publish(report);
                tell(report);
            });
        });
        // Without a thread there is nothing to find out: an analysis that has ended.
        Analysis { work: work.ok() }
    }

    /// What is known by now.
    #[must_use]
    pub fn latest(&self) -> SearchReport<String> {
        let latest = self.work.as_ref().and_then(BackgroundTask::latest);
        latest.unwrap_or_else(SearchReport::empty)
    }

    /// Asks it to stop. What is known is kept.
    pub fn stop(&self) {
        if let Some(work) = &self.work {
            work.stop();
        }
    }

    /// Waits until it has come to its end (after [`Analysis::stop`], at once) and
    /// gives all that is known.
    #[must_use]
    pub fn finish(mut self) -> SearchReport<String> {
        while self.next().is_some() {}
        let mut report = self.latest();
        let result = self.work.as_ref().and_then(BackgroundTask::take_result);
        if let Some(Err(panic)) = result {
            report.note = Some(format!("the analysis broke down: {panic}"));
        }
        report
    }
}

/// Waits for news.
impl Iterator for Analysis {
    type Item = SearchReport<String>;

    fn next(&mut self) -> Option<SearchReport<String>> {
        let work = self.work.as_mut()?;
        loop {
            match work.wait(None) {
                TaskEvent::Report(report) => return Some(report),
                TaskEvent::Ended => return None,
                TaskEvent::Stopped | TaskEvent::TimedOut => {}
            }
        }
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            work.stop();
            work.join();
        }
    }
}

/// While nothing new was found, a report comes this often all the same: what it has
/// looked at and how long that took.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// Search and proof run in turns of this length, whichever comes first: three quarters
/// for the search, whose estimates are there at once, and one for the proof.
const SEARCH_SLICE: (u64, Duration) = (3 << 13, Duration::from_millis(60));
const PROOF_SLICE: (u64, Duration) = (1 << 13, Duration::from_millis(20));

/// The proof's part of what may be spent: 1 in so many.
const PROOF_SHARE: u32 = 4;

/// The proof's time where only the search's depth is limited.
const PROOF_TIME: Duration = Duration::from_secs(2);

/// What the two workers of an analysis find.
enum WorkerMessage {
    /// The search's report.
    Search(SearchReport<String>),
    /// The value of a move was proved.
    Move(String, ExactValue),
    /// All that could be proved.
    Proof(Proof),
}

/// What the proof has come to.
struct Proof {
    value: Option<ExactValue>,
    /// The moves with a proved value, the best first; no more than [`MOST_LISTED`].
    moves: Vec<(String, ExactValue)>,
    /// Every move has a proved value, and so has the position.
    is_complete: bool,
    nodes: u64,
    note: Option<String>,
}

/// Analyses on the caller's thread, with two threads of its own of which one runs at a
/// time. `publish` is called on the caller's thread with every report, at least every
/// 250 ms; the last one is all that is known. With a limit on nodes, one thread and no
/// limit on time the last report is always the same.
pub fn analyze(
    play: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    stop: &StopFlag,
    publish: &mut dyn FnMut(&SearchReport<String>),
) {
    let mut publisher = Publisher::new(play, publish);
    // Each of the two remembers something.
    let settings = &BotSettings {
        memory: settings.memory / 2,
        ..settings.clone()
    };
    if play.outcome().is_some() {
        let mut analyst = AnyBot::analyzer(play.variant(), settings);
        publisher.search = analyst.think(play, limits, stop, &mut |_| {});
        publisher.publish(0);
        return;
    }
    let part = |nodes: u64| nodes / u64::from(PROOF_SHARE);
    let search_limits = SearchLimits {
        nodes: limits.nodes.map(|nodes| (nodes - part(nodes)).max(1)),
        ..limits
    };
    let proof_limits = SearchLimits {
        nodes: limits.nodes.map(part),
        time: limits.time,
        depth: None,
    };
    let allowance = match (limits.time, limits.nodes, limits.depth) {
        (Some(time), ..) => Some(time / PROOF_SHARE),
        (None, None, Some(_)) => Some(PROOF_TIME),
        (None, ..) => None,
    };
    // Where nodes are counted, the clock decides nothing.
    let slice = |(nodes, time)| TurnSlice {
        nodes,
        time: limits.nodes.is_none().then_some(time),
    };
    let slices = [slice(SEARCH_SLICE), slice(PROOF_SLICE)];
    let (alternation, [search_turn, proof_turn]) = Alternation::new(slices, [None, allowance]);
    let (send, found) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        let searched = send.clone();
        let search = spawn(scope, &search_turn, move |turn| {
            let budget = Budget::start(search_limits, stop).with_turn(Some(turn));
            let mut analyst = AnyBot::analyzer(play.variant(), settings);
            let last = analyst.think_with_budget(play, &budget, &mut |report| {
                // Nobody receives it once the caller's thread has panicked.
                let _ = searched.send(WorkerMessage::Search(report.clone()));
            });
            let _ = searched.send(WorkerMessage::Search(last));
        });
        let workers = &alternation;
        let proof = spawn(scope, &proof_turn, move |turn| {
            let budget = Budget::start(proof_limits, stop).with_turn(Some(turn));
            let proof = prove(play, settings, &budget, &mut |mv, value| {
                let _ = send.send(WorkerMessage::Move(mv, value));
            });
            // The search waits for its turn: told now, it always ends at the same node.
            if proof.is_complete {
                workers.cancel();
            }
            let _ = send.send(WorkerMessage::Proof(proof));
        });
        publisher.relay(&found, HEARTBEAT, &alternation);
        drop(found);
        for worker in [search, proof].into_iter().flatten() {
            if let Err(panic) = worker.join() {
                resume_unwind(panic);
            }
        }
    });
}

/// Starts a worker; none where the system has no thread left. The other one then runs
/// alone.
fn spawn<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    turn: &WorkerTurn,
    work: impl FnOnce(WorkerTurn) + Send + 'scope,
) -> Option<thread::ScopedJoinHandle<'scope, ()>> {
    let mine = turn.clone();
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = thread.spawn_scoped(scope, move || {
        let _finish = mine.start();
        work(mine.clone());
    });
    if spawned.is_err() {
        turn.abandon();
    }
    spawned.ok()
}

/// Proves what it can of the position and its moves.
fn prove(
    play: &AnyGameState,
    settings: &BotSettings,
    budget: &Budget,
    watch: &mut dyn FnMut(String, ExactValue),
) -> Proof {
    each_family!(play, play => {
        let text = |mv| play.game().move_text(mv);
        let solution = solve_with_progress(play, settings, budget, &mut |mv, value| watch(text(mv), value));
        let known = solution.moves.iter().filter_map(|&(mv, value)| Some((text(mv), value?)));
        let all = !solution.moves.is_empty() && solution.moves.iter().all(|(_, value)| value.is_some());
        Proof {
            value: solution.value,
            moves: known.take(MAX_LISTED_MOVES).collect(),
            is_complete: solution.value.is_some() && all,
            nodes: solution.nodes,
            note: solution.note,
        }
    })
}

/// Puts together what the workers find, and publishes it.
struct Publisher<'a> {
    play: &'a AnyGameState,
    publish: &'a mut dyn FnMut(&SearchReport<String>),
    started: Instant,
    /// When something was last published, or there was nothing to publish.
    published: Instant,
    known: ProvedFacts,
    /// The search's newest report.
    search: SearchReport<String>,
}

impl<'a> Publisher<'a> {
    fn new(
        play: &'a AnyGameState,
        publish: &'a mut dyn FnMut(&SearchReport<String>),
    ) -> Publisher<'a> {
        let legal = play.count_moves();
        let note = (legal > MOST_COMPARED)
            .then(|| format!("compares the {MOST_COMPARED} most promising of {legal} moves"));
        Publisher {
            play,
            publish,
            started: Instant::now(),
            published: Instant::now(),
            known: ProvedFacts {
                note,
                ..ProvedFacts::default()
            },
            search: SearchReport::empty(),
        }
    }

    /// Publishes what comes, until both workers have finished.
    fn relay(
        &mut self,
        found: &Receiver<WorkerMessage>,
        heartbeat: Duration,
        workers: &Alternation,
    ) {
        loop {
            let left = heartbeat.saturating_sub(self.published.elapsed());
            match found.recv_timeout(left) {
                // There may be thousands: they are shown with the next report.
                Ok(WorkerMessage::Move(mv, value)) => {
                    self.known.learn(&mv, value);
                    if self.published.elapsed() >= heartbeat {
                        self.publish(workers.total_nodes());
                    }
                }
                Ok(WorkerMessage::Search(report)) => {
                    self.search = report;
                    self.publish(workers.total_nodes());
                }
                Ok(WorkerMessage::Proof(proof)) => {
                    self.known.prove(proof);
                    self.publish(workers.total_nodes());
                }
                Err(RecvTimeoutError::Timeout) => self.publish(workers.total_nodes()),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Publishes what is known, as soon as there is a move to make.
    fn publish(&mut self, nodes: u64) {
        self.published = Instant::now();
        let is_over = self.play.outcome().is_some();
        if self.search.best.is_none() && self.known.moves.is_empty() && !is_over {
            return;
        }
        let mut report = self.known.join(&self.search);
        report.elapsed = self.started.elapsed();
        report.nodes = report.nodes.max(nodes);
        report.pv = to_the_end(self.play, report.pv, report.value);
        (self.publish)(&report);
    }
}

/// What was proved so far. It only grows.
#[derive(Default)]
struct ProvedFacts {
    value: Option<ExactValue>,
    /// By text, so that the order is always the same.
    moves: BTreeMap<String, ExactValue>,
    nodes: u64,
    note: Option<String>,
}

impl ProvedFacts {
    /// Takes in what the proof has come to.
    fn prove(&mut self, proof: Proof) {
        self.value = match (self.value, proof.value) {
            (Some(old), Some(new)) if old.plies().is_none() => Some(new),
            (old, new) => old.or(new),
        };
        self.nodes += proof.nodes;
        self.note = proof.note.or(self.note.take());
        for (mv, value) in &proof.moves {
            self.learn(mv, *value);
        }
    }

    fn learn(&mut self, mv: &str, value: ExactValue) {
        // What came first stays, unless it lacks a length that is now known.
        let old = self.moves.get(mv);
        let better = old.is_none_or(|old| {
            old.game_value() == value.game_value()
                && old.plies().is_none()
                && value.plies().is_some()
        });
        if better {
            self.moves.insert(mv.to_owned(), value);
        }
    }

    /// A bot's report together with what is proved: a proof beats an estimate.
    fn join(&mut self, report: &SearchReport<String>) -> SearchReport<String> {
        for ranked in &report.moves {
            if let Value::Exact(value) = ranked.value {
                self.learn(&ranked.mv, value);
            }
        }
        if let (None, Value::Exact(value)) = (self.value, report.value) {
            self.value = Some(value);
        }
        let moves = self.rank(report);
        let best = self.best(report, &moves);
        let value = self.value_of(report, &moves, best.as_ref());
        let line = line(report, &moves, best.as_ref());
        SearchReport {
            best,
            value,
            pv: line,
            moves,
            depth: report.depth,
            nodes: self.nodes + report.nodes,
            elapsed: report.elapsed,
            note: self.note.clone().or_else(|| report.note.clone()),
        }
    }

    /// Each move once: proved wins first and proved losses last; what lies
    /// between in the bot's order.
    fn rank(&self, report: &SearchReport<String>) -> Vec<RankedMove<String>> {
        let mut moves: Vec<RankedMove<String>> = Vec::new();
        let mut listed = HashSet::new();
        for ranked in &report.moves {
            if listed.insert(ranked.mv.as_str()) {
                let mut ranked = ranked.clone();
                if let Some(&exact) = self.moves.get(&ranked.mv) {
                    ranked.value = Value::Exact(exact);
                }
                moves.push(ranked);
            }
        }
        for (mv, &exact) in &self.moves {
            if !listed.contains(mv.as_str()) {
                moves.push(RankedMove {
                    mv: mv.clone(),
                    value: Value::Exact(exact),
                    nodes: 0,
                    pv: vec![mv.clone()],
                });
            }
        }
        let class = |value: Value| match value.exact().map(ExactValue::game_value) {
            Some(GameValue::Win) => 0,
            Some(GameValue::Loss) => 2,
            _ => 1,
        };
        moves.sort_by(|a, b| {
            let order = class(a.value).cmp(&class(b.value));
            match (a.value.exact(), b.value.exact()) {
                (Some(x), Some(y)) => order.then_with(|| y.cmp(&x)),
                _ => order,
            }
        });
        moves.truncate(MAX_LISTED_MOVES);
        moves
    }

    /// The move to make: one that is proved to reach the value, else the bot's
    /// choice, unless there is a proof against it.
    fn best(&self, report: &SearchReport<String>, moves: &[RankedMove<String>]) -> Option<String> {
        let first = moves.first();
        if let Some(value) = self.value {
            let proved = moves
                .iter()
                .find(|ranked| ranked.value.exact() == Some(value));
            if let Some(ranked) = proved {
                return Some(ranked.mv.clone());
            }
        }
        if let Some(ranked) = first
            && ranked
                .value
                .exact()
                .is_some_and(|exact| exact.game_value() == GameValue::Win)
        {
            return Some(ranked.mv.clone());
        }
        let chosen = report.best.as_ref();
        let chosen_value = chosen.and_then(|mv| moves.iter().find(|ranked| ranked.mv == *mv));
        let hopeless = chosen_value.is_some_and(|ranked| match ranked.value {
            Value::Exact(exact) => exact.game_value() == GameValue::Loss,
            Value::Estimate { mean, error } => mean + error < 0.0,
        });
        let draw = || {
            moves
                .iter()
                .find(|ranked| ranked.value == Value::Exact(ExactValue::DRAW))
        };
        match chosen {
            Some(mv) if !hopeless => Some(mv.clone()),
            Some(mv) => Some(draw().map_or_else(|| mv.clone(), |ranked| ranked.mv.clone())),
            None => first.map(|ranked| ranked.mv.clone()),
        }
    }

    fn value_of(
        &self,
        report: &SearchReport<String>,
        moves: &[RankedMove<String>],
        best: Option<&String>,
    ) -> Value {
        if let Some(value) = self.value {
            return Value::Exact(value);
        }
        let of_best = best.and_then(|best| moves.iter().find(|ranked| ranked.mv == *best));
        match of_best.map(|ranked| ranked.value) {
            // Another move might win sooner, except where this one wins at once.
            Some(Value::Exact(exact)) if exact.game_value() == GameValue::Win => {
                Value::Exact(match exact.plies() {
                    Some(1) => exact,
                    _ => ExactValue::without_distance(GameValue::Win),
                })
            }
            // Another move might be better.
            Some(Value::Exact(exact)) => Value::Estimate {
                mean: exact.expected_result(),
                error: 1.0,
            },
            Some(value) => value,
            None => report.value,
        }
    }
}

fn line(
    report: &SearchReport<String>,
    moves: &[RankedMove<String>],
    best: Option<&String>,
) -> Vec<String> {
    let Some(best) = best else {
        return Vec::new();
    };
    if report.pv.first() == Some(best) {
        return report.pv.clone();
    }
    let ranked = moves.iter().find(|ranked| ranked.mv == *best);
    ranked.map_or_else(|| vec![best.clone()], |ranked| ranked.pv.clone())
}

/// Where more moves are open, the one that ends the game is not looked for.
const MOST_ENDS: usize = 512;

/// A line as far as the game goes: no farther than where a position comes back, and with
/// the move that wins, which a search sees without making it.
fn to_the_end(play: &AnyGameState, mut line: Vec<String>, value: Value) -> Vec<String> {
    let mut then = play.clone();
    let mut seen = HashSet::from([then.hash()]);
    let mut goes = 0;
    for mv in &line {
        if then.play(mv).is_err() {
            break;
        }
        goes += 1;
        if !seen.insert(then.hash()) {
            break;
        }
    }
    line.truncate(goes);
    let Some(exact) = value.exact() else {
        return line;
    };
    let winner = match exact.game_value() {
        GameValue::Win => play.side(),
        GameValue::Loss => play.side().other(),
        GameValue::Draw => return line,
    };
    let last = exact.plies() == u32::try_from(line.len() + 1).ok();
    if last && then.outcome().is_none() && then.count_moves() <= MOST_ENDS {
        let ends = |mv: &String| {
            let mut end = then.clone();
            end.play(mv).is_ok() && end.outcome().and_then(Outcome::winner) == Some(winner)
        };
        line.extend(then.legal_moves().into_iter().find(ends));
    }
    line
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use noughts_rules::Variant;

    fn play(variant: &str, moves: &str) -> AnyGameState {
        let mut play = AnyGameState::new(variant.parse().expect("a variant"));
        for mv in moves.split_whitespace() {
            play.play(mv).expect("a legal move");
        }
        play
    }

    const GAMES: [(&str, &str); 6] = [
        ("classic", "b2 a1"),
        ("misere", "a1 b2 c1"),
        ("mnk:5,5,4", ""),
        ("tic-tac-two", "b2 c2 d3 c4"),
        ("ultimate", "ee eb be"),
        ("ception:4b,5d,depth=3", ""),
    ];

    /// What must hold of every report, whatever the bot.
    fn check(play: &AnyGameState, report: &SearchReport<String>) {
        let legal: HashSet<String> = play.legal_moves().into_iter().collect();
        let listed: HashSet<&String> = report.moves.iter().map(|ranked| &ranked.mv).collect();
        assert_eq!(listed.len(), report.moves.len(), "a move is listed twice");
        assert!(listed.iter().all(|mv| legal.contains(*mv)), "{listed:?}");
        assert!(report.best.iter().all(|mv| legal.contains(mv)));
        assert_eq!(report.pv.first(), report.best.as_ref());
        let mut line = play.clone();
        let mut seen = HashSet::from([line.hash()]);
        for (made, mv) in report.pv.iter().enumerate() {
            line.play(mv).expect("a line of legal moves");
            let back = !seen.insert(line.hash());
            assert!(!back || made + 1 == report.pv.len(), "a line goes round");
        }
        if let Some(plies) = report.value.exact().and_then(ExactValue::plies)
            && report.pv.len() + 1 >= plies as usize
        {
            assert!(line.outcome().is_some(), "the winning move is missing");
        }
        for ranked in &report.moves {
            assert_eq!(ranked.pv.first(), Some(&ranked.mv));
        }
    }

    fn proved(report: &SearchReport<String>) -> HashMap<String, ExactValue> {
        let moves = report.moves.iter();
        moves
            .filter_map(|ranked| Some((ranked.mv.clone(), ranked.value.exact()?)))
            .collect()
    }

    #[test]
    fn reports_are_sound_and_no_proof_is_lost() {
        for (variant, moves) in GAMES {
            let play = play(variant, moves);
            let limits = SearchLimits::nodes(2000);
            let (tell, told) = mpsc::channel();
            let settings = BotSettings::default();
            let mut analysis = Analysis::with_callback(&play, &settings, limits, move |report| {
                tell.send(report.clone()).expect("a listener");
            });
            let mut before: Option<SearchReport<String>> = None;
            for report in analysis.by_ref() {
                check(&play, &report);
                if let Some(before) = &before {
                    let now = proved(&report);
                    for (mv, exact) in proved(before) {
                        let verdict = now.get(&mv).map(|exact| exact.game_value());
                        assert_eq!(verdict, Some(exact.game_value()), "{variant}: {mv}");
                    }
                    if let Some(value) = before.value.exact() {
                        let now = report.value.exact().map(ExactValue::game_value);
                        assert_eq!(now, Some(value.game_value()), "{variant}");
                    }
                }
                before = Some(report);
            }
            let last = analysis.latest();
            assert_eq!(before, Some(last.clone()));
            assert_eq!(told.iter().last(), Some(last.clone()), "told everything");
            assert_eq!(analysis.finish(), last);
            assert!(last.best.is_some(), "{variant}");
        }
    }

    #[test]
    fn a_finished_game_has_a_value_and_no_moves() {
        let play = play("classic", "b2 a1 b1 a2 b3");
        let report = Analysis::start(&play, &BotSettings::default(), SearchLimits::NONE).finish();
        assert_eq!(report.value, Value::Exact(ExactValue::loss(0)));
        assert!(report.best.is_none() && report.moves.is_empty() && report.pv.is_empty());
    }

    /// Without limits only a stop ends the analysis of a game nobody has solved.
    #[test]
    fn stopping_keeps_what_is_known_and_dropping_stops() {
        let play = play("ultimate", "ee");
        let analysis = Analysis::start(&play, &BotSettings::default(), SearchLimits::NONE);
        analysis.stop();
        let report = analysis.finish();
        check(&play, &report);
        assert!(report.best.is_some());

        drop(Analysis::start(
            &play,
            &BotSettings::default(),
            SearchLimits::NONE,
        ));
    }

    fn ranked(mv: &str, value: Value) -> RankedMove<String> {
        RankedMove {
            mv: mv.into(),
            value,
            nodes: 1,
            pv: vec![mv.into()],
        }
    }

    /// A bot that thinks well of a move that is proved lost is not believed.
    #[test]
    fn proofs_beat_estimates() {
        let guess = |mean| Value::Estimate { mean, error: 0.1 };
        let mut known = ProvedFacts::default();
        known.prove(Proof {
            value: None,
            moves: [("a", ExactValue::DRAW), ("b", ExactValue::loss(4))]
                .map(|(mv, value)| (mv.to_owned(), value))
                .into(),
            is_complete: false,
            nodes: 10,
            note: None,
        });
        let report = SearchReport {
            best: Some("b".into()),
            value: guess(0.9),
            pv: vec!["b".into(), "x".into()],
            moves: vec![
                ranked("b", guess(0.9)),
                ranked("c", guess(-0.8)),
                ranked("b", guess(0.7)),
            ],
            nodes: 5,
            ..SearchReport::empty()
        };
        let joined = known.join(&report);
        let order: Vec<&str> = joined
            .moves
            .iter()
            .map(|ranked| ranked.mv.as_str())
            .collect();
        assert_eq!(order, ["c", "a", "b"]);
        assert_eq!(joined.best.as_deref(), Some("a"));
        // The move is a proved draw, the position is not: c may be better.
        assert_eq!(joined.value.exact(), None);
        assert_eq!(joined.pv, ["a"]);
        assert_eq!(joined.nodes, 15);

        // A proof of the bot's own is kept when its next report has none.
        let won = SearchReport {
            moves: vec![ranked("c", Value::Exact(ExactValue::win(5)))],
            ..report.clone()
        };
        known.join(&won);
        let joined = known.join(&report);
        assert_eq!(joined.best.as_deref(), Some("c"));
        let value = joined.value.exact();
        assert_eq!(value, Some(ExactValue::without_distance(GameValue::Win)));
    }

    #[test]
    fn the_next_move_that_wins_is_found() {
        let play = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
        let report =
            Analysis::start(&play, &BotSettings::default(), SearchLimits::nodes(5000)).finish();
        assert_eq!(report.best.as_deref(), Some("c1"));
        assert_eq!(report.value, Value::Exact(ExactValue::win(1)));
    }

    /// The proof once had the first quarter of the limit to itself, and nothing was seen of the
    /// search until then: half an hour in this case.
    #[test]
    fn the_search_deepens_while_the_proof_goes_on() {
        let play = play("ultimate", "ee");
        let limits = SearchLimits::time(Duration::from_secs(2 * 3600));
        let mut reports = Analysis::start(&play, &BotSettings::default(), limits);
        assert!(reports.any(|report| report.nodes > 1_000_000 && report.depth > 6));
    }

    /// Both get their part of the nodes all along, not one after the other.
    #[test]
    fn search_and_proof_alternate() {
        let slices = [SEARCH_SLICE, PROOF_SLICE].map(|(nodes, _)| TurnSlice { nodes, time: None });
        let play = play("ultimate", "ee");
        let settings = BotSettings::default();
        let (alternation, [search, proof]) = Alternation::new(slices, [None; 2]);
        let most = 10 * (SEARCH_SLICE.0 + PROOF_SLICE.0);
        thread::scope(|scope| {
            let searched = scope.spawn(|| {
                let _finish = search.start();
                let limits = SearchLimits::nodes(10 * SEARCH_SLICE.0);
                let budget =
                    Budget::start(limits, &StopFlag::new()).with_turn(Some(search.clone()));
                let mut analyst = AnyBot::analyzer(play.variant(), &settings);
                analyst.think_with_budget(&play, &budget, &mut |_| {});
                alternation.total_nodes()
            });
            let _finish = proof.start();
            let budget =
                Budget::start(SearchLimits::NONE, &StopFlag::new()).with_turn(Some(proof.clone()));
            // Ends when the search has: nobody else cancels it.
            scope.spawn(|| {
                let nodes = searched.join().expect("no panic");
                alternation.cancel();
                assert!(nodes.abs_diff(most) < most / 5, "{nodes} of {most}");
            });
            let proof = prove(&play, &settings, &budget, &mut |_, _| {});
            assert!(!proof.is_complete);
        });
    }

    /// A report comes at regular intervals even if the workers find nothing.
    #[test]
    fn a_report_comes_while_nothing_is_found() {
        let play = play("ultimate", "ee");
        let slice = TurnSlice {
            nodes: 1,
            time: None,
        };
        let (workers, _) = Alternation::new([slice, slice], [None; 2]);
        let (send, found) = mpsc::sync_channel(1);
        let (tell, told) = mpsc::channel();
        let silent = thread::spawn(move || {
            let first = SearchReport {
                best: Some("eb".into()),
                ..SearchReport::empty()
            };
            send.send(WorkerMessage::Search(first)).expect("a receiver");
            // The worker is silent until the reader has had five reports, then ends.
            told.iter().take(5).count()
        });
        let mut publish = |_: &SearchReport<String>| {
            let _ = tell.send(());
        };
        Publisher::new(&play, &mut publish).relay(&found, Duration::from_millis(1), &workers);
        assert_eq!(silent.join().expect("no panic"), 5);
    }

    /// The last report of 60,000 nodes, without the time that it took.
    fn timeless(play: &AnyGameState) -> SearchReport<String> {
        let limits = SearchLimits::nodes(60_000);
        let report = Analysis::start(play, &BotSettings::default(), limits).finish();
        SearchReport {
            elapsed: Duration::ZERO,
            ..report
        }
    }

    #[test]
    fn the_same_nodes_give_the_same_report() {
        for (variant, moves) in GAMES {
            let play = play(variant, moves);
            assert_eq!(timeless(&play), timeless(&play), "{variant}");
        }
    }

    /// Late in a game the proof comes to its end while the search is at work: it must always end
    /// the search at the same node.
    #[test]
    fn a_proof_that_ends_the_search_gives_the_same_report() {
        let mut play = play("ultimate", "");
        let mut number = 7_u64;
        while play.outcome().is_none() {
            let made = play.moves().len();
            if made >= 36 && made.is_multiple_of(3) {
                let first = timeless(&play);
                for _ in 0..4 {
                    assert_eq!(timeless(&play), first, "after {made} moves");
                }
            }
            let legal = play.legal_moves();
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mv = &legal[(number >> 33) as usize % legal.len()];
            play.play(mv).expect("it is legal");
        }
    }

    /// Half a million moves as text once took half a gigabyte.
    #[test]
    fn a_report_of_a_deep_board_lists_few_moves() {
        let play = play("ception:depth=6", "");
        let report =
            Analysis::start(&play, &BotSettings::default(), SearchLimits::nodes(40)).finish();
        assert!(report.best.is_some());
        assert_eq!(report.moves.len(), MAX_LISTED_MOVES);
        assert_eq!(
            report.note.as_deref(),
            Some("compares the 10000 most promising of 531441 moves")
        );
    }
}
