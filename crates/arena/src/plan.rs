//! The plan of a tournament: everything that determines its games.

use serde::{Deserialize, Serialize};

use crate::played_game::GameKey;
use crate::spec::BotSpec;
use crate::time_control::TimeControl;

/// The plan of a tournament. Together with the seed it determines every game's opening, sides and
/// bot seeds.
///
/// ```
/// # use noughts_arena::{Plan, Schedule};
/// let mut plan: Plan = serde_json::from_str(r#"{
///     "variant": "classic", "format": "round-robin", "rounds": 3, "openings": "start",
///     "bots": [
///         {"name": "a", "who": {"ours": {"kind": "random", "threads": 1, "hash": 1}}},
///         {"name": "b", "who": {"ours": {"kind": "easy", "threads": 1, "hash": 1}}},
///         {"name": "c", "who": {"ours": {"kind": "hard", "threads": 1, "hash": 1}}}
///     ],
///     "pace": "time=10ms", "margin_ms": 20, "patience_ms": 5000, "seed": 7,
///     "adjudication": {"exact": false}, "scoring": "points"
/// }"#)?;
/// let games = Schedule::new(&plan)?.games();
/// assert!((1..).zip(games).all(|(number, key)| plan.game_number(&key) == number));
///
/// assert_eq!(plan.oversubscription_warning(2, 2), None);
/// let timed = plan.oversubscription_warning(3, 2).expect("too many games");
/// assert!(timed.contains("3 games at once takes 3 cores") && timed.contains("lose on time"));
/// // With a node limit bots can't lose on time, but they are slowed down as well.
/// plan.time_control = "nodes=10".parse()?;
/// let counted = plan.oversubscription_warning(3, 2).expect("too many games");
/// assert!(counted.contains("3 cores") && !counted.contains("lose on time"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The name of the variant.
    pub variant: String,
    /// The participants.
    pub bots: Vec<BotSpec>,
    /// Which bots play each other.
    pub format: Format,
    /// The number of game pairs between each two opponents.
    pub rounds: u32,
    /// The openings.
    pub openings: Openings,
    /// The time control of bots without their own.
    #[serde(rename = "pace")]
    pub time_control: TimeControl,
    /// How much longer than its time a move may take, in milliseconds.
    pub margin_ms: u64,
    /// How long to wait for a bot to be ready, or to move if no time is given, in milliseconds.
    pub patience_ms: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The game is drawn after this many moves, not counting the opening.
    pub move_limit: Option<u32>,
    /// When games are ended before the rules end them.
    pub adjudication: Adjudication,
    /// How results are scored.
    pub scoring: Scoring,
    /// The SPRT's parameters, if there is one.
    pub sprt: Option<Sprt>,
    /// The number of concurrent games; `None` for as many as there are cores.
    pub concurrency: Option<usize>,
}

impl Plan {
    /// The number of games.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.pairs_per_round()
            .saturating_mul(u64::from(self.rounds))
            .saturating_mul(2)
    }

    fn pairs_per_round(&self) -> u64 {
        let bots = self.bots.len() as u64;
        let others = bots.saturating_sub(1);
        match self.format {
            Format::RoundRobin => bots * others / 2,
            Format::Gauntlet => others,
        }
    }

    /// The most threads any game needs: only one of its two bots thinks at a time.
    #[must_use]
    pub fn max_threads(&self) -> usize {
        let threads = self.bots.iter().map(BotSpec::threads);
        threads.max().unwrap_or(1).max(1)
    }

    /// Warns if this many concurrent games need more cores than are available.
    #[must_use]
    pub fn oversubscription_warning(&self, games: usize, cores: usize) -> Option<String> {
        let threads = self.max_threads();
        let wanted = games.saturating_mul(threads);
        if wanted <= cores {
            return None;
        }
        let games = match games {
            1 => "1 game".to_owned(),
            games => format!("{games} games at once"),
        };
        let threads_of = match threads {
            1 => String::new(),
            threads => format!(" with {threads}-thread bots"),
        };
        let have = noughts_text::plural(cores, "core");
        let advice = match cores / threads {
            0 => format!(
                "use bots with at most {threads}",
                threads = noughts_text::plural(cores, "thread")
            ),
            most => format!("run at most {most} at once"),
        };
        let is_timed = |time_control: TimeControl| {
            matches!(
                time_control,
                TimeControl::MoveTime(_) | TimeControl::Clock { .. }
            )
        };
        let mut time_controls = self
            .bots
            .iter()
            .map(|bot| bot.time_control.unwrap_or(self.time_control));
        let lose = if time_controls.any(is_timed) {
            " and may lose on time"
        } else {
            ""
        };
        Some(format!(
            "running {games}{threads_of} takes {wanted} cores, but only {have} can be used here; bots \
             will wait for each other{lose}; {advice}"
        ))
    }

    /// The number of a game in the plan, from 1 and unique. When bots are added, games of later
    /// rounds get other numbers; their [`GameKey`] stays the same.
    #[must_use]
    pub fn game_number(&self, key: &GameKey) -> u64 {
        let bots = self.bots.len() as u64;
        let (first, second) = (u64::from(key.first), u64::from(key.second));
        // Bot 0 has a pair with every other bot, bot 1 has one fewer, and so on. In a gauntlet, bot 0
        // is always the first.
        let before = first * (2 * bots).saturating_sub(first + 1) / 2;
        let behind = second.saturating_sub(first + 1);
        let pair = u64::from(key.round) * self.pairs_per_round() + before + behind;
        2 * pair + u64::from(key.swapped) + 1
    }
}

/// The tournament format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every bot plays every other bot; with two bots, this is a match.
    RoundRobin,
    /// The first bot plays all others.
    Gauntlet,
}

/// The openings of a tournament. Both games of a pair have the same opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// The starting position.
    Start,
    /// This many random moves, and more once all such positions are used up.
    Random(u32),
    /// All positions after this many moves up to symmetry, in an order that depends on the seed.
    All(u32),
    /// A list of positions or of moves from the starting position, used in turn.
    List(Vec<String>),
}

impl Openings {
    /// The openings if none are given: two random moves, or none if a CodinGame bot takes part,
    /// because these only play from the start.
    #[must_use]
    pub fn default_for(bots: &[BotSpec]) -> Openings {
        match bots.iter().any(BotSpec::is_codingame) {
            true => Openings::Start,
            false => Openings::Random(2),
        }
    }
}

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// As soon as its exact value is in a tablebase, or can be searched for quickly.
    pub exact: bool,
    /// When both bots have agreed for a number of moves that the same side wins.
    pub win: Option<AgreementThreshold>,
    /// When both bots have agreed for a number of moves that it is a draw.
    pub draw: Option<AgreementThreshold>,
}

/// The evaluation both bots must report, and for how many moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgreementThreshold {
    /// The number of consecutive moves of each bot.
    pub moves: u32,
    /// From 0 to 1. For a win the least evaluation of the winner; for a draw the largest absolute
    /// evaluation.
    pub value: f64,
}

/// How results are scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// 1 for a win, ½ for a draw; more is better.
    #[default]
    Points,
    /// 0 for a win, 3 for a loss, 1 for a draw; less is better.
    Penalty,
}

/// The parameters of a sequential probability ratio test (SPRT): is the first bot better than the
/// second? In normalized Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 is true.
    pub beta: f64,
}
