//! What all screens share: the store, the event channel, the theme and the bot settings.

use std::future::Future;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use noughts_engine::{BotSettings, SearchLimits, Tablebases, tablebase};
use noughts_rules::Variant;
use noughts_store::{Store, StoreError};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::search_args::core_count;
use crate::store_handle::StoreHandle;
use crate::tui::appearance::{Appearance, TerminalEnv};
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::tablebase_build::{self, TablebaseBuild};
use crate::tui::theme::Theme;
use noughts_session::{GameAction, Session};

pub(crate) struct AppContext {
    pub(crate) store_handle: StoreHandle,
    pub(crate) theme: Theme,
    pub(crate) tablebases: Tablebases,
    /// The data directory, if there is one.
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) appearance: Appearance,
    pub(crate) terminal_env: TerminalEnv,
    /// The bots' thinking time, if it was given.
    pub(crate) bot_time: Option<Duration>,
    events: Sender<Event>,
    last_task: u64,
    rng: SplitMix64,
    /// Use one thread per bot: bots with several threads aren't deterministic.
    pub(crate) deterministic: bool,
    /// Have the tablebases been looked for?
    tablebases_searched: bool,
    tablebase_build: TablebaseBuild,
    /// Building the tablebase is offered only once.
    pub(crate) build_offered: bool,
}

impl AppContext {
    pub(crate) fn new(
        store_handle: StoreHandle,
        terminal_env: TerminalEnv,
        data_dir: Option<PathBuf>,
        events: Sender<Event>,
        seed: u64,
    ) -> AppContext {
        let appearance = Appearance::default();
        AppContext {
            theme: appearance.theme(&terminal_env),
            store_handle,
            tablebases: Tablebases::default(),
            data_dir,
            appearance,
            terminal_env,
            bot_time: None,
            events,
            last_task: 0,
            rng: SplitMix64::seed_from_u64(seed),
            deterministic: false,
            tablebases_searched: false,
            tablebase_build: TablebaseBuild::Idle,
            build_offered: false,
        }
    }

    /// The bots' limits per move; without a given time, their defaults.
    pub(crate) fn limits(&self) -> SearchLimits {
        self.bot_time.map_or(SearchLimits::NONE, SearchLimits::time)
    }

    /// A new task, and the function that sends its messages.
    pub(crate) fn new_task(&mut self) -> (TaskId, impl Fn(TaskMessage) + Send + Sync + 'static) {
        self.last_task += 1;
        let task = TaskId(self.last_task);
        let events = self.events.clone();
        let send = move |message| {
            // No receiver: the program is exiting.
            let _ = events.send(Event::Task(task, message));
        };
        (task, send)
    }

    /// Applies an action to a game in the background; the result arrives as a message.
    pub(crate) fn submit_action(&mut self, session: &Session, action: GameAction) -> TaskId {
        let (task, send) = self.new_task();
        let (session, store) = (session.clone(), self.store_handle.store().clone());
        self.store_handle.spawn(async move {
            let result = session.apply(&store, action).await;
            send(TaskMessage::ActionDone(result.map(Box::new)));
        });
        task
    }

    /// Queries the store in the background; the result arrives as a message.
    pub(crate) fn query_store<T, F>(
        &mut self,
        query: impl FnOnce(Store) -> F,
        message: fn(Result<T, String>) -> TaskMessage,
    ) -> TaskId
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
        T: 'static,
    {
        let (task, send) = self.new_task();
        let answer = query(self.store_handle.store().clone());
        self.store_handle.spawn(async move {
            let answer = answer.await.map_err(|error| error.to_string());
            send(message(answer));
        });
        task
    }

    /// A saved setting; `None` if it can't be read.
    pub(crate) fn load_setting(&self, key: &str) -> Option<String> {
        let saved = self.store_handle.query(|store| store.preference(key));
        saved.ok().flatten()
    }

    /// Saves a setting in the background. If that fails, the player just has to choose again.
    pub(crate) fn save_setting(&self, key: &'static str, value: String) {
        let store = self.store_handle.store().clone();
        self.store_handle.spawn(async move {
            let _ = store.set_preference(key, &value).await;
        });
    }

    /// Saves a setting before the program exits.
    pub(crate) fn save_setting_blocking(&self, key: &str, value: &str) {
        let store = &self.store_handle;
        let _ = store.query(|store| store.set_preference(key, value));
    }

    pub(crate) fn set_appearance(&mut self, appearance: Appearance) {
        self.appearance = appearance;
        self.theme = appearance.theme(&self.terminal_env);
    }

    /// Decides who starts.
    pub(crate) fn flip_coin(&mut self) -> bool {
        self.rng.next_u64() >> 63 == 0
    }

    /// The settings for a new bot, with a different seed for each.
    pub(crate) fn bot_settings(&mut self, variant: Variant) -> BotSettings {
        self.open_tablebases(variant);
        BotSettings {
            seed: self.rng.next_u64(),
            threads: match self.deterministic {
                true => 1,
                // Leave one core to the interface.
                false => core_count().saturating_sub(1).max(1),
            },
            tablebases: self.tablebases.clone(),
            ..BotSettings::default()
        }
    }

    /// Does this game have a tablebase that hasn't been looked for yet?
    pub(crate) fn needs_tablebase_lookup(&self, variant: Variant) -> bool {
        !self.tablebases_searched && tablebase::is_supported(variant)
    }

    /// Opens the tablebases if the game has one. This takes too long for the first frame.
    pub(crate) fn open_tablebases(&mut self, variant: Variant) {
        if !self.needs_tablebase_lookup(variant) {
            return;
        }
        self.tablebases_searched = true;
        if let Some(dir) = &self.data_dir {
            // An unusable tablebase is treated as missing and built again.
            self.tablebases = Tablebases::open(dir).0;
        }
    }

    /// Was this game's tablebase looked for, but doesn't exist?
    pub(crate) fn is_tablebase_missing(&self, variant: Variant) -> bool {
        self.tablebases_searched
            && self.data_dir.is_some()
            && self.tablebase_build.progress().is_none()
            && Tablebases::can_build(variant)
            && !noughts_engine::BotKind::Perfect.is_perfect(variant, &self.tablebases)
    }

    /// Builds the tablebase in the background unless a build is running.
    pub(crate) fn build_tablebase(&mut self, variant: Variant) {
        let Some(dir) = self.data_dir.clone() else {
            return;
        };
        if self.tablebase_build.progress().is_none() {
            let (task, send) = self.new_task();
            self.tablebase_build = TablebaseBuild::Running {
                task,
                progress: 0.0,
            };
            tablebase_build::build(&dir, variant, send);
        }
    }

    /// Simulates a running build.
    #[cfg(test)]
    pub(crate) fn fake_build(&mut self, done: f64) {
        let task = TaskId::default();
        self.tablebase_build = TablebaseBuild::Running {
            task,
            progress: done,
        };
    }

    /// What quitting now would lose, if anything.
    pub(crate) fn quit_warning(&self) -> Option<String> {
        let percent = (self.tablebase_build.progress()? * 100.0).floor();
        Some(format!(
            "The tablebase is {percent}% built. If you quit, it will have to be built from scratch."
        ))
    }

    /// The text of the last line of a screen: the progress or result of the tablebase build.
    pub(crate) fn notice(&self) -> Option<String> {
        self.tablebase_build.notice()
    }

    /// Removes the result of a build after the player has seen it.
    pub(crate) fn dismiss_notice(&mut self) {
        if matches!(self.tablebase_build, TablebaseBuild::Finished(_)) {
            self.tablebase_build = TablebaseBuild::Idle;
        }
    }

    /// Handles messages that concern no particular screen.
    pub(crate) fn handle_message(&mut self, task: TaskId, message: &TaskMessage) {
        if self.tablebase_build.handle_message(task, message)
            && let Some(dir) = &self.data_dir
        {
            self.tablebases_searched = true;
            self.tablebases = Tablebases::open(dir).0;
        }
    }
}
