//! The conclusion from the standings, as a sentence: which bot is better, and how certain that is.

use crate::error_text::sanitized;
use crate::plan::Scoring;
use crate::standings::{Standings, StandingsRow};
use crate::statistics::{Decision, Pentanomial, elo_from_score};

/// With fewer pairs the sample variance is too unreliable for an error bar.
const MIN_PAIRS: u64 = 10;

/// The error probability on each side of a two-sided 95% interval.
const TWO_SIDED: f64 = 0.025;
/// The error probability of a one-sided interval.
const ONE_SIDED: f64 = 0.05;

/// More games than anyone would play.
const MAX_SUGGESTED_GAMES: f64 = 1e6;

impl Standings {
    /// Which bot is better and how certain that is, or that it can't be said yet.
    #[must_use]
    pub fn conclusion(&self) -> String {
        if self.rows.iter().all(|row| row.tally.games() == 0) {
            return self.no_result_text();
        }
        let not_started = self.rows.iter().filter(|row| row.never_started);
        let not_started: Vec<String> = not_started.map(|row| sanitized(&row.name)).collect();
        if !not_started.is_empty() {
            return format!(
                "{bots} never started, so these results say nothing about strength.",
                bots = not_started.join(" and ")
            );
        }
        let mut text = match (&self.sprt, self.row(0), self.row(1)) {
            (Some(_), Some(new), Some(old)) if self.rows.len() == 2 => self.sprt_text(new, old),
            (None, Some(first), Some(second)) if self.rows.len() == 2 => match_text(first, second),
            _ => self.leader_text(),
        };
        text += &self.repeated_pairs_text();
        let faults: u64 = self.rows.iter().map(|row| row.faults.total()).sum();
        if faults > 0 {
            let times = match faults {
                1 => "once".to_owned(),
                faults => format!("{faults} times"),
            };
            text += &format!(
                " Bots failed {times} (timeout, crash, illegal move or protocol error); such losses say little about strength."
            );
        }
        text
    }

    /// How many pairs repeat earlier ones, as a sentence; empty if none does.
    fn repeated_pairs_text(&self) -> String {
        let [repeated, pairs] = self.repeated_pairs();
        match repeated {
            0 => String::new(),
            repeated => format!(
                " {repeated} of {pairs} game pairs repeat earlier pairs move for move and don't count as evidence; \
                 use more openings to get new games."
            ),
        }
    }

    /// The answer of an SPRT.
    fn sprt_text(&self, new: &StandingsRow, old: &StandingsRow) -> String {
        let Some(state) = &self.sprt else {
            return String::new();
        };
        let (names, sprt) = ([sanitized(&new.name), sanitized(&old.name)], &state.sprt);
        let (elo0, elo1) = (signed_text(sprt.elo0), signed_text(sprt.elo1));
        let score = score_text(&new.tally);
        // With negative bounds the question is whether it isn't worse.
        let asks_better = sprt.elo0 >= 0.0;
        let [new, old] = names;
        let (answer, verb, fits, other, risk) = match (state.decision, asks_better) {
            (Decision::H1, true) => ("Yes", "is better than", elo1, elo0, sprt.alpha),
            (Decision::H1, false) => ("Yes", "passes the test against", elo1, elo0, sprt.alpha),
            (Decision::H0, true) => ("No", "isn't better than", elo0, elo1, sprt.beta),
            (Decision::H0, false) => ("No", "doesn't pass the test against", elo0, elo1, sprt.beta),
            (Decision::GoOn, _) => {
                return format!(
                    "The test of {new} against {old} isn't decided yet: the log-likelihood ratio is {llr:.2} \
                     (yes at {upper:.2}, no at {lower:.2}). {new} has scored {score} so far; play more games.",
                    llr = state.llr,
                    upper = state.upper,
                    lower = state.lower,
                );
            }
        };
        format!(
            "{answer}, {new} {verb} {old}: a difference of {fits} normalized Elo fits the games better than {other} \
             (this is wrong in at most {risk} of 100 such tests). {new} scored {score}.",
            risk = (1e4 * risk).round() / 100.0,
        )
    }

    /// For several bots: which one leads, and whether others may be as good.
    fn leader_text(&self) -> String {
        let [first, second, ..] = &self.rows[..] else {
            return String::new();
        };
        let (name, other) = (sanitized(&first.name), sanitized(&second.name));
        let score = match self.scoring {
            Scoring::Points => score_text(&first.tally),
            Scoring::Penalty => format!(
                "a penalty of {penalty:.2} per game in {games} games",
                penalty = first.penalty_per_game(),
                games = first.tally.games()
            ),
        };
        if self.groups.len() > 1 {
            return format!(
                "{name} leads with {score}, but not all bots can be compared: some have no common opponents."
            );
        }
        let low = first.rating.elo - first.rating.error;
        let high = |row: &StandingsRow| row.rating.elo + row.rating.error;
        let is_certain = self.rows.iter().skip(1).all(|row| low > high(row));
        match is_certain {
            true => format!(
                "{name} is the best bot with {score}: its rating is above every other bot's with 95% confidence."
            ),
            false => format!(
                "{name} leads with {score}, but that isn't certain: judging by the ratings, {other} or another bot \
                 may be as good. Play more games to find out."
            ),
        }
    }
}

/// For two bots: which one is better, and by how much.
fn match_text(first: &StandingsRow, second: &StandingsRow) -> String {
    let tally = first.tally;
    let (low, high) = score_bounds(&tally);
    if low > 0.5 {
        return better_text(first, second, low, high);
    }
    if high < 0.5 {
        return better_text(second, first, 1.0 - high, 1.0 - low);
    }
    let (name, other) = (sanitized(&first.name), sanitized(&second.name));
    let result = score_text(&tally);
    let (score, games) = (tally.points() / tally.games() as f64, tally.games() as f64);
    // The error shrinks with the square root of the number of games.
    let games_needed = games * ((high - low) / 2.0 / (score - 0.5)).powi(2);
    let games_needed = (tally.distinct_pairs().iter().sum::<u64>() >= MIN_PAIRS && games_needed < MAX_SUGGESTED_GAMES).then(|| {
        let power = 10f64.powf((games_needed.log10() - 1.0).floor().max(0.0));
        let games_needed = (games_needed / power).ceil() * power;
        format!(
            " If the difference is as large as it looks, about {games_needed} games in total would show it."
        )
    });
    format!(
        "Too few games to tell whether {name} or {other} is better: {name} scored {result}, and {difference}.{games_needed}",
        difference = match (low <= 0.0, high >= 1.0) {
            (true, true) => "any difference in strength is possible".into(),
            (true, false) => at_most_text(&name, high),
            (false, true) => at_most_text(&other, 1.0 - low),
            (false, false) => difference_text(low, high),
        },
        games_needed = games_needed.unwrap_or_default()
    )
}

fn better_text(better: &StandingsRow, worse: &StandingsRow, low: f64, high: f64) -> String {
    format!(
        "{better} is better than {worse}: it scored {score}, and {difference}.",
        better = sanitized(&better.name),
        worse = sanitized(&worse.name),
        score = score_text(&better.tally),
        difference = difference_text(low, high)
    )
}

fn score_text(tally: &Pentanomial) -> String {
    let share = 100.0 * tally.points() / tally.games() as f64;
    // Round to 0 or 100 only if that is exact.
    let share = match share {
        s if s > 0.0 && s < 1.0 || s > 99.0 && s < 100.0 => format!("{s:.1}"),
        s => format!("{s:.0}"),
    };
    format!("{share}% in {games} games", games = tally.games())
}

/// An interval of the expected score. If there are few pairs or all have the same result, the
/// variance says nothing: then the interval follows from the numbers of pairs won and lost alone.
fn score_bounds(tally: &Pentanomial) -> (f64, f64) {
    let distinct = tally.distinct_pairs();
    let [ll, ld, even, wd, ww] = distinct;
    let pairs: u64 = distinct.iter().sum();
    let (low, high) = tally.score_interval();
    let categories = distinct.iter().filter(|&&count| count > 0).count();
    if pairs >= MIN_PAIRS && categories > 1 {
        return (low, high);
    }
    let score = tally.distinct_score();
    // A result that didn't occur in n pairs has a probability of at most 1 − 0.05^(1/n).
    let occurred = ONE_SIDED.powf(1.0 / pairs as f64);
    match (ll + ld, even, wd + ww) {
        (0, 0, _) => (score * occurred, 1.0),
        (_, 0, 0) => (0.0, 1.0 - (1.0 - score) * occurred),
        _ => {
            let unseen = 1.0 - TWO_SIDED.powf(1.0 / pairs as f64);
            ((low - unseen).max(0.0), (high + unseen).min(1.0))
        }
    }
}

/// `the difference is between +30 and +130 Elo`, `the difference is +139 Elo or more`.
fn difference_text(low: f64, high: f64) -> String {
    let low = signed_text(elo_from_score(low).round());
    let range = match high < 1.0 {
        true => format!(
            "between {low} and {high} Elo",
            high = signed_text(elo_from_score(high).round())
        ),
        false => format!("{low} Elo or more"),
    };
    format!("the difference is {range} with 95% confidence")
}

/// `a is at most 4 Elo better`, if nothing is known about how much worse it may be.
fn at_most_text(name: &str, high: f64) -> String {
    let elo = elo_from_score(high).round().abs();
    format!("{name} is at most {elo} Elo better with 95% confidence")
}

/// With a plus or a minus sign.
fn signed_text(number: f64) -> String {
    match number {
        n if n > 0.0 => format!("+{n}"),
        n if n < 0.0 => format!("−{}", -n),
        _ => "0".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Sprt;
    use crate::played_game::{EndReason, GameKey};
    use crate::report::tests::plan;
    use crate::statistics::Results;
    use crate::statistics::tests::new_game;
    use noughts_rules::{Outcome, Side};

    /// Two bots and their pairs: the points ×2 in both games, and how often.
    type PairCounts<'a> = (u32, u32, &'a [(u8, u8, u32)]);

    /// The conclusion from these pairs.
    fn conclusion(names: &[&str], sprt: Option<Sprt>, pairs: &[PairCounts<'_>]) -> String {
        let mut plan = plan("classic", names);
        plan.sprt = sprt;
        let mut results = Results::new(&plan);
        for &(first, second, pairs) in pairs {
            let mut round = 0;
            for &(one, other, times) in pairs {
                for _ in 0..times {
                    for (swapped, points) in [(false, one), (true, other)] {
                        let outcome = match (points, swapped) {
                            (1, _) => Outcome::Draw,
                            (0, true) | (2, false) => Outcome::Win(Side::X),
                            _ => Outcome::Win(Side::O),
                        };
                        let key = GameKey {
                            round,
                            first,
                            second,
                            swapped,
                        };
                        results.add(&new_game(key, outcome, EndReason::Line));
                    }
                    round += 1;
                }
            }
        }
        Standings::new(&plan, &results).conclusion()
    }

    fn match_conclusion(pairs: &[(u8, u8, u32)]) -> String {
        conclusion(&["a", "b"], None, &[(0, 1, pairs)])
    }

    #[test]
    fn a_clear_result_names_the_better_bot() {
        let text = match_conclusion(&[(0, 0, 1), (0, 1, 11), (1, 1, 47), (1, 2, 25), (2, 2, 16)]);
        assert_eq!(
            text,
            "a is better than b: it scored 61% in 200 games, and the difference is \
             between +45 and +111 Elo with 95% confidence."
        );
        let text = match_conclusion(&[(0, 0, 16), (0, 1, 25), (1, 1, 47), (1, 2, 11), (2, 2, 1)]);
        assert!(
            text.starts_with("b is better than a: it scored 61%"),
            "{text}"
        );
    }

    #[test]
    fn too_few_games_are_inconclusive() {
        let even = match_conclusion(&[(0, 1, 10), (1, 1, 20), (1, 2, 12)]);
        assert!(
            even.starts_with("Too few games to tell whether a or b is better: a scored 51%"),
            "{even}"
        );
        assert!(even.contains("games in total would show it"), "{even}");
        // Three good pairs are no proof, however alike they are.
        for few in [
            &[(2, 2, 3)][..],
            &[(2, 1, 2)],
            &[(2, 2, 1), (2, 1, 2)],
            &[(1, 1, 4)],
        ] {
            let text = match_conclusion(few);
            assert!(text.starts_with("Too few games to tell"), "{few:?}: {text}");
        }
        // Five won pairs are: a bot that isn't better would lose one more often.
        let text = match_conclusion(&[(2, 2, 5)]);
        assert_eq!(
            text,
            "a is better than b: it scored 100% in 10 games, and the difference is \
             +34 Elo or more with 95% confidence."
        );
    }

    /// What isn't known about the difference isn't claimed.
    #[test]
    fn an_open_interval_is_described_by_its_known_bound() {
        for (pairs, end) in [
            (
                &[(2, 2, 3)][..],
                "and b is at most 94 Elo better with 95% confidence.",
            ),
            (
                &[(0, 0, 3)],
                "and a is at most 94 Elo better with 95% confidence.",
            ),
            (
                &[(2, 2, 1), (0, 0, 1)],
                "and any difference in strength is possible.",
            ),
        ] {
            let text = match_conclusion(pairs);
            assert!(text.ends_with(end), "{pairs:?}: {text}");
        }
    }

    /// No number is infinite or NaN, whatever the results.
    #[test]
    fn no_text_contains_nan() {
        for n in 0..40u32 {
            for pairs in [
                vec![(2, 2, n)],
                vec![(0, 0, n)],
                vec![(1, 1, n)],
                vec![(2, 0, n)],
                vec![(2, 2, n), (0, 0, 1)],
                vec![(1, 1, n), (2, 2, 2)],
            ] {
                let text = match_conclusion(&pairs);
                let odd = ["NaN", "nan", "inf", "∞", "−0 ", "+0 "];
                assert!(
                    odd.iter().all(|odd| !text.contains(odd)),
                    "{pairs:?}: {text}"
                );
                assert!(!text.is_empty());
            }
        }
        assert_eq!(match_conclusion(&[]), "No games have been played yet.");
    }

    #[test]
    fn an_sprt_answers_its_question() {
        let sprt = Some(Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        });
        let yes = conclusion(&["new", "old"], sprt, &[(0, 1, &[(2, 1, 300)])]);
        assert!(
            yes.starts_with("Yes, new is better than old: a difference of +10 normalized Elo fits the games better than 0"),
            "{yes}"
        );
        let no = conclusion(&["new", "old"], sprt, &[(0, 1, &[(0, 1, 300)])]);
        assert!(no.starts_with("No, new isn't better than old: "), "{no}");
        let below = sprt.map(|sprt| Sprt {
            elo0: -10.0,
            elo1: 0.0,
            ..sprt
        });
        let same = conclusion(&["new", "old"], below, &[(0, 1, &[(2, 1, 300)])]);
        assert!(
            same.starts_with("Yes, new passes the test against old"),
            "{same}"
        );
        let open = conclusion(&["new", "old"], sprt, &[(0, 1, &[(2, 0, 3)])]);
        assert!(open.contains("isn't decided"), "{open}");
    }

    #[test]
    fn the_leader_of_several_bots_is_named() {
        let clear = conclusion(
            &["a", "b", "c"],
            None,
            &[
                (0, 1, &[(2, 2, 90), (0, 1, 10)]),
                (0, 2, &[(2, 2, 90), (0, 1, 10)]),
                (1, 2, &[(1, 1, 50)]),
            ],
        );
        assert!(clear.starts_with("a is the best bot with 9"), "{clear}");
        let close = conclusion(
            &["a", "b", "c"],
            None,
            &[(0, 1, &[(2, 0, 3)]), (0, 2, &[(2, 1, 1)])],
        );
        assert!(close.contains("but that isn't certain"), "{close}");
    }
}
