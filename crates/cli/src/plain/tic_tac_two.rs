//! A turn of Tic-Tac-Two: the kind of turn by number, then rows, columns and directions.

use noughts_rules::{AnyGameState, MoveErrorKind, MoveKind};
use noughts_session::player_input;

use super::answers;
use super::console::{ExitReason, PlainResult};
use super::{ActiveGame, Answer, PlainMode};

/// Why the parts of a move aren't asked for any further.
enum Interruption {
    /// The turn ends with a complete, legal move or a command; without an answer, it was canceled.
    Turn(Option<Answer>),
    Exit(ExitReason),
}

impl From<ExitReason> for Interruption {
    fn from(reason: ExitReason) -> Interruption {
        Interruption::Exit(reason)
    }
}

impl PlainMode<'_> {
    /// Asks for the turn: a move in notation, a command, or `None` if it was refused or canceled.
    pub(super) fn ask_tic_tac_two_turn(
        &mut self,
        game: &mut ActiveGame,
    ) -> PlainResult<Option<Answer>> {
        self.list_kinds(game.session.game_state())?;
        let question = if game.is_syntax_explained {
            "Your choice?"
        } else {
            "Your choice? (1, 2 or 3, or a move such as c3, @d3 or b2-c4)"
        };
        game.is_syntax_explained = true;
        let text = match self.ask(question, Some(&game.session))? {
            Answer::Text(text) => text,
            command => return Ok(Some(command)),
        };
        let kind = match text.to_lowercase().as_str() {
            "1" | "place" => MoveKind::PlacePiece,
            "2" | "grid" => MoveKind::MoveGrid,
            "3" | "piece" => MoveKind::MovePiece,
            "cancel" => {
                self.write_line("There's nothing to cancel.")?;
                return Ok(None);
            }
            _ if player_input::is_number(&text) => {
                return self
                    .refuse("that isn't one of the choices; type 1, 2 or 3")
                    .map(|()| None);
            }
            _ => return self.parse_typed_move(&text, game.session.game_state()),
        };
        if let Err(reason) = check_kind(game.session.game_state(), kind) {
            self.refuse(&reason)?;
            return Ok(None);
        }
        self.ask_move_parts(game, kind)
    }

    /// Lists the three kinds of turn, with the reason for each that isn't allowed.
    fn list_kinds(&mut self, state: &AnyGameState) -> PlainResult {
        for (number, kind) in MoveKind::ALL.into_iter().enumerate() {
            let description = match kind {
                MoveKind::PlacePiece => format!("place a piece ({})", in_hand_text(state)),
                MoveKind::MoveGrid => "move the grid".to_owned(),
                MoveKind::MovePiece => "move a piece".to_owned(),
            };
            let number = number + 1;
            self.write_line(match check_kind(state, kind) {
                Ok(()) => format!("{number}: {description}."),
                Err(reason) => format!("{number}: {description}. Not available: {reason}."),
            })?;
        }
        Ok(())
    }

    /// Asks for the parts of a move until it is legal or canceled.
    fn ask_move_parts(&mut self, game: &ActiveGame, kind: MoveKind) -> PlainResult<Option<Answer>> {
        let mv = match kind {
            MoveKind::PlacePiece => self.complete_move(game, "Place it in", ""),
            MoveKind::MoveGrid => self.ask_grid_move(game),
            MoveKind::MovePiece => self
                .ask_own_piece(game)
                .and_then(|from| self.complete_move(game, "Put it in", &format!("{from}-"))),
        };
        match mv {
            Ok(mv) => Ok(Some(Answer::Text(mv))),
            Err(Interruption::Turn(answer)) => Ok(answer),
            Err(Interruption::Exit(reason)) => Err(reason),
        }
    }

    /// Asks for the cell that completes a move with this prefix, until the move is legal. A piece
    /// that was picked up stays picked up.
    fn complete_move(
        &mut self,
        game: &ActiveGame,
        doing: &str,
        prefix: &str,
    ) -> Result<String, Interruption> {
        loop {
            let mv = format!("{prefix}{}", self.ask_cell(game, doing)?);
            match game.session.game_state().check(&mv) {
                Ok(()) => return Ok(mv),
                Err(refusal) => self.refuse(&refusal.to_string())?,
            }
        }
    }

    /// Asks for the cell of the piece to move.
    fn ask_own_piece(&mut self, game: &ActiveGame) -> Result<String, Interruption> {
        loop {
            let from = self.ask_cell(game, "Take the piece from")?;
            // A move to the same cell is never legal, but the owner of the piece is checked first.
            match game.session.game_state().check(&format!("{from}-{from}")) {
                Err(refusal) if refusal.kind == MoveErrorKind::NotYourPiece => {
                    self.refuse(&refusal.to_string())?;
                }
                _ => return Ok(from),
            }
        }
    }

    /// Asks for a cell: its row and then its column, both at once, or a complete move.
    fn ask_cell(&mut self, game: &ActiveGame, doing: &str) -> Result<String, Interruption> {
        let size = player_input::board_size(self.variant).unwrap_or_default();
        let (rows, columns) = size;
        let mut row: Option<String> = None;
        loop {
            let question = match row {
                None => format!(
                    "{doing} which row? (1 to {rows}, or a cell such as c3; cancel to go back)"
                ),
                Some(_) => format!("{doing} which column? (1 to {columns}; cancel to go back)"),
            };
            let text = self.ask_part(game, &question)?;
            if let Some(cell) = player_input::parse_cell(&text, size) {
                return Ok(cell);
            }
            match row.take() {
                None if player_input::is_number(&text) => row = Some(text),
                Some(row) if player_input::is_number(&text) || text.len() == 1 => {
                    match player_input::cell_name(&row, &text, size) {
                        Ok(cell) => return Ok(cell),
                        Err(reason) => self.refuse(&reason)?,
                    }
                }
                _ => match player_input::parse_move(&text, game.session.game_state()) {
                    Ok(mv) => return Err(Interruption::Turn(Some(Answer::Text(mv)))),
                    Err(reason) => self.refuse(&reason)?,
                },
            }
        }
    }

    /// Asks for the direction of the grid, and returns it as a move.
    fn ask_grid_move(&mut self, game: &ActiveGame) -> Result<String, Interruption> {
        let question = "Move the grid which way? (such as left, up left, nw or a keypad digit; \
                        cancel to go back)";
        let state = game.session.game_state();
        loop {
            let text = self.ask_part(game, question)?;
            let parsed = match answers::parse_direction(&text) {
                Some(step) => {
                    let mv = grid_move(state, step);
                    let checked = state.check(&mv).map_err(|refusal| refusal.to_string());
                    checked.map(|()| mv)
                }
                None if text.contains(|c: char| c.is_ascii_digit()) && text.len() > 1 => {
                    player_input::parse_move(&text, state)
                }
                None => Err(answers::EXPECTED_DIRECTION.into()),
            };
            match parsed {
                Ok(mv) => return Ok(mv),
                Err(reason) => self.refuse(&reason)?,
            }
        }
    }

    fn ask_part(&mut self, game: &ActiveGame, question: &str) -> Result<String, Interruption> {
        loop {
            match self.ask(question, Some(&game.session))? {
                Answer::Text(text) if text.is_empty() => self.refuse(answers::EMPTY_ANSWER)?,
                Answer::Text(text) if text.to_lowercase() == "cancel" => {
                    return Err(Interruption::Turn(None));
                }
                Answer::Text(text) => return Ok(text),
                command => return Err(Interruption::Turn(Some(command))),
            }
        }
    }
}

/// Is this kind of turn allowed now?
fn check_kind(state: &AnyGameState, kind: MoveKind) -> Result<(), String> {
    let AnyGameState::TicTacTwo(state) = state else {
        return Err("this game has no such moves".into());
    };
    let allowed = state.game().check_move_kind(state.position(), kind);
    allowed.map_err(|refusal| refusal.to_string())
}

/// How many pieces the side to move can still place.
fn in_hand_text(state: &AnyGameState) -> String {
    let AnyGameState::TicTacTwo(state) = state else {
        return String::new();
    };
    match state.game().in_hand(state.position(), state.side()) {
        0 => "none left".into(),
        left => format!("{left} left"),
    }
}

/// The grid one step further, as a move. The rules refuse it if that is off the board.
fn grid_move(state: &AnyGameState, (right, down): (i8, i8)) -> String {
    let (column, row) = state.setup().grid.unwrap_or_default();
    let (column, row) = (
        column.saturating_add_signed(right),
        row.saturating_add_signed(down),
    );
    format!("@{}{}", char::from(b'a' + column), row + 1)
}
