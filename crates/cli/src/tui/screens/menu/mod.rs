//! The menu: which game, with which options, who plays, who starts. One Enter is
//! enough. How it is drawn is in `draw.rs`.

mod at_once;
mod draw;
mod games;
mod level;
mod looks;
mod memory;
mod over;
mod person;
mod players;
mod preview;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use noughts_rules::Variant;
use noughts_session::options::Wish;
use noughts_store::{Name, Tally};
use ratatui::Frame;
use ratatui::text::Line;

use crate::tui::building::TableState;
use crate::tui::event::{Event, News, Ticket};
use crate::tui::house::House;
use crate::tui::screens::people::People;
use crate::tui::screens::playing::Playing;
use crate::tui::screens::saved::Saved;
use crate::tui::screens::table::{self, Offer};
use crate::tui::screens::{Next, Screen, rules};
use crate::tui::setup::{First, Setup};
use crate::tui::widgets::{Choice, Clicks, Dialog, KeyLine};
use games::MANY;
use level::LevelPicker;
use looks::Looks;
use over::{Over, Said};
use person::PersonPicker;
use players::{Player, stand_in};
use preview::Preview;

pub(crate) use at_once::begin_at_once;

pub(crate) struct Menu {
    /// Which of the list.
    game: usize,
    wishes: [Wish; MANY],
    players: [Player; 2],
    first: First,
    focus: Focus,
    people: Vec<(Name, Tally)>,
    /// The question for them.
    asked: Ticket,
    preview: Preview,
    /// The table of the game has to be looked for, which takes longer than a frame may.
    has_to_look: bool,
    over: Option<Over>,
    /// Why something was not done.
    problem: Option<String>,
    clicks: Clicks<Target>,
    keys: KeyLine,
}

/// Where the keys go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    /// The games, and what else there is below them.
    List(usize),
    Rule(usize),
    /// Person or computer?
    Kind(usize),
    /// Which one?
    Who(usize),
    First,
}

/// What can be clicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    List(usize),
    /// An option: on to the next value, or back.
    Rule(usize, bool),
    Kind(usize, bool),
    /// Another level or person; in the middle, all of them.
    Who(usize, Option<bool>),
    First(bool),
    Play,
}

/// What stands below the games in the list.
const LINKS: [(&str, char); 3] = [("People", 'p'), ("Saved games", 'g'), ("Appearance", 'c')];

impl Menu {
    /// The menu with the last choices; with those for a newcomer if there are none.
    pub(crate) fn open(house: &mut House) -> Box<dyn Screen> {
        let mut menu = Menu {
            game: 0,
            wishes: games::wishes(),
            players: [Player::person(), Player::computer()],
            first: First::One,
            focus: Focus::List(0),
            people: Vec::new(),
            asked: Ticket::default(),
            preview: Preview::new(Variant::CLASSIC),
            has_to_look: false,
            over: None,
            problem: None,
            clicks: Clicks::new(),
            keys: KeyLine::new(),
        };
        if let Some(kept) = house.remembered(memory::CHOICE) {
            memory::recall(&kept, &mut menu.wishes, &mut menu.players);
        }
        let kept = house.remembered(Setup::CHOICE);
        if let Some(setup) = kept.and_then(|kept| Setup::from_json(&kept)) {
            menu.take(&setup);
        }
        menu.asked = house.ask(|store| async move { store.people().await }, News::People);
        menu.changed(house);
        Box::new(menu)
    }

    fn take(&mut self, setup: &Setup) {
        self.game = games::place(setup.variant);
        self.focus = Focus::List(self.game);
        self.wishes[self.game] = games::wish(self.game, setup.variant);
        for (number, who) in setup.players.iter().enumerate() {
            self.players[number].seat(who);
            // The name for nobody in particular is no name.
            if who.person() == Some(&stand_in(number)) {
                self.players[number].name.clear();
            }
        }
        self.first = setup.first;
    }

    fn variant(&self) -> Variant {
        self.wishes[self.game].variant()
    }

    fn rules(&self) -> usize {
        self.wishes[self.game].many()
    }

    /// After the game changed.
    fn changed(&mut self, house: &mut House) {
        let variant = self.variant();
        if self.preview.variant() != variant {
            self.preview = Preview::new(variant);
        }
        self.has_to_look = house.has_to_look(variant);
    }

    fn setup(&self) -> Result<Setup, String> {
        let variant = self.variant();
        let [one, two] = &self.players;
        let setup = Setup {
            variant,
            players: [one.who(0, variant)?, two.who(1, variant)?],
            first: self.first,
        };
        match setup.fault() {
            None => Ok(setup),
            Some(fault) => Err(fault),
        }
    }

    fn memory(&self) -> String {
        memory::to_json(&self.wishes, &self.players)
    }

    /// Begins the game, unless something stands against it.
    fn begin(&mut self, house: &mut House) -> Next {
        let setup = match self.setup() {
            Ok(setup) => setup,
            Err(problem) => return self.refuse(problem),
        };
        if table::is_wanted(house, &setup) {
            self.over = Some(Over::Table(table::offer(house)));
            return Next::Stay;
        }
        house.remember(Setup::CHOICE, setup.to_json());
        house.remember(memory::CHOICE, self.memory());
        match Playing::begin(house, setup) {
            Ok(screen) => Next::Go(screen),
            Err(problem) => self.refuse(problem),
        }
    }

    fn refuse(&mut self, problem: String) -> Next {
        self.problem = Some(problem);
        Next::Stay
    }

    /// Quits, unless something would be lost by it: then it is asked first.
    fn ask_to_quit(&mut self, house: &House) -> Next {
        let Some(lost) = house.lost_by_quitting() else {
            return self.quit(house);
        };
        let choices = vec![
            Choice::new('s', "Stay until it is done", false),
            Choice::new('q', "Quit all the same", true),
        ];
        let dialog = Dialog::new("Quit?", vec![Line::from(lost)], choices);
        self.over = Some(Over::Quit(dialog));
        Next::Stay
    }

    fn quit(&self, house: &House) -> Next {
        if let Ok(setup) = self.setup() {
            house.remember_now(Setup::CHOICE, &setup.to_json());
        }
        house.remember_now(memory::CHOICE, &self.memory());
        Next::Quit
    }

    fn select(&mut self, at: usize, house: &mut House) {
        let at = at.min(MANY + LINKS.len() - 1);
        self.focus = Focus::List(at);
        if at < MANY && at != self.game {
            self.game = at;
            self.changed(house);
        }
    }

    /// The places that the keys go through one by one, the list aside.
    fn places(&self) -> Vec<Focus> {
        let rules = (0..self.rules()).map(Focus::Rule);
        let players = (0..2).flat_map(|player| [Focus::Kind(player), Focus::Who(player)]);
        rules.chain(players).chain([Focus::First]).collect()
    }

    /// Up and down.
    fn walk(&mut self, down: bool, house: &mut House) {
        if let Focus::List(at) = self.focus {
            let next = if down { at + 1 } else { at.saturating_sub(1) };
            return self.select(next, house);
        }
        let places = self.places();
        let at = places.iter().position(|&place| place == self.focus);
        let at = at.unwrap_or(0);
        self.focus = match (down, at) {
            (false, 0) => Focus::List(self.game),
            (false, at) => places[at - 1],
            (true, at) => places[(at + 1).min(places.len() - 1)],
        };
    }

    /// Tab: on to the next part of the screen, or back.
    fn jump(&mut self, on: bool) {
        let mut parts = vec![Focus::List(self.game)];
        if self.rules() > 0 {
            parts.push(Focus::Rule(0));
        }
        parts.extend([Focus::Kind(0), Focus::Kind(1), Focus::First]);
        let part = |focus| match focus {
            Focus::List(_) => Focus::List(self.game),
            Focus::Rule(_) => Focus::Rule(0),
            Focus::Kind(player) | Focus::Who(player) => Focus::Kind(player),
            Focus::First => Focus::First,
        };
        let at = parts.iter().position(|&each| each == part(self.focus));
        self.focus = parts[players::step(at.unwrap_or(0), parts.len(), on)];
    }

    /// Left and right: another value.
    fn change(&mut self, on: bool, house: &mut House) {
        let variant = self.variant();
        match self.focus {
            Focus::List(_) if on => self.jump(true),
            Focus::List(_) => {}
            Focus::Rule(option) => match self.wishes[self.game].changed(option, on) {
                Ok(wish) => {
                    self.wishes[self.game] = wish;
                    self.changed(house);
                }
                Err(reason) => {
                    self.problem = Some(self.wishes[self.game].in_menu_words(&reason));
                }
            },
            Focus::Kind(number) => self.players[number].is_person ^= true,
            Focus::Who(number) if self.players[number].is_person => {
                self.players[number].next_person(number, &self.people, on);
            }
            Focus::Who(number) => self.players[number].next_level(variant, on),
            Focus::First => self.next_first(on),
        }
    }

    fn next_first(&mut self, on: bool) {
        let all = [First::One, First::Two, First::Random];
        let at = all.iter().position(|&first| first == self.first);
        self.first = all[players::step(at.unwrap_or(0), all.len(), on)];
    }

    /// All people, or all levels.
    fn pick(&mut self, number: usize) {
        self.focus = Focus::Who(number);
        let variant = self.variant();
        let player = &self.players[number];
        self.over = Some(if player.is_person {
            let people = self.people.clone();
            Over::Person(PersonPicker::new(number, &player.name, people))
        } else {
            Over::Level(LevelPicker::new(number, variant, player.level(variant)))
        });
    }

    fn link(&mut self, at: usize, house: &mut House) -> Next {
        match at {
            0 => Next::Go(People::open(house)),
            1 => Next::Go(Saved::open(house)),
            _ => {
                self.over = Some(Over::Looks(Looks::new()));
                Next::Stay
            }
        }
    }

    fn enter(&mut self, house: &mut House) -> Next {
        match self.focus {
            Focus::List(at) if at >= MANY => self.link(at - MANY, house),
            _ => self.begin(house),
        }
    }

    /// The blank: another value, or all there are; in the list the same as Enter.
    fn blank(&mut self, house: &mut House) -> Next {
        match self.focus {
            Focus::List(_) => return self.enter(house),
            Focus::Who(number) => self.pick(number),
            _ => self.change(true, house),
        }
        Next::Stay
    }

    fn key(&mut self, key: KeyEvent, house: &mut House) -> Next {
        self.problem = None;
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Next::Stay;
        }
        match key.code {
            KeyCode::Enter => return self.enter(house),
            KeyCode::Up | KeyCode::Char('k') => self.walk(false, house),
            KeyCode::Down | KeyCode::Char('j') => self.walk(true, house),
            KeyCode::Left | KeyCode::Char('h') => self.change(false, house),
            KeyCode::Right | KeyCode::Char('l') => self.change(true, house),
            KeyCode::Tab => self.jump(true),
            KeyCode::BackTab => self.jump(false),
            KeyCode::Home => self.select(0, house),
            KeyCode::End => self.select(MANY - 1, house),
            KeyCode::Esc if self.focus == Focus::List(self.game) => {
                self.problem = Some("Press q to quit the program".into());
            }
            KeyCode::Esc => self.focus = Focus::List(self.game),
            KeyCode::Char(letter) => return self.letter(letter, house),
            _ => {}
        }
        Next::Stay
    }

    fn letter(&mut self, letter: char, house: &mut House) -> Next {
        match letter {
            ' ' => return self.blank(house),
            'q' => return self.ask_to_quit(house),
            '1' => self.pick(0),
            '2' => self.pick(1),
            's' => self.next_first(true),
            'x' => self.players.swap(0, 1),
            'b' => self.build(house),
            '?' => self.over = Some(Over::Rules(rules::reader(self.variant(), &house.look))),
            _ => {
                let link = LINKS.iter().position(|(_, key)| *key == letter);
                if let Some(at) = link {
                    return self.link(at, house);
                }
            }
        }
        Next::Stay
    }

    /// Builds the table of the game, where one is missing.
    fn build(&mut self, house: &mut House) {
        match house.table(self.variant()) {
            TableState::Missing => {
                house.offered = true;
                house.build_table();
            }
            TableState::NoPlace => {
                self.problem = Some("There is no folder to keep a table in".into());
            }
            TableState::NotFor
            | TableState::Unknown
            | TableState::Building(_)
            | TableState::Ready => {}
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, house: &mut House) -> Next {
        if let Some(key) = self.keys.mouse(mouse) {
            return self.key(key, house);
        }
        if let MouseEventKind::ScrollUp | MouseEventKind::ScrollDown = mouse.kind {
            let down = mouse.kind == MouseEventKind::ScrollDown;
            if let Some(Target::List(_)) = self.clicks.at(mouse.column, mouse.row) {
                let next = if down {
                    self.game + 1
                } else {
                    self.game.saturating_sub(1)
                };
                self.select(next.min(MANY - 1), house);
            }
            return Next::Stay;
        }
        let Some(target) = self.clicks.click(mouse) else {
            return Next::Stay;
        };
        self.problem = None;
        match target {
            Target::List(at) => {
                self.select(at, house);
                if at >= MANY {
                    return self.link(at - MANY, house);
                }
            }
            Target::Rule(option, on) => self.click_value(Focus::Rule(option), on, house),
            Target::Kind(number, on) => self.click_value(Focus::Kind(number), on, house),
            Target::Who(number, Some(on)) => self.click_value(Focus::Who(number), on, house),
            Target::Who(number, None) => self.pick(number),
            Target::First(on) => self.click_value(Focus::First, on, house),
            Target::Play => return self.begin(house),
        }
        Next::Stay
    }

    fn click_value(&mut self, focus: Focus, on: bool, house: &mut House) {
        self.focus = focus;
        self.change(on, house);
    }

    /// An event for what lies over the menu.
    fn over(&mut self, event: Event, house: &mut House) -> Next {
        let Some(over) = &mut self.over else {
            return Next::Stay;
        };
        let said = over.event(event, house);
        if said != Said::Open {
            self.over = None;
        }
        match said {
            Said::Open | Said::Closed => {}
            Said::Quit => return self.quit(house),
            Said::Name(number, name) => self.players[number].name = name,
            Said::Level(number, level) => self.players[number].set_level(level),
            Said::Offer(offer) => {
                if offer == Offer::Build {
                    house.build_table();
                }
                return self.begin(house);
            }
        }
        Next::Stay
    }
}

impl Screen for Menu {
    fn event(&mut self, event: Event, house: &mut House) -> Next {
        match event {
            Event::News(ticket, News::People(people)) if ticket == self.asked => {
                // Without them names can still be typed.
                self.people = people.unwrap_or_default();
                Next::Stay
            }
            Event::Tick => {
                house.look_for_tables(self.variant());
                self.has_to_look = false;
                Next::Stay
            }
            event if self.over.is_some() => self.over(event, house),
            Event::Key(key) => self.key(key, house),
            Event::Mouse(mouse) => self.mouse(mouse, house),
            _ => Next::Stay,
        }
    }

    fn wake(&self) -> Option<Duration> {
        self.has_to_look.then_some(Duration::ZERO)
    }

    fn draw(&mut self, frame: &mut Frame, house: &House) {
        self.paint(frame, house);
        if let Some(over) = &mut self.over {
            over.draw(frame, house);
        }
    }
}
