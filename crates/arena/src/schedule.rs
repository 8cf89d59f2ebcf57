//! The games of a plan: their order, openings and seeds. Also validates plans.

use std::collections::HashSet;

use noughts_rules::{Side, Variant};

use crate::error_text::is_unprintable;
use crate::openings::{Opening, OpeningBook};
use crate::plan::{Format, Openings, Plan};
use crate::played_game::GameKey;
use crate::spec::{BotSource, BotSpec};
use crate::time_control::TimeControl;

/// A valid plan and its games, in order.
///
/// ```
/// use noughts_arena::{Plan, Schedule};
///
/// let plan: Plan = serde_json::from_str(r#"{
///     "variant": "classic", "format": "round-robin", "rounds": 2, "openings": "start",
///     "bots": [
///         {"name": "a", "who": {"ours": {"kind": "random", "threads": 1, "hash": 1}}},
///         {"name": "b", "who": {"ours": {"kind": "easy", "threads": 1, "hash": 1}}}
///     ],
///     "pace": "nodes=10", "margin_ms": 20, "patience_ms": 5000, "seed": 7,
///     "adjudication": {"exact": false}, "scoring": "points"
/// }"#)?;
/// let schedule = Schedule::new(&plan)?;
/// let sides: Vec<(u32, bool)> = schedule.games().map(|key| (key.round, key.swapped)).collect();
/// assert_eq!(sides, [(0, false), (0, true), (1, false), (1, true)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Schedule {
    plan: Plan,
    variant: Variant,
    openings: OpeningBook,
}

/// An invalid plan: everything that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", mistakes.join("; "))]
pub struct PlanError {
    /// One sentence for each mistake.
    pub mistakes: Vec<String>,
}

/// The largest concurrency: beyond it no machine plays well, and threads run out.
const MAX_CONCURRENCY: usize = 1024;

/// Plans with more games than this are assumed to be typos.
const MAX_GAMES: u64 = 1_000_000_000;

impl Schedule {
    /// Validates a plan.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn new(plan: &Plan) -> Result<Schedule, PlanError> {
        let mut mistakes = Vec::new();
        let variant = plan.variant.parse::<Variant>();
        let variant = variant
            .map_err(|error| mistakes.push(error.to_string()))
            .ok();
        check_bots(plan, &mut mistakes);
        for bot in &plan.bots {
            check_bot(bot, variant, plan, &mut mistakes);
        }
        check_conditions(plan, &mut mistakes);
        let openings = variant.and_then(|variant| {
            let book = OpeningBook::new(variant, &plan.openings, plan.seed);
            book.map_err(|mistake| mistakes.push(mistake)).ok()
        });
        match (variant, openings) {
            (Some(variant), Some(openings)) if mistakes.is_empty() => Ok(Schedule {
                plan: plan.clone(),
                variant,
                openings,
            }),
            _ => Err(PlanError { mistakes }),
        }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The number of games.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.plan.game_count()
    }

    /// All games in the order in which they start: round by round, with both games of a pair in
    /// succession, the second with sides swapped. A plan with more bots or rounds contains all of
    /// these games.
    pub fn games(&self) -> impl Iterator<Item = GameKey> + Send + use<> {
        let bots = u32::try_from(self.plan.bots.len()).unwrap_or(u32::MAX);
        let firsts = first_bot_count(self.plan.format, bots);
        (0..self.plan.rounds).flat_map(move |round| {
            (0..firsts).flat_map(move |first| {
                (first + 1..bots).flat_map(move |second| {
                    [false, true].map(|swapped| GameKey {
                        round,
                        first,
                        second,
                        swapped,
                    })
                })
            })
        })
    }

    /// The games that aren't in `done`, in the same order.
    pub fn remaining(
        &self,
        done: HashSet<GameKey>,
    ) -> impl Iterator<Item = GameKey> + Send + use<> {
        self.games().filter(move |key| !done.contains(key))
    }

    /// Whether this is a game of the plan.
    #[must_use]
    pub fn contains(&self, key: &GameKey) -> bool {
        let bots = u32::try_from(self.plan.bots.len()).unwrap_or(u32::MAX);
        key.round < self.plan.rounds
            && key.first < first_bot_count(self.plan.format, bots)
            && key.first < key.second
            && key.second < bots
    }

    /// The opening of a game, which is the same for both games of a pair.
    #[must_use]
    pub fn opening(&self, key: &GameKey) -> Opening {
        self.openings.opening(key)
    }

    /// The bot on a side of a game; `None` if the plan has no such game.
    #[must_use]
    pub fn bot(&self, key: &GameKey, side: Side) -> Option<&BotSpec> {
        self.plan.bots.get(key.bot(side) as usize)
    }

    /// The time control of a bot in this plan.
    #[must_use]
    pub fn time_control(&self, bot: &BotSpec) -> TimeControl {
        bot.time_control.unwrap_or(self.plan.time_control)
    }

    /// The number of cores a game needs: its bots take turns.
    #[must_use]
    pub fn cores_needed(&self, key: &GameKey) -> usize {
        let threads = Side::BOTH.map(|side| self.bot(key, side).map_or(1, BotSpec::threads));
        threads.into_iter().max().unwrap_or(1).max(1)
    }

    /// The seed of a bot's random choices in a game.
    #[must_use]
    pub fn seed(&self, key: &GameKey, side: Side) -> u64 {
        game_seed(self.plan.seed, key, side)
    }
}

/// Checks that a tournament started with the old plan can continue with the new one. Bots and
/// rounds may be added, and the SPRT, the scoring and the concurrency may change: everything that
/// leaves the games of the old plan the same.
///
/// # Errors
/// Everything that must not change.
pub fn check_extension(old: &Plan, new: &Plan) -> Result<(), PlanError> {
    let mut mistakes = Vec::new();
    let fixed = [
        ("game", old.variant.clone(), new.variant.clone()),
        ("seed", old.seed.to_string(), new.seed.to_string()),
        (
            "time control",
            old.time_control.to_string(),
            new.time_control.to_string(),
        ),
    ];
    for (what, old, new) in fixed.into_iter().filter(|(_, old, new)| old != new) {
        mistakes.push(format!(
            "the {what} was {old}, not {new}; it can't be changed after the start"
        ));
    }
    if new.rounds < old.rounds {
        mistakes.push(format!(
            "{old} games per pairing were planned, so {new} isn't possible; you can only add games",
            old = u64::from(old.rounds) * 2,
            new = u64::from(new.rounds) * 2
        ));
    }
    for (number, bot) in (0..).zip(&old.bots) {
        if new.bots.get(number) != Some(bot) {
            mistakes.push(format!(
                "bot {number} of the tournament was {name:?} and can't be changed; you can only add bots at the end",
                number = number + 1,
                name = bot.name
            ));
        }
    }
    let same = [
        ("the format", old.format == new.format),
        ("the openings", old.openings == new.openings),
        ("the move limit", old.move_limit == new.move_limit),
        ("adjudication", old.adjudication == new.adjudication),
    ];
    for (what, _) in same.into_iter().filter(|(_, same)| !same) {
        mistakes.push(format!("{what} can't be changed after the start"));
    }
    match mistakes.is_empty() {
        true => Ok(()),
        false => Err(PlanError { mistakes }),
    }
}

/// The number of bots that can be the first of a pair.
fn first_bot_count(format: Format, bots: u32) -> u32 {
    match format {
        Format::RoundRobin => bots,
        Format::Gauntlet => bots.min(1),
    }
}

/// The seed of a bot's random choices in a game. It depends only on the plan's seed, the game and
/// the side, so that any game can be replayed on its own.
#[must_use]
pub fn game_seed(plan_seed: u64, key: &GameKey, side: Side) -> u64 {
    mix_seed([
        plan_seed,
        u64::from(key.round),
        u64::from(key.first),
        u64::from(key.second),
        u64::from(key.swapped),
        side as u64,
    ])
}

/// Mixes numbers into one: changing a single bit changes about half of the result's bits
/// (SplitMix64).
pub(crate) fn mix_seed<const N: usize>(numbers: [u64; N]) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    numbers.into_iter().fold(0, |state: u64, number| {
        let mut z = (state ^ number).wrapping_add(GOLDEN);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// Checks the participants and the number of games.
fn check_bots(plan: &Plan, mistakes: &mut Vec<String>) {
    let bots = plan.bots.len();
    if bots < 2 {
        let count = match bots {
            0 => "no bots",
            _ => "only one bot",
        };
        mistakes.push(format!(
            "the plan has {count}; a tournament needs at least two"
        ));
    }
    let mut names = HashSet::new();
    let mut reported = HashSet::new();
    for bot in &plan.bots {
        let name = bot.name.as_str();
        if !names.insert(name) && reported.insert(name) {
            mistakes.push(format!(
                "two bots are named {name:?}; rename one with NAME=BOT"
            ));
        }
    }
    if plan.rounds == 0 {
        mistakes.push("the number of rounds is 0; use 1 or more".into());
    }
    let games = plan.game_count();
    if games > MAX_GAMES {
        mistakes.push(format!(
            "the plan has {games} games; the maximum is {MAX_GAMES}"
        ));
    }
}

fn check_bot(bot: &BotSpec, variant: Option<Variant>, plan: &Plan, mistakes: &mut Vec<String>) {
    let name = &bot.name;
    if name.trim().is_empty() {
        mistakes.push("a bot has no name; give each bot a name".into());
    }
    if name.contains(is_unprintable) {
        mistakes.push(format!(
            "the name {name:?} has unprintable characters; use printable text"
        ));
    }
    if bot.threads() == 0 {
        mistakes.push(format!("{name} has 0 threads; use 1 or more"));
    }
    if bot
        .time_control
        .is_some_and(|time_control| !time_control.is_nonzero())
    {
        mistakes.push(format!(
            "{name} has no time to think: its time control is 0; use a longer one"
        ));
    }
    match &bot.source {
        BotSource::Builtin(builtin) => {
            if let Err(error) = builtin.kind() {
                mistakes.push(format!("{name}: {error}"));
                return;
            }
        }
        BotSource::Program(program) => {
            if program.command.is_empty() {
                mistakes.push(format!("{name} has no command; give the program to run"));
            }
            if let Some(directory) = &program.directory
                && directory.to_str().is_none()
            {
                mistakes.push(format!(
                    "{name} can't start in {directory:?}: the folder name isn't valid Unicode, so it can't be saved; rename the folder"
                ));
            }
        }
        // The caller provides these players and knows what they can play.
        BotSource::Custom => {}
    }
    let from_start = matches!(
        plan.openings,
        Openings::Start | Openings::Random(0) | Openings::All(0)
    );
    if bot.is_codingame() && !from_start {
        mistakes.push(format!(
            "{name} uses CodinGame's protocol, where games start from the start position; set the openings to `start`"
        ));
    }
    let unsupported = variant.and_then(|variant| bot.check_variant(variant).err());
    mistakes.extend(unsupported.map(|error| error.0));
}

/// Checks the time control, adjudication and SPRT.
fn check_conditions(plan: &Plan, mistakes: &mut Vec<String>) {
    if !plan.time_control.is_nonzero() {
        mistakes.push("bots have no time to think: the time control is 0; use a longer one".into());
    }
    if plan.patience_ms == 0 {
        mistakes
            .push("the patience is 0 ms, which is too short for any bot; use 1 ms or more".into());
    }
    if plan.move_limit == Some(0) {
        mistakes.push("the move limit is 0; use 1 or more, or no limit".into());
    }
    if let Some(concurrency) = plan.concurrency
        && !(1..=MAX_CONCURRENCY).contains(&concurrency)
    {
        mistakes.push(format!(
            "can't run {concurrency} games at once; use 1 to {MAX_CONCURRENCY}"
        ));
    }
    let thresholds = [
        ("win", plan.adjudication.win, 0.0),
        ("draw", plan.adjudication.draw, -1.0),
    ];
    for (what, threshold, above) in thresholds {
        let Some(threshold) = threshold else { continue };
        if threshold.moves == 0 {
            mistakes.push(format!(
                "a {what} by agreement after 0 moves would decide every game; use 1 or more"
            ));
        }
        if !(threshold.value > above && (0.0..=1.0).contains(&threshold.value)) {
            let range = match above < 0.0 {
                true => "0 to 1",
                false => "more than 0, up to 1",
            };
            mistakes.push(format!(
                "the value for a {what} by agreement is {value}; use {range}",
                value = threshold.value
            ));
        }
    }
    if let Some(sprt) = &plan.sprt {
        let bots = plan.bots.len();
        if bots > 2 {
            mistakes.push(format!(
                "a sequential test needs exactly two bots; the plan has {bots}"
            ));
        }
        mistakes.extend(sprt.check().err().map(|error| error.to_string()));
    }
}
