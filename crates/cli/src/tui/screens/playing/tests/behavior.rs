//! The behavior of the game screen: moves are stored before they are shown, late messages are
//! ignored, and no error loses a game.

use std::time::{Duration, Instant};

use crossterm::event::MouseEventKind;
use noughts_rules::{AnyGameState, Variant};
use noughts_store::StoredMove;

use super::super::bots::BotTurn;
use super::super::dialogs::GameDialog;
use super::{GameScreen, assert_shown_is_stored, driver, wait_for_moves};
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::testing::{SharedScreen, report, stored_moves};
use crate::tui::testing::{self, Driver};
use noughts_session::{Participant, SearchUpdate};

const SMALL: (u16, u16) = (80, 24);

/// Bots don't finish by themselves.
fn never_finish_thinking(driver: &mut Driver) {
    driver.context().bot_time = Some(Duration::from_secs(36_000));
}

#[test]
fn a_whole_game_by_keys_is_stored_move_by_move() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "easy"], "");
    for made in 0..5 {
        // The first legal move.
        let free = {
            let screen = probe.screen();
            screen.game.state().legal_moves()[0].clone()
        };
        driver.keys(&format!("/{free}<enter>"));
        driver.wait_until(|text| {
            let screen = probe.screen();
            text.contains("Rematch, same sides")
                || (screen.pending_action.is_none() && screen.game.entries.len() == 2 * made + 2)
        });
        assert_shown_is_stored(&mut driver, &probe);
        if probe.screen().game.result().is_some() {
            break;
        }
    }
    assert!(probe.screen().game.result().is_some(), "{}", driver.text());
}

/// Two humans play with the keypad, as they would in practice.
#[test]
fn two_humans_play_with_the_keypad() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "");
    for (made, key) in ["5", "7", "9", "4", "6"].into_iter().enumerate() {
        driver.keys(key);
        wait_for_moves(&mut driver, &probe, made + 1);
    }
    assert_shown_is_stored(&mut driver, &probe);
    driver.keys("1");
    driver.wait_for_text("Congratulations, Bob!");
    driver.keys("s");
    driver.wait_for_text("No moves yet");
    assert!(driver.text().contains("Bob (X)"), "{}", driver.text());
}

#[test]
fn undo_while_the_bot_thinks_discards_its_move() {
    let (mut driver, probe) = driver(SMALL, "ultimate", ["Anna", "mcts"], "ee eb");
    never_finish_thinking(&mut driver);
    driver.keys("/be<enter>");
    driver.wait_for_text("s left");
    let task = probe
        .screen()
        .bots
        .turn
        .as_ref()
        .expect("a thinking bot")
        .task;
    driver.keys("uu");
    wait_for_moves(&mut driver, &probe, 2);
    let late_report = report(noughts_engine::Value::UNKNOWN, "ea", &[]);
    driver.send_event(Event::Task(
        task,
        TaskMessage::SearchUpdate(SearchUpdate::Finished(Ok(late_report))),
    ));
    driver.tick();
    driver.process_pending();
    assert_eq!(probe.screen().game.entries.len(), 2);
    assert!(probe.screen().pending_action.is_none());
    assert_shown_is_stored(&mut driver, &probe);
    // An undone move can be redone.
    driver.keys("r");
    wait_for_moves(&mut driver, &probe, 3);
    assert_shown_is_stored(&mut driver, &probe);
}

#[test]
fn esc_makes_the_bot_move_now() {
    let (mut driver, probe) = driver(SMALL, "ultimate", ["Anna", "mcts"], "ee eb");
    never_finish_thinking(&mut driver);
    driver.keys("/be<enter>");
    driver.wait_for_text("s left");
    driver.keys("<esc>");
    wait_for_moves(&mut driver, &probe, 4);
    assert_shown_is_stored(&mut driver, &probe);
}

#[test]
fn a_side_handed_to_a_bot_is_played_by_it() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    // X to the first bot in the list.
    driver.keys("sx1");
    wait_for_moves(&mut driver, &probe, 3);
    assert!(driver.text().contains("not rated"), "{}", driver.text());
    assert_shown_is_stored(&mut driver, &probe);
    // And back to the human who had the seat.
    driver.keys("sx1");
    driver.wait_until(|_| probe.screen().game.name(noughts_rules::Side::X) == "Anna");
}

/// The player is warned before the first assistance, which is announced, shown in the title and at the end, and the
/// game isn't counted.
#[test]
fn an_assisted_game_is_not_rated() {
    for (help, notice, why) in [
        (
            "t",
            "This game isn't rated: you used a hint.",
            "a player used a hint",
        ),
        (
            "a",
            "This game isn't rated: you used analysis.",
            "a player used analysis",
        ),
        (
            "u",
            "This game isn't rated: you took back a move.",
            "a player took back a move",
        ),
    ] {
        let (mut driver, probe) = driver((80, 30), "classic", ["Anna", "Bob"], "b2 a1 c1 a3 c3");
        assert!(!driver.text().contains("not rated"), "{}", driver.text());
        driver.keys(help);
        assert!(
            driver.text().contains("This game won't be rated if you"),
            "{}",
            driver.text()
        );
        driver.keys("n");
        assert!(probe.screen().game.session.is_rated());
        // The same key confirms.
        driver.keys(&help.repeat(2));
        driver.wait_for_text(notice);
        driver.wait_for_text("not rated");
        driver.process_pending();
        assert!(!probe.screen().game.session.is_rated());
        assert_shown_is_stored(&mut driver, &probe);
        let made = probe.screen().game.entries.len();
        if made == 4 {
            driver.keys("/c3<enter>");
        }
        wait_for_moves(&mut driver, &probe, 5);
        driver.keys("/a2<enter>");
        driver.wait_for_text("Congratulations, Bob!");
        // The dialog wraps its lines.
        let text = driver.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        for word in format!("This game isn't rated: {why}.").split_whitespace() {
            assert!(words.contains(&word), "no {word} in\n{text}");
        }
        assert!(text.contains("Bob: no rated games yet"), "{text}");
    }
}

/// A game with moves is restarted only after a confirmation, and then has no result.
#[test]
fn restarting_needs_confirmation() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    let before = probe.screen().game.session.id();
    driver.keys("R");
    driver.wait_for_text("Start over?");
    driver.keys("n");
    wait_for_moves(&mut driver, &probe, 2);
    driver.keys("Ry");
    driver.wait_for_text("No moves yet");
    let context = driver.context();
    let game = context
        .store_handle
        .block_on(context.store_handle.store().game(before));
    let game = game.expect("a readable store").expect("a stored game");
    assert_eq!(game.end, Some(noughts_rules::Termination::Abandoned));
    // An untouched game needs no confirmation.
    driver.keys("R");
    assert!(!driver.text().contains("Start over?"), "{}", driver.text());
}

/// Guards against storing an abandoned game that nobody has played, because its moves were given on
/// the command line.
#[test]
fn restarting_an_unplayed_game_stores_nothing() {
    let mut from = AnyGameState::new(Variant::CLASSIC);
    for mv in ["b2", "a1"] {
        from.play(mv).expect("a legal move");
    }
    let human = |name: &str| Participant::Player(name.parse().expect("a name"));
    let setup = GameSetup {
        variant: Variant::CLASSIC,
        players: [human("Anna"), human("Bob")],
        starting_player: StartingPlayer::One,
    };
    let mut probe = None;
    let mut driver = Driver::new(80, 24, |context| {
        let screen = GameScreen::start(context, &setup, from).expect("a game");
        SharedScreen::boxed(screen, &mut probe)
    });
    driver.keys("R");
    assert!(!driver.text().contains("Start over?"), "{}", driver.text());
    let store_handle = &driver.context().store_handle;
    let games = store_handle.block_on(
        store_handle
            .store()
            .games(&noughts_store::GameFilter::default()),
    );
    let games = games.expect("a list");
    assert!(games.iter().all(|game| game.end.is_none()), "{games:?}");
}

/// The points of two players add up from game to game, whichever side they play.
#[test]
fn a_match_is_scored_over_several_games() {
    let (mut driver, _) = driver((140, 45), "classic", ["Anna", "Bob"], "b2 a1 c1 a3 c3");
    assert!(!driver.text().contains("match"), "{}", driver.text());
    driver.keys("/a2<enter>");
    driver.wait_for_text("Congratulations, Bob!");
    driver.wait_for_text("match 0 – 1");
    driver.keys("s");
    driver.wait_for_text("No moves yet");
    // Each player's own points come first.
    driver.wait_for_text("match 1 – 0");
    driver.wait_for_text("match 0 – 1");
    for (mv, side) in ["a1", "b2", "c3", "a3", "c1", "b1", "b3", "c2"]
        .into_iter()
        .zip("XO".chars().cycle())
    {
        driver.keys(&format!("/{mv}<enter>"));
        driver.wait_for_text(&format!("{side} {mv}"));
    }
    driver.keys("/a2<enter>");
    driver.wait_for_text("match 1½ – ½");
}

/// A bot's grid move is easy to miss, so it is announced.
#[test]
fn a_grid_move_of_the_bot_is_announced() {
    let moves = "c3 b2 d4 d2";
    let (mut driver, probe) = driver(SMALL, "tic-tac-two", ["Anna", "mcts"], moves);
    never_finish_thinking(&mut driver);
    driver.keys("/c2<enter>");
    driver.wait_for_text("s left");
    let task = probe.screen().bots.turn.as_ref().map(|turn| turn.task);
    let found = report(noughts_engine::Value::UNKNOWN, "@c2", &[]);
    let message = TaskMessage::SearchUpdate(SearchUpdate::Finished(Ok(found)));
    driver.send_event(Event::Task(task.expect("a thinking bot"), message));
    driver.wait_for_text("mcts moved the grid to c2.");
    // Until the next key.
    driver.keys("<left>");
    assert!(
        !driver.text().contains("moved the grid"),
        "{}",
        driver.text()
    );
}

/// Analysis of a game between bots isn't assistance.
#[test]
fn analysis_of_bots_is_not_assistance() {
    let (mut driver, probe) = driver(SMALL, "ultimate", ["mcts", "mcts"], "ee");
    never_finish_thinking(&mut driver);
    driver.keys("a");
    assert!(probe.screen().advisor.analysis_on);
    assert!(!driver.text().contains("rated"), "{}", driver.text());
    assert!(probe.screen().game.session.is_rated());
}

/// Another program has changed the game: the move is rejected, and the screen continues.
#[test]
fn a_move_that_cannot_be_stored_is_rejected() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2");
    let id = probe.screen().game.session.id();
    let context = driver.context();
    let outside = StoredMove {
        text: "a1".into(),
        took: Duration::ZERO,
    };
    let added = context.store_handle.store().add_move(id, 1, &outside, None);
    context
        .store_handle
        .block_on(added)
        .expect("a move by another program");
    driver.keys("/c3<enter>");
    driver.wait_for_text("couldn't be saved");
    assert_eq!(probe.screen().game.entries.len(), 1);
    assert!(
        probe.screen().move_input.is_some(),
        "what was typed is still there"
    );
    assert_eq!(stored_moves(driver.context(), id), ["b2", "a1"]);
    // The reason is shown until the next key.
    driver.keys("<esc>");
    assert!(!driver.text().contains("couldn't be saved"));
}

/// A bot doesn't retry forever.
#[test]
fn a_bot_move_that_cannot_be_stored_waits_for_the_player() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "easy"], "b2");
    let id = probe.screen().game.session.id();
    let context = driver.context();
    let taken = context.store_handle.store().take_back(id, 0);
    context
        .store_handle
        .block_on(taken)
        .expect("an undo by another program");
    driver.wait_for_text("Easy can't move");
    assert_eq!(probe.screen().game.entries.len(), 1);
    assert!(driver.text().contains("s to hand over its side"));
    assert!(probe.screen().bots.turn.is_none());
}

#[test]
fn a_failed_bot_can_be_replaced() {
    let (mut driver, probe) = driver(SMALL, "ultimate", ["Anna", "mcts"], "ee eb be");
    let task = probe
        .screen()
        .bots
        .turn
        .as_ref()
        .expect("a thinking bot")
        .task;
    let done = SearchUpdate::Finished(Err("mcts crashed in this position".into()));
    driver.send_event(Event::Task(task, TaskMessage::SearchUpdate(done)));
    assert!(driver.text().contains("crashed"));
    // Nothing happens without input.
    driver.process_pending();
    assert!(probe.screen().bots.turn.is_none());
    // Humans first, then the levels.
    driver.keys("so");
    driver.click_on("Easy           computer");
    wait_for_moves(&mut driver, &probe, 4);
    assert_shown_is_stored(&mut driver, &probe);
}

#[test]
fn a_game_that_is_left_can_be_resumed() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    let id = probe.screen().game.session.id();
    driver.keys("q");
    assert!(driver.text().contains("Quit?"));
    driver.keys("n");
    assert!(!driver.has_ended());
    driver.keys("qy");
    assert!(driver.has_ended());
    let store_handle = driver.into_store_handle();
    let resumable = store_handle
        .block_on(store_handle.store().resumable_games())
        .expect("a list");
    assert!(resumable.iter().any(|game| game.id == id));
}

#[test]
fn a_game_without_moves_is_not_resumable() {
    let (mut driver, _) = driver(SMALL, "classic", ["Anna", "Bob"], "");
    driver.keys("qy");
    assert!(driver.has_ended());
    let store_handle = driver.into_store_handle();
    let resumable = store_handle
        .block_on(store_handle.store().resumable_games())
        .expect("a list");
    assert!(resumable.is_empty());
}

#[test]
fn pause_stops_bots_and_step_makes_one_move() {
    let (mut driver, probe) = driver(SMALL, "ultimate", ["easy", "easy"], "");
    driver.keys(" ");
    // It may find its move, but not make it.
    driver.wait_until(|_| {
        probe
            .screen()
            .bots
            .turn
            .as_ref()
            .is_none_or(BotTurn::is_ready)
    });
    let before = probe.screen().game.entries.len();
    driver.tick();
    driver.process_pending();
    assert_eq!(probe.screen().game.entries.len(), before);
    assert_eq!(
        crate::tui::screens::Screen::next_tick(&*probe.screen()),
        None
    );
    for made in 1..4 {
        driver.keys(".");
        wait_for_moves(&mut driver, &probe, before + made);
        driver.process_pending();
    }
    driver.keys(" +++++");
    wait_for_moves(&mut driver, &probe, before + 8);
    assert_shown_is_stored(&mut driver, &probe);
}

#[test]
fn resigning_and_agreeing_to_a_draw_end_the_game() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    driver.keys("xr");
    driver.wait_for_text("Congratulations, Bob!");
    assert!(
        driver.text().contains("Anna resigned."),
        "{}",
        driver.text()
    );
    assert!(probe.screen().game.result().is_some());
    driver.keys("<esc>");
    assert!(
        driver.text().contains("wins: Anna resigned"),
        "{}",
        driver.text()
    );
    drop(driver);
    let (mut driver, _) = super::driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    driver.keys("xdy");
    driver.wait_for_text(" Draw ");
    assert!(
        driver.text().contains("0 won, 0 lost, 1 drawn"),
        "{}",
        driver.text()
    );
}

/// A bot accepts a draw in an even game but not in a won one.
#[test]
fn a_bot_accepts_a_draw_unless_it_is_ahead() {
    let (mut even, _) = driver(SMALL, "classic", ["Anna", "hard"], "b2 a1");
    even.keys("xd");
    even.wait_for_text(" Draw ");
    // O threatens two lines at once.
    let lost = "a1 b2 c2 a3 a2 c3";
    let (mut lost, probe) = driver(SMALL, "classic", ["Anna", "hard"], lost);
    lost.keys("xd");
    lost.wait_for_text("Hard declines the draw: it has the better position.");
    assert!(probe.screen().game.result().is_none());
    let (mut early, _) = driver(SMALL, "classic", ["Anna", "hard"], "");
    early.keys("xd");
    early.wait_for_text("Hard declines the draw: it's too early in the game.");
}

/// Analysis stays on in a rematch, but not without another warning.
#[test]
fn a_rematch_with_analysis_warns_again() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1 c1 a3 c3");
    driver.keys("aa/a2<enter>");
    driver.wait_for_text("Congratulations, Bob!");
    drop(probe);
    driver.keys("a");
    driver.wait_for_text("This game won't be rated if you use analysis.");
    driver.keys("n");
    assert!(!driver.text().contains("not rated"), "{}", driver.text());
}

#[test]
fn a_static_screen_requests_no_ticks() {
    let (driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    assert_eq!(
        crate::tui::screens::Screen::next_tick(&*probe.screen()),
        None
    );
    drop(driver);
}

/// Messages of unknown tasks are ignored.
#[test]
fn messages_of_unknown_tasks_are_ignored() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    let before = driver.text();
    let found = report(noughts_engine::Value::UNKNOWN, "c3", &[]);
    let unknown_task = TaskId(999_999);
    driver.send_event(Event::Task(
        unknown_task,
        TaskMessage::SearchUpdate(SearchUpdate::Finished(Ok(found.clone()))),
    ));
    driver.send_event(Event::Task(
        unknown_task,
        TaskMessage::AnalysisUpdate(found),
    ));
    driver.send_event(Event::Task(unknown_task, TaskMessage::AnalysisEnded));
    assert_eq!(driver.text(), before);
    assert!(probe.screen().advisor.hint.is_none());
}

#[test]
fn analysis_offers_the_tablebase_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let offer = "Build it while I play";
    for (variant, offered) in [("classic", false), ("tic-tac-two", true)] {
        let (mut driver, _) = driver(SMALL, variant, ["Anna", "Bob"], "");
        driver.context().data_dir = Some(folder.path().into());
        driver.keys("aa");
        assert_eq!(driver.text().contains(offer), offered, "{variant}");
        driver.keys("paa");
        assert!(!driver.text().contains(offer), "{variant}: asked again");
    }
}

#[test]
fn key_hints_can_be_clicked() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1");
    driver.click_on("u take back");
    driver.click_on("Take it back");
    wait_for_moves(&mut driver, &probe, 1);
    driver.click_on("? help");
    assert!(driver.text().contains("Rules, keys and symbols"));
}

#[test]
fn a_whole_game_by_mouse() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "");
    for made in 1..=9 {
        // The first legal cell.
        driver.click_on("·");
        driver.wait_until(|_| {
            let screen = probe.screen();
            screen.pending_action.is_none() && screen.game.entries.len() == made
        });
        assert_shown_is_stored(&mut driver, &probe);
        if probe.screen().game.result().is_some() {
            break;
        }
    }
    assert!(
        driver.text().contains("Congratulations"),
        "{}",
        driver.text()
    );
    driver.click_on("Review the game");
    driver.wait_for_text("review of game 1");
    driver.keys("q");
    assert!(
        driver.text().contains("Congratulations"),
        "{}",
        driver.text()
    );
    driver.click_on("Rematch, swap sides");
    assert!(driver.text().contains("Bob (X)"), "{}", driver.text());
}

/// An old error doesn't hide the question about a piece that is picked up, nor what to do after it is put back.
#[test]
fn a_click_replaces_an_old_error() {
    let seats = ["Anna", "Bob"];
    for size in [SMALL, (140, 45)] {
        let (mut driver, probe) = driver(size, "morris", seats, "b2 a1 c2 a2 a3 c1");
        let cell = |name| {
            probe
                .screen()
                .board
                .middle_of(probe.screen().game.state(), name)
        };
        let (occupied, own) = (cell("a1"), cell("b2"));
        let click = |driver: &mut Driver, (column, row): (u16, u16)| driver.click(column, row);
        let error = "✗ X has placed all 3 pieces; move one of them";
        click(&mut driver, occupied);
        assert!(driver.text().contains(error), "{}", driver.text());
        // Pointing elsewhere doesn't remove it.
        let moved = testing::mouse_event(MouseEventKind::Moved, own.0, own.1);
        driver.send_event(Event::Mouse(moved));
        assert!(driver.text().contains(error), "{}", driver.text());
        click(&mut driver, own);
        let text = driver.text();
        assert!(text.contains("Where should the X on b2 go?"), "{text}");
        assert!(!text.contains(error), "{text}");
        click(&mut driver, occupied);
        assert!(!driver.text().contains("Where should"), "{}", driver.text());
        click(&mut driver, own);
        let text = driver.text();
        assert!(text.contains("Anna (X): "), "put back\n{text}");
    }
}

/// The board doesn't shift between a press and its release because an error disappears.
#[test]
fn the_board_keeps_its_place_while_an_error_is_shown() {
    for size in [SMALL, (140, 45)] {
        let (mut driver, probe) = driver(size, "morris", ["Anna", "Bob"], "b2 a1 c2 a2 a3 c1");
        probe.screen_mut().advisor.analysis_on = true;
        driver.tick();
        let cell = |name| {
            probe
                .screen()
                .board
                .middle_of(probe.screen().game.state(), name)
        };
        let before = cell("a1");
        driver.click(before.0, before.1);
        assert!(probe.screen().notice.is_some(), "{}", driver.text());
        assert_eq!(cell("a1"), before);
    }
}

/// The heading of a bot's search was cut: `perfect is thinkin`.
#[test]
fn the_heading_of_a_search_fits() {
    for (size, heading) in [(SMALL, "Thinking ─"), ((140, 45), "perfect is thinking ─")] {
        let (mut driver, _) = driver(size, "classic", ["Anna", "perfect"], "b2");
        never_finish_thinking(&mut driver);
        assert!(driver.text().contains(heading), "{}", driver.text());
    }
}

/// A long move list scrolls, and returns to its end with the next move.
#[test]
fn the_wheel_scrolls_the_move_list() {
    let moves = "di id df fg gb be eh hc ch hh hd de ei ic cg gg gf fe eb bi";
    let (mut driver, probe) = driver(SMALL, "ultimate", ["Anna", "Bob"], moves);
    assert!(!driver.text().contains("1. X di"), "{}", driver.text());
    for _ in 0..30 {
        let wheel = testing::mouse_event(MouseEventKind::ScrollUp, 70, 15);
        driver.send_event(Event::Mouse(wheel));
    }
    assert!(driver.text().contains("1. X di"), "{}", driver.text());
    driver.keys("/if<enter>");
    wait_for_moves(&mut driver, &probe, 21);
    assert!(!driver.text().contains("1. X di"), "{}", driver.text());
}

/// Enter was meant for the board: no game starts before the player can read the dialog.
#[test]
fn the_game_over_dialog_ignores_an_early_enter() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2 a1 c1 c2");
    driver.keys("/a3<enter>");
    driver.wait_for_text("Rematch, same sides");
    let ignore_enter_until = |until: Instant| {
        let mut screen = probe.screen_mut();
        let Some(GameDialog::GameOver(_, ignore_until)) = &mut screen.dialog else {
            panic!("no dialog");
        };
        *ignore_until = until;
    };
    ignore_enter_until(Instant::now() + Duration::from_secs(3600));
    driver.keys("<enter> ");
    assert!(driver.text().contains("Rematch, same sides"));
    ignore_enter_until(Instant::now());
    driver.keys("<enter>");
    driver.wait_for_text("No moves yet");
}

#[test]
fn typing_after_a_rejection_replaces_the_text_and_cursor_keys_edit_it() {
    let (mut driver, probe) = driver(SMALL, "classic", ["Anna", "Bob"], "b2");
    let typed = || {
        let screen = probe.screen();
        screen
            .move_input
            .as_ref()
            .map(|field| field.text().to_owned())
    };
    let submit_invalid = |driver: &mut Driver, text: &str| {
        driver.keys(text);
        driver.keys("<enter>");
        driver.wait_until(|_| probe.screen().notice.is_some());
    };
    submit_invalid(&mut driver, "/b2");
    assert_eq!(typed().as_deref(), Some("b2"));
    driver.keys("a9");
    assert_eq!(typed().as_deref(), Some("a9"));
    submit_invalid(&mut driver, "");
    driver.keys("<left>c");
    assert_eq!(typed().as_deref(), Some("ac9"));
    submit_invalid(&mut driver, "");
    driver.keys("a1<enter>");
    wait_for_moves(&mut driver, &probe, 2);
}

/// The player can look anywhere and return with one key.
#[test]
fn one_key_returns_to_the_target_board() {
    let seats = ["Anna", "Bob"];
    let (mut driver, _) = driver(SMALL, "ception:depth=3", seats, "eab");
    assert!(driver.text().contains("Board a"), "{}", driver.text());
    assert!(driver.text().contains("Enter play"), "{}", driver.text());
    for back in ["<esc>", "<home>"] {
        driver.keys("Z");
        let text = driver.text();
        assert!(text.contains("Enter zoom in"), "{text}");
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

/// A click on a minimap goes there, whichever side is to move.
#[test]
fn minimaps_can_be_clicked() {
    for seats in [["Anna", "Bob"], ["Anna", "mcts"]] {
        let (mut driver, _) = driver(SMALL, "ception:depth=3", seats, "eab");
        never_finish_thinking(&mut driver);
        let text = driver.text();
        let (row, line) = text
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains("whole"))
            .expect("a minimap");
        let column = line[..line.find("whole").expect("the title")]
            .chars()
            .count();
        // The title is centered above nine columns.
        driver.click(column as u16 + 6, row as u16 + 3);
        assert!(driver.text().contains("Board i"), "{}", driver.text());
    }
}

/// The help explains the keys and symbols of this game, and no others.
#[test]
fn help_lists_the_keys_and_symbols_of_this_game() {
    for (variant, there, not) in [
        ("classic", "play a cell", "small maps"),
        ("tic-tac-two", "centering the grid", "zoom in"),
        ("ception:depth=3", "small maps", "centering the grid"),
    ] {
        let (mut driver, _) = driver((80, 200), variant, ["Anna", "Bob"], "");
        driver.keys("?");
        let text = driver.text();
        for word in [
            "Keys",
            "Symbols",
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
