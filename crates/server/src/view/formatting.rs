//! Small words that several pages use: what games are called, addresses, numbers.

use std::fmt::Write;

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Game, GameState, NestedOptions, Variant, Visitor, WonBoardRule};
use noughts_session::titles::{self, PRESETS};

/// The games that a visitor is offered.
pub(crate) fn preset_variants() -> impl Iterator<Item = Variant> {
    PRESETS.iter().filter_map(|preset| preset.name.parse().ok())
}

/// What people call a game.
pub(crate) fn variant_title(variant: Variant) -> String {
    let name = variant.to_string();
    if PRESETS.iter().any(|preset| preset.name == name) {
        return titles::title(variant).into();
    }
    // The family's title alone would not tell them apart.
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, line) = options.size();
            let misere = if options.is_misere() { ", misère" } else { "" };
            format!("{line} in a row on {columns}×{rows}{misere}")
        }
        Variant::TicTacTwo(_) => format!("Tic-Tac-Two {}", options(&name)),
        Variant::Nested(_) => format!("Ception {}", options(&name)),
    }
}

/// What a name says behind the family.
fn options(name: &str) -> &str {
    name.split_once(':').map_or("", |(_, options)| options)
}

/// The rule on won boards by its short name.
pub(crate) fn won_board_rule_label(options: NestedOptions) -> &'static str {
    match options.won_board_rule() {
        WonBoardRule::PlayOn => "5a",
        WonBoardRule::FreeMove => "5b",
        WonBoardRule::ExtraMove => "5c",
        WonBoardRule::ExtraMoveChain => "5d",
    }
}

/// A text as it stands in an address behind the question mark.
pub(crate) fn encode_query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'/'
            | b':'
            | b',' => out.push(byte.into()),
            b' ' => out.push('+'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// A path segment of an address.
pub(crate) fn encode_path_segment(text: &str) -> String {
    encode_query(text).replace('+', "%20").replace('/', "%2F")
}

/// `1 move`, `2 moves`.
pub(crate) fn pluralize(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// The beginning of a sentence.
pub(crate) fn capitalize(sentence: &str) -> String {
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A clause as a sentence: with a capital and a full stop, and what is between backticks as code.
pub(crate) fn sentence_markup(clause: &str) -> Markup {
    let text = capitalize(clause);
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
        "."
    }
}

/// How deep boards lie in boards; 0 in games where none do.
pub(crate) fn nesting_depth(variant: Variant) -> u8 {
    match variant {
        Variant::Nested(options) => options.depth(),
        Variant::Mnk(_) | Variant::TicTacTwo(_) => 0,
    }
}

/// How many moves were made. [`AnyPlay::ply`] counts what stood on the board before
/// the first one, too.
pub(crate) fn move_count(play: &AnyGameState) -> usize {
    struct Made;
    impl Visitor for Made {
        type Output = usize;
        fn visit<G: Game>(self, play: &GameState<G>) -> usize {
            play.moves().len()
        }
    }
    play.visit(Made)
}

/// The game as it was after so many moves.
pub(crate) fn state_at_ply(play: &AnyGameState, ply: usize) -> AnyGameState {
    let fresh = || AnyGameState::new(play.variant());
    let mut then = match play.has_standard_start() {
        true => fresh(),
        // What was a start once is one still.
        false => {
            AnyGameState::from_text(play.variant(), &play.start_text()).unwrap_or_else(|_| fresh())
        }
    };
    for mv in play.moves().iter().take(ply) {
        if then.play(mv).is_err() {
            break;
        }
    }
    then
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_query_is_encoded() {
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
    fn the_past_begins_where_the_game_began() {
        let mut play =
            AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x").expect("a position");
        play.play("c3").expect("legal");
        play.play("a3").expect("legal");
        let then = state_at_ply(&play, 1);
        assert_eq!(then.position_text(), "x../.o./..x o");
        assert_eq!((move_count(&then), move_count(&play)), (1, 2));
        assert_eq!(state_at_ply(&play, 9).position_text(), play.position_text());
    }

    #[test]
    fn games_have_names_of_their_own() {
        let more = [
            "mnk:7,7,4",
            "mnk:7,7,4,misere",
            "tic-tac-two:board=7",
            "ception:5c",
        ];
        let more = more.iter().map(|name| name.parse().expect("a variant"));
        let all: Vec<Variant> = preset_variants().chain(more).collect();
        let titles: std::collections::BTreeSet<String> =
            all.iter().map(|&v| variant_title(v)).collect();
        assert_eq!(titles.len(), all.len(), "{titles:?}");
    }
}
