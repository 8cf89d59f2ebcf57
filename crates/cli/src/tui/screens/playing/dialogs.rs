//! The questions that the screen asks, and what the answers do.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use noughts_engine::BotKind;
use noughts_rules::Player;
use noughts_store::{Assistance, Name};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ending::Ended;
use super::{Notice, Playing};
use crate::tui::house::House;
use crate::tui::look::Look;
use crate::tui::screens::menu::Menu;
use crate::tui::screens::review::Review;
use crate::tui::screens::table::{self, Offer};
use crate::tui::screens::{Next, Screen};
use crate::tui::widgets::{Choice, Dialog, Picked, Reader, short};
use noughts_session::{Step, Who};

/// What lies over the board.
pub(super) enum Open {
    Leave(Dialog<bool>, Destination),
    /// Which side changes hands.
    Side(Dialog<Player>),
    /// To whom it goes.
    Heir(Dialog<usize>, Player, Vec<Who>),
    Settle(Dialog<Settle>),
    /// Does the other one agree to a draw?
    Agree(Dialog<bool>),
    /// Is the exact table to be built?
    Table(Dialog<Offer>),
    Rules(Reader),
    /// Deaf to Enter until then.
    End(Dialog<After>, Instant),
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
pub(super) enum Settle {
    Resign(Player),
    OfferDraw,
    Abandon,
    PlayOn,
}

/// What comes after a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    Again,
    Swapped,
    Review,
    Menu,
    Quit,
}

/// What was picked, in whichever dialog.
enum Done {
    Leave(Destination),
    Side(Player),
    Hand(Player, Who),
    Settle(Settle),
    Agreed,
    Build,
    After(After),
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

impl Open {
    fn key(&mut self, key: KeyEvent) -> Done {
        match self {
            Open::Leave(dialog, destination) => leave(dialog.key(key), *destination),
            Open::Side(dialog) => done(dialog.key(key), Done::Side),
            Open::Heir(dialog, side, heirs) => heir(dialog.key(key), *side, heirs),
            Open::Settle(dialog) => done(dialog.key(key), Done::Settle),
            Open::Agree(dialog) => agree(dialog.key(key)),
            Open::Table(dialog) => build(dialog.key(key)),
            // Meant for the board: nobody has read the choices yet.
            Open::End(_, deaf) if is_make(key) && Instant::now() < *deaf => Done::Open,
            Open::End(dialog, _) => done(dialog.key(key), Done::After),
            Open::Rules(reader) => match reader.key(key) {
                true => Done::Open,
                false => Done::Closed,
            },
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Done {
        match self {
            Open::Leave(dialog, destination) => leave(dialog.mouse(mouse), *destination),
            Open::Side(dialog) => done(dialog.mouse(mouse), Done::Side),
            Open::Heir(dialog, side, heirs) => heir(dialog.mouse(mouse), *side, heirs),
            Open::Settle(dialog) => done(dialog.mouse(mouse), Done::Settle),
            Open::Agree(dialog) => agree(dialog.mouse(mouse)),
            Open::Table(dialog) => build(dialog.mouse(mouse)),
            Open::End(dialog, _) => done(dialog.mouse(mouse), Done::After),
            Open::Rules(reader) => {
                reader.mouse(mouse);
                Done::Open
            }
        }
    }

    pub(super) fn is_end(&self) -> bool {
        matches!(self, Open::End(..))
    }

    pub(super) fn render(&mut self, look: &Look, area: Rect, buf: &mut Buffer) {
        match self {
            Open::Leave(dialog, _) | Open::Agree(dialog) => dialog.render(look, area, buf),
            Open::Side(dialog) => dialog.render(look, area, buf),
            Open::Heir(dialog, ..) => dialog.render(look, area, buf),
            Open::Settle(dialog) => dialog.render(look, area, buf),
            Open::Table(dialog) => dialog.render(look, area, buf),
            Open::End(dialog, _) => dialog.render(look, area, buf),
            Open::Rules(reader) => reader.render(look, area, buf),
        }
    }
}

fn done<T>(picked: Picked<T>, answer: impl Fn(T) -> Done) -> Done {
    match picked {
        Picked::Answer(picked) => answer(picked),
        Picked::Closed => Done::Closed,
        Picked::Open => Done::Open,
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

fn heir(picked: Picked<usize>, side: Player, heirs: &[Who]) -> Done {
    done(picked, |at| match heirs.get(at) {
        Some(who) => Done::Hand(side, who.clone()),
        None => Done::Closed,
    })
}

impl Playing {
    /// Gives a key to the dialog that is open.
    pub(super) fn dialog_key(&mut self, key: KeyEvent, house: &mut House) -> Next {
        let done = self
            .open
            .as_mut()
            .map_or(Done::Closed, |open| open.key(key));
        self.answer(done, house)
    }

    pub(super) fn dialog_mouse(&mut self, mouse: MouseEvent, house: &mut House) -> Next {
        let open = self.open.as_mut();
        let done = open.map_or(Done::Closed, |open| open.mouse(mouse));
        self.answer(done, house)
    }

    fn answer(&mut self, done: Done, house: &mut House) -> Next {
        if !matches!(done, Done::Open) {
            self.open = None;
        }
        match done {
            Done::Open | Done::Closed => {}
            Done::Build => house.build_table(),
            Done::Leave(destination) => return self.leave(destination, house),
            Done::Side(side) => self.ask_heir(side, house),
            Done::Hand(side, who) => self.step_instead(Step::Hand(side, who), house),
            Done::Settle(settle) => self.settle(settle, house),
            Done::Agreed => self.step_instead(Step::AgreeDraw, house),
            Done::After(after) => return self.after(after, house),
        }
        Next::Stay
    }

    /// Leaves at once when the game is over, and asks when it is not.
    pub(super) fn ask_to_leave(&mut self, destination: Destination, house: &mut House) -> Next {
        let lost = match destination {
            Destination::Menu | Destination::Restart => None,
            Destination::Quit => house.lost_by_quitting(),
        };
        let is_over = self.table.over().is_some();
        let is_untouched =
            destination == Destination::Restart && self.table.session().is_untouched();
        if (is_over && lost.is_none()) || is_untouched {
            return self.leave(destination, house);
        }
        let what = match (
            self.table.session().is_untouched(),
            house.keeper.is_kept(),
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
        self.open = Some(Open::Leave(dialog, destination));
        Next::Stay
    }

    /// Ends this game without a result, and starts it again.
    fn restart(&mut self, house: &mut House) -> Next {
        if self.table.over().is_none() && !self.table.session().is_untouched() {
            let store = house.keeper.store();
            let abandoned = self.table.session().step(store, Step::Abandon);
            if let Err(problem) = house.keeper.wait(abandoned) {
                self.notice = Some(Notice::Refused(problem.cause()));
                return Next::Stay;
            }
            self.computers.stop();
            self.advice.stop();
        } else {
            self.let_go(house);
        }
        self.after(After::Again, house)
    }

    fn leave(&mut self, destination: Destination, house: &mut House) -> Next {
        match destination {
            Destination::Restart => self.restart(house),
            Destination::Menu => {
                self.let_go(house);
                Next::Go(Menu::open(house))
            }
            Destination::Quit => {
                self.let_go(house);
                Next::Quit
            }
        }
    }

    /// Switches the analysis on or off; the first time, a table that would make it
    /// exact is offered.
    pub(super) fn switch_analysis(&mut self, house: &mut House) {
        if !self.advice.is_on() && !self.assist(Assistance::Analysis, house) {
            return;
        }
        self.advice.toggle(self.table.play(), house);
        if self.advice.is_on() && table::is_missing(house, self.table.play().variant()) {
            self.open = Some(Open::Table(table::offer(house)));
        }
    }

    pub(super) fn ask_side(&mut self) {
        let choices = Player::BOTH.map(|side| {
            let text = format!("{side}, played by {}", self.table.name(side));
            Choice::new(side.letter(), text, side)
        });
        let (handed, begun) = (
            self.table.session().is_handed(),
            !self.table.entries.is_empty(),
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
        self.open = Some(Open::Side(dialog));
    }

    fn ask_heir(&mut self, side: Player, house: &House) {
        let heirs = self.heirs(side, house);
        // The digits, then letters.
        let keys = ('1'..='9').chain(['0']).chain('a'..='i');
        let choices = heirs.iter().zip(keys).enumerate().map(|(at, (who, key))| {
            let what = match who {
                Who::Person(_) | Who::Guest => "at this keyboard",
                Who::Bot(_) => "computer",
            };
            Choice::new(key, format!("{:<14} {what}", who.to_string()), at)
        });
        let title = format!("Who plays {side} from now on?");
        let dialog = Dialog::new(title, Vec::new(), choices.collect());
        self.open = Some(Open::Heir(dialog, side, heirs));
    }

    /// Everybody who could take this seat from the one who has it: a computer's side
    /// goes to people first, a person's to computers.
    fn heirs(&self, side: Player, house: &House) -> Vec<Who> {
        let session = self.table.session();
        let variant = self.table.variant();
        let bots = BotKind::ALL.into_iter();
        let bots = bots.filter(|kind| kind.plays(variant).is_ok());
        let bots = bots.map(Who::Bot).filter(|who| who != session.who(side));
        let people = self.people_for(side, house).into_iter().map(Who::Person);
        match session.who(side) {
            Who::Person(_) | Who::Guest => bots.chain(people).collect(),
            Who::Bot(_) => people.chain(bots).collect(),
        }
    }

    /// People without a seat: those who had one in this game, then those who are
    /// known; somebody where there is nobody.
    fn people_for(&self, side: Player, house: &House) -> Vec<Name> {
        let session = self.table.session();
        let store = house.keeper.store();
        let known = house.keeper.wait(store.people()).unwrap_or_default();
        let known = known.into_iter().map(|(name, _)| name);
        let mut people: Vec<Name> = Vec::new();
        for name in self.people.iter().cloned().chain(known) {
            let sits = session
                .seats()
                .iter()
                .any(|who| who.person() == Some(&name));
            if !sits && !people.contains(&name) && people.len() < MOST_PEOPLE {
                people.push(name);
            }
        }
        if people.is_empty() {
            let somebody = match side {
                Player::X => "Player 1",
                Player::O => "Player 2",
            };
            people.extend(Name::new(somebody));
        }
        people
    }

    pub(super) fn ask_to_settle(&mut self) {
        let session = self.table.session();
        let mut choices = vec![Choice::new('n', "play on", Settle::PlayOn)];
        if let Some(side) = self.table.side_of_person() {
            let other = self.table.name(side.other());
            let resign = format!("resign: {other} wins");
            choices.push(Choice::new('r', resign, Settle::Resign(side)));
            let offer = format!("offer {other} a draw");
            choices.push(Choice::new('d', offer, Settle::OfferDraw));
        }
        let abandon = "give the game up without a result";
        choices.push(Choice::new('g', abandon, Settle::Abandon));
        let title = match self.table.side_of_person() {
            Some(side) => format!("{} ({side})", session.who(side)),
            None => "End this game?".into(),
        };
        let text = vec![Line::from(
            "What is settled is settled: an ended game is final.",
        )];
        self.open = Some(Open::Settle(Dialog::new(title, text, choices)));
    }

    fn settle(&mut self, settle: Settle, house: &mut House) {
        match settle {
            Settle::PlayOn => {}
            Settle::Resign(side) => self.step_instead(Step::Resign(side), house),
            Settle::Abandon => self.step_instead(Step::Abandon, house),
            Settle::OfferDraw => self.offer_draw(house),
        }
    }

    /// A person is asked; a computer is asked what it thinks of its position.
    fn offer_draw(&mut self, house: &mut House) {
        let Some(side) = self.table.side_of_person() else {
            return;
        };
        let other = side.other();
        match self.table.session().who(other) {
            name @ (Who::Person(_) | Who::Guest) => {
                let text = format!("{} offers a draw.", self.table.name(side));
                let choices = vec![
                    Choice::new('n', "no, play on", false),
                    Choice::new('y', "yes, a draw", true),
                ];
                let title = format!("{name}, do you agree?");
                let dialog = Dialog::new(title, vec![Line::from(text)], choices);
                self.open = Some(Open::Agree(dialog));
            }
            Who::Bot(kind) => {
                let text = format!("{kind} thinks about your offer");
                self.notice = Some(Notice::Told(text));
                self.advice.offer_draw(self.table.play(), other, house);
            }
        }
    }

    pub(super) fn show_rules(&mut self, look: &Look) {
        self.open = Some(Open::Rules(self.help(look)));
    }

    pub(super) fn end_dialog(&self, house: &House) -> Open {
        let session = self.table.session();
        let (result, end) = self
            .table
            .over()
            .unwrap_or((None, noughts_store::End::Abandoned));
        let ended = Ended {
            result,
            end,
            how: self.table.how_it_ended(),
            seats: session.seats(),
            tallies: self.table.tallies(),
            handed: session.is_handed(),
            assisted: session.assisted(),
            moves: self.table.entries.len(),
        };
        let choices = vec![
            Choice::new('a', "again, the same sides", After::Again),
            Choice::new('s', "again, sides swapped", After::Swapped),
            Choice::new('v', "review the game", After::Review),
            Choice::new('c', "change players or game", After::Menu),
            Choice::new('q', "quit", After::Quit),
        ];
        let title = short(&ended.title(), LONGEST_TITLE, house.look.more());
        let dialog = Dialog::new(title, ended.lines(&house.look), choices);
        Open::End(dialog, Instant::now() + UNSEEN)
    }

    fn after(&mut self, after: After, house: &mut House) -> Next {
        let setup = match after {
            After::Again => self.began.clone(),
            After::Swapped => self.began.swapped(),
            After::Menu => return self.leave(Destination::Menu, house),
            After::Quit => return self.leave(Destination::Quit, house),
            After::Review => return self.review(house),
        };
        match Playing::start(house, &setup, self.from.clone()) {
            Ok(mut playing) => {
                playing.pace = std::mem::replace(&mut self.pace, super::Pace::new());
                playing.pace.pause(false);
                playing.score = self.score.clone();
                if self.advice.is_on() && playing.assist(Assistance::Analysis, house) {
                    playing.advice.toggle(playing.table.play(), house);
                }
                Next::Go(Box::new(playing))
            }
            Err(reason) => {
                self.notice = Some(Notice::Refused(reason));
                Next::Stay
            }
        }
    }

    /// The review of this game, from which one comes back here.
    fn review(&mut self, house: &mut House) -> Next {
        let session = self.table.session().clone();
        let id = session.id();
        let (began, from, score) = (self.began.clone(), self.from.clone(), self.score.clone());
        let back = move |house: &mut House| -> Box<dyn Screen> {
            let mut playing = Playing::of(house, session);
            playing.began = began;
            playing.from = from;
            playing.score = score;
            playing.open = Some(playing.end_dialog(house));
            Box::new(playing)
        };
        match Review::open(house, id, Box::new(back)) {
            Ok(review) => Next::Go(review),
            Err(reason) => {
                self.notice = Some(Notice::Refused(reason));
                Next::Stay
            }
        }
    }
}
