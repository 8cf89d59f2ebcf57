//! The menu: the game, its options, the players and who starts. Enter alone starts a game.
//! `draw.rs` draws it.

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

use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use noughts_engine::Tablebases;
use noughts_rules::{AnyGameState, Variant};
use noughts_session::options::{OptionError, VariantRequest};
use noughts_store::{Name, Tally};
use ratatui::Frame;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskId, TaskMessage, is_shortcut};
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::players::PlayersScreen;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::saved_games::SavedGamesScreen;
use crate::tui::screens::{Navigation, Screen, rules, tablebase_offer};
use crate::tui::widgets::{ClickMap, Dialog, DialogResult, KeyHintBar};
use appearance_dialog::AppearanceDialog;
use games::MenuGame;
use level_picker::LevelPicker;
use overlay::{Overlay, OverlayAnswer};
use player_choice::{PlayerChoice, cycle, default_name};
use player_picker::PlayerPicker;
use preview::Preview;

pub(crate) use player_choice::levels;
pub(crate) use quick_start::start_game;

pub(crate) struct MenuScreen {
    games: Vec<MenuGame>,
    /// The selected menu entry.
    game: usize,
    /// The options of each entry.
    requests: Vec<VariantRequest>,
    players: [PlayerChoice; 2],
    starting_player: StartingPlayer,
    focus: Focus,
    known_players: Vec<(Name, Tally)>,
    /// The query for `known_players`.
    players_query: TaskId,
    preview: Preview,
    /// The game's tablebase must be looked for, which takes longer than a frame may.
    needs_tablebase_lookup: bool,
    overlay: Option<Overlay>,
    /// Why the last input had no effect.
    error: Option<String>,
    click_map: ClickMap<Target>,
    key_hints: KeyHintBar,
}

/// What the keys act on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    /// A game, or a link below the games.
    List(usize),
    Option(usize),
    /// Human or bot.
    Kind(usize),
    /// The human's name or the bot's level.
    Name(usize),
    StartingPlayer,
}

/// What can be clicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    List(usize),
    /// Changes a value to the next one if true, otherwise to the previous one.
    Step(Focus, bool),
    /// Opens the list of all levels or names for this player.
    Pick(usize),
    Play,
}

/// How many games Page Up and Page Down skip.
const PAGE: usize = 6;

/// The links below the games, with their keys.
const LINKS: [(&str, char); 3] = [("Players", 'p'), ("Saved games", 'g'), ("Appearance", 'c')];

impl MenuScreen {
    /// Opens the menu with the saved choices, or with defaults.
    pub(crate) fn open(context: &mut AppContext) -> Box<dyn Screen> {
        let games = games::entries();
        let mut menu = MenuScreen {
            game: 0,
            requests: games.iter().map(MenuGame::default_request).collect(),
            games,
            players: [PlayerChoice::human(), PlayerChoice::bot()],
            starting_player: StartingPlayer::One,
            focus: Focus::List(0),
            known_players: Vec::new(),
            players_query: TaskId::default(),
            preview: Preview::new(Variant::default()),
            needs_tablebase_lookup: false,
            overlay: None,
            error: None,
            click_map: ClickMap::default(),
            key_hints: KeyHintBar::default(),
        };
        if let Some(saved) = context.load_setting(saved_state::SETTING_KEY) {
            saved_state::restore(&saved, &menu.games, &mut menu.requests, &mut menu.players);
        }
        let saved = context.load_setting(GameSetup::SETTING_KEY);
        if let Some(setup) = saved.and_then(|saved| GameSetup::from_json(&saved)) {
            menu.apply_setup(&setup);
        }
        menu.players_query = context.query_store(
            |store| async move { store.all_players().await },
            TaskMessage::Players,
        );
        menu.variant_changed(context);
        Box::new(menu)
    }

    fn apply_setup(&mut self, setup: &GameSetup) {
        self.game = games::entry_of(&self.games, setup.variant);
        self.focus = Focus::List(self.game);
        self.requests[self.game] = self.games[self.game].request_for(setup.variant);
        for (player, participant) in setup.players.iter().enumerate() {
            self.players[player].assign(participant);
            // A default name counts as no name.
            if participant.player_name() == Some(&default_name(player)) {
                self.players[player].name.clear();
            }
        }
        self.starting_player = setup.starting_player;
    }

    fn variant(&self) -> Variant {
        self.requests[self.game].variant()
    }

    fn option_count(&self) -> usize {
        self.requests[self.game].option_count()
    }

    /// Updates what depends on the variant.
    fn variant_changed(&mut self, context: &mut AppContext) {
        let variant = self.variant();
        if self.preview.variant() != variant {
            self.preview = Preview::new(variant);
        }
        self.needs_tablebase_lookup = context.needs_tablebase_lookup(variant);
    }

    fn setup(&self) -> Result<GameSetup, String> {
        let variant = self.variant();
        let [one, two] = &self.players;
        let setup = GameSetup {
            variant,
            players: [one.participant(0, variant)?, two.participant(1, variant)?],
            starting_player: self.starting_player,
        };
        setup.invalid_reason().map_or(Ok(setup), Err)
    }

    fn saved_state_json(&self) -> String {
        saved_state::to_json(&self.requests, &self.players)
    }

    /// Starts the game unless the setup is invalid.
    fn start(&mut self, context: &mut AppContext) -> Navigation {
        let setup = match self.setup() {
            Ok(setup) => setup,
            Err(error) => {
                self.error = Some(error);
                return Navigation::Stay;
            }
        };
        if tablebase_offer::should_offer_for(context, &setup) {
            let [build, decline] = [true, false].map(|build| OverlayAnswer::Start { build });
            let dialog = tablebase_offer::dialog(context, setup.variant, build, decline);
            self.overlay = Some(Overlay::Question(dialog));
            return Navigation::Stay;
        }
        context.save_setting(GameSetup::SETTING_KEY, setup.to_json());
        context.save_setting(saved_state::SETTING_KEY, self.saved_state_json());
        let game = GameScreen::start(context, &setup, AnyGameState::new(setup.variant));
        Navigation::open(game, |reason| self.error = Some(reason))
    }

    /// Quits, after a confirmation if something would be lost.
    fn confirm_quit(&mut self, context: &AppContext) -> Navigation {
        let Some(lost) = context.quit_warning() else {
            return self.quit(context);
        };
        let dialog = Dialog::new("Quit?", lost)
            .choice('s', "Stay until it's done", OverlayAnswer::Stay)
            .choice('q', "Quit anyway", OverlayAnswer::Quit);
        self.overlay = Some(Overlay::Question(dialog));
        Navigation::Stay
    }

    fn quit(&self, context: &AppContext) -> Navigation {
        if let Ok(setup) = self.setup() {
            context.save_setting_blocking(GameSetup::SETTING_KEY, &setup.to_json());
        }
        context.save_setting_blocking(saved_state::SETTING_KEY, &self.saved_state_json());
        Navigation::Quit
    }

    fn select(&mut self, index: usize, context: &mut AppContext) {
        let index = index.min(self.games.len() + LINKS.len() - 1);
        self.focus = Focus::List(index);
        if index < self.games.len() && index != self.game {
            self.game = index;
            self.variant_changed(context);
        }
    }

    /// All focus positions except the list, in order.
    fn focus_order(&self) -> Vec<Focus> {
        let options = (0..self.option_count()).map(Focus::Option);
        let players = (0..2).flat_map(|player| [Focus::Kind(player), Focus::Name(player)]);
        options
            .chain(players)
            .chain([Focus::StartingPlayer])
            .collect()
    }

    /// Moves the focus up or down.
    fn move_focus(&mut self, down: bool, context: &mut AppContext) {
        if let Focus::List(index) = self.focus {
            return self.select(step(index, down), context);
        }
        let positions = self.focus_order();
        let index = positions.iter().position(|&focus| focus == self.focus);
        self.focus = match (down, index.unwrap_or(0)) {
            (false, 0) => Focus::List(self.game),
            (false, index) => positions[index - 1],
            (true, index) => positions[(index + 1).min(positions.len() - 1)],
        };
    }

    /// Moves the focus to the next or previous part of the screen.
    fn focus_next_part(&mut self, forward: bool) {
        let mut parts = vec![Focus::List(self.game)];
        if self.option_count() > 0 {
            parts.push(Focus::Option(0));
        }
        parts.extend([Focus::Kind(0), Focus::Kind(1), Focus::StartingPlayer]);
        let part = match self.focus {
            Focus::List(_) => Focus::List(self.game),
            Focus::Option(_) => Focus::Option(0),
            Focus::Kind(player) | Focus::Name(player) => Focus::Kind(player),
            Focus::StartingPlayer => Focus::StartingPlayer,
        };
        self.focus = cycle(&parts, &part, forward);
    }

    /// Changes the focused value to the next or previous one.
    fn change(&mut self, forward: bool, context: &mut AppContext) {
        let variant = self.variant();
        match self.focus {
            Focus::List(_) if forward => self.focus_next_part(true),
            Focus::List(_) => {}
            Focus::Option(option) => {
                match step_option(&self.requests[self.game], option, forward) {
                    Ok(request) => {
                        self.requests[self.game] = request;
                        self.variant_changed(context);
                    }
                    Err(error) => self.error = Some(error.to_string()),
                }
            }
            Focus::Kind(player) => self.players[player].is_human ^= true,
            Focus::Name(player) if self.players[player].is_human => {
                self.players[player].next_known_player(player, &self.known_players, forward);
            }
            Focus::Name(player) => self.players[player].next_level(variant, forward),
            Focus::StartingPlayer => self.next_starting_player(forward),
        }
    }

    fn next_starting_player(&mut self, forward: bool) {
        let choices = [
            StartingPlayer::One,
            StartingPlayer::Two,
            StartingPlayer::Random,
        ];
        self.starting_player = cycle(&choices, &self.starting_player, forward);
    }

    /// Opens the list of all players or all levels.
    fn open_picker(&mut self, player: usize) {
        self.focus = Focus::Name(player);
        let variant = self.variant();
        let choice = &self.players[player];
        self.overlay = Some(if choice.is_human {
            let players = self.known_players.clone();
            Overlay::Player(PlayerPicker::new(player, &choice.name, players))
        } else {
            Overlay::Level(LevelPicker::new(player, variant, choice.level(variant)))
        });
    }

    fn open_link(&mut self, index: usize, context: &mut AppContext) -> Navigation {
        match index {
            0 => Navigation::Go(PlayersScreen::open(context)),
            1 => Navigation::Go(SavedGamesScreen::open(context)),
            _ => {
                self.overlay = Some(Overlay::Appearance(AppearanceDialog::new()));
                Navigation::Stay
            }
        }
    }

    fn enter(&mut self, context: &mut AppContext) -> Navigation {
        match self.focus {
            Focus::List(index) if index >= self.games.len() => {
                self.open_link(index - self.games.len(), context)
            }
            _ => self.start(context),
        }
    }

    /// Space: changes the value or opens the list of values; in the game list the same as Enter.
    fn space(&mut self, context: &mut AppContext) -> Navigation {
        match self.focus {
            Focus::List(_) => return self.enter(context),
            Focus::Name(player) => self.open_picker(player),
            _ => self.change(true, context),
        }
        Navigation::Stay
    }

    fn handle_key(&mut self, key: KeyEvent, context: &mut AppContext) -> Navigation {
        self.error = None;
        if is_shortcut(key) {
            return Navigation::Stay;
        }
        match key.code {
            KeyCode::Enter => return self.enter(context),
            KeyCode::Up | KeyCode::Char('k') => self.move_focus(false, context),
            KeyCode::Down | KeyCode::Char('j') => self.move_focus(true, context),
            KeyCode::Left | KeyCode::Char('h') => self.change(false, context),
            KeyCode::Right | KeyCode::Char('l') => self.change(true, context),
            KeyCode::Tab => self.focus_next_part(true),
            KeyCode::BackTab => self.focus_next_part(false),
            KeyCode::Home => self.select(0, context),
            KeyCode::End => self.select(self.games.len() - 1, context),
            KeyCode::PageUp => self.select(self.game.saturating_sub(PAGE), context),
            KeyCode::PageDown => {
                self.select((self.game + PAGE).min(self.games.len() - 1), context);
            }
            KeyCode::Esc if self.focus == Focus::List(self.game) => {
                self.error = Some("Press q to quit".into());
            }
            KeyCode::Esc => self.focus = Focus::List(self.game),
            KeyCode::Char(letter) => return self.handle_letter(letter, context),
            _ => {}
        }
        Navigation::Stay
    }

    fn handle_letter(&mut self, letter: char, context: &mut AppContext) -> Navigation {
        match letter {
            ' ' => return self.space(context),
            'q' => return self.confirm_quit(context),
            '1' => self.open_picker(0),
            '2' => self.open_picker(1),
            's' => self.next_starting_player(true),
            'x' => self.players.swap(0, 1),
            'b' => self.build(context),
            '?' => {
                let rules = rules::rules_viewer(self.variant(), &context.theme);
                self.overlay = Some(Overlay::Rules(rules));
            }
            _ => {
                let link = LINKS.iter().position(|(_, key)| *key == letter);
                if let Some(index) = link {
                    return self.open_link(index, context);
                }
            }
        }
        Navigation::Stay
    }

    /// Builds the game's tablebase if it is missing.
    fn build(&mut self, context: &mut AppContext) {
        if context.is_tablebase_missing(self.variant()) {
            context.build_offered = true;
            context.build_tablebase(self.variant());
        } else if Tablebases::can_build(self.variant()) && context.data_dir.is_none() {
            self.error = Some(
                "Can't build the tablebase without a data folder; choose one with --data DIR"
                    .into(),
            );
        }
    }

    fn handle_mouse(&mut self, mouse: MouseEvent, context: &mut AppContext) -> Navigation {
        if let Some(key) = self.key_hints.handle_mouse(mouse) {
            return self.handle_key(key, context);
        }
        if let MouseEventKind::ScrollUp | MouseEventKind::ScrollDown = mouse.kind {
            let down = mouse.kind == MouseEventKind::ScrollDown;
            if let Some(Target::List(_)) = self.click_map.target_at(mouse.column, mouse.row) {
                self.select(step(self.game, down).min(self.games.len() - 1), context);
            }
            return Navigation::Stay;
        }
        let Some(target) = self.click_map.click(mouse) else {
            return Navigation::Stay;
        };
        self.error = None;
        match target {
            Target::List(index) => {
                self.select(index, context);
                if index >= self.games.len() {
                    return self.open_link(index - self.games.len(), context);
                }
            }
            Target::Step(focus, forward) => {
                self.focus = focus;
                self.change(forward, context);
            }
            Target::Pick(player) => self.open_picker(player),
            Target::Play => return self.start(context),
        }
        Navigation::Stay
    }

    /// Passes an event to the overlay.
    fn handle_overlay(&mut self, event: &Event, context: &mut AppContext) -> Navigation {
        let Some(overlay) = &mut self.overlay else {
            return Navigation::Stay;
        };
        let result = overlay.handle_event(event, context);
        if result != DialogResult::Pending {
            self.overlay = None;
        }
        let DialogResult::Chosen(answer) = result else {
            return Navigation::Stay;
        };
        match answer {
            OverlayAnswer::Stay => {}
            OverlayAnswer::Quit => return self.quit(context),
            OverlayAnswer::Name(player, name) => self.players[player].name = name,
            OverlayAnswer::Level(player, level) => self.players[player].level = level,
            OverlayAnswer::Start { build } => {
                if build {
                    context.build_tablebase(self.variant());
                }
                return self.start(context);
            }
        }
        Navigation::Stay
    }
}

/// Steps an option. A lower value takes another option along that would be too large for it, as a line on a smaller board.
fn step_option(
    request: &VariantRequest,
    option: usize,
    forward: bool,
) -> Result<VariantRequest, OptionError> {
    let error = match request.with_step(option, forward) {
        Err(error) if !forward => error,
        stepped => return stepped,
    };
    let fields = request.specs().iter().map(|spec| Some(spec.field));
    let too_large = fields.enumerate().find_map(|(index, field)| {
        let is_other = index != option && field == error.option().map(|spec| spec.field);
        is_other.then_some(index)
    });
    let lowered = too_large.and_then(|other| request.with_step(other, false).ok());
    let stepped = lowered.and_then(|request| request.with_step(option, false).ok());
    stepped.ok_or(error)
}

/// The next or previous index.
fn step(index: usize, forward: bool) -> usize {
    if forward {
        index + 1
    } else {
        index.saturating_sub(1)
    }
}

impl Screen for MenuScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        match event {
            Event::Task(task, TaskMessage::Players(players)) if task == self.players_query => {
                // Without them names can still be typed.
                self.known_players = players.unwrap_or_default();
                Navigation::Stay
            }
            Event::Tick => {
                context.open_tablebases(self.variant());
                self.needs_tablebase_lookup = false;
                Navigation::Stay
            }
            event if self.overlay.is_some() => self.handle_overlay(&event, context),
            Event::Key(key) => self.handle_key(key, context),
            Event::Mouse(mouse) => self.handle_mouse(mouse, context),
            _ => Navigation::Stay,
        }
    }

    fn next_tick(&self) -> Option<Duration> {
        self.needs_tablebase_lookup.then_some(Duration::ZERO)
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        self.draw_menu(frame, context);
        if let Some(overlay) = &mut self.overlay {
            overlay.draw(frame, context);
        }
    }
}
