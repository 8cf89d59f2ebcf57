//! Helpers for the store's integration tests.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use noughts_rules::{AnyGameState, Outcome, Record, Termination, Variant};
use noughts_store::{GameFilter, GameId, Name, NewGame, Seat, Store, StoredMove};

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

pub(crate) fn player(text: &str) -> Seat {
    Seat::Player(name(text))
}

pub(crate) fn bot(text: &str) -> Seat {
    Seat::Bot(text.into())
}

pub(crate) fn mv(text: &str) -> StoredMove {
    StoredMove {
        text: text.into(),
        took: Duration::from_millis(1234),
    }
}

pub(crate) async fn open(dir: &Path) -> Store {
    Store::open(dir).await.expect("the store opens")
}

pub(crate) async fn memory() -> Store {
    Store::in_memory().await.expect("the store opens")
}

pub(crate) async fn new_game(store: &Store, seats: [Seat; 2]) -> GameId {
    let game = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats,
    };
    store.create_game(&game).await.expect("created")
}

/// Plays a game of classic to its end.
pub(crate) async fn play_game(store: &Store, seats: [Seat; 2], moves: &str) -> GameId {
    let game = new_game(store, seats).await;
    let mut state = AnyGameState::new(Variant::CLASSIC);
    for (ply, text) in moves.split(' ').enumerate() {
        state.play(text).expect("a legal move");
        let end: Option<(Outcome, Termination)> =
            state.outcome().zip(state.ending().map(Into::into));
        let added = store.add_move(game, ply, &mv(text), end).await;
        added.expect("the move is stored");
    }
    game
}

/// All records of these games.
pub(crate) async fn export_all(store: &Store, filter: &GameFilter) -> Vec<Record> {
    let export = store.export(filter).await.expect("exported");
    export.collect().await.expect("exported")
}

pub(crate) const X_WINS: &str = "b2 a1 c1 a2 a3";
pub(crate) const O_WINS: &str = "a1 b2 a2 c1 c3 a3";
pub(crate) const DRAW: &str = "b2 a1 c1 a3 a2 c2 b1 b3 c3";

/// All files below a folder, with their contents.
pub(crate) fn contents(dir: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(contents(&path));
            found.insert(path, None);
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.insert(path, Some(bytes));
        }
    }
    found
}
