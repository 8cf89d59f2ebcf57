//! What the screen of a game does: every move is stored before it is shown, whatever
//! comes late is dropped, and nothing that goes wrong loses a game.

use std::time::{Duration, Instant};

use crossterm::event::MouseEventKind;
use noughts_rules::{AnyGameState, Variant};
use noughts_store::StoredMove;

use super::super::bots::AtWork;
use super::super::dialogs::GameDialog;
use super::{GameScreen, assert_shown_is_stored, driver, until_moves};
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::testing::{SharedScreen, report, stored_moves};
use crate::tui::testing::{self, Driver};
use noughts_session::{Participant, SearchUpdate};

const SMALL: (u16, u16) = (80, 24);

/// No computer comes to an end by itself.
fn think_for_ever(driver: &mut Driver) {
    driver.context().set_time(Some(Duration::from_secs(36_000)));
}

#[test]
fn a_whole_game_by_keys_is_stored_move_by_move() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "easy"], "");
    for made in 0..5 {
        // The first free cell of the keypad.
        let free = {
            let playing = inside.screen();
            playing.game.state().legal_moves()[0].clone()
        };
        driver.keys(&format!("/{free}<enter>"));
        driver.wait_until(|picture| {
            let playing = inside.screen();
            picture.contains("again, the same sides")
                || (playing.stepping.is_none() && playing.game.entries.len() == 2 * made + 2)
        });
        assert_shown_is_stored(&mut driver, &inside);
        if inside.screen().game.result().is_some() {
            break;
        }
    }
    assert!(inside.screen().game.result().is_some(), "{}", driver.text());
}

/// The keypad and Enter, as a person would.
#[test]
fn two_people_play_with_the_keypad() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "");
    for (made, key) in ["5", "7", "9", "4", "6"].into_iter().enumerate() {
        driver.keys(key);
        until_moves(&mut driver, &inside, made + 1);
    }
    assert_shown_is_stored(&mut driver, &inside);
    driver.keys("1");
    driver.until_text("Congratulations, Bob!");
    driver.keys("s");
    driver.until_text("no move yet");
    assert!(driver.text().contains("Bob (X)"), "{}", driver.text());
}

#[test]
fn undo_while_the_computer_thinks_drops_its_answer() {
    let (mut driver, inside) = driver(SMALL, "ultimate", ["Anna", "mcts"], "ee eb");
    think_for_ever(&mut driver);
    driver.keys("/be<enter>");
    driver.until_text("s left");
    let ticket = inside.screen().bots.at_work().expect("a thinker").task();
    driver.keys("u");
    until_moves(&mut driver, &inside, 2);
    let late = report(noughts_engine::Value::UNKNOWN, "ea", &[]);
    driver.send_event(Event::Task(
        ticket,
        TaskMessage::BotThought(SearchUpdate::Finished(Ok(late))),
    ));
    driver.tick();
    driver.process_pending();
    assert_eq!(inside.screen().game.entries.len(), 2);
    assert!(inside.screen().stepping.is_none());
    assert_shown_is_stored(&mut driver, &inside);
    // And what was taken back can be made again.
    driver.keys("r");
    until_moves(&mut driver, &inside, 3);
    assert_shown_is_stored(&mut driver, &inside);
}

#[test]
fn esc_makes_the_computer_move_now() {
    let (mut driver, inside) = driver(SMALL, "ultimate", ["Anna", "mcts"], "ee eb");
    think_for_ever(&mut driver);
    driver.keys("/be<enter>");
    driver.until_text("s left");
    driver.keys("<esc>");
    until_moves(&mut driver, &inside, 4);
    assert_shown_is_stored(&mut driver, &inside);
}

#[test]
fn a_side_handed_over_is_really_played() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    // X to a computer: the first in the list.
    driver.keys("sx1");
    until_moves(&mut driver, &inside, 3);
    assert!(driver.text().contains("not rated"), "{}", driver.text());
    assert_shown_is_stored(&mut driver, &inside);
    // And back to the person who sat there.
    driver.keys("sx1");
    driver.wait_until(|_| inside.screen().game.name(noughts_rules::Side::X) == "Anna");
}

/// Help is told at once, marked in the title, told again at the end, and not counted.
#[test]
fn a_game_with_help_is_not_rated() {
    for (help, notice, why) in [
        (
            "t",
            "This game isn't rated: you took a hint.",
            "a player took a hint",
        ),
        (
            "a",
            "This game isn't rated: you used analysis.",
            "a player used analysis",
        ),
        (
            "u",
            "This game isn't rated: you took back a move.",
            "a move was taken back",
        ),
    ] {
        let (mut driver, inside) = driver((80, 30), "classic", ["Anna", "Bob"], "b2 a1 c1 a3 c3");
        assert!(!driver.text().contains("not rated"), "{}", driver.text());
        driver.keys(help);
        driver.until_text(notice);
        driver.until_text("not rated");
        driver.process_pending();
        assert!(!inside.screen().game.session().is_rated());
        assert_shown_is_stored(&mut driver, &inside);
        let made = inside.screen().game.entries.len();
        if made == 4 {
            driver.keys("/c3<enter>");
        }
        until_moves(&mut driver, &inside, 5);
        driver.keys("/a2<enter>");
        driver.until_text("Congratulations, Bob!");
        // The dialog breaks its lines between borders.
        let text = driver.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        for word in format!("This game isn't rated: {why}.").split_whitespace() {
            assert!(words.contains(&word), "no {word} in\n{text}");
        }
        assert!(text.contains("Bob: 0 won, 0 lost, 0 tied"), "{text}");
    }
}

/// A game with moves is started over only after a question, and then has no result.
#[test]
fn a_game_is_restarted_after_a_question() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    let before = inside.screen().game.session().id();
    driver.keys("R");
    driver.until_text("Start over?");
    driver.keys("n");
    until_moves(&mut driver, &inside, 2);
    driver.keys("Ry");
    driver.until_text("no move yet");
    let house = driver.context();
    let game = house
        .store_handle
        .block_on(house.store_handle.store().game(before));
    let game = game.expect("read").expect("there");
    assert_eq!(game.end, Some(noughts_store::Termination::Abandoned));
    // An untouched game needs no question.
    driver.keys("R");
    assert!(!driver.text().contains("Start over?"), "{}", driver.text());
}

/// Guards against a stored, abandoned game that nobody has played: its moves were given on the
/// command line.
#[test]
fn a_game_with_given_moves_is_restarted_without_a_trace() {
    let mut from = AnyGameState::new(Variant::CLASSIC);
    for mv in ["b2", "a1"] {
        from.play(mv).expect("it is legal");
    }
    let person = |name: &str| Participant::Player(name.parse().expect("a name"));
    let setup = GameSetup {
        variant: Variant::CLASSIC,
        players: [person("Anna"), person("Bob")],
        starting_player: StartingPlayer::One,
    };
    let mut kept = None;
    let mut driver = Driver::new(80, 24, |house| {
        let playing = GameScreen::start(house, &setup, from).expect("a game");
        SharedScreen::boxed(playing, &mut kept)
    });
    driver.keys("R");
    assert!(!driver.text().contains("Start over?"), "{}", driver.text());
    let keeper = &driver.context().store_handle;
    let games = keeper.block_on(keeper.store().games(&noughts_store::GameFilter::default()));
    let games = games.expect("a list");
    assert!(games.iter().all(|game| game.end.is_none()), "{games:?}");
}

/// The points of the same two players add up from game to game, whoever plays X.
#[test]
fn a_match_is_scored_over_several_games() {
    let (mut driver, _) = driver((140, 45), "classic", ["Anna", "Bob"], "b2 a1 c1 a3 c3");
    assert!(!driver.text().contains("match"), "{}", driver.text());
    driver.keys("/a2<enter>");
    driver.until_text("Congratulations, Bob!");
    driver.until_text("match 0 – 1");
    driver.keys("s");
    driver.until_text("no move yet");
    // Each player's own points come first.
    driver.until_text("match 1 – 0");
    driver.until_text("match 0 – 1");
    for (mv, side) in ["a1", "b2", "c3", "a3", "c1", "b1", "b3", "c2"]
        .into_iter()
        .zip("XO".chars().cycle())
    {
        driver.keys(&format!("/{mv}<enter>"));
        driver.until_text(&format!("{side} {mv}"));
    }
    driver.keys("/a2<enter>");
    driver.until_text("match 1½ – ½");
}

/// A grid that the computer moved is easily missed.
#[test]
fn a_grid_moved_by_the_computer_is_told() {
    let moves = "c3 b2 d4 d2";
    let (mut driver, inside) = driver(SMALL, "tic-tac-two", ["Anna", "mcts"], moves);
    think_for_ever(&mut driver);
    driver.keys("/c2<enter>");
    driver.until_text("s left");
    let ticket = inside.screen().bots.at_work().map(AtWork::task);
    let found = report(noughts_engine::Value::UNKNOWN, "@c2", &[]);
    let thought = TaskMessage::BotThought(SearchUpdate::Finished(Ok(found)));
    driver.send_event(Event::Task(ticket.expect("a thinker"), thought));
    driver.until_text("mcts moved the grid to c2.");
    // Until the next key.
    driver.keys("<left>");
    assert!(
        !driver.text().contains("moved the grid"),
        "{}",
        driver.text()
    );
}

/// Watching two computers, analysis helps nobody.
#[test]
fn analysis_of_computers_is_no_help() {
    let (mut driver, inside) = driver(SMALL, "ultimate", ["mcts", "mcts"], "ee");
    think_for_ever(&mut driver);
    driver.keys("a");
    assert!(inside.screen().advisor.is_on());
    assert!(!driver.text().contains("rated"), "{}", driver.text());
    assert!(inside.screen().game.session().is_rated());
}

/// Another program has changed the game: the move is refused, and the screen goes on.
#[test]
fn a_move_that_cannot_be_stored_is_refused() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2");
    let id = inside.screen().game.session().id();
    let house = driver.context();
    let outside = StoredMove {
        text: "a1".into(),
        took: Duration::ZERO,
    };
    let added = house.store_handle.store().add_move(id, 1, &outside, None);
    house
        .store_handle
        .block_on(added)
        .expect("a move from elsewhere");
    driver.keys("/c3<enter>");
    driver.until_text("could not be kept");
    assert_eq!(inside.screen().game.entries.len(), 1);
    assert!(
        inside.screen().typing.is_some(),
        "what was typed is still there"
    );
    assert_eq!(stored_moves(driver.context(), id), ["b2", "a1"]);
    // The reason stands until the next key.
    driver.keys("<esc>");
    assert!(!driver.text().contains("could not be kept"));
}

/// The same for a computer: it does not try again and again.
#[test]
fn a_computers_move_that_cannot_be_stored_waits_for_a_person() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "easy"], "b2");
    let id = inside.screen().game.session().id();
    let house = driver.context();
    let taken = house.store_handle.store().take_back(id, 0);
    house
        .store_handle
        .block_on(taken)
        .expect("an undo from elsewhere");
    driver.until_text("easy cannot move");
    assert_eq!(inside.screen().game.entries.len(), 1);
    assert!(driver.text().contains("s hands its side over"));
    assert!(inside.screen().bots.at_work().is_none());
}

#[test]
fn a_computer_that_broke_down_can_be_replaced() {
    let (mut driver, inside) = driver(SMALL, "ultimate", ["Anna", "mcts"], "ee eb be");
    let ticket = inside.screen().bots.at_work().expect("a thinker").task();
    let done = SearchUpdate::Finished(Err("mcts broke down over this position".into()));
    driver.send_event(Event::Task(ticket, TaskMessage::BotThought(done)));
    assert!(driver.text().contains("broke down"));
    // Nothing happens until somebody does something.
    driver.process_pending();
    assert!(inside.screen().bots.at_work().is_none());
    // The people first, then random and easy.
    driver.keys("so");
    driver.click_on("easy           computer");
    until_moves(&mut driver, &inside, 4);
    assert_shown_is_stored(&mut driver, &inside);
}

#[test]
fn a_game_that_is_left_can_be_resumed() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    let id = inside.screen().game.session().id();
    driver.keys("q");
    assert!(driver.text().contains("Quit?"));
    driver.keys("n");
    assert!(!driver.has_ended());
    driver.keys("qy");
    assert!(driver.has_ended());
    let keeper = driver.into_keeper();
    let resumable = keeper
        .block_on(keeper.store().resumable_games())
        .expect("a list");
    assert!(resumable.iter().any(|game| game.id == id));
}

#[test]
fn nobody_is_asked_to_come_back_to_an_empty_board() {
    let (mut driver, _) = driver(SMALL, "classic", ["Anna", "Bob"], "");
    driver.keys("qy");
    assert!(driver.has_ended());
    let keeper = driver.into_keeper();
    let resumable = keeper
        .block_on(keeper.store().resumable_games())
        .expect("a list");
    assert!(resumable.is_empty());
}

#[test]
fn a_pause_holds_and_a_step_makes_one_move() {
    let (mut driver, inside) = driver(SMALL, "ultimate", ["easy", "easy"], "");
    driver.keys(" ");
    // What it was thinking about it may find, but not make.
    driver.wait_until(|_| inside.screen().bots.at_work().is_none_or(AtWork::is_ready));
    let before = inside.screen().game.entries.len();
    driver.tick();
    driver.process_pending();
    assert_eq!(inside.screen().game.entries.len(), before);
    assert_eq!(
        crate::tui::screens::Screen::next_tick(&*inside.screen()),
        None
    );
    for made in 1..4 {
        driver.keys(".");
        until_moves(&mut driver, &inside, before + made);
        driver.process_pending();
    }
    driver.keys(" +++++");
    until_moves(&mut driver, &inside, before + 8);
    assert_shown_is_stored(&mut driver, &inside);
}

#[test]
fn resigning_and_agreeing_end_the_game() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    driver.keys("xr");
    driver.until_text("Congratulations, Bob!");
    assert!(
        driver.text().contains("Anna resigned."),
        "{}",
        driver.text()
    );
    assert!(inside.screen().game.result().is_some());
    driver.keys("<esc>");
    assert!(
        driver.text().contains("wins: Anna resigned"),
        "{}",
        driver.text()
    );
    drop(driver);
    let (mut driver, _) = super::driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    driver.keys("xdy");
    driver.until_text("A draw");
    assert!(
        driver.text().contains("0 won, 0 lost, 1 tied"),
        "{}",
        driver.text()
    );
}

/// An even game is a draw to a computer, a won one is not.
#[test]
fn a_computer_agrees_to_a_draw_where_it_is_not_ahead() {
    let (mut even, _) = driver(SMALL, "classic", ["Anna", "hard"], "b2 a1");
    even.keys("xd");
    even.until_text("A draw");
    // O threatens two lines at once.
    let lost = "a1 b2 c2 a3 a2 c3";
    let (mut lost, inside) = driver(SMALL, "classic", ["Anna", "hard"], lost);
    lost.keys("xd");
    lost.until_text("plays on");
    assert!(inside.screen().game.result().is_none());
}

#[test]
fn a_screen_where_nothing_moves_wants_no_ticks() {
    let (driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    assert_eq!(
        crate::tui::screens::Screen::next_tick(&*inside.screen()),
        None
    );
    drop(driver);
}

/// Late answers of work that nobody knows are nobody's.
#[test]
fn news_without_a_reader_change_nothing() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    let before = driver.text();
    let found = report(noughts_engine::Value::UNKNOWN, "c3", &[]);
    let stranger = Ticket(999_999);
    driver.send_event(Event::Task(
        stranger,
        TaskMessage::BotThought(SearchUpdate::Finished(Ok(found.clone()))),
    ));
    driver.send_event(Event::Task(stranger, TaskMessage::Analysed(found)));
    driver.send_event(Event::Task(stranger, TaskMessage::AnalysisOver));
    assert_eq!(driver.text(), before);
    assert!(inside.screen().advisor.hint().is_none());
}

#[test]
fn the_exact_table_is_offered_once_where_it_would_help_the_analysis() {
    let folder = tempfile::tempdir().expect("a folder");
    let offer = "Build it while we play";
    for (variant, offered) in [("classic", false), ("tic-tac-two", true)] {
        let (mut driver, _) = driver(SMALL, variant, ["Anna", "Bob"], "");
        driver.context().data_dir = Some(folder.path().into());
        driver.keys("a");
        assert_eq!(driver.text().contains(offer), offered, "{variant}");
        driver.keys("paa");
        assert!(!driver.text().contains(offer), "{variant}: asked again");
    }
}

#[test]
fn words_of_the_key_line_can_be_clicked() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    driver.click_on("u undo");
    until_moves(&mut driver, &inside, 1);
    driver.click_on("? help");
    assert!(driver.text().contains("The rules of classic"));
}

#[test]
fn a_whole_game_with_the_mouse() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "");
    for made in 1..=9 {
        // The first cell that may be taken.
        driver.click_on("·");
        driver.wait_until(|_| {
            let playing = inside.screen();
            playing.stepping.is_none() && playing.game.entries.len() == made
        });
        assert_shown_is_stored(&mut driver, &inside);
        if inside.screen().game.result().is_some() {
            break;
        }
    }
    assert!(
        driver.text().contains("Congratulations"),
        "{}",
        driver.text()
    );
    driver.click_on("review the game");
    driver.until_text("review of game 1");
    driver.keys("q");
    assert!(
        driver.text().contains("Congratulations"),
        "{}",
        driver.text()
    );
    driver.click_on("again, sides swapped");
    assert!(driver.text().contains("Bob (X)"), "{}", driver.text());
}

/// A list that is longer than its place scrolls, and comes back with the next move.
#[test]
fn the_wheel_scrolls_the_moves() {
    let moves = "di id df fg gb be eh hc ch hh hd de ei ic cg gg gf fe eb bi";
    let (mut driver, inside) = driver(SMALL, "ultimate", ["Anna", "Bob"], moves);
    assert!(!driver.text().contains("1. X di"), "{}", driver.text());
    for _ in 0..30 {
        let wheel = testing::mouse_event(MouseEventKind::ScrollUp, 70, 15);
        driver.send_event(Event::Mouse(wheel));
    }
    assert!(driver.text().contains("1. X di"), "{}", driver.text());
    driver.keys("/if<enter>");
    until_moves(&mut driver, &inside, 21);
    assert!(!driver.text().contains("1. X di"), "{}", driver.text());
}

/// Enter was meant for the board: no game begins before the dialog can be read.
#[test]
fn a_dialog_that_comes_by_itself_takes_no_early_enter() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1 c1 c2");
    driver.keys("/a3<enter>");
    driver.until_text("again, the same sides");
    let deafen = |until: Instant| {
        let mut playing = inside.look_mut();
        let Some(GameDialog::GameOver(_, deaf)) = &mut playing.dialog else {
            panic!("no dialog");
        };
        *deaf = until;
    };
    deafen(Instant::now() + Duration::from_secs(3600));
    driver.keys("<enter> ");
    assert!(driver.text().contains("again, the same sides"));
    deafen(Instant::now());
    driver.keys("<enter>");
    driver.until_text("no move yet");
}

#[test]
fn typing_after_a_refusal_begins_anew_and_cursor_keys_edit() {
    let (mut driver, inside) = driver(SMALL, "classic", ["Anna", "Bob"], "b2");
    let typed = || {
        let playing = inside.screen();
        playing.typing.as_ref().map(|field| field.text().to_owned())
    };
    let refuse = |driver: &mut Driver, text: &str| {
        driver.keys(text);
        driver.keys("<enter>");
        driver.wait_until(|_| inside.screen().notice.is_some());
    };
    refuse(&mut driver, "/b2");
    assert_eq!(typed().as_deref(), Some("b2"));
    driver.keys("a9");
    assert_eq!(typed().as_deref(), Some("a9"));
    refuse(&mut driver, "");
    driver.keys("<left>c");
    assert_eq!(typed().as_deref(), Some("ac9"));
    refuse(&mut driver, "");
    driver.keys("a1<enter>");
    until_moves(&mut driver, &inside, 2);
}

/// One may look anywhere and comes back with one key.
#[test]
fn there_is_a_way_back_to_where_one_must_play() {
    let seats = ["Anna", "Bob"];
    let (mut driver, _) = driver(SMALL, "ception:depth=3", seats, "eab");
    assert!(driver.text().contains("board a"), "{}", driver.text());
    assert!(driver.text().contains("Enter play"), "{}", driver.text());
    for back in ["<esc>", "<home>"] {
        driver.keys("Z");
        let text = driver.text();
        assert!(text.contains("Enter look closer"), "{text}");
        assert!(text.contains("Esc back to board ab"), "{text}");
        driver.keys(back);
        let text = driver.text();
        assert!(
            text.contains("Enter play") && !text.contains("Esc back"),
            "{text}"
        );
    }
    driver.keys("Z");
    driver.click_on("Esc back to board ab");
    assert!(!driver.text().contains("Esc back"), "{}", driver.text());
}

/// A click on a square of a small map looks there, whoever is to move.
#[test]
fn the_small_maps_can_be_clicked() {
    for seats in [["Anna", "Bob"], ["Anna", "mcts"]] {
        let (mut driver, _) = driver(SMALL, "ception:depth=3", seats, "eab");
        think_for_ever(&mut driver);
        let text = driver.text();
        let (row, line) = text
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains("whole"))
            .expect("a map");
        let column = line[..line.find("whole").expect("it")].chars().count();
        // The name stands over the middle of nine columns.
        driver.click(column as u16 + 6, row as u16 + 3);
        assert!(driver.text().contains("board i"), "{}", driver.text());
    }
}

/// Everything that can be pressed or seen is explained, and nothing that is not there.
#[test]
fn help_tells_keys_and_signs_of_this_game() {
    for (variant, there, not) in [
        ("classic", "take the cell", "small maps"),
        ("tic-tac-two", "centring the grid", "look closer"),
        ("ception:depth=3", "small maps", "centring the grid"),
    ] {
        let (mut driver, _) = driver((80, 200), variant, ["Anna", "Bob"], "");
        driver.keys("?");
        let text = driver.text();
        for word in [
            "Keys",
            "Signs",
            "hjkl",
            "a hint",
            "58%",
            "the last move",
            there,
        ] {
            assert!(text.contains(word), "{variant}: no {word}\n{text}");
        }
        assert!(!text.contains(not), "{variant}: {not}\n{text}");
    }
}
