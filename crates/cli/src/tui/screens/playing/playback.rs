//! How fast computers move: a moment after they have found their move, so that one
//! sees it happen; as fast as one likes where nobody else plays.

use std::time::Duration;

use noughts_session::Speed;

use crate::tui::theme::Theme;

/// The least time between two moves of which the second is a computer's.
const MOMENT: Duration = Duration::from_millis(350);

pub(super) struct Playback {
    speed: Speed,
    paused: bool,
    /// One more move although it is paused.
    one: bool,
}

impl Playback {
    pub(super) fn new() -> Playback {
        Playback {
            speed: Speed::default(),
            paused: false,
            one: false,
        }
    }

    /// The least time for a move.
    pub(super) fn move_delay(&self, watching: bool) -> Duration {
        match watching {
            true if self.one => Duration::ZERO,
            true => self.speed.delay(),
            false => MOMENT,
        }
    }

    /// May a computer move now?
    pub(super) fn lets_move(&self) -> bool {
        !self.paused || self.one
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    /// The speed's name, and where it lies among the others.
    pub(super) fn speed_text(&self, look: &Theme) -> String {
        let [full, empty] = if look.ascii() {
            ["#", "."]
        } else {
            ["▮", "▯"]
        };
        let (there, all) = (self.speed.number(), Speed::FASTEST.number());
        let bar = full.repeat(there) + &empty.repeat(all - there);
        format!("{bar} {}", self.speed.name())
    }

    pub(super) fn faster(&mut self) {
        self.speed = self.speed.faster();
    }

    pub(super) fn slower(&mut self) {
        self.speed = self.speed.slower();
    }

    pub(super) fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.one = false;
    }

    /// Pauses, but lets one move happen first.
    pub(super) fn step_once(&mut self) {
        self.paused = true;
        self.one = true;
    }

    /// A computer has moved.
    pub(super) fn move_made(&mut self) {
        self.one = false;
    }
}
