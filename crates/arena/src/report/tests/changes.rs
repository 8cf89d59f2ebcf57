//! Changes applied without knowing the rules give the same boards as the rules.

use std::collections::{BTreeMap, BTreeSet};

use noughts_rules::{AnyGameState, BoardView, Ending, Place, Variant, games};
use noughts_view::{ReplayBoard, replay_board};
use rand_core::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::random_play;
use crate::report::changes::game_changes;

/// The board as the page's script reconstructs it.
#[derive(Default)]
struct ShownBoard {
    /// The sprites by the numbers of their places.
    sprites: BTreeMap<usize, usize>,
    last: Option<usize>,
    frame: Option<usize>,
    target: Option<usize>,
    line: BTreeSet<usize>,
}

impl ShownBoard {
    fn apply(&mut self, text: &str) {
        (self.target, self.last) = (None, None);
        let is_end = |c: char| !c.is_ascii_digit() && c != '=';
        let mut rest = text.trim_start_matches(',');
        while let Some(first) = rest.chars().next() {
            let (letter, after) = match is_end(first) {
                true => (first, &rest[1..]),
                false => ('=', rest),
            };
            let (change, next) = after.split_at(after.find(is_end).unwrap_or(after.len()));
            let (number, sprite) = change.split_once('=').unwrap_or((change, ""));
            let number: usize = number.parse().expect("the number of a place");
            match letter {
                '=' => drop(
                    self.sprites
                        .insert(number, sprite.parse().expect("the number of a sprite")),
                ),
                '-' => drop(self.sprites.remove(&number)),
                '~' => self.last = Some(number),
                '@' => self.frame = Some(number),
                '>' => self.target = Some(number),
                '!' => drop(self.line.insert(number)),
                other => panic!("{other} isn't a change: {text}"),
            }
            rest = next.trim_start_matches(',');
        }
    }
}

/// The places in the order of their numbers.
fn all_places(view: &dyn BoardView) -> Vec<Place> {
    let shape = view.shape();
    let levels = 1..=shape.depth();
    levels
        .flat_map(|level| (0..shape.count_places(level)).map(move |index| Place::new(level, index)))
        .collect()
}

fn check(board: &ShownBoard, state: &AnyGameState, replay: &mut ReplayBoard) {
    let (view, shape) = (state.view(), state.view().shape());
    let places = all_places(view);
    for (number, &place) in places.iter().enumerate() {
        let sprite = replay.sprite(&view.cell(place));
        let name = view.place_name(place);
        let context = || format!("{name} of {} after {:?}", state.variant(), state.moves());
        assert_eq!(board.sprites.get(&number).copied(), sprite, "{}", context());
    }
    let center = board.frame.map(|number| places[number]);
    assert_eq!(center, view.frame().map(|frame| frame.center));
    if let Some(last) = board.last {
        assert!(view.cell(places[last]).top().is_some());
    }
    // If there is a target board, all legal moves are on it.
    if let Some(target) = board.target.map(|number| places[number]) {
        let open = shape
            .parts(shape.parent(target).expect("a board inside another"))
            .filter(|&part| view.accepts_move(part));
        assert_eq!(open.collect::<Vec<_>>(), [target]);
    }
}

/// Replays a game from its starting position.
fn walk(state: &AnyGameState) {
    let mut replay = replay_board(state.variant());
    let changes = game_changes(state, &mut replay);
    let moves = state.moves();
    assert_eq!(changes.plies.len(), moves.len());
    let mut expected =
        AnyGameState::from_text(state.variant(), &state.start_text()).expect("a position");
    let mut board = ShownBoard::default();
    board.apply(&changes.start);
    check(&board, &expected, &mut replay);
    for (mv, text) in moves.iter().zip(&changes.plies) {
        let side = text.chars().next();
        assert_eq!(side, Some(expected.side().letter()));
        expected.play(mv).expect("it was played");
        board.apply(&text[1..]);
        check(&board, &expected, &mut replay);
    }
}

/// Every preset with a board that can be compared after each move, and options that change how boards look.
fn variants() -> impl Iterator<Item = String> {
    let is_small =
        |variant: &Variant| AnyGameState::new(*variant).view().shape().count_cells() < 1000;
    let presets = games::presets().into_iter().map(|(variant, _)| variant);
    let presets = presets.filter(is_small).map(|variant| variant.to_string());
    let others = [
        "mnk:7,6,4",
        "tic-tac-two:board=7,grid=5",
        "ception:depth=1",
        "ception:5a",
        "ception:4b,5c",
        "ception:5d,end=most",
        "ception:depth=3,trail=history",
    ];
    presets.chain(others.map(Into::into))
}

#[test]
fn changes_reproduce_the_boards() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(5);
    for variant in variants() {
        for _ in 0..5 {
            walk(&random_play(&variant, &mut dice, 300));
        }
    }
    walk(&random_play("ception:4b,depth=4", &mut dice, 60));
}

#[test]
fn games_may_start_from_any_position() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(6);
    for variant in variants() {
        let before = random_play(&variant, &mut dice, 4);
        let text = before.position_text();
        let mut state = AnyGameState::from_text(before.variant(), &text).expect("a position");
        for _ in 0..3 {
            if let Some(mv) = state.legal_moves().first() {
                state.play(mv).expect("it is legal");
            }
        }
        assert!(!state.has_standard_start());
        walk(&state);
    }
}

#[test]
fn moves_are_encoded_compactly() {
    let mut state = AnyGameState::new(Variant::ULTIMATE);
    for mv in ["ee", "ea"] {
        state.play(mv).expect("it is legal");
    }
    let changes = game_changes(&state, &mut replay_board(state.variant()));
    assert_eq!(changes.start, "");
    assert_eq!(changes.plies, ["x49=0~49>4", "o45=1~45>0"]);
}

/// If a line ended the game, its places are marked, and they show a winner; otherwise nothing is.
#[test]
fn the_winning_line_is_marked() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut lines = BTreeSet::new();
    for variant in variants() {
        for _ in 0..20 {
            let state = random_play(&variant, &mut dice, 1000);
            let mut replay = replay_board(state.variant());
            let changes = game_changes(&state, &mut replay);
            let mut board = ShownBoard::default();
            board.apply(&changes.start);
            for text in &changes.plies {
                assert!(board.line.is_empty(), "only the last move ends it");
                board.apply(&text[1..]);
            }
            let marked = !board.line.is_empty();
            assert!(marked || state.ending() != Some(Ending::Line), "{variant}");
            if !marked {
                continue;
            }
            // A board that both players own counts for either, and in some games a line has pieces of both.
            let shown = board.line.iter().map(|number| {
                let sprite = board.sprites.get(number).expect("a piece or a won board");
                replay.colors().chars().nth(*sprite).expect("its color")
            });
            let colors: BTreeSet<char> = shown.filter(|&color| color != 'n').collect();
            let is_mixed = state.view().pieces().len() > 2;
            assert!(is_mixed || colors.len() <= 1, "{variant}: {colors:?}");
            let places: BTreeSet<_> = state.view().winning_lines().concat().into_iter().collect();
            assert_eq!(board.line.len(), places.len(), "{variant}");
            lines.insert(variant.clone());
        }
    }
    assert!(lines.len() > 8, "games with lines: {lines:?}");
}
