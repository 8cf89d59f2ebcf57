//! QR codes of links.

use std::fmt::Write;

use maud::{Markup, html};
use qrcode::{Color, EcLevel, QrCode};

/// The width of the quiet zone, in modules.
const QUIET_ZONE: usize = 4;

/// The text as a QR code, black on white in every theme, since scanners need that. Empty if
/// the text is too long for one.
pub(crate) fn qr_code(text: &str) -> Markup {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
        return html! {};
    };
    let (width, modules) = (code.width(), code.to_colors());
    let size = width + 2 * QUIET_ZONE;
    let mut d = String::new();
    for (row, modules) in modules.chunks(width.max(1)).enumerate() {
        let mut col = 0;
        for run in modules.chunk_by(|first, second| first == second) {
            if run.first() == Some(&Color::Dark) {
                let length = run.len();
                let _ = write!(
                    d,
                    "M{} {}h{length}v1h-{length}z",
                    col + QUIET_ZONE,
                    row + QUIET_ZONE
                );
            }
            col += run.len();
        }
    }
    html! {
        svg class="qr" viewBox={ "0 0 " (size) " " (size) } role="img"
            aria-label="QR code for the link" shape-rendering="crispEdges" {
            rect width=(size) height=(size) fill="#fff" {}
            path d=(d) fill="#000" {}
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    #[test]
    fn qr_code_has_finder_pattern_and_quiet_zone() {
        let markup = qr_code("https://example.org/join/0123").into_string();
        let document = Document::parse(&markup).unwrap();
        let path = document
            .descendants()
            .find(|node| node.has_tag_name("path"))
            .unwrap();
        // The first row starts with the top of a finder pattern: seven dark modules.
        assert!(path.attribute("d").unwrap().starts_with("M4 4h7v1h-7z"));
        assert_eq!(qr_code(&"x".repeat(5000)).into_string(), "");
    }
}
