//! `noughts games show` and `replay`: a game's last position, or every position.

use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use noughts_rules::{AnyGameState, Side};
use noughts_session::stored_game_over;
use noughts_store::{GameId, Seat, StoredGame, VisitorId};
use noughts_text::{prompt, unrated_notice};
use noughts_wire::{GameDetails, GameHeader, PlayedMove};

use super::parse_game_id;
use crate::commands::players::seat_label;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::position::start_state_of;
use crate::store_handle::StoreHandle;

#[derive(Args)]
pub(crate) struct GameArgs {
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

/// The server's visitors who play X and O.
type Visitors = [Option<VisitorId>; 2];

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
        let game = handle.game(self.game)?;
        let state = game.replay()?;
        let claims = handle.query(|store| store.seat_claims(self.game))?;
        let claims = claims.unwrap_or_default();
        let visitors = Side::BOTH.map(|side| {
            // The visitor who controls a bot's seat doesn't play it.
            let is_bot = matches!(game.seats[side as usize], Seat::Bot(_));
            let hash = claims.visitors[side as usize].filter(|_| !is_bot);
            hash.as_ref().map(VisitorId::from_hash)
        });
        Ok((game, state, visitors))
    }

    fn draw(&self, state: &AnyGameState) -> String {
        output::draw(state, false, self.ascii)
    }

    pub(crate) fn show(&self) -> Result<(), CliError> {
        let (game, state, visitors) = self.load()?;
        if self.json {
            return output::print_json(&game_details(&game, &state, visitors, false));
        }
        let board = output::draw(&state, game.end.is_some(), self.ascii);
        let mut text = heading(&game, visitors) + "\n" + &board;
        let moves = moves_with_times(&game, &state);
        if !moves.is_empty() {
            let _ = writeln!(text, "\n{moves}");
        }
        output::print(&(text + "\n" + &ending(&game, &state)))
    }

    pub(crate) fn replay(&self) -> Result<(), CliError> {
        let (game, state, visitors) = self.load()?;
        if self.json {
            return output::print_json(&game_details(&game, &state, visitors, true));
        }
        let mut text = heading(&game, visitors) + "\n" + &self.draw(&start_state_of(&state));
        for (i, step) in steps(&game, &state).enumerate() {
            let (side, mv, took) = (step.side, &step.text, time_text(step.took));
            let _ = writeln!(text, "\nmove {}: {side} played {mv}{took}", i + 1);
            text += &self.draw(&step.after);
        }
        output::print(&(text + "\n" + &ending(&game, &state)))
    }
}

/// The moves of a game, each with the state after it.
fn steps(game: &StoredGame, state: &AnyGameState) -> impl Iterator<Item = MoveStep> {
    let mut current = start_state_of(state);
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

fn game_details(
    game: &StoredGame,
    state: &AnyGameState,
    visitors: Visitors,
    replay: bool,
) -> GameDetails {
    let moves = steps(game, state).map(|step| PlayedMove {
        side: step.side.into(),
        time_ms: u64::try_from(step.took.as_millis()).unwrap_or(u64::MAX),
        position: replay.then(|| step.after.position_text()),
        text: step.text,
    });
    let mut header = GameHeader::from(&game.summary);
    [header.x.visitor, header.o.visitor] = visitors.map(|id| id.map(|id| id.to_string()));
    GameDetails {
        game: header,
        start: game.start.clone(),
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
    let ([x, o], started) = (Side::BOTH.map(label), game.started.to_local_string());
    let start = match &game.start {
        None => String::new(),
        Some(text) if text.len() <= MAX_START_LENGTH => format!("start: {text}\n"),
        Some(_) => "start: a custom position; --json prints it\n".into(),
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
    let mut text = match stored_game_over(game) {
        Some(over) => over.sentence(),
        None => format!("Unfinished. {}", prompt(state)),
    };
    if let Some(reason) = game.unrated_reason() {
        let _ = write!(text, "\n{}", unrated_notice(reason, false));
    }
    text + "\n"
}
