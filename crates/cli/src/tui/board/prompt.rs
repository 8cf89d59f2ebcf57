//! What the player can do now, in words.

use noughts_rules::{
    AnyGameState, BoardView, Ending, MoveError, MoveErrorKind, Piece, Place, TapResult, Target,
};
use noughts_text::next_part_question;

use super::features::MoveForm;
use super::{Board, TurnOption};

impl Board {
    /// What the player can do now or what the partial move still needs, and what the move at the
    /// cursor would do. `player` names the player to move.
    pub(crate) fn prompt_for(&self, state: &AnyGameState, player: &str) -> String {
        let view = state.view();
        if view.is_over() || state.variant() != self.variant {
            return noughts_text::prompt_for(state, player);
        }
        if let Some(typed) = self.typed {
            let next = match typed.level + 1 == self.shape.depth() {
                true => "cell",
                false => "board",
            };
            let name = view.place_name(typed);
            return format!("Board {name}: press a digit for the {next}, Esc to cancel");
        }
        let pending = self.pending_move(view);
        let effect = pending.as_ref().and_then(|mv| {
            let effect = repetition(state, mv).or_else(|| view.consequence(mv))?;
            Some(format!("{mv} {effect}"))
        });
        if let TapResult::Partial(next) = view.tap(&self.taps)
            && !self.taps.is_empty()
        {
            let (question, _) = next_part_question(view, &self.taps, &next);
            return match (effect, pending) {
                (Some(effect), _) => format!("{effect}; Enter to confirm, Esc to cancel"),
                (None, Some(mv)) => format!("{question} Enter plays {mv}, Esc cancels"),
                (None, None) if self.moves_frame() => {
                    format!("{question} Choose a direction, then press Enter; Esc cancels")
                }
                (None, None) => format!("{question} Choose with the arrows and Enter; Esc cancels"),
            };
        }
        let mut text = noughts_text::prompt_for(state, player);
        if self.enter_zooms_in() {
            text.push_str("; Enter to zoom in");
        } else if let Some(effect) = effect.or_else(|| self.stack_at_cursor(view)) {
            text.push_str(&format!("; {effect}"));
        }
        text
    }

    #[cfg(test)]
    pub(crate) fn prompt(&self, state: &AnyGameState) -> String {
        self.prompt_for(state, &format!("{} to move", state.side()))
    }

    /// The pieces on the cursor's cell, if there are several.
    fn stack_at_cursor(&self, view: &dyn BoardView) -> Option<String> {
        let pieces = view.cell(self.cursor).pieces;
        let names: Vec<String> = pieces.iter().map(ToString::to_string).collect();
        let cell = view.place_name(self.cursor);
        (names.len() > 1).then(|| format!("on {cell}: {}", names.join(" over ")))
    }

    /// The kinds of move, each with the reason if it isn't allowed now; empty in games with only
    /// one kind.
    pub(crate) fn turn_options(&self, state: &AnyGameState) -> Vec<TurnOption> {
        let forms = &self.features.forms;
        if forms.len() < 2 || state.variant() != self.variant {
            return Vec::new();
        }
        let choices = state.view().choices().unwrap_or_default();
        let option = |form: &MoveForm| {
            let is_legal = choices.iter().any(|(_, taps)| form.matches(taps));
            let (key, text, short_text) = self.describe(form);
            TurnOption {
                key,
                text,
                short_text,
                allowed: match is_legal {
                    true => Ok(()),
                    false => Err(common_reason(state, form)),
                },
            }
        };
        forms.iter().map(option).collect()
    }

    /// The key that starts a kind of move, and what it does, long and short.
    fn describe(&self, form: &MoveForm) -> (&'static str, String, String) {
        let (key, text, short) = match form.taps[..] {
            [Target::Frame, ..] => {
                let text = format!("move the {}", self.features.frame.unwrap_or("frame"));
                return ("g", text.clone(), text);
            }
            [Target::Piece(_), ..] => ("Tab", "take a piece from your reserve", "take one"),
            [Target::Place(_), Target::Place(_), ..] => {
                ("Enter", "on your piece: move it", "move yours")
            }
            [Target::Place(_), Target::Piece(_), ..] => ("Enter", "choose a piece", "choose"),
            _ => ("Enter", "place a piece", "place"),
        };
        (key, text.into(), short.into())
    }
}

/// Why no move of this form is legal: the reason that most of them have.
fn common_reason(state: &AnyGameState, form: &MoveForm) -> MoveError {
    let mut reasons: Vec<(MoveError, usize)> = Vec::new();
    for reason in form.moves.iter().filter_map(|mv| state.check(mv).err()) {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason, 1)),
        }
    }
    let most = reasons.into_iter().max_by_key(|(_, count)| *count);
    let common = most.filter(|(_, count)| 2 * count > form.moves.len());
    common.map_or_else(
        || {
            MoveError::new(
                MoveErrorKind::NotAllowed,
                reason_from_board(state.view(), form),
            )
        },
        |(reason, _)| reason,
    )
}

/// Why no move of this form is legal, from the board alone: its moves have a reason for each cell or piece.
fn reason_from_board(view: &dyn BoardView, form: &MoveForm) -> &'static str {
    let side = view.side();
    let is_own = |piece: &Piece| piece.owner == Some(side);
    let shape = view.shape();
    let mut cells = shape.parts(Place::BOARD);
    let mut has_piece = || cells.any(|cell| view.cell(cell).pieces.iter().any(is_own));
    match form.taps[..] {
        [Target::Place(_), Target::Place(_), ..] if !has_piece() => {
            "you have no piece on the board yet"
        }
        [Target::Place(_), Target::Place(_), ..] => "none of your pieces can move now",
        [Target::Piece(_), ..] if view.reserve(side).is_empty() => "your reserve is empty",
        _ => "not possible now",
    }
}

/// Would the move end the game by repetition? Only the history of the game knows.
fn repetition(state: &AnyGameState, mv: &str) -> Option<String> {
    // Where positions can't repeat, the number of moves is limited.
    if state.max_plies_left().is_some() {
        return None;
    }
    let mut next = state.clone();
    next.play(mv).ok()?;
    let is_repetition = next.ending() == Some(Ending::Repetition);
    is_repetition.then(|| "repeats the position for the third time: draw".into())
}
