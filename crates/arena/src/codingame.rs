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
use std::path::PathBuf;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Variant};

use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::process::{BotProcess, ExitMode, ProcessIoError};
use crate::protocol_log::ProtocolLog;
use crate::spec::{Program, SpecError};
use crate::time_control::TimeControl;
use crate::ugi::{OUTPUT_LIMIT_TEXT, deadline_after, timeout_message};

/// The least time for the first turn.
const FIRST_TURN: Duration = Duration::from_secs(1);
/// The variant played on the site.
pub(crate) const SITE_VARIANT: &str = "ception:end=most";

/// Checks whether these bots can play a variant.
///
/// # Errors
/// They can't; the message lists the variants they can play.
pub(crate) fn check_variant(variant: Variant) -> Result<(), SpecError> {
    if variant == Variant::ULTIMATE || variant.to_string() == SITE_VARIANT {
        return Ok(());
    }
    Err(SpecError(format!(
        "CodinGame bots don't play {variant}; they play {SITE_VARIANT} and ultimate"
    )))
}

/// An external bot playing over CodinGame's protocol.
pub(crate) struct CodingamePlayer {
    program: Program,
    tag: String,
    log: Option<PathBuf>,
    /// The log of sent and received lines, and the bot's name in it.
    protocol_log: Option<(ProtocolLog, String)>,
    process: Option<BotProcess>,
    /// Whether the bot has answered in the current game.
    has_answered: bool,
}

impl CodingamePlayer {
    pub(crate) fn new(program: Program, tag: String, log: Option<PathBuf>) -> CodingamePlayer {
        CodingamePlayer {
            program,
            tag,
            log,
            protocol_log: None,
            process: None,
            has_answered: false,
        }
    }

    /// Logs every line sent and received.
    pub(crate) fn with_protocol_log(
        mut self,
        name: &str,
        protocol_log: Option<ProtocolLog>,
    ) -> CodingamePlayer {
        self.protocol_log = protocol_log.map(|protocol_log| (protocol_log, name.to_owned()));
        self
    }

    fn process_error(&mut self, error: ProcessIoError, allowed: Duration) -> PlayerError {
        let Some(mut process) = self.process.take() else {
            return PlayerError::new(PlayerErrorKind::Crash, "it isn't running");
        };
        match error {
            ProcessIoError::Closed => {
                let description = process.terminate(ExitMode::CloseInput).describe();
                let kind = match self.has_answered {
                    true => PlayerErrorKind::Crash,
                    false => PlayerErrorKind::StartFailure,
                };
                PlayerError::new(kind, description)
            }
            ProcessIoError::OutputLimit => {
                process.terminate(ExitMode::Kill);
                PlayerError::new(PlayerErrorKind::ProtocolError, OUTPUT_LIMIT_TEXT)
            }
            ProcessIoError::Timeout => {
                let partial = process.partial_line();
                process.terminate(ExitMode::Kill);
                PlayerError::new(
                    PlayerErrorKind::Timeout,
                    timeout_message(allowed, partial.as_deref()),
                )
            }
        }
    }

    fn protocol_error(&mut self, message: impl Into<String>) -> PlayerError {
        if let Some(mut process) = self.process.take() {
            process.terminate(ExitMode::Kill);
        }
        PlayerError::new(PlayerErrorKind::ProtocolError, message)
    }

    fn kill_process(&mut self) {
        // The protocol has no command to quit.
        if let Some(mut process) = self.process.take() {
            process.terminate(ExitMode::Kill);
        }
    }
}

impl Player for CodingamePlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        self.kill_process();
        self.has_answered = false;
        check_variant(game.variant)
            .map_err(|error| PlayerError::new(PlayerErrorKind::StartFailure, error.0))?;
        let mut process = BotProcess::start(&self.program, &self.tag, self.log.as_deref())?;
        let logger = self.protocol_log.as_ref();
        process.set_logger(
            logger.map(|(protocol_log, name)| protocol_log.process_logger(name, &self.program)),
        );
        self.process = Some(process);
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let allowed = time_allowed(request, !self.has_answered);
        if !self.has_answered && (!request.state.has_standard_start() || request.state.ply() > 1) {
            self.kill_process();
            let message =
                "CodinGame bots only play from the start position: they receive only the last move";
            return Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
        }
        let Some(process) = &mut self.process else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was started",
            ));
        };
        process.start_turn();
        match process.try_read_line() {
            Ok(None) => {}
            Ok(Some(line)) => {
                return Err(self.protocol_error(format!(
                    "it wrote before its turn: {line}",
                    line = quoted_excerpt(&line)
                )));
            }
            Err(error) => return Err(self.process_error(error, allowed)),
        }
        let text = turn_input(request.state);
        if let Err(error) = process.send(&text, deadline_after(allowed)) {
            return Err(self.process_error(error, allowed));
        }
        let began = Instant::now();
        let line = match process.read_line(deadline_after(allowed)) {
            Ok(line) => line,
            Err(error) => return Err(self.process_error(error, allowed)),
        };
        // The first turn includes the program's start, which isn't thinking time.
        let took = began.elapsed().min(request.time_allowed());
        if let Some(more) = process.buffered_line() {
            return Err(self.protocol_error(format!(
                "it wrote more than its move: {more}",
                more = quoted_excerpt(&more)
            )));
        }
        let Some(mv) = parse_move(&line) else {
            let message = format!(
                "expected `row col`, such as `4 4`, but it wrote {line}",
                line = quoted_excerpt(&line)
            );
            return Err(self.protocol_error(message));
        };
        self.has_answered = true;
        Ok(MoveResponse {
            mv,
            value: None,
            took,
            depth: None,
            nodes: None,
        })
    }

    fn end_game(&mut self) {
        self.kill_process();
    }
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

fn quoted_excerpt(line: &str) -> String {
    format!("{:?}", line.chars().take(60).collect::<String>())
}

/// Parses the two numbers at the start of a line as a move. Numbers outside the board are passed on
/// for the rules to reject.
pub(crate) fn parse_move(line: &str) -> Option<String> {
    let mut numbers = line.split_whitespace().map(str::parse::<i64>);
    match (numbers.next()?, numbers.next()?) {
        (Ok(row), Ok(col)) => {
            Some(cell_to_move(row, col).unwrap_or_else(|| format!("{row} {col}")))
        }
        _ => None,
    }
}

/// What the bot reads at the start of its turn.
pub(crate) fn turn_input(state: &AnyGameState) -> String {
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

/// Converts a move (the letters of board and cell) to a row and column of the 9×9 board, from 0.
pub(crate) fn move_to_cell(mv: &str) -> Option<(u8, u8)> {
    let [board, cell] = mv.as_bytes() else {
        return None;
    };
    let [board, cell] = [board, cell].map(|letter| letter.wrapping_sub(b'a'));
    (board < 9 && cell < 9).then_some((board / 3 * 3 + cell / 3, board % 3 * 3 + cell % 3))
}

/// The inverse of [`move_to_cell`].
pub(crate) fn cell_to_move(row: i64, col: i64) -> Option<String> {
    let row = u8::try_from(row).ok().filter(|&row| row < 9)?;
    let col = u8::try_from(col).ok().filter(|&col| col < 9)?;
    let board = row / 3 * 3 + col / 3;
    let cell = row % 3 * 3 + col % 3;
    Some(
        [board, cell]
            .map(|place| char::from(b'a' + place))
            .iter()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_round_trip_and_are_distinct() {
        let mut seen = std::collections::BTreeSet::new();
        for mv in AnyGameState::new(Variant::ULTIMATE).legal_moves() {
            let (row, col) = move_to_cell(&mv).expect("a cell");
            assert_eq!(cell_to_move(row.into(), col.into()), Some(mv));
            seen.insert((row, col));
        }
        assert_eq!(seen.len(), 81);
        // The bottom-left cell of the top-right board.
        assert_eq!(move_to_cell("cg"), Some((2, 6)));
        assert_eq!(move_to_cell("ee"), Some((4, 4)));
        for (row, col) in [(-1, 0), (0, 9), (9, 0), (i64::MAX, 3)] {
            assert_eq!(cell_to_move(row, col), None);
        }
    }

    #[test]
    fn turn_input_matches_the_site() {
        let mut state = AnyGameState::new(SITE_VARIANT.parse().expect("a variant"));
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

    #[test]
    fn only_the_site_variant_and_ultimate_are_supported() {
        for name in ["ultimate", "ception:end=most"] {
            assert_eq!(check_variant(name.parse().expect("a variant")), Ok(()));
        }
        for name in [
            "classic",
            "ception:5a",
            "ception:depth=3,end=most",
            "ception:free=any",
        ] {
            let error = check_variant(name.parse().expect("a variant")).expect_err("another game");
            assert!(
                error.0.contains(name) && error.0.contains(SITE_VARIANT),
                "{error}"
            );
        }
    }
}
