//! What single squares show: their marks, highlights and symbols.

use noughts_rules::{BoardView, Owner, Place, Target};
use ratatui::style::Style;

use super::annotations::{Annotation, annotation};
use super::cell::{CellView, Highlight};
use super::layout::BoardArea;
use super::marks::{Mark, piece_label};
use super::painter::Painter;
use super::{Board, BoardRenderContext};

/// What the move that Enter makes would do.
pub(super) struct Pending {
    /// Where it can be seen to go.
    places: Vec<Place>,
    after: Box<dyn BoardView>,
    /// The cells of lines that it completes.
    completed: Vec<Place>,
}

impl Pending {
    pub(super) fn new(board: &Board, context: &BoardRenderContext<'_>) -> Option<Pending> {
        let view = context.state.view();
        if !context.active || board.zooms() {
            return None;
        }
        let mv = board.pending_move(view)?;
        Some(Pending {
            places: view.shown_places(&mv),
            after: view.after(&mv).ok()?,
            completed: view.completed_lines(&mv).concat(),
        })
    }
}

impl Board {
    /// The cells to mark as legal; `None` to ask for each cell.
    pub(super) fn legal_places(&self, context: &BoardRenderContext<'_>) -> Option<Vec<Place>> {
        let view = context.state.view();
        if !context.active {
            return Some(Vec::new());
        }
        if self.shape.depth() > 1 && self.taps.is_empty() {
            return None;
        }
        if self.features.plays_columns && self.taps.is_empty() {
            return view.legal_places();
        }
        let next = view.next_targets(&self.taps)?;
        Some(next.into_iter().filter_map(Target::place).collect())
    }
}

impl Painter<'_> {
    /// The cell that shows the cursor: the one that a piece lands on, if it isn't the one that is touched.
    fn cursor_cell(&self) -> Place {
        let landing = self
            .pending
            .as_ref()
            .and_then(|pending| pending.places.first());
        match (self.board.features.plays_columns, landing) {
            (true, Some(landing)) => *landing,
            (true, None) => self.view.aim(self.board.cursor),
            (false, _) => self.board.cursor,
        }
    }

    fn has_cursor(&self, place: Place) -> bool {
        let is_on_board = !self.board.moves_frame();
        self.context.active && is_on_board && self.shape.is_inside(self.cursor_cell(), place)
    }

    /// Is the piece on this cell the one that is being moved?
    fn is_held(&self, place: Place) -> bool {
        let is_last = self.board.taps.last() == Some(&Target::Place(place));
        self.context.active && is_last && self.board.choice.is_none()
    }

    /// A square of a board, whose own content is given: a cell, or the summary of a board. `line` are the squares to show
    /// as a line.
    pub(super) fn cell_view(
        &self,
        place: Place,
        area: &BoardArea,
        enclosing: &noughts_rules::CellView,
        line: &[Place],
    ) -> CellView {
        let theme = self.theme;
        let content = self.view.cell(place);
        let mut cell_view = CellView::default();
        let is_cell = place.level == self.shape.depth();
        let color = match content.owner {
            Owner::One(side) => Some(side),
            _ => content.top().and_then(noughts_rules::Piece::color),
        };
        let highlights = &mut cell_view.highlights;
        if self.has_cursor(place) {
            highlights.push(Highlight::Cursor);
        }
        if self.is_held(place) {
            highlights.push(Highlight::Held);
        }
        if let Some(pending) = self
            .pending
            .as_ref()
            .filter(|pending| pending.completed.contains(&place))
        {
            let piece = pending.after.cell(place);
            highlights.push(Highlight::Preview(
                piece.top().and_then(noughts_rules::Piece::color),
            ));
        }
        let is_in_line = line.contains(&place);
        let is_occupied = color.is_some() || content.top().is_some();
        if is_in_line && is_occupied {
            highlights.push(match self.is_joined(place, area, line) {
                true => Highlight::WinningLineJoined(color),
                false => Highlight::WinningLine(color),
            });
        }
        if self.holds_last(place) {
            highlights.push(Highlight::LastMove(self.mover));
        }
        let is_hinted = self.is_hinted(place);
        if is_hinted {
            highlights.push(Highlight::Hint);
        }
        let is_decided = !line.is_empty() && enclosing.owner == Owner::Nobody
            || self
                .lines
                .iter()
                .any(|line| line.level == self.shape.depth())
            || enclosing.owner != Owner::Nobody && place.level > 1
            || enclosing.is_dead;
        let is_faded = is_decided && !is_in_line;
        cell_view.mark = match is_cell {
            true => self.mark(place, &content, is_faded),
            false => color.map(|side| Mark::solid(side, is_faded, theme)),
        };
        if is_cell {
            let is_low = area.squares.size.1 == 1;
            cell_view.annotations = self.values.of(place, self);
            if let (Some(caption), false) = (self.caption(&content), is_low) {
                cell_view.annotations.insert(0, caption);
            }
        }
        if cell_view.mark.is_none() {
            cell_view.symbol = match (is_hinted, is_cell) {
                (true, _) => Some((theme.symbols().hint, theme.accent())),
                (false, true) => self.cell_symbol(place, area, enclosing),
                (false, false) => {
                    self.summary(place, self.highlight_targets && self.context.active)
                }
            };
        }
        cell_view
    }

    /// Is the cell to the left in the same line, so that both share the separator between them?
    fn is_joined(&self, place: Place, area: &BoardArea, line: &[Place]) -> bool {
        let left = Place::new(place.level, place.index.wrapping_sub(1));
        let is_same_row = self.shape.column_row(place).0 > 0;
        !area.squares.has_lines() && !self.layout.is_bordered && is_same_row && line.contains(&left)
    }

    /// The mark of a cell: what is on it, or what the move that Enter makes puts there.
    fn mark(
        &self,
        place: Place,
        content: &noughts_rules::CellView,
        is_faded: bool,
    ) -> Option<Mark> {
        let theme = self.theme;
        let top = |content: &noughts_rules::CellView, is_faded| {
            let piece = content.top()?;
            Some(Mark::of(piece, content.pieces.len() > 1, is_faded, theme))
        };
        if self.is_held(place) {
            return top(content, true).map(Mark::ghost);
        }
        let pending = self.pending.as_ref().filter(|_| !self.board.moves_frame());
        let has_started = !self.board.taps.is_empty();
        let is_shown = |pending: &&Pending| {
            let is_hidden = !has_started && !self.board.features.plays_columns;
            pending.places.contains(&place) && (!is_hidden || !pending.completed.is_empty())
        };
        if let Some(pending) = pending.filter(is_shown) {
            let mark = top(&pending.after.cell(place), false);
            return match has_started {
                true => mark,
                false => mark.map(Mark::ghost),
            };
        }
        top(content, is_faded)
    }

    /// All pieces of a stack, the top one first.
    fn caption(&self, content: &noughts_rules::CellView) -> Option<Annotation> {
        content.top()?.size?;
        let labels: Vec<String> = content.pieces.iter().map(piece_label).collect();
        Some(Annotation {
            text: labels.join(">"),
            style: self.theme.dim(),
        })
    }

    /// The symbol of an empty cell: whether it can be played, or its name where no labels show it.
    fn cell_symbol(
        &self,
        place: Place,
        area: &BoardArea,
        enclosing: &noughts_rules::CellView,
    ) -> Option<(char, Style)> {
        let (theme, features) = (self.theme, &self.board.features);
        let is_legal = match &self.legal {
            Some(legal) => legal.contains(&place),
            None => self.view.accepts_move(place),
        };
        let is_legal = self.context.active && is_legal;
        if !features.has_coordinates && self.shape.depth() == 1 {
            let name = self.view.place_name(place).chars().next()?;
            return Some((name, theme.dim()));
        }
        if features.has_links && !is_legal {
            return Some(('+', theme.dim()));
        }
        // Without lines, dots show where the cells are.
        let is_bare = features.has_coordinates && !area.squares.has_lines();
        let shows_dot = is_legal || is_bare && !enclosing.is_dead;
        shows_dot.then(|| (theme.symbols().legal, theme.dim()))
    }

    /// The value of a cell's own move, on boards that have too many moves to list.
    pub(super) fn value_by_name(&self, place: Place, width: u16) -> Option<Annotation> {
        let values = self.context.annotations?;
        let value = *values.0.get(&self.view.place_name(place))?;
        Some(annotation(value, None, width, self.theme))
    }
}
