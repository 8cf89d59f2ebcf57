//! Boards for replays: a page shows any position of a game by placing sprites on the places of a board. Its script
//! knows neither rules nor geometry.

use std::collections::HashMap;

use maud::{Markup, html};
use noughts_rules::{AnyGameState, BoardView, CellView, Owner, Piece, Place, Side, Variant};

use super::layout::{Arrangement, Grid, Layout};
use super::moves::LastMove;
use super::picture::{draw_empty, frame_grid};
use super::pieces::{PieceStyle, draw_pieces, radius_share};
use super::svg::{Rounded, Square, SvgWriter, WIDTH, color_class};

/// A board without pieces, where its pieces go, and what can be on them.
pub struct ReplayBoard {
    start: AnyGameState,
    layout: Layout,
    sprites: Vec<CellView>,
    indices: HashMap<(Vec<Piece>, Owner, bool), usize>,
}

/// The square that sprites fill.
const SPRITE: Square = Square::new(0.0, 0.0, 100.0);

/// The board of a variant.
#[must_use]
pub fn replay_board(variant: Variant) -> ReplayBoard {
    let start = AnyGameState::new(variant);
    let view = start.view();
    let layout = Layout::new(&view.shape(), Place::BOARD, view.frame().is_some());
    ReplayBoard {
        layout,
        start,
        sprites: Vec::new(),
        indices: HashMap::new(),
    }
}

impl ReplayBoard {
    /// The number of the sprite that shows what is in a place; `None` if there is nothing to show.
    pub fn sprite(&mut self, contents: &CellView) -> Option<usize> {
        let CellView {
            pieces,
            owner,
            is_dead,
        } = contents.clone();
        if pieces.is_empty() && owner == Owner::Nobody && !is_dead {
            return None;
        }
        let next = self.sprites.len();
        let index = *self.indices.entry((pieces, owner, is_dead)).or_insert(next);
        if index == next {
            self.sprites.push(contents.clone());
        }
        Some(index)
    }

    /// The picture, with an empty group `pieces` for the script to fill. Each sprite `sN` fills a square of 100 units;
    /// so do `area`, `frame`, and `ring-x` around the last move. The element with the ID `label` describes the position.
    #[must_use]
    pub fn svg(&self, label: &str) -> Markup {
        let view = self.start.view();
        let style = PieceStyle::of(&self.layout.shape.look);
        let mut writer = SvgWriter::default();
        for (index, contents) in self.sprites.iter().enumerate() {
            sprite(&mut writer, &format!("s{index}"), |writer| {
                if contents.is_dead && contents.owner == Owner::Nobody {
                    writer.rounded_square("closed", SPRITE, 6.0);
                }
                writer.owner_mark("owner", contents.owner, SPRITE);
                draw_pieces(writer, "mark", &contents.pieces, SPRITE, style);
            });
        }
        // The ring goes around the largest piece there is.
        let shares = self
            .sprites
            .iter()
            .filter_map(CellView::top)
            .map(|piece| radius_share(piece, style));
        let radius = (shares.fold(0.0, f64::max) + 0.05).max(0.4) * SPRITE.size;
        for color in [Some(Side::X), Some(Side::O), None] {
            sprite(
                &mut writer,
                &format!("ring-{}", color_class(color)),
                |writer| {
                    writer.last_move_ring(color, SPRITE, radius);
                },
            );
        }
        sprite(&mut writer, "area", |writer| {
            writer.rounded_square("", SPRITE, 8.0);
        });
        if let Some((corner, size)) = self.frame_in_sprite(view) {
            sprite(&mut writer, "frame", |writer| {
                writer.rounded_rect("pane", corner, size, 26.0, None);
            });
        }
        let view_box = format!(
            "-4 -4 {} {}",
            Rounded(WIDTH + 8.0),
            Rounded(self.layout.height + 8.0)
        );
        html! {
            svg viewBox=(view_box) role="img" aria-labelledby=(label) {
                defs { (writer.finish()) }
                g class="empty" { (draw_empty(view, &self.layout)) }
                g id="pieces" {}
            }
        }
    }

    /// The frame relative to the cell in its center.
    fn frame_in_sprite(&self, view: &dyn BoardView) -> Option<((f64, f64), (f64, f64))> {
        let frame = view.frame()?;
        let center = self.layout.square(frame.center)?;
        let grid = frame_grid(&self.layout, &frame)?;
        let scale = SPRITE.size / center.size;
        let (x, y) = grid.corner();
        let corner = ((x - center.x) * scale, (y - center.y) * scale);
        Some((corner, (grid.width() * scale, grid.height() * scale)))
    }

    /// The color of each sprite: `x`, `o`, or `n` for neither.
    #[must_use]
    pub fn colors(&self) -> String {
        let color = |contents: &CellView| match contents.owner {
            Owner::One(side) => Some(side),
            _ => contents.top().and_then(Piece::color),
        };
        self.sprites
            .iter()
            .map(|contents| color_class(color(contents)))
            .collect()
    }

    /// For each level, the outermost first, the places on a board: x, y and size, in units of the picture or, below the
    /// outermost level, as shares of the board above.
    #[must_use]
    pub fn squares(&self) -> Vec<Vec<[f64; 3]>> {
        let shape = &self.layout.shape;
        let levels = (0..shape.depth()).map(|level| {
            let size = shape.size_at(level).unwrap_or((1, 1));
            let squares: Vec<Square> = match level {
                0 => (0..shape.parts_at(0))
                    .map(|part| self.layout.part_square(part))
                    .collect(),
                _ => {
                    let (grid, Square { x, y, size }) = match level {
                        1 => (self.layout.inner(0), self.layout.part_square(0)),
                        _ => (Grid::fit(size, SPRITE.inset(13.0)), SPRITE),
                    };
                    let share = |square: Square| {
                        Square::new(
                            (square.x - x) / size,
                            (square.y - y) / size,
                            square.size / size,
                        )
                    };
                    (0..shape.parts_at(level))
                        .map(|part| share(grid.square(part)))
                        .collect()
                }
            };
            let numbers = |square: Square| {
                [square.x, square.y, square.size].map(|number| (number * 1e4).round() / 1e4)
            };
            squares.into_iter().map(numbers).collect()
        });
        levels.collect()
    }

    /// Which cells there are: `Cells go from a1 to c3`.
    #[must_use]
    pub fn caption(&self) -> String {
        let (view, shape) = (self.start.view(), &self.layout.shape);
        let name = |index: u32| view.place_name(shape.cell(index));
        let last = name(shape.count_cells().saturating_sub(1));
        format!(
            "Cells go from {} (top left) to {last} (bottom right).",
            name(0)
        )
    }
}

/// Where the last move put a piece, if it did.
#[must_use]
pub fn last_move_place(state: &AnyGameState) -> Option<Place> {
    LastMove::of(state).to
}

/// The board that the next move must go to, in games in which the last move decides that.
#[must_use]
pub fn target_board(view: &dyn BoardView) -> Option<Place> {
    let shape = view.shape();
    let focus = view.focus();
    let is_target = !view.is_over() && focus.level > 0 && focus.level + 1 == shape.depth();
    (is_target && Arrangement::of(&shape) == Arrangement::Nested).then_some(focus)
}

fn sprite(writer: &mut SvgWriter, id: &str, draw: impl FnOnce(&mut SvgWriter)) {
    writer.write(format_args!("<g id=\"{id}\">"));
    draw(writer);
    writer.close_group();
}
