//! The screens around the menu: what they show, and where they lead.

use std::time::Duration;

use noughts_rules::{Outcome, Side, Variant};
use noughts_store::{GameFilter, GameId, Name, NewGame, Seat, StoredMove, Termination};

use super::menu::MenuScreen;
use super::players::PlayersScreen;
use super::saved_games::Saved;
use super::{question, resume};
use crate::store_handle::StoreHandle;
use crate::tui::app_context::AppContext;
use crate::tui::appearance::Surroundings;
use crate::tui::screens::Screen;
use crate::tui::testing::Driver;

const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

fn person(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

fn bot(name: &str) -> Seat {
    Seat::Bot(name.into())
}

/// A game that was played so far, and what came of it.
fn play(
    keeper: &StoreHandle,
    variant: &str,
    seats: [Seat; 2],
    moves: &str,
    end: Option<Outcome>,
) -> GameId {
    let game = NewGame {
        variant: variant.parse().expect("a variant"),
        start: None,
        seats,
    };
    let store = keeper.store();
    let played = async {
        let id = store.create_game(&game).await?;
        for (ply, text) in moves.split_whitespace().enumerate() {
            let took = Duration::from_millis(900);
            let mv = StoredMove {
                text: text.into(),
                took,
            };
            store.add_move(id, ply, &mv, None).await?;
        }
        match end {
            Some(Outcome::Draw) => store.finish_game(id, end, Termination::AgreedDraw).await?,
            Some(_) => store.finish_game(id, end, Termination::Resigned).await?,
            None => store.release_game(id).await?,
        }
        Ok::<GameId, noughts_store::StoreError>(id)
    };
    keeper.block_on(played).expect("a store in memory")
}

fn empty() -> StoreHandle {
    StoreHandle::in_memory().expect("a store in memory")
}

/// A store with some games, of which so many are not finished.
fn played(open: usize) -> StoreHandle {
    let keeper = empty();
    let x_wins = Some(Outcome::Win(Side::X));
    let o_wins = Some(Outcome::Win(Side::O));
    let draw = Some(Outcome::Draw);
    let ann = || person("Ann");
    play(
        &keeper,
        "classic",
        [ann(), bot("medium")],
        "b2 a1 c1",
        x_wins,
    );
    play(&keeper, "classic", [bot("hard"), ann()], "b2", x_wins);
    play(
        &keeper,
        "ultimate",
        [ann(), person("Zoë 李")],
        "ee eb be",
        draw,
    );
    play(
        &keeper,
        "ception:4b,5c,depth=3,end=most",
        [person("Zoë 李"), ann()],
        "eee",
        o_wins,
    );
    let games = [
        ("tic-tac-two", [ann(), bot("perfect")], "c3 b2 d2"),
        ("mnk:15,15,5", [ann(), bot("mcts")], "h8"),
        (
            "misere",
            [
                person("Zoë 李"),
                person("Somebody with quite a long name indeed"),
            ],
            "b2 a1",
        ),
    ];
    for (variant, seats, moves) in games.into_iter().take(open) {
        play(&keeper, variant, seats, moves, None);
    }
    keeper
}

fn drive(
    (width, height): (u16, u16),
    keeper: StoreHandle,
    first: impl FnOnce(&mut AppContext) -> Box<dyn Screen>,
) -> Driver {
    Driver::with_store(width, height, keeper, Surroundings::default(), first)
}

fn offer(house: &mut AppContext) -> Box<dyn Screen> {
    resume::offer(house, |_, _| true, MenuScreen::open)
}

#[test]
fn unfinished_games_are_offered() {
    for size in SIZES {
        let (width, height) = size;
        for (what, open) in [("one", 1), ("several", 3)] {
            let driver = drive(size, played(open), offer);
            let name = format!("resume_{what}_{width}x{height}");
            insta::assert_snapshot!(name, driver.text_without_times());
        }
        let mut driver = drive(size, played(3), offer);
        driver.keys("<down>a");
        insta::assert_snapshot!(
            format!("abandon_{width}x{height}"),
            driver.text_without_times()
        );
    }
}

#[test]
fn where_nothing_is_unfinished_nothing_is_offered() {
    let driver = drive((80, 24), played(0), offer);
    assert!(driver.text().contains("the tic-tac-toe family"));
    // Only games of the kind that is about to begin are worth a question then.
    let ultimate = |house: &mut AppContext| {
        resume::offer(
            house,
            |_, game| game.variant == Variant::ULTIMATE,
            MenuScreen::open,
        )
    };
    let driver = drive((80, 24), played(3), ultimate);
    assert!(driver.text().contains("the tic-tac-toe family"));
}

#[test]
fn later_is_the_menu_and_abandoning_is_final() {
    let mut driver = drive((80, 24), played(2), offer);
    driver.keys("l");
    assert!(driver.text().contains("the tic-tac-toe family"));
    driver.show_screen(offer);
    // Kept, then abandoned, one after the other.
    driver.keys("akaaaa");
    assert!(
        driver.text().contains("the tic-tac-toe family"),
        "{}",
        driver.text()
    );
    let keeper = driver.into_keeper();
    let open = GameFilter {
        open: Some(true),
        ..GameFilter::default()
    };
    let left = keeper.block_on(keeper.store().games(&open)).expect("games");
    assert_eq!(left, []);
}

#[test]
fn an_unfinished_game_is_resumed() {
    let mut driver = drive((80, 24), played(1), offer);
    driver.keys("<enter>");
    assert!(!driver.text().contains("not finished"), "{}", driver.text());
    let keeper = &driver.context().store_handle;
    let left = keeper
        .block_on(keeper.store().resumable_games())
        .expect("games");
    assert_eq!(left, [], "it is being played");
}

#[test]
fn without_a_store_one_can_play_or_quit() {
    let problem = "/var/lib/a folder with a rather long name/and another one in it cannot be written; \
                   allow it, or use another data folder";
    let ask = |_: &mut AppContext| question::without_store(problem, Box::new(MenuScreen::open));
    for size in SIZES {
        let (width, height) = size;
        let mut driver = drive(size, empty(), ask);
        insta::assert_snapshot!(format!("no_store_{width}x{height}"), driver.text());
        driver.keys("<enter>");
        assert!(
            driver.text().contains("nothing is kept"),
            "{}",
            driver.text()
        );
        let mut driver = drive(size, empty(), ask);
        driver.keys("q");
        assert!(driver.has_ended());
    }
}

#[test]
fn people_have_their_records() {
    for size in SIZES {
        let (width, height) = size;
        let mut driver = drive(size, played(0), PlayersScreen::open);
        // Who there is, then the record of the first.
        driver.receive_events(2);
        driver.keys("<down>");
        driver.receive_events(1);
        insta::assert_snapshot!(
            format!("people_{width}x{height}"),
            driver.text_without_times()
        );
        driver.keys("<esc>");
        assert!(driver.text().contains("the tic-tac-toe family"));
        let mut driver = drive(size, empty(), PlayersScreen::open);
        driver.until_text("Nobody has played");
        assert!(!driver.text().contains("arrows"), "{}", driver.text());
    }
}

#[test]
fn games_are_listed() {
    for size in SIZES {
        let (width, height) = size;
        let mut driver = drive(size, played(3), Saved::open);
        driver.receive_events(1);
        driver.keys("<down>");
        insta::assert_snapshot!(
            format!("saved_{width}x{height}"),
            driver.text_without_times()
        );
        driver.keys("<esc>");
        assert!(driver.text().contains("the tic-tac-toe family"));
        let mut driver = drive(size, empty(), Saved::open);
        driver.until_text("No game was played here yet.");
        assert!(!driver.text().contains("Enter"), "{}", driver.text());
    }
}

#[test]
fn a_review_leads_back_to_the_list() {
    let mut driver = drive((80, 24), played(0), Saved::open);
    driver.receive_events(1);
    driver.keys("<enter>");
    assert!(!driver.text().contains("Saved games"), "{}", driver.text());
    driver.keys("<esc>");
    assert!(driver.text().contains("╭ Saved games"), "{}", driver.text());
}

/// Nothing that is pressed breaks a list.
#[test]
fn random_keys_and_clicks_never_panic() {
    const KEYS: [&str; 10] = [
        "<up>", "<down>", "<pgup>", "<pgdn>", "<home>", "<end>", "j", "k", "a", "<tab>",
    ];
    let mut dice = 5_u32;
    let mut roll = |many: usize| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 8) as usize % many
    };
    type Open = fn(&mut AppContext) -> Box<dyn Screen>;
    for screen in [PlayersScreen::open as Open, Saved::open, offer] {
        let mut driver = drive((80, 24), played(3), screen);
        for _ in 0..300 {
            driver.process_pending();
            match roll(5) {
                0 => driver.click(roll(80) as u16, roll(24) as u16),
                _ => driver.keys(KEYS[roll(KEYS.len())]),
            }
        }
    }
}
