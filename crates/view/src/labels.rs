//! The labels of columns and rows along the edges of a board: letters and digits made of
//! strokes, so that pictures need no font.

use super::svg::{Rounded, Square, SvgWriter};

/// Letters a to p: strokes in a box 4 wide and 6 high; the x-height is 4.
const LETTERS: [&str; 16] = [
    "M4 2v4M4 4a2 2 0 1 1-4 0a2 2 0 1 1 4 0",
    "M0 0v6M0 4a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
    "M3.6 2.8a2 2 0 1 0 0 2.4",
    "M4 0v6M4 4a2 2 0 1 1-4 0a2 2 0 1 1 4 0",
    "M0 4h4a2 2 0 1 0-.6 1.4",
    "M3.4 .4a1.4 1.4 0 0 0-2 1.3v4.3M.2 2.4h2.8",
    "M4 2v4a2 2 0 0 1-3.6 1.1M4 4a2 2 0 1 1-4 0a2 2 0 1 1 4 0",
    "M.4 0v6M.4 4a1.6 2 0 0 1 3.2 0v2",
    "M2 2.2v3.8M2 .3v.1",
    "M2.6 2.2v4.2a1.2 1.2 0 0 1-1.8 1M2.6 .3v.1",
    "M.4 0v6M3.6 2l-3.2 2.4M1.6 3.6l2.2 2.4",
    "M2 0v6",
    "M-.6 6v-4M-.6 3.6a1.3 1.6 0 0 1 2.6 0v2.4M2 3.6a1.3 1.6 0 0 1 2.6 0v2.4",
    "M.4 6v-4M.4 4a1.6 2 0 0 1 3.2 0v2",
    "M4 4a2 2 0 1 1-4 0a2 2 0 1 1 4 0",
    "M0 2v6M0 4a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
];

/// Digits in the same box.
const DIGITS: [&str; 10] = [
    "M2 0a2 3 0 0 1 0 6a2 3 0 0 1 0-6",
    "M.6 1.4l1.6-1.4v6",
    "M.2 1.6a1.8 1.7 0 1 1 3.2 1.2l-3.2 3.2h3.8",
    "M.3 .9a1.8 1.5 0 1 1 1.5 2a1.7 1.6 0 1 1-1.7 2.1",
    "M3 6v-6l-3 4.2h4",
    "M3.6 0h-3l-.3 2.7a1.9 1.8 0 1 1-.2 2.4",
    "M3.2 0a4.6 4.6 0 0 0-3.1 4.2a1.9 1.8 0 1 0 3.8 0a1.9 1.7 0 0 0-3.7-.4",
    "M.1 0h3.8l-2.6 6",
    "M2 2.8a1.6 1.4 0 1 1 .01 0a1.9 1.6 0 1 1-.01 0",
    "M.8 6a4.6 4.6 0 0 0 3.1-4.2a1.9 1.8 0 1 0-3.8 0a1.9 1.7 0 0 0 3.7 .4",
];

const SCALE: f64 = 1.25;

/// Labels the columns above the cells of the first row, and the rows to the left of those of the first column, outside
/// a margin of this width.
pub(super) fn draw_edge_labels(
    writer: &mut SvgWriter,
    columns: &[Square],
    rows: &[Square],
    margin: f64,
) {
    for (column, square) in columns.iter().enumerate() {
        let x = square.x + square.size / 2.0 - 2.0 * SCALE;
        let y = square.y - 14.0 - margin;
        draw_glyph(writer, LETTERS[column % LETTERS.len()], x, y);
    }
    for (row, square) in rows.iter().enumerate() {
        let y = square.y + square.size / 2.0 - 3.0 * SCALE;
        for (place, digit) in (row + 1).to_string().bytes().rev().enumerate() {
            let x = square.x - 11.0 - margin - 6.4 * place as f64;
            draw_glyph(writer, glyph(digit), x, y);
        }
    }
}

/// A short name: lower-case letters and digits.
pub(super) fn draw_name(writer: &mut SvgWriter, name: &str, (x, y): (f64, f64)) {
    for (place, character) in name.bytes().enumerate() {
        draw_glyph(writer, glyph(character), x + 6.4 * place as f64, y);
    }
}

/// The name of a board, larger than those of its columns and rows.
pub(super) fn draw_heading(writer: &mut SvgWriter, name: &str, (x, y): (f64, f64)) {
    for (place, character) in name.bytes().enumerate() {
        writer.write(format_args!(
            "<path class=\"heading\" stroke-width=\"1.1\" transform=\"translate({} {}) scale(1.7)\" d=\"{}\"></path>",
            Rounded(x + 8.6 * place as f64),
            Rounded(y),
            glyph(character)
        ));
    }
}

/// The digits of a number around a point.
pub(super) fn draw_number(
    writer: &mut SvgWriter,
    class: &str,
    number: u8,
    (x, y): (f64, f64),
    height: f64,
) {
    let digits = number.to_string();
    let (scale, step) = (height / 6.0, 5.6);
    let width = step * digits.len() as f64 - 1.6;
    writer.write(format_args!(
        "<g stroke-width=\"0.95\" transform=\"translate({} {}) scale({})\">",
        Rounded(x - width / 2.0 * scale),
        Rounded(y - height / 2.0),
        Rounded(scale)
    ));
    for (place, digit) in digits.bytes().enumerate() {
        let (x, d) = (Rounded(step * place as f64), glyph(digit));
        writer.write(format_args!(
            "<path class=\"{class}\" transform=\"translate({x} 0)\" d=\"{d}\"></path>"
        ));
    }
    writer.close_group();
}

fn glyph(character: u8) -> &'static str {
    let (glyphs, first): (&[&str], u8) = match character {
        b'0'..=b'9' => (&DIGITS, b'0'),
        _ => (&LETTERS, b'a'),
    };
    let index = usize::from(character.wrapping_sub(first));
    glyphs.get(index).copied().unwrap_or_default()
}

fn draw_glyph(writer: &mut SvgWriter, d: &str, x: f64, y: f64) {
    writer.write(format_args!(
        "<path class=\"label\" transform=\"translate({} {}) scale({SCALE})\" d=\"{d}\"></path>",
        Rounded(x),
        Rounded(y)
    ));
}
