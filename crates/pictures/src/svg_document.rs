//! A position as a file of its own, with its colours in it.

use maud::{PreEscaped, html};
use noughts_rules::AnyGameState;

use super::drawing::{BoardDrawing, DrawOptions, draw_board};
use super::svg::{Rounded, WIDTH};

/// What the style sheet of the page says, in plain colours: programs that show files
/// know no variables.
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

/// The same colours for those who like it dark.
const DARK: &str = "\
@media(prefers-color-scheme:dark){\
.paper{fill:#15181D}.x{stroke:#6CB6FF}.o{stroke:#FFA866}.line{stroke:#E9E7E2}\
.label,.left,.begun,.in{stroke:#A4A8AE}.place{stroke:#333942}.place.in{stroke:#A4A8AE}\
.pane{fill:#6CB6FF;stroke:#E9E7E2}.pane-line{stroke:#E9E7E2}\
.handle{fill:#E9E7E2;stroke:#15181D}.handle-lines{stroke:#15181D}\
.to-x .target{fill:#6CB6FF;stroke:#6CB6FF}.to-o .target{fill:#FFA866;stroke:#FFA866}}";

/// The position as an SVG file of its own, with its colours in it.
#[must_use]
pub fn svg_document(play: &AnyGameState) -> String {
    svg(play, &drawn(play), true)
}

fn drawn(play: &AnyGameState) -> BoardDrawing {
    let wish = DrawOptions {
        path: "",
        playable: false,
        with_buttons: false,
    };
    draw_board(play, wish)
}

fn svg(play: &AnyGameState, sheet: &BoardDrawing, both_themes: bool) -> String {
    let (width, height) = (Rounded(WIDTH), Rounded(sheet.height));
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(sheet.view_box()) width=(width)
            height=(height) role="img" aria-labelledby="title desc" {
            title id="title" { (play.variant()) ": " (play.prompt()) }
            desc id="desc" { (sheet.description) ", after " (play.moves().len()) " moves." }
            style { (PreEscaped(STYLE)) @if both_themes { (PreEscaped(DARK)) } }
            rect class="paper" width="100%" height="100%" {}
            g class={ "to-" (play.side().letter()) } { (sheet.picture) }
        }
    };
    markup.into_string()
}

/// The same in light colours alone, for programs that know no others, and how high it is
/// for its width of 1.
#[must_use]
pub fn light_svg_document(play: &AnyGameState) -> (String, f64) {
    let sheet = drawn(play);
    (svg(play, &sheet, false), sheet.height / WIDTH)
}
