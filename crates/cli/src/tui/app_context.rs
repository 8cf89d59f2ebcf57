//! What every screen needs: the store, the way to be told of news, how things look,
//! what bots may use.

use std::future::Future;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use noughts_engine::{BotSettings, SearchLimits, Tablebases, tablebase};
use noughts_rules::Variant;
use noughts_store::{Store, StoreError};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::store_handle::StoreHandle;
use crate::tui::appearance::{Appearance, Surroundings};
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::tablebase_build::{self, TablebaseBuild, TablebaseStatus};
use crate::tui::theme::Theme;
use noughts_session::{GameAction, Session};

pub(crate) struct AppContext {
    pub(crate) store_handle: StoreHandle,
    pub(crate) theme: Theme,
    pub(crate) tablebases: Tablebases,
    /// The folder of the program's data, where there is one.
    pub(crate) data_dir: Option<PathBuf>,
    appearance: Appearance,
    around: Surroundings,
    /// How long bots think, where that was said.
    time: Option<Duration>,
    events: Sender<Event>,
    tickets: u64,
    chance: SplitMix64,
    /// The same game is wanted again: bots that share their work between threads do
    /// not play alike twice.
    repeatable: bool,
    /// Have the tables been looked for?
    looked: bool,
    building: TablebaseBuild,
    /// Was it offered to build the table? Once is enough.
    pub(crate) build_offered: bool,
}

impl AppContext {
    pub(crate) fn new(
        store_handle: StoreHandle,
        around: Surroundings,
        data_dir: Option<PathBuf>,
        events: Sender<Event>,
        seed: u64,
    ) -> AppContext {
        let appearance = Appearance::default();
        AppContext {
            theme: appearance.theme(&around),
            store_handle,
            tablebases: Tablebases::default(),
            data_dir,
            appearance,
            around,
            time: None,
            events,
            tickets: 0,
            chance: SplitMix64::seed_from_u64(seed),
            repeatable: false,
            looked: false,
            building: TablebaseBuild::Idle,
            build_offered: false,
        }
    }

    /// Lets bots play alike whenever the seed is the same.
    pub(crate) fn set_repeatable(&mut self) {
        self.repeatable = true;
    }

    /// Lets bots think so long about a move.
    pub(crate) fn set_time(&mut self, time: Option<Duration>) {
        self.time = time;
    }

    /// What bots may spend on a move; where nothing was said, what they usually do.
    pub(crate) fn limits(&self) -> SearchLimits {
        SearchLimits {
            time: self.time,
            ..SearchLimits::NONE
        }
    }

    /// A ticket nobody has, and how to tell news under it.
    pub(crate) fn new_task(&mut self) -> (Ticket, impl Fn(TaskMessage) + Send + Sync + 'static) {
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        let events = self.events.clone();
        let tell = move |news| {
            // Nobody listens any more: the program is ending.
            let _ = events.send(Event::Task(ticket, news));
        };
        (ticket, tell)
    }

    /// Makes a step of a game beside the screen; the news tells what came of it.
    pub(crate) fn submit_action(&mut self, session: &Session, step: GameAction) -> Ticket {
        let (ticket, tell) = self.new_task();
        let (session, store) = (session.clone(), self.store_handle.store().clone());
        self.store_handle.spawn(async move {
            let stepped = session.apply(&store, step).await;
            tell(TaskMessage::ActionDone(stepped.map(Box::new)));
        });
        ticket
    }

    /// Asks the store something beside the screen; the news tells the answer.
    pub(crate) fn query_store<T, F>(
        &mut self,
        question: impl FnOnce(Store) -> F,
        news: fn(Result<T, String>) -> TaskMessage,
    ) -> Ticket
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
        T: 'static,
    {
        let (ticket, tell) = self.new_task();
        let answer = question(self.store_handle.store().clone());
        self.store_handle.spawn(async move {
            let answer = answer.await.map_err(|error| error.to_string());
            tell(news(answer));
        });
        ticket
    }

    /// What was remembered under this name; nothing if it cannot be read.
    pub(crate) fn load_setting(&self, key: &str) -> Option<String> {
        let store = self.store_handle.store();
        self.store_handle
            .block_on(store.preference(key))
            .ok()
            .flatten()
    }

    /// Remembers something for the next time, beside the screen. What cannot be
    /// remembered is chosen again; nothing is lost.
    pub(crate) fn remember(&self, key: &'static str, value: String) {
        let store = self.store_handle.store().clone();
        self.store_handle.spawn(async move {
            let _ = store.set_preference(key, &value).await;
        });
    }

    /// The same before the program ends, which waits for nothing else.
    pub(crate) fn remember_now(&self, key: &str, value: &str) {
        let store = self.store_handle.store();
        let _ = self.store_handle.block_on(store.set_preference(key, value));
    }

    pub(crate) fn appearance(&self) -> Appearance {
        self.appearance
    }

    pub(crate) fn surroundings(&self) -> &Surroundings {
        &self.around
    }

    pub(crate) fn set_appearance(&mut self, appearance: Appearance) {
        self.appearance = appearance;
        self.theme = appearance.theme(&self.around);
    }

    /// A coin, for who starts.
    pub(crate) fn toss(&mut self) -> bool {
        self.chance.next_u64() >> 63 == 0
    }

    /// What a bot is made with: another seed for each.
    pub(crate) fn bot_settings(&mut self, variant: Variant) -> BotSettings {
        self.look_for_tables(variant);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        BotSettings {
            seed: self.chance.next_u64(),
            threads: match self.repeatable {
                true => 1,
                // One core stays with the screen.
                false => cores.saturating_sub(1).max(1),
            },
            tablebases: self.tablebases.clone(),
            ..BotSettings::default()
        }
    }

    /// Is there a table for this game that nobody has looked for yet?
    pub(crate) fn has_to_look(&self, variant: Variant) -> bool {
        !self.looked && tablebase_build::has_table(variant)
    }

    /// Opens the tables, where the game has one and nobody looked yet. It takes a
    /// moment that the first frame does not have.
    pub(crate) fn look_for_tables(&mut self, variant: Variant) {
        if !self.has_to_look(variant) {
            return;
        }
        self.looked = true;
        if let Some(dir) = &self.data_dir {
            // One that cannot be used is as good as none: it is built anew.
            self.tablebases = Tablebases::open(dir).0;
        }
    }

    /// How it stands with the table of this game, as far as anybody looked.
    pub(crate) fn tablebase_status(&self, variant: Variant) -> TablebaseStatus {
        if !tablebase_build::has_table(variant) {
            TablebaseStatus::NotFor
        } else if let Some(done) = self.building.progress() {
            TablebaseStatus::Building(done)
        } else if noughts_engine::BotKind::Perfect.is_perfect(variant, &self.tablebases) {
            TablebaseStatus::Ready
        } else if self.data_dir.is_none() {
            TablebaseStatus::NoPlace
        } else if !self.looked {
            TablebaseStatus::Unknown
        } else {
            TablebaseStatus::Missing
        }
    }

    /// Builds the table in the background, unless that is being done.
    pub(crate) fn build_table(&mut self) {
        let Some(dir) = &self.data_dir else {
            return;
        };
        let path = tablebase::tablebase_path(dir);
        if self.building.progress().is_none() {
            let (ticket, tell) = self.new_task();
            self.building = TablebaseBuild::Going {
                ticket,
                progress: 0.0,
            };
            tablebase_build::build(path, tell);
        }
    }

    /// Lets it seem that the table is being built.
    #[cfg(test)]
    pub(crate) fn pretend_building(&mut self, done: f64) {
        let ticket = Ticket::default();
        self.building = TablebaseBuild::Going {
            ticket,
            progress: done,
        };
    }

    /// A sentence on what quitting would lose now, if anything.
    pub(crate) fn lost_by_quitting(&self) -> Option<String> {
        let percent = (self.building.progress()? * 100.0).floor();
        Some(format!(
            "The exact table is being built ({percent} %): quitting loses that."
        ))
    }

    /// A sentence for a screen's last line, if there is one: how the building of
    /// the table goes, or went.
    pub(crate) fn notice(&self) -> Option<String> {
        self.building.notice()
    }

    /// What was said in the last line has been read.
    pub(crate) fn noticed(&mut self) {
        if matches!(self.building, TablebaseBuild::Finished(_)) {
            self.building = TablebaseBuild::Idle;
        }
    }

    /// Takes the news that concern no screen in particular.
    pub(crate) fn handle_message(&mut self, ticket: Ticket, news: &TaskMessage) {
        if self.building.handle_message(ticket, news)
            && let Some(dir) = &self.data_dir
        {
            self.looked = true;
            self.tablebases = Tablebases::open(dir).0;
        }
    }
}
