//! Small boards for lists: each variant in the middle of a game.

use maud::Markup;
use noughts_rules::{
    AnyGameState, BoardView, CellView, Owner, Piece, Place, Side, Target, Variant,
};

use super::drawing::BoardDrawing;

/// A small picture of a variant in the middle of a game.
#[must_use]
pub fn thumbnail(variant: Variant) -> Markup {
    let state = midgame_state(variant);
    let (view, shape) = (state.view(), state.view().shape());
    let drawing = match shape.depth() > 2 {
        // A real game on a board this large would look empty in a small picture.
        true => BoardDrawing::with_contents(&state, &|place| {
            let is_open = place.level < shape.depth() && view.accepts_move(place);
            if is_open {
                CellView::default()
            } else {
                invented_contents(place, place.level == shape.depth())
            }
        }),
        false => BoardDrawing::of(&state),
    };
    drawing.static_svg("sketch", state.side())
}

/// A place that looks like part of a game in progress.
fn invented_contents(place: Place, is_cell: bool) -> CellView {
    let random = mix_bits((u64::from(place.level) << 40) + u64::from(place.index) + 3);
    let side = match (is_cell, random % if is_cell { 5 } else { 9 }) {
        (_, 0) => Some(Side::X),
        (_, 1) => Some(Side::O),
        _ => None,
    };
    match (is_cell, side) {
        (true, side) => CellView::with_piece(side.map(Piece::of)),
        (false, None) => CellView::default(),
        (false, Some(side)) => CellView {
            owner: Owner::One(side),
            is_dead: true,
            ..CellView::default()
        },
    }
}

/// A deterministic position some moves into a game that isn't over: the game's own sample, or a pseudorandom one.
fn midgame_state(variant: Variant) -> AnyGameState {
    let mut state = AnyGameState::new(variant);
    let sample = variant.preset().map_or(&[][..], |preset| preset.sample);
    for mv in sample {
        // An illegal move leaves the position unchanged.
        let _ = state.play(mv);
    }
    if !sample.is_empty() {
        return state;
    }
    // The name is part of the seed, so that variants that only differ in rules look different.
    let name = variant.to_string();
    let seed = name.bytes().fold(7, |hash: u64, byte| {
        hash.wrapping_mul(131).wrapping_add(byte.into())
    });
    let shape = state.view().shape();
    let most = if shape.depth() == 1 { 12 } else { 44 };
    let plies = (shape.count_cells() as usize / 2).min(most);
    for ply in 0..plies + 20 {
        if ply >= plies && shows_much(state.view()) {
            break;
        }
        let mut tries = (0..8).filter_map(|n| {
            let mut next = state.clone();
            let mv = pick_move(state.view(), mix_bits(seed ^ (ply * 8 + n) as u64))?;
            next.play(&mv).ok()?;
            next.outcome().is_none().then_some(next)
        });
        match tries.next() {
            Some(next) => state = next,
            None => break,
        }
    }
    state
}

/// Does the position show what is special: a frame that was moved, a board that the next move must go to?
fn shows_much(view: &dyn BoardView) -> bool {
    let shape = view.shape();
    let has_target = view.focus().level + 1 == shape.depth();
    has_target && (view.frame().is_none() || view.previous_frame().is_some())
}

/// A move: of several random ones, a move of the frame or the one closest to the center of the board.
fn pick_move(view: &dyn BoardView, random: u64) -> Option<String> {
    let shape = view.shape();
    let Some(moves) = view.choices() else {
        // Too many to list: goes down to an open cell.
        let mut place = Place::BOARD;
        while place.level < shape.depth() {
            let open: Vec<Place> = shape
                .parts(place)
                .filter(|&part| view.accepts_move(part))
                .collect();
            let n = mix_bits(random ^ u64::from(place.level)) as usize;
            place = *open.get(n.checked_rem(open.len())?)?;
        }
        return Some(view.place_name(place));
    };
    let distance = |place: Place| {
        let (column, row) = shape.column_row(place);
        let (columns, rows) = shape
            .size_at(place.level.saturating_sub(1))
            .unwrap_or((1, 1));
        let off_center =
            |n: u8, count: u8| (2 * i32::from(n) + 1 - i32::from(count)).unsigned_abs();
        off_center(column, columns).max(off_center(row, rows))
    };
    let pick = |n: u64| {
        let index = mix_bits(random.wrapping_add(n)) as usize;
        moves.get(index.checked_rem(moves.len())?)
    };
    let priority = |taps: &[Target]| match (shape.depth(), taps.first()) {
        (_, Some(Target::Frame)) => 0,
        (1, Some(Target::Place(place))) => 1 + distance(*place) / 3,
        _ => 1,
    };
    let best = (0..5)
        .filter_map(pick)
        .min_by_key(|(_, taps)| priority(taps));
    best.map(|(mv, _)| mv.clone())
}

/// Mixes bits, like the finalizer of a hash.
fn mix_bits(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}
