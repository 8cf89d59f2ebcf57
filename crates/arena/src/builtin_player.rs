//! Our own bots at the board, in this process, on the thread of whoever asks.

use std::time::{Duration, Instant};

use noughts_engine::{
    AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag, Tablebases, Value,
    catch_panic, expected_moves_left,
};

use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::spec::BuiltinBot as Spec;
use crate::time_control::TimeControl;

/// What passes between the end of thinking and the clock, taken off every time.
const OVERHEAD: Duration = Duration::from_millis(2);

/// A bot of this project.
pub(crate) struct BuiltinPlayer {
    kind: BotKind,
    settings: BotSettings,
    /// Its own seed, in place of the games'.
    seed: Option<u64>,
    bot: Option<AnyBot>,
    stop: StopFlag,
}

impl BuiltinPlayer {
    pub(crate) fn new(
        kind: BotKind,
        spec: &Spec,
        tables: &Tablebases,
        stop: &StopFlag,
    ) -> BuiltinPlayer {
        BuiltinPlayer {
            kind,
            settings: BotSettings {
                seed: spec.seed.unwrap_or_default(),
                threads: spec.threads.max(1),
                memory: spec.hash << 20,
                tablebases: tables.clone(),
            },
            seed: spec.seed,
            bot: None,
            stop: stop.clone(),
        }
    }

    /// Nodes alone end every search, and nothing else may: the same nodes are to give
    /// the same move on every machine. A depth may be out of reach: patience ends it.
    fn limits(&self, turn: &MoveRequest<'_>) -> SearchLimits {
        match turn.time_control {
            TimeControl::MoveTime(time) => {
                SearchLimits::time(time.saturating_sub(OVERHEAD.min(time / 10)))
            }
            TimeControl::Clock { base, .. } => {
                let share = turn.clocks.map(|clocks| {
                    clocks[turn.state.side() as usize]
                        .time_for_move(expected_moves_left(turn.state), OVERHEAD)
                });
                SearchLimits::time(share.unwrap_or(base / 40))
            }
            TimeControl::Nodes(nodes) => self.kind.limits_or_default(SearchLimits::nodes(nodes)),
            TimeControl::Depth(depth) => {
                let limits = self.kind.limits_or_default(SearchLimits {
                    depth: Some(depth),
                    ..SearchLimits::NONE
                });
                SearchLimits {
                    time: Some(limits.time.unwrap_or(turn.patience).min(turn.patience)),
                    ..limits
                }
            }
        }
    }
}

impl Player for BuiltinPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let settings = BotSettings {
            seed: self.seed.unwrap_or(game.seed),
            ..self.settings.clone()
        };
        self.bot = None;
        let bot = catch_panic(|| AnyBot::new(self.kind, game.variant, &settings));
        let bot = bot
            .flatten()
            .map_err(|reason| PlayerError::new(PlayerErrorKind::StartFailure, reason))?;
        self.bot = Some(bot);
        Ok(())
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let began = Instant::now();
        let limits = self.limits(turn);
        let Some(bot) = &mut self.bot else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was begun",
            ));
        };
        let report = catch_panic(|| bot.think(turn.state, limits, &self.stop, &mut |_| {}));
        let took = began.elapsed();
        let report: SearchReport<String> = report.map_err(|panic| {
            self.bot = None;
            PlayerError::new(PlayerErrorKind::Crash, format!("it broke down: {panic}"))
        })?;
        let allowed = turn.time_allowed();
        if took > allowed {
            let message = format!(
                "it took {} ms and had {} ms",
                took.as_millis(),
                allowed.as_millis()
            );
            return Err(PlayerError::new(PlayerErrorKind::Timeout, message));
        }
        let Some(mv) = report.best else {
            return Err(PlayerError::new(
                PlayerErrorKind::ProtocolError,
                "it made no move",
            ));
        };
        Ok(MoveResponse {
            mv,
            value: Some(report.value).filter(|&value| value != Value::UNKNOWN),
            took,
            depth: Some(report.depth).filter(|&depth| depth > 0),
            nodes: Some(report.nodes),
        })
    }

    fn end_game(&mut self) {
        // What it remembers may be much; the next game has no use for it.
        self.bot = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::Clock;
    use noughts_rules::{AnyGameState, Side, Variant};

    fn ours(kind: BotKind, seed: Option<u64>) -> BuiltinPlayer {
        let spec = Spec {
            kind: kind.name().into(),
            threads: 1,
            hash: 1,
            seed,
        };
        BuiltinPlayer::new(kind, &spec, &Tablebases::default(), &StopFlag::new())
    }

    fn game(seed: u64) -> NewGame {
        NewGame {
            variant: Variant::ULTIMATE,
            side: Side::X,
            seed,
        }
    }

    fn turn(play: &AnyGameState, pace: TimeControl) -> MoveRequest<'_> {
        MoveRequest {
            state: play,
            time_control: pace,
            clocks: None,
            margin: Duration::from_secs(5),
            patience: Duration::from_secs(60),
        }
    }

    /// The moves of a whole game against itself.
    fn moves(player: &mut BuiltinPlayer, seed: u64) -> Vec<String> {
        player.start_game(&game(seed)).expect("it begins");
        let mut play = AnyGameState::new(Variant::ULTIMATE);
        while play.outcome().is_none() {
            let answer = player
                .choose_move(&turn(&play, TimeControl::Nodes(20)))
                .expect("a move");
            play.play(&answer.mv).expect("a legal move");
        }
        player.end_game();
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
        let play = AnyGameState::new(Variant::ULTIMATE);
        let clocks = Clock {
            remaining: Duration::from_millis(300),
            increment: Duration::from_millis(1),
            moves_to_go: None,
        };
        let clock = TimeControl::Clock {
            base: clocks.remaining,
            increment: clocks.increment,
        };
        for kind in [
            BotKind::Random,
            BotKind::Hard,
            BotKind::Mcts,
            BotKind::AlphaBeta,
        ] {
            for pace in [
                TimeControl::MoveTime(Duration::from_micros(1)),
                clock,
                TimeControl::Nodes(1),
                TimeControl::Depth(1),
                TimeControl::Depth(1000),
            ] {
                let mut player = ours(kind, None);
                player.start_game(&game(1)).expect("it begins");
                let turn = MoveRequest {
                    clocks: Some([clocks; 2]),
                    patience: Duration::from_millis(50),
                    margin: Duration::from_secs(10),
                    ..turn(&play, pace)
                };
                match player.choose_move(&turn) {
                    Ok(answer) => assert_eq!(play.check(&answer.mv), Ok(()), "{kind} {pace}"),
                    // A depth that cannot be reached costs the game, not the arena.
                    Err(fault) => {
                        assert_eq!(
                            fault.kind,
                            PlayerErrorKind::Timeout,
                            "{kind} {pace}: {fault}"
                        );
                        assert!(
                            matches!(pace, TimeControl::Depth(_) | TimeControl::Nodes(_)),
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
        let fault = player.start_game(&game(1)).expect_err("too large a board");
        assert_eq!(fault.kind, PlayerErrorKind::StartFailure);
        assert!(fault.message.contains("does not play ultimate"), "{fault}");
        let play = AnyGameState::new(Variant::ULTIMATE);
        let fault = player
            .choose_move(&turn(&play, TimeControl::Nodes(1)))
            .expect_err("no game");
        assert_eq!(fault.kind, PlayerErrorKind::StartFailure);
    }

    #[test]
    fn a_panic_has_its_message() {
        assert_eq!(catch_panic(|| 3), Ok(3));
        let text: Result<(), String> = catch_panic(|| panic!("a {} reason", "good"));
        let word: Result<(), String> = catch_panic(|| panic!("plain"));
        let odd: Result<(), String> = catch_panic(|| std::panic::panic_any(7));
        assert_eq!(text, Err("a good reason".into()));
        assert_eq!(word, Err("plain".into()));
        assert_eq!(odd, Err("it panicked".into()));
    }
}
