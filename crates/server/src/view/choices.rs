//! What the side to move can do: the legal moves with their consequences, or on deep boards the
//! boards that are open.

use noughts_rules::{
    AnyGameState, BoardKind, Game, GameState, Mnk, MoveArea, NestedGameState, Side, TicTacTwo,
    TicTacTwoCell, TicTacTwoMove, path_text,
};

use noughts_wire::{Choice, ChoiceKind, Choices, CompletedLine};

/// With more legal moves than this, they aren't listed.
const MAX_MOVES: usize = 300;

/// With more open boards than this, the boards around them are listed instead.
const MAX_BOARDS: usize = 500;

pub(crate) fn choices(state: &AnyGameState) -> Choices {
    let count = state.count_moves();
    let is_listed = (1..=MAX_MOVES).contains(&count);
    let moves = is_listed.then(|| match state.board_kind() {
        BoardKind::Mnk(state) => mnk_moves(state),
        BoardKind::LargeMnk(state) => mnk_moves(state),
        BoardKind::TicTacTwo(state) => tic_tac_two_moves(state),
        BoardKind::Nested(state) => nested_moves(state),
        BoardKind::Other(_) => Vec::new(),
    });
    let nothing = (count == 0).then(Vec::new);
    Choices {
        count,
        moves: moves.or(nothing),
        open: state.nested().map(open_boards),
    }
}

/// What can be done after the game is over, even where the rules don't end it.
pub(crate) fn no_choices(state: &AnyGameState) -> Choices {
    Choices {
        count: 0,
        moves: Some(Vec::new()),
        open: state.nested().map(|_| Vec::new()),
    }
}

fn mnk_moves<const W: usize>(state: &GameState<Mnk<W>>) -> Vec<Choice> {
    let (game, position) = (state.game(), state.position());
    let side = state.side();
    let completing: Vec<_> = game.completing_moves(position, side).collect();
    let choice = |mv| {
        let mut lines = Vec::new();
        if completing.contains(&mv) {
            let mut after = *position;
            game.apply(&mut after, mv);
            let cells = game.line_cells(&after).map(|mv| game.move_text(mv));
            lines.push(CompletedLine {
                side: side.into(),
                cells: cells.collect(),
            });
        }
        Choice {
            text: game.move_text(mv),
            lines,
            ..Choice::default()
        }
    };
    state.legal_moves().into_iter().map(choice).collect()
}

fn tic_tac_two_moves(state: &GameState<TicTacTwo>) -> Vec<Choice> {
    let game = state.game();
    let cell_text = |cell: TicTacTwoCell| game.move_text(TicTacTwoMove::PlacePiece(cell));
    let choice = |mv: TicTacTwoMove| {
        let (kind, from, to) = match mv {
            TicTacTwoMove::PlacePiece(to) => (ChoiceKind::Place, None, to),
            TicTacTwoMove::MoveGrid(to) => (ChoiceKind::Grid, None, to),
            TicTacTwoMove::MovePiece(from, to) => (ChoiceKind::Piece, Some(from), to),
        };
        let mut after = *state.position();
        game.apply(&mut after, mv);
        let lines = Side::BOTH.into_iter().filter_map(|side| {
            let cells = game.line_cells(&after, side);
            let all = (0..64).filter(|bit| cells >> bit & 1 == 1);
            (cells != 0).then(|| CompletedLine {
                side: side.into(),
                cells: all
                    .map(|bit: u8| cell_text(TicTacTwoCell::new(bit & 7, bit >> 3)))
                    .collect(),
            })
        });
        Choice {
            text: game.move_text(mv),
            kind,
            from: from.map(cell_text),
            to: Some(cell_text(to)),
            sends: None,
            lines: lines.collect(),
        }
    };
    state.legal_moves().into_iter().map(choice).collect()
}

fn nested_moves(state: &dyn NestedGameState) -> Vec<Choice> {
    let choice = |(cell, area)| Choice {
        text: path_text(cell, state.depth()),
        sends: match area {
            MoveArea::Nowhere => None,
            MoveArea::Anywhere => Some(String::new()),
            MoveArea::Board(path) => Some(path),
            MoveArea::Free { inside, .. } => Some(inside),
        },
        ..Choice::default()
    };
    let sends = state.next_move_areas(&state.legal_cells());
    sends.into_iter().map(choice).collect()
}

/// The boards that can be played in. A board in which everything is open stands for those inside
/// it.
fn open_boards(state: &dyn NestedGameState) -> Vec<String> {
    if state.is_over() {
        return Vec::new();
    }
    // The deepest level with few enough boards.
    let deepest = state.depth().saturating_sub(1);
    let lists = (0..=deepest).rev().map(|deepest| {
        let mut open = Vec::new();
        match add_open_boards(state, deepest, (0, 0), &mut open) {
            true => vec![String::new()],
            false => open,
        }
    });
    let mut fitting = lists.filter(|boards| boards.len() <= MAX_BOARDS);
    fitting.next().unwrap_or_default()
}

/// Adds what is open inside a board, down to some level. Returns whether all of it is, in which
/// case nothing is added.
fn add_open_boards(
    state: &dyn NestedGameState,
    deepest: u32,
    (level, index): (u32, usize),
    open: &mut Vec<String>,
) -> bool {
    let is_open = state.accepts_move(level, index);
    if !is_open || level >= deepest {
        return is_open;
    }
    let mut children = Vec::new();
    let mut all_open = true;
    for child in 9 * index..9 * index + 9 {
        match add_open_boards(state, deepest, (level + 1, child), &mut children) {
            true => children.push(path_text(child, level + 1)),
            false => all_open = false,
        }
    }
    if !all_open {
        open.append(&mut children);
    }
    all_open
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn after(variant: &str, position: Option<&str>, moves: &[&str]) -> Choices {
        let variant = variant.parse().unwrap();
        let mut state = match position {
            Some(text) => AnyGameState::from_text(variant, text).unwrap(),
            None => AnyGameState::new(variant),
        };
        for mv in moves {
            state.play(mv).unwrap();
        }
        let found = choices(&state);
        if let Some(moves) = &found.moves {
            let mut texts: Vec<&str> = moves.iter().map(|choice| &*choice.text).collect();
            texts.sort_unstable();
            assert_eq!(
                texts,
                state.legal_moves(),
                "the choices are the legal moves"
            );
        }
        assert_eq!(found.count, state.count_moves());
        found
    }

    fn find<'a>(choices: &'a Choices, text: &str) -> &'a Choice {
        let moves = choices.moves.as_ref().unwrap();
        moves.iter().find(|choice| choice.text == text).unwrap()
    }

    #[test]
    fn a_flat_move_lists_the_line_it_completes() {
        let found = after("classic", Some("xx./oo./... x"), &[]);
        assert_eq!(find(&found, "c1").lines[0].cells, ["a1", "b1", "c1"]);
        assert!(find(&found, "c2").lines.is_empty(), "that is O's line");
        assert_eq!(after("classic", Some("xxx/oo./... o"), &[]).count, 0);
    }

    #[test]
    fn a_grid_move_lists_the_lines_of_both_sides() {
        let found = after(
            "tic-tac-two",
            Some("...../o.x../o.x../o..x./..... x @c3"),
            &[],
        );
        let grid = find(&found, "@b3");
        assert_eq!(
            (grid.kind, grid.to.as_deref()),
            (ChoiceKind::Grid, Some("b3"))
        );
        assert_eq!(grid.lines[0].side, noughts_wire::Side::O);
        assert_eq!(grid.lines[0].cells, ["a2", "a3", "a4"]);
        let piece = find(&found, "d4-c4");
        assert_eq!(piece.from.as_deref(), Some("d4"));
        assert_eq!(piece.lines[0].cells, ["c2", "c3", "c4"]);
    }

    #[test]
    fn a_nested_move_has_its_target_board() {
        let found = after("ultimate", None, &["ec"]);
        assert_eq!(found.open.as_deref(), Some(&["c".to_owned()][..]));
        assert_eq!(find(&found, "ca").sends.as_deref(), Some("a"));
    }

    #[test]
    fn deep_boards_list_open_boards() {
        let start = after("ception:depth=6", None, &[]);
        assert_eq!((start.moves, start.open), (None, Some(vec![String::new()])));
        let sent = after("ception:depth=6", None, &["abcdef"]);
        assert_eq!(sent.open, Some(vec!["bcdef".into()]));
        assert_eq!(sent.count, 9);
    }
}
