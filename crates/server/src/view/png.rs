//! A position as a picture of dots, for whoever shows no SVG.

use noughts_pictures::light_svg_document;
use noughts_rules::AnyGameState;
use resvg::{tiny_skia, usvg};

/// The position as a PNG of so many pixels across.
///
/// # Errors
/// A sentence, where there is no picture of this width.
pub(crate) fn render_png(play: &AnyGameState, width: u32) -> Result<Vec<u8>, String> {
    let none = || format!("there is no picture of {width} pixels across");
    if !(16..=4096).contains(&width) {
        return Err(none());
    }
    let (text, height) = light_svg_document(play);
    let height = (height * f64::from(width)).round().max(1.0) as u32;
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default())
        .map_err(|problem| format!("the picture cannot be drawn: {problem}"))?;
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(none)?;
    let scale = width as f32 / tree.size().width();
    let scale = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|problem| format!("the picture cannot be written: {problem}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_its_width_and_something_on_it() {
        for variant in [
            "classic",
            "mnk:16,3,3",
            "tic-tac-two",
            "ultimate",
            "ception:depth=6",
        ] {
            let mut play = AnyGameState::new(variant.parse().unwrap());
            play.play(&play.legal_moves()[0]).unwrap();
            for width in [16, 200, 801] {
                let bytes = render_png(&play, width).unwrap();
                let read = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
                assert_eq!(read.width(), width, "{variant}");
                let ground = read.pixel(0, 0).unwrap();
                let inked = read.pixels().iter().filter(|pixel| **pixel != ground);
                assert!(inked.count() > 20, "{variant}: nothing is drawn");
            }
            assert!(render_png(&play, 0).is_err() && render_png(&play, 100_000).is_err());
        }
    }
}
