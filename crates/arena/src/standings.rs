//! Standings of a tournament, and their text in fastchess's format, so that scripts that read
//! fastchess's output can read this one. Text, JSON and the report are all built from
//! [`Standings`].

use std::fmt::{self, Display, Write as _};
use std::time::Duration;

use serde::Serialize;

use crate::error_text::sanitized;
use crate::plan::{Openings, Plan, Scoring};
use crate::spec::{BotSource, BotSpec};
use crate::statistics::{
    EloEstimate, FaultCounts, Pairing, Pentanomial, Rating, Results, SprtState, fit_ratings,
};
use crate::time_control::TimeControl;

/// The standings of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The name of the variant.
    pub variant: String,
    /// A short description of the conditions: time control, threads, memory, openings.
    pub conditions: String,
    /// How results are scored.
    pub scoring: Scoring,
    /// One row per bot, best first.
    pub rows: Vec<StandingsRow>,
    /// The crosstable, in the order of the rows; `None` where two bots haven't played each other.
    pub cross: Vec<Vec<Option<Pentanomial>>>,
    /// Bots that can be compared with each other, by name: a single group unless some bots have no
    /// common opponents.
    pub groups: Vec<Vec<String>>,
    /// The state of the SPRT, if the plan has one.
    pub sprt: Option<SprtState>,
    /// Games that don't count: half pairs, pairs after a gap, pairs after the SPRT's decision.
    pub aside: u64,
    /// Pairs that repeat an earlier pair. They are counted as games, but aren't evidence.
    pub repeated: u64,
}

/// A bot's row in the standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StandingsRow {
    /// The rank, from 1; equal bots share a rank.
    pub rank: usize,
    /// The bot's index in the plan.
    pub bot: usize,
    /// The bot's name.
    pub name: String,
    /// The bot's games against all others.
    pub tally: Pentanomial,
    /// The Elo estimate from these games, treating all opponents as one.
    pub estimate: EloEstimate,
    /// The maximum-likelihood rating, which takes the strength of the opponents into account.
    pub rating: Rating,
    /// 1 for a win, ½ for a draw.
    pub points: f64,
    /// 3 for a loss, 1 for a draw.
    pub penalty: u64,
    /// Games the bot lost by its own faults.
    pub faults: FaultCounts,
    /// Whether the bot failed to start in every one of its games.
    pub never_started: bool,
}

impl StandingsRow {
    /// The score that rows are ranked by under [`Scoring::Penalty`]. NaN before the first game.
    #[must_use]
    pub fn penalty_per_game(&self) -> f64 {
        self.penalty as f64 / self.tally.games() as f64
    }
}

impl Standings {
    /// Computes the standings from these results.
    #[must_use]
    pub fn new(plan: &Plan, results: &Results) -> Standings {
        let pairings: Vec<Pairing> = results
            .head_to_heads()
            .map(|(first, second, record)| Pairing {
                first,
                second,
                tally: record.tally,
            })
            .collect();
        let ratings = fit_ratings(plan.bots.len(), &pairings);
        let mut rows: Vec<StandingsRow> = plan
            .bots
            .iter()
            .enumerate()
            .map(|(bot, spec)| {
                let tally = results.tally_of(bot);
                StandingsRow {
                    rank: 0,
                    bot,
                    name: spec.name.clone(),
                    tally,
                    estimate: tally.estimate(),
                    rating: ratings.bots[bot],
                    points: tally.points(),
                    penalty: tally.penalty(),
                    faults: results.faults(bot),
                    never_started: results.never_started(bot),
                }
            })
            .collect();
        // Per game, since bots may have played different numbers of games. Bots without games rank
        // last.
        let score = |row: &StandingsRow| match (row.tally.games(), plan.scoring) {
            (0, _) => f64::NEG_INFINITY,
            (_, Scoring::Points) => row.points / row.tally.games() as f64,
            (_, Scoring::Penalty) => -row.penalty_per_game(),
        };
        rows.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.bot.cmp(&b.bot)));
        for i in 0..rows.len() {
            let is_equal = i > 0 && score(&rows[i]) == score(&rows[i - 1]);
            rows[i].rank = if is_equal { rows[i - 1].rank } else { i + 1 };
        }
        let head_to_head = |row: &StandingsRow, other: &StandingsRow| {
            let tally = results.tally_between(row.bot, other.bot);
            (tally.pair_count() > 0).then_some(tally)
        };
        let cross = rows
            .iter()
            .map(|row| rows.iter().map(|other| head_to_head(row, other)).collect())
            .collect();
        let name = |&bot: &usize| plan.bots[bot].name.clone();
        let groups = ratings.groups.iter();
        Standings {
            variant: plan.variant.clone(),
            conditions: conditions_text(plan),
            scoring: plan.scoring,
            cross,
            groups: groups
                .map(|group| group.iter().map(name).collect())
                .collect(),
            sprt: results.sprt().cloned(),
            aside: results.uncounted_games(),
            repeated: pairings
                .iter()
                .flat_map(|pairing| pairing.tally.repeated)
                .sum(),
            rows,
        }
    }

    /// The row of a bot, by its index in the plan.
    #[must_use]
    pub fn row(&self, bot: usize) -> Option<&StandingsRow> {
        self.rows.iter().find(|row| row.bot == bot)
    }

    /// The rows by rating, best first.
    #[must_use]
    pub fn by_rating(&self) -> Vec<&StandingsRow> {
        let mut rows: Vec<&StandingsRow> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        rows
    }

    /// The result as text: fastchess's block for two bots; for more, the standings, the ratings and
    /// the crosstable.
    #[must_use]
    pub fn text(&self) -> String {
        if self.rows.len() == 2 {
            return self.fastchess_block();
        }
        if self.rows.iter().all(|row| row.tally.games() == 0) {
            return format!("{}\n{}", self.no_result_text(), self.faults_text());
        }
        let mut text = self.standings_table();
        text.push_str(&self.repeated_pairs_line());
        text.push_str(&self.sprt_lines());
        for part in [self.ratings_table(), self.cross_table(), self.faults_text()] {
            if !part.is_empty() {
                text.push('\n');
                text.push_str(&part);
            }
        }
        text
    }

    /// The sentence shown while no game counts.
    pub(crate) fn no_result_text(&self) -> String {
        match self.aside {
            0 => "No games have been played yet.".into(),
            1 => "No game pair is complete yet: 1 game has ended and will count when its pair is complete."
                .into(),
            games => format!(
                "No game pair is complete yet: {games} games have ended and will count when their pairs are complete."
            ),
        }
    }

    /// fastchess's result block for a plan with two bots.
    pub(crate) fn fastchess_block(&self) -> String {
        let (Some(first), Some(second)) = (self.row(0), self.row(1)) else {
            return String::new();
        };
        let (tally, e) = (&first.tally, &first.estimate);
        let mut text = format!(
            "Results of {} vs {} ({}):\n",
            sanitized(&first.name),
            sanitized(&second.name),
            self.conditions,
        );
        if tally.games() == 0 {
            let _ = writeln!(text, "{}", self.no_result_text());
            text.push_str(&self.faults_text());
            return text;
        }
        let not_started = [first, second].into_iter().filter(|row| row.never_started);
        for row in not_started {
            let _ = writeln!(
                text,
                "{bot} never started, so there is nothing to rate.",
                bot = sanitized(&row.name)
            );
        }
        if first.never_started || second.never_started {
            text.push_str(&self.faults_text());
            return text;
        }
        let _ = write!(
            text,
            "Elo: {}, nElo: {}\n\
             LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {:.2}\n\
             Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)\n\
             Ptnml(0-2): {:?}, WL/DD Ratio: {:.2}\n",
            elo_text(e),
            match e.nelo.is_finite() {
                true => format!("{} +/- {}", decimal(e.nelo), decimal(e.nelo_error)),
                false => "-".into(),
            },
            FormattedNumber(100.0 * e.los),
            FormattedNumber(100.0 * e.draw_ratio),
            FormattedNumber(e.pairs_ratio),
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            FormattedNumber(100.0 * tally.points() / tally.games() as f64),
            tally.distinct_pairs(),
            FormattedNumber(e.wl_dd_ratio),
        );
        if self.scoring == Scoring::Penalty {
            let _ = writeln!(
                text,
                "Penalty (lower is better): {} - {}",
                tally.penalty(),
                tally.swapped().penalty()
            );
        }
        text.push_str(&self.repeated_pairs_line());
        text.push_str(&self.sprt_lines());
        text.push_str(&self.faults_text());
        text
    }

    /// The number of repeated pairs, and of all pairs.
    pub(crate) fn repeated_pairs(&self) -> [u64; 2] {
        // Each pair appears in two rows.
        let pairs: u64 = self.rows.iter().map(|row| row.tally.pair_count()).sum();
        [self.repeated, pairs / 2]
    }

    fn repeated_pairs_line(&self) -> String {
        match self.repeated_pairs() {
            [0, _] => String::new(),
            [repeated, pairs] => format!(
                "Repeated pairs: {repeated} of {pairs} (the same moves as an earlier pair: not in Elo, Ptnml or LLR)\n"
            ),
        }
    }

    /// fastchess's table for several bots. Under [`Scoring::Penalty`] two more columns show the
    /// penalty and the penalty per game, which decides the rank.
    #[must_use]
    pub fn standings_table(&self) -> String {
        let width = self.name_width(25);
        let has_penalty = self.scoring == Scoring::Penalty;
        let columns = ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"];
        let mut columns = columns.map(str::to_owned).to_vec();
        columns.push(format!("{:>20}", "Ptnml(0-2)"));
        if has_penalty {
            columns.extend(["Penalty", "per game"].map(str::to_owned));
        }
        let mut text = table_line("Rank", "Name", width, &columns, 10);
        for row in &self.rows {
            let e = &row.estimate;
            let share = |x: f64| match x.is_finite() {
                true => format!("{:.1}%", FormattedNumber(100.0 * x)),
                false => "-".into(),
            };
            let (elo, elo_error) = elo_columns(e);
            let games = row.tally.games();
            let mut cells = vec![elo, elo_error, decimal(e.nelo), decimal(e.nelo_error)];
            cells.extend([games.to_string(), share(row.points / games as f64)]);
            let pairs = format!("{:?}", row.tally.distinct_pairs());
            cells.extend([share(e.draw_ratio), format!("{pairs:>20}")]);
            if has_penalty {
                cells.extend([row.penalty.to_string(), decimal(row.penalty_per_game())]);
            }
            text += &table_line(row.rank, &row.name, width, &cells, 10);
        }
        text
    }

    /// The maximum-likelihood ratings, best first, and the groups that have no common opponents.
    /// The prior is one drawn game of each bot against the mean, which keeps the rating of a bot
    /// that won every game finite.
    #[must_use]
    pub fn ratings_table(&self) -> String {
        let width = self.name_width(25);
        let mut text = String::from(
            "Ratings (maximum likelihood with one virtual draw each against the mean; mean 0, 95% intervals)\n",
        );
        let columns = ["Rating", "+/-", "Games"].map(str::to_owned);
        text += &table_line("", "Name", width, &columns, 10);
        for (number, row) in (1..).zip(self.by_rating()) {
            let [elo, error] = [row.rating.elo, row.rating.error].map(decimal);
            let cells = [elo, error, row.tally.games().to_string()];
            text += &table_line(number, &row.name, width, &cells, 10);
        }
        if self.groups.len() > 1 {
            text.push_str("These groups have no common opponents and can't be compared:\n");
            for group in &self.groups {
                let names: Vec<String> = group.iter().map(|name| sanitized(name)).collect();
                let _ = writeln!(text, "  {}", names.join(", "));
            }
        }
        text
    }

    /// The crosstable: points of each bot against each other bot.
    #[must_use]
    pub fn cross_table(&self) -> String {
        let width = self.name_width(4);
        let cell = |tally: &Option<Pentanomial>| match tally {
            Some(tally) => format!("{:.1}/{}", tally.points(), tally.games()),
            None => "-".into(),
        };
        let cells: Vec<Vec<String>> = self
            .cross
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect();
        let cell_width = cells.iter().flatten().map(String::len).max().unwrap_or(0);
        let cell_width = cell_width.max(4);
        let mut text = String::from("Points of each row against each column\n");
        let columns: Vec<String> = (1..=self.rows.len()).map(|n| n.to_string()).collect();
        text += &table_line("", "Name", width, &columns, cell_width);
        for (number, (row, cells)) in (1..).zip(self.rows.iter().zip(&cells)) {
            text += &table_line(number, &row.name, width, cells, cell_width);
        }
        text
    }

    /// The LLR, its bounds and the hypotheses; also the decision once there is one.
    #[must_use]
    pub fn sprt_lines(&self) -> String {
        let Some(state) = &self.sprt else {
            return String::new();
        };
        let hypotheses = format!("[{:.2}, {:.2}]", state.sprt.elo0, state.sprt.elo1);
        let mut text = format!(
            "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) {hypotheses}\n",
            FormattedNumber(state.llr),
            FormattedNumber(100.0 * state.sprt.fraction(state.llr)),
            state.lower,
            state.upper,
        );
        if let Some(accepted) = state.decision.accepted() {
            let _ = writeln!(
                text,
                "SPRT ({hypotheses}) completed - {accepted} was accepted"
            );
        }
        text
    }

    /// Games lost by faults, per bot; empty if there are none. A bot that didn't start counts as
    /// crashed.
    #[must_use]
    pub fn faults_text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let faults = row.faults;
            if faults.total() == 0 {
                continue;
            }
            let _ = writeln!(
                text,
                "Player: {}\n  Timeouts: {}\n  Crashed: {}",
                sanitized(&row.name),
                faults.late,
                faults.crashed
            );
            // fastchess has no lines for these; they come after the ones that scripts parse.
            for (label, count) in [
                ("Illegal moves", faults.illegal),
                ("Protocol errors", faults.protocol),
            ] {
                if count > 0 {
                    let _ = writeln!(text, "  {label}: {count}");
                }
            }
        }
        text
    }

    fn name_width(&self, min_width: usize) -> usize {
        let names = self.rows.iter();
        let longest = names.map(|row| sanitized(&row.name).chars().count()).max();
        longest.unwrap_or(0).max(min_width)
    }
}

/// The Elo difference: with its error as fastchess prints it, or with the one finite bound of its
/// interval.
fn elo_text(e: &EloEstimate) -> String {
    let elo = decimal(e.elo);
    match e.one_sided_bound() {
        None if e.elo_low.is_finite() => format!("{elo} +/- {}", decimal(e.elo_error)),
        None => elo,
        Some((words, _, bound)) if e.elo.is_finite() => {
            format!("{elo} ({words} {})", decimal(bound))
        }
        Some((words, _, bound)) => format!("{words} {}", decimal(bound)),
    }
}

/// The same as two columns; `>34.12` is a one-sided bound.
fn elo_columns(e: &EloEstimate) -> (String, String) {
    let elo = decimal(e.elo);
    let Some((_, sign, bound)) = e.one_sided_bound() else {
        return (elo, decimal(e.elo_error));
    };
    let bound = format!("{sign}{}", decimal(bound));
    match e.elo.is_finite() {
        true => (elo, bound),
        false => (bound, "-".into()),
    }
}

/// Formats a number for a table or a line: `-` if it isn't finite, and never `-0.00`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct FormattedNumber(pub(crate) f64);

impl fmt::Display for FormattedNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(2);
        let text = match self.0.is_finite() {
            true => format!("{:.places$}", self.0),
            false => "-".to_owned(),
        };
        let zero = text.starts_with("-0") && text.bytes().all(|b| b"-0.".contains(&b));
        f.write_str(if zero { &text[1..] } else { &text })
    }
}

/// With two decimals.
fn decimal(number: f64) -> String {
    format!("{:.2}", FormattedNumber(number))
}

/// A line of a table: its number, a bot's name, and the other cells.
fn table_line(
    number: impl Display,
    name: &str,
    name_width: usize,
    cells: &[String],
    cell_width: usize,
) -> String {
    let mut text = format!("{number:>4} {:<name_width$}", sanitized(name));
    for cell in cells {
        let _ = write!(text, " {cell:>cell_width$}");
    }
    text + "\n"
}

/// Time control, threads, memory and openings, in fastchess's terms.
fn conditions_text(plan: &Plan) -> String {
    let all = |label: &dyn Fn(&BotSpec) -> String| {
        let mut labels: Vec<String> = plan.bots.iter().map(label).collect();
        // For two bots each value is listed; for more, each distinct value once.
        if labels.windows(2).all(|two| two[0] == two[1]) {
            labels.truncate(1);
        } else if labels.len() > 2 {
            labels.sort();
            labels.dedup();
        }
        labels.join(" - ")
    };
    let mut text = format!(
        "{}, {}, {}",
        all(&|bot| time_control_label(bot.time_control.unwrap_or(plan.time_control))),
        all(&|bot| format!("{}t", bot.threads())),
        all(&hash_label)
    );
    let openings = openings_label(&plan.openings);
    if !openings.is_empty() {
        let _ = write!(text, ", {openings}");
    }
    text
}

fn time_control_label(time_control: TimeControl) -> String {
    let seconds = |time: Duration| time.as_secs_f64();
    match time_control {
        TimeControl::MoveTime(time) => format!("{}/move", seconds(time)),
        TimeControl::Clock { base, increment } if increment.is_zero() => seconds(base).to_string(),
        TimeControl::Clock { base, increment } => {
            format!("{}+{}", seconds(base), seconds(increment))
        }
        TimeControl::Nodes(nodes) => format!("{nodes} nodes"),
        TimeControl::Depth(depth) => format!("{depth} plies"),
    }
}

fn hash_label(bot: &BotSpec) -> String {
    match &bot.source {
        BotSource::Builtin(bot) => format!("{}MB", bot.hash),
        BotSource::Program(program) => {
            let hash = program
                .options
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("hash"));
            hash.map_or("NULL".into(), |(_, value)| {
                format!("{}MB", sanitized(value))
            })
        }
        BotSource::Custom => "NULL".into(),
    }
}

/// `random4`, `all2`, `list12`; empty for the starting position.
fn openings_label(openings: &Openings) -> String {
    match openings {
        Openings::Start => String::new(),
        Openings::Random(moves) => format!("random{moves}"),
        Openings::All(moves) => format!("all{moves}"),
        Openings::List(list) => format!("list{}", list.len()),
    }
}
