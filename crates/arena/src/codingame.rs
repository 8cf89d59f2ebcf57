//! External bots that speak CodinGame's ultimate tic-tac-toe protocol.
//!
//! Each turn the bot reads the opponent's last `row col` on the 9×9 board (`-1 -1` if it moves
//! first), the number of legal moves, and the legal moves, one per line; it answers with one `row
//! col`. There is no handshake and no way to send a time limit. As on the site:
//!
//! - every game is played by a new process;
//! - with a time per move, the first turn has at least a second, because it includes the program's
//!   start;
//! - games start from the starting position: the bot only gets the last move and couldn't know an
//!   opening.
//!
//! The site's game is `ception:end=most`. `ultimate` differs only in who wins when no line can be
//! completed, so these bots can play it, but may misjudge its end. They ignore depth and node
//! limits and may take up to the arena's patience.
//!
//! Faults are classified as for [UGI bots](crate::ugi), except that a bot that exits before its
//! first answer counts as not started.

use std::fmt::Write;
use std::time::{Duration, Instant};

use noughts_rules::AnyGameState;

use crate::notation::{cell_to_move, move_to_cell};
use crate::played_game::MoveInfo;
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::process::{BotCommand, BotProcess, ExitMode, TurnError};
use crate::time_control::TimeControl;
use crate::ugi::{Answer, deadline_after, quoted};

/// The least time for the first turn.
const FIRST_TURN: Duration = Duration::from_secs(1);

/// An external bot playing over CodinGame's protocol.
pub(crate) struct CodingamePlayer {
    command: BotCommand,
    process: Option<BotProcess>,
    /// Whether the bot has answered in the current game.
    has_answered: bool,
}

impl CodingamePlayer {
    pub(crate) fn new(command: BotCommand) -> CodingamePlayer {
        CodingamePlayer {
            command,
            process: None,
            has_answered: false,
        }
    }
}

impl Player for CodingamePlayer {
    fn start_game(&mut self, _: &NewGame) -> Result<(), PlayerError> {
        self.end_game();
        self.has_answered = false;
        self.process = Some(BotProcess::start(&self.command)?);
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let allowed = time_allowed(request, !self.has_answered);
        if !self.has_answered && (!request.state.has_standard_start() || request.state.ply() > 1) {
            self.end_game();
            let message =
                "CodinGame bots only play from the start position: they receive only the last move";
            return Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
        }
        let mut process = self.process.take().ok_or_else(PlayerError::not_started)?;
        match take_turn(&mut process, request.state, allowed) {
            Ok(Answer { mv, mut info, .. }) => {
                self.process = Some(process);
                self.has_answered = true;
                // The first turn includes the program's start, which isn't thinking time.
                info.took = info.took.min(request.time_allowed());
                Ok(MoveResponse { mv, info })
            }
            Err(error) => {
                let mut failure = process.fail_turn(error, allowed, ExitMode::Kill);
                if !self.has_answered && failure.kind == PlayerErrorKind::Crash {
                    failure.kind = PlayerErrorKind::StartFailure;
                }
                Err(failure)
            }
        }
    }

    fn end_game(&mut self) {
        // The protocol has no command to quit.
        if let Some(mut process) = self.process.take() {
            process.terminate(ExitMode::Kill);
        }
    }
}

/// Asks for a move, which is returned in native notation.
pub(crate) fn take_turn(
    process: &mut BotProcess,
    state: &AnyGameState,
    allowed: Duration,
) -> Result<Answer, TurnError> {
    process.start_turn();
    if let Some(line) = process.try_read_line()? {
        let text = format!("it wrote before its turn: {}", quoted(&line));
        return Err(TurnError::Protocol(text));
    }
    process.send(&turn_input(state), deadline_after(allowed))?;
    let started = Instant::now();
    let line = process.read_line(deadline_after(allowed))?;
    let took = started.elapsed();
    if let Some(more) = process.buffered_line() {
        let text = format!("it wrote more than its move: {}", quoted(&more));
        return Err(TurnError::Protocol(text));
    }
    let mv = parse_move(&line).ok_or_else(|| {
        let line = quoted(&line);
        TurnError::Protocol(format!(
            "expected `row col`, such as `4 4`, but it wrote {line}"
        ))
    })?;
    Ok(Answer {
        mv,
        line,
        info: MoveInfo {
            took,
            ..MoveInfo::default()
        },
        error: None,
    })
}

/// The time allowed for a turn, including the margin. The first turn includes the program's start.
fn time_allowed(request: &MoveRequest<'_>, first: bool) -> Duration {
    match request.time_control {
        TimeControl::MoveTime(_) if first => request
            .time_allowed()
            .max(FIRST_TURN.saturating_add(request.margin)),
        _ => request.time_allowed(),
    }
}

/// Parses the two numbers at the start of a line as a move. Numbers outside the board are passed on
/// for the rules to reject.
fn parse_move(line: &str) -> Option<String> {
    let mut numbers = line.split_whitespace().map(str::parse::<i64>);
    match (numbers.next()?, numbers.next()?) {
        (Ok(row), Ok(col)) => {
            Some(cell_to_move(row, col).unwrap_or_else(|| format!("{row} {col}")))
        }
        _ => None,
    }
}

/// What the bot reads at the start of its turn.
fn turn_input(state: &AnyGameState) -> String {
    let last = state.last_move().and_then(|mv| move_to_cell(&mv));
    let (row, col) = last.map_or((-1, -1), |(row, col)| (i64::from(row), i64::from(col)));
    let mut cells: Vec<(u8, u8)> = state
        .legal_moves()
        .iter()
        .filter_map(|mv| move_to_cell(mv))
        .collect();
    cells.sort_unstable();
    let mut text = format!("{row} {col}\n{}\n", cells.len());
    for (row, col) in cells {
        let _ = writeln!(text, "{row} {col}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_input_matches_the_site() {
        let mut state = AnyGameState::new("ception:end=most".parse().expect("a variant"));
        let first = turn_input(&state);
        assert!(first.starts_with("-1 -1\n81\n0 0\n0 1\n"), "{first}");
        assert_eq!(first.lines().count(), 83);
        state.play("ea").expect("legal");
        let mut expected = String::from("3 3\n9\n");
        for row in 0..3 {
            for col in 0..3 {
                let _ = writeln!(expected, "{row} {col}");
            }
        }
        assert_eq!(turn_input(&state), expected);
    }
}
