//! Players and plans that the tests of the arena share.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use noughts_arena::tournament::{self, Ended, Event, Factory, Hall, TournamentError};
use noughts_arena::{
    Adjudication, Answer, BotSpec, Control, Fault, Format, Key, Memory, NewGame, Openings, Ours,
    Pace, Plan, Played, Player, Schedule, Scoring, Turn, Who,
};
use noughts_engine::{AnyBot, Limits, Settings, Stop};
use noughts_rules::AnyPlay;

/// Bots of this project, one thread each.
pub(crate) fn ours(name: &str, kind: &str) -> BotSpec {
    BotSpec {
        name: name.into(),
        who: Who::Ours(Ours {
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
        pace: Pace::Nodes(8),
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
    fn begin(&mut self, game: &NewGame) -> Result<(), Fault> {
        let settings = Settings {
            seed: game.seed,
            memory: 1 << 16,
            ..Settings::default()
        };
        let kind = self.kind.parse().expect("a bot");
        self.bot = Some(AnyBot::new(kind, game.variant, &settings).expect("it plays"));
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let Pace::Nodes(nodes) = turn.pace else {
            panic!("nodes are counted here");
        };
        let bot = self.bot.as_mut().expect("begun");
        let report = bot.think(turn.play, Limits::nodes(nodes), &Stop::new(), &mut |_| {});
        Ok(Answer {
            mv: report.best.expect("a move"),
            value: Some(report.value),
            took: Duration::from_micros(1),
            depth: None,
            nodes: Some(report.nodes),
        })
    }

    fn end(&mut self) {
        self.bot = None;
    }
}

/// Makes bots of the engine.
pub(crate) fn counting() -> Factory {
    Arc::new(|spec| {
        let Who::Ours(ours) = &spec.who else {
            panic!("only bots of this project");
        };
        Ok(Box::new(Counting {
            kind: ours.kind.clone(),
            bot: None,
        }))
    })
}

/// A hall with so many cores.
pub(crate) fn hall(cores: usize) -> Hall {
    Hall {
        cores,
        ..Hall::new(counting())
    }
}

/// An answer at once.
pub(crate) fn answer(mv: &str) -> Answer {
    Answer {
        mv: mv.into(),
        value: None,
        took: Duration::from_micros(1),
        depth: None,
        nodes: None,
    }
}

type Choice = Box<dyn FnMut(&Turn<'_>) -> Result<Answer, Fault> + Send>;

/// Does what a closure says.
pub(crate) struct Scripted {
    pub(crate) start: Result<(), Fault>,
    pub(crate) choice: Choice,
    pub(crate) began: usize,
    pub(crate) ended: usize,
}

impl Scripted {
    pub(crate) fn new(
        choice: impl FnMut(&Turn<'_>) -> Result<Answer, Fault> + Send + 'static,
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
        Scripted::new(|turn| Ok(answer(&first_move(turn.play))))
    }

    /// These moves.
    pub(crate) fn moves(moves: &'static [&'static str]) -> Scripted {
        let mut moves = moves.iter();
        Scripted::new(move |_| Ok(answer(moves.next().expect("a move"))))
    }
}

impl Player for Scripted {
    fn begin(&mut self, _: &NewGame) -> Result<(), Fault> {
        self.began += 1;
        self.start.clone()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        (self.choice)(turn)
    }

    fn end(&mut self) {
        self.ended += 1;
    }
}

pub(crate) fn first_move(play: &AnyPlay) -> String {
    play.legal_moves().into_iter().next().expect("a move")
}

/// Everything about a game, as text: what two runs must have in common.
pub(crate) fn told(game: &Played) -> String {
    format!(
        "{:?} {} {} {:?} {:?} {:?} {} {:?}",
        game.key,
        game.play.start_text(),
        game.play.moves().join(" "),
        game.opening,
        game.moves,
        game.outcome,
        game.reason,
        game.note
    )
}

/// What a journal in memory was told, each game once.
pub(crate) trait Told {
    fn told(&self) -> BTreeMap<Key, String>;
}

impl Told for Memory {
    fn told(&self) -> BTreeMap<Key, String> {
        let games = self.games.lock().expect("no panic");
        let told: BTreeMap<Key, String> = games.iter().map(|game| (game.key, told(game))).collect();
        assert_eq!(told.len(), games.len(), "a game was kept twice");
        told
    }
}

/// Plays what is left.
pub(crate) fn run(plan: &Plan, memory: &Memory, hall: Hall) -> Result<Ended, TournamentError> {
    run_with(plan, memory, hall, &Control::new(), &mut |_| {})
}

pub(crate) fn run_with(
    plan: &Plan,
    memory: &Memory,
    hall: Hall,
    control: &Control,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Ended, TournamentError> {
    let mut journal = memory.clone();
    let done = memory.done();
    tournament::run(&schedule(plan), &done, hall, &mut journal, control, watch)
}
