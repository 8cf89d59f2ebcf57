//! Where games begin: the start, random moves, all positions up to symmetry, or a list.
//! Random openings get longer once all of the length asked for have been, so that games
//! don't repeat. An opening follows from the plan's seed and the pair alone, whatever else is played.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use noughts_rules::{AnyGameState, Game, GameState, MoveErrorKind, Variant, Visitor};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::plan::Openings;
use crate::played_game::GameKey;
use crate::schedule::{PlanError, mix_seed};

/// Where a game begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The game as it stands when the first bot is asked.
    pub state: AnyGameState,
    /// How many moves have been made in it, which nobody chose.
    pub plies: usize,
}

/// Longer openings than this are games.
const LONGEST: u32 = 200;

/// So often an opening is drawn that is new to the pair, before longer ones are drawn.
const TRIES: u32 = 1_000;

/// So often it is tried to find any opening at all.
const FIRST_TRIES: u32 = 100_000;

/// No more openings than this are listed one by one.
const MOST: usize = 50_000;

/// Listing them may look at so many cells.
const MOST_CELLS: usize = 200_000_000;

/// The openings of a plan.
pub(crate) struct OpeningBook {
    variant: Variant,
    seed: u64,
    kind: Kind,
}

enum Kind {
    Start,
    /// What each two bots have drawn so far, so that nothing is drawn twice.
    Random(u32, Mutex<HashMap<(u32, u32), Drawn>>),
    /// Moves from the start, with blanks between.
    All(Vec<Box<str>>),
    List(Vec<Opening>),
}

impl OpeningBook {
    /// The openings, or what is wrong with them.
    pub(crate) fn new(
        variant: Variant,
        openings: &Openings,
        seed: u64,
    ) -> Result<OpeningBook, String> {
        let kind = match openings {
            Openings::Start | Openings::Random(0) | Openings::All(0) => Kind::Start,
            Openings::Random(plies) => {
                let plies = checked_length(*plies)?;
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let found = draw(variant, plies, &mut rng, FIRST_TRIES, &HashSet::new());
                if found.is_none() {
                    return Err(none_goes_on(variant, plies));
                }
                Kind::Random(plies, Mutex::default())
            }
            Openings::All(plies) => Kind::All(all(variant, checked_length(*plies)?, seed)?),
            Openings::List(texts) => Kind::List(listed(variant, texts)?),
        };
        Ok(OpeningBook {
            variant,
            seed,
            kind,
        })
    }

    /// The opening of a pair.
    pub(crate) fn opening(&self, key: &GameKey) -> Opening {
        let round = key.round as usize;
        match &self.kind {
            Kind::Start => self.after(""),
            Kind::Random(plies, drawn) => {
                let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
                let pair = (key.first, key.second);
                let drawn = drawn
                    .entry(pair)
                    .or_insert_with(|| Drawn::new(self.seed, pair));
                self.after(drawn.get(self.variant, *plies, round))
            }
            Kind::All(all) => {
                let moves = all.get(round % all.len().max(1));
                self.after(moves.map_or("", |moves| moves))
            }
            Kind::List(list) => match list.get(round % list.len().max(1)) {
                Some(opening) => opening.clone(),
                None => self.after(""),
            },
        }
    }

    /// These moves from the start. They came from the rules.
    fn after(&self, moves: &str) -> Opening {
        let mut play = AnyGameState::new(self.variant);
        for mv in moves.split_whitespace() {
            if play.play(mv).is_err() {
                break;
            }
        }
        let moves = play.moves().len();
        Opening {
            state: play,
            plies: moves,
        }
    }
}

impl fmt::Debug for OpeningBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.variant;
        match &self.kind {
            Kind::Start => write!(f, "the start of {variant}"),
            Kind::Random(plies, _) => write!(f, "{plies} random moves of {variant}"),
            Kind::All(all) => write!(f, "{} openings of {variant}", all.len()),
            Kind::List(list) => write!(f, "{} positions of {variant}", list.len()),
        }
    }
}

fn checked_length(plies: u32) -> Result<u32, String> {
    match plies {
        0..=LONGEST => Ok(plies),
        _ => Err(format!(
            "an opening of {plies} moves is too long; at most {LONGEST} are allowed"
        )),
    }
}

fn none_goes_on(variant: Variant, plies: u32) -> String {
    format!("no game of {variant} goes on after {plies} moves; use shorter openings")
}

// ---- random moves ----

/// The openings of two bots, in the order of their rounds.
struct Drawn {
    rng: Xoshiro256PlusPlus,
    openings: Vec<Box<str>>,
    /// Positions that have been, up to symmetry, since all were allowed.
    seen: HashSet<u64>,
    /// How many moves longer than asked for openings are now: the shorter ones are used up.
    longer: u32,
}

impl Drawn {
    fn new(seed: u64, (first, second): (u32, u32)) -> Drawn {
        let seed = mix_seed([seed, u64::from(first), u64::from(second)]);
        Drawn {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            openings: Vec::new(),
            seen: HashSet::new(),
            longer: 0,
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

    /// A new opening, longer than asked for where all of that length have been. When no
    /// game goes on after even longer ones, they start over.
    fn draw(&mut self, variant: Variant, plies: u32) -> (Box<str>, u64) {
        loop {
            let length = plies + self.longer;
            let drawn = draw(variant, length, &mut self.rng, TRIES, &self.seen);
            match drawn {
                Some(drawn) if !self.seen.contains(&drawn.1) => return drawn,
                Some(_) if length < LONGEST => self.longer += 1,
                drawn if self.longer == 0 => return drawn.unwrap_or_default(),
                _ => {
                    self.longer = 0;
                    self.seen.clear();
                }
            }
        }
    }
}

/// So many random moves after which the game goes on, and a number for the position up to
/// symmetry. One that is new, where there is one: the last tried where all have been.
fn draw(
    variant: Variant,
    plies: u32,
    rng: &mut Xoshiro256PlusPlus,
    tries: u32,
    seen: &HashSet<u64>,
) -> Option<(Box<str>, u64)> {
    AnyGameState::new(variant).visit(Draw {
        plies,
        rng,
        tries,
        seen,
    })
}

struct Draw<'a> {
    plies: u32,
    rng: &'a mut Xoshiro256PlusPlus,
    tries: u32,
    seen: &'a HashSet<u64>,
}

impl Visitor for Draw<'_> {
    type Output = Option<(Box<str>, u64)>;

    fn visit<G: Game>(self, start: &GameState<G>) -> Self::Output {
        let game = start.game();
        let mut last = None;
        for _ in 0..self.tries {
            let mut play = start.clone();
            for _ in 0..self.plies {
                let Some(mv) = game.random_move(play.position(), self.rng) else {
                    break;
                };
                if play.play(mv).is_err() {
                    break;
                }
            }
            if play.outcome().is_some() {
                continue;
            }
            let (least, _) = game.canonical(play.position());
            let drawn = (texts(game, play.moves()), game.hash(&least));
            if !self.seen.contains(&drawn.1) {
                return Some(drawn);
            }
            last = Some(drawn);
        }
        last
    }
}

fn texts<G: Game>(game: &G, moves: &[G::Move]) -> Box<str> {
    let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    texts.join(" ").into()
}

// ---- all of them ----

/// Moves to every position after so many plies up to symmetry, in an order of the seed.
fn all(variant: Variant, plies: u32, seed: u64) -> Result<Vec<Box<str>>, String> {
    let all = AnyGameState::new(variant).visit(All { plies });
    let mut all = all.ok_or_else(|| {
        format!(
            "{variant} has too many positions after {plies} moves to play them all; use shorter \
             openings, or random ones"
        )
    })?;
    if all.is_empty() {
        return Err(none_goes_on(variant, plies));
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(mix_seed([seed, u64::from(plies)]));
    for i in (1..all.len()).rev() {
        let below = (u128::from(rng.next_u64()) * (i as u128 + 1)) >> 64;
        all.swap(i, below as usize);
    }
    Ok(all)
}

struct All {
    plies: u32,
}

impl Visitor for All {
    type Output = Option<Vec<Box<str>>>;

    fn visit<G: Game>(self, start: &GameState<G>) -> Self::Output {
        let game = start.game();
        let cells = game.count_moves(start.position());
        let mut layer = vec![start.clone()];
        for _ in 0..self.plies {
            let moves: usize = layer
                .iter()
                .map(|play| game.count_moves(play.position()))
                .sum();
            if moves.saturating_mul(cells) > MOST_CELLS {
                return None;
            }
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for play in &layer {
                let all = game.visit_moves(play.position(), |mv| {
                    let mut child = play.position().clone();
                    game.apply(&mut child, mv);
                    if game.outcome(&child).is_some() || !seen.insert(game.canonical(&child).0) {
                        return ControlFlow::Continue(());
                    }
                    let mut play = play.clone();
                    // By repetition it may be over all the same.
                    if play.play(mv).is_ok() && play.outcome().is_none() {
                        next.push(play);
                    }
                    match next.len() > MOST {
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
        let openings = layer.iter().map(|play| texts(game, play.moves()));
        Some(openings.collect())
    }
}

// ---- a list ----

/// The openings that a file lists, one a line: each a position, moves from the start, or
/// `POSITION moves M …`. Empty lines and those that begin with `#` say nothing.
///
/// ```
/// use noughts_arena::read_openings;
/// use noughts_rules::Variant;
/// let file = "# corners\na1 b2\n\nx../.o./... x\n";
/// assert_eq!(read_openings(Variant::CLASSIC, file)?, ["a1 b2", "x../.o./... x"]);
/// let wrong = read_openings(Variant::CLASSIC, "a1\na1 a1\n").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 2: move 2: a1 is taken");
/// # Ok::<(), noughts_arena::PlanError>(())
/// ```
///
/// # Errors
/// Lines that are no opening, or at which the game is over, by their numbers: the first
/// few, and how many more there are.
pub fn parse_openings(variant: Variant, file: &str) -> Result<Vec<String>, PlanError> {
    let mut openings = Vec::new();
    let mut mistakes = Mistakes::default();
    // Some editors put a mark first.
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    for (number, line) in (1..).zip(file.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_opening(variant, line) {
            Ok(opening) if opening.state.outcome().is_some() => {
                mistakes.add(format!("line {number}: {OVER}"));
            }
            Ok(_) => openings.push(line.to_owned()),
            Err(reason) => mistakes.add(format!("line {number}: {reason}")),
        }
    }
    if openings.is_empty() && mistakes.first.is_empty() {
        mistakes.add("the file has no opening".into());
    }
    match mistakes.sentences() {
        mistakes if mistakes.is_empty() => Ok(openings),
        mistakes => Err(PlanError { mistakes }),
    }
}

const OVER: &str = "the game is over there; an opening must leave something to play";

/// What is wrong with a list; of many mistakes the first few are told.
#[derive(Default)]
struct Mistakes {
    first: Vec<String>,
    more: u64,
}

impl Mistakes {
    const TOLD: usize = 5;

    fn add(&mut self, mistake: String) {
        match self.first.len() < Mistakes::TOLD {
            true => self.first.push(shortened(mistake)),
            false => self.more += 1,
        }
    }

    fn sentences(self) -> Vec<String> {
        let mut all = self.first;
        if self.more > 0 {
            all.push(format!("and {} more lines like that", self.more));
        }
        all
    }
}

/// A line of the file may be as long as the file.
fn shortened(mistake: String) -> String {
    const LONGEST: usize = 300;
    match mistake.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &mistake[..end]),
        None => mistake,
    }
}

/// Those at which the game is not over.
fn listed(variant: Variant, texts: &[String]) -> Result<Vec<Opening>, String> {
    if texts.is_empty() {
        return Err("the list of openings is empty".into());
    }
    let mut openings = Vec::new();
    let mut mistakes = Mistakes::default();
    for (number, text) in (1..).zip(texts) {
        match read_opening(variant, text) {
            Ok(opening) if opening.state.outcome().is_none() => openings.push(opening),
            // Plans that were begun before finished ones were refused go on as they did.
            Ok(_) => {}
            Err(reason) => mistakes.add(format!("opening {number}: {reason}")),
        }
    }
    let mistakes = mistakes.sentences();
    if !mistakes.is_empty() {
        return Err(mistakes.join("; "));
    }
    if openings.is_empty() {
        return Err("at every opening of the list the game is over".into());
    }
    Ok(openings)
}

fn read_opening(variant: Variant, text: &str) -> Result<Opening, String> {
    let text = text.trim();
    if let Some((position, moves)) = text.split_once(" moves ") {
        let position = AnyGameState::from_text(variant, position.trim());
        return played(position.map_err(|error| error.to_string())?, moves);
    }
    let start = AnyGameState::new(variant);
    let first = text.split_whitespace().next().unwrap_or_default();
    match start.check(first) {
        Err(refusal) if refusal.kind == MoveErrorKind::NotAMove => {
            match AnyGameState::from_text(variant, text) {
                Ok(play) => Ok(Opening {
                    state: play,
                    plies: 0,
                }),
                Err(error) => Err(format!(
                    "neither moves ({refusal}) nor a position ({error})"
                )),
            }
        }
        _ => played(start, text),
    }
}

fn played(mut play: AnyGameState, moves: &str) -> Result<Opening, String> {
    for (number, mv) in (1..).zip(moves.split_whitespace()) {
        play.play(mv)
            .map_err(|refusal| format!("move {number}: {refusal}"))?;
    }
    let moves = play.moves().len();
    Ok(Opening {
        state: play,
        plies: moves,
    })
}
