//! The analysis: any position, set up by its text or by moves, and what it is worth.

use maud::{Markup, html};
use noughts_rules::{AnyPlay, Variant};
use noughts_store::{KeptPosition, Name, Seat};
use serde_json::json;

use super::game::{state_of, table};
use super::{dialogs, games};
use crate::live::You;
use crate::view::layout::Page;
use crate::view::parts::unborn;
use crate::view::{Look, words};

/// What is looked at, and what was typed.
pub(crate) struct Studied {
    pub(crate) variant: String,
    pub(crate) position: String,
    pub(crate) moves: String,
    pub(crate) play: AnyPlay,
    /// Why it is not what was typed.
    pub(crate) problem: Option<String>,
}

impl Studied {
    /// A position that was kept, known to be one.
    pub(crate) fn kept(kept: &KeptPosition) -> Studied {
        let moves = kept.moves.join(" ");
        Studied::read(&kept.variant.to_string(), &kept.position, &moves)
    }

    /// A position from the fields of the form. What cannot be set up says why, and
    /// the board shows what could.
    pub(crate) fn read(variant: &str, position: &str, moves: &str) -> Studied {
        let typed = |play: AnyPlay, problem: Option<String>| Studied {
            variant: variant.into(),
            position: position.into(),
            moves: moves.into(),
            play,
            problem,
        };
        let game: Variant = match variant.trim() {
            "" => Variant::CLASSIC,
            name => match name.parse().or_else(|_| name.to_lowercase().parse()) {
                Ok(game) => game,
                Err(error) => {
                    return typed(AnyPlay::new(Variant::CLASSIC), Some(error.to_string()));
                }
            },
        };
        let start = match position.trim() {
            "" => Ok(AnyPlay::new(game)),
            text => AnyPlay::from_text(game, text),
        };
        let mut play = match start {
            Ok(play) => play,
            Err(error) => return typed(AnyPlay::new(game), Some(error.to_string())),
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

pub(crate) fn analysis(studied: &Studied) -> Markup {
    let play = &studied.play;
    let variant = play.variant();
    let title = words::title(variant);
    let seat = |name: &str| Name::new(name).map_or(Seat::Deleted, Seat::Person);
    let snapshot = unborn(play.clone(), [seat("X"), seat("O")]);
    let you = You {
        x: true,
        o: true,
        host: false,
    };
    let main = html! {
        div.headline { h1 { "Analysis" } p.soft { (title) } }
        @if let Some(problem) = &studied.problem {
            p.problem.card role="alert" { (words::sentence(problem)) " The board shows what could be set up; " a href="#set-up" { "fix it below" } "." }
        }
        div.study {
            (table(&snapshot, you, &Look::default(), studied.problem.is_none()))
        }
        (form(studied))
        (dialogs::rules(variant))
        (dialogs::keys(variant))
    };
    let start = (!play.is_from_start()).then(|| play.start_text());
    let state = json!({"line": {
        "variant": variant.to_string(),
        "position": start,
        "moves": play.moves(),
        // What was not meant is not looked into.
        "meant": studied.problem.is_none(),
    }});
    let page = Page {
        name: "analysis",
        title: &format!("Analysis: {title}"),
        about: "Set up any position and see what every move is worth.",
        state: state_of(&state),
        main,
    };
    page.markup()
}

fn form(studied: &Studied) -> Markup {
    html! {
        form.card.set-up id="set-up" method="get" action="/analysis" {
            h2 { "Set up a position" }
            div.field {
                label for="variant" { "Game" }
                input type="text" id="variant" name="variant" value=(studied.variant) list="variants"
                    placeholder="classic" spellcheck="false" autocapitalize="none" maxlength="80";
                (games::variants("variants"))
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
            let studied = Studied::read(variant, position, moves);
            assert_eq!(studied.play.variant().to_string(), shown);
            let problem = studied.problem.expect("it cannot be");
            assert!(problem.contains(reason), "{problem}");
        }
        let studied = Studied::read(" misere ", "x.../", "");
        assert!(studied.problem.is_some());
        let studied = Studied::read("", "", "b2 a1");
        assert_eq!((studied.play.ply(), studied.problem), (2, None));
    }
}
