//! The menu as people meet it: what it shows, what keys and clicks do, what it
//! remembers.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Outcome, Side as Mark, Variant};
use noughts_store::{GameFilter, GameSummary, Name, NewGame, Seat, Termination};

use super::*;
use crate::participant_arg::ParticipantArg;
use crate::store_handle::StoreHandle;
use crate::tui::appearance::Surroundings;
use crate::tui::testing::Driver;

const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

fn menu(width: u16, height: u16) -> Driver {
    Driver::new(width, height, MenuScreen::open)
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// The games that were begun, newest first.
fn games(driver: &mut Driver) -> Vec<GameSummary> {
    let keeper = &driver.context().store_handle;
    let games = keeper.block_on(keeper.store().games(&GameFilter::default()));
    games.expect("a store in memory")
}

/// A store in which Ann and Bo have played.
fn known_people() -> StoreHandle {
    let keeper = StoreHandle::in_memory().expect("a store in memory");
    let games = [
        ("Ann", "Bo", Outcome::Win(Mark::X)),
        ("Bo", "Ann", Outcome::Draw),
        ("Ann", "Bo", Outcome::Win(Mark::X)),
        ("Zoë 李", "Bo", Outcome::Win(Mark::O)),
    ];
    for (x, o, outcome) in games {
        let store = keeper.store();
        let seats = [x, o].map(|text| Seat::Player(name(text)));
        let game = NewGame {
            variant: Variant::CLASSIC,
            start: None,
            seats,
        };
        let played = async {
            let id = store.create_game(&game).await?;
            store
                .finish_game(id, Some(outcome), Termination::AgreedDraw)
                .await
        };
        keeper.block_on(played).expect("a store in memory");
    }
    keeper
}

fn among_people(width: u16, height: u16) -> Driver {
    let around = Surroundings::default();
    let mut driver = Driver::with_store(width, height, known_people(), around, MenuScreen::open);
    // The menu hears of them after its first frame.
    driver.receive_events(1);
    driver
}

#[test]
fn every_game_is_shown() {
    for (width, height) in SIZES {
        let mut driver = menu(width, height);
        for game in games::FAMILIES {
            let title = game
                .title
                .to_lowercase()
                .replace(' ', "_")
                .replace('è', "e");
            insta::assert_snapshot!(format!("{title}_{width}x{height}"), driver.text());
            driver.keys("<down>");
        }
    }
}

#[test]
fn everything_can_be_ascii() {
    let around = Surroundings {
        ascii: true,
        ..Surroundings::default()
    };
    let keeper = StoreHandle::in_memory().expect("a store in memory");
    let mut driver = Driver::with_store(80, 24, keeper, around, MenuScreen::open);
    driver.keys("<down><down><down><tab>");
    insta::assert_snapshot!("ascii_80x24", driver.text());
    for keys in [
        "<esc><up><up>?",
        "<esc>1",
        "<esc><esc>2",
        "<esc>c",
        "<esc>?",
        "<esc><down><down><down>",
    ] {
        driver.keys(keys);
        let text = driver.text();
        assert!(text.is_ascii(), "after {keys}:\n{text}");
    }
}

#[test]
fn what_lies_over_the_menu_is_shown() {
    for (width, height) in SIZES {
        for (what, keys) in [
            ("person", "1"),
            ("person_typed", "1o<down>"),
            ("level", "2"),
            ("appearance", "c<down>"),
            ("rules", "<down><down><down>?"),
            ("refused", "<down><down><down><tab><down><left>"),
            (
                "same_person",
                "<tab><tab><left>1Ann<enter>2ann<enter><esc><enter>",
            ),
        ] {
            let mut driver = among_people(width, height);
            driver.keys(keys);
            insta::assert_snapshot!(format!("{what}_{width}x{height}"), driver.text());
        }
    }
}

#[test]
fn the_table_is_offered() {
    let folder = tempfile::tempdir().expect("a folder");
    for (width, height) in SIZES {
        let mut driver = menu(width, height);
        driver.context().data_dir = Some(folder.path().into());
        driver.keys("<down><down><down>");
        driver.tick();
        assert!(driver.text().contains("build it."), "{}", driver.text());
        // Up from medium to best.
        driver.keys("2<end><enter><esc><enter>");
        insta::assert_snapshot!(format!("table_{width}x{height}"), driver.text());
        assert_eq!(games(&mut driver).len(), 0, "not before it is answered");
        driver.keys("p");
        assert_eq!(games(&mut driver).len(), 1);
        driver.show_screen(MenuScreen::open);
        driver.context().pretend_building(0.43);
        driver.keys("<enter>");
        driver.show_screen(MenuScreen::open);
        insta::assert_snapshot!(format!("building_{width}x{height}"), driver.text());
        assert_eq!(games(&mut driver).len(), 2, "it is offered once");
    }
}

#[test]
fn quitting_does_not_lose_a_table_without_a_word() {
    let mut driver = menu(80, 24);
    driver.context().pretend_building(0.75);
    driver.keys("q");
    insta::assert_snapshot!("quit_building_80x24", driver.text());
    driver.keys("<enter>");
    assert!(!driver.has_ended(), "stay is the first choice");
    // A game says so, too.
    driver.keys("<enter>q");
    assert!(driver.text().contains("(75 %)"), "{}", driver.text());
    driver.keys("n");
    driver.show_screen(MenuScreen::open);
    driver.keys("qq");
    assert!(driver.has_ended());
}

#[test]
fn too_small_is_said_and_forgotten() {
    let mut driver = menu(80, 24);
    let before = driver.text();
    driver.resize(39, 12);
    insta::assert_snapshot!("too_small_39x12", driver.text());
    driver.keys("<down><enter>q");
    assert!(!driver.has_ended(), "nobody presses what they do not see");
    driver.resize(20, 5);
    for part in ["quit with Ctrl-C", "needs 40×12", "20×5"] {
        assert!(driver.text().contains(part), "{}", driver.text());
    }
    driver.resize(1, 1);
    driver.resize(80, 24);
    assert_eq!(driver.text(), before);
}

/// In a small terminal everything is in one column, and what has the keys is seen.
#[test]
fn a_small_terminal_gets_a_compact_menu() {
    let mut driver = menu(40, 12);
    insta::assert_snapshot!("compact_40x12", driver.text());
    driver.keys("<tab><tab><right>");
    insta::assert_snapshot!("compact_players_40x12", driver.text());
    for (keys, seen) in [
        ("<esc>2", "who plays?"),
        ("<esc>1", "who plays?"),
        ("<esc>c", "Appearance"),
        ("<esc>?", "The rules of"),
        ("<esc><end><right>", "Owning"),
    ] {
        driver.keys(keys);
        assert!(driver.text().contains(seen), "{keys}: {}", driver.text());
    }
    driver.keys("<home><enter>");
    assert!(driver.text().contains("Player 1 (X)"), "{}", driver.text());
}

fn human(text: &str) -> ParticipantArg {
    ParticipantArg::Human(Some(name(text)))
}

#[test]
fn a_game_at_once_needs_no_names() {
    let anybody = || ParticipantArg::Human(None);
    let bot = || ParticipantArg::Bot(BotKind::Hard);
    let person = |text| Seat::Player(name(text));
    for (seats, last, expected) in [
        (
            [anybody(), bot()],
            "",
            [person("Player 1"), Seat::Bot("hard".into())],
        ),
        (
            [bot(), anybody()],
            "",
            [Seat::Bot("hard".into()), person("Player 1")],
        ),
        (
            [anybody(), anybody()],
            "",
            [person("Player 1"), person("Player 2")],
        ),
        (
            [anybody(), human("player 1")],
            "",
            [person("Player 2"), person("player 1")],
        ),
        (
            [anybody(), bot()],
            "Ann",
            [person("Ann"), Seat::Bot("hard".into())],
        ),
        (
            [anybody(), human("ANN")],
            "Ann",
            [person("Player 1"), person("ANN")],
        ),
    ] {
        let mut driver = menu(80, 24);
        if !last.is_empty() {
            driver.keys(&format!("1{last}<enter><esc>q"));
        }
        driver
            .show_screen(|house| begin_at_once(house, AnyGameState::new(Variant::ULTIMATE), seats));
        let game = &games(&mut driver)[0];
        assert_eq!((game.variant, &game.seats), (Variant::ULTIMATE, &expected));
    }
}

#[test]
fn a_game_that_cannot_be_leads_to_the_menu() {
    let seats = || [human("Ann"), human("ann")];
    for (width, height) in SIZES {
        let mut driver = menu(width, height);
        driver.show_screen(|house| {
            begin_at_once(house, AnyGameState::new(Variant::CLASSIC), seats())
        });
        insta::assert_snapshot!(format!("no_game_{width}x{height}"), driver.text());
        driver.keys("<enter>");
        assert!(driver.text().contains("the tic-tac-toe family"));
    }
}

/// A person against `medium` at classic.
#[test]
fn one_enter_starts_a_game() {
    let mut driver = menu(80, 24);
    driver.keys("<enter>");
    let games = games(&mut driver);
    let [game] = games.as_slice() else {
        panic!("one game, not {}", games.len());
    };
    assert_eq!(game.variant, Variant::CLASSIC);
    let seats = [Seat::Player(name("Player 1")), Seat::Bot("medium".into())];
    assert_eq!(game.seats, seats);
}

/// Whatever was chosen in a list, the next Enter plays.
#[test]
fn enter_plays_after_a_choice() {
    for (keys, x, o) in [
        ("1Zoë<enter>", "Zoë", "medium"),
        ("2<down><enter>", "Player 1", "hard"),
        ("<tab><down> Zoë<enter>", "Zoë", "medium"),
    ] {
        let mut driver = menu(80, 24);
        driver.keys(keys);
        assert!(driver.text().contains("Enter play"), "{}", driver.text());
        driver.keys("<enter>");
        let games = games(&mut driver);
        let seats = games.first().map(|game| &game.seats);
        let expected = [Seat::Player(name(x)), Seat::Bot(o.into())];
        assert_eq!(seats, Some(&expected), "after {keys}");
    }
}

/// Who begins without the menu is asked what the menu would ask.
#[test]
fn a_game_at_once_offers_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    for (variant, offered) in [(Variant::TIC_TAC_TWO, true), (Variant::CLASSIC, false)] {
        let mut driver = menu(80, 24);
        driver.context().data_dir = Some(folder.path().into());
        let seats = [human("Ada"), ParticipantArg::Bot(BotKind::Perfect)];
        driver.show_screen(|house| begin_at_once(house, AnyGameState::new(variant), seats));
        let text = driver.text();
        assert_eq!(text.contains("The exact table"), offered, "{text}");
    }
}

/// The menu after a game that was begun from the command line.
#[test]
fn a_game_at_once_is_remembered() {
    let mut driver = menu(80, 24);
    let seats = [human("Ada"), ParticipantArg::Bot(BotKind::Perfect)];
    driver.show_screen(|house| begin_at_once(house, AnyGameState::new(Variant::MISERE), seats));
    driver.settle_stored();
    driver.show_screen(MenuScreen::open);
    let text = driver.text();
    for part in ["╭ misere", "Ada", "  perfect  "] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

/// A rematch starts where the game did, given moves included.
#[test]
fn another_game_starts_from_the_same_position() {
    let mut driver = menu(80, 24);
    let mut from = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o").expect("a position");
    for mv in ["a2", "b1", "b2"] {
        from.play(mv).expect("a legal move");
    }
    let seats = [human("Ada"), human("Bob")];
    driver.show_screen(|house| begin_at_once(house, from, seats));
    driver.keys("/c1<enter>");
    driver.until_text("again, sides swapped");
    driver.keys("s");
    let game = games(&mut driver)[0].clone();
    assert_eq!((game.move_count, game.end), (3, None));
    let keeper = &driver.context().store_handle;
    let stored = keeper.block_on(keeper.store().game(game.id));
    let stored = stored.expect("a store in memory").expect("a game");
    assert_eq!(stored.start.as_deref(), Some("x../.../... o"));
    let seats = ["Bob", "Ada"].map(|text| Seat::Player(name(text)));
    assert_eq!(stored.seats, seats);
    // Nobody has moved in it: leaving forgets it.
    driver.keys("q");
    let text = driver.text();
    assert!(text.contains("there is nothing to keep"), "{text}");
}

#[test]
fn a_refused_name_is_told_in_full() {
    let mut driver = menu(80, 24);
    driver.keys(&format!("1{}", "a".repeat(43)));
    assert!(driver.text().contains("43"), "{}", driver.text());
    assert!(!driver.text().contains("arrows"), "nobody is there");
    assert!(!driver.text().contains("who starts"), "{}", driver.text());
}

/// True colour needs a ground to be made for.
#[test]
fn why_there_are_sixteen_colours_is_said() {
    let around = Surroundings {
        true_colour: true,
        ..Surroundings::default()
    };
    let keeper = StoreHandle::in_memory().expect("a store in memory");
    let mut driver = Driver::with_store(80, 24, keeper, around, MenuScreen::open);
    driver.keys("c");
    insta::assert_snapshot!("sixteen_colours_80x24", driver.text());
    driver.keys("<right>");
    assert!(!driver.text().contains("Sixteen"), "{}", driver.text());
}

#[test]
fn two_people_without_names_have_numbers() {
    let mut driver = menu(80, 24);
    driver.keys("<tab><tab><left><enter>");
    let seats = &games(&mut driver)[0].seats;
    assert_eq!(
        *seats,
        ["Player 1", "Player 2"].map(|text| Seat::Player(name(text)))
    );
}

#[test]
fn the_last_choices_are_remembered() {
    for ending in ["<enter>", "q"] {
        let mut driver = menu(80, 24);
        // Ultimate, a named person as O against hard, and options of a game not played.
        driver.keys("<down><down><down><down><down><tab><down><right><esc><up>");
        driver.keys("1Ann<enter>2<down><enter>s<esc>");
        let before = driver.text();
        driver.keys(ending);
        driver.settle_stored();
        let mut driver = Driver::with_store(
            80,
            24,
            driver.into_keeper(),
            Surroundings::default(),
            MenuScreen::open,
        );
        assert_eq!(driver.text(), before, "after {ending}");
        driver.keys("<down>");
        assert!(driver.text().contains("Owning"), "{}", driver.text());
        assert!(driver.text().contains(" ultimate "), "{}", driver.text());
    }
}

#[test]
fn the_look_is_remembered() {
    let mut driver = menu(80, 24);
    driver.keys("c<right><down><down><left><enter>");
    let chosen = driver.context().appearance();
    assert_ne!(chosen, crate::tui::appearance::Appearance::default());
    assert!(driver.context().theme.ascii());
    driver.settle_stored();
    let kept = driver
        .context()
        .load_setting(crate::tui::appearance::Appearance::SETTING_KEY);
    assert_eq!(kept, Some(chosen.to_json()));
}

#[test]
fn the_mouse_reaches_everything() {
    let mut driver = menu(80, 24);
    driver.click_on("Tic-Tac-Two");
    assert!(driver.text().contains("╭ tic-tac-two"), "{}", driver.text());
    driver.click_on("Board ");
    assert!(
        driver.text().contains("tic-tac-two:board=7"),
        "{}",
        driver.text()
    );
    driver.click_on("a computer");
    assert!(!driver.text().contains("  a computer"), "{}", driver.text());
    driver.click_on("‹        Player 2");
    assert!(
        driver.text().contains("Player 2: who plays?"),
        "{}",
        driver.text()
    );
    driver.keys("<esc>");
    driver.click_on("player 1");
    assert!(driver.text().contains("player 2  ›"), "{}", driver.text());
    driver.click_on("Appearance");
    assert!(driver.text().contains("Characters"), "{}", driver.text());
    driver.click_on("Enter done");
    driver.click_on("   Play   ");
    assert_eq!(games(&mut driver).len(), 1);
}

/// Nothing that is pressed breaks the menu, and Esc always leads back.
#[test]
fn random_keys_and_clicks_never_panic() {
    send(3, 1200);
}

#[test]
#[ignore = "soak"]
fn soak_random_keys_and_clicks() {
    send(4, 20_000);
}

/// Sends `count` random keys and clicks to the menu.
fn send(seed: u32, count: usize) {
    const KEYS: [&str; 26] = [
        "<up>",
        "<down>",
        "<left>",
        "<right>",
        "<tab>",
        "<backtab>",
        "<enter>",
        "<esc>",
        "<home>",
        "<end>",
        "<pgup>",
        "<pgdn>",
        "<backspace>",
        "<del>",
        "j",
        "k",
        "h",
        "l",
        "1",
        "2",
        "s",
        "x",
        "c",
        "?",
        " ",
        "李",
    ];
    let mut dice = seed;
    let mut roll = |many: usize| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 8) as usize % many
    };
    let mut driver = among_people(80, 24);
    for round in 0..count {
        match roll(4) {
            0 => driver.click(roll(80) as u16, roll(24) as u16),
            _ => driver.keys(KEYS[roll(KEYS.len())]),
        }
        if round % 200 == 199 {
            driver.resize(80 + roll(80) as u16, 24 + roll(30) as u16);
        }
        if !driver.text().contains("the tic-tac-toe family") {
            driver.show_screen(MenuScreen::open);
        }
    }
    driver.keys("<esc><esc><esc>q");
    assert!(driver.has_ended());
}
