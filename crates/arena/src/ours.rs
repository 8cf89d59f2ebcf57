//! Our own bots at the board, in this process, on the thread of whoever asks.

use std::time::{Duration, Instant};

use noughts_engine::{
    AnyBot, BotKind, Limits, Report, Settings, Stop, Tables, Value, caught, moves_expected,
};

use crate::pace::Pace;
use crate::player::{Answer, Fault, Mishap, NewGame, Player, Turn};
use crate::spec::Ours as Spec;

/// What passes between the end of thinking and the clock, taken off every time.
const OVERHEAD: Duration = Duration::from_millis(2);

/// A bot of this project.
pub(crate) struct Ours {
    kind: BotKind,
    settings: Settings,
    /// Its own seed, in place of the games'.
    seed: Option<u64>,
    bot: Option<AnyBot>,
    stop: Stop,
}

impl Ours {
    pub(crate) fn new(kind: BotKind, spec: &Spec, tables: &Tables, stop: &Stop) -> Ours {
        Ours {
            kind,
            settings: Settings {
                seed: spec.seed.unwrap_or_default(),
                threads: spec.threads.max(1),
                memory: spec.hash << 20,
                tables: tables.clone(),
            },
            seed: spec.seed,
            bot: None,
            stop: stop.clone(),
        }
    }

    /// Nodes alone end every search, and nothing else may: the same nodes are to give
    /// the same move on every machine. A depth may be out of reach: patience ends it.
    fn limits(&self, turn: &Turn<'_>) -> Limits {
        match turn.pace {
            Pace::Move(time) => Limits::time(time.saturating_sub(OVERHEAD.min(time / 10))),
            Pace::Clock { base, .. } => {
                let share = turn.clocks.map(|clocks| {
                    clocks[turn.play.side() as usize].share(moves_expected(turn.play), OVERHEAD)
                });
                Limits::time(share.unwrap_or(base / 40))
            }
            Pace::Nodes(nodes) => self.kind.limits(Limits::nodes(nodes)),
            Pace::Depth(depth) => {
                let limits = self.kind.limits(Limits {
                    depth: Some(depth),
                    ..Limits::NONE
                });
                Limits {
                    time: Some(limits.time.unwrap_or(turn.patience).min(turn.patience)),
                    ..limits
                }
            }
        }
    }
}

impl Player for Ours {
    fn begin(&mut self, game: &NewGame) -> Result<(), Fault> {
        let settings = Settings {
            seed: self.seed.unwrap_or(game.seed),
            ..self.settings.clone()
        };
        self.bot = None;
        let bot = caught(|| AnyBot::new(self.kind, game.variant, &settings));
        let bot = bot
            .flatten()
            .map_err(|reason| Fault::new(Mishap::Start, reason))?;
        self.bot = Some(bot);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let began = Instant::now();
        let limits = self.limits(turn);
        let Some(bot) = &mut self.bot else {
            return Err(Fault::new(Mishap::Start, "no game was begun"));
        };
        let report = caught(|| bot.think(turn.play, limits, &self.stop, &mut |_| {}));
        let took = began.elapsed();
        let report: Report<String> = report.map_err(|panic| {
            self.bot = None;
            Fault::new(Mishap::Crash, format!("it broke down: {panic}"))
        })?;
        let allowed = turn.allowed();
        if took > allowed {
            let message = format!(
                "it took {} ms and had {} ms",
                took.as_millis(),
                allowed.as_millis()
            );
            return Err(Fault::new(Mishap::Time, message));
        }
        let Some(mv) = report.best else {
            return Err(Fault::new(Mishap::Protocol, "it made no move"));
        };
        Ok(Answer {
            mv,
            value: Some(report.value).filter(|&value| value != Value::UNKNOWN),
            took,
            depth: Some(report.depth).filter(|&depth| depth > 0),
            nodes: Some(report.nodes),
        })
    }

    fn end(&mut self) {
        // What it remembers may be much; the next game has no use for it.
        self.bot = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::Clock;
    use noughts_rules::{AnyPlay, Player as Side, Variant};

    fn ours(kind: BotKind, seed: Option<u64>) -> Ours {
        let spec = Spec {
            kind: kind.name().into(),
            threads: 1,
            hash: 1,
            seed,
        };
        Ours::new(kind, &spec, &Tables::default(), &Stop::new())
    }

    fn game(seed: u64) -> NewGame {
        NewGame {
            variant: Variant::ULTIMATE,
            side: Side::X,
            seed,
        }
    }

    fn turn(play: &AnyPlay, pace: Pace) -> Turn<'_> {
        Turn {
            play,
            pace,
            clocks: None,
            margin: Duration::from_secs(5),
            patience: Duration::from_secs(60),
        }
    }

    /// The moves of a whole game against itself.
    fn moves(player: &mut Ours, seed: u64) -> Vec<String> {
        player.begin(&game(seed)).expect("it begins");
        let mut play = AnyPlay::new(Variant::ULTIMATE);
        while play.outcome().is_none() {
            let answer = player
                .choose(&turn(&play, Pace::Nodes(20)))
                .expect("a move");
            play.play(&answer.mv).expect("a legal move");
        }
        player.end();
        play.moves()
    }

    /// Games can be played again: the seed of the game decides, unless the bot has one.
    #[test]
    fn the_seed_decides_the_game() {
        let mut player = ours(BotKind::Mcts, None);
        let first = moves(&mut player, 1);
        assert_ne!(moves(&mut player, 2), first);
        assert_eq!(moves(&mut player, 1), first);
        let mut own = ours(BotKind::Mcts, Some(1));
        assert_eq!(moves(&mut own, 7), first);
    }

    /// No pace, however odd, makes it think for ever, and it always moves.
    #[test]
    fn every_pace_has_an_end() {
        let play = AnyPlay::new(Variant::ULTIMATE);
        let clocks = Clock {
            left: Duration::from_millis(300),
            increment: Duration::from_millis(1),
            moves_to_go: None,
        };
        let clock = Pace::Clock {
            base: clocks.left,
            increment: clocks.increment,
        };
        for kind in [
            BotKind::Random,
            BotKind::Hard,
            BotKind::Mcts,
            BotKind::AlphaBeta,
        ] {
            for pace in [
                Pace::Move(Duration::from_micros(1)),
                clock,
                Pace::Nodes(1),
                Pace::Depth(1),
                Pace::Depth(1000),
            ] {
                let mut player = ours(kind, None);
                player.begin(&game(1)).expect("it begins");
                let turn = Turn {
                    clocks: Some([clocks; 2]),
                    patience: Duration::from_millis(50),
                    margin: Duration::from_secs(10),
                    ..turn(&play, pace)
                };
                match player.choose(&turn) {
                    Ok(answer) => assert_eq!(play.check(&answer.mv), Ok(()), "{kind} {pace}"),
                    // A depth that cannot be reached costs the game, not the arena.
                    Err(fault) => {
                        assert_eq!(fault.mishap, Mishap::Time, "{kind} {pace}: {fault}");
                        assert!(
                            matches!(pace, Pace::Depth(_) | Pace::Nodes(_)),
                            "{kind} {pace}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_bot_that_does_not_play_the_game_says_so() {
        let mut player = ours(BotKind::Negamax, None);
        let fault = player.begin(&game(1)).expect_err("too large a board");
        assert_eq!(fault.mishap, Mishap::Start);
        assert!(fault.message.contains("does not play ultimate"), "{fault}");
        let play = AnyPlay::new(Variant::ULTIMATE);
        let fault = player
            .choose(&turn(&play, Pace::Nodes(1)))
            .expect_err("no game");
        assert_eq!(fault.mishap, Mishap::Start);
    }

    #[test]
    fn a_panic_has_its_message() {
        assert_eq!(caught(|| 3), Ok(3));
        let text: Result<(), String> = caught(|| panic!("a {} reason", "good"));
        let word: Result<(), String> = caught(|| panic!("plain"));
        let odd: Result<(), String> = caught(|| std::panic::panic_any(7));
        assert_eq!(text, Err("a good reason".into()));
        assert_eq!(word, Err("plain".into()));
        assert_eq!(odd, Err("it panicked".into()));
    }
}
