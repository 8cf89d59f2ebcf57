//! `negamax`: every game to its end. One function, always from the side of the
//! player to move; what is good for the one is as bad for the other. Wins count
//! more the sooner they come, losses less the later.

use noughts_rules::{Game, GameState, Variant};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels;
use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::{RankedMove, SearchReport};
use crate::value::{ExactValue, GameValue, Value};

/// Boards with more cells take too long to play out to every end.
const MOST_CELLS: usize = 12;

/// Can all games of this variant be played to their ends?
pub(crate) fn check_supports(variant: Variant) -> Result<(), String> {
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            let cells = usize::from(columns) * usize::from(rows);
            if cells <= MOST_CELLS {
                return Ok(());
            }
            Err(format!(
                "it follows every game to its end, which takes too long on more than \
                 {MOST_CELLS} cells; this board has {cells}"
            ))
        }
        Variant::TicTacTwo(_) => Err(
            "it follows every game to its end, and games of Tic-Tac-Two can go round in circles"
                .into(),
        ),
        Variant::Nested(options) if options.depth() == 1 => Ok(()),
        Variant::Nested(_) => Err(format!(
            "it follows every game to its end, which takes too long on more than \
             {MOST_CELLS} cells; of nested boards it plays only `ception:depth=1`"
        )),
    }
}

/// A win at once. Each ply further off takes one away, so that 0 is a draw and
/// the sign tells who wins.
const WIN: i32 = 1000;

/// Plays every game to its end.
pub(crate) struct Negamax {
    rng: Xoshiro256PlusPlus,
}

impl Negamax {
    pub(crate) fn new(settings: &BotSettings) -> Negamax {
        Negamax {
            rng: levels::seeded_rng(settings),
        }
    }
}

impl<G: Game> Bot<G> for Negamax {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (play.game(), play.position());
        let mut moves = game.moves(position);
        levels::shuffle(&mut moves, &mut self.rng);
        let mut search = Search {
            game,
            budget,
            nodes: 0,
        };
        let mut report = SearchReport {
            best: moves.first().copied(),
            pv: moves.first().copied().into_iter().collect(),
            ..SearchReport::empty()
        };
        let mut ranked: Vec<(i32, RankedMove<G::Move>)> = Vec::new();
        for &mv in &moves {
            let before = search.nodes;
            let Some((score, line)) = (!search.is_spent())
                .then(|| search.after(position, mv, -WIN, WIN))
                .flatten()
            else {
                break;
            };
            ranked.push((
                score,
                RankedMove {
                    mv,
                    value: Value::Exact(exact(score)),
                    nodes: search.nodes - before,
                    pv: line,
                },
            ));
            ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
            report.moves = ranked.iter().map(|(_, ranked)| ranked.clone()).collect();
            report.nodes = search.nodes;
            if let Some((score, best)) = ranked.first() {
                report.best = Some(best.mv);
                report.pv.clone_from(&best.pv);
                // Another move may still be better, or win sooner.
                report.value = match exact(*score) {
                    _ if ranked.len() == moves.len() => best.value,
                    win if win.game_value() == GameValue::Win => {
                        Value::Exact(ExactValue::without_distance(GameValue::Win))
                    }
                    _ => Value::UNKNOWN,
                };
            }
            watch(&report);
        }
        report.nodes = search.nodes;
        if ranked.len() == moves.len() {
            report.depth = moves.len() as u32;
        }
        report
    }
}

/// A score as a value: the plies are what it lacks of [`WIN`].
fn exact(score: i32) -> ExactValue {
    let plies = (WIN - score.abs()) as u32;
    match score.signum() {
        1 => ExactValue::win(plies),
        -1 => ExactValue::loss(plies),
        _ => ExactValue::DRAW,
    }
}

/// One ply further off.
fn further(score: i32) -> i32 {
    score - score.signum()
}

struct Search<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget,
    nodes: u64,
}

impl<G: Game> Search<'_, G> {
    fn is_spent(&self) -> bool {
        self.budget.is_spent(self.nodes)
    }

    /// What a move is worth to the one who makes it, and how the game goes on.
    /// None when the budget is spent.
    fn after(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        alpha: i32,
        beta: i32,
    ) -> Option<(i32, Vec<G::Move>)> {
        let me = self.game.side(position);
        let mut after = position.clone();
        self.game.apply(&mut after, mv);
        self.nodes += 1;
        // A window for values one ply further off, as the position after has them.
        let nearer = |score: i32| score + score.signum();
        let (score, rest) = if let Some(outcome) = self.game.outcome(&after) {
            let score = match outcome.winner() {
                None => 0,
                Some(winner) if winner == me => WIN,
                Some(_) => -WIN,
            };
            (score, Vec::new())
        } else if self.is_spent() {
            return None;
        } else if self.game.side(&after) == me {
            self.best(&after, nearer(alpha), nearer(beta))?
        } else {
            let (score, rest) = self.best(&after, nearer(-beta), nearer(-alpha))?;
            (-score, rest)
        };
        let mut line = vec![mv];
        line.extend(rest);
        Some((further(score), line))
    }

    /// What a position is worth to the player to move, and the best line.
    ///
    /// If the true value lies inside the window, it is returned; if it is at most
    /// `alpha`, something at most `alpha` and at least the value; if it is at
    /// least `beta`, something at least `beta` and at most the value.
    fn best(
        &mut self,
        position: &G::Position,
        mut alpha: i32,
        beta: i32,
    ) -> Option<(i32, Vec<G::Move>)> {
        let mut best = (-WIN, Vec::new());
        for mv in self.game.moves(position) {
            let (score, line) = self.after(position, mv, alpha, beta)?;
            if best.1.is_empty() || score > best.0 {
                best = (score, line);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}
