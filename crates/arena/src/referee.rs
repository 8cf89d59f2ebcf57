//! Plays one game between two players: clocks, rules, faults and adjudication.

use std::time::Duration;

use noughts_engine::solve::quick_exact_value;
use noughts_engine::{BotSettings, Clock, GameValue, SearchLimits, StopFlag, Tablebases, Value};
use noughts_rules::{AnyGameState, Outcome, Side};

use crate::openings::Opening;
use crate::plan::{Adjudication, Plan};
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
    let end = game.start().and_then(|lost| match lost {
        Some(end) => Ok(end),
        None => game.run(),
    });
    for player in &mut game.players {
        player.end_game();
    }
    match end {
        Err(attempt) => attempt,
        Ok(GameEnd(outcome, reason, note)) => GameAttempt::Finished(Box::new(PlayedGame {
            key,
            state: game.state,
            opening_plies: opening.plies,
            move_info: game.move_info,
            outcome,
            reason,
            note,
        })),
    }
}

struct GameEnd(Outcome, EndReason, Option<String>);

/// How a game ended; an error if it has no result.
type PlayResult<T> = Result<T, GameAttempt>;

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
    /// Starts the game for both players. If one of them isn't ready, the game is over.
    fn start(&mut self) -> PlayResult<Option<GameEnd>> {
        let variant = self.state.variant();
        let seeds = self.conditions.seeds;
        let started = Side::BOTH.map(|side| {
            self.players[side as usize].start_game(&NewGame {
                variant,
                side,
                seed: seeds[side as usize],
            })
        });
        self.check_stop()?;
        Ok(match started {
            [Ok(()), Ok(())] => None,
            [Err(error), Ok(())] => Some(loss_by_error(Side::X, error)?),
            [Ok(()), Err(error)] => Some(loss_by_error(Side::O, error)?),
            // Neither player started, so neither wins.
            [Err(x), Err(o)] => {
                let note = format!("X: {x}; O: {o}");
                let GameEnd(_, reason, _) = loss_by_error(Side::X, x)?;
                loss_by_error(Side::O, o)?;
                Some(GameEnd(Outcome::Draw, reason, Some(note)))
            }
        })
    }

    fn check_stop(&self) -> PlayResult<()> {
        match self.conditions.stop.is_stopped() {
            true => Err(GameAttempt::Stopped),
            false => Ok(()),
        }
    }

    fn run(&mut self) -> PlayResult<GameEnd> {
        if self.conditions.adjudication.exact {
            self.has_repeated = has_repeated(&self.state);
        }
        // Without a move this only happens if the game is over at its start.
        if let Some(end) = end_by_rules(&self.state) {
            return Ok(end);
        }
        loop {
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
            self.check_stop()?;
            let MoveResponse { mv, info } = match result {
                Ok(response) => response,
                Err(error) => return loss_by_error(side, error),
            };
            if info.took > allowed {
                return loss_by_error(side, PlayerError::late(info.took, allowed));
            }
            if let Err(error) = self.state.play(&mv) {
                let note = Some(error.to_string());
                return Ok(GameEnd(win_against(side), EndReason::IllegalMove, note));
            }
            self.record_move(side, info);
            if let Some(end) = end_by_rules(&self.state).or_else(|| self.adjudicate()) {
                return Ok(end);
            }
        }
    }

    fn record_move(&mut self, side: Side, info: MoveInfo) {
        self.move_info.push(info);
        if let Some(clocks) = &mut self.clocks
            && let TimeControl::Clock { increment, .. } = self.time_controls[side as usize]
        {
            let clock = &mut clocks[side as usize];
            clock.remaining = clock.remaining.saturating_sub(info.took) + increment;
        }
        let rules = &self.conditions.adjudication;
        self.agreement.record(side, info.value, rules);
        if rules.exact {
            self.has_repeated |= self.state.occurrences() > 1;
        }
    }

    /// Ends the game by adjudication or the move limit, if either applies.
    fn adjudicate(&self) -> Option<GameEnd> {
        let conditions = self.conditions;
        let adjudication = &conditions.adjudication;
        if adjudication.exact
            && !self.has_repeated
            && let Some((value, note)) = exact_result(&self.state, conditions)
        {
            let side = self.state.side();
            let outcome = match value {
                GameValue::Win => Outcome::Win(side),
                GameValue::Draw => Outcome::Draw,
                GameValue::Loss => win_against(side),
            };
            return Some(GameEnd(outcome, EndReason::ExactValue, Some(note)));
        }
        if let Some(outcome) = self.agreement.outcome(adjudication) {
            return Some(GameEnd(outcome, EndReason::Agreement, None));
        }
        let limit = conditions.move_limit?;
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

fn loss_by_error(loser: Side, error: PlayerError) -> PlayResult<GameEnd> {
    match error.kind.end_reason() {
        Some(reason) => Ok(GameEnd(win_against(loser), reason, Some(error.message))),
        None => Err(GameAttempt::HostFailure(error.message)),
    }
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
    fn record(&mut self, side: Side, value: Option<Value>, rules: &Adjudication) {
        // From X's point of view. NaN supports no outcome.
        let points = value.map(|value| match side {
            Side::X => value.expected_result(),
            Side::O => -value.expected_result(),
        });
        let wins = |points: f64| rules.win.is_some_and(|win| points >= win.value);
        let draws = |points: f64| rules.draw.is_some_and(|draw| points.abs() <= draw.value);
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

    fn outcome(&self, rules: &Adjudication) -> Option<Outcome> {
        let thresholds = [rules.win, rules.win, rules.draw];
        let mut rows = OUTCOMES.into_iter().zip(thresholds).zip(self.streaks);
        let decided = rows.find(|((_, threshold), streaks)| {
            threshold.is_some_and(|least| streaks.iter().all(|&moves| moves >= least.moves))
        });
        decided.map(|((outcome, _), _)| outcome)
    }
}

// ---- exact values ----

/// Only games with at most this many plies left are searched.
const MAX_SEARCH_PLIES: u32 = 12;

/// The node limit of that search: a few milliseconds, and deterministic.
const MAX_SEARCH_NODES: u64 = 20_000;

/// The proved result for the side to move, with a note saying how it was found.
fn exact_result(state: &AnyGameState, conditions: &Conditions) -> Option<(GameValue, String)> {
    let settings = BotSettings {
        memory: 1 << 18,
        tablebases: conditions.tablebases.clone(),
        ..BotSettings::default()
    };
    let (plies, limits) = (MAX_SEARCH_PLIES, SearchLimits::nodes(MAX_SEARCH_NODES));
    let (value, from_tablebase) =
        quick_exact_value(state, &settings, plies, limits, &conditions.stop)?;
    let source = match from_tablebase {
        true => "from the tablebase",
        false => "from a search to the end of the game",
    };
    let note = format!("{value} for the side to move, {source}");
    Some((value.game_value(), note))
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
