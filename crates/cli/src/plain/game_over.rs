//! The end of a game: who won and how, the players' records, and whether to play another game.

use noughts_rules::Side;
use noughts_text::{Viewpoint, unrated_notice};

use super::console::PlainResult;
use super::{ActiveGame, PlainMode};
use noughts_session::{Participant, Session};

impl PlainMode<'_> {
    /// Prints the result and asks for another game. Returns the players of that game.
    pub(super) fn finish_game(
        &mut self,
        game: &ActiveGame,
    ) -> PlainResult<Option<[Participant; 2]>> {
        let session = &game.session;
        self.write_line("")?;
        self.write_lines(result_lines(session))?;
        if self.humans.is_empty() {
            // There is nobody to ask.
            return Ok(None);
        }
        if let Some(reason) = session.unrated_reason() {
            self.write_line(unrated_notice(reason, self.humans.len() == 1))?;
        }
        self.show_records(None)?;
        if !self.ask_yes_no("Play again? (y or n)", Some(session))? {
            return Ok(None);
        }
        let [x, o] = session.seats().clone();
        let first_player = match self.start_state().side() {
            Side::X => &o,
            Side::O => &x,
        };
        let swap = format!("Swap sides, so that {first_player} moves first? (y or n)");
        let swap = self.ask_yes_no(&swap, Some(session))?;
        Ok(Some(if swap { [o, x] } else { [x, o] }))
    }
}

/// Who won and how, with congratulations or consolation for the humans.
fn result_lines(session: &Session) -> Vec<String> {
    let Some(over) = session.game_over() else {
        return Vec::new();
    };
    let viewpoint = Viewpoint::of_humans(&over);
    let mut lines = vec![over.sentence()];
    let title = over.title(viewpoint);
    if title != over.result() {
        // Screen readers run lines together, so every line is a sentence.
        lines.push(match title.ends_with('!') {
            true => title,
            false => format!("{title}."),
        });
    }
    lines.extend(over.remark(viewpoint));
    lines
}
