//! Plays one game between two players: clocks, rules, faults and adjudication.

use std::time::Duration;

use noughts_engine::solve::quick_exact_value;
use noughts_engine::{BotSettings, Clock, GameValue, SearchLimits, StopFlag, Tablebases, Value};
use noughts_rules::{AnyGameState, Outcome, Side};

use crate::openings::Opening;
use crate::plan::{Adjudication, AgreementThreshold, Plan};
use crate::played_game::{EndReason, GameKey, MoveInfo, PlayedGame};
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError};
use crate::time_control::TimeControl;

/// The conditions of a game, apart from its players.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// How much longer than its time a move may take.
    pub margin: Duration,
    /// How long to wait if no time is given.
    pub patience: Duration,
    /// The game is drawn after this many moves, not counting the opening.
    pub move_limit: Option<u32>,
    /// When the game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// Tablebases for adjudication.
    pub tablebases: Tablebases,
    /// The bots' seeds, X's first.
    pub seeds: [u64; 2],
    /// When raised, ends the game without a result.
    pub stop: StopFlag,
}

impl Conditions {
    /// The conditions of a plan.
    #[must_use]
    pub fn from_plan(
        plan: &Plan,
        tablebases: &Tablebases,
        seeds: [u64; 2],
        stop: &StopFlag,
    ) -> Conditions {
        Conditions {
            margin: Duration::from_millis(plan.margin_ms),
            patience: Duration::from_millis(plan.patience_ms),
            move_limit: plan.move_limit,
            adjudication: plan.adjudication,
            tablebases: tablebases.clone(),
            seeds,
            stop: stop.clone(),
        }
    }
}

/// The result of trying to play a game.
#[derive(Clone, Debug)]
pub enum GameAttempt {
    /// The game was played and has a result.
    Finished(Box<PlayedGame>),
    /// The game was stopped.
    Stopped,
    /// The game couldn't be played because of the machine, not the players; the message says why.
    HostFailure(String),
}

impl GameAttempt {
    /// The game, if it was finished.
    #[must_use]
    pub fn finished(self) -> Option<PlayedGame> {
        match self {
            GameAttempt::Finished(game) => Some(*game),
            GameAttempt::Stopped | GameAttempt::HostFailure(_) => None,
        }
    }
}

/// Plays a game; `players` and `time_controls` are X's first. A player that fails loses.
///
/// `start_game` and `end_game` are called exactly once on each player in every case.
pub fn play_game(
    key: GameKey,
    opening: Opening,
    players: [&mut dyn Player; 2],
    time_controls: [TimeControl; 2],
    conditions: &Conditions,
) -> GameAttempt {
    let mut game = GameInPlay {
        players,
        time_controls,
        conditions,
        clocks: initial_clocks(time_controls),
        state: opening.state,
        move_info: Vec::new(),
        agreement: Agreement::default(),
        has_repeated: false,
    };
    let end = match game.start() {
        Ok(()) => game.run(),
        Err(end) => end,
    };
    for player in &mut game.players {
        player.end_game();
    }
    let GameInPlay {
        state, move_info, ..
    } = game;
    let GameEnd(outcome, reason, note) = match end {
        PlayEnd::Over(end) => end,
        PlayEnd::Stopped => return GameAttempt::Stopped,
        PlayEnd::HostFailure(reason) => return GameAttempt::HostFailure(reason),
    };
    GameAttempt::Finished(Box::new(PlayedGame {
        key,
        state,
        opening_plies: opening.plies,
        move_info,
        outcome,
        reason,
        note,
    }))
}

struct GameEnd(Outcome, EndReason, Option<String>);

/// Why play ended.
enum PlayEnd {
    Over(GameEnd),
    Stopped,
    HostFailure(String),
}

/// The initial clocks, if any player has one. A player without a clock is shown the other's, which
/// has no effect.
fn initial_clocks(time_controls: [TimeControl; 2]) -> Option<[Clock; 2]> {
    let clock = |time_control| match time_control {
        TimeControl::Clock { base, increment } => Some(Clock {
            remaining: base,
            increment,
            moves_to_go: None,
        }),
        _ => None,
    };
    let [x, o] = time_controls.map(clock);
    let any = x.or(o)?;
    Some([x.unwrap_or(any), o.unwrap_or(any)])
}

/// A game being played.
struct GameInPlay<'a, 'c> {
    players: [&'a mut dyn Player; 2],
    time_controls: [TimeControl; 2],
    conditions: &'c Conditions,
    clocks: Option<[Clock; 2]>,
    state: AnyGameState,
    move_info: Vec<MoveInfo>,
    agreement: Agreement,
    /// Whether any position has occurred twice. Then a tablebase's wins may no longer hold, because
    /// of the repetition rule.
    has_repeated: bool,
}

impl GameInPlay<'_, '_> {
    /// Starts the game for both players; fails if one of them isn't ready.
    fn start(&mut self) -> Result<(), PlayEnd> {
        let variant = self.state.variant();
        let seeds = self.conditions.seeds;
        let began = Side::BOTH.map(|side| {
            self.players[side as usize].start_game(&NewGame {
                variant,
                side,
                seed: seeds[side as usize],
            })
        });
        if self.conditions.stop.is_stopped() {
            return Err(PlayEnd::Stopped);
        }
        Err(match began {
            [Ok(()), Ok(())] => return Ok(()),
            [Err(error), Ok(())] => loss_by_error(Side::X, error),
            [Ok(()), Err(error)] => loss_by_error(Side::O, error),
            // Neither player started, so neither wins.
            [Err(x), Err(o)] => match (x.kind.end_reason(), o.kind.end_reason()) {
                (Some(reason), Some(_)) => {
                    let note = format!("X: {x}; O: {o}");
                    PlayEnd::Over(GameEnd(Outcome::Draw, reason, Some(note)))
                }
                (None, _) => PlayEnd::HostFailure(x.message),
                (_, None) => PlayEnd::HostFailure(o.message),
            },
        })
    }

    fn run(&mut self) -> PlayEnd {
        if self.conditions.adjudication.exact {
            self.has_repeated = has_repeated(&self.state);
        }
        loop {
            // Without a move this only happens if the game is over at its start.
            if let Some(end) = end_by_rules(&self.state) {
                return PlayEnd::Over(end);
            }
            let side = self.state.side();
            let request = MoveRequest {
                state: &self.state,
                time_control: self.time_controls[side as usize],
                clocks: self.clocks,
                margin: self.conditions.margin,
                patience: self.conditions.patience,
            };
            let allowed = request.time_allowed();
            let result = self.players[side as usize].choose_move(&request);
            // Check this before the error: a bot may have been killed because the game was stopped.
            if self.conditions.stop.is_stopped() {
                return PlayEnd::Stopped;
            }
            let answer = match result {
                Ok(answer) => answer,
                Err(error) => return loss_by_error(side, error),
            };
            if answer.took > allowed {
                return PlayEnd::Over(loss_on_time(side, answer.took, allowed));
            }
            if let Err(error) = self.state.play(&answer.mv) {
                let note = Some(error.to_string());
                return PlayEnd::Over(GameEnd(win_against(side), EndReason::IllegalMove, note));
            }
            self.record_move(side, &answer);
            if let Some(end) = end_by_rules(&self.state).or_else(|| self.adjudicate()) {
                return PlayEnd::Over(end);
            }
        }
    }

    /// Records a move.
    fn record_move(&mut self, side: Side, answer: &MoveResponse) {
        self.move_info.push(MoveInfo {
            took: answer.took,
            value: answer.value,
            depth: answer.depth,
            nodes: answer.nodes,
        });
        if let Some(clocks) = &mut self.clocks
            && let TimeControl::Clock { increment, .. } = self.time_controls[side as usize]
        {
            let clock = &mut clocks[side as usize];
            clock.remaining = clock.remaining.saturating_sub(answer.took) + increment;
        }
        let Adjudication { win, draw, .. } = self.conditions.adjudication;
        self.agreement.record(side, answer.value, win, draw);
        if self.conditions.adjudication.exact {
            self.has_repeated |= self.state.occurrences() > 1;
        }
    }

    /// Ends the game by adjudication or the move limit, if either applies.
    fn adjudicate(&self) -> Option<GameEnd> {
        let Conditions {
            adjudication,
            tablebases,
            move_limit,
            stop,
            ..
        } = self.conditions;
        if adjudication.exact
            && !self.has_repeated
            && let Some((value, note)) = exact_result(&self.state, tablebases, stop)
        {
            let side = self.state.side();
            let outcome = match value {
                GameValue::Win => Outcome::Win(side),
                GameValue::Draw => Outcome::Draw,
                GameValue::Loss => Outcome::Win(side.other()),
            };
            return Some(GameEnd(outcome, EndReason::ExactValue, Some(note)));
        }
        let Adjudication { win, draw, .. } = *adjudication;
        if let Some(outcome) = self.agreement.outcome(win, draw) {
            return Some(GameEnd(outcome, EndReason::Agreement, None));
        }
        let limit = (*move_limit)?;
        let reached = self.move_info.len() >= limit as usize;
        reached.then(|| {
            let note = format!("no winner after {limit} moves");
            GameEnd(Outcome::Draw, EndReason::MoveLimit, Some(note))
        })
    }
}

fn win_against(loser: Side) -> Outcome {
    Outcome::Win(loser.other())
}

fn loss_by_error(loser: Side, error: PlayerError) -> PlayEnd {
    match error.kind.end_reason() {
        Some(reason) => PlayEnd::Over(GameEnd(win_against(loser), reason, Some(error.message))),
        None => PlayEnd::HostFailure(error.message),
    }
}

fn loss_on_time(loser: Side, took: Duration, allowed: Duration) -> GameEnd {
    let note = format!(
        "its move took {took:.1} ms; {allowed:.1} ms were allowed",
        took = millis(took),
        allowed = millis(allowed)
    );
    GameEnd(win_against(loser), EndReason::Timeout, Some(note))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn end_by_rules(state: &AnyGameState) -> Option<GameEnd> {
    let (outcome, ending) = state.outcome().zip(state.ending())?;
    Some(GameEnd(outcome, ending.into(), None))
}

// ---- agreement ----

/// For each outcome (X wins, O wins, draw) and each side: the number of consecutive moves whose
/// evaluation supports it.
#[derive(Default)]
struct Agreement {
    streaks: [[u32; 2]; 3],
}

const OUTCOMES: [Outcome; 3] = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];

impl Agreement {
    fn record(
        &mut self,
        side: Side,
        value: Option<Value>,
        win: Option<AgreementThreshold>,
        draw: Option<AgreementThreshold>,
    ) {
        // From X's point of view. NaN supports no outcome.
        let points = value.map(|value| match side {
            Side::X => value.expected_result(),
            Side::O => -value.expected_result(),
        });
        let wins = |points: f64| win.is_some_and(|win| points >= win.value);
        let draws = |points: f64| draw.is_some_and(|draw| points.abs() <= draw.value);
        let supported = [
            points.is_some_and(wins),
            points.is_some_and(|points| wins(-points)),
            points.is_some_and(draws),
        ];
        for (streak, supported) in self.streaks.iter_mut().zip(supported) {
            let streak = &mut streak[side as usize];
            *streak = if supported { *streak + 1 } else { 0 };
        }
    }

    fn outcome(
        &self,
        win: Option<AgreementThreshold>,
        draw: Option<AgreementThreshold>,
    ) -> Option<Outcome> {
        let threshold = |outcome: &Outcome| match outcome {
            Outcome::Win(_) => win,
            Outcome::Draw => draw,
        };
        let decided = OUTCOMES.iter().zip(self.streaks).find(|(outcome, streak)| {
            threshold(outcome)
                .is_some_and(|threshold| streak.iter().all(|&streak| streak >= threshold.moves))
        });
        decided.map(|(outcome, _)| *outcome)
    }
}

// ---- exact values ----

/// Only games with at most this many plies left are searched.
const MAX_SEARCH_PLIES: u32 = 12;

/// The node limit of that search: a few milliseconds, and deterministic.
const MAX_SEARCH_NODES: u64 = 20_000;

/// The proved result for the side to move, with a note saying how it was found.
fn exact_result(
    state: &AnyGameState,
    tablebases: &Tablebases,
    stop: &StopFlag,
) -> Option<(GameValue, String)> {
    let settings = BotSettings {
        memory: 1 << 18,
        tablebases: tablebases.clone(),
        ..BotSettings::default()
    };
    let (value, from_tablebase) = quick_exact_value(
        state,
        &settings,
        MAX_SEARCH_PLIES,
        SearchLimits::nodes(MAX_SEARCH_NODES),
        stop,
    )?;
    let source = match from_tablebase {
        true => "from the tablebase",
        false => "from a search to the end of the game",
    };
    Some((value.game_value(), exact_note(value, source)))
}

fn exact_note(value: noughts_engine::ExactValue, source: &str) -> String {
    format!("{value} for the side to move, {source}")
}

/// Whether any position has occurred twice.
fn has_repeated(state: &AnyGameState) -> bool {
    let mut earlier = state.clone();
    loop {
        if earlier.occurrences() > 1 {
            return true;
        }
        if earlier.undo().is_none() {
            return false;
        }
    }
}
