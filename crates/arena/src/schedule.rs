//! Which games a plan means, in which order, and where each one's chance comes from.
//! Here a plan is checked; nothing is played.

use std::collections::HashSet;
use std::hash::BuildHasher;

use noughts_rules::{Side, Variant};

use crate::error_text::is_unprintable;
use crate::openings::{Opening, OpeningBook};
use crate::plan::{Format, Openings, Plan, Sprt};
use crate::played_game::GameKey;
use crate::spec::{BotSource, BotSpec, Protocol};
use crate::time_control::TimeControl;

/// A plan that can be played: all its games, in order.
///
/// ```
/// use noughts_arena::{Key, Plan, Schedule};
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
    book: OpeningBook,
}

/// A plan that cannot be played: everything that is wrong with it, in sentences.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", mistakes.join("; "))]
pub struct PlanError {
    /// A sentence for each mistake.
    pub mistakes: Vec<String>,
}

/// More at once than this no machine plays well, and threads are not to be had.
const MOST_AT_ONCE: usize = 1024;

/// More games than this are a slip of the finger.
const MOST_GAMES: u64 = 1_000_000_000;

impl Schedule {
    /// Checks a plan.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn new(plan: &Plan) -> Result<Schedule, PlanError> {
        let mut mistakes = Vec::new();
        let variant: Option<Variant> = match plan.variant.parse() {
            Ok(variant) => Some(variant),
            Err(error) => {
                mistakes.push(format!("{error}"));
                None
            }
        };
        check_field(plan, &mut mistakes);
        for bot in &plan.bots {
            check_bot(bot, variant, plan, &mut mistakes);
        }
        check_conditions(plan, &mut mistakes);
        let book = variant.and_then(|variant| {
            let book = OpeningBook::new(variant, &plan.openings, plan.seed);
            book.map_err(|mistake| mistakes.push(mistake)).ok()
        });
        match (variant, book) {
            (Some(variant), Some(book)) if mistakes.is_empty() => Ok(Schedule {
                plan: plan.clone(),
                variant,
                book,
            }),
            _ => Err(PlanError { mistakes }),
        }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The game that is played.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// How many games there are in all.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.plan.game_count()
    }

    /// Every game, in the order in which they are to begin: round by round, both games
    /// of a pair one after the other, the second with sides swapped. A plan with more
    /// bots or rounds has all of these games, too.
    pub fn games(&self) -> impl Iterator<Item = GameKey> + Send + use<> {
        let bots = u32::try_from(self.plan.bots.len()).unwrap_or(u32::MAX);
        let firsts = firsts(self.plan.format, bots);
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

    /// The games that are not done, in the same order.
    pub fn remaining<S: BuildHasher + Clone + Send>(
        &self,
        done: &HashSet<GameKey, S>,
    ) -> impl Iterator<Item = GameKey> + Send + use<S> {
        let done = done.clone();
        self.games().filter(move |key| !done.contains(key))
    }

    /// Is this a game of the plan?
    #[must_use]
    pub fn contains(&self, key: &GameKey) -> bool {
        let bots = u32::try_from(self.plan.bots.len()).unwrap_or(u32::MAX);
        key.round < self.plan.rounds
            && key.first < firsts(self.plan.format, bots)
            && key.first < key.second
            && key.second < bots
    }

    /// Where a game begins: the same for both games of a pair.
    #[must_use]
    pub fn opening(&self, key: &GameKey) -> Opening {
        self.book.opening(key)
    }

    /// The bot on a side of a game; none if the plan has no such game.
    #[must_use]
    pub fn bot(&self, key: &GameKey, side: Side) -> Option<&BotSpec> {
        self.plan.bots.get(key.bot(side) as usize)
    }

    /// How long a bot of this plan thinks.
    #[must_use]
    pub fn time_control(&self, bot: &BotSpec) -> TimeControl {
        bot.pace.unwrap_or(self.plan.pace)
    }

    /// How many cores a game needs: its bots take turns.
    #[must_use]
    pub fn cores_needed(&self, key: &GameKey) -> usize {
        let threads = Side::BOTH.map(|side| self.bot(key, side).map_or(1, BotSpec::threads));
        threads.into_iter().max().unwrap_or(1).max(1)
    }

    /// Where the random choices of a game's bot come from.
    #[must_use]
    pub fn seed(&self, key: &GameKey, side: Side) -> u64 {
        game_seed(self.plan.seed, key, side)
    }
}

/// May a tournament that was begun with the old plan go on with the new one? More bots
/// at the end of the list and more rounds are allowed, another question, other scores,
/// another number of games at once: nothing that would make games of the old plan
/// different ones.
///
/// # Errors
/// All that must not change.
pub fn check_extension(old: &Plan, new: &Plan) -> Result<(), PlanError> {
    let mut mistakes = Vec::new();
    let kept = "a tournament keeps it";
    if old.variant != new.variant {
        mistakes.push(format!(
            "the game was {}, not {}; {kept}",
            old.variant, new.variant
        ));
    }
    if old.seed != new.seed {
        mistakes.push(format!(
            "the seed was {}, not {}; {kept}",
            old.seed, new.seed
        ));
    }
    if old.pace != new.pace {
        mistakes.push(format!(
            "the pace was {}, not {}; {kept}",
            old.pace, new.pace
        ));
    }
    if new.rounds < old.rounds {
        mistakes.push(format!(
            "each two had {} games to play and cannot have {}; games can only be added",
            u64::from(old.rounds) * 2,
            u64::from(new.rounds) * 2
        ));
    }
    for (number, bot) in (0..).zip(&old.bots) {
        if new.bots.get(number) != Some(bot) {
            mistakes.push(format!(
                "bot {} of the tournament was {:?}, and stays as it was; bots can only be added behind the others",
                number + 1,
                bot.name
            ));
        }
    }
    let same = [
        ("the format", old.format == new.format),
        ("the openings", old.openings == new.openings),
        ("the limit of moves", old.move_limit == new.move_limit),
        ("adjudication", old.adjudication == new.adjudication),
    ];
    for (what, _) in same.into_iter().filter(|(_, same)| !same) {
        mistakes.push(format!("{what} cannot be changed in mid-tournament"));
    }
    match mistakes.is_empty() {
        true => Ok(()),
        false => Err(PlanError { mistakes }),
    }
}

/// How many bots come first in a pair.
fn firsts(format: Format, bots: u32) -> u32 {
    match format {
        Format::RoundRobin => bots,
        Format::Gauntlet => bots.min(1),
    }
}

/// Where the random choices of a game's bot come from: of the plan's seed, the game and
/// the side, and of nothing else, so that any game can be played again by itself.
#[must_use]
pub fn game_seed(plan_seed: u64, key: &GameKey, side: Side) -> u64 {
    let GameKey {
        round,
        first,
        second,
        swapped,
    } = *key;
    mix_seed([
        plan_seed,
        u64::from(round),
        u64::from(first),
        u64::from(second),
        u64::from(swapped),
        side as u64,
    ])
}

/// Numbers become one that differs in about half of its bits when any of them changes in
/// one (SplitMix64's steps).
pub(crate) fn mix_seed<const N: usize>(numbers: [u64; N]) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    numbers.into_iter().fold(0, |state: u64, number| {
        let mut z = (state ^ number).wrapping_add(GOLDEN);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// Who takes part, and how often they meet.
fn check_field(plan: &Plan, mistakes: &mut Vec<String>) {
    let bots = plan.bots.len();
    if bots < 2 {
        let are = match bots {
            0 => "there is no bot",
            _ => "there is only one bot",
        };
        mistakes.push(format!("{are} in the plan; a tournament needs two or more"));
    }
    let mut names = HashSet::new();
    let mut told = HashSet::new();
    for bot in &plan.bots {
        let name = bot.name.as_str();
        if !names.insert(name) && told.insert(name) {
            mistakes.push(format!(
                "two bots are called {name:?}; give one another name (NAME=BOT)"
            ));
        }
    }
    if plan.rounds == 0 {
        mistakes.push("0 rounds are no tournament; use 1 or more".into());
    }
    let games = plan.game_count();
    if games > MOST_GAMES {
        mistakes.push(format!(
            "the plan has {games} games; at most {MOST_GAMES} are allowed"
        ));
    }
}

fn check_bot(bot: &BotSpec, variant: Option<Variant>, plan: &Plan, mistakes: &mut Vec<String>) {
    let name = &bot.name;
    if name.trim().is_empty() {
        mistakes.push("a bot has no name".into());
    }
    if name.contains(is_unprintable) {
        mistakes.push(format!(
            "the name {name:?} has characters that cannot be shown; names are printable text"
        ));
    }
    if bot.threads() == 0 {
        mistakes.push(format!("{name} has 0 threads; a bot thinks with 1 or more"));
    }
    if bot.pace.is_some_and(|pace| !pace.is_nonzero()) {
        mistakes.push(format!("{name} has no time to think; its pace is 0"));
    }
    match &bot.who {
        BotSource::Ours(ours) => match (ours.kind(), variant) {
            (Err(error), _) => mistakes.push(format!("{name}: {error}")),
            (Ok(kind), Some(variant)) => {
                if let Err(reason) = kind.check_supports(variant) {
                    mistakes.push(format!("{name} does not play {variant}: {reason}"));
                }
            }
            (Ok(_), None) => {}
        },
        BotSource::Program(program) => {
            if program.command.is_empty() {
                mistakes.push(format!("{name} has no command; say which program it is"));
            }
            if let Some(directory) = &program.directory
                && directory.to_str().is_none()
            {
                mistakes.push(format!(
                    "{name} is to start in {directory:?}, whose name is not Unicode text and cannot be kept"
                ));
            }
            if program.protocol == Protocol::Codingame {
                check_codingame(name, variant, plan, mistakes);
            }
            if let Some(variant) = variant
                && let Err(reason) = program.notation.check_variant(variant)
            {
                mistakes.push(format!("{name}: {reason}"));
            }
        }
        // Whoever brings it knows what it can.
        BotSource::Guest => {}
    }
}

/// That protocol knows one board, and no position but the start.
fn check_codingame(name: &str, variant: Option<Variant>, plan: &Plan, mistakes: &mut Vec<String>) {
    const MOST: &str = "ception:end=most";
    if let Some(variant) = variant
        && variant != Variant::ULTIMATE
        && MOST.parse() != Ok(variant)
    {
        mistakes.push(format!(
            "{name} speaks CodinGame's protocol, which knows only {MOST} and ultimate, not {variant}"
        ));
    }
    if !matches!(
        plan.openings,
        Openings::Start | Openings::Random(0) | Openings::All(0)
    ) {
        mistakes.push(format!(
            "{name} speaks CodinGame's protocol, in which games begin at the start; use no other openings"
        ));
    }
}

/// How the games are played, and when they end.
fn check_conditions(plan: &Plan, mistakes: &mut Vec<String>) {
    if !plan.pace.is_nonzero() {
        mistakes.push("there is no time to think; the pace is 0".into());
    }
    if plan.patience_ms == 0 {
        mistakes.push("the patience is 0 ms; no bot is ready at once".into());
    }
    if plan.move_limit == Some(0) {
        mistakes.push("a limit of 0 moves leaves no game; use 1 or more, or no limit".into());
    }
    if let Some(at_once) = plan.concurrency
        && !(1..=MOST_AT_ONCE).contains(&at_once)
    {
        mistakes.push(format!(
            "{at_once} games at once are not played; use 1 to {MOST_AT_ONCE}"
        ));
    }
    let rules = [
        ("win", plan.adjudication.win, 0.0),
        ("draw", plan.adjudication.draw, -1.0),
    ];
    for (what, agreed, above) in rules {
        let Some(agreed) = agreed else { continue };
        if agreed.moves == 0 {
            mistakes.push(format!(
                "a {what} after 0 moves of agreement decides every game; use 1 or more"
            ));
        }
        if !(agreed.value > above && (0.0..=1.0).contains(&agreed.value)) {
            let least = if above < 0.0 { "0" } else { "more than 0" };
            mistakes.push(format!(
                "a {what} cannot be agreed on at a value of {}; use {least} to 1",
                agreed.value
            ));
        }
    }
    if let Some(sprt) = &plan.sprt {
        check_sprt(sprt, plan.bots.len(), mistakes);
    }
}

fn check_sprt(sprt: &Sprt, bots: usize, mistakes: &mut Vec<String>) {
    if bots > 2 {
        mistakes.push(format!(
            "a sequential test is between two bots; the plan has {bots}"
        ));
    }
    mistakes.extend(sprt.check().err().map(|error| error.to_string()));
}
