//! The values of moves on the cells that they start from or go to.

use std::collections::BTreeMap;

use noughts_engine::Value;
use noughts_rules::{Place, Target};

use super::annotations::{Annotation, annotation, better};
use super::painter::Painter;
use super::{Annotations, Board, BoardRenderContext};
use crate::tui::theme::Theme;

/// How a value's move concerns a cell. The order is that of their lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Concern {
    /// Touching the cell makes the move.
    Direct,
    /// A piece is to be chosen for the cell.
    Chosen,
    /// A piece from next to the board goes there.
    Taken,
    /// The piece on the cell moves somewhere.
    Moved,
    /// The frame is centered there.
    Frame,
}

/// The values to show on each cell.
pub(super) struct CellValues {
    by_place: BTreeMap<Place, BTreeMap<Concern, (Value, Option<char>)>>,
    /// There are too many moves: they are looked up by the name of a cell.
    by_name: bool,
    /// The columns for each value, without a prefix.
    width: u16,
    is_low: bool,
}

impl CellValues {
    pub(super) fn new(board: &Board, context: &BoardRenderContext<'_>) -> CellValues {
        let size = board
            .layout
            .boards
            .first()
            .map(|area| (area.squares.size, area.squares.gap));
        let (size, gap) = size.unwrap_or_default();
        let mut values = CellValues {
            by_place: BTreeMap::new(),
            by_name: false,
            width: 0,
            is_low: size.1 <= 1,
        };
        let Some(annotations) = context.annotations else {
            return values;
        };
        let view = context.state.view();
        match view.choices() {
            Some(choices) => values.collect(board, context, annotations, &choices),
            None => values.by_name = true,
        }
        let lines = values.by_place.values().flat_map(BTreeMap::iter);
        let has_prefixes = lines.clone().any(|(_, (_, prefix))| prefix.is_some());
        let is_next_to_mark =
            |(concern, _): (&Concern, &(Value, Option<char>))| *concern == Concern::Moved;
        let room = match (values.is_low, gap.1 > 0) {
            (true, _) if lines.clone().any(is_next_to_mark) => 1,
            (true, false) => gap.0.max(size.0),
            (true, true) => size.0,
            (false, _) => size.0.saturating_sub(2 + u16::from(has_prefixes)),
        };
        values.width = match annotations.width_for_all(room) {
            fitting if fitting < room => 1,
            fitting => fitting,
        };
        values
    }

    fn collect(
        &mut self,
        board: &Board,
        context: &BoardRenderContext<'_>,
        annotations: &Annotations,
        choices: &[(String, Vec<Target>)],
    ) {
        let (view, symbols) = (context.state.view(), context.theme.symbols());
        let name = |kind: u8| view.piece_name(kind).chars().next();
        for (mv, taps) in choices {
            let Some((&value, rest)) = annotations.0.get(mv).zip(taps.strip_prefix(&*board.taps))
            else {
                continue;
            };
            let (place, concern, prefix) = match *rest {
                [Target::Place(place)] => {
                    let landing = view.shown_places(mv);
                    let landing = landing.first().filter(|_| board.features.plays_columns);
                    (*landing.unwrap_or(&place), Concern::Direct, None)
                }
                [Target::Place(place), Target::Piece(kind)] => (place, Concern::Chosen, name(kind)),
                [Target::Place(place), ..] => (place, Concern::Moved, Some(symbols.piece_move)),
                [Target::Piece(kind), Target::Place(place)] => (place, Concern::Taken, name(kind)),
                [Target::Frame, Target::Place(place)] => (place, Concern::Frame, Some('@')),
                _ => continue,
            };
            let lines = self.by_place.entry(place).or_default();
            let line = lines.entry(concern).or_insert((value, prefix));
            if better(line.0, value) != line.0 {
                *line = (value, prefix);
            }
        }
    }

    /// The values on a cell, one per line.
    pub(super) fn of(&self, place: Place, painter: &Painter<'_>) -> Vec<Annotation> {
        if self.by_name {
            return painter
                .value_by_name(place, self.width)
                .into_iter()
                .collect();
        }
        let Some(lines) = self.by_place.get(&place) else {
            return Vec::new();
        };
        let theme = painter.theme;
        if self.is_low {
            // The value of moving the frame would be mistaken for that of a move into the cell.
            let shown = lines
                .iter()
                .find(|(concern, _)| **concern != Concern::Frame);
            let shown = shown.map(|(_, (value, _))| annotation(*value, None, self.width, theme));
            return shown.into_iter().collect();
        }
        let text = |(value, prefix): &(Value, Option<char>)| {
            let width = self.width + u16::from(prefix.is_some());
            annotation(*value, *prefix, width, theme)
        };
        lines.values().map(text).collect()
    }
}

impl Board {
    /// What the characters before values mean, if there are any.
    pub(crate) fn value_legend(&self, theme: &Theme) -> Option<String> {
        let symbol = theme.symbols().piece_move;
        let frame = self.features.frame.map(|name| format!("@ {name}"));
        let piece = self.moves_pieces().then(|| format!("{symbol} piece"));
        let parts: Vec<String> = frame.into_iter().chain(piece).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
