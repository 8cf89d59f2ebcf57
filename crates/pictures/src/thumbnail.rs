//! Small boards for lists: each game in the middle of being played.

use maud::Markup;
use noughts_rules::{AnyGameState, MoveArea, NestedBoard, Owner, Side, Variant, path_text};

use super::drawing::{DrawOptions, draw_board};
use super::nested;

const WISH: DrawOptions<'_> = DrawOptions {
    path: "",
    playable: false,
    with_buttons: false,
};

/// A game in the middle of being played, small, for lists.
#[must_use]
pub fn thumbnail(variant: Variant) -> Markup {
    match variant {
        // Of a board this large no real game would show anything in so small a picture.
        Variant::Nested(options) if options.depth() > 2 => {
            let pattern = PlaceholderBoard {
                depth: options.depth().into(),
            };
            nested::draw(&pattern, WISH).static_svg("sketch", Side::X)
        }
        _ => {
            let play = middle(variant);
            draw_board(&play, WISH).static_svg("sketch", play.side())
        }
    }
}

/// Games whose beginning everybody knows.
const KNOWN: [(Variant, &[&str]); 2] = [
    (Variant::CLASSIC, &["b2", "a1", "a3", "c1", "b1"]),
    (Variant::MISERE, &["b2", "a1", "c3", "c2", "b1", "a3"]),
];

/// Some moves into a game, the same every time, and not at its end.
fn middle(variant: Variant) -> AnyGameState {
    let mut play = AnyGameState::new(variant);
    if let Some((_, moves)) = KNOWN.iter().find(|(known, _)| *known == variant) {
        for mv in *moves {
            // A move that is refused leaves the board as it is.
            let _ = play.play(mv);
        }
        return play;
    }
    // Games that differ in their rules alone are to look different.
    let name = variant.to_string();
    let plies = match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            (usize::from(columns) * usize::from(rows) / 2).min(12)
        }
        Variant::TicTacTwo(options) => 2 * usize::from(options.opening_pieces()) + 1,
        Variant::Nested(options) if options.depth() == 1 => 4,
        Variant::Nested(_) => 44,
    };
    // A nested board is best seen where one is sent somewhere.
    let sent = |play: &AnyGameState| match play.nested().map(NestedBoard::move_area) {
        Some(MoveArea::Free { .. } | MoveArea::Anywhere) => false,
        Some(MoveArea::Board(_) | MoveArea::Nowhere) | None => true,
    };
    for ply in 0..plies + 20 {
        if ply >= plies && sent(&play) {
            break;
        }
        let mut legal = play.legal_moves();
        legal.sort_by_cached_key(|mv| rank(variant, &name, ply, mv));
        let next = legal.iter().find_map(|mv| {
            let mut next = play.clone();
            next.play(mv).ok()?;
            next.outcome().is_none().then_some(next)
        });
        match next {
            Some(next) => play = next,
            None => break,
        }
    }
    play
}

/// The order in which moves are tried. On a large flat board games grow from the
/// middle; elsewhere anything goes.
fn rank(variant: Variant, name: &str, ply: usize, mv: &str) -> (u64, u64) {
    let letters = name.bytes().chain(mv.bytes());
    let chance = mixed(letters.fold(ply as u64 * 31 + 7, |hash, byte| {
        hash.wrapping_mul(131).wrapping_add(byte.into())
    }));
    let from_middle = match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            let col = mv.bytes().next().map_or(0, |letter| letter - b'a');
            let row: u8 = mv.get(1..).and_then(|row| row.parse().ok()).unwrap_or(1);
            let off = |n: u8, of: u8| (2 * i32::from(n) + 1 - i32::from(of)).unsigned_abs();
            let far = off(col, columns).max(off(row - 1, rows));
            u64::from(far) / 4
        }
        // The grid is moved as soon as it can be: that is what the game is about.
        Variant::TicTacTwo(_) => u64::from(!mv.starts_with('@')),
        Variant::Nested(_) => 0,
    };
    (from_middle, chance)
}

/// Bits that look like chance.
fn mixed(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// A deep board that looks played.
struct PlaceholderBoard {
    depth: u32,
}

impl PlaceholderBoard {
    fn chance(level: u32, index: usize, of: u64) -> u64 {
        mixed((u64::from(level) << 40) + index as u64 + 3) % of
    }

    /// One plays in the middle of the middle.
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
        match PlaceholderBoard::chance(self.depth, cell, 5) {
            0 => Some(Side::X),
            1 => Some(Side::O),
            _ => None,
        }
    }
    fn owner(&self, level: u32, index: usize) -> Owner {
        let chance = match (level, index) {
            (1, 0) => 0,
            (1, 2) => 1,
            (1, _) => 9,
            _ => PlaceholderBoard::chance(level, index, 9),
        };
        match chance {
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
