//! A drawn board before it is put into a page, a list or a file: the picture, and
//! what lies over it.

use maud::{Markup, html};
use noughts_rules::{AnyPlay, Shape};

use super::cells::{Button, buttons};
use super::pen::{N, WIDTH};
use super::{flat, nested, two};

/// A drawn board.
pub(super) struct Sheet {
    /// `flat`, `two` or `nested`, and `deep` where one can zoom.
    pub(super) kind: &'static str,
    pub(super) height: f64,
    pub(super) picture: Markup,
    /// Tic-Tac-Two: places to which the grid may go.
    pub(super) places: Option<String>,
    /// What can be dragged, above the buttons.
    pub(super) grips: Option<Markup>,
    /// Nested: the path of the board that is shown.
    pub(super) path: Option<String>,
    /// Nested: the board to look at in order to see the next move's place.
    pub(super) follow: Option<String>,
    pub(super) rows: Vec<Vec<Button>>,
    /// What it is, in words.
    pub(super) title: String,
}

/// What is to be drawn.
#[derive(Clone, Copy)]
pub(super) struct Wish<'a> {
    /// The board inside the whole that is to be shown.
    pub(super) path: &'a str,
    /// Can somebody move? Not in a game that was resigned, nor in the past of one.
    pub(super) live: bool,
    /// Are buttons wanted, or the picture alone?
    pub(super) buttons: bool,
}

pub(super) fn sheet(play: &AnyPlay, wish: Wish<'_>) -> Sheet {
    match play.shape() {
        Shape::Mnk(play) => flat::sheet(play, wish),
        Shape::LargeMnk(play) => flat::sheet(play, wish),
        Shape::TicTacTwo(play) => two::sheet(play, wish),
        Shape::Nested(play) => nested::sheet(play, wish),
    }
}

impl Sheet {
    pub(super) fn view_box(&self) -> String {
        format!("0 0 {} {}", N(WIDTH), N(self.height))
    }

    /// The board of a page.
    pub(super) fn page(&self, play: &AnyPlay) -> Markup {
        let over = play.outcome().map(noughts_rules::Outcome::word);
        html! {
            svg id="board-svg" class={ "board " (self.kind) } viewBox=(self.view_box())
                role="grid" aria-label=(self.title) data-variant=(play.variant())
                data-path=[self.path.as_ref()] data-follow=[self.follow.as_ref()]
                data-side=(play.side().letter()) data-over=[over] {
                g class="picture" aria-hidden="true" { (self.picture) }
                g class="tints" id="tints" aria-hidden="true" {}
                g class="preview" aria-hidden="true" {}
                @if let Some(places) = &self.places {
                    g class="grid-places" data-centres=(places) {}
                }
                (buttons(&self.rows))
                @if let Some(grips) = &self.grips {
                    g class="grips" aria-hidden="true" { (grips) }
                }
            }
        }
    }

    /// The picture alone, in colours of the page.
    pub(super) fn still(&self, class: &str, side: noughts_rules::Player) -> Markup {
        html! {
            svg class={ "board still " (self.kind) " " (class) } viewBox=(self.view_box())
                data-side=(side.letter()) aria-hidden="true" focusable="false" {
                g class="picture" { (self.picture) }
            }
        }
    }
}
