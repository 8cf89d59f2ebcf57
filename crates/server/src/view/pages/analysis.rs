//! The analysis page: any position, set up as text or by moves, and its value.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::{Name, Seat, StoredPosition};
use serde_json::json;

use super::game::game_layout;
use super::{dialogs, games};
use crate::live::{GameSnapshot, Viewer};
use crate::view::formatting;
use crate::view::layout::{Page, script_json};

/// The position to analyze, and the form's fields as they were typed.
pub(crate) struct AnalysisSetup {
    pub(crate) variant: String,
    pub(crate) position: String,
    pub(crate) moves: String,
    pub(crate) state: AnyGameState,
    /// Why the typed position couldn't be set up.
    pub(crate) error: Option<String>,
}

impl AnalysisSetup {
    /// A stored position.
    pub(crate) fn from_stored(stored: &StoredPosition) -> AnalysisSetup {
        let moves = stored.moves.join(" ");
        AnalysisSetup::from_form(&stored.variant.to_string(), &stored.position, &moves)
    }

    /// A position from the form's fields. If it can't be set up, the board shows the part that
    /// can, and `error` explains the rest.
    pub(crate) fn from_form(variant: &str, position: &str, moves: &str) -> AnalysisSetup {
        let build = |state: AnyGameState, error: Option<String>| AnalysisSetup {
            variant: variant.into(),
            position: position.into(),
            moves: moves.into(),
            state,
            error,
        };
        let game = match formatting::parse_variant(variant) {
            Ok(game) => game,
            Err(error) => return build(AnyGameState::new(Variant::default()), Some(error)),
        };
        let start = match position.trim() {
            "" => Ok(AnyGameState::new(game)),
            text => AnyGameState::from_text(game, text),
        };
        let mut state = match start {
            Ok(state) => state,
            Err(error) => return build(AnyGameState::new(game), Some(error.to_string())),
        };
        for (i, mv) in moves.split_whitespace().enumerate() {
            if let Err(error) = state.play(mv) {
                let error = format!("move {number} can't be played: {error}", number = i + 1);
                return build(state, Some(error));
            }
        }
        build(state, None)
    }
}

pub(crate) fn analysis(setup: &AnalysisSetup) -> Markup {
    let game = &setup.state;
    let variant = game.variant();
    let title = variant.title();
    let seat = |name: &str| Name::new(name).map_or(Seat::Deleted, Seat::Player);
    let snapshot = GameSnapshot::unsaved(game.clone(), [seat("X"), seat("O")]);
    let viewer = Viewer {
        x: true,
        o: true,
        ..Viewer::default()
    };
    let main = html! {
        div.headline { h1 { "Analysis" } p.muted { (title) } }
        @if let Some(error) = &setup.error {
            p.form-error.card role="alert" { (formatting::sentence_markup(error)) " The board shows the last valid position. " a href="#position-form" { "Fix it below" } "." }
        }
        div.analysis-layout {
            (game_layout(&snapshot, &viewer, setup.error.is_none()))
        }
        (form(setup))
        (dialogs::rules_dialog(variant))
        (dialogs::shortcuts_dialog(variant))
    };
    let start = (!game.has_standard_start()).then(|| game.start_text());
    let state = json!({"analysis": {
        "variant": variant.to_string(),
        "position": start,
        "moves": game.moves(),
        // A position other than the one typed isn't analyzed.
        "starts": setup.error.is_none(),
    }});
    let title = format!("Analysis: {title}");
    let description = "Set up any position and see the value of every move.";
    Page::new("analysis", &title, description)
        .with_state(script_json(&state))
        .render(&main)
}

/// A short game, to show how positions and moves are written: of this variant, unless its positions are long.
fn sample_game(variant: Variant) -> AnyGameState {
    let sample = |variant: Variant| {
        let mut state = AnyGameState::new(variant);
        for mv in variant.preset().map_or(&[][..], |preset| preset.sample) {
            state.play(mv).ok()?;
        }
        (state.move_count() > 0).then_some(state)
    };
    let own = sample(variant);
    let is_short = |state: &AnyGameState| state.view().shape().count_cells() <= MAX_SAMPLE_CELLS;
    own.filter(is_short)
        .or_else(|| sample(Variant::default()))
        .unwrap_or_else(|| AnyGameState::new(variant))
}

/// The longest position that is shown as an example.
const MAX_SAMPLE_CELLS: u32 = 100;

fn form(setup: &AnalysisSetup) -> Markup {
    let sample = sample_game(setup.state.variant());
    html! {
        form.card.position-form id="position-form" method="get" action="/analysis" {
            h2 { "Set up a position" }
            div.field {
                label for="variant" { "Game" }
                input type="text" id="variant" name="variant" value=(setup.variant) list="variants"
                    placeholder=(Variant::default()) spellcheck="false" autocapitalize="none" maxlength="80";
                (games::variant_datalist("variants"))
            }
            div.field {
                label for="position" { "Position" }
                input type="text" id="position" name="position" value=(setup.position) spellcheck="false"
                    autocapitalize="none" aria-describedby="position-help" placeholder="Start position";
                p.muted id="position-help" { "For example " code { (sample.position_text()) } " in " (sample.variant().title()) ". On this page, the position of any game can be copied under Share." }
            }
            div.field {
                label for="line" { "Moves from that position" }
                input type="text" id="line" name="moves" value=(setup.moves) spellcheck="false"
                    autocapitalize="none" placeholder=(sample.moves().join(" "));
            }
            div.buttons { button.primary type="submit" { "Show position" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_setups_are_explained() {
        for (variant, position, moves, shown, reason) in [
            ("chess", "", "", "classic", "chess"),
            ("classic", "xxx", "", "classic", ""),
            ("classic", "xx./.../... x", "", "classic", "X"),
            (
                "classic",
                "",
                "b2 b2 a1",
                "classic",
                "move 2 can't be played: b2 is taken",
            ),
            (
                "ultimate",
                "",
                "ee aa",
                "ultimate",
                "you have to play in board e",
            ),
        ] {
            let setup = AnalysisSetup::from_form(variant, position, moves);
            assert_eq!(setup.state.variant().to_string(), shown);
            let error = setup.error.expect("an error");
            assert!(error.contains(reason), "{error}");
        }
        let setup = AnalysisSetup::from_form(" misere ", "x.../", "");
        assert!(setup.error.is_some());
        let setup = AnalysisSetup::from_form("", "", "b2 a1");
        assert_eq!((setup.state.ply(), setup.error), (2, None));
    }
}
