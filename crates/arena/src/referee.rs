//! One game between two players, from its opening to its end: the clocks, the rules, and
//! whose fault it was.

use std::time::Duration;

use noughts_engine::solve::quick_exact_value;
use noughts_engine::{BotSettings, Clock, GameValue, SearchLimits, StopFlag, Tablebases, Value};
use noughts_rules::{AnyGameState, Outcome, Side};

use crate::openings::Opening;
use crate::plan::{Adjudication, AgreementThreshold, Plan};
use crate::played_game::{EndReason, GameKey, MoveInfo, PlayedGame};
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError};
use crate::time_control::TimeControl;

/// What holds for a game besides who plays it.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// How much later than its time a bot may be.
    pub margin: Duration,
    /// How long one waits where no time is given.
    pub patience: Duration,
    /// A draw after so many moves, those of the opening not counted.
    pub move_limit: Option<u32>,
    /// When the game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// Exact tables that were found.
    pub tablebases: Tablebases,
    /// Where the bots' chance comes from, X's first.
    pub seeds: [u64; 2],
    /// Raised, it ends the game without a result.
    pub stop: StopFlag,
}

impl Conditions {
    /// Those of a plan.
    #[must_use]
    pub fn from_plan(
        plan: &Plan,
        tables: &Tablebases,
        seeds: [u64; 2],
        stop: &StopFlag,
    ) -> Conditions {
        Conditions {
            margin: Duration::from_millis(plan.margin_ms),
            patience: Duration::from_millis(plan.patience_ms),
            move_limit: plan.move_limit,
            adjudication: plan.adjudication,
            tablebases: tables.clone(),
            seeds,
            stop: stop.clone(),
        }
    }
}

/// What became of a game.
#[derive(Clone, Debug)]
pub enum GameAttempt {
    /// It was played, and has a result.
    Finished(Box<PlayedGame>),
    /// It was stopped.
    Stopped,
    /// It could not be played, by no fault of its players: why, as a sentence.
    HostFailure(String),
}

impl GameAttempt {
    /// The game, if it has a result.
    #[must_use]
    pub fn finished(self) -> Option<PlayedGame> {
        match self {
            GameAttempt::Finished(played) => Some(*played),
            GameAttempt::Stopped | GameAttempt::HostFailure(_) => None,
        }
    }
}

/// Plays a game; `players` and `paces` are X's first. Whatever a player does, the other one
/// wins by it.
///
/// A player is told to begin and to end exactly once each, in all cases.
pub fn play_game(
    key: GameKey,
    opening: Opening,
    players: [&mut dyn Player; 2],
    paces: [TimeControl; 2],
    conditions: &Conditions,
) -> GameAttempt {
    let mut table = Table {
        players,
        paces,
        conditions,
        clocks: clocks(paces),
        play: opening.state,
        moves: Vec::new(),
        agreement: Agreement::default(),
        repeated: false,
    };
    let out = match table.begin() {
        Ok(()) => table.play(),
        Err(out) => out,
    };
    for player in &mut table.players {
        player.end_game();
    }
    let Table { play, moves, .. } = table;
    let End(outcome, reason, note) = match out {
        Out::Over(end) => end,
        Out::Stopped => return GameAttempt::Stopped,
        Out::Hindered(why) => return GameAttempt::HostFailure(why),
    };
    GameAttempt::Finished(Box::new(PlayedGame {
        key,
        state: play,
        opening_plies: opening.plies,
        move_info: moves,
        outcome,
        reason,
        note,
    }))
}

/// How a game came to its end.
struct End(Outcome, EndReason, Option<String>);

/// Why nothing more is played.
enum Out {
    Over(End),
    Stopped,
    Hindered(String),
}

/// The clocks at the start, if anybody has one. Who has none sees the other's there: it
/// means nothing to them.
fn clocks(paces: [TimeControl; 2]) -> Option<[Clock; 2]> {
    let clock = |pace| match pace {
        TimeControl::Clock { base, increment } => Some(Clock {
            remaining: base,
            increment,
            moves_to_go: None,
        }),
        _ => None,
    };
    let [x, o] = paces.map(clock);
    let any = x.or(o)?;
    Some([x.unwrap_or(any), o.unwrap_or(any)])
}

/// A game at the board.
struct Table<'a, 'c> {
    players: [&'a mut dyn Player; 2],
    paces: [TimeControl; 2],
    conditions: &'c Conditions,
    clocks: Option<[Clock; 2]>,
    play: AnyGameState,
    moves: Vec<MoveInfo>,
    agreement: Agreement,
    /// Some position has been twice: what a table says of wins need not hold any more.
    repeated: bool,
}

impl Table<'_, '_> {
    /// Tells both; the game ends here where one of them is not there.
    fn begin(&mut self) -> Result<(), Out> {
        let variant = self.play.variant();
        let seeds = self.conditions.seeds;
        let began = Side::BOTH.map(|side| {
            self.players[side as usize].start_game(&NewGame {
                variant,
                side,
                seed: seeds[side as usize],
            })
        });
        if self.conditions.stop.is_stopped() {
            return Err(Out::Stopped);
        }
        Err(match began {
            [Ok(()), Ok(())] => return Ok(()),
            [Err(fault), Ok(())] => lost(Side::X, fault),
            [Ok(()), Err(fault)] => lost(Side::O, fault),
            // Nobody was there to win.
            [Err(x), Err(o)] => match (x.kind.end_reason(), o.kind.end_reason()) {
                (Some(reason), Some(_)) => {
                    let note = format!("X: {x}; O: {o}");
                    Out::Over(End(Outcome::Draw, reason, Some(note)))
                }
                (None, _) => Out::Hindered(x.message),
                (_, None) => Out::Hindered(o.message),
            },
        })
    }

    fn play(&mut self) -> Out {
        if self.conditions.adjudication.exact {
            self.repeated = has_repeated(&self.play);
        }
        loop {
            // Only a start where all is over gets here without a move.
            if let Some(end) = by_rules(&self.play) {
                return Out::Over(end);
            }
            let side = self.play.side();
            let turn = MoveRequest {
                state: &self.play,
                time_control: self.paces[side as usize],
                clocks: self.clocks,
                margin: self.conditions.margin,
                patience: self.conditions.patience,
            };
            let allowed = turn.time_allowed();
            let chosen = self.players[side as usize].choose_move(&turn);
            // Before a fault is looked at: a stopped bot may well have been killed.
            if self.conditions.stop.is_stopped() {
                return Out::Stopped;
            }
            let answer = match chosen {
                Ok(answer) => answer,
                Err(fault) => return lost(side, fault),
            };
            if answer.took > allowed {
                return Out::Over(late(side, answer.took, allowed));
            }
            if let Err(refusal) = self.play.play(&answer.mv) {
                let note = Some(refusal.to_string());
                return Out::Over(End(won_against(side), EndReason::IllegalMove, note));
            }
            self.note(side, &answer);
            if let Some(end) = by_rules(&self.play).or_else(|| self.adjudicated()) {
                return Out::Over(end);
            }
        }
    }

    /// A move was made.
    fn note(&mut self, side: Side, answer: &MoveResponse) {
        self.moves.push(MoveInfo {
            took: answer.took,
            value: answer.value,
            depth: answer.depth,
            nodes: answer.nodes,
        });
        if let Some(clocks) = &mut self.clocks
            && let TimeControl::Clock { increment, .. } = self.paces[side as usize]
        {
            let clock = &mut clocks[side as usize];
            clock.remaining = clock.remaining.saturating_sub(answer.took) + increment;
        }
        let Adjudication { win, draw, .. } = self.conditions.adjudication;
        self.agreement.hear(side, answer.value, win, draw);
        if self.conditions.adjudication.exact {
            self.repeated |= self.play.occurrences() > 1;
        }
    }

    /// The end that somebody else than the rules makes.
    fn adjudicated(&self) -> Option<End> {
        let Conditions {
            adjudication,
            tablebases: tables,
            move_limit,
            stop,
            ..
        } = self.conditions;
        if adjudication.exact
            && !self.repeated
            && let Some((verdict, note)) = exact_of(&self.play, tables, stop)
        {
            let side = self.play.side();
            let outcome = match verdict {
                GameValue::Win => Outcome::Win(side),
                GameValue::Draw => Outcome::Draw,
                GameValue::Loss => Outcome::Win(side.other()),
            };
            return Some(End(outcome, EndReason::ExactValue, Some(note)));
        }
        let Adjudication { win, draw, .. } = *adjudication;
        if let Some(outcome) = self.agreement.outcome(win, draw) {
            return Some(End(outcome, EndReason::Agreement, None));
        }
        let limit = (*move_limit)?;
        let over = self.moves.len() >= limit as usize;
        over.then(|| {
            let note = format!("nobody had won after {limit} moves");
            End(Outcome::Draw, EndReason::MoveLimit, Some(note))
        })
    }
}

fn won_against(loser: Side) -> Outcome {
    Outcome::Win(loser.other())
}

fn lost(loser: Side, fault: PlayerError) -> Out {
    match fault.kind.end_reason() {
        Some(reason) => Out::Over(End(won_against(loser), reason, Some(fault.message))),
        None => Out::Hindered(fault.message),
    }
}

fn late(loser: Side, took: Duration, allowed: Duration) -> End {
    let note = format!(
        "its move took {:.1} ms; {:.1} ms were allowed",
        millis(took),
        millis(allowed)
    );
    End(won_against(loser), EndReason::Timeout, Some(note))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn by_rules(play: &AnyGameState) -> Option<End> {
    let (outcome, ending) = play.outcome().zip(play.ending())?;
    Some(End(outcome, ending.into(), None))
}

// ---- agreement ----

/// What the bots have said one after the other: how many of each one's last moves were
/// for X, for O, for a draw.
#[derive(Default)]
struct Agreement {
    said: [[u32; 2]; 3],
}

const OUTCOMES: [Outcome; 3] = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];

impl Agreement {
    fn hear(
        &mut self,
        side: Side,
        value: Option<Value>,
        win: Option<AgreementThreshold>,
        draw: Option<AgreementThreshold>,
    ) {
        // For X. What is no number agrees with nothing.
        let points = value.map(|value| match side {
            Side::X => value.expected_result(),
            Side::O => -value.expected_result(),
        });
        let wins = |points: f64| win.is_some_and(|win| points >= win.value);
        let draws = |points: f64| draw.is_some_and(|draw| points.abs() <= draw.value);
        let heard = [
            points.is_some_and(wins),
            points.is_some_and(|points| wins(-points)),
            points.is_some_and(draws),
        ];
        for (said, heard) in self.said.iter_mut().zip(heard) {
            let said = &mut said[side as usize];
            *said = if heard { *said + 1 } else { 0 };
        }
    }

    fn outcome(
        &self,
        win: Option<AgreementThreshold>,
        draw: Option<AgreementThreshold>,
    ) -> Option<Outcome> {
        let agreed = |outcome: &Outcome| match outcome {
            Outcome::Win(_) => win,
            Outcome::Draw => draw,
        };
        let decided = OUTCOMES.iter().zip(self.said).find(|(outcome, said)| {
            agreed(outcome).is_some_and(|agreed| said.iter().all(|&said| said >= agreed.moves))
        });
        decided.map(|(outcome, _)| *outcome)
    }
}

// ---- exact values ----

/// Games that last no longer than this are searched.
const FEW_PLIES: u32 = 12;

/// How much a search may look at: some milliseconds, always the same number.
const FEW_NODES: u64 = 20_000;

/// What is certain of a game for the side to move, and where that is from.
fn exact_of(
    play: &AnyGameState,
    tables: &Tablebases,
    stop: &StopFlag,
) -> Option<(GameValue, String)> {
    let settings = BotSettings {
        memory: 1 << 18,
        tablebases: tables.clone(),
        ..BotSettings::default()
    };
    let (value, tabled) = quick_exact_value(
        play,
        &settings,
        FEW_PLIES,
        SearchLimits::nodes(FEW_NODES),
        stop,
    )?;
    let by = match tabled {
        true => "by the table",
        false => "by a search to the end",
    };
    Some((value.game_value(), told(value, by)))
}

fn told(value: noughts_engine::ExactValue, by: &str) -> String {
    format!("{value} for the side to move, {by}")
}

/// Has any position been twice? Asked once, of an opening.
fn has_repeated(play: &AnyGameState) -> bool {
    let mut walk = play.clone();
    loop {
        if walk.occurrences() > 1 {
            return true;
        }
        if walk.undo().is_none() {
            return false;
        }
    }
}
