//! X's first moves in Connect Four, with which it wins whatever O plays. They were found with the solver: so close to the
//! start it takes too long to solve a position while a player waits.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use noughts_rules::games::gravity::{Gravity, GravityMove, GravityPosition, SmallGravity};
use noughts_rules::{Game, Side, Symmetry};

use super::cells_of_position;
use crate::solve::StrategyProof;
use crate::value::GameValue;

/// The strategy ends with X's move in a position with this many discs.
const MAX_DISCS: usize = 14;

/// X's columns, a letter for each position that X can be in, in the order of [`visit_levels`].
static COLUMNS: &str = include_str!("connect_four.txt");

/// The left and right sides of the board exchanged.
const MIRROR: Symmetry = Symmetry(1);

/// What the strategy proves, if the position comes from a game in which X has followed it so far.
pub(super) fn proof<const W: usize>(
    game: &Gravity<W>,
    position: &GravityPosition<W>,
) -> Option<StrategyProof<GravityMove>> {
    let discs = position.occupied().len() as usize;
    if !applies(game) || game.outcome(position).is_some() || discs > MAX_DISCS {
        return None;
    }
    let (mv, game_value) = match game.side(position) {
        Side::X => (Some(known_move(game, position)?), GameValue::Win),
        Side::O => {
            let replies = game.moves(position).into_iter();
            let mut next = replies.map(|mv| game.after(position, mv));
            let is_lost = next.all(|next| known_move(game, &next).is_some());
            (None, is_lost.then_some(GameValue::Loss)?)
        }
    };
    Some(StrategyProof {
        mv,
        game_value,
        // X never makes the last move of a full board.
        max_plies: (game.cells().len() - 1).saturating_sub(discs as u32),
        nodes: 0,
    })
}

fn known_move<const W: usize>(
    game: &Gravity<W>,
    position: &GravityPosition<W>,
) -> Option<GravityMove> {
    static MOVES: OnceLock<HashMap<u64, GravityMove>> = OnceLock::new();
    let (mirrored, cells) = standard_symmetry(game, position);
    let mv = *MOVES.get_or_init(read_moves).get(&cells)?;
    Some(if mirrored {
        game.map_move(mv, MIRROR)
    } else {
        mv
    })
}

/// Whether the strategy is for this board.
pub(super) fn applies<const W: usize>(game: &Gravity<W>) -> bool {
    game.size() == (7, 6, 4)
}

fn read_moves() -> HashMap<u64, GravityMove> {
    let game = SmallGravity::connect_four();
    let mut columns = parse_columns(COLUMNS);
    let mut moves = HashMap::new();
    visit_levels(&game, &mut |level| {
        let known = level.iter().zip(&mut columns);
        let known = known.map(|(position, mv)| (standard_symmetry(&game, position).1, mv));
        let known: Vec<_> = known.collect();
        moves.extend(known.iter().copied());
        known.into_iter().map(|(_, mv)| mv).collect()
    });
    moves
}

fn parse_columns(text: &str) -> impl Iterator<Item = GravityMove> {
    let game = SmallGravity::connect_four();
    let letters = text.split_whitespace().flat_map(str::chars);
    letters.map_while(move |letter| game.parse_move(&letter.to_string()).ok())
}

/// A position and its mirror image share an entry. Returns whether the entry is the image, and its cells.
fn standard_symmetry<const W: usize>(
    game: &Gravity<W>,
    position: &GravityPosition<W>,
) -> (bool, u64) {
    let word = |position: &GravityPosition<W>| {
        let mine = position.marks(game.side(position));
        cells_of_position(game, mine, position.occupied()).0[0]
    };
    let (own, image) = (word(position), word(&game.map_position(position, MIRROR)));
    (image < own, own.min(image))
}

/// Visits the positions that X can be in, those with the same number of discs at a time and in a fixed order. `choose`
/// returns X's move in each. Returns the positions after X's last moves.
fn visit_levels(
    game: &SmallGravity,
    choose: &mut dyn FnMut(&[GravityPosition<1>]) -> Vec<GravityMove>,
) -> Vec<GravityPosition<1>> {
    let mut level = vec![game.start()];
    for discs in (0..).step_by(2) {
        let moves = choose(&level);
        let after = level.iter().zip(moves);
        let after = after.map(|(position, mv)| game.after(position, mv));
        let after: Vec<_> = after.filter(|next| game.outcome(next).is_none()).collect();
        if discs >= MAX_DISCS {
            return after;
        }
        let mut next = BTreeMap::new();
        for position in after {
            for reply in game.moves(&position) {
                let position = game.after(&position, reply);
                let (mirrored, cells) = standard_symmetry(game, &position);
                let standard = match mirrored {
                    true => game.map_position(&position, MIRROR),
                    false => position,
                };
                next.insert(cells, standard);
            }
        }
        level = next.into_values().collect();
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Instant;

    use super::*;
    use crate::knowledge::gravity::solver::Solver;
    use crate::search::ProofControl;
    use crate::search::transposition_table::TranspositionTable;

    /// Whether the side to move wins (`true`) or loses (`false`); `None` if it is stopped first.
    fn proves(
        game: &SmallGravity,
        position: &GravityPosition<1>,
        wins: bool,
        (table, seed): (&TranspositionTable, usize),
        stop: &AtomicBool,
    ) -> Option<bool> {
        let mut request_nodes = |_| match stop.load(Ordering::Relaxed) {
            true => 0,
            false => 10_000,
        };
        let mut control = ProofControl::new(table, seed as u32, &mut request_nodes);
        let (alpha, beta) = if wins { (0, 1) } else { (-1, 0) };
        let score = Solver::new(game, &mut control).prove(position, alpha, beta);
        let proved = if wins { score > 0 } else { score < 0 };
        (!stop.load(Ordering::Relaxed)).then_some(proved)
    }

    /// A winning move for each position. All threads work until the last is found.
    fn winning_moves(
        game: &SmallGravity,
        positions: &[GravityPosition<1>],
        table: &TranspositionTable,
    ) -> Vec<GravityMove> {
        let found: Vec<OnceLock<GravityMove>> = positions.iter().map(|_| OnceLock::new()).collect();
        let done: Vec<AtomicBool> = positions.iter().map(|_| AtomicBool::new(false)).collect();
        let next = AtomicUsize::new(0);
        let find = |index: usize, seed: usize| {
            let position = &positions[index];
            let mut moves = game.moves(position);
            moves.sort_by_key(|mv| mv.column().abs_diff(3));
            for mv in moves {
                let after = game.after(position, mv);
                let wins = match game.outcome(&after) {
                    Some(_) => Some(true),
                    None => proves(game, &after, false, (table, seed), &done[index]),
                };
                match wins {
                    Some(true) => {
                        let _ = found[index].set(mv);
                        break;
                    }
                    Some(false) => {}
                    None => return,
                }
            }
            done[index].store(true, Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            for seed in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                let (find, next, done) = (&find, &next, &done);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= positions.len() {
                            break;
                        }
                        find(index, 0);
                    }
                    // Help with what the others haven't finished.
                    for (index, done) in done.iter().enumerate() {
                        if !done.load(Ordering::Relaxed) {
                            find(index, seed + 1);
                        }
                    }
                });
            }
        });
        let moves = found.into_iter().map(OnceLock::into_inner);
        moves.collect::<Option<_>>().expect("X wins every position")
    }

    /// The positions after X's last known moves, in which O is to move.
    fn last_positions(game: &SmallGravity) -> Vec<GravityPosition<1>> {
        let mut columns = parse_columns(COLUMNS);
        let last = visit_levels(game, &mut |level| {
            columns.by_ref().take(level.len()).collect()
        });
        assert_eq!(columns.count(), 0, "moves without a position");
        last
    }

    /// Proves that O loses each of these positions, which all threads share.
    fn prove_lost(game: &SmallGravity, positions: &[GravityPosition<1>]) {
        let table = TranspositionTable::new(1 << 30, None);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(position) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let never = AtomicBool::new(false);
                        let is_lost = proves(game, position, false, (&table, 0), &never);
                        assert_eq!(is_lost, Some(true), "{}", game.text(position));
                    }
                });
            }
        });
    }

    /// Each of X's moves in the file leads, whatever O answers, to another one or to a position proved here.
    #[test]
    #[ignore = "takes minutes; part of the soak"]
    fn strategy_wins_against_every_defense() {
        let game = SmallGravity::connect_four();
        let last = last_positions(&game);
        prove_lost(&game, &last);
        println!("{} positions", last.len());
    }

    /// A sample of the same.
    #[test]
    fn strategy_wins_against_some_defenses() {
        let game = SmallGravity::connect_four();
        let last: Vec<_> = last_positions(&game).into_iter().step_by(501).collect();
        assert!(last.len() > 20);
        prove_lost(&game, &last);
    }

    /// In each position of a game in which X follows the strategy, and in its mirror image, the value is known.
    #[test]
    fn values_are_known_as_long_as_x_follows_the_strategy() {
        let game = SmallGravity::connect_four();
        let mut seen = 0;
        visit_levels(&game, &mut |level| {
            level
                .iter()
                .map(|position| {
                    let of_image = proof(&game, &game.map_position(position, MIRROR));
                    let proof = proof(&game, position).expect("a proof");
                    let mv = proof.mv.expect("a move");
                    assert_eq!(of_image.map(|proof| proof.game_value), Some(GameValue::Win));
                    assert_eq!(proof.game_value, GameValue::Win);
                    let discs = position.occupied().len();
                    assert_eq!(proof.max_plies, 41 - discs);
                    let after = game.after(position, mv);
                    if game.outcome(&after).is_none() && (discs as usize) < MAX_DISCS {
                        let of_opponent = super::proof(&game, &after).expect("a proof");
                        assert_eq!(
                            (of_opponent.mv, of_opponent.game_value),
                            (None, GameValue::Loss)
                        );
                    }
                    seen += 1;
                    mv
                })
                .collect()
        });
        assert_eq!(seen, parse_columns(COLUMNS).count());
    }

    #[test]
    fn nothing_is_proved_elsewhere() {
        let game = SmallGravity::connect_four();
        let after = |moves: &str| {
            moves.chars().fold(game.start(), |position, mv| {
                let mv = game.parse_move(&mv.to_string()).expect("a move");
                game.play(position, mv).expect("a legal move")
            })
        };
        for moves in ["c", "cd", "a", "e", "dac", "dddda", "ddddddcbb"] {
            assert_eq!(proof(&game, &after(moves)), None, "{moves}");
        }
        for (columns, rows, line) in [(7, 6, 3), (6, 7, 4), (8, 6, 4)] {
            let other = SmallGravity::new(columns, rows, line).expect("a board");
            let other = other.expect("one word is enough");
            assert_eq!(proof(&other, &other.start()), None);
        }
    }

    /// Completes the file of moves, from where it ends.
    #[test]
    #[ignore = "writes the file; NOUGHTS_STRATEGY=overwrite"]
    fn write_strategy() {
        if std::env::var("NOUGHTS_STRATEGY").as_deref() != Ok("overwrite") {
            return;
        }
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src/knowledge/gravity/connect_four.txt"
        );
        let game = SmallGravity::connect_four();
        let table = TranspositionTable::new(6 << 30, None);
        let known = std::fs::read_to_string(path).unwrap_or_default();
        let mut known = parse_columns(&known);
        let mut text = String::new();
        visit_levels(&game, &mut |level| {
            let start = Instant::now();
            let mut moves: Vec<_> = known.by_ref().take(level.len()).collect();
            moves.truncate(if moves.len() < level.len() {
                0
            } else {
                level.len()
            });
            if moves.is_empty() {
                moves = winning_moves(&game, level, &table);
            }
            let letters: String = moves.iter().map(|&mv| game.move_text(mv)).collect();
            for line in letters.as_bytes().chunks(100) {
                text += std::str::from_utf8(line).expect("letters");
                text += "\n";
            }
            std::fs::write(path, &text).expect("the file can be written");
            println!("{} positions, {:.0?}", level.len(), start.elapsed());
            moves
        });
    }
}
