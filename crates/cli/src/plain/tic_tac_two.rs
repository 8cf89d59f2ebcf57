//! A turn of Tic-Tac-Two: the options by number, then rows, columns and directions.
//! Which options there are now, the rules say.

use noughts_rules::{AnyGameState, MoveErrorKind, MoveKind};
use noughts_session::player_input;

use super::console::ExitReason;
use super::text_commands::{self, TextCommand};
use super::{ActiveGame, Answer, PlainMode};

/// What came of asking for a part of a move.
enum Part {
    Is(String),
    /// A whole move instead, which is legal.
    Whole(String),
    /// Back to the options.
    Cancel,
    Instead(TextCommand),
}

impl Part {
    /// What it makes of the turn where it is not the part that was asked for.
    fn turn(self) -> Option<Answer> {
        match self {
            Part::Is(mv) | Part::Whole(mv) => Some(Answer::Text(mv)),
            Part::Cancel => None,
            Part::Instead(word) => Some(Answer::Command(word)),
        }
    }
}

impl PlainMode<'_> {
    /// Asks for the turn: a move in notation, a word, or nothing where it was
    /// refused or cancelled.
    pub(super) fn ask_tic_tac_two_turn(
        &mut self,
        round: &mut ActiveGame,
    ) -> Result<Option<Answer>, ExitReason> {
        self.options(round.session.game_state())?;
        let question = if round.is_syntax_explained {
            "Your choice?"
        } else {
            "Your choice? (1, 2 or 3, or at once a move such as c3, @d3 or b2-c4)"
        };
        round.is_syntax_explained = true;
        let text = match self.ask(question, Some(&round.session))? {
            Answer::Text(text) => text,
            step => return Ok(Some(step)),
        };
        let kind = match text.to_lowercase().as_str() {
            "1" | "place" => MoveKind::PlacePiece,
            "2" | "grid" => MoveKind::MoveGrid,
            "3" | "piece" => MoveKind::MovePiece,
            "cancel" => {
                self.console.write_line("There is nothing to cancel.")?;
                return Ok(None);
            }
            _ => return self.at_once(&text, round.session.game_state()),
        };
        if let Err(reason) = allows(round.session.game_state(), kind) {
            self.refuse(&reason)?;
            return Ok(None);
        }
        self.compose(round, kind)
    }

    /// The three kinds of turn, and why not where one is not allowed.
    fn options(&mut self, play: &AnyGameState) -> Result<(), ExitReason> {
        for (number, kind) in MoveKind::ALL.into_iter().enumerate() {
            let what = match kind {
                MoveKind::PlacePiece => format!("place a piece ({})", in_hand(play)),
                MoveKind::MoveGrid => "move the grid".to_owned(),
                MoveKind::MovePiece => "move a piece".to_owned(),
            };
            let number = number + 1;
            self.console.write_line(&match allows(play, kind) {
                Ok(()) => format!("{number}: {what}."),
                Err(reason) => format!("{number}: {what}. Not now: {reason}."),
            })?;
        }
        Ok(())
    }

    /// A move typed instead of a choice.
    fn at_once(&mut self, text: &str, play: &AnyGameState) -> Result<Option<Answer>, ExitReason> {
        let taken = match text {
            "" => Err(text_commands::EMPTY_ANSWER.into()),
            text if player_input::is_number(text) => Err("the choices are 1, 2 and 3".into()),
            text => player_input::parse_move(text, play),
        };
        match taken {
            Ok(mv) => Ok(Some(Answer::Text(mv))),
            Err(reason) => {
                self.refuse(&reason)?;
                Ok(None)
            }
        }
    }

    /// Asks for the parts of a move until the rules take it, or it is cancelled.
    fn compose(
        &mut self,
        round: &ActiveGame,
        kind: MoveKind,
    ) -> Result<Option<Answer>, ExitReason> {
        let part = match kind {
            MoveKind::PlacePiece => self.whole_with(round, "Place it in", "")?,
            MoveKind::MoveGrid => self.centre(round)?,
            MoveKind::MovePiece => match self.own_piece(round)? {
                Part::Is(from) => self.whole_with(round, "Put it in", &format!("{from}-"))?,
                other => other,
            },
        };
        Ok(part.turn())
    }

    /// The move that begins like this and ends with a cell, asked for until the rules
    /// take it: what was picked up stays so.
    fn whole_with(
        &mut self,
        round: &ActiveGame,
        doing: &str,
        begin: &str,
    ) -> Result<Part, ExitReason> {
        loop {
            let mv = match self.cell(round, doing)? {
                Part::Is(cell) => format!("{begin}{cell}"),
                other => return Ok(other),
            };
            match round.session.game_state().check(&mv) {
                Ok(()) => return Ok(Part::Whole(mv)),
                Err(refusal) => self.refuse(&refusal.to_string())?,
            }
        }
    }

    /// The cell of a piece that may go elsewhere.
    fn own_piece(&mut self, round: &ActiveGame) -> Result<Part, ExitReason> {
        loop {
            let from = match self.cell(round, "Take the piece from")? {
                Part::Is(from) => from,
                other => return Ok(other),
            };
            // A piece cannot stay where it is, but whose it is comes first.
            match round.session.game_state().check(&format!("{from}-{from}")) {
                Err(refusal) if refusal.kind == MoveErrorKind::NotYourPiece => {
                    self.refuse(&refusal.to_string())?;
                }
                _ => return Ok(Part::Is(from)),
            }
        }
    }

    /// A cell: its row and then its column, or both at once; or a whole move.
    fn cell(&mut self, round: &ActiveGame, doing: &str) -> Result<Part, ExitReason> {
        let size = player_input::board_size(self.variant).unwrap_or_default();
        let (rows, columns) = size;
        let mut row: Option<String> = None;
        loop {
            let question = match row {
                None => format!(
                    "{doing} which row? (1 to {rows}, or a cell such as c3; cancel goes back)"
                ),
                Some(_) => format!("{doing} which column? (1 to {columns}; cancel goes back)"),
            };
            let text = match self.part(round, &question)? {
                Part::Is(text) => text,
                other => return Ok(other),
            };
            if let Some(cell) = player_input::parse_cell(&text, size) {
                return Ok(Part::Is(cell));
            }
            match row.take() {
                None if player_input::is_number(&text) => row = Some(text),
                Some(row) if player_input::is_number(&text) || text.len() == 1 => {
                    match player_input::cell_name(&row, &text, size) {
                        Ok(cell) => return Ok(Part::Is(cell)),
                        Err(reason) => self.refuse(&reason)?,
                    }
                }
                _ => match player_input::parse_move(&text, round.session.game_state()) {
                    Ok(mv) => return Ok(Part::Whole(mv)),
                    Err(reason) => self.refuse(&reason)?,
                },
            }
        }
    }

    /// Where the grid's centre goes, as a move.
    fn centre(&mut self, round: &ActiveGame) -> Result<Part, ExitReason> {
        let question = "Move the grid which way? (such as left, up left, nw, or a keypad's digit; \
                        cancel goes back)";
        let play = round.session.game_state();
        loop {
            let text = match self.part(round, question)? {
                Part::Is(text) => text,
                other => return Ok(other),
            };
            let taken = match text_commands::parse_direction(&text) {
                Some(step) => {
                    let mv = moved(play, step);
                    let checked = play.check(&mv).map_err(|refusal| refusal.to_string());
                    checked.map(|()| mv)
                }
                None if text.contains(|c: char| c.is_ascii_digit()) && text.len() > 1 => {
                    player_input::parse_move(&text, play)
                }
                None => Err(text_commands::EXPECTED_DIRECTION.into()),
            };
            match taken {
                Ok(mv) => return Ok(Part::Whole(mv)),
                Err(reason) => self.refuse(&reason)?,
            }
        }
    }

    fn part(&mut self, round: &ActiveGame, question: &str) -> Result<Part, ExitReason> {
        loop {
            let text = match self.ask(question, Some(&round.session))? {
                Answer::Command(word) => return Ok(Part::Instead(word)),
                Answer::Text(text) => text,
            };
            match text.to_lowercase().as_str() {
                "" => self.refuse(text_commands::EMPTY_ANSWER)?,
                "cancel" => return Ok(Part::Cancel),
                _ => return Ok(Part::Is(text)),
            }
        }
    }
}

/// May the turn be of this kind now?
fn allows(play: &AnyGameState, kind: MoveKind) -> Result<(), String> {
    match play {
        AnyGameState::TicTacTwo(play) => {
            let allowed = play.game().check_move_kind(play.position(), kind);
            allowed.map_err(|refusal| refusal.to_string())
        }
        _ => Err("this game has no such turns".into()),
    }
}

/// How many pieces the one to move still has to place.
fn in_hand(play: &AnyGameState) -> String {
    match play {
        AnyGameState::TicTacTwo(play) => match play.game().in_hand(play.position(), play.side()) {
            0 => "none left".into(),
            left => format!("{left} left"),
        },
        _ => String::new(),
    }
}

/// The grid a step further, as a move; where that is off the board the rules say so.
fn moved(play: &AnyGameState, (right, down): (i8, i8)) -> String {
    let (column, row) = play.setup().grid.unwrap_or_default();
    let (column, row) = (
        column.saturating_add_signed(right),
        row.saturating_add_signed(down),
    );
    format!("@{}{}", char::from(b'a' + column), row + 1)
}
