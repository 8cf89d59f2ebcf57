//! Openings: the starting position, random moves, all positions up to symmetry, or a list. Once all
//! openings of the requested length are used up, random openings get longer, so that games don't
//! repeat. An opening depends only on the plan's seed and the pair.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, MoveErrorKind, Variant};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::error_text::truncated;
use crate::plan::Openings;
use crate::played_game::GameKey;
use crate::schedule::{PlanError, mix_seed};

/// The opening of a game.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The game state when the first bot is asked for a move.
    pub state: AnyGameState,
    /// The number of moves played in the opening.
    pub plies: usize,
}

/// The longest opening, in plies.
const MAX_PLIES: u32 = 200;

/// How many draws may fail to find an opening that is new to the pair, before longer ones are
/// drawn.
const TRIES: u32 = 1_000;

/// How many draws may fail before a plan is rejected for having no opening at all.
const FIRST_TRIES: u32 = 100_000;

/// The largest number of openings that are enumerated.
const MAX_OPENINGS: usize = 50_000;

/// A bound on the work of enumerating all openings: the number of cells visited.
const MAX_CELLS: usize = 200_000_000;

/// The opening book of a plan.
#[derive(Debug)]
pub(crate) struct OpeningBook {
    variant: Variant,
    seed: u64,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// The openings drawn so far for each pair of bots.
    Random(u32, Mutex<HashMap<(u32, u32), RandomOpenings>>),
    /// Moves from the starting position, separated by spaces; used in turn.
    All(Vec<Box<str>>),
    List(Vec<Opening>),
}

impl OpeningBook {
    /// Builds the book, or says what is wrong with it.
    pub(crate) fn new(
        variant: Variant,
        openings: &Openings,
        seed: u64,
    ) -> Result<OpeningBook, String> {
        if let Openings::Random(plies) | Openings::All(plies) = openings
            && *plies > MAX_PLIES
        {
            return Err(format!(
                "an opening of {plies} moves is too long; the maximum is {MAX_PLIES}"
            ));
        }
        let no_opening = |plies: u32| {
            format!("every game of {variant} is over after {plies} moves; use shorter openings")
        };
        let source = match *openings {
            Openings::Start | Openings::Random(0) | Openings::All(0) => {
                Source::All(vec!["".into()])
            }
            Openings::Random(plies) => {
                let draw = OpeningSampler {
                    plies,
                    rng: &mut Xoshiro256PlusPlus::seed_from_u64(seed),
                    tries: FIRST_TRIES,
                    seen: &HashSet::new(),
                };
                let found = AnyGameState::new(variant).visit(draw);
                found.ok_or_else(|| no_opening(plies))?;
                Source::Random(plies, Mutex::default())
            }
            Openings::All(plies) => match all_openings(variant, plies, seed)? {
                all if all.is_empty() => return Err(no_opening(plies)),
                all => Source::All(all),
            },
            Openings::List(ref texts) => Source::List(parse_list(variant, texts)?),
        };
        Ok(OpeningBook {
            variant,
            seed,
            source,
        })
    }

    /// The opening of a game; both games of a pair have the same.
    pub(crate) fn opening(&self, key: &GameKey) -> Opening {
        let round = key.round as usize;
        match &self.source {
            Source::Random(plies, drawn) => {
                let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
                let pair = (key.first, key.second);
                let drawn = drawn
                    .entry(pair)
                    .or_insert_with(|| RandomOpenings::new(self.seed, pair));
                self.opening_after(drawn.get(self.variant, *plies, round))
            }
            Source::All(all) => {
                let moves = all.get(round % all.len().max(1));
                self.opening_after(moves.map_or("", |moves| moves))
            }
            Source::List(list) => match list.get(round % list.len().max(1)) {
                Some(opening) => opening.clone(),
                None => self.opening_after(""),
            },
        }
    }

    /// Plays moves from the starting position. They came from the rules and are legal.
    fn opening_after(&self, moves: &str) -> Opening {
        let start = AnyGameState::new(self.variant);
        let opening = play_moves(start.clone(), moves);
        opening.unwrap_or(Opening {
            state: start,
            plies: 0,
        })
    }
}

// ---- random moves ----

/// The random openings of two bots, in the order of their rounds.
#[derive(Debug)]
struct RandomOpenings {
    rng: Xoshiro256PlusPlus,
    openings: Vec<Box<str>>,
    /// Hashes of the canonical positions drawn since the openings last started over.
    seen: HashSet<u64>,
    /// How many plies longer than requested openings are now: the shorter ones are used up.
    extra_plies: u32,
}

impl RandomOpenings {
    fn new(seed: u64, (first, second): (u32, u32)) -> RandomOpenings {
        let seed = mix_seed([seed, u64::from(first), u64::from(second)]);
        RandomOpenings {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            openings: Vec::new(),
            seen: HashSet::new(),
            extra_plies: 0,
        }
    }

    fn get(&mut self, variant: Variant, plies: u32, round: usize) -> &str {
        while self.openings.len() <= round {
            let (moves, position) = self.draw(variant, plies);
            if !self.seen.insert(position) {
                self.seen = HashSet::from([position]);
            }
            self.openings.push(moves);
        }
        &self.openings[round]
    }

    /// Draws a new opening, longer than requested if all of that length are used up. Starts over
    /// when no longer opening leaves the game unfinished.
    fn draw(&mut self, variant: Variant, plies: u32) -> (Box<str>, u64) {
        loop {
            let length = plies + self.extra_plies;
            let drawn = AnyGameState::new(variant).visit(OpeningSampler {
                plies: length,
                rng: &mut self.rng,
                tries: TRIES,
                seen: &self.seen,
            });
            match drawn {
                Some(drawn) if !self.seen.contains(&drawn.1) => return drawn,
                Some(_) if length < MAX_PLIES => self.extra_plies += 1,
                drawn if self.extra_plies == 0 => return drawn.unwrap_or_default(),
                _ => {
                    self.extra_plies = 0;
                    self.seen.clear();
                }
            }
        }
    }
}

/// Draws random moves after which the game isn't over; returns them with the hash of the canonical
/// position. Prefers a position that isn't in `seen`; if all tries hit seen ones, returns the last.
struct OpeningSampler<'a> {
    plies: u32,
    rng: &'a mut Xoshiro256PlusPlus,
    tries: u32,
    seen: &'a HashSet<u64>,
}

impl GameVisitor for OpeningSampler<'_> {
    type Output = Option<(Box<str>, u64)>;

    fn visit<G: Game>(self, start: &GameState<G>) -> Self::Output {
        let game = start.game();
        let mut last = None;
        for _ in 0..self.tries {
            let mut state = start.clone();
            for _ in 0..self.plies {
                let Some(mv) = game.random_move(state.position(), self.rng) else {
                    break;
                };
                if state.play(mv).is_err() {
                    break;
                }
            }
            if state.outcome().is_some() {
                continue;
            }
            let (canonical, _) = game.canonical(state.position());
            let drawn = (moves_text(game, state.moves()), game.hash(&canonical));
            if !self.seen.contains(&drawn.1) {
                return Some(drawn);
            }
            last = Some(drawn);
        }
        last
    }
}

fn moves_text<G: Game>(game: &G, moves: &[G::Move]) -> Box<str> {
    let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    texts.join(" ").into()
}

// ---- all openings ----

/// The moves to every position at this ply up to symmetry, shuffled by the seed.
fn all_openings(variant: Variant, plies: u32, seed: u64) -> Result<Vec<Box<str>>, String> {
    let all = AnyGameState::new(variant).visit(AllVisitor { plies });
    let mut all = all.ok_or_else(|| {
        format!(
            "{variant} has too many positions after {plies} moves to play them all; use shorter \
             or random openings"
        )
    })?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(mix_seed([seed, u64::from(plies)]));
    for i in (1..all.len()).rev() {
        let j = (u128::from(rng.next_u64()) * (i as u128 + 1)) >> 64;
        all.swap(i, j as usize);
    }
    Ok(all)
}

struct AllVisitor {
    plies: u32,
}

impl GameVisitor for AllVisitor {
    type Output = Option<Vec<Box<str>>>;

    fn visit<G: Game>(self, start: &GameState<G>) -> Self::Output {
        let game = start.game();
        let cells = game.count_moves(start.position());
        let mut layer = vec![start.clone()];
        for _ in 0..self.plies {
            let moves: usize = layer
                .iter()
                .map(|state| game.count_moves(state.position()))
                .sum();
            if moves.saturating_mul(cells) > MAX_CELLS {
                return None;
            }
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for state in &layer {
                let all = game.visit_moves(state.position(), |mv| {
                    let mut child = state.position().clone();
                    game.apply(&mut child, mv);
                    if game.outcome(&child).is_some() || !seen.insert(game.canonical(&child).0) {
                        return ControlFlow::Continue(());
                    }
                    let mut state = state.clone();
                    // It may still be over by repetition.
                    if state.play(mv).is_ok() && state.outcome().is_none() {
                        next.push(state);
                    }
                    match next.len() > MAX_OPENINGS {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                });
                if all.is_break() {
                    return None;
                }
            }
            layer = next;
        }
        let openings = layer.iter().map(|state| moves_text(game, state.moves()));
        Some(openings.collect())
    }
}

// ---- a list ----

/// Parses a file of openings, one per line: a position, moves from the starting position, or
/// `POSITION moves M …`. Empty lines and lines that start with `#` are ignored.
///
/// ```
/// use noughts_arena::parse_openings;
/// use noughts_rules::Variant;
/// let file = "# corners\na1 b2\n\nx../.o./... x\n";
/// assert_eq!(parse_openings(Variant::CLASSIC, file)?, ["a1 b2", "x../.o./... x"]);
/// let wrong = parse_openings(Variant::CLASSIC, "a1\na1 a1\n").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 2: move 2: a1 is taken");
/// # Ok::<(), noughts_arena::PlanError>(())
/// ```
///
/// # Errors
/// The numbers of invalid lines and of lines at which the game is over: the first few, and how
/// many more there are.
pub fn parse_openings(variant: Variant, file: &str) -> Result<Vec<String>, PlanError> {
    // Skip a byte order mark.
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let lines = (1..).zip(file.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let openings = parse_all(variant, "line", lines.clone(), |opening| {
        match opening.state.outcome() {
            Some(_) => {
                Err("the game is already over in this opening; use an unfinished position".into())
            }
            None => Ok(()),
        }
    });
    match openings {
        Ok(openings) if openings.is_empty() => Err(PlanError {
            mistakes: vec!["the file has no openings".into()],
        }),
        Ok(_) => Ok(lines.map(|(_, line)| line.to_owned()).collect()),
        Err(mistakes) => Err(PlanError { mistakes }),
    }
}

/// Parses numbered openings. Errors are the first few, and how many more there are.
fn parse_all<'a>(
    variant: Variant,
    label: &str,
    texts: impl Iterator<Item = (u64, &'a str)>,
    check: impl Fn(&Opening) -> Result<(), String>,
) -> Result<Vec<Opening>, Vec<String>> {
    const MAX_SHOWN: usize = 5;
    /// A line of a file may be as long as the file.
    const MAX_CHARS: usize = 300;
    let mut openings = Vec::new();
    let mut mistakes = Vec::new();
    let mut omitted = 0;
    for (number, text) in texts {
        let opening = parse_opening(variant, text);
        match opening.and_then(|opening| check(&opening).map(|()| opening)) {
            Ok(opening) => openings.push(opening),
            Err(_) if mistakes.len() >= MAX_SHOWN => omitted += 1,
            Err(reason) => {
                let mistake = format!("{label} {number}: {reason}");
                mistakes.push(truncated(&mistake, MAX_CHARS));
            }
        }
    }
    if omitted > 0 {
        mistakes.push(format!("and {omitted} more lines with errors"));
    }
    match mistakes.is_empty() {
        true => Ok(openings),
        false => Err(mistakes),
    }
}

/// Parses a list. Openings at which the game is over are skipped: tournaments that were started
/// before these were rejected must continue as before.
fn parse_list(variant: Variant, texts: &[String]) -> Result<Vec<Opening>, String> {
    let numbered = (1..).zip(texts.iter().map(String::as_str));
    let mut openings = parse_all(variant, "opening", numbered, |_| Ok(()))
        .map_err(|mistakes| mistakes.join("; "))?;
    if openings.is_empty() {
        return Err("the list of openings is empty".into());
    }
    openings.retain(|opening| opening.state.outcome().is_none());
    match openings.is_empty() {
        true => Err("the game is already over in every opening of the list".into()),
        false => Ok(openings),
    }
}

fn parse_opening(variant: Variant, text: &str) -> Result<Opening, String> {
    let text = text.trim();
    if let Some((position, moves)) = text.split_once(" moves ") {
        let position = AnyGameState::from_text(variant, position.trim());
        return play_moves(position.map_err(|error| error.to_string())?, moves);
    }
    let start = AnyGameState::new(variant);
    let first = text.split_whitespace().next().unwrap_or_default();
    match start.check(first) {
        Err(move_error) if move_error.kind == MoveErrorKind::NotAMove => {
            match AnyGameState::from_text(variant, text) {
                Ok(state) => Ok(Opening { state, plies: 0 }),
                Err(error) => Err(format!(
                    "neither moves ({move_error}) nor a position ({error})"
                )),
            }
        }
        _ => play_moves(start, text),
    }
}

fn play_moves(mut state: AnyGameState, moves: &str) -> Result<Opening, String> {
    for (number, mv) in (1..).zip(moves.split_whitespace()) {
        state
            .play(mv)
            .map_err(|error| format!("move {number}: {error}"))?;
    }
    let plies = state.moves().len();
    Ok(Opening { state, plies })
}
