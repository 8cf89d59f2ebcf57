//! A turn of Tic-Tac-Two: the kind of turn by number, then rows, columns and directions.

use noughts_rules::{AnyGameState, MoveErrorKind, MoveKind};
use noughts_session::player_input;

use super::console::ExitReason;
use super::text_commands::{self, TextCommand};
use super::{ActiveGame, Answer, PlainMode};

/// The result of asking for a part of a move.
enum Part {
    Value(String),
    /// A complete, legal move instead.
    Move(String),
    /// Back to the kinds of turn.
    Cancel,
    Instead(TextCommand),
}

impl Part {
    /// The answer for the whole turn; `None` if the turn was canceled.
    fn into_answer(self) -> Option<Answer> {
        match self {
            Part::Value(mv) | Part::Move(mv) => Some(Answer::Text(mv)),
            Part::Cancel => None,
            Part::Instead(command) => Some(Answer::Command(command)),
        }
    }
}

impl PlainMode<'_> {
    /// Asks for the turn: a move in notation, a command, or `None` if it was refused or canceled.
    pub(super) fn ask_tic_tac_two_turn(
        &mut self,
        game: &mut ActiveGame,
    ) -> Result<Option<Answer>, ExitReason> {
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
                self.console.write_line("There's nothing to cancel.")?;
                return Ok(None);
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
    fn list_kinds(&mut self, state: &AnyGameState) -> Result<(), ExitReason> {
        for (number, kind) in MoveKind::ALL.into_iter().enumerate() {
            let description = match kind {
                MoveKind::PlacePiece => format!("place a piece ({})", in_hand_text(state)),
                MoveKind::MoveGrid => "move the grid".to_owned(),
                MoveKind::MovePiece => "move a piece".to_owned(),
            };
            let number = number + 1;
            self.console.write_line(&match check_kind(state, kind) {
                Ok(()) => format!("{number}: {description}."),
                Err(reason) => format!("{number}: {description}. Not available: {reason}."),
            })?;
        }
        Ok(())
    }

    /// Parses a move that was typed instead of a choice.
    fn parse_typed_move(
        &mut self,
        text: &str,
        state: &AnyGameState,
    ) -> Result<Option<Answer>, ExitReason> {
        let parsed = match text {
            "" => Err(text_commands::EMPTY_ANSWER.into()),
            text if player_input::is_number(text) => Err("please answer 1, 2 or 3".into()),
            text => player_input::parse_move(text, state),
        };
        match parsed {
            Ok(mv) => Ok(Some(Answer::Text(mv))),
            Err(reason) => {
                self.refuse(&reason)?;
                Ok(None)
            }
        }
    }

    /// Asks for the parts of a move until it is legal or canceled.
    fn ask_move_parts(
        &mut self,
        game: &ActiveGame,
        kind: MoveKind,
    ) -> Result<Option<Answer>, ExitReason> {
        let part = match kind {
            MoveKind::PlacePiece => self.complete_move(game, "Place it in", "")?,
            MoveKind::MoveGrid => self.ask_grid_move(game)?,
            MoveKind::MovePiece => match self.ask_own_piece(game)? {
                Part::Value(from) => self.complete_move(game, "Put it in", &format!("{from}-"))?,
                other => other,
            },
        };
        Ok(part.into_answer())
    }

    /// Asks for the cell that completes a move with this prefix, until the move is legal. A piece
    /// that was picked up stays picked up.
    fn complete_move(
        &mut self,
        game: &ActiveGame,
        doing: &str,
        prefix: &str,
    ) -> Result<Part, ExitReason> {
        loop {
            let mv = match self.ask_cell(game, doing)? {
                Part::Value(cell) => format!("{prefix}{cell}"),
                other => return Ok(other),
            };
            match game.session.game_state().check(&mv) {
                Ok(()) => return Ok(Part::Move(mv)),
                Err(refusal) => self.refuse(&refusal.to_string())?,
            }
        }
    }

    /// Asks for the cell of the piece to move.
    fn ask_own_piece(&mut self, game: &ActiveGame) -> Result<Part, ExitReason> {
        loop {
            let from = match self.ask_cell(game, "Take the piece from")? {
                Part::Value(from) => from,
                other => return Ok(other),
            };
            // A move to the same cell is never legal, but the owner of the piece is checked first.
            match game.session.game_state().check(&format!("{from}-{from}")) {
                Err(refusal) if refusal.kind == MoveErrorKind::NotYourPiece => {
                    self.refuse(&refusal.to_string())?;
                }
                _ => return Ok(Part::Value(from)),
            }
        }
    }

    /// Asks for a cell: its row and then its column, both at once, or a complete move.
    fn ask_cell(&mut self, game: &ActiveGame, doing: &str) -> Result<Part, ExitReason> {
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
            let text = match self.ask_part(game, &question)? {
                Part::Value(text) => text,
                other => return Ok(other),
            };
            if let Some(cell) = player_input::parse_cell(&text, size) {
                return Ok(Part::Value(cell));
            }
            match row.take() {
                None if player_input::is_number(&text) => row = Some(text),
                Some(row) if player_input::is_number(&text) || text.len() == 1 => {
                    match player_input::cell_name(&row, &text, size) {
                        Ok(cell) => return Ok(Part::Value(cell)),
                        Err(reason) => self.refuse(&reason)?,
                    }
                }
                _ => match player_input::parse_move(&text, game.session.game_state()) {
                    Ok(mv) => return Ok(Part::Move(mv)),
                    Err(reason) => self.refuse(&reason)?,
                },
            }
        }
    }

    /// Asks for the direction of the grid, and returns it as a move.
    fn ask_grid_move(&mut self, game: &ActiveGame) -> Result<Part, ExitReason> {
        let question = "Move the grid which way? (such as left, up left, nw or a keypad digit; \
                        cancel to go back)";
        let state = game.session.game_state();
        loop {
            let text = match self.ask_part(game, question)? {
                Part::Value(text) => text,
                other => return Ok(other),
            };
            let parsed = match text_commands::parse_direction(&text) {
                Some(step) => {
                    let mv = grid_move(state, step);
                    let checked = state.check(&mv).map_err(|refusal| refusal.to_string());
                    checked.map(|()| mv)
                }
                None if text.contains(|c: char| c.is_ascii_digit()) && text.len() > 1 => {
                    player_input::parse_move(&text, state)
                }
                None => Err(text_commands::EXPECTED_DIRECTION.into()),
            };
            match parsed {
                Ok(mv) => return Ok(Part::Move(mv)),
                Err(reason) => self.refuse(&reason)?,
            }
        }
    }

    fn ask_part(&mut self, game: &ActiveGame, question: &str) -> Result<Part, ExitReason> {
        loop {
            let text = match self.ask(question, Some(&game.session))? {
                Answer::Command(command) => return Ok(Part::Instead(command)),
                Answer::Text(text) => text,
            };
            match text.to_lowercase().as_str() {
                "" => self.refuse(text_commands::EMPTY_ANSWER)?,
                "cancel" => return Ok(Part::Cancel),
                _ => return Ok(Part::Value(text)),
            }
        }
    }
}

/// Is this kind of turn allowed now?
fn check_kind(state: &AnyGameState, kind: MoveKind) -> Result<(), String> {
    match state {
        AnyGameState::TicTacTwo(state) => {
            let allowed = state.game().check_move_kind(state.position(), kind);
            allowed.map_err(|refusal| refusal.to_string())
        }
        _ => Err("this game has no such moves".into()),
    }
}

/// How many pieces the side to move can still place.
fn in_hand_text(state: &AnyGameState) -> String {
    match state {
        AnyGameState::TicTacTwo(state) => {
            match state.game().in_hand(state.position(), state.side()) {
                0 => "none left".into(),
                left => format!("{left} left"),
            }
        }
        _ => String::new(),
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
