//! The end of a game: who won and how, what that did to the records, and whether
//! there is another one.

use noughts_rules::{Outcome, Player};
use noughts_store::End;

use super::dialogue::Leave;
use super::{Host, Round};
use noughts_session::{Session, Who};

impl Host<'_> {
    /// Tells the end, and asks for another game; gives who plays it.
    pub(super) fn end(&mut self, round: &Round) -> Result<Option<[Who; 2]>, Leave> {
        let session = &round.session;
        self.talk.say("")?;
        for line in verdict(session) {
            self.talk.say(&line)?;
        }
        if self.guests.is_empty() {
            // Two computers do not ask for more.
            return Ok(None);
        }
        if session.is_handed() {
            self.talk
                .say("A side changed hands in this game, so it counts in nobody's record.")?;
        } else if let Some(how) = session.assisted() {
            self.talk.say(&format!("This game isn't rated: {how}."))?;
        }
        for name in self.guests.clone() {
            self.record(&name)?;
        }
        if !self.yes("Play again? (y or n)", Some(session))? {
            return Ok(None);
        }
        let [x, o] = session.seats().clone();
        let begins = match self.start().side() {
            Player::X => &o,
            Player::O => &x,
        };
        let swap = format!("Swap sides, so that {begins} begins? (y or n)");
        let swap = self.yes(&swap, Some(session))?;
        Ok(Some(if swap { [o, x] } else { [x, o] }))
    }
}

/// Who won and how, and a kind word for the people.
fn verdict(session: &Session) -> Vec<String> {
    let Some((result, end)) = session.over() else {
        return Vec::new();
    };
    let how = how(session, result, end);
    let mut lines = Vec::new();
    match result {
        Some(Outcome::Win(winner)) => {
            lines.push(format!("{} ({winner}) wins: {how}.", session.who(winner)));
            if let Who::Person(name) = session.who(winner) {
                lines.push(format!("Congratulations, {name}!"));
            }
            if let Who::Person(name) = session.who(winner.other()) {
                lines.push(format!("Bad luck, {name}. Better luck next time."));
            }
        }
        Some(Outcome::Draw) => {
            lines.push(format!("A draw: {how}."));
            let people: Vec<&Who> = session
                .seats()
                .iter()
                .filter(|who| who.is_person())
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

fn how(session: &Session, result: Option<Outcome>, end: End) -> String {
    let loser = result.and_then(Outcome::winner).map(Player::other);
    match (end, loser) {
        (End::Resigned, Some(loser)) => format!("{} has resigned", session.who(loser)),
        // The rules know best how they ended it.
        _ => session
            .play()
            .how_it_ended()
            .unwrap_or_else(|| end.to_string()),
    }
}
