//! The text of the game-over dialog.

use noughts_rules::{Side, UnratedReason};
use noughts_store::Tally;
use noughts_text::{GameOver, Viewpoint, unrated_notice};
use ratatui::text::{Line, Span};

use crate::tui::theme::Theme;
use crate::tui::widgets::truncate;

/// What the text depends on.
pub(super) struct GameOverText {
    over: GameOver,
    tallies: [Option<Tally>; 2],
    unrated: Option<UnratedReason>,
}

/// In columns: longer names would push the scores out of the dialog.
const MAX_NAME_COLUMNS: u16 = 18;

impl GameOverText {
    /// Long names are cut off.
    pub(super) fn new(
        mut over: GameOver,
        tallies: [Option<Tally>; 2],
        unrated: Option<UnratedReason>,
        theme: &Theme,
    ) -> GameOverText {
        for player in over.players.iter_mut().flatten() {
            player.name = truncate(&player.name, MAX_NAME_COLUMNS, theme.ellipsis());
        }
        GameOverText {
            over,
            tallies,
            unrated,
        }
    }

    fn viewpoint(&self) -> Viewpoint {
        let players = self.over.players.as_ref();
        players.map_or(Viewpoint::Spectator, Viewpoint::of_humans)
    }

    pub(super) fn title(&self) -> String {
        self.over.title(self.viewpoint())
    }

    /// The text below the title.
    pub(super) fn lines(&self, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = vec![Line::from(self.over.sentence())];
        let scores = self.scores(theme);
        if !scores.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(scores);
        // Last, because the end is cut off if there isn't enough room.
        if let Some(remark) = self.over.remark(self.viewpoint()) {
            lines.push(Line::default());
            lines.push(Line::from(remark));
        }
        lines
    }

    fn scores(&self, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (side, player) in Side::BOTH
            .into_iter()
            .zip(self.over.players.iter().flatten())
        {
            if let (true, Some(tally)) = (player.is_human, self.tallies[side as usize]) {
                let text = noughts_text::short_tally(tally.wins, tally.losses, tally.draws);
                lines.push(Line::from(vec![
                    Span::styled(player.name.clone(), theme.side(side)),
                    Span::raw(format!(": {text}")),
                ]));
            }
        }
        if let Some(reason) = self.unrated.filter(|_| !lines.is_empty()) {
            lines.push(Line::styled(unrated_notice(reason, false), theme.dim()));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Outcome, Termination, Variant};
    use noughts_text::PlayerLabel;

    use super::*;
    use crate::tui::testing;

    /// Long names don't push the scores out of the first lines.
    #[test]
    fn long_names_leave_room_for_the_scores() {
        let label = |letter: &str| PlayerLabel {
            name: letter.repeat(40),
            is_human: true,
            is_named: true,
        };
        let over = GameOver {
            variant: Variant::CLASSIC,
            outcome: Some(Outcome::Win(Side::X)),
            termination: Termination::Line,
            players: Some(["W", "m"].map(label)),
            moves: 9,
        };
        let tallies = [Some(Tally::default()); 2];
        let theme = testing::theme();
        let text = GameOverText::new(over, tallies, Some(UnratedReason::ChangedHands), &theme);
        let lines: Vec<String> = text.lines(&theme).iter().map(ToString::to_string).collect();
        for line in &lines[2..4] {
            assert!(line.contains("no rated games yet"), "{lines:?}");
            assert!(line.chars().count() <= 42, "{line}");
        }
        assert!(lines[4].contains("isn't rated"), "{lines:?}");
    }
}
