//! What happens next on a board: whose turn it is, how to write a move, and what is missing from half of one.

use noughts_rules::{AnyGameState, BoardView, Mark, Place, Target};

use crate::GameOver;
use crate::counts::join_or;

/// The side to move and what it may do; once the game is over, the result and its reason.
///
/// ```
/// use noughts_rules::{AnyGameState, Variant};
/// use noughts_text::prompt;
/// let mut state = AnyGameState::new(Variant::ULTIMATE);
/// state.play("ec")?;
/// assert_eq!(prompt(&state), "O to move: play in board c");
/// let over = AnyGameState::from_text(Variant::MISERE, "xxx/oo./... o")?;
/// assert_eq!(prompt(&over), "O wins: X made three in a row");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prompt(state: &AnyGameState) -> String {
    prompt_for(state, &format!("{side} to move", side = state.side()))
}

/// The same with another way to name the player to move, such as `Ada (X)`.
#[must_use]
pub fn prompt_for(state: &AnyGameState, player: &str) -> String {
    match GameOver::of_state(state) {
        Some(over) => format!("{}: {}", over.result(), over.reason()),
        None => format!("{player}: {instruction}", instruction = state.instruction()),
    }
}

/// How to write the moves that are possible now: one form for each way to make a move, with an example.
///
/// ```
/// use noughts_rules::{AnyGameState, Variant};
/// let forms = |variant: Variant| noughts_text::move_forms(&AnyGameState::new(variant));
/// assert_eq!(
///     forms(Variant::CLASSIC),
///     ["a row and a column, counted from 1, such as 1 1, or a cell such as a1"]
/// );
/// assert_eq!(
///     forms("ception:depth=3".parse()?),
///     ["a cell, one letter from a to i for each level, such as aaa"]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn move_forms(state: &AnyGameState) -> Vec<String> {
    let view = state.view();
    let choices = view.choices().unwrap_or_else(|| {
        // There are too many to list them all, so any possible move is the example.
        let example = state.move_from_action(0);
        let example = example.and_then(|mv| Some((mv.clone(), view.taps_of(&mv).ok()?)));
        example.into_iter().collect()
    });
    let kinds = |taps: &[Target]| -> Vec<_> { taps.iter().map(std::mem::discriminant).collect() };
    let mut known = Vec::new();
    let mut forms = Vec::new();
    for (mv, taps) in choices {
        let kinds = kinds(&taps);
        if !known.contains(&kinds) {
            forms.push(move_form(view, &mv, &taps));
            known.push(kinds);
        }
    }
    forms
}

fn move_form(view: &dyn BoardView, mv: &str, taps: &[Target]) -> String {
    match taps {
        [Target::Place(cell)] => cell_form(view, mv, *cell),
        [Target::Place(_), Target::Place(_)] => {
            format!("the cell of a piece and the cell to move it to, such as {mv}")
        }
        [Target::Place(_), Target::Piece(kind)] => {
            let kind = view.pieces().get(usize::from(*kind)).copied();
            let what = match kind.map(|kind| kind.mark) {
                Some(Mark::Number(_)) => "number",
                _ => "mark",
            };
            format!("a cell and a {what}, such as {mv}")
        }
        [Target::Piece(_), Target::Place(_)] => format!("a piece and a cell, such as {mv}"),
        [Target::Frame, Target::Place(_)] => {
            let frame = frame_name(view);
            format!("@ and the cell for the middle of the {frame}, such as {mv}")
        }
        _ => format!("a move such as {mv}"),
    }
}

/// What the game calls its frame.
pub(crate) fn frame_name(view: &dyn BoardView) -> &'static str {
    view.frame().map_or("frame", |frame| frame.name)
}

/// How to write a move that is just a cell.
fn cell_form(view: &dyn BoardView, mv: &str, cell: Place) -> String {
    let shape = view.shape();
    let (column, row) = shape.column_row(cell);
    let name = view.place_name(cell);
    match (shape.depth(), letters_of_path(view, cell)) {
        (1, _) if view.plays_columns() => {
            format!("a column, such as {mv} or {}", column + 1)
        }
        (1, _) if view.has_coordinates() => format!(
            "a row and a column, counted from 1, such as {} {}, or a cell such as {name}",
            row + 1,
            column + 1
        ),
        (2.., Some((first, last))) => {
            format!("a cell, one letter from {first} to {last} for each level, such as {mv}")
        }
        (2.., None) if view.has_coordinates() => {
            format!("the number of a board and a cell of it, such as {mv}")
        }
        _ => format!("a cell such as {mv}"),
    }
}

/// The first and the last letter of names of cells, where each letter names a part of the board that the letters before it
/// name.
fn letters_of_path(view: &dyn BoardView, cell: Place) -> Option<(char, char)> {
    let shape = view.shape();
    let letter = |place: Place| {
        let (name, around) = (view.place_name(place), shape.parent(place)?);
        let mut letters = name.strip_prefix(&view.place_name(around))?.chars();
        let letter = letters.next().filter(|c| c.is_alphabetic())?;
        letters.next().is_none().then_some(letter)
    };
    let mut levels = 1..=shape.depth();
    if !levels.all(|level| letter(shape.ancestor(cell, level)).is_some()) {
        return None;
    }
    let mut parts = shape.parts(shape.parent(cell)?);
    let first = parts.next()?;
    Some((letter(first)?, letter(parts.last().unwrap_or(first))?))
}

/// The question for the rest of a move that begins with these taps and can continue with those, and the possible answers,
/// unless the question has them.
///
/// ```
/// use noughts_rules::{AnyGameState, TapResult, Target, Variant};
/// use noughts_text::next_part_question;
/// let mut state = AnyGameState::new(Variant::TIC_TAC_TWO);
/// for mv in ["b2", "c2", "d2", "d4"] {
///     state.play(mv)?;
/// }
/// let view = state.view();
/// let TapResult::Partial(next) = view.tap(&[Target::Frame]) else {
///     panic!("the grid can move");
/// };
/// let (question, answers) = next_part_question(view, &[Target::Frame], &next);
/// assert_eq!(question, "Where should the middle of the grid go?");
/// assert_eq!(answers.as_deref(), Some("b2, c2, d2, b3, d3, b4, c4 or d4"));
/// # Ok::<(), noughts_rules::MoveError>(())
/// ```
#[must_use]
pub fn next_part_question(
    view: &dyn BoardView,
    taps: &[Target],
    next: &[Target],
) -> (String, Option<String>) {
    let kinds = view.pieces();
    let name = |target: &Target| match target {
        Target::Piece(kind) => kinds
            .get(usize::from(*kind))
            .map_or_else(String::new, ToString::to_string),
        target => view.target_name(*target),
    };
    let names = join_or(&next.iter().map(name).collect::<Vec<_>>());
    let question = match (taps.last(), next) {
        (_, [Target::Piece(_), Target::Piece(_)]) => return (format!("{names}?"), None),
        (_, [Target::Piece(_), ..]) => "Which one?".into(),
        (Some(Target::Frame), _) => {
            format!("Where should the middle of the {} go?", frame_name(view))
        }
        (Some(piece @ Target::Piece(_)), _) => format!("Where should the {} go?", name(piece)),
        (Some(Target::Place(from)), _) => {
            let piece = view.cell(*from).top().map(ToString::to_string);
            let piece = piece.unwrap_or_else(|| "piece".into());
            let from = view.place_name(*from);
            format!("Where should the {piece} on {from} go?")
        }
        (None, _) => "What's the next part of your move?".into(),
    };
    (question, Some(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against a notation that is guessed from the letters of a move.
    #[test]
    fn forms_say_how_cells_are_named() {
        for (variant, expected) in [
            ("connect-four", "a column, such as a or 1"),
            (
                "notakto",
                "a row and a column, counted from 1, such as 1 1, or a cell such as a1",
            ),
            (
                "notakto:3",
                "the number of a board and a cell of it, such as 1a1",
            ),
            (
                "ultimate",
                "a cell, one letter from a to i for each level, such as aa",
            ),
            ("ception:depth=1", "a cell such as a"),
        ] {
            let state = AnyGameState::new(variant.parse().expect("a variant"));
            assert_eq!(move_forms(&state), [expected], "{variant}");
        }
    }
}
