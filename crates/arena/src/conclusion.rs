//! What the figures say, as a sentence for people: who is better, and is that sure?

use crate::plan::Scoring;
use crate::standings::{Standings, StandingsRow, sanitize_name};
use crate::statistics::{Decision, Tally};

/// Fewer pairs scatter too little by chance for an error bar to mean anything.
const FEW: u64 = 10;

/// What may be wrong on one side of an interval of 95 % with two ends, ...
const TAIL: f64 = 0.025;
/// ... and with one.
const ONE_SIDED: f64 = 0.05;

/// So many games nobody plays.
const TOO_MANY: f64 = 1e6;

impl Standings {
    /// Who is better, and how sure that is, in plain words; or that nobody can tell.
    #[must_use]
    pub fn conclusion(&self) -> String {
        if self.rows.iter().all(|row| row.tally.games() == 0) {
            return self.no_result_text();
        }
        let silent: Vec<String> = self
            .rows
            .iter()
            .filter(|row| row.never_started)
            .map(|row| sanitize_name(&row.name))
            .collect();
        if !silent.is_empty() {
            return format!(
                "{} never started, so these results say nothing about how it plays.",
                silent.join(" and ")
            );
        }
        let mut text = match (&self.sprt, self.row(0), self.row(1)) {
            (Some(_), Some(new), Some(old)) if self.rows.len() == 2 => self.tested(new, old),
            (None, Some(first), Some(second)) if self.rows.len() == 2 => between(first, second),
            _ => self.leader(),
        };
        text += &self.repetitions();
        let faults: u64 = self.rows.iter().map(|row| row.faults.total()).sum();
        if faults > 0 {
            let times = match faults {
                1 => "Once".to_owned(),
                faults => format!("{faults} times"),
            };
            text += &format!(
                " {times} a bot failed (it was late, broke down, or made no legal move), which says little of its play."
            );
        }
        text
    }

    /// How many pairs repeat earlier ones, as a sentence; nothing if none does.
    fn repetitions(&self) -> String {
        let [repeated, pairs] = self.repeated_pairs();
        match repeated {
            0 => String::new(),
            repeated => format!(
                " {repeated} of {pairs} pairs of games repeat earlier ones move by move and don't count as evidence: \
                 more openings would give new games."
            ),
        }
    }

    /// The answer of a sequential test.
    fn tested(&self, new: &StandingsRow, old: &StandingsRow) -> String {
        let Some(state) = &self.sprt else {
            return String::new();
        };
        let (names, sprt) = (
            [sanitize_name(&new.name), sanitize_name(&old.name)],
            &state.sprt,
        );
        let (elo0, elo1) = (signed(sprt.elo0), signed(sprt.elo1));
        let made = made(&new.tally);
        // Below 0 one asks whether it is not worse.
        let better = sprt.elo0 >= 0.0;
        let percent = |share: f64| (1e4 * share).round() / 100.0;
        match state.decision {
            Decision::H1 => format!(
                "Yes, {} {} {}: a difference of {elo1} normalised Elo fits the games better than {elo0} \
                 (wrong in at most {} of 100 such tests). It made {made}.",
                names[0],
                if better {
                    "is better than"
                } else {
                    "passes the test against"
                },
                names[1],
                percent(sprt.alpha),
            ),
            Decision::H0 => format!(
                "No, {} {} {}: a difference of {elo0} normalised Elo fits the games better than {elo1} \
                 (wrong in at most {} of 100 such tests). It made {made}.",
                names[0],
                if better {
                    "is not better than"
                } else {
                    "does not pass the test against"
                },
                names[1],
                percent(sprt.beta),
            ),
            Decision::GoOn => format!(
                "The test of {} against {} is not decided: its ratio is {:.2}, and would say yes at {:.2}, no at {:.2}. \
                 So far it made {made}; more games are needed.",
                names[0], names[1], state.llr, state.upper, state.lower,
            ),
        }
    }

    /// Among many: who leads, and whether the second may be as good.
    fn leader(&self) -> String {
        let [first, second, ..] = &self.rows[..] else {
            return String::new();
        };
        let (name, other) = (sanitize_name(&first.name), sanitize_name(&second.name));
        let score = match self.scoring {
            Scoring::Points => made(&first.tally),
            Scoring::Penalty => format!(
                "a penalty of {:.2} a game in {} games",
                first.penalty_per_game(),
                first.tally.games()
            ),
        };
        if self.groups.len() > 1 {
            return format!(
                "{name} leads with {score}, but not all bots can be compared: some have no common opponents."
            );
        }
        let reach = |row: &StandingsRow| {
            (
                row.rating.elo - row.rating.error,
                row.rating.elo + row.rating.error,
            )
        };
        let sure = self
            .rows
            .iter()
            .skip(1)
            .all(|row| reach(first).0 > reach(row).1);
        match sure {
            true => format!(
                "{name} is the best with {score}: its rating is above all others, with 95 % certainty each."
            ),
            false => format!(
                "{name} leads with {score}, but that is not sure: by their ratings {other} or another may be as good. \
                 More games would tell."
            ),
        }
    }
}

/// Of two: who is better, and by how much.
fn between(first: &StandingsRow, second: &StandingsRow) -> String {
    let tally = first.tally;
    let (low, high) = reach(&tally);
    if low > 0.5 {
        return better(first, second, low, high);
    }
    if high < 0.5 {
        return better(second, first, 1.0 - high, 1.0 - low);
    }
    let (name, other) = (sanitize_name(&first.name), sanitize_name(&second.name));
    let made = made(&tally);
    let (score, games) = (tally.points() / tally.games() as f64, tally.games() as f64);
    // The error shrinks with the root of the number of games.
    let wanted = games * ((high - low) / 2.0 / (score - 0.5)).powi(2);
    let wanted = (tally.distinct_pairs().iter().sum::<u64>() >= FEW && wanted < TOO_MANY).then(|| {
        let power = 10f64.powf((wanted.log10() - 1.0).floor().max(0.0));
        let wanted = (wanted / power).ceil() * power;
        format!(
            " If the difference is what it looks like, about {wanted} games in all would show it."
        )
    });
    format!(
        "Too few games to tell whether {name} or {other} is better: {name} made {made}, and the difference is {} \
         with 95 % certainty.{}",
        span(low, high),
        wanted.unwrap_or_default()
    )
}

fn better(good: &StandingsRow, bad: &StandingsRow, low: f64, high: f64) -> String {
    format!(
        "{} is better than {}: it made {}, and the difference is {} with 95 % certainty.",
        sanitize_name(&good.name),
        sanitize_name(&bad.name),
        made(&good.tally),
        span(low, high)
    )
}

/// `62 % of the points in 200 games`.
fn made(tally: &Tally) -> String {
    let share = 100.0 * tally.points() / tally.games() as f64;
    // All and nothing are said only where they are so.
    let share = match share {
        s if s > 0.0 && s < 1.0 || s > 99.0 && s < 100.0 => format!("{s:.1}"),
        s => format!("{s:.0}"),
    };
    format!("{share} % of the points in {} games", tally.games())
}

/// The share of points that may be behind a tally. Where pairs are few or all alike, how
/// much they scatter says nothing: then only the numbers of pairs that were won and lost
/// do, each side's chance bounded by how often it came up.
fn reach(tally: &Tally) -> (f64, f64) {
    let distinct = tally.distinct_pairs();
    let [ll, ld, even, wd, ww] = distinct;
    let pairs: u64 = distinct.iter().sum();
    let (low, high) = tally.score_interval();
    let kinds = distinct.iter().filter(|&&count| count > 0).count();
    if pairs >= FEW && kinds > 1 {
        return (low, high);
    }
    let score = tally.distinct_score();
    // Whatever did not come up in n pairs has a chance of at most 1 − 0.05^(1/n).
    let seen = ONE_SIDED.powf(1.0 / pairs as f64);
    match (ll + ld, even, wd + ww) {
        (0, 0, _) => (score * seen, 1.0),
        (_, 0, 0) => (0.0, 1.0 - (1.0 - score) * seen),
        _ => {
            let missed = 1.0 - TAIL.powf(1.0 / pairs as f64);
            ((low - missed).max(0.0), (high + missed).min(1.0))
        }
    }
}

/// `between +30 and +130 Elo`, `at least 139 Elo`.
fn span(low: f64, high: f64) -> String {
    let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
    let shown = |score: f64| signed(elo(score).round());
    match (low <= 0.0, high >= 1.0) {
        (false, false) => format!("between {} and {} Elo", shown(low), shown(high)),
        (false, true) => format!("{} Elo or more", shown(low)),
        (true, false) => format!("{} Elo or less", shown(high)),
        (true, true) => "anything".into(),
    }
}

/// With a real minus, and a plus.
fn signed(number: f64) -> String {
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

    /// Two that met, and their pairs of games: the points of both games, and how often.
    type Met<'a> = (u32, u32, &'a [(u8, u8, u32)]);

    /// Pairs of the first bot against each other one, by the points ×2 of both games.
    fn verdict(names: &[&str], sprt: Option<Sprt>, met: &[Met<'_>]) -> String {
        let mut plan = plan("classic", names);
        plan.sprt = sprt;
        let mut results = Results::new(&plan);
        for &(first, second, pairs) in met {
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

    fn of_two(pairs: &[(u8, u8, u32)]) -> String {
        verdict(&["a", "b"], None, &[(0, 1, pairs)])
    }

    #[test]
    fn who_is_better_is_said_when_it_is_sure() {
        let text = of_two(&[(0, 0, 1), (0, 1, 11), (1, 1, 47), (1, 2, 25), (2, 2, 16)]);
        assert_eq!(
            text,
            "a is better than b: it made 61 % of the points in 200 games, and the difference is \
             between +45 and +111 Elo with 95 % certainty."
        );
        let text = of_two(&[(0, 0, 16), (0, 1, 25), (1, 1, 47), (1, 2, 11), (2, 2, 1)]);
        assert!(
            text.starts_with("b is better than a: it made 61 %"),
            "{text}"
        );
    }

    #[test]
    fn too_few_games_are_called_that() {
        let even = of_two(&[(0, 1, 10), (1, 1, 20), (1, 2, 12)]);
        assert!(
            even.starts_with("Too few games to tell whether a or b is better: a made 51 %"),
            "{even}"
        );
        assert!(even.contains("games in all would show it"), "{even}");
        // Three good pairs are no proof, however alike they are.
        for few in [
            &[(2, 2, 3)][..],
            &[(2, 1, 2)],
            &[(2, 2, 1), (2, 1, 2)],
            &[(1, 1, 4)],
        ] {
            let text = of_two(few);
            assert!(text.starts_with("Too few games to tell"), "{few:?}: {text}");
        }
        // Five that were all won are: one of a bot that is no better is lost oftener.
        let text = of_two(&[(2, 2, 5)]);
        assert_eq!(
            text,
            "a is better than b: it made 100 % of the points in 10 games, and the difference is \
             +34 Elo or more with 95 % certainty."
        );
    }

    /// Whatever was played, no figure is without end or not a number.
    #[test]
    fn nobody_reads_nan() {
        for n in 0..40u32 {
            for pairs in [
                vec![(2, 2, n)],
                vec![(0, 0, n)],
                vec![(1, 1, n)],
                vec![(2, 0, n)],
                vec![(2, 2, n), (0, 0, 1)],
                vec![(1, 1, n), (2, 2, 2)],
            ] {
                let text = of_two(&pairs);
                let odd = ["NaN", "nan", "inf", "∞", "−0 ", "+0 "];
                assert!(
                    odd.iter().all(|odd| !text.contains(odd)),
                    "{pairs:?}: {text}"
                );
                assert!(!text.is_empty());
            }
        }
        assert_eq!(of_two(&[]), "No game has been played yet.");
    }

    #[test]
    fn a_test_answers_its_question() {
        let sprt = Some(Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        });
        let yes = verdict(&["new", "old"], sprt, &[(0, 1, &[(2, 1, 300)])]);
        assert!(
            yes.starts_with("Yes, new is better than old: a difference of +10 normalised Elo fits the games better than 0"),
            "{yes}"
        );
        let no = verdict(&["new", "old"], sprt, &[(0, 1, &[(0, 1, 300)])]);
        assert!(no.starts_with("No, new is not better than old: "), "{no}");
        let below = sprt.map(|sprt| Sprt {
            elo0: -10.0,
            elo1: 0.0,
            ..sprt
        });
        let same = verdict(&["new", "old"], below, &[(0, 1, &[(2, 1, 300)])]);
        assert!(
            same.starts_with("Yes, new passes the test against old"),
            "{same}"
        );
        let open = verdict(&["new", "old"], sprt, &[(0, 1, &[(2, 0, 3)])]);
        assert!(open.contains("is not decided"), "{open}");
    }

    #[test]
    fn among_many_the_leader_is_named() {
        let clear = verdict(
            &["a", "b", "c"],
            None,
            &[
                (0, 1, &[(2, 2, 90), (0, 1, 10)]),
                (0, 2, &[(2, 2, 90), (0, 1, 10)]),
                (1, 2, &[(1, 1, 50)]),
            ],
        );
        assert!(clear.starts_with("a is the best with 9"), "{clear}");
        let close = verdict(
            &["a", "b", "c"],
            None,
            &[(0, 1, &[(2, 0, 3)]), (0, 2, &[(2, 1, 1)])],
        );
        assert!(close.contains("but that is not sure"), "{close}");
    }
}
