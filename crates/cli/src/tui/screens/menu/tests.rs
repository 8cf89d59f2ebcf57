//! The menu: what it shows, what keys and clicks do, what it remembers.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Outcome, Side, Termination, Variant};
use noughts_session::policy::RequestedPlayer;
use noughts_store::{GameFilter, GameSummary, Name, NewGame, Seat};

use super::*;
use crate::store_handle::StoreHandle;
use crate::tui::appearance::TerminalEnv;
use crate::tui::testing::Driver;

const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

fn menu(width: u16, height: u16) -> Driver {
    Driver::new(width, height, MenuScreen::open)
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// The stored games, newest first.
fn games(driver: &mut Driver) -> Vec<GameSummary> {
    let store_handle = &driver.context().store_handle;
    let games = store_handle.block_on(store_handle.store().games(&GameFilter::default()));
    games.expect("a store in memory")
}

/// A store in which Ann, Bo and Zoë have played.
fn store_with_players() -> StoreHandle {
    let store_handle = StoreHandle::in_memory().expect("a store in memory");
    let games = [
        ("Ann", "Bo", Outcome::Win(Side::X)),
        ("Bo", "Ann", Outcome::Draw),
        ("Ann", "Bo", Outcome::Win(Side::X)),
        ("Zoë 李", "Bo", Outcome::Win(Side::O)),
    ];
    for (x, o, outcome) in games {
        let store = store_handle.store();
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
        store_handle.block_on(played).expect("a store in memory");
    }
    store_handle
}

fn menu_with_known_players(width: u16, height: u16) -> Driver {
    let terminal_env = TerminalEnv::default();
    let mut driver = Driver::with_store(
        width,
        height,
        store_with_players(),
        terminal_env,
        MenuScreen::open,
    );
    // The players arrive after the first frame.
    driver.receive_events(1);
    driver
}

#[test]
fn snapshots_of_every_game() {
    for (width, height) in SIZES {
        let mut driver = menu(width, height);
        for game in games::entries() {
            let name = game
                .default_variant
                .to_string()
                .replace([':', ',', '='], "_");
            let has_options = game.default_request().option_count() > 0;
            let kind = if has_options { "_options" } else { "" };
            insta::assert_snapshot!(format!("{name}{kind}_{width}x{height}"), driver.text());
            driver.keys("<down>");
        }
    }
}

#[test]
fn ascii_mode_is_pure_ascii() {
    let terminal_env = TerminalEnv {
        ascii: true,
        ..TerminalEnv::default()
    };
    let store_handle = StoreHandle::in_memory().expect("a store in memory");
    let mut driver = Driver::with_store(80, 24, store_handle, terminal_env, MenuScreen::open);
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
fn snapshots_of_overlays() {
    for (width, height) in SIZES {
        for (what, keys) in [
            ("human", "1"),
            ("human_typed", "1o<down>"),
            ("level", "2"),
            ("appearance", "c<down>"),
            ("rules", "<down><down><down>?"),
            ("refused", "<down><down><down><tab><down><left>"),
            (
                "same_human",
                "<tab><tab><left>1Ann<enter>2ann<enter><esc><enter>",
            ),
        ] {
            let mut driver = menu_with_known_players(width, height);
            driver.keys(keys);
            insta::assert_snapshot!(format!("{what}_{width}x{height}"), driver.text());
        }
    }
}

#[test]
fn the_tablebase_is_offered_once() {
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
        assert_eq!(
            games(&mut driver).len(),
            0,
            "not before the dialog is answered"
        );
        driver.keys("p");
        assert_eq!(games(&mut driver).len(), 1);
        driver.show_screen(MenuScreen::open);
        driver.context().fake_build(0.43);
        driver.keys("<enter>");
        driver.show_screen(MenuScreen::open);
        insta::assert_snapshot!(format!("building_{width}x{height}"), driver.text());
        assert_eq!(games(&mut driver).len(), 2, "it is offered once");
    }
}

#[test]
fn quitting_during_a_build_needs_confirmation() {
    let mut driver = menu(80, 24);
    driver.context().fake_build(0.75);
    driver.keys("q");
    insta::assert_snapshot!("quit_building_80x24", driver.text());
    driver.keys("<enter>");
    assert!(!driver.has_ended(), "stay is the first choice");
    // The game screen warns, too.
    driver.keys("<enter>q");
    assert!(driver.text().contains("75%"), "{}", driver.text());
    driver.keys("n");
    driver.show_screen(MenuScreen::open);
    driver.keys("qq");
    assert!(driver.has_ended());
}

#[test]
fn a_too_small_terminal_shows_a_notice_until_resized() {
    let mut driver = menu(80, 24);
    let before = driver.text();
    driver.resize(39, 12);
    insta::assert_snapshot!("too_small_39x12", driver.text());
    driver.keys("<down><enter>q");
    assert!(
        !driver.has_ended(),
        "input is ignored while the screen is hidden"
    );
    driver.resize(20, 5);
    for part in ["quit with Ctrl-C", "needs 40×12", "20×5"] {
        assert!(driver.text().contains(part), "{}", driver.text());
    }
    driver.resize(1, 1);
    driver.resize(80, 24);
    assert_eq!(driver.text(), before);
}

/// In a small terminal everything is in one column and the focus is visible.
#[test]
fn a_small_terminal_gets_a_compact_menu() {
    let mut driver = menu(40, 12);
    insta::assert_snapshot!("compact_40x12", driver.text());
    driver.keys("<tab><tab><right>");
    insta::assert_snapshot!("compact_players_40x12", driver.text());
    for (keys, seen) in [
        ("<esc>2", "choose a name"),
        ("<esc>1", "choose a name"),
        ("<esc>c", "Appearance"),
        ("<esc>?", "Rules:"),
        ("<esc><end><right>", "Marks"),
    ] {
        driver.keys(keys);
        assert!(driver.text().contains(seen), "{keys}: {}", driver.text());
    }
    driver.keys("<home><enter>");
    assert!(driver.text().contains("Player 1 (X)"), "{}", driver.text());
}

fn human(text: &str) -> RequestedPlayer {
    RequestedPlayer::Human(Some(name(text)))
}

#[test]
fn a_quick_start_needs_no_names() {
    let unnamed = || RequestedPlayer::Human(None);
    let bot = || RequestedPlayer::Bot(BotKind::Hard);
    let player_seat = |text| Seat::Player(name(text));
    for (seats, last, expected) in [
        (
            [unnamed(), bot()],
            "",
            [player_seat("Player 1"), Seat::Bot("hard".into())],
        ),
        (
            [bot(), unnamed()],
            "",
            [Seat::Bot("hard".into()), player_seat("Player 1")],
        ),
        (
            [unnamed(), unnamed()],
            "",
            [player_seat("Player 1"), player_seat("Player 2")],
        ),
        (
            [unnamed(), human("player 1")],
            "",
            [player_seat("Player 2"), player_seat("player 1")],
        ),
        (
            [unnamed(), bot()],
            "Ann",
            [player_seat("Ann"), Seat::Bot("hard".into())],
        ),
        (
            [unnamed(), human("ANN")],
            "Ann",
            [player_seat("Player 1"), player_seat("ANN")],
        ),
    ] {
        let mut driver = menu(80, 24);
        if !last.is_empty() {
            driver.keys(&format!("1{last}<enter><esc>q"));
        }
        driver.show_screen(|context| {
            start_game(context, AnyGameState::new(Variant::ULTIMATE), seats)
        });
        let game = &games(&mut driver)[0];
        assert_eq!((game.variant, &game.seats), (Variant::ULTIMATE, &expected));
    }
}

#[test]
fn an_invalid_quick_start_leads_to_the_menu() {
    let seats = || [human("Ann"), human("ann")];
    for (width, height) in SIZES {
        let mut driver = menu(width, height);
        driver.show_screen(|context| {
            start_game(context, AnyGameState::new(Variant::CLASSIC), seats())
        });
        insta::assert_snapshot!(format!("no_game_{width}x{height}"), driver.text());
        driver.keys("<enter>");
        assert!(driver.text().contains("the tic-tac-toe family"));
    }
}

/// A human against `medium` at classic.
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

/// After choosing in a list, the next Enter starts the game.
#[test]
fn enter_starts_the_game_after_a_choice() {
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

/// The levels come first, then the other bots under a heading that can't be selected.
#[test]
fn levels_are_listed_before_bots_for_experiments() {
    let mut driver = menu(80, 24);
    driver.keys("2");
    let text = driver.text();
    let positions = [
        "Easy",
        "Best",
        "Bots for experiments",
        "  random ",
        "Exact moves",
    ]
    .map(|part| {
        text.find(part)
            .unwrap_or_else(|| panic!("no {part} in\n{text}"))
    });
    assert!(positions.is_sorted(), "{text}");
    for (keys, selected) in [
        ("<down><down>", "▸ Best"),
        ("<down>", "▸ random"),
        ("<up>", "▸ Best"),
    ] {
        driver.keys(keys);
        assert!(driver.text().contains(selected), "{}", driver.text());
    }
    driver.click_on("Bots for experiments");
    assert!(
        driver.text().contains("choose a level"),
        "{}",
        driver.text()
    );
}

/// Without the menu, the tablebase is offered, too.
#[test]
fn a_quick_start_offers_the_tablebase() {
    let folder = tempfile::tempdir().expect("a folder");
    for (variant, offered) in [(Variant::TIC_TAC_TWO, true), (Variant::CLASSIC, false)] {
        let mut driver = menu(80, 24);
        driver.context().data_dir = Some(folder.path().into());
        let seats = [human("Ada"), RequestedPlayer::Bot(BotKind::Perfect)];
        driver.show_screen(|context| start_game(context, AnyGameState::new(variant), seats));
        let text = driver.text();
        assert_eq!(text.contains("Build the tablebase?"), offered, "{text}");
    }
}

/// After a game from the command line, the menu has its game and players.
#[test]
fn a_quick_start_is_remembered() {
    let mut driver = menu(80, 24);
    let seats = [human("Ada"), RequestedPlayer::Bot(BotKind::Perfect)];
    driver.show_screen(|context| start_game(context, AnyGameState::new(Variant::MISERE), seats));
    driver.wait_for_store();
    driver.show_screen(MenuScreen::open);
    let text = driver.text();
    for part in ["╭ misere", "Ada", "  perfect  "] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

/// A rematch starts from the same position, including moves given on the command line.
#[test]
fn a_rematch_starts_from_the_same_position() {
    let mut driver = menu(80, 24);
    let mut from = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o").expect("a position");
    for mv in ["a2", "b1", "b2"] {
        from.play(mv).expect("a legal move");
    }
    let seats = [human("Ada"), human("Bob")];
    driver.show_screen(|context| start_game(context, from, seats));
    driver.keys("/c1<enter>");
    driver.wait_for_text("Rematch, swap sides");
    driver.keys("s");
    let game = games(&mut driver)[0].clone();
    assert_eq!((game.move_count, game.end), (3, None));
    let store_handle = &driver.context().store_handle;
    let stored = store_handle.block_on(store_handle.store().game(game.id));
    let stored = stored.expect("a store in memory").expect("a game");
    assert_eq!(stored.start.as_deref(), Some("x../.../... o"));
    let seats = ["Bob", "Ada"].map(|text| Seat::Player(name(text)));
    assert_eq!(stored.seats, seats);
    // Nobody has moved in it, so it isn't saved.
    driver.keys("q");
    let text = driver.text();
    assert!(text.contains("there's nothing to save"), "{text}");
}

#[test]
fn an_invalid_name_has_its_full_reason() {
    let mut driver = menu(80, 24);
    driver.keys(&format!("1{}", "a".repeat(43)));
    assert!(driver.text().contains("43"), "{}", driver.text());
    assert!(!driver.text().contains("arrows"), "no known players");
    assert!(!driver.text().contains("who starts"), "{}", driver.text());
}

/// True color needs a known background.
#[test]
fn the_reason_for_sixteen_colors_is_shown() {
    let terminal_env = TerminalEnv {
        true_color: true,
        ..TerminalEnv::default()
    };
    let store_handle = StoreHandle::in_memory().expect("a store in memory");
    let mut driver = Driver::with_store(80, 24, store_handle, terminal_env, MenuScreen::open);
    driver.keys("c");
    insta::assert_snapshot!("sixteen_colors_80x24", driver.text());
    driver.keys("<right>");
    assert!(
        !driver.text().contains("16 colors: background"),
        "{}",
        driver.text()
    );
}

#[test]
fn two_unnamed_humans_get_default_names() {
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
        // Ultimate, a named human as O against hard, and options of a game that isn't played.
        driver.keys("<down><down><down><down><down><tab><down><right><esc><up>");
        driver.keys("1Ann<enter>2<down><enter>s<esc>");
        let before = driver.text();
        driver.keys(ending);
        driver.wait_for_store();
        let mut driver = Driver::with_store(
            80,
            24,
            driver.into_store_handle(),
            TerminalEnv::default(),
            MenuScreen::open,
        );
        assert_eq!(driver.text(), before, "after {ending}");
        driver.keys("<down>");
        assert!(driver.text().contains("Shared board"), "{}", driver.text());
        assert!(driver.text().contains(" ultimate "), "{}", driver.text());
    }
}

#[test]
fn the_appearance_is_remembered() {
    let mut driver = menu(80, 24);
    driver.keys("c<right><down><down><left><enter>");
    let chosen = driver.context().appearance;
    assert_ne!(chosen, crate::tui::appearance::Appearance::default());
    assert!(driver.context().theme.ascii());
    driver.wait_for_store();
    let saved = driver
        .context()
        .load_setting(crate::tui::appearance::Appearance::SETTING_KEY);
    assert_eq!(saved, Some(chosen.to_json()));
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
    driver.click_on("Computer");
    assert!(!driver.text().contains("  Computer"), "{}", driver.text());
    driver.click_on("‹        Player 2");
    assert!(
        driver.text().contains("Player 2: choose a name"),
        "{}",
        driver.text()
    );
    driver.keys("<esc>");
    driver.click_on("‹  Player 1  ›");
    assert!(
        driver.text().contains("‹  Player 2  ›"),
        "{}",
        driver.text()
    );
    driver.click_on("Appearance");
    assert!(driver.text().contains("Characters"), "{}", driver.text());
    driver.click_on("Enter done");
    driver.click_on("   Play   ");
    assert_eq!(games(&mut driver).len(), 1);
}

/// No key or click breaks the menu, and Esc always leads back.
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
    let mut rng = seed;
    let mut roll = |count: usize| {
        rng = rng.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (rng >> 8) as usize % count
    };
    let mut driver = menu_with_known_players(80, 24);
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

/// The size of Order and Chaos couldn't be lowered before the line was.
#[test]
fn a_smaller_board_gets_a_shorter_line() {
    let after = |variant: &str, option, forward| {
        let variant = variant.parse().expect("a variant");
        let request = VariantRequest::with_all_options(variant);
        let stepped = step_option(&request, option, forward);
        stepped.map(|request| request.variant().to_string()).ok()
    };
    for (variant, option, expected) in [
        (
            "order-and-chaos:size=5,line=5",
            0,
            "order-and-chaos:size=4,line=4",
        ),
        (
            "order-and-chaos:size=6,line=5",
            0,
            "order-and-chaos:size=5,line=5",
        ),
        ("mnk:3,4,4", 1, "classic"),
        ("mnk:3,3,3", 0, "mnk:2,3,3"),
    ] {
        let [expected, stepped] = [Some(expected.to_owned()), after(variant, option, false)];
        let canonical = |name: String| name.parse::<Variant>().expect("a variant");
        assert_eq!(stepped.map(canonical), expected.map(canonical), "{variant}");
    }
    // The smallest size stays the smallest, and a longer line doesn't enlarge the board.
    assert_eq!(after("order-and-chaos:size=3,line=3", 0, false), None);
    assert_eq!(after("order-and-chaos:size=5,line=5", 1, true), None);
}
