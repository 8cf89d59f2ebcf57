//! The text of the game-over dialog.

use noughts_rules::{Side, UnratedReason};
use noughts_store::Tally;
use noughts_text::{GameOver, Viewpoint, unrated_notice};
use ratatui::text::{Line, Span};

use crate::tui::theme::Theme;
use crate::tui::widgets::truncate;

/// In columns: longer names would push the scores out of the dialog.
const MAX_NAME_COLUMNS: u16 = 18;

/// The title, and the text below it. Long names are cut off.
pub(super) fn game_over_text(
    mut over: GameOver,
    tallies: [Option<Tally>; 2],
    unrated: Option<UnratedReason>,
    theme: &Theme,
) -> (String, Vec<Line<'static>>) {
    let mut scores = Vec::new();
    let players = over.players.iter_mut().flatten();
    for ((side, player), tally) in Side::BOTH.into_iter().zip(players).zip(tallies) {
        player.name = truncate(&player.name, MAX_NAME_COLUMNS, theme.ellipsis());
        if let (true, Some(tally)) = (player.is_human, tally) {
            let text = noughts_text::short_tally(tally.wins, tally.losses, tally.draws);
            scores.push(Line::from(vec![
                Span::styled(player.name.clone(), theme.side(side)),
                Span::raw(format!(": {text}")),
            ]));
        }
    }
    let viewpoint = Viewpoint::of_humans(&over);
    let mut lines = vec![Line::from(over.sentence())];
    if !scores.is_empty() {
        lines.push(Line::default());
        lines.extend(scores);
        let is_only_human = matches!(viewpoint, Viewpoint::Player(_));
        let unrated = unrated.map(|reason| unrated_notice(reason, is_only_human));
        lines.extend(unrated.map(|text| Line::styled(text, theme.dim())));
    }
    // Last, because the end is cut off if there isn't enough room.
    if let Some(remark) = over.remark(viewpoint) {
        lines.extend([Line::default(), Line::from(remark)]);
    }
    (over.title(viewpoint), lines)
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
        let unrated = Some(UnratedReason::ChangedHands);
        let (_, lines) = game_over_text(over, tallies, unrated, &theme);
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        for line in &lines[2..4] {
            assert!(line.contains("no rated games yet"), "{lines:?}");
            assert!(line.chars().count() <= 42, "{line}");
        }
        assert!(lines[4].contains("isn't rated"), "{lines:?}");
    }
}
