//! The menu: which game, with which options, who plays, who starts. One Enter is
//! enough. How it is drawn is in `draw.rs`.

mod appearance_dialog;
mod draw;
mod games;
mod level_picker;
mod overlay;
mod player_choice;
mod player_picker;
mod preview;
mod quick_start;
mod saved_state;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use noughts_rules::Variant;
use noughts_session::options::VariantRequest;
use noughts_store::{Name, Tally};
use ratatui::Frame;
use ratatui::text::Line;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::players::PlayersScreen;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::saved_games::Saved;
use crate::tui::screens::tablebase_offer::{self, Offer};
use crate::tui::screens::{Navigation, Screen, rules};
use crate::tui::tablebase_build::TablebaseStatus;
use crate::tui::widgets::{Choice, Clicks, Dialog, KeyLine};
use appearance_dialog::AppearanceDialog;
use games::GAME_COUNT;
use level_picker::LevelPicker;
use overlay::{Overlay, OverlayResult};
use player_choice::{PlayerChoice, stand_in};
use player_picker::PersonPicker;
use preview::Preview;

pub(crate) use quick_start::begin_at_once;

pub(crate) struct MenuScreen {
    /// Which of the list.
    game: usize,
    requests: [VariantRequest; GAME_COUNT],
    players: [PlayerChoice; 2],
    starting_player: StartingPlayer,
    focus: Focus,
    known_players: Vec<(Name, Tally)>,
    /// The question for them.
    asked: Ticket,
    preview: Preview,
    /// The table of the game has to be looked for, which takes longer than a frame may.
    has_to_look: bool,
    overlay: Option<Overlay>,
    /// Why something was not done.
    error: Option<String>,
    click_map: Clicks<Target>,
    key_hints: KeyLine,
}

/// Where the keys go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    /// The games, and what else there is below them.
    List(usize),
    Option(usize),
    /// Person or computer?
    Kind(usize),
    /// Which one?
    Name(usize),
    StartingPlayer,
}

/// What can be clicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    List(usize),
    /// An option: on to the next value, or back.
    Option(usize, bool),
    Kind(usize, bool),
    /// Another level or person; in the middle, all of them.
    Name(usize, Option<bool>),
    StartingPlayer(bool),
    Play,
}

/// What stands below the games in the list.
const LINKS: [(&str, char); 3] = [("People", 'p'), ("Saved games", 'g'), ("Appearance", 'c')];

impl MenuScreen {
    /// The menu with the last choices; with those for a newcomer if there are none.
    pub(crate) fn open(house: &mut AppContext) -> Box<dyn Screen> {
        let mut menu = MenuScreen {
            game: 0,
            requests: games::default_requests(),
            players: [PlayerChoice::human(), PlayerChoice::computer()],
            starting_player: StartingPlayer::One,
            focus: Focus::List(0),
            known_players: Vec::new(),
            asked: Ticket::default(),
            preview: Preview::new(Variant::CLASSIC),
            has_to_look: false,
            overlay: None,
            error: None,
            click_map: Clicks::new(),
            key_hints: KeyLine::new(),
        };
        if let Some(kept) = house.load_setting(saved_state::SETTING_KEY) {
            saved_state::restore(&kept, &mut menu.requests, &mut menu.players);
        }
        let kept = house.load_setting(GameSetup::SETTING_KEY);
        if let Some(setup) = kept.and_then(|kept| GameSetup::from_json(&kept)) {
            menu.take(&setup);
        }
        menu.asked = house.query_store(
            |store| async move { store.all_players().await },
            TaskMessage::Players,
        );
        menu.changed(house);
        Box::new(menu)
    }

    fn take(&mut self, setup: &GameSetup) {
        self.game = games::family_index(setup.variant);
        self.focus = Focus::List(self.game);
        self.requests[self.game] = games::request_for(self.game, setup.variant);
        for (number, who) in setup.players.iter().enumerate() {
            self.players[number].assign(who);
            // The name for nobody in particular is no name.
            if who.player_name() == Some(&stand_in(number)) {
                self.players[number].name.clear();
            }
        }
        self.starting_player = setup.starting_player;
    }

    fn variant(&self) -> Variant {
        self.requests[self.game].variant()
    }

    fn rules(&self) -> usize {
        self.requests[self.game].option_count()
    }

    /// After the game changed.
    fn changed(&mut self, house: &mut AppContext) {
        let variant = self.variant();
        if self.preview.variant() != variant {
            self.preview = Preview::new(variant);
        }
        self.has_to_look = house.has_to_look(variant);
    }

    fn setup(&self) -> Result<GameSetup, String> {
        let variant = self.variant();
        let [one, two] = &self.players;
        let setup = GameSetup {
            variant,
            players: [one.participant(0, variant)?, two.participant(1, variant)?],
            starting_player: self.starting_player,
        };
        match setup.invalid_reason() {
            None => Ok(setup),
            Some(fault) => Err(fault),
        }
    }

    fn memory(&self) -> String {
        saved_state::to_json(&self.requests, &self.players)
    }

    /// Begins the game, unless something stands against it.
    fn begin(&mut self, house: &mut AppContext) -> Navigation {
        let setup = match self.setup() {
            Ok(setup) => setup,
            Err(problem) => return self.refuse(problem),
        };
        if tablebase_offer::is_wanted(house, &setup) {
            self.overlay = Some(Overlay::TablebaseOffer(tablebase_offer::dialog(house)));
            return Navigation::Stay;
        }
        house.remember(GameSetup::SETTING_KEY, setup.to_json());
        house.remember(saved_state::SETTING_KEY, self.memory());
        match GameScreen::new_game(house, setup) {
            Ok(screen) => Navigation::Go(screen),
            Err(problem) => self.refuse(problem),
        }
    }

    fn refuse(&mut self, problem: String) -> Navigation {
        self.error = Some(problem);
        Navigation::Stay
    }

    /// Quits, unless something would be lost by it: then it is asked first.
    fn ask_to_quit(&mut self, house: &AppContext) -> Navigation {
        let Some(lost) = house.lost_by_quitting() else {
            return self.quit(house);
        };
        let choices = vec![
            Choice::new('s', "Stay until it is done", false),
            Choice::new('q', "Quit all the same", true),
        ];
        let dialog = Dialog::new("Quit?", vec![Line::from(lost)], choices);
        self.overlay = Some(Overlay::Quit(dialog));
        Navigation::Stay
    }

    fn quit(&self, house: &AppContext) -> Navigation {
        if let Ok(setup) = self.setup() {
            house.remember_now(GameSetup::SETTING_KEY, &setup.to_json());
        }
        house.remember_now(saved_state::SETTING_KEY, &self.memory());
        Navigation::Quit
    }

    fn select(&mut self, at: usize, house: &mut AppContext) {
        let at = at.min(GAME_COUNT + LINKS.len() - 1);
        self.focus = Focus::List(at);
        if at < GAME_COUNT && at != self.game {
            self.game = at;
            self.changed(house);
        }
    }

    /// The places that the keys go through one by one, the list aside.
    fn focus_order(&self) -> Vec<Focus> {
        let rules = (0..self.rules()).map(Focus::Option);
        let players = (0..2).flat_map(|player| [Focus::Kind(player), Focus::Name(player)]);
        rules
            .chain(players)
            .chain([Focus::StartingPlayer])
            .collect()
    }

    /// Up and down.
    fn walk(&mut self, down: bool, house: &mut AppContext) {
        if let Focus::List(at) = self.focus {
            let next = if down { at + 1 } else { at.saturating_sub(1) };
            return self.select(next, house);
        }
        let places = self.focus_order();
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
            parts.push(Focus::Option(0));
        }
        parts.extend([Focus::Kind(0), Focus::Kind(1), Focus::StartingPlayer]);
        let part = |focus| match focus {
            Focus::List(_) => Focus::List(self.game),
            Focus::Option(_) => Focus::Option(0),
            Focus::Kind(player) | Focus::Name(player) => Focus::Kind(player),
            Focus::StartingPlayer => Focus::StartingPlayer,
        };
        let at = parts.iter().position(|&each| each == part(self.focus));
        self.focus = parts[player_choice::cycle(at.unwrap_or(0), parts.len(), on)];
    }

    /// Left and right: another value.
    fn change(&mut self, on: bool, house: &mut AppContext) {
        let variant = self.variant();
        match self.focus {
            Focus::List(_) if on => self.jump(true),
            Focus::List(_) => {}
            Focus::Option(option) => match self.requests[self.game].with_step(option, on) {
                Ok(wish) => {
                    self.requests[self.game] = wish;
                    self.changed(house);
                }
                Err(reason) => {
                    self.error = Some(self.requests[self.game].with_menu_labels(&reason));
                }
            },
            Focus::Kind(number) => self.players[number].is_human ^= true,
            Focus::Name(number) if self.players[number].is_human => {
                self.players[number].next_person(number, &self.known_players, on);
            }
            Focus::Name(number) => self.players[number].next_level(variant, on),
            Focus::StartingPlayer => self.next_first(on),
        }
    }

    fn next_first(&mut self, on: bool) {
        let all = [
            StartingPlayer::One,
            StartingPlayer::Two,
            StartingPlayer::Random,
        ];
        let at = all.iter().position(|&first| first == self.starting_player);
        self.starting_player = all[player_choice::cycle(at.unwrap_or(0), all.len(), on)];
    }

    /// All people, or all levels.
    fn pick(&mut self, number: usize) {
        self.focus = Focus::Name(number);
        let variant = self.variant();
        let player = &self.players[number];
        self.overlay = Some(if player.is_human {
            let people = self.known_players.clone();
            Overlay::Player(PersonPicker::new(number, &player.name, people))
        } else {
            Overlay::Level(LevelPicker::new(number, variant, player.level(variant)))
        });
    }

    fn link(&mut self, at: usize, house: &mut AppContext) -> Navigation {
        match at {
            0 => Navigation::Go(PlayersScreen::open(house)),
            1 => Navigation::Go(Saved::open(house)),
            _ => {
                self.overlay = Some(Overlay::Appearance(AppearanceDialog::new()));
                Navigation::Stay
            }
        }
    }

    fn enter(&mut self, house: &mut AppContext) -> Navigation {
        match self.focus {
            Focus::List(at) if at >= GAME_COUNT => self.link(at - GAME_COUNT, house),
            _ => self.begin(house),
        }
    }

    /// The blank: another value, or all there are; in the list the same as Enter.
    fn blank(&mut self, house: &mut AppContext) -> Navigation {
        match self.focus {
            Focus::List(_) => return self.enter(house),
            Focus::Name(number) => self.pick(number),
            _ => self.change(true, house),
        }
        Navigation::Stay
    }

    fn key(&mut self, key: KeyEvent, house: &mut AppContext) -> Navigation {
        self.error = None;
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Navigation::Stay;
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
            KeyCode::End => self.select(GAME_COUNT - 1, house),
            KeyCode::Esc if self.focus == Focus::List(self.game) => {
                self.error = Some("Press q to quit the program".into());
            }
            KeyCode::Esc => self.focus = Focus::List(self.game),
            KeyCode::Char(letter) => return self.letter(letter, house),
            _ => {}
        }
        Navigation::Stay
    }

    fn letter(&mut self, letter: char, house: &mut AppContext) -> Navigation {
        match letter {
            ' ' => return self.blank(house),
            'q' => return self.ask_to_quit(house),
            '1' => self.pick(0),
            '2' => self.pick(1),
            's' => self.next_first(true),
            'x' => self.players.swap(0, 1),
            'b' => self.build(house),
            '?' => {
                self.overlay = Some(Overlay::Rules(rules::rules_viewer(
                    self.variant(),
                    &house.theme,
                )))
            }
            _ => {
                let link = LINKS.iter().position(|(_, key)| *key == letter);
                if let Some(at) = link {
                    return self.link(at, house);
                }
            }
        }
        Navigation::Stay
    }

    /// Builds the table of the game, where one is missing.
    fn build(&mut self, house: &mut AppContext) {
        match house.tablebase_status(self.variant()) {
            TablebaseStatus::Missing => {
                house.build_offered = true;
                house.build_table();
            }
            TablebaseStatus::NoPlace => {
                self.error = Some("There is no folder to keep a table in".into());
            }
            TablebaseStatus::NotFor
            | TablebaseStatus::Unknown
            | TablebaseStatus::Building(_)
            | TablebaseStatus::Ready => {}
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, house: &mut AppContext) -> Navigation {
        if let Some(key) = self.key_hints.handle_mouse(mouse) {
            return self.key(key, house);
        }
        if let MouseEventKind::ScrollUp | MouseEventKind::ScrollDown = mouse.kind {
            let down = mouse.kind == MouseEventKind::ScrollDown;
            if let Some(Target::List(_)) = self.click_map.at(mouse.column, mouse.row) {
                let next = if down {
                    self.game + 1
                } else {
                    self.game.saturating_sub(1)
                };
                self.select(next.min(GAME_COUNT - 1), house);
            }
            return Navigation::Stay;
        }
        let Some(target) = self.click_map.click(mouse) else {
            return Navigation::Stay;
        };
        self.error = None;
        match target {
            Target::List(at) => {
                self.select(at, house);
                if at >= GAME_COUNT {
                    return self.link(at - GAME_COUNT, house);
                }
            }
            Target::Option(option, on) => self.click_value(Focus::Option(option), on, house),
            Target::Kind(number, on) => self.click_value(Focus::Kind(number), on, house),
            Target::Name(number, Some(on)) => self.click_value(Focus::Name(number), on, house),
            Target::Name(number, None) => self.pick(number),
            Target::StartingPlayer(on) => self.click_value(Focus::StartingPlayer, on, house),
            Target::Play => return self.begin(house),
        }
        Navigation::Stay
    }

    fn click_value(&mut self, focus: Focus, on: bool, house: &mut AppContext) {
        self.focus = focus;
        self.change(on, house);
    }

    /// An event for what lies over the menu.
    fn over(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let Some(over) = &mut self.overlay else {
            return Navigation::Stay;
        };
        let said = over.handle_event(event, house);
        if said != OverlayResult::Pending {
            self.overlay = None;
        }
        match said {
            OverlayResult::Pending | OverlayResult::Canceled => {}
            OverlayResult::Quit => return self.quit(house),
            OverlayResult::Name(number, name) => self.players[number].name = name,
            OverlayResult::Level(number, level) => self.players[number].set_level(level),
            OverlayResult::TablebaseOffer(offer) => {
                if offer == Offer::Build {
                    house.build_table();
                }
                return self.begin(house);
            }
        }
        Navigation::Stay
    }
}

impl Screen for MenuScreen {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        match event {
            Event::Task(ticket, TaskMessage::Players(people)) if ticket == self.asked => {
                // Without them names can still be typed.
                self.known_players = people.unwrap_or_default();
                Navigation::Stay
            }
            Event::Tick => {
                house.look_for_tables(self.variant());
                self.has_to_look = false;
                Navigation::Stay
            }
            event if self.overlay.is_some() => self.over(event, house),
            Event::Key(key) => self.key(key, house),
            Event::Mouse(mouse) => self.mouse(mouse, house),
            _ => Navigation::Stay,
        }
    }

    fn next_tick(&self) -> Option<Duration> {
        self.has_to_look.then_some(Duration::ZERO)
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        self.paint(frame, house);
        if let Some(over) = &mut self.overlay {
            over.draw(frame, house);
        }
    }
}
