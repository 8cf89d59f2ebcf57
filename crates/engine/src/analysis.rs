//! What is known about a position and each of its moves, refined until the analysis is stopped.
//! Proved values and estimates are never mixed.

use std::collections::{BTreeMap, HashSet};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Game as _, Outcome};

use crate::alternation::{Alternation, TimeSlice, WorkerSlice};
use crate::background::STACK_BYTES;
use crate::bot::{AnyBot, BotSettings};
use crate::bots::analyzer::MAX_COMPARED_MOVES;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::{MAX_LISTED_MOVES, RankedMove, SearchNote, SearchReport};
use crate::search_game::dispatch_game;
use crate::solve::{SolveProgress, SolveResult, solve};
use crate::value::{ExactValue, GameValue, Value};

/// A report is published this often even if nothing new was found, to update nodes and time.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// Search and proof alternate in turns of this length, whichever limit is reached first. The search
/// gets three quarters because its estimates are useful at once.
const SEARCH_SLICE: (u64, Duration) = (3 << 13, Duration::from_millis(60));
const PROOF_SLICE: (u64, Duration) = (1 << 13, Duration::from_millis(20));

/// The proof gets one part in this many of the budget.
const PROOF_SHARE: u32 = 4;

/// The proof's time where only the search's depth is limited.
const PROOF_TIME: Duration = Duration::from_secs(2);

/// Messages from the two workers of an analysis.
enum WorkerMessage {
    /// A report of the search.
    Search(SearchReport<String>),
    /// A move with its proved value.
    Move(String, ExactValue),
    /// What a known strategy proves, or the proof worker's final result; at most
    /// [`MAX_LISTED_MOVES`] moves.
    Proof(SolveResult<String>),
}

/// Analyzes a position on the caller's thread, with two worker threads of which one runs at a time.
/// `publish` is called on the caller's thread with every report, at least every 250 ms; the last
/// report has everything that is known. A report never loses what an earlier one proved. Without
/// limits it runs until everything is proved or it is stopped. With a node limit, one thread and no
/// time limit the last report is reproducible.
///
/// ```
/// use noughts_engine::{BotSettings, SearchLimits, SearchReport, StopFlag, Value, analysis::analyze};
/// use noughts_rules::{AnyGameState, Variant};
///
/// // x o x
/// // . o .      X has to block, and then it is a draw.
/// // o x .
/// let state = AnyGameState::from_text(Variant::CLASSIC, "xox/.o./ox. x")?;
/// let (settings, limits) = (BotSettings::default(), SearchLimits::nodes(1000));
/// let mut last = SearchReport::empty();
/// analyze(&state, &settings, limits, &StopFlag::new(), &mut |report| last = report.clone());
/// assert_eq!(last.value.to_string(), "draw");
/// for ranked in &last.moves {
///     assert!(matches!(ranked.value, Value::Exact(_)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyze(
    state: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    stop: &StopFlag,
    publish: &mut dyn FnMut(&SearchReport<String>),
) {
    let mut publisher = Publisher::new(state, publish);
    // Both workers have a transposition table.
    let settings = &BotSettings {
        memory: settings.memory / 2,
        ..settings.clone()
    };
    if state.outcome().is_some() {
        let mut analyzer = AnyBot::analyzer(state.variant(), settings);
        publisher.search = analyzer.think(state, limits, stop, &mut |_| {});
        publisher.publish(0);
        return;
    }
    let proof_nodes = |nodes: u64| nodes / u64::from(PROOF_SHARE);
    let search_limits = SearchLimits {
        nodes: limits
            .nodes
            .map(|nodes| (nodes - proof_nodes(nodes)).max(1)),
        ..limits
    };
    let proof_limits = SearchLimits {
        nodes: limits.nodes.map(proof_nodes),
        time: limits.time,
        depth: None,
    };
    let allowance = match (limits.time, limits.nodes, limits.depth) {
        (Some(time), ..) => Some(time / PROOF_SHARE),
        (None, None, Some(_)) => Some(PROOF_TIME),
        (None, ..) => None,
    };
    // With a node limit, the clock must not influence the result.
    let slice = |(nodes, time)| TimeSlice {
        nodes,
        time: limits.nodes.is_none().then_some(time),
    };
    let slices = [slice(SEARCH_SLICE), slice(PROOF_SLICE)];
    let (alternation, [search_turn, proof_turn]) = Alternation::new(slices, [None, allowance]);
    let (sender, messages) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        let search_sender = sender.clone();
        let search = spawn_worker(scope, &search_turn, move |turn| {
            let budget = Budget::start(search_limits, stop).with_turn(Some(turn));
            let mut analyzer = AnyBot::analyzer(state.variant(), settings);
            let last = analyzer.think_with_budget(state, &budget, &mut |report| {
                // Sending fails only if the caller's thread has panicked.
                let _ = search_sender.send(WorkerMessage::Search(report.clone()));
            });
            let _ = search_sender.send(WorkerMessage::Search(last));
        });
        let workers = &alternation;
        let proof = spawn_worker(scope, &proof_turn, move |turn| {
            let budget = Budget::start(proof_limits, stop).with_turn(Some(turn));
            let (proof, is_complete) = prove_position(state, settings, &budget, &mut |message| {
                let _ = sender.send(message);
            });
            // The search is waiting for its turn. Canceling it now makes it always stop at the same
            // node.
            if is_complete {
                workers.cancel();
            }
            let _ = sender.send(WorkerMessage::Proof(proof));
        });
        publisher.run(&messages, HEARTBEAT, &alternation);
        drop(messages);
        for worker in [search, proof].into_iter().flatten() {
            if let Err(panic) = worker.join() {
                resume_unwind(panic);
            }
        }
    });
}

/// Starts a worker; `None` if the system can't start another thread. The other worker then runs
/// alone.
fn spawn_worker<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    turn: &WorkerSlice,
    work: impl FnOnce(WorkerSlice) + Send + 'scope,
) -> Option<thread::ScopedJoinHandle<'scope, ()>> {
    let worker_turn = turn.clone();
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = thread.spawn_scoped(scope, move || {
        let _finish = worker_turn.start();
        work(worker_turn.clone());
    });
    if spawned.is_err() {
        turn.abandon();
    }
    spawned.ok()
}

/// Proves what it can about the position and its moves, and returns whether that is everything.
fn prove_position(
    state: &AnyGameState,
    settings: &BotSettings,
    budget: &Budget,
    on_message: &mut dyn FnMut(WorkerMessage),
) -> (SolveResult<String>, bool) {
    dispatch_game!(state, state => {
        let text = |mv| state.game().move_text(mv);
        let result = solve(state, settings, budget, &mut |progress| on_message(match progress {
            SolveProgress::Strategy(result) => WorkerMessage::Proof(proved_moves(result).map_moves(text)),
            SolveProgress::Move(mv, value) => WorkerMessage::Move(text(mv), value),
        }));
        let all_proved = !result.moves.is_empty() && result.moves.iter().all(|(_, value)| value.is_some());
        let is_complete = result.value.is_some() && all_proved;
        (proved_moves(result).map_moves(text), is_complete)
    })
}

/// The result with only the proved moves, at most [`MAX_LISTED_MOVES`].
fn proved_moves<M>(mut result: SolveResult<M>) -> SolveResult<M> {
    result.moves.retain(|(_, value)| value.is_some());
    result.moves.truncate(MAX_LISTED_MOVES);
    result
}

/// Combines the workers' findings and publishes them.
struct Publisher<'a> {
    state: &'a AnyGameState,
    publish: &'a mut dyn FnMut(&SearchReport<String>),
    started: Instant,
    /// When a report was last published or had nothing to show.
    published: Instant,
    facts: ProvedFacts,
    /// The search's latest report.
    search: SearchReport<String>,
}

impl<'a> Publisher<'a> {
    fn new(
        state: &'a AnyGameState,
        publish: &'a mut dyn FnMut(&SearchReport<String>),
    ) -> Publisher<'a> {
        let legal = state.count_moves();
        let note = (legal > MAX_COMPARED_MOVES).then_some(SearchNote::MovesLeftOut {
            compared: MAX_COMPARED_MOVES,
            legal,
        });
        Publisher {
            state,
            publish,
            started: Instant::now(),
            published: Instant::now(),
            facts: ProvedFacts {
                note,
                ..ProvedFacts::default()
            },
            search: SearchReport::empty(),
        }
    }

    /// Publishes incoming findings until both workers have finished.
    fn run(
        &mut self,
        messages: &Receiver<WorkerMessage>,
        heartbeat: Duration,
        workers: &Alternation,
    ) {
        loop {
            let left = heartbeat.saturating_sub(self.published.elapsed());
            match messages.recv_timeout(left) {
                // There can be thousands of these: they are included in the next report.
                Ok(WorkerMessage::Move(mv, value)) => {
                    self.facts.add(&mv, value);
                    if self.published.elapsed() >= heartbeat {
                        self.publish(workers.total_nodes());
                    }
                }
                Ok(WorkerMessage::Search(report)) => {
                    self.search = report;
                    self.publish(workers.total_nodes());
                }
                Ok(WorkerMessage::Proof(proof)) => {
                    self.facts.add_proof(proof);
                    self.publish(workers.total_nodes());
                }
                Err(RecvTimeoutError::Timeout) => self.publish(workers.total_nodes()),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Publishes a report, as soon as there is a move to recommend.
    fn publish(&mut self, nodes: u64) {
        self.published = Instant::now();
        let is_over = self.state.outcome().is_some();
        if self.search.best.is_none() && self.facts.moves.is_empty() && !is_over {
            return;
        }
        let mut report = self.facts.combine(&self.search);
        report.elapsed = self.started.elapsed();
        report.nodes = report.nodes.max(nodes);
        report.pv = complete_pv(self.state, report.pv, report.value);
        (self.publish)(&report);
    }
}

/// Everything proved so far. It only grows.
#[derive(Default)]
struct ProvedFacts {
    value: Option<ExactValue>,
    /// Ordered by text, so that iteration is deterministic.
    moves: BTreeMap<String, ExactValue>,
    nodes: u64,
    note: Option<SearchNote>,
}

impl ProvedFacts {
    /// Adds the proof worker's result. The last one includes the nodes of those before.
    fn add_proof(&mut self, proof: SolveResult<String>) {
        self.add_value(proof.value);
        self.nodes = proof.nodes;
        self.note = proof.note.or(self.note.take());
        for (mv, value) in &proof.moves {
            if let Some(value) = value {
                self.add(mv, *value);
            }
        }
    }

    fn add_value(&mut self, value: Option<ExactValue>) {
        if let Some(value) = value
            && is_better(self.value, value)
        {
            self.value = Some(value);
        }
    }

    fn add(&mut self, mv: &str, value: ExactValue) {
        if is_better(self.moves.get(mv).copied(), value) {
            self.moves.insert(mv.to_owned(), value);
        }
    }

    /// Combines a bot's report with the proved values; a proved value takes precedence over an
    /// estimate.
    fn combine(&mut self, report: &SearchReport<String>) -> SearchReport<String> {
        for ranked in &report.moves {
            if let Value::Exact(value) = ranked.value {
                self.add(&ranked.mv, value);
            }
        }
        self.add_value(report.value.exact());
        let moves = self.rank(report);
        let best = self.best(report, &moves).cloned();
        let ranked = best.as_ref().and_then(|best| find(&moves, best));
        let value = self.value_of(report, ranked);
        let pv = match (&best, ranked) {
            (None, _) => Vec::new(),
            (best, _) if report.pv.first() == best.as_ref() => report.pv.clone(),
            (_, Some(ranked)) => ranked.pv.clone(),
            (Some(best), None) => vec![best.clone()],
        };
        SearchReport {
            best,
            value,
            pv,
            moves,
            depth: report.depth,
            nodes: self.nodes + report.nodes,
            elapsed: report.elapsed,
            note: self.note_on(value).or_else(|| report.note.clone()),
        }
    }

    /// The note, unless it is an upper bound for a distance that is known.
    fn note_on(&self, value: Value) -> Option<SearchNote> {
        let has_distance = value.exact().and_then(ExactValue::plies).is_some();
        let is_bound = |note: &SearchNote| matches!(note, SearchNote::ProvedByStrategy { .. });
        self.note
            .clone()
            .filter(|note| !(has_distance && is_bound(note)))
    }

    /// Lists each move once: proved wins first, proved losses last, the rest in the bot's order.
    fn rank(&self, report: &SearchReport<String>) -> Vec<RankedMove<String>> {
        let proved = self.moves.iter();
        let proved = proved.map(|(mv, &exact)| RankedMove::new(mv.clone(), Value::Exact(exact), 0));
        let mut listed = HashSet::new();
        let mut moves: Vec<RankedMove<String>> =
            report.moves.iter().cloned().chain(proved).collect();
        moves.retain(|ranked| listed.insert(ranked.mv.clone()));
        for ranked in &mut moves {
            if let Some(&exact) = self.moves.get(&ranked.mv) {
                ranked.value = Value::Exact(exact);
            }
        }
        let rank_class = |value: Value| match value.exact().map(ExactValue::game_value) {
            Some(GameValue::Win) => 0,
            Some(GameValue::Loss) => 2,
            _ => 1,
        };
        moves.sort_by(|a, b| {
            let order = rank_class(a.value).cmp(&rank_class(b.value));
            match (a.value.exact(), b.value.exact()) {
                (Some(x), Some(y)) => order.then_with(|| y.cmp(&x)),
                _ => order,
            }
        });
        moves.truncate(MAX_LISTED_MOVES);
        moves
    }

    /// The move to recommend: one that is proved to reach the position's value, otherwise the bot's
    /// choice unless a proof refutes it.
    fn best<'a>(
        &self,
        report: &'a SearchReport<String>,
        moves: &'a [RankedMove<String>],
    ) -> Option<&'a String> {
        let proved = |exact| {
            let mut moves = moves.iter();
            moves.find(|ranked| ranked.value == Value::Exact(exact))
        };
        let first = moves.first();
        let certain = self.value.and_then(proved);
        if let Some(ranked) = certain.or(first.filter(|first| first.value.is_proved_win())) {
            return Some(&ranked.mv);
        }
        let Some(chosen) = &report.best else {
            return first.map(|ranked| &ranked.mv);
        };
        let is_hopeless = find(moves, chosen).is_some_and(|ranked| match ranked.value {
            Value::Exact(exact) => exact.game_value() == GameValue::Loss,
            Value::Estimate { mean, error } => mean + error < 0.0,
        });
        let draw = proved(ExactValue::DRAW).filter(|_| is_hopeless);
        Some(draw.map_or(chosen, |ranked| &ranked.mv))
    }

    /// The position's value; `best` is its best move, if that is listed.
    fn value_of(&self, report: &SearchReport<String>, best: Option<&RankedMove<String>>) -> Value {
        if let Some(value) = self.value {
            return Value::Exact(value);
        }
        match best.map(|ranked| ranked.value) {
            // Another move might win sooner, unless this one wins at once.
            Some(Value::Exact(exact)) if exact.game_value() == GameValue::Win => {
                Value::Exact(match exact.plies() {
                    Some(1) => exact,
                    _ => ExactValue::without_distance(GameValue::Win),
                })
            }
            // Another move might be better.
            Some(Value::Exact(exact)) => Value::estimate(exact.expected_result(), 1.0),
            Some(value) => value,
            None => report.value,
        }
    }
}

/// Whether a proved value replaces another: the first one is kept, unless it lacks a distance that
/// is now known.
fn is_better(old: Option<ExactValue>, new: ExactValue) -> bool {
    old.is_none_or(|old| {
        old.game_value() == new.game_value() && old.plies().is_none() && new.plies().is_some()
    })
}

fn find<'a>(moves: &'a [RankedMove<String>], mv: &str) -> Option<&'a RankedMove<String>> {
    moves.iter().find(|ranked| ranked.mv == mv)
}

/// If there are more legal moves than this, the move that ends the game isn't searched for.
const MAX_MOVES_FOR_ENDING: usize = 512;

/// Truncates a PV where a position repeats, and appends the winning move, which the search sees
/// without playing it.
fn complete_pv(state: &AnyGameState, mut pv: Vec<String>, value: Value) -> Vec<String> {
    let mut current = state.clone();
    let mut hashes = HashSet::from([current.hash()]);
    let mut length = 0;
    for mv in &pv {
        if current.play(mv).is_err() {
            break;
        }
        length += 1;
        if !hashes.insert(current.hash()) {
            break;
        }
    }
    pv.truncate(length);
    let Some(exact) = value.exact() else {
        return pv;
    };
    let winner = match exact.game_value() {
        GameValue::Win => state.side(),
        GameValue::Loss => state.side().other(),
        GameValue::Draw => return pv,
    };
    let is_last_ply = exact.plies() == u32::try_from(pv.len() + 1).ok();
    if is_last_ply && current.outcome().is_none() && current.count_moves() <= MAX_MOVES_FOR_ENDING {
        let is_winning_end = |mv: &String| {
            let mut end = current.clone();
            end.play(mv).is_ok() && end.outcome().and_then(Outcome::winner) == Some(winner)
        };
        pv.extend(current.legal_moves().into_iter().find(is_winning_end));
    }
    pv
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::background::{BackgroundTask, TaskEvent};
    use crate::bot::BotKind;
    use noughts_rules::Variant;

    /// An analysis in the background.
    fn start(
        state: &AnyGameState,
        limits: SearchLimits,
        mut on_report: impl FnMut(&SearchReport<String>) + Send + 'static,
    ) -> BackgroundTask<()> {
        let state = state.clone();
        let task = BackgroundTask::start(move |stop, publish| {
            analyze(
                &state,
                &BotSettings::default(),
                limits,
                stop,
                &mut |report| {
                    publish(report);
                    on_report(report);
                },
            );
        });
        task.expect("a thread")
    }

    /// The next report; `None` when the analysis has ended.
    fn next_report(task: &mut BackgroundTask<()>) -> Option<SearchReport<String>> {
        loop {
            match task.wait(None) {
                TaskEvent::Report(report) => return Some(report),
                TaskEvent::Ended => return None,
                TaskEvent::Stopped | TaskEvent::TimedOut => {}
            }
        }
    }

    /// Waits for the end of an analysis and returns its last report.
    fn finish(mut task: BackgroundTask<()>) -> SearchReport<String> {
        while next_report(&mut task).is_some() {}
        assert_eq!(task.take_result(), Some(Ok(())));
        task.latest().expect("a report")
    }

    fn last_report(state: &AnyGameState, limits: SearchLimits) -> SearchReport<String> {
        finish(start(state, limits, |_| {}))
    }

    fn state_after(variant: &str, moves: &str) -> AnyGameState {
        let mut state = AnyGameState::new(variant.parse().expect("a variant"));
        for mv in moves.split_whitespace() {
            state.play(mv).expect("a legal move");
        }
        state
    }

    const GAMES: [(&str, &str); 6] = [
        ("classic", "b2 a1"),
        ("misere", "a1 b2 c1"),
        ("mnk:5,5,4", ""),
        ("tic-tac-two", "b2 c2 d3 c4"),
        ("ultimate", "ee eb be"),
        ("ception:4b,5d,depth=3", ""),
    ];

    /// Invariants of every report, whatever the bot.
    fn check(state: &AnyGameState, report: &SearchReport<String>) {
        let legal: HashSet<String> = state.legal_moves().into_iter().collect();
        let listed: HashSet<&String> = report.moves.iter().map(|ranked| &ranked.mv).collect();
        assert_eq!(listed.len(), report.moves.len(), "a move is listed twice");
        assert!(listed.iter().all(|mv| legal.contains(*mv)), "{listed:?}");
        assert!(report.best.iter().all(|mv| legal.contains(mv)));
        assert_eq!(report.pv.first(), report.best.as_ref());
        let mut line = state.clone();
        let mut seen = HashSet::from([line.hash()]);
        for (ply, mv) in report.pv.iter().enumerate() {
            line.play(mv).expect("a line of legal moves");
            let is_repeated = !seen.insert(line.hash());
            assert!(
                !is_repeated || ply + 1 == report.pv.len(),
                "a line goes round"
            );
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
    fn reports_are_valid_and_keep_proofs() {
        for (variant, moves) in GAMES {
            let state = state_after(variant, moves);
            let limits = SearchLimits::nodes(2000);
            let (sender, received) = mpsc::channel();
            let mut analysis = start(&state, limits, move |report| {
                sender.send(report.clone()).expect("a listener");
            });
            let mut before: Option<SearchReport<String>> = None;
            while let Some(report) = next_report(&mut analysis) {
                check(&state, &report);
                if let Some(before) = &before {
                    let now = proved(&report);
                    for (mv, exact) in proved(before) {
                        let game_value = now.get(&mv).map(|exact| exact.game_value());
                        assert_eq!(game_value, Some(exact.game_value()), "{variant}: {mv}");
                    }
                    if let Some(value) = before.value.exact() {
                        let now = report.value.exact().map(ExactValue::game_value);
                        assert_eq!(now, Some(value.game_value()), "{variant}");
                    }
                }
                before = Some(report);
            }
            let last = analysis.latest().expect("a report");
            assert_eq!(before, Some(last.clone()));
            assert_eq!(
                received.iter().last(),
                Some(last.clone()),
                "told everything"
            );
            assert_eq!(finish(analysis), last);
            assert!(last.best.is_some(), "{variant}");
        }
    }

    #[test]
    fn finished_game_has_a_value_and_no_moves() {
        let state = state_after("classic", "b2 a1 b1 a2 b3");
        let report = last_report(&state, SearchLimits::NONE);
        assert_eq!(report.value, Value::Exact(ExactValue::loss(0)));
        assert!(report.best.is_none() && report.moves.is_empty() && report.pv.is_empty());
    }

    /// Without limits only a stop ends the analysis of an unsolved game.
    #[test]
    fn stop_keeps_the_latest_report() {
        let state = state_after("ultimate", "ee");
        let analysis = start(&state, SearchLimits::NONE, |_| {});
        analysis.stop();
        let report = finish(analysis);
        check(&state, &report);
        assert!(report.best.is_some());
    }

    fn ranked(mv: &str, value: Value) -> RankedMove<String> {
        RankedMove {
            mv: mv.into(),
            value,
            nodes: 1,
            pv: vec![mv.into()],
        }
    }

    /// A proof takes precedence over an optimistic estimate.
    #[test]
    fn proofs_take_precedence_over_estimates() {
        let estimate = |mean| Value::Estimate { mean, error: 0.1 };
        let mut facts = ProvedFacts::default();
        facts.add_proof(SolveResult {
            value: None,
            moves: [("a", ExactValue::DRAW), ("b", ExactValue::loss(4))]
                .map(|(mv, value)| (mv.to_owned(), Some(value)))
                .into(),
            nodes: 10,
            note: None,
        });
        let report = SearchReport {
            best: Some("b".into()),
            value: estimate(0.9),
            pv: vec!["b".into(), "x".into()],
            moves: vec![
                ranked("b", estimate(0.9)),
                ranked("c", estimate(-0.8)),
                ranked("b", estimate(0.7)),
            ],
            nodes: 5,
            ..SearchReport::empty()
        };
        let combined = facts.combine(&report);
        let order: Vec<&str> = combined
            .moves
            .iter()
            .map(|ranked| ranked.mv.as_str())
            .collect();
        assert_eq!(order, ["c", "a", "b"]);
        assert_eq!(combined.best.as_deref(), Some("a"));
        // The move is a proved draw, but the position isn't: c may be better.
        assert_eq!(combined.value.exact(), None);
        assert_eq!(combined.pv, ["a"]);
        assert_eq!(combined.nodes, 15);

        // A move that the bot proved stays proved even if its next report doesn't mention it.
        let won = SearchReport {
            moves: vec![ranked("c", Value::Exact(ExactValue::win(5)))],
            ..report.clone()
        };
        facts.combine(&won);
        let combined = facts.combine(&report);
        assert_eq!(combined.best.as_deref(), Some("c"));
        let value = combined.value.exact();
        assert_eq!(value, Some(ExactValue::without_distance(GameValue::Win)));
    }

    /// The upper bound of a strategy's distance isn't mentioned once proof or search has found the
    /// distance.
    #[test]
    fn a_distance_replaces_the_bound_of_a_strategy() {
        let found = |value, note| SolveResult {
            value: Some(value),
            moves: vec![("d".to_owned(), Some(value))],
            nodes: 10,
            note,
        };
        let won = ExactValue::without_distance(GameValue::Win);
        let bound = SearchNote::ProvedByStrategy { max_plies: 41 };
        let by_strategy = || {
            let mut facts = ProvedFacts::default();
            facts.add_proof(found(won, Some(bound.clone())));
            facts
        };
        let nothing = SearchReport::empty();
        let combined = by_strategy().combine(&nothing);
        assert_eq!(combined.best.as_deref(), Some("d"));
        assert_eq!(combined.value, Value::Exact(won));
        assert_eq!(combined.note, Some(bound.clone()));

        let distance = Value::Exact(ExactValue::win(5));
        let mut facts = by_strategy();
        facts.add_proof(found(ExactValue::win(5), None));
        let by_proof = facts.combine(&nothing);
        let by_search = by_strategy().combine(&SearchReport {
            value: distance,
            moves: vec![ranked("d", distance)],
            ..SearchReport::empty()
        });
        for combined in [by_proof, by_search] {
            assert_eq!((combined.value, combined.note), (distance, None));
            // The nodes of the strategy's proof count once.
            assert_eq!(combined.nodes, 10);
        }
    }

    /// Guards against "even" for every move of a game whose positions only random games value, next to a hint with
    /// another value.
    #[test]
    fn analysis_and_best_agree_on_unsolved_positions() {
        for (variant, moves) in [
            ("order-and-chaos", ""),
            ("order-and-chaos", "c3=x d4=o d3=x b3=o"),
        ] {
            let state = state_after(variant, moves);
            let report = last_report(&state, SearchLimits::nodes(400_000));
            check(&state, &report);
            let mut best = AnyBot::new(BotKind::Best, state.variant(), &BotSettings::default())
                .expect("it plays everything");
            let limits = SearchLimits::nodes(20_000);
            let of_best = best.think(&state, limits, &StopFlag::new(), &mut |_| {});
            let [one, other] = [&report, &of_best].map(|report| report.value.expected_result());
            assert!(
                (one - other).abs() < 0.2,
                "{variant} {moves}: {one}, {other}"
            );
            assert!(other > 0.3, "{variant} {moves}: {other}");
            let again = last_report(&state, SearchLimits::nodes(400_000));
            assert_eq!(
                again.value, report.value,
                "the same nodes give the same value"
            );
        }
    }

    /// What a strategy proves used to be reported only when the search for its distance had ended.
    #[test]
    fn value_by_strategy_is_reported_at_once() {
        for (moves, game_value) in [("", GameValue::Win), ("d", GameValue::Loss)] {
            let state = state_after("connect-four", moves);
            let mut analysis = start(&state, SearchLimits::nodes(4_000_000), |_| {});
            let proved = std::iter::from_fn(|| next_report(&mut analysis))
                .find(|report| report.value.exact().is_some())
                .expect("a proved value");
            analysis.stop();
            check(&state, &proved);
            let value = ExactValue::without_distance(game_value);
            assert_eq!(proved.value, Value::Exact(value), "{moves}");
            assert!(matches!(
                proved.note,
                Some(SearchNote::ProvedByStrategy { .. })
            ));
            assert!(proved.nodes < 200_000, "{} nodes", proved.nodes);
            finish(analysis);
        }
    }

    #[test]
    fn immediate_win_is_found() {
        let state = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
        let report = last_report(&state, SearchLimits::nodes(5000));
        assert_eq!(report.best.as_deref(), Some("c1"));
        assert_eq!(report.value, Value::Exact(ExactValue::win(1)));
    }

    /// The proof used to get the first quarter of the budget, so the search reported nothing until
    /// then: half an hour in this case.
    #[test]
    fn search_deepens_while_the_proof_runs() {
        let state = state_after("ultimate", "ee");
        let limits = SearchLimits::time(Duration::from_secs(2 * 3600));
        let mut analysis = start(&state, limits, |_| {});
        let mut reports = std::iter::from_fn(|| next_report(&mut analysis));
        assert!(reports.any(|report| report.nodes > 1_000_000 && report.depth > 6));
        analysis.stop();
        finish(analysis);
    }

    /// Both workers get their share of the nodes throughout, not one after the other.
    #[test]
    fn search_and_proof_alternate() {
        let slices = [SEARCH_SLICE, PROOF_SLICE].map(|(nodes, _)| TimeSlice { nodes, time: None });
        let state = state_after("ultimate", "ee");
        let settings = BotSettings::default();
        let (alternation, [search, proof]) = Alternation::new(slices, [None; 2]);
        let most = 10 * (SEARCH_SLICE.0 + PROOF_SLICE.0);
        thread::scope(|scope| {
            let searched = scope.spawn(|| {
                let _finish = search.start();
                let limits = SearchLimits::nodes(10 * SEARCH_SLICE.0);
                let budget =
                    Budget::start(limits, &StopFlag::new()).with_turn(Some(search.clone()));
                let mut analyzer = AnyBot::analyzer(state.variant(), &settings);
                analyzer.think_with_budget(&state, &budget, &mut |_| {});
                alternation.total_nodes()
            });
            let _finish = proof.start();
            let budget =
                Budget::start(SearchLimits::NONE, &StopFlag::new()).with_turn(Some(proof.clone()));
            // Nothing else cancels the alternation once the search has finished.
            scope.spawn(|| {
                let nodes = searched.join().expect("no panic");
                alternation.cancel();
                assert!(nodes.abs_diff(most) < most / 5, "{nodes} of {most}");
            });
            let (_, is_complete) = prove_position(&state, &settings, &budget, &mut |_| {});
            assert!(!is_complete);
        });
    }

    /// Reports are published at regular intervals even if the workers find nothing.
    #[test]
    fn reports_are_published_while_nothing_is_found() {
        let state = state_after("ultimate", "ee");
        let slice = TimeSlice {
            nodes: 1,
            time: None,
        };
        let (workers, _) = Alternation::new([slice, slice], [None; 2]);
        let (message_sender, messages) = mpsc::sync_channel(1);
        let (sender, received) = mpsc::channel();
        let silent = thread::spawn(move || {
            let first = SearchReport {
                best: Some("eb".into()),
                ..SearchReport::empty()
            };
            message_sender
                .send(WorkerMessage::Search(first))
                .expect("a receiver");
            // The worker stays silent until the reader has received five reports.
            received.iter().take(5).count()
        });
        let mut publish = |_: &SearchReport<String>| {
            let _ = sender.send(());
        };
        Publisher::new(&state, &mut publish).run(&messages, Duration::from_millis(1), &workers);
        assert_eq!(silent.join().expect("no panic"), 5);
    }

    /// The last report after 60,000 nodes, with the elapsed time zeroed.
    fn report_without_time(state: &AnyGameState) -> SearchReport<String> {
        let report = last_report(state, SearchLimits::nodes(60_000));
        SearchReport {
            elapsed: Duration::ZERO,
            ..report
        }
    }

    #[test]
    fn same_nodes_give_the_same_report() {
        for (variant, moves) in GAMES {
            let state = state_after(variant, moves);
            assert_eq!(
                report_without_time(&state),
                report_without_time(&state),
                "{variant}"
            );
        }
    }

    /// Late in a game the proof completes while the search is running: it must always stop the
    /// search at the same node.
    #[test]
    fn completed_proof_stops_the_search_deterministically() {
        let mut state = state_after("ultimate", "");
        let mut random = 7_u64;
        while state.outcome().is_none() {
            let ply = state.moves().len();
            if ply >= 36 && ply.is_multiple_of(3) {
                let first = report_without_time(&state);
                for _ in 0..4 {
                    assert_eq!(report_without_time(&state), first, "after {ply} moves");
                }
            }
            let legal = state.legal_moves();
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mv = &legal[(random >> 33) as usize % legal.len()];
            state.play(mv).expect("it is legal");
        }
    }

    /// Half a million moves as text used to take half a gigabyte.
    #[test]
    fn report_of_a_deep_board_lists_few_moves() {
        let state = state_after("ception:depth=6", "");
        let report = last_report(&state, SearchLimits::nodes(40));
        assert!(report.best.is_some());
        assert_eq!(report.moves.len(), MAX_LISTED_MOVES);
        assert_eq!(
            report.note.map(|note| note.to_string()).as_deref(),
            Some("only the 10000 most promising of 531441 moves are compared")
        );
    }
}
