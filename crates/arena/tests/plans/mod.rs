//! Players and plans shared by the arena's tests.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use noughts_arena::tournament::{
    self, MakePlayer, TournamentError, TournamentEvent, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    Adjudication, BotSource, BotSpec, BuiltinBot, Format, GameKey, MemoryJournal, MoveInfo,
    MoveRequest, MoveResponse, NewGame, Openings, Plan, PlayedGame, Player, PlayerError, Schedule,
    Scoring, TimeControl, TournamentControl,
};
use noughts_engine::{AnyBot, BotSettings, SearchLimits, StopFlag};
use noughts_rules::AnyGameState;

/// A built-in bot with one thread.
pub(crate) fn builtin(name: &str, kind: &str) -> BotSpec {
    BotSpec {
        name: name.into(),
        source: BotSource::Builtin(BuiltinBot {
            kind: kind.into(),
            threads: 1,
            hash: 1,
            seed: None,
        }),
        time_control: None,
    }
}

/// A round robin of these bots.
pub(crate) fn plan(variant: &str, bots: &[(&str, &str)], rounds: u32) -> Plan {
    Plan {
        variant: variant.into(),
        bots: bots
            .iter()
            .map(|(name, kind)| builtin(name, kind))
            .collect(),
        format: Format::RoundRobin,
        rounds,
        openings: Openings::Random(2),
        time_control: TimeControl::Nodes(8),
        margin_ms: 50,
        patience_ms: 60_000,
        seed: 7,
        move_limit: None,
        adjudication: Adjudication::default(),
        scoring: Scoring::Points,
        sprt: None,
        concurrency: None,
    }
}

pub(crate) fn schedule(plan: &Plan) -> Arc<Schedule> {
    Arc::new(Schedule::new(plan).expect("a plan"))
}

/// A bot of the engine with a node limit that claims to take a microsecond per move.
struct EngineBot {
    kind: String,
    bot: Option<AnyBot>,
}

impl Player for EngineBot {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let settings = BotSettings {
            seed: game.seed,
            memory: 1 << 16,
            ..BotSettings::default()
        };
        let kind = self.kind.parse().expect("a bot");
        self.bot = Some(AnyBot::new(kind, game.variant, &settings).expect("it plays"));
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let TimeControl::Nodes(nodes) = request.time_control else {
            panic!("nodes are counted here");
        };
        let bot = self.bot.as_mut().expect("begun");
        let report = bot.think(
            request.state,
            SearchLimits::nodes(nodes),
            &StopFlag::new(),
            &mut |_| {},
        );
        Ok(MoveResponse {
            mv: report.best.expect("a move"),
            info: MoveInfo {
                value: Some(report.value),
                took: Duration::from_micros(1),
                depth: None,
                nodes: Some(report.nodes),
            },
        })
    }

    fn end_game(&mut self) {
        self.bot = None;
    }
}

/// Creates bots of the engine.
pub(crate) fn engine_bots() -> MakePlayer {
    Arc::new(|spec| {
        let BotSource::Builtin(builtin) = &spec.source else {
            panic!("only bots of this project");
        };
        Ok(Box::new(EngineBot {
            kind: builtin.kind.clone(),
            bot: None,
        }))
    })
}

/// A runner with this many cores.
pub(crate) fn runner(cores: usize) -> TournamentRunner {
    TournamentRunner {
        cores,
        ..TournamentRunner::new(engine_bots())
    }
}

/// A move made in this time.
pub(crate) fn answer_after(took: Duration, mv: &str) -> MoveResponse {
    let mut response = answer(mv);
    response.info.took = took;
    response
}

/// A move made in a microsecond.
pub(crate) fn answer(mv: &str) -> MoveResponse {
    MoveResponse {
        mv: mv.into(),
        info: MoveInfo {
            took: Duration::from_micros(1),
            ..MoveInfo::default()
        },
    }
}

type Choice = Box<dyn FnMut(&MoveRequest<'_>) -> Result<MoveResponse, PlayerError> + Send>;

/// A player given by a closure.
pub(crate) struct Scripted {
    pub(crate) start: Result<(), PlayerError>,
    pub(crate) choice: Choice,
    pub(crate) starts: usize,
    pub(crate) ends: usize,
}

impl Scripted {
    pub(crate) fn new(
        choice: impl FnMut(&MoveRequest<'_>) -> Result<MoveResponse, PlayerError> + Send + 'static,
    ) -> Scripted {
        Scripted {
            start: Ok(()),
            choice: Box::new(choice),
            starts: 0,
            ends: 0,
        }
    }

    /// Always plays the first legal move.
    pub(crate) fn first() -> Scripted {
        Scripted::new(|request| Ok(answer(&first_move(request.state))))
    }

    /// Plays these moves.
    pub(crate) fn moves(moves: &'static [&'static str]) -> Scripted {
        let mut moves = moves.iter();
        Scripted::new(move |_| Ok(answer(moves.next().expect("a move"))))
    }
}

impl Player for Scripted {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        self.starts += 1;
        self.start.clone()
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        (self.choice)(request)
    }

    fn end_game(&mut self) {
        self.ends += 1;
    }
}

pub(crate) fn first_move(state: &AnyGameState) -> String {
    state.legal_moves().into_iter().next().expect("a move")
}

/// Everything about a game as text: two runs must agree on it.
pub(crate) fn game_text(game: &PlayedGame) -> String {
    format!(
        "{:?} {} {} {:?} {:?} {:?} {} {:?}",
        game.key,
        game.state.start_text(),
        game.state.moves().join(" "),
        game.opening_plies,
        game.move_info,
        game.outcome,
        game.reason,
        game.note
    )
}

/// The games saved in a journal in memory, each once.
pub(crate) trait SavedGames {
    fn saved_games(&self) -> BTreeMap<GameKey, String>;
}

impl SavedGames for MemoryJournal {
    fn saved_games(&self) -> BTreeMap<GameKey, String> {
        let games = self.games.lock().expect("no panic");
        let texts: BTreeMap<GameKey, String> = games
            .iter()
            .map(|game| (game.key, game_text(game)))
            .collect();
        assert_eq!(texts.len(), games.len(), "a game was kept twice");
        texts
    }
}

/// Plays the remaining games.
pub(crate) fn run(
    plan: &Plan,
    memory: &MemoryJournal,
    runner: TournamentRunner,
) -> Result<TournamentSummary, TournamentError> {
    run_with(plan, memory, runner, &TournamentControl::new(), &mut |_| {})
}

pub(crate) fn run_with(
    plan: &Plan,
    memory: &MemoryJournal,
    runner: TournamentRunner,
    control: &TournamentControl,
    watch: &mut dyn FnMut(TournamentEvent<'_>),
) -> Result<TournamentSummary, TournamentError> {
    let mut journal = memory.clone();
    let done = memory.results();
    tournament::run(&schedule(plan), &done, runner, &mut journal, control, watch)
}
