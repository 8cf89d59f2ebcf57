//! What is on a cell: marks, numbers, discs, and stacks of pieces.

use std::f64::consts::PI;

use maud::{Markup, html};
use noughts_rules::{BoardLook, BoardView, Mark, Piece, PieceSize, Target};

use super::labels::draw_number;
use super::svg::{Rounded, Square, SvgWriter, circle_path, color_class, cross_path, side_class};

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PieceStyle {
    /// With strokes, as if written on the board.
    Written,
    /// As solid discs; the radius of those without a size is this share of the cell.
    Discs(f64),
}

impl PieceStyle {
    /// What fits a board.
    pub(super) fn of(look: &BoardLook) -> PieceStyle {
        match look {
            BoardLook::Squares => PieceStyle::Written,
            BoardLook::Holes => PieceStyle::Discs(0.42),
            BoardLook::Points(_) => PieceStyle::Discs(0.3),
        }
    }
}

/// A piece as a small picture, for reserves, as it looks on the board. The largest kind of piece fills it.
#[must_use]
pub fn piece(view: &dyn BoardView, piece: &Piece, class: &str) -> Markup {
    let style = PieceStyle::of(&view.shape().look);
    let kinds = view.pieces();
    let shares = kinds.iter().map(|kind| radius_share(kind, style));
    let largest = shares.fold(radius_share(piece, style), f64::max);
    let filled = if is_solid(piece, style) { 0.47 } else { 0.4 };
    let margin = 50.0 * (1.0 - filled / largest);
    let square = Square::new(0.0, 0.0, 100.0).inset(margin);
    let mut writer = SvgWriter::default();
    draw_pieces(&mut writer, "mark", &[*piece], square, style);
    html! {
        svg class={ "board static piece " (class) } viewBox="0 0 100 100" aria-hidden="true" focusable="false" {
            (writer.finish())
        }
    }
}

/// Is the piece a solid disc, which hides what is below it?
pub(super) fn is_solid(piece: &Piece, style: PieceStyle) -> bool {
    piece.size.is_some() || style != PieceStyle::Written
}

/// Every kind of piece in a square of 100 units, for scripts that show where a move puts one.
pub(super) fn piece_kinds(view: &dyn BoardView) -> Markup {
    let style = PieceStyle::of(&view.shape().look);
    let picture = |piece: &Piece| {
        let mut writer = SvgWriter::default();
        let square = Square::new(0.0, 0.0, 100.0);
        draw_pieces(&mut writer, "kind", &[*piece], square, style);
        writer.finish()
    };
    html! {
        defs.kinds {
            @for (kind, piece) in (0..).zip(view.pieces()) {
                g data-target=(view.target_name(Target::Piece(kind)))
                    data-side=[piece.color().map(side_class)] { (picture(&piece)) }
            }
        }
    }
}

/// The class of solid pieces outside the winning line: paler, but they still hide what is below them.
pub(super) const RESTING: &str = "resting";

/// The number of a piece's kind.
pub(super) fn kind_of(kinds: &[Piece], piece: &Piece) -> Option<usize> {
    let kind = Piece {
        is_fading: false,
        ..*piece
    };
    kinds.iter().position(|&other| other == kind)
}

/// Draws the pieces on a cell: the one on top, and those that it covers peeking out at its lower right.
pub(super) fn draw_pieces(
    writer: &mut SvgWriter,
    class: &str,
    pieces: &[Piece],
    square: Square,
    style: PieceStyle,
) {
    let Some((top, covered)) = pieces.split_first() else {
        return;
    };
    let color = color_class(top.color());
    let covered_class = if class.ends_with(RESTING) {
        format!("covered {RESTING}")
    } else {
        "covered".into()
    };
    let class = match top.is_fading {
        true => format!("{class} fading {color}"),
        false => format!("{class} {color}"),
    };
    let (center, radius) = (square.center(), square.size * radius_share(top, style));
    match (is_solid(top, style), top.mark) {
        (true, _) => draw_disc(writer, &class, top, center, radius),
        (false, Mark::Number(number)) => {
            writer.open_group(&class);
            draw_number(writer, "digits", number, center, square.size * 0.46);
            writer.close_group();
        }
        (false, _) => {
            let width = square.size * 0.075;
            writer.mark_strokes(
                &class,
                top.mark == Mark::O,
                center,
                square.size * 0.25,
                width,
                top.is_fading,
            );
        }
    }
    if top.is_fading {
        // Age is never told by the strokes alone.
        let beside = (square.x + square.size * 0.86, square.y + square.size * 0.18);
        draw_number(
            writer,
            &format!("age {color}"),
            1,
            beside,
            square.size * 0.15,
        );
    }
    for (n, piece) in covered.iter().enumerate() {
        // The first at 45°, the others to its left and right along the rim.
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        let angle = PI / 4.0 + sign * n.div_ceil(2) as f64 * PI / 5.5;
        let (dx, dy) = (radius * 0.95 * angle.cos(), radius * 0.95 * angle.sin());
        let size = match piece.size {
            Some(PieceSize::Large | PieceSize::Medium) => 0.11,
            Some(PieceSize::Small) | None => 0.08,
        };
        let class = format!("{covered_class} {}", color_class(piece.color()));
        draw_disc(
            writer,
            &class,
            piece,
            (center.0 + dx, center.1 + dy),
            square.size * size,
        );
    }
}

pub(super) fn radius_share(piece: &Piece, style: PieceStyle) -> f64 {
    match (piece.size, style) {
        (Some(PieceSize::Small), _) => 0.165,
        (Some(PieceSize::Medium), _) => 0.29,
        (Some(PieceSize::Large), _) => 0.415,
        (None, PieceStyle::Discs(radius)) => radius,
        (None, PieceStyle::Written) => 0.25,
    }
}

/// A solid disc with its mark cut out: a cross, a hole, a number.
fn draw_disc(writer: &mut SvgWriter, class: &str, piece: &Piece, center: (f64, f64), radius: f64) {
    writer.open_group(class);
    let dashes = match piece.is_fading {
        true => format!(" stroke-dasharray=\"{}\"", Rounded(radius * 0.22)),
        false => String::new(),
    };
    let (x, y, r) = (Rounded(center.0), Rounded(center.1), Rounded(radius));
    writer.write(format_args!(
        "<circle class=\"disc\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{dashes}></circle>"
    ));
    match piece.mark {
        Mark::X => writer.path("cut", radius * 0.27, &cross_path(center, radius * 0.38)),
        Mark::O => writer.path("cut hole", 0.0, &circle_path(center, radius * 0.5)),
        Mark::Number(number) => draw_number(writer, "cut", number, center, radius),
    }
    writer.close_group();
}
