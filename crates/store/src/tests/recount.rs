//! Statistics against a recount: games of people and bots at random, with undo, hints,
//! resignations, handing over, renaming, deleting and starting anew in between.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, Outcome, Record, Side, Variant};

use super::{exported, hasty};
use crate::{
    Assistance, GameFilter, GameId, Name, NewGame, Seat, Store, StoredMove, Tally, Termination,
};

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

fn seat(dice: &mut TestRng) -> Seat {
    if dice.chance(1, 3) {
        return Seat::Bot(dice.pick(&BOTS).unwrap_or_default().into());
    }
    let name = dice.pick(&NAMES).unwrap_or_default();
    let name = if dice.chance(1, 2) {
        name.to_uppercase()
    } else {
        name.into()
    };
    Seat::Player(Name::new(&name).expect("a name"))
}

fn two_seats(dice: &mut TestRng) -> [Seat; 2] {
    loop {
        let seats = [seat(dice), seat(dice)];
        if seats[0].player_name().is_none() || seats[0] != seats[1] {
            return seats;
        }
    }
}

fn stored(text: String, dice: &mut TestRng) -> StoredMove {
    let took = Duration::from_millis(dice.below(100_000) as u64);
    StoredMove { text, took }
}

/// One step of a running game. Has it come to its end?
async fn step(store: &Store, game: GameId, play: &mut AnyGameState, dice: &mut TestRng) -> bool {
    let made = play.moves().len();
    match dice.below(60) {
        0 => {
            let keep = dice.below(made + 1);
            store.take_back(game, keep).await.expect("taken back");
            while play.moves().len() > keep {
                play.undo();
            }
            return false;
        }
        1 => {
            let side = Side::BOTH[dice.below(2)];
            let seat = seat(dice);
            // The same person on both sides is refused, as it should be.
            let _ = store.reseat(game, side, &seat).await;
            return false;
        }
        2 => {
            let (result, end) = match dice.below(4) {
                0 => (Some(Outcome::Draw), Termination::AgreedDraw),
                1 => (None, Termination::Abandoned),
                2 => (Some(Outcome::Win(play.side())), Termination::Timeout),
                _ => (
                    Some(Outcome::Win(play.side().other())),
                    Termination::Resigned,
                ),
            };
            store.finish_game(game, result, end).await.expect("ended");
            return true;
        }
        3 => {
            let how = Assistance::ALL[dice.below(Assistance::ALL.len())];
            store.mark_assisted(game, how).await.expect("marked");
            return false;
        }
        _ => {}
    }
    let moves = play.legal_moves();
    let text = moves[dice.below(moves.len())].clone();
    play.play(&text).expect("a legal move");
    let end = play.outcome().zip(play.ending().map(Termination::from));
    let mv = stored(text, dice);
    store.add_move(game, made, &mv, end).await.expect("stored");
    end.is_some()
}

/// Plays a game, perhaps not to its end.
async fn play(mut store: Store, dir: &Path, dice: &mut TestRng) -> Store {
    let variant: Variant = GAMES[dice.below(GAMES.len())].parse().expect("a variant");
    let new = NewGame {
        variant,
        start: None,
        seats: two_seats(dice),
    };
    let game = store.create_game(&new).await.expect("begun");
    let mut play = AnyGameState::new(variant);
    loop {
        if dice.chance(1, 400) {
            // The program ends and is started again.
            drop(store);
            store = hasty(dir).await;
            assert!(store.acquire_game(game).await.expect("asked"));
            let kept = store.game(game).await.expect("read").expect("there");
            assert_eq!(kept.replay().expect("a game").moves(), play.moves());
        }
        if dice.chance(1, 300) {
            store.release_game(game).await.expect("left open");
            return store;
        }
        if step(&store, game, &mut play, dice).await {
            return store;
        }
    }
}

async fn rename_or_delete(store: &Store, dice: &mut TestRng) {
    let name = |dice: &mut TestRng| Name::new(NAMES[dice.below(NAMES.len())]).expect("a name");
    let (one, other) = (name(dice), name(dice));
    if dice.chance(1, 2) {
        // Somebody else may have the name, or nobody this one.
        let _ = store.rename_player(&one, &other).await;
    } else {
        let _ = store.delete_player(&one).await;
    }
}

#[derive(PartialEq, Default, Debug)]
struct Counted {
    total: Tally,
    by_game: BTreeMap<String, Tally>,
    by_opponent: BTreeMap<Seat, Tally>,
}

/// The slow and obvious way.
fn recount(records: &[Record]) -> BTreeMap<Name, Counted> {
    let mut people: BTreeMap<Name, Counted> = BTreeMap::new();
    for record in records {
        let seat = |tag, kind| {
            let name = record.tag(tag).unwrap_or("?");
            match record.tag(kind) {
                Some("person") => Seat::Player(Name::new(name).expect("a name")),
                Some("bot") => Seat::Bot(name.into()),
                _ => Seat::Deleted,
            }
        };
        let seats = [seat("X", "XKind"), seat("O", "OKind")];
        for (side, mine, theirs) in [(Side::X, 0, 1), (Side::O, 1, 0)] {
            let Seat::Player(name) = &seats[mine] else {
                continue;
            };
            let counted = people.entry(name.clone()).or_default();
            if record.tag("Handed") == Some("yes") || record.tag("Assisted").is_some() {
                continue;
            }
            if let Some(result) = record.result() {
                let tally = Tally::from_outcome(result, side);
                counted.total += tally;
                let game = record.state().variant().to_string();
                *counted.by_game.entry(game).or_default() += tally;
                let opponent = seats[theirs].clone();
                *counted.by_opponent.entry(opponent).or_default() += tally;
            }
        }
    }
    people
}

async fn by_the_store(store: &Store) -> BTreeMap<Name, Counted> {
    let mut people = BTreeMap::new();
    for (name, tally) in store.all_players().await.expect("read") {
        let record = store
            .player_record(&name)
            .await
            .expect("read")
            .expect("there");
        assert_eq!(record.total, tally);
        assert_eq!(store.player_tally(&name).await.expect("read"), Some(tally));
        let games = record.by_variant.into_iter();
        let counted = Counted {
            total: tally,
            by_game: games
                .map(|(game, tally)| (game.to_string(), tally))
                .collect(),
            by_opponent: record.by_opponent.into_iter().collect(),
        };
        people.insert(name, counted);
    }
    people
}

/// Those who have no game left are no difference.
fn compare(mut counted: BTreeMap<Name, Counted>, mut told: BTreeMap<Name, Counted>) -> u64 {
    counted.retain(|_, counted| counted.total.games() > 0);
    told.retain(|_, counted| counted.total.games() > 0);
    assert_eq!(counted, told);
    counted.values().map(|counted| counted.total.games()).sum()
}

async fn check(seed: u64, games: usize) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut dice = TestRng::new(seed);
    let mut store = hasty(dir.path()).await;
    for i in 0..games {
        store = play(store, dir.path(), &mut dice).await;
        if dice.chance(1, 200) {
            rename_or_delete(&store, &mut dice).await;
        }
        if i % 100 == 99 {
            let records = exported(&store, &GameFilter::default()).await;
            compare(recount(&records), by_the_store(&store).await);
        }
    }
    let records = exported(&store, &GameFilter::default()).await;
    let told = by_the_store(&store).await;

    // Through a file into an empty store: the same games, the same statistics.
    let text = Record::format_all(&records);
    let other = Store::in_memory().await.expect("opens");
    let read = Record::parse_all(&text).expect("records");
    let imported = other.import(&read).await.expect("imported");
    assert_eq!(
        (imported.added, imported.already_present),
        (records.len() as u64, 0)
    );
    let back = exported(&other, &GameFilter::default()).await;
    assert_eq!(Record::format_all(&back), text);
    compare(recount(&records), by_the_store(&other).await);

    let counted = compare(recount(&records), told);
    assert!(
        counted > games as u64 / 4,
        "only {counted} of {games} games count"
    );
}

#[tokio::test]
async fn statistics_equal_a_recount() {
    check(1, 350).await;
}

#[tokio::test]
#[ignore = "takes a minute; the soak runs it"]
async fn statistics_equal_a_recount_for_long() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    for seed in 2..2 + times {
        check(seed, 1000).await;
    }
}
