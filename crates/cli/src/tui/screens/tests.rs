//! The screens around the menu: what they show, and where they lead.

use std::time::Duration;

use noughts_rules::{Outcome, Side, Termination, Variant};
use noughts_session::policy::GameRequest;
use noughts_store::{GameFilter, GameId, Name, NewGame, Seat, StoredMove};

use super::menu::MenuScreen;
use super::players::PlayersScreen;
use super::saved_games::SavedGamesScreen;
use super::{question, resume};
use crate::store_handle::StoreHandle;
use crate::tui::app_context::AppContext;
use crate::tui::appearance::TerminalEnv;
use crate::tui::screens::Screen;
use crate::tui::testing::Driver;

const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

fn human(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

fn bot(name: &str) -> Seat {
    Seat::Bot(name.into())
}

/// Stores a game with these moves and this result.
fn store_game(
    store_handle: &StoreHandle,
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
    let store = store_handle.store();
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
    store_handle.block_on(played).expect("a store in memory")
}

fn empty_store() -> StoreHandle {
    StoreHandle::in_memory().expect("a store in memory")
}

/// A store with some games, `open` of them unfinished.
fn store_with_games(unfinished: usize) -> StoreHandle {
    let store_handle = empty_store();
    let x_wins = Some(Outcome::Win(Side::X));
    let o_wins = Some(Outcome::Win(Side::O));
    let draw = Some(Outcome::Draw);
    let ann = || human("Ann");
    store_game(
        &store_handle,
        "classic",
        [ann(), bot("medium")],
        "b2 a1 c1",
        x_wins,
    );
    store_game(&store_handle, "classic", [bot("hard"), ann()], "b2", x_wins);
    store_game(
        &store_handle,
        "ultimate",
        [ann(), human("Zoë 李")],
        "ee eb be",
        draw,
    );
    store_game(
        &store_handle,
        "ception:4b,5c,depth=3,end=most",
        [human("Zoë 李"), ann()],
        "eee",
        o_wins,
    );
    let games = [
        ("tic-tac-two", [ann(), bot("perfect")], "c3 b2 d2"),
        ("mnk:15,15,5", [ann(), bot("mcts")], "h8"),
        (
            "misere",
            [
                human("Zoë 李"),
                human("Somebody with quite a long name indeed"),
            ],
            "b2 a1",
        ),
    ];
    for (variant, seats, moves) in games.into_iter().take(unfinished) {
        store_game(&store_handle, variant, seats, moves, None);
    }
    store_handle
}

fn driver_for(
    (width, height): (u16, u16),
    store_handle: StoreHandle,
    first: impl FnOnce(&mut AppContext) -> Box<dyn Screen>,
) -> Driver {
    Driver::with_store(width, height, store_handle, TerminalEnv::default(), first)
}

fn offer(context: &mut AppContext) -> Box<dyn Screen> {
    resume::offer(context, &GameRequest::default(), MenuScreen::open)
}

#[test]
fn unfinished_games_are_offered() {
    for size in SIZES {
        let (width, height) = size;
        for (what, unfinished) in [("one", 1), ("several", 3)] {
            let driver = driver_for(size, store_with_games(unfinished), offer);
            let name = format!("resume_{what}_{width}x{height}");
            insta::assert_snapshot!(name, driver.text_without_times());
        }
        let mut driver = driver_for(size, store_with_games(3), offer);
        driver.keys("<down>a");
        insta::assert_snapshot!(
            format!("abandon_{width}x{height}"),
            driver.text_without_times()
        );
    }
}

#[test]
fn without_unfinished_games_the_menu_opens() {
    let driver = driver_for((80, 24), store_with_games(0), offer);
    assert!(driver.text().contains("the tic-tac-toe family"));
    // Before a game of one variant, only games of that variant are offered.
    let ultimate = |context: &mut AppContext| {
        let request = GameRequest {
            variant: Some(Variant::ULTIMATE),
            ..GameRequest::default()
        };
        resume::offer(context, &request, MenuScreen::open)
    };
    let driver = driver_for((80, 24), store_with_games(3), ultimate);
    assert!(driver.text().contains("the tic-tac-toe family"));
}

#[test]
fn later_opens_the_menu_and_abandoning_is_final() {
    let mut driver = driver_for((80, 24), store_with_games(2), offer);
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
    let store_handle = driver.into_store_handle();
    let unfinished = GameFilter {
        open: Some(true),
        ..GameFilter::default()
    };
    let left = store_handle
        .block_on(store_handle.store().games(&unfinished))
        .expect("games");
    assert_eq!(left, []);
}

#[test]
fn an_unfinished_game_is_resumed() {
    let mut driver = driver_for((80, 24), store_with_games(1), offer);
    driver.keys("<enter>");
    assert!(!driver.text().contains("Unfinished"), "{}", driver.text());
    let store_handle = &driver.context().store_handle;
    let left = store_handle
        .block_on(store_handle.store().resumable_games())
        .expect("games");
    assert_eq!(left, [], "it is being played");
}

#[test]
fn without_a_store_the_player_can_play_or_quit() {
    let error = "/var/lib/a folder with a rather long name/and another one in it cannot be written; \
                   allow it, or use another data folder";
    let ask_to_continue =
        |_: &mut AppContext| question::store_unavailable(error, Box::new(MenuScreen::open));
    for size in SIZES {
        let (width, height) = size;
        let mut driver = driver_for(size, empty_store(), ask_to_continue);
        insta::assert_snapshot!(format!("no_store_{width}x{height}"), driver.text());
        driver.keys("<enter>");
        assert!(
            driver.text().contains("Games aren't saved"),
            "{}",
            driver.text()
        );
        let mut driver = driver_for(size, empty_store(), ask_to_continue);
        driver.keys("q");
        assert!(driver.has_ended());
    }
}

#[test]
fn players_have_records() {
    for size in SIZES {
        let (width, height) = size;
        let mut driver = driver_for(size, store_with_games(0), PlayersScreen::open);
        // The players, then the record of the first.
        driver.receive_events(2);
        driver.keys("<down>");
        driver.receive_events(1);
        insta::assert_snapshot!(
            format!("known_players_{width}x{height}"),
            driver.text_without_times()
        );
        driver.keys("<esc>");
        assert!(driver.text().contains("the tic-tac-toe family"));
        let mut driver = driver_for(size, empty_store(), PlayersScreen::open);
        driver.wait_for_text("No players yet");
        assert!(!driver.text().contains("arrows"), "{}", driver.text());
    }
}

#[test]
fn games_are_listed() {
    for size in SIZES {
        let (width, height) = size;
        let mut driver = driver_for(size, store_with_games(3), SavedGamesScreen::open);
        driver.receive_events(1);
        driver.keys("<down>");
        insta::assert_snapshot!(
            format!("saved_{width}x{height}"),
            driver.text_without_times()
        );
        driver.keys("<esc>");
        assert!(driver.text().contains("the tic-tac-toe family"));
        let mut driver = driver_for(size, empty_store(), SavedGamesScreen::open);
        driver.wait_for_text("No saved games yet");
        assert!(!driver.text().contains("Enter"), "{}", driver.text());
    }
}

#[test]
fn a_review_leads_back_to_the_list() {
    let mut driver = driver_for((80, 24), store_with_games(0), SavedGamesScreen::open);
    driver.receive_events(1);
    driver.keys("<enter>");
    assert!(!driver.text().contains("Saved games"), "{}", driver.text());
    driver.keys("<esc>");
    assert!(driver.text().contains("╭ Saved games"), "{}", driver.text());
}

/// No key or click breaks a list.
#[test]
fn random_keys_and_clicks_never_panic() {
    const KEYS: [&str; 10] = [
        "<up>", "<down>", "<pgup>", "<pgdn>", "<home>", "<end>", "j", "k", "a", "<tab>",
    ];
    let mut rng = 5_u32;
    let mut roll = |count: usize| {
        rng = rng.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (rng >> 8) as usize % count
    };
    type Open = fn(&mut AppContext) -> Box<dyn Screen>;
    for screen in [PlayersScreen::open as Open, SavedGamesScreen::open, offer] {
        let mut driver = driver_for((80, 24), store_with_games(3), screen);
        for _ in 0..300 {
            driver.process_pending();
            match roll(5) {
                0 => driver.click(roll(80) as u16, roll(24) as u16),
                _ => driver.keys(KEYS[roll(KEYS.len())]),
            }
        }
    }
}
