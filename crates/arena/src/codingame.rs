//! Outside bots that speak CodinGame's ultimate tic-tac-toe.
//!
//! Each turn such a bot reads the opponent's last `row col` on the 9×9 board (`-1 -1` if
//! it begins), how many legal moves there are, and these, a line each; it answers with
//! one `row col`. There is no handshake and no way to say how long it may think. As on
//! that site:
//!
//! - every game is played by a fresh process;
//! - with a time for each move, the first turn has at least a second, since the program
//!   starts in it;
//! - a game begins at its start: the bot is told only the last move, so that it could
//!   know nothing of an opening.
//!
//! The game there is `ception:end=most`. `ultimate` differs from it only in who wins when
//! no line is left to be made, so these bots play it, too, but may misjudge its end.
//! Depth and nodes mean nothing to them: then they take what time they like, up to the
//! arena's patience.
//!
//! The faults are those of [UGI bots](crate::ugi). One that ends before its first answer
//! could not be started.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Variant};

use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::process::{BotProcess, ProcessIoError, Termination};
use crate::protocol_log::ProtocolLog;
use crate::spec::{Program, SpecError};
use crate::time_control::TimeControl;
use crate::ugi::{FLOOD, deadline_after, timeout_message};

/// What the first turn has at least.
const FIRST_TURN: Duration = Duration::from_secs(1);
/// The game of the site.
pub(crate) const GAME: &str = "ception:end=most";

/// Is it a game that such bots play?
///
/// # Errors
/// It is not; the sentence says which are.
pub(crate) fn check_variant(variant: Variant) -> Result<(), SpecError> {
    if variant == Variant::ULTIMATE || variant.to_string() == GAME {
        return Ok(());
    }
    Err(SpecError(format!(
        "CodinGame's bots do not play {variant}: their game is {GAME}, and they can play ultimate"
    )))
}

/// An outside bot at the board.
pub(crate) struct CodingamePlayer {
    program: Program,
    tag: String,
    log: Option<PathBuf>,
    /// Where what is said is written down, and under which name.
    dialogue: Option<(ProtocolLog, String)>,
    process: Option<BotProcess>,
    /// Has it answered in this game?
    answered: bool,
}

impl CodingamePlayer {
    pub(crate) fn new(program: Program, tag: String, log: Option<PathBuf>) -> CodingamePlayer {
        CodingamePlayer {
            program,
            tag,
            log,
            dialogue: None,
            process: None,
            answered: false,
        }
    }

    /// What is said is written down.
    pub(crate) fn with_protocol_log(
        mut self,
        name: &str,
        dialogue: Option<ProtocolLog>,
    ) -> CodingamePlayer {
        self.dialogue = dialogue.map(|dialogue| (dialogue, name.to_owned()));
        self
    }

    fn fail(&mut self, trouble: ProcessIoError, allowed: Duration) -> PlayerError {
        let Some(mut process) = self.process.take() else {
            return PlayerError::new(PlayerErrorKind::Crash, "it was not there");
        };
        match trouble {
            ProcessIoError::Closed => {
                let words = process.terminate(Termination::CloseInput).describe();
                let mishap = match self.answered {
                    true => PlayerErrorKind::Crash,
                    false => PlayerErrorKind::StartFailure,
                };
                PlayerError::new(mishap, words)
            }
            ProcessIoError::OutputLimit => {
                process.terminate(Termination::Kill);
                PlayerError::new(PlayerErrorKind::ProtocolError, FLOOD)
            }
            ProcessIoError::Timeout => {
                let half = process.partial_line();
                process.terminate(Termination::Kill);
                PlayerError::new(
                    PlayerErrorKind::Timeout,
                    timeout_message(allowed, half.as_deref()),
                )
            }
        }
    }

    fn broke_protocol(&mut self, message: impl Into<String>) -> PlayerError {
        if let Some(mut process) = self.process.take() {
            process.terminate(Termination::Kill);
        }
        PlayerError::new(PlayerErrorKind::ProtocolError, message)
    }

    fn put_away(&mut self) {
        // There is no word for leaving; the end of its input is all it is told.
        if let Some(mut process) = self.process.take() {
            process.terminate(Termination::Kill);
        }
    }
}

impl Player for CodingamePlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        self.put_away();
        self.answered = false;
        check_variant(game.variant)
            .map_err(|error| PlayerError::new(PlayerErrorKind::StartFailure, error.0))?;
        let mut process = BotProcess::start(&self.program, &self.tag, self.log.as_deref())?;
        let speaker = self.dialogue.as_ref();
        process.set_logger(
            speaker.map(|(dialogue, name)| dialogue.process_logger(name, &self.program)),
        );
        self.process = Some(process);
        Ok(())
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let allowed = allowed(turn, !self.answered);
        if !self.answered && (!turn.state.has_standard_start() || turn.state.ply() > 1) {
            self.put_away();
            let message =
                "CodinGame's bots play from the start only: they are told the last move alone";
            return Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
        }
        let Some(process) = &mut self.process else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was begun",
            ));
        };
        process.start_turn();
        match process.try_read_line() {
            Ok(None) => {}
            Ok(Some(line)) => {
                return Err(
                    self.broke_protocol(format!("it wrote before its turn: {}", cut(&line)))
                );
            }
            Err(trouble) => return Err(self.fail(trouble, allowed)),
        }
        let text = turn_input(turn.state);
        if let Err(trouble) = process.send(&text, deadline_after(allowed)) {
            return Err(self.fail(trouble, allowed));
        }
        let began = Instant::now();
        let line = match process.read_line(deadline_after(allowed)) {
            Ok(line) => line,
            Err(trouble) => return Err(self.fail(trouble, allowed)),
        };
        // What the first turn had for starting the program is not thinking.
        let took = began.elapsed().min(turn.time_allowed());
        if let Some(more) = process.buffered_line() {
            return Err(self.broke_protocol(format!("it wrote more than its move: {}", cut(&more))));
        }
        let Some(mv) = parse_move(&line) else {
            let message = format!("`row col` was expected, such as `4 4`, not {}", cut(&line));
            return Err(self.broke_protocol(message));
        };
        self.answered = true;
        Ok(MoveResponse {
            mv,
            value: None,
            took,
            depth: None,
            nodes: None,
        })
    }

    fn end_game(&mut self) {
        self.put_away();
    }
}

/// How long it has, margin included: its program starts in the first turn.
fn allowed(turn: &MoveRequest<'_>, first: bool) -> Duration {
    match turn.time_control {
        TimeControl::MoveTime(_) if first => turn
            .time_allowed()
            .max(FIRST_TURN.saturating_add(turn.margin)),
        _ => turn.time_allowed(),
    }
}

fn cut(line: &str) -> String {
    format!("{:?}", line.chars().take(60).collect::<String>())
}

/// The move that a line means: the two numbers that it begins with. What is no cell
/// stays what it is, and the rules refuse it.
pub(crate) fn parse_move(line: &str) -> Option<String> {
    let mut numbers = line.split_whitespace().map(str::parse::<i64>);
    match (numbers.next()?, numbers.next()?) {
        (Ok(row), Ok(col)) => {
            Some(cell_to_move(row, col).unwrap_or_else(|| format!("{row} {col}")))
        }
        _ => None,
    }
}

/// What such a bot reads in its turn.
pub(crate) fn turn_input(play: &AnyGameState) -> String {
    let last = play.last_move().and_then(|mv| move_to_cell(&mv));
    let (row, col) = last.map_or((-1, -1), |(row, col)| (i64::from(row), i64::from(col)));
    let mut cells: Vec<(u8, u8)> = play
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

/// Board and cell in our letters as a row and a column of the 9×9 board, from 0.
pub(crate) fn move_to_cell(mv: &str) -> Option<(u8, u8)> {
    let [board, cell] = mv.as_bytes() else {
        return None;
    };
    let [board, cell] = [board, cell].map(|letter| letter.wrapping_sub(b'a'));
    (board < 9 && cell < 9).then_some((board / 3 * 3 + cell / 3, board % 3 * 3 + cell % 3))
}

/// The way back.
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
    fn cells_go_there_and_back_and_none_twice() {
        let mut seen = std::collections::BTreeSet::new();
        for mv in AnyGameState::new(Variant::ULTIMATE).legal_moves() {
            let (row, col) = move_to_cell(&mv).expect("a cell");
            assert_eq!(cell_to_move(row.into(), col.into()), Some(mv));
            seen.insert((row, col));
        }
        assert_eq!(seen.len(), 81);
        // The top right board's bottom left cell, read off a drawing.
        assert_eq!(move_to_cell("cg"), Some((2, 6)));
        assert_eq!(move_to_cell("ee"), Some((4, 4)));
        for (row, col) in [(-1, 0), (0, 9), (9, 0), (i64::MAX, 3)] {
            assert_eq!(cell_to_move(row, col), None);
        }
    }

    #[test]
    fn the_situation_is_the_sites() {
        let mut play = AnyGameState::new(GAME.parse().expect("a variant"));
        let first = turn_input(&play);
        assert!(first.starts_with("-1 -1\n81\n0 0\n0 1\n"), "{first}");
        assert_eq!(first.lines().count(), 83);
        play.play("ea").expect("legal");
        let mut expected = String::from("3 3\n9\n");
        for row in 0..3 {
            for col in 0..3 {
                let _ = writeln!(expected, "{row} {col}");
            }
        }
        assert_eq!(turn_input(&play), expected);
    }

    #[test]
    fn only_its_game_and_the_usual_one_are_played() {
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
            assert!(error.0.contains(name) && error.0.contains(GAME), "{error}");
        }
    }
}
