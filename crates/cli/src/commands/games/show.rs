//! `noughts games show` and `replay`: a game's last position, or every position.

use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use noughts_rules::{AnyGameState, Assistance, Outcome, Side, Termination};
use noughts_store::{GameId, Seat, StoredGame, VisitorId};
use noughts_text::{GameOver, prompt, unrated_notice};
use serde::Serialize;

use super::{SeatJson, no_such_game, parse_game_id};
use crate::commands::players::seat_label;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::store_handle::StoreHandle;

/// Show a game: players, board, moves with times, and how it ended
#[derive(Args)]
#[command(after_help = "Example: noughts games show 12")]
pub(crate) struct ShowGameArgs {
    #[command(flatten)]
    game: GameArgs,
}

/// Replay a game, position by position
#[derive(Args)]
#[command(after_help = "Example: noughts games replay 12")]
pub(crate) struct Replay {
    #[command(flatten)]
    game: GameArgs,
}

#[derive(Args)]
struct GameArgs {
    /// Game number, as listed by `noughts games`
    #[arg(value_parser = parse_game_id)]
    game: GameId,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    /// Draw with ASCII characters only
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct GameJson {
    id: String,
    number: i64,
    variant: String,
    start: Option<String>,
    x: SeatedJson,
    o: SeatedJson,
    started: String,
    ended: Option<String>,
    result: Option<&'static str>,
    ending: Option<&'static str>,
    rated: bool,
    /// The first assistance that a player had: `hint`, `takeback` or `analysis`.
    assisted: Option<&'static str>,
    position: String,
    moves: Vec<MoveJson>,
}

/// The server's visitors who play X and O.
type Visitors = [Option<VisitorId>; 2];

/// Who plays a side, and as which of the server's visitors.
#[derive(Serialize)]
struct SeatedJson {
    #[serde(flatten)]
    seat: SeatJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    visitor: Option<String>,
}

impl SeatedJson {
    fn new(seat: &Seat, visitor: Option<VisitorId>) -> SeatedJson {
        SeatedJson {
            seat: seat.into(),
            visitor: visitor.map(|visitor| visitor.to_string()),
        }
    }
}

#[derive(Serialize)]
struct MoveJson {
    side: char,
    #[serde(rename = "move")]
    text: String,
    time_ms: u64,
    /// The position after the move, in a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

/// A move and the state after it.
struct MoveStep {
    side: Side,
    text: String,
    took: Duration,
    after: AnyGameState,
}

impl GameArgs {
    /// The game and the server's visitors who play it.
    fn load(&self) -> Result<(StoredGame, AnyGameState, Visitors), CliError> {
        let handle = StoreHandle::open_read_only(&self.data.dir()?)?;
        let game = handle.block_on(handle.store().game(self.game))?;
        let game = game.ok_or_else(|| no_such_game(self.game))?;
        let state = game.replay();
        let state = state.map_err(|error| CliError::Failure(error.to_string()))?;
        let claims = handle.block_on(handle.store().seat_claims(self.game))?;
        let hashes = claims.unwrap_or_default().visitors;
        let visitors = hashes.map(|hash| hash.as_ref().map(VisitorId::from_hash));
        Ok((game, state, visitors))
    }

    fn draw(&self, state: &AnyGameState) -> String {
        let drawing = state.render();
        output::render_colored(&if self.ascii {
            drawing.into_ascii()
        } else {
            drawing
        })
    }
}

impl ShowGameArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (game, state, visitors) = self.game.load()?;
        if self.game.json {
            return output::print_json(&game_json(&game, &state, visitors, false));
        }
        let mut text = heading(&game, visitors) + "\n" + &self.game.draw(&state);
        let moves = moves_with_times(&game, &state);
        if !moves.is_empty() {
            let _ = writeln!(text, "\n{moves}");
        }
        output::print(&(text + "\n" + &ending(&game, &state)))
    }
}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (game, state, visitors) = self.game.load()?;
        if self.game.json {
            return output::print_json(&game_json(&game, &state, visitors, true));
        }
        let mut text = heading(&game, visitors) + "\n" + &self.game.draw(&start_state(&state));
        for (i, step) in steps(&game, &state).enumerate() {
            let (side, mv, took) = (step.side, &step.text, time_text(step.took));
            let _ = writeln!(text, "\nmove {}: {side} plays {mv}{took}", i + 1);
            text += &self.game.draw(&step.after);
        }
        output::print(&(text + "\n" + &ending(&game, &state)))
    }
}

/// The state before the first move.
fn start_state(state: &AnyGameState) -> AnyGameState {
    let from = AnyGameState::from_text(state.variant(), &state.start_text());
    from.unwrap_or_else(|_| AnyGameState::new(state.variant()))
}

/// The moves of a game, each with the state after it.
fn steps(game: &StoredGame, state: &AnyGameState) -> impl Iterator<Item = MoveStep> {
    let mut current = start_state(state);
    game.moves.iter().map_while(move |mv| {
        let side = current.side();
        current.play(&mv.text).ok()?;
        Some(MoveStep {
            side,
            text: mv.text.clone(),
            took: mv.took,
            after: current.clone(),
        })
    })
}

fn game_json(
    game: &StoredGame,
    state: &AnyGameState,
    visitors: Visitors,
    replay: bool,
) -> GameJson {
    let moves = steps(game, state).map(|step| MoveJson {
        side: step.side.letter(),
        time_ms: u64::try_from(step.took.as_millis()).unwrap_or(u64::MAX),
        position: replay.then(|| step.after.position_text()),
        text: step.text,
    });
    GameJson {
        id: game.uid.clone(),
        number: game.id.0,
        variant: game.variant.to_string(),
        start: game.start.clone(),
        x: SeatedJson::new(&game.seats[0], visitors[0]),
        o: SeatedJson::new(&game.seats[1], visitors[1]),
        started: game.started.to_string(),
        ended: game.ended.map(|ended| ended.to_string()),
        result: game.result.map(Outcome::as_str),
        ending: game.end.map(Termination::as_str),
        rated: game.is_rated(),
        assisted: game.assistance.map(Assistance::as_str),
        position: state.position_text(),
        moves: moves.collect(),
    }
}

/// In bytes: the text of an Ultimate board fits, but that of a deeper board would fill the screen.
const MAX_START_LENGTH: usize = 160;

fn heading(game: &StoredGame, visitors: Visitors) -> String {
    let label = |side: Side| {
        let seat = seat_label(&game.seats[side as usize]);
        match visitors[side as usize] {
            Some(visitor) => format!("{seat} (visitor {visitor})"),
            None => seat,
        }
    };
    let (x, o, started) = (
        label(Side::X),
        label(Side::O),
        game.started.to_local_string(),
    );
    let start = match &game.start {
        None => String::new(),
        Some(text) if text.len() <= MAX_START_LENGTH => format!("start: {text}\n"),
        Some(_) => "start: a chosen position; --json prints it\n".into(),
    };
    format!(
        "game {}, {}, {started}\nX: {x}\nO: {o}\n{start}",
        game.id, game.variant
    )
}

/// One line for each of X's turns and O's reply.
fn moves_with_times(game: &StoredGame, state: &AnyGameState) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut previous_side = None;
    for step in steps(game, state) {
        if previous_side.is_none() || step.side == Side::X && previous_side != Some(Side::X) {
            let dots = if step.side == Side::X { "." } else { "..." };
            lines.push(format!("{}{dots}", lines.len() + 1));
        }
        if let Some(line) = lines.last_mut() {
            let _ = write!(line, " {}{}", step.text, time_text(step.took));
        }
        previous_side = Some(step.side);
    }
    lines.join("\n")
}

/// The time that a move took in parentheses; empty if unknown.
fn time_text(took: Duration) -> String {
    let millis = took.as_millis();
    match millis {
        0 => String::new(),
        1..1000 => format!(" ({millis} ms)"),
        1000..60_000 => format!(" ({:.1} s)", took.as_secs_f64()),
        _ => format!(" ({} min {} s)", millis / 60_000, millis / 1000 % 60),
    }
}

/// How the game ended, or whose turn it is.
fn ending(game: &StoredGame, state: &AnyGameState) -> String {
    let mut text = match game.end {
        Some(termination) => {
            let over = GameOver {
                variant: game.variant,
                outcome: game.result,
                termination,
                players: Some([0, 1].map(|seat| noughts_session::seat_label(&game.seats[seat]))),
                moves: game.moves.len(),
            };
            over.sentence()
        }
        None => format!("Unfinished. {}", prompt(state)),
    };
    if let Some(reason) = game.unrated_reason() {
        let _ = write!(text, "\n{}", unrated_notice(reason, false));
    }
    text + "\n"
}
