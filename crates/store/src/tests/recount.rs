//! Compares statistics with a recount: random games of players and bots, with takebacks,
//! assistance, resignations, changed seats, renamed and deleted players, and restarts in between.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, Assistance, Outcome, Record, Side, Termination, Variant};

use super::{export_all, open_without_sync};
use crate::{GameFilter, GameId, Name, NewGame, Seat, Store, StoredMove, Tally};

const NAMES: [&str; 7] = ["Ada", "Bob", "Cleo", "Dé", "李", "Ωmega", "?"];
const BOTS: [&str; 4] = ["easy", "medium", "hard", "Ada"];
const GAMES: [&str; 6] = [
    "classic",
    "misere",
    "mnk:4,3,3",
    "tic-tac-two",
    "ultimate",
    "ception:depth=1",
];

fn seat(rng: &mut TestRng) -> Seat {
    if rng.chance(1, 3) {
        return Seat::Bot(rng.pick(&BOTS).unwrap_or_default().into());
    }
    let name = rng.pick(&NAMES).unwrap_or_default();
    let name = if rng.chance(1, 2) {
        name.to_uppercase()
    } else {
        name.into()
    };
    Seat::Player(Name::new(&name).expect("a name"))
}

fn random_seats(rng: &mut TestRng) -> [Seat; 2] {
    loop {
        let seats = [seat(rng), seat(rng)];
        if seats[0].player_name().is_none() || seats[0] != seats[1] {
            return seats;
        }
    }
}

fn stored_move(text: String, rng: &mut TestRng) -> StoredMove {
    let took = Duration::from_millis(rng.below(100_000) as u64);
    StoredMove { text, took }
}

/// Performs one random action in a game. Returns whether the game has ended.
async fn random_action(
    store: &Store,
    game: GameId,
    state: &mut AnyGameState,
    rng: &mut TestRng,
) -> bool {
    let made = state.moves().len();
    match rng.below(60) {
        0 => {
            let keep = rng.below(made + 1);
            store.take_back(game, keep).await.expect("taken back");
            while state.moves().len() > keep {
                state.undo();
            }
            return false;
        }
        1 => {
            let side = Side::BOTH[rng.below(2)];
            let seat = seat(rng);
            // The same player on both sides is rejected, as it should be.
            let _ = store.reseat(game, side, &seat, None).await;
            return false;
        }
        2 => {
            let (result, end) = match rng.below(4) {
                0 => (Some(Outcome::Draw), Termination::AgreedDraw),
                1 => (None, Termination::Abandoned),
                2 => (Some(Outcome::Win(state.side())), Termination::Timeout),
                _ => (
                    Some(Outcome::Win(state.side().other())),
                    Termination::Resigned,
                ),
            };
            store.finish_game(game, result, end).await.expect("ended");
            return true;
        }
        3 => {
            let how = Assistance::ALL[rng.below(Assistance::ALL.len())];
            store.mark_assisted(game, how).await.expect("marked");
            return false;
        }
        _ => {}
    }
    let moves = state.legal_moves();
    let text = moves[rng.below(moves.len())].clone();
    state.play(&text).expect("a legal move");
    let end = state.outcome().zip(state.ending().map(Termination::from));
    let mv = stored_move(text, rng);
    store.add_move(game, made, &mv, end).await.expect("stored");
    end.is_some()
}

/// Plays a game, perhaps not to its end.
async fn play(mut store: Store, dir: &Path, rng: &mut TestRng) -> Store {
    let variant: Variant = GAMES[rng.below(GAMES.len())].parse().expect("a variant");
    let new = NewGame {
        variant,
        start: None,
        seats: random_seats(rng),
    };
    let game = store.create_game(&new).await.expect("created");
    let mut state = AnyGameState::new(variant);
    loop {
        if rng.chance(1, 400) {
            // The process ends and restarts.
            drop(store);
            store = open_without_sync(dir).await;
            assert!(store.acquire_game(game).await.expect("no error"));
            let stored_game = store.game(game).await.expect("read").expect("exists");
            assert_eq!(stored_game.replay().expect("a game").moves(), state.moves());
        }
        if rng.chance(1, 300) {
            store.release_game(game).await.expect("left open");
            return store;
        }
        if random_action(&store, game, &mut state, rng).await {
            return store;
        }
    }
}

async fn rename_or_delete(store: &Store, rng: &mut TestRng) {
    let name = |rng: &mut TestRng| Name::new(NAMES[rng.below(NAMES.len())]).expect("a name");
    let (one, other) = (name(rng), name(rng));
    if rng.chance(1, 2) {
        // The new name may be taken, or the player may not exist.
        let _ = store.rename_player(&one, &other).await;
    } else {
        let _ = store.delete_player(&one).await;
    }
}

#[derive(PartialEq, Default, Debug)]
struct PlayerTallies {
    total: Tally,
    by_variant: BTreeMap<String, Tally>,
    by_opponent: BTreeMap<Seat, Tally>,
}

/// The slow and obvious way.
fn recount(records: &[Record]) -> BTreeMap<Name, PlayerTallies> {
    let mut players: BTreeMap<Name, PlayerTallies> = BTreeMap::new();
    for record in records {
        let seat = |tag, kind| {
            let name = record.tag(tag).unwrap_or("?");
            match record.tag(kind) {
                Some("human") => Seat::Player(Name::new(name).expect("a name")),
                Some("bot") => Seat::Bot(name.into()),
                _ => Seat::Deleted,
            }
        };
        let seats = [seat("X", "XKind"), seat("O", "OKind")];
        for (side, this, other) in [(Side::X, 0, 1), (Side::O, 1, 0)] {
            let Seat::Player(name) = &seats[this] else {
                continue;
            };
            let tallied = players.entry(name.clone()).or_default();
            if record.tag("Handed") == Some("yes") || record.tag("Assisted").is_some() {
                continue;
            }
            if let Some(result) = record.result() {
                let tally = Tally::from_outcome(result, side);
                tallied.total += tally;
                let game = record.state().variant().to_string();
                *tallied.by_variant.entry(game).or_default() += tally;
                let opponent = seats[other].clone();
                *tallied.by_opponent.entry(opponent).or_default() += tally;
            }
        }
    }
    players
}

async fn tallies_from_store(store: &Store) -> BTreeMap<Name, PlayerTallies> {
    let mut players = BTreeMap::new();
    for (name, tally) in store.all_players().await.expect("read") {
        let record = store
            .player_record(&name)
            .await
            .expect("read")
            .expect("exists");
        assert_eq!(record.total, tally);
        assert_eq!(store.player_tally(&name).await.expect("read"), Some(tally));
        let games = record.by_variant.into_iter();
        let tallied = PlayerTallies {
            total: tally,
            by_variant: games
                .map(|(game, tally)| (game.to_string(), tally))
                .collect(),
            by_opponent: record.by_opponent.into_iter().collect(),
        };
        players.insert(name, tallied);
    }
    players
}

/// Players without games don't count as a difference.
fn compare(
    mut tallied: BTreeMap<Name, PlayerTallies>,
    mut from_store: BTreeMap<Name, PlayerTallies>,
) -> u64 {
    tallied.retain(|_, tallied| tallied.total.games() > 0);
    from_store.retain(|_, tallied| tallied.total.games() > 0);
    assert_eq!(tallied, from_store);
    tallied.values().map(|tallied| tallied.total.games()).sum()
}

async fn check(seed: u64, games: usize) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut rng = TestRng::new(seed);
    let mut store = open_without_sync(dir.path()).await;
    for i in 0..games {
        store = play(store, dir.path(), &mut rng).await;
        if rng.chance(1, 200) {
            rename_or_delete(&store, &mut rng).await;
        }
        if i % 100 == 99 {
            let records = export_all(&store, &GameFilter::default()).await;
            compare(recount(&records), tallies_from_store(&store).await);
        }
    }
    let records = export_all(&store, &GameFilter::default()).await;
    let from_store = tallies_from_store(&store).await;

    // Through a file into an empty store: the same games, the same statistics.
    let text = Record::format_all(&records);
    let other = Store::in_memory().await.expect("opens");
    let read = Record::parse_all(&text).expect("records");
    let imported = other.import(&read).await.expect("imported");
    assert_eq!(
        (imported.added, imported.already_present),
        (records.len() as u64, 0)
    );
    let back = export_all(&other, &GameFilter::default()).await;
    assert_eq!(Record::format_all(&back), text);
    compare(recount(&records), tallies_from_store(&other).await);

    let tallied = compare(recount(&records), from_store);
    assert!(
        tallied > games as u64 / 4,
        "only {tallied} of {games} games count"
    );
}

#[tokio::test]
async fn statistics_match_a_recount() {
    check(1, 350).await;
}

#[tokio::test]
#[ignore = "takes a minute; the soak runs it"]
async fn statistics_match_a_recount_for_long() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    for seed in 2..2 + times {
        check(seed, 1000).await;
    }
}
