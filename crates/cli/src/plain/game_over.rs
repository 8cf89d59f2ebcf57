//! The end of a game: who won and how, what that did to the records, and whether
//! there is another one.

use noughts_rules::{Outcome, Side};
use noughts_store::Termination;

use super::console::ExitReason;
use super::{ActiveGame, PlainMode};
use noughts_session::{Participant, Session};

impl PlainMode<'_> {
    /// Tells the end, and asks for another game; gives who plays it.
    pub(super) fn finish_game(
        &mut self,
        round: &ActiveGame,
    ) -> Result<Option<[Participant; 2]>, ExitReason> {
        let session = &round.session;
        self.console.write_line("")?;
        for line in verdict(session) {
            self.console.write_line(&line)?;
        }
        if self.humans.is_empty() {
            // Two computers do not ask for more.
            return Ok(None);
        }
        if session.has_changed_hands() {
            self.console.write_line(
                "A side changed hands in this game, so it counts in nobody's record.",
            )?;
        } else if let Some(how) = session.assistance() {
            self.console
                .write_line(&format!("This game isn't rated: {how}."))?;
        }
        for name in self.humans.clone() {
            self.show_record(&name)?;
        }
        if !self.ask_yes_no("Play again? (y or n)", Some(session))? {
            return Ok(None);
        }
        let [x, o] = session.seats().clone();
        let begins = match self.start_state().side() {
            Side::X => &o,
            Side::O => &x,
        };
        let swap = format!("Swap sides, so that {begins} begins? (y or n)");
        let swap = self.ask_yes_no(&swap, Some(session))?;
        Ok(Some(if swap { [o, x] } else { [x, o] }))
    }
}

/// Who won and how, and a kind word for the people.
fn verdict(session: &Session) -> Vec<String> {
    let Some((result, end)) = session.result() else {
        return Vec::new();
    };
    let how = how(session, result, end);
    let mut lines = Vec::new();
    match result {
        Some(Outcome::Win(winner)) => {
            lines.push(format!(
                "{} ({winner}) wins: {how}.",
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
            lines.push(format!("A draw: {how}."));
            let people: Vec<&Participant> = session
                .seats()
                .iter()
                .filter(|who| who.is_human())
                .collect();
            match people.as_slice() {
                [] => {}
                [one] => lines.push(format!("Nobody won, and nobody lost: well held, {one}.")),
                _ => lines.push("Nobody won, and nobody lost: well held, both of you.".into()),
            }
        }
        None => lines.push(format!("It is over without a result: {how}.")),
    }
    lines
}

fn how(session: &Session, result: Option<Outcome>, end: Termination) -> String {
    let loser = result.and_then(Outcome::winner).map(Side::other);
    match (end, loser) {
        (Termination::Resigned, Some(loser)) => {
            format!("{} has resigned", session.participant(loser))
        }
        // The rules know best how they ended it.
        _ => session
            .game_state()
            .ending_text()
            .unwrap_or_else(|| end.to_string()),
    }
}
