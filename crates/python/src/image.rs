//! Renders a position as pixels, for frameworks that record videos of games.

use noughts_rules::AnyGameState;
use noughts_view::light_svg_document;
use resvg::{tiny_skia, usvg};

/// Rows, columns, and three bytes (RGB) for each pixel.
///
/// # Errors
/// A message, if the position can't be drawn.
pub(crate) fn rgb(state: &AnyGameState, width: u32) -> Result<(usize, usize, Vec<u8>), String> {
    let (text, height) = light_svg_document(state);
    let height = (height * f64::from(width)).round().max(1.0) as u32;
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default())
        .map_err(|error| format!("can't draw the position: {error}"))?;
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(|| {
        format!("an image of {width} × {height} pixels is too large; use a smaller width")
    })?;
    let scale = width as f32 / tree.size().width();
    let scale = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    // The background covers everything, so no pixel is transparent.
    let colors = pixels.data().chunks_exact(4);
    let bytes = colors.flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    Ok((height as usize, width as usize, bytes.collect()))
}
