//! What the side to move may do, as the rules tell it: the legal moves with what each
//! would bring about, or on deep boards the boards that are open.

use noughts_rules::{
    AnyGameState, BoardKind, Game, GameState, Mnk, MoveArea, NestedGameState, Side as RulesSide,
    TicTacTwo, TicTacTwoCell, TicTacTwoMove, path_text,
};

use super::types::{Choice, ChoiceKind, Choices, LineState, Side};

/// More moves than these are not told one by one.
const MOST_MOVES: usize = 300;

/// More boards than these are not told; larger ones stand for them.
const MOST_BOARDS: usize = 500;

pub(crate) fn choices(play: &AnyGameState) -> Choices {
    let count = play.count_moves();
    let told = (1..=MOST_MOVES).contains(&count);
    let moves = told.then(|| match play.board_kind() {
        BoardKind::Mnk(play) => flat(play),
        BoardKind::LargeMnk(play) => flat(play),
        BoardKind::TicTacTwo(play) => grid(play),
        BoardKind::Nested(play) => cells(play),
    });
    let nothing = (count == 0).then(Vec::new);
    Choices {
        count,
        moves: moves.or(nothing),
        open: play.nested().map(open),
    }
}

fn flat<const W: usize>(play: &GameState<Mnk<W>>) -> Vec<Choice> {
    let (game, position) = (play.game(), play.position());
    let side = play.side();
    let completing: Vec<_> = game.completing_moves(position, side).collect();
    let choice = |mv| {
        let text = game.move_text(mv);
        let mut lines = Vec::new();
        if completing.contains(&mv) {
            let mut after = *position;
            game.apply(&mut after, mv);
            let cells = game.line_cells(&after).map(|mv| game.move_text(mv));
            lines.push(LineState {
                side: side.into(),
                cells: cells.collect(),
            });
        }
        Choice {
            to: text.clone(),
            text,
            kind: ChoiceKind::Mark,
            from: None,
            sends: None,
            lines,
        }
    };
    play.legal_moves().into_iter().map(choice).collect()
}

fn grid(play: &GameState<TicTacTwo>) -> Vec<Choice> {
    let game = play.game();
    let name = |cell: TicTacTwoCell| game.move_text(TicTacTwoMove::PlacePiece(cell));
    let choice = |mv: TicTacTwoMove| {
        let (kind, from, to) = match mv {
            TicTacTwoMove::PlacePiece(to) => (ChoiceKind::Place, None, to),
            TicTacTwoMove::MoveGrid(to) => (ChoiceKind::Grid, None, to),
            TicTacTwoMove::MovePiece(from, to) => (ChoiceKind::Piece, Some(from), to),
        };
        let mut after = *play.position();
        game.apply(&mut after, mv);
        let lines = RulesSide::BOTH.into_iter().filter_map(|side| {
            let cells = game.line_cells(&after, side);
            let all = (0..64).filter(|bit| cells >> bit & 1 == 1);
            (cells != 0).then(|| LineState {
                side: side.into(),
                cells: all
                    .map(|bit: u8| name(TicTacTwoCell::new(bit & 7, bit >> 3)))
                    .collect(),
            })
        });
        Choice {
            text: game.move_text(mv),
            kind,
            from: from.map(name),
            to: name(to),
            sends: None,
            lines: lines.collect(),
        }
    };
    play.legal_moves().into_iter().map(choice).collect()
}

fn cells(play: &dyn NestedGameState) -> Vec<Choice> {
    let choice = |(cell, place)| {
        let text = path_text(cell, play.depth());
        Choice {
            to: text.clone(),
            text,
            kind: ChoiceKind::Mark,
            from: None,
            sends: match place {
                MoveArea::Nowhere => None,
                MoveArea::Anywhere => Some(String::new()),
                MoveArea::Board(path) => Some(path),
                MoveArea::Free { inside, .. } => Some(inside),
            },
            lines: Vec::new(),
        }
    };
    let sends = play.next_move_areas(&play.legal_cells());
    sends.into_iter().map(choice).collect()
}

/// The boards that may be played in; one in which all are open stands for them.
fn open(play: &dyn NestedGameState) -> Vec<String> {
    if play.is_over() {
        return Vec::new();
    }
    // The finest level at which there are not too many.
    let finest = play.depth().saturating_sub(1);
    let lists = (0..=finest)
        .rev()
        .map(|finest| Boards { play, finest }.list());
    let mut fitting = lists.filter(|boards| boards.len() <= MOST_BOARDS);
    fitting.next().unwrap_or_default()
}

/// A walk over the boards down to some level.
struct Boards<'a> {
    play: &'a dyn NestedGameState,
    finest: u32,
}

impl Boards<'_> {
    fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.walk(0, 0, &mut found) {
            found = vec![String::new()];
        }
        found
    }

    /// Adds what is open inside a board, or says that all of it is.
    fn walk(&self, level: u32, index: usize, found: &mut Vec<String>) -> bool {
        let takes = self.play.accepts_move(level, index);
        if !takes || level >= self.finest {
            return takes;
        }
        let mut inside = Vec::new();
        let mut all = true;
        for child in 9 * index..9 * index + 9 {
            match self.walk(level + 1, child, &mut inside) {
                true => inside.push(path_text(child, level + 1)),
                false => all = false,
            }
        }
        if !all {
            found.append(&mut inside);
        }
        all
    }
}

impl From<RulesSide> for Side {
    fn from(player: RulesSide) -> Side {
        match player {
            RulesSide::X => Side::X,
            RulesSide::O => Side::O,
        }
    }
}

impl From<Side> for RulesSide {
    fn from(side: Side) -> RulesSide {
        match side {
            Side::X => RulesSide::X,
            Side::O => RulesSide::O,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn after(variant: &str, position: Option<&str>, moves: &[&str]) -> Choices {
        let variant = variant.parse().unwrap();
        let mut play = match position {
            Some(text) => AnyGameState::from_text(variant, text).unwrap(),
            None => AnyGameState::new(variant),
        };
        for mv in moves {
            play.play(mv).unwrap();
        }
        let found = choices(&play);
        if let Some(moves) = &found.moves {
            let mut texts: Vec<&str> = moves.iter().map(|choice| &*choice.text).collect();
            texts.sort_unstable();
            assert_eq!(texts, play.legal_moves(), "what is told is what is legal");
        }
        assert_eq!(found.count, play.count_moves());
        found
    }

    fn find<'a>(choices: &'a Choices, text: &str) -> &'a Choice {
        let moves = choices.moves.as_ref().unwrap();
        moves.iter().find(|choice| choice.text == text).unwrap()
    }

    #[test]
    fn a_flat_move_tells_the_line_that_it_completes() {
        let found = after("classic", Some("xx./oo./... x"), &[]);
        assert_eq!(find(&found, "c1").lines[0].cells, ["a1", "b1", "c1"]);
        assert!(find(&found, "c2").lines.is_empty(), "that is O's line");
        assert_eq!(after("classic", Some("xxx/oo./... o"), &[]).count, 0);
    }

    #[test]
    fn a_grid_move_tells_the_lines_of_both() {
        let found = after(
            "tic-tac-two",
            Some("...../o.x../o.x../o..x./..... x @c3"),
            &[],
        );
        let grid = find(&found, "@b3");
        assert_eq!((grid.kind, &*grid.to), (ChoiceKind::Grid, "b3"));
        assert_eq!(grid.lines[0].side, Side::O);
        assert_eq!(grid.lines[0].cells, ["a2", "a3", "a4"]);
        let piece = find(&found, "d4-c4");
        assert_eq!(piece.from.as_deref(), Some("d4"));
        assert_eq!(piece.lines[0].cells, ["c2", "c3", "c4"]);
    }

    #[test]
    fn a_nested_move_tells_where_it_sends() {
        let found = after("ultimate", None, &["ec"]);
        assert_eq!(found.open.as_deref(), Some(&["c".to_owned()][..]));
        assert_eq!(find(&found, "ca").sends.as_deref(), Some("a"));
    }

    #[test]
    fn deep_boards_tell_the_boards_that_are_open() {
        let start = after("ception:depth=6", None, &[]);
        assert_eq!((start.moves, start.open), (None, Some(vec![String::new()])));
        let sent = after("ception:depth=6", None, &["abcdef"]);
        assert_eq!(sent.open, Some(vec!["bcdef".into()]));
        assert_eq!(sent.count, 9);
    }
}
