//! Helpers that several pages share: titles of variants, URLs, numbers, sentences.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, NestedOptions, Variant, WonBoardRule};
use noughts_session::titles::{self, PRESETS};
use noughts_store::Name;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The variants that pages list.
pub(crate) fn preset_variants() -> impl Iterator<Item = Variant> {
    PRESETS.iter().filter_map(|preset| preset.name.parse().ok())
}

/// The title of a variant.
pub(crate) fn variant_title(variant: Variant) -> String {
    let name = variant.to_string();
    if PRESETS.iter().any(|preset| preset.name == name) {
        return titles::title(variant).into();
    }
    // The family's title alone wouldn't distinguish variants.
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, line) = options.size();
            let misere = if options.is_misere() { ", misère" } else { "" };
            format!("{line} in a row on {columns}×{rows}{misere}")
        }
        Variant::TicTacTwo(_) => format!("Tic-Tac-Two {}", option_text(&name)),
        Variant::Nested(_) => format!("Ception {}", option_text(&name)),
    }
}

/// The options in a variant's name: what follows the family.
fn option_text(name: &str) -> &str {
    name.split_once(':').map_or("", |(_, options)| options)
}

/// The rule for won boards by its label.
pub(crate) fn won_board_rule_label(options: NestedOptions) -> &'static str {
    match options.won_board_rule() {
        WonBoardRule::PlayOn => "5a",
        WonBoardRule::FreeMove => "5b",
        WonBoardRule::ExtraMove => "5c",
        WonBoardRule::ExtraMoveChain => "5d",
    }
}

/// What is percent-encoded in a query string, where spaces become `+`.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/')
    .remove(b':')
    .remove(b',')
    .remove(b' ');

/// What is percent-encoded in a path segment.
const PATH_SEGMENT: &AsciiSet = &QUERY.add(b'/').add(b' ');

/// Percent-encodes text for a query string.
pub(crate) fn encode_query(text: &str) -> String {
    utf8_percent_encode(text, QUERY)
        .to_string()
        .replace(' ', "+")
}

/// Percent-encodes text for a path segment.
pub(crate) fn encode_path_segment(text: &str) -> String {
    utf8_percent_encode(text, PATH_SEGMENT).to_string()
}

/// The URL of a variant's rules.
pub(crate) fn rules_url(variant: Variant) -> String {
    format!("/rules/{}", encode_path_segment(&variant.to_string()))
}

/// The URL of a player's record.
pub(crate) fn player_url(name: &Name) -> String {
    format!("/players/{}", encode_path_segment(name.as_str()))
}

/// The URL of the form for a new game of a variant.
pub(crate) fn new_game_url(variant: Variant) -> String {
    format!("/new?variant={}", encode_query(&variant.to_string()))
}

/// A message as a sentence: capitalized, with a period, and text between backticks as code.
pub(crate) fn sentence_markup(clause: &str) -> Markup {
    let text = noughts_text::capitalize(clause);
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
        "."
    }
}

/// How deeply boards are nested; 0 in games without nested boards.
pub(crate) fn nesting_depth(variant: Variant) -> u8 {
    match variant {
        Variant::Nested(options) => options.depth(),
        Variant::Mnk(_) | Variant::TicTacTwo(_) => 0,
    }
}

/// The state of the game after this many moves.
pub(crate) fn state_at_ply(state: &AnyGameState, ply: usize) -> AnyGameState {
    let initial = || AnyGameState::new(state.variant());
    let mut past = match state.has_standard_start() {
        true => initial(),
        // The start was valid when the game began, so that parsing it again succeeds.
        false => AnyGameState::from_text(state.variant(), &state.start_text())
            .unwrap_or_else(|_| initial()),
    };
    for mv in state.moves().iter().take(ply) {
        if past.play(mv).is_err() {
            break;
        }
    }
    past
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_characters_are_percent_encoded() {
        for (text, expected) in [
            ("x.o/.x./... o", "x.o/.x./...+o"),
            ("a&b=c#d", "a%26b%3Dc%23d"),
            ("ception:4b,5d", "ception:4b,5d"),
            ("é+*", "%C3%A9%2B%2A"),
        ] {
            assert_eq!(encode_query(text), expected);
        }
        assert_eq!(encode_path_segment("a b/c"), "a%20b%2Fc");
    }

    #[test]
    fn state_at_ply_starts_from_the_initial_position() {
        let mut state =
            AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x").expect("a position");
        state.play("c3").expect("legal");
        state.play("a3").expect("legal");
        let past = state_at_ply(&state, 1);
        assert_eq!(past.position_text(), "x../.o./..x o");
        assert_eq!((past.move_count(), state.move_count()), (1, 2));
        assert_eq!(
            state_at_ply(&state, 9).position_text(),
            state.position_text()
        );
    }

    #[test]
    fn variant_titles_are_unique() {
        let extra = [
            "mnk:7,7,4",
            "mnk:7,7,4,misere",
            "tic-tac-two:board=7",
            "ception:5c",
        ];
        let extra = extra.iter().map(|name| name.parse().expect("a variant"));
        let all: Vec<Variant> = preset_variants().chain(extra).collect();
        let titles: std::collections::BTreeSet<String> =
            all.iter().map(|&v| variant_title(v)).collect();
        assert_eq!(titles.len(), all.len(), "{titles:?}");
    }
}
