//! Helpers that several pages share: titles of variants, URLs, numbers, sentences.

use std::borrow::Cow;

use maud::{Markup, html};
use noughts_rules::games;
use noughts_rules::{AnyGameState, Variant};
use noughts_session::player_input;
use noughts_store::Name;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The prompt until the invited player has joined.
pub(crate) const WAITING_FOR_OPPONENT: &str = "Waiting for your opponent to open the invite link";

/// The variants that pages list.
pub(crate) fn preset_variants() -> impl Iterator<Item = Variant> {
    games::presets().into_iter().map(|(variant, _)| variant)
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
    html! { (text_with_code(&noughts_text::capitalize(clause))) "." }
}

/// Text with code between backticks.
pub(crate) fn text_with_code(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The variant with this name, as players write names; an empty one is the default.
pub(crate) fn parse_variant(name: &str) -> Result<Variant, String> {
    let name = name.trim();
    if name.is_empty() {
        return Ok(Variant::default());
    }
    player_input::parse_variant(name).map_err(|reason| {
        let name: String = name.chars().take(60).collect();
        format!("`{name}`: {reason}")
    })
}

/// The state to show: after this many moves, or the current one.
pub(crate) fn shown_state(state: &AnyGameState, ply: Option<usize>) -> Cow<'_, AnyGameState> {
    match ply {
        Some(ply) if ply < state.move_count() => Cow::Owned(state_at_ply(state, ply)),
        _ => Cow::Borrowed(state),
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
        let titles: std::collections::BTreeSet<String> = all.iter().map(Variant::title).collect();
        assert_eq!(titles.len(), all.len(), "{titles:?}");
    }
}
