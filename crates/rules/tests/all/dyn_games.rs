//! A type-erased game behaves like the game itself: games of other crates and small ones are only known as such.

use std::collections::BTreeSet;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{
    AnyGameState, DynGame, DynMove, DynPosition, Game, GameState, GameVisitor, Place, Side,
    Symmetry, games,
};

/// On larger boards, only this many places, moves and positions are compared.
const SAMPLE: usize = 40;

#[test]
fn erased_games_behave_like_the_games_themselves() {
    for (variant, _) in games::presets() {
        AnyGameState::new(variant).visit(Comparison);
    }
}

/// A method that is missing in the list is the default one for every game from outside, whatever the game says.
#[test]
fn every_method_that_a_game_may_override_is_erased() {
    let source = include_str!("../../src/game.rs");
    let methods = source.split_once("pub trait Game").map(|(_, rest)| rest);
    let methods = methods.and_then(|rest| rest.split_once("---- Provided methods ----"));
    let (methods, _) = methods.expect("the methods that games have of their own");
    let erased = include_str!("../../src/games/dyn_game.rs");
    let declared = methods
        .lines()
        .filter_map(|line| line.strip_prefix("    fn "));
    let names = declared.map(|line| line.split(['(', '<']).next().unwrap_or_default());
    let names: BTreeSet<&str> = names.collect();
    let missing = names.iter().filter(|name| {
        !["(", "<"]
            .iter()
            .any(|next| erased.contains(&format!("fn {name}{next}")))
    });
    // The mask follows from the numbers of the legal moves, which only the erased game knows without a search.
    assert_eq!(missing.collect::<Vec<_>>(), [&"write_action_mask"]);
    assert!(names.len() > 55, "{names:?}");
}

struct Comparison;

impl GameVisitor for Comparison {
    type Output = ();

    fn visit<G: Game>(self, state: &GameState<G>) {
        let pair = Pair {
            game: state.game().clone(),
            erased: DynGame::new(state.game().clone()),
        };
        pair.compare_games();
        let name = pair.game.variant().to_string();
        let mut rng = TestRng::for_name(7, &name);
        let games = if pair.is_large() { 1 } else { 6 };
        for _ in 0..games {
            let (mut position, mut other) = (pair.game.start(), pair.erased.start());
            let mut last = None;
            for _ in 0..SAMPLE {
                let context = format!("{name} at {}", pair.game.text(&position));
                pair.compare_positions(&position, &other, last, &context);
                let Some(mv) = pair.game.random_move(&position, &mut rng.0) else {
                    break;
                };
                pair.game.apply(&mut position, mv);
                pair.erased.apply(&mut other, pair.number(mv));
                last = Some(mv);
                if pair.is_large() && pair.game.count_pieces(&position) > 2 {
                    break;
                }
            }
        }
    }
}

struct Pair<G> {
    game: G,
    erased: DynGame,
}

/// Compares a method's results for the game and the erased game.
macro_rules! same {
    ($pair:ident.$method:ident($($argument:expr),*)) => {
        assert_eq!(
            $pair.game.$method($($argument),*),
            $pair.erased.$method($($argument),*),
            "{}: {}",
            $pair.game.variant(),
            stringify!($method),
        );
    };
}

/// The same for methods whose first argument is a position.
macro_rules! same_at {
    ($context:ident, $pair:ident, $position:ident, $other:ident: $($method:ident($($argument:expr),*))*) => {
        $(
            assert_eq!(
                $pair.game.$method($position, $($argument),*),
                $pair.erased.$method($other, $($argument),*),
                "{}: {}",
                $context,
                stringify!($method),
            );
        )*
    };
}

impl<G: Game> Pair<G> {
    fn is_large(&self) -> bool {
        self.game.count_actions() > 2000
    }

    fn number(&self, mv: G::Move) -> DynMove {
        DynMove::new(self.game.action(mv) as u32)
    }

    /// Some places of every level, and one that doesn't exist.
    fn places(&self) -> Vec<Place> {
        let shape = self.game.board();
        let levels = 0..=shape.depth();
        levels
            .flat_map(|level| {
                let count = shape.count_places(level);
                let step = count as usize / SAMPLE + 1;
                let places = (0..count).step_by(step).chain([count]);
                places.map(move |index| Place::new(level, index))
            })
            .collect()
    }

    fn symmetries(&self) -> impl Iterator<Item = Symmetry> + use<G> {
        let count = self.game.count_symmetries();
        let step = count as usize / 8 + 1;
        (0..count).step_by(step).map(Symmetry)
    }

    fn compare_games(&self) {
        same!(self.variant());
        same!(self.can_repeat());
        same!(self.count_symmetries());
        same!(self.count_position_numbers());
        same!(self.count_actions());
        same!(self.observation_shape());
        same!(self.board());
        same!(self.pieces());
        same!(self.not_a_move("?"));
        for side in Side::BOTH {
            same!(self.opponents_planes(side));
        }
        for piece in 0..=self.game.pieces().len() as u8 {
            same!(self.piece_name(piece));
        }
        for symmetry in self.symmetries() {
            same!(self.symmetry_name(symmetry));
        }
        for place in self.places() {
            same!(self.place_name(place));
            same!(self.aim(place));
            same!(self.parse_place(&self.game.place_name(place)));
        }
        for number in [0, 1, self.game.count_position_numbers()] {
            let text = self.game.position_from_number(number);
            let text = text.map(|position| self.game.text(&position));
            let other = self.erased.position_from_number(number);
            assert_eq!(text, other.map(|other| self.erased.text(&other)));
        }
    }

    fn compare_positions(
        &self,
        position: &G::Position,
        other: &DynPosition,
        last: Option<G::Move>,
        context: &str,
    ) {
        same_at! { context, self, position, other:
            text() side() outcome() ending() count_pieces() max_plies_left() count_moves() hash()
            position_number() to_digits() to_lists() frame() winning_lines() prompt()
            reserve(Side::X) reserve(Side::O)
        }
        for place in self.places() {
            same_at! { context, self, position, other:
                cell(place) accepts_move(place) check_place(place) count_open_cells(place)
            }
        }
        self.compare_arrays(position, other, context);
        self.compare_images(position, other, context);
        let drawing = self.game.render(position, last, true);
        let last_number = last.map(|mv| self.number(mv));
        assert_eq!(
            drawing,
            self.erased.render(other, last_number, true),
            "{context}"
        );
        if let (Some(mv), Some(number)) = (last, last_number) {
            assert_eq!(
                self.game.changed_places(position, mv),
                self.erased.changed_places(other, number),
                "{context}"
            );
        }
        let text = self.game.text(position);
        let broken = text.replacen('x', "?", 1);
        assert_eq!(self.erased.parse(&text).as_ref(), Ok(other), "{context}");
        assert_eq!(
            self.game.parse(&broken).err(),
            self.erased.parse(&broken).err(),
            "{context}"
        );
        let count = self.game.count_actions();
        let actions = (0..count).step_by(count / SAMPLE + 1);
        let actions = actions.filter_map(|action| self.game.move_from_action(action));
        let moves = self.game.count_moves(position);
        let moves = (0..moves).step_by(moves / SAMPLE + 1);
        let legal = moves.filter_map(|n| {
            let (mv, number) = (
                self.game.nth_move(position, n),
                self.erased.nth_move(other, n),
            );
            assert_eq!(mv.map(|mv| self.number(mv)), number, "{context}: move {n}");
            mv
        });
        for mv in actions.chain(legal) {
            self.compare_moves(position, other, mv, context);
        }
    }

    fn compare_arrays(&self, position: &G::Position, other: &DynPosition, context: &str) {
        let size = self.game.observation_shape().iter().product();
        let (mut one, mut two) = (vec![7; size], vec![8; size]);
        self.game.write_observation(position, &mut one);
        self.erased.write_observation(other, &mut two);
        assert!(one == two, "{context}: observation");
        let actions = self.game.count_actions();
        let (mut one, mut two) = (vec![7; actions], vec![8; actions]);
        self.game.write_action_mask(position, &mut one);
        self.erased.write_action_mask(other, &mut two);
        assert!(one == two, "{context}: action mask");
    }

    fn compare_images(&self, position: &G::Position, other: &DynPosition, context: &str) {
        for symmetry in self.symmetries() {
            let image = self.game.map_position(position, symmetry);
            let other = self.erased.map_position(other, symmetry);
            assert_eq!(
                self.game.text(&image),
                self.erased.text(&other),
                "{context}"
            );
        }
        let (least, symmetry) = self.game.canonical(position);
        let (other_least, other_symmetry) = self.erased.canonical(other);
        assert_eq!(
            self.game.text(&least),
            self.erased.text(&other_least),
            "{context}"
        );
        assert_eq!(symmetry, other_symmetry, "{context}");
        let representative = self.game.text(&self.game.representative(position));
        let other = self.erased.text(&self.erased.representative(other));
        assert_eq!(representative, other, "{context}");
    }

    fn compare_moves(
        &self,
        position: &G::Position,
        other: &DynPosition,
        mv: G::Move,
        context: &str,
    ) {
        let number = self.number(mv);
        let text = self.game.move_text(mv);
        let context = format!("{context}: {text}");
        assert_eq!(text, self.erased.move_text(number), "{context}");
        assert_eq!(self.erased.parse_move(&text), Ok(number), "{context}");
        assert_eq!(self.game.taps(mv), self.erased.taps(number), "{context}");
        for symmetry in self.symmetries() {
            let image = self.number(self.game.map_move(mv, symmetry));
            assert_eq!(image, self.erased.map_move(number, symmetry), "{context}");
        }
        let taps = self.game.taps_in(position, mv);
        assert_eq!(taps, self.erased.taps_in(other, number), "{context}");
        let is_legal = self.game.check(position, mv);
        assert_eq!(is_legal, self.erased.check(other, number), "{context}");
        if self.game.outcome(position).is_some() {
            return;
        }
        for n in 0..=taps.len() {
            let numbered = |(mv, next): (Option<G::Move>, _)| (mv.map(|mv| self.number(mv)), next);
            let tapped = self.game.tap(position, &taps[..n]).map(numbered);
            assert_eq!(tapped, self.erased.tap(other, &taps[..n]), "{context}");
        }
        if is_legal.is_err() {
            let reason = self.game.rejection(position, mv);
            assert_eq!(reason, self.erased.rejection(other, number), "{context}");
            return;
        }
        assert_eq!(
            self.game.shown_targets(position, mv),
            self.erased.shown_targets(other, number),
            "{context}"
        );
        assert_eq!(
            self.game.board_after(position, mv),
            self.erased.board_after(other, number),
            "{context}"
        );
        assert_eq!(
            self.game.consequence(position, mv),
            self.erased.consequence(other, number),
            "{context}"
        );
    }
}
