//! The dialogs of the game screen and the effects of their answers.

use std::time::{Duration, Instant};

use crossterm::event::KeyCode;
use noughts_rules::{Assistance, Side, UnratedReason};
use noughts_session::policy::RatingEvent;
use noughts_session::{GameAction, Participant, display_name};
use noughts_store::{Name, Store};
use noughts_text::{
    Action, KeyTable, assistance_question, numbered_player, unrated_notice, unrated_warning,
};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Text;

use super::GameScreen;
use super::advisor::AdvisorRequest;
use super::game_over::game_over_text;
use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::menu::{MenuScreen, levels};
use crate::tui::screens::review::ReviewScreen;
use crate::tui::screens::{Navigation, Screen, rules, tablebase_offer};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Dialog, DialogResult, TextViewer, truncate};

/// A dialog over the board.
pub(super) enum GameDialog {
    Question(Dialog<DialogAnswer>),
    /// Ignores Enter until the given time.
    GameOver(Dialog<DialogAnswer>, Instant),
    Rules(TextViewer),
}

/// Where to go from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination {
    /// The same game from its start.
    Restart,
    Menu,
    Quit,
}

/// What the game screen does after a dialog.
#[derive(Clone, Debug)]
pub(super) enum DialogAnswer {
    /// Nothing but closing the dialog.
    Stay,
    Leave(Destination),
    /// Asks who takes over this side.
    HandOver(Side),
    Submit(GameAction),
    /// The player accepts that the game won't be rated.
    Assist(Assistance),
    OfferDraw,
    Build,
    Rematch {
        swapped: bool,
    },
    Review,
}

/// More players than this wouldn't fit.
const MAX_PLAYERS: usize = 6;

/// How long a dialog that opens by itself ignores Enter.
const ENTER_DELAY: Duration = Duration::from_millis(400);

/// In columns: the width of the narrowest dialog.
const MAX_TITLE_COLUMNS: u16 = 32;

impl GameDialog {
    fn handle_event(&mut self, event: &Event) -> DialogResult<DialogAnswer> {
        match (self, event) {
            // The key was meant for the board: the player can't have read the choices yet.
            (GameDialog::GameOver(_, ignore_enter_until), Event::Key(key))
                if matches!(key.code, KeyCode::Enter | KeyCode::Char(' '))
                    && Instant::now() < *ignore_enter_until =>
            {
                DialogResult::Pending
            }
            (GameDialog::Question(dialog) | GameDialog::GameOver(dialog, _), event) => {
                dialog.handle_event(event)
            }
            (GameDialog::Rules(viewer), event) => viewer.handle_event(event),
        }
    }

    pub(super) fn render(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        match self {
            GameDialog::Question(dialog) | GameDialog::GameOver(dialog, _) => {
                dialog.render(theme, area, buf);
            }
            GameDialog::Rules(viewer) => viewer.render(theme, area, buf),
        }
    }
}

impl GameScreen {
    /// Passes a key or mouse event to the open dialog.
    pub(super) fn handle_dialog_event(
        &mut self,
        event: &Event,
        context: &mut AppContext,
    ) -> Navigation {
        let Some(dialog) = &mut self.dialog else {
            return Navigation::Stay;
        };
        let answer = match dialog.handle_event(event) {
            DialogResult::Pending => return Navigation::Stay,
            DialogResult::Canceled => DialogAnswer::Stay,
            DialogResult::Chosen(answer) => answer,
        };
        self.dialog = None;
        match answer {
            DialogAnswer::Stay => {}
            DialogAnswer::Leave(destination) => return self.leave(destination, context),
            DialogAnswer::HandOver(side) => self.ask_new_player(side, context),
            DialogAnswer::Submit(action) => self.submit_interrupting(action, context),
            DialogAnswer::Assist(assistance) => self.assist(assistance, context),
            DialogAnswer::OfferDraw => self.offer_draw(context),
            DialogAnswer::Build => context.build_tablebase(self.game.state().variant()),
            DialogAnswer::Rematch { swapped } => return self.rematch(swapped, context),
            DialogAnswer::Review => return self.review(context),
        }
        Navigation::Stay
    }

    fn ask(&mut self, dialog: Dialog<DialogAnswer>) {
        self.dialog = Some(GameDialog::Question(dialog));
    }

    /// Tells the player that the game won't be rated, before that happens. The key that led here confirms it, too.
    pub(super) fn ask_about_rating(&mut self, assistance: Assistance, reason: UnratedReason) {
        let [title, confirm, cancel] = assistance_question(assistance);
        let action = match assistance {
            Assistance::Hint | Assistance::Position => Action::Hint,
            Assistance::Takeback => Action::TakeBack,
            Assistance::Analysis => Action::Analysis,
        };
        let key = action.key().chars().next().unwrap_or('y');
        let dialog = Dialog::new(title, unrated_warning(reason))
            .choice(key, confirm, DialogAnswer::Assist(assistance))
            .choice('n', cancel, DialogAnswer::Stay);
        self.ask(dialog);
    }

    /// Leaves at once if the game is over, otherwise asks for confirmation.
    pub(super) fn confirm_leave(
        &mut self,
        destination: Destination,
        context: &mut AppContext,
    ) -> Navigation {
        let session = &self.game.session;
        let (is_over, is_unplayed) = (session.result().is_some(), session.is_unplayed());
        let warning = context.quit_warning();
        let warning = warning.filter(|_| destination == Destination::Quit);
        let is_untouched = destination == Destination::Restart && is_unplayed;
        if (is_over && warning.is_none()) || is_untouched {
            return self.leave(destination, context);
        }
        let is_persistent = context.store_handle.is_persistent();
        let explanation = match (is_unplayed, is_persistent, destination) {
            (_, _, Destination::Restart) => {
                "This game will end without a result. This can't be undone."
            }
            (true, ..) => "No moves have been made, so there's nothing to save.",
            (false, true, _) => "This game is saved. You can resume it from the menu.",
            (false, false, Destination::Menu) => {
                "Games aren't being saved. You can resume this one only until you quit."
            }
            (false, false, Destination::Quit) => {
                "Games aren't being saved. If you quit, this one is lost."
            }
        };
        let (title, yes) = match destination {
            Destination::Restart => ("Start over?", "Start over"),
            Destination::Menu => ("Go to the menu?", "Go to the menu"),
            Destination::Quit => ("Quit?", "Quit"),
        };
        let no = if is_over { "Stay" } else { "Keep playing" };
        let explanation = (!is_over).then(|| explanation.to_owned());
        let text = Text::from_iter(explanation.into_iter().chain(warning));
        let dialog = Dialog::new(title, text)
            .choice('n', no, DialogAnswer::Stay)
            .choice('y', yes, DialogAnswer::Leave(destination));
        self.ask(dialog);
        Navigation::Stay
    }

    /// Ends this game without a result and starts it again.
    fn restart(&mut self, context: &mut AppContext) -> Navigation {
        if self.game.result().is_none() && !self.game.session.is_unplayed() {
            let session = &self.game.session;
            let abandoned = context
                .store_handle
                .query(|store| session.apply(store, GameAction::Abandon));
            if let Err(error) = abandoned {
                self.reject(error.cause());
                return Navigation::Stay;
            }
            self.bots.stop();
            self.advisor.stop();
        } else {
            self.release(context);
        }
        self.rematch(false, context)
    }

    fn leave(&mut self, destination: Destination, context: &mut AppContext) -> Navigation {
        match destination {
            Destination::Restart => self.restart(context),
            Destination::Menu => {
                self.release(context);
                Navigation::Go(MenuScreen::open(context))
            }
            Destination::Quit => {
                self.release(context);
                Navigation::Quit
            }
        }
    }

    /// Switches the analysis on or off. The first time, offers to build a tablebase that would make
    /// it exact.
    pub(super) fn toggle_analysis(&mut self, context: &mut AppContext) {
        if !self.advisor.analysis_on && !self.record_assistance(Assistance::Analysis, context) {
            return;
        }
        self.advisor.toggle_analysis(self.game.state(), context);
        if self.advisor.analysis_on
            && tablebase_offer::should_offer(context, self.game.state().variant())
        {
            self.offer_tablebase(context);
        }
    }

    pub(super) fn offer_tablebase(&mut self, context: &mut AppContext) {
        let variant = self.game.state().variant();
        let dialog =
            tablebase_offer::dialog(context, variant, DialogAnswer::Build, DialogAnswer::Stay);
        self.ask(dialog);
    }

    pub(super) fn ask_side_to_hand_over(&mut self) {
        let session = &self.game.session;
        let text = match (
            session.unrated_by(RatingEvent::HandOver),
            session.unrated_reason(),
        ) {
            (Some(reason), _) => unrated_warning(reason),
            (None, Some(reason)) => unrated_notice(reason, false),
            (None, None) => "This game will still be rated.".to_owned(),
        };
        let mut dialog = Dialog::new("Hand over which side?", text);
        for side in Side::BOTH {
            let text = format!("{side}, played by {name}", name = self.game.name(side));
            dialog = dialog.choice(side.letter(), text, DialogAnswer::HandOver(side));
        }
        self.ask(dialog);
    }

    fn ask_new_player(&mut self, side: Side, context: &AppContext) {
        let candidates = self.candidates(side, context);
        // The digits, then letters.
        let keys = ('1'..='9').chain(['0']).chain('a'..='i');
        let title = format!("Who plays {side} from now on?");
        let mut dialog = Dialog::new(title, Text::default());
        for (participant, key) in candidates.into_iter().zip(keys) {
            let kind = match participant {
                Participant::Player(_) | Participant::Guest => "human",
                Participant::Bot(_) => "computer",
            };
            let name = display_name(&participant.to_seat());
            let text = format!("{name:<14} {kind}");
            let reseat = GameAction::Reseat(side, participant);
            dialog = dialog.choice(key, text, DialogAnswer::Submit(reseat));
        }
        self.ask(dialog);
    }

    /// Who could take over this seat: humans first for a bot's side, bots first for a human's.
    fn candidates(&self, side: Side, context: &AppContext) -> Vec<Participant> {
        let session = &self.game.session;
        let variant = self.game.state().variant();
        let bots = levels(variant).into_iter().map(Participant::Bot);
        let bots = bots.filter(|bot| bot != session.participant(side));
        let humans = self.humans_without_seat(side, context).into_iter();
        let humans = humans.map(Participant::Player);
        match session.participant(side) {
            Participant::Player(_) | Participant::Guest => bots.chain(humans).collect(),
            Participant::Bot(_) => humans.chain(bots).collect(),
        }
    }

    /// Humans without a seat: first the earlier players of this game, then the known players; a
    /// default name if there are none.
    fn humans_without_seat(&self, side: Side, context: &AppContext) -> Vec<Name> {
        let session = &self.game.session;
        let known = context.store_handle.query(Store::all_players);
        let known = known.unwrap_or_default().into_iter().map(|(name, _)| name);
        let mut humans: Vec<Name> = Vec::new();
        for name in self.past_players.iter().cloned().chain(known) {
            let has_seat = session.seats().contains(&Participant::Player(name.clone()));
            if !has_seat && !humans.contains(&name) && humans.len() < MAX_PLAYERS {
                humans.push(name);
            }
        }
        if humans.is_empty() {
            humans.extend(Name::new(&numbered_player(side as usize + 1)));
        }
        humans
    }

    pub(super) fn ask_to_end_game(&mut self) {
        let (no, stay) = ("Keep playing", DialogAnswer::Stay);
        let dialog = match self.game.human_side() {
            None => {
                Dialog::new("End this game?", "Abandoning can't be undone.").choice('n', no, stay)
            }
            Some(side) => {
                let title = format!(
                    "{name} ({side}): end this game?",
                    name = self.game.session.participant(side)
                );
                let other = self.game.name(side.other());
                let resign = DialogAnswer::Submit(GameAction::Resign(side));
                let dialog = match self.game.session.is_unplayed() {
                    true => Dialog::new(title, "Abandoning can't be undone.").choice('n', no, stay),
                    false => Dialog::new(title, "Resigning or abandoning can't be undone.")
                        .choice('n', no, stay)
                        .choice('r', format!("Resign ({other} wins)"), resign),
                };
                let draw = format!("Offer {other} a draw");
                dialog.choice('d', draw, DialogAnswer::OfferDraw)
            }
        };
        let abandon = DialogAnswer::Submit(GameAction::Abandon);
        self.ask(dialog.choice('g', "Abandon the game (no result)", abandon));
    }

    /// A human is asked; for a bot, the advisor evaluates the position.
    fn offer_draw(&mut self, context: &mut AppContext) {
        let Some(side) = self.game.human_side() else {
            return;
        };
        let other = side.other();
        match self.game.session.participant(other) {
            name @ (Participant::Player(_) | Participant::Guest) => {
                let text = format!("{offerer} offers a draw.", offerer = self.game.name(side));
                let accept = DialogAnswer::Submit(GameAction::AgreeDraw);
                let dialog = Dialog::new(format!("{name}, do you accept?"), text)
                    .choice('n', "Decline and keep playing", DialogAnswer::Stay)
                    .choice('y', "Accept the draw", accept);
                self.ask(dialog);
            }
            Participant::Bot(_) => {
                let request = AdvisorRequest::Draw(other);
                self.advisor.ask(request, self.game.state(), context);
            }
        }
    }

    pub(super) fn show_help(&mut self, theme: &Theme) {
        let help = rules::help_viewer(self.game.state(), KeyTable::Terminal, theme);
        self.dialog = Some(GameDialog::Rules(help));
    }

    pub(super) fn game_over_dialog(&self, context: &AppContext) -> Option<GameDialog> {
        let session = &self.game.session;
        let over = self.game.session.game_over()?;
        let (theme, tallies) = (&context.theme, self.game.tallies());
        let (title, text) = game_over_text(over, tallies, session.unrated_reason(), theme);
        let rematch = |swapped| DialogAnswer::Rematch { swapped };
        let leave = DialogAnswer::Leave;
        let title = truncate(&title, MAX_TITLE_COLUMNS, theme.ellipsis());
        let dialog = Dialog::new(title, text)
            .choice('a', "Rematch, same sides", rematch(false))
            .choice('s', "Rematch, swap sides", rematch(true))
            .choice('v', "Review the game", DialogAnswer::Review)
            .choice('c', "Change players or game", leave(Destination::Menu))
            .choice('q', "Quit", leave(Destination::Quit));
        Some(GameDialog::GameOver(dialog, Instant::now() + ENTER_DELAY))
    }

    fn rematch(&mut self, swapped: bool, context: &mut AppContext) -> Navigation {
        let setup = match swapped {
            true => self.setup.swapped(),
            false => self.setup.clone(),
        };
        let started = GameScreen::start(context, &setup, self.start_state.clone());
        let started = started.map(|mut screen| {
            screen.playback = std::mem::take(&mut self.playback);
            screen.playback.set_paused(false);
            screen.match_score = self.match_score.clone();
            if self.advisor.analysis_on {
                screen.request_assistance(Assistance::Analysis, context);
            }
            screen
        });
        Navigation::open(started, |reason| self.reject(reason))
    }

    /// Opens the review of this game, which leads back to the game-over dialog.
    fn review(&mut self, context: &mut AppContext) -> Navigation {
        let session = self.game.session.clone();
        let id = session.id();
        let (setup, from, score) = (
            self.setup.clone(),
            self.start_state.clone(),
            self.match_score.clone(),
        );
        let back = move |context: &mut AppContext| -> Box<dyn Screen> {
            let mut screen = GameScreen::from_session(context, session);
            screen.setup = setup;
            screen.start_state = from;
            screen.match_score = score;
            screen.dialog = screen.game_over_dialog(context);
            Box::new(screen)
        };
        let review = ReviewScreen::open(context, id, Box::new(back));
        Navigation::open(review, |reason| self.reject(reason))
    }
}
