//! The analysis: any position, set up by its text or by moves, and what it is worth.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::{Name, Seat, StoredPosition};
use serde_json::json;

use super::game::{game_layout, initial_state};
use super::{dialogs, games};
use crate::live::ViewerRole;
use crate::view::layout::Page;
use crate::view::parts::unsaved_snapshot;
use crate::view::{ViewOptions, formatting};

/// What is looked at, and what was typed.
pub(crate) struct AnalysisSetup {
    pub(crate) variant: String,
    pub(crate) position: String,
    pub(crate) moves: String,
    pub(crate) state: AnyGameState,
    /// Why it is not what was typed.
    pub(crate) error: Option<String>,
}

impl AnalysisSetup {
    /// A position that was kept, known to be one.
    pub(crate) fn from_stored(kept: &StoredPosition) -> AnalysisSetup {
        let moves = kept.moves.join(" ");
        AnalysisSetup::from_form(&kept.variant.to_string(), &kept.position, &moves)
    }

    /// A position from the fields of the form. What cannot be set up says why, and
    /// the board shows what could.
    pub(crate) fn from_form(variant: &str, position: &str, moves: &str) -> AnalysisSetup {
        let typed = |play: AnyGameState, problem: Option<String>| AnalysisSetup {
            variant: variant.into(),
            position: position.into(),
            moves: moves.into(),
            state: play,
            error: problem,
        };
        let game: Variant = match variant.trim() {
            "" => Variant::CLASSIC,
            name => match name.parse().or_else(|_| name.to_lowercase().parse()) {
                Ok(game) => game,
                Err(error) => {
                    return typed(AnyGameState::new(Variant::CLASSIC), Some(error.to_string()));
                }
            },
        };
        let start = match position.trim() {
            "" => Ok(AnyGameState::new(game)),
            text => AnyGameState::from_text(game, text),
        };
        let mut play = match start {
            Ok(play) => play,
            Err(error) => return typed(AnyGameState::new(game), Some(error.to_string())),
        };
        for (i, mv) in moves.split_whitespace().enumerate() {
            if let Err(refusal) = play.play(mv) {
                let problem = format!("move {} cannot be made: {refusal}", i + 1);
                return typed(play, Some(problem));
            }
        }
        typed(play, None)
    }
}

pub(crate) fn analysis(studied: &AnalysisSetup) -> Markup {
    let play = &studied.state;
    let variant = play.variant();
    let title = formatting::variant_title(variant);
    let seat = |name: &str| Name::new(name).map_or(Seat::Deleted, Seat::Player);
    let snapshot = unsaved_snapshot(play.clone(), [seat("X"), seat("O")]);
    let you = ViewerRole {
        x: true,
        o: true,
        host: false,
    };
    let main = html! {
        div.headline { h1 { "Analysis" } p.soft { (title) } }
        @if let Some(problem) = &studied.error {
            p.problem.card role="alert" { (formatting::sentence_markup(problem)) " The board shows what could be set up; " a href="#set-up" { "fix it below" } "." }
        }
        div.study {
            (game_layout(&snapshot, you, &ViewOptions::default(), studied.error.is_none()))
        }
        (form(studied))
        (dialogs::rules_dialog(variant))
        (dialogs::shortcuts_dialog(variant))
    };
    let start = (!play.has_standard_start()).then(|| play.start_text());
    let state = json!({"line": {
        "variant": variant.to_string(),
        "position": start,
        "moves": play.moves(),
        // What was not meant is not looked into.
        "meant": studied.error.is_none(),
    }});
    let page = Page {
        name: "analysis",
        title: &format!("Analysis: {title}"),
        description: "Set up any position and see what every move is worth.",
        initial_state: initial_state(&state),
        content: main,
    };
    page.render()
}

fn form(studied: &AnalysisSetup) -> Markup {
    html! {
        form.card.set-up id="set-up" method="get" action="/analysis" {
            h2 { "Set up a position" }
            div.field {
                label for="variant" { "Game" }
                input type="text" id="variant" name="variant" value=(studied.variant) list="variants"
                    placeholder="classic" spellcheck="false" autocapitalize="none" maxlength="80";
                (games::variant_datalist("variants"))
            }
            div.field {
                label for="position" { "Position" }
                input type="text" id="position" name="position" value=(studied.position) spellcheck="false"
                    autocapitalize="none" aria-describedby="position-about" placeholder="the start";
                p.soft id="position-about" { "As text, such as " code { "x.o/.x./... o" } " for the classic board: rows from the top, then who is to move." }
            }
            div.field {
                label for="line" { "Moves from there" }
                input type="text" id="line" name="moves" value=(studied.moves) spellcheck="false"
                    autocapitalize="none" placeholder="b2 a1 c3";
            }
            div.buttons { button.primary type="submit" { "Show" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_set_up_says_why() {
        for (variant, position, moves, shown, reason) in [
            ("chess", "", "", "classic", "chess"),
            ("classic", "xxx", "", "classic", ""),
            ("classic", "xx./.../... x", "", "classic", "X"),
            (
                "classic",
                "",
                "b2 b2 a1",
                "classic",
                "move 2 cannot be made: b2 is taken",
            ),
            (
                "ultimate",
                "",
                "ee aa",
                "ultimate",
                "you were sent to board e",
            ),
        ] {
            let studied = AnalysisSetup::from_form(variant, position, moves);
            assert_eq!(studied.state.variant().to_string(), shown);
            let problem = studied.error.expect("it cannot be");
            assert!(problem.contains(reason), "{problem}");
        }
        let studied = AnalysisSetup::from_form(" misere ", "x.../", "");
        assert!(studied.error.is_some());
        let studied = AnalysisSetup::from_form("", "", "b2 a1");
        assert_eq!((studied.state.ply(), studied.error), (2, None));
    }
}
