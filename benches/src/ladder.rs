//! The ladder: does each level beat the one below it? Matches between
//! neighbours, sides swapped, every game from a seed.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};

/// What to play.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The games.
    pub variants: Vec<Variant>,
    /// The bots, weakest first. Neighbours meet.
    pub bots: Vec<BotKind>,
    /// Games for each pair; every other one with sides swapped.
    pub games: usize,
    /// What bots that search may take for a move. The levels need no limit.
    pub time: Duration,
    /// Where all seeds come from.
    pub seed: u64,
    /// How many games are played at once.
    pub threads: usize,
}

impl Default for Ladder {
    /// 400 games a pair of the four games that the levels were made for, two at
    /// a time, 50 ms for a move of `best`.
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

/// One pair: how the upper bot did against the lower.
#[derive(Clone, PartialEq, Debug)]
pub struct LadderMatch {
    /// The game.
    pub variant: Variant,
    /// The bot that should win.
    pub upper: BotKind,
    /// The bot below it.
    pub lower: BotKind,
    /// Games that the upper bot won.
    pub wins: usize,
    /// Games that nobody won.
    pub draws: usize,
    /// Games that the upper bot lost.
    pub losses: usize,
}

impl LadderMatch {
    /// The share of the points that the upper bot took; a draw is half a point.
    #[must_use]
    pub fn score(&self) -> f64 {
        let games = (self.wins + self.draws + self.losses).max(1) as f64;
        (self.wins as f64 + self.draws as f64 / 2.0) / games
    }

    /// The true score lies between these with 95 % confidence.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        // Half a win and half a loss more: without them, a bot that won every game
        // would seem certain to win every other.
        let [wins, draws, losses] = [
            self.wins as f64 + 0.5,
            self.draws as f64,
            self.losses as f64 + 0.5,
        ];
        let games = wins + draws + losses;
        let mean = (wins + draws / 2.0) / games;
        let variance = (wins + draws / 4.0) / games - mean * mean;
        let margin = 1.96 * (variance / games).sqrt();
        let score = self.score();
        ((score - margin).max(0.0), (score + margin).min(1.0))
    }

    /// Is the upper bot clearly the better one?
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.interval().0 > 0.5
    }
}

/// Plays the whole ladder; `watch` hears of each rung as it is done.
///
/// # Errors
/// A bot that does not play a variant, or that made no legal move.
pub fn ladder(
    plan: &Ladder,
    watch: &mut dyn FnMut(&LadderMatch),
) -> Result<Vec<LadderMatch>, String> {
    let mut rungs = Vec::new();
    for &variant in &plan.variants {
        // On the classic board easy is random: there the ladder starts one higher.
        let same = |&&kind: &&BotKind| kind == BotKind::Random && variant == Variant::CLASSIC;
        let bots: Vec<BotKind> = plan.bots.iter().skip_while(same).copied().collect();
        for pair in bots.windows(2) {
            let rung = play_pair(plan, variant, pair[0], pair[1])?;
            watch(&rung);
            rungs.push(rung);
        }
    }
    Ok(rungs)
}

fn play_pair(
    plan: &Ladder,
    variant: Variant,
    lower: BotKind,
    upper: BotKind,
) -> Result<LadderMatch, String> {
    let rung = Mutex::new(LadderMatch {
        variant,
        upper,
        lower,
        wins: 0,
        draws: 0,
        losses: 0,
    });
    let failed = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                return;
            }
            // Two games in a row share their seeds, sides swapped.
            let plays_x = number.is_multiple_of(2);
            let seed = mix(plan.seed, number as u64 / 2);
            let kinds = if plays_x {
                [upper, lower]
            } else {
                [lower, upper]
            };
            match (play_game(plan, variant, kinds, seed), rung.lock()) {
                (Ok(outcome), Ok(mut rung)) => match outcome.winner() {
                    None => rung.draws += 1,
                    Some(winner) if (winner == Side::X) == plays_x => rung.wins += 1,
                    Some(_) => rung.losses += 1,
                },
                (Err(reason), _) => {
                    next.store(plan.games, Ordering::Relaxed);
                    if let Ok(mut failed) = failed.lock() {
                        failed.get_or_insert(reason);
                    }
                    return;
                }
                (_, Err(_)) => return,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..plan.threads {
            scope.spawn(work);
        }
        work();
    });
    let broken = "a game was broken off";
    match failed.into_inner() {
        Ok(None) => rung.into_inner().map_err(|_| broken.into()),
        Ok(Some(reason)) => Err(reason),
        Err(_) => Err(broken.into()),
    }
}

/// One game, X's bot first.
fn play_game(
    plan: &Ladder,
    variant: Variant,
    kinds: [BotKind; 2],
    seed: u64,
) -> Result<Outcome, String> {
    let [mut x, mut o] = [
        AnyBot::new(kinds[0], variant, &settings(mix(seed, 1)))?,
        AnyBot::new(kinds[1], variant, &settings(mix(seed, 2)))?,
    ];
    let mut play = AnyGameState::new(variant);
    loop {
        if let Some(outcome) = play.outcome() {
            return Ok(outcome);
        }
        let bot = match play.side() {
            Side::X => &mut x,
            Side::O => &mut o,
        };
        let limits = match bot.kind() {
            BotKind::Random | BotKind::Easy | BotKind::Medium | BotKind::Hard => SearchLimits::NONE,
            _ => SearchLimits::time(plan.time),
        };
        let report = bot.think(&play, limits, &StopFlag::new(), &mut |_| {});
        let at = play.position_text();
        let Some(mv) = report.best else {
            return Err(format!("{bot:?} has no move in {at}"));
        };
        play.play(&mv)
            .map_err(|reason| format!("{bot:?} played {mv} in {at}: {reason}"))?;
    }
}

fn settings(seed: u64) -> BotSettings {
    BotSettings {
        seed,
        ..BotSettings::default()
    }
}

/// A seed for each number, all from one (the finisher of SplitMix64).
fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The rungs as a table.
#[must_use]
pub fn table(rungs: &[LadderMatch]) -> String {
    let mut text = format!(
        "{:<12} {:<18} {:>5} {:>5} {:>6}   {:>6}  {}\n",
        "game", "pair", "won", "drawn", "lost", "score", "95 % interval"
    );
    for rung in rungs {
        let (low, high) = rung.interval();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<12} {:<18} {:>5} {:>5} {:>6}   {:>5.1}%  {:.1}% to {:.1}%{}",
            rung.variant.to_string(),
            format!("{} : {}", rung.upper, rung.lower),
            rung.wins,
            rung.draws,
            rung.losses,
            100.0 * rung.score(),
            100.0 * low,
            100.0 * high,
            if rung.is_significant() {
                ""
            } else {
                "  not clear"
            },
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(games: usize) -> Ladder {
        Ladder {
            variants: vec![Variant::CLASSIC, Variant::ULTIMATE],
            bots: vec![BotKind::Random, BotKind::Easy, BotKind::Medium],
            games,
            ..Ladder::default()
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_ladder_on_any_number_of_threads() {
        let plan = small(20);
        let one = ladder(&plan, &mut |_| {}).expect("all games are played");
        assert_eq!(one.len(), 3, "easy is random on the classic board");
        for rung in &one {
            assert_eq!(rung.wins + rung.draws + rung.losses, 20);
        }
        let alone = Ladder { threads: 1, ..plan };
        assert_eq!(
            one,
            ladder(&alone, &mut |_| {}).expect("all games are played")
        );
    }

    #[test]
    fn a_bot_that_does_not_play_the_game_is_an_error() {
        let plan = Ladder {
            bots: vec![BotKind::Hard, BotKind::Negamax],
            ..small(2)
        };
        let error = ladder(&plan, &mut |_| {}).expect_err("negamax does not play ultimate");
        assert!(
            error.starts_with("negamax does not play ultimate"),
            "{error}"
        );
    }

    #[test]
    fn intervals_hold_the_score_and_shrink_with_games() {
        let rung = |wins, draws, losses| LadderMatch {
            variant: Variant::CLASSIC,
            upper: BotKind::Hard,
            lower: BotKind::Easy,
            wins,
            draws,
            losses,
        };
        let (few, many) = (rung(6, 2, 2), rung(600, 200, 200));
        assert_eq!(few.score(), 0.7);
        let width = |rung: &LadderMatch| rung.interval().1 - rung.interval().0;
        assert!(width(&few) > 5.0 * width(&many));
        assert!(many.is_significant() && !rung(5, 0, 5).is_significant());
        assert!(
            rung(10, 0, 0).interval().0 < 1.0,
            "ten wins are no certainty"
        );
    }
}
