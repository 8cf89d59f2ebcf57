//! The end of a game: who won and how, the players' records, and whether to play another game.

use noughts_rules::{Outcome, Side};
use noughts_store::Termination;

use super::console::ExitReason;
use super::{ActiveGame, PlainMode};
use noughts_session::{Participant, Session};

impl PlainMode<'_> {
    /// Prints the result and asks for another game. Returns the players of that game.
    pub(super) fn finish_game(
        &mut self,
        game: &ActiveGame,
    ) -> Result<Option<[Participant; 2]>, ExitReason> {
        let session = &game.session;
        self.console.write_line("")?;
        for line in result_lines(session) {
            self.console.write_line(&line)?;
        }
        if self.humans.is_empty() {
            // There is nobody to ask.
            return Ok(None);
        }
        if session.has_changed_hands() {
            self.console.write_line(
                "A side changed hands in this game, so it counts in nobody's record.",
            )?;
        } else if let Some(assistance) = session.assistance() {
            self.console
                .write_line(&format!("This game isn't rated: {assistance}."))?;
        }
        for name in self.humans.clone() {
            self.show_record(&name)?;
        }
        if !self.ask_yes_no("Play again? (y or n)", Some(session))? {
            return Ok(None);
        }
        let [x, o] = session.seats().clone();
        let first_player = match self.start_state().side() {
            Side::X => &o,
            Side::O => &x,
        };
        let swap = format!("Swap sides, so that {first_player} begins? (y or n)");
        let swap = self.ask_yes_no(&swap, Some(session))?;
        Ok(Some(if swap { [o, x] } else { [x, o] }))
    }
}

/// Who won and how, with congratulations or consolation for the humans.
fn result_lines(session: &Session) -> Vec<String> {
    let Some((result, end)) = session.result() else {
        return Vec::new();
    };
    let ending = ending(session, result, end);
    let mut lines = Vec::new();
    match result {
        Some(Outcome::Win(winner)) => {
            lines.push(format!(
                "{} ({winner}) wins: {ending}.",
                session.participant(winner)
            ));
            if let Participant::Player(name) = session.participant(winner) {
                lines.push(format!("Congratulations, {name}!"));
            }
            if let Participant::Player(name) = session.participant(winner.other()) {
                lines.push(format!("Bad luck, {name}. Better luck next time."));
            }
        }
        Some(Outcome::Draw) => {
            lines.push(format!("A draw: {ending}."));
            let humans: Vec<&Participant> = session
                .seats()
                .iter()
                .filter(|player| player.is_human())
                .collect();
            match humans.as_slice() {
                [] => {}
                [player] => {
                    lines.push(format!("Nobody won, and nobody lost: well held, {player}."))
                }
                _ => lines.push("Nobody won, and nobody lost: well held, both of you.".into()),
            }
        }
        None => lines.push(format!("It is over without a result: {ending}.")),
    }
    lines
}

fn ending(session: &Session, result: Option<Outcome>, end: Termination) -> String {
    let loser = result.and_then(Outcome::winner).map(Side::other);
    match (end, loser) {
        (Termination::Resigned, Some(loser)) => {
            format!("{} has resigned", session.participant(loser))
        }
        // If the rules ended the game, they describe it in more detail.
        _ => session
            .game_state()
            .ending_text()
            .unwrap_or_else(|| end.to_string()),
    }
}
