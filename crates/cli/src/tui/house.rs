//! What every screen needs: the store, the way to be told of news, how things look,
//! what bots may use.

use std::future::Future;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use noughts_engine::{Limits, Settings, Tables, tablebase};
use noughts_rules::Variant;
use noughts_store::{Store, StoreError};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::keeper::Keeper;
use crate::tui::appearance::{Appearance, Surroundings};
use crate::tui::building::{self, Building, TableState};
use crate::tui::event::{Event, News, Ticket};
use crate::tui::look::Look;
use noughts_session::{Session, Step};

pub(crate) struct House {
    pub(crate) keeper: Keeper,
    pub(crate) look: Look,
    pub(crate) tables: Tables,
    /// The folder of the program's data, where there is one.
    pub(crate) dir: Option<PathBuf>,
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
    building: Building,
    /// Was it offered to build the table? Once is enough.
    pub(crate) offered: bool,
}

impl House {
    pub(crate) fn new(
        keeper: Keeper,
        around: Surroundings,
        dir: Option<PathBuf>,
        events: Sender<Event>,
        seed: u64,
    ) -> House {
        let appearance = Appearance::default();
        House {
            look: appearance.look(&around),
            keeper,
            tables: Tables::default(),
            dir,
            appearance,
            around,
            time: None,
            events,
            tickets: 0,
            chance: SplitMix64::seed_from_u64(seed),
            repeatable: false,
            looked: false,
            building: Building::Nothing,
            offered: false,
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
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.time,
            ..Limits::NONE
        }
    }

    /// A ticket nobody has, and how to tell news under it.
    pub(crate) fn ticket(&mut self) -> (Ticket, impl Fn(News) + Send + Sync + 'static) {
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        let events = self.events.clone();
        let tell = move |news| {
            // Nobody listens any more: the program is ending.
            let _ = events.send(Event::News(ticket, news));
        };
        (ticket, tell)
    }

    /// Makes a step of a game beside the screen; the news tells what came of it.
    pub(crate) fn step(&mut self, session: &Session, step: Step) -> Ticket {
        let (ticket, tell) = self.ticket();
        let (session, store) = (session.clone(), self.keeper.store().clone());
        self.keeper.spawn(async move {
            let stepped = session.step(&store, step).await;
            tell(News::Stepped(stepped.map(Box::new)));
        });
        ticket
    }

    /// Asks the store something beside the screen; the news tells the answer.
    pub(crate) fn ask<T, F>(
        &mut self,
        question: impl FnOnce(Store) -> F,
        news: fn(Result<T, String>) -> News,
    ) -> Ticket
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
        T: 'static,
    {
        let (ticket, tell) = self.ticket();
        let answer = question(self.keeper.store().clone());
        self.keeper.spawn(async move {
            let answer = answer.await.map_err(|error| error.to_string());
            tell(news(answer));
        });
        ticket
    }

    /// What was remembered under this name; nothing if it cannot be read.
    pub(crate) fn remembered(&self, key: &str) -> Option<String> {
        let store = self.keeper.store();
        self.keeper.wait(store.choice(key)).ok().flatten()
    }

    /// Remembers something for the next time, beside the screen. What cannot be
    /// remembered is chosen again; nothing is lost.
    pub(crate) fn remember(&self, key: &'static str, value: String) {
        let store = self.keeper.store().clone();
        self.keeper.spawn(async move {
            let _ = store.set_choice(key, &value).await;
        });
    }

    /// The same before the program ends, which waits for nothing else.
    pub(crate) fn remember_now(&self, key: &str, value: &str) {
        let store = self.keeper.store();
        let _ = self.keeper.wait(store.set_choice(key, value));
    }

    pub(crate) fn appearance(&self) -> Appearance {
        self.appearance
    }

    pub(crate) fn surroundings(&self) -> &Surroundings {
        &self.around
    }

    pub(crate) fn set_appearance(&mut self, appearance: Appearance) {
        self.appearance = appearance;
        self.look = appearance.look(&self.around);
    }

    /// A coin, for who starts.
    pub(crate) fn toss(&mut self) -> bool {
        self.chance.next_u64() >> 63 == 0
    }

    /// What a bot is made with: another seed for each.
    pub(crate) fn settings(&mut self, variant: Variant) -> Settings {
        self.look_for_tables(variant);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Settings {
            seed: self.chance.next_u64(),
            threads: match self.repeatable {
                true => 1,
                // One core stays with the screen.
                false => cores.saturating_sub(1).max(1),
            },
            tables: self.tables.clone(),
            ..Settings::default()
        }
    }

    /// Is there a table for this game that nobody has looked for yet?
    pub(crate) fn has_to_look(&self, variant: Variant) -> bool {
        !self.looked && building::has_table(variant)
    }

    /// Opens the tables, where the game has one and nobody looked yet. It takes a
    /// moment that the first frame does not have.
    pub(crate) fn look_for_tables(&mut self, variant: Variant) {
        if !self.has_to_look(variant) {
            return;
        }
        self.looked = true;
        if let Some(dir) = &self.dir {
            // One that cannot be used is as good as none: it is built anew.
            self.tables = Tables::open(dir).0;
        }
    }

    /// How it stands with the table of this game, as far as anybody looked.
    pub(crate) fn table(&self, variant: Variant) -> TableState {
        if !building::has_table(variant) {
            TableState::NotFor
        } else if let Some(done) = self.building.done() {
            TableState::Building(done)
        } else if noughts_engine::BotKind::Perfect.is_perfect(variant, &self.tables) {
            TableState::Ready
        } else if self.dir.is_none() {
            TableState::NoPlace
        } else if !self.looked {
            TableState::Unknown
        } else {
            TableState::Missing
        }
    }

    /// Builds the table in the background, unless that is being done.
    pub(crate) fn build_table(&mut self) {
        let Some(dir) = &self.dir else {
            return;
        };
        let path = tablebase::path_in(dir);
        if self.building.done().is_none() {
            let (ticket, tell) = self.ticket();
            self.building = Building::Going { ticket, done: 0.0 };
            building::build(path, tell);
        }
    }

    /// Lets it seem that the table is being built.
    #[cfg(test)]
    pub(crate) fn pretend_building(&mut self, done: f64) {
        let ticket = Ticket::default();
        self.building = Building::Going { ticket, done };
    }

    /// A sentence on what quitting would lose now, if anything.
    pub(crate) fn lost_by_quitting(&self) -> Option<String> {
        let percent = (self.building.done()? * 100.0).floor();
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
        if matches!(self.building, Building::Ended(_)) {
            self.building = Building::Nothing;
        }
    }

    /// Takes the news that concern no screen in particular.
    pub(crate) fn hear(&mut self, ticket: Ticket, news: &News) {
        if self.building.hear(ticket, news)
            && let Some(dir) = &self.dir
        {
            self.looked = true;
            self.tables = Tables::open(dir).0;
        }
    }
}
