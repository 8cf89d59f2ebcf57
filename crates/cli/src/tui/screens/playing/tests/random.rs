//! Thousands of keys, clicks and sizes at random: nothing breaks, and what is shown
//! is what is stored.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEventKind};
use noughts_store::GameId;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::GameScreen;
use crate::tui::event::Event;
use crate::tui::screens::testing::{ScreenProbe, SharedScreen, stored_moves};
use crate::tui::testing::{self, Driver};

const KEYS: &str = "/urtas?xnq+- .123456789hjklgzZyb";

const GAMES: [(&str, [&str; 2]); 6] = [
    ("classic", ["Anna", "easy"]),
    ("tic-tac-two", ["Anna", "Bob"]),
    ("ultimate", ["Anna", "random"]),
    ("mnk:5,5,4", ["medium", "Bob"]),
    ("ception:5d,depth=3", ["easy", "random"]),
    ("misere", ["Anna", "Bob"]),
];

fn below(dice: &mut SplitMix64, n: u64) -> u64 {
    dice.next_u64() % n
}

fn key(dice: &mut SplitMix64) -> KeyEvent {
    let code = match below(dice, 12) {
        0 => KeyCode::Enter,
        1 => KeyCode::Esc,
        2 => [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right][below(dice, 4) as usize],
        3 => [
            KeyCode::Home,
            KeyCode::End,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Tab,
            KeyCode::Backspace,
        ][below(dice, 6) as usize],
        _ => {
            let at = below(dice, KEYS.len() as u64) as usize;
            KeyCode::Char(char::from(KEYS.as_bytes()[at]))
        }
    };
    code.into()
}

fn event(dice: &mut SplitMix64) -> Event {
    match below(dice, 10) {
        0 => {
            let kinds = [
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::Up(MouseButton::Left),
                MouseEventKind::Drag(MouseButton::Left),
                MouseEventKind::ScrollUp,
                MouseEventKind::ScrollDown,
                MouseEventKind::Moved,
            ];
            let kind = kinds[below(dice, 6) as usize];
            let (x, y) = (below(dice, 90) as u16, below(dice, 30) as u16);
            Event::Mouse(testing::mouse_event(kind, x, y))
        }
        1 => Event::Tick,
        2 => Event::Paste("b2\n".into()),
        _ => Event::Key(key(dice)),
    }
}

/// While a game is on the screen, it is the stored one.
fn check(driver: &mut Driver, inside: &ScreenProbe<GameScreen>, id: GameId) {
    let shown = {
        let playing = inside.screen();
        if playing.stepping.is_some() {
            return;
        }
        playing.game.state().moves()
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
        let mut dice = SplitMix64::seed_from_u64(seed);
        let mut events = 0;
        while events < count {
            let mut kept: Option<ScreenProbe<GameScreen>> = None;
            let mut driver = Driver::new(80, 24, |house| {
                SharedScreen::boxed(super::resumed_game(house, variant, seats, ""), &mut kept)
            });
            let inside = kept.expect("a screen");
            let id = inside.screen().game.session().id();
            // Until one leaves the screen: the test holds it, and it hears no more.
            while !driver.has_ended() && inside.is_driven() && events < count {
                events += 1;
                driver.send_event(event(&mut dice));
                if below(&mut dice, 3) == 0 {
                    driver.process_pending();
                }
                // Who has left a game without a move has left nothing in the store.
                if inside.is_driven() && !driver.has_ended() {
                    check(&mut driver, &inside, id);
                }
                if below(&mut dice, 50) == 0 {
                    let (width, height) = (60 + below(&mut dice, 80), 20 + below(&mut dice, 30));
                    driver.resize(width as u16, height as u16);
                }
            }
        }
    }
}
