//! What is known of a position and of each of its moves, growing while one
//! looks. What is proved and what is estimated stand side by side, never mixed.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use noughts_rules::{AnyPlay, Outcome};

use crate::background::{Background, News};
use crate::bot::{AnyBot, Settings};
use crate::limits::{Limits, Stop};
use crate::report::{Ranked, Report};
use crate::solve::{Solution, solve_any};
use crate::value::{Exact, Value, Verdict};

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
    work: Option<Background<()>>,
}

impl Analysis {
    /// Begins. Without any limit it goes on until everything is proved or it is
    /// stopped.
    #[must_use]
    pub fn start(play: &AnyPlay, settings: &Settings, limits: Limits) -> Analysis {
        Analysis::watched(play, settings, limits, |_| {})
    }

    /// Begins, and calls a function with every report on the thread that makes it:
    /// for whoever cannot wait for them.
    #[must_use]
    pub fn watched(
        play: &AnyPlay,
        settings: &Settings,
        limits: Limits,
        mut tell: impl FnMut(&Report<String>) + Send + 'static,
    ) -> Analysis {
        let (play, settings) = (play.clone(), settings.clone());
        let work = Background::start(move |stop, publish| {
            analyse(&play, &settings, limits, stop, &mut |report| {
                publish(report);
                tell(report);
            });
        });
        // Without a thread there is nothing to find out: an analysis that has ended.
        Analysis { work: work.ok() }
    }

    /// What is known by now.
    #[must_use]
    pub fn latest(&self) -> Report<String> {
        let latest = self.work.as_ref().and_then(Background::latest);
        latest.unwrap_or_else(Report::empty)
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
    pub fn finish(mut self) -> Report<String> {
        while self.next().is_some() {}
        let mut report = self.latest();
        let result = self.work.as_ref().and_then(Background::result);
        if let Some(Err(panic)) = result {
            report.note = Some(format!("the analysis broke down: {panic}"));
        }
        report
    }
}

/// Waits for news.
impl Iterator for Analysis {
    type Item = Report<String>;

    fn next(&mut self) -> Option<Report<String>> {
        let work = self.work.as_mut()?;
        loop {
            match work.wait(None) {
                News::Report(report) => return Some(report),
                News::Ended => return None,
                News::Stopped | News::Late => {}
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

/// A first look comes at once, so that there is something to see.
const GLANCE: Duration = Duration::from_millis(50);
/// Then comes proving, and has so much of what may be spent: what it proves need
/// not be guessed.
const PROVING: u32 = 4;
/// Where time is not limited.
const PROVING_TIME: Duration = Duration::from_secs(2);

/// Analyses on the caller's thread, for whoever has threads of their own: searches
/// recurse, so it wants a stack of 32 MiB. `publish` is called with every report, the
/// last one being all that is known.
pub fn analyse(
    play: &AnyPlay,
    settings: &Settings,
    limits: Limits,
    stop: &Stop,
    publish: &mut dyn FnMut(&Report<String>),
) {
    let began = Instant::now();
    let publish = &mut |mut report: Report<String>| {
        report.elapsed = began.elapsed();
        report.line = to_the_end(play, report.line, report.value);
        publish(&report);
    };
    let part = |time: Duration, of: u32| Limits {
        time: Some(limits.time.map_or(time, |whole| (whole / of).min(time))),
        nodes: limits.nodes.map(|nodes| nodes / u64::from(of)),
        depth: limits.depth,
    };
    let mut known = Known::default();
    let mut analyst = AnyBot::analyst(play.variant(), settings);
    let glance = analyst.think(play, part(GLANCE, 10), stop, &mut |report| {
        publish(known.join(report));
    });
    publish(known.join(&glance));
    // What is known by now is kept; of half a million moves even listing them takes time.
    if stop.is_stopped() {
        return;
    }
    let longest = limits.time.unwrap_or(PROVING_TIME);
    let proving = Limits {
        depth: None,
        ..part(longest, PROVING)
    };
    let solution = solve_any(play, settings, proving, stop);
    known.prove(&solution);
    publish(known.join(&glance));
    if known.is_complete() || play.outcome().is_some() || stop.is_stopped() {
        return;
    }
    known.nodes += glance.nodes;
    let left = Limits {
        time: limits.time.map(|time| time.saturating_sub(began.elapsed())),
        nodes: limits
            .nodes
            .map(|nodes| nodes.saturating_sub(known.nodes).max(1)),
        depth: limits.depth,
    };
    let last = analyst.think(play, left, stop, &mut |report| {
        publish(known.join(report));
    });
    publish(known.join(&last));
}

/// What was proved so far. It only grows.
#[derive(Default)]
struct Known {
    value: Option<Exact>,
    moves: HashMap<String, Exact>,
    /// The moves in the order of the proof: all legal ones.
    order: Vec<String>,
    nodes: u64,
    note: Option<String>,
}

impl Known {
    /// Takes in what the solver has proved.
    fn prove(&mut self, solution: &Solution<String>) {
        self.value = match (self.value, solution.value) {
            (Some(old), Some(new)) if old.plies().is_none() => Some(new),
            (old, new) => old.or(new),
        };
        self.nodes += solution.nodes;
        self.note.clone_from(&solution.note);
        self.order = solution.moves.iter().map(|(mv, _)| mv.clone()).collect();
        for (mv, value) in &solution.moves {
            if let Some(value) = value {
                self.learn(mv, *value);
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.value.is_some()
            && !self.order.is_empty()
            && self.order.iter().all(|mv| self.moves.contains_key(mv))
    }

    fn learn(&mut self, mv: &str, value: Exact) {
        // What came first stays, unless it lacks a length that is now known.
        let old = self.moves.get(mv);
        let better = old.is_none_or(|old| {
            old.verdict() == value.verdict() && old.plies().is_none() && value.plies().is_some()
        });
        if better {
            self.moves.insert(mv.to_owned(), value);
        }
    }

    /// A bot's report together with what is proved: a proof beats an estimate.
    fn join(&mut self, report: &Report<String>) -> Report<String> {
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
        Report {
            best,
            value,
            line,
            moves,
            depth: report.depth,
            nodes: self.nodes + report.nodes,
            elapsed: report.elapsed,
            note: self.note.clone().or_else(|| report.note.clone()),
        }
    }

    /// Each move once: proved wins first and proved losses last; what lies
    /// between in the bot's order.
    fn rank(&self, report: &Report<String>) -> Vec<Ranked<String>> {
        let mut moves: Vec<Ranked<String>> = Vec::new();
        let mut listed = HashMap::new();
        for ranked in &report.moves {
            if listed.insert(ranked.mv.as_str(), ()).is_none() {
                let mut ranked = ranked.clone();
                if let Some(&exact) = self.moves.get(&ranked.mv) {
                    ranked.value = Value::Exact(exact);
                }
                moves.push(ranked);
            }
        }
        for mv in &self.order {
            if let Some(&exact) = self.moves.get(mv)
                && !listed.contains_key(mv.as_str())
            {
                moves.push(Ranked {
                    mv: mv.clone(),
                    value: Value::Exact(exact),
                    nodes: 0,
                    line: vec![mv.clone()],
                });
            }
        }
        let class = |value: Value| match value.exact().map(Exact::verdict) {
            Some(Verdict::Win) => 0,
            Some(Verdict::Loss) => 2,
            _ => 1,
        };
        moves.sort_by(|a, b| {
            let order = class(a.value).cmp(&class(b.value));
            match (a.value.exact(), b.value.exact()) {
                (Some(x), Some(y)) => order.then_with(|| y.cmp(&x)),
                _ => order,
            }
        });
        moves
    }

    /// The move to make: one that is proved to reach the value, else the bot's
    /// choice, unless there is a proof against it.
    fn best(&self, report: &Report<String>, moves: &[Ranked<String>]) -> Option<String> {
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
                .is_some_and(|exact| exact.verdict() == Verdict::Win)
        {
            return Some(ranked.mv.clone());
        }
        let chosen = report.best.as_ref();
        let chosen_value = chosen.and_then(|mv| moves.iter().find(|ranked| ranked.mv == *mv));
        let hopeless = chosen_value.is_some_and(|ranked| match ranked.value {
            Value::Exact(exact) => exact.verdict() == Verdict::Loss,
            Value::Estimate { mean, error } => mean + error < 0.0,
        });
        let draw = || {
            moves
                .iter()
                .find(|ranked| ranked.value == Value::Exact(Exact::DRAW))
        };
        match chosen {
            Some(mv) if !hopeless => Some(mv.clone()),
            Some(mv) => Some(draw().map_or_else(|| mv.clone(), |ranked| ranked.mv.clone())),
            None => first
                .map(|ranked| ranked.mv.clone())
                .or_else(|| self.order.first().cloned()),
        }
    }

    fn value_of(
        &self,
        report: &Report<String>,
        moves: &[Ranked<String>],
        best: Option<&String>,
    ) -> Value {
        if let Some(value) = self.value {
            return Value::Exact(value);
        }
        let of_best = best.and_then(|best| moves.iter().find(|ranked| ranked.mv == *best));
        match of_best.map(|ranked| ranked.value) {
            // Another move might win sooner, except where this one wins at once.
            Some(Value::Exact(exact)) if exact.verdict() == Verdict::Win => {
                Value::Exact(match exact.plies() {
                    Some(1) => exact,
                    _ => Exact::of_unknown_length(Verdict::Win),
                })
            }
            // Another move might be better.
            Some(Value::Exact(exact)) => Value::Estimate {
                mean: exact.points(),
                error: 1.0,
            },
            Some(value) => value,
            None => report.value,
        }
    }
}

fn line(report: &Report<String>, moves: &[Ranked<String>], best: Option<&String>) -> Vec<String> {
    let Some(best) = best else {
        return Vec::new();
    };
    if report.line.first() == Some(best) {
        return report.line.clone();
    }
    let ranked = moves.iter().find(|ranked| ranked.mv == *best);
    ranked.map_or_else(|| vec![best.clone()], |ranked| ranked.line.clone())
}

/// Where more moves are open, the one that ends the game is not looked for.
const MOST_ENDS: usize = 512;

/// A line as far as the game goes: no farther than where a position comes back, and with
/// the move that wins, which a search sees without making it.
fn to_the_end(play: &AnyPlay, mut line: Vec<String>, value: Value) -> Vec<String> {
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
    let winner = match exact.verdict() {
        Verdict::Win => play.side(),
        Verdict::Loss => play.side().other(),
        Verdict::Draw => return line,
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
    use std::sync::mpsc;

    use super::*;
    use noughts_rules::Variant;

    fn play(variant: &str, moves: &str) -> AnyPlay {
        let mut play = AnyPlay::new(variant.parse().expect("a variant"));
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
    fn check(play: &AnyPlay, report: &Report<String>) {
        let legal: HashSet<String> = play.legal_moves().into_iter().collect();
        let listed: HashSet<&String> = report.moves.iter().map(|ranked| &ranked.mv).collect();
        assert_eq!(listed.len(), report.moves.len(), "a move is listed twice");
        assert!(listed.iter().all(|mv| legal.contains(*mv)), "{listed:?}");
        assert!(report.best.iter().all(|mv| legal.contains(mv)));
        assert_eq!(report.line.first(), report.best.as_ref());
        let mut line = play.clone();
        let mut seen = HashSet::from([line.hash()]);
        for (made, mv) in report.line.iter().enumerate() {
            line.play(mv).expect("a line of legal moves");
            let back = !seen.insert(line.hash());
            assert!(!back || made + 1 == report.line.len(), "a line goes round");
        }
        if let Some(plies) = report.value.exact().and_then(Exact::plies)
            && report.line.len() + 1 >= plies as usize
        {
            assert!(line.outcome().is_some(), "the winning move is missing");
        }
        for ranked in &report.moves {
            assert_eq!(ranked.line.first(), Some(&ranked.mv));
        }
    }

    fn proved(report: &Report<String>) -> HashMap<String, Exact> {
        let moves = report.moves.iter();
        moves
            .filter_map(|ranked| Some((ranked.mv.clone(), ranked.value.exact()?)))
            .collect()
    }

    #[test]
    fn reports_are_sound_and_no_proof_is_lost() {
        for (variant, moves) in GAMES {
            let play = play(variant, moves);
            let limits = Limits::nodes(2000);
            let (tell, told) = mpsc::channel();
            let settings = Settings::default();
            let mut analysis = Analysis::watched(&play, &settings, limits, move |report| {
                tell.send(report.clone()).expect("a listener");
            });
            let mut before: Option<Report<String>> = None;
            for report in analysis.by_ref() {
                check(&play, &report);
                if let Some(before) = &before {
                    let now = proved(&report);
                    for (mv, exact) in proved(before) {
                        let verdict = now.get(&mv).map(|exact| exact.verdict());
                        assert_eq!(verdict, Some(exact.verdict()), "{variant}: {mv}");
                    }
                    if let Some(value) = before.value.exact() {
                        let now = report.value.exact().map(Exact::verdict);
                        assert_eq!(now, Some(value.verdict()), "{variant}");
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
        let report = Analysis::start(&play, &Settings::default(), Limits::NONE).finish();
        assert_eq!(report.value, Value::Exact(Exact::loss(0)));
        assert!(report.best.is_none() && report.moves.is_empty() && report.line.is_empty());
    }

    /// Without limits only a stop ends the analysis of a game nobody has solved.
    #[test]
    fn stopping_keeps_what_is_known_and_dropping_stops() {
        let play = play("ultimate", "ee");
        let analysis = Analysis::start(&play, &Settings::default(), Limits::NONE);
        analysis.stop();
        let report = analysis.finish();
        check(&play, &report);
        assert!(report.best.is_some());

        drop(Analysis::start(&play, &Settings::default(), Limits::NONE));
    }

    fn ranked(mv: &str, value: Value) -> Ranked<String> {
        Ranked {
            mv: mv.into(),
            value,
            nodes: 1,
            line: vec![mv.into()],
        }
    }

    /// A bot that thinks well of a move that is proved lost is not believed.
    #[test]
    fn proofs_beat_estimates() {
        let guess = |mean| Value::Estimate { mean, error: 0.1 };
        let mut known = Known::default();
        known.prove(&Solution {
            value: None,
            moves: [
                ("a", Some(Exact::DRAW)),
                ("b", Some(Exact::loss(4))),
                ("c", None),
            ]
            .map(|(mv, value)| (mv.to_owned(), value))
            .into(),
            nodes: 10,
            note: None,
        });
        let report = Report {
            best: Some("b".into()),
            value: guess(0.9),
            line: vec!["b".into(), "x".into()],
            moves: vec![
                ranked("b", guess(0.9)),
                ranked("c", guess(-0.8)),
                ranked("b", guess(0.7)),
            ],
            nodes: 5,
            ..Report::empty()
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
        assert_eq!(joined.line, ["a"]);
        assert_eq!(joined.nodes, 15);

        // A proof of the bot's own is kept when its next report has none.
        let won = Report {
            moves: vec![ranked("c", Value::Exact(Exact::win(5)))],
            ..report.clone()
        };
        known.join(&won);
        let joined = known.join(&report);
        assert_eq!(joined.best.as_deref(), Some("c"));
        let value = joined.value.exact();
        assert_eq!(value, Some(Exact::of_unknown_length(Verdict::Win)));
    }

    #[test]
    fn the_next_move_that_wins_is_found() {
        let play = AnyPlay::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
        let report = Analysis::start(&play, &Settings::default(), Limits::nodes(5000)).finish();
        assert_eq!(report.best.as_deref(), Some("c1"));
        assert_eq!(report.value, Value::Exact(Exact::win(1)));
    }
}
