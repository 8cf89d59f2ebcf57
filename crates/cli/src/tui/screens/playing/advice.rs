//! What a person may ask for: a tip, an analysis that goes on beside the game, and
//! what a computer makes of an offered draw.

use std::time::Duration;

use noughts_engine::{BotKind, Limits, Report, Value};
use noughts_rules::{AnyPlay, Player};

use crate::tui::board::Notes;
use crate::tui::event::{News, Ticket};
use crate::tui::house::House;
use crate::tui::screens::analyst::{Running, analyse};
use crate::tui::widgets::{Worth, for_mover};
use noughts_session::{Computer, Thinking, Thought};

/// How long somebody waits for a tip.
const TIP: Limits = Limits::time(Duration::from_secs(1));
/// Nobody looks at one position for longer, and a forgotten analysis is not to keep
/// the machine busy for hours.
const ANALYSIS: Limits = Limits::time(Duration::from_secs(120));
/// A computer plays on for as little as this.
const WORTH_PLAYING_ON: f64 = 0.05;

#[derive(Default)]
pub(super) struct Advice {
    on: bool,
    running: Option<(Ticket, Running)>,
    known: Option<Known>,
    /// Made when it is first asked.
    adviser: Option<Computer>,
    asked: Option<Asked>,
    tip: Option<Tip>,
}

/// What analysis knows of the position on the board.
pub(super) struct Known {
    pub(super) report: Report<String>,
    pub(super) worth: Worth,
    pub(super) notes: Notes,
}

/// A move that was recommended.
pub(super) struct Tip {
    pub(super) mv: String,
    pub(super) words: String,
}

struct Asked {
    ticket: Ticket,
    /// Held only to stop it when nobody wants to know any more.
    _thinking: Thinking,
    about: About,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Tip,
    /// A draw that was offered to this side.
    Draw(Player),
}

/// What the adviser's answer means.
pub(super) enum Said {
    /// Nothing that anybody is to be told.
    Nothing,
    /// There is a tip now.
    Tip,
    /// The computer agrees to a draw, or plays on.
    Draw(Player, bool),
    /// There is no answer.
    Failed(String),
}

impl Advice {
    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// Switches the analysis on or off.
    pub(super) fn toggle(&mut self, play: &AnyPlay, house: &mut House) {
        self.on = !self.on;
        self.analyse(play, house);
    }

    /// The position has changed: whatever was said of it holds no more.
    pub(super) fn follow(&mut self, play: &AnyPlay, house: &mut House) {
        self.forget_tip();
        self.analyse(play, house);
    }

    /// Begins anew, with whatever has come to be known.
    pub(super) fn replace(&mut self, play: &AnyPlay, house: &mut House) {
        self.adviser = None;
        self.analyse(play, house);
    }

    fn analyse(&mut self, play: &AnyPlay, house: &mut House) {
        self.running = None;
        self.known = None;
        if !self.on || play.outcome().is_some() {
            return;
        }
        let settings = house.settings(play.variant());
        self.running = Some(analyse(play, &settings, ANALYSIS, house));
    }

    /// Ends the analysis; whether it is on stays.
    pub(super) fn stop(&mut self) {
        self.running = None;
        self.forget_tip();
    }

    /// Takes what the analysis found, if it is about the position on the board.
    pub(super) fn learn(&mut self, ticket: Ticket, report: Report<String>, side: Player) {
        if self
            .running
            .as_ref()
            .is_none_or(|(mine, _)| *mine != ticket)
        {
            return;
        }
        let moves = report.moves.iter();
        let notes = moves.map(|ranked| (ranked.mv.clone(), ranked.value));
        self.known = Some(Known {
            worth: Worth::of(report.value, side),
            notes: Notes(notes.collect()),
            report,
        });
    }

    pub(super) fn known(&self) -> Option<&Known> {
        self.known.as_ref()
    }

    /// Asks for a tip.
    pub(super) fn ask_tip(&mut self, play: &AnyPlay, house: &mut House) {
        self.ask(play, About::Tip, house);
    }

    /// Asks whether this side, a computer, would agree to a draw.
    pub(super) fn offer_draw(&mut self, play: &AnyPlay, to: Player, house: &mut House) {
        self.ask(play, About::Draw(to), house);
    }

    fn ask(&mut self, play: &AnyPlay, about: About, house: &mut House) {
        self.tip = None;
        let variant = play.variant();
        if self.adviser.is_none() {
            let settings = house.settings(variant);
            self.adviser = Computer::new(BotKind::Best, variant, &settings).ok();
        }
        let Some(adviser) = &self.adviser else {
            return;
        };
        let (ticket, tell) = house.ticket();
        let thinking = adviser.think(play, TIP, move |thought| {
            if matches!(thought, Thought::Done(_)) {
                tell(News::Thought(thought));
            }
        });
        self.asked = Some(Asked {
            ticket,
            _thinking: thinking,
            about,
        });
    }

    /// Takes the adviser's answer, if somebody waits for it.
    pub(super) fn hear(&mut self, ticket: Ticket, thought: Thought, play: &AnyPlay) -> Said {
        let (Some(asked), Thought::Done(done)) =
            (self.asked.take_if(|asked| asked.ticket == ticket), thought)
        else {
            return Said::Nothing;
        };
        let report = match done {
            Ok(report) => report,
            Err(reason) => return Said::Failed(reason),
        };
        match (asked.about, report.best) {
            (About::Tip, Some(mv)) => {
                let words = for_mover(report.value);
                self.tip = Some(Tip { mv, words });
                Said::Tip
            }
            (About::Tip, None) => Said::Failed("there is no move to recommend".into()),
            (About::Draw(to), _) => {
                let value = Worth::of(report.value, play.side()).value_for(to);
                Said::Draw(to, agrees(value))
            }
        }
    }

    pub(super) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    pub(super) fn tip(&self) -> Option<&Tip> {
        self.tip.as_ref()
    }

    pub(super) fn forget_tip(&mut self) {
        self.asked = None;
        self.tip = None;
    }
}

/// Nobody gives up what is better than a draw.
fn agrees(value: Value) -> bool {
    value.points() <= WORTH_PLAYING_ON
}
