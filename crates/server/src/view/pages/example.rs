//! Small playable boards next to the rules. Each is a position of the variant itself, so that
//! its legal moves are those of the rules.

use maud::{Markup, PreEscaped, html};
use noughts_rules::{Example, Variant};

/// The examples of a variant's rules; without any, the start and what a game looks like.
fn examples_of(variant: Variant) -> Vec<Example> {
    let examples = variant.examples();
    if !examples.is_empty() {
        return examples;
    }
    let example = |title: &str, text: &str, moves: &[&str]| Example {
        title: title.into(),
        text: text.into(),
        position: None,
        moves: moves.iter().copied().map(Into::into).collect(),
    };
    let mut examples = vec![example("Start", "Play a few moves for both sides.", &[])];
    if let Some([first, rest @ ..]) = variant.preset().map(|preset| preset.sample)
        && !rest.is_empty()
    {
        let moves: Vec<&str> = [first].into_iter().chain(rest).copied().collect();
        examples.push(example(
            "In the middle of a game",
            "Continue this game, or take back its moves one by one.",
            &moves,
        ));
    }
    examples.retain(|example| {
        let state = example.state(variant);
        state.is_some_and(|state| state.outcome().is_none())
    });
    examples
}

/// The examples of a variant, with headings of this level.
pub(super) fn examples(variant: Variant, level: u8) -> Markup {
    let examples = examples_of(variant).into_iter();
    let examples = examples.filter_map(|example| {
        let state = example.state(variant)?;
        Some((example, state))
    });
    html! {
        div.examples {
            @for (example, state) in examples {
                section.example-box {
                    @if level == 3 { h3 { "Try it: " (example.title) } }
                    @else { h2 { "Try it: " (example.title) } }
                    p { (example.text) }
                    div.example data-variant=(variant.to_string()) data-position=[example.position]
                        data-moves=(example.moves.join(" ")) {
                        div.board-frame { (without_ids(&noughts_view::board(&state, ""))) }
                        div.board-reserves { (noughts_view::both_reserves(&state)) }
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
    use noughts_rules::games;

    use super::*;

    #[test]
    fn examples_are_valid_ongoing_positions() {
        for (variant, preset) in games::presets() {
            let examples = examples_of(variant);
            assert!(!examples.is_empty(), "{}", preset.name);
            for example in examples {
                let state = example.state(variant);
                let is_ongoing = state.is_some_and(|state| state.outcome().is_none());
                assert!(is_ongoing, "{}: {}", preset.name, example.title);
            }
        }
    }

    /// The captions name moves in parentheses, which have to be legal.
    #[test]
    fn examples_name_legal_moves() {
        let mut named_moves = 0;
        for (variant, _) in games::presets() {
            for example in examples_of(variant) {
                let state = example.state(variant).expect("a position");
                for part in example.text.split('(').skip(1) {
                    let mv = part.split(')').next().expect("some text");
                    assert_eq!(state.check(mv), Ok(()), "{variant}: {}", example.title);
                    named_moves += 1;
                }
            }
        }
        assert!(named_moves > 0, "no example names a move");
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
