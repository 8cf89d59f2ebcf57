//! Small playable boards next to the rules. Each is a position of the variant itself, so that
//! its legal moves are those of the rules.

use maud::{Markup, PreEscaped, html};
use noughts_rules::{AnyGameState, Family, Variant};
use noughts_view as pictures;

/// A position that illustrates a rule.
pub(super) struct Example {
    position: Option<&'static str>,
    moves: &'static [&'static str],
    title: &'static str,
    about: &'static str,
}

const EMPTY_BOARD: [Example; 1] = [Example {
    position: None,
    moves: &[],
    title: "Empty board",
    about: "Play a few moves for both sides.",
}];

const CLASSIC: [Example; 2] = [
    Example {
        position: Some("xx./oo./... x"),
        moves: &[],
        title: "Win in one move",
        about: "X is to move and has two in the top row. O threatens to win, too.",
    },
    Example {
        position: Some("x../.o./..x o"),
        moves: &[],
        title: "Prevent a fork",
        about: "X has two corners. If O takes another corner, X can make two threats at once. Try it.",
    },
];

const MISERE: [Example; 1] = [Example {
    position: Some("xx./oo./... x"),
    moves: &[],
    title: "Don't complete a line",
    about: "Here a line loses. X must avoid c1, and O must avoid c2.",
}];

const TIC_TAC_TWO: [Example; 2] = [
    Example {
        position: Some(".x.../.ox../.o.x./...../..... x @c3"),
        moves: &[],
        title: "Win by moving the grid",
        about: "X has three on a diagonal, but b1 is outside the grid. Drag the grid up by one cell (@c2), and the line counts.",
    },
    Example {
        position: Some("x..../.xoo./..x../...../..... x @c3"),
        moves: &[],
        title: "Bring back a piece",
        about: "The piece on a1 is outside the grid. Move it to d4 (a1-d4) to complete the diagonal.",
    },
];

const NESTED: [Example; 2] = [
    Example {
        position: None,
        moves: &["ec"],
        title: "Moves send players to boards",
        about: "X played the top-right cell of the center board, so O must play in the top-right board.",
    },
    Example {
        position: Some(
            "....o..../..o....../........./..o....../xxx....../........./........./........./......... - x e",
        ),
        moves: &[],
        title: "Sent to a won board",
        about: "O's last move sends X to the center board, which X has won.",
    },
];

fn examples_of(variant: Variant) -> &'static [Example] {
    match variant.family() {
        _ if variant == Variant::CLASSIC => &CLASSIC,
        _ if variant == Variant::MISERE => &MISERE,
        _ if variant == Variant::TIC_TAC_TWO => &TIC_TAC_TWO,
        Family::Nested(options) if options.depth() == 2 => &NESTED,
        _ => &EMPTY_BOARD,
    }
}

impl Example {
    fn state(&self, variant: Variant) -> Option<AnyGameState> {
        let mut state = match self.position {
            Some(text) => AnyGameState::from_text(variant, text).ok()?,
            None => AnyGameState::new(variant),
        };
        for mv in self.moves {
            state.play(mv).ok()?;
        }
        Some(state)
    }
}

/// The examples of a game, with headings of this level.
pub(super) fn examples(variant: Variant, level: u8) -> Markup {
    let examples = examples_of(variant).iter();
    let examples = examples.filter_map(|example| Some((example, example.state(variant)?)));
    html! {
        div.examples {
            @for (example, state) in examples {
                section.example-box {
                    @if level == 3 { h3 { "Try it: " (example.title) } }
                    @else { h2 { "Try it: " (example.title) } }
                    p { (example.about) }
                    div.example data-variant=(variant.to_string()) data-position=[example.position]
                        data-moves=(example.moves.join(" ")) {
                        div.board { (without_ids(&pictures::board(&state, ""))) }
                        p.status { (noughts_text::prompt(&state)) "." }
                    }
                }
            }
        }
    }
}

/// Removes ids, since they have to be unique and a page can have several boards.
fn without_ids(markup: &Markup) -> PreEscaped<String> {
    let mut rest = markup.0.as_str();
    let mut stripped = String::with_capacity(rest.len());
    while let Some(start) = rest.find(" id=\"") {
        stripped.push_str(&rest[..start]);
        let after = &rest[start + 5..];
        rest = after.split_once('"').map_or("", |(_, rest)| rest);
    }
    stripped.push_str(rest);
    PreEscaped(stripped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_valid_ongoing_positions() {
        let extra = [
            "ception:5a",
            "ception:5c",
            "ception:4b,5d",
            "ception:end=most",
        ];
        let extra = extra.iter().map(|name| name.parse().expect("a variant"));
        for variant in crate::view::formatting::preset_variants().chain(extra) {
            for example in examples_of(variant) {
                let state = example.state(variant);
                let is_ongoing = state.is_some_and(|state| state.outcome().is_none());
                assert!(is_ongoing, "{variant}: {}", example.title);
            }
        }
    }

    /// The captions name the winning moves.
    #[test]
    fn grid_examples_are_won_by_the_named_moves() {
        for (example, mv) in TIC_TAC_TWO.iter().zip(["@c2", "a1-d4"]) {
            let mut state = example.state(Variant::TIC_TAC_TWO).expect("a position");
            state.play(mv).expect("legal");
            assert_eq!(
                state.outcome().map(|o| o.to_string()),
                Some("X wins".into())
            );
        }
    }

    #[test]
    fn without_ids_removes_all_ids() {
        let markup = html! { p id="a" class="b" { span id="c" {} " id= is a word" } };
        assert_eq!(
            without_ids(&markup).0,
            "<p class=\"b\"><span></span> id= is a word</p>"
        );
    }
}
