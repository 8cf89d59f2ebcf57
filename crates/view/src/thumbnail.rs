//! Small boards for lists: each variant in the middle of a game.

use maud::Markup;
use noughts_rules::{AnyGameState, Family, MoveArea, NestedBoard, Owner, Side, Variant, path_text};

use super::drawing::{DrawOptions, draw_board};
use super::nested;

/// A small picture of a variant in the middle of a game.
#[must_use]
pub fn thumbnail(variant: Variant) -> Markup {
    match variant.family() {
        // A real game on a board this large would look empty in a small picture.
        Family::Nested(options) if options.depth() > 2 => {
            let board = PlaceholderBoard {
                depth: options.depth().into(),
            };
            nested::draw(&board, DrawOptions::PICTURE).static_svg("sketch", Side::X)
        }
        _ => {
            let state = midgame_state(variant);
            draw_board(&state, DrawOptions::PICTURE).static_svg("sketch", state.side())
        }
    }
}

/// Variants with a chosen opening.
const OPENINGS: [(Variant, &[&str]); 2] = [
    (Variant::CLASSIC, &["b2", "a1", "a3", "c1", "b1"]),
    (Variant::MISERE, &["b2", "a1", "c3", "c2", "b1", "a3"]),
];

/// A deterministic position some moves into a game that isn't over.
fn midgame_state(variant: Variant) -> AnyGameState {
    let mut state = AnyGameState::new(variant);
    if let Some((_, moves)) = OPENINGS.iter().find(|(known, _)| *known == variant) {
        for mv in *moves {
            // An illegal move leaves the position unchanged.
            let _ = state.play(mv);
        }
        return state;
    }
    // The name is part of the hash, so that variants that only differ in rules look different.
    let name = variant.to_string();
    let plies = match variant.family() {
        Family::Mnk(options) => {
            let (columns, rows, _) = options.size();
            (usize::from(columns) * usize::from(rows) / 2).min(12)
        }
        Family::TicTacTwo(options) => 2 * usize::from(options.opening_pieces()) + 1,
        Family::Nested(options) if options.depth() == 1 => 4,
        Family::Nested(_) => 44,
        Family::Other => 5,
    };
    // Stop where a nested board shows a target.
    let has_target = |state: &AnyGameState| match state.nested().map(NestedBoard::move_area) {
        Some(MoveArea::Free { .. } | MoveArea::Anywhere) => false,
        Some(MoveArea::Board(_) | MoveArea::Nowhere) | None => true,
    };
    for ply in 0..plies + 20 {
        if ply >= plies && has_target(&state) {
            break;
        }
        let mut legal = state.legal_moves();
        legal.sort_by_cached_key(|mv| move_order(variant, &name, ply, mv));
        let next = legal.iter().find_map(|mv| {
            let mut next = state.clone();
            next.play(mv).ok()?;
            next.outcome().is_none().then_some(next)
        });
        match next {
            Some(next) => state = next,
            None => break,
        }
    }
    state
}

/// The order in which moves are tried. On m,n,k boards games grow from the center; elsewhere
/// the order is pseudorandom.
fn move_order(variant: Variant, name: &str, ply: usize, mv: &str) -> (u64, u64) {
    let letters = name.bytes().chain(mv.bytes());
    let random = mix_bits(letters.fold(ply as u64 * 31 + 7, |hash, byte| {
        hash.wrapping_mul(131).wrapping_add(byte.into())
    }));
    let priority = match variant.family() {
        Family::Mnk(options) => {
            let (columns, rows, _) = options.size();
            let col = mv.bytes().next().map_or(0, |letter| letter - b'a');
            let row: u8 = mv.get(1..).and_then(|row| row.parse().ok()).unwrap_or(1);
            let doubled_offset =
                |n: u8, count: u8| (2 * i32::from(n) + 1 - i32::from(count)).unsigned_abs();
            let distance = doubled_offset(col, columns).max(doubled_offset(row - 1, rows));
            u64::from(distance) / 4
        }
        // Move the grid as soon as possible: it is what makes the game special.
        Family::TicTacTwo(_) => u64::from(!mv.starts_with('@')),
        Family::Nested(_) | Family::Other => 0,
    };
    (priority, random)
}

/// Mixes bits, like the finalizer of a hash.
fn mix_bits(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// A deep board that looks like a game in progress.
struct PlaceholderBoard {
    depth: u32,
}

impl PlaceholderBoard {
    fn random(level: u32, index: usize, count: u64) -> u64 {
        mix_bits((u64::from(level) << 40) + index as u64 + 3) % count
    }

    /// The next move goes to the center of every level.
    fn target(&self) -> String {
        "e".repeat(self.depth as usize - 1)
    }
}

impl NestedBoard for PlaceholderBoard {
    fn depth(&self) -> u32 {
        self.depth
    }
    fn side(&self) -> Side {
        Side::X
    }
    fn is_over(&self) -> bool {
        false
    }
    fn mark(&self, cell: usize) -> Option<Side> {
        match PlaceholderBoard::random(self.depth, cell, 5) {
            0 => Some(Side::X),
            1 => Some(Side::O),
            _ => None,
        }
    }
    fn owner(&self, level: u32, index: usize) -> Owner {
        let random = match (level, index) {
            (1, 0) => 0,
            (1, 2) => 1,
            (1, _) => 9,
            _ => PlaceholderBoard::random(level, index, 9),
        };
        match random {
            0 => Owner::One(Side::X),
            1 => Owner::One(Side::O),
            _ => Owner::Nobody,
        }
    }
    fn accepts_move(&self, level: u32, index: usize) -> bool {
        self.target().starts_with(&path_text(index, level))
    }
    fn count_open_cells(&self, level: u32, _: usize) -> u32 {
        9u32.pow(self.depth - level)
    }
    fn move_area(&self) -> MoveArea {
        MoveArea::Board(self.target())
    }
    fn last_cell(&self) -> Option<usize> {
        None
    }
    fn winning_line(&self) -> u32 {
        0
    }
    fn closes_won_boards(&self) -> bool {
        true
    }
    fn next_move_areas(&self, _: &[usize]) -> Vec<(usize, MoveArea)> {
        Vec::new()
    }
}
