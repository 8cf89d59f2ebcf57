//! Thousands of random keys, clicks and sizes: nothing breaks, and the displayed game is the stored
//! one.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEventKind};
use noughts_store::GameId;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::GameScreen;
use crate::tui::event::Event;
use crate::tui::screens::testing::{ScreenProbe, SharedScreen, stored_moves};
use crate::tui::testing::{self, Driver};

const KEYS: &str = "/urtas?xnq+- .123456789hjklgzZybSMLo";

const GAMES: [(&str, [&str; 2]); 11] = [
    ("classic", ["Anna", "easy"]),
    ("tic-tac-two", ["Anna", "Bob"]),
    ("ultimate", ["Anna", "random"]),
    ("mnk:5,5,4", ["medium", "Bob"]),
    ("ception:5d,depth=3", ["easy", "random"]),
    ("misere", ["Anna", "Bob"]),
    ("connect-four", ["Anna", "random"]),
    ("qubic", ["Anna", "Bob"]),
    ("wild", ["Anna", "Bob"]),
    ("gobblers", ["Anna", "random"]),
    ("morris", ["Anna", "Bob"]),
];

fn random_below(rng: &mut SplitMix64, n: u64) -> u64 {
    rng.next_u64() % n
}

fn key(rng: &mut SplitMix64) -> KeyEvent {
    let code = match random_below(rng, 12) {
        0 => KeyCode::Enter,
        1 => KeyCode::Esc,
        2 => [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right]
            [random_below(rng, 4) as usize],
        3 => [
            KeyCode::Home,
            KeyCode::End,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Tab,
            KeyCode::Backspace,
        ][random_below(rng, 6) as usize],
        _ => {
            let index = random_below(rng, KEYS.len() as u64) as usize;
            KeyCode::Char(char::from(KEYS.as_bytes()[index]))
        }
    };
    code.into()
}

fn event(rng: &mut SplitMix64) -> Event {
    match random_below(rng, 10) {
        0 => {
            let kinds = [
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::Up(MouseButton::Left),
                MouseEventKind::Drag(MouseButton::Left),
                MouseEventKind::ScrollUp,
                MouseEventKind::ScrollDown,
                MouseEventKind::Moved,
            ];
            let kind = kinds[random_below(rng, 6) as usize];
            let (x, y) = (random_below(rng, 90) as u16, random_below(rng, 30) as u16);
            Event::Mouse(testing::mouse_event(kind, x, y))
        }
        1 => Event::Tick,
        2 => Event::Paste("b2\n".into()),
        _ => Event::Key(key(rng)),
    }
}

/// While a game is on the screen, it is the stored one.
fn check(driver: &mut Driver, probe: &ScreenProbe<GameScreen>, id: GameId) {
    let shown = {
        let screen = probe.screen();
        if screen.pending_action.is_some() {
            return;
        }
        screen.game.state().moves()
    };
    assert_eq!(
        shown,
        stored_moves(driver.context(), id),
        "\n{}",
        driver.text()
    );
}

#[test]
fn random_events_never_break_anything() {
    send(1, 250);
}

#[test]
#[ignore = "soak"]
fn soak_random_events() {
    send(100, 2_500);
}

/// Sends `count` random events to each game.
fn send(first_seed: u64, count: usize) {
    for (seed, (variant, seats)) in (first_seed..).zip(GAMES) {
        let mut rng = SplitMix64::seed_from_u64(seed);
        let mut events = 0;
        while events < count {
            let mut probe: Option<ScreenProbe<GameScreen>> = None;
            let mut driver = Driver::new(80, 24, |context| {
                SharedScreen::boxed(super::resumed_game(context, variant, seats, ""), &mut probe)
            });
            let probe = probe.expect("a screen");
            let id = probe.screen().game.session.id();
            // Until the screen is left: the test still holds it, but it gets no more events.
            while !driver.has_ended() && probe.is_shown() && events < count {
                events += 1;
                driver.send_event(event(&mut rng));
                if random_below(&mut rng, 3) == 0 {
                    driver.process_pending();
                }
                // A game that was left without a move isn't in the store.
                if probe.is_shown() && !driver.has_ended() {
                    check(&mut driver, &probe, id);
                }
                if random_below(&mut rng, 50) == 0 {
                    let (width, height) = (
                        60 + random_below(&mut rng, 80),
                        20 + random_below(&mut rng, 30),
                    );
                    driver.resize(width as u16, height as u16);
                }
            }
        }
    }
}
