//! Many games of one variant, stepped at once, by several threads where there are many.
//! Generic over the game; which one it is, is decided once, when they are set up. Knows
//! nothing of Python.
//!
//! Games are kept in chunks. A thread takes a chunk, steps its games, writes what they show,
//! and takes the next one. No game depends on another, so the number of threads and the size
//! of the chunks change nothing but the speed.

use std::any::Any;
use std::collections::TryReserveError;

use noughts_engine::{BotKind, StopFlag};
use noughts_rules::{
    AnyGameState, Game, GameState, Outcome, RepetitionCounter, SetupError, Side, Visitor,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::opponents::Opponents;
use super::threads::Threads;

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

impl<'a> Outputs<'a> {
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

    /// The same outputs, lent for a while.
    fn lend(&mut self) -> Outputs<'_> {
        Outputs {
            planes: self.planes,
            masks: self.masks,
            rewards: self.rewards,
            ends: self.ends,
            players: self.players,
            actions: self.actions,
        }
    }

    /// Takes away the outputs of the first games, this many.
    fn take(&mut self, games: usize, sizes: Sizes) -> Outputs<'a> {
        fn first<'a, T>(row: &mut &'a mut [T], length: usize) -> &'a mut [T] {
            let whole = std::mem::take(row);
            let (first, rest) = whole.split_at_mut(length.min(whole.len()));
            *row = rest;
            first
        }
        Outputs {
            planes: first(&mut self.planes, games * sizes.planes),
            masks: first(&mut self.masks, games * sizes.mask),
            rewards: first(&mut self.rewards, games * 2),
            ends: first(&mut self.ends, games),
            players: first(&mut self.players, games),
            actions: first(&mut self.actions, games),
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

/// A game's chance, as bytes.
pub(crate) type Chance = [u8; 32];

/// Games of some variant.
pub(crate) trait Games: Send {
    /// All games start again; with a seed, chance does, too.
    fn reset(&mut self, seed: Option<u64>, stop: &StopFlag);

    /// Writes what every game shows, as if no move had been made yet.
    fn show(&self, out: &mut Outputs<'_>);

    /// The same of one game.
    fn show_one(&self, index: usize, out: &mut Outputs<'_>);

    /// Makes a move in every game; or in none, if one is not legal.
    fn step(
        &mut self,
        actions: &[i64],
        out: &mut Outputs<'_>,
        stop: &StopFlag,
    ) -> Result<(), Refused>;

    /// Makes random legal moves in every game, this many; the last ones are shown.
    fn step_random(&mut self, steps: u64, out: &mut Outputs<'_>, stop: &StopFlag);

    /// A random legal move for every game, from the same chance.
    fn random_actions(&mut self, actions: &mut [i64]);

    /// The game with this number as it is now.
    fn play(&self, index: usize) -> Result<AnyGameState, SetupError>;

    /// Puts a game in the place of this number; not one of another variant. The learner is
    /// the side to move.
    fn set(&mut self, index: usize, play: &AnyGameState) -> bool;

    /// The numbers of the games that ended with the last step, and their last positions.
    fn finals(&self) -> Vec<(usize, Result<AnyGameState, SetupError>)>;

    /// Who would have moved next in those, and what they would have seen, one after the other.
    fn observe_finals(&self) -> (Vec<i8>, Vec<u8>);

    /// Notes the last position of a game that ended with the last step.
    fn set_final(&mut self, index: usize, play: &AnyGameState) -> bool;

    /// The chance of every game.
    fn chances(&self) -> Vec<Chance>;

    /// Sets the chance of a game.
    fn set_chance(&mut self, index: usize, chance: Chance);

    /// What has happened so far.
    fn tally(&self) -> Tally;

    /// Makes it so that this has happened so far.
    fn set_tally(&mut self, tally: Tally);
}

/// This many games of the variant of this one, which have not started yet: `reset` starts
/// them where there are opponents.
///
/// # Errors
/// There is no room for them.
pub(crate) fn games(
    start: &AnyGameState,
    count: usize,
    seed: u64,
    threads: usize,
    opponents: Option<Opponents>,
) -> Result<Box<dyn Games>, TryReserveError> {
    start.visit(SetUp {
        count,
        seed,
        threads,
        opponents,
    })
}

/// How many bytes a game takes that is not shown anywhere, about.
pub(crate) fn size_of_game(start: &AnyGameState) -> usize {
    start.visit(Measure)
}

struct SetUp {
    count: usize,
    seed: u64,
    threads: usize,
    opponents: Option<Opponents>,
}

impl Visitor for SetUp {
    type Output = Result<Box<dyn Games>, TryReserveError>;

    fn visit<G: Game>(self, play: &GameState<G>) -> Self::Output {
        Ok(Box::new(Table::new(play.game().clone(), self)?))
    }
}

struct Measure;

impl Visitor for Measure {
    type Output = usize;

    fn visit<G: Game>(self, play: &GameState<G>) -> usize {
        // Boards on the heap take less than a byte a cell.
        size_of::<Slot<G>>() + size_of::<G::Move>() + play.game().count_actions()
    }
}

/// A game, and the chance that is its own: what happens in it depends on its number and
/// the seed, never on how many other games there are.
struct Slot<G: Game> {
    position: G::Position,
    chance: Xoshiro256PlusPlus,
    /// The learner's side, where there are opponents.
    learner: Side,
}

/// What came before, where it matters.
struct History<G: Game> {
    start: G::Position,
    moves: Vec<G::Move>,
    seen: RepetitionCounter<G>,
}

impl<G: Game> History<G> {
    fn new(start: &G::Position) -> History<G> {
        let mut history = History {
            start: start.clone(),
            moves: Vec::new(),
            seen: RepetitionCounter::default(),
        };
        history.begin(start);
        history
    }

    fn begin(&mut self, start: &G::Position) {
        self.start.clone_from(start);
        self.moves.clear();
        self.seen.clear();
        self.seen.record(start);
    }

    fn add(&mut self, mv: G::Move, position: &G::Position) {
        self.moves.push(mv);
        self.seen.record(position);
    }
}

/// How much of an output belongs to one game.
#[derive(Clone, Copy)]
struct Sizes {
    planes: usize,
    mask: usize,
}

/// What is the same for all games of a table.
struct Rules<G: Game> {
    game: G,
    start: G::Position,
    sizes: Sizes,
    opponents: Option<Opponents>,
}

/// Neighboring games, which one thread steps at a time. It fills whole cache lines, two at a
/// time as processors fetch them: while one thread counts here, another reads the next chunk.
#[repr(align(128))]
struct Chunk<G: Game> {
    /// The number of its first game.
    first: usize,
    slots: Vec<Slot<G>>,
    /// One for each slot in games where positions come back, else none.
    histories: Vec<History<G>>,
    /// Moves that are known to be legal, on their way to be made.
    moves: Vec<G::Move>,
    /// A move that is not legal.
    refused: Option<Refused>,
    /// The games that ended with the last step, and how they looked then.
    finals: Vec<(usize, G::Position)>,
    tally: Tally,
}

struct Table<G: Game> {
    rules: Rules<G>,
    chunks: Vec<Chunk<G>>,
    /// Games in every chunk but the last.
    size: usize,
    threads: Threads,
}

/// No chunk has more games than this: few enough that threads end at about the same time.
const LARGEST_CHUNK: usize = 256;

/// So many chunks for each thread: one that is slowed down leaves its share to the others.
const CHUNKS_PER_THREAD: usize = 4;

/// So many games are moved, then shown. Choosing and making a move is a chain of steps that
/// wait for each other, and showing a game is much to write: done apart, the processor works
/// on the chains of several games at once. Few enough to be in the cache when they are shown.
const BLOCK: usize = 32;

impl<G: Game> Table<G> {
    fn new(game: G, asked: SetUp) -> Result<Table<G>, TryReserveError> {
        let SetUp {
            count,
            seed,
            threads,
            opponents,
        } = asked;
        let shares = threads.max(1) * CHUNKS_PER_THREAD;
        let size = count.div_ceil(shares).clamp(1, LARGEST_CHUNK);
        let rules = Rules {
            start: game.start(),
            sizes: Sizes {
                planes: game.observation_shape().iter().product(),
                mask: game.count_actions(),
            },
            game,
            opponents,
        };
        // All at once, to know early where there is no room.
        Vec::<Slot<G>>::new().try_reserve_exact(count)?;
        let mut chunks = Vec::new();
        chunks.try_reserve_exact(count.div_ceil(size))?;
        for first in (0..count).step_by(size) {
            chunks.push(Chunk::new(&rules, first, size.min(count - first), seed)?);
        }
        Ok(Table {
            rules,
            chunks,
            size,
            threads: Threads::new(threads),
        })
    }

    /// Starts all games, with their chance as it is.
    fn begin_all(&mut self, stop: &StopFlag) {
        let rules = &self.rules;
        let work = |chunk: &mut Chunk<G>| chunk.begin(rules, stop);
        self.threads.each(self.chunks.iter_mut(), work);
    }

    /// Does something with all chunks and their outputs.
    fn each(
        &mut self,
        out: &mut Outputs<'_>,
        work: impl Fn(&Rules<G>, &mut Chunk<G>, Outputs<'_>) + Sync,
    ) {
        let (rules, mut rest) = (&self.rules, out.lend());
        let items = self.chunks.iter_mut().map(|chunk| {
            let out = rest.take(chunk.slots.len(), rules.sizes);
            (chunk, out)
        });
        self.threads
            .each(items, |(chunk, out)| work(rules, chunk, out));
    }

    /// The chunk of a game, and its place there.
    fn place(&self, index: usize) -> (usize, usize) {
        (index / self.size, index % self.size)
    }
}

impl<G: Game> Chunk<G> {
    fn new(
        rules: &Rules<G>,
        first: usize,
        count: usize,
        seed: u64,
    ) -> Result<Chunk<G>, TryReserveError> {
        // Python goes on where there is no room; collecting would end it.
        let (mut slots, mut histories, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        slots.try_reserve_exact(count)?;
        moves.try_reserve_exact(count)?;
        slots.extend((first..first + count).map(|index| Slot {
            position: rules.start.clone(),
            chance: chance(seed, index),
            learner: Side::X,
        }));
        if G::CAN_REPEAT {
            histories.try_reserve_exact(count)?;
            histories.extend((0..count).map(|_| History::new(&rules.start)));
        }
        Ok(Chunk {
            first,
            slots,
            histories,
            moves,
            refused: None,
            finals: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// Starts its games. Where there are opponents, it is the learner's turn then.
    fn begin(&mut self, rules: &Rules<G>, stop: &StopFlag) {
        self.finals.clear();
        for place in 0..self.slots.len() {
            self.slots[place].position.clone_from(&rules.start);
            if let Some(history) = self.histories.get_mut(place) {
                history.begin(&rules.start);
            }
            if let Some(opponents) = &rules.opponents {
                self.begin_against(rules, opponents, place, stop);
            }
        }
    }

    /// Draws the learner's side of a game that starts, and makes the opponent's first moves.
    fn begin_against(
        &mut self,
        rules: &Rules<G>,
        opponents: &Opponents,
        place: usize,
        stop: &StopFlag,
    ) {
        let slot = &mut self.slots[place];
        slot.learner = opponents.side.draw(&mut slot.chance);
        // A first move does not end a game: such games are not set up with opponents.
        self.reply(rules, opponents, place, stop);
    }

    /// The opponent moves until it is the learner's turn or the game is over.
    fn reply(
        &mut self,
        rules: &Rules<G>,
        opponents: &Opponents,
        place: usize,
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let game = &rules.game;
        loop {
            let slot = &mut self.slots[place];
            if game.side(&slot.position) == slot.learner {
                return None;
            }
            let mv = match opponents.kind(self.first + place) {
                BotKind::Random => game.random_move(&slot.position, &mut slot.chance),
                // Nobody waits for it any longer, but every game is left at the learner's turn.
                _ if stop.is_stopped() => game.random_move(&slot.position, &mut slot.chance),
                kind => {
                    let play = as_play(rules, &slot.position, self.histories.get(place));
                    let chosen = play.ok().and_then(|play| {
                        let text = opponents.choose(kind, &play, &mut slot.chance, stop)?;
                        game.parse_move(&text).ok()
                    });
                    // A bot always has a move; if one broke down, the game goes on.
                    chosen.or_else(|| game.random_move(&slot.position, &mut slot.chance))
                }
            };
            let outcome = self.make(rules, place, mv?);
            if outcome.is_some() {
                return outcome;
            }
        }
    }

    /// Makes a move in one game.
    #[inline(always)]
    fn make(&mut self, rules: &Rules<G>, place: usize, mv: G::Move) -> Option<Outcome> {
        let (game, position) = (&rules.game, &mut self.slots[place].position);
        game.apply(position, mv);
        let mut outcome = game.outcome(position);
        if G::CAN_REPEAT
            && let Some(history) = self.histories.get_mut(place)
        {
            history.add(mv, position);
            if outcome.is_none() && history.seen.is_draw_by_repetition(position) {
                outcome = Some(Outcome::Draw);
            }
        }
        self.tally.moves += 1;
        outcome
    }

    /// Makes a move in one game; the opponent replies where there is one, and after the last
    /// move the next game starts.
    #[inline(always)]
    fn step_one(
        &mut self,
        rules: &Rules<G>,
        place: usize,
        mv: G::Move,
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let mut outcome = self.make(rules, place, mv);
        if let (None, Some(opponents)) = (outcome, &rules.opponents) {
            outcome = self.reply(rules, opponents, place, stop);
        }
        self.tally.add(outcome?);
        let position = &mut self.slots[place].position;
        let last = std::mem::replace(position, rules.start.clone());
        self.finals.push((place, last));
        if let Some(history) = self.histories.get_mut(place) {
            history.begin(&rules.start);
        }
        if let Some(opponents) = &rules.opponents {
            self.begin_against(rules, opponents, place, stop);
        }
        outcome
    }

    /// Makes the move that `choose` gives in every game, and shows what follows.
    #[inline(always)]
    fn step_all(
        &mut self,
        rules: &Rules<G>,
        out: &mut Outputs<'_>,
        stop: &StopFlag,
        mut choose: impl FnMut(&G, &mut Chunk<G>, usize) -> Option<G::Move>,
    ) {
        self.finals.clear();
        let count = self.slots.len();
        let mut outcomes = [None; BLOCK];
        for first in (0..count).step_by(BLOCK) {
            let places = first..count.min(first + BLOCK);
            for (place, outcome) in places.clone().zip(&mut outcomes) {
                // A game that goes on has a move: there is always one.
                *outcome = choose(&rules.game, self, place).and_then(|mv| {
                    if let Some(action) = out.actions.get_mut(place) {
                        *action = rules.game.action(mv) as i64;
                    }
                    self.step_one(rules, place, mv, stop)
                });
            }
            for ((place, slot), &outcome) in places.clone().zip(&self.slots[places]).zip(&outcomes)
            {
                show(rules, &slot.position, place, outcome, out);
            }
        }
    }

    /// Reads the moves with these numbers; or notes the first one that is not legal.
    fn read(&mut self, rules: &Rules<G>, actions: &[i64]) {
        self.moves.clear();
        self.refused = None;
        for (place, slot) in self.slots.iter().enumerate() {
            let index = self.first + place;
            let action = actions.get(index).copied().unwrap_or(-1);
            match legal(rules, &slot.position, action) {
                Ok(mv) => self.moves.push(mv),
                Err(reason) => {
                    self.refused = Some(Refused { index, reason });
                    return;
                }
            }
        }
    }
}

/// The move with this number, if it is legal.
#[inline]
fn legal<G: Game>(
    rules: &Rules<G>,
    position: &G::Position,
    action: i64,
) -> Result<G::Move, String> {
    let game = &rules.game;
    let mv = usize::try_from(action).ok();
    let Some(mv) = mv.and_then(|action| game.move_from_action(action)) else {
        return Err(format!(
            "there is no move number {action}: those of {} go from 0 to {}",
            game.variant(),
            rules.sizes.mask.saturating_sub(1)
        ));
    };
    match game.check(position, mv) {
        Ok(()) => Ok(mv),
        Err(reason) => Err(format!(
            "move number {action}, {}, is not legal: {reason}",
            game.move_text(mv)
        )),
    }
}

/// What a game in this place shows now.
#[inline(always)]
fn show<G: Game>(
    rules: &Rules<G>,
    position: &G::Position,
    place: usize,
    outcome: Option<Outcome>,
    out: &mut Outputs<'_>,
) {
    let (game, sizes) = (&rules.game, rules.sizes);
    let planes = place * sizes.planes..(place + 1) * sizes.planes;
    if let Some(planes) = out.planes.get_mut(planes) {
        game.write_observation(position, planes);
    }
    let mask = place * sizes.mask..(place + 1) * sizes.mask;
    if let Some(mask) = out.masks.get_mut(mask) {
        game.write_action_mask(position, mask);
    }
    if let Some(rewards) = out.rewards.get_mut(2 * place..2 * place + 2) {
        rewards.copy_from_slice(&match outcome {
            Some(Outcome::Win(Side::X)) => [1.0, -1.0],
            Some(Outcome::Win(Side::O)) => [-1.0, 1.0],
            Some(Outcome::Draw) | None => [0.0; 2],
        });
    }
    if let Some(end) = out.ends.get_mut(place) {
        *end = outcome.is_some().into();
    }
    if let Some(player) = out.players.get_mut(place) {
        *player = game.side(position) as i8;
    }
}

/// A game as the other crates know it.
fn as_play<G: Game>(
    rules: &Rules<G>,
    position: &G::Position,
    history: Option<&History<G>>,
) -> Result<AnyGameState, SetupError> {
    let game = &rules.game;
    let start = history.map_or(position, |history| &history.start);
    let mut play = AnyGameState::from_setup(game.variant(), &game.setup(start))?;
    for &mv in history.iter().flat_map(|history| &history.moves) {
        // Made once already: it is not refused.
        let _ = play.play(&game.move_text(mv));
    }
    Ok(play)
}

impl Tally {
    #[inline]
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win(Side::X) => self.x += 1,
            Outcome::Win(Side::O) => self.o += 1,
            Outcome::Draw => self.draws += 1,
        }
    }
}

/// The chance of the game with this number. Mixed twice: neighboring numbers and
/// neighboring seeds have nothing in common.
fn chance(seed: u64, index: usize) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    let own = mixed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(SplitMix64::seed_from_u64(own).next_u64())
}

impl<G: Game> Games for Table<G> {
    fn reset(&mut self, seed: Option<u64>, stop: &StopFlag) {
        for chunk in &mut self.chunks {
            chunk.tally = Tally::default();
            if let Some(seed) = seed {
                for (index, slot) in (chunk.first..).zip(&mut chunk.slots) {
                    slot.chance = chance(seed, index);
                }
            }
        }
        self.begin_all(stop);
    }

    fn show(&self, out: &mut Outputs<'_>) {
        for chunk in &self.chunks {
            for place in 0..chunk.slots.len() {
                self.show_one(chunk.first + place, out);
            }
        }
    }

    fn show_one(&self, index: usize, out: &mut Outputs<'_>) {
        let (chunk, place) = self.place(index);
        let slot = self.chunks.get(chunk).and_then(|it| it.slots.get(place));
        if let Some(slot) = slot {
            show(&self.rules, &slot.position, index, None, out);
        }
        if let Some(action) = out.actions.get_mut(index) {
            *action = -1;
        }
    }

    fn step(
        &mut self,
        actions: &[i64],
        out: &mut Outputs<'_>,
        stop: &StopFlag,
    ) -> Result<(), Refused> {
        let none = &mut Outputs::none();
        self.each(none, |rules, chunk, _| chunk.read(rules, actions));
        // The first of them, whichever thread found one first.
        let refused = self.chunks.iter_mut().find_map(|it| it.refused.take());
        if let Some(refused) = refused {
            return Err(refused);
        }
        self.each(out, |rules, chunk, mut out| {
            chunk.step_all(rules, &mut out, stop, |_, chunk, place| {
                chunk.moves.get(place).copied()
            });
        });
        Ok(())
    }

    fn step_random(&mut self, steps: u64, out: &mut Outputs<'_>, stop: &StopFlag) {
        self.each(out, |rules, chunk, mut out| {
            let choose = |game: &G, chunk: &mut Chunk<G>, place: usize| {
                let Slot {
                    position, chance, ..
                } = &mut chunk.slots[place];
                game.random_move(position, chance)
            };
            for _ in 1..steps {
                chunk.step_all(rules, &mut Outputs::none(), stop, choose);
            }
            chunk.step_all(rules, &mut out, stop, choose);
        });
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        let slots = self.chunks.iter_mut().flat_map(|it| &mut it.slots);
        for (slot, action) in slots.zip(actions) {
            let mv = self
                .rules
                .game
                .random_move(&slot.position, &mut slot.chance);
            *action = mv.map_or(-1, |mv| self.rules.game.action(mv) as i64);
        }
    }

    fn play(&self, index: usize) -> Result<AnyGameState, SetupError> {
        let (chunk, place) = self.place(index);
        let chunk = &self.chunks[chunk];
        let history = chunk.histories.get(place);
        as_play(&self.rules, &chunk.slots[place].position, history)
    }

    fn set(&mut self, index: usize, play: &AnyGameState) -> bool {
        let (chunk, place) = self.place(index);
        let Some(chunk) = self.chunks.get_mut(chunk) else {
            return false;
        };
        let Some(slot) = chunk.slots.get_mut(place) else {
            return false;
        };
        let history = chunk.histories.get_mut(place);
        play.variant() == self.rules.game.variant() && play.visit(Put { slot, history })
    }

    fn finals(&self) -> Vec<(usize, Result<AnyGameState, SetupError>)> {
        let all = self.chunks.iter().flat_map(|chunk| {
            let finals = chunk.finals.iter();
            finals.map(|(place, position)| {
                let play = as_play(&self.rules, position, None);
                (chunk.first + place, play)
            })
        });
        all.collect()
    }

    fn observe_finals(&self) -> (Vec<i8>, Vec<u8>) {
        let Rules { game, sizes, .. } = &self.rules;
        let finals = || self.chunks.iter().flat_map(|chunk| &chunk.finals);
        let players: Vec<i8> = finals().map(|(_, last)| game.side(last) as i8).collect();
        let mut planes = vec![0; players.len() * sizes.planes];
        for ((_, last), planes) in finals().zip(planes.chunks_exact_mut(sizes.planes.max(1))) {
            game.write_observation(last, planes);
        }
        (players, planes)
    }

    fn set_final(&mut self, index: usize, play: &AnyGameState) -> bool {
        let (chunk, place) = self.place(index);
        let (Some(chunk), Some(last)) = (
            self.chunks.get_mut(chunk),
            play.visit(Get(std::marker::PhantomData::<G>)),
        ) else {
            return false;
        };
        chunk.finals.push((place, last));
        true
    }

    fn chances(&self) -> Vec<Chance> {
        let slots = self.chunks.iter().flat_map(|chunk| &chunk.slots);
        slots.map(|slot| slot.chance.state()).collect()
    }

    fn set_chance(&mut self, index: usize, chance: Chance) {
        let (chunk, place) = self.place(index);
        let slot = self.chunks.get_mut(chunk);
        if let Some(slot) = slot.and_then(|it| it.slots.get_mut(place)) {
            slot.chance = Xoshiro256PlusPlus::from_seed(chance);
        }
    }

    fn tally(&self) -> Tally {
        let mut sum = Tally::default();
        for Tally { moves, x, o, draws } in self.chunks.iter().map(|chunk| chunk.tally) {
            sum.moves += moves;
            sum.x += x;
            sum.o += o;
            sum.draws += draws;
        }
        sum
    }

    fn set_tally(&mut self, tally: Tally) {
        for chunk in &mut self.chunks {
            chunk.tally = Tally::default();
        }
        if let Some(chunk) = self.chunks.first_mut() {
            chunk.tally = tally;
        }
    }
}

/// Puts a game into a slot, if both are of the same type.
struct Put<'a, G: Game> {
    slot: &'a mut Slot<G>,
    history: Option<&'a mut History<G>>,
}

impl<G: Game> Visitor for Put<'_, G> {
    type Output = bool;

    fn visit<H: Game>(self, play: &GameState<H>) -> bool {
        let Some(play) = (play as &dyn Any).downcast_ref::<GameState<G>>() else {
            return false;
        };
        self.slot.position.clone_from(play.position());
        self.slot.learner = play.game().side(play.position());
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

/// A position of this game, if it is one.
struct Get<G>(std::marker::PhantomData<G>);

impl<G: Game> Visitor for Get<G> {
    type Output = Option<G::Position>;

    fn visit<H: Game>(self, play: &GameState<H>) -> Option<G::Position> {
        let play = (play as &dyn Any).downcast_ref::<GameState<G>>()?;
        Some(play.position().clone())
    }
}
