//! Built-in bots as players: they run in this process, on the caller's thread.

use std::time::Instant;

use noughts_engine::{
    AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag, Tablebases, Value,
    catch_panic,
};

use crate::played_game::MoveInfo;
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::spec::BuiltinBot as Spec;
use crate::time_control::TimeControl;

/// A built-in bot.
pub(crate) struct BuiltinPlayer {
    kind: BotKind,
    settings: BotSettings,
    /// The bot's own seed, which overrides the game's.
    seed: Option<u64>,
    bot: Option<AnyBot>,
    stop: StopFlag,
}

impl BuiltinPlayer {
    pub(crate) fn new(
        kind: BotKind,
        spec: &Spec,
        tablebases: &Tablebases,
        stop: &StopFlag,
    ) -> BuiltinPlayer {
        BuiltinPlayer {
            kind,
            settings: BotSettings {
                seed: spec.seed.unwrap_or_default(),
                threads: spec.threads.max(1),
                memory: spec.hash << 20,
                tablebases: tablebases.clone(),
            },
            seed: spec.seed,
            bot: None,
            stop: stop.clone(),
        }
    }

    /// Under a node limit nothing else may end the search: the same number of nodes must give the
    /// same move on every machine. A depth limit may be out of reach, so the patience also applies.
    fn limits(&self, request: &MoveRequest<'_>) -> SearchLimits {
        let limits = self.kind.limits_or_default(request.search_limits());
        match request.time_control {
            TimeControl::Depth(_) => SearchLimits {
                time: limits.time.into_iter().chain([request.patience]).min(),
                ..limits
            },
            _ => limits,
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
        let bot = catch_panic(|| {
            AnyBot::new(self.kind, game.variant, &settings).map_err(|error| error.to_string())
        });
        let bot = bot
            .flatten()
            .map_err(|reason| PlayerError::new(PlayerErrorKind::StartFailure, reason))?;
        self.bot = Some(bot);
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let started = Instant::now();
        let limits = self.limits(request);
        let bot = self.bot.as_mut().ok_or_else(PlayerError::not_started)?;
        let report = catch_panic(|| bot.think(request.state, limits, &self.stop, &mut |_| {}));
        let took = started.elapsed();
        let report: SearchReport<String> = report.map_err(|panic| {
            self.bot = None;
            PlayerError::new(PlayerErrorKind::Crash, format!("it crashed: {panic}"))
        })?;
        let Some(mv) = report.best else {
            return Err(PlayerError::new(
                PlayerErrorKind::ProtocolError,
                "it made no move",
            ));
        };
        let info = MoveInfo {
            took,
            value: Some(report.value).filter(|&value| value != Value::UNKNOWN),
            depth: Some(report.depth).filter(|&depth| depth > 0),
            nodes: Some(report.nodes),
        };
        Ok(MoveResponse { mv, info })
    }

    fn end_game(&mut self) {
        // Free the memory of its tables, which the next game doesn't use.
        self.bot = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::Clock;
    use noughts_rules::{AnyGameState, Side, Variant};
    use std::time::Duration;

    fn builtin(kind: BotKind, seed: Option<u64>) -> BuiltinPlayer {
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

    fn turn(state: &AnyGameState, time_control: TimeControl) -> MoveRequest<'_> {
        MoveRequest {
            state,
            time_control,
            clocks: None,
            margin: Duration::from_secs(5),
            patience: Duration::from_secs(60),
        }
    }

    /// Plays a complete game against itself; returns its moves.
    fn moves(player: &mut BuiltinPlayer, seed: u64) -> Vec<String> {
        player.start_game(&game(seed)).expect("it starts");
        let mut state = AnyGameState::new(Variant::ULTIMATE);
        while state.outcome().is_none() {
            let answer = player
                .choose_move(&turn(&state, TimeControl::Nodes(20)))
                .expect("a move");
            state.play(&answer.mv).expect("a legal move");
        }
        player.end_game();
        state.moves()
    }

    /// Games are reproducible: the game's seed decides, unless the bot has its own.
    #[test]
    fn the_seed_determines_the_game() {
        let mut player = builtin(BotKind::Mcts, None);
        let first = moves(&mut player, 1);
        assert_ne!(moves(&mut player, 2), first);
        assert_eq!(moves(&mut player, 1), first);
        let mut with_own_seed = builtin(BotKind::Mcts, Some(1));
        assert_eq!(moves(&mut with_own_seed, 7), first);
    }

    /// No time control, however odd, makes a bot think forever, and it always moves.
    #[test]
    fn every_time_control_terminates() {
        let state = AnyGameState::new(Variant::ULTIMATE);
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
            for time_control in [
                TimeControl::MoveTime(Duration::from_micros(1)),
                clock,
                TimeControl::Nodes(1),
                TimeControl::Depth(1),
                TimeControl::Depth(1000),
            ] {
                let mut player = builtin(kind, None);
                player.start_game(&game(1)).expect("it starts");
                let request = MoveRequest {
                    clocks: Some([clocks; 2]),
                    patience: Duration::from_millis(50),
                    margin: Duration::from_secs(10),
                    ..turn(&state, time_control)
                };
                match player.choose_move(&request) {
                    Ok(answer) => {
                        assert_eq!(state.check(&answer.mv), Ok(()), "{kind} {time_control}");
                    }
                    // An unreachable depth costs the game, but doesn't hang the arena.
                    Err(error) => {
                        assert_eq!(
                            error.kind,
                            PlayerErrorKind::Timeout,
                            "{kind} {time_control}: {error}"
                        );
                        assert!(
                            matches!(time_control, TimeControl::Depth(_) | TimeControl::Nodes(_)),
                            "{kind} {time_control}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn an_unsupported_variant_is_a_start_failure() {
        let mut player = builtin(BotKind::Negamax, None);
        let error = player.start_game(&game(1)).expect_err("too large a board");
        assert_eq!(error.kind, PlayerErrorKind::StartFailure);
        assert!(error.message.contains("doesn't play ultimate"), "{error}");
        let state = AnyGameState::new(Variant::ULTIMATE);
        let error = player
            .choose_move(&turn(&state, TimeControl::Nodes(1)))
            .expect_err("no game");
        assert_eq!(error.kind, PlayerErrorKind::StartFailure);
    }

    #[test]
    fn a_panic_reports_its_message() {
        assert_eq!(catch_panic(|| 3), Ok(3));
        let text: Result<(), String> = catch_panic(|| panic!("a {} reason", "good"));
        let word: Result<(), String> = catch_panic(|| panic!("plain"));
        let odd: Result<(), String> = catch_panic(|| std::panic::panic_any(7));
        assert_eq!(text, Err("a good reason".into()));
        assert_eq!(word, Err("plain".into()));
        assert_eq!(odd, Err("it panicked".into()));
    }
}
