//! Large digits.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::canvas::BoardCanvas;

/// Three columns and five rows of each digit, from the top left, as bits from the highest to the lowest.
const DIGITS: [u16; 10] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_001_001_001,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
];

const COLUMNS: u16 = 3;
const ROWS: u16 = 5;

/// Draws a number as large as fits, centered in the rectangle: in half blocks, which are square, or with its own digits.
pub(super) fn draw(number: u8, style: Style, rect: Rect, canvas: &mut BoardCanvas<'_>) {
    let digits: Vec<u16> = number
        .to_string()
        .bytes()
        .map(|digit| u16::from(digit - b'0'))
        .collect();
    let count = digits.len() as u16;
    // A character has two dots above each other, in ASCII one.
    let dots = canvas.theme.pick(2, 1);
    let (columns, rows) = (count * (COLUMNS + 1) - 1, ROWS.div_ceil(dots));
    let dot_width = canvas.theme.pick(1, 2);
    let scale = (rect.width / (columns * dot_width)).min(rect.height * dots / ROWS);
    if scale == 0 {
        let text = number.to_string();
        let left = rect.x + rect.width.saturating_sub(count) / 2;
        return canvas.write(
            left,
            rect.y + rect.height.saturating_sub(1) / 2,
            &text,
            style,
        );
    }
    let (width, height) = (columns * dot_width * scale, (rows * scale).min(rect.height));
    let left = rect.x + (rect.width - width) / 2;
    let top = rect.y + (rect.height - height) / 2;
    let is_set = |x: u16, dot: u16| {
        let (column, row) = (x / dot_width / scale, dot / scale);
        let digit = digits.get(usize::from(column / (COLUMNS + 1)));
        let within = column % (COLUMNS + 1);
        let bits = digit.and_then(|&digit| DIGITS.get(usize::from(digit)));
        let bit = |bits: &u16| bits >> (COLUMNS * ROWS - 1 - (row * COLUMNS + within)) & 1 == 1;
        within < COLUMNS && row < ROWS && bits.is_some_and(bit)
    };
    for y in 0..height {
        for x in 0..width {
            let symbol = match canvas.theme.ascii() {
                true if is_set(x, y) => number.to_string().chars().next(),
                true => None,
                false => match (is_set(x, 2 * y), is_set(x, 2 * y + 1)) {
                    (true, true) => Some('█'),
                    (true, false) => Some('▀'),
                    (false, true) => Some('▄'),
                    (false, false) => None,
                },
            };
            if let Some(symbol) = symbol {
                canvas.put(left + x, top + y, symbol, style);
            }
        }
    }
}
