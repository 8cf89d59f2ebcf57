//! A turn of Tic-Tac-Two: the options by number, then rows, columns and directions.
//! Which options there are now, the rules say.

use noughts_rules::{AnyPlay, RefusalKind, TurnKind};

use super::dialogue::Leave;
use super::words::{self, Word};
use super::{Answer, Host, Round};

/// What came of asking for a part of a move.
enum Part {
    Is(String),
    /// Back to the options.
    Cancel,
    Instead(Word),
}

impl Host<'_> {
    /// Asks for the turn: a move in notation, a word, or nothing where it was
    /// refused or cancelled.
    pub(super) fn grid_turn(&mut self, round: &mut Round) -> Result<Option<Answer>, Leave> {
        self.options(round.session.play())?;
        let question = if round.explained {
            "Your choice?"
        } else {
            "Your choice? (1, 2 or 3, or at once a move such as c3, @d3 or b2-c4)"
        };
        round.explained = true;
        let text = match self.ask(question, Some(&round.session))? {
            Answer::Text(text) => text.to_lowercase(),
            step => return Ok(Some(step)),
        };
        let kind = match text.as_str() {
            "1" | "place" => TurnKind::Place,
            "2" | "grid" => TurnKind::Grid,
            "3" | "piece" => TurnKind::Piece,
            "cancel" => {
                self.talk.say("There is nothing to cancel.")?;
                return Ok(None);
            }
            _ => return self.at_once(&text),
        };
        if let Err(reason) = allows(round.session.play(), kind) {
            self.refuse(&reason)?;
            return Ok(None);
        }
        self.compose(round, kind)
    }

    /// The three kinds of turn, and why not where one is not allowed.
    fn options(&mut self, play: &AnyPlay) -> Result<(), Leave> {
        for (number, kind) in TurnKind::ALL.into_iter().enumerate() {
            let what = match kind {
                TurnKind::Place => format!("place a piece ({})", in_hand(play)),
                TurnKind::Grid => "move the grid".to_owned(),
                TurnKind::Piece => "move a piece".to_owned(),
            };
            let number = number + 1;
            self.talk.say(&match allows(play, kind) {
                Ok(()) => format!("{number}: {what}."),
                Err(reason) => format!("{number}: {what}. Not now: {reason}."),
            })?;
        }
        Ok(())
    }

    /// A move typed instead of a choice.
    fn at_once(&mut self, text: &str) -> Result<Option<Answer>, Leave> {
        match words::notation(text, self.variant) {
            _ if text.is_empty() => {
                self.refuse(words::EMPTY)?;
                Ok(None)
            }
            _ if words::is_number(text) => {
                self.refuse("the choices are 1, 2 and 3")?;
                Ok(None)
            }
            Ok(mv) => Ok(Some(Answer::Text(mv))),
            Err(reason) => {
                self.refuse(&reason)?;
                Ok(None)
            }
        }
    }

    /// Asks for the parts of a move until the rules take it, or it is cancelled.
    fn compose(&mut self, round: &Round, kind: TurnKind) -> Result<Option<Answer>, Leave> {
        loop {
            let part = match kind {
                TurnKind::Place => self.cell(round, "Place it in")?,
                TurnKind::Grid => self.centre(round)?,
                TurnKind::Piece => self.two_cells(round)?,
            };
            let mv = match part {
                Part::Is(mv) => mv,
                Part::Cancel => return Ok(None),
                Part::Instead(word) => return Ok(Some(Answer::Step(word))),
            };
            match round.session.play().check(&mv) {
                Ok(()) => return Ok(Some(Answer::Text(mv))),
                Err(refusal) => self.refuse(&refusal.to_string())?,
            }
        }
    }

    /// From where to where a piece goes.
    fn two_cells(&mut self, round: &Round) -> Result<Part, Leave> {
        let play = round.session.play();
        let from = loop {
            let from = match self.cell(round, "Take the piece from")? {
                Part::Is(from) => from,
                other => return Ok(other),
            };
            // A piece cannot stay where it is, but whose it is comes first.
            match play.check(&format!("{from}-{from}")) {
                Err(refusal)
                    if matches!(
                        refusal.kind,
                        RefusalKind::NotYourPiece | RefusalKind::NotAMove
                    ) =>
                {
                    self.refuse(&refusal.to_string())?;
                }
                _ => break from,
            }
        };
        Ok(match self.cell(round, "Put it in")? {
            Part::Is(to) => Part::Is(format!("{from}-{to}")),
            other => other,
        })
    }

    /// A cell: its row and then its column, or both at once.
    fn cell(&mut self, round: &Round, doing: &str) -> Result<Part, Leave> {
        let size = words::size(self.variant).unwrap_or_default();
        let (rows, columns) = size;
        let question =
            format!("{doing} which row? (1 to {rows}, or a cell such as c3; cancel goes back)");
        loop {
            let text = match self.part(round, &question)? {
                Part::Is(text) => text,
                other => return Ok(other),
            };
            if !words::is_number(&text) {
                match words::notation(&text, self.variant) {
                    Ok(cell) => return Ok(Part::Is(cell)),
                    Err(reason) => self.refuse(&reason)?,
                }
                continue;
            }
            let question = format!("{doing} which column? (1 to {columns}; cancel goes back)");
            let column = match self.part(round, &question)? {
                Part::Is(column) => column,
                other => return Ok(other),
            };
            match words::cell(&text, &column, size) {
                Ok(cell) => return Ok(Part::Is(cell)),
                Err(reason) => self.refuse(&reason)?,
            }
        }
    }

    /// Where the grid's centre goes, as a move.
    fn centre(&mut self, round: &Round) -> Result<Part, Leave> {
        let question = "Move the grid which way? (such as left, up left, nw, or a keypad's digit; \
                        cancel goes back)";
        loop {
            let text = match self.part(round, question)? {
                Part::Is(text) => text,
                other => return Ok(other),
            };
            if let Some(step) = words::direction(&text) {
                return Ok(Part::Is(moved(round.session.play(), step)));
            }
            let centre = text.strip_prefix('@').unwrap_or(&text);
            let named = centre.len() == 2 && centre.starts_with(|c: char| c.is_ascii_alphabetic());
            if named {
                return Ok(Part::Is(format!("@{centre}")));
            }
            self.refuse(words::NO_DIRECTION)?;
        }
    }

    fn part(&mut self, round: &Round, question: &str) -> Result<Part, Leave> {
        loop {
            let text = match self.ask(question, Some(&round.session))? {
                Answer::Step(word) => return Ok(Part::Instead(word)),
                Answer::Text(text) => text.to_lowercase(),
            };
            match text.as_str() {
                "" => self.refuse(words::EMPTY)?,
                "cancel" => return Ok(Part::Cancel),
                _ => return Ok(Part::Is(text)),
            }
        }
    }
}

/// May the turn be of this kind now?
fn allows(play: &AnyPlay, kind: TurnKind) -> Result<(), String> {
    match play {
        AnyPlay::TicTacTwo(play) => {
            let allowed = play.game().allows(play.position(), kind);
            allowed.map_err(|refusal| refusal.to_string())
        }
        _ => Err("this game has no such turns".into()),
    }
}

/// How many pieces the one to move still has to place.
fn in_hand(play: &AnyPlay) -> String {
    match play {
        AnyPlay::TicTacTwo(play) => match play.game().in_hand(play.position(), play.side()) {
            0 => "none left".into(),
            left => format!("{left} left"),
        },
        _ => String::new(),
    }
}

/// The grid a step further, as a move; where that is off the board the rules say so.
fn moved(play: &AnyPlay, (right, down): (i8, i8)) -> String {
    let (column, row) = play.setup().grid.unwrap_or_default();
    let (column, row) = (
        column.saturating_add_signed(right),
        row.saturating_add_signed(down),
    );
    format!("@{}{}", char::from(b'a' + column), row + 1)
}
