//! A position as a standalone SVG document, which contains its colors.

use maud::{PreEscaped, html};
use noughts_rules::AnyGameState;

use super::drawing::{BoardDrawing, DrawOptions, draw_board};
use super::svg::{Rounded, WIDTH};

/// The page's style sheet with literal colors: many SVG viewers don't support CSS variables.
const STYLE: &str = "\
path,.last-ring,.line,.place,.left{fill:none;stroke-linecap:round;stroke-linejoin:round}\
.paper{fill:#FAF8F4}.x{stroke:#0B5FA5}.o{stroke:#B5460A}\
.line{stroke:#23262B;opacity:.75}.fine{opacity:.32}.label{stroke:#6B6F76;stroke-width:1}\
.past{opacity:.38}.win-line{opacity:.26}\
.place{stroke:#D9D4C9;stroke-width:1.5}.in{stroke:#6B6F76;stroke-opacity:.55}\
.pane{fill:#0B5FA5;fill-opacity:.07;stroke:#23262B;stroke-width:2.5}\
.pane-line{stroke:#23262B;opacity:.22}.handle{fill:#23262B;stroke:#FAF8F4;stroke-width:2}\
.handle-lines{stroke:#FAF8F4}\
.left{stroke:#6B6F76;stroke-width:1.5;stroke-dasharray:2 7;opacity:.8}\
.way{stroke-dasharray:1 7;opacity:.8}\
.target{fill-opacity:.09;stroke-width:3}.free .target{stroke-width:1.5;fill-opacity:.06}.small{stroke-width:1.2;fill-opacity:.2}\
.won{opacity:.82}.behind{opacity:.14}.owned .inside{opacity:.16}\
.owned.live .inside{opacity:.5}.owned.live .won{opacity:.42}\
.dim .inside{opacity:.5}.dim .won{opacity:.58}.dim.owned .inside{opacity:.14}\
.dim.owned.live .inside{opacity:.34}.dim.owned.live .won{opacity:.4}\
.lifted.owned .inside{opacity:1}.lifted.owned .won{opacity:.24}\
.inside .won{opacity:.82}.faint{opacity:.3}.begun{stroke:#6B6F76;opacity:.7}\
.sweep{stroke-dasharray:.1 6.5;opacity:.95}.head{stroke-dasharray:none}.idle{opacity:.5}\
.to-x .target{fill:#0B5FA5;stroke:#0B5FA5}.to-o .target{fill:#B5460A;stroke:#B5460A}";

/// The colors of the dark theme.
const DARK_STYLE: &str = "\
@media(prefers-color-scheme:dark){\
.paper{fill:#15181D}.x{stroke:#6CB6FF}.o{stroke:#FFA866}.line{stroke:#E9E7E2}\
.label,.left,.begun,.in{stroke:#A4A8AE}.place{stroke:#333942}.place.in{stroke:#A4A8AE}\
.pane{fill:#6CB6FF;stroke:#E9E7E2}.pane-line{stroke:#E9E7E2}\
.handle{fill:#E9E7E2;stroke:#15181D}.handle-lines{stroke:#15181D}\
.to-x .target{fill:#6CB6FF;stroke:#6CB6FF}.to-o .target{fill:#FFA866;stroke:#FFA866}}";

/// The position as a standalone SVG document in the viewer's color scheme.
#[must_use]
pub fn svg_document(state: &AnyGameState) -> String {
    render(state, &draw(state), true)
}

fn draw(state: &AnyGameState) -> BoardDrawing {
    let options = DrawOptions {
        path: "",
        playable: false,
        with_buttons: false,
    };
    draw_board(state, options)
}

fn render(state: &AnyGameState, drawing: &BoardDrawing, with_dark_theme: bool) -> String {
    let (width, height) = (Rounded(WIDTH), Rounded(drawing.height));
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(drawing.view_box()) width=(width)
            height=(height) role="img" aria-labelledby="title desc" {
            title id="title" { (state.variant()) ": " (noughts_text::prompt(state)) }
            desc id="desc" { (drawing.description) ", after " (noughts_text::plural(state.moves().len(), "move")) "." }
            style { (PreEscaped(STYLE)) @if with_dark_theme { (PreEscaped(DARK_STYLE)) } }
            rect class="paper" width="100%" height="100%" {}
            g class={ "to-" (state.side().letter()) } { (drawing.picture) }
        }
    };
    markup.into_string()
}

/// The same document in light colors only, for renderers without media queries, and its ratio
/// of height to width.
#[must_use]
pub fn light_svg_document(state: &AnyGameState) -> (String, f64) {
    let drawing = draw(state);
    (render(state, &drawing, false), drawing.height / WIDTH)
}
