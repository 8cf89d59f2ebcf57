//! The questions that the screen asks, and what the answers do.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use noughts_engine::BotKind;
use noughts_rules::Side;
use noughts_store::{Assistance, Name};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::game_over::GameOverText;
use super::{GameScreen, Notice};
use crate::tui::app_context::AppContext;
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::review::ReviewScreen;
use crate::tui::screens::tablebase_offer::{self, Offer};
use crate::tui::screens::{Navigation, Screen};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Choice, Dialog, Picked, TextViewer, truncate};
use noughts_session::{GameAction, Participant};

/// What lies over the board.
pub(super) enum GameDialog {
    Leave(Dialog<bool>, Destination),
    /// Which side changes hands.
    Side(Dialog<Side>),
    /// To whom it goes.
    Heir(Dialog<usize>, Side, Vec<Participant>),
    EndGame(Dialog<EndGameChoice>),
    /// Does the other one agree to a draw?
    Agree(Dialog<bool>),
    /// Is the exact table to be built?
    TablebaseOffer(Dialog<Offer>),
    Rules(TextViewer),
    /// Deaf to Enter until then.
    GameOver(Dialog<GameOverChoice>, Instant),
}

/// Where one goes from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination {
    /// The same game from its start.
    Restart,
    Menu,
    Quit,
}

/// Ways to end a game without playing it to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndGameChoice {
    Resign(Side),
    OfferDraw,
    Abandon,
    PlayOn,
}

/// What comes after a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameOverChoice {
    Again,
    Swapped,
    Review,
    Menu,
    Quit,
}

/// What was picked, in whichever dialog.
enum Done {
    Leave(Destination),
    Side(Side),
    Hand(Side, Participant),
    Settle(EndGameChoice),
    Agreed,
    Build,
    After(GameOverChoice),
    /// It is closed, and that is all.
    Closed,
    /// It stays open.
    Open,
}

/// People offered a seat: more would not fit.
const MOST_PEOPLE: usize = 6;

/// A dialog that nobody asked for is not seen for so long.
const UNSEEN: Duration = Duration::from_millis(400);

/// In columns: what the narrowest dialog has room for.
const LONGEST_TITLE: u16 = 32;

impl GameDialog {
    fn key(&mut self, key: KeyEvent) -> Done {
        match self {
            GameDialog::Leave(dialog, destination) => leave(dialog.handle_key(key), *destination),
            GameDialog::Side(dialog) => done(dialog.handle_key(key), Done::Side),
            GameDialog::Heir(dialog, side, heirs) => heir(dialog.handle_key(key), *side, heirs),
            GameDialog::EndGame(dialog) => done(dialog.handle_key(key), Done::Settle),
            GameDialog::Agree(dialog) => agree(dialog.handle_key(key)),
            GameDialog::TablebaseOffer(dialog) => build(dialog.handle_key(key)),
            // Meant for the board: nobody has read the choices yet.
            GameDialog::GameOver(_, deaf) if is_make(key) && Instant::now() < *deaf => Done::Open,
            GameDialog::GameOver(dialog, _) => done(dialog.handle_key(key), Done::After),
            GameDialog::Rules(reader) => match reader.handle_key(key) {
                true => Done::Open,
                false => Done::Closed,
            },
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Done {
        match self {
            GameDialog::Leave(dialog, destination) => {
                leave(dialog.handle_mouse(mouse), *destination)
            }
            GameDialog::Side(dialog) => done(dialog.handle_mouse(mouse), Done::Side),
            GameDialog::Heir(dialog, side, heirs) => heir(dialog.handle_mouse(mouse), *side, heirs),
            GameDialog::EndGame(dialog) => done(dialog.handle_mouse(mouse), Done::Settle),
            GameDialog::Agree(dialog) => agree(dialog.handle_mouse(mouse)),
            GameDialog::TablebaseOffer(dialog) => build(dialog.handle_mouse(mouse)),
            GameDialog::GameOver(dialog, _) => done(dialog.handle_mouse(mouse), Done::After),
            GameDialog::Rules(reader) => {
                reader.handle_mouse(mouse);
                Done::Open
            }
        }
    }

    pub(super) fn is_end(&self) -> bool {
        matches!(self, GameDialog::GameOver(..))
    }

    pub(super) fn render(&mut self, look: &Theme, area: Rect, buf: &mut Buffer) {
        match self {
            GameDialog::Leave(dialog, _) | GameDialog::Agree(dialog) => {
                dialog.render(look, area, buf)
            }
            GameDialog::Side(dialog) => dialog.render(look, area, buf),
            GameDialog::Heir(dialog, ..) => dialog.render(look, area, buf),
            GameDialog::EndGame(dialog) => dialog.render(look, area, buf),
            GameDialog::TablebaseOffer(dialog) => dialog.render(look, area, buf),
            GameDialog::GameOver(dialog, _) => dialog.render(look, area, buf),
            GameDialog::Rules(reader) => reader.render(look, area, buf),
        }
    }
}

fn done<T>(picked: Picked<T>, answer: impl Fn(T) -> Done) -> Done {
    match picked {
        Picked::Chosen(picked) => answer(picked),
        Picked::Canceled => Done::Closed,
        Picked::Pending => Done::Open,
    }
}

/// Is it a key that makes a move on a board?
fn is_make(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Enter | KeyCode::Char(' '))
}

fn leave(picked: Picked<bool>, destination: Destination) -> Done {
    done(picked, |leaves| match leaves {
        true => Done::Leave(destination),
        false => Done::Closed,
    })
}

fn agree(picked: Picked<bool>) -> Done {
    done(picked, |agrees| match agrees {
        true => Done::Agreed,
        false => Done::Closed,
    })
}

fn build(picked: Picked<Offer>) -> Done {
    done(picked, |offer| match offer {
        Offer::Build => Done::Build,
        Offer::Without => Done::Closed,
    })
}

fn heir(picked: Picked<usize>, side: Side, heirs: &[Participant]) -> Done {
    done(picked, |at| match heirs.get(at) {
        Some(who) => Done::Hand(side, who.clone()),
        None => Done::Closed,
    })
}

impl GameScreen {
    /// Gives a key to the dialog that is open.
    pub(super) fn dialog_key(&mut self, key: KeyEvent, house: &mut AppContext) -> Navigation {
        let done = self
            .dialog
            .as_mut()
            .map_or(Done::Closed, |open| open.key(key));
        self.answer(done, house)
    }

    pub(super) fn dialog_mouse(&mut self, mouse: MouseEvent, house: &mut AppContext) -> Navigation {
        let open = self.dialog.as_mut();
        let done = open.map_or(Done::Closed, |open| open.mouse(mouse));
        self.answer(done, house)
    }

    fn answer(&mut self, done: Done, house: &mut AppContext) -> Navigation {
        if !matches!(done, Done::Open) {
            self.dialog = None;
        }
        match done {
            Done::Open | Done::Closed => {}
            Done::Build => house.build_table(),
            Done::Leave(destination) => return self.leave(destination, house),
            Done::Side(side) => self.ask_heir(side, house),
            Done::Hand(side, who) => self.step_instead(GameAction::Reseat(side, who), house),
            Done::Settle(settle) => self.settle(settle, house),
            Done::Agreed => self.step_instead(GameAction::AgreeDraw, house),
            Done::After(after) => return self.after(after, house),
        }
        Navigation::Stay
    }

    /// Leaves at once when the game is over, and asks when it is not.
    pub(super) fn ask_to_leave(
        &mut self,
        destination: Destination,
        house: &mut AppContext,
    ) -> Navigation {
        let lost = match destination {
            Destination::Menu | Destination::Restart => None,
            Destination::Quit => house.lost_by_quitting(),
        };
        let is_over = self.game.result().is_some();
        let is_untouched = destination == Destination::Restart && self.game.session().is_unplayed();
        if (is_over && lost.is_none()) || is_untouched {
            return self.leave(destination, house);
        }
        let what = match (
            self.game.session().is_unplayed(),
            house.store_handle.is_persistent(),
            destination,
        ) {
            (_, _, Destination::Restart) => {
                "This game ends without a result. This can't be undone."
            }
            (true, ..) => "No move has been made, so there is nothing to keep.",
            (false, true, _) => {
                "The game stays stored as it stands. You can resume it from the menu."
            }
            (false, false, Destination::Menu) => {
                "Nothing is kept in this run: the game can be resumed until the program ends."
            }
            (false, false, Destination::Quit) => {
                "Nothing is kept in this run: this game will be lost."
            }
        };
        let (title, yes) = match destination {
            Destination::Restart => ("Start over?", "start over"),
            Destination::Menu => ("Leave this game?", "leave it, to the menu"),
            Destination::Quit => ("Quit?", "quit"),
        };
        let choices = vec![
            Choice::new('n', if is_over { "stay" } else { "play on" }, false),
            Choice::new('y', yes, true),
        ];
        let what = (!is_over).then(|| Line::from(what));
        let text = what.into_iter().chain(lost.map(Line::from)).collect();
        let dialog = Dialog::new(title, text, choices);
        self.dialog = Some(GameDialog::Leave(dialog, destination));
        Navigation::Stay
    }

    /// Ends this game without a result, and starts it again.
    fn restart(&mut self, house: &mut AppContext) -> Navigation {
        if self.game.result().is_none() && !self.game.session().is_unplayed() {
            let store = house.store_handle.store();
            let abandoned = self.game.session().apply(store, GameAction::Abandon);
            if let Err(problem) = house.store_handle.block_on(abandoned) {
                self.notice = Some(Notice::Error(problem.cause()));
                return Navigation::Stay;
            }
            self.bots.stop();
            self.advisor.stop();
        } else {
            self.release(house);
        }
        self.after(GameOverChoice::Again, house)
    }

    fn leave(&mut self, destination: Destination, house: &mut AppContext) -> Navigation {
        match destination {
            Destination::Restart => self.restart(house),
            Destination::Menu => {
                self.release(house);
                Navigation::Go(MenuScreen::open(house))
            }
            Destination::Quit => {
                self.release(house);
                Navigation::Quit
            }
        }
    }

    /// Switches the analysis on or off; the first time, a table that would make it
    /// exact is offered.
    pub(super) fn switch_analysis(&mut self, house: &mut AppContext) {
        if !self.advisor.is_on() && !self.record_assistance(Assistance::Analysis, house) {
            return;
        }
        self.advisor.toggle(self.game.state(), house);
        if self.advisor.is_on() && tablebase_offer::is_missing(house, self.game.state().variant()) {
            self.dialog = Some(GameDialog::TablebaseOffer(tablebase_offer::dialog(house)));
        }
    }

    pub(super) fn ask_side(&mut self) {
        let choices = Side::BOTH.map(|side| {
            let text = format!("{side}, played by {}", self.game.name(side));
            Choice::new(side.letter(), text, side)
        });
        let (handed, begun) = (
            self.game.session().has_changed_hands(),
            !self.game.entries.is_empty(),
        );
        let text = match (handed, begun) {
            (true, _) => "A side has changed hands already: the game counts in nobody's record.",
            (false, true) => {
                "From then on the game counts in nobody's record: it is no longer one player's game."
            }
            (false, false) => "No move has been made yet, so the game counts as if it began so.",
        };
        let text = vec![Line::from(text)];
        let dialog = Dialog::new("Which side changes hands?", text, choices.into());
        self.dialog = Some(GameDialog::Side(dialog));
    }

    fn ask_heir(&mut self, side: Side, house: &AppContext) {
        let heirs = self.heirs(side, house);
        // The digits, then letters.
        let keys = ('1'..='9').chain(['0']).chain('a'..='i');
        let choices = heirs.iter().zip(keys).enumerate().map(|(at, (who, key))| {
            let what = match who {
                Participant::Player(_) | Participant::Guest => "at this keyboard",
                Participant::Bot(_) => "computer",
            };
            Choice::new(key, format!("{:<14} {what}", who.to_string()), at)
        });
        let title = format!("Who plays {side} from now on?");
        let dialog = Dialog::new(title, Vec::new(), choices.collect());
        self.dialog = Some(GameDialog::Heir(dialog, side, heirs));
    }

    /// Everybody who could take this seat from the one who has it: a computer's side
    /// goes to people first, a person's to computers.
    fn heirs(&self, side: Side, house: &AppContext) -> Vec<Participant> {
        let session = self.game.session();
        let variant = self.game.variant();
        let bots = BotKind::ALL.into_iter();
        let bots = bots.filter(|kind| kind.check_supports(variant).is_ok());
        let bots = bots
            .map(Participant::Bot)
            .filter(|who| who != session.participant(side));
        let people = self
            .people_for(side, house)
            .into_iter()
            .map(Participant::Player);
        match session.participant(side) {
            Participant::Player(_) | Participant::Guest => bots.chain(people).collect(),
            Participant::Bot(_) => people.chain(bots).collect(),
        }
    }

    /// People without a seat: those who had one in this game, then those who are
    /// known; somebody where there is nobody.
    fn people_for(&self, side: Side, house: &AppContext) -> Vec<Name> {
        let session = self.game.session();
        let store = house.store_handle.store();
        let known = house
            .store_handle
            .block_on(store.all_players())
            .unwrap_or_default();
        let known = known.into_iter().map(|(name, _)| name);
        let mut people: Vec<Name> = Vec::new();
        for name in self.past_players.iter().cloned().chain(known) {
            let sits = session
                .seats()
                .iter()
                .any(|who| who.player_name() == Some(&name));
            if !sits && !people.contains(&name) && people.len() < MOST_PEOPLE {
                people.push(name);
            }
        }
        if people.is_empty() {
            let somebody = match side {
                Side::X => "Player 1",
                Side::O => "Player 2",
            };
            people.extend(Name::new(somebody));
        }
        people
    }

    pub(super) fn ask_to_settle(&mut self) {
        let session = self.game.session();
        let mut choices = vec![Choice::new('n', "play on", EndGameChoice::PlayOn)];
        if let Some(side) = self.game.side_of_person() {
            let other = self.game.name(side.other());
            let resign = format!("resign: {other} wins");
            choices.push(Choice::new('r', resign, EndGameChoice::Resign(side)));
            let offer = format!("offer {other} a draw");
            choices.push(Choice::new('d', offer, EndGameChoice::OfferDraw));
        }
        let abandon = "give the game up without a result";
        choices.push(Choice::new('g', abandon, EndGameChoice::Abandon));
        let title = match self.game.side_of_person() {
            Some(side) => format!("{} ({side})", session.participant(side)),
            None => "End this game?".into(),
        };
        let text = vec![Line::from(
            "What is settled is settled: an ended game is final.",
        )];
        self.dialog = Some(GameDialog::EndGame(Dialog::new(title, text, choices)));
    }

    fn settle(&mut self, settle: EndGameChoice, house: &mut AppContext) {
        match settle {
            EndGameChoice::PlayOn => {}
            EndGameChoice::Resign(side) => self.step_instead(GameAction::Resign(side), house),
            EndGameChoice::Abandon => self.step_instead(GameAction::Abandon, house),
            EndGameChoice::OfferDraw => self.offer_draw(house),
        }
    }

    /// A person is asked; a computer is asked what it thinks of its position.
    fn offer_draw(&mut self, house: &mut AppContext) {
        let Some(side) = self.game.side_of_person() else {
            return;
        };
        let other = side.other();
        match self.game.session().participant(other) {
            name @ (Participant::Player(_) | Participant::Guest) => {
                let text = format!("{} offers a draw.", self.game.name(side));
                let choices = vec![
                    Choice::new('n', "no, play on", false),
                    Choice::new('y', "yes, a draw", true),
                ];
                let title = format!("{name}, do you agree?");
                let dialog = Dialog::new(title, vec![Line::from(text)], choices);
                self.dialog = Some(GameDialog::Agree(dialog));
            }
            Participant::Bot(kind) => {
                let text = format!("{kind} thinks about your offer");
                self.notice = Some(Notice::Info(text));
                self.advisor.offer_draw(self.game.state(), other, house);
            }
        }
    }

    pub(super) fn show_rules(&mut self, look: &Theme) {
        self.dialog = Some(GameDialog::Rules(self.help(look)));
    }

    pub(super) fn end_dialog(&self, house: &AppContext) -> GameDialog {
        let session = self.game.session();
        let (result, end) = self
            .game
            .result()
            .unwrap_or((None, noughts_store::Termination::Abandoned));
        let ended = GameOverText {
            result,
            end,
            reason: self.game.ending_text(),
            seats: session.seats(),
            tallies: self.game.tallies(),
            handed: session.has_changed_hands(),
            assisted: session.assistance(),
            moves: self.game.entries.len(),
        };
        let choices = vec![
            Choice::new('a', "again, the same sides", GameOverChoice::Again),
            Choice::new('s', "again, sides swapped", GameOverChoice::Swapped),
            Choice::new('v', "review the game", GameOverChoice::Review),
            Choice::new('c', "change players or game", GameOverChoice::Menu),
            Choice::new('q', "quit", GameOverChoice::Quit),
        ];
        let title = truncate(&ended.title(), LONGEST_TITLE, house.theme.ellipsis());
        let dialog = Dialog::new(title, ended.lines(&house.theme), choices);
        GameDialog::GameOver(dialog, Instant::now() + UNSEEN)
    }

    fn after(&mut self, after: GameOverChoice, house: &mut AppContext) -> Navigation {
        let setup = match after {
            GameOverChoice::Again => self.setup.clone(),
            GameOverChoice::Swapped => self.setup.swapped(),
            GameOverChoice::Menu => return self.leave(Destination::Menu, house),
            GameOverChoice::Quit => return self.leave(Destination::Quit, house),
            GameOverChoice::Review => return self.review(house),
        };
        match GameScreen::start(house, &setup, self.start_state.clone()) {
            Ok(mut playing) => {
                playing.playback = std::mem::replace(&mut self.playback, super::Playback::new());
                playing.playback.set_paused(false);
                playing.match_score = self.match_score.clone();
                if self.advisor.is_on() && playing.record_assistance(Assistance::Analysis, house) {
                    playing.advisor.toggle(playing.game.state(), house);
                }
                Navigation::Go(Box::new(playing))
            }
            Err(reason) => {
                self.notice = Some(Notice::Error(reason));
                Navigation::Stay
            }
        }
    }

    /// The review of this game, from which one comes back here.
    fn review(&mut self, house: &mut AppContext) -> Navigation {
        let session = self.game.session().clone();
        let id = session.id();
        let (began, from, score) = (
            self.setup.clone(),
            self.start_state.clone(),
            self.match_score.clone(),
        );
        let back = move |house: &mut AppContext| -> Box<dyn Screen> {
            let mut playing = GameScreen::from_session(house, session);
            playing.setup = began;
            playing.start_state = from;
            playing.match_score = score;
            playing.dialog = Some(playing.end_dialog(house));
            Box::new(playing)
        };
        match ReviewScreen::open(house, id, Box::new(back)) {
            Ok(review) => Navigation::Go(review),
            Err(reason) => {
                self.notice = Some(Notice::Error(reason));
                Navigation::Stay
            }
        }
    }
}
