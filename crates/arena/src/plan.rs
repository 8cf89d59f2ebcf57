//! What is to be played: everything that a tournament follows from.

use serde::{Deserialize, Serialize};

use crate::played_game::GameKey;
use crate::spec::BotSpec;
use crate::time_control::TimeControl;

/// A tournament before it is played. Together with the seed it determines every game's
/// opening, sides and the seeds of its bots.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The game, by its name.
    pub variant: String,
    /// Who takes part.
    pub bots: Vec<BotSpec>,
    /// Who meets whom.
    pub format: Format,
    /// How many pairs of games each two that meet play.
    pub rounds: u32,
    /// Where the games begin.
    pub openings: Openings,
    /// How long bots think that have no pace of their own.
    pub pace: TimeControl,
    /// How much later than its time a bot may be, in milliseconds.
    pub margin_ms: u64,
    /// How long one waits for a bot where no time is given, and for it to be ready, in
    /// milliseconds.
    pub patience_ms: u64,
    /// Where all chance comes from.
    pub seed: u64,
    /// A draw after so many moves, those of the opening not counted; no limit: none.
    pub move_limit: Option<u32>,
    /// When games are ended before the rules end them.
    pub adjudication: Adjudication,
    /// What a result is worth.
    pub scoring: Scoring,
    /// The question of a sequential test, where there is one.
    pub sprt: Option<Sprt>,
    /// How many games at once; as many as there are cores: nothing.
    pub concurrency: Option<usize>,
}

impl Plan {
    /// How many games there are in all.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        let bots = self.bots.len() as u64;
        let others = bots.saturating_sub(1);
        let pairs = match self.format {
            Format::RoundRobin => bots * others / 2,
            Format::Gauntlet => others,
        };
        pairs
            .saturating_mul(u64::from(self.rounds))
            .saturating_mul(2)
    }

    /// The cores that a game needs at most: only one of its two bots thinks at a time.
    #[must_use]
    pub fn max_threads(&self) -> usize {
        let threads = self.bots.iter().map(BotSpec::threads);
        threads.max().unwrap_or(1).max(1)
    }

    /// Do this many games at once need more cores than can be used? A sentence that says so.
    ///
    /// ```
    /// # use noughts_arena::Plan;
    /// # let mut plan: Plan = serde_json::from_str(r#"{
    /// #     "variant": "classic", "format": "round-robin", "rounds": 3, "openings": "start",
    /// #     "bots": [
    /// #         {"name": "a", "who": {"ours": {"kind": "random", "threads": 1, "hash": 1}}},
    /// #         {"name": "b", "who": {"ours": {"kind": "easy", "threads": 1, "hash": 1}}}
    /// #     ],
    /// #     "pace": "time=10ms", "margin_ms": 20, "patience_ms": 5000, "seed": 7,
    /// #     "adjudication": {"exact": false}, "scoring": "points"
    /// # }"#)?;
    /// assert_eq!(plan.crowding(2, 2), None);
    /// let timed = plan.crowding(3, 2).expect("too many games");
    /// assert!(timed.contains("3 games at once need 3 cores") && timed.contains("lose on time"));
    /// // Bots that count nodes can't be late, but they are slowed down all the same.
    /// plan.pace = "nodes=10".parse()?;
    /// let counted = plan.crowding(3, 2).expect("too many games");
    /// assert!(counted.contains("3 cores") && !counted.contains("lose on time"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn oversubscription_warning(&self, games: usize, cores: usize) -> Option<String> {
        let threads = self.max_threads();
        let wanted = games.saturating_mul(threads);
        if wanted <= cores {
            return None;
        }
        let games = match games {
            1 => "a game".to_owned(),
            games => format!("{games} games at once"),
        };
        let threads_of = match threads {
            1 => String::new(),
            threads => format!(" with bots of {threads} threads"),
        };
        let have = match cores {
            1 => "1 core".to_owned(),
            cores => format!("{cores} cores"),
        };
        let advice = match cores / threads {
            0 => format!("give bots at most {cores} threads"),
            most => format!("play at most {most} at once"),
        };
        let is_timed = |pace: TimeControl| {
            matches!(pace, TimeControl::MoveTime(_) | TimeControl::Clock { .. })
        };
        let mut paces = self.bots.iter().map(|bot| bot.pace.unwrap_or(self.pace));
        let lose = match paces.any(is_timed) {
            true => " and may lose on time",
            false => "",
        };
        Some(format!(
            "{games}{threads_of} need {wanted} cores, and {have} can be used here: bots will wait \
             for each other{lose}; {advice}"
        ))
    }

    /// The place of a game in the plan, from 1: no two games have the same. (When bots are
    /// added, later rounds have more games, and other places; the [`Key`] stays.)
    ///
    /// ```
    /// # use noughts_arena::{Plan, Schedule};
    /// # let plan: Plan = serde_json::from_str(r#"{
    /// #     "variant": "classic", "format": "round-robin", "rounds": 3, "openings": "start",
    /// #     "bots": [
    /// #         {"name": "a", "who": {"ours": {"kind": "random", "threads": 1, "hash": 1}}},
    /// #         {"name": "b", "who": {"ours": {"kind": "easy", "threads": 1, "hash": 1}}},
    /// #         {"name": "c", "who": {"ours": {"kind": "hard", "threads": 1, "hash": 1}}}
    /// #     ],
    /// #     "pace": "nodes=10", "margin_ms": 20, "patience_ms": 5000, "seed": 7,
    /// #     "adjudication": {"exact": false}, "scoring": "points"
    /// # }"#)?;
    /// let games = Schedule::new(&plan)?.games();
    /// assert!((1..).zip(games).all(|(number, key)| plan.number(&key) == number));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn game_number(&self, key: &GameKey) -> u64 {
        let bots = self.bots.len() as u64;
        let (first, second) = (u64::from(key.first), u64::from(key.second));
        let others = bots.saturating_sub(1);
        let behind = second.saturating_sub(first + 1);
        let (pairs, before) = match self.format {
            // Those of bot 0 are `others`, of bot 1 one fewer, and so on.
            Format::RoundRobin => (
                bots * others / 2,
                (first * (2 * bots).saturating_sub(first + 1)) / 2,
            ),
            Format::Gauntlet => (others, 0),
        };
        let pair = u64::from(key.round) * pairs + before + behind;
        2 * pair + u64::from(key.swapped) + 1
    }
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody; between two it is a match.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

/// Where the games begin. Both games of a pair begin alike.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// At the start of the game.
    Start,
    /// After this many random moves, and more once all such positions have been.
    Random(u32),
    /// At all positions after so many moves that differ by more than a symmetry, one
    /// after the other in an order of the seed.
    All(u32),
    /// At these, one after the other: each a position, or moves from the start.
    List(Vec<String>),
}

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// As soon as its exact value is in a table, or small enough to be searched for.
    pub exact: bool,
    /// When for so many moves both bots have said that the same one wins ...
    pub win: Option<AgreementThreshold>,
    /// ... or that it is a draw.
    pub draw: Option<AgreementThreshold>,
}

/// What both bots have to say, and how often.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgreementThreshold {
    /// So many moves of each one after the other.
    pub moves: u32,
    /// A win: at least so much; a draw: no farther from 0 than so much (of 1).
    pub value: f64,
}

/// What a result is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// 1 for a win, ½ for a draw; more is better.
    #[default]
    Points,
    /// 0 for the winner, 3 for the loser, 1 each for a draw; less is better.
    Penalty,
}

/// Is the first bot better than the second by at least so much? In normalised Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// No: it is better by this much.
    pub elo0: f64,
    /// Yes: it is better by this much.
    pub elo1: f64,
    /// How often "no" may be taken for "yes".
    pub alpha: f64,
    /// How often "yes" may be taken for "no".
    pub beta: f64,
}
