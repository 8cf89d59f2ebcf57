//! Players and plans that the tests of the arena share.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use noughts_arena::tournament::{
    self, Event, MakePlayer, TournamentError, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    Adjudication, BotSource, BotSpec, BuiltinBot, Format, GameKey, MemoryJournal, MoveRequest,
    MoveResponse, NewGame, Openings, Plan, PlayedGame, Player, PlayerError, Schedule, Scoring,
    TimeControl, TournamentControl,
};
use noughts_engine::{AnyBot, BotSettings, SearchLimits, StopFlag};
use noughts_rules::AnyGameState;

/// Bots of this project, one thread each.
pub(crate) fn ours(name: &str, kind: &str) -> BotSpec {
    BotSpec {
        name: name.into(),
        who: BotSource::Ours(BuiltinBot {
            kind: kind.into(),
            threads: 1,
            hash: 1,
            seed: None,
        }),
        pace: None,
    }
}

/// A round robin of these.
pub(crate) fn plan(variant: &str, bots: &[(&str, &str)], rounds: u32) -> Plan {
    Plan {
        variant: variant.into(),
        bots: bots.iter().map(|(name, kind)| ours(name, kind)).collect(),
        format: Format::RoundRobin,
        rounds,
        openings: Openings::Random(2),
        pace: TimeControl::Nodes(8),
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

/// A bot of the engine that counts nodes, and is said to take a microsecond.
struct Counting {
    kind: String,
    bot: Option<AnyBot>,
}

impl Player for Counting {
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

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let TimeControl::Nodes(nodes) = turn.time_control else {
            panic!("nodes are counted here");
        };
        let bot = self.bot.as_mut().expect("begun");
        let report = bot.think(
            turn.state,
            SearchLimits::nodes(nodes),
            &StopFlag::new(),
            &mut |_| {},
        );
        Ok(MoveResponse {
            mv: report.best.expect("a move"),
            value: Some(report.value),
            took: Duration::from_micros(1),
            depth: None,
            nodes: Some(report.nodes),
        })
    }

    fn end_game(&mut self) {
        self.bot = None;
    }
}

/// Makes bots of the engine.
pub(crate) fn counting() -> MakePlayer {
    Arc::new(|spec| {
        let BotSource::Ours(ours) = &spec.who else {
            panic!("only bots of this project");
        };
        Ok(Box::new(Counting {
            kind: ours.kind.clone(),
            bot: None,
        }))
    })
}

/// A hall with so many cores.
pub(crate) fn hall(cores: usize) -> TournamentRunner {
    TournamentRunner {
        cores,
        ..TournamentRunner::new(counting())
    }
}

/// An answer at once.
pub(crate) fn answer(mv: &str) -> MoveResponse {
    MoveResponse {
        mv: mv.into(),
        value: None,
        took: Duration::from_micros(1),
        depth: None,
        nodes: None,
    }
}

type Choice = Box<dyn FnMut(&MoveRequest<'_>) -> Result<MoveResponse, PlayerError> + Send>;

/// Does what a closure says.
pub(crate) struct Scripted {
    pub(crate) start: Result<(), PlayerError>,
    pub(crate) choice: Choice,
    pub(crate) began: usize,
    pub(crate) ended: usize,
}

impl Scripted {
    pub(crate) fn new(
        choice: impl FnMut(&MoveRequest<'_>) -> Result<MoveResponse, PlayerError> + Send + 'static,
    ) -> Scripted {
        Scripted {
            start: Ok(()),
            choice: Box::new(choice),
            began: 0,
            ended: 0,
        }
    }

    /// The first legal move, always.
    pub(crate) fn first() -> Scripted {
        Scripted::new(|turn| Ok(answer(&first_move(turn.state))))
    }

    /// These moves.
    pub(crate) fn moves(moves: &'static [&'static str]) -> Scripted {
        let mut moves = moves.iter();
        Scripted::new(move |_| Ok(answer(moves.next().expect("a move"))))
    }
}

impl Player for Scripted {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        self.began += 1;
        self.start.clone()
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        (self.choice)(turn)
    }

    fn end_game(&mut self) {
        self.ended += 1;
    }
}

pub(crate) fn first_move(play: &AnyGameState) -> String {
    play.legal_moves().into_iter().next().expect("a move")
}

/// Everything about a game, as text: what two runs must have in common.
pub(crate) fn told(game: &PlayedGame) -> String {
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

/// What a journal in memory was told, each game once.
pub(crate) trait Told {
    fn told(&self) -> BTreeMap<GameKey, String>;
}

impl Told for MemoryJournal {
    fn told(&self) -> BTreeMap<GameKey, String> {
        let games = self.games.lock().expect("no panic");
        let told: BTreeMap<GameKey, String> =
            games.iter().map(|game| (game.key, told(game))).collect();
        assert_eq!(told.len(), games.len(), "a game was kept twice");
        told
    }
}

/// Plays what is left.
pub(crate) fn run(
    plan: &Plan,
    memory: &MemoryJournal,
    hall: TournamentRunner,
) -> Result<TournamentSummary, TournamentError> {
    run_with(plan, memory, hall, &TournamentControl::new(), &mut |_| {})
}

pub(crate) fn run_with(
    plan: &Plan,
    memory: &MemoryJournal,
    hall: TournamentRunner,
    control: &TournamentControl,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<TournamentSummary, TournamentError> {
    let mut journal = memory.clone();
    let done = memory.results();
    tournament::run(&schedule(plan), &done, hall, &mut journal, control, watch)
}
