//! Games that were left: offered when the program starts, let go when somebody
//! leaves in the middle of one.

use noughts_rules::{AnyPlay, Player, Variant};
use noughts_store::{GameId, Listed};

use super::Host;
use super::dialogue::Leave;
use super::words::{self, Word};
use crate::position::start_of;
use crate::who_arg::WhoArg;
use noughts_session::{Problem, Session, Step, Who, left_open};

/// So many are listed; `noughts games` lists the others, which can be had, too.
const MOST: usize = 9;

/// What to do about the games that were left.
enum Choice {
    Resume(GameId),
    Abandon(GameId),
    Later,
}

/// A game that somebody is asked about: words about the game mean this one.
pub(super) struct Offered {
    id: GameId,
    variant: Variant,
    /// Which one is meant has to be said.
    several: bool,
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
                Choice::Resume(id) => {
                    let resumed = self.resume(id).map(Some);
                    resumed.map_err(|problem| ("resumed", problem))
                }
                Choice::Abandon(id) => {
                    let abandoned = self.abandon(id);
                    abandoned.map_err(|problem| ("abandoned", problem))
                }
            };
            match taken {
                Ok(None) => self
                    .talk
                    .say("It is abandoned, and counts in nobody's record.")?,
                Ok(Some(session)) => {
                    self.go_on_with(&session)?;
                    return Ok(Some(session));
                }
                Err((what, problem)) => {
                    let cause = problem.cause();
                    let said = format!("Sorry: the game cannot be {what}: {cause}.");
                    self.talk.say(&said)?;
                }
            }
        }
    }

    /// Is it a game that the command line asks for?
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
        variant && suits && self.starts_as_asked(game)
    }

    /// Does it start where the command line says? Any start will do if it says nothing.
    fn starts_as_asked(&self, game: &Listed) -> bool {
        let Some(from) = &self.wishes.from else {
            return true;
        };
        self.keeper.is_started_from(game.id, from)
    }

    fn list(&mut self, games: &[Listed]) -> Result<(), Leave> {
        self.talk.say(&match games.len() {
            1 => "There is a game to go on with:".to_owned(),
            many => format!("There are {many} games to go on with:"),
        })?;
        for game in games.iter().take(MOST) {
            let [x, o] = &game.seats;
            let moves = match game.moves {
                1 => "1 move".to_owned(),
                moves => format!("{moves} moves"),
            };
            let (variant, began) = (game.variant, game.began.local());
            let number = game.id;
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

    /// What to do about them; meanwhile words about the game mean the first.
    fn choose(&mut self, games: &[Listed]) -> Result<Choice, Leave> {
        let several = games.len() > 1;
        let question = if several {
            "Go on with one? (its number; no keeps them for later; abandon and a number ends one \
             without a result)"
        } else {
            "Go on with it? (yes; no keeps it for later; abandon ends it without a result)"
        };
        loop {
            self.offered = games.first().map(|game| offered(game, several));
            let text = self.ask_text(question, None)?.to_lowercase();
            let choice = match chosen(&text, games) {
                Some(Choice::Abandon(id)) => {
                    let meant = games.iter().find(|game| game.id == id);
                    self.offered = meant.map(|game| offered(game, false));
                    let sure = format!("Abandon game {id} for good? (y or n)");
                    if !self.yes(&sure, None)? {
                        continue;
                    }
                    Choice::Abandon(id)
                }
                Some(choice) => choice,
                None if several => {
                    self.refuse(
                        "the answer is the number of a game, no, or abandon and the number of a \
                         game",
                    )?;
                    continue;
                }
                None => {
                    self.refuse("the answer is yes, no or abandon")?;
                    continue;
                }
            };
            self.offered = None;
            return Ok(choice);
        }
    }

    /// Sees to a word about the game that is offered.
    pub(super) fn tell_offered(&mut self, word: Word) -> Result<(), Leave> {
        let Some(Offered {
            id,
            variant,
            several,
        }) = self.offered
        else {
            return Ok(());
        };
        let about = matches!(word, Word::Rules | Word::Board | Word::Read);
        if about && several {
            self.talk.say(&format!("This is game {id}, {variant}:"))?;
        }
        match word {
            Word::Help => self.help(variant),
            Word::Rules => self.rules(variant),
            Word::Board | Word::Read => match self.look_at(id) {
                Ok(play) if word == Word::Board => self.draw(&play),
                Ok(play) => self.read(&play),
                Err(reason) => self.talk.say(&format!("It cannot be shown: {reason}.")),
            },
            _ => self
                .talk
                .say("The game has to be resumed first; it is only offered yet."),
        }
    }

    /// The game as it stands, without taking it over.
    fn look_at(&self, id: GameId) -> Result<AnyPlay, String> {
        let game = self.keeper.wait(self.keeper.store().game(id));
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or_else(|| format!("there is no game {id} any more"))?;
        game.play().map_err(|error| error.to_string())
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
        let play = session.play();
        self.from = (!play.is_from_start()).then(|| start_of(play));
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
        let begun = !session.is_untouched();
        // What fails here is made good by the end of the program, which frees its games.
        let _ = self.keeper.wait(session.let_go(store));
        if matches!(leave, Leave::Closed | Leave::Failed(_)) {
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

fn offered(game: &Listed, several: bool) -> Offered {
    Offered {
        id: game.id,
        variant: game.variant,
        several,
    }
}

/// What an answer means, if anything: games are known by their own numbers, and a
/// single one needs none.
fn chosen(text: &str, games: &[Listed]) -> Option<Choice> {
    let only = match games {
        [game] => Some(game.id),
        _ => None,
    };
    let numbered = |text: &str| {
        let number: i64 = text.parse().ok()?;
        let mut ids = games.iter().map(|game| game.id);
        ids.find(|id| id.0 == number)
    };
    if let Some(rest) = text.strip_prefix("abandon") {
        let id = match rest.trim() {
            "" => only,
            rest => numbered(rest),
        };
        return id.map(Choice::Abandon);
    }
    match words::yes_or_no(text) {
        Some(false) => Some(Choice::Later),
        Some(true) => only.map(Choice::Resume),
        None => numbered(text).map(Choice::Resume),
    }
}
