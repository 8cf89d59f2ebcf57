//! Many games of one variant, stepped at once. Generic over the game; which one it is,
//! is decided once, when they are set up. Knows nothing of Python.

use std::any::Any;
use std::collections::TryReserveError;

use noughts_rules::{AnyPlay, Game, Occurrences, Outcome, Play, Player, SetupError, Visitor};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// What each game shows after a step, game after game. Planes and masks may be empty:
/// then they are not written.
pub(crate) struct Outputs<'a> {
    pub(crate) planes: &'a mut [u8],
    pub(crate) masks: &'a mut [i8],
    /// For X and O: 1 for a win, −1 for a loss; 0 for a draw, and while the game goes on.
    pub(crate) rewards: &'a mut [f32],
    /// Did the game end with this move? What is shown is then the next one's start.
    pub(crate) ends: &'a mut [u8],
    /// Who moves next: 0 for X, 1 for O.
    pub(crate) players: &'a mut [i8],
    /// The moves made.
    pub(crate) actions: &'a mut [i64],
}

impl Outputs<'_> {
    /// Where nobody looks.
    pub(crate) fn none() -> Outputs<'static> {
        Outputs {
            planes: &mut [],
            masks: &mut [],
            rewards: &mut [],
            ends: &mut [],
            players: &mut [],
            actions: &mut [],
        }
    }
}

/// How many games ended in which way, and how many moves were made in all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) moves: u64,
    pub(crate) x: u64,
    pub(crate) o: u64,
    pub(crate) draws: u64,
}

/// Why nothing was done: which game, and a sentence.
pub(crate) struct Refused {
    pub(crate) index: usize,
    pub(crate) reason: String,
}

/// Games of some variant.
pub(crate) trait Games: Send {
    /// All games begin anew; with a seed, chance does, too.
    fn reset(&mut self, seed: Option<u64>);

    /// Writes what every game shows, as if no move had been made yet.
    fn show(&self, out: &mut Outputs<'_>);

    /// The same of one game.
    fn show_one(&self, index: usize, out: &mut Outputs<'_>);

    /// Makes a move in every game; or in none, if one is not legal.
    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), Refused>;

    /// Makes a random legal move in every game.
    fn step_random(&mut self, out: &mut Outputs<'_>);

    /// A random legal move for every game, from the same chance.
    fn random_actions(&mut self, actions: &mut [i64]);

    /// The game with this number, as it stands.
    fn play(&self, index: usize) -> Result<AnyPlay, SetupError>;

    /// Puts a game in the place of this number; not one of another variant.
    fn set(&mut self, index: usize, play: &AnyPlay) -> bool;

    /// What has happened so far.
    fn tally(&self) -> Tally;
}

/// So many games of the variant of this one.
///
/// # Errors
/// There is no room for them.
pub(crate) fn games(
    start: &AnyPlay,
    count: usize,
    seed: u64,
) -> Result<Box<dyn Games>, TryReserveError> {
    start.visit(SetUp { count, seed })
}

/// How many bytes a game takes that is not shown anywhere, about.
pub(crate) fn size_of_game(start: &AnyPlay) -> usize {
    start.visit(Measure)
}

struct SetUp {
    count: usize,
    seed: u64,
}

impl Visitor for SetUp {
    type Output = Result<Box<dyn Games>, TryReserveError>;

    fn visit<G: Game>(self, play: &Play<G>) -> Self::Output {
        let table = Table::new(play.game().clone(), self.count, self.seed)?;
        Ok(Box::new(table))
    }
}

struct Measure;

impl Visitor for Measure {
    type Output = usize;

    fn visit<G: Game>(self, play: &Play<G>) -> usize {
        // Boards on the heap take less than a byte a cell.
        size_of::<Slot<G>>() + size_of::<G::Move>() + play.game().count_actions()
    }
}

/// A game, and the chance that is its own: what happens in it depends on its number and
/// the seed, never on how many other games there are.
struct Slot<G: Game> {
    position: G::Position,
    chance: Xoshiro256PlusPlus,
}

/// What came before, where it matters.
struct History<G: Game> {
    start: G::Position,
    moves: Vec<G::Move>,
    seen: Occurrences<G>,
}

impl<G: Game> History<G> {
    fn new(start: &G::Position) -> History<G> {
        let mut history = History {
            start: start.clone(),
            moves: Vec::new(),
            seen: Occurrences::default(),
        };
        history.begin(start);
        history
    }

    fn begin(&mut self, start: &G::Position) {
        self.start.clone_from(start);
        self.moves.clear();
        self.seen.clear();
        self.seen.note(start);
    }

    fn add(&mut self, mv: G::Move, position: &G::Position) {
        self.moves.push(mv);
        self.seen.note(position);
    }
}

struct Table<G: Game> {
    game: G,
    start: G::Position,
    slots: Vec<Slot<G>>,
    /// One for each slot in games where positions come back, else none.
    histories: Vec<History<G>>,
    /// Moves that are known to be legal, on their way to be made.
    moves: Vec<G::Move>,
    sizes: Sizes,
    tally: Tally,
}

/// How much of an output belongs to one game.
#[derive(Clone, Copy)]
struct Sizes {
    planes: usize,
    mask: usize,
}

impl<G: Game> Table<G> {
    fn new(game: G, count: usize, seed: u64) -> Result<Table<G>, TryReserveError> {
        let start = game.start();
        // Python goes on where there is no room; collecting would end it.
        let (mut slots, mut histories, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        slots.try_reserve_exact(count)?;
        moves.try_reserve_exact(count)?;
        slots.extend((0..count).map(|index| Slot {
            position: start.clone(),
            chance: chance(seed, index),
        }));
        if G::REPEATS {
            histories.try_reserve_exact(count)?;
            histories.extend((0..count).map(|_| History::new(&start)));
        }
        Ok(Table {
            slots,
            histories,
            moves,
            sizes: Sizes {
                planes: game.observation_shape().iter().product(),
                mask: game.count_actions(),
            },
            tally: Tally::default(),
            start,
            game,
        })
    }

    /// Makes the move that `choose` gives in every game, and shows what follows.
    #[inline(always)]
    fn make_all(
        &mut self,
        out: &mut Outputs<'_>,
        mut choose: impl FnMut(&G, usize, &mut Slot<G>) -> Option<G::Move>,
    ) {
        let (game, start, sizes) = (&self.game, &self.start, self.sizes);
        let mut outcomes = [None; BLOCK];
        for (block, slots) in self.slots.chunks_mut(BLOCK).enumerate() {
            let first = block * BLOCK;
            for ((index, slot), outcome) in (first..).zip(&mut *slots).zip(&mut outcomes) {
                // A game that goes on has a move: there is always one.
                *outcome = choose(game, index, slot).and_then(|mv| {
                    if let Some(action) = out.actions.get_mut(index) {
                        *action = game.action(mv) as i64;
                    }
                    let history = self.histories.get_mut(index);
                    make(game, start, &mut slot.position, history, mv)
                });
                self.tally.add(*outcome);
            }
            for ((index, slot), &outcome) in (first..).zip(slots).zip(&outcomes) {
                show(game, sizes, &slot.position, index, outcome, out);
            }
        }
    }

    /// The move with this number, if it is legal in this game.
    #[inline]
    fn legal(&self, index: usize, action: i64) -> Result<G::Move, String> {
        let mv = usize::try_from(action).ok();
        let Some(mv) = mv.and_then(|action| self.game.of_action(action)) else {
            return Err(format!(
                "there is no move number {action}: those of {} go from 0 to {}",
                self.game.variant(),
                self.sizes.mask.saturating_sub(1)
            ));
        };
        match self.game.check(&self.slots[index].position, mv) {
            Ok(()) => Ok(mv),
            Err(reason) => Err(format!(
                "move number {action}, {}, is not legal: {reason}",
                self.game.move_text(mv)
            )),
        }
    }
}

/// So many games are moved, then shown. Choosing and making a move is a chain of steps that
/// wait for each other, and showing a game is much to write: done apart, the processor works
/// on the chains of several games at once. Few enough to be still at hand when they are shown.
const BLOCK: usize = 32;

/// Makes the move; after the last one of a game the next one begins.
#[inline(always)]
fn make<G: Game>(
    game: &G,
    start: &G::Position,
    position: &mut G::Position,
    history: Option<&mut History<G>>,
    mv: G::Move,
) -> Option<Outcome> {
    game.apply(position, mv);
    let mut outcome = game.outcome(position);
    if G::REPEATS
        && let Some(history) = history
    {
        history.add(mv, position);
        if outcome.is_none() && history.seen.ends_at(position) {
            outcome = Some(Outcome::Draw);
        }
        if outcome.is_some() {
            history.begin(start);
        }
    }
    if outcome.is_some() {
        position.clone_from(start);
    }
    outcome
}

/// What a game with this number shows now.
#[inline(always)]
fn show<G: Game>(
    game: &G,
    sizes: Sizes,
    position: &G::Position,
    index: usize,
    outcome: Option<Outcome>,
    out: &mut Outputs<'_>,
) {
    let planes = index * sizes.planes..(index + 1) * sizes.planes;
    if let Some(planes) = out.planes.get_mut(planes) {
        game.observe(position, planes);
    }
    let mask = index * sizes.mask..(index + 1) * sizes.mask;
    if let Some(mask) = out.masks.get_mut(mask) {
        game.mask(position, mask);
    }
    if let Some(rewards) = out.rewards.get_mut(2 * index..2 * index + 2) {
        rewards.copy_from_slice(&match outcome {
            Some(Outcome::Win(Player::X)) => [1.0, -1.0],
            Some(Outcome::Win(Player::O)) => [-1.0, 1.0],
            Some(Outcome::Draw) | None => [0.0; 2],
        });
    }
    if let Some(end) = out.ends.get_mut(index) {
        *end = outcome.is_some().into();
    }
    if let Some(player) = out.players.get_mut(index) {
        *player = game.side(position) as i8;
    }
}

impl Tally {
    #[inline]
    fn add(&mut self, outcome: Option<Outcome>) {
        self.moves += 1;
        match outcome {
            None => {}
            Some(Outcome::Win(Player::X)) => self.x += 1,
            Some(Outcome::Win(Player::O)) => self.o += 1,
            Some(Outcome::Draw) => self.draws += 1,
        }
    }
}

/// The chance of the game with this number. Mixed twice: neighbouring numbers and
/// neighbouring seeds have nothing in common.
fn chance(seed: u64, index: usize) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    let own = mixed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(SplitMix64::seed_from_u64(own).next_u64())
}

impl<G: Game> Games for Table<G> {
    fn reset(&mut self, seed: Option<u64>) {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            slot.position.clone_from(&self.start);
            if let Some(seed) = seed {
                slot.chance = chance(seed, index);
            }
        }
        for history in &mut self.histories {
            history.begin(&self.start);
        }
        self.tally = Tally::default();
    }

    fn show(&self, out: &mut Outputs<'_>) {
        for index in 0..self.slots.len() {
            self.show_one(index, out);
        }
    }

    fn show_one(&self, index: usize, out: &mut Outputs<'_>) {
        if let Some(slot) = self.slots.get(index) {
            show(&self.game, self.sizes, &slot.position, index, None, out);
        }
        if let Some(action) = out.actions.get_mut(index) {
            *action = -1;
        }
    }

    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), Refused> {
        self.moves.clear();
        for index in 0..self.slots.len() {
            let action = actions.get(index).copied().unwrap_or(-1);
            match self.legal(index, action) {
                Ok(mv) => self.moves.push(mv),
                Err(reason) => return Err(Refused { index, reason }),
            }
        }
        let moves = std::mem::take(&mut self.moves);
        self.make_all(out, |_, index, _| moves.get(index).copied());
        self.moves = moves;
        Ok(())
    }

    fn step_random(&mut self, out: &mut Outputs<'_>) {
        self.make_all(out, |game, _, slot| {
            game.random_move(&slot.position, &mut slot.chance)
        });
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        for (Slot { position, chance }, action) in self.slots.iter_mut().zip(actions) {
            let mv = self.game.random_move(position, chance);
            *action = mv.map_or(-1, |mv| self.game.action(mv) as i64);
        }
    }

    fn play(&self, index: usize) -> Result<AnyPlay, SetupError> {
        let slot = &self.slots[index];
        let history = self.histories.get(index);
        let start = history.map_or(&slot.position, |history| &history.start);
        let mut play = AnyPlay::from_setup(self.game.variant(), &self.game.setup(start))?;
        for &mv in history.iter().flat_map(|history| &history.moves) {
            // Made once already: it is not refused.
            let _ = play.play(&self.game.move_text(mv));
        }
        Ok(play)
    }

    fn set(&mut self, index: usize, play: &AnyPlay) -> bool {
        if play.variant() != self.game.variant() {
            return false;
        }
        let Some(slot) = self.slots.get_mut(index) else {
            return false;
        };
        let history = self.histories.get_mut(index);
        play.visit(Put { slot, history })
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}

/// Puts a game into a slot, if both are of the same type.
struct Put<'a, G: Game> {
    slot: &'a mut Slot<G>,
    history: Option<&'a mut History<G>>,
}

impl<G: Game> Visitor for Put<'_, G> {
    type Output = bool;

    fn visit<H: Game>(self, play: &Play<H>) -> bool {
        let Some(play) = (play as &dyn Any).downcast_ref::<Play<G>>() else {
            return false;
        };
        self.slot.position.clone_from(play.position());
        if let Some(history) = self.history {
            let mut position = play.start().clone();
            history.begin(&position);
            for &mv in play.moves() {
                play.game().apply(&mut position, mv);
                history.add(mv, &position);
            }
        }
        true
    }
}
