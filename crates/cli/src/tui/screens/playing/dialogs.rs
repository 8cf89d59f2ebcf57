//! The dialogs of the game screen and the effects of their answers.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use noughts_engine::BotKind;
use noughts_rules::{Assistance, Side, UnratedReason};
use noughts_store::Name;
use noughts_text::unrated_notice;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::game_over::GameOverText;
use super::{GameScreen, Notice};
use crate::tui::app_context::AppContext;
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::review::ReviewScreen;
use crate::tui::screens::tablebase_offer::{self, TablebaseOffer};
use crate::tui::screens::{Navigation, Screen};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Dialog, DialogChoice, DialogResult, TextViewer, truncate};
use noughts_session::{GameAction, Participant};

/// A dialog over the board.
pub(super) enum GameDialog {
    Leave(Dialog<bool>, Destination),
    /// Which side to hand over.
    Side(Dialog<Side>),
    /// Who takes over the side.
    NewPlayer(Dialog<usize>, Side, Vec<Participant>),
    EndGame(Dialog<EndGameChoice>),
    /// Does the opponent agree to a draw?
    DrawOffer(Dialog<bool>),
    /// Build the tablebase?
    TablebaseOffer(Dialog<TablebaseOffer>),
    Rules(TextViewer),
    /// Ignores Enter until the given time.
    GameOver(Dialog<GameOverChoice>, Instant),
}

/// Where to go from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination {
    /// The same game from its start.
    Restart,
    Menu,
    Quit,
}

/// Ways to end a game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndGameChoice {
    Resign(Side),
    OfferDraw,
    Abandon,
    Continue,
}

/// What to do after a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameOverChoice {
    Rematch,
    RematchSwapped,
    Review,
    Menu,
    Quit,
}

/// The answer of any of the dialogs.
enum DialogAnswer {
    Leave(Destination),
    Side(Side),
    NewPlayer(Side, Participant),
    EndGame(EndGameChoice),
    AcceptDraw,
    Build,
    GameOver(GameOverChoice),
    /// Closed without effect.
    Canceled,
    /// Still open.
    Pending,
}

/// More players than this wouldn't fit.
const MAX_PLAYERS: usize = 6;

/// How long a dialog that opens by itself ignores Enter.
const ENTER_DELAY: Duration = Duration::from_millis(400);

/// In columns: the width of the narrowest dialog.
const MAX_TITLE_COLUMNS: u16 = 32;

impl GameDialog {
    fn handle_key(&mut self, key: KeyEvent) -> DialogAnswer {
        match self {
            GameDialog::Leave(dialog, destination) => {
                leave_answer(dialog.handle_key(key), *destination)
            }
            GameDialog::Side(dialog) => answer_from(dialog.handle_key(key), DialogAnswer::Side),
            GameDialog::NewPlayer(dialog, side, candidates) => {
                new_player_answer(dialog.handle_key(key), *side, candidates)
            }
            GameDialog::EndGame(dialog) => {
                answer_from(dialog.handle_key(key), DialogAnswer::EndGame)
            }
            GameDialog::DrawOffer(dialog) => draw_answer(dialog.handle_key(key)),
            GameDialog::TablebaseOffer(dialog) => build_answer(dialog.handle_key(key)),
            // The key was meant for the board: the player can't have read the choices yet.
            GameDialog::GameOver(_, ignore_enter_until)
                if is_confirm_key(key) && Instant::now() < *ignore_enter_until =>
            {
                DialogAnswer::Pending
            }
            GameDialog::GameOver(dialog, _) => {
                answer_from(dialog.handle_key(key), DialogAnswer::GameOver)
            }
            GameDialog::Rules(viewer) => match viewer.handle_key(key) {
                true => DialogAnswer::Pending,
                false => DialogAnswer::Canceled,
            },
        }
    }

    fn handle_mouse(&mut self, mouse: MouseEvent) -> DialogAnswer {
        match self {
            GameDialog::Leave(dialog, destination) => {
                leave_answer(dialog.handle_mouse(mouse), *destination)
            }
            GameDialog::Side(dialog) => answer_from(dialog.handle_mouse(mouse), DialogAnswer::Side),
            GameDialog::NewPlayer(dialog, side, candidates) => {
                new_player_answer(dialog.handle_mouse(mouse), *side, candidates)
            }
            GameDialog::EndGame(dialog) => {
                answer_from(dialog.handle_mouse(mouse), DialogAnswer::EndGame)
            }
            GameDialog::DrawOffer(dialog) => draw_answer(dialog.handle_mouse(mouse)),
            GameDialog::TablebaseOffer(dialog) => build_answer(dialog.handle_mouse(mouse)),
            GameDialog::GameOver(dialog, _) => {
                answer_from(dialog.handle_mouse(mouse), DialogAnswer::GameOver)
            }
            GameDialog::Rules(viewer) => {
                viewer.handle_mouse(mouse);
                DialogAnswer::Pending
            }
        }
    }

    pub(super) fn is_game_over(&self) -> bool {
        matches!(self, GameDialog::GameOver(..))
    }

    pub(super) fn render(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        match self {
            GameDialog::Leave(dialog, _) | GameDialog::DrawOffer(dialog) => {
                dialog.render(theme, area, buf);
            }
            GameDialog::Side(dialog) => dialog.render(theme, area, buf),
            GameDialog::NewPlayer(dialog, ..) => dialog.render(theme, area, buf),
            GameDialog::EndGame(dialog) => dialog.render(theme, area, buf),
            GameDialog::TablebaseOffer(dialog) => dialog.render(theme, area, buf),
            GameDialog::GameOver(dialog, _) => dialog.render(theme, area, buf),
            GameDialog::Rules(viewer) => viewer.render(theme, area, buf),
        }
    }
}

fn answer_from<T>(result: DialogResult<T>, answer: impl Fn(T) -> DialogAnswer) -> DialogAnswer {
    match result {
        DialogResult::Chosen(result) => answer(result),
        DialogResult::Canceled => DialogAnswer::Canceled,
        DialogResult::Pending => DialogAnswer::Pending,
    }
}

/// Does this key make a move on a board?
fn is_confirm_key(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Enter | KeyCode::Char(' '))
}

fn leave_answer(result: DialogResult<bool>, destination: Destination) -> DialogAnswer {
    answer_from(result, |leaves| match leaves {
        true => DialogAnswer::Leave(destination),
        false => DialogAnswer::Canceled,
    })
}

fn draw_answer(result: DialogResult<bool>) -> DialogAnswer {
    answer_from(result, |agrees| match agrees {
        true => DialogAnswer::AcceptDraw,
        false => DialogAnswer::Canceled,
    })
}

fn build_answer(result: DialogResult<TablebaseOffer>) -> DialogAnswer {
    answer_from(result, |offer| match offer {
        TablebaseOffer::Build => DialogAnswer::Build,
        TablebaseOffer::Decline => DialogAnswer::Canceled,
    })
}

fn new_player_answer(
    result: DialogResult<usize>,
    side: Side,
    candidates: &[Participant],
) -> DialogAnswer {
    answer_from(result, |index| match candidates.get(index) {
        Some(participant) => DialogAnswer::NewPlayer(side, participant.clone()),
        None => DialogAnswer::Canceled,
    })
}

impl GameScreen {
    /// Passes a key to the open dialog.
    pub(super) fn handle_dialog_key(
        &mut self,
        key: KeyEvent,
        context: &mut AppContext,
    ) -> Navigation {
        let answer = self
            .dialog
            .as_mut()
            .map_or(DialogAnswer::Canceled, |open| open.handle_key(key));
        self.handle_answer(answer, context)
    }

    pub(super) fn handle_dialog_mouse(
        &mut self,
        mouse: MouseEvent,
        context: &mut AppContext,
    ) -> Navigation {
        let dialog = self.dialog.as_mut();
        let answer = dialog.map_or(DialogAnswer::Canceled, |open| open.handle_mouse(mouse));
        self.handle_answer(answer, context)
    }

    fn handle_answer(&mut self, answer: DialogAnswer, context: &mut AppContext) -> Navigation {
        if !matches!(answer, DialogAnswer::Pending) {
            self.dialog = None;
        }
        match answer {
            DialogAnswer::Pending | DialogAnswer::Canceled => {}
            DialogAnswer::Build => context.build_tablebase(),
            DialogAnswer::Leave(destination) => return self.leave(destination, context),
            DialogAnswer::Side(side) => self.ask_new_player(side, context),
            DialogAnswer::NewPlayer(side, participant) => {
                self.submit_interrupting(GameAction::Reseat(side, participant), context);
            }
            DialogAnswer::EndGame(choice) => self.end_game(choice, context),
            DialogAnswer::AcceptDraw => self.submit_interrupting(GameAction::AgreeDraw, context),
            DialogAnswer::GameOver(choice) => return self.handle_game_over(choice, context),
        }
        Navigation::Stay
    }

    /// Leaves at once if the game is over, otherwise asks for confirmation.
    pub(super) fn confirm_leave(
        &mut self,
        destination: Destination,
        context: &mut AppContext,
    ) -> Navigation {
        let warning = match destination {
            Destination::Menu | Destination::Restart => None,
            Destination::Quit => context.quit_warning(),
        };
        let is_over = self.game.result().is_some();
        let is_untouched = destination == Destination::Restart && self.game.session().is_unplayed();
        if (is_over && warning.is_none()) || is_untouched {
            return self.leave(destination, context);
        }
        let explanation = match (
            self.game.session().is_unplayed(),
            context.store_handle.is_persistent(),
            destination,
        ) {
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
        let choices = vec![
            DialogChoice::new('n', if is_over { "Stay" } else { "Keep playing" }, false),
            DialogChoice::new('y', yes, true),
        ];
        let explanation = (!is_over).then(|| Line::from(explanation));
        let text = explanation
            .into_iter()
            .chain(warning.map(Line::from))
            .collect();
        let dialog = Dialog::new(title, text, choices);
        self.dialog = Some(GameDialog::Leave(dialog, destination));
        Navigation::Stay
    }

    /// Ends this game without a result and starts it again.
    fn restart(&mut self, context: &mut AppContext) -> Navigation {
        if self.game.result().is_none() && !self.game.session().is_unplayed() {
            let store = context.store_handle.store();
            let abandoned = self.game.session().apply(store, GameAction::Abandon);
            if let Err(problem) = context.store_handle.block_on(abandoned) {
                self.notice = Some(Notice::Error(problem.cause()));
                return Navigation::Stay;
            }
            self.bots.stop();
            self.advisor.stop();
        } else {
            self.release(context);
        }
        self.handle_game_over(GameOverChoice::Rematch, context)
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
        if !self.advisor.is_analysis_on() && !self.record_assistance(Assistance::Analysis, context)
        {
            return;
        }
        self.advisor.toggle_analysis(self.game.state(), context);
        if self.advisor.is_analysis_on()
            && tablebase_offer::should_offer(context, self.game.state().variant())
        {
            self.dialog = Some(GameDialog::TablebaseOffer(tablebase_offer::dialog(context)));
        }
    }

    pub(super) fn ask_side_to_hand_over(&mut self) {
        let choices = Side::BOTH.map(|side| {
            let text = format!("{side}, played by {name}", name = self.game.name(side));
            DialogChoice::new(side.letter(), text, side)
        });
        let (changed_hands, has_moves) = (
            self.game.session().has_changed_hands(),
            !self.game.entries.is_empty(),
        );
        let text = match (changed_hands, has_moves) {
            (true, _) => unrated_notice(UnratedReason::ChangedHands, false),
            (false, true) => "The game won't be rated if another player takes over.".to_owned(),
            (false, false) => {
                "No moves have been made, so this doesn't affect the rating.".to_owned()
            }
        };
        let text = vec![Line::from(text)];
        let dialog = Dialog::new("Hand over which side?", text, choices.into());
        self.dialog = Some(GameDialog::Side(dialog));
    }

    fn ask_new_player(&mut self, side: Side, context: &AppContext) {
        let candidates = self.candidates(side, context);
        // The digits, then letters.
        let keys = ('1'..='9').chain(['0']).chain('a'..='i');
        let choices = candidates
            .iter()
            .zip(keys)
            .enumerate()
            .map(|(index, (participant, key))| {
                let kind = match participant {
                    Participant::Player(_) | Participant::Guest => "human",
                    Participant::Bot(_) => "computer",
                };
                DialogChoice::new(
                    key,
                    format!("{:<14} {kind}", participant.to_string()),
                    index,
                )
            });
        let title = format!("Who plays {side} from now on?");
        let dialog = Dialog::new(title, Vec::new(), choices.collect());
        self.dialog = Some(GameDialog::NewPlayer(dialog, side, candidates));
    }

    /// Who could take over this seat: humans first for a bot's side, bots first for a human's.
    fn candidates(&self, side: Side, context: &AppContext) -> Vec<Participant> {
        let session = self.game.session();
        let variant = self.game.variant();
        let bots = BotKind::ALL.into_iter();
        let bots = bots.filter(|kind| kind.check_supports(variant).is_ok());
        let bots = bots
            .map(Participant::Bot)
            .filter(|participant| participant != session.participant(side));
        let humans = self
            .humans_without_seat(side, context)
            .into_iter()
            .map(Participant::Player);
        match session.participant(side) {
            Participant::Player(_) | Participant::Guest => bots.chain(humans).collect(),
            Participant::Bot(_) => humans.chain(bots).collect(),
        }
    }

    /// Humans without a seat: first the earlier players of this game, then the known players; a
    /// default name if there are none.
    fn humans_without_seat(&self, side: Side, context: &AppContext) -> Vec<Name> {
        let session = self.game.session();
        let store = context.store_handle.store();
        let known = context
            .store_handle
            .block_on(store.all_players())
            .unwrap_or_default();
        let known = known.into_iter().map(|(name, _)| name);
        let mut humans: Vec<Name> = Vec::new();
        for name in self.past_players.iter().cloned().chain(known) {
            let has_seat = session
                .seats()
                .iter()
                .any(|participant| participant.player_name() == Some(&name));
            if !has_seat && !humans.contains(&name) && humans.len() < MAX_PLAYERS {
                humans.push(name);
            }
        }
        if humans.is_empty() {
            let default_name = match side {
                Side::X => "Player 1",
                Side::O => "Player 2",
            };
            humans.extend(Name::new(default_name));
        }
        humans
    }

    pub(super) fn ask_to_end_game(&mut self) {
        let session = self.game.session();
        let mut choices = vec![DialogChoice::new(
            'n',
            "Keep playing",
            EndGameChoice::Continue,
        )];
        if let Some(side) = self.game.human_side() {
            let other = self.game.name(side.other());
            let resign = format!("Resign ({other} wins)");
            choices.push(DialogChoice::new('r', resign, EndGameChoice::Resign(side)));
            let offer = format!("Offer {other} a draw");
            choices.push(DialogChoice::new('d', offer, EndGameChoice::OfferDraw));
        }
        let abandon = "Abandon the game (no result)";
        choices.push(DialogChoice::new('g', abandon, EndGameChoice::Abandon));
        let title = match self.game.human_side() {
            Some(side) => format!("{name} ({side})", name = session.participant(side)),
            None => "End this game?".into(),
        };
        let text = vec![Line::from("This can't be undone.")];
        self.dialog = Some(GameDialog::EndGame(Dialog::new(title, text, choices)));
    }

    fn end_game(&mut self, choice: EndGameChoice, context: &mut AppContext) {
        match choice {
            EndGameChoice::Continue => {}
            EndGameChoice::Resign(side) => {
                self.submit_interrupting(GameAction::Resign(side), context);
            }
            EndGameChoice::Abandon => self.submit_interrupting(GameAction::Abandon, context),
            EndGameChoice::OfferDraw => self.offer_draw(context),
        }
    }

    /// A human is asked; for a bot, the advisor evaluates the position.
    fn offer_draw(&mut self, context: &mut AppContext) {
        let Some(side) = self.game.human_side() else {
            return;
        };
        let other = side.other();
        match self.game.session().participant(other) {
            name @ (Participant::Player(_) | Participant::Guest) => {
                let text = format!("{offerer} offers a draw.", offerer = self.game.name(side));
                let choices = vec![
                    DialogChoice::new('n', "Decline and keep playing", false),
                    DialogChoice::new('y', "Accept the draw", true),
                ];
                let title = format!("{name}, do you accept?");
                let dialog = Dialog::new(title, vec![Line::from(text)], choices);
                self.dialog = Some(GameDialog::DrawOffer(dialog));
            }
            Participant::Bot(kind) => {
                let text = format!("{kind} is considering your draw offer.");
                self.notice = Some(Notice::Info(text));
                self.advisor.offer_draw(self.game.state(), other, context);
            }
        }
    }

    pub(super) fn show_help(&mut self, theme: &Theme) {
        self.dialog = Some(GameDialog::Rules(self.help(theme)));
    }

    pub(super) fn game_over_dialog(&self, context: &AppContext) -> Option<GameDialog> {
        let session = self.game.session();
        let over = session.game_over()?;
        let game_over = GameOverText::new(
            over,
            self.game.tallies(),
            session.unrated_reason(),
            &context.theme,
        );
        let choices = vec![
            DialogChoice::new('a', "Rematch, same sides", GameOverChoice::Rematch),
            DialogChoice::new('s', "Rematch, swap sides", GameOverChoice::RematchSwapped),
            DialogChoice::new('v', "Review the game", GameOverChoice::Review),
            DialogChoice::new('c', "Change players or game", GameOverChoice::Menu),
            DialogChoice::new('q', "Quit", GameOverChoice::Quit),
        ];
        let title = truncate(
            &game_over.title(),
            MAX_TITLE_COLUMNS,
            context.theme.ellipsis(),
        );
        let dialog = Dialog::new(title, game_over.lines(&context.theme), choices);
        Some(GameDialog::GameOver(dialog, Instant::now() + ENTER_DELAY))
    }

    fn handle_game_over(&mut self, choice: GameOverChoice, context: &mut AppContext) -> Navigation {
        let setup = match choice {
            GameOverChoice::Rematch => self.setup.clone(),
            GameOverChoice::RematchSwapped => self.setup.swapped(),
            GameOverChoice::Menu => return self.leave(Destination::Menu, context),
            GameOverChoice::Quit => return self.leave(Destination::Quit, context),
            GameOverChoice::Review => return self.review(context),
        };
        match GameScreen::start(context, &setup, self.start_state.clone()) {
            Ok(mut screen) => {
                screen.playback = std::mem::replace(&mut self.playback, super::Playback::new());
                screen.playback.set_paused(false);
                screen.match_score = self.match_score.clone();
                if self.advisor.is_analysis_on()
                    && screen.record_assistance(Assistance::Analysis, context)
                {
                    screen.advisor.toggle_analysis(screen.game.state(), context);
                }
                Navigation::Go(Box::new(screen))
            }
            Err(reason) => {
                self.notice = Some(Notice::Error(reason));
                Navigation::Stay
            }
        }
    }

    /// Opens the review of this game, which leads back to the game-over dialog.
    fn review(&mut self, context: &mut AppContext) -> Navigation {
        let session = self.game.session().clone();
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
        match ReviewScreen::open(context, id, Box::new(back)) {
            Ok(review) => Navigation::Go(review),
            Err(reason) => {
                self.notice = Some(Notice::Error(reason));
                Navigation::Stay
            }
        }
    }
}
