//! What the side to move can do: the legal moves with their consequences, or on deep boards the
//! boards that are open.

use std::collections::BTreeMap;

use noughts_rules::{AnyGameState, BoardShape, BoardView, Place, Side, Target};
use noughts_text::next_part_question;
use noughts_view::path_of;
use noughts_wire::{Choice, Choices, CompletedLine, PieceKind, ReservePieces};

/// With more legal moves than this, they aren't listed.
const MAX_MOVES: usize = 300;

/// With more open boards than this, the boards around them are listed instead.
const MAX_BOARDS: usize = 500;

pub(crate) fn choices(state: &AnyGameState) -> Choices {
    let view = state.view();
    let shape = view.shape();
    let count = view.count_moves();
    let moves = (count <= MAX_MOVES).then(|| view.choices().unwrap_or_default());
    let listed = moves.as_deref().unwrap_or_default();
    Choices {
        count,
        pieces: placed_pieces(view, listed),
        prompts: prompts(view, listed),
        moves: moves.map(|moves| {
            let choices = moves.into_iter().map(|mv| choice(view, &shape, mv));
            choices.collect()
        }),
        open: has_boards(&shape).then(|| {
            let boards = view.open_boards(MAX_BOARDS).into_iter();
            boards.map(|board| path_of(&shape, board)).collect()
        }),
    }
}

/// What can be done after the game is over, even where the rules don't end it.
pub(crate) fn no_choices(state: &AnyGameState) -> Choices {
    Choices {
        count: 0,
        moves: Some(Vec::new()),
        open: has_boards(&state.view().shape()).then(Vec::new),
        pieces: Vec::new(),
        prompts: BTreeMap::new(),
    }
}

/// How the board is divided.
pub(crate) fn levels(state: &AnyGameState) -> Vec<(u8, u8)> {
    let shape = state.view().shape();
    let levels = (0..shape.depth()).filter_map(|level| shape.size_at(level));
    levels.collect()
}

/// The paths of the places where a move is seen to go.
pub(crate) fn shown_paths(state: &AnyGameState, mv: &str) -> Vec<String> {
    let (view, shape) = (state.view(), state.view().shape());
    let places = view.shown_places(mv).into_iter();
    places.map(|place| path_of(&shape, place)).collect()
}

/// The pieces that a side can still use.
pub(crate) fn reserve(view: &dyn BoardView, side: Side) -> Vec<ReservePieces> {
    let pieces = view.reserve(side).into_iter();
    let pieces = pieces.filter_map(|(kind, count)| {
        Some(ReservePieces {
            kind: piece_kind(view, kind)?,
            count,
        })
    });
    pieces.collect()
}

fn has_boards(shape: &BoardShape) -> bool {
    shape.depth() > 1
}

fn choice(view: &dyn BoardView, shape: &BoardShape, (text, taps): (String, Vec<Target>)) -> Choice {
    let touched: Vec<Place> = taps.iter().filter_map(|target| target.place()).collect();
    let shown = view.shown_places(&text);
    // Where the piece is seen to go is only worth a word if it isn't where the player touches the board.
    let lands = match shown.iter().all(|place| touched.contains(place)) {
        true => Vec::new(),
        false => shown.iter().map(|&place| view.place_name(place)).collect(),
    };
    Choice {
        taps: target_names(view, &taps),
        lands,
        sends: view.board_after(&text).map(|board| path_of(shape, board)),
        lines: completed_lines(view, shape, &text),
        text,
    }
}

fn target_names(view: &dyn BoardView, taps: &[Target]) -> Vec<String> {
    taps.iter()
        .map(|&target| view.target_name(target))
        .collect()
}

/// The questions after the first taps of a move, and after a piece of the reserve, which can always be taken first.
fn prompts(view: &dyn BoardView, moves: &[(String, Vec<Target>)]) -> BTreeMap<String, String> {
    let left = match view.is_over() {
        true => Vec::new(),
        false => view.reserve(view.side()),
    };
    let reserve: Vec<Target> = left
        .into_iter()
        .map(|(kind, _)| Target::Piece(kind))
        .collect();
    let mut continuations: BTreeMap<&[Target], Vec<Target>> = BTreeMap::new();
    for (_, taps) in moves {
        for length in 1..taps.len() {
            let next = continuations.entry(&taps[..length]).or_default();
            next.push(taps[length]);
        }
    }
    for piece in &reserve {
        continuations
            .entry(std::slice::from_ref(piece))
            .or_default();
    }
    let prompts = continuations.into_iter().map(|(taps, mut next)| {
        next.sort_unstable();
        next.dedup();
        let (question, _) = next_part_question(view, taps, &next);
        (target_names(view, taps).join(" "), question)
    });
    prompts.collect()
}

fn completed_lines(view: &dyn BoardView, shape: &BoardShape, mv: &str) -> Vec<CompletedLine> {
    let lines = view.completed_lines(mv);
    let after = match lines.is_empty() {
        true => return Vec::new(),
        false => view.after(mv),
    };
    // A line without a color counts for the player who completes it.
    let owner = |line: &[Place]| {
        let cell = after.as_ref().ok()?.cell(*line.first()?);
        match cell.top() {
            Some(piece) => piece.color(),
            None => Side::BOTH
                .into_iter()
                .find(|&side| cell.owner.counts_for(side)),
        }
    };
    let lines = lines.iter().map(|line| CompletedLine {
        side: owner(line).unwrap_or(view.side()).into(),
        places: line.iter().map(|&place| path_of(shape, place)).collect(),
    });
    lines.collect()
}

/// The kinds of pieces that the moves put on the board.
fn placed_pieces(view: &dyn BoardView, moves: &[(String, Vec<Target>)]) -> Vec<PieceKind> {
    let is_chosen = |kind: u8| {
        let mut taps = moves.iter().flat_map(|(_, taps)| taps);
        taps.any(|tap| *tap == Target::Piece(kind))
    };
    let pieces = (0..).zip(view.pieces());
    let usable = pieces.filter(|(_, piece)| piece.owner.is_none_or(|owner| owner == view.side()));
    let usable: Vec<u8> = usable.map(|(kind, _)| kind).collect();
    let is_only = usable.len() == 1 && !view.is_over();
    let placed = usable
        .into_iter()
        .filter(|&kind| is_only || is_chosen(kind));
    placed.filter_map(|kind| piece_kind(view, kind)).collect()
}

fn piece_kind(view: &dyn BoardView, kind: u8) -> Option<PieceKind> {
    let piece = view.pieces().get(usize::from(kind)).copied()?;
    Some(PieceKind {
        target: view.target_name(Target::Piece(kind)),
        label: piece.to_string(),
        side: piece.color().map(Into::into),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use noughts_rules::{TapResult, games};

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
        choices(&state)
    }

    fn find<'a>(choices: &'a Choices, text: &str) -> &'a Choice {
        let moves = choices.moves.as_ref().unwrap();
        moves.iter().find(|choice| choice.text == text).unwrap()
    }

    /// What a client has to rely on, in whole games of every preset.
    #[test]
    fn choices_are_the_legal_moves_and_their_taps_make_them() {
        for (variant, preset) in games::presets() {
            let mut state = AnyGameState::new(variant);
            for turn in 0..40 {
                let found = choices(&state);
                assert_eq!(found.count, state.count_moves(), "{}", preset.name);
                let Some(moves) = &found.moves else {
                    assert!(
                        found.count > MAX_MOVES && found.open.is_some(),
                        "{}",
                        preset.name
                    );
                    let first = state.view().place_name(state.view().shape().cell(turn));
                    state.play(&first).unwrap();
                    continue;
                };
                let mut texts: Vec<&str> = moves.iter().map(|choice| &*choice.text).collect();
                texts.sort_unstable();
                assert_eq!(texts, state.legal_moves(), "{}", preset.name);
                for choice in moves {
                    check_choice(&state, choice, &found);
                }
                let Some(next) = moves.get(turn as usize * 7 % moves.len().max(1)) else {
                    break;
                };
                state.play(&next.text).unwrap();
            }
        }
    }

    fn check_choice(state: &AnyGameState, choice: &Choice, choices: &Choices) {
        let (pieces, prompts) = (&choices.pieces, &choices.prompts);
        let view = state.view();
        let parse = |name: &String| view.parse_target(name).unwrap();
        let taps: Vec<Target> = choice.taps.iter().map(parse).collect();
        let variant = state.variant();
        assert_eq!(
            view.tap(&taps),
            TapResult::Move(choice.text.clone()),
            "{variant}"
        );
        for length in 1..taps.len() {
            let TapResult::Partial(next) = view.tap(&taps[..length]) else {
                panic!("{variant}: {choice:?} is complete after {length} taps");
            };
            assert!(next.contains(&taps[length]), "{variant}: {choice:?}");
        }
        for piece in choice.taps.iter().filter(|name| name.starts_with('=')) {
            assert!(
                pieces.iter().any(|kind| kind.target == *piece),
                "{variant}: {piece}"
            );
        }
        for cell in &choice.lands {
            assert!(view.parse_cell(cell).is_some(), "{variant}: {choice:?}");
        }
        for path in choice.lines.iter().flat_map(|line| &line.places) {
            assert!(!path.is_empty(), "{variant}: {choice:?}");
        }
        for length in 1..choice.taps.len() {
            let prompt = prompts.get(&choice.taps[..length].join(" "));
            assert!(prompt.is_some(), "{variant}: {choice:?}");
        }
    }

    #[test]
    fn moves_list_the_lines_they_complete() {
        let found = after("classic", Some("xx./oo./... x"), &[]);
        assert_eq!(find(&found, "c1").lines[0].places, ["0", "1", "2"]);
        assert!(find(&found, "c2").lines.is_empty(), "that is O's line");
        assert_eq!(after("classic", Some("xxx/oo./... o"), &[]).count, 0);
    }

    /// A move can complete a line of the opponent.
    #[test]
    fn lines_belong_to_the_side_of_their_pieces() {
        let found = after(
            "tic-tac-two",
            Some("...../o.x../o.x../o..x./..... x @c3"),
            &[],
        );
        let frame = find(&found, "@b3");
        assert_eq!(frame.taps, ["@", "b3"]);
        assert_eq!(frame.lines[0].side, noughts_wire::Side::O);
        assert_eq!(frame.lines[0].places, ["5", "10", "15"]);
        let piece = find(&found, "d4-c4");
        assert_eq!(piece.taps, ["d4", "c4"]);
        assert_eq!(piece.lines[0].side, noughts_wire::Side::X);
        assert_eq!(piece.lines[0].places, ["7", "12", "17"]);
    }

    #[test]
    fn moves_name_the_board_they_send_to() {
        let found = after("ultimate", None, &["ec"]);
        assert_eq!(found.open.as_deref(), Some(&["2".to_owned()][..]));
        assert_eq!(find(&found, "ca").sends.as_deref(), Some("0"));
    }

    #[test]
    fn deep_boards_list_open_boards() {
        let start = after("ception:depth=6", None, &[]);
        assert_eq!((start.moves, start.open), (None, Some(vec![String::new()])));
        let sent = after("ception:depth=6", None, &["abcdef"]);
        assert_eq!(sent.open, Some(vec!["1.2.3.4.5".into()]));
        assert_eq!(sent.count, 9);
    }

    /// Clients don't phrase anything: what to ask for next comes with the moves.
    #[test]
    fn unfinished_moves_have_prompts() {
        let prompts = |variant: &str, moves: &[&str]| after(variant, None, moves).prompts;
        assert_eq!(prompts("wild", &[])["b2"], "X or O?");
        let moved = prompts("tic-tac-two", &["b2", "c2", "d2", "d4"]);
        assert_eq!(moved["@"], "Where should the middle of the grid go?");
        assert_eq!(moved["b2"], "Where should the X on b2 go?");
        assert_eq!(moved["=x"], "Where should the X go?");
        // A number can be taken before the cell, too.
        assert_eq!(prompts("numerical", &[])["=7"], "Where should the 7 go?");
        assert!(prompts("classic", &[]).is_empty());
    }
}
