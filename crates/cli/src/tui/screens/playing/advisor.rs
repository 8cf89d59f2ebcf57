//! What a person may ask for: a tip, an analysis that goes on beside the game, and
//! what a computer makes of an offered draw.

use std::time::Duration;

use noughts_engine::{BotKind, SearchLimits, SearchReport, Value};
use noughts_rules::{AnyGameState, Side};

use crate::tui::app_context::AppContext;
use crate::tui::board::Annotations;
use crate::tui::event::{TaskMessage, Ticket};
use crate::tui::screens::analysis_task::{RunningAnalysis, start_analysis};
use crate::tui::widgets::{XRelativeValue, mover_value_text};
use noughts_session::{BotPlayer, SearchHandle, SearchUpdate};

/// How long somebody waits for a tip.
const TIP: SearchLimits = SearchLimits::time(Duration::from_secs(1));
/// Nobody looks at one position for longer, and a forgotten analysis is not to keep
/// the machine busy for hours.
const ANALYSIS: SearchLimits = SearchLimits::time(Duration::from_secs(120));
/// A computer plays on for as little as this.
const WORTH_PLAYING_ON: f64 = 0.05;

#[derive(Default)]
pub(super) struct Advice {
    on: bool,
    running: Option<(Ticket, RunningAnalysis)>,
    known: Option<AnalysisResult>,
    /// Made when it is first asked.
    adviser: Option<BotPlayer>,
    asked: Option<Asked>,
    tip: Option<Hint>,
}

/// What analysis knows of the position on the board.
pub(super) struct AnalysisResult {
    pub(super) report: SearchReport<String>,
    pub(super) value: XRelativeValue,
    pub(super) annotations: Annotations,
}

/// A move that was recommended.
pub(super) struct Hint {
    pub(super) mv: String,
    pub(super) words: String,
}

struct Asked {
    ticket: Ticket,
    /// Held only to stop it when nobody wants to know any more.
    _thinking: SearchHandle,
    about: About,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Tip,
    /// A draw that was offered to this side.
    Draw(Side),
}

/// What the adviser's answer means.
pub(super) enum AdvisorReply {
    /// Nothing that anybody is to be told.
    Ignored,
    /// There is a tip now.
    Hint,
    /// The computer agrees to a draw, or plays on.
    Draw(Side, bool),
    /// There is no answer.
    Failed(String),
}

impl Advice {
    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// Switches the analysis on or off.
    pub(super) fn toggle(&mut self, play: &AnyGameState, house: &mut AppContext) {
        self.on = !self.on;
        self.analyse(play, house);
    }

    /// The position has changed: whatever was said of it holds no more.
    pub(super) fn position_changed(&mut self, play: &AnyGameState, house: &mut AppContext) {
        self.forget_tip();
        self.analyse(play, house);
    }

    /// Begins anew, with whatever has come to be known.
    pub(super) fn restart(&mut self, play: &AnyGameState, house: &mut AppContext) {
        self.adviser = None;
        self.analyse(play, house);
    }

    fn analyse(&mut self, play: &AnyGameState, house: &mut AppContext) {
        self.running = None;
        self.known = None;
        if !self.on || play.outcome().is_some() {
            return;
        }
        let settings = house.bot_settings(play.variant());
        self.running = Some(start_analysis(play, &settings, ANALYSIS, house));
    }

    /// Ends the analysis; whether it is on stays.
    pub(super) fn stop(&mut self) {
        self.running = None;
        self.forget_tip();
    }

    /// Takes what the analysis found, if it is about the position on the board.
    pub(super) fn update_analysis(
        &mut self,
        ticket: Ticket,
        report: SearchReport<String>,
        side: Side,
    ) {
        if self
            .running
            .as_ref()
            .is_none_or(|(mine, _)| *mine != ticket)
        {
            return;
        }
        let moves = report.moves.iter();
        let notes = moves.map(|ranked| (ranked.mv.clone(), ranked.value));
        self.known = Some(AnalysisResult {
            value: XRelativeValue::from_side(report.value, side),
            annotations: Annotations(notes.collect()),
            report,
        });
    }

    pub(super) fn analysis(&self) -> Option<&AnalysisResult> {
        self.known.as_ref()
    }

    /// Asks for a tip.
    pub(super) fn ask_tip(&mut self, play: &AnyGameState, house: &mut AppContext) {
        self.ask(play, About::Tip, house);
    }

    /// Asks whether this side, a computer, would agree to a draw.
    pub(super) fn offer_draw(&mut self, play: &AnyGameState, to: Side, house: &mut AppContext) {
        self.ask(play, About::Draw(to), house);
    }

    fn ask(&mut self, play: &AnyGameState, about: About, house: &mut AppContext) {
        self.tip = None;
        let variant = play.variant();
        if self.adviser.is_none() {
            let settings = house.bot_settings(variant);
            self.adviser = BotPlayer::new(BotKind::Best, variant, &settings).ok();
        }
        let Some(adviser) = &self.adviser else {
            return;
        };
        let (ticket, tell) = house.new_task();
        let thinking = adviser.start_search(play, TIP, move |thought| {
            if matches!(thought, SearchUpdate::Finished(_)) {
                tell(TaskMessage::BotThought(thought));
            }
        });
        self.asked = Some(Asked {
            ticket,
            _thinking: thinking,
            about,
        });
    }

    /// Takes the adviser's answer, if somebody waits for it.
    pub(super) fn handle_thought(
        &mut self,
        ticket: Ticket,
        thought: SearchUpdate,
        play: &AnyGameState,
    ) -> AdvisorReply {
        let (Some(asked), SearchUpdate::Finished(done)) =
            (self.asked.take_if(|asked| asked.ticket == ticket), thought)
        else {
            return AdvisorReply::Ignored;
        };
        let report = match done {
            Ok(report) => report,
            Err(reason) => return AdvisorReply::Failed(reason),
        };
        match (asked.about, report.best) {
            (About::Tip, Some(mv)) => {
                let words = mover_value_text(report.value);
                self.tip = Some(Hint { mv, words });
                AdvisorReply::Hint
            }
            (About::Tip, None) => AdvisorReply::Failed("there is no move to recommend".into()),
            (About::Draw(to), _) => {
                let value = XRelativeValue::from_side(report.value, play.side()).value_for(to);
                AdvisorReply::Draw(to, agrees(value))
            }
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.asked.is_some()
    }

    pub(super) fn hint(&self) -> Option<&Hint> {
        self.tip.as_ref()
    }

    pub(super) fn forget_tip(&mut self) {
        self.asked = None;
        self.tip = None;
    }
}

/// Nobody gives up what is better than a draw.
fn agrees(value: Value) -> bool {
    value.expected_result() <= WORTH_PLAYING_ON
}
