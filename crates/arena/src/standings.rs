//! Results as text, in the words and columns of fastchess, so that what people and
//! scripts read there they can read here; and the figures that text, JSON and report are
//! made of.

use std::fmt::{self, Write as _};
use std::time::Duration;

use serde::Serialize;

use crate::error_text::is_unprintable;
use crate::plan::{Openings, Plan, Scoring, Sprt};
use crate::spec::{BotSource, BotSpec};
use crate::statistics::{
    Decision, EloEstimate, FaultCounts, Pairing, Rating, Results, Tally, fit_ratings,
};
use crate::time_control::TimeControl;

/// Where everybody stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The game.
    pub variant: String,
    /// Under which conditions, in short: pace, threads, memory, openings.
    pub conditions: String,
    /// What a result is worth.
    pub scoring: Scoring,
    /// The bots, the best first.
    pub rows: Vec<StandingsRow>,
    /// What each made of each, by the order of the rows; nothing where they have not
    /// met.
    pub cross: Vec<Vec<Option<Tally>>>,
    /// Bots that can be compared, by name: one group, unless some have not met any of
    /// the others.
    pub groups: Vec<Vec<String>>,
    /// The sequential test, where there is one.
    pub sprt: Option<SprtState>,
    /// Games that do not count: half pairs, pairs after a gap, pairs after a decision.
    pub aside: u64,
    /// Pairs that repeat earlier ones, which are counted but say nothing new.
    pub repeated: u64,
}

/// A bot's place.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StandingsRow {
    /// From 1; bots that are even share one.
    pub rank: usize,
    /// Its number in the plan.
    pub bot: usize,
    /// What it is called.
    pub name: String,
    /// Its games against all others.
    pub tally: Tally,
    /// What follows from them, as if the others were one.
    pub estimate: EloEstimate,
    /// Its most likely rating, the strength of its opponents considered.
    pub rating: Rating,
    /// 1 for a win, ½ for a draw.
    pub points: f64,
    /// 3 for a loss, 1 for a draw.
    pub penalty: u64,
    /// Games lost by faults of its own.
    pub faults: FaultCounts,
    /// It did not start in any of its games.
    pub never_started: bool,
}

impl StandingsRow {
    /// What rows are ranked by where penalties count. Not a number before the first game.
    #[must_use]
    pub fn penalty_per_game(&self) -> f64 {
        self.penalty as f64 / self.tally.games() as f64
    }
}

/// How a sequential test stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtState {
    /// What is tested.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it says H0.
    pub lower: f64,
    /// Where it says H1.
    pub upper: f64,
    /// How many pairs counted.
    pub pairs: u64,
    /// What it says.
    pub decision: Decision,
}

impl Standings {
    /// Where everybody stands after these results.
    #[must_use]
    pub fn new(plan: &Plan, results: &Results) -> Standings {
        let encounters: Vec<Pairing> = results
            .head_to_heads()
            .map(|(first, second, meeting)| Pairing {
                first,
                second,
                tally: meeting.tally,
            })
            .collect();
        let ratings = fit_ratings(plan.bots.len(), &encounters);
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
        // Per game, since not all need to have played as many; who has none comes last.
        let worth = |row: &StandingsRow| match (row.tally.games(), plan.scoring) {
            (0, _) => f64::NEG_INFINITY,
            (_, Scoring::Points) => row.points / row.tally.games() as f64,
            (_, Scoring::Penalty) => -row.penalty_per_game(),
        };
        rows.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.bot.cmp(&b.bot)));
        for i in 0..rows.len() {
            let even = i > 0 && worth(&rows[i]) == worth(&rows[i - 1]);
            rows[i].rank = if even { rows[i - 1].rank } else { i + 1 };
        }
        let met = |row: &StandingsRow, other: &StandingsRow| {
            let tally = results.tally_between(row.bot, other.bot);
            (tally.pair_count() > 0).then_some(tally)
        };
        let cross = rows
            .iter()
            .map(|row| rows.iter().map(|other| met(row, other)).collect())
            .collect();
        let name = |&bot: &usize| plan.bots[bot].name.clone();
        let groups = ratings.groups.iter();
        Standings {
            variant: plan.variant.clone(),
            conditions: conditions(plan),
            scoring: plan.scoring,
            cross,
            groups: groups
                .map(|group| group.iter().map(name).collect())
                .collect(),
            sprt: results.sprt_run().map(|walk| SprtState {
                sprt: *walk.sprt(),
                llr: walk.llr(),
                lower: walk.sprt().lower(),
                upper: walk.sprt().upper(),
                pairs: walk.pair_count(),
                decision: walk.decision(),
            }),
            aside: results.uncounted_games(),
            repeated: encounters.iter().flat_map(|met| met.tally.repeated).sum(),
            rows,
        }
    }

    /// The row of a bot, by its number in the plan.
    #[must_use]
    pub fn row(&self, bot: usize) -> Option<&StandingsRow> {
        self.rows.iter().find(|row| row.bot == bot)
    }

    /// Between two: the block; among many: the table, ratings and who beat whom.
    #[must_use]
    pub fn text(&self) -> String {
        if self.rows.len() == 2 {
            return self.fastchess_block();
        }
        if self.rows.iter().all(|row| row.tally.games() == 0) {
            return format!("{}\n{}", self.no_result_text(), self.faults_text());
        }
        let mut text = self.standings_table();
        text.push_str(&self.repetition_line());
        text.push_str(&self.sprt_lines());
        for part in [self.ratings_table(), self.cross_table(), self.faults_text()] {
            if !part.is_empty() {
                text.push('\n');
                text.push_str(&part);
            }
        }
        text
    }

    /// Why there is no figure yet.
    pub(crate) fn no_result_text(&self) -> String {
        match self.aside {
            0 => "No game has been played yet.".into(),
            1 => "No pair of games is complete yet: 1 game has ended and counts with its partner."
                .into(),
            games => format!(
                "No pair of games is complete yet: {games} games have ended and count with their partners."
            ),
        }
    }

    /// fastchess's block of the first two bots of the plan.
    #[must_use]
    pub fn fastchess_block(&self) -> String {
        let (Some(first), Some(second)) = (self.row(0), self.row(1)) else {
            return String::new();
        };
        let place = |bot| self.rows.iter().position(|row| row.bot == bot);
        let tally = place(0)
            .zip(place(1))
            .and_then(|(row, column)| self.cross[row][column])
            .unwrap_or_default();
        let e = tally.estimate();
        let [ll, ld, even, wd, ww] = tally.distinct_pairs();
        let mut text = format!(
            "Results of {} vs {} ({}):\n",
            sanitize_name(&first.name),
            sanitize_name(&second.name),
            self.conditions,
        );
        if tally.games() == 0 {
            let _ = writeln!(text, "{}", self.no_result_text());
            text.push_str(&self.faults_text());
            return text;
        }
        let silent = [first, second].into_iter().filter(|row| row.never_started);
        for row in silent {
            let _ = writeln!(
                text,
                "{} never started: there is nothing to rate.",
                sanitize_name(&row.name)
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
             Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}], WL/DD Ratio: {:.2}\n",
            difference(&e),
            match e.nelo.is_finite() {
                true => format!(
                    "{:.2} +/- {:.2}",
                    FormattedNumber(e.nelo),
                    FormattedNumber(e.nelo_error)
                ),
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
            FormattedNumber(e.wl_dd_ratio),
        );
        if self.scoring == Scoring::Penalty {
            let _ = writeln!(
                text,
                "Penalty (fewer is better): {} - {}",
                tally.penalty(),
                tally.swapped().penalty()
            );
        }
        text.push_str(&self.repetition_line());
        text.push_str(&self.sprt_lines());
        text.push_str(&self.faults_text());
        text
    }

    /// How many pairs repeat earlier ones, of how many.
    pub(crate) fn repeated_pairs(&self) -> [u64; 2] {
        // Each pair is in two rows.
        let pairs: u64 = self.rows.iter().map(|row| row.tally.pair_count()).sum();
        [self.repeated, pairs / 2]
    }

    fn repetition_line(&self) -> String {
        match self.repeated_pairs() {
            [0, _] => String::new(),
            [repeated, pairs] => format!(
                "Repeated pairs: {repeated} of {pairs} (the same moves as an earlier pair: not in Elo, Ptnml or LLR)\n"
            ),
        }
    }

    /// fastchess's table of many bots; with penalties, two columns more: not all need to
    /// have played as many games, and the rank follows the penalty a game.
    #[must_use]
    pub fn standings_table(&self) -> String {
        let width = self.name_width(25);
        let penalty = self.scoring == Scoring::Penalty;
        let mut text = format!(
            "Rank {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>20}",
            "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"
        );
        text.push_str(if penalty {
            "    Penalty     a game\n"
        } else {
            "\n"
        });
        for row in &self.rows {
            let e = &row.estimate;
            let [ll, ld, even, wd, ww] = row.tally.distinct_pairs();
            let counts = format!("[{ll}, {ld}, {even}, {wd}, {ww}]");
            let share = |x: f64| match x.is_finite() {
                true => format!("{:.1}%", FormattedNumber(100.0 * x)),
                false => "-".into(),
            };
            let (elo, elo_error) = columns(e);
            let _ = write!(
                text,
                "{:>4} {} {:>10} {:>10} {:>10.2} {:>10.2} {:>10} {:>10} {:>10} {counts:>20}",
                row.rank,
                padded(&row.name, width),
                elo,
                elo_error,
                FormattedNumber(e.nelo),
                FormattedNumber(e.nelo_error),
                row.tally.games(),
                share(row.points / row.tally.games() as f64),
                share(e.draw_ratio),
            );
            if penalty {
                let _ = write!(
                    text,
                    " {:>10} {:>10.2}",
                    row.penalty,
                    FormattedNumber(row.penalty_per_game())
                );
            }
            text.push('\n');
        }
        text
    }

    /// The most likely ratings, the best first; groups that have not met are named. (With
    /// a prior: everybody has one drawn game against the mean, so that who won all has a
    /// rating with an end.)
    #[must_use]
    pub fn ratings_table(&self) -> String {
        let width = self.name_width(25);
        let mut text = format!(
            "Ratings (most likely with one drawn game each against the mean, mean 0, intervals of 95 %)\n     {:<width$} {:>10} {:>10} {:>10}\n",
            "Name", "Rating", "+/-", "Games"
        );
        let mut rows: Vec<&StandingsRow> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        for (i, row) in rows.iter().enumerate() {
            let _ = writeln!(
                text,
                "{:>4} {} {:>10.2} {:>10.2} {:>10}",
                i + 1,
                padded(&row.name, width),
                FormattedNumber(row.rating.elo),
                FormattedNumber(row.rating.error),
                row.tally.games(),
            );
        }
        if self.groups.len() > 1 {
            text.push_str("These groups have not met and cannot be compared:\n");
            for group in &self.groups {
                let names: Vec<String> = group.iter().map(|name| sanitize_name(name)).collect();
                let _ = writeln!(text, "  {}", names.join(", "));
            }
        }
        text
    }

    /// Who made how many points against whom.
    #[must_use]
    pub fn cross_table(&self) -> String {
        let width = self.name_width(4);
        let cell = |tally: &Option<Tally>| match tally {
            Some(tally) => format!("{:.1}/{}", tally.points(), tally.games()),
            None => "-".into(),
        };
        let cells: Vec<Vec<String>> = self
            .cross
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect();
        let wide = cells.iter().flatten().map(String::len).max().unwrap_or(0);
        let wide = wide.max(4);
        let mut text = format!(
            "Points of the row against the column\n     {:<width$}",
            "Name"
        );
        for i in 1..=self.rows.len() {
            let _ = write!(text, " {i:>wide$}");
        }
        text.push('\n');
        for (i, (row, cells)) in self.rows.iter().zip(&cells).enumerate() {
            let _ = write!(text, "{:>4} {}", i + 1, padded(&row.name, width));
            for cell in cells {
                let _ = write!(text, " {cell:>wide$}");
            }
            text.push('\n');
        }
        text
    }

    /// The LLR, its bounds, the hypotheses; and the decision, once there is one.
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
        let accepted = match state.decision {
            Decision::GoOn => return text,
            Decision::H0 => "H0",
            Decision::H1 => "H1",
        };
        let _ = writeln!(
            text,
            "SPRT ({hypotheses}) completed - {accepted} was accepted"
        );
        text
    }

    /// Who lost games by faults; nothing if nobody did. A bot that did not start counts as
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
                sanitize_name(&row.name),
                faults.late,
                faults.crashed
            );
            // fastchess has no words for these; they stand behind what scripts read.
            for (what, count) in [
                ("Illegal moves", faults.illegal),
                ("Protocol faults", faults.protocol),
            ] {
                if count > 0 {
                    let _ = writeln!(text, "  {what}: {count}");
                }
            }
        }
        text
    }

    fn name_width(&self, least: usize) -> usize {
        let names = self.rows.iter();
        let longest = names
            .map(|row| sanitize_name(&row.name).chars().count())
            .max();
        longest.unwrap_or(0).max(least)
    }
}

/// The difference in Elo and what is known of it: with its error as fastchess writes it, or
/// with the one end that its interval has.
fn difference(e: &EloEstimate) -> String {
    let bound = match (e.elo_low.is_finite(), e.elo_high.is_finite()) {
        (true, false) => format!("at least {:.2}", FormattedNumber(e.elo_low)),
        (false, true) => format!("at most {:.2}", FormattedNumber(e.elo_high)),
        (true, true) => {
            return format!(
                "{:.2} +/- {:.2}",
                FormattedNumber(e.elo),
                FormattedNumber(e.elo_error)
            );
        }
        (false, false) => return format!("{:.2}", FormattedNumber(e.elo)),
    };
    match e.elo.is_finite() {
        true => format!("{:.2} ({bound})", FormattedNumber(e.elo)),
        false => bound,
    }
}

/// The same in two columns: `>34.12` is the one end of an interval.
fn columns(e: &EloEstimate) -> (String, String) {
    let elo = format!("{:.2}", FormattedNumber(e.elo));
    let bound = match (e.elo_low.is_finite(), e.elo_high.is_finite()) {
        (true, false) => format!(">{:.2}", FormattedNumber(e.elo_low)),
        (false, true) => format!("<{:.2}", FormattedNumber(e.elo_high)),
        _ => return (elo, format!("{:.2}", FormattedNumber(e.elo_error))),
    };
    match e.elo.is_finite() {
        true => (elo, bound),
        false => (bound, "-".into()),
    }
}

/// A number for a table or a line: `-` where there is none, and no `-0.00`.
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
        let text = if zero { &text[1..] } else { &text };
        match f.width() {
            Some(width) => write!(f, "{text:>width$}"),
            None => f.write_str(text),
        }
    }
}

/// A name on one line, whatever is in it.
pub(crate) fn sanitize_name(name: &str) -> String {
    let visible = |c: char| if is_unprintable(c) { '\u{fffd}' } else { c };
    name.chars().map(visible).collect()
}

fn padded(name: &str, width: usize) -> String {
    format!("{:<width$}", sanitize_name(name))
}

/// Pace, threads, memory, openings, as fastchess names them.
fn conditions(plan: &Plan) -> String {
    let all = |label: &dyn Fn(&BotSpec) -> String| {
        let mut labels: Vec<String> = plan.bots.iter().map(label).collect();
        // Between two each has its own; among many each different one is named once.
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
        all(&|bot| pace_label(bot.pace.unwrap_or(plan.pace))),
        all(&|bot| format!("{}t", bot.threads())),
        all(&hash_label)
    );
    let openings = openings_label(&plan.openings);
    if !openings.is_empty() {
        let _ = write!(text, ", {openings}");
    }
    text
}

/// `0.1/move`, `10+0.1`, `5000 nodes`, `4 plies`.
fn pace_label(pace: TimeControl) -> String {
    let seconds = |time: Duration| time.as_secs_f64();
    match pace {
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
    match &bot.who {
        BotSource::Ours(ours) => format!("{}MB", ours.hash),
        BotSource::Program(program) => {
            let hash = program
                .options
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("hash"));
            hash.map_or("NULL".into(), |(_, value)| {
                format!("{}MB", sanitize_name(value))
            })
        }
        BotSource::Guest => "NULL".into(),
    }
}

/// `random4`, `all2`, `list12`; nothing for the start of the game.
fn openings_label(openings: &Openings) -> String {
    match openings {
        Openings::Start => String::new(),
        Openings::Random(moves) => format!("random{moves}"),
        Openings::All(moves) => format!("all{moves}"),
        Openings::List(list) => format!("list{}", list.len()),
    }
}
