//! A position as a standalone SVG document, which contains its colors.

use maud::{PreEscaped, html};
use noughts_rules::AnyGameState;

use super::drawing::BoardDrawing;
use super::svg::{Rounded, WIDTH};

/// The page's style sheet with literal colors: many SVG viewers don't support CSS variables.
const STYLE: &str = "\
path,.last-ring,.line,.cell-outline,.previous-grid{fill:none;stroke-linecap:round;stroke-linejoin:round}\
.paper{fill:#FAF8F4}.x{stroke:#0B5FA5}.o{stroke:#B5460A}.n{stroke:#23262B}\
.disc{stroke:#FAF8F4;stroke-width:1.5}.x>.disc{fill:#0B5FA5}.o>.disc{fill:#B5460A}.n>.disc{fill:#23262B}\
.cut{stroke:#FAF8F4}.hole{fill:#FAF8F4;stroke:#6B6F76;stroke-width:1.2;stroke-opacity:.7}.cut.hole{stroke:none}\
.fading>.disc{fill-opacity:.45;stroke:inherit;stroke-width:2.5}.tray{fill:#FFFFFF;stroke:#23262B;stroke-width:3}\
.point{stroke:#23262B}.closed{fill:none;stroke:#6B6F76;stroke-width:1.5;stroke-dasharray:5 5}.dead>.inside{opacity:.7}\
.win-cell{fill:none;stroke-width:3;opacity:.6}\
.line{stroke:#23262B;opacity:.75}.fine{opacity:.32}.label{stroke:#6B6F76;stroke-width:1}.heading{stroke:#23262B}\
.dimmed{opacity:.38}.x.resting>.disc{fill:#9FBED6}.o.resting>.disc{fill:#E0B49B}.n.resting>.disc{fill:#A8A8A8}\
.win-line{opacity:.26}\
.cell-outline{stroke:#D9D4C9;stroke-width:1.5}.in-grid{stroke:#6B6F76;stroke-opacity:.55}\
.grid-pane{fill:#0B5FA5;fill-opacity:.07;stroke:#23262B;stroke-width:2.5}\
.grid-line{stroke:#23262B;opacity:.22}.handle{fill:#23262B;stroke:#FAF8F4;stroke-width:2}\
.handle-lines{stroke:#FAF8F4}\
.previous-grid{stroke:#6B6F76;stroke-width:1.5;stroke-dasharray:2 7;opacity:.8}\
.piece-path{stroke-dasharray:1 7;opacity:.8}\
.target{fill-opacity:.09;stroke-width:3}.free .target{stroke-width:1.5;fill-opacity:.06}.small{stroke-width:1.2;fill-opacity:.2}\
.won{opacity:.82}.behind{opacity:.14}.owned .inside{opacity:.16}\
.owned.still-open .inside{opacity:.5}.owned.still-open .won{opacity:.42}\
.dim .inside{opacity:.5}.dim .won{opacity:.58}.dim.owned .inside{opacity:.14}\
.dim.owned.still-open .inside{opacity:.34}.dim.owned.still-open .won{opacity:.4}\
.playable.owned .inside{opacity:1}.playable.owned .won{opacity:.24}\
.inside .won{opacity:.82}.faint{opacity:.3}.started{stroke:#6B6F76;opacity:.7}\
.arrow{stroke-dasharray:.1 6.5;opacity:.95}.arrow-head{stroke-dasharray:none}.idle{opacity:.5}\
.to-x .target{fill:#0B5FA5;stroke:#0B5FA5}.to-o .target{fill:#B5460A;stroke:#B5460A}";

/// The colors of the dark theme.
const DARK_STYLE: &str = "\
@media(prefers-color-scheme:dark){\
.paper{fill:#15181D}.x{stroke:#6CB6FF}.o{stroke:#FFA866}.line,.n,.point,.heading{stroke:#E9E7E2}\
.disc,.cut{stroke:#15181D}.x>.disc{fill:#6CB6FF}.o>.disc{fill:#FFA866}.n>.disc{fill:#E9E7E2}\
.x.resting>.disc{fill:#365473}.o.resting>.disc{fill:#6E4F39}.n.resting>.disc{fill:#666768}\
.hole{fill:#15181D;stroke:#A4A8AE}.tray{fill:#1C2027;stroke:#E9E7E2}.closed{stroke:#A4A8AE}\
.label,.previous-grid,.started,.in-grid{stroke:#A4A8AE}.cell-outline{stroke:#333942}.cell-outline.in-grid{stroke:#A4A8AE}\
.grid-pane{fill:#6CB6FF;stroke:#E9E7E2}.grid-line{stroke:#E9E7E2}\
.handle{fill:#E9E7E2;stroke:#15181D}.handle-lines{stroke:#15181D}\
.to-x .target{fill:#6CB6FF;stroke:#6CB6FF}.to-o .target{fill:#FFA866;stroke:#FFA866}}";

/// The position as a standalone SVG document in the viewer's color scheme.
#[must_use]
pub fn svg_document(state: &AnyGameState) -> String {
    svg_document_with_prompt(state, &noughts_text::prompt(state))
}

/// The same document with another sentence in its title: a game can end where the rules don't
/// end it, for example by resignation.
#[must_use]
pub fn svg_document_with_prompt(state: &AnyGameState, prompt: &str) -> String {
    let drawing = BoardDrawing::of(state);
    render(state, prompt, &drawing, true)
}

fn render(
    state: &AnyGameState,
    prompt: &str,
    drawing: &BoardDrawing,
    with_dark_theme: bool,
) -> String {
    let (width, height) = (Rounded(WIDTH), Rounded(drawing.height));
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(drawing.view_box()) width=(width)
            height=(height) role="img" aria-labelledby="title desc" {
            title id="title" { (state.variant()) ": " (prompt) }
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
    let drawing = BoardDrawing::of(state);
    let prompt = noughts_text::prompt(state);
    (
        render(state, &prompt, &drawing, false),
        drawing.height / WIDTH,
    )
}
