//! Many games of one variant, stepped at once, by several threads if there are enough games. Generic
//! over the game and dispatched once, at creation. Independent of Python.
//!
//! Games are stored in chunks. A thread takes a chunk, steps its games, writes their outputs and takes
//! the next one. Games don't depend on each other, so the number of threads and the size of the chunks
//! only affect the speed.

use std::any::Any;
use std::collections::TryReserveError;
use std::fmt::Display;
use std::marker::PhantomData;

use noughts_engine::{BotKind, StopFlag};
use noughts_rules::{
    AnyGameState, Game, GameState, GameVisitor, Outcome, RepetitionCounter, Side, Variant,
    for_each_game_type,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::opponents::Opponents;
use super::threads::Threads;
use crate::counts::Tally;

/// The outputs of a step, game after game. Those that are empty aren't written.
#[derive(Default)]
pub(crate) struct Outputs<'a> {
    pub(crate) planes: &'a mut [u8],
    pub(crate) masks: &'a mut [i8],
    /// For X and O: 1 for a win, −1 for a loss, 0 for a draw or an unfinished game.
    pub(crate) rewards: &'a mut [f32],
    /// Did the game end with this move? The other outputs are then those of the next game's start.
    pub(crate) ends: &'a mut [u8],
    /// The side to move: 0 for X, 1 for O.
    pub(crate) players: &'a mut [i8],
    /// The actions just applied.
    pub(crate) actions: &'a mut [i64],
}

impl<'a> Outputs<'a> {
    /// Splits off the outputs of the first `games` games.
    fn split_off_first(&mut self, games: usize, sizes: Sizes) -> Outputs<'a> {
        fn split_first<'a, T>(row: &mut &'a mut [T], length: usize) -> &'a mut [T] {
            row.split_off_mut(..length.min(row.len()))
                .unwrap_or_default()
        }
        Outputs {
            planes: split_first(&mut self.planes, games * sizes.planes),
            masks: split_first(&mut self.masks, games * sizes.mask),
            rewards: split_first(&mut self.rewards, games * 2),
            ends: split_first(&mut self.ends, games),
            players: split_first(&mut self.players, games),
            actions: split_first(&mut self.actions, games),
        }
    }
}

/// The first illegal action of a step, which changed nothing: the game's index and the reason.
pub(crate) struct IllegalAction {
    pub(crate) index: usize,
    pub(crate) reason: String,
}

/// Saved games: positions as text.
pub(crate) struct SavedGames {
    /// The initial position and the moves of each game.
    pub(crate) games: Vec<(String, Vec<String>)>,
    /// The state of each game's random generator.
    pub(crate) rng_states: Vec<Vec<u8>>,
    /// The games that ended with the last step, and their final positions.
    pub(crate) finals: Vec<(usize, String)>,
    pub(crate) tally: Tally,
}

/// Many games of one variant, type-erased.
pub(crate) trait VectorGames: Send {
    /// Restarts all games; with a seed, also reseeds their random generators.
    fn reset(&mut self, seed: Option<u64>, stop: &StopFlag);

    /// Writes the outputs of every game, as if no move had been made yet.
    fn write_outputs(&self, out: &mut Outputs<'_>);

    /// Writes the outputs of one game.
    fn write_game_outputs(&self, index: usize, out: &mut Outputs<'_>);

    /// Makes a move in every game, or in none if one is illegal.
    fn step(
        &mut self,
        actions: &[i64],
        out: Outputs<'_>,
        stop: &StopFlag,
    ) -> Result<(), IllegalAction>;

    /// Makes `steps` random legal moves in every game; the outputs are those of the last one.
    fn step_random(&mut self, steps: u64, out: Outputs<'_>, stop: &StopFlag);

    /// Picks a random legal move for every game with the same generators as `step_random`.
    fn random_actions(&mut self, actions: &mut [i64]);

    /// The current state of the game with this index.
    fn state(&self, index: usize) -> AnyGameState;

    /// Replaces the game with this index by a state of the same variant; the learner plays the side to move.
    fn set_state(&mut self, index: usize, state: &AnyGameState);

    /// The final positions of the games that ended with the last step.
    fn final_states(&self) -> Vec<AnyGameState>;

    /// The side to move in each of those positions, and their observations.
    fn final_observations(&self) -> (Vec<i8>, Vec<u8>);

    /// Everything that changes during the games.
    fn save(&self) -> SavedGames;

    /// Continues saved games. Returns `None` if they aren't as many unfinished games of this variant.
    fn restore(&mut self, saved: SavedGames) -> Option<()>;

    /// The counts since the last reset.
    fn tally(&self) -> Tally;
}

/// Creates `count` games of the variant that it visits; fails if there isn't enough memory. With opponents,
/// `reset` has to be called first: it makes their opening moves.
pub(crate) struct BatchConfig {
    pub(crate) count: usize,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) opponents: Option<Opponents>,
}

impl GameVisitor for BatchConfig {
    type Output = Result<Box<dyn VectorGames>, TryReserveError>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Self::Output {
        Ok(Box::new(GameBatch::new(state.game().clone(), self)?))
    }
}

/// Approximate bytes per game, not counting the outputs.
pub(crate) struct GameSize;

impl GameVisitor for GameSize {
    type Output = usize;

    fn visit<G: Game>(self, state: &GameState<G>) -> usize {
        // Boards on the heap take less than one byte per cell.
        size_of::<Slot<G>>() + size_of::<G::Move>() + state.game().count_actions()
    }
}

/// A game with its own random generator, so that it depends on its index and the seed, but not on the
/// number of games.
struct Slot<G: Game> {
    position: G::Position,
    rng: Xoshiro256PlusPlus,
    /// The learner's side, if there are opponents.
    learner: Side,
}

/// The history of a game, for draws by repetition.
struct History<G: Game> {
    start: G::Position,
    moves: Vec<G::Move>,
    repetitions: RepetitionCounter<G>,
}

impl<G: Game> History<G> {
    fn new(game: &G, start: &G::Position) -> History<G> {
        let mut history = History {
            start: start.clone(),
            moves: Vec::new(),
            repetitions: RepetitionCounter::new(game),
        };
        history.restart(start);
        history
    }

    fn restart(&mut self, start: &G::Position) {
        self.start.clone_from(start);
        self.moves.clear();
        self.repetitions.clear();
        self.repetitions.record(start);
    }

    fn push(&mut self, mv: G::Move, position: &G::Position) {
        self.moves.push(mv);
        self.repetitions.record(position);
    }
}

/// The lengths of one game's outputs.
#[derive(Clone, Copy)]
struct Sizes {
    planes: usize,
    mask: usize,
}

/// What all games of a batch share.
struct BatchRules<G: Game> {
    game: G,
    start: G::Position,
    sizes: Sizes,
    opponents: Option<Opponents>,
}

/// Neighboring games that one thread steps at a time. Aligned to a pair of cache lines, because
/// processors fetch them in pairs: this avoids false sharing between threads.
#[repr(align(128))]
struct Chunk<G: Game> {
    /// The index of its first game.
    first: usize,
    slots: Vec<Slot<G>>,
    /// One for each slot in games where positions can repeat, otherwise empty.
    histories: Vec<History<G>>,
    /// Moves that were checked and are to be applied next.
    moves: Vec<G::Move>,
    /// The first illegal action.
    illegal: Option<IllegalAction>,
    /// The games that ended with the last step, with their final positions.
    finals: Vec<(usize, G::Position)>,
    tally: Tally,
}

struct GameBatch<G: Game> {
    rules: BatchRules<G>,
    chunks: Vec<Chunk<G>>,
    /// The number of games in every chunk except the last.
    chunk_size: usize,
    threads: Threads,
}

/// Small enough that threads finish at about the same time.
const MAX_CHUNK_SIZE: usize = 256;

/// Several chunks for each thread, so that others can take over the work of a slow one.
const CHUNKS_PER_THREAD: usize = 4;

/// Moves are made in this many games before their outputs are written. Making a move is a chain of
/// dependent instructions, and writing outputs is many stores: separated, the processor overlaps the
/// chains of several games. Small enough that the games are still in the cache when written.
const BLOCK_SIZE: usize = 32;

impl<G: Game> GameBatch<G> {
    fn new(game: G, config: BatchConfig) -> Result<GameBatch<G>, TryReserveError> {
        let (count, threads) = (config.count, config.threads);
        let chunk_count = threads.max(1) * CHUNKS_PER_THREAD;
        let chunk_size = count.div_ceil(chunk_count).clamp(1, MAX_CHUNK_SIZE);
        let rules = BatchRules {
            start: game.start(),
            sizes: Sizes {
                planes: game.observation_shape().iter().product(),
                mask: game.count_actions(),
            },
            game,
            opponents: config.opponents,
        };
        // Reserve everything at once to detect a lack of memory early.
        Vec::<Slot<G>>::new().try_reserve_exact(count)?;
        let mut chunks = Vec::new();
        chunks.try_reserve_exact(count.div_ceil(chunk_size))?;
        for first in (0..count).step_by(chunk_size) {
            let size = chunk_size.min(count - first);
            chunks.push(Chunk::new(&rules, first, size, config.seed)?);
        }
        Ok(GameBatch {
            rules,
            chunks,
            chunk_size,
            threads: Threads::new(threads),
        })
    }

    /// Runs `work` on every chunk and its outputs.
    fn for_each_chunk(
        &mut self,
        mut out: Outputs<'_>,
        work: impl Fn(&BatchRules<G>, &mut Chunk<G>, Outputs<'_>) + Sync,
    ) {
        let rules = &self.rules;
        let items = self.chunks.iter_mut().map(|chunk| {
            let out = out.split_off_first(chunk.slots.len(), rules.sizes);
            (chunk, out)
        });
        self.threads
            .for_each(items, |(chunk, out)| work(rules, chunk, out));
    }

    /// The chunk of a game, and its offset in it.
    fn locate(&self, index: usize) -> (usize, usize) {
        (index / self.chunk_size, index % self.chunk_size)
    }
}

impl<G: Game> Chunk<G> {
    fn new(
        rules: &BatchRules<G>,
        first: usize,
        count: usize,
        seed: u64,
    ) -> Result<Chunk<G>, TryReserveError> {
        // Report a lack of memory as an error; `collect` would abort the process.
        let (mut slots, mut histories, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        slots.try_reserve_exact(count)?;
        moves.try_reserve_exact(count)?;
        slots.extend((first..first + count).map(|index| Slot {
            position: rules.start.clone(),
            rng: game_rng(seed, index),
            learner: Side::X,
        }));
        if rules.game.can_repeat() {
            histories.try_reserve_exact(count)?;
            histories.extend((0..count).map(|_| History::new(&rules.game, &rules.start)));
        }
        Ok(Chunk {
            first,
            slots,
            histories,
            moves,
            illegal: None,
            finals: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// Restarts its games. If there are opponents, the learner is to move afterwards.
    fn restart(&mut self, rules: &BatchRules<G>, stop: &StopFlag) {
        self.finals.clear();
        for offset in 0..self.slots.len() {
            self.slots[offset].position.clone_from(&rules.start);
            if let Some(history) = self.histories.get_mut(offset) {
                history.restart(&rules.start);
            }
            if let Some(opponents) = &rules.opponents {
                self.start_against(rules, opponents, offset, stop);
            }
        }
    }

    /// Picks the learner's side for a new game, and makes the opponent's opening moves.
    fn start_against(
        &mut self,
        rules: &BatchRules<G>,
        opponents: &Opponents,
        offset: usize,
        stop: &StopFlag,
    ) {
        let slot = &mut self.slots[offset];
        slot.learner = opponents.side.pick(&mut slot.rng);
        // The first move can't end the game: opponents are rejected for such games.
        self.play_replies(rules, opponents, offset, stop);
    }

    /// Makes the opponent's moves until the learner is to move or the game is over.
    fn play_replies(
        &mut self,
        rules: &BatchRules<G>,
        opponents: &Opponents,
        offset: usize,
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let game = &rules.game;
        loop {
            let slot = &mut self.slots[offset];
            if game.side(&slot.position) == slot.learner {
                return None;
            }
            let mv = match opponents.kind(self.first + offset) {
                BotKind::Random => game.random_move(&slot.position, &mut slot.rng),
                // Interrupted: move at random, so that it's still the learner's turn in every game.
                _ if stop.is_stopped() => game.random_move(&slot.position, &mut slot.rng),
                kind => {
                    let state = to_game_state(rules, &slot.position, self.histories.get(offset));
                    let text = opponents.choose(kind, &state, &mut slot.rng, stop);
                    let chosen = text.and_then(|text| game.parse_move(&text).ok());
                    // Bots always return a move; if one fails anyway, continue the game.
                    chosen.or_else(|| game.random_move(&slot.position, &mut slot.rng))
                }
            };
            let outcome = self.apply_move(rules, offset, mv?);
            if outcome.is_some() {
                return outcome;
            }
        }
    }

    #[inline(always)]
    fn apply_move(&mut self, rules: &BatchRules<G>, offset: usize, mv: G::Move) -> Option<Outcome> {
        let (game, position) = (&rules.game, &mut self.slots[offset].position);
        game.apply(position, mv);
        let mut outcome = game.outcome(position);
        if game.can_repeat()
            && let Some(history) = self.histories.get_mut(offset)
        {
            history.push(mv, position);
            if outcome.is_none() && history.repetitions.is_draw_by_repetition(position) {
                outcome = Some(Outcome::Draw);
            }
        }
        self.tally.moves += 1;
        outcome
    }

    /// Makes a move in one game and lets the opponent reply, if there is one. After the last move the
    /// next game starts.
    #[inline(always)]
    fn step_one(
        &mut self,
        rules: &BatchRules<G>,
        offset: usize,
        mv: G::Move,
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let mut outcome = self.apply_move(rules, offset, mv);
        if let (None, Some(opponents)) = (outcome, &rules.opponents) {
            outcome = self.play_replies(rules, opponents, offset, stop);
        }
        self.tally.add(outcome?, 1);
        let position = &mut self.slots[offset].position;
        let last = std::mem::replace(position, rules.start.clone());
        self.finals.push((offset, last));
        if let Some(history) = self.histories.get_mut(offset) {
            history.restart(&rules.start);
        }
        if let Some(opponents) = &rules.opponents {
            self.start_against(rules, opponents, offset, stop);
        }
        outcome
    }

    /// Makes the move that `choose` returns in every game, and writes the outputs.
    #[inline(always)]
    fn step_all(
        &mut self,
        rules: &BatchRules<G>,
        out: &mut Outputs<'_>,
        stop: &StopFlag,
        mut choose: impl FnMut(&G, &mut Chunk<G>, usize) -> Option<G::Move>,
    ) {
        self.finals.clear();
        let count = self.slots.len();
        let mut outcomes = [None; BLOCK_SIZE];
        for first in (0..count).step_by(BLOCK_SIZE) {
            let offsets = first..count.min(first + BLOCK_SIZE);
            for (offset, outcome) in offsets.clone().zip(&mut outcomes) {
                // Every game in a slot is unfinished, so it always has a legal move.
                *outcome = choose(&rules.game, self, offset).and_then(|mv| {
                    if let Some(action) = out.actions.get_mut(offset) {
                        *action = rules.game.action(mv) as i64;
                    }
                    self.step_one(rules, offset, mv, stop)
                });
            }
            for ((offset, slot), &outcome) in
                offsets.clone().zip(&self.slots[offsets]).zip(&outcomes)
            {
                write_game(rules, &slot.position, offset, outcome, out);
            }
        }
    }

    /// Converts these actions to moves, or records the first illegal one.
    fn parse_actions(&mut self, rules: &BatchRules<G>, actions: &[i64]) {
        self.moves.clear();
        self.illegal = None;
        for (offset, slot) in self.slots.iter().enumerate() {
            let index = self.first + offset;
            let action = actions.get(index).copied().unwrap_or(-1);
            match legal_move(rules, &slot.position, action) {
                Ok(mv) => self.moves.push(mv),
                Err(reason) => {
                    self.illegal = Some(IllegalAction { index, reason });
                    return;
                }
            }
        }
    }
}

/// Why a number isn't an action of a variant with this many actions.
pub(crate) fn action_range_message(action: impl Display, variant: Variant, count: usize) -> String {
    let last = count.saturating_sub(1);
    format!("action {action} is out of range; the actions of {variant} are 0 to {last}")
}

/// The move of an action, if it is legal.
#[inline]
fn legal_move<G: Game>(
    rules: &BatchRules<G>,
    position: &G::Position,
    action: i64,
) -> Result<G::Move, String> {
    let game = &rules.game;
    let mv = usize::try_from(action).ok();
    let Some(mv) = mv.and_then(|action| game.move_from_action(action)) else {
        return Err(action_range_message(
            action,
            game.variant(),
            rules.sizes.mask,
        ));
    };
    match game.check(position, mv) {
        Ok(()) => Ok(mv),
        Err(reason) => Err(format!(
            "action {action} ({move_text}) is illegal: {reason}",
            move_text = game.move_text(mv)
        )),
    }
}

/// Writes the outputs of the game at this offset.
#[inline(always)]
fn write_game<G: Game>(
    rules: &BatchRules<G>,
    position: &G::Position,
    offset: usize,
    outcome: Option<Outcome>,
    out: &mut Outputs<'_>,
) {
    let (game, sizes) = (&rules.game, rules.sizes);
    let planes = offset * sizes.planes..(offset + 1) * sizes.planes;
    if let Some(planes) = out.planes.get_mut(planes) {
        game.write_observation(position, planes);
    }
    let mask = offset * sizes.mask..(offset + 1) * sizes.mask;
    if let Some(mask) = out.masks.get_mut(mask) {
        game.write_action_mask(position, mask);
    }
    if let Some(rewards) = out.rewards.get_mut(2 * offset..2 * offset + 2) {
        rewards.copy_from_slice(&match outcome {
            Some(Outcome::Win(Side::X)) => [1.0, -1.0],
            Some(Outcome::Win(Side::O)) => [-1.0, 1.0],
            Some(Outcome::Draw) | None => [0.0; 2],
        });
    }
    if let Some(end) = out.ends.get_mut(offset) {
        *end = outcome.is_some().into();
    }
    if let Some(player) = out.players.get_mut(offset) {
        *player = game.side(position) as i8;
    }
}

/// Converts a position and its history to the type of the other crates.
fn to_game_state<G: Game>(
    rules: &BatchRules<G>,
    position: &G::Position,
    history: Option<&History<G>>,
) -> AnyGameState {
    let game = rules.game.clone();
    let start = history.map_or(position, |history| &history.start);
    let mut state = GameState::from_position(game, start.clone());
    for &mv in history.iter().flat_map(|history| &history.moves) {
        // Legal, because it was made in this game before.
        let _ = state.play(mv);
    }
    erase(&state)
}

macro_rules! erase_type {
    ([$state:ident] $($case:ident: $game:ty,)*) => {
        $(if let Some(state) = $state.downcast_ref::<GameState<$game>>() {
            return state.clone().into();
        })*
    };
}

/// A game in progress as the case of its type.
fn erase<G: Game>(state: &GameState<G>) -> AnyGameState {
    let any: &dyn Any = state;
    for_each_game_type!(erase_type[any]);
    // Every game has a case; this one isn't reached.
    AnyGameState::new(state.game().variant())
}

/// The random generator of the game with this index. Mixed twice, so that neighboring indices and
/// neighboring seeds give unrelated sequences.
fn game_rng(seed: u64, index: usize) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    let game_seed = mixed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(SplitMix64::seed_from_u64(game_seed).next_u64())
}

impl<G: Game> VectorGames for GameBatch<G> {
    fn reset(&mut self, seed: Option<u64>, stop: &StopFlag) {
        for chunk in &mut self.chunks {
            chunk.tally = Tally::default();
            if let Some(seed) = seed {
                for (index, slot) in (chunk.first..).zip(&mut chunk.slots) {
                    slot.rng = game_rng(seed, index);
                }
            }
        }
        let rules = &self.rules;
        let work = |chunk: &mut Chunk<G>| chunk.restart(rules, stop);
        self.threads.for_each(self.chunks.iter_mut(), work);
    }

    fn write_outputs(&self, out: &mut Outputs<'_>) {
        for chunk in &self.chunks {
            for offset in 0..chunk.slots.len() {
                self.write_game_outputs(chunk.first + offset, out);
            }
        }
    }

    fn write_game_outputs(&self, index: usize, out: &mut Outputs<'_>) {
        let (chunk, offset) = self.locate(index);
        let slot = self
            .chunks
            .get(chunk)
            .and_then(|chunk| chunk.slots.get(offset));
        if let Some(slot) = slot {
            write_game(&self.rules, &slot.position, index, None, out);
        }
        if let Some(action) = out.actions.get_mut(index) {
            *action = -1;
        }
    }

    fn step(
        &mut self,
        actions: &[i64],
        out: Outputs<'_>,
        stop: &StopFlag,
    ) -> Result<(), IllegalAction> {
        self.for_each_chunk(Outputs::default(), |rules, chunk, _| {
            chunk.parse_actions(rules, actions);
        });
        // The illegal action with the lowest index, whichever thread found one first.
        let illegal = self
            .chunks
            .iter_mut()
            .find_map(|chunk| chunk.illegal.take());
        if let Some(illegal) = illegal {
            return Err(illegal);
        }
        self.for_each_chunk(out, |rules, chunk, mut out| {
            chunk.step_all(rules, &mut out, stop, |_, chunk, offset| {
                chunk.moves.get(offset).copied()
            });
        });
        Ok(())
    }

    fn step_random(&mut self, steps: u64, out: Outputs<'_>, stop: &StopFlag) {
        self.for_each_chunk(out, |rules, chunk, mut out| {
            let choose = |game: &G, chunk: &mut Chunk<G>, offset: usize| {
                let Slot { position, rng, .. } = &mut chunk.slots[offset];
                game.random_move(position, rng)
            };
            for _ in 1..steps {
                chunk.step_all(rules, &mut Outputs::default(), stop, choose);
            }
            chunk.step_all(rules, &mut out, stop, choose);
        });
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        let slots = self.chunks.iter_mut().flat_map(|chunk| &mut chunk.slots);
        for (slot, action) in slots.zip(actions) {
            let mv = self.rules.game.random_move(&slot.position, &mut slot.rng);
            *action = mv.map_or(-1, |mv| self.rules.game.action(mv) as i64);
        }
    }

    fn state(&self, index: usize) -> AnyGameState {
        let (chunk, offset) = self.locate(index);
        let chunk = &self.chunks[chunk];
        let history = chunk.histories.get(offset);
        to_game_state(&self.rules, &chunk.slots[offset].position, history)
    }

    fn set_state(&mut self, index: usize, state: &AnyGameState) {
        let (chunk, offset) = self.locate(index);
        let chunk = &mut self.chunks[chunk];
        let Some(state) = state.visit(DowncastState::<G>(PhantomData)) else {
            return;
        };
        let slot = &mut chunk.slots[offset];
        slot.position.clone_from(state.position());
        slot.learner = state.game().side(state.position());
        if let Some(history) = chunk.histories.get_mut(offset) {
            let mut position = state.start().clone();
            history.restart(&position);
            for &mv in state.moves() {
                state.game().apply(&mut position, mv);
                history.push(mv, &position);
            }
        }
    }

    fn final_states(&self) -> Vec<AnyGameState> {
        let finals = self.chunks.iter().flat_map(|chunk| &chunk.finals);
        finals
            .map(|(_, position)| to_game_state(&self.rules, position, None))
            .collect()
    }

    fn final_observations(&self) -> (Vec<i8>, Vec<u8>) {
        let BatchRules { game, sizes, .. } = &self.rules;
        let finals = || self.chunks.iter().flat_map(|chunk| &chunk.finals);
        let players: Vec<i8> = finals().map(|(_, last)| game.side(last) as i8).collect();
        let mut planes = vec![0; players.len() * sizes.planes];
        for ((_, last), planes) in finals().zip(planes.chunks_exact_mut(sizes.planes.max(1))) {
            game.write_observation(last, planes);
        }
        (players, planes)
    }

    fn save(&self) -> SavedGames {
        let chunks = || self.chunks.iter();
        let count = chunks().map(|chunk| chunk.slots.len()).sum();
        let games = (0..count).map(|index| {
            let state = self.state(index);
            (state.start_text(), state.moves())
        });
        let finals = chunks().flat_map(|chunk| {
            let finals = chunk.finals.iter();
            finals.map(|(offset, last)| (chunk.first + offset, self.rules.game.text(last)))
        });
        SavedGames {
            games: games.collect(),
            rng_states: chunks()
                .flat_map(|chunk| &chunk.slots)
                .map(|slot| slot.rng.state().to_vec())
                .collect(),
            finals: finals.collect(),
            tally: self.tally(),
        }
    }

    fn restore(&mut self, saved: SavedGames) -> Option<()> {
        let variant = self.rules.game.variant();
        let parse = |text: &str| AnyGameState::from_text(variant, text).ok();
        for (index, (start, moves)) in saved.games.iter().enumerate() {
            let mut state = parse(start)?;
            for mv in moves {
                state.play(mv).ok()?;
            }
            if state.outcome().is_some() {
                return None;
            }
            self.set_state(index, &state);
        }
        for chunk in &mut self.chunks {
            chunk.finals.clear();
            chunk.tally = Tally::default();
            let states = saved.rng_states.get(chunk.first..)?;
            for (slot, state) in chunk.slots.iter_mut().zip(states) {
                slot.rng = Xoshiro256PlusPlus::from_seed(state.as_slice().try_into().ok()?);
            }
        }
        for (index, text) in &saved.finals {
            let last = parse(text)?.visit(DowncastState::<G>(PhantomData))?;
            let (chunk, offset) = self.locate(*index);
            let finals = &mut self.chunks.get_mut(chunk)?.finals;
            finals.push((offset, last.position().clone()));
        }
        self.chunks.first_mut()?.tally = saved.tally;
        Some(())
    }

    fn tally(&self) -> Tally {
        let tallies = self.chunks.iter().map(|chunk| chunk.tally);
        tallies.fold(Tally::default(), Tally::merge)
    }
}

/// Takes the state of a game of type `G` out of its erased form.
struct DowncastState<G>(PhantomData<G>);

impl<G: Game> GameVisitor for DowncastState<G> {
    type Output = Option<GameState<G>>;

    fn visit<H: Game>(self, state: &GameState<H>) -> Option<GameState<G>> {
        (state as &dyn Any).downcast_ref::<GameState<G>>().cloned()
    }
}
