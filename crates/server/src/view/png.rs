//! A position as a PNG, for clients that don't show SVG.

use noughts_rules::AnyGameState;
use noughts_view::light_svg_document;
use resvg::{tiny_skia, usvg};

/// The position as a PNG of this width in pixels.
///
/// # Errors
/// A sentence if the width is out of range or the picture can't be rendered.
pub(crate) fn render_png(state: &AnyGameState, width: u32) -> Result<Vec<u8>, String> {
    let out_of_range = || format!("the width must be from 16 to 4096 pixels, not {width}");
    if !(16..=4096).contains(&width) {
        return Err(out_of_range());
    }
    let (text, height) = light_svg_document(state);
    let height = (height * f64::from(width)).round().max(1.0) as u32;
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default())
        .map_err(|error| format!("can't draw the picture: {error}"))?;
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(out_of_range)?;
    let scale = width as f32 / tree.size().width();
    let scale = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| format!("can't encode the picture: {error}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use noughts_rules::games;

    use super::*;

    #[test]
    fn png_has_requested_width_and_content() {
        let presets = games::presets().into_iter();
        let samples = presets.map(|(variant, preset)| (variant, preset.sample));
        let wide = ("mnk:16,3,3".parse().unwrap(), &["h2"][..]);
        for (variant, moves) in samples.chain([wide]) {
            let mut state = AnyGameState::new(variant);
            for mv in moves {
                state.play(mv).unwrap();
            }
            for width in [16, 201] {
                let bytes = render_png(&state, width).unwrap();
                let decoded = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
                assert_eq!(decoded.width(), width, "{variant}");
                let background = decoded.pixel(0, 0).unwrap();
                let drawn = decoded
                    .pixels()
                    .iter()
                    .filter(|pixel| **pixel != background);
                assert!(drawn.count() > 20, "{variant}: nothing is drawn");
            }
            assert!(render_png(&state, 0).is_err() && render_png(&state, 100_000).is_err());
        }
    }
}
