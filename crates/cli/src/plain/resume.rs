//! Games that were left: offered when the program starts, let go when somebody
//! leaves in the middle of one.

use noughts_rules::Player;
use noughts_store::{GameId, Listed};

use super::Host;
use super::dialogue::Leave;
use super::words;
use crate::game::{Problem, Session, Step, Who, WhoArg, left_open};

/// So many are listed; `noughts games` lists the others.
const MOST: usize = 9;

/// What to do about the games that were left.
enum Choice {
    Resume(GameId),
    Abandon(GameId),
    Later,
}

impl Host<'_> {
    /// Offers to go on with a game that was left.
    pub(super) fn offer_to_resume(&mut self) -> Result<Option<Session>, Leave> {
        if let [Some(WhoArg::Bot(_)), Some(WhoArg::Bot(_))] = self.wishes.seats {
            // Two computers are to play by themselves: nobody is asked anything.
            return Ok(None);
        }
        loop {
            let games = match self.keeper.wait(left_open(self.keeper.store())) {
                Ok(games) => games,
                Err(error) => {
                    let said = format!("Sorry, unfinished games cannot be read: {error}.");
                    self.talk.say(&said)?;
                    return Ok(None);
                }
            };
            let games: Vec<Listed> = games.into_iter().filter(|game| self.suits(game)).collect();
            if games.is_empty() {
                return Ok(None);
            }
            self.list(&games)?;
            let taken = match self.choose(&games)? {
                Choice::Later => return Ok(None),
                Choice::Resume(id) => self.resume(id).map(Some),
                Choice::Abandon(id) => self.abandon(id),
            };
            match taken {
                Ok(None) => self
                    .talk
                    .say("It is abandoned, and counts in nobody's record.")?,
                Ok(Some(session)) => {
                    self.go_on_with(&session)?;
                    return Ok(Some(session));
                }
                Err(problem) => self.talk.say(&format!("Sorry: {problem}."))?,
            }
        }
    }

    /// Is it a game that the command line asks for, and can it be played on?
    fn suits(&self, game: &Listed) -> bool {
        let variant = self
            .wishes
            .variant
            .is_none_or(|variant| variant == game.variant);
        let mut seats = self.wishes.seats.iter().zip(&game.seats);
        let suits = seats.all(|(wanted, seat)| match (wanted, Who::of_seat(seat)) {
            (_, Err(_)) => false,
            (None, _) | (Some(WhoArg::Human(None)), Ok(Who::Person(_))) => true,
            (Some(WhoArg::Human(Some(name))), Ok(Who::Person(person))) => *name == person,
            (Some(WhoArg::Bot(kind)), Ok(Who::Bot(bot))) => *kind == bot,
            _ => false,
        });
        // Where nobody has moved there is nothing to go on with.
        variant && suits && game.moves > 0
    }

    fn list(&mut self, games: &[Listed]) -> Result<(), Leave> {
        self.talk.say(&match games.len() {
            1 => "There is a game to go on with:".to_owned(),
            many => format!("There are {many} games to go on with:"),
        })?;
        for (number, game) in games.iter().take(MOST).enumerate() {
            let [x, o] = &game.seats;
            let moves = match game.moves {
                1 => "1 move".to_owned(),
                moves => format!("{moves} moves"),
            };
            let (variant, began) = (game.variant, game.began.local());
            let number = number + 1;
            self.talk.say(&format!(
                "{number}: {variant}, {x} (X) against {o} (O), {moves}, begun {began}."
            ))?;
        }
        match games.len().checked_sub(MOST) {
            None | Some(0) => Ok(()),
            Some(more) => self
                .talk
                .say(&format!("And {more} more; `noughts games` lists them.")),
        }
    }

    fn choose(&mut self, games: &[Listed]) -> Result<Choice, Leave> {
        let several = games.len() > 1;
        let question = if several {
            "Go on with one? (its number; no keeps them for later; abandon and a number ends one \
             without a result)"
        } else {
            "Go on with it? (yes; no keeps it for later; abandon ends it without a result)"
        };
        loop {
            let text = self.ask_text(question, None)?.to_lowercase();
            let (abandon, rest) = match text.strip_prefix("abandon") {
                Some(rest) => (true, rest.trim()),
                None => (false, text.as_str()),
            };
            let number = match rest {
                "" if abandon => (!several).then_some(1),
                rest => match words::yes_or_no(rest) {
                    Some(false) if !abandon => return Ok(Choice::Later),
                    Some(true) if !abandon && !several => Some(1),
                    _ => rest.parse().ok(),
                },
            };
            let listed = games.iter().take(MOST);
            let index = number.and_then(|number: usize| number.checked_sub(1));
            match index.and_then(|index| listed.clone().nth(index)) {
                Some(game) if abandon => return Ok(Choice::Abandon(game.id)),
                Some(game) => return Ok(Choice::Resume(game.id)),
                None if several => self.refuse(
                    "the answer is the number of a game, no, or abandon and the number of a game",
                )?,
                None => self.refuse("the answer is yes, no or abandon")?,
            }
        }
    }

    fn resume(&self, id: GameId) -> Result<Session, Problem> {
        self.keeper.wait(Session::resume(self.keeper.store(), id))
    }

    fn abandon(&self, id: GameId) -> Result<Option<Session>, Problem> {
        let session = self.resume(id)?;
        let store = self.keeper.store();
        self.keeper.wait(session.step(store, Step::Abandon))?;
        Ok(None)
    }

    fn go_on_with(&mut self, session: &Session) -> Result<(), Leave> {
        self.variant = session.play().variant();
        self.name_game()?;
        for side in Player::BOTH {
            if let Who::Person(name) = session.who(side) {
                self.guests.push(name.clone());
            }
        }
        for name in self.guests.clone() {
            self.record(&name)?;
        }
        Ok(())
    }

    /// Somebody leaves: the game stays open for whoever wants to go on with it. One
    /// without a move is no game to go on with.
    pub(super) fn part_with(&mut self, session: &Session, leave: &Leave) -> Result<(), Leave> {
        if session.over().is_some() {
            return Ok(());
        }
        let store = self.keeper.store();
        let begun = !session.times().is_empty();
        // What fails here is made good by the end of the program, which frees its games.
        if begun {
            let _ = self.keeper.wait(session.let_go(store));
        } else {
            let _ = self.keeper.wait(session.step(store, Step::Abandon));
        }
        if !matches!(leave, Leave::Quit | Leave::InputEnded) {
            return Ok(());
        }
        self.talk.say(&match (begun, self.keeper.is_kept()) {
            (false, _) => "No move was made, so there is nothing to go on with.".to_owned(),
            (true, false) => "The game is not kept.".to_owned(),
            (true, true) => format!(
                "The game is kept as number {}; at the next start you can go on with it.",
                session.id()
            ),
        })
    }
}
