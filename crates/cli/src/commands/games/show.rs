//! `noughts games show` and `replay`: one game, as it ended or move by move.

use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use noughts_rules::{AnyGameState, Outcome, Side};
use noughts_store::{Assistance, GameId, Seat, StoredGame, Termination, VisitorId};
use serde::Serialize;

use super::{SeatJson, game_number, no_such_game};
use crate::commands::players::seat_label;
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::store_handle::StoreHandle;

/// Show a game: who played, the board, the moves with their times, how it ended
#[derive(Args)]
#[command(after_help = "Example: noughts games show 12")]
pub(crate) struct Show {
    #[command(flatten)]
    game: Game,
}

/// Replay a game: every position, one after the other
#[derive(Args)]
#[command(after_help = "Example: noughts games replay 12")]
pub(crate) struct Replay {
    #[command(flatten)]
    game: Game,
}

#[derive(Args)]
struct Game {
    /// The game's number in `noughts games`.
    #[arg(value_parser = game_number)]
    game: GameId,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    /// Draw in ASCII.
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Shown {
    id: String,
    number: i64,
    variant: String,
    start: Option<String>,
    x: Seated,
    o: Seated,
    started: String,
    ended: Option<String>,
    result: Option<&'static str>,
    ending: Option<&'static str>,
    rated: bool,
    /// The first help that a player had: `hint`, `takeback` or `analysis`.
    assisted: Option<&'static str>,
    position: String,
    moves: Vec<Move>,
}

/// The visitors of a server who play X and O.
type Visitors = [Option<VisitorId>; 2];

/// Who plays a side, and for whom the server takes them.
#[derive(Serialize)]
struct Seated {
    #[serde(flatten)]
    who: SeatJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    visitor: Option<String>,
}

impl Seated {
    fn new(seat: &Seat, visitor: Option<VisitorId>) -> Seated {
        Seated {
            who: seat.into(),
            visitor: visitor.map(|visitor| visitor.to_string()),
        }
    }
}

#[derive(Serialize)]
struct Move {
    side: char,
    #[serde(rename = "move")]
    text: String,
    time_ms: u64,
    /// The position after it, in a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

/// One move of a game, with the game as it stood after it.
struct Step {
    side: Side,
    text: String,
    took: Duration,
    after: AnyGameState,
}

impl Game {
    /// The game, and the visitors of a server who play its sides.
    fn load(&self) -> Result<(StoredGame, AnyGameState, Visitors), Error> {
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let game = keeper.block_on(keeper.store().game(self.game))?;
        let game = game.ok_or_else(|| no_such_game(self.game))?;
        let play = game.replay();
        let play = play.map_err(|error| Error::Failure(error.to_string()))?;
        let claims = keeper.block_on(keeper.store().seat_claims(self.game))?;
        let sitters = claims.unwrap_or_default().visitors;
        let visitors = sitters.map(|hash| hash.as_ref().map(VisitorId::from_hash));
        Ok((game, play, visitors))
    }

    fn drawn(&self, play: &AnyGameState) -> String {
        let drawing = play.render();
        output::render_colored(&if self.ascii {
            drawing.into_ascii()
        } else {
            drawing
        })
    }
}

impl Show {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let (game, play, visitors) = self.game.load()?;
        if self.game.json {
            return output::print_json(&shown(&game, &play, visitors, false));
        }
        let mut text = heading(&game, visitors) + "\n" + &self.game.drawn(&play);
        let moves = moves_with_times(&game, &play);
        if !moves.is_empty() {
            let _ = writeln!(text, "\n{moves}");
        }
        output::print(&(text + "\n" + &ending(&game, &play)))
    }
}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let (game, play, visitors) = self.game.load()?;
        if self.game.json {
            return output::print_json(&shown(&game, &play, visitors, true));
        }
        let mut text = heading(&game, visitors) + "\n" + &self.game.drawn(&start(&play));
        for (i, step) in steps(&game, &play).enumerate() {
            let (side, mv, took) = (step.side, &step.text, in_brackets(step.took));
            let _ = writeln!(text, "\nmove {}: {side} plays {mv}{took}", i + 1);
            text += &self.game.drawn(&step.after);
        }
        output::print(&(text + "\n" + &ending(&game, &play)))
    }
}

/// The game before its first move.
fn start(play: &AnyGameState) -> AnyGameState {
    let from = AnyGameState::from_text(play.variant(), &play.start_text());
    from.unwrap_or_else(|_| AnyGameState::new(play.variant()))
}

/// The game move by move.
fn steps(game: &StoredGame, play: &AnyGameState) -> impl Iterator<Item = Step> {
    let mut now = start(play);
    game.moves.iter().map_while(move |mv| {
        let side = now.side();
        now.play(&mv.text).ok()?;
        Some(Step {
            side,
            text: mv.text.clone(),
            took: mv.took,
            after: now.clone(),
        })
    })
}

fn shown(game: &StoredGame, play: &AnyGameState, visitors: Visitors, replay: bool) -> Shown {
    let moves = steps(game, play).map(|step| Move {
        side: step.side.letter(),
        time_ms: u64::try_from(step.took.as_millis()).unwrap_or(u64::MAX),
        position: replay.then(|| step.after.position_text()),
        text: step.text,
    });
    Shown {
        id: game.uid.clone(),
        number: game.id.0,
        variant: game.variant.to_string(),
        start: game.start.clone(),
        x: Seated::new(&game.seats[0], visitors[0]),
        o: Seated::new(&game.seats[1], visitors[1]),
        started: game.started.to_string(),
        ended: game.ended.map(|ended| ended.to_string()),
        result: game.result.map(Outcome::as_str),
        ending: game.end.map(Termination::as_str),
        rated: game.is_rated(),
        assisted: game.assistance.map(Assistance::as_str),
        position: play.position_text(),
        moves: moves.collect(),
    }
}

/// In bytes: the text of an Ultimate board fits, those of deeper boards would fill the screen.
const LONGEST_START: usize = 160;

fn heading(game: &StoredGame, visitors: Visitors) -> String {
    let who = |side: Side| {
        let seat = seat_label(&game.seats[side as usize]);
        match visitors[side as usize] {
            Some(visitor) => format!("{seat} (visitor {visitor})"),
            None => seat,
        }
    };
    let (x, o, began) = (who(Side::X), who(Side::O), game.started.to_local_string());
    let start = match &game.start {
        None => String::new(),
        Some(text) if text.len() <= LONGEST_START => format!("start: {text}\n"),
        Some(_) => "start: a given position; --json prints it\n".into(),
    };
    format!(
        "game {}, {}, {began}\nX: {x}\nO: {o}\n{start}",
        game.id, game.variant
    )
}

/// One of X's turns and what O answered to a line.
fn moves_with_times(game: &StoredGame, play: &AnyGameState) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut before = None;
    for step in steps(game, play) {
        if before.is_none() || step.side == Side::X && before != Some(Side::X) {
            let dots = if step.side == Side::X { "." } else { "..." };
            lines.push(format!("{}{dots}", lines.len() + 1));
        }
        if let Some(line) = lines.last_mut() {
            let _ = write!(line, " {}{}", step.text, in_brackets(step.took));
        }
        before = Some(step.side);
    }
    lines.join("\n")
}

/// What a move took; nothing where nobody knows.
fn in_brackets(took: Duration) -> String {
    let millis = took.as_millis();
    match millis {
        0 => String::new(),
        1..1000 => format!(" ({millis} ms)"),
        1000..60_000 => format!(" ({:.1} s)", took.as_secs_f64()),
        _ => format!(" ({} min {} s)", millis / 60_000, millis / 1000 % 60),
    }
}

/// How it ended, or how it stands.
fn ending(game: &StoredGame, play: &AnyGameState) -> String {
    let mut text = match (game.result, game.end) {
        // The rules have more words for what they have ended themselves.
        _ if play.outcome().is_some() => play.prompt(),
        (Some(result), Some(end)) => format!("{result}: {end}"),
        (None, Some(end)) => end.to_string(),
        (_, None) => format!("still open; {}", play.prompt()),
    };
    if game.changed_hands {
        text += "\na side was handed over in mid-game: it counts for nobody";
    }
    if let Some(how) = game.assistance {
        let _ = write!(text, "\nthis game isn't rated: {how}");
    }
    text + "\n"
}
