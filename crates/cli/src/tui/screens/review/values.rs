//! What every moment of a game is worth, found out in the background, one look after
//! the other.

use std::ops::Deref;

use noughts_engine::Report;
use noughts_rules::{AnyPlay, Outcome, Player};
use noughts_session::review;

use crate::tui::event::{News, Ticket};
use crate::tui::house::House;
use crate::tui::screens::analyst::{Running, analyse};
use crate::tui::widgets::Point;

pub(super) struct Values {
    known: review::Values,
    running: Option<(usize, Ticket, Running)>,
}

impl Deref for Values {
    type Target = review::Values;

    fn deref(&self) -> &review::Values {
        &self.known
    }
}

impl Values {
    /// `sides` says who is to move at each moment, one more than there are moves.
    pub(super) fn new(sides: &[Player], moves: Vec<String>, outcome: Option<Outcome>) -> Values {
        Values {
            known: review::Values::new(sides, moves, outcome),
            running: None,
        }
    }

    /// Looks at the next moment, unless one is being looked at.
    pub(super) fn go_on(&mut self, shown: usize, house: &mut House, at: impl Fn(usize) -> AnyPlay) {
        if self.running.is_some() {
            return;
        }
        if let Some((next, limits)) = self.known.look(shown) {
            let play = at(next);
            let settings = review::settings(house.settings(play.variant()));
            let (ticket, running) = analyse(&play, &settings, limits, house);
            self.running = Some((next, ticket, running));
        }
    }

    /// Takes the news of the look that is going on.
    pub(super) fn hear(&mut self, ticket: Ticket, news: News) {
        let Some((at, _, _)) = self.running.as_ref().filter(|(_, mine, _)| *mine == ticket) else {
            return;
        };
        let at = *at;
        match news {
            News::Analysed(report) => self.learn(at, report),
            News::AnalysisOver => self.running = None,
            _ => {}
        }
    }

    pub(super) fn learn(&mut self, at: usize, report: Report<String>) {
        self.known.learn(at, report);
    }

    pub(super) fn points(&self) -> Vec<Point> {
        let points = (0..self.len()).map(|at| Point {
            worth: self.worth(at).filter(|worth| !worth.is_unknown()),
            mistake: at
                .checked_sub(1)
                .is_some_and(|mv| self.mistake(mv).is_some()),
        });
        points.collect()
    }

    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }
}
