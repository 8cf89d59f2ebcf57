//! The ladder: does each level beat the one below it? Plays matches between neighboring levels with
//! sides swapped; every game is reproducible from its seed.

use std::time::Duration;

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_store::Tally;

use crate::columns;

/// What to play.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    /// The variants.
    pub(crate) variants: Vec<Variant>,
    /// The bots, weakest first. Each plays the next one.
    pub(crate) bots: Vec<BotKind>,
    /// Games per match; sides are swapped in every other game.
    pub(crate) games: usize,
    /// Time per move for bots that search. The levels need no limit.
    pub(crate) time: Duration,
    /// The seed that all other seeds are derived from.
    pub(crate) seed: u64,
    /// How many games are played in parallel.
    pub(crate) threads: usize,
}

impl Default for Ladder {
    /// 400 games per match in the four variants that the levels were designed for, two at a time,
    /// 50 ms per move for `best`.
    fn default() -> Ladder {
        let names = ["classic", "tic-tac-two", "ultimate", "ception:5c"];
        Ladder {
            variants: names.iter().filter_map(|name| name.parse().ok()).collect(),
            bots: vec![
                BotKind::Random,
                BotKind::Easy,
                BotKind::Medium,
                BotKind::Hard,
                BotKind::Best,
            ],
            games: 400,
            time: Duration::from_millis(50),
            seed: 1,
            threads: 2,
        }
    }
}

/// The result of one match, from the upper bot's point of view.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LadderMatch {
    /// The variant.
    pub(crate) variant: Variant,
    /// The bot that is expected to win.
    pub(crate) upper: BotKind,
    /// The bot below it.
    pub(crate) lower: BotKind,
    /// The upper bot's games.
    pub(crate) tally: Tally,
}

impl LadderMatch {
    /// The upper bot's score from 0 to 1; a draw counts one half.
    pub(crate) fn score(&self) -> f64 {
        let games = self.tally.games().max(1) as f64;
        (self.tally.wins as f64 + self.tally.draws as f64 / 2.0) / games
    }

    /// The 95% confidence interval of the score.
    pub(crate) fn interval(&self) -> (f64, f64) {
        // Add half a win and half a loss: otherwise a bot that won every game would get an interval
        // of width zero.
        let (wins, draws) = (self.tally.wins as f64 + 0.5, self.tally.draws as f64);
        let games = self.tally.games() as f64 + 1.0;
        let mean = (wins + draws / 2.0) / games;
        let variance = (wins + draws / 4.0) / games - mean * mean;
        let margin = 1.96 * (variance / games).sqrt();
        let score = self.score();
        ((score - margin).max(0.0), (score + margin).min(1.0))
    }

    /// Whether the upper bot is better with 95% confidence.
    pub(crate) fn is_significant(&self) -> bool {
        self.interval().0 > 0.5
    }
}

/// Plays the whole ladder and calls `on_match` after each match.
///
/// # Errors
/// A bot doesn't support a variant or didn't make a legal move.
pub(crate) fn ladder(
    plan: &Ladder,
    on_match: &mut dyn FnMut(&LadderMatch),
) -> Result<Vec<LadderMatch>, String> {
    let mut matches = Vec::new();
    for &variant in &plan.variants {
        // On the classic board `easy` plays like `random`, so the ladder starts one level higher.
        let is_equivalent_to_easy =
            |&&kind: &&BotKind| kind == BotKind::Random && variant == Variant::CLASSIC;
        let bots: Vec<BotKind> = plan
            .bots
            .iter()
            .skip_while(is_equivalent_to_easy)
            .copied()
            .collect();
        for pair in bots.windows(2) {
            let ladder_match = play_pair(plan, variant, pair[0], pair[1])?;
            on_match(&ladder_match);
            matches.push(ladder_match);
        }
    }
    Ok(matches)
}

fn play_pair(
    plan: &Ladder,
    variant: Variant,
    lower: BotKind,
    upper: BotKind,
) -> Result<LadderMatch, String> {
    // The upper bot's tally of one game.
    let play = |number: usize| {
        // Two consecutive games share their seeds, with sides swapped.
        let upper_side = Side::BOTH[number % 2];
        let bots = match upper_side {
            Side::X => [upper, lower],
            Side::O => [lower, upper],
        };
        let outcome = play_game(plan, variant, bots, mix(plan.seed, number as u64 / 2))?;
        Ok(Tally::from_outcome(outcome, upper_side))
    };
    let add = |sum: Tally, tally: Result<Tally, String>| Ok(sum + tally?);
    let play_every_nth = |first| {
        let mut games = (first..plan.games).step_by(plan.threads).map(play);
        games.try_fold(Tally::default(), add)
    };
    let tally = std::thread::scope(|scope| {
        let threads = (0..plan.threads).map(|first| scope.spawn(move || play_every_nth(first)));
        let threads: Vec<_> = threads.collect();
        let interrupted = |_| Err("a game was interrupted".to_owned());
        let mut tallies = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(interrupted));
        tallies.try_fold(Tally::default(), add)
    })?;
    Ok(LadderMatch {
        variant,
        upper,
        lower,
        tally,
    })
}

/// Plays one game; X's bot comes first.
fn play_game(
    plan: &Ladder,
    variant: Variant,
    bots: [BotKind; 2],
    seed: u64,
) -> Result<Outcome, String> {
    let make_bot = |kind, seed| {
        let settings = BotSettings {
            seed,
            ..BotSettings::default()
        };
        AnyBot::new(kind, variant, &settings).map_err(|error| error.to_string())
    };
    let mut x = make_bot(bots[0], mix(seed, 1))?;
    let mut o = make_bot(bots[1], mix(seed, 2))?;
    let mut state = AnyGameState::new(variant);
    loop {
        if let Some(outcome) = state.outcome() {
            return Ok(outcome);
        }
        let bot = match state.side() {
            Side::X => &mut x,
            Side::O => &mut o,
        };
        let limits = match bot.kind() {
            BotKind::Random | BotKind::Easy | BotKind::Medium | BotKind::Hard => SearchLimits::NONE,
            _ => SearchLimits::time(plan.time),
        };
        let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
        let position = state.position_text();
        let Some(mv) = report.best else {
            return Err(format!("{bot:?} has no move in {position}"));
        };
        state
            .play(&mv)
            .map_err(|reason| format!("{bot:?} played {mv} in {position}: {reason}"))?;
    }
}

/// Derives a seed for each number (the finalizer of SplitMix64).
fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The matches as a table.
pub(crate) fn table(matches: &[LadderMatch]) -> String {
    let rows = matches.iter().map(|ladder_match| {
        let tally = ladder_match.tally;
        let (low, high) = ladder_match.interval();
        let interval = format!("{:.1}% to {:.1}%", 100.0 * low, 100.0 * high);
        let is_significant = ladder_match.is_significant();
        [
            ladder_match.variant.to_string(),
            format!("{} : {}", ladder_match.upper, ladder_match.lower),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{:.1}%", 100.0 * ladder_match.score()),
            interval
                + if is_significant {
                    ""
                } else {
                    "  not significant"
                },
        ]
    });
    let headings = [
        "game",
        "pair",
        ">won",
        ">drawn",
        ">lost",
        ">score",
        "95% interval",
    ];
    columns::table(headings, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_ladder(games: usize) -> Ladder {
        Ladder {
            variants: vec![Variant::CLASSIC, Variant::ULTIMATE],
            bots: vec![BotKind::Random, BotKind::Easy, BotKind::Medium],
            games,
            ..Ladder::default()
        }
    }

    #[test]
    fn ladder_is_reproducible_on_any_number_of_threads() {
        let plan = small_ladder(20);
        let matches = ladder(&plan, &mut |_| {}).expect("all games are played");
        assert_eq!(matches.len(), 3, "easy is random on the classic board");
        for ladder_match in &matches {
            assert_eq!(ladder_match.tally.games(), 20);
        }
        let single_threaded = Ladder { threads: 1, ..plan };
        assert_eq!(
            matches,
            ladder(&single_threaded, &mut |_| {}).expect("all games are played")
        );
    }

    #[test]
    fn unsupported_variant_is_an_error() {
        let plan = Ladder {
            bots: vec![BotKind::Hard, BotKind::Negamax],
            ..small_ladder(2)
        };
        let error = ladder(&plan, &mut |_| {}).expect_err("negamax doesn't play ultimate");
        assert!(
            error.starts_with("negamax doesn't play ultimate"),
            "{error}"
        );
    }

    #[test]
    fn intervals_contain_the_score_and_shrink_with_more_games() {
        let ladder_match = |wins, draws, losses| LadderMatch {
            variant: Variant::CLASSIC,
            upper: BotKind::Hard,
            lower: BotKind::Easy,
            tally: Tally {
                wins,
                draws,
                losses,
            },
        };
        let (short_match, long_match) = (ladder_match(6, 2, 2), ladder_match(600, 200, 200));
        assert_eq!(short_match.score(), 0.7);
        let width =
            |ladder_match: &LadderMatch| ladder_match.interval().1 - ladder_match.interval().0;
        assert!(width(&short_match) > 5.0 * width(&long_match));
        assert!(long_match.is_significant() && !ladder_match(5, 0, 5).is_significant());
        assert!(
            ladder_match(10, 0, 0).interval().0 < 1.0,
            "ten wins are no certainty"
        );
    }
}
