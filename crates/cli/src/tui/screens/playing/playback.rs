//! How fast bots move: with a short delay, so that the player sees the move happen; at a chosen
//! speed if only bots play.

use std::time::Duration;

use noughts_session::PlaybackSpeed;

use crate::tui::theme::Theme;

/// The minimum time before a bot's move.
const MIN_DELAY: Duration = Duration::from_millis(350);

#[derive(Default)]
pub(super) struct Playback {
    pub(super) speed: PlaybackSpeed,
    pub(super) paused: bool,
    /// Make one more move although paused.
    single_step: bool,
}

impl Playback {
    /// The minimum time for a move.
    pub(super) fn move_delay(&self, bots_only: bool) -> Duration {
        match bots_only {
            true if self.single_step => Duration::ZERO,
            true => self.speed.delay(),
            false => MIN_DELAY,
        }
    }

    pub(super) fn allows_move(&self) -> bool {
        !self.paused || self.single_step
    }

    /// The name of the speed, and its position on the scale.
    pub(super) fn speed_text(&self, theme: &Theme) -> String {
        let [full, empty] = theme.pick(["▮", "▯"], ["#", "."]);
        let (filled, total) = (self.speed.number(), PlaybackSpeed::FASTEST.number());
        let bar = full.repeat(filled) + &empty.repeat(total - filled);
        format!("{bar} {}", self.speed.name())
    }

    pub(super) fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.single_step = false;
    }

    /// Pauses after one more move.
    pub(super) fn step_once(&mut self) {
        self.paused = true;
        self.single_step = true;
    }

    /// Call after a bot's move.
    pub(super) fn move_made(&mut self) {
        self.single_step = false;
    }
}
